//! Games that are in a database more than once: duplicates are found, marked, left out and deleted, and marks are
//! reverted.

use crate::support::program::{Workplace, stderr_of};

/// Made-up moves of fifty half-moves, without a repetition of positions.
const MOVES: &str = "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3 c5 7. O-O Nc6 8. a3 Bxc3 \
    9. bxc3 dxc4 10. Bxc4 Qc7 11. Bd3 e5 12. Qc2 Re8 13. Nxe5 Nxe5 14. dxe5 Qxe5 15. f3 Bd7 \
    16. a4 Rac8 17. e4 c4 18. Be2 Bc6 19. Be3 Rcd8 20. Bd4 Qc7 21. Rfd1 Nd7 22. Rab1 Nc5 \
    23. Bf1 Ne6 24. Be3 h6 25. Rxd8 Rxd8";

/// A game with these tags, moves and result.
fn game(tags: &[(&str, &str)], moves: &str, result: &str) -> String {
    let tag = |(name, value): &(&str, &str)| format!("[{name} \"{value}\"]\n");
    let tags: String = tags.iter().map(tag).collect();
    format!("{tags}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

/// The first moves of a game.
fn first_moves(moves: &str, numbers: usize) -> &str {
    let next_number = format!(" {}. ", numbers + 1);
    let end = moves.find(&next_number).expect("so many moves");
    &moves[..end]
}

const KRAUSE: [(&str, &str); 5] = [
    ("Event", "Club Championship"),
    ("Date", "1987.03.??"),
    ("Round", "?"),
    ("White", "Krause, Dietmar"),
    ("Black", "Wolters, Hannes"),
];

/// One game under five spellings, shorter under one of them, and with a slip under another; a second game of these
/// players on that day with the same beginning; and a game of other players.
fn games_with_duplicates() -> Workplace {
    let work = Workplace::new();
    let spelt = |white, black, date, round| {
        [
            ("Event", "?"),
            ("Site", "Bremen"),
            ("Date", date),
            ("Round", round),
            ("White", white),
            ("Black", black),
        ]
    };

    let slip = MOVES.replace("20. Bd4 Qc7", "20. Bd4 Qe7");
    let other = first_moves(MOVES, 12).to_owned()
        + " 13. Bb2 Bg4 14. Nxe5 Nxe5 15. dxe5 Rxe5 16. f3 Bh5 17. e4 Bg6 18. c4 Rd8";
    work.write(
        "a.pgn",
        game(&KRAUSE, MOVES, "1/2-1/2")
            + &game(
                &spelt("Krause D", "Wolters H", "1987.03.07", "3"),
                MOVES,
                "1/2-1/2",
            ),
    );
    work.write(
        "b.pgn",
        game(
            &spelt(
                "FM Krause Dietmar (GER)",
                "Hannes Wolters",
                "1987.??.??",
                "?",
            ),
            first_moves(MOVES, 24),
            "*",
        ) + &game(
            &spelt("Krause,D", "Wolters,H", "1987.03.07", "3"),
            &slip,
            "1/2-1/2",
        ) + &game(
            &spelt("krause, dietmar", "WOLTERS, HANNES", "1987.03.07", "03"),
            MOVES,
            "1/2-1/2",
        ) + &game(
            &spelt("Krause, Dietmar", "Wolters, Hannes", "1987.03.07", "4"),
            &other,
            "1-0",
        ) + &game(
            &spelt("Abel, Kurt", "Zorn, Maria", "1999.01.01", "1"),
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
            "1-0",
        ),
    );
    work.stamma("import games.db a.pgn b.pgn").success();

    work
}

/// The marks: each duplicate with the game that is kept.
fn marks(work: &Workplace) -> String {
    work.query("SELECT game_id || '>' || kept_id FROM duplicate_of ORDER BY game_id")
        .replace('\n', " ")
}

fn digest(work: &Workplace) -> String {
    work.output("check games.db --digest")
}

fn count(work: &Workplace, options: &str) -> u64 {
    let count = work.output(&format!("search games.db {options} --format count"));
    count.trim().parse().expect("a number")
}

fn info(work: &Workplace, options: &str) -> serde_json::Value {
    let json = work.output(&format!("info games.db --json {options}"));
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn copies_are_marked_and_traps_are_not() {
    let work = games_with_duplicates();
    let before = digest(&work);
    let run = work.stamma("dedupe games.db").success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("7 games compared\n4 duplicates in 1 group marked\n"),
        "{stderr}"
    );

    let kept = work.query("SELECT DISTINCT kept_id FROM duplicate_of");
    assert_eq!(
        work.query("SELECT game_id FROM duplicate_of UNION SELECT kept_id FROM duplicate_of"),
        "1\n2\n3\n4\n5"
    );
    assert_ne!(kept, "3");
    assert_eq!(digest(&work), before);
    work.stamma("check games.db --full").success();

    let run = work.stamma("dedupe games.db --undo").success();
    assert_eq!(stderr_of(&run), "4 games unmarked\n");
    assert_eq!(work.query("SELECT count(*) FROM duplicate_of"), "0");
    assert_eq!(digest(&work), before);
}

#[test]
fn a_dry_run_changes_nothing() {
    let work = games_with_duplicates();
    let before = std::fs::read(work.path("games.db")).expect("a file");

    let run = work.stamma("dedupe games.db --dry-run --delete").success();
    let stderr = stderr_of(&run);
    let marked = "4 duplicates in 1 group would be marked\n";
    assert!(stderr.contains(marked), "{stderr}");
    assert!(stderr.ends_with("4 games would be deleted\n"), "{stderr}");

    let after = std::fs::read(work.path("games.db")).expect("a file");
    assert!(after == before, "the file has changed");
}

#[test]
fn groups_are_listed() {
    let work = games_with_duplicates();
    let lines = work.output("dedupe games.db --format jsonl");
    let group: serde_json::Value = serde_json::from_str(&lines).expect("one object");

    let object = group.as_object().expect("an object");
    assert_eq!(object.len(), 5, "{lines}");
    assert!(lines.starts_with("{\"keep\":"), "{lines}");
    assert_eq!(group["games"], serde_json::json!([1, 2, 3, 4, 5]));
    assert_eq!(group["kind"], "variant");

    // How sure it is, and by what.
    let score = group["score"].as_f64().expect("a number");
    assert!((0.6..=1.0).contains(&score));

    let reasons = group["why"].as_array().expect("a list");
    assert!(reasons.contains(&"players".into()));

    // The same group in the other formats.
    let csv = work.output("dedupe games.db --format csv");
    assert!(csv.starts_with("keep,games,kind,score,why\n"), "{csv}");
    assert!(csv.contains(",1 2 3 4 5,variant,"), "{csv}");

    let table = work.output("dedupe games.db --format table");
    assert!(table.contains("Krause"));
}

#[test]
fn the_copy_that_is_preferred_is_kept() {
    for (copy, kept) in [("first", "1"), ("b.pgn", "4"), ("2", "4"), ("a.pgn", "2")] {
        let work = games_with_duplicates();
        work.stamma(&format!("dedupe games.db --prefer {copy}"))
            .success();
        assert_eq!(
            work.query("SELECT DISTINCT kept_id FROM duplicate_of"),
            kept,
            "{copy}"
        );
    }

    let work = games_with_duplicates();
    let annotate =
        "UPDATE movetext SET annotations = '[[3,\"c\",\"a fine move\"]]' WHERE game_id = 3";
    work.query("SELECT 1");

    let connection = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    connection.execute_batch(annotate).expect("SQL");
    drop(connection);

    work.stamma("dedupe games.db --prefer annotated").success();

    assert_eq!(work.query("SELECT DISTINCT kept_id FROM duplicate_of"), "3");

    // The next run keeps the preference of the last one.
    work.stamma("dedupe games.db").success();
    assert_eq!(work.query("SELECT DISTINCT kept_id FROM duplicate_of"), "3");

    work.stamma("dedupe games.db --prefer longest").success();
    assert_ne!(work.query("SELECT DISTINCT kept_id FROM duplicate_of"), "3");
}

#[test]
fn marked_games_are_left_out_everywhere() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db").success();
    // Of seven games, four are marked as duplicates.
    assert_eq!([count(&work, ""), count(&work, "--unique")], [7, 3]);

    for (options, games) in [
        ("--after d4", 6),
        ("--after d4 --unique", 2),
        ("--player krause --unique", 2),
        ("--material k --unique", 0),
    ] {
        assert_eq!(count(&work, options), games, "{options}");
    }

    let moves = work.output("moves games.db --unique --format csv");
    assert!(
        moves.lines().any(|line| line.starts_with("d4,d2d4,2,")),
        "{moves}"
    );

    let all = work.output("moves games.db --format csv");
    assert!(
        all.lines().any(|line| line.starts_with("d4,d2d4,6,")),
        "{all}"
    );

    // Every command that reads games.
    let exported = work.output("export games.db --unique");
    assert_eq!(exported.matches("[Event ").count(), 3);

    let player = work.output("player games.db krause --unique --format jsonl");
    let first = player.lines().next().expect("a line");
    assert!(first.contains("\"games\":2"), "{player}");

    work.stamma("book games.db -o book.bin --unique --min-games 3")
        .success();
    let book = std::fs::read(work.path("book.bin")).expect("a book");
    assert_eq!(book.len(), 0);

    work.stamma("materialize games.db --unique").success();
    assert_eq!(
        work.query("SELECT count(DISTINCT game_id) FROM position_fen"),
        "3"
    );

    // Summaries of the database, compared with a count by SQL.
    let players = work.query(
        "SELECT count(DISTINCT name) FROM (SELECT white AS name FROM games
         WHERE id NOT IN (SELECT game_id FROM duplicate_of)
         UNION SELECT black FROM games WHERE id NOT IN (SELECT game_id FROM duplicate_of))",
    );
    let players: u64 = players.parse().expect("a number");

    let marked = info(&work, "--unique");
    assert_eq!(marked["games"], 3);
    assert_eq!(marked["players"], players);

    let all = info(&work, "");
    assert_eq!(all["games"], 7);
    assert_eq!(all["duplicates"], 4);

    // Counts without duplicates must equal counts after the duplicates are deleted.
    work.stamma("optimize games.db").success();
    let unique = info(&work, "--unique");
    work.stamma("delete games.db --where 'id IN (SELECT game_id FROM duplicate_of)' --yes")
        .code(2);
    work.stamma("dedupe games.db --delete --yes").success();
    work.stamma("optimize games.db").success();

    let left = info(&work, "");
    for field in [
        "games",
        "players",
        "positions",
        "first_year",
        "last_year",
        "problems",
    ] {
        assert_eq!(left[field], unique[field], "{field}");
    }

    // This would delete the games that are no duplicates.
    work.stamma("delete games.db --unique --yes").code(2);
}

