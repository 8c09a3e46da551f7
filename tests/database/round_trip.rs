//! Imported and exported games stay the same, and exporting again changes no byte.

use crate::support::program::Workplace;
use crate::support::random_movetexts::{item, write_items};
use proptest::prelude::*;
use stamma::board::Position;
use stamma::export::write_pgn;
use stamma::notation::{Style, san};
use stamma::pgn::Termination;
use stamma::replay::{ProblemKind, Readings, Replay, replay};

/// A game as it is exported from a database, with its termination marker as its result.
fn exported_game(game: &Replay<'_>) -> String {
    // A database has one result of a game; the tag of a text may say otherwise than its marker.
    let mut stored = game.game.clone();
    stored.result = stored.termination.unwrap_or(Termination::Unknown);

    let mut out = Vec::new();
    let style = Style::pgn();
    write_pgn(&stored, &style, &mut out).expect("a game as it is replayed");
    String::from_utf8(out).expect("UTF-8")
}

/// Reads, writes and reads a game; returns what was written.
fn round_trip(text: &str) -> String {
    // A text may be without moves.
    let faults = |game: &Replay<'_>| -> Vec<ProblemKind> {
        let kinds = game.problems.iter().map(|problem| problem.kind);
        kinds.filter(|&kind| kind != ProblemKind::NoMoves).collect()
    };

    let first = replay(text);
    assert_eq!(faults(&first), [], "{text}");

    let out = exported_game(&first);
    let second = replay(&out);
    assert_eq!(faults(&second), [], "{out}");
    assert_eq!(second.game.moves, first.game.moves, "{out}");
    assert_eq!(second.game.annotations, first.game.annotations, "{out}");
    assert_eq!(exported_game(&second), out);

    out
}

macro_rules! writes {
    ($($name:ident: $movetext:expr => $expected:expr;)*) => {$(
        #[test]
        fn $name() {
            let out = round_trip($movetext);
            let (_, movetext) = out.split_once("\n\n").expect("tags and moves");
            assert_eq!(movetext.trim_end(), $expected);
        }
    )*};
}

writes! {
    nothing: "*" => "*";
    plain: "1.e4 e5 2.Nf3 *" => "1. e4 e5 2. Nf3 *";
    number_after_comment: "1. e4 {c} e5 *" => "1. e4 {c} 1... e5 *";
    no_number_after_nag: "1. e4! e5 2. Nf3 $14 *" => "1. e4 $1 e5 2. Nf3 $14 *";
    comment_first: "{first} 1. e4 *" => "{first} 1. e4 *";
    comments_in_a_row: "1. e4 {a} {b} *" => "1. e4 {a} {b} *";
    empty_comment: "1. e4 {} *" => "1. e4 {} *";
    spaces_in_a_comment: "1. e4 { [%clk 0:03:00]  x } *" => "1. e4 { [%clk 0:03:00]  x } *";
    brace_in_a_comment: "1. e4 ;a } b\n e5 *" => "1. e4 ;a } b\n1... e5 *";
    variation: "1. e4 (1. d4 d5 2. c4) e5 *" => "1. e4 (1. d4 d5 2. c4) 1... e5 *";
    variation_of_black: "1. e4 e5 (1... c5) 2. Nf3 *" => "1. e4 e5 (1... c5) 2. Nf3 *";
    nested: "1. e4 (1. d4 (1. c4 {x}) d5) *" => "1. e4 (1. d4 (1. c4 {x}) 1... d5) *";
    comment_opens_a_variation: "1. e4 ({or} 1. d4) *" => "1. e4 ( {or} 1. d4) *";
    variation_before_the_first_move: "(1. d4 d5) 1. e4 *" => "(1. d4 d5) 1. e4 *";
    variation_in_a_variation_without_moves: "1. e4 ((1. d4) 1. c4) e5 *"
        => "1. e4 ( (1. d4) 1. c4) 1... e5 *";
    two_variations: "1. e4 (1. d4) (1. c4) *" => "1. e4 (1. d4) (1. c4) *";
    null_move: "1. e4 -- 2. d4 *" => "1. e4 -- 2. d4 *";
    line_break_in_a_comment: "1. e4 {a\nb} *" => "1. e4 {a b} *";
    tag_at_the_beginning_of_a_line:
        "1. e4 {0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 12345 [Event \"x\"]} *"
        => "1. e4 {0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n12345 [Event \
            \"x\"]} *";
}

#[test]
fn lines_stay_under_80_characters() {
    let mut position = Position::start();
    let mut text = String::new();

    for ply in 0..200 {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
            break;
        };
        text.push_str(&san(&position, mv));
        text.push_str(" {a comment of some words} ");
        position.play(mv);
    }

    let out = round_trip(&(text + "*"));
    assert!(out.lines().count() > 30);
    assert!(out.lines().all(|line| line.chars().count() < 80), "{out}");
}

/// A word that may occur among moves in some language.
fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        "e4 e5 d4 d5 Nf3 Cf3 Sf3 Кf3 ♞f6 Sc6 P-K4 P4R PxP Kt-KB3 5254 5755 7163 e2e4 e7-e5 exd5 0-0 O-O \
         ( ) (=) (Q) (ep) (3) {x} ! ?? $5 ch e.p. e. p. x - C. P.4D 1. 2... 12 ½-½ 1/2 0.5-0.5 1:0 1-0 * \
         remis etc. -- Z0 = +- N [ ] } ; % é Castles KR takes"
            .split_whitespace()
            .collect::<Vec<&str>>(),
    )
}

