//! Memory and processor time of processes, as Linux tells them in `/proc`. Other systems tell neither.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::Duration;

/// The interval between samples of the memory of a process.
const SAMPLING_INTERVAL: Duration = Duration::from_millis(2);
/// Linux counts processor time in ticks, of which a second has 100.
const TICK: Duration = Duration::from_millis(10);

/// The first field of proc_pid_stat(5) behind the name of the program. Fields have numbers from 1.
const FIELD_AFTER_NAME: usize = 3;
/// The field with the user time of this process; the field behind it has the system time.
const OWN_TIME_FIELD: usize = 14;
/// The same for its children that have ended.
const CHILDREN_TIME_FIELD: usize = 16;

/// A measure of the memory of a process, in proc_pid_status(5).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory {
    /// The resident set at the moment.
    Resident,
    /// The highest resident set so far.
    ResidentPeak,
    /// The resident memory at the moment that is not part of a file.
    Anonymous,
}

impl Memory {
    fn name(self) -> &'static str {
        match self {
            Memory::Resident => "VmRSS:",
            Memory::ResidentPeak => "VmHWM:",
            Memory::Anonymous => "RssAnon:",
        }
    }

    /// The kibibytes of a process; `None` if it has ended, or if the system does not tell.
    pub(crate) fn kibibytes(self, process: u32) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let mut lines = status.lines();
        let value = lines.find_map(|line| line.strip_prefix(self.name()))?;

        // The unit is called `kB`, but has 1,024 bytes.
        let number = value.trim().strip_suffix("kB")?;
        number.trim().parse().ok()
    }
}

/// Waits for a child process to end, and returns its highest resident set in bytes; `None` if the system does not tell.
///
/// # Panics
/// If the process fails.
pub(crate) fn peak(child: Child) -> Option<u64> {
    highest(child, Memory::ResidentPeak)
}

/// Like [`peak`], for memory that is not part of a file.
///
/// # Panics
/// If the process fails.
pub(crate) fn peak_anonymous(child: Child) -> Option<u64> {
    highest(child, Memory::Anonymous)
}

/// Samples the memory of a child process until it ends, and returns the greatest sample in bytes.
fn highest(mut child: Child, memory: Memory) -> Option<u64> {
    let mut peak_kib = None;
    loop {
        // A process that has just ended yields `None`, which is less than any sample.
        peak_kib = peak_kib.max(memory.kibibytes(child.id()));

        if let Some(status) = child.try_wait().expect("a process of our own") {
            // Exit code 1 means that some games have faults, 2 that there is no game.
            assert!(
                matches!(status.code(), Some(0..=2)),
                "stamma ends with {status:?}"
            );
            return peak_kib.map(|kib| kib * 1024);
        }
        thread::sleep(SAMPLING_INTERVAL);
    }
}

/// The processor time of all threads of this process, which other processes do not slow down; zero if the system does
/// not tell.
pub(crate) fn own_cpu() -> Duration {
    cpu(OWN_TIME_FIELD)
}

/// The processor time of all children of this process that have ended; zero if the system does not tell.
pub(crate) fn cpu_of_children() -> Duration {
    cpu(CHILDREN_TIME_FIELD)
}

/// The sum of user time, in this field of proc_pid_stat(5), and of system time, in the next one.
fn cpu(user_field: usize) -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program is in parentheses, and may contain spaces and parentheses.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_ascii_whitespace();

    let mut ticks: u32 = 0;
    for field in fields.skip(user_field - FIELD_AFTER_NAME).take(2) {
        ticks += field.parse::<u32>().unwrap_or(0);
    }
    TICK * ticks
}
