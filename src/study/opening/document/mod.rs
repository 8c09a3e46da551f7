//! The document of an opening report.

mod games;
mod results;
mod score;
mod squares;

use crate::game::Ply;
use crate::report::{Board, Cell, Column, Document, Span, Table};
use crate::report::{counted, elo, grouped, numbered_line, numbered_move, per_cent};
use crate::study::opening::{OpeningLines, OpeningMove, OpeningReport, OpeningRoot};
use score::{bar, score, share};

/// Makes the document of an opening report. `request` is the text of the user's request, which is the title of an
/// opening without a name. `names` are the names of the databases, if games are listed with the names of their
/// databases.
pub fn opening_document(
    report: &OpeningReport,
    names: Option<&[String]>,
    request: &str,
) -> Document {
    let opening = report.root.as_ref().and_then(|root| root.opening.as_ref());
    let title = match opening {
        Some((eco, name)) => format!("{eco} {name}"),
        None => request.to_owned(),
    };

    let mut document = Document::new(title);
    document.paragraph([summary(report).into()]);

    // Without games, the notes still say how many were left out.
    if report.counts.all_games() == 0 {
        add_notes(report, &mut document);
        return document;
    }

    add_beginning(report, &mut document);
    results::add_popularity(report, &mut document);
    results::add_results(report, &mut document);
    add_lines(report, &mut document);
    squares::add_endings(report, &mut document);
    squares::add_placements(report, &mut document);
    games::add_players(report, &mut document);
    games::add_key_games(report, names, &mut document);
    games::add_novelties(report, names, &mut document);
    add_notes(report, &mut document);
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

    let games = grouped(counts.all_games());
    let all = counted(report.all, "game", "games");
    let share = share(counts.all_games(), report.all);
    let mut text = format!("{games} of {all} ({share})");

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

fn add_beginning(report: &OpeningReport, document: &mut Document) {
    if let Some(root) = &report.root {
        let line = numbered_line(&root.line);
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

    // A single name is the title already.
    if report.names.len() > 1 {
        document.heading("Names");
        let mut table = Table::new([
            Column::text("ECO"),
            Column::text("name"),
            Column::number("games"),
            Column::number("share"),
        ]);
        for (eco, name, games) in &report.names {
            table.rows.push(vec![
                eco.as_str().into(),
                name.as_str().into(),
                grouped(*games).into(),
                per_cent(*games, report.counts.all_games()).into(),
            ]);
        }
        document.table(table);
    }
}

fn add_lines(report: &OpeningReport, document: &mut Document) {
    let lines = &report.lines;
    let Some(root) = &report.root else {
        return;
    };
    if lines.moves.is_empty() {
        return;
    }

    document.heading("Main lines");
    let may_leave = may_leave(lines);
    document.table(lines_table(lines, root, may_leave));

    document.note("A position has the games of all orders of moves that lead to it. The share is \
        of the games in the position before; Elo and performance are the ratings of the side that plays the move.");
    if may_leave {
        document.note(
            "The moves are counted in all games that reach a position. The last column is \
            the share of games that stay in the opening: the others come to have another name.",
        );
    }
    if lines.left_out > 0 {
        let left_out = counted(lines.left_out, "move", "moves");
        let least = grouped(lines.min_games);
        document.note(format!("{left_out} of fewer than {least} games left out."));
    }
}

/// `true` if games leave the opening by one of its main lines. No game leaves an opening that is given by a position,
/// since such an opening has no name.
fn may_leave(lines: &OpeningLines) -> bool {
    lines.moves.iter().any(|opening_move| {
        opening_move.of_opening < opening_move.played.counted.counts.all_games()
    })
}

/// The main lines as a tree of moves, with a column for [`may_leave`].
fn lines_table(lines: &OpeningLines, root: &OpeningRoot, may_leave: bool) -> Table {
    let has_evaluations = lines
        .moves
        .iter()
        .any(|opening_move| opening_move.evaluation.is_some());

    let mut columns = vec![
        Column::text("move"),
        Column::number("games"),
        Column::number("share"),
        Column::text("results").extra(),
        Column::number("White's score"),
        Column::number("Elo").extra(),
        Column::number("perf.").extra(),
    ];
    if has_evaluations {
        columns.insert(EVALUATION_COLUMN, Column::number("eval"));
    }
    if may_leave {
        columns.push(Column::number("in the opening"));
    }

    let mut table = Table::new(columns);
    for opening_move in &lines.moves {
        let games = opening_move.played.counted.counts.all_games();
        let mut row = line_row(opening_move, root);
        if has_evaluations {
            let evaluation = opening_move.evaluation.as_ref();
            let text = evaluation.map(|known| known.score.signed());
            row.insert(EVALUATION_COLUMN, text.unwrap_or_default().into());
        }
        if may_leave {
            row.push(per_cent(opening_move.of_opening, games).into());
        }
        table.rows.push(row);
    }
    table
}

/// The place of the column of evaluations, if there is one: behind the share.
const EVALUATION_COLUMN: usize = 3;

/// The row of a move without its evaluation and the share of games that stay in the opening.
fn line_row(OpeningMove { played, .. }: &OpeningMove, root: &OpeningRoot) -> Vec<Cell> {
    // A move is indented by the moves before it. The end of a game is counted like a move, but is none.
    let plies = played.line.len();
    let (depth, name) = match played.counted.san() {
        Some(san) => {
            let ply = Ply::new((root.line.len() + plies) as u32);
            (plies.saturating_sub(1), numbered_move(ply, san))
        }
        None => (plies, "(the game ends)".to_owned()),
    };
    let span = match played.after.first() {
        Some(after) => Span::position(name, after.fen()),
        None => name.into(),
    };

    let counts = &played.counted.counts;
    vec![
        Cell::Indented(depth.try_into().unwrap_or(u8::MAX), vec![span]),
        grouped(counts.all_games()).into(),
        per_cent(counts.all_games(), played.of_games).into(),
        bar(counts),
        score(counts).into(),
        elo(played.counted.average_elo()).into(),
        elo(played.counted.performance()).into(),
    ]
}

/// Notes on the games that were counted and left out.
fn add_notes(report: &OpeningReport, document: &mut Document) {
    if report.indexed_plies.last().is_some() {
        document.note(format!("In this database, {}.", report.indexed_plies));
    }

    let mut notes = Vec::new();
    for (number, one, many) in [
        (
            report.duplicates,
            "game is marked as a duplicate, and left out.",
            "games are marked as duplicates, and left out.",
        ),
        (
            report.apart,
            "game has no moves of chess, and is left out.",
            "games have no moves of chess, and are left out.",
        ),
        (
            report.undated,
            "game has no year, and is in no chart.",
            "games have no year, and are in no chart.",
        ),
        (
            report.unrated,
            "game lacks a rating, and is in no band of ratings.",
            "games lack a rating, and are in no band of ratings.",
        ),
    ] {
        if number > 0 {
            notes.push(counted(number, one, many));
        }
    }
    if report.sampled > 0 {
        notes.push(sample_note(report));
    }

    if !notes.is_empty() {
        document.heading("How it was counted");
        document.list(notes.into_iter().map(|note| vec![Span::Text(note)]));
    }
}

fn sample_note(report: &OpeningReport) -> String {
    let games = counted(report.sampled, "game", "games");
    let distance = if report.sampled < report.counts.all_games() {
        ", at equal distances in the order of the database"
    } else {
        ""
    };
    format!("The squares of pieces and the first position are from {games}{distance}.")
}
