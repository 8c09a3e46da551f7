//! A game in a list.

use serde::Serialize;

use stamma::answer::source_file;
use stamma::storage::{Database, GameId, Listing};

#[derive(Serialize)]
pub(super) struct Listed {
    /// The name of the database, if the request is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) database: Option<String>,
    id: i64,
    white: Option<String>,
    black: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    white_title: Option<String>,
    black_title: Option<String>,
    date: Option<String>,
    result: String,
    eco: Option<String>,
    opening: Option<String>,
    event: Option<String>,
    site: Option<String>,
    round: Option<String>,
    plies: i64,
    /// The half-moves before the first match; `None` if the query has no place in a game.
    ply: Option<u32>,
    source: String,
}

impl Listed {
    /// A game of a list.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn read(database: &Database, id: i64, ply: Option<u32>) -> stamma::Result<Listed> {
        let game: Listing = database.listing(GameId::new(id))?.unwrap_or_default();
        Ok(Listed {
            database: None,
            id,
            white: game.white,
            black: game.black,
            white_elo: game.white_elo,
            black_elo: game.black_elo,
            white_title: game.white_title,
            black_title: game.black_title,
            date: game.date,
            result: game.result,
            eco: game.eco,
            opening: game.opening,
            event: game.event,
            site: game.site,
            round: game.round,
            plies: game.plies,
            ply,
            source: source_file(&game.source).to_owned(),
        })
    }
}
