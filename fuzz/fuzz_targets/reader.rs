#![no_main]

#[path = "../../tests/support/invariants/reader.rs"]
mod reader;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reader::hold(bytes));
