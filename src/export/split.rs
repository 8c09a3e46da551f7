//! Divides games among files.

use std::str::FromStr;

use crate::game::{Game, PartialDate};

/// The property by which games are divided among files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// A player; a game is in the files of both.
    Player,
    /// The event.
    Event,
    /// The ECO code.
    Eco,
    /// The year.
    Year,
    /// Only the number of games in a file.
    Games(u64),
}

/// The error for a text that is not a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give player, event, eco, year, or games:1000 for so many games in a file")]
pub struct ParseSplitError;

impl FromStr for SplitBy {
    type Err = ParseSplitError;

    fn from_str(text: &str) -> Result<SplitBy, ParseSplitError> {
        match text {
            "player" => return Ok(SplitBy::Player),
            "event" => return Ok(SplitBy::Event),
            "eco" => return Ok(SplitBy::Eco),
            "year" => return Ok(SplitBy::Year),
            _ => {}
        }

        let digits = text.strip_prefix("games:").ok_or(ParseSplitError)?;
        match digits.parse() {
            Ok(games) if games > 0 => Ok(SplitBy::Games(games)),
            _ => Err(ParseSplitError),
        }
    }
}

impl SplitBy {
    /// The keys of the files of a game, by its tags; empty if the place of the game decides. The key of a missing or
    /// unknown value is empty.
    pub fn keys(self, game: &Game<'_>) -> Vec<String> {
        let tag = |name| game.tag(name).unwrap_or_default().trim();
        let name = |name| match tag(name) {
            "?" | "-" => String::new(),
            known => known.to_owned(),
        };

        match self {
            SplitBy::Player => {
                let white = name("White");
                let black = name("Black");
                // With one name for both players, the game is written once.
                if white == black {
                    vec![white]
                } else {
                    vec![white, black]
                }
            }
            SplitBy::Event => vec![name("Event")],
            SplitBy::Eco => vec![eco_code(tag("ECO")).unwrap_or_default()],
            SplitBy::Year => {
                let date = PartialDate::from_tag(tag("Date"));
                vec![date.map_or_else(String::new, |date| format!("{:04}", date.year()))]
            }
            SplitBy::Games(_) => Vec::new(),
        }
    }

    /// The key of the game at a place, counted from 0, if each file has this number of games.
    pub fn key_of_place(place: u64, games: u64) -> String {
        (place / games.max(1) + 1).to_string()
    }
}

/// The letter and the two digits of an ECO code.
fn eco_code(tag: &str) -> Option<String> {
    let code = tag.get(..3)?.to_ascii_uppercase();
    let is_code = matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    macro_rules! keys {
        ($($name:ident: $split:literal, $tags:literal => $keys:expr;)*) => {$(
            #[test]
            fn $name() {
                let split: SplitBy = $split.parse().expect("a division");
                let keys: &[&str] = &$keys;
                assert_eq!(split.keys(&replay($tags).game), keys);
            }
        )*};
    }

    keys! {
        both_players: "player", "[White \"Tal, M\"]\n[Black \"?\"]\n" => ["Tal, M", ""];
        one_player: "player", "[White \"Tal\"]\n[Black \"Tal \"]\n" => ["Tal"];
        a_finer_code: "eco", "[ECO \"b90j\"]\n" => ["B90"];
        no_code: "eco", "[ECO \"äöü\"]\n" => [""];
        a_year: "year", "[Date \"1960.??.??\"]\n" => ["1960"];
        no_year: "year", "[Date \"????.??.??\"]\n" => [""];
        an_event: "event", "[Event \"Riga\"]\n" => ["Riga"];
        by_place: "games:2", "[Event \"Riga\"]\n" => [];
    }

    #[test]
    fn divisions_are_read() {
        assert_eq!("games:1000".parse(), Ok(SplitBy::Games(1000)));

        for wrong in ["", "games", "games:", "games:0", "games:-1", "Player"] {
            assert_eq!(wrong.parse::<SplitBy>(), Err(ParseSplitError), "{wrong}");
        }

        let key_of = |place| SplitBy::key_of_place(place, 2);
        assert_eq!(key_of(0), "1");
        assert_eq!(key_of(1), "1");
        assert_eq!(key_of(2), "2");
        assert_eq!(key_of(5), "3");
    }
}
