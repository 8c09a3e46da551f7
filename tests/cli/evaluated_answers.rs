//! Evaluations in the answers to questions: of positions that are searched, novelties, repertoires, openings,
//! opponents.

use serde_json::Value;

use crate::support::program::{Workplace, json_lines};

/// Two games, of which the later one leaves the earlier by a blunder.
const GAMES: &str = "\
[Event \"E\"]\n[White \"Early, Ed\"]\n[Black \"Other, O\"]\n[Date \"2001.01.01\"]\n[Result \"1-0\"]\n\n\
1. e4 {[%eval 0.30]} e5 {[%eval 0.25]} 2. Nf3 {[%eval 0.20]} Nc6 {[%eval 0.25]} 1-0\n\n\
[Event \"E\"]\n[White \"Late, Lea\"]\n[Black \"Other, O\"]\n[Date \"2002.01.01\"]\n[Result \"0-1\"]\n\n\
1. e4 {[%eval 0.30]} e5 {[%eval 0.25]} 2. Nf3 {[%eval 0.20]} f6 {[%eval 1.90]} 0-1\n";

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work
}

/// The output of a command as JSON.
fn json(work: &Workplace, command: &str) -> Value {
    serde_json::from_str(&work.output(command)).expect("JSON")
}

#[test]
fn a_novelty_is_judged() {
    let work = workplace();
    let found = json(&work, "novelties games.db --format json");
    let rows = found["novelties"].as_array().expect("rows");
    let late = rows
        .iter()
        .find(|row| row["white"] == "Late, Lea")
        .expect("the later game");

    assert_eq!(late["san"], "f6");
    assert_eq!(late["before"]["eval_cp"], 20);
    assert_eq!(late["after"]["eval_cp"], 190);
    assert_eq!(late["judgement"], "mistake");

    let table = work.output("novelties games.db");
    assert!(table.contains("+0.20 to +1.90 ?"), "{table}");
}

#[test]
fn moves_that_leave_a_repertoire_are_judged() {
    let work = workplace();
    work.write("lines.pgn", "1. e4 e5 2. Nf3 Nc6 *\n");

    let found = json(
        &work,
        "repertoire games.db lines.pgn --as white --format json",
    );
    let departures = found["departures"].as_array().expect("departures");
    let mistake = departures
        .iter()
        .find(|row| row["san"] == "f6")
        .expect("the mistake");

    assert_eq!(mistake["judgement"], "mistake");
    assert_eq!(mistake["after"]["eval_cp"], 190);

    // Where a line ends, there is no move to judge.
    let end = departures
        .iter()
        .find(|row| row["san"].is_null())
        .expect("an end");
    assert_eq!(end["before"]["eval_cp"], 25);
    assert_eq!(end["judgement"], Value::Null);

    let table = work.output("repertoire games.db lines.pgn --as white");
    assert!(table.contains("+0.20 to +1.90 ?"), "{table}");
}

#[test]
fn bad_moves_of_a_repertoire_are_listed() {
    let work = workplace();
    // White's line answers the mistake; another line of the same file does not.
    work.write("lines.pgn", "1. e4 e5 2. Nf3 f6 *\n");

    let rows = |options: &str| -> Vec<Value> {
        let text = work.output(&format!(
            "repertoire games.db lines.pgn {options} --list mistakes --format jsonl"
        ));
        json_lines(&text)
    };

    let [unpunished] = &rows("--as white")[..] else {
        panic!("one mistake")
    };
    assert_eq!(unpunished["kind"], "opponent");
    assert_eq!(unpunished["san"], "f6");
    assert_eq!(unpunished["loss"], 170);
    assert_eq!(unpunished["position_games"], 2);

    let [own] = &rows("--as black")[..] else {
        panic!("one mistake")
    };
    assert_eq!(own["kind"], "own");
    assert_eq!(own["judgement"], "mistake");

    // White's second move loses five centipawns.
    assert_eq!(rows("--as white --min-loss 5").len(), 2);

    work.write("lines.pgn", "1. e4 e5 2. Nf3 f6 3. Nxe5 *\n");
    assert_eq!(rows("--as white").len(), 0);

    let table = work.output("repertoire games.db lines.pgn --as black --list mistakes");
    assert!(
        table.contains("own") && table.contains("+0.20 to +1.90 ?"),
        "{table}"
    );
}

#[test]
fn a_position_that_is_searched_has_its_evaluation() {
    let work = workplace();
    let found = json(&work, "search games.db --after e4 --format json");
    assert_eq!(found["eval_cp"], 30);
    assert_eq!(found["eval_mate"], Value::Null);

    let table = work.output("search games.db --after e4 --board none");
    assert!(table.contains("\nevaluation +0.30 (games)\n"), "{table}");

    let found = json(&work, "search games.db --player late --format json");
    assert_eq!(found["eval_cp"], Value::Null);
}

