#![no_main]

#[path = "../../tests/support/invariants/changed_database.rs"]
mod changed_database;
#[path = "../../tests/support/invariants/scid.rs"]
mod scid;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| scid::hold(bytes));
