//! Games and positions for reading: `stamma show`, `stamma board`, `--board`.

use assert_cmd::Command;

use crate::support::program::{Workplace, stderr_of};

const ANNOTATED: &str = "[Event \"Café\"]
[Site \"?\"]
[Date \"1972.??.??\"]
[Round \"-\"]
[White \"Tal, Mikhail\"]
[Black \"?\"]
[Result \"1-0\"]
[WhiteElo \"2605\"]

{A start. [%clk 1:00:00]} 1. e4 $1 {best [%eval 0.3]} e5 (1... c5 $14 {sharp} 2. Nf3 (2. c3 d5) 2... d6)
(1... e6) 2. Nf3 {[%clk 0:59:00]} Nc6 $2 $16 $255 1-0
";

#[test]
fn a_game_with_comments_and_variations() {
    let work = Workplace::new();
    work.import(ANNOTATED);

    let expected = "Tal, Mikhail (2605) – ?  1-0
Café, 1972.??.??
game 1, C44, King's Knight Opening: Normal Variation, 4 half-moves

    A start.
1. e4!
    best
1... e5
    (1... c5 += {sharp} 2. Nf3 (2. c3 d5) 2... d6)
    (1... e6)
2. Nf3 Nc6? +/- $255 1-0

  2... Nc6
8 ♜ × ♝ ♛ ♚ ♝ ♞ ♜
7 ♟ ♟ ♟ ♟ · ♟ ♟ ♟
6 · ·[♞]· · · · ·
5 · · · · ♟ · · ·
4 · · · · ♙ · · ·
3 · · · · · ♘ · ·
2 ♙ ♙ ♙ ♙ · ♙ ♙ ♙
1 ♖ ♘ ♗ ♕ ♔ ♗ · ♖
  a b c d e f g h

r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
";
    assert_eq!(work.output("show games.db 1"), expected);

    let without_board = expected.split("\n  2... Nc6").next().expect("moves");
    assert_eq!(work.output("show games.db 1 --board none"), without_board);
}

#[test]
fn nags_of_both_sides_are_signs() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 $11 e5 $44 2. Nf3 $37 Nc6 $23 3. Bb5 $139 a6 $20 *\n");
    let shown = work.output("show games.db 1 --board none");
    assert!(
        shown.contains("1. e4 = e5 =∞ 2. Nf3 ↑ Nc6 ⨀ 3. Bb5 ⊕ a6 +- *"),
        "{shown}"
    );
}

/// The text above each board.
fn heads(shown: &str) -> Vec<String> {
    let lines: Vec<&str> = shown.lines().collect();
    // The first rank is the top of a board that is flipped.
    let is_top = |line: &str| line.starts_with("8 ") || line.starts_with("1 ");

    let mut heads = Vec::new();
    for pair in lines.windows(2) {
        let [above, line] = [pair[0], pair[1]];
        if !is_top(line) || !above.starts_with("  ") {
            continue;
        }

        // Boards stand side by side, with their heads in one line.
        let texts = above.split("  ").map(str::trim);
        let texts = texts.filter(|text| !text.is_empty());
        heads.extend(texts.map(str::to_owned));
    }

    heads
}

#[test]
fn boards_after_some_half_moves() {
    let work = Workplace::new();
    work.import("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n");

    let shown = |options: &str| {
        let page = work.output(&format!("show games.db 1 {options}"));
        heads(&page)
    };

    // The last position has a board, unless --ply is given without --every.
    assert_eq!(shown(""), ["3... a6"]);
    assert_eq!(shown("--ply 0,3"), ["start", "2. Nf3"]);
    assert_eq!(shown("--ply 5 --ply 1"), ["1. e4", "3. Bb5"]);
    assert_eq!(shown("--every 2"), ["1... e5", "2... Nc6", "3... a6"]);
    assert_eq!(shown("--every 4 --ply 1"), ["1. e4", "2... Nc6", "3... a6"]);
    assert_eq!(shown("--every 100 --flip"), ["3... a6"]);
}

#[test]
fn what_is_not_there_is_said() {
    let work = Workplace::new();
    work.import("1. e4 e5 *\n\n[Variant \"Atomic\"]\n[White \"A\"]\n\n1. e4 Nxe4 *\n");

    for (arguments, message) in [
        ("7", "there is no game 7 in the database"),
        (
            "1 --ply 3",
            "game 1 has 2 half-moves; there is no position after 3",
        ),
        ("2 --ply 1", "game 2 is kept as text and has no positions"),
        ("2 --every 1", "game 2 is kept as text and has no positions"),
    ] {
        let run = work
            .stamma(&format!("show games.db {arguments}"))
            .code(2)
            .stdout("");
        assert_eq!(stderr_of(&run), format!("stamma: {message}\n"));
    }
    for (arguments, message) in [
        ("0", "give the number of a game"),
        ("abc", "give the number of a game"),
        ("1 --ply 5-8", "give numbers of half-moves like 10,20"),
    ] {
        let run = work.stamma(&format!("show games.db {arguments}")).code(2);
        let stderr = stderr_of(&run);
        assert!(stderr.contains(message), "{stderr}");
    }

    let text = work.output("show games.db 2");
    assert!(
        text.contains("kept as text") && text.contains("1. e4 Nxe4"),
        "{text}"
    );
}

#[test]
fn games_from_other_starts() {
    let work = Workplace::new();
    work.import(
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 9\"]\n\n9... Kd7 10. O-O (10. Kd2 Ke6) 10... Kc6 *\n\n\
         [Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"k7/8/8/8/8/8/8/4RKR1 w KQ - 0 1\"]\n\n1. O-O *\n",
    );

    let shown = work.output("show games.db 1 --ply 2 --board ascii");
    assert!(
        shown.contains("9... Kd7 10. O-O\n    (10. Kd2 Ke6)\n10... Kc6 *\n"),
        "{shown}"
    );
    assert!(
        shown.contains("from 4k3/8/8/8/8/8/8/4K2R b K - 0 9\n"),
        "{shown}"
    );
    assert!(shown.contains("\n1 . . . . x R[K].\n"), "{shown}");

    let shown = work.output("show games.db 2 --board ascii");
    assert!(shown.contains("\n1 . . . . R R[K].\n"), "{shown}");
}

#[test]
fn what_a_file_says_moves_no_cursor() {
    let work = Workplace::new();
    work.import("[White \"A\u{1b}[2J\"]\n\n1. e4 {x\u{1b}[2J} (1. d4 {\u{7}}) e5 Q\u{1b}z *\n");
    assert!(!work.output("show games.db 1").contains(['\u{1b}', '\u{7}']));
}

#[test]
fn boards_of_searches_by_choice() {
    let work = Workplace::new();
    work.import("1. e4 e5 *\n");

    for command in ["search games.db --after e4", "moves games.db --after e4"] {
        let output = |how: &str| work.output(&format!("{command} {how}"));
        let by_default = output("");
        let ascii = output("--board ascii");
        let none = output("--board none");

        assert_eq!(by_default, output("--board unicode"));
        assert!(by_default.starts_with("8 ♜ ♞"), "{by_default}");
        assert!(ascii.starts_with("8 r n"), "{ascii}");
        assert!(none.starts_with("rnbqkbnr/"), "{none}");
    }
}

#[test]
fn colours_where_they_are_wanted() {
    let work = Workplace::new();
    let output = |variables: &[(&str, &str)]| {
        let mut command = Command::cargo_bin("stamma").expect("the program is built");
        command
            .current_dir(work.path(""))
            .arg("board")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());

        let run = command.output().expect("a run");
        String::from_utf8(run.stdout).expect("UTF-8")
    };

    // NO_COLOR is stronger than CLICOLOR_FORCE.
    let in_a_pipe = output(&[]);
    let forced = output(&[("CLICOLOR_FORCE", "1")]);
    let forbidden = output(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]);

    assert!(!in_a_pipe.contains('\u{1b}'), "no colours in a pipe");
    assert!(forced.contains("\u{1b}[48;5;"), "{forced}");
    assert!(!forbidden.contains('\u{1b}'), "{forbidden}");
}

#[test]
fn positions_are_drawn_legal_or_not() {
    let work = Workplace::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    assert!(work.output("board").ends_with(start));

    let shown = work.output("board 8/8/8/8/8/8/8/Q7 --board ascii --flip --last-move a8a1");
    assert!(shown.starts_with("1 . . . . . . .[Q]\n"), "{shown}");
    assert!(shown.contains("\n8 . . . . . . . x\n"), "{shown}");

    work.stamma("board 9/8/8/8/8/8/8/8").code(2);
    work.stamma("board --last-move e2").code(2);
}

#[test]
fn pictures_are_written() {
    let work = Workplace::new();
    assert_eq!(work.output("board --after e4 -o e4.svg --size 200"), "");

    let picture = work.read("e4.svg");
    assert!(
        picture.starts_with("<svg ") && picture.ends_with("</svg>\n"),
        "{picture}"
    );
    assert!(picture.contains("width=\"200\""), "{picture}");
    assert!(!picture.contains("<text"), "a picture needs no font");
    assert_eq!(work.output("board --after e4 -o - --size 200"), picture);
    assert_ne!(
        work.output("board --after e4 -o - --size 200 --flip"),
        picture
    );

    work.stamma("board --size 200").code(2);
    let run = work.stamma("board -o e4.png").code(2);
    assert!(stderr_of(&run).contains("pictures are SVG; give a name that ends in .svg"));

    let run = work.stamma("board -o none/e4.svg").code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("stamma: none/e4.svg: "), "{stderr}");
}
