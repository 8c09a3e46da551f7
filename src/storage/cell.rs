//! Cells of rows that another program may have written. A value of another type than its column counts as missing,
//! except for [`unsigned_cell`].

use rusqlite::Row;

use crate::game::Variant;

/// The text of a cell; `None` for any other value.
pub(crate) fn text_cell<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<Option<&'r str>> {
    let text = row.get_ref(at)?.as_str_or_null();
    Ok(text.unwrap_or(None))
}

/// A copy of the text of a cell; `None` for any other value.
pub(crate) fn owned_text_cell(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<String>> {
    let text = text_cell(row, at)?;
    Ok(text.map(str::to_owned))
}

/// The whole number of a cell; `None` for any other value.
pub(crate) fn number_cell(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<i64>> {
    let number = row.get_ref(at)?.as_i64();
    Ok(number.ok())
}

/// The number of a cell that is never negative; an error for any other value than a whole number.
pub(super) fn unsigned_cell(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get(at).map(i64::cast_unsigned)
}

/// The variant whose [`Variant::name`] is in a cell.
pub(crate) fn variant_cell(row: &Row<'_>, at: usize) -> rusqlite::Result<Variant> {
    let name = text_cell(row, at)?;
    Ok(Variant::from_name(name))
}
