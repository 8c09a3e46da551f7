//! The registration of scalar functions, and their arguments.

use std::ops::RangeInclusive;
use std::panic::UnwindSafe;

use rusqlite::functions::{ConnectionRef, Context, FunctionFlags};
use rusqlite::types::{ToSql, ValueRef};
use rusqlite::{Connection, Result};

use super::failure::failure;
use crate::board::Position;

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    context: &'a Context<'a>,
}

impl Arguments<'_> {
    /// A text; `None` for NULL or a missing argument.
    ///
    /// # Errors
    /// The message `needs`, for any other type.
    pub(super) fn text(&self, index: usize, needs: &str) -> Result<Option<&str>> {
        let text = self.get(index).as_str_or_null();
        text.map_err(|_| failure(needs))
    }

    /// The position of a FEN; `None` for NULL or a missing argument.
    ///
    /// # Errors
    /// The message `needs` for any type but text, and the faults of a FEN without a legal position.
    pub(super) fn position(&self, index: usize, needs: &str) -> Result<Option<Position>> {
        let Some(fen) = self.text(index, needs)? else {
            return Ok(None);
        };

        let position = Position::from_fen(fen).map_err(failure)?;
        Ok(Some(position))
    }

    /// A whole number; `None` for NULL or a missing argument.
    ///
    /// # Errors
    /// The message `needs`, for any other type.
    pub(super) fn number(&self, index: usize, needs: &str) -> Result<Option<i64>> {
        let number = self.get(index).as_i64_or_null();
        number.map_err(|_| failure(needs))
    }

    /// The connection that calls the function.
    ///
    /// # Errors
    /// When SQLite has no connection for the call.
    #[expect(
        unsafe_code,
        reason = "the connection is lent for the time of the call"
    )]
    pub(super) fn connection(&self) -> Result<ConnectionRef<'_>> {
        // SAFETY: The reference ends with the call and is not sent to another thread. It does not close the connection.
        unsafe { self.context.get_connection() }
    }

    /// The value of an argument; NULL if the caller omits it.
    fn get(&self, index: usize) -> ValueRef<'_> {
        if index < self.context.len() {
            self.context.get_raw(index)
        } else {
            ValueRef::Null
        }
    }
}

/// Adds a function to a connection, for each number of arguments in `arguments`. The value of the function depends only
/// on the arguments; `None` becomes NULL.
///
/// rusqlite turns a panic into an SQL error.
pub(super) fn register<T: ToSql>(
    connection: &Connection,
    name: &str,
    arguments: RangeInclusive<i32>,
    function: impl Fn(&Arguments<'_>) -> Result<Option<T>> + Clone + Send + UnwindSafe + 'static,
) -> Result<()> {
    register_with(
        FunctionFlags::SQLITE_DETERMINISTIC,
        connection,
        name,
        arguments,
        function,
    )
}

/// Like [`register`], for a function that reads the database of its connection.
pub(super) fn register_reading<T: ToSql>(
    connection: &Connection,
    name: &str,
    arguments: RangeInclusive<i32>,
    function: impl Fn(&Arguments<'_>) -> Result<Option<T>> + Clone + Send + UnwindSafe + 'static,
) -> Result<()> {
    // The database may change between two calls with equal arguments, so the function is not deterministic.
    register_with(
        FunctionFlags::empty(),
        connection,
        name,
        arguments,
        function,
    )
}

/// Adds a function with flags to a connection.
fn register_with<T: ToSql>(
    flags: FunctionFlags,
    connection: &Connection,
    name: &str,
    arguments: RangeInclusive<i32>,
    function: impl Fn(&Arguments<'_>) -> Result<Option<T>> + Clone + Send + UnwindSafe + 'static,
) -> Result<()> {
    // Innocuous functions may be used in views and triggers of databases that are not trusted.
    let flags = flags | FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;

    // To SQLite, functions of one name with different numbers of arguments are different functions.
    for count in arguments {
        let function = function.clone();
        connection.create_scalar_function(name, count, flags, move |context| {
            function(&Arguments { context })
        })?;
    }
    Ok(())
}
