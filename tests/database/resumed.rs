//! An import that was interrupted, or that meets known sources, ends like an undisturbed import.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::index_oracle::{compare, replay_all};
use crate::support::invariants::scid::scid_database::ScidDatabase;
use crate::support::program;
use crate::support::program::{Workplace, commented_games};
use rusqlite::Connection;
use stamma::error::Error;
use stamma::import::{EarlierImport, Event, ImportOptions, ReadOptions, Summary, import};
use stamma::storage::Database;

/// The historical games, repeated. Each repetition has its number in the names of events, and is longer than a batch by
/// its comments.
fn repeated_games(name: &str, times: usize) -> String {
    let commented = commented_games(&" a long comment".repeat(700));

    let mut text = String::new();
    for number in 0..times {
        let event = format!("[Event \"{name} {number}: ");
        text += &commented.replace("[Event \"", &event);
    }
    assert!(text.len() > times << 20, "a batch has a mebibyte");

    text
}

fn import_with(work: &Workplace, files: &[&str], options: ImportOptions) -> Result<Summary, Error> {
    let files: Vec<_> = files.iter().map(|name| work.path(name)).collect();
    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    import(&mut database, &files, options, |_| {})
}

/// Imports until this many batches have been written, each as a step.
fn import_some(work: &Workplace, files: &[&str], batches: u64) -> Summary {
    let files: Vec<_> = files.iter().map(|name| work.path(name)).collect();
    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    let stop = Arc::new(AtomicBool::new(false));

    let options = ImportOptions {
        step_bytes: 1,
        stop: Some(Arc::clone(&stop)),
        ..ImportOptions::default()
    };

    let mut written = 0;
    let progress = |event: Event<'_>| {
        written += u64::from(matches!(event, Event::Written(_)));
        stop.store(written == batches, Ordering::Relaxed);
    };

    import(&mut database, &files, options, progress).expect("an import")
}

fn import_all(work: &Workplace, files: &[&str]) -> Summary {
    import_with(work, files, ImportOptions::default()).expect("an import")
}

fn open(work: &Workplace) -> Connection {
    Connection::open(work.path("games.db")).expect("a database")
}

/// The content of a database, except the time of its creation.
fn content(work: &Workplace) -> Vec<String> {
    const QUERIES: [&str; 5] = [
        "SELECT * FROM games ORDER BY id",
        "SELECT * FROM problem ORDER BY id",
        "SELECT before_game, byte_offset, text FROM source_text ORDER BY id",
        "SELECT id, bytes, hex(content_hash), known_bytes, hex(known_hash), first_game, last_game, games, problems,
            notation, language, encoding, unfinished FROM source ORDER BY id",
        "SELECT sum(postings) FROM position_segment",
    ];

    let mut lines = Vec::new();
    for sql in QUERIES {
        lines.extend(work.query(sql).lines().map(str::to_owned));
    }

    lines
}

/// Asserts equality, and reports only the first difference.
fn assert_same(found: &[String], expected: &[String]) {
    let first = found
        .iter()
        .zip(expected)
        .find(|(found, expected)| found != expected);
    assert_eq!(first, None);
    assert_eq!(found.len(), expected.len());
}

/// The content after an undisturbed import of files.
fn undisturbed_content(files: &[(&str, &str)]) -> Vec<String> {
    let work = Workplace::new();
    for (name, text) in files {
        work.write(name, text);
    }

    // The files are imported by one run, in their order.
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    import_all(&work, &names);

    content(&work)
}

#[test]
fn it_resumes_wherever_it_was_interrupted() {
    let one = repeated_games("one", 2);
    let two = repeated_games("two", 1);
    let three = repeated_games("three", 2);
    let files = [
        ("one.pgn", one.as_str()),
        ("two.pgn", two.as_str()),
        ("three.pgn", three.as_str()),
    ];
    let expected = undisturbed_content(&files);

    let work = Workplace::new();
    for (name, text) in files {
        work.write(name, text);
    }

    // One batch a run, until all files are read.
    let names = files.map(|(name, _)| name);
    let mut times = 0;
    while import_some(&work, &names, 1).is_interrupted {
        times += 1;
        assert!(times < 1000, "it comes no further");
    }
    assert!(times > 3, "it was interrupted {times} times");

    assert_same(&content(&work), &expected);
    let connection = open(&work);
    compare(&connection, &replay_all(&connection), 50);
}

