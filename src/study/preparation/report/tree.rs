//! The tree of lines as a table. Moves without an alternative are in one row.

use super::line::{date, per_cent, trend};
use crate::report::{Cell, Column, Span, Table, elo, grouped, push_numbered};
use crate::study::preparation::{Deviation, OthersCount, PreparedMove};

/// The maximum indentation, so that the moves of deep lines are not pushed out of the page.
const MAX_INDENTATION: usize = 12;

/// The place of the column of evaluations, if there is one: behind the number of games.
const EVALUATION_COLUMN: usize = 1;

/// The tree of lines.
pub(super) fn table(lines: &[PreparedMove]) -> Table {
    let mut columns = vec![
        Column::number("games"),
        Column::number("score"),
        Column::text("results").extra(),
        Column::number("recent"),
        Column::text("last").extra(),
        Column::text("trend").extra(),
        Column::number("perf.").extra(),
        Column::text("others"),
        Column::text("line"),
    ];
    let has_evaluations = lines.iter().any(is_evaluated);
    if has_evaluations {
        columns.insert(EVALUATION_COLUMN, Column::number("eval"));
    }

    let mut table = Table::new(columns);
    add_rows(&mut table, lines, 0, has_evaluations);
    table
}

/// `true` if the evaluation of a move, or of a move behind it, is known.
fn is_evaluated(line: &PreparedMove) -> bool {
    line.evaluation.is_some() || line.next.iter().any(is_evaluated)
}

/// Adds the rows of some moves, each followed by the rows of the next moves.
fn add_rows(table: &mut Table, lines: &[PreparedMove], depth: usize, has_evaluations: bool) {
    for line in lines {
        let (spans, last) = moves_of_row(line);
        let indentation = depth.min(MAX_INDENTATION) as u8;
        let others = line.others.as_ref().map(others).unwrap_or_default();

        let score = &line.score.score;
        let mut row = vec![
            grouped(line.score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            grouped(line.score.recent).into(),
            date(score.last).into(),
            trend(&line.score).into(),
            elo(score.performance()).into(),
            others.into(),
            Cell::Indented(indentation, spans),
        ];
        if has_evaluations {
            // The row ends with the position after its last move.
            let evaluation = last.evaluation.as_ref();
            let text = evaluation.map(|known| known.score.signed());
            row.insert(EVALUATION_COLUMN, text.unwrap_or_default().into());
        }
        table.rows.push(row);

        add_rows(table, &last.next, depth + 1, has_evaluations);
    }
}

/// A move with the next moves that have no alternative, and the last of these moves.
fn moves_of_row(line: &PreparedMove) -> (Vec<Span>, &PreparedMove) {
    let mut text = String::new();
    push_numbered(&mut text, line.ply, &line.san);

    // A move that others hardly play has its own row, which shows the share of the move.
    let mut last = line;
    while let [next] = &last.next[..] {
        if is_unusual(next) {
            break;
        }
        push_numbered(&mut text, next.ply, &next.san);
        last = next;
    }

    let mut spans = vec![Span::position(text, last.after.fen())];
    if last.is_transposition {
        spans.push(Span::text(" (see above)"));
    }
    if last.in_repertoire == Some(false) {
        spans.push(Span::text(" "));
        spans.push(Span::strong("leaves my repertoire"));
    }
    (spans, last)
}

/// `true` if others hardly ever play a move.
fn is_unusual(line: &PreparedMove) -> bool {
    let deviation = line.others.as_ref().and_then(OthersCount::deviation);
    matches!(deviation, Some(Deviation::New | Deviation::Rare))
}

/// The share of a move among others: `35 %`, `2 %, rare`, `new`.
pub(super) fn others(count: &OthersCount) -> String {
    let share = per_cent(count.per_cent());
    match count.deviation() {
        Some(Deviation::New) => "new".to_owned(),
        Some(Deviation::Rare) => format!("{share}, rare"),
        Some(Deviation::NotMostPlayed) | None => share,
    }
}
