//! The usage of the command line: options, messages and exit codes.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::program::{Workplace, games, stderr_of, stdout_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// Two games, the second with a fault.
const TWO_GAMES: &str = "[Event \"A\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n[Date \"2001.02.03\"]\n\
    [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"B\"]\n\n1. Nf3 e5 2. e4 Nh4 *\n";

#[test]
fn imports_the_games_of_a_folder() {
    let work = Workplace::new();
    let import = work
        .run(["import".as_ref(), "games.db".as_ref(), games().as_os_str()])
        .success();
    let stderr = stderr_of(&import);
    let (sources, total) = stderr
        .trim_end()
        .rsplit_once('\n')
        .expect("a line a source");

    assert!(
        total.starts_with("111 games, 8,008 positions, 0 problems in "),
        "{stderr}"
    );
    for source in sources.lines() {
        assert!(source.ends_with(" games, 0 problems"), "{stderr}");
    }
    assert_eq!(work.query("SELECT count(*) FROM games"), "111");
}

#[test]
fn finds_a_position_by_two_orders_of_moves() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let run = work.run(["search", "games.db", after, "--format", "jsonl"]);
    let found = stdout_of(&run.success());
    assert_eq!(
        found,
        "{\"game\":1,\"white\":\"Anna\",\"black\":\"Bert\",\"white_elo\":null,\"black_elo\":null,\
         \"result\":\"1-0\",\"date\":\"2001.02.03\",\"event\":\"A\",\"white_title\":null,\
         \"black_title\":null,\"site\":null,\"round\":null,\"eco\":\"C40\",\
         \"opening\":\"King's Knight Opening\",\"plies\":3,\"source\":\"in.pgn\",\"ply\":3,\
         \"san\":null,\"in_variation\":false}\n\
         {\"game\":2,\"white\":null,\"black\":null,\"white_elo\":null,\"black_elo\":null,\
         \"result\":\"*\",\"date\":null,\"event\":\"B\",\"white_title\":null,\
         \"black_title\":null,\"site\":null,\"round\":null,\"eco\":\"C40\",\
         \"opening\":\"King's Knight Opening\",\"plies\":3,\"source\":\"in.pgn\",\"ply\":3,\
         \"san\":null,\"in_variation\":false}\n"
    );
}

#[test]
fn counts_and_prints_nothing_else() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let count = |fen: &str| {
        let run = work.run(["search", "games.db", fen, "--format", "count"]);
        stdout_of(&run)
    };

    assert_eq!(count(START), "2\n");
    assert_eq!(count(AFTER_E4), "1\n");
    assert_eq!(count("8/8/8/8/8/4k3/8/4K3 w - - 0 1"), "0\n");
}

#[test]
fn understands_a_fen_without_quotes() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    assert_eq!(
        work.output(&format!("search games.db {AFTER_E4} --format count")),
        "1\n"
    );
}

#[test]
fn compares_only_the_fields_that_are_given() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    // The board alone, without the side to move and the rights.
    let board = AFTER_E4.split(' ').next().expect("a board");
    let count = work.output(&format!("search games.db {board} --format count"));
    assert_eq!(count, "1\n");
}

#[test]
fn shows_a_table_with_the_board() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let table = stdout_of(&work.run(["search", "games.db", AFTER_E4]).success());
    insta::assert_snapshot!(table, @r"
    8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
    7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
    6 · · · · · · · ·
    5 · · · · · · · ·
    4 · · · · ♙ · · ·
    3 · · · · · · · ·
    2 ♙ ♙ ♙ ♙ · ♙ ♙ ♙
    1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
      a b c d e f g h

    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
    1 game

    game  White  Black  result  date        event  ply  move
       1  Anna   Bert   1-0     2001.02.03  A        1  e5
    ");
}

#[test]
fn lists_as_csv_with_a_header() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let run = work.run(["search", "games.db", AFTER_E4, "--format", "csv"]);
    let list = stdout_of(&run.success());
    assert_eq!(
        list,
        "game,white,black,white_elo,black_elo,result,date,event,white_title,black_title,site,round,\
         eco,opening,plies,source,ply,san,in_variation\n\
         1,Anna,Bert,,,1-0,2001.02.03,A,,,,,C40,King's Knight Opening,3,in.pgn,1,e5,false\n"
    );
}

