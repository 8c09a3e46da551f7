#![no_main]

#[path = "../../tests/invariants/replay.rs"]
mod replay;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| replay::hold(bytes));
