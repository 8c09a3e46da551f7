//! `/api/1/sql`: a query in SQL, where the server was started with `--sql`.
//!
//! The statement runs on a separate connection that can neither change nor open any file.

use rusqlite::types::ValueRef;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use stamma::error::{Error, NO_PARAMETERS};
use stamma::sql::register_in;
use stamma::storage::Database;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::pool::limit_user_sql;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Route, Weight, schema_of,
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/sql",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::OfOne(answer),
    description: Description {
        summary: "The rows of one statement in SQL, with `stamma serve --sql` only",
        parameters: &[
            ("sql", "the statement"),
            ("limit", "the most rows, at most 10000 (default: 1000)"),
        ],
        has_filters: false,
        schema: Some(schema_of::<SqlRows>),
    },
};

const DEFAULT_ROWS: usize = 1000;
const MAX_ROWS: usize = 10_000;
/// The bytes of all values after which no more rows are read.
const MAX_BYTES: usize = 8 << 20;
/// The bytes that a value that is no text counts as.
const BYTES_OF_NUMBER: usize = 8;

#[derive(Serialize, JsonSchema)]
struct SqlRows {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
    /// `true` if there are more rows.
    more: bool,
}

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    if !request.common.state.options.has_sql {
        let sentence = "queries in SQL are answered with `stamma serve --sql` only";
        return Err(Failure::not_found(sentence));
    }

    let parameters = request.common.parameters;
    let text = parameters.required("sql")?;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;

    // The limits and permissions of a user's statement end with its connection.
    let database = request.pool.open_for_sql(request.database)?;
    register_in(&database)?;
    database.allow_only_reads()?;
    limit_user_sql(&database, request.common.budget)?;

    let rows = rows(&database, text, limit)?;
    Answer::json(&rows)
}

/// The rows of a statement, at most `limit`.
fn rows(database: &Database, text: &str, limit: usize) -> Result<SqlRows, Failure> {
    let wrong = |error| Failure::from(Error::sql(error));
    let mut statement = database.connection().prepare(text).map_err(wrong)?;

    // A parameter such as `?1` has no value here.
    if statement.parameter_count() > 0 {
        return Err(Failure::bad_request(NO_PARAMETERS));
    }

    let names = statement.column_names().into_iter();
    let mut record = SqlRows {
        columns: names.map(str::to_owned).collect(),
        rows: Vec::new(),
        more: false,
    };

    let mut rows = statement.query([]).map_err(wrong)?;
    let mut bytes = 0;
    while let Some(row) = rows.next().map_err(wrong)? {
        if record.rows.len() == limit || bytes > MAX_BYTES {
            record.more = true;
            break;
        }

        let mut values = Vec::with_capacity(record.columns.len());
        for at in 0..record.columns.len() {
            let column = row.get_ref(at).map_err(wrong)?;
            values.push(json_value(column));
        }
        bytes += values.iter().map(approximate_bytes).sum::<usize>();
        record.rows.push(values);
    }
    Ok(record)
}

/// A value as JSON. A blob is the text of its bytes in hexadecimal digits.
fn json_value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        // A text of SQLite need not be UTF-8.
        ValueRef::Text(text) => Value::String(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::String(hexadecimal(bytes)),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        digits.push_str(&format!("{byte:02x}"));
    }
    digits
}

/// The approximate number of bytes of a value in the answer: the length of a text, otherwise [`BYTES_OF_NUMBER`].
fn approximate_bytes(value: &Value) -> usize {
    value.as_str().map_or(BYTES_OF_NUMBER, str::len)
}
