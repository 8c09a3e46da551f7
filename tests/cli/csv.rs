//! Comma-separated values in which spreadsheets find no formulas.

use crate::support::program::{Workplace, stderr_of, stdout_of};

/// Names that a spreadsheet would compute, and one that it would take for a number.
const GAMES: &str = "[Event \"-2+3\"]\n[Site \"+A1\"]\n[Round \"-5\"]\n[White \"=HYPERLINK(\\\"x\\\", 1)\"]\n\
    [Black \"@SUM(1)\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [Event \"-2+3\"]\n[Site \"+A1\"]\n[Round \"-6\"]\n[White \"@SUM(1)\"]\n[Black \"-7\"]\n[Result \"1/2-1/2\"]\n\n\
    1. e4 c5 2. Nf3 1/2-1/2\n";

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    std::fs::copy(work.path("games.db"), work.path("=1+1.db")).expect("a copy");
    work.write("lines.pgn", "1. e4 e5 2. Nf3 Nc6 *\n");
    work.write(
        "list.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"=1+1\";\n",
    );
    work
}

/// The cells of a command's output, line by line.
fn cells(work: &Workplace, command: &str, options: &[&str]) -> Vec<Vec<String>> {
    let run = work.run(words(command).iter().chain(options));
    let csv = stdout_of(&run.success());
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(csv.as_bytes());

    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.expect("a line");
        lines.push(record.iter().map(str::to_owned).collect());
    }

    lines
}

/// The words of a command, separated by spaces; those of SQL are separated by newlines.
fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

macro_rules! escapes {
    ($($name:ident: $command:literal => [$($escaped:literal),*], [$($kept:literal),*];)*) => {$(
        #[test]
        fn $name() {
            let work = workplace();
            let plain = cells(&work, $command, &["--format", "csv"]).concat();
            let escaped = cells(&work, $command, &["--format", "csv", "--escape-formulas"]).concat();

            assert_eq!(plain.len(), escaped.len());

            let mut changed: Vec<&str> = Vec::new();
            for (plain, escaped) in plain.iter().zip(&escaped) {
                if plain != escaped {
                    assert_eq!(&format!("'{plain}"), escaped);
                    changed.push(plain);
                }
            }

            changed.sort_unstable();
            changed.dedup();
            assert_eq!(changed, [$($escaped),*] as [&str; _]);

            $(assert!(escaped.iter().any(|cell| cell == $kept), "{escaped:?}");)*
        }
    )*};
}

escapes! {
    a_search: "search games.db" => ["+A1", "-2+3", "=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-7", "1-0"];
    a_list_of_positions: "search games.db --fen-file list.epd" => ["=1+1"], ["2"];
    moves: "moves =1+1.db games.db" => ["=1+1"], ["e4"];
    a_tree_of_moves: "moves games.db --depth 2 --min-games 1" => [], ["e4 c5"];
    a_player: "player games.db sum" => ["=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-7"];
    games_of_two: "head-to-head games.db sum hyperlink" => ["+A1", "-2+3", "=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["1-0"];
    novelties: "novelties games.db" => ["+A1", "-2+3", "=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-7"];
    games_of_a_repertoire: "repertoire games.db lines.pgn --as white --whole --list games" =>
        ["+A1", "-2+3", "=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-7"];
    tournaments: "events games.db" => ["+A1", "-2+3"], ["2"];
    a_crosstable: "crosstable games.db =-2+3" => ["=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-7"];
    an_export: "export games.db" => ["+A1", "-2+3", "=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-5", "-7"];
    rows_of_sql: "sql games.db SELECT\nwhite,black,-5,-1.5,'-inf',NULL\nFROM\ngames" =>
        ["-inf", "=HYPERLINK(\"x\", 1)", "@SUM(1)"], ["-5", "-7", "-1.5", ""];
    duplicates: "dedupe games.db --dry-run" => [], ["keep"];
}

macro_rules! refused {
    ($($name:ident: $command:literal;)*) => {
        mod without_cells {
            use super::*;

            $(
                #[test]
                fn $name() {
                    let words = words($command);
                    let run = workplace().run(words.iter().chain(&["--escape-formulas"])).code(2);
                    let stderr = stderr_of(&run);
                    assert!(stderr.contains("--escape-formulas needs --format csv"), "{stderr}");
                }
            )*
        }
    };
}

refused! {
    a_search: "search games.db";
    a_search_for_pgn: "search games.db --format pgn";
    moves: "moves games.db --format jsonl";
    a_player: "player games.db sum";
    novelties: "novelties games.db";
    a_repertoire: "repertoire games.db lines.pgn --format annotated";
    tournaments: "events games.db --format jsonl";
    a_crosstable: "crosstable games.db =-2+3 --format html";
    an_export: "export games.db";
    rows_of_sql: "sql games.db SELECT\n1";
    duplicates: "dedupe games.db --dry-run";
    duplicates_as_json: "dedupe games.db --dry-run --format jsonl";
}
