//! Preparations, with numbers counted by hand.

use crate::support::program::{Workplace, stderr_of, stdout_of};
use serde_json::Value;

/// Games like `Anna-Bert 1-0 2001.02.03 e4 e5 Nf3`: players, result, date and moves.
fn pgn(games: &[&str]) -> String {
    let mut pgn = String::new();
    for game in games {
        let words: Vec<&str> = game.splitn(4, ' ').collect();
        let (white, black) = words[0].split_once('-').expect(game);
        let (result, date) = (words[1], words[2]);
        let moves = words.get(3).unwrap_or(&"");
        pgn += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[Date \"{date}\"]\n\n\
             {moves} {result}\n\n"
        );
    }

    pgn
}

/// Bert with Black: four times 1... e5, twice by a transposition; once 1... c5; and a game with White.
fn work() -> Workplace {
    let work = Workplace::new();
    work.import(pgn(&[
        "Anna-Bert 1-0 2001.02.03 e4 e5 Nf3 Nc6 Bb5",
        "Anna-Bert 0-1 2001.02.04 Nf3 Nc6 e4 e5 Bb5 a6",
        "Cleo-Bert 1/2-1/2 2009.02.05 e4 e5 Nf3 Nf6",
        "Cleo-Bert 1-0 2010.02.06 e4 c5 Nf3 d6",
        "Bert-Anna 1-0 2010.02.07 d4 d5",
        "Anna-Cleo 1-0 2010.02.08 e4 e5 Nf3 Nc6 Bb5 a6 Ba4",
        "Anna-Cleo 1-0 2010.02.09 e4 e5 Nf3 Nc6 Bb5 Nf6",
    ]));
    work
}

fn json(work: &Workplace, arguments: &str) -> Value {
    let output = work.output(&format!("prepare games.db {arguments} --format json"));
    serde_json::from_str(&output).expect("JSON")
}

#[test]
fn the_tree_has_transpositions_and_others() {
    let work = work();
    let record = json(&work, "bert --as white --min-games 1");
    assert_eq!(record["player"], "Bert");

    let fields = ["games", "wins", "draws", "losses", "recent"];
    let counts = fields.map(|name| record[name].as_u64());
    assert_eq!(counts, [Some(4), Some(1), Some(1), Some(2), Some(2)]);
    assert_eq!(record["score"], 37.5);
    assert_eq!(record["recent_since"], "2008.02.06");

    // 1. e4 three times, 1. Nf3 once.
    let lines = record["lines"].as_array().expect("moves");
    let first: Vec<(&Value, &Value)> = lines
        .iter()
        .map(|one| (&one["san"], &one["games"]))
        .collect();
    assert_eq!(
        first,
        [(&"e4".into(), &3.into()), (&"Nf3".into(), &1.into())]
    );

    let replies = &lines[0]["next"];
    assert_eq!(replies[0]["san"], "e5");
    assert_eq!(replies[0]["games"], 2);

    // Two games of others have 1. e4, both with 1... e5.
    assert_eq!(
        replies[0]["others"],
        serde_json::json!({"games": 2, "of": 2, "deviation": null})
    );
    assert_eq!(
        replies[1]["others"],
        serde_json::json!({"games": 0, "of": 2, "deviation": "new"})
    );

    // 3. Bb5 was played in both games with the position, but only one of them came by 2... Nc6.
    let knight = &replies[0]["next"][0]["next"];
    assert_eq!(knight[0]["san"], "Nc6");
    assert_eq!(knight[0]["games"], 1);
    assert_eq!(knight[0]["next"][0]["san"], "Bb5");
    assert_eq!(knight[0]["next"][0]["games"], 2);

    let other = &lines[1]["next"][0]["next"][0]["next"][0];
    assert_eq!(other["san"], "e5");
    assert_eq!(other["is_transposition"], true);
}

#[test]
fn a_repertoire_cuts_the_tree() {
    let work = work();
    work.write(
        "mine.pgn",
        "1. e4 e5 (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 (3. Bc4) *",
    );

    let record = json(&work, "bert --as white --repertoire mine.pgn");
    let meeting = &record["repertoire"];

    // The start and nine moves, of which 2. d4 and 2... d5 go with 1... e6.
    let fields = [
        "positions",
        "met",
        "games",
        "left_by_opponent",
        "left_by_others",
        "ended",
    ];
    let counts = fields.map(|name| meeting[name].as_u64().unwrap_or(99));
    assert_eq!(counts, [10, 6, 4, 2, 0, 2]);

    let lines = |name: &str| -> Vec<String> {
        let mut lines = Vec::new();
        for one in meeting[name].as_array().expect("a list") {
            let line = one["line"].as_str().unwrap_or_default();
            let san = one["san"].as_str().unwrap_or_default();
            lines.push(format!("{line} + {san}"));
        }
        lines
    };

    // What opponents play and the repertoire does not answer, and what it answers and they do not play.
    assert_eq!(lines("gaps"), ["1. e4 + c5", "1. e4 e5 2. Nf3 + Nf6"]);
    assert_eq!(lines("unmet"), ["1. e4 + e6", "1. e4 e5 2. Nf3 Nc6 + Bc4"]);
    assert_eq!(meeting["unmet"][0]["positions"], 3);
    assert_eq!(record["lines"].as_array().map(Vec::len), Some(1));
}

