//! Games are read in every language and notation without options.

use crate::support::program;
use crate::support::program::Workplace;
use stamma::board::{Position, Role};
use stamma::notation::{LANGUAGES, Language, Notation, San, Style};

/// The games of a file, each with its tags and its moves in SAN.
fn originals(work: &Workplace) -> Vec<(String, String)> {
    let file = program::games().join("classical.pgn");
    work.write("in.pgn", std::fs::read(file).expect("games of the project"));
    work.stamma("import games.db in.pgn").success();

    let rows =
        work.query("SELECT id, result || '|' || moves FROM games WHERE fen IS NULL ORDER BY id");
    std::fs::remove_file(work.path("games.db")).expect("the database");

    let mut games = Vec::new();
    for row in rows.lines() {
        let cells: Vec<&str> = row.splitn(3, '|').collect();
        let [_, result, moves] = cells[..] else {
            panic!("{row}")
        };
        games.push((result.to_owned(), moves.to_owned()));
    }

    games
}

/// A game with its moves written in a style.
fn game_in_style(result: &str, moves: &str, style: &Style<'_>) -> String {
    let mut position = Position::start();
    let mut text = format!("[Event \"?\"]\n[Result \"{result}\"]\n\n");

    for (ply, san) in moves.split(' ').enumerate() {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }

        let san = San::parse(san.as_bytes()).expect("SAN");
        let mv = san.resolve(&position).expect("a legal move").mv;
        style.write(&position, mv, &mut text);
        position.play(mv);

        // Four moves on a line.
        text.push(if ply % 8 == 7 { '\n' } else { ' ' });
    }

    text + result + "\n\n"
}

fn moves(work: &Workplace) -> Vec<String> {
    let rows = work.query("SELECT moves FROM games ORDER BY id");
    rows.lines().map(str::to_owned).collect()
}

#[test]
fn every_language_in_every_notation() {
    let work = Workplace::new();
    let games = originals(&work);
    let expected: Vec<&str> = games.iter().map(|(_, moves)| moves.as_str()).collect();
    let files = Notation::ALL.map(|notation| format!("{}.pgn", notation.name()));

    for language in LANGUAGES {
        for (notation, file) in Notation::ALL.into_iter().zip(&files) {
            let style = Style {
                notation,
                letters: &language.letters,
                chess960: false,
            };

            let pgn: String = games
                .iter()
                .map(|(result, moves)| game_in_style(result, moves, &style))
                .collect();

            work.write(file, pgn);
        }

        // The language of each file is found from that file alone.
        let _ = std::fs::remove_file(work.path("games.db"));
        work.stamma(&format!("import games.db {}", files.join(" ")));

        let all_moves = moves(&work);
        assert_eq!(
            all_moves.len(),
            files.len() * expected.len(),
            "{}",
            language.name
        );

        let codes = work.query("SELECT language FROM source ORDER BY id");
        let moves_and_codes = all_moves.chunks(expected.len()).zip(codes.lines());

        for (notation, (moves, code)) in Notation::ALL.into_iter().zip(moves_and_codes) {
            let what = format!("{} {}", language.name, notation.name());
            assert_eq!(moves, expected, "{what}");

            let has_letters = !matches!(
                notation,
                Notation::Uci | Notation::Iccf | Notation::Coordinate
            );
            if has_letters {
                let first = first_with_letters(language, notation);
                assert_eq!(code, first.codes[0], "{what}");
            }
        }
    }
}

/// The first language with the letters that a language has in a notation: languages with equal letters read alike.
fn first_with_letters(language: &Language, notation: Notation) -> &'static Language {
    // Pawns have a letter only in descriptive notation.
    let has_pawns = notation == Notation::Descriptive;
    let letters = |language: &Language| -> Vec<String> {
        let roles = Role::ALL.into_iter();
        let roles = roles.filter(|&role| has_pawns || role != Role::Pawn);
        roles
            .map(|role| language.letters.letter(role).to_owned())
            .collect()
    };

    let mut languages = LANGUAGES.iter();
    let first = languages.find(|other| letters(other) == letters(language));
    first.expect("the language itself")
}

/// Imports a game without tags and returns its moves.
fn imported(movetext: &str) -> (Workplace, String) {
    let work = Workplace::new();
    work.import(format!("[Event \"?\"]\n\n{movetext}\n"));
    let moves = work.query("SELECT moves FROM games");
    (work, moves)
}

