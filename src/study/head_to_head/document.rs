//! The games of two players as a document: their score, by color, year and opening, and the games.

use super::{HeadToHead, HeadToHeadOpening};
use crate::query::player::PlayerScore;
use crate::report::{Cell, Column, Document, Span, Table, counted, elo, grouped};
use crate::storage::{GameId, Heading};

/// Makes the document; `headings` are the headings of the games, in their order.
pub fn head_to_head_document(head_to_head: &HeadToHead, headings: &[Heading]) -> Document {
    let HeadToHead {
        player, opponent, ..
    } = head_to_head;
    let mut document = Document::new(format!("{player} – {opponent}"));
    document.paragraph([summary(head_to_head).into()]);
    if let Some(others) = not_counted(head_to_head) {
        document.paragraph([others.into()]);
    }
    if head_to_head.total.all_games() == 0 {
        return document;
    }

    document.table(scores(head_to_head));
    // Games without moves have no opening.
    if !head_to_head.openings.is_empty() {
        document.heading("Openings");
        document.table(openings(head_to_head));
    }

    document.heading("Games");
    document.table(games(head_to_head, headings));
    document
}

/// `7 games, 1960.??.?? to 1972.07.20: 2 won, 1 drawn, 4 lost`
fn summary(head_to_head: &HeadToHead) -> String {
    let total = &head_to_head.total;
    let games = counted(total.all_games(), "game", "games");
    let dates = match (total.first, total.last) {
        (Some(first), Some(last)) if first == last => format!(", {first}"),
        (Some(first), Some(last)) => format!(", {first} to {last}"),
        _ => String::new(),
    };

    // Games without a result have no score.
    if total.finished() == 0 {
        return format!("{games}{dates}");
    }
    let PlayerScore {
        won, drawn, lost, ..
    } = total;
    format!("{games}{dates}: {won} won, {drawn} drawn, {lost} lost")
}

/// The maximum number of names in a line.
const MAX_NAMES: usize = 5;

/// The note on other players whose names match the player's name; `None` without such players.
fn not_counted(head_to_head: &HeadToHead) -> Option<String> {
    let others = &head_to_head.others;
    if others.is_empty() {
        return None;
    }

    let players = counted(others.len() as u64, "other player", "other players");
    let mut names = Vec::new();
    for (name, games) in others.iter().take(MAX_NAMES) {
        names.push(format!("{name} ({})", grouped(*games)));
    }
    Some(format!("not counted, {players}: {}", names.join("; ")))
}

/// The scores of all games, with each color, and by year.
fn scores(head_to_head: &HeadToHead) -> Table {
    let mut table = Table::new([
        Column::text(""),
        Column::number("games"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
        Column::number("score"),
        Column::number("perf."),
    ]);

    for (name, score) in [
        ("all games", &head_to_head.total),
        ("with White", &head_to_head.white),
        ("with Black", &head_to_head.black),
    ] {
        table.rows.push(score_row(name.into(), score));
    }
    for (year, score) in &head_to_head.years.rows {
        table.rows.push(score_row(year.to_string().into(), score));
    }
    table
}

/// The row of a score under a name.
fn score_row(name: Cell, score: &PlayerScore) -> Vec<Cell> {
    let per_cent = match score.per_cent() {
        Some(per_cent) => format!("{per_cent:.1} %"),
        None => "-".to_owned(),
    };
    vec![
        name,
        grouped(score.all_games()).into(),
        grouped(score.won).into(),
        grouped(score.drawn).into(),
        grouped(score.lost).into(),
        per_cent.into(),
        elo(score.performance()).into(),
    ]
}

fn openings(head_to_head: &HeadToHead) -> Table {
    let mut table = Table::new([
        Column::text("color"),
        Column::text("opening"),
        Column::number("games"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
    ]);

    for HeadToHeadOpening {
        color,
        eco,
        name,
        score,
    } in &head_to_head.openings
    {
        let opening = match name {
            Some(name) => format!("{eco} {name}"),
            None => eco.clone(),
        };
        table.rows.push(vec![
            color.name().into(),
            opening.trim_end().to_owned().into(),
            grouped(score.all_games()).into(),
            grouped(score.won).into(),
            grouped(score.drawn).into(),
            grouped(score.lost).into(),
        ]);
    }
    table
}

fn games(head_to_head: &HeadToHead, headings: &[Heading]) -> Table {
    let mut table = Table::new([
        Column::number("game"),
        Column::text("White"),
        Column::text("Black"),
        Column::text("result"),
        Column::text("date"),
        Column::text("event"),
    ]);

    let known = |text: &Option<String>| Cell::from(text.clone().unwrap_or_default());
    for ((game, _), heading) in head_to_head.games.iter().zip(headings) {
        table.rows.push(vec![
            linked(*game),
            known(&heading.white),
            known(&heading.black),
            heading.result.clone().into(),
            known(&heading.date),
            known(&heading.event),
        ]);
    }
    table
}

fn linked(game: GameId) -> Cell {
    Cell::Spans(vec![Span::game(game.to_string(), game)])
}