#[test]
fn marked_games_are_deleted_if_many_only_with_consent() {
    let work = games_with_duplicates();

    // Without consent, the duplicates are marked but not deleted.
    work.stamma("dedupe games.db --delete").code(2);
    assert_eq!(marks(&work).matches('>').count(), 4);
    assert_eq!(count(&work, ""), 7);

    let run = work
        .stamma("dedupe games.db --dry-run --delete --yes")
        .success();
    let stderr = stderr_of(&run);
    assert!(stderr.ends_with("4 games would be deleted\n"), "{stderr}");

    let run = work.stamma("dedupe games.db --delete --yes").success();
    let stderr = stderr_of(&run);
    assert!(stderr.ends_with("4 games deleted\n"), "{stderr}");
    assert_eq!([count(&work, ""), count(&work, "--unique")], [3, 3]);
    assert_eq!(work.query("SELECT count(*) FROM unexamined_game"), "0");
    work.stamma("check games.db --full").success();
}

#[test]
fn tags_are_filled_and_taken_back() {
    let work = games_with_duplicates();
    let before = digest(&work);
    let run = work
        .stamma("dedupe games.db --prefer first --merge-tags")
        .success();
    let stderr = stderr_of(&run);
    assert!(stderr.contains(" filled: "), "{stderr}");

    let kept = work.query("SELECT event, site, date, round, white, result FROM games WHERE id = 1");
    assert_eq!(
        kept,
        "Club Championship|Bremen|1987.03.07|3|Krause, Dietmar|1/2-1/2"
    );

    // The database notes where a value is from, and what was there before.
    let origins = work.query(
        "SELECT name, value, value_before, from_game_id FROM merged_tag WHERE game_id = 1 ORDER BY name",
    );
    assert_eq!(
        origins,
        "Date|1987.03.07|1987.03.??|2\nRound|3|?|2\nSite|Bremen|NULL|2"
    );
    assert_eq!(count(&work, "--site bremen --unique --player dietmar"), 2);
    assert_eq!(count(&work, "--date 1987.03.07 --unique"), 2);
    work.stamma("check games.db --full").success();

    // A second run has nothing to fill, and lists what cannot be filled since the games differ.
    let lines = work.output("dedupe games.db --merge-tags --format jsonl");
    let group: serde_json::Value = serde_json::from_str(&lines).expect("one object");
    assert_eq!(group["filled"], serde_json::json!([]));

    let conflicts = group["conflicts"].as_array().expect("a list");
    assert!(conflicts.iter().any(|conflict| conflict["tag"] == "White"));

    work.stamma("optimize games.db").success();
    let run = work.stamma("dedupe games.db --undo").success();
    assert_eq!(stderr_of(&run), "4 games unmarked; 3 tags are as before\n");
    assert_eq!(digest(&work), before);
    work.stamma("check games.db --full").success();
}

