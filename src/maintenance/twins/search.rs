//! A search for groups of twins: the present groups, and marked groups that have changed or no longer exist.

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

/// The result of a search, beside the groups that are marked already.
pub(super) struct Search {
    /// All groups as they are now.
    pub(super) duplicates: Duplicates,
    /// The indexes of the groups that are to be marked.
    pub(super) new: Vec<usize>,
    /// Groups that are marked, and have changed or no longer exist.
    pub(super) dissolved: Vec<DuplicateGroup>,
    /// The state to store once the groups are written.
    pub(super) state: TwinSearchState,
}

/// If more than one of this number of games is new, all games are compared, as in a first search.
const MAX_GAMES_PER_NEW: usize = 4;

impl Search {
    /// Searches for twins. Without a preference, the preference of the last search holds.
    pub(super) fn run(
        database: &Database,
        preferred: Option<&PreferredCopy>,
        progress: &mut impl FnMut(u64, u64),
    ) -> Result<Search> {
        let games = database.count_games()?;
        let sources = database.sources()?;

        let search = Search::in_games(&database.connection, games, &sources, preferred, progress);
        search.in_database(database)
    }

    /// Searches for twins through a connection, in a database with `games` games.
    fn in_games(
        connection: &Connection,
        games: u64,
        sources: &[SourceSummary],
        preferred: Option<&PreferredCopy>,
        progress: &mut impl FnMut(u64, u64),
    ) -> StoreResult<Search> {
        let last = TwinSearchState::read(connection)?;
        let last_preferred = last
            .as_ref()
            .and_then(|state| state.preference.parse().ok());

        let chosen = preferred.cloned().or(last_preferred).unwrap_or_default();
        let preference = chosen.to_string();
        let preferred = chosen.with_continuations(sources);

        let marked = duplicate_groups(connection)?;
        if let Some(last) = &last
            && last.preference == preference
            && are_all_examined(connection, last.last_game)?
        {
            return Ok(Search::without_changes(marked, last.clone(), games));
        }

        let mut collection = Collection::read(connection)?;
        let last_examined = last
            .as_ref()
            .map_or(GameId::new(0), |state| state.last_game);
        let state = TwinSearchState {
            last_game: collection.last_game().max(last_examined),
            preference,
        };

        // With another preference, other games are kept, so all groups must be found again.
        let mut examined = match last {
            Some(last) if last.preference == state.preference => {
                ExaminedGames::new(connection, &collection, &marked, last.last_game)?
            }
            _ => ExaminedGames::all(),
        };
        let found = examined.search(&mut collection, &preferred, progress)?;

        let search = Search::new(&collection, &preferred, marked, &examined, found, state);
        Ok(search)
    }

