//! Lists of departures, lines, games and mistakes, and the answer in JSON.

use std::cmp::Reverse;
use std::io::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Answer, RowCounts};
use super::rows::{GAME_HEADER, GAME_NUMBERS, game_cells, move_or_kind, score_cells};
use crate::cli::args::{RepertoireFormat, RepertoireList, RepertoireOrder};
use crate::cli::records::{write_jsonl, write_rows};
use crate::cli::report::text_width;
use crate::cli::table::table;
use stamma::answer::{
    Departure, Repertoire, RepertoireGame, RepertoireLine, RepertoireMistake, RepertoireRemark,
    RepertoireRows,
};
use stamma::error::{Error, Result};
use stamma::report::grouped;

/// Writes the departures of games from the repertoire, or its gaps.
pub(super) fn write_departures(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let (rows, all) = listed_departures(answer)?;
    let is_gaps = answer.arguments.list == RepertoireList::Gaps;
    let has_evaluations = rows.iter().any(|row| !row.evaluation.shown().is_empty());

    let mut header = if is_gaps {
        vec![
            "played", "share", "games", "score", "Elo", "opp.", "years", "move",
        ]
    } else {
        vec!["games", "score", "Elo", "opp.", "years", "by", "leaves at"]
    };
    if has_evaluations {
        header.push("eval");
    }
    header.push("line");

    let right: &[usize] = if is_gaps {
        &[0, 1, 2, 3, 4, 5]
    } else {
        &[0, 1, 2, 3]
    };

    let cells = |row: &Departure| {
        let mut cells = if is_gaps {
            gap_cells(row)
        } else {
            departure_cells(row)
        };
        if has_evaluations {
            cells.push(row.evaluation.shown());
        }
        cells.push(row.place.line.clone());
        cells
    };

    let list = List {
        header: &header,
        right,
    };
    list.write(answer, &rows, cells, out)?;
    Ok(RowCounts {
        written: rows.len(),
        all,
    })
}

/// The first cells of a gap: the number and the share of games with the move, the score, and the move.
fn gap_cells(row: &Departure) -> Vec<String> {
    let games = grouped(row.played_games);
    let share = format!("{:.0} %", row.share);

    let mut cells = vec![games, share];
    cells.extend(score_cells(&row.score));
    cells.push(move_or_kind(row));
    cells
}

/// The first cells of a departure: the score, the kind of departure, and the move.
fn departure_cells(row: &Departure) -> Vec<String> {
    let mut cells = score_cells(&row.score);
    cells.push(row.kind.to_owned());
    cells.push(move_or_kind(row));
    cells
}

/// The departures within the limit, and the number of all departures.
fn listed_departures(answer: &Answer<'_>) -> Result<(Vec<Departure>, usize)> {
    let openings = answer.database.openings()?;
    let databases = [answer.database];
    let repertoire = answer.repertoire;
    let departures = answer.departures();

    let mut rows = Vec::new();
    for departure in departures.iter().take(answer.arguments.limit()) {
        let row = Departure::read(&databases, None, &openings, repertoire, departure)?;
        rows.push(row);
    }
    Ok((rows, departures.len()))
}

/// Writes the bad moves, by default in descending number of games that reach them.
pub(super) fn write_mistakes(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let Answer {
        database,
        repertoire,
        hits,
        arguments,
    } = answer;
    let openings = database.openings()?;
    let min_loss = arguments.min_loss;
    let mut rows = RepertoireMistake::find(database, &openings, repertoire, hits, min_loss)?;
    // The default minimum of one game also lists mistakes that no game has reached.
    if arguments.min_games > 1 {
        rows.retain(|row| row.position_games >= arguments.min_games);
    }
    if arguments.sort != RepertoireOrder::Line {
        rows.sort_by_key(|row| Reverse(row.position_games));
    }
    let all = rows.len();
    rows.truncate(arguments.limit());

    let list = List {
        header: &["games", "by", "loss", "move", "eval", "best", "line"],
        right: &[0, 2],
    };
    list.write(answer, &rows, mistake_cells, out)?;
    Ok(RowCounts {
        written: rows.len(),
        all,
    })
}

/// The cells of a bad move.
fn mistake_cells(row: &RepertoireMistake) -> Vec<String> {
    // A loss in centipawns has no meaning beside a mate.
    let loss = match row.loss {
        Some(loss) => loss.to_string(),
        None => "mate".to_owned(),
    };
    let better = row.better.as_deref().unwrap_or("-");

    vec![
        grouped(row.position_games),
        row.kind.to_owned(),
        loss,
        format!("{} {}", row.move_number, row.san),
        row.evaluation.shown(),
        better.to_owned(),
        row.place.line.clone(),
    ]
}

