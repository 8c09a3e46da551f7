//! Tournaments in a list.

use schemars::JsonSchema;
use serde::Serialize;

use super::whole;
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
    /// Games that are marked as duplicates, and do not count.
    pub duplicates: u64,
    /// The cursor of the next page; null if there is none.
    pub next: Option<String>,
}

/// What a tournament is called, when it was, and how large.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tournament {
    /// The name of its database, if several are asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Its first game, by which its crosstable can be asked for.
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
    /// The average Elo of the players that have one.
    pub average_elo: Option<i64>,
    /// The number of rounds, if the rounds are numbered.
    pub rounds: Option<usize>,
    /// Games that are marked as duplicates, and do not count.
    pub duplicates: usize,
}

impl Tournament {
    /// Reads a row of a tournament in some databases. With `names`, which are those of the databases, it has the name of the
    /// one with its first game.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read(
        databases: &[&Database],
        names: Option<&[String]>,
        found: &tournament::Tournament,
    ) -> Result<Tournament> {
        let first = found.games.iter().chain(&found.duplicates).next();
        let database = match (first, names) {
            (Some(first), Some(names)) => Some(names[first.database].clone()),
            _ => None,
        };

        Ok(Tournament {
            database,
            game: first.map(|first| first.game.get()),
            event: found.event.clone(),
            site: found.site.clone(),
            first_date: found.first.map(|date| date.to_string()),
            last_date: found.last.map(|date| date.to_string()),
            games: found.games.len(),
            players: found.players,
            average_elo: found.mean_elo.map(whole),
            rounds: found.rounds(databases)?,
            duplicates: found.duplicates.len(),
        })
    }
}
