//! The games of two players against each other.

use schemars::JsonSchema;
use serde::Serialize;

use super::player::player_refs;
use super::{ListedGame, OpeningScore, PlayerRef, Score, YearScore, color_name};
use crate::error::Result;
use crate::storage::Database;
use crate::study::head_to_head;

/// The games of two players, from the point of view of the first player.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeadToHead {
    /// The player.
    pub player: String,
    /// The opponent.
    pub opponent: String,
    /// All games.
    #[serde(flatten)]
    pub total: Score,
    /// The games in which the player had White.
    pub white: Score,
    /// The games in which the player had Black.
    pub black: Score,
    /// The years, the latest first.
    pub years: Vec<YearScore>,
    /// Other players who match the player's name; none of their games is counted.
    pub other_players: Vec<PlayerRef>,
    /// The openings, the most played first: with White, then with Black.
    pub openings: Vec<OpeningScore>,
    /// The latest games.
    pub latest_games: Vec<HeadToHeadGame>,
}

/// A game of two players.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeadToHeadGame {
    /// The color of the player.
    pub color: &'static str,
    /// The game.
    #[serde(flatten)]
    pub game: ListedGame,
}

impl HeadToHead {
    /// The answer for the games of two players. The headings of the latest games are read from the database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, found: &head_to_head::HeadToHead) -> Result<HeadToHead> {
        let mut latest_games = Vec::new();
        for (game, color) in &found.games {
            latest_games.push(HeadToHeadGame {
                color: color_name(*color),
                game: ListedGame::read(database, *game)?,
            });
        }

        let mut years = Vec::with_capacity(found.years.rows.len());
        for (year, score) in &found.years.rows {
            years.push(YearScore {
                year: *year,
                score: score.into(),
            });
        }

        let mut openings = Vec::with_capacity(found.openings.len());
        for opening in &found.openings {
            openings.push(OpeningScore {
                color: color_name(opening.color),
                eco: opening.eco.clone(),
                opening: opening.name.clone(),
                score: (&opening.score).into(),
            });
        }

        Ok(HeadToHead {
            player: found.player.clone(),
            opponent: found.opponent.clone(),
            total: (&found.total).into(),
            white: (&found.white).into(),
            black: (&found.black).into(),
            years,
            other_players: player_refs(&found.others),
            openings,
            latest_games,
        })
    }
}
