//! A game in a list.

use schemars::JsonSchema;
use serde::Serialize;

use super::source_file;
use crate::error::Result;
use crate::storage::{Database, GameId, Heading, Listing};

/// The heading of a game: its number, players, result, date and event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GameRef {
    /// The name of the database, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The number of the game in its database.
    pub game: i64,
    /// The White tag.
    pub white: Option<String>,
    /// The Black tag.
    pub black: Option<String>,
    /// White's Elo.
    pub white_elo: Option<i64>,
    /// Black's Elo.
    pub black_elo: Option<i64>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The Date tag.
    pub date: Option<String>,
    /// The Event tag.
    pub event: Option<String>,
}

impl GameRef {
    /// Reads the heading of a game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, game: GameId) -> Result<GameRef> {
        // A game that has been deleted meanwhile has an empty heading, so that a list of games does not fail.
        let heading = database.heading(game)?.unwrap_or_default();
        Ok(GameRef::new(game, heading))
    }

    /// A game with its heading.
    pub fn new(game: GameId, heading: Heading) -> GameRef {
        GameRef {
            database: None,
            game: game.get(),
            white: heading.white,
            black: heading.black,
            white_elo: heading.white_elo,
            black_elo: heading.black_elo,
            result: heading.result,
            date: heading.date,
            event: heading.event,
        }
    }
}

/// A game in a list of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ListedGame {
    /// The heading of the game.
    #[serde(flatten)]
    pub game: GameRef,
    /// The WhiteTitle tag.
    pub white_title: Option<String>,
    /// The BlackTitle tag.
    pub black_title: Option<String>,
    /// The Site tag.
    pub site: Option<String>,
    /// The Round tag.
    pub round: Option<String>,
    /// The ECO tag, or the code of the opening without one.
    pub eco: Option<String>,
    /// The name of the opening, by the moves.
    pub opening: Option<String>,
    /// The number of half-moves.
    pub plies: i64,
    /// The file that the game was imported from.
    pub source: String,
}

impl ListedGame {
    /// Reads a game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, game: GameId) -> Result<ListedGame> {
        let listing: Listing = database.listing(game)?.unwrap_or_default();
        let source = source_file(&listing.source).to_owned();

        // If several databases are queried, the caller adds the name of the database.
        let game_ref = GameRef {
            database: None,
            game: game.get(),
            white: listing.white,
            black: listing.black,
            white_elo: listing.white_elo,
            black_elo: listing.black_elo,
            result: listing.result,
            date: listing.date,
            event: listing.event,
        };

        Ok(ListedGame {
            game: game_ref,
            white_title: listing.white_title,
            black_title: listing.black_title,
            site: listing.site,
            round: listing.round,
            eco: listing.eco,
            opening: listing.opening,
            plies: listing.plies,
            source,
        })
    }
}