/// The kinds of all problems of a database.
fn problems(work: &Workplace) -> String {
    work.query("SELECT kind FROM problem ORDER BY id")
        .replace('\n', " ")
}

#[test]
fn the_game_of_the_french_laws() {
    let (work, moves) = imported(
        "1. d4 Cf6 2. c4 e6 3. Cc3 Fb4 4. Fd2 0-0 5. e4 d5 6. exd5 exd5 7. cxd5 Fxc3 8. Fxc3 Cxd5
         9. Cf3 b6 10. Db3 Cxc3 11. bxc3 c5 12. Fe2 cxd4 13. Cxd4 Te8 14. 0-0 Cd7 15. a4 Cc5
         16. Db4 Fb7 17. a5 etc.",
    );

    assert_eq!(
        moves,
        "d4 Nf6 c4 e6 Nc3 Bb4 Bd2 O-O e4 d5 exd5 exd5 cxd5 Bxc3 Bxc3 Nxd5 Nf3 b6 Qb3 Nxc3 bxc3 c5 \
         Be2 cxd4 Nxd4 Re8 O-O Nd7 a4 Nc5 Qb4 Bb7 a5"
    );
    assert_eq!(
        work.query("SELECT language, annotations FROM games"),
        r#"fr|{"33":["{etc."]}"#
    );
    assert_eq!(problems(&work), "missing-terminator");
}

macro_rules! ends {
    ($($name:ident: $movetext:literal => $result:literal, $annotations:literal, $problems:literal;)*) => {$(
        #[test]
        fn $name() {
            let (work, _) = imported($movetext);
            let row = work.query("SELECT result, annotations, rest FROM games");
            assert_eq!(row, concat!($result, "|", $annotations, "|NULL"));
            assert_eq!(problems(&work), $problems);
        }
    )*};
}

ends! {
    halves: "1. e4 e5 ½-½" => "1/2-1/2", "NULL", "";
    points: "1. e4 e5 0.5-0.5" => "1/2-1/2", "NULL", "";
    colon: "1. e4 e5 1:0" => "1-0", "NULL", "";
    half: "1. e4 e5 1/2" => "1/2-1/2", "NULL", "";
    remis: "1. e4 e5 remis" => "1/2-1/2", "NULL", "";
    nulle_among_pawns: "1. e4 e5 nulle" => "1/2-1/2", "NULL", "";
    nulle: "1. e4 e5 2. Cf3 nulle" => "1/2-1/2", "NULL", "";
    resigns: "1. e4 e5 White resigns 0-1" => "0-1", r#"{"2":["{White","{resigns"]}"#, "";
    given_up: "1. e4 e5 2. Sf3 aufgegeben 1-0" => "1-0", r#"{"3":["{aufgegeben"]}"#, "";
    mate: "1. f3 e5 2. g4 Dh4 mat 0-1" => "0-1", "NULL", "";
    mate_alone: "1. f3 e5 2. g4 Qh4! mat 0-1" => "0-1", r#"{"4":["$1","{mat"]}"#, "";
    mate_in_an_old_sign: "1. f3 e5 2. g4 Qh4± 0-1" => "0-1", "NULL", "";
    signs_that_stand_alone: "1. e4 □ e5 ↑ 2. Nf3 ⇆ *" => "*", r#"{"1":["$7"],"2":["$36"],"3":["$132"]}"#, "";
    signs_behind_words: "1. e4 ! e5 ?? 2. Nf3 !? *" => "*", r#"{"1":["$1"],"2":["$4"],"3":["$5"]}"#, "";
    both_lose: "1. e4 e5 0-0" => "*", r#"{"2":["{0-0"]}"#, "";
    draw_offer: "1. e4 e5 2. Nf3 (=) Nc6 1/2-1/2" => "1/2-1/2", r#"{"3":["{(=)"]}"#, "";
    draw_offer_in_french: "1. e4 (=) e5 2. Cf3(=) 1/2-1/2" => "1/2-1/2",
        r#"{"1":["{(=)"],"3":["{(=)"]}"#, "";
    board_says_otherwise: "1. f3 e5 2. g4 Qh4# 1-0" => "1-0", "NULL", "result-contradicts-board";
    false_marks: "1. e4 e5 2. Sf3+ Sc6 3. Lxb5 *" => "*", "NULL", "false-mark false-mark";
}

