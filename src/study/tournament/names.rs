//! The names of a tournament, in any spelling and of any database.

use rusqlite::Connection;

use crate::columns::NameKind;
use crate::study::joined_names::JoinedNames;

/// The names that tournaments are compared by.
pub(super) struct Names<'c> {
    pub(super) events: JoinedNames<'c>,
    pub(super) sites: JoinedNames<'c>,
    pub(super) players: JoinedNames<'c>,
}

impl<'c> Names<'c> {
    /// The names in some databases.
    pub(super) fn new(connections: &[&'c Connection]) -> rusqlite::Result<Names<'c>> {
        Ok(Names {
            events: JoinedNames::new(connections, NameKind::Event)?,
            sites: JoinedNames::new(connections, NameKind::Site)?,
            players: JoinedNames::new(connections, NameKind::Player)?,
        })
    }

    /// The joined number of an event, by the event's number in a database; `None` if the event has no real name.
    pub(super) fn known_event(
        &mut self,
        database: usize,
        number: u64,
    ) -> rusqlite::Result<Option<u64>> {
        let event = self.events.number(database, number)?;
        let name = self.events.name(event)?;
        if known_name(name).is_none() {
            return Ok(None);
        }
        Ok(Some(event))
    }
}

/// A real name; `None` for a placeholder such as `?` or `-`.
pub(super) fn known_name(name: String) -> Option<String> {
    if name.contains(char::is_alphanumeric) {
        Some(name)
    } else {
        None
    }
}
