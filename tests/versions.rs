//! Are databases of every version opened, as they were left by the program of their time?

mod common;
mod twin;

use std::path::Path;

use common::{Workplace, messages};
use rusqlite::Connection;
use twin::{compare, twin};

/// A database from its text in `tests/data/databases`.
fn kept(work: &Workplace, version: u32) -> Connection {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/databases");
    let sql = std::fs::read_to_string(data.join(format!("version-{version}.sql")));
    let connection = Connection::open(work.path("games.db")).expect("a new database");
    connection.execute_batch(&sql.expect("the kept text")).expect("the kept database");
    connection
}

#[test]
fn the_current_version_answers_at_once() {
    let work = Workplace::new();
    let connection = kept(&work, 8);
    let known = twin(&connection);
    assert!(known.values().flat_map(|known| &known.games).any(|found| found.in_variation));
    compare(&connection, &known, 1);
}

#[test]
fn filters_know_all_games_after_any_change() {
    for change in ["delete games.db --games 5 --yes", "materialize games.db"] {
        let work = Workplace::new();
        let _kept = kept(&work, 7);
        work.stamma(change).success();
        let games = work.query("SELECT count(*) FROM games");
        assert_eq!(work.output("search games.db --format count").trim(), games, "{change}");
        work.stamma("check games.db --full").success();
    }
}

#[test]
fn text_between_games_is_taken_over() {
    let work = Workplace::new();
    let connection = kept(&work, 3);
    connection
        .execute_batch(
            "INSERT INTO problem (source_id, kind, byte_offset, byte_length, line, column, text, message)
             SELECT 1, 'text-between-games', byte_offset - 1, 9, 1, 1, char(13, 10) || 'a' || char(13, 10)
             || '%b' || char(10, 10), '' FROM game WHERE id IN (1, 20)",
        )
        .expect("SQL");
    work.stamma("optimize games.db").success();
    let texts = work.query("SELECT before_game, replace(text, char(10), '/') FROM source_text");
    assert_eq!(texts, "1|a/b\n20|a/b");
}

macro_rules! brought_up_to_date {
    ($($name:ident: $version:literal;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn by_optimize() {
                let work = Workplace::new();
                let connection = kept(&work, $version);
                let known = twin(&connection);
                let refused = work.stamma("moves games.db").code(2);
                assert_eq!(
                    messages(&refused),
                    "stamma: games.db: an earlier Stamma has written this database; `stamma \
                     optimize` brings it up to date\n"
                );
                work.stamma("optimize games.db").success();
                compare(&connection, &known, 1);
                work.stamma("info games.db").success();
            }

            #[test]
            fn by_an_import() {
                let work = Workplace::new();
                let connection = kept(&work, $version);
                work.import("[Event \"new\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Sf3 Sc6 1-0\n");
                compare(&connection, &twin(&connection), 1);
                assert_eq!(work.query("SELECT count(*) FROM games"), "40");
                assert_eq!(work.query("SELECT language FROM games WHERE id > 40"), "de");
                assert_eq!(work.query("SELECT encoding FROM source WHERE id > 1"), "UTF-8");
            }
        }
    )*};
}

brought_up_to_date! {
    version_1: 1;
    version_2: 2;
    version_3: 3;
    version_4: 4;
    version_5: 5;
    version_6: 6;
    version_7: 7;
}
