//! A line on the terminal for a command that is silent for more than a second.
//!
//! It begins with the command and ends at its first output: a message, a bar, or a result. A command does not have to
//! know how long it will take.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The time that a command may be silent. Most commands end sooner, and show nothing.
const MAX_SILENCE: Duration = Duration::from_secs(1);
/// The interval between the steps of the line, which has the time in whole seconds.
const TICK: Duration = Duration::from_millis(125);

/// The line that is shown or will be shown, if no output has ended it.
static CURRENT: Mutex<Option<Activity>> = Mutex::new(None);

/// A thread that shows the line; it ends when its sender is dropped.
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
        *current() = Some(Activity { end, thread });
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

/// Removes the line. Whatever is printed comes after this.
pub(super) fn end() {
    let Some(Activity { end, thread }) = current().take() else {
        return;
    };

    drop(end);
    // The thread removes the line before it ends, so that no output is overwritten.
    let _ = thread.join();
}

fn current() -> MutexGuard<'static, Option<Activity>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}
