//! Which groups there are now, and which of the marked ones are others or gone.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::Connection;

use super::collection::Collection;
use super::duplicates::Duplicates;
use super::preference::PreferredCopy;
use crate::cleaning::twins::{TwinGroup, candidate_pairs, join_twins};
use crate::error::Result;
use crate::storage::{
    Database, DuplicateGroup, GameId, InDatabase, SourceSummary, TwinSearchState, are_all_examined,
    duplicate_groups, unexamined_games,
};
use crate::store_fault::StoreResult;

/// What a search has found beside what is marked.
pub(super) struct Search {
    /// All groups as they are now.
    pub(super) duplicates: Duplicates,
    /// The indexes of the groups that are to be marked.
    pub(super) new: Vec<usize>,
    /// Groups that are marked, and have changed or no longer exist.
    pub(super) dissolved: Vec<DuplicateGroup>,
    /// What has been compared when all that is written.
    pub(super) state: TwinSearchState,
}

/// Where more than one game of so many is new, all are compared as if there had been no search.
const MANY: usize = 4;

impl Search {
    /// Searches for twins; without a preference, that of the last search holds.
    pub(super) fn run(
        database: &Database,
        preferred: Option<&PreferredCopy>,
        progress: &mut impl FnMut(u64, u64),
    ) -> Result<Search> {
        let games = database.count_games()?;
        let sources = database.sources()?;
        let search = Search::among(&database.connection, games, &sources, preferred, progress);
        search.in_database(database)
    }

    fn among(
        connection: &Connection,
        games: u64,
        sources: &[SourceSummary],
        preferred: Option<&PreferredCopy>,
        progress: &mut impl FnMut(u64, u64),
    ) -> StoreResult<Search> {
        let last = TwinSearchState::read(connection)?;
        let known = last
            .as_ref()
            .and_then(|state| state.preference.parse().ok());
        let preferred = preferred.cloned().or(known).unwrap_or_default();
        let marked = duplicate_groups(connection)?;
        let preference = preferred.to_string();
        let preferred = preferred.with_continuations(sources);
        if let Some(last) = last.as_ref().filter(|last| last.preference == preference)
            && are_all_examined(connection, last.last_game)?
        {
            return Ok(Search::of_nothing(marked, last.clone(), games));
        }
        let mut collection = Collection::read(connection)?;
        let state = TwinSearchState {
            last_game: GameId::new(
                (collection.last_game().max(
                    last.as_ref()
                        .map_or(GameId::new(0), |state| state.last_game),
                ))
                .get(),
            ),
            preference,
        };
        let last = last.filter(|last| last.preference == state.preference);
        let mut examined = match last {
            Some(last) => Examined::new(connection, &collection, &marked, last.last_game)?,
            None => Examined::all(),
        };
        let found = examined.search(&mut collection, &preferred, progress)?;
        Ok(Search::new(
            &collection,
            &preferred,
            marked,
            &examined,
            found,
            state,
        ))
    }

    /// What has been found before.
    fn of_nothing(mut groups: Vec<DuplicateGroup>, state: TwinSearchState, games: u64) -> Search {
        groups.sort_by_key(|group| group.games().min());
        let duplicates = Duplicates {
            games,
            groups,
            ..Duplicates::default()
        };
        Search {
            duplicates,
            new: Vec::new(),
            dissolved: Vec::new(),
            state,
        }
    }

    fn new(
        collection: &Collection<'_>,
        preferred: &PreferredCopy,
        marked: Vec<DuplicateGroup>,
        examined: &Examined,
        found: Vec<TwinGroup>,
        state: TwinSearchState,
    ) -> Search {
        let is_dissolved = |group: &DuplicateGroup| {
            examined.has_any(group.games().map(|game| collection.index(game)))
        };
        let (dissolved, kept): (Vec<_>, Vec<_>) = marked.into_iter().partition(is_dissolved);
        let found = found
            .into_iter()
            .map(|group| duplicate_group(collection, preferred, &group));
        let mut groups: Vec<(bool, DuplicateGroup)> =
            kept.into_iter().map(|group| (false, group)).collect();
        groups.extend(found.map(|group| (true, group)));
        groups.sort_by_key(|(_, group)| group.games().min());
        let new = (0..groups.len()).filter(|&at| groups[at].0).collect();
        let duplicates = Duplicates {
            games: collection.len() as u64,
            compared: examined
                .games
                .as_ref()
                .map_or(collection.len(), BTreeSet::len) as u64,
            groups: groups.into_iter().map(|(_, group)| group).collect(),
            merged: Vec::new(),
        };
        Search {
            duplicates,
            new,
            dissolved,
            state,
        }
    }
}

/// A group by the numbers of its games.
fn duplicate_group(
    collection: &Collection<'_>,
    preferred: &PreferredCopy,
    group: &TwinGroup,
) -> DuplicateGroup {
    let mut others: Vec<u32> = group
        .games
        .iter()
        .copied()
        .filter(|&game| game != group.keep)
        .collect();
    collection
        .search(preferred.preference())
        .sort_by_preference(&mut others);
    DuplicateGroup {
        keep: GameId::new(collection.id(group.keep).get()),
        duplicates: others.into_iter().map(|game| collection.id(game)).collect(),
        kind: group.kind.as_str().to_owned(),
        score: (f64::from(group.score) * 1e3).round() / 1e3,
        why: group
            .why
            .iter()
            .map(|why| why.as_str().to_owned())
            .collect(),
    }
}