/// Interrupts the import of a database of another program after each batch; asserts that it ends like an undisturbed
/// import.
fn assert_that_a_database_is_resumed(write: impl Fn(&Workplace), name: &str) {
    let undisturbed = Workplace::new();
    write(&undisturbed);

    let all = import_all(&undisturbed, &[name]);
    assert!(all.tally.games > 1000, "{all:?}");

    let work = Workplace::new();
    write(&work);

    let mut times = 0;
    while import_some(&work, &[name], 1).is_interrupted {
        times += 1;
        assert!(times < 1000, "it comes no further");
    }

    assert!(times > 1, "it was interrupted {times} times");

    assert_same(&content(&work), &content(&undisturbed));
}

#[test]
fn a_database_of_scid_is_resumed() {
    let write = |work: &Workplace| {
        let mut database = ScidDatabase::version_4();
        database.repeat(300);
        database.write(&work.path(""), "long");
    };
    assert_that_a_database_is_resumed(write, "long.si4");
}

#[test]
#[cfg(feature = "chessbase")]
fn a_database_of_chessbase_is_resumed() {
    const HEADER_BYTES: usize = 46;

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/chessbase");
    let read = |part| std::fs::read(folder.join(format!("own.{part}"))).expect("a file");

    let write = |work: &Workplace| {
        for part in ["cbg", "cba", "cbp", "cbt", "cbc", "cbs"] {
            work.write(&format!("long.{part}"), read(part));
        }

        let mut index = read("cbh");
        let records = index.split_off(HEADER_BYTES).repeat(2000);
        index.extend(records);
        work.write("long.cbh", index);
    };

    assert_that_a_database_is_resumed(write, "long.cbh");
}

#[test]
fn positions_of_an_interrupted_import_are_kept_whatever_follows() {
    let work = Workplace::new();
    work.write("one.pgn", repeated_games("one", 3));
    assert!(import_some(&work, &["one.pgn"], 2).is_interrupted);

    open(&work)
        .execute_batch("DELETE FROM position_segment; DELETE FROM position_block")
        .expect("SQL");

    // A panic stands for a kill, at the first event behind the indexing of what was left.
    let killed = std::panic::catch_unwind(|| {
        let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
        let fail = |event: Event<'_>| {
            let is_catching_up = matches!(event, Event::CaughtUp { .. });
            assert!(is_catching_up, "as if it were killed");
        };

        let files = [work.path("one.pgn")];
        import(&mut database, &files, ImportOptions::default(), fail)
    });

    assert!(killed.is_err());

    let segments = "SELECT count(*) FROM position_segment";
    let segments: i64 = open(&work)
        .query_row(segments, [], |row| row.get(0))
        .expect("SQL");
    assert_eq!(segments, 1);

    import_all(&work, &["one.pgn"]);
    let connection = open(&work);
    compare(&connection, &replay_all(&connection), 50);
}

#[test]
fn what_an_interrupted_import_has_left_is_reported_while_it_is_indexed() {
    let work = Workplace::new();
    work.write("one.pgn", repeated_games("one", 3));
    assert!(import_some(&work, &["one.pgn"], 2).is_interrupted);

    let connection = open(&work);
    connection
        .execute_batch("DELETE FROM position_segment; DELETE FROM position_block")
        .expect("SQL");

    let games: i64 = connection
        .query_row("SELECT count(*) FROM game", [], |row| row.get(0))
        .expect("SQL");
    let left = games.cast_unsigned();
    drop(connection);

    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    let (mut seen, mut is_reading) = (Vec::new(), false);

    let note = |event: Event<'_>| match event {
        Event::CaughtUp { games, all } => {
            assert!(!is_reading && all == left, "{games} of {all}");
            seen.push(games);
        }
        _ => is_reading = true,
    };

    let files = [work.path("one.pgn")];
    import(&mut database, &files, ImportOptions::default(), note).expect("an import");

    assert!(seen.is_sorted(), "{seen:?}");
    assert_eq!(seen.last(), Some(&left), "{seen:?}");
}

