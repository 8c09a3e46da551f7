//! `stamma check` finds the faults of a database, and none in a sound one.

use std::fs;

use crate::support::corpus::fewer;
use crate::support::program::{Workplace, stderr_of, stdout_of, text_of_games};
use crate::support::random::Random;
use rusqlite::{Connection, params};
use stamma::maintenance::{Depth, Report, check};
use stamma::query::{Filter, NameQuery, Query, SortKey};
use stamma::storage::Database;

fn open(work: &Workplace) -> Connection {
    Connection::open(work.path("games.db")).expect("a database")
}

fn report(work: &Workplace, depth: Depth) -> Report {
    let database = Database::open(work.path("games.db")).expect("a database");
    check(&database, depth, |_, _| {}).expect("a report")
}

#[test]
fn a_sound_database_has_no_fault() {
    let work = Workplace::with_historical_games();
    let before = fs::read(work.path("games.db")).expect("the file");
    let expected = "games.db: no fault found; 111 games, 111 of them replayed and compared with the \
                    index; 8,008 positions, 3 blocks decoded\n";

    for command in ["check games.db", "check games.db --full"] {
        let run = work.stamma(command).success();
        assert_eq!(stdout_of(&run), expected);
        assert_eq!(stderr_of(&run), "");
    }

    let after = fs::read(work.path("games.db")).expect("the file");
    assert!(after == before, "it was written to");
}

#[test]
fn a_missing_database_is_reported() {
    let run = Workplace::new().stamma("check games.db").code(2);
    let expected = "stamma: games.db: no such database; `stamma import` creates one\n";
    assert_eq!(stderr_of(&run), expected);
}

#[test]
fn games_changed_by_other_programs_are_no_fault() {
    let work = Workplace::with_historical_games();
    open(&work)
        .execute_batch(
            "DELETE FROM game WHERE id % 7 = 0;
             UPDATE game SET result = '*', white_elo = 2000 WHERE id % 5 = 0;
             UPDATE movetext SET moves = 'e4 e5' WHERE game_id % 11 = 1;
             CREATE TEMP TABLE copied AS SELECT * FROM game WHERE id = 1;
             UPDATE copied SET id = 500;
             INSERT INTO game SELECT * FROM copied;
             INSERT INTO movetext (game_id, moves) VALUES (500, 'd4 d5')",
        )
        .expect("SQL");

    work.stamma("check games.db --full").success();

    let digest = work.output("check games.db --digest");
    work.stamma("optimize games.db").success();
    work.stamma("check games.db --full").success();
    assert_eq!(work.output("check games.db --digest"), digest);
}

#[test]
fn a_damaged_index_is_built_again_when_asked() {
    for damage in [
        "UPDATE position_block SET data = zeroblob(20)",
        "UPDATE position_block SET data = 'text'",
        "DELETE FROM position_block",
        "UPDATE position_segment SET key_bits = 77",
        "UPDATE position_segment SET last_game = 9000000000000000000",
        "INSERT INTO position_segment SELECT 2, format, variations, 90, 120, 0, 9, 9 FROM position_segment",
    ] {
        let work = Workplace::with_historical_games();
        let digest = work.output("check games.db --digest");
        open(&work).execute_batch(damage).expect("SQL");

        work.stamma("check games.db").code(1);

        work.stamma("optimize games.db --rebuild").success();
        work.stamma("check games.db --full").success();
        assert_eq!(work.output("check games.db --digest"), digest, "{damage}");
        assert_eq!(
            work.output("search games.db e4 --format count"),
            "53\n",
            "{damage}"
        );
    }
}

