//! Novelties: the moves with which games first reach positions that no earlier game had.

use schemars::JsonSchema;
use serde::Serialize;

use super::{GameRef, ListedGame, MoveEvaluation, database_name};
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
    /// The number of games that were compared with earlier games.
    pub games: u64,
    /// Games without a date, which count as later than all games with a date.
    pub undated: u64,
    /// Games that are marked as duplicates and were not compared.
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
    /// The evaluation of the move.
    #[serde(flatten)]
    pub evaluation: MoveEvaluation,
}

impl Novelties {
    /// The first `limit` novelties of one or several databases. With `names`, the names of these databases, each game
    /// has the name of its database.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read(
        databases: &[&Database],
        names: Option<&[String]>,
        found: &novelty::JoinedNovelties,
        limit: usize,
    ) -> Result<Novelties> {
        let mut novelties = Vec::new();
        for novelty in found.list.iter().take(limit) {
            novelties.push(Novelty::read(databases, names, novelty)?);
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
        names: Option<&[String]>,
        found: &novelty::NoveltyOfDatabase,
    ) -> Result<Novelty> {
        let database = databases[found.database];
        let novelty = &found.novelty;

        let mut game = ListedGame::read(database, novelty.game)?;
        game.game.database = database_name(names, found.database);

        // The game may have changed since its novelty was found, and have no such move any more.
        let played = novelty.played(database)?;
        let (san, move_number) = played.map(|played| (played.san, played.number)).unzip();

        let last = match (found.last_database, novelty.last) {
            (Some(last_database), Some(last)) => Some(GameRef {
                database: database_name(names, last_database),
                ..GameRef::read(databases[last_database], last)?
            }),
            _ => None,
        };

        let evaluation = match novelty.move_in_position(database)? {
            Some((position, mv)) => MoveEvaluation::read(databases, &position, Some(mv))?,
            None => MoveEvaluation::default(),
        };

        Ok(Novelty {
            game,
            ply: novelty.ply.get(),
            move_number,
            san,
            games_before: novelty.before,
            games_after: novelty.after,
            last,
            evaluation,
        })
    }
}
