//! How freed memory that the allocator still holds goes back to the system.

#![expect(
    unsafe_code,
    reason = "the allocator of the system is told by a function of C"
)]

/// Returns freed memory to the system.
///
/// The GNU allocator keeps freed memory for the thread that allocated it, and no other thread can use it.
pub(crate) fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time, and takes the locks that it needs.
    unsafe {
        libc::malloc_trim(0);
    }
}