/// Changes by other programs to every table that has checksums.
const CHANGES: &str = "UPDATE player SET name = name || '!' WHERE id % 3 = 0;
    UPDATE event SET name = 'Other' WHERE id = 2;
    UPDATE OR REPLACE site SET name = 'Other' WHERE id IN (2, 3);
    UPDATE tag_order SET names = json_insert(names, '$[#]', 'X') WHERE id = 1;
    UPDATE source SET path = 'elsewhere.pgn' WHERE id = 1;
    INSERT INTO source_text (source_id, before_game, byte_offset, byte_length, text) VALUES (1, 1, 0, 1, 'x');
    UPDATE source_text SET text = 'y';
    UPDATE problem SET message = 'other' WHERE id % 2 = 0;
    INSERT INTO player (name) VALUES ('New');
    INSERT OR REPLACE INTO player (id, name) VALUES (1, 'Newer');
    INSERT INTO problem (source_id, game_id, kind, byte_offset, byte_length, line, column, text, message)
        VALUES (1, 3, 'x', 0, 0, 1, 1, '', '');
    UPDATE source SET problems = problems + 1 WHERE id = 1;
    UPDATE game SET terminator = '*', moves_hash = 1 WHERE id % 2 = 0;
    UPDATE movetext SET rest = 'rest' WHERE game_id % 5 = 0;
    DELETE FROM problem WHERE id % 3 = 0;
    DELETE FROM game WHERE id % 7 = 0;";

#[test]
fn unreadable_rows_are_faults_even_if_edited() {
    for (column, what) in [("annotations", "annotations"), ("tags", "tags")] {
        let work = Workplace::with_historical_games();
        let sql = format!("UPDATE movetext SET {column} = '[1]' WHERE game_id = 3");
        open(&work).execute_batch(&sql).expect("SQL");

        // A row that another program has changed is no fault by itself, unless it cannot be read.
        let faults = report(&work, Depth::Full).faults.first;
        let mut lines = faults.iter().map(|fault| fault.to_string());

        let expected = format!("game 3: the {what} of game 3 cannot be read");
        let is_reported = lines.any(|line| line.starts_with(&expected));
        assert!(is_reported, "{faults:?}");
    }
}

#[test]
fn rows_changed_by_other_programs_are_no_fault() {
    let work = Workplace::with_historical_games();
    work.write(
        "faults.pgn",
        "[Event \"F\"]\n\n1. e4 Ke7 *\n\nwords\n\n".repeat(9),
    );
    work.stamma("import games.db faults.pgn").code(1);
    open(&work)
        .execute_batch(&format!("PRAGMA foreign_keys = 0; {CHANGES}"))
        .expect("SQL");

    let checksum_faults = || -> Vec<String> {
        let faults = report(&work, Depth::Full).faults.first;
        let lines = faults.iter().map(|fault| fault.to_string());

        // Counts in the row of a source, and a replaced name, are faults of other kinds.
        lines.filter(|line| line.contains("written")).collect()
    };

    assert_eq!(checksum_faults(), [""; 0]);
    // Triggers have noted the changes.
    assert_ne!(work.query("SELECT count(*) FROM changed_row"), "0");

    work.stamma("optimize games.db").success();
    assert_eq!(work.query("SELECT count(*) FROM changed_row"), "0");
    assert_eq!(checksum_faults(), [""; 0]);

    // New rows have checksums from the beginning.
    work.stamma("import games.db faults.pgn --again").code(1);
    assert_eq!(checksum_faults(), [""; 0]);

    // Recomputed checksums are verified again.
    let change = "DROP TRIGGER game_row_is_changed; UPDATE game SET terminator = '' WHERE id = 2";
    open(&work).execute_batch(change).expect("SQL");

    let expected = "game 2: it is not as it was written, and no trigger has noted a change";
    assert_eq!(checksum_faults(), [expected]);
}

#[test]
fn missing_checksums_are_recomputed() {
    let work = Workplace::with_historical_games();
    let damage = "DELETE FROM row_checksum WHERE id > 0; UPDATE row_checksum SET data = 'text'";
    open(&work).execute_batch(damage).expect("SQL");

    let report = report(&work, Depth::Full);
    assert_eq!(report.faults.count, 6);

    work.stamma("optimize games.db").success();
    work.stamma("check games.db --full").success();
}

/// An import after damaged checksums does not hide the damage.
#[test]
fn checksums_lost_before_an_import_are_recomputed() {
    for (damage, state) in [
        ("UPDATE row_checksum SET data = zeroblob(100)", "damaged"),
        ("DELETE FROM row_checksum", "missing"),
    ] {
        let work = Workplace::with_historical_games();
        open(&work).execute_batch(damage).expect("SQL");

        // The import writes checksums of its own.
        work.write("more.pgn", "[White \"New\"]\n[Round \"9\"]\n\n1. e4 e5 *\n");
        work.stamma("import games.db more.pgn").success();

        let stderr = stderr_of(&work.stamma("check games.db --full").code(1));
        let fault = format!(
            "row_checksum 0: it is {state}, so that nobody knows whether rows such as game 1 have changed\n"
        );
        assert!(stderr.contains(&fault), "{stderr}");
        assert!(!stderr.contains("no import has written it"), "{stderr}");

        work.stamma("optimize games.db").success();
        work.stamma("check games.db --full").success();
    }
}

