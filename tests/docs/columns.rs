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
    assert_eq!(
        hashes,
        [
            u64::from(mix(mix(e4.wrapping_add(0x9e37_79b9)))),
            0,
            0,
            0,
            0
        ]
    );
}

#[test]
fn evaluations_and_clocks_stand_where_the_page_says() {
    let work = Workplace::new();
    work.import(
        "[Event \"E\"]\n\n1. e4 *\n\n[Event \"E\"]\n\n\
         1. f3 {[%eval -0.85] [%clk 0:01:00]} e5 {[%eval -0.85] [%clk 0:00:09.5]} \
         2. g4 {[%eval #-1] [%clk 0:00:45]} Qh4# {[%clk 0:00:30]} 0-1\n",
    );

    let connection = Connection::open(work.path("games.db")).expect("a database");
    let found = [1, 2].map(|game| [19, 20, 21, 22, 23, 24].map(|at| value(&connection, at, game)));
    assert_eq!(found[0], [0; 6]);

    let [judgements, swing, accuracy, loss, time_left, blunder_time] = found[1];
    // An inaccuracy and a blunder of White, who loses 100 and 915 centipawns; Black loses nothing.
    assert_eq!(
        [judgements, swing, time_left, blunder_time],
        [1 | 1 << 16, 916, 96, 451]
    );
    assert_eq!(loss, 5076 | 1 << 16);
    assert_eq!(accuracy >> 16, 10_001);
    assert!(
        (2000..4000).contains(&(accuracy & 0xffff)),
        "{}",
        accuracy & 0xffff
    );
}

/// The finisher of MurmurHash3.
fn mix(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x85eb_ca6b);
    let number = (number ^ (number >> 13)).wrapping_mul(0xc2b2_ae35);
    number ^ (number >> 16)
}
