//! Games chosen, divided and cleaned in a pipe: `stamma convert` with filters, `--unique` and `--split-by`, and
//! `stamma clean`.

use std::fs;

use crate::support::program::{Workplace, games, json_lines, stderr_of, stdout_of};

const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O\n\
    9. h3 Nb8 10. d4 Nbd7 1/2-1/2\n\n";

/// A game with tags, separated by bars, and a movetext.
fn game(tags: &str, moves: &str) -> String {
    let mut game = String::new();
    for tag in tags.split('|') {
        if tag.is_empty() {
            continue;
        }
        let (name, value) = tag.split_once('=').expect("a tag");
        game += &format!("[{name} \"{value}\"]\n");
    }

    game + &format!("\n{moves}\n\n")
}

/// The names of the files in a folder.
fn files(work: &Workplace, folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(work.path(folder)).expect("a folder") {
        let name = entry.expect("a file").file_name();
        names.push(name.to_string_lossy().into_owned());
    }

    names.sort();
    names
}

#[test]
fn a_limit_ends_the_reading() {
    let work = Workplace::new();
    let moves = format!("1. e4 {{{}}} *", "a long comment ".repeat(20));
    let many: String = (0..10_000)
        .map(|round| game(&format!("Round={round}"), &moves))
        .collect();
    work.write("many.pgn", many + &game("Round=last", "1. e5 *"));

    let run = work
        .stamma("convert many.pgn --limit 2 -o two.pgn")
        .success();
    assert_eq!(work.read("two.pgn").matches("[Round ").count(), 2);

    // The problem of the last game is behind the limit.
    let stderr = stderr_of(&run);
    assert!(stderr.contains(" 0 problems"), "{run}");

    let rest = stderr.strip_prefix("2 of ").expect("a summary");
    let read = rest.split(' ').next().expect("a number");
    let read: u32 = read.replace(',', "").parse().expect("a number");

    assert!(read < 10_000, "{run}");
    assert_eq!(
        text_of(&work, "convert many.pgn --limit 2"),
        work.read("two.pgn")
    );

    let all = text_of(&work, "convert many.pgn --limit 0");
    assert_eq!(all.matches("[Round ").count(), 10_001);
}

