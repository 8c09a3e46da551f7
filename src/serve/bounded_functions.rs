//! Functions of SQLite whose time grows with the product of two lengths, in a form whose time grows with their sum.
//!
//! SQLite calls its progress handler between two steps of a statement, and a function is one step. SQLite's `instr`
//! takes a quarter of a minute for texts of a megabyte. The functions of this file return the results of SQLite's
//! functions (<https://sqlite.org/lang_corefunc.html>), except that `trim` reads bytes that are no UTF-8 as U+FFFD.

use std::collections::HashSet;

use memchr::memmem;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Result, ToSql};

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// Replaces SQLite's functions on a connection.
///
/// # Errors
/// When SQLite refuses, as while a statement runs.
pub(super) fn register(connection: &Connection) -> Result<()> {
    connection.create_scalar_function("instr", 2, FLAGS, instr)?;
    connection.create_scalar_function("replace", 3, FLAGS, replace)?;

    // Without a set of characters, `trim` takes the time of one length only, and is not replaced.
    for (name, is_at_begin, is_at_end) in [
        ("trim", true, true),
        ("ltrim", true, false),
        ("rtrim", false, true),
    ] {
        connection.create_scalar_function(name, 2, FLAGS, move |context| {
            trim(context, is_at_begin, is_at_end)
        })?;
    }
    Ok(())
}

/// The place of the first occurrence, from 1 on, or 0. Places count bytes if both values are blobs, otherwise
/// characters.
fn instr(context: &Context<'_>) -> Result<Option<i64>> {
    let raw_hay = context.get_raw(0);
    let raw_needle = context.get_raw(1);
    if let (ValueRef::Blob(hay), ValueRef::Blob(needle)) = (raw_hay, raw_needle) {
        let place = match memmem::find(hay, needle) {
            Some(at) => at as i64 + 1,
            None => 0,
        };
        return Ok(Some(place));
    }

    let (Some(hay), Some(needle)) = (text_bytes(raw_hay), text_bytes(raw_needle)) else {
        return Ok(None);
    };
    let place = match memmem::find(&hay, &needle) {
        Some(at) => count_characters(&hay[..at]) + 1,
        None => 0,
    };
    Ok(Some(place))
}

/// A text with each occurrence of another one replaced.
fn replace(context: &Context<'_>) -> Result<Option<RawText>> {
    let [hay, needle, replacement] = [0, 1, 2].map(|at| text_bytes(context.get_raw(at)));
    let (Some(hay), Some(needle)) = (hay, needle) else {
        return Ok(None);
    };

    // SQLite ignores the replacement, even NULL, if there is nothing to replace.
    if needle.is_empty() {
        return Ok(Some(RawText(hay)));
    }
    let Some(replacement) = replacement else {
        return Ok(None);
    };

    let mut replaced = Vec::with_capacity(hay.len());
    // Occurrences do not overlap, so each begins at `rest` or later.
    let mut rest = 0;
    for at in memmem::find_iter(&hay, &needle) {
        replaced.extend_from_slice(&hay[rest..at]);
        replaced.extend_from_slice(&replacement);
        rest = at + needle.len();

        // SQLite refuses values larger than the connection's limit, but only once they are made.
        if replaced.len() > MAX_REPLACED_BYTES {
            // SQLite's own message for such values.
            let message = "string or blob too big";
            return Err(rusqlite::Error::UserFunctionError(message.into()));
        }
    }
    replaced.extend_from_slice(&hay[rest..]);
    Ok(Some(RawText(replaced)))
}

/// The maximum number of bytes of a text in which `replace` has replaced something.
const MAX_REPLACED_BYTES: usize = 1 << 20;

/// A text without the characters of a set at its ends.
fn trim(context: &Context<'_>, is_at_begin: bool, is_at_end: bool) -> Result<Value> {
    let [bytes, set_bytes] = [0, 1].map(|at| text_bytes(context.get_raw(at)));
    let (Some(bytes), Some(set_bytes)) = (bytes, set_bytes) else {
        return Ok(Value::Null);
    };

    // SQLite compares each character with the whole set, which takes the product of both lengths.
    let whole = String::from_utf8_lossy(&bytes);
    let set: HashSet<char> = String::from_utf8_lossy(&set_bytes).chars().collect();

    let mut rest: &str = &whole;
    if is_at_begin {
        rest = rest.trim_start_matches(|letter| set.contains(&letter));
    }
    if is_at_end {
        rest = rest.trim_end_matches(|letter| set.contains(&letter));
    }
    Ok(Value::Text(rest.to_owned()))
}

