//! Several databases queried as one.

use std::fs;
use std::sync::LazyLock;

use crate::support::program::{Workplace, games, stderr_of, stdout_of};

/// The games of the project in one database, and in four; no test changes them.
static GAMES: LazyLock<Workplace> = LazyLock::new(|| {
    let work = Workplace::new();
    let files = ["early", "classical", "modern", "today"];
    let paths = files.map(|name| games().join(format!("{name}.pgn")));

    let import = |database: &str, paths: &[std::path::PathBuf]| {
        let words = ["import".into(), database.into()]
            .into_iter()
            .chain(paths.iter().cloned());
        work.run(words.collect::<Vec<std::path::PathBuf>>())
            .success();
    };

    import("whole.db", &paths);
    for (name, path) in files.iter().zip(paths) {
        import(&format!("part-{name}.db"), &[path]);
    }

    work
});

const PARTS: [&str; 4] = [
    "part-early.db",
    "part-classical.db",
    "part-modern.db",
    "part-today.db",
];

/// What a command prints for the whole, and for the parts.
fn whole_and_parts(command: &str, arguments: &[&str]) -> [String; 2] {
    let printed = |databases: &[&str]| {
        let words = [&[command][..], databases, arguments].concat();
        let run = GAMES.run(words).success();
        stdout_of(&run)
    };

    let whole = printed(&["whole.db"]);
    let parts = printed(&PARTS);
    [whole, parts]
}

/// Comma-separated values without some columns.
fn without_columns(columns: &[&str], csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();

    // The header is a row as well, and loses its cells by its own names.
    let header = &rows[0];
    let mut kept_rows = Vec::new();
    for row in &rows {
        let mut kept = Vec::new();
        for (name, cell) in header.iter().zip(row) {
            if !columns.contains(&name) {
                kept.push(cell.to_owned());
            }
        }
        kept_rows.push(kept);
    }

    kept_rows
}

#[test]
fn counts_are_added_up() {
    for arguments in [
        &["e4", "e5"][..],
        &["--after", "1. e4 e5"],
        &["--fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"],
        &[
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
            "w",
            "KQkq",
            "-",
        ],
        &["--player", "fischer", "--result", "1-0"],
        &["--material", "Q=0 q=0"],
    ] {
        let count = [arguments, &["--format", "count"]].concat();
        let [whole, parts] = whole_and_parts("search", &count);
        assert_eq!(whole, parts, "{arguments:?}");
        assert_ne!(whole, "0\n", "{arguments:?}");
    }
}

#[test]
fn games_are_listed_in_one_order_with_their_databases() {
    for sort in ["id", "-id", "date", "-elo", "plies", "-result"] {
        let arguments = ["1. e4", "--sort", sort, "--format", "csv"];
        let [whole, parts] = whole_and_parts("search", &arguments);
        assert!(parts.starts_with("database,game,white,black,"), "{parts}");

        // A game has another number in each database.
        assert_eq!(
            without_columns(&["game"], &whole),
            without_columns(&["database", "game"], &parts),
            "{sort}"
        );
    }

    // PGN has no column for a database.
    let [whole, parts] = whole_and_parts(
        "search",
        &[
            "1. e4", "--sort", "-date", "--limit", "3", "--format", "pgn",
        ],
    );
    assert_eq!(whole, parts);
}

#[test]
fn a_list_names_the_databases() {
    let run = |arguments: &[&str]| whole_and_parts("search", arguments)[1].clone();
    let json = run(&["--player", "fischer", "--limit", "1", "--format", "jsonl"]);
    assert!(
        json.starts_with("{\"database\":\"part-modern\",\"game\":"),
        "{json}"
    );

    let table = run(&["--player", "tal", "--limit", "1"]);
    assert!(table.contains("\ndatabase     game  White"), "{table}");
    assert!(table.contains("\npart-modern "), "{table}");

    let [whole, parts] =
        whole_and_parts("search", &["1. e4 c5", "--board", "none", "--limit", "2"]);
    assert_eq!(
        whole.lines().nth(1),
        parts.lines().nth(1),
        "the number of games"
    );
}

