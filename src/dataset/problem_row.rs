//! Problems as rows.

use parquet::errors::ParquetError;

use super::column::ColumnBuffer;
use super::digest::{Digest, RowHasher};
use super::table::{Column, Form, FormOptions};

/// A problem of a source.
#[derive(Clone, Debug)]
pub(super) struct ProblemRow<'p> {
    /// The id of the game; `None` for a problem between games.
    pub(super) game: Option<i64>,
    pub(super) source: &'p str,
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) ply: Option<u32>,
    pub(super) kind: &'p str,
    pub(super) text: &'p str,
    pub(super) message: &'p str,
}

/// The form of the table `problems`.
pub(super) fn form(notes: Vec<(&str, String)>) -> Result<Form, ParquetError> {
    let columns = vec![
        Column::int64("game_id"),
        Column::text("source").required(),
        Column::int64("byte_offset").required(),
        Column::int64("byte_length").required(),
        Column::int32("ply"),
        Column::text("kind").required(),
        Column::text("text").required(),
        Column::text("message").required(),
    ];
    Form::new(
        columns,
        &FormOptions {
            notes,
            ..FormOptions::default()
        },
    )
}

/// Adds a row to the columns of the form, and returns its digest.
pub(super) fn push(
    row: &ProblemRow<'_>,
    columns: &mut [ColumnBuffer],
    hasher: &mut RowHasher,
) -> Digest {
    let [game, source, offset, length, ply, kind, text, message] = columns else {
        panic!("`form` has these eight columns");
    };

    let numbers = [
        (game, row.game),
        (offset, Some(row.byte_offset.cast_signed())),
        (length, Some(row.byte_length.cast_signed())),
    ];
    for (column, value) in numbers {
        column.long(value);
        hasher.number(value);
    }

    ply.int(row.ply.map(u32::cast_signed));
    hasher.number(row.ply.map(i64::from));

    let texts = [
        (source, row.source),
        (kind, row.kind),
        (text, row.text),
        (message, row.message),
    ];
    for (column, value) in texts {
        column.text(Some(value.as_bytes()));
        hasher.text(Some(value.as_bytes()));
    }
    hasher.finish()
}
