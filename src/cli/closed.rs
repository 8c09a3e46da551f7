//! Detects a standard output that was closed when the program began, as by `>&-`.
//!
//! Before `main`, Rust opens `/dev/null` in place of a closed standard output, so that writes succeed and are lost. A
//! script would take the lost answer for an empty answer. Afterwards, a closed output cannot be distinguished from a
//! redirection to `/dev/null`, so a closed output is detected before Rust's startup code runs.

#![cfg_attr(
    any(target_os = "linux", target_os = "android", target_vendor = "apple"),
    expect(
        unsafe_code,
        reason = "the linker is told the function that runs before `main`"
    )
)]

use std::sync::atomic::{AtomicBool, Ordering};

/// Set before `main` begins.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// `true` if standard output was closed when the program began; always `false` on systems where this is not detected.
pub(super) fn was_standard_output_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod before_main {
    use super::*;

    // SAFETY: The section holds pointers to functions without arguments, which the C library calls in turn before
    // `main`. This pointer is to such a function. The function needs no setup by Rust: it makes one system call, and
    // writes one atomic.
    #[used]
    #[cfg_attr(
        target_vendor = "apple",
        unsafe(link_section = "__DATA,__mod_init_func")
    )]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static DETECT: extern "C" fn() = detect_closed_output;

    extern "C" fn detect_closed_output() {
        // SAFETY: F_GETFD reads the flags of a file descriptor, which need not be open, and takes no pointer.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        IS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }
}