#[test]
fn csv_has_its_header_without_games() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let list = work.output("search games.db 8/8/8/8/8/4k3/8/4K3 w - - --format csv");
    assert_eq!(
        list,
        "game,white,black,white_elo,black_elo,result,date,event,white_title,black_title,site,round,\
         eco,opening,plies,source,ply,san,in_variation\n"
    );
}

#[test]
fn limits_the_list() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    let search = format!("search games.db {START} --format jsonl --limit 1");
    let list = work.output(&search);
    assert_eq!(list.lines().count(), 1, "{list}");
}

#[test]
fn exports_what_was_imported() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    assert_eq!(
        work.output("export games.db --games 1"),
        "[Event \"A\"]\n[Site \"?\"]\n[Date \"2001.02.03\"]\n[Round \"?\"]\n[White \"Anna\"]\n\
         [Black \"Bert\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
    );

    work.stamma("export games.db -o out.pgn").success();
    assert_eq!(work.read("out.pgn"), work.output("export games.db"));
}

#[test]
fn exports_json_lines() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    assert_eq!(
        work.output("export games.db --format jsonl --games 2"),
        "{\"game\":2,\"tags\":{\"Event\":\"B\"},\"moves\":[\"Nf3\",\"e5\",\"e4\"],\"fen\":null}\n"
    );
}

#[test]
fn says_what_is_in_a_database() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let info = work.output("info games.db");
    let counts = "2 games, 2001 to 2001; 2 players; 8 positions";
    assert!(info.contains(counts), "{info}");
    assert!(info.contains("illegal-move"), "{info}");

    // Tables are for those who ask for them.
    assert!(!info.contains("position_block"), "{info}");
    let with_tables = work.output("info games.db --tables");
    assert!(with_tables.contains("position_block"), "{with_tables}");
}

#[test]
fn says_what_is_in_a_database_to_programs() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let json = work.output("info games.db --json --tables");
    assert_eq!(json.lines().count(), 1);

    let info: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(info["database"], "games.db");
    assert_eq!(info["games"], 2);
    assert_eq!(info["players"], 2);
    assert_eq!(info["positions"], 8);
    assert_eq!(info["first_year"], "2001");
    assert_eq!(info["last_year"], "2001");
    assert_eq!(info["problems"]["illegal-move"], 1);
    assert_eq!(info["sources"][0]["path"], "in.pgn");
    assert_eq!(info["sources"][0]["source"], 1);
    assert_eq!(info["sources"][0]["games"], 2);

    // The file has nothing but its tables.
    let mut sum = 0;
    for bytes in info["tables"].as_object().expect("tables").values() {
        sum += bytes.as_u64().expect("a number");
    }
    assert_eq!(info["bytes"], sum);

    let brief = work.output("info games.db --json");
    let brief: serde_json::Value = serde_json::from_str(&brief).expect("JSON");
    assert_eq!(brief["bytes"], info["bytes"]);
    assert_eq!(brief["tables"], serde_json::Value::Null);
}

#[test]
fn sources_are_listed_as_far_as_somebody_asks() {
    let work = Workplace::new();
    let folder = "folder".repeat(20);

    for number in 1..=23 {
        let game = format!("[Event \"{number}\"]\n\n1. e4 *\n");
        work.write(&format!("{folder}/{number}.pgn"), game);
    }

    work.stamma(&format!("import games.db {folder}")).success();

    let listed = |options: &str| {
        let info = work.output(&format!("info games.db {options}"));
        let is_path = |line: &&str| line.contains(&folder) && line.contains(".pgn");
        let count = info.lines().filter(is_path).count();
        (count, info)
    };

    let (some, info) = listed("");
    assert_eq!(some, 20, "{info}");
    assert!(
        info.contains("… and 3 more; --sources lists all\n"),
        "{info}"
    );

    let (all, info) = listed("--sources");
    assert_eq!(all, 23, "{info}");
    assert!(!info.contains("more"), "{info}");

    let json = work.output("info games.db --json");
    let info: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(info["sources"].as_array().map(Vec::len), Some(23));
}

#[test]
fn reports_a_fault_with_its_place() {
    let work = Workplace::new();
    work.write("in.pgn", TWO_GAMES);

    let import = work.stamma("import games.db in.pgn").code(1);
    let stderr = stderr_of(&import);
    assert!(
        stderr.starts_with(
            "in.pgn:11:17: illegal-move: 2... Nh4: Black has no legal move that this can mean; no \
             knight can go to h4; the nearest is Qh4\n\
             2 games, 8 positions, 1 problem in "
        ),
        "{stderr}"
    );
    assert_eq!(
        work.query("SELECT game_id, kind, line, column, ply, text FROM problem"),
        "2|illegal-move|11|17|3|Nh4"
    );
    assert_eq!(work.query("SELECT rest FROM games WHERE id = 2"), "Nh4");
}