#[test]
fn a_tag_goes_with_the_twin_that_it_came_from() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db --prefer first --merge-tags")
        .success();

    // Game 2 becomes another game.
    let change = "UPDATE game SET white_id = (SELECT id FROM player WHERE name = 'Abel, Kurt'),
        black_id = (SELECT id FROM player WHERE name = 'Zorn, Maria'),
        date = '1999.01.01', event_id = NULL, round = '9' WHERE id = 2;
        UPDATE movetext SET moves = 'e4 e5 Nf3 Nc6 Bb5' WHERE game_id = 2";
    work.run(["sql", "games.db", "--write", change]).success();
    work.stamma("dedupe games.db").success();

    assert_eq!(
        work.query("SELECT date, round FROM games WHERE id = 1"),
        "1987.03.??|?"
    );
    assert!(!marks(&work).contains("2>"), "{}", marks(&work));

    work.stamma("dedupe games.db --merge-tags").success();
    assert_eq!(
        work.query("SELECT date, round FROM games WHERE id = 1"),
        "1987.03.07|3"
    );
}

#[test]
fn a_kept_game_that_goes_is_replaced() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db --prefer first").success();
    assert_eq!(marks(&work), "2>1 3>1 4>1 5>1");

    // One of the duplicates takes the place of the game that is gone.
    work.stamma("delete games.db --games 1 --yes").success();
    let kept = work.query("SELECT DISTINCT kept_id FROM duplicate_of");
    assert_eq!(kept.lines().count(), 1, "{kept}");
    assert_eq!(count(&work, "--unique"), 3);
    work.stamma("check games.db --full").success();

    work.stamma("dedupe games.db").success();
    assert_eq!(marks(&work), "3>2 4>2 5>2");

    // A duplicate, then the kept game with the next duplicate.
    for sql in [
        "DELETE FROM game WHERE id = 3",
        "DELETE FROM game WHERE id IN (2, 4)",
    ] {
        work.run(["sql", "games.db", "--write", sql]).success();
        work.stamma("check games.db --full").success();
    }

    assert_eq!(marks(&work), "");
    assert_eq!(count(&work, "--unique"), 3);

    work.stamma("dedupe games.db").success();
    assert_eq!(marks(&work), "");
}

