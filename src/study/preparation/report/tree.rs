//! The tree of lines as a table. Moves without an alternative are in one row.

use super::line::{date, per_cent, push, trend};
use crate::report::{Cell, Column, Span, Table, elo, grouped};
use crate::study::preparation::{Deviation, OthersCount, PreparedMove};

/// The greatest indentation.
const DEEPEST: usize = 12;

/// The tree of lines.
pub(super) fn table(lines: &[PreparedMove]) -> Table {
    let mut table = Table::new([
        Column::number("games"),
        Column::number("score"),
        Column::text("results").extra(),
        Column::number("recent"),
        Column::text("last").extra(),
        Column::text("trend").extra(),
        Column::number("perf.").extra(),
        Column::text("others"),
        Column::text("line"),
    ]);
    add(&mut table, lines, 0);
    table
}

fn add(table: &mut Table, lines: &[PreparedMove], depth: usize) {
    for line in lines {
        let (spans, last) = moves(line);
        let score = &line.score.score;
        table.rows.push(vec![
            grouped(line.score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            grouped(line.score.recent).into(),
            date(score.last).into(),
            trend(&line.score).into(),
            elo(score.performance()).into(),
            line.others.as_ref().map(others).unwrap_or_default().into(),
            Cell::Indented(depth.min(DEEPEST) as u8, spans),
        ]);
        add(table, &last.next, depth + 1);
    }
}

/// A move with those that follow without an alternative, and the last of them.
fn moves(line: &PreparedMove) -> (Vec<Span>, &PreparedMove) {
    let (mut text, mut last) = (String::new(), line);
    push(&mut text, line.ply, &line.san);
    while let [next] = &last.next[..] {
        if next.others.as_ref().and_then(OthersCount::deviation).is_some_and(is_special) {
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
