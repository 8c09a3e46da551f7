//! Names by number, with all spellings of a canonical name under one number.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::columns::{NameKind, canonical_name, has_canonical_names};

/// The canonical names of a kind, players, events or sites, by the numbers of their spellings.
pub(crate) struct CanonicalNumbers<'c> {
    connection: &'c Connection,
    kind: NameKind,
    /// `true` if any spellings have been joined.
    are_joined: bool,
    /// For each canonical name, the number of the first of its spellings that was looked up.
    first_by_name: HashMap<String, u64>,
    /// For each spelling looked up so far, by number, the number of the first spelling with the same canonical name.
    first_by_number: HashMap<u64, u64>,
}

impl<'c> CanonicalNumbers<'c> {
    pub(crate) fn new(
        connection: &'c Connection,
        kind: NameKind,
    ) -> rusqlite::Result<CanonicalNumbers<'c>> {
        Ok(CanonicalNumbers {
            connection,
            kind,
            are_joined: has_canonical_names(connection, kind)?,
            first_by_name: HashMap::new(),
            first_by_number: HashMap::new(),
        })
    }

    /// The number that stands for all spellings of a name: the number of the first spelling that was looked up.
    pub(crate) fn number(&mut self, number: u64) -> rusqlite::Result<u64> {
        if !self.are_joined {
            return Ok(number);
        }
        if let Some(&known) = self.first_by_number.get(&number) {
            return Ok(known);
        }

        let name = self.name(number)?;
        let first = *self.first_by_name.entry(name).or_insert(number);
        self.first_by_number.insert(number, first);
        Ok(first)
    }

    /// The canonical name of a name; empty for 0.
    pub(crate) fn name(&self, number: u64) -> rusqlite::Result<String> {
        let name = canonical_name(self.connection, self.kind, number.cast_signed())?;
        Ok(name.unwrap_or_default())
    }
}