#[test]
fn moves_may_contain_spaces() {
    let (work, moves) = imported(
        "1. P - K4 P-Q4 2. P x P Q x P 3. Kt-QB3 Q-K4 ch 4. B-K2 B-KKt5 (4... P-QB3 5. P-Q4)
         5. P-Q4 B x B 6. KKt x B Q-Q3 7. Castles KR *",
    );
    assert_eq!(
        moves,
        "e4 d5 exd5 Qxd5 Nc3 Qe5+ Be2 Bg4 d4 Bxe2 Ngxe2 Qd6 O-O"
    );
    assert_eq!(
        work.query("SELECT notation, language FROM games"),
        "descriptive|NULL"
    );
    assert_eq!(problems(&work), "");
}

#[test]
fn en_passant_and_digits() {
    let (_, moves) = imported("1. e4 Cf6 2. e5 d5 3. exd6 e. p. cxd6 *");
    assert_eq!(moves, "e4 Nf6 e5 d5 exd6 cxd6");

    let (work, moves) = imported("1. 5254 5755 2. 7163 2836 3. 6125 *");
    assert_eq!(moves, "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(
        work.query("SELECT notation, language FROM games"),
        "iccf|NULL"
    );
}

#[test]
fn a_file_may_mix_languages() {
    let work = Workplace::new();
    work.import(
        "[Event \"1\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"2\"]\n\n1. e4 e5 2. Sf3 *\n\n\
         [Event \"3\"]\n\n1. e4 e5 2. Кf3 *\n\n[Event \"4\"]\n\n1. P4R P4R 2. C3AR *\n\n\
         [Event \"5\"]\n\n1. e4 e5 2. ♘f3 *\n",
    );

    assert_eq!(work.query("SELECT DISTINCT moves FROM games"), "e4 e5 Nf3");
    assert_eq!(
        work.query("SELECT notation, language FROM games ORDER BY id")
            .replace('\n', " "),
        "NULL|NULL NULL|de NULL|ru descriptive|es NULL|figurine"
    );
    assert_eq!(problems(&work), "");
}

#[test]
fn a_faulty_game_is_kept_up_to_its_fault_in_its_language() {
    let (work, moves) = imported("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Dh6 Cf6 *");
    assert_eq!(moves, "e4 e5 Nf3 Nc6 Bb5 a6");
    assert_eq!(work.query("SELECT language, rest FROM games"), "fr|Dh6 Cf6");
    assert_eq!(
        work.query("SELECT kind, line, column, message FROM problem"),
        "illegal-move|3|34|4. Dh6: White has no legal move that this can mean; no queen can go to h6; \
         the nearest is Qe2"
    );
}

#[test]
fn the_nearest_move_is_named() {
    let (work, _) = imported("1. Nf3 d5 2. Ng1 d4 3. Nh3 e5 4. Nag5 *");
    assert_eq!(
        work.query("SELECT message FROM problem"),
        "4. Nag5: White has no legal move that this can mean; Knight to g5: from h3; the nearest is \
         Ng5"
    );
}

/// English by its king moves.
const ENGLISH: &str = "1. e4 e5 2. Ke2 Ke7 3. Kd3 *";

#[test]
fn letters_may_be_given() {
    let work = Workplace::new();
    work.write("in.pgn", format!("[Event \"?\"]\n\n{ENGLISH}\n"));
    work.stamma("import games.db in.pgn --input-pieces fr")
        .code(1);

    assert_eq!(problems(&work), "unknown-token");

    work.write("on.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Xf3 Xc6 *\n");
    work.stamma("import games.db on.pgn --input-pieces KDTLX --input-notation san")
        .code(2);
    work.stamma("import games.db on.pgn --input-pieces K,D,T,L,Y")
        .code(1);
    work.write("own.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Yf3 Yc6 *\n");
    work.stamma("import games.db own.pgn --input-pieces KDTLY --input-notation san")
        .success();

    assert_eq!(
        work.query("SELECT language, moves FROM games WHERE id = 3"),
        "KDTLY|e4 e5 Nf3 Nc6"
    );

    work.stamma("import games.db own.pgn --input-notation runes")
        .code(2);
    work.write("sv.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Sf3 Sc6 *\n");
    work.stamma("import games.db sv.pgn --input-pieces SV")
        .success();

    assert_eq!(
        work.query("SELECT language FROM source ORDER BY id DESC LIMIT 1"),
        "sv"
    );
    assert!(work.output("info games.db").contains("san sv"));
}

