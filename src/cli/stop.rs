//! Termination signals: Control-C and others that ask a program to end.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::say;

/// The exit code of a program that Control-C has ended.
const INTERRUPTED: i32 = 130;

/// The flag set at the first signal, for a command that can end gracefully.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// The rest of the command's work after the first signal, in words.
static REST: OnceLock<&str> = OnceLock::new();
/// Temporary files, and folders of such, that have not replaced others yet.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A flag that is set by the first termination signal, so that the program can end gracefully. A second signal ends it
/// at once.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    let stop = STOP.get_or_init(Arc::default);
    watch_signals();
    Arc::clone(stop)
}

/// The flag for a command that takes a while to end. At the first signal, `rest` is printed to a terminal: what the
/// command still does.
pub(super) fn stop_flag_before(rest: &'static str) -> Arc<AtomicBool> {
    let _ = REST.set(rest);
    stop_flag()
}

/// A file, or a folder with files, that is deleted if a signal ends the program before this is dropped.
#[derive(Debug)]
pub(super) struct DeletedOnSignal(PathBuf);

impl DeletedOnSignal {
    pub(super) fn new(path: &Path) -> DeletedOnSignal {
        temporary().push(path.to_owned());
        watch_signals();
        DeletedOnSignal(path.to_owned())
    }
}

impl Drop for DeletedOnSignal {
    fn drop(&mut self) {
        temporary().retain(|path| *path != self.0);
    }
}

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread that waits for signals, once. If that fails, signals keep their default effect.
fn watch_signals() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let Ok(mut signals) = Signals::new(signals()) else {
            return;
        };
        thread::spawn(move || {
            for signal in signals.forever() {
                end(signal);
            }
        });
    });
}

/// Asks the command to end; at the second signal, or without a command that can end gracefully, ends the program.
fn end(signal: i32) {
    let stop = STOP.get();
    let is_first_request = stop.is_some_and(|stop| !stop.swap(true, Ordering::Relaxed));
    if is_first_request {
        say_rest();
        return;
    }

    // Locked until the end, so that no further file is created.
    let temporary = temporary();
    for path in temporary.iter() {
        // It may have replaced another file by now.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }

    // A parent sees by the status that the signal ended the program, as it does without a handler.
    if stop.is_none() {
        let _ = emulate_default_handler(signal);
    }
    exit(INTERRUPTED);
}

/// Tells on a terminal what the command still does after the first signal.
fn say_rest() {
    let Some(rest) = REST.get() else {
        return;
    };
    if io::stderr().is_terminal() {
        // The line above may be a progress bar.
        say!("");
        say!("stamma: {rest}; press Control-C again to end at once");
    }
}

/// The signals that ask a program to end, except those that it was told to ignore, as by `nohup`.
fn signals() -> Vec<i32> {
    let ignored = ignored_signals();

    let mut signals = TERM_SIGNALS.to_vec();
    // If it is unknown whether hangups are to be ignored, they may be.
    if ignored.is_some() {
        signals.extend(SIGHUP);
    }

    // Signals are numbered from 1, bits from 0.
    let ignored_bits = ignored.unwrap_or(0);
    signals.retain(|signal| (ignored_bits >> (signal - 1)) & 1 == 0);
    signals
}

#[cfg(unix)]
const SIGHUP: Option<i32> = Some(signal_hook::consts::SIGHUP);
#[cfg(not(unix))]
const SIGHUP: Option<i32> = None;

/// The ignored signals as bits, the lowest for signal 1; `None` if the system does not tell.
fn ignored_signals() -> Option<u64> {
    // A mask in hexadecimal (proc(5)); other systems than Linux have no such file.
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Turns exceeding the file-size limit into an error, like a full disk; by default, the system ends the program.
pub(super) fn survive_size_limits() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
