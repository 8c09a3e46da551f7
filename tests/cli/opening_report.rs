//! `stamma opening`: what it counts as an opening, its formats, and databases that lack something.

use crate::support::program::{Workplace, games, stderr_of, stdout_of};
use serde_json::Value;

/// Games like `e4 c5|1-0|1999.05.06|2500`: moves, result, date and both ratings.
fn pgn(games: &[&str]) -> String {
    let mut pgn = String::new();
    for (number, game) in games.iter().enumerate() {
        let mut fields = game.split('|');
        let mut field = || fields.next().unwrap_or_default();
        let (moves, result, date, elo) = (field(), field(), field(), field());
        pgn += &format!(
            "[Event \"Cup\"]\n[White \"White {number}\"]\n[Black \"Black {number}\"]\n[Result \"{result}\"]\n"
        );

        if !date.is_empty() {
            pgn += &format!("[Date \"{date}\"]\n");
        }
        if !elo.is_empty() {
            pgn += &format!("[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n");
        }

        pgn += &format!("\n{moves} {result}\n\n");
    }

    pgn
}

fn json(work: &Workplace, arguments: &str) -> Value {
    let output = work.output(&format!("opening games.db {arguments} --format json"));
    serde_json::from_str(&output).expect("JSON")
}

fn with_games() -> Workplace {
    let work = Workplace::new();
    work.import(pgn(&[
        "1. e4 c5 2. Nf3 d6|1-0|1999.05.06|2500",
        "1. e4 c5 2. Nf3 Nc6|0-1|1999.07.??|2300",
        "1. Nf3 c5 2. e4 d6|1/2-1/2|2001.01.01|2300",
        "1. e4 c5 2. c3|*||",
        "1. d4 d5|1-0|1999.01.01|2500",
        "1. e4 e5|1-0|2000.01.01|1500",
    ]));
    work
}

macro_rules! games_of {
    ($($name:ident: $arguments:expr => $games:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(json(&with_games(), $arguments)["games"], $games);
        }
    )*};
}

games_of! {
    a_name: "sicilian" => 4;
    words_of_a_name: "def sicil" => 4;
    an_exact_name: "=Sicilian" => 0;
    a_code: "B20" => 0;
    codes: "B20-B99" => 4;
    a_letter: "D" => 1;
    moves: "1. e4 c5 2. Nf3" => 3;
    moves_of_an_option: "--after e4" => 4;
    a_position: "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -" => 3;
    with_a_filter: "sicilian --since 2000" => 1;
}

#[test]
fn counts_by_year_and_rating() {
    let report = json(&with_games(), "sicilian");
    assert_eq!(report["undated"], 1);
    assert_eq!(report["unrated"], 1);

    // The rows of a table, with some of its columns.
    let rows = |name: &str, keys: &[&str]| -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        for row in report[name].as_array().expect(name) {
            rows.push(keys.iter().map(|key| row[*key].clone()).collect());
        }
        rows
    };

    let years = rows(
        "years",
        &["year", "games", "all_games", "white", "draws", "black"],
    );
    let expected = [
        [1999, 2, 3, 1, 0, 1],
        [2000, 0, 1, 0, 0, 0],
        [2001, 1, 1, 0, 1, 0],
    ];
    assert_eq!(years, expected.map(|row| row.map(Value::from).to_vec()));

    let bands = rows("ratings", &["below", "games", "all_games"]);
    let expected: [Vec<Value>; 3] = [
        vec![1600.into(), 0.into(), 1.into()],
        vec![2400.into(), 2.into(), 2.into()],
        vec![2600.into(), 1.into(), 2.into()],
    ];
    assert_eq!(bands, expected);

    assert_eq!(report["root"]["moves"], "e4 c5");
    let lines = rows("lines", &["moves", "games", "of_games"]);
    // The game of another order of moves reaches the position after 2. Nf3, and so the next ones.
    assert_eq!(lines[0], [Value::from("Nf3"), 2.into(), 3.into()]);
    assert_eq!(lines[1], [Value::from("Nf3 d6"), 2.into(), 3.into()]);
}