/// `R` is a rook in English and a king in French; both may go to f1.
const UNDECIDED: &str =
    "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/6K1/1R6 w - - 0 1\"]\n\n1. Rf1 *\n\n";

#[test]
fn the_files_language_decides() {
    let last_game = |first: &str| {
        let work = Workplace::new();
        work.import(format!("{first}{UNDECIDED}"));
        work.query("SELECT moves FROM games ORDER BY id DESC LIMIT 1") + "|" + &problems(&work)
    };

    let french = "[Event \"?\"]\n\n1. e4 e5 2. Cf3 Cc6 3. Fb5 *\n\n";
    let english = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n";
    assert_eq!(last_game(&french.repeat(3)), "Kf1|ambiguous-language");

    let mixed = french.to_owned() + &english.repeat(3);
    assert_eq!(last_game(&mixed), "Rf1|ambiguous-language");
    assert_eq!(last_game(&english.repeat(3)), "Rf1|ambiguous-language");
}

#[test]
fn a_conversion_reads_as_an_import_does() {
    let work = Workplace::new();
    let french = "[Event \"?\"]\n\n1. e4 e5 2. Cf3 Cc6 3. Fb5 *\n\n";

    for (file, last) in [
        (french.repeat(3) + UNDECIDED, "Kf1 *"),
        (UNDECIDED.to_owned(), "Rf1 *"),
    ] {
        work.write("in.pgn", file);
        let converted = work.stamma("convert in.pgn").code(1);
        let converted = String::from_utf8_lossy(&converted.get_output().stdout).into_owned();
        assert!(converted.trim_end().ends_with(last), "{converted}");
    }

    let converted = work.output("convert in.pgn --input-pieces fr");
    assert!(converted.trim_end().ends_with("Kf1 *"), "{converted}");
}

#[test]
fn a_variation_may_be_ambiguous_alone() {
    let text = "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/P7/6K1/1R6 w - - 0 1\"]\n\n1. a4 (1. Rf1) *\n";
    let work = Workplace::new();
    work.import(text);
    assert_eq!(problems(&work), "ambiguous-language");
    work.import(text.replace("Rf1", "Rb7"));
    assert_eq!(work.query("SELECT count(*) FROM problem"), "1");
}

#[test]
fn a_mate_mark_decides_the_language() {
    // In Lithuanian, `R` is a bishop.
    let puzzle = |mv: &str| {
        let work = Workplace::new();
        let fen = "6k1/5ppp/8/1B6/8/8/8/4R1K1 w - - 0 1";
        work.import(format!(
            "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {mv} *\n"
        ));
        work.query("SELECT moves FROM games") + "|" + &problems(&work)
    };

    assert_eq!(puzzle("Re8#"), "Re8#|");
    assert_eq!(puzzle("Re8"), "Re8#|ambiguous-language");
}

#[test]
fn letters_that_english_has_may_be_foreign() {
    // A bishop in Romanian is a knight in English; a knight in Dutch is a pawn.
    for (moves, english, other) in [
        ("1. e4 e5 2. f4 exf4 3. Ne2", "Ne2", "Romanian"),
        ("1. e4 e5 2. d4 (2. Ne2 d5) 2... d5", "d5", "Romanian"),
        ("1. e4 e5 2. d4 exd4 3. c3 dxc3 4. Pxc3", "bxc3", "Dutch"),
    ] {
        let (work, read) = imported(&format!("{moves} *"));
        assert!(read.ends_with(english), "{read}");
        let message = work.query("SELECT message FROM problem WHERE kind = 'ambiguous-language'");
        assert!(message.contains(other), "{moves}: {message}");
    }
}

#[test]
fn a_fault_leaves_the_language_as_it_is() {
    let (work, moves) = imported("1. d4 Pf6 2. c4 g6 3. g3 ee 4. Lg2 d5 5. Pf3 Lg7 6. O-O O-O *");
    assert_eq!(moves, "d4 Nf6 c4 g6 g3");
    assert_eq!(work.query("SELECT language FROM games"), "nl");

    let work = Workplace::new();
    let finnish = "[Event \"?\"]\n\n1. e4 Rf6 2. Rc3 Ld6 *\n\n".repeat(3);
    work.import(finnish + "[Event \"?\"]\n\n1. d4 Sf6 2. c4 e6 3. g3 d5 4. Lg2 ee 5. Sf3 Dd6 *\n");

    assert_eq!(
        work.query("SELECT moves FROM games WHERE id = 4"),
        "d4 Nf6 c4 e6 g3 d5 Bg2"
    );
}

