#![no_main]

#[path = "../../tests/support/invariants/block.rs"]
mod block;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| block::hold(bytes));
