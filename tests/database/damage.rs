//! `stamma check --full` detects every changed bit that changes an answer.

use std::fs;
use std::path::Path;

use crate::support::corpus::fewer;
use crate::support::program::Workplace;
use crate::support::random::Random;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use stamma::maintenance::{Depth, check, digest};
use stamma::storage::Database;

/// Games with everything that can be stored of a game: odd tags, comments, variations, problems, texts between games,
/// draws by rule, contradictory termination markers, unreadable rests, a game of another variant, foreign letters.
const GAMES: &str = "% text before\nwords before\n\n\
    [Event \"One Open\"]\n[Site \"Rome\"]\n[Date \"1972.07.23\"]\n[Round \"3\"]\n[White \"Tal, M\"]\n\
    [Black \"Botvinnik\"]\n[Result \"1-0\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n[ECO \"B20\"]\n\
    [Opening \"Sicilian\"]\n\n1. e4 c5 {a comment} 2. Nf3 $1 (2. c3 d5) 2... Nc6 3. Bb5 1-0\n\n\
    [Event \"Two\"]\n[White \"Karpov\"]\n[Black \"Tal, M\"]\n[Result \"0-1\"]\n\n\
    1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 1/2-1/2\n\n\
    words between\n\n\
    [Event \"Three\"]\n[Round \"2\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n\
    [Event \"Four\"]\n[Variant \"Atomic\"]\n[White \"C\"]\n\n1. e4 e5 {lost?} *\n\n\
    [Event \"Vier\"]\n[White \"Dänner\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 *\n\n\
    [Event \"Five\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. Qh9 nonsense *\n\nwords behind\n";

fn database() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work.write(
        "more.pgn",
        "[Event \"Six\"]\n[White \"Tal, M\"]\n\n1. d4 {more} d5 2. Ke2 *\n",
    );
    work.stamma("import games.db more.pgn");

    work.stamma("check games.db --full").success();

    work
}

/// All observable content of a database: its digest, and the SQL rows of games, sources, problems and texts. A failure
/// is observable, too.
fn answers(path: &Path) -> String {
    let Ok(database) = Database::open(path) else {
        return "failure".to_owned();
    };
    let digested = digest(&database, |_, _| {}).ok();
    let Some(digest) = digested.and_then(|digested| digested.digest) else {
        return "failure".to_owned();
    };

    drop(database);
    let connection = Connection::open(path).expect("a database");
    let mut all = digest;

    for sql in [
        "SELECT * FROM games ORDER BY id",
        "SELECT * FROM source ORDER BY id",
        "SELECT * FROM problem ORDER BY id",
        "SELECT * FROM source_text ORDER BY id",
        "SELECT * FROM player ORDER BY id",
        "SELECT names FROM game JOIN tag_order ON tag_order.id = tag_order_id ORDER BY game.id",
    ] {
        match rows(&connection, sql) {
            Ok(rows) => all += &rows,
            Err(_) => return "failure".to_owned(),
        }
    }

    all
}

fn rows(connection: &Connection, sql: &str) -> rusqlite::Result<String> {
    let mut select = connection.prepare(sql)?;
    let columns = select.column_count();
    let mut rows = select.query([])?;
    let mut all = String::new();

    while let Some(row) = rows.next()? {
        for column in 0..columns {
            all += &format!("{:?}|", row.get_ref(column)?);
        }
    }

    Ok(all)
}

/// Whether a full check reports a fault, or fails.
fn is_detected(path: &Path) -> bool {
    let Ok(database) = Database::open(path) else {
        return true;
    };

    let report = check(&database, Depth::Full, |_, _| {});
    !report.is_ok_and(|report| report.faults.is_empty())
}