#[test]
fn comments_and_the_file_do_not_hide_an_ambiguity() {
    let (work, moves) = imported("1. d4 Pf6 {Niet Best} 2. c4 c5 *");
    assert_eq!(moves, "d4 f6 c4 c5");
    assert_eq!(problems(&work), "ambiguous-language");

    let work = Workplace::new();
    let dutch = "[Event \"?\"]\n\n1. e4 e5 2. Pf3 Pc6 3. Lb5 *\n\n".repeat(2);
    work.import(dutch + "[Event \"?\"]\n\n1. d4 Pf6 2. c4 c5 *\n");

    assert_eq!(
        work.query("SELECT moves FROM games WHERE id = 3"),
        "d4 Nf6 c4 c5"
    );
    assert_eq!(
        work.query("SELECT message FROM problem"),
        "the moves are legal in Dutch and in English, and are not the same"
    );
}

#[test]
fn illegal_coordinates_do_not_change_the_piece() {
    for moves in [
        "1. e2d4 c7c5",
        "1. g1f3 d7d6 2. d2d4 g8f6 3. c2c4 g7g6 4. b1c3 b8g8",
    ] {
        let (work, _) = imported(&format!("{moves} *"));
        assert_eq!(problems(&work), "illegal-move", "{moves}");
    }
}

#[test]
fn queen_promotions_are_preferred() {
    // `V` is a queen in Turkish and a rook in Estonian.
    let work = Workplace::new();
    let fen = "k7/4P3/8/8/8/8/8/K7 w - - 0 1";
    work.import(format!(
        "[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e7-e8=V Ka7 *\n"
    ));

    assert_eq!(work.query("SELECT moves FROM games"), "e8=Q+ Ka7");
    assert_eq!(problems(&work), "ambiguous-language");
}

#[test]
fn coordinates_have_no_letters() {
    let work = Workplace::new();
    let fen = "k7/4P3/8/8/8/8/8/K7 w - - 0 1";
    work.write(
        "in.pgn",
        format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e7e8q *\n"),
    );
    work.stamma("import games.db in.pgn --input-notation uci --input-pieces de")
        .success();

    assert_eq!(work.query("SELECT moves FROM games"), "e8=Q+");
}

