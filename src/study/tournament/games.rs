//! The games of a tournament, as a crosstable counts them.

use std::collections::HashMap;
use std::num::NonZeroU16;

use rusqlite::{Connection, OptionalExtension};

use super::names::Names;
use crate::board::Color;
use crate::cleaning::names::{Round, RoundMatch, lesser_first};
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::{PartialDate, known_elo};
use crate::pgn::Termination;
use crate::query::GameOfDatabase;
use crate::query::player::PlayerAccuracy;
use crate::storage::{GameId, text_cell};
use crate::store_fault::StoreResult;

/// A game of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentGame {
    /// The game.
    pub game: GameOfDatabase,
    /// White and Black, by their places in a list of players.
    pub players: [usize; 2],
    /// The result.
    pub result: Termination,
    /// The round, which may be empty.
    pub round: Round,
    /// The date.
    pub date: Option<PartialDate>,
    /// The accuracies of White and of Black, if the positions after all moves are evaluated.
    pub accuracy: [PlayerAccuracy; 2],
}

/// A player as games name them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entrant {
    /// The joined number of the player's name, for all its spellings.
    pub(super) number: u64,
    /// The first known rating.
    pub(super) elo: Option<NonZeroU16>,
}

/// The games of a tournament in the order of rounds, dates and numbers, and its players in the order of their first
/// games.
#[derive(Debug, Default)]
pub(super) struct Games {
    pub(super) entrants: Vec<Entrant>,
    pub(super) games: Vec<TournamentGame>,
    /// Pairs of a counted game and a game that is not counted, since it has equal players, rounds and moves.
    pub(super) doubled: Vec<(GameOfDatabase, GameOfDatabase)>,
}

impl TournamentGame {
    /// The half points of a side; `None` without a result.
    pub fn half_points(&self, side: Color) -> Option<u32> {
        match (self.result, side) {
            (Termination::Unknown, _) => None,
            (Termination::Draw, _) => Some(1),
            (Termination::WhiteWins, Color::White) | (Termination::BlackWins, Color::Black) => {
                Some(2)
            }
            _ => Some(0),
        }
    }

    /// The players, the lower place first.
    pub(super) fn pair(&self) -> [usize; 2] {
        let [white, black] = self.players;
        lesser_first(white, black).into()
    }

    /// The opponent of a player and the colour of the player, if the player is in this game.
    pub fn opponent_of(&self, player: usize) -> Option<(usize, Color)> {
        match self.players {
            [white, black] if white == player => Some((black, Color::White)),
            [white, black] if black == player => Some((white, Color::Black)),
            _ => None,
        }
    }
}

const COLUMNS: [Column; 14] = [
    Column::White,
    Column::Black,
    Column::GameFlags,
    Column::Date,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Accuracy,
    Column::CentipawnLoss,
    Column::Plies,
    Column::OpeningHash,
    Column::FirstHash,
    Column::SecondHash,
    Column::ThirdHash,
    Column::LastHash,
];

/// A game before its players have places.
struct Row {
    game: TournamentGame,
    players: [u64; 2],
    elo: [Option<NonZeroU16>; 2],
    /// The number of half-moves and the hashes of moves.
    moves: [u64; 6],
}

/// The players and the moves of a game, which are equal in copies of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PlayersAndMoves {
    players: [u64; 2],
    moves: [u64; 6],
}

impl Games {
    /// Reads games. The games of each database are in the order of their numbers.
    pub(super) fn read(
        connections: &[&Connection],
        names: &mut Names<'_>,
        games: &[GameOfDatabase],
    ) -> StoreResult<Games> {
        let mut rows = Vec::with_capacity(games.len());
        for of_database in games.chunk_by(|one, other| one.database == other.database) {
            let column_store = ColumnStore::new(connections[of_database[0].database])?;
            read_rows(&column_store, of_database, &mut rows)?;
        }

        for row in &mut rows {
            let GameOfDatabase { database, game } = row.game.game;
            row.game.round = read_round(connections[database], game)?;
            for player in &mut row.players {
                *player = names.players.number(database, *player)?;
            }
        }
        sort_by_round(&mut rows);
        Ok(Games::new(rows))
    }

