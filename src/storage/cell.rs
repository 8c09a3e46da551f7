//! Cells of rows that any program may have written: a value that a column cannot have counts as missing.

use rusqlite::Row;

use crate::game::Variant;

/// The text of a cell; `None` for any other value.
pub(crate) fn text_cell<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<Option<&'r str>> {
    Ok(row.get_ref(at)?.as_str_or_null().unwrap_or(None))
}

/// The whole number of a cell; `None` for any other value.
pub(crate) fn number_cell(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<i64>> {
    Ok(row.get_ref(at)?.as_i64().ok())
}

/// The variant whose [`Variant::name`] is in a cell.
pub(crate) fn variant_cell(row: &Row<'_>, at: usize) -> rusqlite::Result<Variant> {
    Ok(Variant::from_name(text_cell(row, at)?))
}
