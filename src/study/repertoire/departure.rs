//! Where games leave a repertoire.

use super::Repertoire;
use crate::board::Move;
use crate::error::Result;
use crate::game::Ply;
use crate::index::Counts;
use crate::query::GameOfDatabase;
use crate::storage::{Database, GameId, InDatabase, IndexedLines, PlayedGame};

/// A way in which games leave a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DepartureKind {
    /// The opponent plays a move that the repertoire does not answer.
    Opponent,
    /// The side of the repertoire plays another move than the repertoire.
    Own,
    /// The line of the repertoire ends here.
    EndOfLine,
    /// The game ends here, or continues with a null move.
    EndOfGame,
    /// The game returns to a less deep position, and does not reach a deeper position again.
    Return,
}

impl DepartureKind {
    /// All kinds.
    pub const ALL: [DepartureKind; 5] = [
        DepartureKind::Opponent,
        DepartureKind::Own,
        DepartureKind::EndOfLine,
        DepartureKind::EndOfGame,
        DepartureKind::Return,
    ];

    /// The place of the kind in lists, from 0, the most useful kind for the owner of the repertoire first. A move
    /// without an answer needs an answer, and a line that ends may be continued. Other moves of the owner's side are
    /// choices already made.
    pub fn place_by_use(self) -> u32 {
        match self {
            DepartureKind::Opponent => 0,
            DepartureKind::EndOfLine => 1,
            DepartureKind::Own => 2,
            DepartureKind::Return => 3,
            DepartureKind::EndOfGame => 4,
        }
    }

    /// The name of the kind: `opponent`, `own`, `end-of-line`, `end-of-game` or `return`.
    pub fn as_str(self) -> &'static str {
        match self {
            DepartureKind::Opponent => "opponent",
            DepartureKind::Own => "own",
            DepartureKind::EndOfLine => "end-of-line",
            DepartureKind::EndOfGame => "end-of-game",
            DepartureKind::Return => "return",
        }
    }
}

/// A position in which games leave a repertoire by a move, with the counts of these games.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// The place, in the repertoire, of the deepest position that these games reach.
    pub position: usize,
    /// The way in which these games leave.
    pub kind: DepartureKind,
    /// The move, with its SAN; `None` where the line or the game ends.
    pub played: Option<(String, Move)>,
    /// The counts of the games that leave here, with the ratings of the side of the repertoire and of its opponent.
    pub counts: Counts,
    /// The counts of all games that play the move in the position, including games that reach a deeper position of the
    /// repertoire by another order of moves.
    pub all: Counts,
    /// The number of games that reach the position.
    pub reached: u64,
    /// The games that leave here with the best ratings, the best first, at most three. Games in which programs play are
    /// listed only if there are no other games.
    pub best: Vec<GameOfDatabase>,
}

impl Departure {
    /// The share of the games in the position that play the move.
    pub fn share(&self) -> f64 {
        if self.reached == 0 {
            0.0
        } else {
            self.all.all_games() as f64 / self.reached as f64
        }
    }

    /// `true` if a game leaves here.
    pub fn has(&self, hit: &RepertoireHit) -> bool {
        if self.position != hit.position || self.kind != hit.kind {
            return false;
        }

        // All games that continue behind the end of a line are one departure, whatever their next move.
        let code = self.played.as_ref().map(|(_, mv)| mv.code());
        self.kind == DepartureKind::EndOfLine || code == hit.code
    }

    /// `true` for a move of the opponent that the repertoire does not answer.
    pub fn is_gap(&self) -> bool {
        self.kind == DepartureKind::Opponent
    }
}

/// A game in a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepertoireHit {
    /// The index of the database.
    pub database: usize,
    /// The game.
    pub game: GameId,
    /// The place of the deepest position that the game reaches.
    pub position: usize,
    /// The way in which the game leaves.
    pub kind: DepartureKind,
    /// The [code](Move::code) of the move with which it leaves; `None` where the game ends.
    pub code: Option<u16>,
}

impl RepertoireHit {
    /// The number of half-moves before the game's deepest position first occurs, and the move played there, if the game
    /// does not end; `None` if the game has changed since.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn place(
        &self,
        database: &Database,
        repertoire: &Repertoire,
    ) -> Result<Option<(Ply, Option<String>)>> {
        let connection = &database.connection;
        let read = PlayedGame::read(connection, self.game, IndexedLines::Mainline);
        let game = read.in_database(database)?;
        let Some(mut line) = game.as_ref().and_then(PlayedGame::mainline) else {
            return Ok(None);
        };

        let deepest = &repertoire.positions()[self.position];
        if !line.find(&deepest.position) {
            return Ok(None);
        }

        let next = match line.step() {
            Some((san, mv)) if mv != Move::NULL => Some(san.to_owned()),
            _ => None,
        };
        Ok(Some((line.ply(), next)))
    }
}