#[test]
fn a_source_that_is_forgotten_takes_its_marks() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db --prefer a.pgn").success();
    work.stamma("forget games.db a.pgn").success();

    assert_eq!(count(&work, "--unique"), 3);
    work.stamma("check games.db --full").success();

    work.stamma("dedupe games.db").success();
    assert_eq!(
        work.query("SELECT count(*), count(DISTINCT kept_id) FROM duplicate_of"),
        "2|1"
    );

    work.stamma("import games.db a.pgn").success();
    let run = work.stamma("dedupe games.db").success();
    let stderr = stderr_of(&run);
    assert!(stderr.contains("7 games"), "{stderr}");
    assert_eq!(
        work.query("SELECT count(*), count(DISTINCT kept_id) FROM duplicate_of"),
        "4|1"
    );
}

/// Asserts that a run after a change marks the games that a run over all games marks.
fn assert_as_anew(work: &Workplace) {
    let marks =
        "SELECT game_id, kept_id, kind, score, why, place FROM duplicate_of ORDER BY game_id";
    work.stamma("dedupe games.db").success();
    let found = work.query(marks);

    // Without marks, all games are compared.
    work.stamma("dedupe games.db --undo").success();
    work.stamma("dedupe games.db").success();
    let expected = work.query(marks);
    assert_eq!(found, expected);
    work.stamma("check games.db").success();
}

