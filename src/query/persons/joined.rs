//! The player who is meant in several databases: one name may fit other players best in each of them.

use std::collections::BTreeMap;

use super::typed::Fit;
use super::{Person, Persons};
use crate::error::Result;
use crate::query::{NameQuery, Watch};
use crate::storage::Database;

/// The players of one of several databases that a name matches. The name means one player in all databases.
#[derive(Debug)]
pub(crate) struct PersonsOfDatabase {
    /// The name by which the player is found in this database.
    pub(crate) query: NameQuery,
    /// The players.
    pub(crate) persons: Persons,
}

impl PersonsOfDatabase {
    /// Finds the players in each of some databases. The name means the player with the most games in all databases
    /// together, among the players whose names fit best.
    ///
    /// # Errors
    /// When a database cannot be read, or the query is cancelled.
    pub(crate) fn read_all(
        databases: &[&Database],
        query: &NameQuery,
        watch: &Watch<'_>,
    ) -> Result<Vec<PersonsOfDatabase>> {
        let mut found = Vec::with_capacity(databases.len());
        for database in databases {
            found.push(PersonsOfDatabase {
                query: query.clone(),
                persons: Persons::read(database, query, watch)?,
            });
        }

        // An exact name is one player everywhere.
        if query.is_exact {
            return Ok(found);
        }
        let Some(best) = name_that_fits_best(&found) else {
            return Ok(found);
        };

        for (database, of_database) in databases.iter().zip(&mut found) {
            if of_database.persons.best.name != best {
                of_database.find_by_name(database, &best, watch)?;
            }
        }
        Ok(found)
    }

    /// Finds the players again, by the name of the player who fits best in all databases.
    fn find_by_name(&mut self, database: &Database, name: &str, watch: &Watch<'_>) -> Result<()> {
        let query = NameQuery {
            text: name.to_owned(),
            is_exact: false,
        };
        let named = Persons::read(database, &query, watch)?;
        let best = named.best;

        // The player who was meant before is another player now.
        let before = std::mem::take(&mut self.persons);
        let mut others: Vec<Person> = Vec::new();
        for person in std::iter::once(before.best).chain(before.others) {
            let has_numbers = !person.numbers.is_empty();
            if has_numbers && person.numbers.is_disjoint(&best.numbers) {
                others.push(person);
            }
        }
        super::sort(&mut others);

        self.query = query;
        self.persons = Persons { best, others };
        Ok(())
    }
}

/// The name of the player who fits best. If several players fit best, the player with the most games in all databases.
fn name_that_fits_best(found: &[PersonsOfDatabase]) -> Option<String> {
    let mut by_name: BTreeMap<&str, (Fit, u64)> = BTreeMap::new();
    for of_database in found {
        let Persons { best, others } = &of_database.persons;
        let matching = others.iter().filter(|other| other.fit > Fit::Near);

        for person in std::iter::once(best).chain(matching) {
            let (fit, games) = by_name.entry(&person.name).or_default();
            *fit = person.fit.max(*fit);
            *games += person.games;
        }
    }

    // In a database in which no name matches, the player who is meant has no name.
    by_name.remove("");

    let mut best: Option<(&str, (Fit, u64))> = None;
    for (name, strength) in by_name {
        if best.is_none_or(|(_, of_best)| strength > of_best) {
            best = Some((name, strength));
        }
    }
    let (name, _) = best?;
    Some(name.to_owned())
}
