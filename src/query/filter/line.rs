//! Opening lines: games that begin with given moves, found with the position index.

use std::str::FromStr;

use rusqlite::Connection;

use super::super::PositionSearch;
use crate::board::{Move, Position};
use crate::columns::{ColumnStore, GameFlags};
use crate::game::Variant;
use crate::notation::PieceLetters;
use crate::replay::{Mainline, Readings, Replay};
use crate::storage::{GameId, GameSet, IndexedLines, PlayedGame};
use crate::store_fault::StoreResult;

/// Moves from the standard position.
///
/// ```
/// use stamma::query::OpeningLine;
/// let line: OpeningLine = "1. e4 c5 2. Nf3".parse().expect("moves");
/// assert_eq!(line.san(), "e4 c5 Nf3");
/// assert!("1. e4 e5 2. Nf4".parse::<OpeningLine>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// Each move, with the position in which it is played.
    moves: Vec<(Position, Move)>,
    san: String,
}

/// The error for a text that is not a line of moves from the start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseOpeningLineError(String);

impl FromStr for OpeningLine {
    type Err = ParseOpeningLineError;

    /// Parses moves in any notation and language, English first, with or without move numbers.
    fn from_str(text: &str) -> Result<OpeningLine, ParseOpeningLineError> {
        let english = Readings::new(Some(("en", PieceLetters::english())), None);
        let in_english = OpeningLine::read(text, &english);
        if in_english.is_ok() {
            return in_english;
        }
        OpeningLine::read(text, &Readings::default())
    }
}

impl OpeningLine {
    /// Parses moves in the given notations and letters, with or without move numbers.
    ///
    /// # Errors
    /// When there are no moves, or for the first one that is illegal or ambiguous.
    pub fn read(text: &str, readings: &Readings) -> Result<OpeningLine, ParseOpeningLineError> {
        // The game termination marker keeps the text from being reported as a game that was cut short.
        let movetext = format!("{text} *");
        let replay = readings.replay(&movetext).replay;

        let has_no_moves = replay.played.is_empty() && replay.game.rest.is_none();
        if has_no_moves || replay.start.is_some() {
            return Err(ParseOpeningLineError(
                "give the moves from the start, like 1. e4 c5 2. Nf3".to_owned(),
            ));
        }
        if let Some(problem) = replay.problems.first() {
            return Err(ParseOpeningLineError(problem.message.clone()));
        }

        let mut moves = Vec::with_capacity(replay.played.len());
        let mut position = Position::start();
        for &mv in &replay.played {
            moves.push((position.clone(), mv));
            position.play(mv);
        }
        Ok(OpeningLine {
            moves,
            san: replay.game.moves.into_owned(),
        })
    }

    /// The moves in canonical SAN, separated by single spaces.
    pub fn san(&self) -> &str {
        &self.san
    }