#[test]
fn moves_are_counted_together() {
    let of_games = ["first_game", "best_game", "first_database", "best_database"];
    for moves in ["", "1. e4", "1. e4 c5 2. Nf3", "1. d4 Nf6 2. c4 e6"] {
        let [whole, parts] = whole_and_parts("moves", &["--after", moves, "--format", "csv"]);
        assert_eq!(
            without_columns(&of_games, &whole),
            without_columns(&of_games, &parts),
            "{moves}"
        );
        let columns = ",first_database,first_game,first_date,best_database,best_game,";
        assert!(parts.contains(columns), "{parts}");

        // A tree names no games, and so is the same.
        for depth in ["--format=csv", "--format=table", "--format=jsonl"] {
            let [whole, parts] = whole_and_parts(
                "moves",
                &["--after", moves, "--depth", "4", "--min-games", "2", depth],
            );
            assert_eq!(whole, parts, "{moves}");
        }
    }

    // The best games below the table have their databases.
    let [_, table] = whole_and_parts("moves", &["1. e4"]);
    assert!(table.contains("database"), "{table}");
    assert!(table.contains("part-today"), "{table}");
}

#[test]
fn lists_of_positions_are_added_up() {
    let list = "1. e4\n1. d4 Nf6\nrnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - id \"knight\";\n1. a3 a6 2. h3\n";
    fs::write(GAMES.path("list.txt"), list).expect("a file");

    for format in ["count", "csv", "jsonl"] {
        let [whole, parts] =
            whole_and_parts("search", &["--fen-file", "list.txt", "--format", format]);
        assert_eq!(whole, parts);
    }

    let refused = GAMES
        .run(["search", "part-early.db", "e4", "--fen-file", "list.txt"])
        .code(2);
    let stderr = stderr_of(&refused);
    assert!(stderr.contains("--fen-file has the positions"), "{stderr}");
}

#[test]
fn a_pattern_that_the_shell_has_left_is_expanded() {
    // No shell expands the pattern, as on Windows.
    let count = |pattern: &str| {
        let search = format!("search {pattern} e4 --format count");
        GAMES.output(&search)
    };
    assert_eq!(count("part-*.db"), count("whole.db"));

    let missing = GAMES.stamma("search none-*.db e4").code(2);
    let stderr = stderr_of(&missing);
    assert!(stderr.contains("none-*.db"), "{stderr}");
}

#[test]
fn one_that_cannot_be_asked_is_named_and_nothing_is_printed() {
    let work = Workplace::new();
    work.import("[White \"Anna\"]\n\n1. e4 *\n");
    work.write("text.db", "no database");
    fs::copy(work.path("games.db"), work.path("copy.db")).expect("a copy");

    for (databases, named) in [
        ("games.db text.db", "text.db"),
        ("games.db missing.db", "missing.db"),
        (
            "games.db copy.db ./games.db",
            "./games.db: this database is given twice",
        ),
    ] {
        for command in ["search", "moves"] {
            let run = work.stamma(&format!("{command} {databases} e4")).code(2);
            let stderr = stderr_of(&run);
            assert!(stderr.contains(named), "{stderr}");
            assert_eq!(stdout_of(&run), "");
        }
    }
    assert_eq!(
        work.output("search games.db copy.db e4 --format count"),
        "2\n"
    );
}

#[test]
fn a_name_is_unknown_if_no_database_has_it() {
    let said = |player: &str| {
        let words = [&["search"][..], &PARTS, &["--player", player]].concat();
        stderr_of(&GAMES.run(words).success())
    };

    assert_eq!(said("fischer"), "");

    let unknown = said("Karpow");
    assert!(unknown.contains("\"Karpow\" not found; did you mean \"Karpov"));
}

#[test]
fn a_text_that_is_no_position_suggests_a_command_for_all() {
    let run = GAMES
        .run(["search", "part-early.db", "part-modern.db", "fischer"])
        .code(2);
    let meant = "stamma search part-early.db part-modern.db --player fischer";
    let stderr = stderr_of(&run);
    assert!(stderr.contains(meant), "{stderr}");
}

#[test]
fn a_database_without_positions_of_variations_is_named() {
    let work = Workplace::new();
    work.import("[White \"Anna\"]\n\n1. e4 (1. d4 d5) e5 *\n");
    work.stamma("import --index-variations other.db in.pgn")
        .success();

    let run = work
        .stamma("search games.db other.db d4 --format csv")
        .success();
    assert!(stderr_of(&run).contains("games: positions in variations are not indexed"));

    let listed = stdout_of(&run);
    assert!(
        listed.lines().count() == 2 && listed.contains("other,1,"),
        "{listed}"
    );
    assert_eq!(
        stderr_of(
            &work
                .stamma("search games.db other.db --format count")
                .success()
        ),
        ""
    );
}

