//! Imports with filters: they add the games that an export with these filters writes, each once, whatever was imported
//! from the source before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::index_oracle::is_whole;
use crate::support::program::{Workplace, commented_games, stderr_of, text_of_games};
use stamma::Filter;
use stamma::import::{Event, ImportOptions, import};
use stamma::storage::Database;

/// A folder with a file of the historical games.
fn workplace() -> Workplace {
    let work = Workplace::new();
    work.write("games.pgn", text_of_games());
    work
}

/// The games in the order of their places in the file.
fn by_place(work: &Workplace) -> String {
    work.query("SELECT byte_offset, white, black, moves FROM games ORDER BY byte_offset")
}

/// The games of an undisturbed import that match a condition, by their places in the file.
fn matching_games(condition: &str) -> String {
    let work = workplace();
    work.stamma("import games.db games.pgn --quiet").success();
    work.query(&format!(
        "SELECT byte_offset, white, black, moves FROM games WHERE {condition} ORDER BY byte_offset"
    ))
}

#[test]
fn the_games_are_those_of_an_export() {
    for filter in [
        "--player kasparov",
        "--white karpov --result 1-0",
        "--elo 2600",
        "--eco B90-B99",
        "--opening sicilian",
        "--plies ..60",
        "--since 1990 --until 1999",
        "--ending checkmate",
    ] {
        let (all, some) = (workplace(), workplace());
        all.stamma("import games.db games.pgn --quiet").success();
        some.stamma(&format!("import games.db games.pgn --quiet {filter}"))
            .success();

        let exported = all.output(&format!("export games.db {filter}"));
        assert!(exported.len() > 200, "{filter}");
        assert_eq!(some.output("export games.db"), exported, "{filter}");

        is_whole(&some);
    }
}

#[test]
fn a_source_keeps_its_filter() {
    let work = workplace();
    let import = "import games.db games.pgn --elo 2700 --speed classical,rapid --player =Nobody";
    let stderr = stderr_of(&work.stamma(import).success());
    assert!(
        stderr.contains("0 of 111 games match the filters and are new\n"),
        "{stderr}"
    );

    let filter = r#"{"elo":"2700..","player":["=Nobody"],"speed":["classical","rapid"]}"#;
    assert_eq!(
        work.query("SELECT filter, games, passed_over FROM source"),
        format!("{filter}|0|111")
    );

    let information = work.output("info games.db");
    let words =
        "games.pgn (only elo 2700.., player =Nobody, speed classical or rapid; 111 other games)";
    assert!(information.contains(words), "{information}");

    let reordered =
        "import games.db games.pgn --player =Nobody --speed rapid,classical --elo 2700..";
    let stderr = stderr_of(&work.stamma(reordered).success());
    assert_eq!(stderr, "games.pgn: already imported, skipped\n");
}

#[test]
fn a_wider_filter_adds_what_is_missing() {
    let work = workplace();
    work.stamma("import games.db games.pgn --quiet --player karpov")
        .success();
    assert_eq!(
        by_place(&work),
        matching_games("white || black LIKE '%Karpov%'")
    );

    let work = workplace();
    for filter in [
        "--player karpov",
        "--elo 2700",
        "--player karpov --elo 2700",
        "--elo 2500",
        "",
        "--elo 2000",
    ] {
        work.stamma(&format!("import games.db games.pgn --quiet {filter}"))
            .success();
    }

    assert_eq!(by_place(&work), matching_games("true"));

    let sources = work.query("SELECT count(*), sum(games) FROM source");
    assert_eq!(
        sources, "5|111",
        "the last one adds nothing to a source with all games"
    );

    is_whole(&work);
}

#[test]
fn problems_belong_to_the_games_that_are_imported() {
    let work = Workplace::new();
    let game =
        |white: &str, moves: &str| format!("[White \"{white}\"]\n[Result \"*\"]\n\n{moves} *\n\n");

    let faulty = [
        game("a", "1. e4 e5 2. Ke3"),
        game("b", "1. d4"),
        game("b", "1. d4 d5 2. Kd3"),
    ];

    let pgn = game("a", "1. e4 Ke5") + &faulty.concat();
    work.write("games.pgn", pgn);
    work.stamma("import games.db games.pgn --white b --problems problems.jsonl")
        .code(1);

    let problems =
        "SELECT problem.game_id, white, problem.text FROM problem JOIN games ON games.id = game_id";
    assert_eq!(work.query(problems), "2|b|Kd3");

    let list = work.read("problems.jsonl");
    assert_eq!(list.lines().count(), 1);
    assert!(list.contains("\"game\":2"), "{list}");

    is_whole(&work);
}

