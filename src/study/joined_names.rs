//! Names of several databases, numbered anew: a name has another number in each database.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::columns::NameKind;
use crate::query::CanonicalNumbers;

/// The names of one kind. A joined number stands for all spellings of a name in all databases.
pub(super) struct JoinedNames<'c> {
    of_databases: Vec<NamesOfDatabase<'c>>,
    /// The names of several databases by their joined numbers. The names of a single database keep their numbers.
    names: Vec<String>,
    numbers: HashMap<String, u64>,
}

/// The names of one database.
struct NamesOfDatabase<'c> {
    canonical: CanonicalNumbers<'c>,
    /// The joined numbers of the names met so far, by their numbers in this database.
    joined: HashMap<u64, u64>,
}

impl<'c> JoinedNames<'c> {
    pub(super) fn new(
        connections: &[&'c Connection],
        kind: NameKind,
    ) -> rusqlite::Result<JoinedNames<'c>> {
        let mut of_databases = Vec::with_capacity(connections.len());
        for connection in connections {
            of_databases.push(NamesOfDatabase {
                canonical: CanonicalNumbers::new(connection, kind)?,
                joined: HashMap::new(),
            });
        }
        Ok(JoinedNames {
            of_databases,
            names: Vec::new(),
            numbers: HashMap::new(),
        })
    }

    /// The joined number of a name, by the number of the name in a database.
    pub(super) fn number(&mut self, database: usize, number: u64) -> rusqlite::Result<u64> {
        if let [only] = &mut self.of_databases[..] {
            return only.canonical.number(number);
        }

        let of_database = &mut self.of_databases[database];
        if let Some(&joined) = of_database.joined.get(&number) {
            return Ok(joined);
        }

        let name = of_database.canonical.name(number)?;
        let joined = match self.numbers.get(&name) {
            Some(&joined) => joined,
            None => {
                let joined = self.names.len() as u64;
                self.names.push(name.clone());
                self.numbers.insert(name, joined);
                joined
            }
        };
        of_database.joined.insert(number, joined);
        Ok(joined)
    }

    /// The canonical name with a joined number.
    pub(super) fn name(&self, number: u64) -> rusqlite::Result<String> {
        if let [only] = &self.of_databases[..] {
            return only.canonical.name(number);
        }
        Ok(self.names[number as usize].clone())
    }
}