#[test]
fn passes_over_what_it_knows() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let again = work.stamma("import games.db in.pgn").success();
    assert_eq!(stderr_of(&again), "in.pgn: already imported, skipped\n");

    let count = work.query("SELECT count(*) FROM game");
    assert_eq!(count, "2");
}

#[test]
fn adds_to_a_database() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.import("[Event \"C\"]\n\n1. e4 *\n");

    // The numbers go on, and a search finds the old and the new games.
    assert_eq!(work.query("SELECT id FROM games WHERE event = 'C'"), "3");
    let search = format!("search games.db {AFTER_E4} --format jsonl");
    let found = work.output(&search);
    let games: Vec<&str> = found.lines().map(|line| &line[..9]).collect();
    assert_eq!(games, ["{\"game\":1", "{\"game\":3"]);
}

#[test]
fn threads_do_not_change_the_content() {
    // Several batches of a mebibyte, which threads may finish out of order.
    let files = ["classical", "modern", "today"].map(|name| {
        let path = games().join(name).with_extension("pgn");
        fs::read_to_string(path).expect("a file")
    });
    let many = files.concat().repeat(60);
    assert!(many.len() > 3 << 20);

    let content = |threads: &str| {
        let work = Workplace::new();
        work.write("many.pgn", &many);
        work.stamma(&format!("import games.db many.pgn --threads {threads}"))
            .success();

        let tables = [
            "game",
            "movetext",
            "player",
            "event",
            "site",
            "tag_order",
            "position_segment",
        ];
        let tables = tables.map(|table| work.query(&format!("SELECT * FROM {table}")));

        (tables, work.query("SELECT * FROM position_block"))
    };

    assert!(
        content("1") == content("5"),
        "one thread and five give different databases"
    );
}

#[test]
fn deleted_games_are_gone_from_every_answer() {
    let work = Workplace::new();
    let count = || work.output(&format!("search games.db {AFTER_E4} --format count"));

    work.import("[Event \"A\"]\n\n1. e4 *\n\n".repeat(20));
    assert_eq!(count(), "20\n");

    let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    database
        .execute_batch("DELETE FROM game WHERE id IN (1, 7, 20)")
        .expect("SQL");
    assert_eq!(count(), "17\n");

    let listed = work.output(&format!("search games.db {AFTER_E4} --format jsonl"));
    assert_eq!(listed.lines().count(), 17);
    assert!(listed.starts_with("{\"game\":2,"), "{listed}");
    assert_eq!(work.query("SELECT count(*) FROM movetext"), "17");

    work.import("[Event \"B\"]\n\n1. e4 *\n");
    assert_eq!(work.query("SELECT max(id) FROM game"), "21");
}

#[test]
fn a_killed_import_leaves_a_database_that_can_be_read() {
    let work = Workplace::new();
    work.import(TWO_GAMES.repeat(2000));

    // The state after a kill: pages of an open transaction in the file, the old ones in a journal.
    let writer = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    let begin = "PRAGMA cache_size = 1; BEGIN; UPDATE game SET date = 'half done'; \
                 UPDATE movetext SET moves = 'd4'";
    writer.execute_batch(begin).expect("SQL");

    for suffix in ["", "-journal"] {
        let from = work.path(&format!("games.db{suffix}"));
        let to = work.path(&format!("killed.db{suffix}"));
        fs::copy(from, to).expect("a copy");
    }

    let count = work.output(&format!("search killed.db {AFTER_E4} --format count"));
    assert_eq!(count, "2000\n");
    assert!(!work.path("killed.db-journal").exists());
}

