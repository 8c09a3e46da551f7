//! The games of two players against each other.
//!
//! [`HeadToHead::read`] answers a [`HeadToHeadQuery`]; [`head_to_head_document`] writes the answer as a report.

mod document;

pub use document::head_to_head_document;

use crate::board::Color;
use crate::error::Result;
use crate::query::player::{PlayerQuery, PlayerRecord, PlayerScore, Ranked};
use crate::query::{Filter, NameQuery, Watch};
use crate::storage::{Database, GameId};

/// The request for the games of two players against each other.
#[derive(Clone, Debug)]
pub struct HeadToHeadQuery {
    /// The player whose wins are counted as wins.
    pub player: NameQuery,
    /// The other player.
    pub opponent: NameQuery,
    /// Further conditions on the games.
    pub filter: Filter,
    /// The maximum number of openings and of games.
    pub limit: usize,
}

impl HeadToHeadQuery {
    /// The filter with the names of both players added.
    pub fn filter_with_names(&self) -> Filter {
        self.as_player_query().filter_with_names()
    }

    fn as_player_query(&self) -> PlayerQuery {
        PlayerQuery {
            player: self.player.clone(),
            opponent: Some(self.opponent.clone()),
            filter: self.filter.clone(),
            limit: self.limit,
        }
    }
}

/// The games of two players against each other, with the results of the player whose wins are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadToHead {
    /// The most frequent name of the player, or the name of the query if there is no game.
    pub player: String,
    /// The most frequent name of the opponent.
    pub opponent: String,
    /// All games.
    pub total: PlayerScore,
    /// The games in which the player had White.
    pub white: PlayerScore,
    /// The games in which the player had Black.
    pub black: PlayerScore,
    /// The years, the latest first.
    pub years: Ranked<u16>,
    /// The openings, the most played first: with White, then with Black.
    pub openings: Vec<HeadToHeadOpening>,
    /// The games with the color of the player, the latest first.
    pub games: Vec<(GameId, Color)>,
    /// Other players who match the player's name, with their games in the database. Their games are not counted here.
    pub others: Vec<(String, u64)>,
}

/// An opening that two players had.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadToHeadOpening {
    /// The color of the player.
    pub color: Color,
    /// The ECO code.
    pub eco: String,
    /// The most frequent name among the games with this code.
    pub name: Option<String>,
    /// The games.
    pub score: PlayerScore,
}

impl HeadToHead {
    /// Reads the games of two players against each other.
    ///
    /// # Errors
    /// When the database cannot be read, the filter's condition is not valid SQL, or the watch cancels the query.
    pub fn read(
        database: &Database,
        query: &HeadToHeadQuery,
        watch: &Watch<'_>,
    ) -> Result<HeadToHead> {
        let record = PlayerRecord::read(database, &query.as_player_query(), watch)?;

        let mut openings = Vec::new();
        for (color, of_color) in &record.openings {
            for (eco, score) in &of_color.rows {
                let name = record.opening_names.get(eco).cloned();
                openings.push(HeadToHeadOpening {
                    color: *color,
                    eco: eco.clone(),
                    name,
                    score: *score,
                });
            }
        }

        let [(_, white), (_, black)] = record.colors;
        Ok(HeadToHead {
            player: most_frequent(&record.names, &query.player),
            opponent: most_frequent(&record.opponents, &query.opponent),
            total: record.total,
            white,
            black,
            openings,
            games: record.latest.rows.iter().map(|(game, _)| *game).collect(),
            years: record.years,
            others: record.others,
        })
    }
}

/// The most frequent name in the games, or the name of the query if there is no game.
fn most_frequent(names: &Ranked<String>, query: &NameQuery) -> String {
    match names.rows.first() {
        Some((name, _)) => name.clone(),
        None => query.text.clone(),
    }
}
