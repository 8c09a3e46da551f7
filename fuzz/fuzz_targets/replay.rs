#![no_main]

#[path = "../../tests/support/invariants/replay.rs"]
mod replay;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| replay::hold(bytes));
