//! The names of a tournament, in any spelling.

use rusqlite::Connection;

use crate::columns::NameKind;
use crate::query::Spellings;

/// The names that tournaments are compared by.
pub(super) struct Names<'c> {
    pub(super) events: Spellings<'c>,
    pub(super) sites: Spellings<'c>,
    pub(super) players: Spellings<'c>,
}

impl<'c> Names<'c> {
    pub(super) fn new(connection: &'c Connection) -> rusqlite::Result<Names<'c>> {
        Ok(Names {
            events: Spellings::new(connection, NameKind::Event)?,
            sites: Spellings::new(connection, NameKind::Site)?,
            players: Spellings::new(connection, NameKind::Player)?,
        })
    }
}
