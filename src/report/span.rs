//! Pieces of text in documents, and the targets of links.

use crate::storage::GameId;

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Text.
    Text(String),
    /// Text that stands out.
    Strong(String),
    /// Text that is a link, if the reader can follow it.
    Link(String, Target),
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A game. With a number of half-moves, the target is the position after them.
    Game {
        /// The name of the game's database, if several databases are queried together.
        database: Option<String>,
        /// The number of the game in the database.
        game: GameId,
        /// The number of half-moves; `None` for the game as a whole.
        ply: Option<u32>,
    },
    /// The position of a FEN.
    Position(String),
    /// A player.
    Player(String),
    /// An event.
    Event(String),
    /// An address in the web, which begins with `https://` or `http://`.
    Web(String),
}

impl Span {
    /// Text.
    pub fn text(text: impl Into<String>) -> Span {
        Span::Text(text.into())
    }

    /// Text that stands out.
    pub fn strong(text: impl Into<String>) -> Span {
        Span::Strong(text.into())
    }

    /// A link to a game.
    pub fn game(text: impl Into<String>, game: GameId) -> Span {
        Span::game_of(text, None, game)
    }

    /// A link to a game. `database` is the name of the game's database, if several databases are queried together.
    pub fn game_of(text: impl Into<String>, database: Option<&str>, game: GameId) -> Span {
        let target = Target::Game {
            database: database.map(str::to_owned),
            game,
            ply: None,
        };
        Span::Link(text.into(), target)
    }

    /// A link to a position.
    pub fn position(text: impl Into<String>, fen: impl Into<String>) -> Span {
        Span::Link(text.into(), Target::Position(fen.into()))
    }

    /// The text without emphasis and link.
    pub fn as_text(&self) -> &str {
        match self {
            Span::Text(text) | Span::Strong(text) | Span::Link(text, _) => text,
        }
    }
}

impl From<&str> for Span {
    fn from(text: &str) -> Span {
        Span::text(text)
    }
}

impl From<String> for Span {
    fn from(text: String) -> Span {
        Span::Text(text)
    }
}

impl Target {
    /// The address of a target in the web; `None` for any other target, and for an address with another scheme than
    /// HTTP.
    pub(super) fn web(&self) -> Option<&str> {
        match self {
            // An address from a game may have any scheme, and a link with `javascript:` would run in the page.
            Target::Web(address) => {
                let is_of_web = address.starts_with("https://") || address.starts_with("http://");
                is_of_web.then_some(address.as_str())
            }
            _ => None,
        }
    }
}
