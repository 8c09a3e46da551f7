//! Functions that give a text: how they are added to a connection, and how they read arguments.

use std::ops::RangeInclusive;
use std::panic::UnwindSafe;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Result};

use super::failure::failure;

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    context: &'a Context<'a>,
}

impl Arguments<'_> {
    /// A text, nothing for NULL or when the call has fewer arguments.
    ///
    /// # Errors
    /// `needs` when it is something else.
    pub(super) fn text(&self, index: usize, needs: &str) -> Result<Option<&str>> {
        match self.get(index) {
            ValueRef::Null => Ok(None),
            text => text.as_str().map(Some).map_err(|_| failure(needs)),
        }
    }

    /// A whole number, nothing for NULL or when the call has fewer arguments.
    ///
    /// # Errors
    /// `needs` when it is something else.
    pub(super) fn number(&self, index: usize, needs: &str) -> Result<Option<i64>> {
        let value = self.get(index);
        match value.data_type() {
            Type::Null => Ok(None),
            _ => value.as_i64().map(Some).map_err(|_| failure(needs)),
        }
    }

    fn get(&self, index: usize) -> ValueRef<'_> {
        if index < self.context.len() { self.context.get_raw(index) } else { ValueRef::Null }
    }
}

/// Adds a function with so many arguments to a connection; a NULL that it gives is `None`.
///
/// A panic becomes an error of SQL: rusqlite sees to that.
pub(super) fn register(
    connection: &Connection,
    name: &str,
    arguments: RangeInclusive<i32>,
    function: impl Fn(&Arguments<'_>) -> Result<Option<String>> + Clone + Send + UnwindSafe + 'static,
) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    for count in arguments {
        let function = function.clone();
        connection.create_scalar_function(name, count, flags, move |context| {
            function(&Arguments { context })
        })?;
    }
    Ok(())
}