#[test]
fn a_game_that_loses_its_moves_is_no_duplicate() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db").success();

    let change = "DELETE FROM movetext WHERE game_id = 3";
    work.run(["sql", "games.db", "--write", change]).success();
    work.stamma("dedupe games.db").success();

    assert!(!marks(&work).contains("3>"), "{}", marks(&work));
}

/// Games of other players, so that most games of the database are neither new nor changed.
fn strangers() -> String {
    let openings = [
        "e4 e5", "e4 c5", "d4 d5", "d4 Nf6", "c4 e5", "Nf3 d5", "e4 e6", "e4 c6",
    ];
    let next_moves = ["Nc3 a6", "a3 h6", "h3 a5", "g3 h5", "a4 h6"];

    let mut text = String::new();
    let mut number = 0;

    for opening in openings {
        for next in next_moves {
            let white = format!("Weiss{number}, Anna");
            let black = format!("Schwarz{number}, Bert");
            let tags = [
                ("Event", "Open"),
                ("Date", "2001.01.01"),
                ("White", white.as_str()),
                ("Black", black.as_str()),
            ];

            text += &game(&tags, &format!("{opening} {next}"), "1-0");
            number += 1;
        }
    }

    text
}

#[test]
fn new_and_changed_games_alone_are_compared() {
    let work = games_with_duplicates();
    work.write("c.pgn", strangers());
    work.stamma("import games.db c.pgn").success();

    let run = work.stamma("dedupe games.db").success();
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("47 games compared\n"), "{stderr}");

    let run = work.stamma("dedupe games.db").success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("0 of 47 games new or changed"),
        "{stderr}"
    );

    work.write("d.pgn", game(&KRAUSE, MOVES, "1/2-1/2"));
    work.stamma("import games.db d.pgn").success();

    let run = work.stamma("dedupe games.db").success();

    // The new game, and the five of the group that it joins.
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("6 of 48 games new or changed"),
        "{stderr}"
    );
    assert!(marks(&work).contains("48>"), "{}", marks(&work));

    assert_as_anew(&work);
    for sql in [
        "UPDATE movetext SET moves = 'e4 e5 Nf3 Nc6' WHERE game_id = 5",
        "UPDATE game SET date = '1955.01.01', white_id = 9 WHERE id = 4",
        "UPDATE player SET name = 'Zimmer, Otto' WHERE name = 'Krause, Dietmar'",
        "UPDATE site SET name = 'Bremerhaven' WHERE name = 'Bremen'",
        "DELETE FROM duplicate_of",
        "DELETE FROM game WHERE id IN (SELECT kept_id FROM duplicate_of)",
    ] {
        work.run(["sql", "games.db", "--write", sql]).success();
        let run = work.stamma("dedupe games.db --dry-run").success();
        let stderr = stderr_of(&run);
        assert!(stderr.contains(" new or changed"), "{sql}: {stderr}");

        assert_as_anew(&work);
    }

    work.stamma("optimize games.db").success();
    assert_as_anew(&work);
}