#[test]
fn a_failed_step_keeps_earlier_ones() {
    let (one, two) = (repeated_games("one", 3), repeated_games("two", 1));
    let expected = undisturbed_content(&[("one.pgn", &one), ("two.pgn", &two)]);
    let work = Workplace::new();

    work.write("one.pgn", &one);
    work.write("two.pgn", &two);
    assert!(import_some(&work, &["one.pgn"], 2).is_interrupted);

    // As after a power failure: games are present, and their positions are not.
    let connection = open(&work);
    connection
        .execute_batch("DELETE FROM position_segment; DELETE FROM position_block")
        .expect("SQL");
    drop(connection);

    let summary = import_all(&work, &["one.pgn", "two.pgn"]);

    // The first batch, of a mebibyte, is not read again.
    let [EarlierImport::Resumed { bytes, .. }] = &summary.earlier[..] else {
        panic!("{:?}", summary.earlier);
    };
    assert!(*bytes > 1 << 20);

    assert_same(&content(&work), &expected);
    let connection = open(&work);
    compare(&connection, &replay_all(&connection), 50);
}

#[test]
fn it_restarts_if_other_games_were_added() {
    let (one, two) = (repeated_games("one", 3), repeated_games("two", 1));
    let work = Workplace::new();
    work.write("one.pgn", &one);
    work.write("two.pgn", &two);

    // The games of the second file follow the part of the first one, which therefore begins anew.
    assert!(import_some(&work, &["one.pgn"], 1).is_interrupted);
    import_all(&work, &["two.pgn"]);
    import_all(&work, &["one.pgn"]);

    let sources =
        "SELECT path LIKE '%two.pgn', last_game - first_game + 1 - games, unfinished FROM source";
    assert_eq!(work.query(sources), "1|0|NULL\n0|0|NULL");

    let events =
        "SELECT count(DISTINCT event), count(*) = (SELECT sum(games) FROM source) FROM games";
    let found = work.query(events);

    let undisturbed = Workplace::new();
    undisturbed.write("all.pgn", [one, two].concat());
    import_all(&undisturbed, &["all.pgn"]);
    assert_eq!(found, undisturbed.query(events));

    let connection = open(&work);
    compare(&connection, &replay_all(&connection), 50);
}

#[test]
fn other_options_are_refused() {
    let work = Workplace::new();
    work.write("one.pgn", repeated_games("one", 3));
    assert!(import_some(&work, &["one.pgn"], 1).is_interrupted);

    let encoding = stamma::input::Encoding::from_name("windows-1252").expect("an encoding");
    let read = ReadOptions {
        encoding: Some(encoding),
        ..ReadOptions::default()
    };

    let options = ImportOptions {
        read,
        ..ImportOptions::default()
    };

    let failed = import_with(&work, &["one.pgn"], options);
    assert!(matches!(failed, Err(Error::OtherOptions(path)) if path.ends_with("one.pgn")));
    assert!(import_all(&work, &["one.pgn"]).failures.is_empty());
}

const GAMES: [&str; 3] = [
    "[Event \"first\"]\n\n1. e4 { é } e5 1-0\n\n",
    "[Event \"second\"]\n\n1. d4 d5 2. c4 *\n\n",
    "[Event \"third\"]\n\n1. c4 c5 2. Nc3 Nc6 0-1\n\n",
];

/// Imports a file before and after it has grown; returns the events in the order of the game numbers.
fn import_grown(before: &str, now: &[u8]) -> (Summary, String) {
    let work = Workplace::new();
    work.write("games.pgn", before);
    import_all(&work, &["games.pgn"]);
    work.write("games.pgn", now);

    // The index has the games of both runs.
    let summary = import_all(&work, &["games.pgn"]);
    let connection = open(&work);
    compare(&connection, &replay_all(&connection), 1);

    let events = "SELECT group_concat(event || ' ' || ply_count, ', ')
        FROM (SELECT * FROM games ORDER BY id)";
    (summary, work.query(events))
}

macro_rules! grows {
    ($($name:ident: $before:expr, $now:expr => $events:literal, $is_grown:literal;)*) => {$(
        #[test]
        fn $name() {
            let (summary, events) = import_grown(&$before, $now.as_bytes());
            assert_eq!(events, $events);
            assert_eq!(matches!(&summary.earlier[..], [EarlierImport::Extended { .. }]), $is_grown);
        }
    )*};
}

