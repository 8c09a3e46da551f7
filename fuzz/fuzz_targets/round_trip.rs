#![no_main]

#[path = "../../tests/support/invariants/round_trip.rs"]
mod round_trip;

/// A database takes a hundred times as long as the rest.
const ONE_IN: u64 = 256;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    round_trip::hold(bytes);
    let sum = bytes
        .iter()
        .fold(0_u64, |sum, &byte| sum * 31 % 65_537 + u64::from(byte));
    if sum % ONE_IN == 0 {
        round_trip::hold_through_database(bytes);
    }
});