#[test]
fn marks_are_joined_with_their_games() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db --prefer first --merge-tags")
        .success();
    work.write("d.pgn", game(&KRAUSE, MOVES, "1/2-1/2"));
    work.stamma("import other.db d.pgn").success();
    work.stamma("merge other.db games.db").success();

    let moved = "SELECT game_id, kept_id FROM duplicate_of ORDER BY 1";
    std::fs::rename(work.path("games.db"), work.path("first.db")).expect("a file");
    std::fs::rename(work.path("other.db"), work.path("games.db")).expect("a file");

    assert_eq!(work.query(moved), "3|2\n4|2\n5|2\n6|2");
    assert_eq!(
        work.query("SELECT game_id, name, from_game_id FROM merged_tag ORDER BY name"),
        "2|Date|3\n2|Round|3\n2|Site|3"
    );
    work.stamma("check games.db --full").success();

    work.stamma("dedupe games.db --prefer first").success();
    assert_eq!(work.query(moved), "2|1\n3|1\n4|1\n5|1\n6|1");

    work.stamma("dedupe games.db --undo").success();
}

#[test]
fn marks_of_a_source_that_is_passed_over_are_left_out() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db --prefer a.pgn --merge-tags")
        .success();

    // The other database has the file with the kept game, and so passes it over.
    work.stamma("import other.db a.pgn").success();
    work.stamma("merge other.db games.db").success();
    std::fs::rename(work.path("other.db"), work.path("games.db")).expect("a file");

    assert_eq!(marks(&work), "");
    work.stamma("check games.db --full").success();

    work.stamma("dedupe games.db").success();
    assert_eq!(work.query("SELECT count(*) FROM duplicate_of"), "4");
}

#[test]
fn a_file_that_is_imported_again_is_compared() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db").success();
    work.stamma("import games.db a.pgn --again").success();
    work.stamma("dedupe games.db").success();

    assert_eq!(
        work.query("SELECT count(*), count(DISTINCT kept_id) FROM duplicate_of"),
        "6|1"
    );

    // One that has grown has its last game read again.
    let text = work.read("a.pgn");
    work.write("a.pgn", text + &game(&KRAUSE, MOVES, "1/2-1/2"));
    work.stamma("import games.db a.pgn").success();

    work.stamma("check games.db --full").success();

    work.stamma("dedupe games.db").success();
    assert_eq!(
        work.query("SELECT count(DISTINCT kept_id) FROM duplicate_of"),
        "1"
    );
    assert_eq!(count(&work, "--unique"), 3);
}

#[test]
fn a_run_that_fails_has_changed_nothing() {
    let work = games_with_duplicates();
    let before = digest(&work);

    // Unique for one row only, so that the second mark fails.
    let stop = "CREATE UNIQUE INDEX stop ON duplicate_of(kept_id > 0)";

    work.run(["sql", "games.db", "--write", stop]).success();
    work.stamma("dedupe games.db --prefer first --merge-tags")
        .code(2);
    assert_eq!(marks(&work), "");
    assert_eq!(work.query("SELECT count(*) FROM duplicate_search"), "0");
    assert_eq!(digest(&work), before);

    work.run(["sql", "games.db", "--write", "DROP INDEX stop"])
        .success();
    work.stamma("dedupe games.db").success();

    let stop = "CREATE UNIQUE INDEX stop ON stale_game(moved)";
    work.run(["sql", "games.db", "--write", stop]).success();
    work.stamma("dedupe games.db --delete --yes --prefer first")
        .code(2);

    // The marks are committed before games are deleted.
    assert_eq!(marks(&work), "2>1 3>1 4>1 5>1");
    assert_eq!(digest(&work), before);
}

#[test]
fn marks_that_cannot_be_are_faults() {
    let work = games_with_duplicates();
    work.stamma("dedupe games.db --prefer first").success();

    for (sql, fault) in [
        (
            "UPDATE duplicate_of SET kept_id = 3 WHERE game_id = 2",
            "duplicate_of 2: its kept game 3 is marked itself",
        ),
        (
            "UPDATE duplicate_of SET kept_id = 77 WHERE game_id = 2",
            "duplicate_of 2: it names a row of game that is not there",
        ),
    ] {
        let sql = format!("PRAGMA foreign_keys = 0; {sql}");
        work.run(["sql", "games.db", "--write", &sql]).success();
        let run = work.stamma("check games.db").code(1);
        let stderr = stderr_of(&run);
        assert!(stderr.contains(fault), "{stderr}");
    }
}

