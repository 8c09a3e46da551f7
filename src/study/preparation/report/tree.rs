//! The tree of lines as a table. Moves without an alternative are in one row.

use super::line::{date, per_cent, push, trend};
use crate::report::{Cell, Column, Span, Table, elo, grouped};
use crate::study::preparation::{Deviation, OthersCount, PreparedMove};

/// The greatest indentation.
const DEEPEST: usize = 12;

/// The tree of lines.
pub(super) fn table(lines: &[PreparedMove]) -> Table {
    let has_evaluations = lines.iter().any(is_evaluated);
    let evaluation = has_evaluations.then_some(Column::number("eval"));
    let first = [Column::number("games")];
    let further = [
        Column::number("score"),
        Column::text("results").extra(),
        Column::number("recent"),
        Column::text("last").extra(),
        Column::text("trend").extra(),
        Column::number("perf.").extra(),
        Column::text("others"),
        Column::text("line"),
    ];
    let mut table = Table::new(first.into_iter().chain(evaluation).chain(further));
    add(&mut table, lines, 0, has_evaluations);
    table
}

/// `true` if the evaluation of a move or of one behind it is known.
fn is_evaluated(line: &PreparedMove) -> bool {
    line.evaluation.is_some() || line.next.iter().any(is_evaluated)
}

fn add(table: &mut Table, lines: &[PreparedMove], depth: usize, has_evaluations: bool) {
    for line in lines {
        let (spans, last) = moves(line);
        let score = &line.score.score;
        let mut row = vec![
            grouped(line.score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            grouped(line.score.recent).into(),
            date(score.last).into(),
            trend(&line.score).into(),
            elo(score.performance()).into(),
            line.others.as_ref().map(others).unwrap_or_default().into(),
            Cell::Indented(depth.min(DEEPEST) as u8, spans),
        ];
        if has_evaluations {
            let score = last.evaluation.as_ref().map(|known| known.score.signed());
            row.insert(1, score.unwrap_or_default().into());
        }
        table.rows.push(row);
        add(table, &last.next, depth + 1, has_evaluations);
    }
}

/// A move with those that follow without an alternative, and the last of them.
fn moves(line: &PreparedMove) -> (Vec<Span>, &PreparedMove) {
    let (mut text, mut last) = (String::new(), line);
    push(&mut text, line.ply, &line.san);
    while let [next] = &last.next[..] {
        if next
            .others
            .as_ref()
            .and_then(OthersCount::deviation)
            .is_some_and(is_special)
        {
            break;
        }
        push(&mut text, next.ply, &next.san);
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

fn is_special(deviation: Deviation) -> bool {
    matches!(deviation, Deviation::New | Deviation::Rare)
}

/// How often others played a move: `35 %`, `2 %, rare`, `new`.
pub(super) fn others(count: &OthersCount) -> String {
    let share = per_cent(count.per_cent());
    match count.deviation() {
        Some(Deviation::New) => "new".to_owned(),
        Some(Deviation::Rare) => format!("{share}, rare"),
        Some(Deviation::NotMostPlayed) | None => share,
    }
}
