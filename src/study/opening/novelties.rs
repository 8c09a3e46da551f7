//! Novelties of an opening: those of its games with the highest ratings, since every game would take too long.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use super::chosen::Chosen;
use super::key_games::Strength;
use crate::columns::Column;
use crate::error::Result;
use crate::game::PartialDate;
use crate::query::Watch;
use crate::storage::{Database, GameId, GameSet, Heading, InDatabase, NumberedMove, plies_before};
use crate::store_fault::StoreResult;
use crate::study::novelty::{Novelties, Novelty, NoveltyQuery};

/// The most games whose novelties are looked up.
const MOST_GAMES: usize = 400;
/// The most novelties listed.
const MOST_LISTED: usize = 10;

/// The novelties of some games of an opening.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningNovelties {
    /// The number of games whose novelties were looked up, those with the highest ratings, or the latest.
    pub games: u64,
    /// The number of novelties within the opening.
    pub all: u64,
    /// The novelties by year.
    pub years: Vec<OpeningNoveltyYear>,
    /// Those in the positions that most earlier games had.
    pub list: Vec<OpeningNovelty>,
}

/// The novelties of a year.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpeningNoveltyYear {
    /// The year.
    pub year: u16,
    /// The number of novelties.
    pub novelties: u64,
    /// The mean number of half-moves that lead to them, those before the start of a game included.
    pub mean_ply: f64,
}

/// A novelty with its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningNovelty {
    /// The novelty.
    pub novelty: Novelty,
    /// The move; `None` if it cannot be read.
    pub played: Option<NumberedMove>,
    /// The heading of its game.
    pub heading: Heading,
}

pub(super) fn read(
    database: &Database,
    chosen: &Chosen<'_>,
    strongest: &[Strength],
    root_ply: usize,
    watch: &Watch<'_>,
) -> Result<OpeningNovelties> {
    let games: GameSet = strongest
        .iter()
        .take(MOST_GAMES)
        .map(|one| one.game)
        .collect();
    let query = NoveltyQuery::default();
    let mut found = Novelties::of_games(database, chosen.store(), &games, &query, watch)?;
    let plies = plies(&database.connection, &found.list).in_database(database)?;
    found
        .list
        .retain(|novelty| plies[&novelty.game] > root_ply as u64);
    let years = years(chosen, &found.list, &plies).in_database(database)?;
    let mut list = found.list.clone();
    list.sort_by_key(|novelty| (Reverse((novelty.before, novelty.after)), novelty.game));
    list.truncate(MOST_LISTED);
    let named = |novelty: Novelty| {
        let played = novelty.played(database)?;
        let heading = database.heading(novelty.game)?.unwrap_or_default();
        Ok(OpeningNovelty {
            novelty,
            played,
            heading,
        })
    };
    let list: Result<Vec<OpeningNovelty>> = list.into_iter().map(named).collect();
    Ok(OpeningNovelties {
        games: found.games,
        all: found.list.len() as u64,
        years,
        list: list?,
    })
}

/// The half-moves that lead to the novelty of each game, those before the start of the game included.
fn plies(connection: &Connection, novelties: &[Novelty]) -> rusqlite::Result<HashMap<GameId, u64>> {
    let plies = novelties.iter().map(|&Novelty { game, ply, .. }| {
        Ok((game, plies_before(connection, game)? + u64::from(ply.get())))
    });
    plies.collect()
}

fn years(
    chosen: &Chosen<'_>,
    novelties: &[Novelty],
    plies: &HashMap<GameId, u64>,
) -> StoreResult<Vec<OpeningNoveltyYear>> {
    let games: GameSet = novelties.iter().map(|novelty| novelty.game).collect();
    let mut years: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    chosen
        .store()
        .each_of(&games, [Column::Date], |game, [date]| {
            if let (Some(date), Some(&ply)) = (PartialDate::from_code(date), plies.get(&game)) {
                let (novelties, plies) = years.entry(date.year()).or_default();
                *novelties += 1;
                *plies += ply;
            }
        })?;
    let years = years
        .into_iter()
        .map(|(year, (novelties, plies))| OpeningNoveltyYear {
            year,
            novelties,
            mean_ply: plies as f64 / novelties as f64,
        });
    Ok(years.collect())
}