proptest! {
    #[test]
    fn any_game_round_trips(items in prop::collection::vec(item(), 0..60)) {
        let mut text = String::new();
        write_items(&items, Position::start(), &mut text);
        round_trip(&(text + "*"));
    }

    #[test]
    fn any_tag_round_trips(values in prop::collection::vec("[ -~é♞Ж]{0,40}", 0..12)) {
        let mut text = String::new();
        for (number, value) in values.iter().enumerate() {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");

            // Nine names, so that some tags are repeated.
            text += &format!("[Tag{} \"{escaped}\"]\n", number % 9);
        }
        text += "\n*";

        let game = replay(&text);
        let found: Vec<&str> = game.game.tags.iter().map(|tag| &*tag.value).collect();
        prop_assert_eq!(&found, &values);

        // An export begins with the seven tags of every game.
        let out = exported_game(&game);
        let again = replay(&out);
        let own: Vec<&str> = again.game.tags.iter().skip(7).map(|tag| &*tag.value).collect();
        prop_assert_eq!(own, values);
    }

    #[test]
    fn any_text_is_read(text in "[\\PC\\n]{0,300}") {
        replay(&text);
    }

    #[test]
    fn any_words_are_read(words in prop::collection::vec(word(), 0..60)) {
        let text = words.join(" ");
        let game = Readings::default().replay(&text).replay;

        // The moves as they are stored are read again, without the words around them.
        let again = replay(&game.game.moves);
        prop_assert_eq!(&again.game.moves, &game.game.moves, "{}", text);

        for problem in game.problems {
            prop_assert!(text.is_char_boundary(problem.at));
        }
    }

    #[test]
    fn any_bytes_are_cut_without_gaps(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut end = 0;
        for span in stamma::pgn::split(&bytes) {
            let (stamma::pgn::Span::Game(range) | stamma::pgn::Span::Text(range)) = span;
            prop_assert_eq!(range.start, end);
            prop_assert!(range.end > range.start);
            end = range.end;
        }

        prop_assert_eq!(end, bytes.len());
    }
}

#[test]
fn historical_games_round_trip() {
    let work = Workplace::with_historical_games();

    work.stamma("export games.db -o first.pgn").success();
    work.stamma("import again.db first.pgn").success();
    work.stamma("export again.db -o second.pgn").success();

    let first = work.read("first.pgn");
    assert_eq!(first, work.read("second.pgn"));
    assert_eq!(first.matches("[Event ").count(), 111);
}

#[test]
fn faulty_games_keep_their_text() {
    let work = Workplace::new();
    work.import(
        "[Event \"A\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Ke3 {why} Nf6 (2... d5) 1-0\n\n\
         [Event \"B\"]\n[Variant \"Atomic\"]\n\n1. Nf3 Nf6 *\n\n\
         [Event \"C\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n",
    );

    let rest = work.query("SELECT rest, ply_count, result, terminator FROM games");
    assert_eq!(
        rest,
        "Ke3 {why} Nf6 (2... d5)|2|0-1|1-0\n1. Nf3 Nf6|0|*|NULL\n1. e4|0|*|NULL"
    );

    let out = work.output("export games.db --games 1");
    assert!(
        out.ends_with("1. e4 e5 ;Ke3 {why} Nf6 (2... d5)\n1-0\n\n"),
        "{out}"
    );

    let out = work.output("export games.db --games 3");
    assert!(out.contains("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]"), "{out}");
}

#[test]
fn exporting_an_export_changes_nothing() {
    let work = Workplace::new();
    work.import(
        "[Event \"broken\"]\n\n1. e4 e5 2. Ke3 {why} Nf6 (2... d5) 1-0\n\n\
         [Event \"variant\"]\n[Variant \"Atomic\"]\n\n1. Nf3 { no\nchess } Nf6\n2. Ng5 *\n\n\
         [Event \"no end\"]\n[Result \"0-1\"]\n\n1. e4\n\n\
         [Event \"two ends\"]\n[Result \"0-1\"]\n\n1. e4 1-0\n\n\
         [Event \"glued\"]\n\n1. e4 1/2-1/2`\n\n\
         [Event \"zeros\"]\n\n1. e4 1/2-1/2\0\0\n",
    );
    work.stamma("export games.db -o first.pgn").success();
    work.stamma("import again.db first.pgn").code(1);
    work.stamma("export again.db -o second.pgn").success();

    let first = work.read("first.pgn");
    assert_eq!(first, work.read("second.pgn"));

    let ends: Vec<&str> = first
        .split("\n\n")
        .filter(|part| !part.is_empty() && !part.starts_with('['))
        .collect();
    assert_eq!(
        ends,
        [
            "1. e4 e5 ;Ke3 {why} Nf6 (2... d5)\n1-0",
            "1. Nf3 { no\nchess } Nf6\n2. Ng5\n*",
            "1. e4 0-1",
            "1. e4 1-0",
            "1. e4 {`} 1/2-1/2",
            "1. e4 1/2-1/2",
        ]
    );
    assert_eq!(
        work.query("SELECT kind FROM problem ORDER BY id"),
        "illegal-move\nunsupported-variant\nmissing-terminator\nresult-mismatch\ntext-after-end"
    );
}

#[test]
fn old_letters_become_unicode() {
    let work = Workplace::new();
    work.import(b"[Event \"A\"]\n[White \"R\xe9ti\"]\n\n1. e4 {\x96} Nf9 *\n");
    assert_eq!(work.query("SELECT white FROM games"), "Réti");
    assert_eq!(
        work.query("SELECT byte_offset, line, column FROM problem"),
        "38|4|11"
    );
}