/// The bytes of a value as SQLite casts it to text; `None` for NULL.
fn text_bytes(value: ValueRef<'_>) -> Option<Vec<u8>> {
    let bytes = match value {
        ValueRef::Null => return None,
        ValueRef::Integer(number) => number.to_string().into_bytes(),
        ValueRef::Real(number) => real_text(number).into_bytes(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
    };
    Some(bytes)
}

thread_local! {
    /// An empty database, which casts reals to text.
    static CASTS: Option<Connection> = Connection::open_in_memory().ok();
}

/// A real number as SQLite casts it to text. The number of digits depends on the version of SQLite, so SQLite does it.
fn real_text(number: f64) -> String {
    let text = CASTS.with(|connection| cast_to_text(connection.as_ref()?, number).ok());
    text.unwrap_or_else(|| format!("{number:?}"))
}

fn cast_to_text(connection: &Connection, number: f64) -> Result<String> {
    let mut select = connection.prepare_cached("SELECT CAST(?1 AS TEXT)")?;
    select.query_row([number], |row| row.get(0))
}

/// A text of SQLite, which need not be UTF-8.
struct RawText(Vec<u8>);

impl ToSql for RawText {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(&self.0)))
    }
}

/// The number of characters that begin in bytes of UTF-8: the bytes that are no continuation bytes.
fn count_characters(bytes: &[u8]) -> i64 {
    // A continuation byte begins with the bits 10 (RFC 3629, section 3).
    let is_first = |byte: &&u8| **byte & 0xc0 != 0x80;
    bytes.iter().filter(is_first).count() as i64
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// The values by SQLite's own functions, and by the functions of this file.
    fn both(expression: &str) -> [Value; 2] {
        let own = Connection::open_in_memory().expect("a database");
        let bounded = Connection::open_in_memory().expect("a database");
        register(&bounded).expect("functions");

        let sql = format!("SELECT {expression}");
        [own, bounded].map(|connection| {
            connection
                .query_row(&sql, [], |row| row.get(0))
                .expect(expression)
        })
    }

    macro_rules! same {
        ($($name:ident: $expression:expr;)*) => {$(
            #[test]
            fn $name() {
                let [own, bounded] = both($expression);
                assert_eq!(bounded, own);
            }
        )*};
    }

    same! {
        a_place: "instr('Réti, Richard', 'Rich')";
        a_place_in_bytes: "instr(x'c3a9aa', x'aa')";
        a_place_of_a_blob_in_a_text: "instr('Réti', CAST('ti' AS BLOB))";
        no_place: "instr('abc', 'd')";
        the_place_of_nothing: "instr('abc', '')";
        a_place_in_nothing: "instr('', 'a')";
        a_place_in_a_number: "instr(12345, 34)";
        a_place_in_a_real: "instr(12.5, '.')";
        a_place_in_a_whole_real: "instr(12.0, '.')";
        no_text: "instr(NULL, 'a')";
        no_needle: "instr('a', NULL)";
        replaced: "replace('a-b-c', '-', ' – ')";
        replaced_by_nothing: "replace('aaa', 'a', '')";
        replaced_nothing: "replace('abc', '', 'x')";
        replaced_side_by_side: "replace('aaaa', 'aa', 'b')";
        replaced_null: "replace('abc', NULL, 'x')";
        replaced_by_null: "replace('abc', 'b', NULL)";
        replaced_nothing_by_null: "replace('abc', '', NULL)";
        replaced_nothing_in_a_real: "replace(1e20, '', 'x')";
        replaced_nothing_in_a_blob: "typeof(replace(x'ff', '', 'x')) || hex(replace(x'ff', '', 'x'))";
        replaced_in_bytes: "hex(replace(CAST(x'61ff62' AS TEXT), 'b', 'c'))";
        a_large_real: "replace(1e20, 'x', '')";
        a_real_of_fifteen_digits: "replace(123456789012345.0, 'x', '')";
        a_real_of_sixteen_digits: "replace(1234567890123456.0, 'x', '')";
        a_real_of_a_hundred_digits: "replace(-1.5e100, 'x', '')";
        a_third: "replace(1.0 / 3, 'x', '')";
        a_tenth: "replace(0.1, 'x', '')";
        a_small_real: "replace(0.0001, 'x', '')";
        a_smaller_real: "replace(0.00001, 'x', '')";
        the_smallest_real: "replace(5e-324, 'x', '')";
        zero: "replace(0.0, 'x', '')";
        nearly_ten: "replace(9.9999999999999999, 'x', '')";
        infinity: "replace(-9e999, 'x', '')";
        trimmed: "trim('xxabcxyx', 'yx')";
        trimmed_left: "ltrim('éèabcé', 'éè')";
        trimmed_right: "rtrim('éèabcé', 'éè')";
        trimmed_to_nothing: "trim('xxx', 'x')";
        trimmed_of_nothing: "trim('abc', '')";
        trimmed_null: "trim('abc', NULL)";
    }

    #[test]
    fn long_texts_take_no_longer_than_their_lengths() {
        let connection = Connection::open_in_memory().expect("a database");
        register(&connection).expect("functions");

        // SQLite's own `instr` takes a quarter of a minute for a megabyte.
        let begin = Instant::now();
        for expression in [
            "instr(hex(zeroblob(500000)), hex(zeroblob(250000)) || '1')",
            "length(replace(hex(zeroblob(500000)), hex(zeroblob(250000)) || '1', ''))",
            "length(trim(hex(zeroblob(250000)), hex(randomblob(250000))))",
        ] {
            let sql = format!("SELECT {expression}");
            let _: i64 = connection
                .query_row(&sql, [], |row| row.get(0))
                .expect(expression);
        }

        let elapsed = begin.elapsed();
        assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
    }
}
