//! Results for programs: one record per line, as JSON or as comma-separated values.

use std::io::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{AnswerFormat, CsvCells};
use super::csv_writer::CsvWriter;
use super::output::buffered_output;
use super::printable::printable_json;
use stamma::answer::{cells, columns};
use stamma::error::{Error, Result};

/// Writes records as JSON Lines.
pub(super) fn write_jsonl<R: Serialize>(records: &[R], out: &mut impl Write) -> Result<()> {
    for record in records {
        let serialized = serde_json::to_string(record);
        let json = serialized.map_err(|error| Error::Output(error.into()))?;
        let line = printable_json(&json);
        writeln!(out, "{line}").map_err(Error::Output)?;
    }
    Ok(())
}

/// Writes the answer of a single database: as JSON as a whole, as JSON Lines and comma-separated values by its rows,
/// and as a table by the text of `table`.
pub(super) fn write_answer<R: Serialize + JsonSchema>(
    answer: &impl Serialize,
    rows: &[R],
    format: AnswerFormat,
    csv_cells: CsvCells,
    table: impl FnOnce() -> String,
    out: &mut impl Write,
) -> Result<()> {
    write_answer_of(false, answer, rows, format, csv_cells, table, out)
}

/// Like [`write_answer`], for one or several databases.
pub(super) fn write_answer_of<R: Serialize + JsonSchema>(
    has_several_databases: bool,
    answer: &impl Serialize,
    rows: &[R],
    format: AnswerFormat,
    csv_cells: CsvCells,
    table: impl FnOnce() -> String,
    out: &mut impl Write,
) -> Result<()> {
    match format {
        AnswerFormat::Table => {
            let text = table();
            out.write_all(text.as_bytes()).map_err(Error::Output)
        }
        AnswerFormat::Json => write_jsonl(std::slice::from_ref(answer), out),
        AnswerFormat::Jsonl => write_jsonl(rows, out),
        AnswerFormat::Csv => write_rows(has_several_databases, rows, csv_cells, out),
    }
}

/// Writes rows of answers as comma-separated values. Without rows, only the header is written.
pub(super) fn write_rows<R: Serialize + JsonSchema>(
    has_several_databases: bool,
    rows: &[R],
    csv_cells: CsvCells,
    out: &mut impl Write,
) -> Result<()> {
    let mut writer = RowWriter::new::<R>(has_several_databases, csv_cells, out)?;
    for row in rows {
        writer.write(row)?;
    }
    writer.finish()
}

/// A writer of rows of answers as comma-separated values, with a column for each field.
pub(super) struct RowWriter<W: Write> {
    columns: Vec<String>,
    writer: CsvWriter<W>,
}

impl<W: Write> RowWriter<W> {
    /// Writes the header. Only rows from several databases have columns with the names of databases.
    pub(super) fn new<R: JsonSchema>(
        has_several_databases: bool,
        csv_cells: CsvCells,
        out: W,
    ) -> Result<RowWriter<W>> {
        let mut columns = columns::<R>();
        if !has_several_databases {
            let names_database =
                |column: &str| column == "database" || column.ends_with("_database");
            columns.retain(|column| !names_database(column));
        }

        let mut writer = CsvWriter::new(csv_cells, out);
        writer.write_cells(&columns)?;
        Ok(RowWriter { columns, writer })
    }

    /// Writes a row.
    pub(super) fn write(&mut self, row: &impl Serialize) -> Result<()> {
        let cells = cells(row, &self.columns)?;
        self.writer.write_cells(cells)
    }

    /// Flushes all rows to the output.
    pub(super) fn finish(mut self) -> Result<()> {
        self.writer.flush()
    }
}

/// Prints a record as a JSON object.
pub(super) fn print_json<R: Serialize>(record: R) -> Result<()> {
    let mut out = buffered_output()?;
    write_jsonl(&[record], &mut out)?;
    out.flush().map_err(Error::Output)
}

/// Writes a header, and a line for each record. Without records, only the header is written.
pub(super) fn write_csv<R: Serialize>(
    header: &[&str],
    records: &[R],
    cells: CsvCells,
    out: &mut impl Write,
) -> Result<()> {
    let mut header_writer = CsvWriter::new(cells, &mut *out);
    header_writer.write_cells(header)?;
    header_writer.flush()?;
    drop(header_writer);

    write_csv_rows(records, cells, out)
}

/// Writes a line for each record.
pub(super) fn write_csv_rows<R: Serialize>(
    records: &[R],
    cells: CsvCells,
    out: &mut impl Write,
) -> Result<()> {
    let mut writer = CsvWriter::new(cells, out);
    for record in records {
        writer.write_record(record)?;
    }
    writer.flush()
}
