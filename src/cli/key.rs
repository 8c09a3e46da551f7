//! `stamma key`: the keys of positions, as numbers for SQL.

use std::io::{self, Write};

use serde::Serialize;

use super::args::{self, KeyFormat};
use super::fen_list::{Batches, read_line};
use super::output::buffered_output;
use super::records::write_jsonl;
use super::{Failure, Outcome, activity, say};
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::game::Variant;
use stamma::notation::Epd;
use stamma::replay::PositionKey;

/// A position and its key.
#[derive(Debug, Serialize)]
struct Record {
    /// The key as a signed integer, as in data sets and SQL.
    key: i64,
    /// The 64 bits of the key in hexadecimal digits.
    hex: String,
    fen: String,
}

impl Record {
    /// The record of a position of standard chess.
    fn new(position: &Position) -> Record {
        let PositionKey(key) = PositionKey::new(position, Variant::Standard);
        Record {
            key: key.cast_signed(),
            hex: format!("{key:016x}"),
            fen: position.fen(),
        }
    }
}

pub(super) fn run(arguments: &args::Key) -> Result<Outcome, Failure> {
    let positions = arguments.positions()?;
    let mut out = buffered_output()?;
    let mut outcome = Outcome::Done;

    // Without a position, the key of the start position is printed.
    if positions.is_empty() {
        write(
            &arguments.position.positions_or_start(&[])?,
            arguments.format,
            &mut out,
        )?;
    }
    for position in positions {
        if position == "-" {
            outcome = write_list(arguments, &mut out)?;
        } else {
            let positions = arguments.position.positions_or_start(&[position])?;
            write(&positions, arguments.format, &mut out)?;
        }
    }

    out.flush().map_err(Error::Output)?;
    Ok(outcome)
}

/// Writes the keys of the positions on the lines of standard input, each as soon as its line is read.
fn write_list(arguments: &args::Key, out: &mut impl Write) -> Result<Outcome> {
    // While the command waits for a user's input, no progress is shown.
    activity::end();
    let mut outcome = Outcome::Done;
    for read in Batches::new(io::stdin()) {
        let batch = read.map_err(Error::Input)?;
        for (number, line) in batch.lines() {
            let Some(epd) = read_line(&line) else {
                continue;
            };

            match positions_of(&epd, arguments) {
                Ok(positions) => write(&positions, arguments.format, out)?,
                Err(error) => {
                    say!("standard input:{number}: {error}");
                    outcome = Outcome::DataProblems;
                }
            }
        }
        out.flush().map_err(Error::Output)?;
    }
    Ok(outcome)
}

/// The positions of a line; with the opcode `pv`, the position after its moves.
fn positions_of(epd: &Epd<'_>, arguments: &args::Key) -> Result<Vec<Position>> {
    let variation = epd
        .operations
        .iter()
        .find(|operation| operation.opcode == "pv");
    let Some(variation) = variation else {
        return arguments
            .position
            .positions_or_start(std::slice::from_ref(&epd.fen));
    };

    let moves: Vec<&str> = variation
        .operands
        .iter()
        .map(|operand| operand.text())
        .collect();
    let reached = arguments.position.after_moves(&epd.fen, &moves.join(" "))?;
    Ok(vec![reached])
}

/// Writes the keys of the positions that a FEN matches, in ascending order.
fn write(positions: &[Position], format: KeyFormat, out: &mut impl Write) -> Result<()> {
    let mut records: Vec<Record> = positions.iter().map(Record::new).collect();
    records.sort_by_key(|record| record.key);

    match format {
        KeyFormat::Jsonl => write_jsonl(&records, out)?,
        KeyFormat::Plain => {
            for record in &records {
                writeln!(out, "{}", record.key).map_err(Error::Output)?;
            }
        }
    }
    Ok(())
}
