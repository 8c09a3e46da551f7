//! The document of an opening report.

mod games;
mod results;
mod score;
mod squares;

use crate::game::Ply;
use crate::report::{Board, Cell, Column, Document, Span, Table};
use crate::report::{counted, elo, grouped, numbered_move, per_cent};
use crate::study::opening::{OpeningMove, OpeningReport};
use score::{bar, score, share};

/// Makes the document of an opening report; `asked` is what the user has asked for, as the title where the opening has no
/// name. With `names`, which are those of the databases, games are named with theirs.
pub fn opening_document(report: &OpeningReport, names: Option<&[String]>, asked: &str) -> Document {
    let named = report.root.as_ref().and_then(|root| root.opening.as_ref());
    let title = named.map_or_else(|| asked.to_owned(), |(eco, name)| format!("{eco} {name}"));
    let mut document = Document::new(title);
    document.paragraph([summary(report).into()]);
    if report.counts.all_games() == 0 {
        notes(report, &mut document);
        return document;
    }
    beginning(report, &mut document);
    results::popularity(report, &mut document);
    results::results(report, &mut document);
    lines(report, &mut document);
    squares::endings(report, &mut document);
    squares::placements(report, &mut document);
    games::players(report, &mut document);
    games::key_games(report, names, &mut document);
    games::novelties(report, names, &mut document);
    notes(report, &mut document);
    document
}

fn summary(report: &OpeningReport) -> String {
    let counts = &report.counts;
    match (counts.all_games(), report.all) {
        (0, 0) => return "There is no game to look at.".to_owned(),
        (0, 1) => return "The only game does not have it.".to_owned(),
        (0, all) => return format!("None of {} games has it.", grouped(all)),
        _ => {}
    }
    let mut text = format!(
        "{} of {}",
        grouped(counts.all_games()),
        counted(report.all, "game", "games")
    );
    text += &format!(" ({})", share(counts.all_games(), report.all));
    match counts.years {
        Some((first, last)) if first == last => text += &format!(", {first}"),
        Some((first, last)) => text += &format!(", {first}–{last}"),
        None => {}
    }
    if counts.finished() > 0 {
        let part = |games| per_cent(games, counts.finished());
        text += &format!(
            ". White won {}, {} were drawn, Black won {}; White scored {}",
            part(counts.white),
            part(counts.draws),
            part(counts.black),
            score(counts),
        );
    }
    text + "."
}

fn beginning(report: &OpeningReport, document: &mut Document) {
    if let Some(root) = &report.root {
        let line = line_of(&root.line);
        if !line.is_empty() {
            document.moves(["It begins after".into()], line);
        }
        document.boards(vec![Board {
            setup: root.position.setup(),
            is_flipped: false,
            moved: None,
            caption: vec![Span::position("the position", root.position.fen())],
        }]);
    }
    if report.names.len() > 1 {
        document.heading("Names");
        let columns = [
            Column::text("ECO"),
            Column::text("name"),
            Column::number("games"),
        ];
        let mut table = Table::new(columns.into_iter().chain([Column::number("share")]));
        table
            .rows
            .extend(report.names.iter().map(|(eco, name, games)| {
                let share = per_cent(*games, report.counts.all_games());
                vec![
                    eco.as_str().into(),
                    name.as_str().into(),
                    grouped(*games).into(),
                    share.into(),
                ]
            }));
        document.table(table);
    }
}

