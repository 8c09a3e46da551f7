//! `/api/1/player`: the record of a player.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Joined, Method, Question, Route, Weight};
use stamma::board::Color;
use stamma::query::NameQuery;
use stamma::query::player::{PlayerQuery, PlayerRecord, PlayerScore, Ranked};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/player",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "The record of a player by colour, opening, opponent and year",
        parameters: &[
            ("name", "words or word prefixes of the name, or the exact name behind ="),
            ("against", "the name of an opponent"),
            ("limit", "the most rows of each list, at most 1000 (default: 50)"),
        ],
        has_filters: true,
        schema: "Player",
    },
};

const USUAL_ROWS: usize = 50;
const MOST_ROWS: usize = 1000;

#[derive(Serialize)]
struct Record {
    name: String,
    spellings: Vec<String>,
    by_initials: Vec<Named>,
    other_players: Vec<Named>,
    games: u64,
    white: Score,
    black: Score,
    average_elo: Option<i64>,
    highest_elo: Option<u16>,
    performance: Option<i64>,
    first_date: Option<String>,
    last_date: Option<String>,
    years: Vec<Year>,
    openings: Vec<Opening>,
    families: Vec<Family>,
    opponents: Vec<Opponent>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    games: u64,
}

#[derive(Serialize)]
struct Score {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Serialize)]
struct Year {
    year: u16,
    #[serde(flatten)]
    score: Score,
    average_elo: Option<i64>,
}

#[derive(Serialize)]
struct Opening {
    color: &'static str,
    eco: String,
    opening: Option<String>,
    #[serde(flatten)]
    score: Score,
}

/// A family of openings, and its openings that are played most.
#[derive(Serialize)]
struct Family {
    color: &'static str,
    family: String,
    #[serde(flatten)]
    score: Score,
    openings: Vec<NamedOpening>,
}

/// An opening by its finest name.
#[derive(Serialize)]
struct NamedOpening {
    opening: String,
    #[serde(flatten)]
    score: Score,
}

#[derive(Serialize)]
struct Opponent {
    name: String,
    #[serde(flatten)]
    score: Score,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let query = PlayerQuery {
        player: name(parameters.required("name")?)?,
        opponent: match parameters.get("against").filter(|text| !text.is_empty()) {
            Some(text) => Some(name(text)?),
            None => None,
        },
        filter: joined.game_options()?.filter,
        limit: parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?,
    };
    let record = match joined.has_several() {
        true => joined_record(joined, &query)?,
        false => joined.single(|question| read(question, &query))?,
    };
    Answer::json(&Record::new(&query, &record))
}

fn read(question: &Question<'_>, query: &PlayerQuery) -> Result<PlayerRecord, Failure> {
    Ok(PlayerRecord::read(question.database, query, &question.watch)?)
}

/// The record in several databases of the player with the most games whose name matches.
fn joined_record(joined: &Joined<'_>, query: &PlayerQuery) -> Result<PlayerRecord, Failure> {
    let uncut = PlayerQuery { limit: usize::MAX, ..query.clone() };
    let mut records = joined.ask(|question| read(question, &uncut))?;

    // In another database, the name may first mean somebody else.
    if let Some(meant) = PlayerRecord::most_frequent_name(&records) {
        let player = match query.player.is_exact {
            true => query.player.clone(),
            false => NameQuery::from(meant.as_str()),
        };
        let by_name = PlayerQuery { player, ..uncut };
        for (database, record) in records.iter_mut().enumerate() {
            if record.names.rows.iter().all(|(name, _)| *name != meant) {
                *record = joined.ask_one(database, |question| read(question, &by_name))?;
            }
        }
    }
    Ok(PlayerRecord::joined(&records, query.limit))
}

fn name(text: &str) -> Result<NameQuery, Failure> {
    let name = NameQuery::from(text.trim());
    match name.is_exact || name.text.contains(char::is_alphanumeric) {
        true => Ok(name),
        false => Err(Failure::bad_request("a name has a letter or a digit")),
    }
}

impl Record {
    fn new(query: &PlayerQuery, record: &PlayerRecord) -> Record {
        let PlayerRecord { total, spellings, years, opponents, .. } = record;
        let spellings: Vec<String> = spellings.rows.iter().map(|(name, _)| name.clone()).collect();
        let score = |color| record.colors.iter().find(|(other, _)| *other == color);
        let openings = record.openings.iter().flat_map(|(color, openings)| {
            openings.rows.iter().map(|(eco, score)| Opening {
                color: color_name(*color),
                eco: eco.clone(),
                opening: record.opening_names.get(eco).cloned(),
                score: score.into(),
            })
        });
        Record {
            name: spellings.first().unwrap_or(&query.player.text).clone(),
            spellings,
            by_initials: named(&record.by_initials),
            other_players: named(&record.others),
            games: total.all_games(),
            white: score(Color::White).map_or(&PlayerScore::default(), |(_, score)| score).into(),
            black: score(Color::Black).map_or(&PlayerScore::default(), |(_, score)| score).into(),
            average_elo: total.elo.mean().map(whole),
            highest_elo: total.highest_elo.map(std::num::NonZeroU16::get),
            performance: total.performance().map(whole),
            first_date: total.first.map(|date| date.to_string()),
            last_date: total.last.map(|date| date.to_string()),
            years: rows(years, |year, score| Year {
                year: *year,
                score: score.into(),
                average_elo: score.elo.mean().map(whole),
            }),
            openings: openings.collect(),
            families: families(record),
            opponents: rows(opponents, |name, score| Opponent {
                name: name.clone(),
                score: score.into(),
            }),
        }
    }
}

/// The families of openings with White, then those with Black.
fn families(record: &PlayerRecord) -> Vec<Family> {
    let mut families = Vec::new();
    for (color, of_color, _) in &record.families {
        for family in of_color {
            families.push(Family {
                color: color_name(*color),
                family: family.name.clone(),
                score: (&family.score).into(),
                openings: rows(&family.openings, |name, score| NamedOpening {
                    opening: name.clone(),
                    score: score.into(),
                }),
            });
        }
    }
    families
}

fn color_name(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}

fn named(names: &[(String, u64)]) -> Vec<Named> {
    names.iter().map(|(name, games)| Named { name: name.clone(), games: *games }).collect()
}

fn rows<K, R>(ranked: &Ranked<K>, row: impl Fn(&K, &PlayerScore) -> R) -> Vec<R> {
    ranked.rows.iter().map(|(key, score)| row(key, score)).collect()
}

impl From<&PlayerScore> for Score {
    fn from(score: &PlayerScore) -> Score {
        Score { games: score.all_games(), wins: score.won, draws: score.drawn, losses: score.lost }
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}