/// The counts of games by what follows the last of their positions that a repertoire for White has.
fn meeting(games: &[&str], repertoire: &str) -> [u64; 5] {
    let work = Workplace::new();
    work.import(pgn(games));
    work.write("mine.pgn", repertoire);

    let record = json(&work, "bert --as white --repertoire mine.pgn");
    let fields = [
        "games",
        "left_by_opponent",
        "left_by_others",
        "ended",
        "beyond",
    ];

    fields.map(|name| record["repertoire"][name].as_u64().unwrap_or(99))
}

#[test]
fn the_last_position_of_a_repertoire_is_by_the_order_of_the_game() {
    let games = [
        "Anna-Bert 1-0 2001.02.03 Nf3 Nf6 Ng1 Ng8 e4 e5 Bc4",
        "Anna-Bert 1-0 2001.02.04 e4 e5 Nf3",
    ];
    let counts = meeting(&games, "1. e4 (1. Nf3 Nf6 2. Ng1) 1... e5 2. Nf3 *");
    // 4. Bc4 leaves the repertoire after 3. e4 e5, which the other game has after two half-moves.
    assert_eq!(counts, [2, 0, 1, 1, 0]);
}

#[test]
fn games_that_follow_a_repertoire_beyond_sixty_half_moves_have_not_ended() {
    let shuffle = |plies: usize| {
        let there_and_back = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(16);
        let moves = there_and_back[..plies].join(" ");
        format!("Anna-Bert * 2001.02.03 {moves}")
    };

    let long = shuffle(61);
    let short = shuffle(60);

    let counts = meeting(&[&long, &short], "1. Nf3 (1. d4) Nf6 2. Ng1 Ng8 *");
    // Sixty half-moves of a game are compared, so that the longer game is beyond and has not ended.
    assert_eq!(counts, [2, 0, 0, 1, 1]);
}

#[test]
fn players_that_match_are_named() {
    let work = Workplace::new();
    work.import(pgn(&[
        "Anna-Bert 1-0 2001.02.03 e4 e5",
        "Anna-Bertha 0-1 2001.02.04 e4 c5",
    ]));

    let page = work.output("prepare games.db bert --as white");
    assert!(
        page.contains("Not counted, 1 other player: Bertha (1)"),
        "{page}"
    );

    let run = work
        .stamma("prepare games.db bert --as white --format pgn")
        .success();
    let said = "not counted, 1 other player: \"Bertha\" (1 game)";
    assert!(stderr_of(&run).contains(said), "{}", stderr_of(&run));
    assert!(page.starts_with("With White against Bert\n"), "{page}");

    let page = work.output("prepare games.db =Bert --as white");
    assert!(!page.contains("Not counted"), "{page}");
}

#[test]
fn nobody_and_nothing() {
    let work = work();
    for format in ["text", "md", "html", "json", "pgn"] {
        let run = work.stamma(&format!(
            "prepare games.db dora --as white --format {format}"
        ));
        let run = run.code(2);
        assert_eq!(stdout_of(&run), "");
        let sentence = "no player in the database has a name like \"dora\"";
        let stderr = stderr_of(&run);
        assert!(stderr.contains(sentence), "{stderr}");
    }

    let run = work.stamma("prepare games.db bert").failure();
    let stderr = stderr_of(&run);
    assert!(stderr.contains("--as"), "{stderr}");
}

/// The opponent has a name where all games are left out, are of the other colour, or are not chosen.
#[test]
fn opponents_without_games_have_names() {
    let work = Workplace::new();
    let start = "[White \"Anna\"]\n[Black \"Bert\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh8+ Kd7 1-0\n\n";
    work.import(start.to_owned() + &pgn(&["Cleo-Dora 1-0 2001.02.03 e4 e5"]));

    for (arguments, heading) in [
        (
            "bert --as white",
            "With White against Bert\n0 games with Black.",
        ),
        (
            "cleo --as white",
            "With White against Cleo\n0 games with Black.",
        ),
        (
            "dora --as white --since 2010",
            "With White against dora\n0 games with Black.",
        ),
    ] {
        let page = work.output(&format!("prepare games.db {arguments}"));
        assert!(page.starts_with(heading), "{page}");
        for format in ["md", "html", "json", "pgn"] {
            work.output(&format!("prepare games.db {arguments} --format {format}"));
        }
    }
}

