//! What is wrong, and where.

use std::fmt;

use rusqlite::ErrorCode;

use crate::error::{Error, Result};
use crate::storage::RowFault;

/// Something wrong with a database, as a sentence with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: the file, a table's row, or a block of the index.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The first faults, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first of them.
    pub first: Vec<Fault>,
    /// All of them.
    pub count: u64,
}

impl Faults {
    /// So many are kept.
    const MOST: usize = 100;

    /// `true` when nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn push(&mut self, place: impl fmt::Display, what: impl fmt::Display) {
        self.count += 1;
        if self.first.len() < Faults::MOST {
            self.first.push(Fault { place: place.to_string(), what: what.to_string() });
        }
    }

    pub(super) fn extend(&mut self, faults: Vec<RowFault>) {
        faults.into_iter().for_each(|fault| self.push(fault.place, fault.what));
    }

    /// Takes an error that says that the database is damaged as a fault, and gives others back.
    pub(super) fn take_damage(&mut self, done: Result<()>) -> Result<()> {
        match done {
            Err(error) if is_damage(&error) => {
                self.push("the rest", format!("it could not be checked: {error}"));
                Ok(())
            }
            done => done,
        }
    }
}

/// `true` when an error comes from what stands in the file.
fn is_damage(error: &Error) -> bool {
    match error {
        Error::Damaged { .. } => true,
        Error::Store { fault, .. } => fault.is_damage(),
        Error::Database { source: rusqlite::Error::SqliteFailure(error, _), .. } => {
            matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
        }
        Error::Database { source, .. } => matches!(
            source,
            rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..)
        ),
        _ => false,
    }
}
