//! Conversions of PGN without a database, and exports in other notations.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use stamma::board::Position;
use stamma::notation::{Notation, PieceLetters, San, Style, read};

use crate::support::corpus;
use crate::support::program::{Workplace, games, stderr_of, stdout_of};

/// A short game with a promotion, castling, an en passant capture, a comment, a variation and a mate.
const GAME: &str = "[Event \"Notations\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n\
    [White \"Knight, N.\"]\n[Black \"Bishop, B.\"]\n[Result \"1-0\"]\n[WhiteElo \"2000\"]\n\n\
    1. e4 Nf6 2. e5 d5 3. exd6 {Knight} Bg4 $2 (3... exd6 4. Nf3 (4. d4 Be7) 4... Be7) 4. Nf3 Nc6\n\
    5. Bb5 Qd7 6. O-O O-O-O 7. dxc7 Qd3 8. cxd8=Q+ Kxd8 9. cxd3 1-0\n\n";

/// The part of an output after the tags.
fn movetext(output: &str) -> &str {
    output.split_once("\n\n").expect("tags and moves").1
}

fn convert(arguments: &str) -> String {
    let work = Workplace::new();
    work.write("in.pgn", GAME);
    work.output(&format!("convert in.pgn {arguments}"))
}

/// Runs `stamma convert` with a text on standard input.
fn convert_input(input: impl AsRef<[u8]>, arguments: &[&str]) -> Assert {
    let mut command = Command::cargo_bin("stamma").expect("the program is built");
    command
        .arg("convert")
        .args(arguments)
        .write_stdin(input.as_ref())
        .assert()
}

macro_rules! writes {
    ($($name:ident: $arguments:literal, @$shown:literal;)*) => {$(
        #[test]
        fn $name() {
            let converted = convert($arguments);
            insta::assert_snapshot!(movetext(&converted), @$shown);
            let work = Workplace::new();
            work.import(GAME);
            let exported = work.output(concat!("export games.db ", $arguments));
            assert_eq!(exported, converted);
        }
    )*};
}

writes! {
    english: "", @r"
    1. e4 Nf6 2. e5 d5 3. exd6 {Knight} 3... Bg4 $2 (3... exd6 4. Nf3 (4. d4 Be7)
    4... Be7) 4. Nf3 Nc6 5. Bb5 Qd7 6. O-O O-O-O 7. dxc7 Qd3 8. cxd8=Q+ Kxd8
    9. cxd3 1-0
    ";
    french: "--pieces fr", @r"
    1. e4 Cf6 2. e5 d5 3. exd6 {Knight} 3... Fg4 $2 (3... exd6 4. Cf3 (4. d4 Fe7)
    4... Fe7) 4. Cf3 Cc6 5. Fb5 Dd7 6. O-O O-O-O 7. dxc7 Dd3 8. cxd8=D+ Rxd8
    9. cxd3 1-0
    ";
    figurines_after_the_laws: "--notation fide --pieces figurine", @r"
    1. e4 ♘f6 2. e5 d5 3. exd6 e.p. {Knight} 3... ♗g4 $2 (3... exd6 4. ♘f3 (4. d4
    ♗e7) 4... ♗e7) 4. ♘f3 ♘c6 5. ♗b5 ♕d7 6. 0-0 0-0-0 7. dxc7 ♕d3 8. cxd8♕+ ♔xd8
    9. cxd3 1-0
    ";
    long: "--notation lan", @r"
    1. e2-e4 Ng8-f6 2. e4-e5 d7-d5 3. e5xd6 {Knight} 3... Bc8-g4 $2 (3... e7xd6
    4. Ng1-f3 (4. d2-d4 Bf8-e7) 4... Bf8-e7) 4. Ng1-f3 Nb8-c6 5. Bf1-b5 Qd8-d7
    6. O-O O-O-O 7. d6xc7 Qd7-d3 8. c7xd8=Q+ Kc8xd8 9. c2xd3 1-0
    ";
    with_captured_pieces: "--notation full --pieces KDTLS", @r"
    1. e2-e4 Sg8-f6 2. e4-e5 d7-d5 3. e5xd6ep {Knight} 3... Lc8-g4 $2 (3... e7xd6
    4. Sg1-f3 (4. d2-d4 Lf8-e7) 4... Lf8-e7) 4. Sg1-f3 Sb8-c6 5. Lf1-b5 Dd8-d7
    6. 0-0 0-0-0 7. d6xc7 Dd7-d3 8. c7xTd8=D+ Kc8xDd8 9. c2xDd3 1-0
    ";
    coordinates: "--notation coordinate", @r"
    1. e2-e4 g8-f6 2. e4-e5 d7-d5 3. e5xd6 {Knight} 3... c8-g4 $2 (3... e7xd6
    4. g1-f3 (4. d2-d4 f8-e7) 4... f8-e7) 4. g1-f3 b8-c6 5. f1-b5 d8-d7 6. 0-0
    0-0-0 7. d6xc7 d7-d3 8. c7xd8=Q+ c8xd8 9. c2xd3 1-0
    ";
    for_programs: "--notation uci", @r"
    1. e2e4 g8f6 2. e4e5 d7d5 3. e5d6 {Knight} 3... c8g4 $2 (3... e7d6 4. g1f3
    (4. d2d4 f8e7) 4... f8e7) 4. g1f3 b8c6 5. f1b5 d8d7 6. e1g1 e8c8 7. d6c7 d7d3
    8. c7d8q c8d8 9. c2d3 1-0
    ";
    by_correspondence: "--notation iccf", @r"
    1. 5254 7866 2. 5455 4745 3. 5546 {Knight} 3... 3874 $2 (3... 5746 4. 7163
    (4. 4244 6857) 4... 6857) 4. 7163 2836 5. 6125 4847 6. 5171 5838 7. 4637 4743
    8. 37481 3848 9. 3243 1-0
    ";
    descriptive: "--notation descriptive", @r"
    1. P-K4 N-KB3 2. P-K5 P-Q4 3. PxPep {Knight} 3... B-N5 $2 (3... KPxP 4. N-KB3
    (4. P-Q4 B-K2) 4... B-K2) 4. N-KB3 N-B3 5. B-N5 Q-Q2 6. O-O O-O-O 7. PxBP Q-Q6
    8. PxR=Qch KxQ 9. PxQ 1-0
    ";
}

