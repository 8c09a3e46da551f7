//! Asked to stop: Control-C, and what else the system says when a program is to end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag::{register, register_conditional_shutdown};

/// The exit code of a program that Control-C has ended.
const INTERRUPTED: i32 = 130;

/// Something that is set when somebody asks the program to stop, which then ends what it is doing. Whoever asks twice
/// does not want to wait for that.
pub(super) fn when_asked() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        // What cannot be heard ends the program as it always has. The second time is looked for first.
        let _ = register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&stop));
        let _ = register(signal, Arc::clone(&stop));
    }
    stop
}

/// Makes a file that may not get any larger an error like a full disk; otherwise the system would end the program.
pub(super) fn survive_size_limits() {
    #[cfg(unix)]
    let _ = register(signal_hook::consts::SIGXFSZ, Arc::default());
}
