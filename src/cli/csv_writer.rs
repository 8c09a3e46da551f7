//! Comma-separated values, with escapes for cells that spreadsheets would evaluate as formulas.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::args::CsvCells;
use stamma::error::{Error, Result};

/// A writer of comma-separated values, line by line.
pub(super) struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
    cells: CsvCells,
}

impl<W: Write> CsvWriter<W> {
    /// A writer to some output.
    pub(super) fn new(cells: CsvCells, out: W) -> CsvWriter<W> {
        CsvWriter {
            writer: without_header(out),
            cells,
        }
    }

    /// Writes a line of cells.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(super) fn write_cells<C: AsRef<str>>(
        &mut self,
        cells: impl IntoIterator<Item = C>,
    ) -> Result<()> {
        for cell in cells {
            let text = cell.as_ref();
            let written = if self.cells.escape_formulas {
                escaped(text)
            } else {
                Cow::Borrowed(text)
            };
            self.writer.write_field(&*written).map_err(csv_error)?;
        }

        // An empty record ends the line.
        self.writer.write_record(None::<&[u8]>).map_err(csv_error)
    }

    /// Writes a line with a cell for each field of a record.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(super) fn write_record<R: Serialize>(&mut self, record: &R) -> Result<()> {
        if !self.cells.escape_formulas {
            return self.writer.serialize(record).map_err(csv_error);
        }

        // The cells of a record are known only after serde has written the record.
        let mut line = Vec::new();
        without_header(&mut line)
            .serialize(record)
            .map_err(csv_error)?;
        if !may_have_formula(&line) {
            return self.writer.serialize(record).map_err(csv_error);
        }

        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(&*line);
        for cells in reader.records() {
            self.write_cells(&cells.map_err(csv_error)?)?;
        }
        Ok(())
    }

    /// Flushes all lines to the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(Error::Output)
    }
}

/// A writer that does not derive a header from the names of fields.
fn without_header<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(out)
}

/// An error of writing comma-separated values, such as a broken pipe.
fn csv_error(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::Output(error),
        other => {
            let error = io::Error::other(format!("{other:?}"));
            Error::Output(error)
        }
    }
}

/// The first characters of cells that Excel, LibreOffice and Google Sheets evaluate, even if the cell is quoted.
const FORMULA_SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The cell with an apostrophe in front if a spreadsheet would evaluate it, so that it is shown as text.
fn escaped(cell: &str) -> Cow<'_, str> {
    let begins_formula = cell.starts_with(FORMULA_SIGNS);
    let is_number = cell.parse::<f64>().is_ok_and(f64::is_finite);
    // PGN writes `-` for a value that does not apply.
    let is_sign_alone = cell.len() == 1;

    if begins_formula && !is_number && !is_sign_alone {
        format!("'{cell}").into()
    } else {
        cell.into()
    }
}

/// `true` if a cell of a line may begin with one of [`FORMULA_SIGNS`]. Few lines have such a cell, and only they are
/// parsed again. Parsing every line again would take 80 µs a line, most of the time of an export.
fn may_have_formula(line: &[u8]) -> bool {
    let mut may_begin_cell = true;
    for &byte in line {
        if may_begin_cell && FORMULA_SIGNS.contains(&char::from(byte)) {
            return true;
        }
        // Within a quoted cell, a comma or quote begins no cell. Then the line is parsed without need.
        may_begin_cell = matches!(byte, b',' | b'"');
    }

    false
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! escapes {
        ($($name:ident: $cell:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(escaped($cell), $expected);
            }
        )*};
    }

    escapes! {
        a_formula: "=1+1" => "'=1+1";
        a_plus: "+A1" => "'+A1";
        a_minus: "-2+3" => "'-2+3";
        a_minus_alone: "-" => "-";
        two_signs: "--" => "'--";
        an_at_sign: "@SUM(1)" => "'@SUM(1)";
        a_tab: "\t=1" => "'\t=1";
        a_carriage_return: "\r=1" => "'\r=1";
        a_word_behind_a_minus: "-inf" => "'-inf";
        not_a_number: "+nan" => "'+nan";
        a_number: "-5" => "-5";
        a_number_with_its_sign: "+5" => "+5";
        a_fraction: "-0.5" => "-0.5";
        a_small_number: "-1e-7" => "-1e-7";
        a_name: "Tal, Mikhail" => "Tal, Mikhail";
        a_result: "1-0" => "1-0";
        an_apostrophe: "'=1" => "'=1";
        nothing: "" => "";
    }

    #[test]
    fn signs_count_where_a_cell_may_begin() {
        for (line, expected) in [
            ("=1,Tal", true),
            ("Tal,-5", true),
            ("Tal,\"=1,5\"", true),
            ("\"Tal, +1\"", false),
            ("Tal,1-0,5", false),
            ("", false),
        ] {
            assert_eq!(may_have_formula(line.as_bytes()), expected, "{line}");
        }
    }

    #[derive(Serialize)]
    struct Record {
        name: &'static str,
        change: i64,
        event: Option<&'static str>,
    }

    /// The lines of records as a text.
    fn written(records: &[Record], escape_formulas: bool) -> String {
        let mut out = Vec::new();
        let mut writer = CsvWriter::new(CsvCells { escape_formulas }, &mut out);
        for record in records {
            writer.write_record(record).expect("a line");
        }
        writer.flush().expect("lines");
        drop(writer);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn records_have_the_cells_of_their_fields() {
        let records = [
            Record {
                name: "=HYPERLINK(\"x\")",
                change: -5,
                event: None,
            },
            Record {
                name: "-2,3",
                change: 5,
                event: Some("a\r\n=b"),
            },
            Record {
                name: "Tal, Mikhail",
                change: 5,
                event: Some("-"),
            },
            Record {
                name: "Tal",
                change: 5,
                event: Some("@SUM(1)"),
            },
        ];

        let plain = "\"=HYPERLINK(\"\"x\"\")\",-5,\n\"-2,3\",5,\"a\r\n=b\"\n\
            \"Tal, Mikhail\",5,-\nTal,5,@SUM(1)\n";
        assert_eq!(written(&records, false), plain);

        let escaped = "\"'=HYPERLINK(\"\"x\"\")\",-5,\n\"'-2,3\",5,\"a\r\n=b\"\n\
            \"Tal, Mikhail\",5,-\nTal,5,'@SUM(1)\n";
        assert_eq!(written(&records, true), escaped);
    }

    #[test]
    fn a_single_empty_cell_stays_a_line() {
        let cells = CsvCells {
            escape_formulas: true,
        };
        let mut out = Vec::new();
        let mut writer = CsvWriter::new(cells, &mut out);
        writer.write_record(&("",)).expect("a line");
        writer.flush().expect("a line");
        drop(writer);
        assert_eq!(out, b"\"\"\n");
    }
}