    fn new(rows: Vec<Row>) -> Games {
        let mut games = Games::default();
        let mut places = HashMap::new();
        let mut counted: HashMap<PlayersAndMoves, Vec<(GameOfDatabase, Round)>> = HashMap::new();
        for row in rows {
            let key = PlayersAndMoves {
                players: row.players,
                moves: row.moves,
            };
            let equal_games = counted.entry(key).or_default();
            let copied = equal_games
                .iter()
                .find(|(_, round)| row.may_be_copy(*round));
            if let Some(&(original, _)) = copied {
                games.doubled.push((original, row.game.game));
                continue;
            }
            equal_games.push((row.game.game, row.game.round));

            let [white, black] = row.players;
            let [white_elo, black_elo] = row.elo;
            let players = [
                games.find_or_add_entrant(&mut places, white, white_elo),
                games.find_or_add_entrant(&mut places, black, black_elo),
            ];
            games.games.push(TournamentGame {
                players,
                ..row.game
            });
        }
        games
    }

    /// The index of a player among the entrants. A new player is added. The first known rating of a player is kept.
    fn find_or_add_entrant(
        &mut self,
        places: &mut HashMap<u64, usize>,
        number: u64,
        elo: Option<NonZeroU16>,
    ) -> usize {
        let place = *places.entry(number).or_insert_with(|| {
            self.entrants.push(Entrant { number, elo: None });
            self.entrants.len() - 1
        });
        self.entrants[place].elo = self.entrants[place].elo.or(elo);
        place
    }
}

/// Reads the rows of some games of one database from the column store. There is at least one game.
fn read_rows(
    column_store: &ColumnStore<'_>,
    games: &[GameOfDatabase],
    rows: &mut Vec<Row>,
) -> StoreResult<()> {
    let database = games[0].database;
    let numbers = games.iter().map(|of_database| of_database.game);
    column_store.each(numbers, COLUMNS, |game, values| {
        let [
            white,
            black,
            flags,
            date,
            white_elo,
            black_elo,
            accuracy,
            loss,
            moves @ ..,
        ] = values;
        let game = TournamentGame {
            game: GameOfDatabase { database, game },
            players: [0, 0],
            result: GameFlags::from_value(flags).result(),
            round: Round::default(),
            date: PartialDate::from_code(date),
            accuracy: PlayerAccuracy::of_columns(accuracy, loss),
        };
        rows.push(Row {
            game,
            players: [white, black],
            elo: [known_elo(white_elo), known_elo(black_elo)],
            moves,
        });
    })
}

impl Row {
    /// `true` if the game may be a copy of a game with equal players and moves in the round `other`: the game has
    /// moves, and its round may be `other`.
    fn may_be_copy(&self, other: Round) -> bool {
        // The moves of all games without moves are equal, but most of these games are different games whose moves are
        // unknown.
        let has_moves = self.moves[0] > 0;
        let is_other_round = matches!(
            self.game.round.compare(other),
            RoundMatch::Different | RoundMatch::OtherBoard
        );
        has_moves && !is_other_round
    }
}

/// Sorts games by round, date and number; by date and number alone if a game has no round.
fn sort_by_round(rows: &mut [Row]) {
    // If only some games had a round, all other games would come first.
    let have_rounds = rows.iter().all(|row| row.game.round.number().is_some());
    rows.sort_by_cached_key(|row| {
        let TournamentGame {
            game, round, date, ..
        } = &row.game;
        if have_rounds {
            // The numbers behind the round are boards, or games of a match.
            (round.number(), *date, round.numbers().to_vec(), *game)
        } else {
            (None, *date, Vec::new(), *game)
        }
    });
}

/// The round of a game; empty for a round that is not a number.
pub(super) fn read_round(connection: &Connection, game: GameId) -> rusqlite::Result<Round> {
    let mut select = connection.prepare_cached("SELECT round FROM game WHERE id = ?1")?;
    let round = select
        .query_row([game], |row| {
            let text = text_cell(row, 0)?;
            Ok(text.map(Round::parse).unwrap_or_default())
        })
        .optional()?;
    Ok(round.unwrap_or_default())
}
