//! `/api/1/sql`: a query in SQL, where the server was started with `--sql`.
//!
//! The connection is one of its own that can neither change nor open any file, whatever the statement.

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
/// The most bytes of all values together.
const ALL_BYTES: usize = 8 << 20;

#[derive(Serialize, JsonSchema)]
struct SqlRows {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
    /// Whether there are more rows.
    more: bool,
}

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    if !request.common.state.options.has_sql {
        return Err(Failure::not_found(
            "queries in SQL are answered with `stamma serve --sql` only",
        ));
    }
    let text = request.common.parameters.required("sql")?;
    let limit = request
        .common
        .parameters
        .rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let database = request.pool.open_for_sql(request.database)?;
    register_in(&database)?;
    database.allow_only_reads()?;
    limit_user_sql(&database, request.common.budget)?;
    Answer::json(&rows(&database, text, limit)?)
}

fn rows(database: &Database, text: &str, limit: usize) -> Result<SqlRows, Failure> {
    let wrong = |error| Failure::from(Error::sql(error));
    let mut statement = database.connection().prepare(text).map_err(wrong)?;
    if statement.parameter_count() > 0 {
        return Err(Failure::bad_request(NO_PARAMETERS));
    }
    let columns: Vec<String> = statement
        .column_names()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let mut record = SqlRows {
        rows: Vec::new(),
        more: false,
        columns,
    };
    let mut found = statement.query([]).map_err(wrong)?;
    let mut bytes = 0;
    while let Some(row) = found.next().map_err(wrong)? {
        if record.rows.len() == limit || bytes > ALL_BYTES {
            record.more = true;
            break;
        }
        let values = (0..record.columns.len()).map(|at| row.get_ref(at).map(value));
        let values: Vec<Value> = values.collect::<rusqlite::Result<_>>().map_err(wrong)?;
        bytes += values.iter().map(size).sum::<usize>();
        record.rows.push(values);
    }
    Ok(record)
}

/// A value as JSON; of a blob, its bytes in hexadecimal digits.
fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
            .into(),
    }
}

fn size(value: &Value) -> usize {
    value.as_str().map_or(8, str::len)
}
