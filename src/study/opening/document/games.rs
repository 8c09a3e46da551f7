//! The players, games and novelties of an opening, as sections of its document.

use crate::report::{Cell, Chart, ChartKind, Column, Document, Span, Table, Target, Unit};
use crate::report::{counted, elo, grouped};
use crate::study::opening::{
    KeyGame, KeyGameReason, OpeningNovelty, OpeningNoveltyYear, OpeningPlayers, OpeningReport,
};

pub(super) fn add_players(report: &OpeningReport, document: &mut Document) {
    if report.players.iter().all(|players| players.list.is_empty()) {
        return;
    }

    document.heading("Players");
    for (color, players) in ["White", "Black"].into_iter().zip(&report.players) {
        if !players.list.is_empty() {
            let least = counted(players.min_games, "game", "games");
            document.subheading(format!("Best with {color}, of at least {least}"));
            document.table(players_table(players));
        }
    }
    document.note(
        "By performance: the mean rating of the opponents, and FIDE's difference for the score.",
    );
}

fn players_table(players: &OpeningPlayers) -> Table {
    let mut table = Table::new([
        Column::text("player"),
        Column::number("games"),
        Column::text("results"),
        Column::number("score"),
        Column::number("opp. Elo").extra(),
        Column::number("perf."),
        Column::number("last").extra(),
    ]);

    for player in &players.list {
        let name = player.name.clone();
        let link = Span::Link(name.clone(), Target::Player(name));

        let score = &player.score;
        let per_cent = match score.per_cent() {
            Some(part) => format!("{part:.1} %"),
            None => "-".to_owned(),
        };
        let last_year = match score.last {
            Some(date) => date.year().to_string(),
            None => "-".to_owned(),
        };

        table.rows.push(vec![
            link.into(),
            grouped(score.all_games()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            per_cent.into(),
            elo(score.opponent_elo.mean()).into(),
            elo(score.performance()).into(),
            last_year.into(),
        ]);
    }
    table
}

pub(super) fn add_key_games(
    report: &OpeningReport,
    names: Option<&[String]>,
    document: &mut Document,
) {
    if report.key_games.is_empty() {
        return;
    }

    document.heading("Games");
    let database = names.map(|_| Column::text("database"));
    let columns = database.into_iter().chain([
        Column::number("game"),
        Column::text("White"),
        Column::text("Black"),
        Column::text("result"),
        Column::number("Elo").extra(),
        Column::number("Elo").extra(),
        Column::text("date"),
        Column::text("event").extra(),
        Column::text("chosen for"),
    ]);

    let mut table = Table::new(columns);
    for key in &report.key_games {
        table.rows.push(key_game_row(key, names));
    }
    document.table(table);
}

fn key_game_row(key: &KeyGame, names: Option<&[String]>) -> Vec<Cell> {
    let reason = match key.reason {
        KeyGameReason::Rating => "its ratings",
        KeyGameReason::Decisive => "its result",
        KeyGameReason::Recent => "its date",
    };
    let rating = |elo: Option<i64>| match elo {
        Some(elo) => elo.to_string(),
        None => "-".to_owned(),
    };

    let database = names.map(|names| names[key.game.database].as_str());
    let number = key.game.game;
    let heading = &key.heading;

    let mut cells: Vec<Cell> = database.into_iter().map(Cell::from).collect();
    cells.extend([
        Span::game_of(number.to_string(), database, number).into(),
        text_or_unknown(&heading.white).into(),
        text_or_unknown(&heading.black).into(),
        heading.result.as_str().into(),
        rating(heading.white_elo).into(),
        rating(heading.black_elo).into(),
        text_or_unknown(&heading.date).into(),
        text_or_unknown(&heading.event).into(),
        reason.into(),
    ]);
    cells
}

pub(super) fn add_novelties(
    report: &OpeningReport,
    names: Option<&[String]>,
    document: &mut Document,
) {
    let novelties = &report.novelties;
    if novelties.list.is_empty() {
        return;
    }

    document.heading("Novelties");
    let games = counted(novelties.games, "game", "games");
    let which = if novelties.games < report.counts.all_games() {
        "with the highest ratings, of equal ones the latest,"
    } else {
        "of the opening"
    };
    let have = match novelties.all {
        1 => "1 has".to_owned(),
        all => format!("{} have", grouped(all)),
    };
    let text = format!(
        "Of the {games} {which} {have} a novelty in it: the first position that no earlier game of the database had."
    );
    document.paragraph([text.into()]);

    add_novelty_charts(&novelties.years, document);
    document.table(novelty_table(&novelties.list, names));
}

/// The numbers of novelties by year, and the mean move of the novelty.
fn add_novelty_charts(years: &[OpeningNoveltyYear], document: &mut Document) {
    let numbers = years.iter().map(|year| {
        let novelties = year.novelties as f64;
        (year.year.to_string(), Some(novelties))
    });
    let number_title = "Novelties by year";
    let number_chart = Chart::of(number_title, Unit::Count, ChartKind::Bars, numbers);
    document.chart(number_chart);

    let moves = years.iter().map(|year| {
        // The half-moves 2n - 1 and 2n are the move n.
        let mean_move = (year.mean_ply / 2.0).ceil();
        (year.year.to_string(), Some(mean_move))
    });
    let move_title = "The move of the novelty, on average";
    let move_chart = Chart::of(move_title, Unit::Count, ChartKind::Lines, moves);
    document.chart(move_chart);
}

fn novelty_table(novelties: &[OpeningNovelty], names: Option<&[String]>) -> Table {
    let mut columns = vec![
        Column::text("novelty"),
        Column::number("games before"),
        Column::number("games after"),
    ];
    columns.extend(names.map(|_| Column::text("database")));
    columns.extend([
        Column::number("game"),
        Column::text("White"),
        Column::text("Black"),
        Column::text("result"),
        Column::text("date"),
    ]);

    let mut table = Table::new(columns);
    for novelty in novelties {
        table.rows.push(novelty_row(novelty, names));
    }
    table
}

/// The row of a novelty.
fn novelty_row(one: &OpeningNovelty, names: Option<&[String]>) -> Vec<Cell> {
    let heading = &one.heading;
    let novelty = &one.novelty.novelty;
    let number = novelty.game;
    let database = names.map(|names| names[one.novelty.database].as_str());

    let played = match &one.played {
        Some(played) => played.to_string(),
        None => "?".to_owned(),
    };
    let target = Target::Game {
        database: database.map(str::to_owned),
        game: number,
        ply: Some(novelty.ply.get()),
    };

    let mut cells: Vec<Cell> = vec![
        Span::Link(played, target).into(),
        grouped(novelty.before).into(),
        grouped(novelty.after).into(),
    ];
    cells.extend(database.map(Cell::from));
    cells.extend([
        Span::game_of(number.to_string(), database, number).into(),
        text_or_unknown(&heading.white).into(),
        text_or_unknown(&heading.black).into(),
        heading.result.as_str().into(),
        text_or_unknown(&heading.date).into(),
    ]);
    cells
}

/// A value of a heading, or `?` if it is not known.
fn text_or_unknown(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "?".to_owned())
}
