//! Imports with `--limit` and `--unique`: they add the games that a conversion with these options writes, and a later
//! import adds the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::index_oracle::is_whole;
use crate::support::program::{Workplace, commented_games, stderr_of, stdout_of, text_of_games};
use stamma::import::{Event, ImportOptions, Summary, import};
use stamma::storage::Database;

/// The historical games with long comments, so that there are several batches, and with repetitions.
fn repeated_archive(comment_length: usize) -> String {
    let all = commented_games(&"-".repeat(comment_length));

    let later = all.find("[Event \"World").expect("a game");
    let some = &all[later..];
    format!("{all}{some}{all}")
}

/// The games by their places in the file.
const BY_PLACE: &str = "SELECT byte_offset, byte_length, white, black, movetext.moves, movetext.annotations FROM games \
    JOIN movetext ON movetext.game_id = games.id ORDER BY byte_offset";

#[test]
fn a_limit_is_exact_and_a_higher_one_adds_the_rest() {
    let text = repeated_archive(20_000);
    let work = Workplace::new();
    work.write("games.pgn", &text);

    // The same archive without a limit.
    let whole = Workplace::new();
    whole.write("games.pgn", &text);
    whole.stamma("import games.db games.pgn --quiet").success();

    let all = whole.query(BY_PLACE);
    let all: Vec<&str> = all.lines().collect();

    for limit in [1, 2, 40, 41, 150] {
        let command = format!("import games.db games.pgn --limit {limit}");
        let message = stderr_of(&work.stamma(&command).success());
        assert!(message.contains("the limit was reached"), "{message}");

        let found = work.query(BY_PLACE);
        assert_eq!(
            found.lines().collect::<Vec<&str>>(),
            all[..limit],
            "{limit}"
        );

        is_whole(&work);

        let again = stderr_of(&work.stamma(&command).success());
        assert!(
            again.starts_with("games.pgn: imported before up to the limit"),
            "{again}"
        );
        assert_eq!(work.query(BY_PLACE), found, "{limit}");
    }

    // A limit below the number of games that are there.
    let lower = work
        .stamma("import games.db games.pgn --limit 60")
        .success();
    let stderr = stderr_of(&lower);
    assert!(
        stderr.starts_with("games.pgn: imported before up to the limit"),
        "{stderr}"
    );

    work.stamma("import games.db games.pgn --quiet").success();
    assert_eq!(work.query(BY_PLACE).lines().collect::<Vec<&str>>(), all);

    let texts = "SELECT group_concat(text, '') FROM source_text";
    assert_eq!(work.query(texts), whole.query(texts));
    assert_eq!(
        work.output("export games.db"),
        whole.output("export games.db")
    );

    is_whole(&work);
    let known = stderr_of(&work.stamma("import games.db games.pgn").success());
    assert_eq!(known, "games.pgn: already imported, skipped\n");
}

#[test]
fn a_limit_counts_the_games_of_all_sources() {
    let work = Workplace::new();
    let game = |white: &str| format!("[White \"{white}\"]\n\n1. e4 e5 *\n\n");
    work.write("a.pgn", ["a1", "a2", "a3"].map(game).concat());
    work.write("b.pgn", ["b1", "b2"].map(game).concat());
    work.write("c.pgn", game("c1"));

    let white = "SELECT group_concat(white, ' ') FROM (SELECT white FROM games ORDER BY id)";
    let imported = |limit: &str| {
        work.stamma(&format!(
            "import games.db a.pgn b.pgn c.pgn --quiet {limit}"
        ))
        .success();
        work.query(white)
    };

    assert_eq!(imported("--limit 2"), "a1 a2");
    assert_eq!(imported("--limit 3"), "a1 a2 a3");
    assert_eq!(imported("--limit 3"), "a1 a2 a3");
    assert_eq!(imported("--limit 4"), "a1 a2 a3 b1");
    assert_eq!(imported("--limit 0"), "a1 a2 a3 b1 b2 c1");
    assert_eq!(imported("--limit 1"), "a1 a2 a3 b1 b2 c1");

    is_whole(&work);
}

