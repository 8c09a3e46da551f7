#![no_main]

#[path = "../../tests/support/invariants/chessbase.rs"]
mod chessbase;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chessbase::hold(bytes));