grows! {
    by_a_game: GAMES[..2].concat(), GAMES.concat() => "first 2, second 3, third 4", true;
    behind_blank_lines: [GAMES[0]].concat(), [GAMES[0], "\n\n", GAMES[1]].concat() => "first 2, second 3", true;
    behind_the_last_line: [GAMES[0].trim_end()].concat(), GAMES.concat() => "first 2, second 3, third 4", true;
    behind_half_a_game: [GAMES[0], &GAMES[1][..26]].concat(), GAMES.concat() => "first 2, second 3, third 4", true;
    behind_half_a_tag: [GAMES[0], &GAMES[1][..9]].concat(), GAMES.concat() => "first 2, second 3, third 4", true;
    by_text_alone: GAMES[..2].concat(), [&GAMES[..2].concat(), "\n% text\n"].concat() => "first 2, second 3", true;
    of_another_beginning: GAMES[..2].concat(), GAMES[1..].concat() => "first 2, second 3, second 3, third 4", false;
    of_another_middle: GAMES.concat(), [GAMES[0], GAMES[2], GAMES[1]].concat()
        => "first 2, second 3, third 4, first 2, third 4, second 3", false;
}

#[test]
fn a_long_file_grows_week_by_week() {
    let text = repeated_games("week", 3);
    let work = Workplace::new();

    let cuts = [
        text.len() / 3,
        text.len() / 2,
        text.len() * 2 / 3,
        text.len(),
    ];

    for (week, cut) in cuts.into_iter().enumerate() {
        // Between two games, but for the last one.
        let last_game = text[..cut].rfind("[Event ").expect("a game");
        let end = if cut < text.len() { last_game } else { cut };

        work.write("games.pgn", &text[..end]);
        let summary = import_all(&work, &["games.pgn"]);
        assert_eq!(summary.earlier.len(), usize::from(week > 0), "week {week}");
    }

    let whole = Workplace::new();
    whole.write("games.pgn", &text);
    import_all(&whole, &["games.pgn"]);

    let moves = "SELECT id, event, moves, byte_offset, byte_length FROM games ORDER BY id";
    assert!(work.query(moves) == whole.query(moves));
    assert_eq!(work.query("SELECT continues FROM source"), "NULL\n1\n2\n3");

    import_all(&work, &["games.pgn"]);
    assert_eq!(work.query("SELECT count(*) FROM source"), "4");
}

#[test]
fn utf16_grows_and_is_interrupted_too() {
    let utf16 = |text: &str| -> Vec<u8> {
        let marked = format!("\u{feff}{text}");
        let units = marked.encode_utf16();
        units.flat_map(u16::to_le_bytes).collect()
    };

    // A file that ends between two games, and has more of them later.
    let text = repeated_games("é", 3);
    let cut = text[..text.len() / 2].rfind("[Event ").expect("games");
    let work = Workplace::new();

    work.write("games.pgn", utf16(&text[..cut]));
    assert!(import_some(&work, &["games.pgn"], 1).is_interrupted);

    import_all(&work, &["games.pgn"]);
    work.write("games.pgn", utf16(&text));
    import_all(&work, &["games.pgn"]);

    let whole = Workplace::new();
    whole.write("games.pgn", utf16(&text));
    import_all(&whole, &["games.pgn"]);

    let moves = "SELECT id, event, moves, byte_offset, byte_length FROM games ORDER BY id";
    assert!(work.query(moves) == whole.query(moves));
}