#[test]
fn a_limit_is_mentioned_only_if_something_was_not_read() {
    let work = Workplace::new();
    let game = |white: &str| format!("[White \"{white}\"]\n\n1. e4 e5 *\n\n");
    work.write("a.pgn", ["a1", "a2", "a3"].map(game).concat());
    work.write("b.pgn", ["b1", "b2"].map(game).concat());

    let ends_at_limit = |arguments: &str| {
        let run = work
            .stamma(&format!("import games.db {arguments} --json"))
            .success();
        let report: serde_json::Value = serde_json::from_str(&stdout_of(&run)).expect("JSON");
        let is_in_report = report["limit_reached"] == true;

        let is_in_message = stderr_of(&run).contains(
            "the limit was reached before the end of the files; \
             the same command continues with a higher --limit, or without --limit\n",
        );
        assert_eq!(is_in_message, is_in_report, "{arguments}");
        is_in_message
    };

    for (arguments, is_expected) in [
        ("a.pgn --limit 2", true),
        ("a.pgn --limit 2", true),
        ("a.pgn --limit 3", false),
        // The source is complete.
        ("a.pgn --limit 3", false),
        ("a.pgn --limit 1", false),
        ("a.pgn --limit 9", false),
        ("a.pgn b.pgn --limit 3", true),
        ("a.pgn b.pgn --limit 5", false),
        ("a.pgn b.pgn --limit 5", false),
    ] {
        assert_eq!(ends_at_limit(arguments), is_expected, "{arguments}");
    }
}

#[test]
fn a_limit_counts_the_games_that_match() {
    let text = text_of_games();
    for is_packed in [false, true] {
        let work = Workplace::new();
        let source = if is_packed {
            let bytes = zstd::encode_all(text.as_bytes(), 1).expect("memory");
            work.write("games.pgn.zst", bytes);
            "games.pgn.zst"
        } else {
            work.write("games.pgn", &text);
            "games.pgn"
        };

        let converted = |limit: u32| {
            let options = format!("--quiet --player karpov --limit {limit}");
            work.output(&format!("convert {source} {options}"))
        };

        for limit in [3, 7, 1000] {
            let import =
                format!("import games.db {source} --quiet --player karpov --limit {limit}");
            work.stamma(&import).success();
            assert_eq!(work.output("export games.db"), converted(limit), "{limit}");
        }

        // What does not match, and what was left out before, follows.
        work.stamma(&format!("import games.db {source} --quiet"))
            .success();
        let count = text.matches("[White \"").count();
        assert_eq!(
            work.query("SELECT count(*), count(DISTINCT byte_offset) FROM game"),
            format!("{count}|{count}")
        );

        is_whole(&work);
    }
}

#[test]
fn a_stream_in_utf_16_is_cut_at_a_game() {
    let work = Workplace::new();
    let mut text = String::from("\u{feff}");
    for number in 1..=9 {
        text += &format!("[White \"Ö{number}\"]\n\n1. e4 e5 {number}. d4 *\n\n; between\n\n");
    }

    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    work.write("games.pgn", bytes);

    for limit in 1..=10 {
        work.stamma(&format!(
            "import games.db games.pgn --quiet --limit {limit}"
        ));
        let count = limit.min(9);
        assert_eq!(
            work.query("SELECT count(*), count(DISTINCT white) FROM games"),
            format!("{count}|{count}")
        );
    }

    work.stamma("check games.db --full").success();
}

#[test]
fn unique_games_are_those_of_a_conversion() {
    let text = repeated_archive(20_000);
    let work = Workplace::new();
    work.write("games.pgn", &text);

    for options in [
        "--unique",
        "--unique --elo 2600",
        "--unique --limit 30",
        "--unique --limit 130",
    ] {
        let import = format!("import games.db games.pgn --json --quiet {options}");
        let json = work.output(&import);
        let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let converted = work.output(&format!("convert games.pgn --quiet {options}"));

        assert_eq!(work.output("export games.db"), converted, "{options}");

        // Behind a limit, the games that come twice are not read.
        let is_complete = !options.contains("limit");
        if is_complete {
            let duplicates = report["duplicates"].as_u64().expect("a number");
            assert!(duplicates > 20, "{report}");
        }

        is_whole(&work);

        let again = format!("import games.db games.pgn {options}");
        let known = stderr_of(&work.stamma(&again).success());
        assert!(known.contains("skipped"), "{known}");

        std::fs::remove_file(work.path("games.db")).expect("a file");
    }
}