#[test]
fn problems_are_those_of_games_that_are_written() {
    let work = Workplace::new();
    let broken = game("White=Tal", "1. e4 e5 2. Ke3 *");
    let before = game("White=Euwe", "1. d4 *");
    let after = game("White=Euwe", "1. d9 *");
    work.write("in.pgn", before + &broken + &after);

    let messages = |arguments: &str, code| {
        let run = work
            .stamma(&format!("convert in.pgn -o out.pgn {arguments}"))
            .code(code);
        // The time of the run stands behind ` in `.
        let stderr = stderr_of(&run);
        let without_times = stderr.lines().filter_map(|line| line.split(" in ").next());
        without_times.map(str::to_owned).collect::<Vec<_>>()
    };

    // Only the broken game is wanted, and its problem has its number in the file.
    assert_eq!(messages("--white tal --problems p.jsonl", 1).len(), 2);

    let problems = work.read("p.jsonl");
    assert!(problems.contains(r#""game":2"#), "{problems}");
    assert_eq!(problems.lines().count(), 1, "{problems}");

    // A text that is no move leaves a game without moves, which is not wanted.
    assert_eq!(
        messages("--white euwe --plies 1", 0),
        [
            "stamma: --plies 1: 1 or more; exactly: =1, at most: ..1",
            "1 of 3 games, 0 problems"
        ]
    );
}

#[test]
fn games_passed_over_count_for_the_language() {
    let french = game(
        "White=A",
        "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. De2 *",
    );
    let english = game("White=A", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# *");

    // A rook in English, and the king in French: the games before decide, wanted or not.
    let wanted = game("White=B|FEN=4k3/8/8/8/8/8/8/4K2R w - - 0 1", "1. Rf1 *");
    let work = Workplace::new();
    let mut read = Vec::new();
    for before in [
        french.repeat(2),
        english.repeat(2) + &french,
        french.repeat(2) + &english,
    ] {
        work.import(before + &wanted);
        let exported = work.output("export games.db --white b");
        assert_eq!(text_of(&work, "convert in.pgn --white b"), exported);
        read.push(exported.contains("Rf1"));
        fs::remove_file(work.path("games.db")).expect("a database");
    }

    assert_eq!(read, [false, true, false]);
}

/// The standard output, whatever the problems.
fn text_of(work: &Workplace, arguments: &str) -> String {
    stdout_of(&work.stamma(arguments))
}

#[test]
fn equal_games_are_left_out() {
    let work = Workplace::new();
    let tal = "White=Tal, Mikhail|Black=Koblencs|Date=1960.05.07";
    let short = "1. e4 c5 *";
    let games = [
        game(tal, LONG),
        // A long game is a duplicate by its moves, whoever plays it.
        game("White=Somebody|Event=Elsewhere", LONG),
        game(tal, short),
        // A short game is a duplicate only with equal tags. Games without tags are kept.
        game(tal, short),
        game("White=Tal,M|Black=Koblencs|Date=1960.05.07", short),
        game("", short),
        game("", short),
    ];
    work.write("in.pgn", games.concat());

    let run = work
        .stamma("convert in.pgn --unique -o out.pgn --duplicates twice.pgn")
        .success();
    assert!(
        stderr_of(&run).starts_with("5 of 7 games, 2 duplicates left out"),
        "{run}"
    );
    assert_eq!(work.read("twice.pgn").matches("[Event ").count(), 2);
    assert!(work.read("twice.pgn").contains("Elsewhere"));

    let both = work.read("out.pgn") + &work.read("twice.pgn");
    assert_eq!(both.len(), text_of(&work, "convert in.pgn").len());

    let unique = text_of(&work, "convert out.pgn --unique");
    assert_eq!(unique, work.read("out.pgn"));

    let run = work.stamma("convert in.pgn --unique --limit 1").success();
    assert_eq!(stdout_of(&run).matches("[Event ").count(), 1);

    let run = work.stamma("convert in.pgn --duplicates d.pgn").failure();
    assert!(
        stderr_of(&run).contains("--duplicates needs --unique"),
        "{run}"
    );

    let run = work
        .stamma("convert in.pgn --unique -o d.pgn --duplicates d.pgn")
        .failure();
    assert!(!work.path("d.pgn").exists(), "{run}");
}

#[test]
fn files_by_what_games_are() {
    let work = Workplace::new();
    let tags = [
        "White=A/B|Black=?|ECO=B90|Date=1960.01.01",
        "White=a/b|Black=CON|ECO=b99|Date=?",
        "White=..|Black=A/B",
    ];
    work.write("in.pgn", tags.map(|tags| game(tags, "1. e4 *")).concat());

    for (by, names) in [
        (
            "player",
            &[
                "A_B.pgn",
                "CON_.pgn",
                "a_b (2).pgn",
                "unknown (2).pgn",
                "unknown.pgn",
            ][..],
        ),
        ("eco", &["B90.pgn", "B99.pgn", "unknown.pgn"]),
        ("year", &["1960.pgn", "unknown.pgn"]),
        ("event", &["unknown.pgn"]),
        ("games:2", &["1.pgn", "2.pgn"]),
    ] {
        let folder = by.replace(':', "-");
        let output = format!("{folder}/{{}}.pgn");
        work.run(["convert", "in.pgn", "--split-by", by, "-o", &output])
            .success();
        assert_eq!(files(&work, &folder), names, "{by}");

        let mut games = 0;
        for name in names {
            let written = work.read(&format!("{folder}/{name}"));
            games += written.matches("[Event ").count();
        }
        // A game is in the files of both players.
        let expected = if by == "player" { 6 } else { 3 };
        assert_eq!(games, expected, "{by}");
    }

    let parts = work.read("games-2/1.pgn") + &work.read("games-2/2.pgn");
    assert_eq!(parts, text_of(&work, "convert in.pgn"));
}

#[test]
fn exports_are_divided_as_conversions_are() {
    let work = Workplace::new();
    let folder = games();
    let games = folder.to_str().expect("a path");
    work.run(["import", "games.db", games, "--quiet"]);

    for by in ["player", "eco", "year", "event", "games:10"] {
        let divide = ["--fill", "eco", "--split-by", by, "-o"];
        let convert = [&["convert", games][..], &divide, &["a/{}.pgn"]].concat();
        let export = [&["export", "games.db"][..], &divide, &["b/{}.pgn"]].concat();
        work.run(convert).success();
        work.run(export).success();

        let names = files(&work, "a");
        assert_eq!(names, files(&work, "b"), "{by}");

        for name in names {
            let converted = work.read(&format!("a/{name}"));
            let exported = work.read(&format!("b/{name}"));
            assert_eq!(converted, exported, "{name}");
        }
    }
}

#[test]
fn a_failed_division_changes_nothing() {
    let work = Workplace::new();
    work.write(
        "in.pgn",
        game("White=A", "1. e4 *") + &game("White=in", "1. e4 *"),
    );
    work.write("A.pgn", "old");

    // One of the files would be the input.
    let run = work
        .stamma("convert in.pgn --split-by player -o {}.pgn")
        .failure();
    assert!(stderr_of(&run).contains("in.pgn"), "{run}");
    assert_eq!(files(&work, "."), ["A.pgn", "in.pgn"]);
    assert_eq!(work.read("A.pgn"), "old");

    for (arguments, why) in [
        ("convert in.pgn --split-by player -o a.pgn", "needs {}"),
        ("convert in.pgn --split-by player", "--output"),
        (
            "convert in.pgn --split-by round -o {}.pgn",
            "give player, event",
        ),
        (
            "convert in.pgn --split-by games:0 -o {}.pgn",
            "give player, event",
        ),
        ("convert in.pgn --where 1=1", "stamma export --where"),
        ("convert in.pgn --sort date", "stamma export"),
        ("convert in.pgn --games 1-5", "stamma export"),
    ] {
        let run = work.stamma(arguments).code(2);
        assert!(stderr_of(&run).contains(why), "{arguments}: {run}");
    }
}

#[test]
fn cleaning_is_a_conversion_with_options() {
    let work = Workplace::new();
    work.write(
        "in.pgn",
        game("White=A|Date=1972", LONG).repeat(2) + &game("White=B", "1. e4 e5 2. Ke3 *"),
    );

    let run = work
        .stamma("clean in.pgn -o clean.pgn --duplicates twice.pgn")
        .code(1);
    let converted = text_of(&work, "convert in.pgn --fix --unique --fill eco,opening");
    assert_eq!(work.read("clean.pgn"), converted);
    assert!(
        converted.contains("[ECO \"C9") && converted.contains("[Date \"1972.??.??\"]"),
        "{converted}"
    );

    let messages = stderr_of(&run);
    for line in [
        "        3  games read",
        "        1  duplicates left out",
        "        2  games written",
        "        2  problems",
    ] {
        assert!(messages.contains(line), "{messages}");
    }

    work.stamma("clean in.pgn --quiet -o clean.pgn").code(1);
}

/// A workplace with a game in two copies and games with four odd dates.
fn odd_games() -> Workplace {
    let work = Workplace::new();
    work.write("twice.pgn", game("White=A", LONG).repeat(2));

    let mut dated = String::new();
    for (white, date) in ["1972", "11.07.1973", "July 1974", "1975-01-02"]
        .iter()
        .enumerate()
    {
        let tags = format!("White={white}|Date={date}");
        dated += &game(&tags, "1. e4 e5 *");
    }

    work.write("dates.pgn", dated);
    work
}

#[test]
fn cleaning_reports_each_kind_of_change_with_three_examples() {
    let work = odd_games();
    let run = work
        .stamma("clean twice.pgn dates.pgn -o clean.pgn --fill eco")
        .success();
    let messages = stderr_of(&run);
    let lines: Vec<&str> = messages.lines().collect();

    let at = |part: &str| {
        let at = lines.iter().position(|line| line.contains(part));
        at.expect(part)
    };

    let dates = at("        4  tags repaired");
    assert!(
        lines[dates + 1].starts_with("           dates.pgn:"),
        "{messages}"
    );
    assert!(
        lines[dates + 3].starts_with("           dates.pgn:"),
        "{messages}"
    );
    assert!(!lines[dates + 4].starts_with("           "), "{messages}");

    let duplicates = at("        1  duplicates left out");
    let place = "twice.pgn:8: game 2: equals an earlier game, and is left out";
    assert_eq!(lines[duplicates + 1].trim(), place, "{messages}");
}

#[test]
fn a_report_has_every_change() {
    let work = odd_games();
    work.stamma("clean twice.pgn dates.pgn -q -o clean.pgn --report changes.jsonl")
        .success();

    let report = work.read("changes.jsonl");
    let rows = json_lines(&report);

    let mut dates = Vec::new();
    for row in &rows {
        if row["tag"] == "Date" && row["code"] == "repaired" {
            let place = format!("{} {}", row["source"], row["game"]);
            dates.push(format!("{place} {} → {}", row["before"], row["after"]));
        }
    }
    let expected = [
        "\"dates.pgn\" 3 \"1972\" → \"1972.??.??\"",
        "\"dates.pgn\" 4 \"11.07.1973\" → \"1973.07.11\"",
        "\"dates.pgn\" 5 \"July 1974\" → \"1974.07.??\"",
        "\"dates.pgn\" 6 \"1975-01-02\" → \"1975.01.02\"",
    ];

    assert_eq!(dates, expected);

    let count = |code: &str| rows.iter().filter(|row| row["code"] == code).count();
    assert_eq!(count("duplicate"), 1);
    assert_eq!(count("repaired"), 4);

    work.stamma("clean twice.pgn dates.pgn -q -o clean.pgn --report changes.csv --threads 1")
        .success();
    let csv = work.read("changes.csv");
    let mut lines = csv.lines();

    assert_eq!(
        lines.next(),
        Some("code,source,game,line,tag,before,after,message")
    );
    assert_eq!(lines.count(), rows.len());
    assert!(
        csv.contains("repaired,dates.pgn,3,1,Date,1972,1972.??.??,"),
        "{csv}"
    );
}

#[test]
fn a_report_overwrites_nothing() {
    let work = odd_games();
    for arguments in [
        "clean dates.pgn -o clean.pgn --report dates.pgn",
        "clean dates.pgn -o clean.pgn --report clean.pgn",
        "clean dates.pgn -o clean.pgn --report log.jsonl --problems log.jsonl",
        "clean dates.pgn -o clean.pgn --duplicates twice.jsonl --report twice.jsonl",
    ] {
        work.stamma(arguments).code(2);
        assert!(!work.path("clean.pgn").exists() && !work.path("log.jsonl").exists());
    }
}

#[test]
fn cleaning_writes_and_divides_by_the_names_of_a_list() {
    let work = Workplace::new();
    work.write(
        "games.pgn",
        game("White=Morphy P|Black=Count Isouard|Date=1858.??.??", LONG),
    );
    work.write("names.tsv", "player\tMorphy, Paul\tMorphy P\n");
    work.stamma("clean games.pgn --names-file names.tsv --split-by player -o out/{}.pgn")
        .success();

    assert_eq!(
        files(&work, "out"),
        ["Count Isouard.pgn", "Morphy, Paul.pgn"]
    );

    let written = work.read("out/Morphy, Paul.pgn");
    assert!(written.contains("[White \"Morphy, Paul\"]"), "{written}");
}
