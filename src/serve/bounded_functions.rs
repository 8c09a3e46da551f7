//! Functions of SQLite whose time grows with the product of two lengths, in a form whose time grows with their sum.
//!
//! SQLite looks at the clock between two steps of a statement, and a function is one step: `instr` takes a quarter of a
//! minute for texts of a megabyte (<https://sqlite.org/lang_corefunc.html> says what each of them returns). They return the
//! same, except that `trim` takes bytes that are no UTF-8 for U+FFFD.

use std::collections::HashSet;

use memchr::memmem;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Result, ToSql};

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// Puts these functions in the place of SQLite's.
///
/// # Errors
/// When SQLite refuses, as while a statement runs.
pub(super) fn register(connection: &Connection) -> Result<()> {
    connection.create_scalar_function("instr", 2, FLAGS, instr)?;
    connection.create_scalar_function("replace", 3, FLAGS, replace)?;
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

/// The place of the first occurrence, from 1 on, or 0: in bytes of two blobs, in characters of anything else.
fn instr(context: &Context<'_>) -> Result<Option<i64>> {
    let (hay, needle) = (context.get_raw(0), context.get_raw(1));
    if let (ValueRef::Blob(hay), ValueRef::Blob(needle)) = (hay, needle) {
        return Ok(Some(
            memmem::find(hay, needle).map_or(0, |at| at as i64 + 1),
        ));
    }
    let (Some(hay), Some(needle)) = (text(hay), text(needle)) else {
        return Ok(None);
    };
    let place = memmem::find(&hay, &needle);
    Ok(Some(place.map_or(0, |at| characters(&hay[..at]) + 1)))
}

/// A text with each occurrence of another one replaced.
fn replace(context: &Context<'_>) -> Result<Option<RawText>> {
    let [hay, needle, other] = [0, 1, 2].map(|at| text(context.get_raw(at)));
    // SQLite does not look at the replacement if there is nothing to replace.
    let (Some(hay), Some(needle)) = (hay, needle) else {
        return Ok(None);
    };
    if needle.is_empty() {
        return Ok(Some(RawText(hay)));
    }
    let Some(other) = other else { return Ok(None) };
    let mut replaced = Vec::with_capacity(hay.len());
    let mut rest = 0;
    for at in memmem::find_iter(&hay, &needle) {
        replaced.extend_from_slice(&hay[rest..at]);
        replaced.extend_from_slice(&other);
        rest = at + needle.len();
        // SQLite refuses what is larger than the limit of the connection, before which nothing is.
        if replaced.len() > MAX_REPLACED_BYTES {
            return Err(rusqlite::Error::UserFunctionError(
                "string or blob too big".into(),
            ));
        }
    }
    replaced.extend_from_slice(&hay[rest..]);
    Ok(Some(RawText(replaced)))
}

/// The most bytes that a replacement may make.
const MAX_REPLACED_BYTES: usize = 1 << 20;

/// A text without the characters of a set at its ends.
fn trim(context: &Context<'_>, is_at_begin: bool, is_at_end: bool) -> Result<Value> {
    let (Some(trimmed), Some(set)) = (text(context.get_raw(0)), text(context.get_raw(1))) else {
        return Ok(Value::Null);
    };
    let (trimmed, set) = (
        String::from_utf8_lossy(&trimmed),
        String::from_utf8_lossy(&set),
    );
    let set: HashSet<char> = set.chars().collect();
    let mut rest: &str = &trimmed;
    if is_at_begin {
        rest = rest.trim_start_matches(|letter| set.contains(&letter));
    }
    if is_at_end {
        rest = rest.trim_end_matches(|letter| set.contains(&letter));
    }
    Ok(Value::Text(rest.to_owned()))
}

/// A value as text, as SQLite casts it; `None` for NULL.
fn text(value: ValueRef<'_>) -> Option<Vec<u8>> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string().into_bytes()),
        ValueRef::Real(number) => Some(real_text(number).into_bytes()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.to_vec()),
    }
}

thread_local! {
    /// A database without tables, in which reals are cast.
    static CASTS: Option<Connection> = Connection::open_in_memory().ok();
}

/// A real number as SQLite casts it to text. Versions of SQLite differ in the number of digits, so this one is asked.
fn real_text(number: f64) -> String {
    let cast = |connection: &Connection| -> Result<String> {
        let mut select = connection.prepare_cached("SELECT CAST(?1 AS TEXT)")?;
        select.query_row([number], |row| row.get(0))
    };
    let text = CASTS.with(|connection| connection.as_ref().and_then(|own| cast(own).ok()));
    text.unwrap_or_else(|| format!("{number:?}"))
}

/// A text as SQLite has it, which need not be UTF-8.
struct RawText(Vec<u8>);

impl ToSql for RawText {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(&self.0)))
    }
}

/// How many characters begin in some bytes of UTF-8.
fn characters(bytes: &[u8]) -> i64 {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as i64
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// What SQLite's own functions and these return.
    fn both(expression: &str) -> [Value; 2] {
        let own = Connection::open_in_memory().expect("a database");
        let bounded = Connection::open_in_memory().expect("a database");
        register(&bounded).expect("functions");
        [own, bounded].map(|connection| {
            let sql = format!("SELECT {expression}");
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
        assert!(
            begin.elapsed() < Duration::from_secs(5),
            "{:?}",
            begin.elapsed()
        );
    }
}
