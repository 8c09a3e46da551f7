#![no_main]

#[path = "../../tests/support/invariants/changed_database.rs"]
mod changed_database;
#[path = "../../tests/support/invariants/chessbase.rs"]
mod chessbase;
#[path = "../../tests/support/invariants/chessbase_archive.rs"]
mod chessbase_archive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chessbase::hold(bytes));
