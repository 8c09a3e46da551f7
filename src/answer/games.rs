//! The games of a query.

use schemars::JsonSchema;
use serde::Serialize;

use super::{EvaluationRef, ListedGame};
use crate::error::Result;
use crate::game::Ply;
use crate::query::Hit;
use crate::storage::Database;

/// A page of the games of a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Games {
    /// The games.
    pub games: Vec<FoundGame>,
    /// The cursor of the next page; null if there is none.
    pub next: Option<String>,
    /// The evaluation of the position, if the query has one alone.
    #[serde(flatten)]
    pub evaluation: EvaluationRef,
    /// The last half-move after which positions are indexed, if the query has positions and not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_plies: Option<u32>,
}

/// A game with the place where a query matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct FoundGame {
    /// The game.
    #[serde(flatten)]
    pub game: ListedGame,
    /// The half-moves before the first match; null if the query has no place in a game.
    pub ply: Option<u32>,
    /// The move that follows; null at the end of the game, and in variations.
    pub san: Option<String>,
    /// `true` if the match is in a variation.
    pub in_variation: bool,
}

/// The number of games of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameCount {
    /// The number.
    pub games: u64,
    /// The last half-move after which positions are indexed, if the query has positions and not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_plies: Option<u32>,
}

impl FoundGame {
    /// Reads the game of a hit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, hit: Hit) -> Result<FoundGame> {
        Ok(FoundGame {
            game: ListedGame::read(database, hit.game)?,
            ply: hit.ply.map(Ply::get),
            san: hit.next,
            in_variation: hit.in_variation,
        })
    }
}
