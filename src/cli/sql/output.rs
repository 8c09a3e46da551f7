//! The rows of a statement as a table, as JSON Lines, or as comma-separated values.

use std::io::Write;

use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};

use crate::cli::args::{CsvCells, ListFormat};
use crate::cli::csv_writer::CsvWriter;
use crate::cli::printable::printable_json;
use crate::cli::table::table;
use crate::cli::terminal::output_width;
use stamma::error::{Error, Result};

/// A writer of results.
pub(super) struct Output<'o> {
    format: ListFormat,
    csv_cells: CsvCells,
    out: &'o mut dyn Write,
    /// `true` before the first statement with rows.
    is_first: bool,
}

impl<'o> Output<'o> {
    /// A writer for one format.
    pub(super) fn new(
        format: ListFormat,
        csv_cells: CsvCells,
        out: &'o mut dyn Write,
    ) -> Output<'o> {
        Output {
            format,
            csv_cells,
            out,
            is_first: true,
        }
    }

    /// Runs a statement and writes its rows; nothing for a statement without a result.
    ///
    /// # Errors
    /// When SQLite reports an error, or the output cannot be written.
    pub(super) fn write(&mut self, statement: &mut Statement<'_>) -> Result<()> {
        if statement.column_count() == 0 {
            statement.execute([]).map_err(Error::sql)?;
            return Ok(());
        }

        // A blank line separates the rows of statements; JSON Lines need none.
        if self.format != ListFormat::Jsonl && !self.is_first {
            self.out.write_all(b"\n").map_err(Error::Output)?;
        }
        self.is_first = false;
        match self.format {
            ListFormat::Table => self.write_table(statement),
            ListFormat::Jsonl => self.write_jsonl(statement),
            ListFormat::Csv => self.write_csv(statement),
        }
    }

    /// Writes the rows as a table.
    fn write_table(&mut self, statement: &mut Statement<'_>) -> Result<()> {
        let mut rows = vec![column_names(statement)];
        let mut kinds = vec![ColumnKind::Empty; statement.column_count()];

        for_each_row(statement, |row| {
            let mut cells = Vec::with_capacity(kinds.len());
            for (index, kind) in kinds.iter_mut().enumerate() {
                let value = row.get_ref(index).map_err(Error::sql)?;
                *kind = kind.joined_with(value);
                cells.push(text(value));
            }
            rows.push(cells);
            Ok(())
        })?;

        let mut right_aligned = Vec::new();
        for (index, kind) in kinds.iter().enumerate() {
            if *kind == ColumnKind::Numbers {
                right_aligned.push(index);
            }
        }
        let text = table(&rows, &right_aligned, output_width());
        self.out.write_all(text.as_bytes()).map_err(Error::Output)
    }

    /// Writes each row as a JSON object.
    fn write_jsonl(&mut self, statement: &mut Statement<'_>) -> Result<()> {
        // Objects are written without a map, which would drop the first of two columns with equal names.
        let names: Vec<String> = column_names(statement)
            .iter()
            .map(|name| json_string(name))
            .collect();

        for_each_row(statement, |row| {
            let mut line = String::from("{");
            for (index, name) in names.iter().enumerate() {
                if index > 0 {
                    line.push(',');
                }
                let value = row.get_ref(index).map_err(Error::sql)?;
                line.push_str(&format!("{name}:{}", json(value)));
            }
            writeln!(self.out, "{line}}}").map_err(Error::Output)
        })
    }

    /// Writes the rows as comma-separated values with a header.
    fn write_csv(&mut self, statement: &mut Statement<'_>) -> Result<()> {
        let mut writer = CsvWriter::new(self.csv_cells, &mut *self.out);
        writer.write_cells(column_names(statement))?;

        let columns = statement.column_count();
        for_each_row(statement, |row| {
            let mut cells = Vec::with_capacity(columns);
            for index in 0..columns {
                let value = row.get_ref(index).map_err(Error::sql)?;
                cells.push(text(value));
            }
            writer.write_cells(cells)
        })?;
        writer.flush()
    }
}