/// The games that are compared with all.
struct Examined {
    /// Nothing for all.
    games: Option<BTreeSet<u32>>,
    /// The marked groups that games belong to.
    group_of: HashMap<u32, usize>,
    /// The games of these groups that are there.
    members: Vec<Vec<u32>>,
    /// Whether a group lacks a game, or has one that is kept here and marked there.
    is_broken: Vec<bool>,
}

impl Examined {
    fn all() -> Examined {
        Examined {
            games: None,
            group_of: HashMap::new(),
            members: Vec::new(),
            is_broken: Vec::new(),
        }
    }

    /// The games that are new or have changed since the last search, with the groups of these.
    fn new(
        connection: &Connection,
        collection: &Collection<'_>,
        marked: &[DuplicateGroup],
        last_game: GameId,
    ) -> rusqlite::Result<Examined> {
        let members = |group: &DuplicateGroup| -> Vec<u32> {
            group
                .games()
                .filter_map(|game| collection.index(game))
                .collect()
        };
        let members: Vec<Vec<u32>> = marked.iter().map(members).collect();
        let in_groups = members.iter().enumerate();
        let group_of = in_groups.flat_map(|(at, games)| games.iter().map(move |&game| (game, at)));
        let kept: HashSet<GameId> = marked.iter().map(|group| group.keep).collect();
        let duplicates: HashSet<GameId> = marked
            .iter()
            .flat_map(|group| &group.duplicates)
            .copied()
            .collect();
        let is_kept_and_marked = |game: GameId| kept.contains(&game) && duplicates.contains(&game);
        let mut examined = Examined {
            games: Some(BTreeSet::new()),
            group_of: group_of.collect(),
            is_broken: marked
                .iter()
                .zip(&members)
                .map(|(group, games)| {
                    games.len() <= group.duplicates.len() || group.games().any(is_kept_and_marked)
                })
                .collect(),
            members,
        };
        let changed = unexamined_games(connection)?;
        let mut games: Vec<u32> = collection.behind(last_game).collect();
        games.extend(
            changed
                .into_iter()
                .filter_map(|game| collection.index(game)),
        );
        for (games_of, _) in examined
            .members
            .iter()
            .zip(&examined.is_broken)
            .filter(|(_, is_broken)| **is_broken)
        {
            games.extend(games_of);
        }
        examined.add(&games);
        if examined
            .games
            .as_ref()
            .is_some_and(|games| games.len() * MANY > collection.len())
        {
            examined.games = None;
        }
        Ok(examined)
    }

    /// Adds games with all games of their groups; whether there were some that had not been among them.
    fn add(&mut self, games: &[u32]) -> bool {
        let Some(examined) = &mut self.games else {
            return false;
        };
        let before = examined.len();
        for game in games {
            match self
                .group_of
                .get(game)
                .and_then(|&group| self.members.get(group))
            {
                Some(members) => examined.extend(members),
                None => drop(examined.insert(*game)),
            }
        }
        examined.len() > before
    }

    /// Whether one of these games is compared, or is not there any more.
    fn has_any(&self, mut games: impl Iterator<Item = Option<u32>>) -> bool {
        match &self.games {
            None => true,
            Some(examined) => games.any(|game| game.is_none_or(|game| examined.contains(&game))),
        }
    }

    /// Searches until no group is found that one which is marked would have to join.
    fn search(
        &mut self,
        collection: &mut Collection<'_>,
        preferred: &PreferredCopy,
        progress: &mut impl FnMut(u64, u64),
    ) -> rusqlite::Result<Vec<TwinGroup>> {
        loop {
            let new: Option<Vec<u32>> = self
                .games
                .as_ref()
                .map(|games| games.iter().copied().collect());
            if new.as_ref().is_some_and(Vec::is_empty) {
                return Ok(Vec::new());
            }
            let found = search(collection, preferred, new.as_deref(), progress)?;
            let touched: Vec<u32> = found
                .iter()
                .flat_map(|group| &group.games)
                .copied()
                .filter(|game| self.group_of.contains_key(game))
                .collect();
            if !self.add(&touched) {
                return Ok(found);
            }
        }
    }
}

fn search(
    collection: &mut Collection<'_>,
    preferred: &PreferredCopy,
    new: Option<&[u32]>,
    progress: &mut impl FnMut(u64, u64),
) -> rusqlite::Result<Vec<TwinGroup>> {
    let preference = preferred.preference();
    let pairs = candidate_pairs(&collection.search(preference), new);
    let mut games: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    games.sort_unstable();
    games.dedup();
    let all = games.len() as u64;
    collection.complete(&games, preferred.sources(), |done| progress(done, all))?;
    let search = collection.search(preference);
    let moves = collection.moves();
    Ok(join_twins(&search, &pairs, |game, codes| {
        moves.write(game, codes)
    }))
}
