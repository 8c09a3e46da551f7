//! What games played at Lichess have besides: their ids there, their speed and whether they were rated.

use super::Speed;
use crate::error::Result;
use crate::game::tag_value;
use crate::storage::{Database, GameId, InDatabase, address_of, game_with_site};

/// The part of the addresses of games at Lichess before their ids.
const LICHESS: &str = "https://lichess.org/";
/// The length of an id there.
const ID_LENGTH: usize = 8;

/// What a game played online has besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnlineGame {
    /// Its id at Lichess, eight letters and digits.
    pub lichess_id: Option<String>,
    /// Its speed, by its time control or its event.
    pub speed: Option<Speed>,
    /// Whether it was rated, as the name of its event says.
    pub is_rated: Option<bool>,
}

impl OnlineGame {
    /// Reads it of the game with a number, whose event is given.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, game: GameId, event: Option<&str>) -> Result<OnlineGame> {
        let found = address_of(&database.connection, game.get()).in_database(database)?;
        let Some((site, tags)) = found else {
            return Ok(OnlineGame::default());
        };

        let id = site.as_deref().and_then(|site| site.strip_prefix(LICHESS));
        let begins = |word: &str| event.is_some_and(|event| event.starts_with(word));
        Ok(OnlineGame {
            lichess_id: id.filter(|id| is_id(id)).map(str::to_owned),
            speed: Speed::of_tags(tag_value(&tags, "TimeControl"), event),
            is_rated: match (begins("Rated "), begins("Casual ")) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                (false, false) => None,
            },
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

fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|letter| letter.is_ascii_alphanumeric())
}
