//! Evidence for the name of each spelling: a user's list, decisions and earlier joins.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::findings::kind_of;
use super::spellings::Spellings;
use crate::cleaning::names::{NameList, NameQuery, PersonName};
use crate::storage::{CanonicalName, NameTable};

/// The evidence of a row that the user has decided.
pub(super) const DECIDED: &str = "file";

/// The names that one kind of evidence gives to spellings.
#[derive(Debug, Default)]
pub(super) struct GivenNames<'n> {
    /// By spelling: the number of its name, from 1; 0 for none.
    pub(super) numbers: Vec<u32>,
    names: Vec<&'n str>,
    by_name: HashMap<&'n str, u32, RandomState>,
}

impl<'n> GivenNames<'n> {
    /// No names for a number of spellings.
    fn new(spellings: usize) -> GivenNames<'n> {
        GivenNames {
            numbers: vec![0; spellings],
            ..GivenNames::default()
        }
    }

    /// The name that a spelling has been given.
    pub(super) fn name(&self, spelling: u32) -> Option<&'n str> {
        let number = self.numbers[spelling as usize].checked_sub(1)?;
        Some(self.names[number as usize])
    }

    /// The name of the first spelling in a list that has a name.
    fn first_name(&self, spellings: &[u32]) -> Option<&'n str> {
        spellings.iter().find_map(|&spelling| self.name(spelling))
    }

    /// Sets the name of a spelling, and replaces an earlier name.
    fn set_name(&mut self, spelling: u32, name: &'n str) {
        let next = self.names.len() as u32 + 1;
        let number = *self.by_name.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }

        self.numbers[spelling as usize] = number;
    }
}

/// The parsed names and the FIDE ids of players, by spelling; empty for other tables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlayerFacts<'p> {
    pub(super) persons: &'p [PersonName],
    /// 0 for an unknown id.
    pub(super) fide_ids: &'p [u32],
}

/// The names that spellings have been given.
#[derive(Debug, Default)]
pub(super) struct Evidence<'n> {
    /// By the user.
    pub(super) decided: GivenNames<'n>,
    /// By a list.
    pub(super) listed: GivenNames<'n>,
    /// By an earlier run.
    pub(super) applied: GivenNames<'n>,
    /// Spellings that the user has decided to join with no other.
    pub(super) alone: HashSet<u32, RandomState>,
    /// The rows of the earlier run, by the indexes of spellings.
    pub(super) rows: HashMap<u32, &'n CanonicalName, RandomState>,
}

impl<'n> Evidence<'n> {
    /// Looks all spellings up.
    pub(super) fn gather(
        table: NameTable,
        spellings: &Spellings,
        rows: &'n [CanonicalName],
        list: Option<&'n NameList>,
        players: PlayerFacts<'_>,
    ) -> Evidence<'n> {
        let count = spellings.texts.len();
        let mut evidence = Evidence {
            decided: GivenNames::new(count),
            listed: GivenNames::new(count),
            applied: GivenNames::new(count),
            alone: HashSet::default(),
            rows: HashMap::default(),
        };
        evidence.add_rows(spellings, rows);

        let Some(list) = list else {
            return evidence;
        };

        for (index, text) in (0_u32..).zip(&spellings.texts) {
            let at = index as usize;
            let games = spellings.games[at];
            let query = NameQuery {
                kind: kind_of(table),
                text,
                person: players.persons.get(at),
                fide_id: players.fide_ids.get(at).copied().unwrap_or(0),
                years: (games.first_year, games.last_year),
            };
            if let Some(listed) = list.look_up(&query) {
                evidence.listed.set_name(index, listed.name);
            }
        }
        evidence
    }

    /// Adds the names of earlier runs and decisions.
    fn add_rows(&mut self, spellings: &Spellings, rows: &'n [CanonicalName]) {
        let texts = spellings.texts.iter().map(String::as_str);
        let indexes: HashMap<&str, u32, RandomState> = texts.zip(0..).collect();

        // The number of spellings that the user has given each name.
        let mut decided_rows: HashMap<&str, u32, RandomState> = HashMap::default();
        for row in rows {
            if row.source == DECIDED {
                *decided_rows.entry(&row.name).or_default() += 1;
            }
        }

        for row in rows {
            let is_decided = row.source == DECIDED;
            let names = if is_decided {
                &mut self.decided
            } else {
                &mut self.applied
            };

            if let Some(&index) = indexes.get(row.spelling.as_str()) {
                names.set_name(index, &row.name);
                self.rows.insert(index, row);

                // By giving a name only to the spelling that equals it, the user excludes this spelling from joining.
                let is_own_name = row.name == row.spelling;
                let is_only = decided_rows.get(row.name.as_str()) == Some(&1);
                if is_decided && is_own_name && is_only {
                    self.alone.insert(index);
                }
            }

            // The canonical name belongs to its group, even if it has come later.
            if let Some(&index) = indexes.get(row.name.as_str())
                && names.numbers.get(index as usize) == Some(&0)
            {
                names.set_name(index, &row.name);
            }
        }
    }

    /// The name that a group of spellings has been given, by the strongest evidence. Names of earlier runs count only
    /// if all of them are one.
    pub(super) fn name(&self, members: &[u32]) -> Option<&'n str> {
        let decided = self.decided.first_name(members);
        if decided.is_some() {
            return decided;
        }
        let listed = self.listed.first_name(members);
        if listed.is_some() {
            return listed;
        }

        // Groups that earlier runs kept apart have no common name.
        let mut applied = members
            .iter()
            .filter_map(|&member| self.applied.name(member));
        let first = applied.next()?;
        let is_common = applied.all(|name| name == first);
        is_common.then_some(first)
    }
}