#[test]
fn sql_reads_further_databases_by_their_numbers() {
    let rows = |words: &[&str]| {
        let words = [&["sql"][..], words, &["--format", "csv"]].concat();
        stdout_of(&GAMES.run(words).success())
    };

    // The first database has the names without a prefix, the second is `db2`.
    let sum = "SELECT (SELECT count(*) FROM game) + (SELECT count(*) FROM db2.game) AS games";
    let two = rows(&["part-early.db", "part-modern.db", sum]);
    let counts = ["part-early.db", "part-modern.db"].map(|database| {
        let run = rows(&[database, "SELECT count(*) AS games FROM game"]);
        run.lines()
            .nth(1)
            .and_then(|games| games.parse::<u64>().ok())
            .expect("a number")
    });

    assert_eq!(two, format!("games\n{}\n", counts[0] + counts[1]));

    let names = rows(&[
        "part-early.db",
        "part-modern.db",
        "part-today.db",
        "SELECT count(*) > 0 AS some FROM db2.games WHERE white LIKE 'Fischer%' UNION ALL
         SELECT count(*) > 0 FROM db3.games WHERE white LIKE 'Carlsen%'",
    ]);
    assert_eq!(names, "some\n1\n1\n");

    // An attached database is protected like the first one.
    for forbidden in [
        "DELETE FROM db2.game",
        "ATTACH 'x.db' AS x",
        "CREATE TABLE db2.t (a)",
    ] {
        let run = GAMES
            .run(["sql", "part-early.db", "part-modern.db", forbidden])
            .code(2);
        let stderr = stderr_of(&run);
        assert!(stderr.contains("without --write"), "{stderr}");
    }

    let run = GAMES
        .run([
            "sql",
            "--write",
            "part-early.db",
            "part-modern.db",
            "SELECT 1",
        ])
        .code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("--write takes one database"), "{stderr}");
}

#[test]
fn novelties_of_several_are_those_of_one_with_all_games() {
    let work = Workplace::new();
    let files = ["classical", "early", "modern", "today"];

    for file in files {
        let path = games().join(format!("{file}.pgn"));
        let database = format!("{file}.db");
        work.run(["import".as_ref(), database.as_ref(), path.as_os_str()])
            .success();
        work.run(["import".as_ref(), "all.db".as_ref(), path.as_os_str()])
            .success();
    }

    let several = "classical.db early.db modern.db today.db";
    let column = |csv: &str, name: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let header = reader.headers().expect("a header").clone();
        let at = header.iter().position(|column| column == name);
        let at = at.expect("a column");

        let cells = reader
            .records()
            .map(|row| row.expect("a row")[at].to_owned());
        cells.collect()
    };

    // The numbers of games differ between the databases, and so only other columns are compared.
    for options in [
        "",
        "--sort games",
        "--player tal --min-games 0",
        "--since 1990 --sort ply",
    ] {
        let options = format!("{options} --limit 0 --format csv");
        let one = work.output(&format!("novelties all.db {options}"));
        let all = work.output(&format!("novelties {several} {options}"));

        for name in [
            "white",
            "date",
            "san",
            "ply",
            "games_before",
            "games_after",
            "last_white",
            "last_date",
        ] {
            assert_eq!(column(&all, name), column(&one, name), "{options} {name}");
        }

        let databases = column(&all, "database");
        assert!(databases.len() > 1, "{options}");
        assert!(
            databases.iter().all(|name| files.contains(&&**name)),
            "{options}"
        );
    }

    // Novelties look positions up, so that all of them must be indexed.
    let early = games().join("early.pgn");
    let early = early.to_str().expect("UTF-8");
    work.run([
        "import",
        "short.db",
        "--index-plies",
        "10",
        "--quiet",
        early,
    ])
    .success();

    let refused = stderr_of(&work.stamma("novelties all.db short.db").code(2));
    assert!(refused.contains("short.db"), "{refused}");
}

#[test]
fn an_opponent_is_prepared_by_the_games_of_all() {
    for arguments in [
        &["fischer", "--as", "white"][..],
        &["tal", "--as", "black", "--min-games", "1"],
        &["=Kasparov, Garry", "--as", "white", "--elo", "2600"],
    ] {
        let as_json = [arguments, &["--format", "json"]].concat();
        let parse = |printed: String| -> serde_json::Value {
            serde_json::from_str(&printed).expect("JSON")
        };
        let [mut whole, mut parts] = whole_and_parts("prepare", &as_json).map(parse);

        let games = parts["games_to_study"].as_array().expect("games");
        assert!(!games.is_empty(), "{arguments:?}");
        assert!(
            games.iter().all(|game| game["database"].is_string()),
            "{arguments:?}"
        );

        // A game has another name in the parts, which are numbered each from 1.
        for answer in [&mut whole, &mut parts] {
            for game in answer["games_to_study"].as_array_mut().expect("games") {
                let fields = game.as_object_mut().expect("a game");
                fields.remove("database");
                fields.remove("game");
            }
        }
        assert_eq!(parts, whole, "{arguments:?}");
    }

    let [_, report] = whole_and_parts("prepare", &["fischer", "--as", "white"]);
    assert!(report.contains("\ndatabase     game  points"), "{report}");

    let [_, pgn] = whole_and_parts("prepare", &["fischer", "--as", "white", "--format", "pgn"]);
    assert!(pgn.contains("Game part-modern:"), "{pgn}");
}