/// A database of a game and its beginning, both of Krause and Wolters unless the tags have other players.
fn two_games(first_tags: &str, second_tags: &str) -> Workplace {
    let work = Workplace::new();
    let names = "[White \"Krause, Dietmar\"]\n[Black \"Wolters, Hannes\"]\n";

    let named = |tags: &str| {
        if tags.contains("[White ") {
            tags.to_owned()
        } else {
            names.to_owned() + tags
        }
    };

    work.write("a.pgn", format!("{}\n{MOVES} *\n", named(first_tags)));
    work.write(
        "b.pgn",
        format!("{}\n{} *\n", named(second_tags), first_moves(MOVES, 24)),
    );
    work.stamma("import games.db a.pgn b.pgn").success();

    work
}

#[test]
fn merged_tags_are_no_evidence_for_their_twins() {
    let work = two_games(
        "[Date \"????.??.??\"]\n[White \"?\"]\n[Black \"Wolters, Hannes\"]\n",
        "[Event \"Open\"]\n[Site \"Bremen\"]\n[Date \"1987.03.07\"]\n[Round \"5\"]\n[WhiteElo \"2400\"]\n",
    );

    let marks = "SELECT game_id, kept_id, score, why FROM duplicate_of";
    work.stamma("dedupe games.db").success();

    let found = work.query(marks);
    assert!(found.starts_with("2|1|"), "{found}");

    work.stamma("dedupe games.db --merge-tags").success();
    assert_eq!(
        work.query("SELECT white, date, white_elo FROM games WHERE id = 1"),
        "Krause, Dietmar|1987.03.07|2400"
    );

    // All are compared again.
    work.stamma("dedupe games.db --prefer annotated").success();
    work.stamma("dedupe games.db --prefer longest --merge-tags")
        .success();
    assert_eq!(work.query(marks), found);
}

#[test]
fn tags_from_deleted_games_stay() {
    let work = two_games(
        "[Date \"1987.??.??\"]\n",
        "[Date \"1987.03.07\"]\n[Round \"5\"]\n",
    );

    work.stamma("dedupe games.db --merge-tags --delete --yes")
        .success();
    let run = work.stamma("dedupe games.db --undo").success();
    assert_eq!(
        stderr_of(&run),
        "0 games unmarked\n2 tags from deleted duplicates not taken back\n"
    );
    assert_eq!(work.query("SELECT date, round FROM games"), "1987.03.07|5");
}

#[test]
fn tags_that_others_have_changed_are_not_counted() {
    let work = two_games(
        "[Date \"1987.??.??\"]\n",
        "[Date \"1987.03.07\"]\n[Round \"5\"]\n",
    );

    work.stamma("dedupe games.db --merge-tags").success();

    let change = "UPDATE game SET round = '6' WHERE id = 1";
    work.run(["sql", "games.db", "--write", change]).success();

    let run = work.stamma("dedupe games.db --undo").success();
    assert_eq!(stderr_of(&run), "1 game unmarked; 1 tag is as before\n");
    assert_eq!(
        work.query("SELECT date, round FROM games WHERE id = 1"),
        "1987.??.??|6"
    );
}

#[test]
fn ratings_of_the_opponent_are_not_merged() {
    let work = two_games(
        "[Date \"1987.03.07\"]\n[WhiteElo \"0\"]\n[BlackElo \"?\"]\n",
        "[Date \"1987.03.07\"]\n[White \"Krause, D\"]\n[Black \"Schmidt, Z\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n[BlackTitle \"GM\"]\n",
    );

    let found = work.output("dedupe games.db --merge-tags --prefer first --format jsonl");
    let group: serde_json::Value = serde_json::from_str(&found).expect("one object");
    assert_eq!(
        group["filled"],
        serde_json::json!([{ "tag": "WhiteElo", "value": "2400", "game": 2 }])
    );
}

