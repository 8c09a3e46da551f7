//! Survives the truncation of mapped files: missing bytes read as zeros, and the truncation is noted.
//!
//! When a program reads missing bytes, the system sends the signal SIGBUS. Without a handler, the signal ends the
//! program.

#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "signals are handled, and pages mapped, by calls of the system"
    )
)]

#[cfg(unix)]
pub(super) use on_unix::{Guard, guard};

#[cfg(not(unix))]
pub(super) use elsewhere::{Guard, guard};

/// On other systems, files are read as streams.
#[cfg(not(unix))]
mod elsewhere {
    #[derive(Debug)]
    pub(crate) struct Guard;

    impl Guard {
        pub(crate) fn is_whole(&self) -> bool {
            true
        }
    }

    pub(crate) fn guard(_: &[u8]) -> Option<Guard> {
        None
    }
}

#[cfg(unix)]
mod on_unix {
    use std::ffi::{c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

    /// The maximum number of files mapped at the same time.
    const MAX_MAPPINGS: usize = 64;

    const FREE: usize = 0;
    /// No mapping begins here, because systems never map the first page.
    const RESERVED: usize = 1;

    /// A guarded mapping. A signal handler must not wait for a lock, so the fields are atomic.
    struct Slot {
        /// The first address of the mapping; [`FREE`] or [`RESERVED`] if the slot has no mapping.
        start: AtomicUsize,
        /// The address behind the last byte of the mapping.
        end: AtomicUsize,
        is_whole: AtomicBool,
    }

    static SLOTS: [Slot; MAX_MAPPINGS] = [const {
        Slot {
            start: AtomicUsize::new(FREE),
            end: AtomicUsize::new(0),
            is_whole: AtomicBool::new(true),
        }
    }; MAX_MAPPINGS];

    static PAGE_BYTES: AtomicUsize = AtomicUsize::new(0);
    /// The previous handler of the signal.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    /// Guards a mapping; must be dropped before the mapping is.
    #[derive(Debug)]
    pub(crate) struct Guard(usize);

    impl Guard {
        /// Returns `true` as long as no bytes beyond the end of the truncated file have been read.
        pub(crate) fn is_whole(&self) -> bool {
            SLOTS[self.0].is_whole.load(SeqCst)
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            SLOTS[self.0].start.store(FREE, SeqCst);
        }
    }

    /// Guards a mapping; `None` if too many are guarded, or the handler cannot be installed.
    pub(crate) fn guard(map: &[u8]) -> Option<Guard> {
        static IS_INSTALLED: OnceLock<bool> = OnceLock::new();
        if !*IS_INSTALLED.get_or_init(|| install().is_some()) {
            return None;
        }

        let reserve = |slot: &Slot| {
            slot.start
                .compare_exchange(FREE, RESERVED, SeqCst, SeqCst)
                .is_ok()
        };
        let number = SLOTS.iter().position(reserve)?;

        let slot = &SLOTS[number];
        let range = map.as_ptr_range();
        slot.is_whole.store(true, SeqCst);
        // The start comes last, since it makes the slot visible to the signal handler.
        slot.end.store(range.end.addr(), SeqCst);
        slot.start.store(range.start.addr(), SeqCst);
        Some(Guard(number))
    }

    /// Installs `on_bus_error` as the signal handler.
    fn install() -> Option<()> {
        // SAFETY: These calls take numbers and pointers to the stack. Uninitialized values are plain data, for which
        // zeros are valid, and are filled by the call that succeeds. The handler only does what is allowed in a signal
        // handler, as explained there; it runs on the signal stack, like Rust's own handler, which has to report stack
        // overflows.
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).ok()?;
            PAGE_BYTES.store(page, SeqCst);

            let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
            if libc::sigaction(libc::SIGBUS, ptr::null(), previous.as_mut_ptr()) != 0 {
                return None;
            }
            // The handler may be called as soon as it is installed.
            PREVIOUS.set(previous.assume_init()).ok()?;

            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            let installed = libc::sigaction(libc::SIGBUS, &action, ptr::null_mut());
            (installed == 0).then_some(())
        }
    }

    /// Maps zeros in place of a file's missing bytes; passes any other signal on to the previous handler.
    extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: With SA_SIGINFO, the system gives a valid pointer.
        let address = unsafe { (*info).si_addr() }.addr();
        let is_filled = slot_of(address).is_some_and(|(slot, end)| {
            slot.is_whole.store(false, SeqCst);
            fill(address, end)
        });
        if !is_filled {
            pass_on(signal, info, context);
        }
    }

    /// The slot of the mapping that contains an address, and the mapping's end.
    fn slot_of(address: usize) -> Option<(&'static Slot, usize)> {
        for slot in &SLOTS {
            let start = slot.start.load(SeqCst);
            let end = slot.end.load(SeqCst);
            // The mapping that this thread reads is not released meanwhile. Other mappings may be added or released.
            let is_settled = start > RESERVED && slot.start.load(SeqCst) == start;
            if is_settled && (start..end).contains(&address) {
                return Some((slot, end));
            }
        }
        None
    }

    /// Maps zeros from the page of an address to the end of its mapping, since all pages after the end of a file are
    /// missing.
    fn fill(address: usize, end: usize) -> bool {
        let page = PAGE_BYTES.load(SeqCst);
        let start = address / page * page;
        // SAFETY: All these pages belong to a mapping of ours, which is read-only, private, and stays as long as this
        // thread reads it. `mmap` is a bare system call, without locks or memory of the C library.
        let filled = unsafe {
            libc::mmap(
                ptr::without_provenance_mut(start),
                end - start,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        filled != libc::MAP_FAILED
    }

    /// Handles a signal as if this module did not exist.
    fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        type WithInfo = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
        type Plain = extern "C" fn(c_int);

        let previous = PREVIOUS.get();
        let takes_info = previous.is_some_and(|p| p.sa_flags & libc::SA_SIGINFO != 0);
        match previous.map_or(libc::SIG_DFL, |previous| previous.sa_sigaction) {
            libc::SIG_IGN => {}
            libc::SIG_DFL => {
                // SAFETY: Both may be called in a signal handler. The second ends the program, as the signal would
                // have.
                unsafe {
                    libc::signal(signal, libc::SIG_DFL);
                    libc::raise(signal);
                }
            }
            handler if takes_info => {
                // SAFETY: The system gave us this address as the address of a handler of this kind.
                let handler = unsafe { std::mem::transmute::<usize, WithInfo>(handler) };
                handler(signal, info, context);
            }
            handler => {
                // SAFETY: As above.
                let handler = unsafe { std::mem::transmute::<usize, Plain>(handler) };
                handler(signal);
            }
        }
    }
}
