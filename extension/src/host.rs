//! A check that the host supports the extension, and the error message if not.
//!
//! The binding to SQLite panics when a function is missing, and when the host is too old, because it reports that with
//! a function that it has not loaded yet. A panic there ends the process. So this check does not use the binding. The
//! first functions of the list have always existed; later ones exist only in hosts of the right version, so the version
//! is checked first.

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use rusqlite::ffi::{SQLITE_VERSION_NUMBER, sqlite3_api_routines};

/// The function list that the binding has loaded, and uses for every connection.
static HOST: AtomicPtr<sqlite3_api_routines> = AtomicPtr::new(ptr::null_mut());

/// Why this host cannot be used, as a sentence.
///
/// # Safety
/// `api` is NULL or the function list of a host, with the length of the host's version.
pub(crate) unsafe fn refusal(api: *mut sqlite3_api_routines) -> Option<String> {
    if api.is_null() {
        return Some("Stamma needs the functions of SQLite, and the host gives none".to_owned());
    }

    // SAFETY: `api` is not NULL, and all versions have this function in its place. It has no arguments.
    let version = unsafe { (*api).libversion_number.map(|version| version()) };
    let Some(version) = version else {
        return Some(
            "Stamma needs to know the version of SQLite, and the host has none".to_owned(),
        );
    };
    if version < SQLITE_VERSION_NUMBER {
        let needed = dotted(SQLITE_VERSION_NUMBER);
        let found = dotted(version);
        return Some(format!(
            "Stamma needs SQLite {needed} or newer, and this is {found}"
        ));
    }

    // SAFETY: a host of this version has the whole list.
    if let Some(name) = unsafe { missing(api) } {
        return Some(format!(
            "Stamma needs sqlite3_{name}, and this SQLite is built without"
        ));
    }
    if is_another(&HOST, api) {
        return Some(
            "Stamma has been loaded into another SQLite of this program, and serves one".to_owned(),
        );
    }
    None
}

/// `true` if the list of another host has been loaded before: a program can contain several copies of SQLite, whose
/// functions cannot use each other's connections.
fn is_another(taken: &AtomicPtr<sqlite3_api_routines>, api: *mut sqlite3_api_routines) -> bool {
    let first = ptr::null_mut();
    let before = taken.compare_exchange(first, api, Ordering::AcqRel, Ordering::Acquire);
    before.is_err_and(|before| before != api)
}

/// `3034001` as `3.34.1`.
fn dotted(version: c_int) -> String {
    let major = version / 1_000_000;
    let minor = version / 1_000 % 1_000;
    let patch = version % 1_000;
    format!("{major}.{minor}.{patch}")
}

/// The first function that the extension uses and the host lacks.
///
/// # Safety
/// `api` is a complete function list.
unsafe fn missing(api: *const sqlite3_api_routines) -> Option<&'static str> {
    macro_rules! first_missing {
        ($($name:ident)*) => {$(
            // SAFETY: guaranteed by the caller.
            if unsafe { (*api).$name.is_none() } {
                return Some(stringify!($name));
            }
        )*};
    }
    first_missing! {
        malloc malloc64 free libversion
        errmsg errcode errstr extended_errcode
        prepare_v2 prepare_v3 step reset clear_bindings finalize db_handle stmt_readonly
        bind_blob64 bind_double bind_int64 bind_null bind_text64 bind_zeroblob
        bind_parameter_count bind_parameter_index bind_parameter_name
        column_count column_name column_type
        column_blob column_bytes column_double column_int64 column_text
        create_function_v2 user_data context_db_handle
        value_type value_blob value_bytes value_double value_int64 value_text
        result_blob64 result_double result_int64 result_null result_text64 result_zeroblob
        result_error result_error_code result_error_nomem result_error_toobig
        create_module_v2 declare_vtab vtab_config
    }
    None
}