#[test]
fn one_opponent_is_meant_in_all_databases() {
    let work = Workplace::new();
    let game = |white: &str, black: &str, date: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[Date \"{date}\"]\n\n\
             1. e4 e5 2. Nf3 1-0\n\n"
        )
    };

    let garry = game("Anna", "Kasparov, Garry", "2000.01.01").repeat(3)
        + &game("Anna", "Kasparov, Sergey", "2000.01.02");
    // Here the name alone would mean Sergey.
    let sergey = game("Anna", "Kasparov, Sergey", "2001.01.01").repeat(2)
        + &game("Anna", "Kasparov, G", "2001.01.02");
    work.write("garry.pgn", garry);
    work.write("sergey.pgn", sergey);

    for command in [
        "import garry.db garry.pgn",
        "import sergey.db sergey.pgn",
        "import both.db garry.pgn sergey.pgn",
    ] {
        work.stamma(command).success();
    }

    let prepared = |databases: &str| {
        work.output(&format!(
            "prepare {databases} kasparov --as white --format json"
        ))
    };

    let joined = prepared("garry.db sergey.db");
    assert_eq!(joined, prepared("both.db"));

    let answer: serde_json::Value = serde_json::from_str(&joined).expect("JSON");
    assert_eq!(answer["player"], "Kasparov, Garry");
    assert_eq!(answer["games"], 4);
    assert_eq!(
        answer["other_players"],
        serde_json::json!([{"name": "Kasparov, Sergey", "games": 3}])
    );
}

#[test]
fn a_crosstable_has_the_games_of_all() {
    let work = Workplace::new();
    let game = |round: u8, white: &str, black: &str| {
        format!(
            "[Event \"Spring\"]\n[Date \"1901.04.0{round}\"]\n[Round \"{round}\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };

    work.write(
        "one.pgn",
        game(1, "Anna", "Bert") + &game(2, "Bert", "Cleo"),
    );
    work.write(
        "two.pgn",
        game(2, "Bert", "Cleo") + &game(3, "Cleo", "Anna"),
    );
    work.stamma("import one.db one.pgn").success();
    work.stamma("import two.db two.pgn").success();

    let table = work.output("crosstable one.db two.db spring");
    assert!(
        table.starts_with("Spring, 1901.04.01–1901.04.03, 3 games\n3 players, round robin\n"),
        "{table}"
    );
    assert!(
        table.ends_with("\n1 game is in several databases, and counted once\n"),
        "{table}"
    );

    let rows = work.output("crosstable one.db two.db spring --format csv");
    assert!(rows.contains("2w1#one:1 3b0#two:2"), "{rows}");

    let rows = work.output("crosstable one.db spring --format csv");
    assert!(!rows.contains("one:"), "{rows}");
}

#[test]
fn an_opening_is_reported_on_by_the_games_of_all() {
    for arguments in [
        &["sicilian"][..],
        &["1. e4 e5", "--depth", "3"],
        &["B20-B99", "--since", "1950"],
    ] {
        let arguments = [arguments, &["--format", "json"]].concat();
        let parse = |printed: String| -> serde_json::Value {
            serde_json::from_str(&printed).expect("JSON")
        };
        let [mut whole, mut parts] = whole_and_parts("opening", &arguments).map(parse);

        for list in ["key_games", "novelties"] {
            let games = parts[list].as_array().expect("games");
            assert!(!games.is_empty(), "{arguments:?}: {list}");
            assert!(
                games.iter().all(|game| game["database"].is_string()),
                "{arguments:?}"
            );

            for answer in [&mut whole, &mut parts] {
                for game in answer[list].as_array_mut().expect("games") {
                    let fields = game.as_object_mut().expect("a game");
                    fields.remove("database");
                    fields.remove("game");
                }
            }
        }
        assert_eq!(parts, whole, "{arguments:?}");
    }

    let [_, report] = whole_and_parts("opening", &["sicilian"]);
    assert!(report.contains("\ndatabase"), "{report}");
}