#[test]
fn tags_stay() {
    let tags = |text: &str| text.split_once("\n\n").expect("tags").0.to_owned();
    assert_eq!(tags(&convert("--notation uci --pieces ru")), tags(GAME));
}

#[test]
fn json_has_the_moves_that_are_asked_for() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 Nf6 2. e5 d5 3. exd6 *\n");

    let moves = |arguments: &str| {
        let line = work.output(&format!("export games.db --format jsonl {arguments}"));
        let game: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        game["moves"].to_string()
    };

    assert_eq!(moves(""), r#"["e4","Nf6","e5","d5","exd6"]"#);
    assert_eq!(
        moves("--notation fide --pieces de"),
        r#"["e4","Sf6","e5","d5","exd6 e.p."]"#
    );
    assert_eq!(
        moves("--notation uci"),
        r#"["e2e4","g8f6","e4e5","d7d5","e5d6"]"#
    );
}

#[test]
fn a_game_of_chess960_castles_onto_the_rook() {
    let game = "[Event \"A\"]\n[Variant \"Chess960\"]\n\
        [FEN \"rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1\"]\n\n\
        1. Ng3 Ng6 2. f3 f6 3. Bf2 Bf7 4. O-O *\n";
    let run = convert_input(game, &["--notation", "uci"]);
    assert!(
        stdout_of(&run).ends_with("4. e1h1 *\n\n"),
        "{}",
        stdout_of(&run)
    );
}

#[test]
fn names_that_are_unknown_are_refused() {
    let work = Workplace::new();
    work.write("in.pgn", GAME);

    for wrong in [
        "--notation short",
        "--pieces xx",
        "--pieces KQRBK",
        "--threads 0",
    ] {
        work.stamma(&format!("convert in.pgn {wrong}")).code(2);
    }
}

#[test]
fn standard_input_is_read_without_a_path_and_for_a_dash() {
    let work = Workplace::new();
    work.write("in.pgn", GAME);

    let file = work.path("in.pgn");
    let path = file.to_str().expect("UTF-8");
    let from_file = work.output("convert in.pgn");

    let converted = |paths: &[&str]| {
        let run = convert_input(GAME, paths).success();
        stdout_of(&run)
    };
    assert_eq!(converted(&[]), from_file);
    assert_eq!(converted(&["-"]), from_file);
    assert_eq!(converted(&[path, "-"]), from_file.repeat(2));
}

