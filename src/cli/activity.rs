//! A line on the terminal for a command that is silent for more than a second.
//!
//! The line appears after a second of silence, and ends at the first output of the command: a message, a bar, or a
//! result. So a command need not know how long it will take.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The silence after which the line appears. Most commands end sooner, and show no line.
const MAX_SILENCE: Duration = Duration::from_secs(1);
/// The interval between two steps of the spinner. The time on the line is in whole seconds.
const TICK: Duration = Duration::from_millis(125);

/// The line that is shown or will be shown, if no output has ended it.
static CURRENT: Mutex<Option<Activity>> = Mutex::new(None);

/// A thread that shows the line until `end` is dropped.
struct Activity {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

/// Begins the line of a command, if standard error is a terminal.
pub(super) fn begin(command: String) {
    if !io::stderr().is_terminal() {
        return;
    }

    let (end, ended) = channel();
    let spawned = thread::Builder::new().spawn(move || show_after_silence(command, &ended));

    // Without a thread for the line, the command still works.
    if let Ok(thread) = spawned {
        *lock_current() = Some(Activity { end, thread });
    }
}

/// Shows the line once the command has been silent for long enough, until the sender of `ended` is dropped.
fn show_after_silence(command: String, ended: &Receiver<()>) {
    let is_silent = ended.recv_timeout(MAX_SILENCE) == Err(RecvTimeoutError::Timeout);
    if !is_silent {
        return;
    }

    let bar = ProgressBar::new_spinner()
        .with_message(command)
        .with_elapsed(MAX_SILENCE);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);

    // Nothing is sent; the sender is dropped.
    let _ = ended.recv();
    bar.finish_and_clear();
}

/// Removes the line. It must be called before each output.
pub(super) fn end() {
    let Some(Activity { end, thread }) = lock_current().take() else {
        return;
    };

    drop(end);
    // The thread removes the line before it ends, so that no output is overwritten.
    let _ = thread.join();
}

/// Locks [`CURRENT`].
fn lock_current() -> MutexGuard<'static, Option<Activity>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}
