//! Stamma's functions for any SQLite program: `.load libstamma`.
//!
//! An extension may fail with a message, but must never end its host. So the host is checked before any call that could
//! panic in it, and no panic crosses the entry point.

mod host;

use std::ffi::{c_char, c_int};
use std::panic::catch_unwind;

use rusqlite::ffi::{SQLITE_ERROR, sqlite3, sqlite3_api_routines};
use rusqlite::{Connection, Result};

/// The entry point, which SQLite calls when it loads the extension.
///
/// # Safety
/// The pointers are those that SQLite passes to an extension: a connection, a place for a message or NULL, and the
/// function list of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_stamma_init(
    db: *mut sqlite3,
    message: *mut *mut c_char,
    api: *mut sqlite3_api_routines,
) -> c_int {
    let load = || {
        // SAFETY: guaranteed by the caller.
        let refusal = unsafe { host::refusal(api) };
        match refusal {
            Some(sentence) => {
                // SAFETY: guaranteed by the caller; `refusal` reads no more of `api` than this does.
                unsafe { host::say(&sentence, message, api) };
                SQLITE_ERROR
            }
            // SAFETY: guaranteed by the caller, and the host has every function that will be called.
            None => unsafe { Connection::extension_init2(db, message, api, register) },
        }
    };
    catch_unwind(load).unwrap_or(SQLITE_ERROR)
}

/// Registers the functions, and asks SQLite to keep the extension loaded: the destructors of thread-local data need its
/// code until the process ends.
fn register(connection: Connection) -> Result<bool> {
    stamma::sql::register(&connection)?;
    Ok(true)
}
