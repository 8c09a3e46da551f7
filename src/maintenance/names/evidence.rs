//! What a user's list, earlier decisions and earlier joins say of each spelling, as numbers.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::findings::kind_of;
use super::spellings::Spellings;
use crate::cleaning::names::{NameList, NameQuestion, PersonName};
use crate::storage::{CanonicalName, NameTable};

/// The evidence of a row that the user has decided.
pub(super) const DECIDED: &str = "file";

/// For each spelling, the number of a name that it has been given; 0 for none.
#[derive(Debug, Default)]
pub(super) struct Given<'n> {
    pub(super) numbers: Vec<u32>,
    names: Vec<&'n str>,
    by_name: HashMap<&'n str, u32, RandomState>,
}

impl<'n> Given<'n> {
    fn new(spellings: usize) -> Given<'n> {
        Given {
            numbers: vec![0; spellings],
            ..Given::default()
        }
    }

    /// The name that a spelling has been given.
    pub(super) fn name(&self, spelling: u32) -> Option<&'n str> {
        let number = self.numbers[spelling as usize].checked_sub(1)?;
        Some(self.names[number as usize])
    }

    fn give(&mut self, spelling: u32, name: &'n str) {
        let next = self.names.len() as u32 + 1;
        let number = *self.by_name.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        self.numbers[spelling as usize] = number;
    }
}

/// The names that spellings have been given.
#[derive(Debug, Default)]
pub(super) struct Evidence<'n> {
    /// By the user.
    pub(super) decided: Given<'n>,
    /// By a list.
    pub(super) listed: Given<'n>,
    /// By an earlier run.
    pub(super) applied: Given<'n>,
    /// Spellings that the user has decided to join with no other.
    pub(super) alone: HashSet<u32, RandomState>,
    /// The rows of the earlier run, by the indexes of spellings.
    pub(super) rows: HashMap<u32, &'n CanonicalName, RandomState>,
}

impl<'n> Evidence<'n> {
    /// Looks all spellings up; `persons` and `fide_ids` are those of players.
    pub(super) fn gather(
        table: NameTable,
        spellings: &Spellings,
        rows: &'n [CanonicalName],
        list: Option<&'n NameList>,
        (persons, fide_ids): (&[PersonName], &[u32]),
    ) -> Evidence<'n> {
        let count = spellings.texts.len();
        let mut evidence = Evidence {
            decided: Given::new(count),
            listed: Given::new(count),
            applied: Given::new(count),
            alone: HashSet::default(),
            rows: HashMap::default(),
        };
        evidence.take_rows(spellings, rows);
        for (index, text) in (0_u32..).zip(&spellings.texts) {
            let at = index as usize;
            let games = spellings.games[at];
            let question = NameQuestion {
                kind: kind_of(table),
                text,
                person: persons.get(at),
                fide_id: fide_ids.get(at).copied().unwrap_or(0),
                years: (games.first_year, games.last_year),
            };
            if let Some(found) = list.and_then(|list| list.look_up(&question)) {
                evidence.listed.give(index, found.name);
            }
        }
        evidence
    }

    fn take_rows(&mut self, spellings: &Spellings, rows: &'n [CanonicalName]) {
        let indexes: HashMap<&str, u32, RandomState> = spellings
            .texts
            .iter()
            .map(String::as_str)
            .zip(0..)
            .collect();
        let mut decided: HashMap<&str, u32, RandomState> = HashMap::default();
        for row in rows.iter().filter(|row| row.source == DECIDED) {
            *decided.entry(&row.name).or_default() += 1;
        }
        for row in rows {
            let is_decided = row.source == DECIDED;
            let given = if is_decided {
                &mut self.decided
            } else {
                &mut self.applied
            };
            if let Some(&index) = indexes.get(row.spelling.as_str()) {
                given.give(index, &row.name);
                self.rows.insert(index, row);
                if is_decided && row.name == row.spelling && decided.get(&*row.name) == Some(&1) {
                    self.alone.insert(index);
                }
            }
            // The canonical name belongs to its group, also where it has come later.
            if let Some(&index) = indexes.get(row.name.as_str())
                && given.numbers.get(index as usize) == Some(&0)
            {
                given.give(index, &row.name);
            }
        }
    }

    /// The name that a group of spellings has been given, by the strongest evidence. Names of earlier runs count if there
    /// is one only.
    pub(super) fn name(&self, members: &[u32]) -> Option<&'n str> {
        let of = |given: &Given<'n>| members.iter().find_map(|&member| given.name(member));
        of(&self.decided).or_else(|| of(&self.listed)).or_else(|| {
            let mut names = members
                .iter()
                .filter_map(|&member| self.applied.name(member));
            let first = names.next()?;
            names.all(|name| name == first).then_some(first)
        })
    }
}
