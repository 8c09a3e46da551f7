//! Results for programs: one record per line, as JSON or as comma-separated values.

use std::io::Write;

use serde::Serialize;

use super::args::CsvCells;
use super::csv_writer::CsvWriter;
use super::output::buffered_output;
use super::printable::printable_json;
use stamma::error::{Error, Result};

/// Writes records as JSON Lines.
pub(super) fn write_jsonl<R: Serialize>(records: &[R], out: &mut impl Write) -> Result<()> {
    for record in records {
        let json = serde_json::to_string(record).map_err(|error| Error::Output(error.into()))?;
        writeln!(out, "{}", printable_json(&json)).map_err(Error::Output)?;
    }
    Ok(())
}

/// Prints a record as a JSON object.
pub(super) fn print_json<R: Serialize>(record: R) -> Result<()> {
    let mut out = buffered_output()?;
    write_jsonl(&[record], &mut out)?;
    out.flush().map_err(Error::Output)
}

/// Writes a header, even without records, and a line for each record.
pub(super) fn write_csv<R: Serialize>(
    header: &[&str],
    records: &[R],
    cells: CsvCells,
    out: &mut impl Write,
) -> Result<()> {
    let mut writer = CsvWriter::new(cells, &mut *out);
    writer.write_cells(header)?;
    writer.flush()?;
    drop(writer);
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