/// Imports a stream that was interrupted in the middle of its last game, and later all of it.
#[test]
fn a_game_that_was_cut_when_it_stopped_is_read_again() {
    let text = repeated_games("one", 2);
    let cut = text.rfind(" a long comment").expect("a comment");
    let work = Workplace::new();

    work.write("games.pgn", &text[..cut]);
    let mut batches = 0;

    while import_some(&work, &["games.pgn"], 1).is_interrupted {
        batches += 1;
        assert!(batches < 1000, "it comes no further");
    }
    assert!(batches > 1);

    work.write("games.pgn", &text);
    import_all(&work, &["games.pgn"]);

    let whole = Workplace::new();
    whole.write("games.pgn", &text);
    import_all(&whole, &["games.pgn"]);

    let games =
        "SELECT event, moves, annotations, rest, byte_offset, byte_length FROM games ORDER BY id";
    assert!(work.query(games) == whole.query(games));

    let counts = "SELECT sum(games) = (SELECT count(*) FROM game),
        sum(problems) = (SELECT count(*) FROM problem) FROM source";
    assert_eq!(work.query(counts), "1|1");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_grown_file_is_forgotten_as_a_whole() {
    let work = Workplace::new();
    for count in 1..=3 {
        work.write("games.pgn", GAMES[..count].concat());
        work.stamma("import games.db games.pgn").success();
    }

    work.stamma("forget games.db 2").success();
    assert_eq!(work.query("SELECT event FROM games"), "first");

    work.stamma("import games.db games.pgn").success();
    assert_eq!(
        work.query("SELECT event FROM games"),
        "first\nsecond\nthird"
    );

    work.stamma("forget games.db games.pgn").success();
    assert_eq!(work.query("SELECT count(*) FROM source"), "0");

    work.stamma("import games.db games.pgn").success();
    assert_eq!(
        work.query("SELECT event FROM games"),
        "first\nsecond\nthird"
    );
}

#[test]
fn a_cut_game_is_removed_once() {
    let work = Workplace::new();
    // The file ends within its second game, and is whole later.
    work.write("games.pgn", [GAMES[0], &GAMES[1][..26]].concat());
    work.stamma("import games.db games.pgn").code(1);
    work.write("games.pgn", GAMES.concat());

    for _ in 0..2 {
        work.stamma("import games.db games.pgn").success();
        let events = work.query("SELECT event FROM games");
        assert_eq!(events, "first\nsecond\nthird");

        work.stamma("forget games.db 2").success();
        assert_eq!(work.query("SELECT event FROM games"), "first");
    }
}

#[test]
fn a_stream_removes_no_games() {
    let (one, two) = (repeated_games("one", 3), repeated_games("two", 1));
    let work = Workplace::new();
    work.write("one.pgn", &one);
    work.write("two.pgn", &two);

    assert!(import_some(&work, &["one.pgn"], 1).is_interrupted);

    import_all(&work, &["two.pgn"]);
    let games = work.query("SELECT count(*) FROM game");

    // Another file with the same head, and the same file, which cannot be resumed because it is read as a stream.
    let cut = one[..20_000].rfind("[Event ").expect("games");
    work.write("like.pgn", &one[..cut]);
    work.stamma("import games.db like.pgn --no-mmap").success();

    let refused = work.stamma("import games.db one.pgn --no-mmap").code(2);
    assert!(program::stderr_of(&refused).contains("cannot be resumed"));

    let left =
        "SELECT (SELECT count(*) FROM game) - (SELECT games FROM source WHERE path = 'like.pgn')";
    assert_eq!(work.query(left), games);
}

#[test]
#[cfg(unix)]
fn a_link_opens_the_same_database() {
    let work = Workplace::new();
    work.write("games.pgn", GAMES.concat());
    import_all(&work, &["games.pgn"]);

    let path = work.path("games.db");
    std::os::unix::fs::symlink(&path, work.path("link.db")).expect("a link");

    // The lock is found behind the link.
    let writer = Database::open_to_write(&path).expect("a database");
    let refused = work.stamma("import link.db games.pgn --wait 0").code(2);
    let stderr = program::stderr_of(&refused);
    assert!(stderr.contains("is writing to this database"), "{stderr}");

    drop(writer);
    work.stamma("import link.db games.pgn --wait 0").success();
}

#[test]
fn known_sources_are_imported_again_on_request() {
    let work = Workplace::new();
    work.write("games.pgn", GAMES.concat());
    import_all(&work, &["games.pgn"]);

    let known = import_all(&work, &["games.pgn"]);
    let expected = EarlierImport::Complete {
        path: work.path("games.pgn"),
        games: 3,
        deleted: 0,
    };
    assert_eq!(known.earlier, [expected]);

    // On request, the three games are there twice.
    let options = ImportOptions {
        again: true,
        ..ImportOptions::default()
    };
    let again = import_with(&work, &["games.pgn"], options).expect("an import");
    assert!(again.earlier.is_empty(), "{:?}", again.earlier);
    assert_eq!(work.query("SELECT count(*) FROM game"), "6");
}

#[test]
fn an_import_killed_early_leaves_a_valid_database() {
    let work = Workplace::new();
    work.write("games.pgn", repeated_games("one", 1));

    let options = ImportOptions {
        stop: Some(Arc::new(AtomicBool::new(true))),
        ..ImportOptions::default()
    };
    let summary = import_with(&work, &["games.pgn"], options).expect("an import");
    assert!(summary.is_interrupted);

    work.stamma("info games.db").success();
    assert!(Path::exists(&work.path("games.db")));
}

#[test]
fn a_step_ends_after_some_time_and_changes_nothing() {
    let text = repeated_games("one", 3);
    let files = [
        ("first.pgn", "[White \"A\"]\n\n1. e4 *\n\n"),
        ("games.pgn", text.as_str()),
    ];
    let expected = undisturbed_content(&files);

    let work = Workplace::new();
    for (name, text) in files {
        work.write(name, text);
    }
    import_all(&work, &["first.pgn"]);
    // Another connection sees only the games of finished steps.
    let other = open(&work);
    let mut counts: Vec<i64> = Vec::new();
    let look = |event: Event<'_>| {
        if matches!(event, Event::Written(_)) {
            let count = other.query_row("SELECT count(*) FROM game", [], |row| row.get(0));
            counts.push(count.expect("a number"));
        }
    };

    let options = ImportOptions {
        step_time: Duration::ZERO,
        ..ImportOptions::default()
    };
    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    import(&mut database, [work.path("games.pgn")], options, look).expect("an import");
    drop(database);

    counts.dedup();
    assert!(counts.len() >= 3, "{counts:?}");
    assert!(counts.is_sorted() && counts[0] == 1, "{counts:?}");
    assert_same(&content(&work), &expected);
}

