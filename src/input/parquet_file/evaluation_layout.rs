//! The columns of a Parquet file of evaluations, and its rows as lines of JSON.
//!
//! Two data sets of Lichess define the columns. The set with `fen line depth knodes cp mate` has a row for each line of
//! play of a search. The other set has `fen cp mate move`. `move` is the move that a player made. It need not be the
//! best move, and is not read.

use std::io::Write;

use parquet::basic::Type;
use parquet::schema::types::SchemaDescriptor;

use super::cell::Value;
use super::column::Column;
use super::layout::top_level;

/// The columns of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EvaluationLayout {
    fen: usize,
    /// The columns of numbers and of the line. The file has `cp`, `mate` or both.
    centipawns: Option<usize>,
    mate: Option<usize>,
    depth: Option<usize>,
    knodes: Option<usize>,
    line: Option<usize>,
}

impl EvaluationLayout {
    /// Finds the columns of a schema.
    ///
    /// # Errors
    /// A sentence that names a column that is missing or has a wrong type.
    pub(super) fn of(schema: &SchemaDescriptor) -> Result<EvaluationLayout, String> {
        let find = |column: &str| top_level(schema, |name| name.eq_ignore_ascii_case(column));

        let Some(fen) = find("fen") else {
            return Err("it has no column fen, so it has no evaluations".to_owned());
        };
        let centipawns = find("cp");
        let mate = find("mate");
        if centipawns.is_none() && mate.is_none() {
            return Err("it has no column cp or mate, so it has no evaluations".to_owned());
        }

        let layout = EvaluationLayout {
            fen,
            centipawns,
            mate,
            depth: find("depth"),
            knodes: find("knodes"),
            line: find("line"),
        };

        for index in [Some(fen), layout.line].into_iter().flatten() {
            let column = schema.column(index);
            if column.physical_type() != Type::BYTE_ARRAY {
                return Err(format!("its column {} is not a text", column.name()));
            }
        }
        for index in layout.numbers().into_iter().flatten() {
            let column = schema.column(index);
            let kind = column.physical_type();
            let is_number = matches!(kind, Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE);
            if !is_number {
                return Err(format!("its column {} is not a number", column.name()));
            }
        }
        Ok(layout)
    }

    /// The columns of numbers; `None` for a missing column.
    fn numbers(&self) -> [Option<usize>; 4] {
        [self.centipawns, self.mate, self.knodes, self.depth]
    }

    /// All columns: the numbers, the position, and the line.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        self.numbers()
            .into_iter()
            .flatten()
            .chain([self.fen])
            .chain(self.line)
    }

    /// Appends the next row as a line of JSON in the form of the evaluation file of Lichess. `columns` are in the order
    /// of [`EvaluationLayout::columns`]. A row without a position becomes a line with an empty FEN, which is no
    /// evaluation, so that the number of a line is the number of its row.
    pub(super) fn write_row(&self, columns: &mut [Column], out: &mut Vec<u8>) {
        let mut columns = columns.iter_mut();
        let numbers = self.numbers().map(|column| {
            column?;
            columns.next()?.next().and_then(number)
        });
        let [centipawns, mate, knodes, depth] = numbers;

        out.extend_from_slice(b"{\"fen\":");
        write_text(columns.next().and_then(Column::next), out);
        out.extend_from_slice(b",\"evals\":[{\"pvs\":[{\"cp\":");
        write_number(centipawns, out);
        out.extend_from_slice(b",\"mate\":");
        write_number(mate, out);
        out.extend_from_slice(b",\"line\":");
        write_text(columns.next().and_then(Column::next), out);
        out.extend_from_slice(b"}],\"knodes\":");
        write_number(knodes.or(Some(0)), out);
        out.extend_from_slice(b",\"depth\":");
        write_number(depth.or(Some(0)), out);
        out.extend_from_slice(b"}]}\n");
    }
}

/// A number as an integer; `None` for NaN, which pandas writes for a missing number.
fn number(value: Value<'_>) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(number),
        Value::Real(number) if number.is_finite() => Some(number as i64),
        Value::Real(_) | Value::Text(_) => None,
    }
}

fn write_number(number: Option<i64>, out: &mut Vec<u8>) {
    // Writing to a vector succeeds.
    let _ = match number {
        Some(number) => write!(out, "{number}"),
        None => write!(out, "null"),
    };
}

fn write_text(value: Option<Value<'_>>, out: &mut Vec<u8>) {
    let text = match value {
        Some(Value::Text(text)) => String::from_utf8_lossy(text),
        _ => "".into(),
    };
    // This does not fail: every text can be written as JSON, and writing to a vector succeeds.
    let _ = serde_json::to_writer(out, &text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::schema::parser::parse_message_type;

    use super::*;

    fn layout(fields: &str) -> Result<Vec<usize>, String> {
        let schema = parse_message_type(&format!("message rows {{ {fields} }}")).expect(fields);
        let layout = EvaluationLayout::of(&SchemaDescriptor::new(Arc::new(schema)))?;
        Ok(layout.columns().collect())
    }

    macro_rules! finds {
        ($($name:ident: $fields:expr => $columns:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(layout($fields), $columns);
            }
        )*};
    }

    finds! {
        of_searches:
            "required binary fen (STRING); optional binary line (STRING); optional int64 depth; optional int64 knodes;
            optional int64 cp; optional int64 mate;" => Ok(vec![4, 5, 3, 2, 0, 1]);
        of_moves:
            "required binary fen (STRING); optional int32 cp; optional int32 mate; optional binary move (STRING);"
            => Ok(vec![1, 2, 0]);
        of_games: "required binary movetext (STRING);" => Err("it has no column fen, so it has no evaluations".to_owned());
        of_positions: "required binary fen (STRING); required int64 evaluation;"
            => Err("it has no column cp or mate, so it has no evaluations".to_owned());
        a_score_in_words: "required binary fen (STRING); required binary cp (STRING);"
            => Err("its column cp is not a number".to_owned());
        a_position_in_numbers: "required int64 fen; required int64 cp;" => Err("its column fen is not a text".to_owned());
    }
}