#[test]
fn a_database_may_have_any_name() {
    let work = Workplace::new();
    work.write("in.pgn", "[Event \"A\"]\n\n1. e4 *\n");

    for name in [":memory:", "file:x?mode=memory", "ein Name mit Umläuten.db"] {
        work.run(["import", name, "in.pgn"]).success();
        let run = work.run(["info", name]);
        let info = stdout_of(&run.success());
        assert!(info.contains("1 game; 0 players"), "{info}");
        // Some of these names open a database in memory, if SQLite reads them.
        assert!(work.path(name).exists());
    }
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let work = Workplace::new();
    work.import("[Event \"\u{1b}[31mred\"]\n\n1. e4 \u{1b}[31m *\n");

    // The text without its escape does no harm.
    let run = work.run(["search", "games.db", START]).success();
    let table = stdout_of(&run);
    assert!(table.contains("[31mred"), "{table}");
    assert!(!table.contains('\u{1b}'), "{table}");

    // A problem quotes what it is about.
    let run_with_problems = work.stamma("import other.db in.pgn").code(1);
    let stderr = stderr_of(&run_with_problems);
    assert!(!stderr.contains('\u{1b}'), "{stderr}");
}

mod refuses {
    use super::*;

    /// Runs a command that must fail, and returns its one-sentence error.
    fn refusal(work: &Workplace, arguments: &str) -> String {
        stderr_of(&work.stamma(arguments).code(2).stdout(""))
    }

    #[test]
    fn a_missing_file() {
        let work = Workplace::new();
        let said = refusal(&work, "import games.db nothing.pgn");
        assert_eq!(
            said,
            "stamma: nothing.pgn: No such file or directory (os error 2)\n"
        );
        assert!(!work.path("games.db").exists());
    }

    #[test]
    fn a_folder_without_pgn() {
        let work = Workplace::new();
        work.write("folder/notes.txt", "1. e4");

        let said = refusal(&work, "import games.db folder");
        assert_eq!(
            said,
            "stamma: folder: there is no .pgn file in this folder\n"
        );
        assert!(!work.path("games.db").exists());
    }

    #[test]
    fn a_file_that_is_no_pgn() {
        let work = Workplace::new();
        work.write("prose.pgn", "Call me Ishmael.\nSome years ago\n");

        let said = refusal(&work, "import games.db prose.pgn");
        assert_eq!(
            said,
            "stamma: prose.pgn: no game was found in this file; is it PGN?\n"
        );
        assert!(!work.path("games.db").exists());
    }

    #[test]
    fn an_empty_file() {
        let work = Workplace::new();
        work.write("empty.pgn", "");
        let said = refusal(&work, "import games.db empty.pgn");
        assert_eq!(
            said,
            "stamma: empty.pgn: no game was found in this file; is it PGN?\n"
        );
    }

    #[test]
    fn a_database_that_is_not_there() {
        let work = Workplace::new();
        let said = refusal(&work, "info games.db");
        assert_eq!(
            said,
            "stamma: games.db: no such database; `stamma import` creates one\n"
        );
    }

    #[test]
    fn a_file_that_is_no_database() {
        let work = Workplace::new();
        work.write(
            "games.db",
            "not a database, but long enough to look at".repeat(99),
        );
        work.write("in.pgn", TWO_GAMES);

        let expected = "stamma: games.db: not a Stamma database; it stays as it is: `stamma import` creates one under a new name\n";
        assert_eq!(refusal(&work, "info games.db"), expected);
        assert_eq!(refusal(&work, "import games.db in.pgn"), expected);
    }

    #[test]
    fn a_database_of_another_program() {
        let work = Workplace::new();
        let other = rusqlite::Connection::open(work.path("games.db")).expect("a new database");
        let table = "CREATE TABLE recipe (name TEXT)";
        other.execute_batch(table).expect("a table");

        work.write("in.pgn", TWO_GAMES);
        let said = refusal(&work, "import games.db in.pgn");
        assert!(said.contains("not a Stamma database"), "{said}");
    }

    #[test]
    fn a_database_from_the_future() {
        let work = Workplace::new();
        work.import(TWO_GAMES);

        let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");
        database
            .execute_batch("PRAGMA user_version = 99")
            .expect("a version");

        let said = refusal(&work, "info games.db");
        assert!(
            said.contains("this database was written by a newer Stamma (version 99"),
            "{said}"
        );
    }

    #[test]
    fn a_fen_that_is_none() {
        let work = Workplace::new();
        work.import(TWO_GAMES);
        let said = refusal(&work, "search games.db 8/8/8/8/8/8/8/8x w - - 0 1");
        assert!(
            said.contains("`x` on the FEN's board is no piece"),
            "{said}"
        );
    }

    #[test]
    fn a_fen_of_no_legal_position_with_all_its_faults() {
        let work = Workplace::new();
        work.import(TWO_GAMES);
        let said = refusal(&work, "search games.db P3k3/8/8/8/8/8/8/K3K3 w - - 0 1");
        let expected = "stamma: no legal position: White has more than one king; \
                        a pawn stands on a8\n";
        assert_eq!(said, expected);
    }