/// Passes a sentence to the host, in memory allocated by the host, which will free it.
///
/// # Safety
/// `message` is NULL or writable, and `api` is as for [`refusal`].
pub(crate) unsafe fn say(
    sentence: &str,
    message: *mut *mut c_char,
    api: *const sqlite3_api_routines,
) {
    if message.is_null() || api.is_null() {
        return;
    }

    // With a zero at its end.
    let Ok(bytes) = c_int::try_from(sentence.len() + 1) else {
        return;
    };
    // SAFETY: all versions have this function in its place. It takes a number of bytes.
    let Some(text) = (unsafe { (*api).malloc.map(|malloc| malloc(bytes).cast::<c_char>()) }) else {
        return;
    };
    if text.is_null() {
        return;
    }

    // SAFETY: `text` has room for the sentence and a zero, and there is no other reference to it yet.
    unsafe {
        ptr::copy_nonoverlapping(sentence.as_ptr().cast(), text, sentence.len());
        text.add(sentence.len()).write(0);
        message.write(text);
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::{Layout, alloc};
    use std::ffi::{CStr, c_void};
    use std::mem::MaybeUninit;

    use super::*;
    use crate::sqlite3_stamma_init;
    use rusqlite::ffi::SQLITE_ERROR;

    unsafe extern "C" fn allocate(bytes: c_int) -> *mut c_void {
        let layout = Layout::array::<u8>(bytes as usize).expect("a layout");
        // SAFETY: the size is not zero; the test leaks the allocation.
        unsafe { alloc(layout).cast() }
    }

    unsafe extern "C" fn old() -> c_int {
        3_031_001
    }

    unsafe extern "C" fn new() -> c_int {
        3_054_000
    }

    /// A host without any function.
    fn nothing() -> sqlite3_api_routines {
        // SAFETY: zeros are NULL functions, that is, `None`.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }

    /// The message of the entry point to a host that it must refuse.
    fn said(mut host: sqlite3_api_routines) -> Option<String> {
        refused(&mut host)
    }

    fn refused(host: *mut sqlite3_api_routines) -> Option<String> {
        let mut message = ptr::null_mut();
        // SAFETY: the connection of a refused host is not used.
        let code = unsafe { sqlite3_stamma_init(ptr::null_mut(), &mut message, host) };
        assert_eq!(code, SQLITE_ERROR);

        if message.is_null() {
            return None;
        }
        // SAFETY: a message ends with a zero.
        let text = unsafe { CStr::from_ptr(message) };
        Some(text.to_str().expect("UTF-8").to_owned())
    }

    #[test]
    fn no_host() {
        assert_eq!(refused(ptr::null_mut()), None);
    }

    #[test]
    fn a_host_without_functions() {
        assert_eq!(said(nothing()), None);
    }

    #[test]
    fn a_host_without_a_version() {
        let host = sqlite3_api_routines {
            malloc: Some(allocate),
            ..nothing()
        };
        let expected = "Stamma needs to know the version of SQLite, and the host has none";
        assert_eq!(said(host).as_deref(), Some(expected));
    }

    #[test]
    fn an_old_host() {
        let host = sqlite3_api_routines {
            malloc: Some(allocate),
            libversion_number: Some(old),
            ..nothing()
        };
        let expected = "Stamma needs SQLite 3.34.1 or newer, and this is 3.31.1";
        assert_eq!(said(host).as_deref(), Some(expected));
    }

    #[test]
    fn an_old_host_without_a_place_for_messages() {
        let mut host = sqlite3_api_routines {
            libversion_number: Some(old),
            ..nothing()
        };
        // SAFETY: the connection of a refused host is not used.
        let code = unsafe { sqlite3_stamma_init(ptr::null_mut(), ptr::null_mut(), &mut host) };
        assert_eq!(code, SQLITE_ERROR);
    }

    #[test]
    fn a_second_host_beside_the_first() {
        let taken = AtomicPtr::new(ptr::null_mut());
        let (mut one, mut two) = (nothing(), nothing());

        assert!(!is_another(&taken, &mut one));
        // Another connection of the first host.
        assert!(!is_another(&taken, &mut one));
        assert!(is_another(&taken, &mut two));
    }

    #[test]
    fn a_host_with_holes() {
        let host = sqlite3_api_routines {
            malloc: Some(allocate),
            libversion_number: Some(new),
            ..nothing()
        };
        let expected = "Stamma needs sqlite3_malloc64, and this SQLite is built without";
        assert_eq!(said(host).as_deref(), Some(expected));
    }
}
