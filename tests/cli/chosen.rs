//! Games chosen at random, by where they start and whether they could be read; and the games that were not chosen.

use std::collections::BTreeSet;
use std::fs;

use crate::support::program::{Workplace, games, stderr_of, stdout_of};

/// A workplace with three games: one at odds, a broken one, a sound one.
fn three_games() -> Workplace {
    let work = Workplace::new();
    let odds = "[White \"Odds\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1\"]\n\n\
        1. e4 e5 1-0\n\n";
    let broken = "[White \"Broken\"]\n\n1. e4 e5 2. Ke5 1-0\n\n";
    let sound = "[White \"Sound\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n";
    work.write("three.pgn", [odds, broken, sound].concat());
    work
}

/// The White players of the games in a text.
fn whites(pgn: &str) -> Vec<&str> {
    let mut whites = Vec::new();
    for line in pgn.lines() {
        if let Some(rest) = line.strip_prefix("[White \"") {
            whites.extend(rest.strip_suffix("\"]"));
        }
    }
    whites
}

macro_rules! chosen {
    ($($name:ident: $options:literal => $whites:expr, $others:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = three_games();
            let run = work.stamma(&format!("convert -q three.pgn --others rest.pgn {}", $options));
            let expected: &[&str] = &$whites;

            assert_eq!(whites(&stdout_of(&run)), expected);

            let expected: &[&str] = &$others;
            assert_eq!(whites(&work.read("rest.pgn")), expected);

            work.stamma("import -q games.db three.pgn");
            let exported = work.stamma(&format!("export -q games.db {}", $options));
            assert_eq!(stdout_of(&exported), stdout_of(&run));
        }
    )*};
}

chosen! {
    at_odds: "--start odds" => ["Odds"], ["Broken", "Sound"];
    from_a_fen: "--start fen" => ["Odds"], ["Broken", "Sound"];
    from_the_usual_position: "--start standard" => ["Broken", "Sound"], ["Odds"];
    read_to_the_end: "--complete" => ["Odds", "Sound"], ["Broken"];
    by_tags: "--white sound" => ["Sound"], ["Odds", "Broken"];
    by_tags_and_moves: "--result 1-0 --complete" => ["Odds"], ["Broken", "Sound"];
    none: "--player nobody" => [], ["Odds", "Broken", "Sound"];
}

#[test]
fn results_that_differ() {
    let work = Workplace::new();
    let game = |white: &str, tag: &str, end: &str| {
        format!("[White \"{white}\"]\n[Result \"{tag}\"]\n\n1. e4 e5 {end}\n\n")
    };
    let games = [
        game("Equal", "1-0", "1-0"),
        game("Other", "1-0", "0-1"),
        game("Open", "1-0", "*"),
        game("Filled", "*", "1-0"),
        game("Bare", "1-0", ""),
    ];
    work.write("five.pgn", games.concat());

    // The end and the tag differ. An end `*` never differs, and neither does an end that is missing.
    let run = work.stamma("convert -q five.pgn --nobadresults --others rest.pgn");
    assert_eq!(whites(&stdout_of(&run)), ["Equal", "Open", "Bare"]);
    assert_eq!(whites(&work.read("rest.pgn")), ["Other", "Filled"]);

    work.stamma("import -q games.db five.pgn");
    let exported = work.stamma("export -q games.db --no-bad-results");
    assert_eq!(stdout_of(&exported), stdout_of(&run));
}

#[test]
fn others_are_all_other_games_of_a_collection() {
    let work = Workplace::new();
    let all = games();

    let convert = |options: &[&str]| {
        let convert = ["convert", "-q", all.to_str().expect("UTF-8")];
        let run = work.run([&convert, options].concat());
        stdout_of(&run.success())
    };

    let won = convert(&["--result", "1-0", "--others", "rest.pgn"]);
    assert_eq!(
        work.read("rest.pgn"),
        convert(&["--result", "0-1,1/2-1/2,*"])
    );

    let count = |text: &str| text.matches("[Event ").count();
    let rest = count(&work.read("rest.pgn"));
    let games = count(&convert(&[]));

    assert_eq!(count(&won) + rest, games);
}

#[test]
fn a_sample_depends_on_the_games_and_the_seed_alone() {
    let work = Workplace::new();
    let mut files: Vec<String> = Vec::new();
    for file in fs::read_dir(games()).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            files.push(path.display().to_string());
        }
    }

    files.sort();

    let convert = |files: &[String], options: &str| {
        let mut arguments = vec!["convert".to_owned(), "-q".to_owned()];
        arguments.extend(files.iter().cloned());
        arguments.extend(options.split(' ').map(str::to_owned));
        stdout_of(&work.run(arguments).success())
    };

    let set = |text: &str| -> BTreeSet<String> {
        let games = text.split("[Event ").skip(1);
        games.map(str::to_owned).collect()
    };

    let sample = convert(&files, "--sample 0.3 --seed 5");
    let games = set(&sample);
    assert!(
        (15..60).contains(&games.len()),
        "{} of 111 games",
        games.len()
    );
    assert_eq!(convert(&files, "--sample 0.3 --seed 5 --threads 1"), sample);
    assert_ne!(set(&convert(&files, "--sample 0.3 --seed 6")), games);

    files.reverse();
    assert_eq!(set(&convert(&files, "--sample 0.3 --seed 5")), games);

    files.reverse();
    let mut import = vec!["import".to_owned(), "-q".to_owned(), "games.db".to_owned()];
    import.extend(files);
    work.run(import).success();

    assert_eq!(
        work.output("export -q games.db --sample 0.3 --seed 5"),
        sample
    );
}

macro_rules! refused {
    ($($name:ident: $options:literal => $sentence:literal;)*) => {$(
        #[test]
        fn $name() {
            let run = three_games().stamma(&format!("convert three.pgn {}", $options)).code(2);
            let stderr = stderr_of(&run);
            assert!(stderr.contains($sentence), "{stderr}");
        }
    )*};
}

refused! {
    others_of_all: "--others rest.pgn" => "--others needs a filter or a pattern";
    others_of_duplicates: "--unique --others rest.pgn" => "--others needs a filter or a pattern";
    others_behind_a_limit: "--white x --limit 1 --others rest.pgn" => "cannot be used with";
    a_seed_of_nothing: "--seed 1" => "--sample";
    more_than_all: "--sample 2" => "expected a number above 0";
}

#[test]
fn others_overwrite_nothing() {
    let work = three_games();
    // The file that is read, and the file of the wanted games.
    work.stamma("convert three.pgn --white odds --others three.pgn")
        .code(2);
    work.stamma("convert three.pgn --white odds -o out.pgn --others out.pgn")
        .code(2);
    assert!(!work.path("out.pgn").exists());
}