#[test]
fn formats() {
    let work = Workplace::new();
    let path = games();
    work.run([
        "import",
        "-q",
        "games.db",
        path.to_str().expect("a name in UTF-8"),
    ]);

    let text = work.output("opening games.db sicilian");
    for heading in [
        "POPULARITY",
        "RESULTS",
        "MAIN LINES",
        "ENDINGS",
        "PIECES",
        "GAMES",
        "NOVELTIES",
    ] {
        assert!(
            text.contains(&format!("\n\n{heading}\n")),
            "{heading}:\n{text}"
        );
    }

    assert!(!text.contains('\u{1b}'), "{text}");

    let markdown = work.output("opening games.db sicilian --format md");
    assert!(
        markdown.starts_with("# B20 Sicilian Defense\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains("\n## Main lines\n\n| move | games |"),
        "{markdown}"
    );

    work.output("opening games.db sicilian --format html -o report.html");
    let page = work.read("report.html");
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"),
        "{page}"
    );

    for foreign in ["<script", "<link", "src=", "style="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn an_output_is_not_the_database() {
    let work = with_games();
    let run = work.stamma("opening games.db sicilian -o games.db");
    let stderr = stderr_of(&run.code(2));
    assert!(stderr.contains("games.db"), "{stderr}");

    let report = json(&work, "sicilian");
    assert_eq!(report["games"], 4);
}

#[test]
fn names_are_no_markup() {
    let work = Workplace::new();
    work.import(
        "[White \"<b>A&B|*\"]\n[Black \"x\"]\n[Result \"1-0\"]\n[Date \"2000.01.01\"]\n\n1. e4 c5 1-0\n",
    );

    let page = work.output("opening games.db sicilian --format html");
    assert!(
        page.contains("&lt;b&gt;A&amp;B|*") && !page.contains("<b>"),
        "{page}"
    );

    let markdown = work.output("opening games.db sicilian --format md");
    assert!(markdown.contains("\\<b\\>A\\&B\\|\\*"), "{markdown}");
}

#[test]
fn an_unknown_name_is_said() {
    let work = with_games();
    let run = work.stamma("opening games.db sicilain").success();

    // The advice is no part of the report.
    let stderr = stderr_of(&run);
    assert!(stderr.contains("did you mean"), "{stderr}");
    assert_eq!(stdout_of(&run), "sicilain\nNone of 6 games has it.\n");
}

#[test]
fn wrong_arguments() {
    let work = with_games();
    for (arguments, expected) in [
        ("opening games.db", "give an opening"),
        ("opening games.db ?", "give an opening"),
        ("opening games.db 1. e4 e4", "e4"),
        ("opening games.db --after e5", "e5"),
        (
            "opening games.db sicilian --format pdf",
            "invalid value 'pdf'",
        ),
    ] {
        let run = work.stamma(arguments).code(2);
        let stderr = stderr_of(&run);
        assert!(stderr.contains(expected), "{arguments}: {stderr}");
    }
}

#[test]
fn databases_that_lack_something() {
    let none = with_games().output("opening games.db e4 --since 3000");
    assert_eq!(none, "e4\nThere is no game to look at.\n");

    let work = Workplace::new();
    work.import(
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 Kd7 *\n\n\
         [Variant \"Atomic\"]\n\n1. e4 e5 *\n\n[White \"?\"]\n\n1. e4 c5 *\n",
    );

    let report = json(&work, "4k3/8/8/8/4P3/8/8/4K3");
    assert_eq!(report["games"], 1);
    assert_eq!(report["not_chess"], 1);
    assert_eq!(report["sampled"], 0);
    assert_eq!(report["root"], Value::Null);
    assert_eq!(json(&work, "sicilian")["games"], 1);

    for format in ["text", "md", "html"] {
        work.output(&format!("opening games.db e4 --format {format}"));
        work.output(&format!(
            "opening games.db 4k3/8/8/8/4P3/8/8/4K3 --format {format}"
        ));
    }
}

#[test]
fn shares_are_of_games_with_moves() {
    let work = Workplace::new();
    work.import(pgn(&[
        "1. e4 c5|1-0|2000.01.01|2500",
        "1. e4 e5|1-0|2000.01.01|2500",
        "|1-0||",
    ]));

    let report = json(&work, "sicilian");
    let numbers = ["games", "all_games", "not_chess"].map(|key| report[key].clone());
    assert_eq!(numbers, [1, 2, 1].map(Value::from));
}

#[test]
fn duplicates_are_left_out() {
    let work = Workplace::new();
    let game = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7|1-0|2000.01.01|2500";

    // A text each, so that the players are the same.
    let twice = pgn(&[game]).repeat(2);
    let other = pgn(&["1. d4 d5|1-0|2000.01.01|2500"]);
    work.import(twice + &other);
    work.stamma("dedupe games.db").success();

    let report = json(&work, "najdorf");
    let numbers = ["games", "all_games", "duplicates"].map(|key| report[key].clone());
    assert_eq!(numbers, [1, 2, 1].map(Value::from));
}

/// The main lines have the moves of all games in a position; a column tells how many stay in the opening.
#[test]
fn main_lines_are_those_of_positions() {
    let work = Workplace::new();
    let games = [
        "1. e4 e5",
        "1. e4 e5 2. Nf3",
        "1. e4 e5 2. Nf3",
        "1. e4 e5 2. Nf3 Nc6",
    ];
    let rated = games.map(|moves| format!("{moves}|1-0|1999|2500"));
    work.import(pgn(&rated.each_ref().map(String::as_str)));

    // Games with 2. Nf3 are of the King's Knight Opening.
    let report = json(&work, "king pawn --min-games 1 --depth 2");
    assert_eq!(report["games"], 1);

    let lines = report["lines"].as_array().expect("lines");
    let knight = lines
        .iter()
        .find(|line| line["san"] == "Nf3")
        .expect("a move");
    let numbers = ["games", "of_games", "of_opening"].map(|name| knight[name].as_u64());

    assert_eq!(numbers, [Some(3), Some(4), Some(0)], "{report}");
}
