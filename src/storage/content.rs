//! A digest of the content of a database, equal for equal content, whichever files the content came from.
//!
//! `docs/checking.md` specifies the digest; it must change together with this file.

use rusqlite::types::ValueRef;

use super::address::site_of_game;
use super::annotations::without_clock_arrays;
use super::evaluation::source_of_data;
use super::schema::GAMES;
use super::{Database, InDatabase};
use crate::error::Result;

/// Games, with names in place of their numbers; `{games}` is the view.
const GAMES_OF_VIEW: &str = concat!(
    "SELECT game.id, event.name, ",
    site_of_game!(),
    ", game.date, game.round, white.name,
    black.name, game.result, game.terminator, game.white_elo, game.black_elo, game.eco,
    game.ply_count, game.fen, game.variant, game.ending, game.fifty_moves_ply,
    game.seventy_five_moves_ply, game.threefold_ply, game.fivefold_ply,
    (SELECT final_fen FROM {games} WHERE games.id = game.id), game.final_key, game.moves_hash,
    CASE WHEN json_valid(tag_order.names) AND EXISTS (SELECT 1 FROM json_each(tag_order.names) WHERE type = 'array')
        THEN (SELECT json_group_array(value) FROM json_tree(tag_order.names) WHERE type = 'text')
        ELSE tag_order.names END,
    movetext.moves, (SELECT tags FROM {games} WHERE games.id = game.id), movetext.annotations, movetext.rest
    FROM game
    LEFT JOIN movetext ON movetext.game_id = game.id
    LEFT JOIN tag_order ON tag_order.id = game.tag_order_id
    LEFT JOIN event ON event.id = game.event_id
    LEFT JOIN site ON site.id = game.site_id
    LEFT JOIN player AS white ON white.id = game.white_id
    LEFT JOIN player AS black ON black.id = game.black_id
    ORDER BY game.id"
);

/// Problems, their places relative to the beginning of their games.
const PROBLEMS: &str = "SELECT problem.game_id, problem.kind,
    problem.byte_offset - game.byte_offset, problem.byte_length, problem.ply, problem.text,
    problem.message
    FROM problem JOIN game ON game.id = problem.game_id
    ORDER BY problem.game_id, problem.id";

/// Problems of text between games.
const OTHER_PROBLEMS: &str = "SELECT kind, text, message FROM problem WHERE game_id IS NULL
    ORDER BY id";

/// Evaluations, except evaluations from games, whose comments have them.
const EVALUATIONS: &str = concat!(
    "SELECT evaluation_row.key, data & ~(255 << 32), line, kind, name
    FROM evaluation_row JOIN evaluation_source ON evaluation_source.id = ",
    source_of_data!(),
    "
    LEFT JOIN evaluation_line ON evaluation_line.key = evaluation_row.key
    WHERE kind <> 'games' ORDER BY evaluation_row.key"
);

/// Texts between games.
const TEXTS: &str = "SELECT before_game, text FROM source_text ORDER BY before_game, id";

impl Database {
    /// Adds all games, their problems and the texts between them to a hash.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn hash_content(&self, hasher: &mut blake3::Hasher) -> Result<()> {
        let games = GAMES_OF_VIEW.replace("{games}", &GAMES);
        for sql in [&*games, PROBLEMS, OTHER_PROBLEMS, TEXTS, EVALUATIONS] {
            self.hash_rows(sql, hasher).in_database(self)?;
        }
        Ok(())
    }

    /// Adds the rows of a query to a hash.
    fn hash_rows(&self, sql: &str, hasher: &mut blake3::Hasher) -> rusqlite::Result<()> {
        let mut select = self.connection.prepare(sql)?;
        let columns = select.column_count();
        let annotations = select.column_index("annotations").ok();
        let mut rows = select.query([])?;

        let mut bytes = Vec::new();
        let mut count = 0_u64;

        while let Some(row) = rows.next()? {
            bytes.clear();
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Text(text) if annotations == Some(column) => {
                        push_annotations(text, &mut bytes);
                    }
                    value => push_value(value, &mut bytes),
                }
            }

            hasher.update(&bytes);
            count += 1;
        }

        // A separator, so that rows of the next query cannot be taken for rows of this one.
        bytes.clear();
        push_typed(b'=', &count.to_le_bytes(), &mut bytes);
        hasher.update(&bytes);
        Ok(())
    }
}

/// Appends annotations without arrays of clock times, since equal annotations may be stored with or without them.
fn push_annotations(json: &[u8], bytes: &mut Vec<u8>) {
    let Ok(text) = std::str::from_utf8(json) else {
        push_typed(b't', json, bytes);
        return;
    };

    let full = without_clock_arrays(text);
    push_typed(b't', full.as_bytes(), bytes);
}

/// Appends a value with its type and length, so that different rows have different bytes.
fn push_value(value: ValueRef<'_>, bytes: &mut Vec<u8>) {
    match value {
        ValueRef::Null => push_typed(b'-', &[], bytes),
        ValueRef::Integer(number) => {
            let little_endian = number.to_le_bytes();
            push_typed(b'i', &little_endian, bytes);
        }
        ValueRef::Real(number) => {
            let little_endian = number.to_le_bytes();
            push_typed(b'r', &little_endian, bytes);
        }
        ValueRef::Text(text) => push_typed(b't', text, bytes),
        ValueRef::Blob(blob) => push_typed(b'b', blob, bytes),
    }
}

/// Appends the letter of a type, a length of 8 bytes, and a value.
fn push_typed(kind: u8, value: &[u8], bytes: &mut Vec<u8>) {
    bytes.push(kind);
    bytes.extend_from_slice(&(value.len() as u64).to_le_bytes());
    bytes.extend_from_slice(value);
}