#[test]
fn games_of_one_player_on_both_sides_are_left_out() {
    let work = Workplace::new();
    work.import(pgn(&[
        "Bert-Bert 1-0 2001.02.03 e4 e5",
        "Bert-Anna 1-0 2001.02.04 d4 d5",
    ]));

    for (color, games) in [("white", 0), ("black", 1)] {
        let record = json(&work, &format!("bert --as {color}"));
        assert_eq!(record["games"], games);
        assert_eq!(record["omitted_against_self"], 1);
    }

    let page = work.output("prepare games.db bert --as black");
    assert!(
        page.contains("1 game that names one player for both sides is left out"),
        "{page}"
    );

    // The record of a player leaves the game out as well.
    let run = work.stamma("player games.db bert --format csv").success();
    let said = "1 game is left out, with this player for both sides";
    assert!(stderr_of(&run).contains(said), "{}", stderr_of(&run));

    let csv = stdout_of(&run);
    let total = csv.lines().nth(1).expect("the first row");
    assert!(
        total.starts_with("total,") && total.contains(",1,1,0,0,"),
        "{total:?}"
    );

    // Two spellings of one player.
    work.write("more.pgn", pgn(&["Bert-Bertram 1-0 2001.02.05 c4 c5"]));
    work.stamma("import games.db more.pgn").success();
    assert_eq!(json(&work, "=Bert|=Bertram --as white")["games"], 1);

    // Joined, they make it a game of one player.
    let sql = "INSERT INTO player_name VALUES ('Bertram', 'Bert', 'list', '')";
    work.run(["sql", "games.db", "--write", sql]).success();

    let record = json(&work, "bert --as white");
    assert_eq!(record["games"], 0);
    assert_eq!(record["omitted_against_self"], 2);
}

/// A null move is no move of the opponent: the game ends there.
#[test]
fn null_moves_end_games() {
    let work = Workplace::new();
    work.import(pgn(&[
        "Anna-Bert 1-0 2001.02.03 e4 -- d4",
        "Anna-Bert 1-0 2001.02.04 e4 -- d4",
        "Anna-Bert 0-1 2001.02.05 e4 c5 c3",
    ]));
    work.write("mine.pgn", "1. e4 e5 (1... e6 2. d4) 2. Nf3 *");

    let record = json(&work, "bert --as white --repertoire mine.pgn");
    let gaps = record["repertoire"]["gaps"].as_array().expect("moves");
    let moves: Vec<&Value> = gaps.iter().map(|left| &left["san"]).collect();

    assert_eq!(moves, ["c5"]);
    let page = work.output("prepare games.db bert --as white --min-games 1");
    assert!(!page.contains("--"));
}

/// Games that leave before the first choice of the repertoire have never come to it.
#[test]
fn moves_on_the_shared_way_are_no_gaps() {
    let work = Workplace::new();
    work.import(pgn(&[
        "Bert-Anna 1-0 2001.02.03 e4 e5",
        "Bert-Anna 1-0 2001.02.04 c4 e5",
        "Bert-Anna 1-0 2001.02.05 d4 Nf6 Bg5",
        "Bert-Anna 0-1 2001.02.06 d4 Nf6 c4 e6",
    ]));
    work.write("mine.pgn", "1. d4 Nf6 2. c4 (2. Nf3 g6) 2... e6 *");

    let record = json(&work, "bert --as black --repertoire mine.pgn");
    let meeting = &record["repertoire"];
    let gaps = meeting["gaps"].as_array().expect("moves");
    let moves: Vec<&Value> = gaps.iter().map(|left| &left["san"]).collect();

    assert_eq!(moves, ["Bg5"]);
    assert_eq!(meeting["games"], 2);
}

#[test]
fn a_repertoire_for_the_other_colour_is_told() {
    let work = work();
    work.write(
        "mine.pgn",
        "1. e4 e5 (1... c5 2. Nf3) (1... e6 2. d4) 2. Nf3 *",
    );

    let sentence = "by its moves, this repertoire is for White; it is taken as one for Black";
    let page = work.output("prepare games.db bert --as black --repertoire mine.pgn");
    assert!(page.contains(sentence), "{page}");

    let arguments = "prepare games.db bert --as black --repertoire mine.pgn --format json";
    let run = work.stamma(arguments).success();
    let stderr = stderr_of(&run);
    assert!(stderr.contains(sentence), "{stderr}");

    let run = work
        .stamma("repertoire games.db mine.pgn --as black")
        .success();
    let stderr = stderr_of(&run);
    assert!(stderr.contains(sentence), "{stderr}");

    let page = work.output("prepare games.db bert --as white --repertoire mine.pgn");
    assert!(!page.contains("by its moves"), "{page}");
}