/// Rows of other programs have no checksums, so that none are lost with them.
#[test]
fn an_import_after_rows_of_other_programs_has_checksums() {
    let work = Workplace::with_historical_games();
    let rows = "INSERT INTO player (id, name) VALUES (8192, 'Other')";
    open(&work).execute_batch(rows).expect("SQL");
    work.write("more.pgn", "[White \"New\"]\n\n1. e4 e5 *\n");
    work.stamma("import games.db more.pgn").success();

    assert_eq!(
        work.query("SELECT max(id) FROM player"),
        "8193",
        "its block has been missing"
    );
    work.stamma("check games.db --full").success();
}

macro_rules! finds {
    ($($name:ident: $sql:expr => $($fault:literal),+;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::with_historical_games();
            open(&work).execute_batch(&format!("PRAGMA foreign_keys = 0; {}", $sql)).expect("SQL");
            let run = work.stamma("check games.db --full").code(1);
            let stderr = stderr_of(&run);
            for fault in [$($fault),+] {
                assert!(stderr.contains(fault), "{stderr}");
            }
        }
    )*};
}

finds! {
    games_without_moves: "DELETE FROM movetext WHERE game_id = 5" =>
        "game 5: it has no row in movetext\n";
    names_that_are_not_there: "UPDATE game SET white_id = 9999 WHERE id = 3" =>
        "game 3: it names a row of player that is not there\n";
    problems_of_no_game: "INSERT INTO problem SELECT 1, 1, 400, 'x', 0, 0, 1, 1, 0, '', ''" =>
        "problem 1: it names a row of game that is not there\n",
        "source 1: it says that it has 0 problems, and there are 1\n";
    a_counter_that_went_back: "UPDATE counter SET value = 5" =>
        "the counter next_game: it is 5, and game 111 has been there\n";
    a_counter_that_is_gone: "DELETE FROM counter" =>
        "the counter next_game: it is missing\n";
    sources_that_count_otherwise: "UPDATE source SET games = 8 WHERE id = 2" =>
        "source 2: it says that it has 8 games, and that those added are from ";
    sources_that_meet: "UPDATE source SET last_game = last_game + 1, games = games + 1 WHERE id = 1" =>
        "source 1: it has games in common with source 2\n";
    games_of_an_earlier_source: "UPDATE game SET source_id = 1 WHERE id = (SELECT first_game FROM source WHERE id = 2)" =>
        "it is of source 1, and stands among the games of source 2\n";
    problems_that_are_gone: "UPDATE source SET problems = 3 WHERE id = 1" =>
        "source 1: it says that it has 3 problems, and there are 0\n";
    positions_that_are_counted_otherwise: "UPDATE position_segment SET postings = 9000" =>
        "segment 1: it says that it has 9000 positions; its games have 8008; `stamma optimize --rebuild` rebuilds the index\n";
    fewer_positions_than_in_blocks: "DELETE FROM game WHERE id = 9;
        UPDATE position_segment SET postings = 5" =>
        "segment 1: it says that it has 5 positions; its blocks have ",
        "; `stamma optimize --rebuild` rebuilds the index\n";
    games_that_are_not_indexed: "UPDATE position_segment SET last_game = 100" =>
        "the index: 11 games from game 101 on are not indexed yet; `stamma optimize` does that\n";
    an_index_that_is_gone: "DELETE FROM position_segment" =>
        "the index: 111 games from game 1 on are not indexed yet",
        "it belongs to no segment; `stamma optimize --rebuild` rebuilds the index\n";
    games_that_no_segment_can_have: "UPDATE position_segment SET last_game = 9000000000000000000" =>
        "the position index is damaged at 1";
    segments_that_meet: "INSERT INTO position_segment SELECT 2, format, variations, 90, 120, 0, 9, 9
        FROM position_segment" =>
        "segment 1: it has games in common with segment 2; `stamma optimize --rebuild` rebuilds the index\n";
    another_format: "UPDATE position_segment SET format = 2" =>
        "segment 1: it has another format; `stamma optimize` rebuilds it\n";
    other_lines: "UPDATE position_segment SET variations = 1" =>
        "segment 1: it has another format; `stamma optimize` rebuilds it\n";
    widths_that_cannot_be: "UPDATE position_segment SET key_bits = 77" =>
        "the position index is damaged at 1";
    a_row_that_no_trigger_has_noted: "DROP TRIGGER player_row_is_added; INSERT INTO player (id, name) VALUES (1000, 'x')" =>
        "the trigger player_row_is_added: it is missing\n",
        "player 1000: no import has written it, and no trigger has noted who did\n";
    checksums_that_are_damaged: "UPDATE row_checksum SET data = zeroblob(100) WHERE id = 0" =>
        "row_checksum 0: it is damaged, so that nobody knows whether rows such as game 1 have changed\n";
    checksums_that_are_gone: "DELETE FROM row_checksum" =>
        "row_checksum 0: it is missing, so that nobody knows whether rows such as game 1 have changed\n";
    a_view_that_is_another: "DROP VIEW games; CREATE VIEW games AS SELECT * FROM game" =>
        "the view games: its definition is not the definition of this version\n";
    // As by a program without triggers.
    moves_that_are_not_indexed: "DROP TRIGGER moves_are_changed;
        UPDATE movetext SET moves = 'a4 a5 b4 b5' WHERE game_id = 7" =>
        "positions of the games compared, which have ";
    results_that_are_not_counted: "DROP TRIGGER game_is_counted_otherwise; DROP TRIGGER tag_columns_are_changed;
        UPDATE game SET result = '*' WHERE id = 7" =>
        ": what it counts of moves is not what its games say; `stamma optimize --rebuild` rebuilds the index\n";
    games_that_are_gone: "DROP TRIGGER game_is_deleted; DELETE FROM game WHERE id = 7;
        DELETE FROM movetext WHERE game_id = 7" =>
        ": it names game 7, which is not there; `stamma optimize --rebuild` rebuilds the index\n";
    a_block_that_is_gone: "DELETE FROM position_block WHERE id = (SELECT max(id) FROM position_block)" =>
        "positions of the games compared, which have ";
    all_blocks_gone: "DELETE FROM position_block" =>
        "segment 1: it has no blocks; `stamma optimize --rebuild` rebuilds the index\n";
    a_block_that_is_a_text: "UPDATE position_block SET data = 'text'" =>
        ": it cannot be decoded; `stamma optimize --rebuild` rebuilds the index\n";
    a_column_that_is_cut_short: "UPDATE game_column SET data = substr(data, 1, 50) WHERE id = 1 << 52" =>
        "game_column 4503599627370496: the block for White cannot be read; `stamma optimize` makes it again\n";
    a_column_that_is_a_text: "UPDATE game_column SET data = 'text' WHERE id = 0" =>
        "game_column 0: the block for flags cannot be read; `stamma optimize` makes it again\n";
    a_column_that_is_gone: "DELETE FROM game_column WHERE id = 6 << 52" =>
        "game_column 27021597764222976: the block for the date cannot be read; `stamma optimize` makes it again\n";
    all_columns_gone: "INSERT INTO game_column VALUES (1, (SELECT data FROM game_column WHERE id = 0));
        DELETE FROM game_column WHERE id & 1 = 0" =>
        "game_column: there is none for the games from 0 to 4095; `stamma optimize` makes it again\n";
    a_column_of_another_length: "UPDATE game_column SET data = zeroblob(11) WHERE id = 9 << 52" =>
        "game_column 40532396646334464: the block for the ECO code cannot be read; `stamma optimize` makes it again\n";
    dates_that_are_not_in_the_column_store: "DROP TRIGGER game_is_counted_otherwise; DROP TRIGGER tag_columns_are_changed;
        UPDATE game SET date = '1850' WHERE id IN (7, 9)" =>
        "game_column 27021597764222976: it says something else of game 7 than its rows: the date; 2 such games\n";
    games_that_the_column_store_has_and_no_row: "DROP TRIGGER game_is_deleted; DELETE FROM game WHERE id = 7;
        DELETE FROM movetext WHERE game_id = 7" =>
        "game_column 0: it has game 7, which is not there\n";
    names_that_are_not_found: "INSERT INTO player_text (player_text, rowid, name)
        SELECT 'delete', id, name FROM player WHERE name = 'Steinitz, Wilhelm'" =>
        ": it is not found by its word steinitz\n", ": it is not found by its word wilhelm\n";
    names_that_are_found_under_another: "INSERT INTO site_text (rowid, name) VALUES (1, 'Élysium')" =>
        "site 1: it is found by a word that it has not: elysium\n";
    comments_that_are_not_found: "INSERT INTO comment_text (comment_text) VALUES ('delete-all')" =>
        ": words of its comments are not found\n";
}