#[test]
fn every_changed_bit_of_a_cell_is_detected() {
    let work = database();
    let path = work.path("games.db");
    let whole = fs::read(&path).expect("the file");
    let cells = cells(&Connection::open(&path).expect("a database"));
    let mut random = Random::new(1);

    for number in 0..400 / fewer(3) {
        let (table, column, row, value) = &cells[number * 7 % cells.len()];
        let changed = flipped(value, &mut random);

        // As by damage to the file: no trigger notes it, and no constraint refuses it.
        let connection = Connection::open(&path).expect("a database");
        let off = "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '";
        connection
            .execute_batch(&format!("{off}{table}'"))
            .expect("no triggers");
        drop(connection);

        let connection = Connection::open(&path).expect("a database");
        let off = "PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1; DROP INDEX player_unique";
        connection
            .execute_batch(off)
            .expect("no references, and names as they may be");

        let update = format!("UPDATE {table} SET {column} = ?1 WHERE rowid = ?2");
        connection
            .execute(&update, params![changed, row])
            .expect("a changed cell");
        drop(connection);

        // Moves and tags are rows of their games.
        let named = if table == "movetext" { "game" } else { table };
        let place = format!("{named} {row}");
        let places = faults(&path);
        assert!(
            places.contains(&place),
            "{table}.{column} of row {row}: {value:?} to {changed:?}: {places:?}"
        );

        fs::write(&path, &whole).expect("the file as it was");
    }
}

/// The places of the faults that a full check reports.
fn faults(path: &Path) -> Vec<String> {
    let database = Database::open(path).expect("a database");
    let ignore_progress = |_, _| {};
    let report = check(&database, Depth::Full, ignore_progress).expect("a report");

    let mut places = Vec::new();
    for fault in report.faults.first {
        places.push(fault.place);
    }
    places
}

/// A value with one bit flipped. A text stays valid, and a number changes in its lowest 32 bits.
fn flipped(value: &Value, random: &mut Random) -> Value {
    let flip = |mut bytes: Vec<u8>, random: &mut Random, bits: usize| {
        let byte = random.below(bytes.len());
        bytes[byte] ^= 1 << random.below(bits);
        bytes
    };

    match value {
        Value::Integer(number) => Value::Integer(number ^ 1 << random.below(32)),
        Value::Text(text) => {
            // Seven bits of an ASCII text can change without harm to its encoding.
            let ascii: String = text
                .chars()
                .map(|letter| if letter.is_ascii() { letter } else { 'a' })
                .collect();
            let bytes = flip(ascii.into_bytes(), random, 7);
            Value::Text(String::from_utf8(bytes).expect("ASCII"))
        }
        Value::Blob(bytes) => Value::Blob(flip(bytes.clone(), random, 8)),
        other => other.clone(),
    }
}

/// A table, a column, a row number, and the value there.
type Cell = (String, String, i64, Value);

/// All non-null cells of the tables that an import fills from its input.
fn cells(connection: &Connection) -> Vec<Cell> {
    let mut cells = Vec::new();
    for table in [
        "game",
        "movetext",
        "problem",
        "source",
        "source_text",
        "player",
        "event",
        "site",
        "tag_order",
    ] {
        let sql = "SELECT name FROM pragma_table_info(?1) WHERE pk = 0";
        let mut select = connection.prepare(sql).expect("SQL");
        let columns = select
            .query_map([table], |row| row.get(0))
            .expect("columns");

        for column in columns {
            let column: String = column.expect("a column");
            let sql = format!("SELECT rowid, {column} FROM {table} WHERE length({column}) > 0");
            let mut select = connection.prepare(&sql).expect("SQL");
            let found = select
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .expect("cells");

            for cell in found {
                let (row, value) = cell.expect("a cell");
                cells.push((table.to_owned(), column.clone(), row, value));
            }
        }
    }

    assert!(cells.len() > 200);

    cells
}

#[test]
fn every_changed_bit_of_the_file_that_changes_an_answer_is_detected() {
    let work = database();
    let path = work.path("games.db");
    let whole = fs::read(&path).expect("the file");
    let before = answers(&path);
    assert_ne!(before, "failure", "the file is damaged already");

    let mut random = Random::new(2);
    let (mut seen, mut harmless) = (0, 0);

    // The file with one bit changed, the rest as it was.
    for _ in 0..500 / fewer(2) {
        let bit = random.below(8 * whole.len());
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &changed).expect("a changed file");

        if is_detected(&path) {
            seen += 1;
        } else {
            // In free space, or in what SQLite does not read.
            let (byte, bit) = (bit / 8, bit % 8);
            assert_eq!(answers(&path), before, "bit {bit} of byte {byte}");
            harmless += 1;
        }

        // SQLite's files beside the database belong to this state.
        for end in ["-journal", "-wal", "-shm"] {
            let _ = fs::remove_file(work.path(&format!("games.db{end}")));
        }
    }

    // Both kinds must occur for the test to say anything.
    let has_both = seen > 30 && harmless > 30;
    assert!(has_both, "{seen} seen, {harmless} harmless");
}