/// Writes the lines of the repertoire with the scores at their ends.
pub(super) fn write_lines(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let (rows, all) = listed_lines(answer)?;
    let cells = |row: &RepertoireLine| {
        let mut cells = score_cells(&row.score);
        cells.push(row.place.line.clone());
        cells
    };
    let list = List {
        header: &["games", "score", "Elo", "opp.", "years", "line"],
        right: &[0, 1, 2, 3],
    };
    list.write(answer, &rows, cells, out)?;
    Ok(RowCounts {
        written: rows.len(),
        all,
    })
}

/// The lines within the limit, and the number of all lines.
fn listed_lines(answer: &Answer<'_>) -> Result<(Vec<RepertoireLine>, usize)> {
    let Answer {
        repertoire,
        hits,
        arguments,
        ..
    } = answer;
    let games = |at: usize| hits.reached(at).all_games();
    let mut ends: Vec<usize> = repertoire
        .ends()
        .filter(|&at| games(at) >= arguments.min_games)
        .collect();
    if arguments.sort != RepertoireOrder::Line {
        ends.sort_by_key(|&at| Reverse(games(at)));
    }

    let rows = first_lines(answer, &ends)?;
    Ok((rows, ends.len()))
}

/// The lines with the first of some ends, up to the limit.
fn first_lines(answer: &Answer<'_>, ends: &[usize]) -> Result<Vec<RepertoireLine>> {
    let openings = answer.database.openings()?;
    let mut lines = Vec::new();
    for &at in ends.iter().take(answer.arguments.limit()) {
        let line = RepertoireLine::new(&openings, answer.repertoire, answer.hits, at);
        lines.push(line);
    }
    Ok(lines)
}

/// Writes departures, and lines in the order of the repertoire, as a JSON object.
pub(super) fn write_json(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let (departures, departure_count) = listed_departures(answer)?;

    let repertoire = answer.repertoire;
    let ends: Vec<usize> = repertoire.ends().collect();
    let lines = first_lines(answer, &ends)?;

    let mut remarks = Vec::new();
    for remark in repertoire.remarks() {
        remarks.push(RepertoireRemark {
            line: remark.line,
            message: remark.message.clone(),
        });
    }

    let counts = RowCounts {
        written: departures.len(),
        all: departure_count,
    };
    let rows = RepertoireRows {
        departures,
        departure_count,
        lines,
        line_count: ends.len(),
        remarks,
    };
    let record = Repertoire::new(answer.repertoire, answer.hits, rows);
    write_jsonl(&[record], out)?;
    Ok(counts)
}

/// Writes the games.
pub(super) fn write_games(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let Answer {
        database,
        repertoire,
        arguments,
        ..
    } = answer;

    let games = answer.games();
    let mut rows = Vec::new();
    for hit in games.iter().take(arguments.limit()) {
        let row = RepertoireGame::read(database, repertoire, hit)?;
        rows.push(row);
    }

    let list = List {
        header: &GAME_HEADER,
        right: &GAME_NUMBERS,
    };
    list.write(answer, &rows, game_cells, out)?;
    Ok(RowCounts {
        written: rows.len(),
        all: games.len(),
    })
}

/// The columns of a list as a table.
struct List<'l> {
    header: &'l [&'l str],
    /// The indices of the right-aligned columns.
    right: &'l [usize],
}

impl List<'_> {
    /// Writes rows as JSON Lines or comma-separated values, or their `cells` as a table.
    fn write<R: Serialize + JsonSchema>(
        &self,
        answer: &Answer<'_>,
        rows: &[R],
        cells: impl Fn(&R) -> Vec<String>,
        out: &mut impl Write,
    ) -> Result<()> {
        match answer.arguments.format {
            RepertoireFormat::Jsonl => return write_jsonl(rows, out),
            RepertoireFormat::Csv => {
                return write_rows(false, rows, answer.arguments.csv_cells, out);
            }
            _ => {}
        }
        if rows.is_empty() {
            return Ok(());
        }

        let header = self.header.iter().map(|&name| name.to_owned()).collect();
        let mut lines: Vec<Vec<String>> = vec![header];
        lines.extend(rows.iter().map(cells));

        let width = text_width(answer.arguments.output.as_deref());
        let text = table(&lines, self.right, width);
        out.write_all(text.as_bytes()).map_err(Error::Output)
    }
}
