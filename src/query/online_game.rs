//! Attributes of games played at Lichess: their ids, their speed and whether they were rated.

use super::Speed;
use crate::error::Result;
use crate::game::tag_value;
use crate::storage::{Database, GameId, InDatabase, address_of, game_with_site};

/// The part of the addresses of games at Lichess before their ids.
const LICHESS: &str = "https://lichess.org/";
/// The length of an id at Lichess.
const ID_LENGTH: usize = 8;

/// Attributes of a game that was played online.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnlineGame {
    /// The id of the game at Lichess, eight letters and digits.
    pub lichess_id: Option<String>,
    /// The speed of the game, by the time control or the event.
    pub speed: Option<Speed>,
    /// `true` for a rated game, `false` for a casual game, by the name of the event; `None` for other events.
    pub is_rated: Option<bool>,
}

impl OnlineGame {
    /// Reads the attributes of the game with a number and an event.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, game: GameId, event: Option<&str>) -> Result<OnlineGame> {
        let address = address_of(&database.connection, game.get()).in_database(database)?;
        let Some((site, tags)) = address else {
            return Ok(OnlineGame::default());
        };

        let behind_host = site.as_deref().and_then(|site| site.strip_prefix(LICHESS));
        let id = behind_host.filter(|id| is_id(id));

        // Lichess names its events "Rated Blitz game", "Casual Rapid game" and the like.
        let name = event.unwrap_or_default();
        let is_rated = if name.starts_with("Rated ") {
            Some(true)
        } else if name.starts_with("Casual ") {
            Some(false)
        } else {
            None
        };

        Ok(OnlineGame {
            lichess_id: id.map(str::to_owned),
            speed: Speed::of_tags(tag_value(&tags, "TimeControl"), event),
            is_rated,
        })
    }

    /// The game with an id at Lichess.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn with_lichess_id(database: &Database, id: &str) -> Result<Option<GameId>> {
        if !is_id(id) {
            return Ok(None);
        }
        game_with_site(&database.connection, LICHESS, id).in_database(database)
    }
}

/// `true` for a text in the form of an id at Lichess.
fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|letter| letter.is_ascii_alphanumeric())
}