    /// Retains the games that begin with this line.
    ///
    /// A game that has played the first moves of the line is in the next position of the line. While the positions of
    /// the line differ, this is the game's first visit of the position, so the next move that the index has for the
    /// first visit decides. Games that are not in the index, or have changed since, are checked by their moves.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn retain(
        &self,
        connection: &Connection,
        column_store: &ColumnStore<'_>,
        games: &mut GameSet,
    ) -> StoreResult<()> {
        let from_standard = column_store.games(GameFlags::starts_from_standard)?;
        games.intersect(&from_standard);

        // Games that the index does not have, or of which it has the positions before a change.
        let apart =
            column_store.games(|flags| flags.starts_from_standard() && !is_in_index(flags))?;
        let search = PositionSearch::new(connection)?;
        let last = search.last_indexed();
        let unindexed = games.iter().filter(|&game| game > last);
        let not_in_index = search.moved_games().chain(apart.iter()).chain(unindexed);

        let mut by_text = GameSet::default();
        let mut by_index = games.clone();
        for game in not_in_index {
            if !games.contains(game) {
                continue;
            }
            if self.begins(connection, game)? {
                by_text.insert(game);
            }
            by_index.remove(game);
        }

        *games = self.games_by_index(connection, &search, by_index)?;
        for game in by_text.iter() {
            games.insert(game);
        }
        Ok(())
    }

    /// The games of a set that begin with this line. The positions of all these games are in the index.
    fn games_by_index(
        &self,
        connection: &Connection,
        search: &PositionSearch,
        mut games: GameSet,
    ) -> StoreResult<GameSet> {
        // Each position of the line leaves the games that have played the next move there.
        let indexed = search.plies().of_line(self.distinct_positions());
        for (position, mv) in &self.moves[..indexed] {
            let mut played = GameSet::default();
            search.each_played(connection, position, &games, |game, code| {
                if code == mv.code() {
                    played.insert(game);
                }
            })?;
            games = played;
        }

        // The index may end before the line does, or the line may repeat a position.
        if indexed < self.moves.len() {
            let undecided: Vec<GameId> = games.iter().collect();
            for game in undecided {
                if !self.begins(connection, game)? {
                    games.remove(game);
                }
            }
        }
        Ok(games)
    }

    /// The number of positions before the first repeated position.
    fn distinct_positions(&self) -> usize {
        for (at, (position, _)) in self.moves.iter().enumerate() {
            let mut earlier = self.moves[..at].iter();
            let is_repeated = earlier.any(|(before, _)| before == position);
            if is_repeated {
                return at;
            }
        }

        self.moves.len()
    }

    /// `true` if a replayed game begins with this line.
    pub(super) fn begins_replay(&self, replay: &Replay<'_>) -> bool {
        let Replay { game, played, .. } = replay;
        let starts_from_standard = game.start.is_none();
        let has_boards = game.is_played && game.variant != Variant::Other;
        let is_long_enough = played.len() >= self.moves.len();
        if !starts_from_standard || !has_boards || !is_long_enough {
            return false;
        }

        let mut pairs = played.iter().zip(&self.moves);
        pairs.all(|(mv, (_, mv_of_line))| mv == mv_of_line)
    }

    /// `true` if a game begins with this line, by its moves.
    fn begins(&self, connection: &Connection, game: GameId) -> rusqlite::Result<bool> {
        let Some(played) = PlayedGame::read(connection, game, IndexedLines::Mainline)? else {
            return Ok(false);
        };
        if played.fen.is_some() || played.variant == Variant::Other {
            return Ok(false);
        }

        let mut line = Mainline::from_position(Position::start(), &played.moves);
        for (_, mv) in &self.moves {
            let next = line.step().map(|(_, next)| next);
            if next != Some(*mv) {
                return Ok(false);
            }
            line.play(*mv);
        }
        Ok(true)
    }
}

/// `true` if the positions of games with these flags are in the index.
fn is_in_index(flags: GameFlags) -> bool {
    flags.is_played() && !flags.variant().plays_apart()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! lines {
        ($($name:ident: $text:expr => $san:expr;)*) => {$(
            #[test]
            fn $name() {
                let expected: Result<&str, &str> = $san;
                let parsed = $text.parse::<OpeningLine>();
                let san = match &parsed {
                    Ok(line) => Ok(line.san()),
                    Err(error) => Err(error.0.as_str()),
                };
                assert_eq!(san, expected);
            }
        )*};
    }

    lines! {
        with_numbers: "1. e4 c5 2. Nf3" => Ok("e4 c5 Nf3");
        without: "d4 d5 c4" => Ok("d4 d5 c4");
        in_german: "1. e4 e5 2. Sf3 Sc6" => Ok("e4 e5 Nf3 Nc6");
        descriptive: "1. P-K4 P-K4 2. N-KB3" => Ok("e4 e5 Nf3");
        of_an_engine: "e2e4 c7c5" => Ok("e4 c5");
        with_a_king: "1. e4 e5 2. Ke2 Ke7" => Ok("e4 e5 Ke2 Ke7");
        nothing: "" => Err("give the moves from the start, like 1. e4 c5 2. Nf3");
    }

    #[test]
    fn a_line_that_comes_back() {
        let line: OpeningLine = "Nf3 Nf6 Ng1 Ng8 e4".parse().expect("moves");
        assert_eq!(line.distinct_positions(), 4);
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        let error = "1. e4 e5 2. Nf4"
            .parse::<OpeningLine>()
            .expect_err("no such move");
        assert!(error.to_string().contains("Nf4"), "{error}");
    }
}
