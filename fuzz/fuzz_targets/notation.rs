#![no_main]

#[path = "../../tests/support/invariants/notation.rs"]
mod notation;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| notation::hold(bytes));