    #[test]
    fn to_write_games_over_their_database() {
        let work = Workplace::new();
        work.import(TWO_GAMES);

        let said = refusal(&work, "export games.db -o games.db");
        let expected = "stamma: games.db: this is the database itself; choose another file\n";
        assert_eq!(said, expected);

        let count = work.query("SELECT count(*) FROM game");
        assert_eq!(count, "2");
    }

    #[test]
    fn a_database_that_somebody_writes_into() {
        let work = Workplace::new();
        work.import(TWO_GAMES);

        let other = rusqlite::Connection::open(work.path("games.db")).expect("a database");
        other.execute_batch("BEGIN IMMEDIATE").expect("SQL");
        work.write("more.pgn", "[Event \"C\"]\n\n1. e4 *\n");

        let begin = Instant::now();
        let said = refusal(&work, "import games.db more.pgn --wait 0");
        assert!(
            said.contains("another program is using this database"),
            "{said}"
        );
        assert!(
            begin.elapsed() < Duration::from_secs(4),
            "{:?}",
            begin.elapsed()
        );
    }

    #[test]
    fn one_bad_path_of_two_and_imports_the_other() {
        let work = Workplace::new();
        work.write("in.pgn", "[Event \"A\"]\n\n1. e4 *\n");

        let import = work.stamma("import games.db nothing.pgn in.pgn").code(1);
        let stderr = stderr_of(&import);
        assert!(
            stderr.starts_with("stamma: nothing.pgn: No such file"),
            "{stderr}"
        );
        assert_eq!(work.query("SELECT count(*) FROM game"), "1");
    }

    #[test]
    fn one_file_without_games_and_keeps_nothing_of_it() {
        let work = Workplace::new();
        work.write("in.pgn", "[Event \"A\"]\n\n1. e4 *\n");
        work.write("prose.pgn", "Call me Ishmael.\n");
        work.stamma("import games.db prose.pgn in.pgn").code(1);
        assert_eq!(work.query("SELECT path FROM source"), "in.pgn");
        assert_eq!(work.query("SELECT count(*) FROM problem"), "0");
    }
}

#[test]
fn counts_the_moves_of_a_position() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let lines = work.output("moves games.db --format jsonl");
    assert_eq!(
        lines,
        "{\"san\":\"Nf3\",\"uci\":\"g1f3\",\"games\":1,\"white\":0,\"draws\":0,\"black\":0,\"unfinished\":1,\
         \"average_elo\":null,\"performance\":null,\"first_year\":null,\"last_year\":null,\
         \"first_game\":2,\"first_date\":null,\"best_game\":null,\"opening_before\":null,\
         \"eco\":\"A04\",\"opening\":\"Zukertort Opening\",\
         \"eval_cp\":null,\"eval_mate\":null,\"eval_depth\":null}\n\
         {\"san\":\"e4\",\"uci\":\"e2e4\",\"games\":1,\"white\":1,\"draws\":0,\"black\":0,\"unfinished\":0,\
         \"average_elo\":null,\"performance\":null,\"first_year\":2001,\"last_year\":2001,\
         \"first_game\":1,\"first_date\":\"2001.02.03\",\"best_game\":null,\
         \"opening_before\":null,\"eco\":\"B00\",\"opening\":\"King's Pawn Game\",\
         \"eval_cp\":null,\"eval_mate\":null,\"eval_depth\":null}\n"
    );
}

