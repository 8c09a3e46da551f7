//! Faults of a database with their places, and the errors that count as faults.

use std::fmt;

use rusqlite::ErrorCode;

use crate::error::{Error, Result, StoreFault};
use crate::storage::{Remedy, RowFault};

/// A fault of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place of the fault: the file, a row of a table, or a block of the index.
    pub place: String,
    /// The fault, as a sentence.
    pub what: String,
    /// The change by which [`optimize`](crate::maintenance::optimize) repairs it, if there is one.
    pub remedy: Option<Remedy>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The first faults, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first faults.
    pub first: Vec<Fault>,
    /// The number of all faults.
    pub count: u64,
}

impl Faults {
    /// The maximum number of faults that are kept.
    const MAX_KEPT: usize = 100;

    /// `true` if there is no fault.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a fault without a remedy.
    pub(super) fn push(&mut self, place: impl fmt::Display, what: impl fmt::Display) {
        self.add(RowFault::new(place, what.to_string()));
    }

    /// Adds a fault. Only the first faults are kept.
    pub(super) fn add(&mut self, fault: RowFault) {
        let RowFault {
            place,
            what,
            remedy,
        } = fault;

        self.count += 1;
        if self.first.len() < Faults::MAX_KEPT {
            self.first.push(Fault {
                place,
                what,
                remedy,
            });
        }
    }

    /// Adds several faults.
    pub(super) fn extend(&mut self, faults: Vec<RowFault>) {
        for fault in faults {
            self.add(fault);
        }
    }

    /// Adds an error as a fault if it reports damage; returns any other error.
    pub(super) fn add_damage(&mut self, checked: Result<()>) -> Result<()> {
        let error = match checked {
            Err(error) if is_damage(&error) => error,
            other => return other,
        };

        let what = format!("it could not be checked: {error}");
        let fault = RowFault::new("the rest", what);
        let remedy = match error {
            Error::Store {
                fault: StoreFault::IndexFormat,
                ..
            } => Some(Remedy::RebuildPositionIndex),
            Error::Store {
                fault: StoreFault::IndexBlock(_) | StoreFault::IndexedMove(_),
                ..
            } => Some(Remedy::ReplaceDamagedIndex),
            _ => None,
        };
        match remedy {
            Some(remedy) => self.add(fault.mended_by(remedy)),
            None => self.add(fault),
        }
        Ok(())
    }
}

/// `true` if an error is caused by the content of the file.
fn is_damage(error: &Error) -> bool {
    match error {
        Error::Damaged { .. } => true,
        Error::Store { fault, .. } => fault.is_damage(),
        Error::Database {
            source: rusqlite::Error::SqliteFailure(error, _),
            ..
        } => {
            matches!(
                error.code,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase
            )
        }
        // A value of another type than an import writes.
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