#[test]
fn files_and_folders_come_in_their_order() {
    let work = Workplace::new();
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n");
    work.write("z.pgn", game("first"));
    work.write("folder/b.pgn", game("third"));
    work.write("folder/a.pgn", game("second"));

    // Files in the order of the command line, and a folder's in the order of their names.
    let out = work.output("convert z.pgn folder --threads 3");
    let events: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("[Event "))
        .collect();
    assert_eq!(events, ["\"first\"]", "\"second\"]", "\"third\"]"]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let work = Workplace::new();
    let game = |n: usize| format!("[Event \"{n}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 *\n\n");
    let games: String = (0..40_000).map(game).collect();
    // The fault in the last game must have its line in the whole input.
    work.write("in.pgn", games + "[Event \"last\"]\n\n1. e4 e5 2. Ke3 *\n");

    work.stamma("convert in.pgn -o one.pgn --threads 1").code(1);
    work.stamma("convert in.pgn -o four.pgn --threads 4")
        .code(1);

    let one = work.read("one.pgn");
    assert_eq!(one, work.read("four.pgn"));

    let piped = convert_input(work.read("in.pgn"), &[]);
    assert_eq!(stdout_of(&piped), one);

    let stderr = stderr_of(&piped);
    assert!(
        stderr.contains("standard input:160003:13: illegal-move: 2. Ke3: "),
        "{stderr}"
    );
}

#[test]
fn problems_are_said_and_counted() {
    let work = Workplace::new();
    let game = "[Event \"A\"]\n\n1. e4 Nh4 *\n\n";
    work.write("in.pgn", game.repeat(12));

    let run = work.stamma("convert in.pgn").code(1);
    let stderr = stderr_of(&run);
    let first = "in.pgn:3:7: illegal-move: 1... Nh4: Black has no legal move that this can mean; \
                 no knight can go to h4\n";

    assert!(stderr.starts_with(first), "{stderr}");
    assert!(
        stderr.contains("… and 2 more problems:\n       12  illegal-move\n"),
        "{stderr}"
    );
    assert!(stderr.contains("12 games, 12 problems in "), "{stderr}");
    assert!(stdout_of(&run).contains("1. e4 {Nh4} *\n\n"));
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_written() {
    let work = Workplace::new();
    work.write("in.pgn", GAME);
    work.write("empty.pgn", "");

    let run = work.stamma("convert nothing.pgn empty.pgn in.pgn").code(1);
    assert_eq!(stdout_of(&run), work.output("convert in.pgn"));

    let stderr = stderr_of(&run);
    let without_games = "empty.pgn: no game was found in this file";
    assert!(stderr.contains("nothing.pgn: "), "{stderr}");
    assert!(stderr.contains(without_games), "{stderr}");

    // Without a game from anywhere, nothing is written.
    work.stamma("convert empty.pgn").code(2);
    work.stamma("convert nothing.pgn").code(2);
    convert_input("", &[]).code(2);
}

#[test]
fn an_output_is_written_beside_and_renamed() {
    let work = Workplace::new();
    work.write("in.pgn", GAME);
    work.write("out.pgn", "what was there before");
    work.stamma("convert in.pgn -o out.pgn").success();

    assert_eq!(work.read("out.pgn"), work.output("convert in.pgn"));
    assert!(!work.path("out.pgn.part").exists());

    // An output must not replace a file that is read.
    let run = work.stamma("convert in.pgn out.pgn -o out.pgn").code(2);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("this is one of the input or output files"),
        "{stderr}"
    );
}

/// Converts files directly, and by import and export, with equal outputs and messages.
fn is_as_import_and_export(paths: &[PathBuf]) {
    let work = Workplace::new();
    let with_paths = |words: &[&str]| -> Vec<PathBuf> {
        let first = words.iter().map(PathBuf::from);
        first.chain(paths.iter().cloned()).collect()
    };

    let imported = work.run(with_paths(&["import", "games.db"]));
    let converted = work.run(with_paths(&["convert", "-o", "converted.pgn"]));
    work.stamma("export games.db -o exported.pgn").success();

    let bytes = |name: &str| fs::read(work.path(name)).expect("an output");
    assert!(bytes("converted.pgn") == bytes("exported.pgn"), "{paths:?}");
    assert_eq!(
        converted.get_output().status.code(),
        imported.get_output().status.code()
    );

    // Only lines of problems are compared, not the lines that sum them up.
    let problems = |run: &Assert| -> Vec<String> {
        let is_problem = |line: &&str| line.contains(".pgn:") && !line.ends_with(" problems");
        let stderr = stderr_of(run);
        stderr
            .lines()
            .filter(is_problem)
            .map(str::to_owned)
            .collect()
    };

    assert_eq!(problems(&converted), problems(&imported));
}

#[test]
fn historical_games_are_as_import_and_export() {
    is_as_import_and_export(&[games()]);
}

/// The paths of all files below a folder of the corpus, without copies.
fn corpus_files(name: &str) -> Option<Vec<PathBuf>> {
    let path = corpus::path(name)?;
    let found = stamma::input::find_files(&path).expect("PGN files");

    // Each content once.
    let mut seen = std::collections::HashSet::new();
    let mut without_copies = Vec::new();
    for file in found {
        let content = fs::read(&file).expect("a file");
        if seen.insert(content) {
            without_copies.push(file);
        }
    }
    Some(without_copies)
}

