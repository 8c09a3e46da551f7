#![no_main]

#[path = "../../tests/support/invariants/fen.rs"]
mod fen;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fen::hold(bytes));
