//! Bugs: panics in the work on one game, caught and reported.
//!
//! No input may reach a panic, but if one does, it costs the game that reached it and not the run. Work on a game runs
//! in [`caught`], and the caller decides which parts of the game are kept. A panic hook asks [`is_caught`] and prints
//! nothing for a panic that will be caught: its message is reported as a problem or an error.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

/// The maximum length of a message in bytes; the message of a panic may quote a whole game.
const MAX_BYTES: usize = 200;

thread_local! {
    /// The number of calls of [`caught`] that this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Where the last panic was, if a hook has noted it.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A caught panic: its message, and its place in the source code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    message: String,
    place: Option<String>,
}

impl Bug {
    /// The panic of this thread with this payload.
    fn new(payload: &(dyn Any + Send)) -> Bug {
        let text = if let Some(literal) = payload.downcast_ref::<&str>() {
            literal
        } else if let Some(formatted) = payload.downcast_ref::<String>() {
            formatted
        } else {
            "a panic without a message"
        };

        let length = text.floor_char_boundary(MAX_BYTES);
        Bug {
            message: text[..length].to_owned(),
            place: PLACE.take(),
        }
    }
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} at {place}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Runs some work. The caller must not use anything that the work has left half changed.
///
/// # Errors
/// If it panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Bug> {
    // A number, since the work may call [`caught`] again.
    DEPTH.set(DEPTH.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);

    outcome.map_err(|payload| Bug::new(&*payload))
}

/// For a panic hook: returns `true` if the panic of this thread will be caught and reported, and notes its place.
pub fn is_caught(panic: &PanicHookInfo<'_>) -> bool {
    let is_caught = DEPTH.get() > 0;
    if is_caught {
        let place = panic
            .location()
            .map(|place| format!("{}:{}", place.file(), place.line()));
        PLACE.set(place);
    }
    is_caught
}

/// The tag by which tests provoke a panic; its value is the name of a step of the work on a game.
#[cfg(debug_assertions)]
pub const PROVOKING_TAG: &str = "StammaPanicsAt";

/// Panics if the value of [`PROVOKING_TAG`] names this step. Only builds for tests have it.
#[cfg(debug_assertions)]
pub fn provoke(value: Option<&str>, step: &str) {
    assert!(value != Some(step), "provoked at {step}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        let bug = |work: fn()| caught(work).expect_err("a panic").to_string();

        assert_eq!(bug(|| panic!("a bug")), "a bug");
        assert_eq!(bug(|| panic!("{} bugs", 2)), "2 bugs");

        let without_message = bug(|| std::panic::panic_any(3));
        assert_eq!(without_message, "a panic without a message");

        let long_message = bug(|| panic!("{}", "é".repeat(200)));
        assert_eq!(long_message.len(), MAX_BYTES);

        assert_eq!(caught(|| 3), Ok(3));
    }
}
