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
/// The work that the command still does after the first signal, in words.
static REST: OnceLock<&str> = OnceLock::new();
/// Temporary files, and folders of temporary files, that have not replaced others yet.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A flag that is set by the first termination signal, so that the command can end gracefully. A second signal ends the
/// program at once.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    let stop = STOP.get_or_init(Arc::default);
    watch_signals();
    Arc::clone(stop)
}

/// Like [`stop_flag`], for a command that takes a while to end. At the first signal, the work that the command still
/// does, `rest`, is printed to a terminal.
pub(super) fn stop_flag_before(rest: &'static str) -> Arc<AtomicBool> {
    let _ = REST.set(rest);
    stop_flag()
}

/// A file, or a folder with files, that is deleted if a signal ends the program before this is dropped.
#[derive(Debug)]
pub(super) struct DeletedOnSignal(PathBuf);

impl DeletedOnSignal {
    /// Registers a file or a folder.
    pub(super) fn new(path: &Path) -> DeletedOnSignal {
        lock_temporary().push(path.to_owned());
        watch_signals();
        DeletedOnSignal(path.to_owned())
    }
}

impl Drop for DeletedOnSignal {
    fn drop(&mut self) {
        lock_temporary().retain(|path| *path != self.0);
    }
}

/// Locks [`TEMPORARY`].
fn lock_temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// At the first call, starts a thread that waits for signals. If that fails, signals keep their default effect.
fn watch_signals() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let Ok(mut signals) = Signals::new(handled_signals()) else {
            return;
        };
        thread::spawn(move || {
            for signal in signals.forever() {
                handle_signal(signal);
            }
        });
    });
}

/// Sets the flag of the command at the first signal. Ends the program at the second signal, or if the command cannot
/// end gracefully.
fn handle_signal(signal: i32) {
    let stop = STOP.get();
    let is_first_request = stop.is_some_and(|stop| !stop.swap(true, Ordering::Relaxed));
    if is_first_request {
        say_rest();
        return;
    }

    // The lock is held until the program ends, so that no further file is created.
    let temporary = lock_temporary();
    for path in temporary.iter() {
        // The file may be gone, because it has replaced another file by now.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }

    // With the default handler, the exit status tells the parent process that a signal ended the program.
    if stop.is_none() {
        let _ = emulate_default_handler(signal);
    }
    exit(INTERRUPTED);
}

/// Prints the work that the command still does after the first signal, if standard error is a terminal.
fn say_rest() {
    let Some(rest) = REST.get() else {
        return;
    };
    if io::stderr().is_terminal() {
        // The cursor may be on the line of a progress bar.
        say!("");
        say!("stamma: {rest}; press Control-C again to end at once");
    }
}

/// The termination signals, except signals that are ignored on behalf of the parent process, as by `nohup`.
fn handled_signals() -> Vec<i32> {
    let ignored = ignored_signals();

    let mut signals = TERM_SIGNALS.to_vec();
    // If the ignored signals are unknown, hangups may be among them.
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

/// The ignored signals as bits, the lowest bit for signal 1; `None` if the system does not report them.
fn ignored_signals() -> Option<u64> {
    // The mask is in hexadecimal (proc(5)). Only Linux has this file.
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Makes a write beyond the file-size limit fail, as on a full disk. By default, the system would end the program.
pub(super) fn survive_size_limits() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
