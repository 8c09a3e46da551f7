//! Novelties: the moves with which games first reach positions that no earlier game had.

use schemars::JsonSchema;
use serde::Serialize;

use super::{GameRef, ListedGame, MoveEvaluation};
use crate::error::Result;
use crate::storage::Database;
use crate::study::novelty;

/// The novelties of some games.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Novelties {
    /// The first novelties.
    pub novelties: Vec<Novelty>,
    /// The number of all novelties.
    pub count: usize,
    /// The number of games that were compared with earlier ones.
    pub games: u64,
    /// Games without a date among them, which count as later than all others.
    pub undated: u64,
    /// Games that are marked as duplicates, and were not compared.
    pub duplicates: u64,
}

/// A novelty.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Novelty {
    /// The game.
    #[serde(flatten)]
    pub game: ListedGame,
    /// The half-moves up to the new position.
    pub ply: u32,
    /// The number of the move, `12.` or `12...`.
    pub move_number: Option<String>,
    /// The move; null if the game has changed since.
    pub san: Option<String>,
    /// The earlier games with the position before the move.
    pub games_before: u64,
    /// The later games with the new position.
    pub games_after: u64,
    /// The last game with the position before the move.
    pub last: Option<GameRef>,
    /// How good the move is.
    #[serde(flatten)]
    pub evaluation: MoveEvaluation,
}

impl Novelties {
    /// The first `limit` novelties.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(
        database: &Database,
        found: &novelty::Novelties,
        limit: usize,
    ) -> Result<Novelties> {
        let mut novelties = Vec::new();
        for one in found.list.iter().take(limit) {
            novelties.push(Novelty::read(&[database], database, one)?);
        }
        Ok(Novelties {
            novelties,
            count: found.list.len(),
            games: found.games,
            undated: found.undated,
            duplicates: found.duplicates,
        })
    }
}

impl Novelties {
    /// The first `limit` novelties of several databases, in which games have the names of theirs.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read_joined(
        databases: &[&Database],
        names: &[String],
        found: &novelty::JoinedNovelties,
        limit: usize,
    ) -> Result<Novelties> {
        let mut novelties = Vec::new();
        for one in found.list.iter().take(limit) {
            let novelty = novelty::Novelty {
                last: None,
                ..one.novelty
            };
            let mut row = Novelty::read(databases, databases[one.database], &novelty)?;
            row.game.game.database = Some(names[one.database].clone());
            if let (Some(database), Some(last)) = (one.last_database, one.novelty.last) {
                let last = GameRef::read(databases[database], last)?;
                row.last = Some(GameRef {
                    database: Some(names[database].clone()),
                    ..last
                });
            }
            novelties.push(row);
        }
        Ok(Novelties {
            novelties,
            count: found.list.len(),
            games: found.games,
            undated: found.undated,
            duplicates: found.duplicates,
        })
    }
}

impl Novelty {
    /// Reads a novelty of one of the databases.
    fn read(
        databases: &[&Database],
        database: &Database,
        found: &novelty::Novelty,
    ) -> Result<Novelty> {
        let played = found.played(database)?;
        let (san, move_number) = played.map(|played| (played.san, played.number)).unzip();
        let last = found
            .last
            .map(|last| GameRef::read(database, last))
            .transpose()?;
        let evaluation = match found.move_in_position(database)? {
            Some((position, mv)) => MoveEvaluation::read(databases, &position, Some(mv))?,
            None => MoveEvaluation::default(),
        };
        Ok(Novelty {
            game: ListedGame::read(database, found.game)?,
            ply: found.ply.get(),
            move_number,
            san,
            games_before: found.before,
            games_after: found.after,
            last,
            evaluation,
        })
    }
}