#[test]
fn shows_moves_as_a_table_with_bars() {
    let work = Workplace::with_historical_games();

    let table =
        work.output("moves games.db rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
    insta::assert_snapshot!(table, @r"
    8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
    7 ♟ ♟ · ♟ ♟ ♟ ♟ ♟
    6 · · · · · · · ·
    5 · · ♟ · · · · ·
    4 · · · · ♙ · · ·
    3 · · · · · · · ·
    2 ♙ ♙ ♙ ♙ · ♙ ♙ ♙
    1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
      a b c d e f g h

    rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1
    B20 Sicilian Defense
    14 games

    move  games  share  White  draws  Black             Elo  perf.  years      game  first played
    Nf3      13   93 %   69 %    0 %   31 %  ██████░░  2741   2890  1834–2016    33  1834 McDonnell–Bou…
    d4        1    7 %  100 %    0 %    0 %  ████████     -      -  1858         39  1858.12.27 Morphy–…

    move  ECO  opening
    Nf3   B27  Sicilian Defense
    d4    B21  Sicilian Defense: Smith-Morra Gambit

    game  best rated: White    Elo  Black              Elo  result  date        event
     106  Carlsen, Magnus     2853  Karjakin, Sergey  2772  1-0     2016.11.30  World Championship, rap…
     104  Caruana, Fabiano    2801  Topalov, Veselin  2772  1-0     2014.09.02  2nd Sinquefield Cup
      84  Anand, Viswanathan  2765  Kasparov, Garry   2795  0-1     1997.02.??  Linares
    ");
}

#[test]
fn moves_of_a_position_that_no_game_reaches_are_none() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let csv = work.output("moves games.db 8/8/8/8/8/4k3/8/4K3 w - - --format csv");
    assert_eq!(
        csv,
        "san,uci,games,white,draws,black,unfinished,average_elo,performance,first_year,last_year,\
         first_game,first_date,best_game,opening_before,eco,opening,\
         eval_cp,eval_mate,eval_depth\n"
    );

    let refused = work.stamma("moves games.db 8/8/8/8/8/8/8/8").code(2);
    assert!(stderr_of(&refused).starts_with("stamma: no legal position: "));
}

#[test]
fn optimizes_once() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let stderr = stderr_of(&work.stamma("optimize games.db").success());
    assert_eq!(stderr, "games.db: nothing to do: the index is complete\n");

    work.query("UPDATE game SET result = '1-0' WHERE id = 2 RETURNING id");
    let stderr = stderr_of(&work.stamma("optimize games.db").success());
    assert!(
        stderr.starts_with("games.db: 2 games indexed again; 1 segment (1 before); "),
        "{stderr}"
    );

    work.stamma("optimize none.db").code(2);
}

#[test]
fn answers_a_list_of_positions_line_by_line() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.write(
        "list.epd",
        format!(
            "# two games\n{START}\n\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - \
             id \"king's pawn\";\nnonsense\ntcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT w KQkq\n"
        ),
    );

    let run = work.stamma("search games.db --fen-file list.epd").code(1);
    assert_eq!(
        stdout_of(&run),
        format!(
            "2\t{START}\n1\tking's pawn\n-\tnonsense\n\
             2\ttcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT w KQkq\n"
        )
    );
    assert!(stderr_of(&run).starts_with("list.epd:5: `nonsense` is neither a FEN nor moves\n"));

    let run = work
        .stamma("search games.db --fen-file list.epd --format csv")
        .code(1);
    assert!(stdout_of(&run).starts_with(&format!("id,fen,games\n,{START},2\nking's pawn,")));
}

#[test]
fn says_how_deleted_games_are_imported_again() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let said = |work: &Workplace| stderr_of(&work.stamma("import games.db in.pgn").success());
    assert_eq!(said(&work), "in.pgn: already imported, skipped\n");

    work.stamma("delete games.db --games 1 --yes").success();
    assert_eq!(
        said(&work),
        "in.pgn: already imported, skipped; 1 of its 2 games have been deleted since: `stamma forget` it, \
         and the same command imports them all again\n"
    );

    work.stamma("delete games.db --games 2 --yes").success();
    assert_eq!(
        said(&work),
        "in.pgn: already imported, skipped; all its games have been deleted since: --again imports them again\n"
    );

    work.stamma("import games.db in.pgn --again").code(1);
    assert_eq!(work.query("SELECT count(*) FROM games"), "2");
}

#[test]
fn exports_csv_with_moves() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let header =
        "game,event,site,date,round,white,black,result,white_elo,black_elo,eco,plies,fen,moves\n";
    let first = "1,A,,2001.02.03,,Anna,Bert,1-0,,,,3,,e4 e5 Nf3\n";
    let second = "2,B,,,,,,*,,,,3,,Nf3 e5 e4\n";

    assert_eq!(
        work.output("export games.db --format csv"),
        format!("{header}{first}{second}")
    );

    let german = work.output("export games.db --format csv --white anna --pieces de");
    assert_eq!(german, format!("{header}{}", first.replace("Nf3", "Sf3")));
    assert_eq!(
        work.output("export games.db --format csv --white anna --result 0-1"),
        header
    );

    for wrong in ["--comments drop", "--every-position", "--strict"] {
        work.stamma(&format!("export games.db --format csv {wrong}"))
            .code(2);
    }
}
