//! The record of a player for programs: all lists as rows of one type, distinguished by their group.

use serde::Serialize;

use stamma::board::Color;
use stamma::query::player::{PlayerRecord, PlayerScore, Ranked};
use stamma::storage::Heading;

pub(super) const COLUMNS: [&str; 15] = [
    "group",
    "name",
    "colour",
    "game",
    "games",
    "won",
    "drawn",
    "lost",
    "score",
    "opponent_elo",
    "performance",
    "highest_elo",
    "first_date",
    "last_date",
    "opening",
];

#[derive(Debug, Serialize)]
pub(super) struct Row {
    group: &'static str,
    /// The key of the row: a spelling, another player, an ECO code, a family of openings or an opening of one, an
    /// opponent, a year.
    name: Option<String>,
    colour: Option<&'static str>,
    game: Option<i64>,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    /// In per cent.
    score: Option<f64>,
    opponent_elo: Option<i64>,
    performance: Option<i64>,
    highest_elo: Option<u16>,
    first_date: Option<String>,
    last_date: Option<String>,
    /// The opening of most games with an ECO code.
    opening: Option<String>,
}

/// All rows of a record, whose latest games have these headings; none without games.
pub(super) fn rows(record: &PlayerRecord, latest: &[Heading]) -> Vec<Row> {
    if record.total.all_games() == 0 {
        return Vec::new();
    }
    let mut rows = vec![Row::new("total", None, &record.total)];
    rows.extend(named("spelling", &record.spellings));
    for (name, games) in &record.others {
        let row = Row::new("other-player", Some(name.clone()), &PlayerScore::default());
        rows.push(Row { games: *games, ..row });
    }
    rows.extend(
        record.colors.iter().map(|(color, score)| Row::new("colour", None, score).with(*color)),
    );
    for (color, openings) in &record.openings {
        rows.extend(named("opening", openings).map(|row| {
            let opening = row.name.as_ref().and_then(|eco| record.opening_names.get(eco));
            Row { opening: opening.cloned(), ..row.with(*color) }
        }));
    }
    for (color, families, _) in &record.families {
        for family in families {
            let name = Some(family.name.clone());
            rows.push(Row::new("family", name, &family.score).with(*color));
            rows.extend(named("variation", &family.openings).map(|row| row.with(*color)));
        }
    }
    rows.extend(named("opponent", &record.opponents));
    rows.extend(named("year", &record.years));
    rows.extend(record.latest.rows.iter().zip(latest).map(|(((game, color), score), heading)| {
        let opponent = if color.is_white() { &heading.black } else { &heading.white };
        Row { game: Some((*game).get()), ..Row::new("game", opponent.clone(), score).with(*color) }
    }));
    rows
}

fn named<K: ToString>(group: &'static str, list: &Ranked<K>) -> impl Iterator<Item = Row> {
    list.rows.iter().map(move |(key, score)| Row::new(group, Some(key.to_string()), score))
}

impl Row {
    fn new(group: &'static str, name: Option<String>, score: &PlayerScore) -> Row {
        let whole = |points: f64| points.round() as i64;
        Row {
            group,
            name,
            colour: None,
            game: None,
            games: score.all_games(),
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            score: score.per_cent().map(|per_cent| (10.0 * per_cent).round() / 10.0),
            opponent_elo: score.opponent_elo.mean().map(whole),
            performance: score.performance().map(whole),
            highest_elo: score.highest_elo.map(u16::from),
            first_date: score.first.map(|date| date.to_string()),
            last_date: score.last.map(|date| date.to_string()),
            opening: None,
        }
    }

    fn with(self, color: Color) -> Row {
        let colour = if color.is_white() { "white" } else { "black" };
        Row { colour: Some(colour), ..self }
    }
}