#[test]
fn what_is_left_out_is_said() {
    let work = Workplace::new();
    let start = "[White \"Anna\"]\n[Black \"Bert\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh8+ Kd7 1-0\n";
    work.import(
        pgn(&[
            "Anna-Bert 1-0 ????.??.?? e4 e5",
            "Anna-Bert 1-0 2001.01.01 d4 d5",
        ]) + start,
    );

    let page = work.output("prepare games.db bert --as white");
    assert!(
        page.contains("1 game has no date, and counts as earlier than all others"),
        "{page}"
    );
    assert!(
        page.contains("1 game of a variant, from another position or without moves is left out"),
        "{page}"
    );
    assert!(page.contains("2 games with Black"), "{page}");
}

#[test]
fn html_is_escaped_and_has_boards() {
    let work = Workplace::new();
    // Games that differ in their dates alone, so that none is a duplicate.
    let lost =
        [1, 2, 3, 4, 5, 6].map(|day| format!("Anna-<b>Bert</b> 1-0 2001.01.0{day} e4 e5 Nf3"));
    let won = "Cleo-<b>Bert</b> 0-1 2001.01.09 d4 d5 c4";
    let mut games: Vec<&str> = lost.iter().map(String::as_str).collect();
    games.push(won);
    work.import(pgn(&games));
    work.stamma("prepare games.db bert --as white --format html -o bert.html")
        .success();

    let page = work.read("bert.html");
    assert!(
        page.contains("&lt;b&gt;Bert&lt;/b&gt;") && !page.contains("<b>Bert"),
        "{page}"
    );
    assert!(page.contains("<svg "), "{page}");
}

#[test]
fn pgn_can_be_read_again() {
    let work = work();
    work.stamma("prepare games.db bert --as white --min-games 1 --format pgn -o bert.pgn")
        .success();

    let pgn = work.read("bert.pgn");
    assert!(
        pgn.contains("[Event \"Preparation with White\"]") && pgn.contains("; others new"),
        "{pgn}"
    );

    work.stamma("convert --strict bert.pgn -o again.pgn")
        .success();
    work.write("mine.pgn", &pgn);

    let run = work.stamma("prepare games.db bert --as white --repertoire mine.pgn -o mine.pgn");
    assert!(stderr_of(&run.failure()).contains("mine.pgn"));
    assert_eq!(work.read("mine.pgn"), pgn);
}

#[test]
fn a_repertoire_that_cannot_be_read() {
    let work = work();
    work.write("empty.pgn", "");

    let run = work
        .stamma("prepare games.db bert --as white --repertoire empty.pgn")
        .failure();
    let sentence = "empty.pgn: no position was found in the repertoire";
    let stderr = stderr_of(&run);
    assert!(stderr.contains(sentence), "{stderr}");

    work.write("other.pgn", "[Variant \"Horde\"]\n\n1. e4 *\n");
    let run = work
        .stamma("prepare games.db bert --as white --repertoire other.pgn")
        .failure();
    let sentence = "other.pgn:1: this is a game of a variant; a repertoire is of chess";

    let stderr = stderr_of(&run);
    assert!(stderr.contains(sentence), "{stderr}");

    let run = work
        .stamma("prepare games.db bert --as white --repertoire none.pgn")
        .failure();
    let stderr = stderr_of(&run);
    assert!(stderr.contains("none.pgn"), "{stderr}");
}

/// Before 2005 Bert answered 1. e4 with 1... e5, since then with 1... c5.
#[test]
fn a_changed_habit() {
    let work = Workplace::new();
    let early = (1..=6).map(|day| format!("Anna-Bert 1-0 2001.02.0{day} e4 e5"));
    let late = (1..=5).map(|day| format!("Anna-Bert 0-1 2005.02.0{day} e4 c5"));
    let lines: Vec<String> = early.chain(late).collect();
    let games: Vec<&str> = lines.iter().map(String::as_str).collect();
    work.import(pgn(&games));

    let page = work.output("prepare games.db bert --as white");
    let said =
        "After 1. e4: 1... e5 (6 games of 6) before 2003.02.05, 1... c5 (5 games of 5) since then";
    assert!(page.contains(said), "{page}");

    // The same moves over and over are no duplicates here: each game has its date.
    assert!(page.contains("11 games with Black"), "{page}");
}