#[test]
fn the_corpus_is_as_import_and_export() {
    for name in ["suites", "dirty", "lichess.pgn"] {
        if let Some(paths) = corpus_files(name) {
            is_as_import_and_export(&paths);
        }
    }
}

/// The moves of an exported game, without numbers, game termination marker and comments.
fn moves(movetext: &str) -> Vec<String> {
    let is_number = |word: &str| {
        let Some(number) = word.strip_suffix('.') else {
            return false;
        };
        number.bytes().all(|byte| byte.is_ascii_digit())
    };

    let is_marker = |word: &str| ["1-0", "0-1", "1/2-1/2", "*"].contains(&word);

    let mut moves: Vec<String> = Vec::new();
    for word in movetext.split_ascii_whitespace() {
        if is_number(word) || is_marker(word) {
            continue;
        }
        match (word, moves.last_mut()) {
            // FIDE's sign of an en passant capture is a word of its own.
            ("e.p.", Some(last)) => last.push_str(" e.p."),
            _ => moves.push(word.to_owned()),
        }
    }

    moves
}

/// Every mainline of the historical games, in every notation and some languages, is read back unchanged.
#[test]
fn what_is_written_is_read() {
    let work = Workplace::new();
    let mut all = String::new();
    for path in stamma::input::find_files(&games()).expect("PGN files") {
        let file = fs::read_to_string(path).expect("UTF-8");
        for game in file.split("[Event ").skip(1) {
            // The text below has no FEN, so that games from other starts are left out.
            if game.contains("[FEN ") {
                continue;
            }

            let text = format!("[Event {game}");
            let played = stamma::replay::replay(&text).game.moves;
            all.push_str(&format!("[Event \"A\"]\n\n{played} *\n\n"));
        }
    }

    work.write("in.pgn", &all);
    let san = work.output("convert in.pgn");

    for notation in Notation::ALL {
        for code in ["en", "fr", "ru", "figurine"] {
            let name = notation.name();
            let out = work.output(&format!("convert in.pgn --notation {name} --pieces {code}"));
            let letters = PieceLetters::of_language(code).expect("a language");
            let style = Style {
                notation,
                letters,
                chess960: false,
            };
            compare(&san, &out, &style);
        }
    }
}

fn compare(san: &str, out: &str, style: &Style<'_>) {
    let games = |text: &str| -> Vec<Vec<String>> {
        text.split("\n\n")
            .filter(|part| part.starts_with("1."))
            .map(moves)
            .collect()
    };

    let (san, out) = (games(san), games(out));
    assert_eq!(san.len(), out.len());
    assert!(san.len() > 100);

    for (san, out) in san.iter().zip(&out) {
        assert_eq!(san.len(), out.len());

        let mut position = Position::start();
        for (san, text) in san.iter().zip(out) {
            let parsed = San::parse(san.as_bytes()).expect("SAN");
            let mv = parsed.resolve(&position).expect("legal").mv;

            let found = read(text, style.reading(), &position);
            let found = found.map(|found| found.mv()).ok();
            assert_eq!(found, Some(mv), "{text} for {san}");

            position.play(mv);
        }
    }
}

/// Tags of openings come from the moves, are reported, and leave the exit code as it is; an export does the same.
#[test]
fn tags_of_openings_are_filled_in_and_replaced() {
    let work = Workplace::new();
    work.write(
        "in.pgn",
        "[ECO \"B20\"]\n\n1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *\n\n\
         [Variant \"Chess960\"]\n[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\"]\n\n1. e4 e5 *\n",
    );
    work.stamma("import games.db in.pgn").success();

    for (options, eco, lines) in [
        ("--fill eco,opening", "B20", 2),
        ("--replace eco", "B90", 1),
        ("--fill opening --replace eco", "B90", 3),
    ] {
        let run = work.stamma(&format!("convert in.pgn {options}")).success();
        let converted = stdout_of(&run);
        assert!(
            converted.contains(&format!("[ECO \"{eco}\"]\n")),
            "{converted}"
        );
        assert_eq!(
            converted.contains("[Variation \"Najdorf Variation\"]\n"),
            lines > 1
        );
        assert_eq!(
            converted.matches("[Opening ").count(),
            usize::from(lines > 1),
            "{converted}"
        );

        let stderr = stderr_of(&run);
        assert!(
            stderr.contains(&format!("{lines}  opening-tag\n")),
            "{stderr}"
        );
        assert_eq!(
            work.output(&format!("export games.db {options}")),
            converted
        );
    }
}
