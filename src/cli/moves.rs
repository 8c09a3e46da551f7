//! `stamma moves`: counts the moves that were played in a position.

mod evaluations;
mod notable_games;
mod openings;
mod run;
mod table;
mod tree;

pub(super) use run::run;

use std::io::Write;

use super::records::{RowWriter, write_jsonl};
use super::say;
use super::{args, args::AnswerFormat};
use evaluations::Evaluations;
use notable_games::NamedNotableGames;
use stamma::answer::{Move, Moves};
use stamma::error::{Error, Result};
use stamma::query::CombinedResults;
use stamma::report::{counted, grouped};
use stamma::storage::OpeningTable;
use table::{write_heading, write_table};

/// Writes the moves of one position.
fn write_moves(
    names: &[String],
    openings: &OpeningTable,
    results: &mut CombinedResults<'_>,
    index_plies: Option<u32>,
    arguments: &args::Moves,
    out: &mut impl Write,
) -> Result<()> {
    let counted = results.moves()?;
    let mut notable_games = results.notable_games(&counted)?;
    let positions = results.positions().unwrap_or_default();
    // The names of databases are shown only if there are several.
    let names = if names.len() > 1 { Some(names) } else { None };

    let mut answer = Moves::new(openings, positions, &counted, index_plies);
    answer.add_notable_games(&notable_games.moves, names);
    let evaluations = Evaluations::read(results, positions, &counted)?;
    answer.add_evaluations(positions, evaluations.before.as_ref(), &evaluations.after);

    // The moves are in descending order of games, so the omitted moves come last.
    let min_games = arguments.min_games.unwrap_or(0);
    let is_listed = |played: &Move| played.results.games >= min_games;
    let listed = answer.moves.partition_point(is_listed);

    let omitted = answer.moves.len() - listed;
    let left_out = left_out(omitted as u64, min_games);
    answer.moves.truncate(listed);
    notable_games.moves.truncate(listed);

    match arguments.format {
        AnswerFormat::Json => write_jsonl(std::slice::from_ref(&answer), out)?,
        AnswerFormat::Jsonl => write_jsonl(&answer.moves, out)?,
        AnswerFormat::Csv => {
            let cells = arguments.csv_cells;
            let mut writer = RowWriter::new::<Move>(names.is_some(), cells, &mut *out)?;
            for played in &answer.moves {
                writer.write(played)?;
            }
            writer.finish()?;
        }
        AnswerFormat::Table => {
            let named_games = NamedNotableGames::read(results, &notable_games, names)?;
            let evaluation = evaluations.heading(positions);

            arguments
                .boards
                .write_first(positions, out)
                .map_err(Error::Output)?;
            write_heading(&answer, evaluation.as_deref(), out).map_err(Error::Output)?;
            write_table(&answer, &named_games, out).map_err(Error::Output)?;
        }
    }
    write_left_out(left_out, arguments.format, out)
}

/// A sentence about omitted moves: their number, and the minimum number of games of a listed move; `None` without
/// omitted moves.
fn left_out(moves: u64, min_games: u64) -> Option<String> {
    if moves == 0 {
        return None;
    }

    let moves = counted(moves, "move", "moves");
    let games = grouped(min_games);
    Some(format!(
        "{moves} of fewer than {games} games left out; --min-games 1 lists all"
    ))
}

/// Reports omitted moves: at the end of a table, otherwise on standard error.
fn write_left_out(
    left_out: Option<String>,
    format: AnswerFormat,
    out: &mut impl Write,
) -> Result<()> {
    let Some(left_out) = left_out else {
        return Ok(());
    };
    if format == AnswerFormat::Table {
        return writeln!(out, "{left_out}").map_err(Error::Output);
    }

    say!("{left_out}");
    Ok(())
}
