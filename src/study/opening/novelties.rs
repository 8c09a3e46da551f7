//! Novelties of an opening. Only the games with the highest ratings are looked up, since looking up all games would
//! take too long.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::chosen::Chosen;
use super::key_games::Strength;
use crate::columns::Column;
use crate::error::Result;
use crate::game::PartialDate;
use crate::query::{GameOfDatabase, Watch};
use crate::storage::{
    Database, GameSet, Heading, InDatabase, IndexedPlies, NumberedMove, plies_before,
};
use crate::study::novelty::{JoinedNovelties, Novelty, NoveltyOfDatabase, NoveltyQuery};

/// The maximum number of games whose novelties are looked up.
const MAX_GAMES: usize = 400;
/// The maximum number of listed novelties.
const MAX_LISTED: usize = 10;

/// The novelties of some games of an opening.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningNovelties {
    /// The number of games whose novelties were looked up: the games with the highest mean ratings, and for equal
    /// ratings the latest games.
    pub games: u64,
    /// The number of novelties within the opening.
    pub all: u64,
    /// The novelties by year.
    pub years: Vec<OpeningNoveltyYear>,
    /// The novelties in the positions with the most earlier games.
    pub list: Vec<OpeningNovelty>,
}

/// The novelties of a year.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpeningNoveltyYear {
    /// The year.
    pub year: u16,
    /// The number of novelties.
    pub novelties: u64,
    /// The mean number of half-moves that lead to the novelties, including half-moves before the start of a game.
    pub mean_ply: f64,
}

/// A novelty with its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningNovelty {
    /// The novelty.
    pub novelty: NoveltyOfDatabase,
    /// The move; `None` if it cannot be read.
    pub played: Option<NumberedMove>,
    /// The heading of its game.
    pub heading: Heading,
}

pub(super) fn read(
    databases: &[&Database],
    chosen: &[Chosen<'_>],
    strongest: &[Strength],
    root_ply: usize,
    watch: &Watch<'_>,
) -> Result<OpeningNovelties> {
    // Games of several databases are compared by look-ups only, which need all positions in the index.
    let are_all_indexed = IndexedPlies::of_all(databases)?.last().is_none();
    if databases.len() > 1 && !are_all_indexed {
        return Ok(OpeningNovelties::default());
    }

    let mut games: Vec<GameOfDatabase> = strongest
        .iter()
        .take(MAX_GAMES)
        .map(|one| one.game)
        .collect();
    games.sort_unstable();

    let query = NoveltyQuery::default();
    let found = JoinedNovelties::of_games(databases, &games, &query, watch)?;

    let mut within: Vec<NoveltyOfDatabase> = Vec::new();
    let mut plies: BTreeMap<GameOfDatabase, u64> = BTreeMap::new();
    for one in found.list {
        let database = databases[one.database];
        let before = plies_before(&database.connection, one.novelty.game).in_database(database)?;
        let ply = before + u64::from(one.novelty.ply.get());

        // A novelty before the first position of the opening does not count.
        if ply > root_ply as u64 {
            plies.insert(one.game(), ply);
            within.push(one);
        }
    }
    let all = within.len() as u64;

    within.sort_by_key(|one| {
        let Novelty { before, after, .. } = one.novelty;
        (Reverse((before, after)), one.game())
    });
    within.truncate(MAX_LISTED);

    Ok(OpeningNovelties {
        games: found.games,
        all,
        years: count_by_year(chosen, &plies)?,
        list: with_headings(databases, within)?,
    })
}

/// Reads the moves of novelties, and the headings of their games.
fn with_headings(
    databases: &[&Database],
    novelties: Vec<NoveltyOfDatabase>,
) -> Result<Vec<OpeningNovelty>> {
    let mut list = Vec::with_capacity(novelties.len());
    for one in novelties {
        let database = databases[one.database];
        let heading = database.heading(one.novelty.game)?;
        list.push(OpeningNovelty {
            novelty: one,
            played: one.novelty.played(database)?,
            heading: heading.unwrap_or_default(),
        });
    }
    Ok(list)
}

/// The novelties by year. `plies` are the half-moves that lead to the novelty of each game, including half-moves before
/// the start of the game.
fn count_by_year(
    chosen: &[Chosen<'_>],
    plies: &BTreeMap<GameOfDatabase, u64>,
) -> Result<Vec<OpeningNoveltyYear>> {
    // The number of novelties of a year, and the sum of their half-moves.
    let mut years: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    for (database, of_database) in chosen.iter().enumerate() {
        let games: GameSet = plies
            .keys()
            .filter(|game| game.database == database)
            .map(|game| game.game)
            .collect();

        let store = of_database.store();
        let read = store.each_of(&games, [Column::Date], |game, [date]| {
            let ply = plies.get(&GameOfDatabase { database, game });
            if let (Some(date), Some(ply)) = (PartialDate::from_code(date), ply) {
                let (novelties, sum) = years.entry(date.year()).or_default();
                *novelties += 1;
                *sum += ply;
            }
        });
        read.in_database(of_database.database)?;
    }

    let mut rows = Vec::with_capacity(years.len());
    for (year, (novelties, sum)) in years {
        rows.push(OpeningNoveltyYear {
            year,
            novelties,
            mean_ply: sum as f64 / novelties as f64,
        });
    }
    Ok(rows)
}
