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

/// The values in which the copies of a game in several databases are equal.
#[derive(PartialEq, Eq, Hash)]
struct GameContent {
    players: [u64; 2],
    date: u64,
    result: &'static str,
    /// The number of half-moves, and the hashes of moves.
    moves: [u64; 6],
}

impl Tournament {
    /// Moves the games that an earlier database also has from [`Tournament::games`] to [`Tournament::repeated`]. A copy
    /// has equal players, date, result and moves.
    ///
    /// A database may have several such games, like the games of a match without moves. Then the first games of all
    /// databases are copies of each other, then the second games, and so on.
    pub(super) fn part_repeated(
        &mut self,
        column_stores: &[&ColumnStore<'_>],
        names: &mut Names<'_>,
    ) -> StoreResult<()> {
        // The number of games with a content in each database, so far.
        let mut copies: HashMap<GameContent, Vec<usize>> = HashMap::new();
        let mut counted = Vec::with_capacity(self.games.len());
        let games = std::mem::take(&mut self.games);
        for of_database in games.chunk_by(|one, other| one.database == other.database) {
            let database = of_database[0].database;
            let contents = read_contents(of_database, column_stores[database], names)?;
            for (one, content) in of_database.iter().zip(contents) {
                let counts = copies.entry(content).or_default();
                counts.resize(column_stores.len(), 0);
                counts[database] += 1;

                let number = counts[database];
                let is_repeated = counts[..database].iter().any(|&games| games >= number);
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
fn read_contents(
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