#[test]
fn games_that_equal_one_of_the_database_are_left_out() {
    let work = Workplace::new();
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    let game = |white: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"Falk\"]\n[Date \"2024.05.01\"]\n\n{moves} *\n\n")
    };

    work.write(
        "first.pgn",
        game("Berg", long) + &game("Berg, Anna", "1. d4 d5"),
    );
    let evaluated = long.replace("1. e4", "1. e4 {[%eval 0.3]}");
    let other = evaluated.replace("h3", "h4");

    // Long moves prove a duplicate alone; short ones need the players, too.
    let second = [
        game("Someone", &evaluated),
        game("Anna Berg", "1. d4 d5"),
        game("Berg, Bea", "1. d4 d5"),
        game("x", &other),
        game("y", &other),
    ];
    work.write("second.pgn", second.concat());
    work.stamma("import games.db first.pgn --quiet").success();

    let stderr = stderr_of(&work.stamma("import games.db second.pgn --unique").success());
    assert!(
        stderr.contains("2 of 5 games match the filters and are new; 3 equal an earlier game\n"),
        "{stderr}"
    );

    let white = "SELECT group_concat(white, '; ') FROM (SELECT white FROM games ORDER BY id)";
    assert_eq!(work.query(white), "Berg; Berg, Anna; Berg, Bea; x");
    assert_eq!(
        work.query("SELECT filter, games, passed_over FROM source WHERE id = 2"),
        r#"{"unique":"true"}|2|3"#
    );
    let info = work.output("info games.db");
    assert!(info.contains("second.pgn (only unique"), "{info}");

    let stderr = stderr_of(&work.stamma("import games.db second.pgn --unique").success());
    assert_eq!(stderr, "second.pgn: already imported, skipped\n");

    work.stamma("import games.db second.pgn --quiet").success();
    assert_eq!(
        work.query(white),
        "Berg; Berg, Anna; Berg, Bea; x; Someone; Anna Berg; y"
    );

    is_whole(&work);
}

/// Imports with an interruption after each batch, to the end.
fn import_interrupted(work: &Workplace, options: &ImportOptions) -> (Summary, u32) {
    let mut times = 0;
    loop {
        let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
        let stop = Arc::new(AtomicBool::new(false));

        let options = ImportOptions {
            step_bytes: 1,
            stop: Some(Arc::clone(&stop)),
            ..options.clone()
        };

        let mut written = 0;
        let progress = |event: Event<'_>| {
            written += u64::from(matches!(event, Event::Written(_)));
            stop.store(written == 2, Ordering::Relaxed);
        };

        let summary =
            import(&mut database, [work.path("games.pgn")], options, progress).expect("an import");
        if !summary.is_interrupted {
            return (summary, times);
        }

        // Each call must write a batch, or this would go on without end.
        times += 1;
        assert!(times < 1000, "it comes no further");
    }
}

#[test]
fn an_interrupted_import_is_resumed_with_its_limit_and_without_equal_games() {
    let text = repeated_archive(100_000);
    for options in [
        ImportOptions {
            limit: Some(160),
            ..ImportOptions::default()
        },
        ImportOptions {
            unique: true,
            ..ImportOptions::default()
        },
        ImportOptions {
            unique: true,
            limit: Some(105),
            ..ImportOptions::default()
        },
    ] {
        let (undisturbed, work) = (Workplace::new(), Workplace::new());
        undisturbed.write("games.pgn", &text);
        work.write("games.pgn", &text);

        let mut database =
            Database::open_or_create(undisturbed.path("games.db")).expect("a database");
        let file = [undisturbed.path("games.pgn")];
        let whole = import(&mut database, file, options.clone(), |_| {}).expect("an import");
        drop(database);

        let (summary, times) = import_interrupted(&work, &options);
        assert!(times > 3, "it was interrupted {times} times");
        assert_eq!(summary.is_limit_reached, whole.is_limit_reached);
        assert_eq!(work.query(BY_PLACE), undisturbed.query(BY_PLACE));

        let source = "SELECT games, passed_over, bytes, hex(content_hash), known_bytes, hex(known_hash), filter, unfinished FROM source";
        assert_eq!(work.query(source), undisturbed.query(source));

        is_whole(&work);
    }
}

#[test]
fn a_cut_game_that_is_read_again_does_not_equal_itself() {
    let all = repeated_archive(20_000);
    let cut = all[..all.len() / 2].rfind(" 5. ").expect("a move");
    let work = Workplace::new();

    work.write("games.pgn", &all[..cut]);
    work.stamma("import games.db games.pgn --quiet --unique");
    work.write("games.pgn", &all);
    work.stamma("import games.db games.pgn --quiet --unique")
        .success();

    let whole = Workplace::new();
    whole.write("games.pgn", &all);
    whole
        .stamma("import games.db games.pgn --quiet --unique")
        .success();

    assert_eq!(work.query(BY_PLACE), whole.query(BY_PLACE));

    is_whole(&work);
}
