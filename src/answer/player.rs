//! The record of a player.

use schemars::JsonSchema;
use serde::Serialize;

use super::{GameRef, Score, color_name, one_decimal};
use crate::board::Color;
use crate::error::Result;
use crate::query::player::{PlayerQuery, PlayerRecord, Ranked};
use crate::storage::Database;

/// The record of a player in all games, and in parts of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Player {
    /// The most frequent spelling of the name; the name of the query if there are no games.
    pub name: String,
    /// All games.
    #[serde(flatten)]
    pub total: Score,
    /// The games with White.
    pub white: Score,
    /// The games with Black.
    pub black: Score,
    /// The accuracy in the games with an evaluation after each move; null without such games.
    pub accuracy: Option<Accuracy>,
    /// All spellings, the most frequent first.
    pub spellings: Vec<NameScore>,
    /// Spellings among them without a full given name, which may be another player's.
    pub by_initials: Vec<PlayerRef>,
    /// Other players whose names match; none of their games is counted.
    pub other_players: Vec<PlayerRef>,
    /// The years, the latest first.
    pub years: Vec<YearScore>,
    /// The openings by their codes, the most played first: with White, then with Black.
    pub openings: Vec<OpeningScore>,
    /// The families of openings, the most played first: with White, then with Black.
    pub families: Vec<FamilyScore>,
    /// The opponents, the most frequent first.
    pub opponents: Vec<NameScore>,
    /// The latest games against the opponent of the query.
    pub latest_games: Vec<PlayerGame>,
}

/// The accuracy of a player's moves.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Accuracy {
    /// The number of games with an evaluation after each move.
    pub games: u64,
    /// The mean accuracy of these games in percent, as on Lichess.
    pub accuracy: f64,
    /// The mean of the average centipawn losses of these games.
    pub centipawn_loss: f64,
}

/// A player with a number of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlayerRef {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
}

/// The games in one spelling, or against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NameScore {
    /// The spelling, or the opponent's name.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

/// The games of a year.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct YearScore {
    /// The year.
    pub year: u16,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

/// The games with an ECO code and a color.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OpeningScore {
    /// The color of the player.
    pub color: &'static str,
    /// The code.
    pub eco: String,
    /// The most frequent name among the player's games with this code, with either color.
    pub opening: Option<String>,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

/// The games with a family of openings and a color.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FamilyScore {
    /// The color of the player.
    pub color: &'static str,
    /// The name of the family.
    pub family: String,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
    /// The most played openings of the family.
    pub openings: Vec<VariationScore>,
}

/// The games with an opening of a family.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VariationScore {
    /// The name.
    pub opening: String,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

/// A game of the player.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlayerGame {
    /// The color of the player.
    pub color: &'static str,
    /// The game.
    #[serde(flatten)]
    pub game: GameRef,
    /// The side of the player, for the game's row.
    #[serde(skip)]
    pub(super) side: Color,
    /// The score in this game, for the game's row.
    #[serde(skip)]
    pub(super) score: Score,
}

/// A part of a player's record as a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct PlayerRow {
    /// `total`, `spelling`, `other-player`, `color`, `opening`, `family`, `variation`, `opponent`, `year` or `game`.
    pub group: &'static str,
    /// The key of the row: a spelling, another player, an ECO code, the name of an opening, an opponent, a year.
    pub name: Option<String>,
    /// The color of the player.
    pub color: Option<&'static str>,
    /// The number of a game.
    pub game: Option<i64>,
    /// The most frequent name among the player's games with an ECO code.
    pub opening: Option<String>,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

impl Player {
    /// The answer for the record of a query.
    pub fn new(
        query: &PlayerQuery,
        record: &PlayerRecord,
        latest_games: Vec<PlayerGame>,
    ) -> Player {
        // The most frequent spelling is the name of the player. A player without games has the name of the query.
        let spellings = name_scores(&record.spellings);
        let name = match spellings.first() {
            Some(first) => first.name.clone(),
            None => query.player.text.clone(),
        };

        let mut years = Vec::with_capacity(record.years.rows.len());
        for (year, score) in &record.years.rows {
            years.push(YearScore {
                year: *year,
                score: score.into(),
            });
        }

        Player {
            name,
            total: (&record.total).into(),
            white: score_with(record, Color::White),
            black: score_with(record, Color::Black),
            accuracy: accuracy(record),
            spellings,
            by_initials: player_refs(&record.by_initials),
            other_players: player_refs(&record.others),
            years,
            openings: opening_scores(record),
            families: family_scores(record),
            opponents: name_scores(&record.opponents),
            latest_games,
        }
    }

