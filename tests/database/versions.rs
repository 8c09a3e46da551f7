//! Databases of every version open, as the program of their time left them.

use std::path::Path;

use crate::support::column_value::value;
use crate::support::index_oracle::{compare, replay_all};
use crate::support::program::{Workplace, messages};
use rusqlite::Connection;

/// The version that this program writes.
const CURRENT: u32 = 13;

/// A database from its SQL text in `tests/data/databases`.
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
    let connection = kept(&work, CURRENT);
    let known = replay_all(&connection);
    assert!(known.values().flat_map(|known| &known.games).any(|found| found.in_variation));
    compare(&connection, &known, 1);
    work.stamma("check games.db --full").success();
}

/// The meaning of column values, and the choice of indexed words, are part of the format: if this fails, raise the
/// number in `columns/mod.rs` and `docs/columns.md`, so that databases are described again.
#[test]
fn the_columns_match_their_format() {
    let work = Workplace::new();
    let _kept = kept(&work, CURRENT);
    let words = "SELECT rowid FROM comment_text('often') ORDER BY rowid";
    let kept = (all_values(&work), work.query(words));
    assert!(
        ["4", "5"]
            .contains(&&*work.query("SELECT value FROM counter WHERE name = 'catalog_format'"))
    );
    let forget =
        "UPDATE counter SET value = 1 WHERE name = 'catalog_format'; DELETE FROM game_column";
    work.run(["sql", "games.db", "--write", forget]).success();
    let message = messages(&work.stamma("check games.db").code(1));
    assert_eq!(message, "game_column: it is of another format; `stamma optimize` makes it again\n");
    assert_eq!(work.output("search games.db --format count").trim(), "39");
    work.stamma("optimize games.db").success();
    work.stamma("check games.db --full").success();
    assert_eq!((all_values(&work), work.query(words)), kept);
    assert_eq!(work.query("SELECT value FROM counter WHERE name = 'catalog_format'"), "5");
}

/// The values of all games in all columns.
fn all_values(work: &Workplace) -> Vec<u64> {
    let connection = Connection::open(work.path("games.db")).expect("a database");
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get(0)).expect("SQL");
    let (games, columns): (i64, i64) =
        (count("SELECT max(id) FROM game"), count("SELECT max(id) >> 52 FROM game_column"));
    let places = (0..=columns).flat_map(|column| (1..=games).map(move |game| (column, game)));
    places.map(|(column, game)| value(&connection, column, game)).collect()
}

/// Removes the numbers that identify the file as Stamma's, as `.dump` does.
fn without_numbers(work: &Workplace, version: u32) {
    let connection = kept(work, version);
    connection.execute_batch("PRAGMA application_id = 0; PRAGMA user_version = 0").expect("SQL");
}

#[test]
fn an_upgrade_keeps_what_users_have_made() {
    for version in [8, 12] {
        let work = Workplace::new();
        let own = "CREATE INDEX my_date ON game(date);
            CREATE TABLE gone (id);
            CREATE TRIGGER my_games AFTER DELETE ON game BEGIN INSERT INTO gone VALUES (old.id); END;
            CREATE TRIGGER my_players AFTER UPDATE ON player BEGIN INSERT INTO gone VALUES (-1); END;
            CREATE VIEW my_view AS SELECT games.id, player.name FROM games, player";
        kept(&work, version).execute_batch(own).expect("objects of a user");
        work.run(["sql", "games.db", "--write", "DELETE FROM game WHERE id = 3"]).success();
        work.run(["sql", "games.db", "--write", "UPDATE player SET name = 'New' WHERE id = 1"])
            .success();
        assert_eq!(work.query("SELECT id FROM gone ORDER BY id DESC"), "3\n-1", "{version}");
        assert_eq!(
            work.query("SELECT count(*) FROM my_view WHERE name = 'New'"),
            "38",
            "{version}"
        );
        assert_eq!(work.query("SELECT count(*) FROM sqlite_schema WHERE name = 'my_date'"), "1");
        work.stamma("optimize games.db").success();
        work.stamma("check games.db --full").success();
    }
}

#[test]
fn fens_of_deleted_games_go_after_an_upgrade() {
    let work = Workplace::new();
    let fens = "CREATE TABLE position_fen (game_id INTEGER NOT NULL, ply INTEGER NOT NULL, fen TEXT NOT NULL,
            PRIMARY KEY (game_id, ply)) WITHOUT ROWID;
        CREATE TRIGGER position_fen_game_is_deleted AFTER DELETE ON game BEGIN
            DELETE FROM position_fen WHERE game_id = old.id;
        END;
        INSERT INTO position_fen VALUES (3, 0, 'a FEN'), (4, 0, 'another')";
    kept(&work, 12).execute_batch(fens).expect("the table of an earlier version");
    work.stamma("delete games.db --games 3 --yes").success();
    assert_eq!(work.query("SELECT game_id FROM position_fen"), "4");
}

