//! Twins of a database: found, marked, and marks taken back.
//!
//! [`Database::find_duplicates`] reads, [`Database::mark_duplicates`] does the same and writes marks. What has been
//! compared is not compared again: games that are new or have changed since the last search are looked for among all, and
//! so are the games of each group that one of them touches.

mod collection;
mod duplicates;
mod preference;
mod search;
mod tags;

pub use duplicates::Duplicates;
pub use preference::{ParsePreferredCopyError, PreferredCopy};
pub use tags::{MergedGroup, MergedValue, UndecidedTag};

use super::change::CACHE_BYTES;
use crate::error::Result;
use crate::storage::{
    Database, GameSet, InDatabase, TwinSearchState, count_tags_of_deleted_games, delete_games,
    duplicate_groups, duplicates, mark_group, note_examined, remove_unused_names, take_back_tags,
    unexamined_games, unmark_all, unmark_group,
};
use search::Search;

/// How duplicates are looked for, and what is done with them.
#[derive(Clone, Debug, Default)]
pub struct DuplicateOptions {
    /// Which game of a group is kept; nothing for that of the last search, and at first the longest.
    pub preferred: Option<PreferredCopy>,
    /// Whether tags of kept games are filled from their twins.
    pub merge_tags: bool,
}

/// What [`Database::unmark_duplicates`] has taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unmarked {
    /// Games that had been marked.
    pub games: u64,
    /// Tags of kept games that came from twins, and have their values again.
    pub tags: u64,
    /// Tags that stay, since the games that they came from have been deleted.
    pub tags_of_deleted_games: u64,
}

impl Database {
    /// Finds duplicate games, and changes nothing. `progress` is called now and then with the
    /// games that have been read of so many.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_duplicates(
        &self,
        options: &DuplicateOptions,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Duplicates> {
        let search = Search::run(self, options.preferred.as_ref(), &mut progress)?;
        let Search { mut duplicates, .. } = search;
        if options.merge_tags {
            let merged = tags::merged(&self.connection, &duplicates.groups);
            duplicates.merged = merged.in_database(self)?;
        }
        Ok(duplicates)
    }

    /// Finds duplicates, and marks them in the table `duplicate_of`.
    ///
    /// # Errors
    /// When the database cannot be read or written; it is then as it was before.
    pub fn mark_duplicates(
        &self,
        options: &DuplicateOptions,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Duplicates> {
        self.change(CACHE_BYTES, || {
            let mut search = Search::run(self, options.preferred.as_ref(), &mut progress)?;
            self.write(&search).in_database(self)?;
            if options.merge_tags {
                let merged = tags::merge_all(&self.connection, &search.duplicates.groups);
                search.duplicates.merged = merged.in_database(self)?;
            }
            search.state.write(&self.connection).in_database(self)?;
            Ok(search.duplicates)
        })
    }

    /// Deletes those of some games that are still marked as duplicates and kept for no other game; gives their number.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn delete_duplicates(&self, games: &GameSet) -> Result<u64> {
        self.change(CACHE_BYTES, || self.delete_marked(games).in_database(self))
    }

    fn delete_marked(&self, games: &GameSet) -> rusqlite::Result<u64> {
        let connection = &self.connection;
        let groups = duplicate_groups(connection)?;
        let kept: GameSet = groups.iter().map(|group| group.keep).collect();
        let marked = groups.iter().flat_map(|group| &group.duplicates).copied();
        let deleted: GameSet = marked
            .filter(|&game| games.contains(game) && !kept.contains(game))
            .collect();
        let unexamined = unexamined_games(connection)?;
        let count = delete_games(connection, &deleted)?;
        if count > 0 {
            remove_unused_names(connection)?;
        }
        // What is left has been compared with all.
        note_examined(
            connection,
            unexamined_games(connection)?
                .difference(&unexamined)
                .copied(),
        )?;
        Ok(count)
    }

    /// Writes what has changed of the marks.
    fn write(&self, search: &Search) -> rusqlite::Result<()> {
        let connection = &self.connection;
        search
            .dissolved
            .iter()
            .try_for_each(|group| unmark_group(connection, group))?;
        search
            .new
            .iter()
            .try_for_each(|&at| match search.duplicates.groups.get(at) {
                Some(group) => mark_group(connection, group),
                None => Ok(()),
            })?;
        take_back_tags(connection, false).map(drop)
    }

    /// Takes all marks away, and gives kept games the tags back that they had before; those from games that have been
    /// deleted stay.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn unmark_duplicates(&self) -> Result<Unmarked> {
        self.change(CACHE_BYTES, || {
            let connection = &self.connection;
            let unmark = || -> rusqlite::Result<Unmarked> {
                let tags = take_back_tags(connection, true)?;
                let unmarked = Unmarked {
                    games: unmark_all(connection)?,
                    tags,
                    tags_of_deleted_games: count_tags_of_deleted_games(connection)?,
                };
                if tags > 0 {
                    remove_unused_names(connection)?;
                }
                Ok(unmarked)
            };
            unmark().in_database(self)
        })
    }

    /// The games that are marked as duplicates.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn duplicates(&self) -> Result<GameSet> {
        duplicates(&self.connection).in_database(self)
    }

    /// Whether a search for duplicates has been made, and which copy it has preferred.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn preferred_copy(&self) -> Result<Option<PreferredCopy>> {
        let state = TwinSearchState::read(&self.connection).in_database(self)?;
        Ok(state.and_then(|state| state.preference.parse().ok()))
    }
}
