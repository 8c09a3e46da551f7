//! Tournaments in a list.

use schemars::JsonSchema;
use serde::Serialize;

use super::{database_name, rounded};
use crate::error::Result;
use crate::storage::Database;
use crate::study::tournament;

/// The tournaments of some games.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tournaments {
    /// Some tournaments.
    pub tournaments: Vec<Tournament>,
    /// The number of all tournaments.
    pub count: usize,
    /// Games that name no event.
    pub without_event: u64,
    /// Games that are marked as duplicates and are not counted.
    pub duplicates: u64,
    /// The cursor of the next page; null if there is none.
    pub next: Option<String>,
}

/// A tournament with its event, site, dates and size.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tournament {
    /// The name of the database, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The first game of the tournament, which selects the tournament for its crosstable.
    pub game: Option<i64>,
    /// The name of the event.
    pub event: String,
    /// The site.
    pub site: Option<String>,
    /// The earliest date.
    pub first_date: Option<String>,
    /// The latest date.
    pub last_date: Option<String>,
    /// The number of games.
    pub games: usize,
    /// The number of players.
    pub players: u64,
    /// The average Elo of the players with a rating.
    pub average_elo: Option<i64>,
    /// The number of rounds, if the rounds are numbered.
    pub rounds: Option<usize>,
    /// Games that are marked as duplicates and are not counted.
    pub duplicates: usize,
}

impl Tournament {
    /// Reads the row of a tournament in one or several databases. With `names`, the names of these databases, the row
    /// has the name of the database with the tournament's first game.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read(
        databases: &[&Database],
        names: Option<&[String]>,
        found: &tournament::Tournament,
    ) -> Result<Tournament> {
        // Any game identifies the tournament. If all games are duplicates, a duplicate does.
        let first = found.games.iter().chain(&found.duplicates).next();
        let database = first.and_then(|first| database_name(names, first.database));
        let game = first.map(|first| first.game.get());

        Ok(Tournament {
            database,
            game,
            event: found.event.clone(),
            site: found.site.clone(),
            first_date: found.first.map(|date| date.to_string()),
            last_date: found.last.map(|date| date.to_string()),
            games: found.games.len(),
            players: found.players,
            average_elo: found.mean_elo.map(rounded),
            rounds: found.rounds(databases)?,
            duplicates: found.duplicates.len(),
        })
    }
}
