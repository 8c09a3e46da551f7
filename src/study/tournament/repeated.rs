//! Games of a tournament that several databases have.

use std::collections::HashMap;

use super::Tournament;
use super::names::Names;
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::query::GameOfDatabase;
use crate::store_fault::StoreResult;

const COLUMNS: [Column; 10] = [
    Column::White,
    Column::Black,
    Column::Date,
    Column::GameFlags,
    Column::Plies,
    Column::OpeningHash,
    Column::FirstHash,
    Column::SecondHash,
    Column::ThirdHash,
    Column::LastHash,
];

/// What the copies of a game in several databases have in common.
#[derive(PartialEq, Eq, Hash)]
struct GameContent {
    players: [u64; 2],
    date: u64,
    result: &'static str,
    /// The number of half-moves, and the hashes of moves.
    moves: [u64; 6],
}

impl Tournament {
    /// Moves the games that an earlier database has, too, from [`Tournament::games`] to [`Tournament::repeated`]: those
    /// with the same players, date, result and moves.
    ///
    /// A database may have such games several times, as those of a match without moves. Then the first of each database
    /// are copies of each other, and so on.
    pub(super) fn part_repeated(
        &mut self,
        column_stores: &[&ColumnStore<'_>],
        names: &mut Names<'_>,
    ) -> StoreResult<()> {
        let mut copies: HashMap<GameContent, Vec<usize>> = HashMap::new();
        let mut counted = Vec::with_capacity(self.games.len());
        let games = std::mem::take(&mut self.games);
        for of_database in games.chunk_by(|one, other| one.database == other.database) {
            let database = of_database[0].database;
            let contents = contents(of_database, column_stores[database], names)?;
            for (one, content) in of_database.iter().zip(contents) {
                let copies = copies.entry(content).or_default();
                copies.resize(column_stores.len(), 0);
                copies[database] += 1;
                let is_repeated = copies[..database]
                    .iter()
                    .any(|&games| games >= copies[database]);
                if is_repeated {
                    self.repeated.push(*one);
                } else {
                    counted.push(*one);
                }
            }
        }
        self.games = counted;
        Ok(())
    }
}

/// The contents of some games of one database, in the order of their numbers.
fn contents(
    games: &[GameOfDatabase],
    column_store: &ColumnStore<'_>,
    names: &mut Names<'_>,
) -> StoreResult<Vec<GameContent>> {
    let mut contents = Vec::with_capacity(games.len());
    let numbers = games.iter().map(|one| one.game);
    column_store.each(numbers, COLUMNS, |_, values| {
        let [white, black, date, flags, moves @ ..] = values;
        contents.push(GameContent {
            players: [white, black],
            date,
            result: GameFlags::from_value(flags).result().as_str(),
            moves,
        });
    })?;
    for content in &mut contents {
        for player in &mut content.players {
            *player = names.players.number(games[0].database, *player)?;
        }
    }
    Ok(contents)
}