    /// The parts of the record as rows; empty if the player has no games.
    pub fn rows(&self) -> Vec<PlayerRow> {
        if self.total.games == 0 {
            return Vec::new();
        }

        let mut rows = vec![group_row("total", None, &self.total)];
        for spelling in &self.spellings {
            rows.push(group_row("spelling", Some(&spelling.name), &spelling.score));
        }
        for other in &self.other_players {
            // Only the number of the other players' games is known, not their results.
            let score = Score {
                games: other.games,
                ..Score::default()
            };
            rows.push(group_row("other-player", Some(&other.name), &score));
        }

        for (color, score) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            rows.push(PlayerRow {
                color: Some(color_name(color)),
                ..group_row("color", None, score)
            });
        }

        for opening in &self.openings {
            rows.push(opening.row());
        }
        for family in &self.families {
            rows.extend(family.rows());
        }

        for opponent in &self.opponents {
            rows.push(group_row("opponent", Some(&opponent.name), &opponent.score));
        }
        for year in &self.years {
            let name = year.year.to_string();
            rows.push(group_row("year", Some(&name), &year.score));
        }
        for latest in &self.latest_games {
            rows.push(latest.row());
        }

        rows
    }
}

impl OpeningScore {
    fn row(&self) -> PlayerRow {
        PlayerRow {
            color: Some(self.color),
            opening: self.opening.clone(),
            ..group_row("opening", Some(&self.eco), &self.score)
        }
    }
}

impl FamilyScore {
    /// The row of the family, and the rows of its openings.
    fn rows(&self) -> Vec<PlayerRow> {
        let color = Some(self.color);
        let mut rows = vec![PlayerRow {
            color,
            ..group_row("family", Some(&self.family), &self.score)
        }];

        for variation in &self.openings {
            rows.push(PlayerRow {
                color,
                ..group_row("variation", Some(&variation.opening), &variation.score)
            });
        }
        rows
    }
}

impl PlayerGame {
    /// Reads the latest games of a record.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read_latest(database: &Database, record: &PlayerRecord) -> Result<Vec<PlayerGame>> {
        let mut latest = Vec::new();
        for ((game, color), score) in &record.latest.rows {
            latest.push(PlayerGame {
                color: color_name(*color),
                game: GameRef::read(database, *game)?,
                side: *color,
                score: score.into(),
            });
        }
        Ok(latest)
    }

    fn row(&self) -> PlayerRow {
        // The name in the row of a game is the opponent's.
        let opponent = match self.side {
            Color::White => &self.game.black,
            Color::Black => &self.game.white,
        };

        PlayerRow {
            color: Some(self.color),
            game: Some(self.game.game),
            ..group_row("game", opponent.as_ref(), &self.score)
        }
    }
}

/// A row of a group, with a name and a score, and without color, game and opening.
fn group_row(group: &'static str, name: Option<&String>, score: &Score) -> PlayerRow {
    PlayerRow {
        group,
        name: name.cloned(),
        score: score.clone(),
        ..PlayerRow::default()
    }
}

/// The score in the games with a color.
fn score_with(record: &PlayerRecord, color: Color) -> Score {
    let found = record.colors.iter().find(|(other, _)| *other == color);
    match found {
        Some((_, score)) => score.into(),
        None => Score::default(),
    }
}

/// The accuracy in the games with an evaluation after each move; `None` without such games.
fn accuracy(record: &PlayerRecord) -> Option<Accuracy> {
    let percent = record.accuracy.percent()?;
    let centipawn_loss = record.accuracy.centipawn_loss()?;

    Some(Accuracy {
        games: record.accuracy.games,
        accuracy: one_decimal(percent),
        centipawn_loss: one_decimal(centipawn_loss),
    })
}

/// Names with the numbers of their games.
pub(super) fn player_refs(names: &[(String, u64)]) -> Vec<PlayerRef> {
    let mut refs = Vec::with_capacity(names.len());
    for (name, games) in names {
        refs.push(PlayerRef {
            name: name.clone(),
            games: *games,
        });
    }
    refs
}

fn name_scores(ranked: &Ranked<String>) -> Vec<NameScore> {
    let mut scores = Vec::with_capacity(ranked.rows.len());
    for (name, score) in &ranked.rows {
        scores.push(NameScore {
            name: name.clone(),
            score: score.into(),
        });
    }
    scores
}

fn opening_scores(record: &PlayerRecord) -> Vec<OpeningScore> {
    let mut scores = Vec::new();
    for (color, openings) in &record.openings {
        for (eco, score) in &openings.rows {
            scores.push(OpeningScore {
                color: color_name(*color),
                eco: eco.clone(),
                opening: record.opening_names.get(eco).cloned(),
                score: score.into(),
            });
        }
    }
    scores
}

fn family_scores(record: &PlayerRecord) -> Vec<FamilyScore> {
    let mut scores = Vec::new();
    for (color, families, _) in &record.families {
        for family in families {
            let mut openings = Vec::with_capacity(family.openings.rows.len());
            for (name, score) in &family.openings.rows {
                openings.push(VariationScore {
                    opening: name.clone(),
                    score: score.into(),
                });
            }

            scores.push(FamilyScore {
                color: color_name(*color),
                family: family.name.clone(),
                score: (&family.score).into(),
                openings,
            });
        }
    }
    scores
}
