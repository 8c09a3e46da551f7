//! Stamma's functions for any SQLite program: `.load libstamma`.
//!
//! An extension may refuse with a sentence; it may never end its host. So the host is looked at
//! before anything that could panic in it is called, and no panic goes beyond the entry.

mod host;

use std::ffi::{c_char, c_int};
use std::panic::catch_unwind;

use rusqlite::ffi::{SQLITE_ERROR, sqlite3, sqlite3_api_routines};
use rusqlite::{Connection, Result};

/// What SQLite calls when it loads the extension.
///
/// # Safety
/// The pointers are those that SQLite gives to an extension: a connection, a place for a message or
/// NULL, and the functions of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_stamma_init(
    db: *mut sqlite3,
    message: *mut *mut c_char,
    api: *mut sqlite3_api_routines,
) -> c_int {
    let load = || {
        // SAFETY: as the caller promises.
        let refusal = unsafe { host::refusal(api) };
        match refusal {
            Some(sentence) => {
                // SAFETY: as the caller promises; `refusal` reads no more of `api` than this does.
                unsafe { host::say(&sentence, message, api) };
                SQLITE_ERROR
            }
            // SAFETY: as the caller promises, and the host has all that is going to be called.
            None => unsafe { Connection::extension_init2(db, message, api, register) },
        }
    };
    catch_unwind(load).unwrap_or(SQLITE_ERROR)
}

/// Adds the functions, and asks to stay until the process ends: what threads keep for themselves
/// could not be put away when the code for it is gone.
fn register(connection: Connection) -> Result<bool> {
    stamma::sql::register(&connection).map(|()| true)
}