    /// The result of a search without games to compare: the groups that are marked.
    fn without_changes(
        mut groups: Vec<DuplicateGroup>,
        state: TwinSearchState,
        games: u64,
    ) -> Search {
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

    /// The marked groups that stay, and the groups found, in the order of their first games.
    fn new(
        collection: &Collection<'_>,
        preferred: &PreferredCopy,
        marked: Vec<DuplicateGroup>,
        examined: &ExaminedGames,
        found: Vec<TwinGroup>,
        state: TwinSearchState,
    ) -> Search {
        let is_dissolved = |group: &DuplicateGroup| {
            examined.has_any(group.games().map(|game| collection.index(game)))
        };
        let (dissolved, kept): (Vec<_>, Vec<_>) = marked.into_iter().partition(is_dissolved);

        // Each group, and whether it is new.
        let mut groups: Vec<(DuplicateGroup, bool)> = Vec::with_capacity(kept.len() + found.len());
        for group in kept {
            groups.push((group, false));
        }
        for group in &found {
            groups.push((duplicate_group(collection, preferred, group), true));
        }
        groups.sort_by_key(|(group, _)| group.games().min());

        let mut new = Vec::new();
        for (at, (_, is_new)) in groups.iter().enumerate() {
            if *is_new {
                new.push(at);
            }
        }

        let compared = match &examined.games {
            Some(games) => games.len(),
            None => collection.len(),
        };
        let duplicates = Duplicates {
            games: collection.len() as u64,
            compared: compared as u64,
            groups: groups.into_iter().map(|(group, _)| group).collect(),
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
    let mut others = group.games.clone();
    others.retain(|&game| game != group.keep);
    let search = collection.search(preferred.preference());
    search.sort_by_preference(&mut others);
    let duplicates = others.into_iter().map(|game| collection.id(game));

    // A number of 64 bits would show digits that 32 bits do not have, such as 0.949999988 for 0.95.
    let score = (f64::from(group.score) * 1e3).round() / 1e3;
    let why = group.why.iter().map(|reason| reason.as_str().to_owned());

    DuplicateGroup {
        keep: collection.id(group.keep),
        duplicates: duplicates.collect(),
        kind: group.kind.as_str().to_owned(),
        score,
        why: why.collect(),
    }
}

/// The games that are compared with all games.
struct ExaminedGames {
    /// `None` for all games.
    games: Option<BTreeSet<u32>>,
    /// The marked group of a game.
    group_of: HashMap<u32, usize>,
    /// By marked group: the games that the database still has.
    members: Vec<Vec<u32>>,
}

impl ExaminedGames {
    /// All games.
    fn all() -> ExaminedGames {
        ExaminedGames {
            games: None,
            group_of: HashMap::new(),
            members: Vec::new(),
        }
    }

    /// The games that are new or have changed since the last search, with their groups, and the games of broken groups.
    fn new(
        connection: &Connection,
        collection: &Collection<'_>,
        marked: &[DuplicateGroup],
        last_game: GameId,
    ) -> rusqlite::Result<ExaminedGames> {
        let mut examined = ExaminedGames {
            games: Some(BTreeSet::new()),
            ..ExaminedGames::all()
        };
        for (at, group) in marked.iter().enumerate() {
            let members: Vec<u32> = group
                .games()
                .filter_map(|game| collection.index(game))
                .collect();
            for &game in &members {
                examined.group_of.insert(game, at);
            }
            examined.members.push(members);
        }

        let mut games: Vec<u32> = collection.after(last_game).collect();
        for game in unexamined_games(connection)? {
            // A deleted game has no index.
            games.extend(collection.index(game));
        }
        games.extend(examined.games_of_broken(marked));
        examined.add(&games);

        let compared = examined.games.as_ref().map_or(0, BTreeSet::len);
        if compared * MAX_GAMES_PER_NEW > collection.len() {
            examined.games = None;
        }
        Ok(examined)
    }

    /// The games of groups that lack a game, or have a game that is kept in one group and marked in another.
    fn games_of_broken(&self, marked: &[DuplicateGroup]) -> Vec<u32> {
        let mut kept: HashSet<GameId> = HashSet::new();
        let mut duplicates: HashSet<GameId> = HashSet::new();
        for group in marked {
            kept.insert(group.keep);
            duplicates.extend(&group.duplicates);
        }
        let is_kept_and_marked = |game: GameId| kept.contains(&game) && duplicates.contains(&game);

        let mut games = Vec::new();
        for (group, members) in marked.iter().zip(&self.members) {
            // A group has one game more than it has duplicates: the kept game.
            let lacks_game = members.len() <= group.duplicates.len();
            if lacks_game || group.games().any(is_kept_and_marked) {
                games.extend(members);
            }
        }
        games
    }

    /// Adds games to the compared games, each with all games of its marked group. Returns `true` if a game was not
    /// compared before.
    fn add(&mut self, games: &[u32]) -> bool {
        let Some(examined) = &mut self.games else {
            return false;
        };

        let before = examined.len();
        for game in games {
            let group = self.group_of.get(game);
            match group.and_then(|&group| self.members.get(group)) {
                Some(members) => examined.extend(members),
                None => {
                    examined.insert(*game);
                }
            }
        }
        examined.len() > before
    }

    /// `true` if a game of a list is compared, or is no longer in the database: `None` in the list.
    fn has_any(&self, games: impl Iterator<Item = Option<u32>>) -> bool {
        let Some(examined) = &self.games else {
            return true;
        };

        for game in games {
            if game.is_none_or(|game| examined.contains(&game)) {
                return true;
            }
        }
        false
    }

    /// Searches for groups. If a group that is found has games of a marked group that was not compared, the games of
    /// the marked group are added and the search is repeated.
    fn search(
        &mut self,
        collection: &mut Collection<'_>,
        preferred: &PreferredCopy,
        progress: &mut impl FnMut(u64, u64),
    ) -> rusqlite::Result<Vec<TwinGroup>> {
        loop {
            let compared: Option<Vec<u32>> = self
                .games
                .as_ref()
                .map(|games| games.iter().copied().collect());
            if compared.as_ref().is_some_and(Vec::is_empty) {
                return Ok(Vec::new());
            }

            let found = find_groups(collection, preferred, compared.as_deref(), progress)?;
            let mut touched: Vec<u32> = Vec::new();
            for group in &found {
                touched.extend(&group.games);
            }
            touched.retain(|game| self.group_of.contains_key(game));

            let has_more_games = self.add(&touched);
            if !has_more_games {
                return Ok(found);
            }
        }
    }
}

/// The groups of twins among all games, of which one is among the compared games, if there are any.
fn find_groups(
    collection: &mut Collection<'_>,
    preferred: &PreferredCopy,
    compared: Option<&[u32]>,
    progress: &mut impl FnMut(u64, u64),
) -> rusqlite::Result<Vec<TwinGroup>> {
    let preference = preferred.preference();
    let pairs = candidate_pairs(&collection.search(preference), compared);

    // All facts and moves are read only for the games of candidates.
    let mut games: Vec<u32> = Vec::with_capacity(2 * pairs.len());
    for &(a, b) in &pairs {
        games.extend([a, b]);
    }
    games.sort_unstable();
    games.dedup();

    let count = games.len() as u64;
    collection.complete(&games, preferred.sources(), |done| progress(done, count))?;

    let search = collection.search(preference);
    let moves = collection.moves();
    let groups = join_twins(&search, &pairs, |game, codes| {
        moves.append_to(game, codes);
    });
    Ok(groups)
}
