//! Tags, last positions and clock times as they are stored, and as the view and every command give them.

use crate::support::program::Workplace;

const GAMES: &str = r#"[Event "A"]
[White "B"]
[WhiteElo "2400?"]
[TimeControl "180+2"]
[Annotator "C \"D\" \\ é♞"]
[TimeControl "60"]
[Result "1-0"]

1. e4 { [%clk 0:02:59] } e5 { [%clk 0:03:00] } 2. Nf3 $1 { [%clk 0:02:50] } Nc6
{ [%clk 0:02:58] } {why} 3. Bb5 {[%clk 0:02:48]} a6 { [%clk 0:02:57] } 1-0

[Event "A"]
[White "B"]
[WhiteElo "2400"]
[TimeControl "180+2"]
[BlackElo "?"]
[X	"a	b"]

1. e4 {[%clk 0:02:59.9]} e5 {[%clk 0:03:00]} 2. Ke2 {[%clk 0:02:50]} Ke7 {[%clk 0:02:58] (?)}
3. Kd3 {[%clk 0:02:48]} *

[Event "A"]
[FEN "8/8/8/3k4/8/3K4/8/8 b - - 7 100"]
[SetUp "1"]

100... Ke5 101. Ke3 *

[White "E"]

1. e4 a6 2. e5 d5 *
"#;

/// Writes the forms that earlier versions stored, and that other programs may still store.
const EARLIER_FORMS: &str =
    "UPDATE movetext SET tags = (SELECT tags FROM games WHERE id = game_id);
    UPDATE game SET final_fen = (SELECT final_fen FROM games WHERE games.id = game.id)";

fn imported() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work
}

#[test]
fn the_view_has_an_object_of_tags() {
    let work = imported();
    let tags = work.query("SELECT coalesce(tags, '-') FROM games ORDER BY id");
    let first = r#"{"WhiteElo":"2400?","TimeControl":"180+2","Annotator":"C \"D\" \\ é♞","TimeControl":"60"}"#;
    let second = r#"{"TimeControl":"180+2","BlackElo":"?","X":"a\tb"}"#;

    assert_eq!(tags, [first, second, r#"{"SetUp":"1"}"#, "-"].join("\n"));

    let stored = work.query("SELECT substr(tags, 1, 9) FROM movetext WHERE game_id < 3");
    assert_eq!(stored, "[\"2400?\",\n{\"TimeCon");

    let first = work.query("SELECT tags ->> 'TimeControl' FROM games WHERE id = 1");
    assert_eq!(first, "180+2");
}

#[test]
fn the_view_has_last_positions() {
    let work = imported();
    let fens = work.query("SELECT final_fen FROM games ORDER BY id");

    let expected = [
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
        "rnbq1bnr/ppppkppp/8/4p3/4P3/3K4/PPPP1PPP/RNBQ1BNR b - - 3 3",
        "8/8/8/4k3/8/4K3/8/8 b - - 9 101",
        "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    ];

    assert_eq!(fens, expected.join("\n"));
    assert_eq!(
        work.query("SELECT typeof(final_fen) FROM game ORDER BY id"),
        "blob\nblob\ntext\ntext"
    );
}

#[test]
fn clock_times_are_seconds() {
    let work = imported();
    assert_eq!(
        work.query("SELECT annotations FROM movetext WHERE game_id < 3 ORDER BY game_id"),
        concat!(
            r#"{" clk ":[179,180,null,178,null,177],"3":["$1","{ [%clk 0:02:50] "],"4":["{why"],"5":["{[%clk 0:02:48]"]}"#,
            "\n",
            r#"{"clk":[179.9,180,170,null,168],"4":["{[%clk 0:02:58] (?)"]}"#,
        )
    );

    let exported = work.output("export games.db --games 2");
    assert!(
        exported.contains("1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:03:00]}"),
        "{exported}"
    );
}

#[test]
fn earlier_forms_are_the_same_games() {
    let work = imported();
    let outputs = || {
        let commands = [
            "export games.db",
            "export games.db --format jsonl",
            "check games.db --digest",
            "search games.db --tag TimeControl=60",
            "search games.db --tag X",
            "search games.db --tag WhiteElo=2400?",
        ];
        commands.map(|command| work.output(command))
    };

    let before = outputs();
    work.run(["sql", "games.db", "--write", EARLIER_FORMS])
        .success();
    assert_eq!(
        work.query("SELECT count(*) FROM movetext WHERE tags GLOB '[[]*'"),
        "0"
    );
    assert_eq!(
        work.query("SELECT count(*) FROM game WHERE typeof(final_fen) = 'blob'"),
        "0"
    );
    assert_eq!(outputs(), before);

    work.stamma("optimize games.db").success();
    work.stamma("check games.db --full").success();
    assert_eq!(outputs(), before);
}

#[test]
fn values_without_their_names_are_a_fault() {
    let work = imported();

    // An array of values needs the names beside it, which this game does not have.
    let change = "UPDATE movetext SET tags = '[\"1\"]' WHERE game_id = 1";
    work.run(["sql", "games.db", "--write", change]).success();

    work.stamma("check games.db").code(1);
}