#[test]
fn a_sample_checks_the_columns_of_its_games() {
    let work = Workplace::with_historical_games();
    let change = "DROP TRIGGER game_is_described_otherwise; UPDATE game SET ply_count = 3";
    open(&work).execute_batch(change).expect("SQL");

    // Without the trigger, no column is known to be out of date.
    let run = work.stamma("check games.db").code(1);
    let expected = "it says something else of game 1 than its rows: half-moves; 111 such games\n";
    let stderr = stderr_of(&run);
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn unreadable_columns_are_reported_and_rebuilt() {
    let work = Workplace::with_historical_games();
    let connection = open(&work);
    let whole = work.output("search games.db --since 1900 --player a --format count");
    let select_block = "SELECT data FROM game_column WHERE id = ?1 << 52";
    let update_block = "UPDATE game_column SET data = ?1 WHERE id = ?2 << 52";

    // A real block, from which some of the damaged ones are made.
    let data: Vec<u8> = connection
        .query_row(select_block, [6], |row| row.get(0))
        .expect("a block");
    let mut random = Random::new(1);

    for round in 0..20 {
        // A block cut off or as it was, or random bytes.
        let length = random.below(2 * data.len());
        let mut damaged: Vec<u8> = if round % 2 == 0 {
            data.iter().copied().take(length).collect()
        } else {
            (0..length).map(|_| random.below(256) as u8).collect()
        };

        // A head that fits the length, so that the values behind it are decoded, too.
        if round % 3 == 0 && damaged.len() > 10 {
            let width = random.below(8);
            damaged[8] = 8 * width as u8;

            let value_bytes = damaged.len() - 13.min(damaged.len());
            let count = value_bytes / width.max(1);
            damaged[9..11].copy_from_slice(&(count as u16).to_le_bytes());
        }

        for column in 0..13 {
            let before: Vec<u8> = connection
                .query_row(select_block, [column], |row| row.get(0))
                .expect("a block");

            connection
                .execute(update_block, params![damaged, column])
                .expect("a damaged block");
            query_all_columns(&work, round);
            connection
                .execute(update_block, params![before, column])
                .expect("the block as it was");
        }
    }

    connection
        .execute("UPDATE game_column SET data = x'00'", [])
        .expect("damage");
    let run = work.stamma("search games.db --since 1900").code(2);
    let expected = "block 0 of the table game_column is damaged";

    let stderr = stderr_of(&run);
    assert!(stderr.contains(expected), "{stderr}");

    work.stamma("optimize games.db").success();
    assert_eq!(
        work.output("search games.db --since 1900 --player a --format count"),
        whole
    );
}

/// Queries every column; the result must be an answer or an error.
fn query_all_columns(work: &Workplace, round: u32) {
    let database = Database::open(work.path("games.db")).expect("a database");
    let name = || {
        vec![NameQuery {
            text: "a".to_owned(),
            is_exact: false,
        }]
    };

    let filters = [
        Filter {
            since: "1900".parse().ok(),
            eco: vec!["B".parse().expect("codes")],
            ..Filter::default()
        },
        Filter {
            mean_elo: "1..".parse().ok(),
            elo: "..3000".parse().ok(),
            ..Filter::default()
        },
        Filter {
            event: name(),
            site: name(),
            white: name(),
            black: name(),
            ..Filter::default()
        },
        Filter {
            tags: vec!["Round=1".parse().expect("a tag")],
            ..Filter::default()
        },
        Filter {
            line: "e4 e5".parse().ok(),
            plies: "2..".parse().ok(),
            ..Filter::default()
        },
    ];

    for filter in filters {
        let keys = [SortKey::Date, SortKey::Elo, SortKey::Plies];
        let query = Query::new().filter(filter).order(keys[round as usize % 3]);

        let _ = database.query(&query).and_then(|mut results| {
            results
                .numbers()?
                .collect::<Result<Vec<stamma::GameId>, _>>()
        });
    }
}

/// The size of the pages of a database.
const PAGE_BYTES: usize = 8192;

#[test]
fn damage_to_the_file_is_found() {
    let work = Workplace::with_historical_games();
    let leaf = "SELECT pageno FROM dbstat WHERE name = 'movetext' AND pagetype = 'leaf' LIMIT 1";
    let number: u32 = open(&work)
        .query_row(leaf, [], |row| row.get(0))
        .expect("a page");

    // SQLite counts pages from 1.
    let page = PAGE_BYTES * (number as usize - 1);
    let mut bytes = fs::read(work.path("games.db")).expect("the file");
    bytes[page..page + 200].fill(0xa5);
    fs::write(work.path("games.db"), bytes).expect("the file");

    let run = work.stamma("check games.db").code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("the file: "), "{stderr}");
}

