//! The record of a player.

use schemars::JsonSchema;
use serde::Serialize;

use super::{GameRef, Score, color_name, one_decimal};
use crate::board::Color;
use crate::error::Result;
use crate::query::player::{PlayerAccuracy, PlayerQuery, PlayerRecord, PlayerScore, Ranked};
use crate::storage::Database;

/// The record of a player in all games, and in parts of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Player {
    /// The most frequent spelling of the name; what was asked if there are no games.
    pub name: String,
    /// All games.
    #[serde(flatten)]
    pub total: Score,
    /// The games with White.
    pub white: Score,
    /// The games with Black.
    pub black: Score,
    /// The accuracy in the games with evaluations behind all moves; `null` if there are none.
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
    /// The latest games against the opponent that was asked for.
    pub latest_games: Vec<PlayerGame>,
}

/// How accurately a player has moved.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Accuracy {
    /// The number of games with evaluations behind all moves.
    pub games: u64,
    /// Their mean accuracy in percent, as on Lichess.
    pub accuracy: f64,
    /// The mean of their average centipawn losses.
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
    /// The most frequent name among the player's games with this code, whatever the color.
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
    /// Its most played openings.
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
    /// The score in this game, from which the row is made.
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
        let spellings = name_scores(&record.spellings);
        let name = match spellings.first() {
            Some(first) => first.name.clone(),
            None => query.player.text.clone(),
        };

        let years = record.years.rows.iter();
        let years = years.map(|(year, score)| YearScore {
            year: *year,
            score: score.into(),
        });

        Player {
            name,
            total: (&record.total).into(),
            white: score_with(record, Color::White),
            black: score_with(record, Color::Black),
            accuracy: accuracy(record),
            spellings,
            by_initials: player_refs(&record.by_initials),
            other_players: player_refs(&record.others),
            years: years.collect(),
            openings: opening_scores(record),
            families: family_scores(record),
            opponents: name_scores(&record.opponents),
            latest_games,
        }
    }

    /// All parts as rows; none if there are no games.
    pub fn rows(&self) -> Vec<PlayerRow> {
        if self.total.games == 0 {
            return Vec::new();
        }

        let mut rows = vec![row("total", None, &self.total)];
        for spelling in &self.spellings {
            rows.push(row("spelling", Some(&spelling.name), &spelling.score));
        }
        for other in &self.other_players {
            let score = Score {
                games: other.games,
                ..Score::default()
            };
            rows.push(row("other-player", Some(&other.name), &score));
        }

        for (color, score) in [("white", &self.white), ("black", &self.black)] {
            rows.push(PlayerRow {
                color: Some(color),
                ..row("color", None, score)
            });
        }

        for one in &self.openings {
            rows.push(PlayerRow {
                color: Some(one.color),
                opening: one.opening.clone(),
                ..row("opening", Some(&one.eco), &one.score)
            });
        }

        for family in &self.families {
            let color = Some(family.color);
            rows.push(PlayerRow {
                color,
                ..row("family", Some(&family.family), &family.score)
            });
            for one in &family.openings {
                rows.push(PlayerRow {
                    color,
                    ..row("variation", Some(&one.opening), &one.score)
                });
            }
        }

        for opponent in &self.opponents {
            rows.push(row("opponent", Some(&opponent.name), &opponent.score));
        }
        for one in &self.years {
            rows.push(row("year", Some(&one.year.to_string()), &one.score));
        }
        for latest in &self.latest_games {
            rows.push(latest.row());
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
                score: score.into(),
            });
        }
        Ok(latest)
    }

    fn row(&self) -> PlayerRow {
        let is_white = self.color == "white";
        let opponent = if is_white {
            &self.game.black
        } else {
            &self.game.white
        };

        PlayerRow {
            color: Some(self.color),
            game: Some(self.game.game),
            ..row("game", opponent.as_ref(), &self.score)
        }
    }
}

fn row(group: &'static str, name: Option<&String>, score: &Score) -> PlayerRow {
    PlayerRow {
        group,
        name: name.cloned(),
        score: score.clone(),
        ..PlayerRow::default()
    }
}

fn score_with(record: &PlayerRecord, color: Color) -> Score {
    let score = record.colors.iter().find(|(other, _)| *other == color);
    score.map_or_else(Score::default, |(_, score)| score.into())
}

fn accuracy(record: &PlayerRecord) -> Option<Accuracy> {
    let PlayerAccuracy { games, .. } = record.accuracy;
    Some(Accuracy {
        games,
        accuracy: one_decimal(record.accuracy.percent()?),
        centipawn_loss: one_decimal(record.accuracy.centipawn_loss()?),
    })
}

/// Names with their games.
pub(super) fn player_refs(names: &[(String, u64)]) -> Vec<PlayerRef> {
    let player_ref = |(name, games): &(String, u64)| PlayerRef {
        name: name.clone(),
        games: *games,
    };
    names.iter().map(player_ref).collect()
}

fn name_scores(ranked: &Ranked<String>) -> Vec<NameScore> {
    let score = |(name, score): &(String, PlayerScore)| NameScore {
        name: name.clone(),
        score: score.into(),
    };
    ranked.rows.iter().map(score).collect()
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
            let openings = family
                .openings
                .rows
                .iter()
                .map(|(name, score)| VariationScore {
                    opening: name.clone(),
                    score: score.into(),
                });
            scores.push(FamilyScore {
                color: color_name(*color),
                family: family.name.clone(),
                score: (&family.score).into(),
                openings: openings.collect(),
            });
        }
    }
    scores
}