#[test]
fn a_position_that_is_drawn_has_its_evaluation() {
    let work = workplace();
    let board = "board e4 e5 --board none --database games.db";
    let printed = work.output(board);
    let lines: Vec<&str> = printed.lines().collect();

    assert_eq!(lines.len(), 2, "{printed}");
    assert_eq!(lines[1], "evaluation +0.25 (games)");

    // Nothing is known of it, and it is no legal position.
    let unknown = work.output("board 8/8/8/8/8/8/8/8 --board none --database games.db");
    assert_eq!(unknown.lines().count(), 1, "{unknown}");
}

#[test]
fn lines_of_reports_have_evaluations() {
    let work = workplace();
    let found = json(
        &work,
        "opening games.db --after e4 --min-games 1 --format json",
    );
    let lines = found["lines"].as_array().expect("lines");
    let f6 = lines
        .iter()
        .find(|line| line["san"] == "f6")
        .expect("the mistake");

    assert_eq!(f6["eval_cp"], 190);

    let text = work.output("opening games.db --after e4 --min-games 1");
    assert!(text.contains("+1.90"), "{text}");

    let found = json(
        &work,
        "prepare games.db other --as white --min-games 1 --format json",
    );
    let e4 = &found["lines"][0];
    assert_eq!(e4["san"], "e4");
    assert_eq!(e4["eval_cp"], 30);

    let text = work.output("prepare games.db other --as white --min-games 1");
    assert!(text.contains("eval") && text.contains("+1.90"), "{text}");
}

#[test]
fn a_game_is_shown_with_its_bad_moves() {
    let work = workplace();
    let shown = work.output("show games.db 2 --board none");
    let lines: Vec<&str> = shown.lines().collect();

    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("White's chances  ")),
        "{shown}"
    );
    assert!(lines.contains(&"  2... f6?  +0.20 to +1.90"), "{shown}");

    let black = lines
        .iter()
        .find(|line| line.starts_with("Black  accuracy "))
        .expect("Black");
    assert!(
        black.ends_with("0 inaccuracies, 1 mistake, 0 blunders"),
        "{black}"
    );

    work.write("more.pgn", "[Event \"Without\"]\n\n1. d4 d5 *\n");
    work.stamma("import games.db more.pgn").success();

    let shown = work.output("show games.db 3 --board none");
    assert!(!shown.contains("chances"), "{shown}");
}

#[test]
fn a_crosstable_has_the_accuracy_of_players() {
    let work = Workplace::new();
    let game = |white: &str, black: &str, round: &str, f6: &str| {
        format!(
            "[Event \"Club\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"2001.01.01\"]\n[Round \"{round}\"]\n\
             [Result \"1-0\"]\n\n1. e4 {{[%eval 0.30]}} e5 {{[%eval 0.25]}} 2. Nf3 {{[%eval 0.20]}} f6 {f6} 1-0\n\n"
        )
    };

    // Of the second game, one position has no evaluation, as of a last one; of the third, all positions have none.
    work.import(
        [
            game("Ace, A", "Bee, B", "1", "{[%eval 1.90]}"),
            game("Bee, B", "Cee, C", "2", ""),
            "[Event \"Club\"]\n[White \"Cee, C\"]\n[Black \"Dee, D\"]\n[Date \"2001.01.02\"]\n[Round \"3\"]\n\
             [Result \"1-0\"]\n\n1. d4 d5 1-0\n"
                .to_owned(),
        ]
        .concat(),
    );

    let found = json(&work, "crosstable games.db club --format json");
    let of = |name: &str| {
        let standings = found["standings"].as_array().expect("standings");
        let player = standings
            .iter()
            .find(|player| player["name"] == name)
            .expect(name);
        (
            player["accuracy"].as_f64(),
            player["centipawn_loss"].as_f64(),
        )
    };

    assert_eq!(of("Ace, A"), (Some(99.5), Some(2.5)));
    // White gains 15 and loses 5: the mean of 100 and 99 percent. Black loses 0 and 170 centipawns in
    // the first game, White 0 and 5 in the second: a mean of 85 and 2.5.
    // To one decimal, as all answers.
    assert_eq!(of("Bee, B").1, Some(43.8));
    assert_eq!(of("Dee, D"), (None, None));

    let table = work.output("crosstable games.db club");
    assert!(
        table.contains("accuracy") && table.contains("100 %"),
        "{table}"
    );
}

#[test]
fn sql_has_the_quality_of_a_game() {
    let work = workplace();
    let sql = "SELECT id, color, centipawn_loss, inaccuracies, mistakes, blunders, blunder_seconds \
        FROM games, game_quality(id) WHERE id = 2";
    let run = work
        .run(["sql", "games.db", sql, "--format", "csv"])
        .success();
    let csv = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let rows: Vec<&str> = csv.lines().skip(1).collect();

    assert_eq!(rows, ["2,white,2.5,0,0,0,", "2,black,85.0,0,1,0,"]);

    work.write("more.pgn", "[Event \"Without\"]\n\n1. d4 d5 *\n");
    work.stamma("import games.db more.pgn").success();

    for game in ["3", "99", "NULL"] {
        let count = format!("SELECT count(*) AS rows FROM game_quality({game})");
        let found = work
            .run(["sql", "games.db", &count, "--format", "csv"])
            .success();
        assert_eq!(found.get_output().stdout, b"rows\n0\n", "{game}");
    }
}