/// Flips bits in blocks, one at a time; returns the number of flipped bits, and the number that a check has found.
fn flip(work: &Workplace, depth: Depth, step: usize, chains: bool) -> (usize, usize) {
    let connection = open(work);
    let sql = format!("SELECT id, data FROM position_block WHERE {chains} = (id & 262143 > 0)");
    let mut select = connection.prepare(&sql).expect("SQL");
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let blocks: Vec<(i64, Vec<u8>)> = rows
        .expect("blocks")
        .map(|row| row.expect("a row"))
        .collect();

    let (mut flipped, mut found) = (0, 0);

    // The blocks of a chain are alike, and each check of one reads all games.
    let apart = if chains { fewer(3) } else { 1 };
    for (id, data) in blocks.iter().step_by(apart) {
        let bits = 8 * data.len();
        for bit in (0..bits).step_by(step).chain([bits - 1]) {
            let mut damaged = data.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);

            let update = "UPDATE position_block SET data = ?2 WHERE id = ?1";
            connection
                .execute(update, params![id, damaged])
                .expect("a flipped bit");

            // The fault names the first block of a chain.
            let report = report(work, depth);
            let place = format!("segment 1, block {}, keys ", id & !0x3ffff);
            flipped += 1;

            let mut faults = report.faults.first.iter();
            let is_named = faults.any(|fault| fault.place.starts_with(&place));
            found += usize::from(is_named);
            assert!(
                is_named || depth == Depth::Sample,
                "bit {bit} of block {id}"
            );

            connection
                .execute(update, params![id, data])
                .expect("the block as it was");
        }
    }

    (flipped, found)
}