#[test]
fn a_file_that_has_grown_is_continued() {
    let all = text_of_games();
    // Behind a game that is passed over, and behind one that is not.
    for end in ["[White \"Botvinnik", "[White \"Spassky"] {
        let cut = all.find(end).expect("a game");
        let work = Workplace::new();
        work.write("games.pgn", &all[..cut]);
        work.stamma("import games.db games.pgn --quiet --since 1960")
            .code(0);
        work.write("games.pgn", &all);
        work.stamma("import games.db games.pgn --quiet --since 1960")
            .success();

        let undisturbed = workplace();
        undisturbed
            .stamma("import games.db games.pgn --quiet --since 1960")
            .success();
        assert_eq!(by_place(&work), by_place(&undisturbed), "{end}");
        assert_eq!(
            work.query("SELECT sum(games), sum(passed_over) FROM source"),
            undisturbed.query("SELECT games, passed_over FROM source"),
            "{end}"
        );

        is_whole(&work);
    }
}

/// The historical games, repeated, with a comment of a length in each game.
fn commented_archive(comment_length: usize, times: usize) -> String {
    let commented = commented_games(&"-".repeat(comment_length));
    commented.repeat(times)
}

#[test]
fn a_large_source_and_a_compressed_one_are_read_from_the_beginning_again() {
    // More batches than are kept while a source is compared with known ones.
    let all = commented_archive(120_000, 6);
    assert!(all.len() > 64 << 20);

    let work = Workplace::new();
    work.write("games.pgn", &all);
    let packed = zstd::encode_all(all.as_bytes(), 1).expect("memory");
    work.write("games.pgn.zst", packed);

    // Each filter adds games to those of the filter before.
    work.stamma("import games.db games.pgn.zst --quiet --elo 2700")
        .success();
    work.stamma("import games.db games.pgn --quiet --elo 2600")
        .success();
    work.stamma("import games.db games.pgn.zst --quiet --elo 2500")
        .success();

    let offsets = "SELECT count(*), count(DISTINCT byte_offset) FROM game";
    let once = matching_games("min(white_elo, black_elo) >= 2500");
    let games = 6 * once.lines().count();

    // As many games as places: none is there twice.
    assert_eq!(work.query(offsets), format!("{games}|{games}"));
    work.stamma("check games.db").success();
}

#[test]
fn an_interrupted_import_is_resumed_with_its_filter() {
    let text = commented_archive(22_000, 4);
    let undisturbed = Workplace::new();
    undisturbed.write("games.pgn", &text);
    undisturbed
        .stamma("import games.db games.pgn --quiet --elo 2700")
        .success();
    undisturbed
        .stamma("import games.db games.pgn --quiet --elo 2600")
        .success();

    let work = Workplace::new();
    work.write("games.pgn", &text);
    work.stamma("import games.db games.pgn --quiet --elo 2700")
        .success();

    let filter = || Filter {
        elo: Some((2600..).into()),
        ..Filter::default()
    };

    let mut times = 0;
    loop {
        let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
        let stop = Arc::new(AtomicBool::new(false));

        let options = ImportOptions {
            step_bytes: 1,
            stop: Some(Arc::clone(&stop)),
            filter: filter(),
            ..ImportOptions::default()
        };

        let mut written = 0;
        let progress = |event: Event<'_>| {
            written += u64::from(matches!(event, Event::Written(_)));
            stop.store(written == 2, Ordering::Relaxed);
        };

        let summary = import(&mut database, [work.path("games.pgn")], options, progress);
        if !summary.expect("an import").is_interrupted {
            break;
        }

        times += 1;
        assert!(times < 1000, "it comes no further");
    }

    assert!(times > 3, "it was interrupted {times} times");

    let content = "SELECT * FROM games ORDER BY id";
    assert_eq!(work.query(content), undisturbed.query(content));

    let sources = "SELECT games, passed_over, filter, unfinished FROM source ORDER BY id";
    assert_eq!(work.query(sources), undisturbed.query(sources));
}
