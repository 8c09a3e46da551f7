//! Databases that index the first half-moves of games only. Every answer is compared with the answer of a full
//! database, restricted to the half-moves that are indexed.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use rusqlite::Connection;
use stamma::board::Position;
use stamma::game::Ply;
use stamma::import::{ImportOptions, Memory, import};
use stamma::maintenance::{Rebuild, merge, optimize};
use stamma::query::{PositionSearch, Query, Visited};
use stamma::replay::Mainline;
use stamma::storage::Database;

use crate::support::annotated_games::annotated_games;
use crate::support::program::{Workplace, games, stderr_of, stdout_of};

/// The half-moves that are indexed.
const PLIES: u32 = 20;

/// Imports the historical games and made-up ones, in two parts.
fn import_limited(work: &Workplace, name: &str, plies: Option<u32>, index_variations: bool) {
    let files = stamma::input::find_files(&games()).expect("the games are there");
    work.write("made-up.pgn", annotated_games(100, 3));

    let mut database = Database::open_or_create(work.path(name)).expect("a database");
    let options = ImportOptions {
        index_plies: plies.map(Ply::new),
        index_variations,
        ..ImportOptions::default()
    };

    import(&mut database, &files, options, |_| {}).expect("an import");

    // The second import has no options: the first one decides for the database.
    let more = [work.path("made-up.pgn")];
    import(&mut database, &more, ImportOptions::default(), |_| {}).expect("an import");
}

fn connect(path: &Path) -> Connection {
    Connection::open(path).expect("the database")
}

/// The different positions of all games, the start included.
fn positions(connection: &Connection) -> Vec<Position> {
    let sql = "SELECT fen, moves FROM games WHERE moves IS NOT NULL ORDER BY id";
    let mut select = connection.prepare(sql).expect("a statement");
    let rows = select
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("games");

    let mut known = HashSet::new();
    let mut positions = Vec::new();
    for row in rows {
        let (fen, moves): (Option<String>, String) = row.expect("a game");
        let Ok(mut line) = Mainline::new(fen.as_deref(), &moves) else {
            continue;
        };

        // The position before each move, and the one after the last.
        loop {
            if known.insert(line.position().key()) {
                positions.push(line.position().clone());
            }
            let Some((_, mv)) = line.step() else { break };
            line.play(mv);
        }
    }

    positions
}

/// The results of games by their next moves.
type Moves = BTreeMap<String, u64>;

fn count_next_moves(visits: &[Visited]) -> Moves {
    let mut moves = Moves::new();
    for visited in visits.iter().filter(|visited| !visited.in_variation) {
        let next = visited.next.as_ref();
        let san = next.map_or("end", |(san, _)| san);
        *moves.entry(san.to_owned()).or_default() += 1;
    }

    moves
}

/// Compares each `step`th position; returns the number of positions with games beyond the limit.
fn compare(full: &Connection, limited: &Connection, last: u32, step: usize) -> usize {
    let full_search = PositionSearch::new(full).expect("an index");
    let limited_search = PositionSearch::new(limited).expect("an index");
    assert_eq!(limited_search.plies().last(), Some(Ply::new(last)));

    let mut beyond = 0;
    for position in positions(full).into_iter().step_by(step) {
        let fen = position.fen();
        let query = std::slice::from_ref(&position);

        let mut expected = full_search.games(full, query, usize::MAX).expect("games");
        let all = expected.len();
        expected.retain(|visited| visited.ply <= Ply::new(last));
        beyond += usize::from(expected.len() < all);

        let found = limited_search
            .games(limited, query, usize::MAX)
            .expect("games");
        assert_eq!(found, expected, "{fen}");

        let count = limited_search.count(limited, query).expect("a count");
        assert_eq!(count, expected.len() as u64, "{fen}");

        let mut moves = Moves::new();
        for counted in limited_search.moves(limited, query).expect("moves") {
            let san = counted.san().unwrap_or("end").to_owned();
            moves.insert(san, counted.counts.all_games());
        }
        assert_eq!(moves, count_next_moves(&expected), "{fen}");
    }

    beyond
}

#[test]
fn positions_up_to_the_limit_are_those_of_a_full_index() {
    for variations in [false, true] {
        let work = Workplace::new();
        import_limited(&work, "full.db", None, variations);
        import_limited(&work, "limited.db", Some(PLIES), variations);

        let full = connect(&work.path("full.db"));
        let limited = connect(&work.path("limited.db"));
        assert!(compare(&full, &limited, PLIES, 3) > 1000);
        work.stamma("check --full limited.db").success();

        // Changed games are counted by their rows, and are indexed again by the same rule.
        for connection in [&full, &limited] {
            connection
                .execute("DELETE FROM game WHERE id % 5 = 1", [])
                .expect("fewer games");
            let sql = "UPDATE movetext SET moves = 'e4 e5 ' || moves WHERE game_id % 7 = 2";
            connection.execute(sql, []).expect("other moves");

            // Without their last moves, long games still have positions beyond the limit.
            let sql = "UPDATE movetext SET moves = rtrim(rtrim(moves, replace(moves, ' ', '')))
                WHERE game_id % 7 = 3";
            connection.execute(sql, []).expect("shorter games");
        }

        assert!(compare(&full, &limited, PLIES, 11) > 300);

        drop(limited);
        for rebuild in [Rebuild::IfStale, Rebuild::Always] {
            let mut database =
                Database::open_to_write(work.path("limited.db")).expect("a database");
            optimize(&mut database, Memory::default(), rebuild, |_| {}).expect("it is optimized");
            drop(database);

            let limited = connect(&work.path("limited.db"));
            assert!(compare(&full, &limited, PLIES, 11) > 300);
        }

        work.stamma("check --full limited.db").success();
    }
}

