//! A game as one line of JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::storage::StoredGame;

#[derive(Serialize)]
struct Line<'g> {
    game: i64,
    tags: Tags<'g>,
    moves: Vec<&'g str>,
    fen: Option<&'g str>,
}

/// Tags as an object, in their order; a repeated name is written again.
struct Tags<'g>(&'g [(String, String)]);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Writes a game as `{"game":1,"tags":{…},"moves":["e4","c5",…],"fen":null}` and a line end.
///
/// # Errors
/// When `out` fails.
pub fn write_json(game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
    let line = Line {
        game: game.id,
        tags: Tags(&game.tags),
        moves: game.moves.split_ascii_whitespace().collect(),
        fen: game.fen.as_deref(),
    };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}