#[test]
fn checksums_are_taken_of_all_games_beside_divided_addresses() {
    let work = Workplace::new();
    let address = "UPDATE site SET name = 'https://lichess.org/7fTxzgpb' WHERE id = 1";
    kept(&work, 8).execute_batch(address).expect("an address");
    work.stamma("optimize games.db").success();
    let addresses = "SELECT count(*) > 0 FROM games WHERE site = 'https://lichess.org/7fTxzgpb' AND address = '7fTxzgpb'";
    assert_eq!(work.query(addresses), "1");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_database_that_has_lost_its_numbers_is_recognized() {
    for version in 1..=CURRENT {
        let work = Workplace::new();
        without_numbers(&work, version);
        let message = messages(&work.stamma("optimize games.db").success());
        let expected = "games.db: recognized by its tables; application id and version restored\n";
        assert!(message.starts_with(expected), "{version}: {message}");
        assert_eq!(work.query("PRAGMA application_id"), "1400136045");
        assert_eq!(work.query("PRAGMA user_version"), CURRENT.to_string());
        work.stamma("check games.db --full").success();
        let message = messages(&work.stamma("optimize games.db").success());
        assert!(!message.contains("recognized"), "{message}");
    }
}

#[test]
fn a_database_that_has_lost_its_numbers_answers_unchanged() {
    let work = Workplace::new();
    without_numbers(&work, CURRENT);
    assert_eq!(work.output("search games.db --format count").trim(), "39");
    work.stamma("check games.db --full").success();
    assert_eq!(work.query("PRAGMA application_id"), "0");
}

#[test]
fn incomplete_databases_are_refused() {
    for (change, command) in [
        ("PRAGMA application_id = 252006673", "info games.db"),
        ("PRAGMA application_id = 0; DROP TABLE source_text", "info games.db"),
        ("PRAGMA application_id = 0; DROP TRIGGER game_is_deleted", "optimize games.db"),
        (
            "PRAGMA application_id = 0; ALTER TABLE game RENAME COLUMN eco TO e",
            "import games.db a.pgn",
        ),
    ] {
        let work = Workplace::new();
        work.write("a.pgn", "1. e4 *\n");
        kept(&work, CURRENT).execute_batch(change).expect("SQL");
        let before = std::fs::read(work.path("games.db")).expect("the file");
        let message = messages(&work.stamma(command).code(2));
        assert!(message.contains("not a Stamma database"), "{change}: {message}");
        assert!(std::fs::read(work.path("games.db")).expect("the file") == before, "{change}");
    }
}

#[test]
fn a_copy_by_vacuum_or_with_a_log_is_a_database() {
    let work = Workplace::new();
    let connection = kept(&work, CURRENT);
    let copy = work.path("copy.db");
    connection.execute("VACUUM INTO ?1", [copy.to_str()]).expect("a copy");
    work.stamma("check copy.db --full").success();
    // As copies by Litestream are.
    let copy = Connection::open(copy).expect("a database");
    copy.pragma_update(None, "journal_mode", "wal").expect("a log");
    drop(copy);
    work.stamma("check copy.db --full").success();
    work.stamma("optimize copy.db").success();
}

/// Makes `new.db` from the output of a command of the system's `sqlite3` on `games.db`, if that supports it.
#[expect(clippy::print_stderr, reason = "a skipped test tells the one who runs it")]
fn written_by_sqlite3(work: &Workplace, command: &str) -> bool {
    let path = work.path("games.db");
    let written = std::process::Command::new("sqlite3").arg(path).arg(command).output();
    // Some builds lack `.recover`.
    let written = written.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let Some(sql) = written.ok().filter(|sql| sql.contains("movetext")) else {
        eprintln!("skipped: there is no program sqlite3 with {command}");
        return false;
    };
    work.write("new.sql", sql);
    let mut read = std::process::Command::new("sqlite3");
    let read = read.current_dir(work.path("")).args(["new.db", ".read new.sql"]).status();
    assert!(read.expect("sqlite3").success());
    true
}

#[test]
fn a_dump_is_a_database() {
    for command in [".dump", ".recover"] {
        let work = Workplace::new();
        drop(kept(&work, CURRENT));
        let digest = work.output("check games.db --digest");
        if !written_by_sqlite3(&work, command) {
            continue;
        }
        assert_eq!(work.output("check new.db --digest"), digest, "{command}");
        work.stamma("check new.db --full").success();
        work.write("a.pgn", "[White \"New\"]\n\n1. e4 *\n");
        work.stamma("import new.db a.pgn").success();
        work.stamma("check new.db --full").success();
        assert_eq!(work.output("search new.db --player new --format count"), "1\n");
    }
}

#[test]
fn every_table_and_view_can_be_counted_and_read() {
    let work = Workplace::new();
    let connection = kept(&work, CURRENT);
    work.stamma("materialize games.db").success();
    let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')";
    let mut names = connection.prepare(sql).expect("SQL");
    let names = names.query_map([], |row| row.get(0)).expect("names");
    let names = names.collect::<rusqlite::Result<Vec<String>>>().expect("names");
    assert!(names.len() > 25 && names.contains(&"comment_text".to_owned()), "{names:?}");
    for name in names {
        let count = format!("SELECT count(*) FROM \"{name}\"");
        let count: i64 = connection.query_row(&count, [], |row| row.get(0)).expect(&name);
        let mut select = connection.prepare(&format!("SELECT * FROM \"{name}\"")).expect(&name);
        let (columns, mut rows) = (select.column_count(), select.query([]).expect(&name));
        let mut read = 0;
        while let Some(row) = rows.next().expect(&name) {
            (0..columns).for_each(|column| assert!(row.get_ref(column).is_ok(), "{name}"));
            read += 1;
        }
        assert_eq!(read, count, "{name}");
    }
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
fn addresses_are_divided() {
    let work = Workplace::new();
    kept(&work, 12)
        .execute_batch(
            "UPDATE site SET name = 'https://lichess.org/7fTxzgpb' WHERE id = 1;
            UPDATE game SET site_id = NULL WHERE id % 3 = 0;
            INSERT INTO site (id, name) VALUES (50, 'https://lichess.org/');
            UPDATE game SET site_id = 50 WHERE id = 7;
            UPDATE tag_order SET names = json_insert(names, '$[#]', 'GameId');
            UPDATE movetext SET tags = json_set(coalesce(tags, '{}'), '$.GameId', 'Game' || game_id || 'x')
                WHERE game_id IN (2, 3, 7)",
        )
        .expect("SQL");
    let sites = "SELECT id || ' ' || coalesce(site, '') FROM games ORDER BY id";
    let before = work.query(sites);
    work.stamma("optimize games.db").success();
    assert_eq!(work.query(sites), before);
    let address = |condition: &str| {
        work.query(&format!("SELECT DISTINCT address FROM games WHERE {condition} ORDER BY 1"))
    };
    assert_eq!(address("site = 'https://lichess.org/7fTxzgpb'"), "7fTxzgpb");
    assert_eq!(address("id IN (3, 7) AND address IS NOT NULL"), "Game3x");
    assert_eq!(work.query("SELECT name FROM site WHERE name LIKE 'http%'"), "https://lichess.org/");
    assert_eq!(work.query("SELECT count(*) FROM site_text('7ftxzgpb')"), "0");
    assert_eq!(work.output("search games.db --site Game3x --format count").trim(), "1");
    work.stamma("check games.db --full").success();
}

#[test]
fn text_between_games_is_migrated() {
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

#[test]
fn games_get_their_openings_when_the_database_is_changed() {
    for change in ["optimize games.db", "materialize games.db"] {
        let work = Workplace::new();
        let _kept = kept(&work, 9);
        work.stamma(change).success();
        let openings = "SELECT opening_eco || ' ' || opening || ' ' || count(*) FROM games
            GROUP BY opening ORDER BY 1";
        let expected = "B50 Sicilian Defense 8\nC42 Petrov's Defense 8\nC60 Ruy Lopez 8\n\
            D06 Queen's Gambit 8\nE60 Indian Defense: West Indian Defense 7";
        assert_eq!(work.query(openings), expected, "{change}");
        work.stamma("check games.db --full").success();
    }
}

macro_rules! brought_up_to_date {
    ($($name:ident: $version:literal;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn by_optimize() {
                let work = Workplace::new();
                let connection = kept(&work, $version);
                let known = replay_all(&connection);
                let refused = work.stamma("moves games.db").code(2);
                assert_eq!(
                    messages(&refused),
                    "stamma: games.db: this database was written by an earlier Stamma; `stamma \
                     optimize` upgrades it\n"
                );
                work.stamma("optimize games.db").success();
                compare(&connection, &known, 1);
                work.stamma("info games.db").success();
                work.stamma("check games.db --full").success();
            }

            #[test]
            fn by_an_import() {
                let work = Workplace::new();
                let connection = kept(&work, $version);
                work.import("[Event \"new\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Sf3 Sc6 1-0\n");
                compare(&connection, &replay_all(&connection), 1);
                assert_eq!(work.query("SELECT count(*) FROM games"), "40");
                assert_eq!(work.query("SELECT language FROM games WHERE id > 40"), "de");
                assert_eq!(work.query("SELECT encoding FROM source WHERE id > 1"), "UTF-8");
                work.stamma("check games.db --full").success();
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
    version_8: 8;
    version_9: 9;
    version_10: 10;
    version_11: 11;
    version_12: 12;
}