#[test]
fn a_merge_keeps_the_limit_of_the_first() {
    let work = Workplace::new();
    import_limited(&work, "full.db", None, false);
    import_limited(&work, "limited.db", Some(PLIES), false);

    for (name, others, last) in [
        ("a.db", ["limited.db"], Some(PLIES)),
        ("b.db", ["full.db"], None),
    ] {
        let others = others.map(|other| Database::open(work.path(other)).expect("a database"));
        let mut database = Database::open_or_create(work.path(name)).expect("a database");
        merge(&mut database, &others, Memory::default(), |_| {}).expect("a merge");

        let plies = database.indexed_plies().expect("a limit");
        assert_eq!(plies.last(), last.map(Ply::new));
    }

    let full = connect(&work.path("full.db"));
    let merged = connect(&work.path("a.db"));
    compare(&full, &merged, PLIES, 9);

    // Games of a database with another limit are indexed again.
    work.write("one.pgn", "1. e4 e5 2. Nf3 *\n");
    work.stamma("import c.db one.pgn --index-plies 7").success();
    work.stamma("merge c.db full.db").success();
    work.stamma("import d.db one.pgn").success();
    work.stamma("merge d.db limited.db").success();

    work.stamma("check --full c.db").success();
    work.stamma("check --full d.db").success();
    let full = connect(&work.path("d.db"));
    let limited = connect(&work.path("c.db"));
    compare(&full, &limited, 7, 9);

    let count = |name: &str| {
        let query = Query::new()
            .position("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")
            .expect("moves");
        let database = Database::open(work.path(name)).expect("a database");

        let mut results = database.query(&query).expect("a plan");
        results.count().expect("a count")
    };

    assert!(count("d.db") > count("c.db").min(1));
}

#[test]
fn lines_novelties_and_repertoires_are_those_of_whole_games() {
    let work = Workplace::new();
    import_limited(&work, "full.db", None, false);
    work.write(
        "lines.pgn",
        "1. e4 (1. d4 Nf6 2. c4 e6 3. Nc3) c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 *\n",
    );

    for plies in [0, 3, PLIES] {
        let name = format!("limited-{plies}.db");
        import_limited(&work, &name, Some(plies), false);

        for command in [
            "search|NAME|--line|1. e4 c5 2. Nf3 d6 3. d4 cxd4|--format|csv",
            "search|NAME|--player|tal|--format|csv",
            "novelties|NAME|--player|fischer|--format|csv",
            "novelties|NAME|--format|csv",
            "repertoire|NAME|lines.pgn|--as|white|--format|csv",
            "player|NAME|fischer|--format|csv",
            "export|NAME|--player|tal",
        ] {
            let output = |name: &str| {
                let words = command.split('|').map(|word| word.replace("NAME", name));
                stdout_of(&work.run(words).success())
            };

            let expected = output("full.db");
            let found = output(&name);
            assert!(!expected.is_empty(), "{command}");
            assert_eq!(found, expected, "{command} with {plies}");
        }
    }
}

#[test]
fn what_is_not_indexed_is_told() {
    let work = Workplace::new();
    work.write("games.pgn", "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n");
    work.stamma("import games.db games.pgn --index-plies 3")
        .success();

    let outputs = |words: &[&str]| {
        let run = work.run(words).success();
        [stdout_of(&run), stderr_of(&run)]
    };

    // A position after half-move 3 is found, and one after half-move 4 is not; the remark stands in both cases.
    let remark = "games.db: positions after half-move 3 are not indexed; games that reach a position later are not \
                  found by it\n";
    for (line, count) in [("1. e4 e5 2. Nf3", "1\n"), ("1. e4 e5 2. Nf3 Nc6", "0\n")] {
        let found = outputs(&["search", "games.db", line, "--format", "count"]);
        assert_eq!(found, [count, remark]);
    }

    // The other commands that look positions up tell it as well.
    let [_, stderr] = outputs(&["moves", "games.db", "1. e4 e5", "--format", "csv"]);
    assert_eq!(stderr, remark);

    let [stdout, _] = outputs(&["info", "games.db"]);
    assert!(stdout.contains("; positions after half-move 3 are not indexed\n"));

    let [stdout, _] = outputs(&["info", "games.db", "--json"]);
    assert!(stdout.contains("\"index_plies\":3"));

    let without_position = outputs(&["search", "games.db", "--format", "count"]);
    assert_eq!(without_position, ["1\n", ""], "no position is asked for");

    let sql = "SELECT count(*) FROM position('e4')";
    let [_, stderr] = outputs(&["sql", "games.db", sql, "--format", "csv"]);
    assert_eq!(stderr, remark);

    // The first import decides.
    work.write("more.pgn", "1. d4 d5 2. c4 *\n");
    let refused = work
        .stamma("import games.db more.pgn --index-plies 4")
        .code(2);
    let stderr = stderr_of(&refused);
    assert!(
        stderr.contains("indexed up to half-move 3; another --index-plies is for a new one"),
        "{stderr}"
    );

    work.stamma("import games.db more.pgn --index-plies 3")
        .success();
    work.stamma("check --full games.db").success();

    // No half-move at all: not even the start position is in the index.
    work.stamma("import none.db games.pgn more.pgn --index-plies 0")
        .success();
    work.stamma("check --full none.db").success();

    let refused = work.stamma("search none.db e4").code(2);
    let stderr = stderr_of(&refused);
    assert!(
        stderr.contains("none.db: its positions are not indexed"),
        "{stderr}"
    );

    // What needs no position still answers.
    work.stamma("moves none.db").code(2);
    let [stdout, _] = outputs(&["search", "none.db", "--format", "count"]);
    assert_eq!(stdout, "2\n");

    work.stamma("import none.db games.pgn").success();
    work.stamma("optimize none.db").success();
}
