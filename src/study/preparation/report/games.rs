//! The games to look at first, as a table.

use super::PreparationReport;
use crate::report::{Cell, Column, Span, Table, grouped};
use crate::study::preparation::{GameToStudy, StudyReason};

/// The games, each with the reasons.
pub(super) fn table(report: &PreparationReport<'_>) -> Table {
    let database = report.names.map(|_| Column::text("database"));
    let columns = database.into_iter().chain([
        Column::number("game"),
        Column::number("points"),
        Column::text("against"),
        Column::text("result"),
        Column::text("date"),
        Column::text("novelty").extra(),
        Column::text("reasons"),
    ]);

    let mut table = Table::new(columns);
    for game in &report.preparation.games {
        table.rows.push(row(game, report));
    }
    table
}

fn row(game: &GameToStudy, report: &PreparationReport<'_>) -> Vec<Cell> {
    let database = report.database(game);
    let number = game.game.game;
    let heading = report.heading(game);

    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_owned());
    let against = if report.preparation.color.is_white() {
        known(&heading.white)
    } else {
        known(&heading.black)
    };

    let mut cells: Vec<Cell> = database.into_iter().map(Cell::from).collect();
    cells.extend([
        Cell::from(Span::game_of(number.to_string(), database, number)),
        game.points.to_string().into(),
        Cell::from(Span::game_of(against, database, number)),
        heading.result.clone().into(),
        known(&heading.date).into(),
        novelty(report, game).unwrap_or_default().into(),
        reasons(game, report).into(),
    ]);
    cells
}

/// The reasons for a game: `recent, lost, 14 half-moves of my repertoire`.
pub(super) fn reasons(game: &GameToStudy, report: &PreparationReport<'_>) -> String {
    let lines = match report.preparation.meeting {
        Some(_) => "my repertoire",
        None => "usual lines",
    };

    let in_words = |reason: &StudyReason| match reason {
        StudyReason::Recent => "recent".to_owned(),
        StudyReason::Lost => "lost".to_owned(),
        StudyReason::Drawn => "drawn".to_owned(),
        StudyReason::Line(plies) => format!("{plies} half-moves of {lines}"),
        StudyReason::Opposition(elo) => format!("opposition of {elo}"),
    };
    let reasons: Vec<String> = game.reasons.iter().map(in_words).collect();
    reasons.join(", ")
}

/// The novelty of a game: `12... h6, after 14 games`.
pub(super) fn novelty(report: &PreparationReport<'_>, game: &GameToStudy) -> Option<String> {
    let novelty = game.novelty?.novelty;
    let played = report.novelty(game)?;

    let text = match novelty.before {
        0 => format!("{played}, in a position of no earlier game"),
        1 => format!("{played}, after 1 game"),
        games => format!("{played}, after {} games", grouped(games)),
    };
    Some(text)
}