#[test]
fn what_a_dry_run_would_fill() {
    let work = two_games("[Date \"1987.??.??\"]\n", "[Date \"1987.03.07\"]\n");
    let run = work
        .stamma("dedupe games.db --dry-run --merge-tags --format jsonl")
        .success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.ends_with("1 tag would be filled: Date 1\n"),
        "{stderr}"
    );

    let work = two_games("[Date \"1987.03.07\"]\n", "[Date \"1987.03.07\"]\n");
    let group = work.output("dedupe games.db --merge-tags --format jsonl");
    assert!(
        group.ends_with(",\"filled\":[],\"conflicts\":[]}\n"),
        "{group}"
    );
}

#[test]
fn a_fuller_date_is_preferred() {
    let work = Workplace::new();
    let tags = "[White \"Krause, Dietmar\"]\n[Black \"Wolters, Hannes\"]\n";
    work.import(format!(
        "[Date \"????.??.??\"]\n{tags}\n{MOVES} *\n\n[Date \"1987.03.07\"]\n{tags}\n{MOVES} *\n"
    ));
    work.stamma("dedupe games.db").success();

    assert_eq!(marks(&work), "1>2");
}

#[test]
fn counters_make_no_other_start() {
    let work = Workplace::new();
    let game = |counters: &str| {
        format!(
            "[Date \"1987.03.07\"]\n[White \"Krause, D\"]\n[Black \"Wolters, H\"]\n[SetUp \"1\"]\n\
             [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {counters}\"]\n\n{MOVES} *\n\n"
        )
    };

    work.import(&(game("0 1") + &game("4 17")));
    work.stamma("dedupe games.db").success();
    assert_eq!(marks(&work), "2>1");
}

#[test]
fn a_file_that_has_grown_is_preferred_as_a_whole() {
    let work = Workplace::new();
    work.write("a.pgn", game(&KRAUSE, first_moves(MOVES, 24), "*"));

    let other = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h3 e5 7. Nde2 h5 8. g3 Be6 9. Bg2 Nbd7 10. O-O Rc8 11. a4 Be7";
    let abel = [
        ("Date", "1999.01.01"),
        ("White", "Abel, Kurt"),
        ("Black", "Zorn, Maria"),
    ];

    work.write("b.pgn", game(&abel, other, "1-0"));
    work.stamma("import games.db a.pgn b.pgn").success();

    let text = work.read("a.pgn");
    work.write("a.pgn", text + &game(&abel, first_moves(other, 10), "*"));
    work.stamma("import games.db a.pgn").success();
    work.stamma("dedupe games.db --prefer a.pgn").success();

    assert_eq!(work.query("SELECT game_id FROM duplicate_of"), "2");
}

#[test]
fn marks_in_a_circle_delete_no_game_and_are_made_anew() {
    let work = two_games("[Date \"1987.03.07\"]\n", "[Date \"1987.03.07\"]\n");
    work.stamma("dedupe games.db").success();
    assert_eq!(marks(&work), "2>1");

    // Game 2 is marked as a duplicate of game 1 already.
    let circle = "INSERT INTO duplicate_of VALUES (1, 2, 'same', 'sure', x'00', 1)";
    work.run(["sql", "games.db", "--write", circle]).success();
    work.stamma("dedupe games.db --delete --yes").success();

    assert_eq!(marks(&work), "");
    assert_eq!(count(&work, ""), 1);
    assert_eq!(work.query("SELECT id FROM games"), "1");

    let own = "INSERT INTO duplicate_of VALUES (1, 1, 'same', 1, '', 1)";
    work.run(["sql", "games.db", "--write", own]).code(2);
}

#[test]
fn a_list_that_nobody_reads_is_no_reason_to_mark_nothing() {
    let work = games_with_duplicates();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stamma"));
    command
        .args(["dedupe", "games.db", "--format", "jsonl"])
        .current_dir(work.path("."))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null());

    // The pipe is closed before anything is read from it.
    let mut child = command.spawn().expect("a program");
    drop(child.stdout.take());
    child.wait().expect("an end");

    assert_eq!(marks(&work).matches('>').count(), 4);
}