#[test]
fn a_flipped_bit_is_found_and_its_block_named() {
    let work = Workplace::with_historical_games();
    let (flipped, found) = flip(&work, Depth::Full, 397 * fewer(3), false);
    assert!(flipped > 60 && found == flipped, "{found} of {flipped}");
}

#[test]
fn a_flipped_bit_in_a_chain_is_found() {
    let work = Workplace::new();

    // Thousands of games in one position, whose list takes more than a block.
    let game = |number: usize| {
        let moves = ["1. e4 e5", "1. d4 d5", "1. c4"][number * number % 7 % 3];
        format!("[Event \"E\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };

    let games: String = (0..25_000).map(game).collect();
    work.import(games);
    let in_chains = work.query("SELECT count(*) FROM position_block WHERE id & 262143 > 0");
    assert_ne!(in_chains, "0");

    let step = 15_013 * fewer(2);
    let (flipped, found) = flip(&work, Depth::Full, step, true);
    assert!(flipped > 3 && found == flipped, "{found} of {flipped}");

    // A sample need not find all of them.
    let (flipped, found) = flip(&work, Depth::Sample, step, true);
    assert!(2 * found > flipped, "{found} of {flipped}");
}

#[test]
fn a_sample_is_spread_over_all_games() {
    let work = Workplace::new();
    work.import("[Event \"E\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(9_000));

    let report = report(&work, Depth::Sample);
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(report.games, 9_000);
    assert_eq!(report.compared, 3_000);
}

/// The historical games in a number of files.
fn files(work: &Workplace, parts: usize) -> Vec<String> {
    let all = text_of_games() + "[Event \"faults\"]\n[Date \"soon\"]\n\n1. e4 {no end\n";

    let games: Vec<String> = all
        .split("[Event ")
        .skip(1)
        .map(|game| format!("[Event {game}"))
        .collect();

    let mut names = Vec::new();
    for games in games.chunks(games.len().div_ceil(parts)) {
        let name = format!("{parts}-{}.pgn", names.len());
        work.write(&name, games.concat());
        names.push(name);
    }

    names
}

#[test]
fn a_digest_does_not_depend_on_files_threads_or_segments() {
    let work = Workplace::new();
    let digest = |name: &str| work.output(&format!("check {name} --digest"));

    let import = |name: &str, files: &[String], threads: u32| {
        let files = files.join(" ");
        let import = format!("import {name} {files} --threads {threads}");
        work.stamma(&import).code(1);
    };

    import("one.db", &files(&work, 1), 4);
    let expected = digest("one.db");
    assert_eq!(expected.trim().len(), 64);

    import("many.db", &files(&work, 16), 1);
    assert_eq!(digest("many.db"), expected);

    for file in files(&work, 9) {
        work.stamma(&format!("import games.db {file}"));
    }
    assert_ne!(work.query("SELECT count(*) FROM position_segment"), "1");
    assert_eq!(digest("games.db"), expected);

    work.stamma("optimize games.db").success();
    assert_eq!(digest("games.db"), expected);
}

macro_rules! changes_the_digest {
    ($($name:ident: $sql:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.import("[Event \"A\"]\n\n1. e4 {good} e5 (1... c5) *\n\nbetween\n\n\
                [Event \"B\"]\n[X \"1\"]\n\n1. d4 Nf7 *\n");
            let before = work.output("check games.db --digest");
            open(&work).execute_batch($sql).expect("SQL");
            assert_ne!(work.output("check games.db --digest"), before);
        }
    )*};
}

changes_the_digest! {
    an_event: "UPDATE event SET name = 'C' WHERE name = 'A'";
    a_tag: "UPDATE movetext SET tags = '{\"X\":\"2\"}' WHERE game_id = 2";
    a_move: "UPDATE movetext SET moves = 'd4 d5' WHERE game_id = 2";
    a_comment: "UPDATE movetext SET annotations = replace(annotations, 'good', 'bad')";
    the_rest: "UPDATE movetext SET rest = NULL";
    a_problem: "DELETE FROM problem";
    a_text: "UPDATE source_text SET text = 'behind'";
    a_deleted_game: "DELETE FROM game WHERE id = 2";
    a_result: "UPDATE game SET result = '1-0' WHERE id = 1";
    an_ending: "UPDATE game SET threefold_ply = 1 WHERE id = 1";
}

/// The games of a damaged segment row are indexed again, each game once.
#[test]
fn oversized_segments_are_reindexed() {
    for mend in ["optimize games.db", "import games.db more.pgn"] {
        let work = Workplace::with_historical_games();
        work.write("more.pgn", "1. e4 e5 2. Ke2 Ke7 *\n");
        open(&work)
            .execute_batch("UPDATE position_segment SET last_game = 9223372036854775807")
            .expect("SQL");
        work.stamma(mend);

        work.stamma("check games.db --full").success();
    }
}

#[test]
fn an_index_that_lacks_a_game_has_no_digest() {
    let work = Workplace::with_historical_games();
    open(&work)
        .execute_batch("UPDATE position_segment SET last_game = 110")
        .expect("SQL");

    let run = work.stamma("check games.db --digest").code(1);
    assert_eq!(stdout_of(&run), "");

    // Whichever of the two faults is found first.
    let stderr = stderr_of(&run);
    let is_missing = stderr.contains("it names game 111, which is not there");
    let is_unindexed = stderr.contains("the index: 1 games from game 111 on are not indexed yet");
    assert!(is_missing || is_unindexed);
}

/// Positions of equal games are in few units. The parameter of a block of one unit means nothing, and must not be
/// compared with the parameters of the blocks beside it.
#[test]
fn many_equal_games_are_no_fault() {
    let work = Workplace::new();
    let game = "[Event \"E\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    work.import(game.repeat(16_000));
    work.stamma("check games.db --full").success();

    // 64 hexadecimal digits and a line break.
    let digest = work.output("check games.db --digest");
    assert_eq!(digest.len(), 65, "{digest}");
}
