//! Detects whether standard output was closed when the program began, as by `>&-`.
//!
//! Rust opens `/dev/null` in place of a closed standard output before `main` begins, so that writes would succeed and
//! be lost: a script would take a lost answer for an empty one. Afterwards it cannot be distinguished from a chosen
//! `/dev/null`, so it is detected before Rust begins.

#![cfg_attr(
    any(target_os = "linux", target_os = "android", target_vendor = "apple"),
    expect(unsafe_code, reason = "what runs before `main` is named to the linker")
)]

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// `true` if standard output was closed when the program began; always `false` on systems where this is not detected.
pub(super) fn was_standard_output_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod before_main {
    use super::*;

    // SAFETY: The section holds pointers to functions without arguments that the C library calls in turn before `main`,
    // and this is one. It needs nothing that Rust sets up: it makes one system call, and writes one atomic.
    #[used]
    #[cfg_attr(
        target_vendor = "apple",
        unsafe(link_section = "__DATA,__mod_init_func")
    )]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static ASK: extern "C" fn() = ask;

    extern "C" fn ask() {
        // SAFETY: F_GETFD reads the flags of a file descriptor, which need not be open, and takes no pointer.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        IS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }
}