/// Whether a reader saw the indexes of names, and whether it missed them, during an import with small steps.
fn indexes_during(work: &Workplace, files: &[&str]) -> [bool; 2] {
    let files: Vec<_> = files.iter().map(|name| work.path(name)).collect();
    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    let mut seen = [false; 2];
    let options = ImportOptions {
        step_bytes: 1,
        ..ImportOptions::default()
    };

    // 1 if all four indexes are there, and 0 if fewer are.
    let look = |_: Event<'_>| seen[count_indexes(work) / 4] = true;
    import(&mut database, &files, options, look).expect("an import");

    [seen[1], seen[0]]
}

fn count_indexes(work: &Workplace) -> usize {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index'
        AND name IN ('game_white', 'game_black', 'game_event', 'game_address')";
    let count: i64 = open(work)
        .query_row(sql, [], |row| row.get(0))
        .expect("a number");
    count as usize
}

#[test]
fn a_large_import_builds_indexes_at_its_end_and_a_small_one_keeps_them() {
    let work = Workplace::new();
    let game = |number| format!("[White \"A{number}\"]\n[Black \"B\"]\n\n1. e4 *\n\n");
    work.write("one.pgn", game(0));
    work.write("large.pgn", repeated_games("large", 3));

    let small = ["small1.pgn", "small2.pgn", "small3.pgn"];
    for (name, number) in small.into_iter().zip(1..) {
        work.write(name, game(number));
    }
    import_all(&work, &["one.pgn"]);

    // The indexes are there before, are missing at some time of a large import only, and are there again.
    assert_eq!(count_indexes(&work), 4);
    assert_eq!(indexes_during(&work, &["large.pgn"]), [true, true]);
    assert_eq!(count_indexes(&work), 4);
    assert_eq!(indexes_during(&work, &small), [true, false]);

    let by_index = "SELECT count(*) FROM game INDEXED BY game_white WHERE white_id IS NOT NULL";
    let by_table = "SELECT count(*) FROM game NOT INDEXED WHERE white_id IS NOT NULL";
    assert_eq!(work.query(by_index), work.query(by_table));
}

#[test]
fn indexes_that_a_killed_import_had_put_off_are_built_by_the_next() {
    let work = Workplace::new();
    work.write("one.pgn", repeated_games("one", 1));
    import_all(&work, &["one.pgn"]);
    open(&work)
        .execute_batch("DROP INDEX game_white; DROP INDEX game_address")
        .expect("SQL");
    work.write("two.pgn", "1. e4 *\n");
    import_all(&work, &["two.pgn"]);

    assert_eq!(count_indexes(&work), 4);
}
