//! Asked to stop: Control-C, and what else the system sends when a program is to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// The exit code of a program that Control-C has ended.
const INTERRUPTED: i32 = 130;

/// What is set at the first signal, by a command that ends what it is doing.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// The temporary files that have not replaced others yet.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Something that is set when somebody asks the program to stop, which then ends what it is doing. Whoever asks twice
/// does not want to wait for that.
pub(super) fn when_asked() -> Arc<AtomicBool> {
    let stop = STOP.get_or_init(Arc::default);
    watch_signals();
    Arc::clone(stop)
}

/// A file that is deleted when a signal ends the program, until this is dropped.
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

/// Has a thread wait for signals, once. Where there can be none, they end the program as they always have.
fn watch_signals() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        if let Ok(mut signals) = Signals::new(signals()) {
            thread::spawn(move || signals.forever().for_each(end));
        }
    });
}

fn end(signal: i32) {
    let stop = STOP.get();
    if stop.is_some_and(|stop| !stop.swap(true, Ordering::Relaxed)) {
        return;
    }
    // Kept until the end, so that none is begun meanwhile.
    let temporary = temporary();
    for path in temporary.iter() {
        // It may have replaced another by now.
        let _ = fs::remove_file(path);
    }
    if stop.is_none() {
        let _ = emulate_default_handler(signal);
    }
    exit(INTERRUPTED);
}

/// The signals that ask a program to end, but for those that it was told to ignore, as by `nohup`.
fn signals() -> Vec<i32> {
    let ignored = ignored_signals();
    // Where it is not known whether a lost terminal is to be ignored, it may be.
    let lost_terminal = if cfg!(unix) && ignored.is_some() { SIGHUP } else { None };
    let ignored = ignored.unwrap_or(0);
    let is_heeded = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    TERM_SIGNALS.iter().copied().chain(lost_terminal).filter(is_heeded).collect()
}

#[cfg(unix)]
const SIGHUP: Option<i32> = Some(signal_hook::consts::SIGHUP);
#[cfg(not(unix))]
const SIGHUP: Option<i32> = None;

/// The signals that are ignored as bits, that of signal 1 first; nothing where the system does not say.
fn ignored_signals() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Makes a file that may not get any larger an error like a full disk; otherwise the system would end the program.
pub(super) fn survive_size_limits() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