/// The names of the columns.
fn column_names(statement: &Statement<'_>) -> Vec<String> {
    statement
        .column_names()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// Runs a statement, and calls `visit` with each row.
fn for_each_row(
    statement: &mut Statement<'_>,
    mut visit: impl FnMut(&Row<'_>) -> Result<()>,
) -> Result<()> {
    let mut rows = statement.query([]).map_err(Error::sql)?;

    while let Some(row) = rows.next().map_err(Error::sql)? {
        visit(row)?;
    }
    Ok(())
}

/// The kind of a column in a table: numbers are right-aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Empty,
    Numbers,
    Texts,
}

impl ColumnKind {
    fn joined_with(self, value: ValueRef<'_>) -> ColumnKind {
        match (self, value) {
            // NULL is an empty cell, which may be in any column.
            (_, ValueRef::Null) => self,
            (ColumnKind::Texts, _) => ColumnKind::Texts,
            (_, ValueRef::Integer(_) | ValueRef::Real(_)) => ColumnKind::Numbers,
            _ => ColumnKind::Texts,
        }
    }
}

/// A value for reading: NULL is empty, a blob is hexadecimal.
fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => real(number),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => hexadecimal(bytes),
    }
}

/// A number with a decimal point, as SQLite writes it: `2.0`.
fn real(number: f64) -> String {
    format!("{number:?}")
}

fn json(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),

        // JSON has no infinity (RFC 8259 §6).
        ValueRef::Real(number) if !number.is_finite() => "null".to_owned(),
        ValueRef::Integer(_) | ValueRef::Real(_) => text(value),

        ValueRef::Text(_) | ValueRef::Blob(_) => {
            let text = text(value);
            json_string(&text)
        }
    }
}

fn json_string(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    printable_json(&json).into_owned()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    macro_rules! writes {
        ($($name:ident: $format:ident, $sql:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(written(ListFormat::$format, $sql), $expected);
            }
        )*};
    }

    fn written(format: ListFormat, sql: &str) -> String {
        let connection = Connection::open_in_memory().expect("a database");
        let mut out = Vec::new();
        let mut output = Output::new(format, CsvCells::default(), &mut out);
        for sql in sql.split(';') {
            let mut statement = connection.prepare(sql).expect("SQL");
            output.write(&mut statement).expect("an answer");
        }
        String::from_utf8(out).expect("UTF-8")
    }

    writes! {
        numbers_to_the_right: Table, "SELECT 1 AS n, 'x' AS t UNION VALUES (20, 'y'), (NULL, 'z')"
            => " n  t\n    z\n 1  x\n20  y\n";
        mixed_columns_to_the_left: Table, "VALUES (1), ('abc')" => "column1\n1\nabc\n";
        no_rows: Table, "SELECT 1 AS n LIMIT 0" => "n\n";
        two_results: Table, "SELECT 1 AS a; SELECT 2 AS b" => "a\n1\n\nb\n2\n";
        nothing_to_show: Table, "CREATE TABLE a (b); SELECT 1 AS n" => "n\n1\n";
        every_type_in_json: Jsonl, "SELECT NULL AS a, 1 AS b, 2.0 AS c, '\"' AS d, x'0aff' AS a"
            => "{\"a\":null,\"b\":1,\"c\":2.0,\"d\":\"\\\"\",\"a\":\"0aff\"}\n";
        infinity_in_json: Jsonl, "SELECT 9e999 AS a" => "{\"a\":null}\n";
        every_type_in_csv: Csv, "SELECT NULL AS a, 1 AS b, 0.5 AS c, 'x,y' AS d, x'0aff' AS e"
            => "a,b,c,d,e\n,1,0.5,\"x,y\",0aff\n";
        one_empty_cell_in_csv: Csv, "SELECT NULL AS a" => "a\n\"\"\n";
    }
}
