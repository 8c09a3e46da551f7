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
    // Flags, White, Black, date, White's and Black's Elo, ECO code, half-moves.
    let columns = [0, 1, 2, 6, 7, 8, 9, 10];
    let [first, second] = [1, 2].map(|game| columns.map(|column| value(&connection, column, game)));

    let exists_replayed_standard = 1 | 2 | 4;
    assert_eq!(first, [exists_replayed_standard, 0, 0, 0, 0, 0, 0, 1]);

    let comment_in_words = 8 | 16;
    let white_won = 1 << 5;
    let checkmate = 1 << 7;
    let rapid = 4 << 16;
    let black_is_wim = 8 << 23;
    let flags =
        exists_replayed_standard | comment_in_words | white_won | checkmate | rapid | black_is_wim;
    let july_1972 = 1972 << 9 | 7 << 5;
    assert_eq!(second, [flags, 1, 0, july_1972, 2785, 0, 251, 7]);

    // A game of one half-move has the first of the five hashes.
    let hashes = [14, 15, 16, 17, 18].map(|column| value(&connection, column, 1));
    let (e2, e4): (u32, u32) = (12, 28);
    let code = e2 | e4 << 6;
    let half_move = mix((2 * code).wrapping_add(0x9e37_79b9));
    assert_eq!(hashes, [u64::from(mix(half_move)), 0, 0, 0, 0]);
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
    let columns = [19, 20, 21, 22, 23, 24];
    let [first, second] = [1, 2].map(|game| columns.map(|column| value(&connection, column, game)));
    // The first game has no evaluations.
    assert_eq!(first, [0; 6]);

    // All values but the judgements are one more than what they tell, since 0 is for none.
    let [judgements, swing, accuracy, loss, time_left, blunder_time] = second;
    // An inaccuracy and a blunder of White, who loses 100 and 915 centipawns; Black loses nothing.
    assert_eq!(
        [judgements, swing, time_left, blunder_time],
        [1 | 1 << 16, 916, 96, 451]
    );
    assert_eq!(loss, 5076 | 1 << 16);

    // Hundredths of a percent: White's in the low 16 bits, Black's above.
    let white_accuracy = accuracy & 0xffff;
    let black_accuracy = accuracy >> 16;
    assert!((2000..4000).contains(&white_accuracy), "{white_accuracy}");
    assert_eq!(black_accuracy, 10_001);
}

/// The finisher of MurmurHash3.
fn mix(number: u32) -> u32 {
    let once = (number ^ (number >> 16)).wrapping_mul(0x85eb_ca6b);
    let twice = (once ^ (once >> 13)).wrapping_mul(0xc2b2_ae35);
    twice ^ (twice >> 16)
}