fn lines(report: &OpeningReport, document: &mut Document) {
    let lines = &report.lines;
    let Some(root) = report.root.as_ref().filter(|_| !lines.moves.is_empty()) else {
        return;
    };
    document.heading("Main lines");
    let first = [
        Column::text("move"),
        Column::number("games"),
        Column::number("share"),
    ];
    let results = [
        Column::text("results").extra(),
        Column::number("White's score"),
    ];
    let ratings = [
        Column::number("Elo").extra(),
        Column::number("perf.").extra(),
    ];
    let stays = Column::number("in the opening");
    // A position is left by no move, and a report on positions has no name to lose.
    let may_leave = lines
        .moves
        .iter()
        .any(|one| one.of_opening < one.played.counted.counts.all_games());
    let stays = may_leave.then_some(stays);
    let has_evaluations = lines.moves.iter().any(|one| one.evaluation.is_some());
    let evaluation = has_evaluations.then_some(Column::number("eval"));
    let columns = first
        .into_iter()
        .chain(evaluation)
        .chain(results)
        .chain(ratings)
        .chain(stays);
    let mut table = Table::new(columns);
    for OpeningMove {
        played: one,
        of_opening,
        evaluation,
    } in &lines.moves
    {
        let counts = &one.counted.counts;
        let ply = (root.line.len() + one.line.len()) as u32;
        let (depth, name) = match one.counted.san() {
            Some(san) => (
                one.line.len().saturating_sub(1),
                numbered_move(Ply::new(ply), san),
            ),
            None => (one.line.len(), "(the game ends)".to_owned()),
        };
        let name = match one.after.first() {
            Some(after) => Span::position(name, after.fen()),
            None => name.into(),
        };
        let mut row = vec![
            Cell::Indented(depth.try_into().unwrap_or(u8::MAX), vec![name]),
            grouped(counts.all_games()).into(),
            per_cent(counts.all_games(), one.of_games).into(),
            bar(counts),
            score(counts).into(),
            elo(one.counted.average_elo()).into(),
            elo(one.counted.performance()).into(),
        ];
        if has_evaluations {
            let score = evaluation.as_ref().map(|known| known.score.signed());
            row.insert(3, score.unwrap_or_default().into());
        }
        row.extend(may_leave.then(|| per_cent(*of_opening, counts.all_games()).into()));
        table.rows.push(row);
    }
    document.table(table);
    let left_out = counted(lines.left_out, "move", "moves");
    let least = grouped(lines.least_games);
    document.note("A position has the games of all orders of moves that lead to it. The share is \
        of the games in the position before; Elo and performance are those of the side that plays the move.");
    if may_leave {
        document.note(
            "The moves are those of all games that reach a position. The last column is \
            the share of games that stay in the opening: the others come to have another name.",
        );
    }
    if lines.left_out > 0 {
        document.note(format!("{left_out} of fewer than {least} games left out."));
    }
}

/// What was counted, and what was not.
fn notes(report: &OpeningReport, document: &mut Document) {
    if report.indexed_plies.last().is_some() {
        document.note(format!("In this database, {}.", report.indexed_plies));
    }
    let said =
        |number: u64, one: &str, many: &str| (number > 0).then(|| counted(number, one, many));
    let notes = [
        said(
            report.duplicates,
            "game is marked as a duplicate, and left out.",
            "games are marked as duplicates, and left out.",
        ),
        said(
            report.apart,
            "game has no moves of chess, and is left out.",
            "games have no moves of chess, and are left out.",
        ),
        said(
            report.undated,
            "game has no year, and is in no chart.",
            "games have no year, and are in no chart.",
        ),
        said(
            report.unrated,
            "game lacks a rating, and is in no band of ratings.",
            "games lack a rating, and are in no band of ratings.",
        ),
        (report.sampled > 0).then(|| sampled(report)),
    ];
    let mut notes = notes.into_iter().flatten().peekable();
    if notes.peek().is_some() {
        document.heading("How it was counted");
        document.list(notes.map(|note| vec![Span::Text(note)]));
    }
}

fn sampled(report: &OpeningReport) -> String {
    let games = counted(report.sampled, "game", "games");
    match report.sampled < report.counts.all_games() {
        true => format!(
            "The squares of pieces and the first position are those of {games}, at equal distances in the order of the database."
        ),
        false => format!("The squares of pieces and the first position are those of {games}."),
    }
}

/// Moves from the start with their numbers: `1. e4 c5 2. Nf3`.
fn line_of(moves: &[String]) -> String {
    let numbered = moves.iter().enumerate().map(|(ply, san)| match ply % 2 {
        0 => format!("{}. {san}", ply / 2 + 1),
        _ => san.clone(),
    });
    numbered.collect::<Vec<String>>().join(" ")
}
