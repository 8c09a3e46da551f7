//! Twins of a database: the search for them, their marks, and the removal of marks.
//!
//! [`Database::find_duplicates`] searches, [`Database::mark_duplicates`] searches and writes marks. Only games that are
//! new or have changed since the last search are compared with all games, and with them the games of each group that
//! they touch.

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
    Database, GameSet, InDatabase, MergedTagSelection, TwinSearchState,
    count_tags_of_deleted_games, delete_games, duplicate_groups, duplicates, mark_group,
    note_examined, remove_unused_names, revert_merged_tags, unexamined_games, unmark_all,
    unmark_group,
};
use search::Search;

/// The options of a search for duplicates.
#[derive(Clone, Debug, Default)]
pub struct DuplicateOptions {
    /// The rule that selects the kept game of a group. `None` is the rule of the last search, and in a first search,
    /// the longest game is kept.
    pub preferred: Option<PreferredCopy>,
    /// `true` if tags of kept games are filled from their twins.
    pub merge_tags: bool,
}

/// The result of [`Database::unmark_duplicates`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnmarkSummary {
    /// Games that had been marked.
    pub games: u64,
    /// Tags of kept games that came from twins, and have their earlier values again.
    pub tags: u64,
    /// Tags that stay because the games that they came from have been deleted.
    pub tags_of_deleted_games: u64,
}

impl Database {
    /// Finds duplicate games, and changes nothing. `progress` is called regularly with the number of games read and the
    /// number of games to read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_duplicates(
        &self,
        options: &DuplicateOptions,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Duplicates> {
        let search = Search::run(self, options.preferred.as_ref(), &mut progress)?;
        let mut duplicates = search.duplicates;

        if options.merge_tags {
            let merged = tags::merged_groups(&self.connection, &duplicates.groups);
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
            self.write_marks(&search).in_database(self)?;

            if options.merge_tags {
                let merged = tags::write_merged_tags(&self.connection, &search.duplicates.groups);
                search.duplicates.merged = merged.in_database(self)?;
            }

            // Merged tags change kept games, which need not be compared again for that.
            search.state.write(&self.connection).in_database(self)?;
            Ok(search.duplicates)
        })
    }

    /// Deletes the games of a set that are still marked as duplicates and are kept for no other game; returns their
    /// number.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn delete_duplicates(&self, games: &GameSet) -> Result<u64> {
        self.change(CACHE_BYTES, || self.delete_marked(games).in_database(self))
    }

    /// Deletes the marked games of a set in the open transaction.
    fn delete_marked(&self, games: &GameSet) -> rusqlite::Result<u64> {
        let connection = &self.connection;
        let groups = duplicate_groups(connection)?;
        let kept: GameSet = groups.iter().map(|group| group.keep).collect();

        // Another program may have marked a game that is kept for others.
        let mut deleted = GameSet::default();
        for group in &groups {
            for &game in &group.duplicates {
                if games.contains(game) && !kept.contains(game) {
                    deleted.insert(game);
                }
            }
        }

        let unexamined_before = unexamined_games(connection)?;
        let count = delete_games(connection, &deleted)?;
        if count > 0 {
            remove_unused_names(connection)?;
        }

        // Games that become unexamined by the deletion have been compared with all games before.
        let unexamined = unexamined_games(connection)?;
        let examined = unexamined.difference(&unexamined_before).copied();
        note_examined(connection, examined)?;
        Ok(count)
    }

    /// Writes the changes of the marks, and reverts the tags that kept games have from games that are no longer marked.
    fn write_marks(&self, search: &Search) -> rusqlite::Result<()> {
        let connection = &self.connection;
        for group in &search.dissolved {
            unmark_group(connection, group)?;
        }
        for &at in &search.new {
            if let Some(group) = search.duplicates.groups.get(at) {
                mark_group(connection, group)?;
            }
        }

        revert_merged_tags(connection, MergedTagSelection::Unmarked)?;
        Ok(())
    }

    /// Removes all marks, and restores the tags that kept games had before. Tags from games that have been deleted
    /// stay.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn unmark_duplicates(&self) -> Result<UnmarkSummary> {
        self.change(CACHE_BYTES, || self.unmark().in_database(self))
    }

    /// Removes all marks in the open transaction.
    fn unmark(&self) -> rusqlite::Result<UnmarkSummary> {
        let connection = &self.connection;
        let tags = revert_merged_tags(connection, MergedTagSelection::All)?;
        let unmarked = UnmarkSummary {
            games: unmark_all(connection)?,
            tags,
            tags_of_deleted_games: count_tags_of_deleted_games(connection)?,
        };

        if tags > 0 {
            remove_unused_names(connection)?;
        }
        Ok(unmarked)
    }

    /// The games that are marked as duplicates.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn duplicates(&self) -> Result<GameSet> {
        duplicates(&self.connection).in_database(self)
    }

    /// The copy that the last search for duplicates has preferred; `None` without a search.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn preferred_copy(&self) -> Result<Option<PreferredCopy>> {
        let state = TwinSearchState::read(&self.connection).in_database(self)?;
        Ok(state.and_then(|state| state.preference.parse().ok()))
    }
}
