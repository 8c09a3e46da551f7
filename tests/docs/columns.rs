//! The bytes of a block of the column store are as `docs/columns.md` specifies.

use crate::support::column_value::value;
use crate::support::program::Workplace;
use rusqlite::Connection;

#[test]
fn values_stand_where_the_page_says() {
    let work = Workplace::new();
    work.import(
        "[Event \"E\"]\n\n1. e4 *\n\n[Event \"Rapid\"]\n[Date \"1972.07.??\"]\n[White \"W\"]\n\
         [Result \"1-0\"]\n[WhiteElo \"2785\"]\n[ECO \"C50x\"]\n[BlackTitle \"WIM\"]\n\n\
         1. e4 $1 e5 2. Bc4 Nc6 3. Qh5 Nf6 {no} 4. Qxf7# 1-0\n",
    );
    let connection = Connection::open(work.path("games.db")).expect("a database");
    let found = [1, 2].map(|game| [0, 1, 2, 6, 7, 8, 9, 10].map(|at| value(&connection, at, game)));
    let mate = 1 | 2 | 4 | 8 | 16 | 1 << 5 | 1 << 7 | 4 << 16 | 8 << 23;
    assert_eq!(found[0], [1 | 2 | 4, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(found[1], [mate, 1, 0, 1972 << 9 | 7 << 5, 2785, 0, 251, 7]);
    let hashes = [14, 15, 16, 17, 18].map(|at| value(&connection, at, 1));
    let e4 = (12 | 28 << 6) * 2_u32;
    assert_eq!(hashes, [u64::from(mix(mix(e4.wrapping_add(0x9e37_79b9)))), 0, 0, 0, 0]);
}

/// The finisher of MurmurHash3.
fn mix(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x85eb_ca6b);
    let number = (number ^ (number >> 13)).wrapping_mul(0xc2b2_ae35);
    number ^ (number >> 16)
}