#[test]
fn several_books_in_one_game() {
    let (work, moves) = imported(
        "1. e4 e5 2. Cf3 Cc6 3. Fb5 (3. Bc4 Nf6 4. Qe2) 3... a6 4. Fa4 Cf6 (4... Sge7) 5. O-O *",
    );
    assert_eq!(moves, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O");
    assert_eq!(problems(&work), "mixed-language");
    assert_eq!(
        work.query("SELECT notation, language FROM games"),
        "mixed|fr"
    );
}

#[test]
fn a_number_is_not_half_a_move() {
    let (work, moves) = imported("1. 5254 5755 2. 7163 2836 3. 53h4 6857 *");
    assert_eq!(moves, "e4 e5 Nf3 Nc6");
    assert_eq!(problems(&work), "unknown-token");
}

#[test]
fn a_start_in_national_letters() {
    let work = Workplace::new();
    let fen = "tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT b KQkq - 0 1";
    work.import(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1... Cf6 *\n"));

    assert_eq!(
        work.query("SELECT moves FROM games") + &problems(&work),
        "Nf6"
    );
}

#[test]
fn a_move_of_several_pieces_is_ambiguous_in_its_own_language() {
    let work = Workplace::new();
    let fen = "7k/8/8/8/1R3R2/8/8/K7 w - - 0 1";
    work.import(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. R-Q4 *\n"));
    assert_eq!(problems(&work), "ambiguous-move");
}

#[test]
fn a_knight_of_two_letters() {
    let work = Workplace::new();
    let fen = "k7/4P3/8/8/8/8/8/K7 w - - 0 1";
    work.import(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. P-K8(Kt) *\n"));
    assert_eq!(work.query("SELECT moves FROM games"), "e8=N");
}

#[test]
fn insufficient_material_contradicts_a_win() {
    let work = Workplace::new();
    let fen = "7k/8/8/8/8/8/6p1/K4B2 w - - 0 1";
    work.import(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. Bxg2 1-0\n"));
    assert_eq!(problems(&work), "result-contradicts-board");
}

#[test]
fn notations_change_from_move_to_move() {
    // Descriptive, short and long algebraic notation, the numbers of correspondence chess, and coordinates.
    let (work, moves) =
        imported("1. P-K4 e5 2. Ng1-f3 Kt-QB3 3. 6125 (3. Bc4 B-B4) a7a6 4. Bxc6 *");
    assert_eq!(moves, "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6");

    let annotations = work.query("SELECT annotations FROM games");
    assert_eq!(annotations, r#"{"5":["(","Bc4","Bc5",")"]}"#);
    assert_eq!(problems(&work), "");

    // Spanish, in both systems.
    let (work, moves) = imported("1. e4 e5 2. C3AR Cc6 3. Ab5 P3TD *");
    assert_eq!(moves, "e4 e5 Nf3 Nc6 Bb5 a6");
    assert_eq!(problems(&work), "");
}

#[test]
fn a_game_changes_its_language() {
    let (work, moves) = imported("1. e4 e5 2. Nf3 Nc6 (2... Sf6 3. Sxe5 d6 4. Lc4) 3. Bb5 a6 *");
    assert_eq!(moves, "e4 e5 Nf3 Nc6 Bb5 a6");
    assert_eq!(
        work.query("SELECT annotations FROM games"),
        r#"{"4":["(","Nf6","Nxe5","d6","Bc4",")"]}"#
    );
    assert_eq!(
        work.query("SELECT kind, column, text, message FROM problem"),
        "mixed-language|27|Sf6|this is read with the letters of German, the moves before it with the \
         letters of English"
    );
}

#[test]
fn a_fault_is_not_explained_by_another_language() {
    // In Romanian, `N` is a bishop.
    let (work, moves) = imported("1. e4 e5 2. Bc4 Nc6 3. Nb5 a6 *");
    assert_eq!(moves, "e4 e5 Bc4 Nc6");
    assert_eq!(problems(&work), "illegal-move");
}

#[test]
fn pawn_letters_are_not_guessed() {
    // `S` is a knight in German and a pawn in Finnish.
    let (work, moves) = imported("1. e4 e5 2. Sf3 *");
    assert_eq!(moves, "e4 e5 Nf3");
    assert_eq!(problems(&work), "");

    let (work, moves) = imported("1. Be4 Be5 2. Bf4 Bxf4 3. Sf3 *");
    assert_eq!(moves, "e4 e5 f4 exf4 Nf3");
    assert_eq!(work.query("SELECT language FROM games"), "de");
}

#[test]
fn a_dutch_knight_is_no_pawn_in_a_dutch_file() {
    let work = Workplace::new();
    let dutch = "[Event \"?\"]\n\n1. e4 e5 2. Pf3 Pc6 3. Lb5 *\n\n".repeat(2);
    work.import(dutch + "[Event \"?\"]\n\n1. Pf3 Pf6 *\n");
    let last = "SELECT moves, language FROM games ORDER BY id DESC LIMIT 1";
    assert_eq!(work.query(last), "Nf3 Nf6|nl");
}

#[test]
fn threads_change_nothing() {
    let work = Workplace::new();
    let games = originals(&work);
    let mut pgn = String::new();

    for round in 0..120 {
        for (number, (result, moves)) in games.iter().enumerate() {
            let language = &LANGUAGES[(round * 7 + number) % LANGUAGES.len()];
            let notation = Notation::ALL[(round + number) % Notation::ALL.len()];

            let style = Style {
                notation,
                letters: &language.letters,
                chess960: false,
            };

            let game = game_in_style(result, moves, &style);

            // Some games with a fault, behind which their language must not change.
            if number % 9 == 8 {
                pgn += &game.replacen("4. ", "4. Qq9 ", 1);
            } else {
                pgn += &game;
            }
        }
    }

    assert!(pgn.len() > 1 << 20, "more than a batch");

    work.write("in.pgn", pgn);
    let tables = |threads: u32| {
        let _ = std::fs::remove_file(work.path("games.db"));
        work.stamma(&format!("import games.db in.pgn --threads {threads}"))
            .code(1);

        let queries = [
            "SELECT * FROM game",
            "SELECT * FROM movetext",
            "SELECT * FROM position_block",
            "SELECT game_id, kind, line, message FROM problem",
            "SELECT notation, language, games, problems FROM source",
        ];
        queries.map(|sql| work.query(sql)).join("\n")
    };

    assert!(tables(1) == tables(4), "one and four threads");
}
