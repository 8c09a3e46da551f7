//! A game as one line of JSON.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::moves::{MoveTextNeeds, MoveTexts, Unwritable};
use crate::game::{Game, TagPair};
use crate::notation::Style;
use crate::storage::GameId;

#[derive(Serialize)]
struct Line<'g> {
    game: i64,
    tags: Tags<'g>,
    moves: Vec<String>,
    fen: Option<&'g str>,
}

/// Tags as an object, in their order; repeated names are kept.
struct Tags<'g>(&'g [TagPair<'g>]);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for TagPair { name, value } in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Appends a game with its number in the database as `{"game":1,"tags":{…},"moves":["e4","c5",…],"fen":null}` and a
/// newline, its moves in the given style.
///
/// # Errors
/// When moves in another notation cannot be played.
pub fn write_json(
    number: GameId,
    game: &Game<'_>,
    style: &Style<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    let line = Line {
        game: number.get(),
        tags: Tags(&game.tags),
        moves: moves_of(game, style)?,
        fen: game.start.as_deref(),
    };

    serde_json::to_writer(&mut *out, &line).expect("strings and numbers are written to memory");
    out.push(b'\n');

    Ok(())
}

/// The moves of a game's mainline in the given style.
///
/// # Errors
/// When moves in another notation cannot be played.
pub fn moves_of(game: &Game<'_>, style: &Style<'_>) -> Result<Vec<String>, Unwritable> {
    let fen = game.start.as_deref().filter(|_| game.is_played);
    let needs = MoveTextNeeds {
        has_variations: false,
        follows_positions: false,
        has_check_signs: true,
    };
    let mut texts = MoveTexts::new(style, fen, needs)?;

    let mut moves = Vec::new();
    for san in game.moves.split_ascii_whitespace() {
        moves.push(texts.next(san)?.to_owned());
    }
    Ok(moves)
}
