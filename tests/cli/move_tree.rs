//! Trees of moves from a position.

use std::collections::HashMap;

use crate::support::program::{Workplace, first_fields, json_lines, stderr_of, stdout_of};

#[test]
fn people_get_a_table_with_the_moves_to_the_right_of_those_before_them() {
    let table = Workplace::with_historical_games().output("moves games.db --depth 3 --min-games 8");
    let (_, table) = table
        .split_once("105 games\n\n")
        .expect("a board and a number");
    insta::assert_snapshot!(table, @r"
    move     games  share  White  draws  Black             Elo  perf.  years      opening
    e4          53   50 %   74 %    4 %   23 %  ██████░░  2737   2960  1620–2022  B00 King's Pawn Game
      e5        28   53 %   71 %    4 %   25 %  ██████░░  2726   2365  1620–2022  C20 King's Pawn Game
        Nf3     23   82 %   78 %    4 %   17 %  ██████▒░  2766   3148  1620–2022  C40 King's Knight Ope…
      c5        14   26 %   71 %    0 %   29 %  ██████░░  2741   2592  1834–2016  B20 Sicilian Defense
        Nf3     13   93 %   69 %    0 %   31 %  ██████░░  2741   2890  1834–2016  B27 Sicilian Defense
    d4          38   36 %   47 %    0 %   53 %  ████░░░░  2737   2778  1896–2023  A40 Queen's Pawn Game
      Nf6       24   63 %   54 %    0 %   46 %  ████░░░░  2752   2623  1923–2023  A45 Indian Defense
        c4      21   88 %   48 %    0 %   52 %  ████░░░░  2709   2803  1923–2017  A50 Indian Defense: N…
      d5         8   21 %   25 %    0 %   75 %  ██░░░░░░  2781   3593  1896–2013  D00 Queen's Pawn Game
    20 moves of fewer than 8 games left out; --min-games 1 lists all
    ");
}

#[test]
fn programs_get_the_line_with_each_move() {
    let work = Workplace::with_historical_games();
    let run = work
        .stamma("moves games.db --depth 2 --min-games 12 --format csv")
        .success();
    insta::assert_snapshot!(stdout_of(&run), @r"
    line,san,uci,games,white,draws,black,unfinished,average_elo,performance,first_year,last_year,opening_before,eco,opening
    e4,e4,e2e4,53,39,2,12,0,2737,2960,1620,2022,,B00,King's Pawn Game
    e4 e5,e5,e7e5,28,20,1,7,0,2726,2365,1620,2022,King's Pawn Game,C20,King's Pawn Game
    e4 c5,c5,c7c5,14,10,0,4,0,2741,2592,1834,2016,King's Pawn Game,B20,Sicilian Defense
    d4,d4,d2d4,38,18,0,20,0,2737,2778,1896,2023,,A40,Queen's Pawn Game
    d4 Nf6,Nf6,g8f6,24,13,0,11,0,2752,2623,1923,2023,Queen's Pawn Game,A45,Indian Defense
    ");

    let left_out = "15 moves of fewer than 12 games left out; --min-games 1 lists all\n";
    assert_eq!(stderr_of(&run), left_out);

    let jsonl = work.output("moves games.db --depth 2 --min-games 12 --format jsonl");
    let second = jsonl.lines().nth(1).expect("a second move");
    assert!(
        second.starts_with(r#"{"line":"e4 e5","san":"e5","uci":"e7e5","games":28,"#),
        "{second}"
    );
}

#[test]
fn one_half_move_deep_it_is_the_list_of_moves() {
    let work = Workplace::with_historical_games();
    let list = work.output("moves games.db --format jsonl");
    let tree = work.output("moves games.db --depth 1 --min-games 1 --format jsonl");
    let mut without_lines = Vec::new();
    for row in tree.lines() {
        let (_, rest) = row.split_once(',').expect("more than a line");
        without_lines.push(format!("{{{rest}"));
    }

    // The list also names notable games, and has evaluations.
    let mut without_games = Vec::new();
    for row in list.lines() {
        let (counts, rest) = row.split_once(",\"first_game\"").expect("a first game");
        let (_, openings) = rest.split_once(",\"opening_before\"").expect("an opening");
        let (openings, _) = openings.split_once(",\"eval_cp\"").expect("an evaluation");
        without_games.push(format!("{counts},\"opening_before\"{openings}}}"));
    }
    assert_eq!(without_lines, without_games);
}

#[test]
fn a_position_has_the_moves_of_all_orders_that_lead_to_it() {
    let work = Workplace::new();
    work.import("1. d4 Nf6 2. c4 e6 *\n\n1. c4 Nf6 2. d4 g6 *\n\n1. c4 Nf6 *\n\n1. d4 *\n");

    let tree = work.output("moves games.db --depth 4 --min-games 1 --format jsonl");
    let mut counts: HashMap<String, u64> = HashMap::new();
    for row in json_lines(&tree) {
        let mut name = row["line"].as_str().expect("a line").to_owned();
        // A row without a move counts the games that end there.
        if row["san"].is_null() {
            name += " (end)";
        }
        counts.insert(name, row["games"].as_u64().expect("a number"));
    }

    // 1. d4 Nf6 2. c4 and 1. c4 Nf6 2. d4 lead to one position, behind which each has the moves of both.
    for (line, games) in [
        ("d4", 2),
        ("d4 (end)", 1),
        ("d4 Nf6 c4", 1),
        ("d4 Nf6 c4 e6", 1),
        ("d4 Nf6 c4 g6", 1),
        ("c4 Nf6 d4 e6", 1),
        ("c4 Nf6 d4 g6", 1),
        ("c4 Nf6 (end)", 1),
    ] {
        assert_eq!(counts.get(line), Some(&games), "{line}");
    }
    assert_eq!(counts.len(), 12);
}

#[test]
fn moves_of_fewer_games_than_a_hundredth_are_left_out() {
    let work = Workplace::new();
    let games = [
        "1. e4 e5 *\n\n".repeat(149),
        "1. d4 *\n\n1. d4 *\n\n1. c4 *\n".to_owned(),
    ];
    work.import(games.concat());

    let table = work.output("moves games.db --depth 2");
    let moves: Vec<&str> = table.lines().skip(14).collect();
    assert!(
        moves[0].starts_with("e4") && moves[1].starts_with("  e5"),
        "{table}"
    );
    assert!(
        moves[2].starts_with("d4") && moves[3].starts_with("  (end)"),
        "{table}"
    );
    assert_eq!(
        moves[4..],
        ["1 move of fewer than 2 games left out; --min-games 1 lists all"]
    );
}

#[test]
fn a_board_alone_is_followed_for_either_side() {
    let work = Workplace::new();
    work.import("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n\n1. e3 e5 2. e4 Nc6 *\n\n1. e4 e5 2. Nf3 *\n");

    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let tree = work.output(&format!("moves games.db {board} --depth 2 --format csv"));
    let lines: Vec<&str> = tree
        .lines()
        .map(|row| row.split(',').next().unwrap_or(""))
        .collect();

    assert_eq!(lines, ["line", "Nf3", "Nf3", "Nc6", "Nc6"]);
}

#[test]
fn nobody_comes_to_a_position_of_no_game() {
    let work = Workplace::with_historical_games();
    let table = work.output("moves games.db 8/8/8/8/8/4k3/8/4K3 w - - --depth 3");
    assert!(table.ends_with("\n0 games\n"), "{table}");

    // A tree without a level is refused.
    work.stamma("moves games.db --depth 0").code(2);
}

#[test]
fn moves_of_few_games_can_be_left_out_of_one_position() {
    let work = Workplace::with_historical_games();
    let run = work
        .stamma("moves games.db --min-games 20 --format csv")
        .success();
    assert_eq!(first_fields(&stdout_of(&run)), ["e4", "d4"]);
    assert_eq!(
        stderr_of(&run),
        "6 moves of fewer than 20 games left out; --min-games 1 lists all\n"
    );

    let table = work.output("moves games.db --min-games 20 --board none");
    assert!(table.contains("\n105 games\n"), "{table}");
    assert!(
        table.contains("\ne4       53   50 %"),
        "shares are of all games: {table}"
    );

    let all = work.output("moves games.db --board none");
    let (_, best) = all.split_once("best rated").expect("a list");
    let (_, best_with_few) = table.split_once("best rated").expect("a list");
    // The best games are those of all moves; only the message follows them.
    assert!(best_with_few.starts_with(best.trim_end()), "{table}");
    assert!(
        table.ends_with("\n6 moves of fewer than 20 games left out; --min-games 1 lists all\n")
    );
    assert!(!all.contains("left out"), "{all}");
}
