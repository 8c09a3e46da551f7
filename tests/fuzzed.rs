//! What holds for any bytes: a few seconds of what the targets in `fuzz/` look for without end, and the
//! inputs that they have found.

mod support;

use std::fmt;
use std::fs;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[cfg(feature = "chessbase")]
use support::invariants::chessbase;
use support::invariants::{block, fen, notation, reader, replay, round_trip, scid};
use support::program;

macro_rules! holds {
    ($($name:ident: $what:path, $bytes:expr;)*) => {$(
        #[test]
        fn $name() {
            let bytes: &[u8] = $bytes.as_ref();
            $what(bytes);
        }
    )*};
}

holds! {
    nothing_is_read: reader::hold, b"";
    a_fen_longer_than_the_moves: replay::hold, b"[FEN \"8/8/8/x\"]\n\n*";
    a_draw_that_is_shorter_than_written: replay::hold, "[Result \"1-0\"]\n\n½-½";
    half_a_draw_by_mate: replay::hold, "1. f3 e5 2. g4 Qh4 1/2";
    a_comment_of_another_variant_is_not_closed: round_trip::hold, b"[Variant \"Atomic\"]\n\n1. Nf3 {";
    a_variation_of_another_variant_is_not_closed: round_trip::hold, b"[Variant \"Atomic\"]\n\n1. Nf3 (";
    no_tag_before_a_start_that_is_none: round_trip::hold, b"[a\n[FEN \"7\"]\n\n*";
    another_event_on_the_same_line: round_trip::hold, b"[Event \"A\"][Event \"B\"]\n\n*";
    a_broken_tag_before_another_variant: round_trip::hold, b"[E\"\"\n\"\n[Variant\"c\"]a\r\"\n[e\"\"";
    a_comment_like_the_end_of_a_tag: round_trip::hold, b"[A \"\"]\n\n$4 ;\"] }\"]\n*";
    words_and_a_nag: round_trip::hold, "1. e4 \\$14 oops (1. d4 \\$x [#] d5) e5 1 : 0";
    results_of_words: round_trip::hold, "[Result \"Remis\"]\n\n1. e4 Black resigns";
    a_form_feed_behind_a_tag: reader::hold, b"[A \"b\"]\x0c";
    line_separators_between_words: replay::hold, "1. e4 e5 \u{2028}\u{a0}x *\n";
    words_behind_a_tag: round_trip::hold, b"[A \"b\" {c}]\n[D \"e\"] f\n[G \"h\" [I \"j\"]\n\n1. e4 *";
    games_of_a_segment_have_numbers_beyond_all: block::hold, b"\x04\x00\x20\x00\x00\x01\x00\xff\xff\xff\xff\xff";
}

macro_rules! hold_repeated {
    ($($name:ident: $head:literal, $unit:literal;)*) => {$(
        #[test]
        fn $name() {
            let text = $head.to_owned() + &$unit.repeat(MANY);
            reader::hold(text.as_bytes());
            round_trip::hold(text.as_bytes());
        }
    )*};
}

/// Many more than any game has.
const MANY: usize = 20_000;

hold_repeated! {
    parentheses: "1. e4 ", "(";
    closing_parentheses: "1. e4 ", ") e5 ";
    nested_variations: "1. e4 e5 ", "(1... d5 ";
    variations_side_by_side: "1. e4 ", "(1. d4 d5) ";
    variations_in_another_language: "1. Cf3 ", "{a} (1. Fe2) ";
    unclosed_comments: "1. e4 ", "{ ";
    spaces_in_a_comment: "1. e4 {", " ";
    comments: "1. e4 ", "{a} ;b\n";
    tags: "", "[A \"b\"]\n";
    tags_without_an_end: "[Event \"A\"]\n", "[A \"b\"\n";
    quotes: "[A \"", "\" ";
    backslashes: "[A \"", "\\";
    games: "", "[Event \"A\"]\n\n*\n\n";
    games_that_begin_in_comments: "", "[Event \"A\"]\n\n{\n";
    results: "1. e4 ", "1-0 ";
    results_of_a_variant: "[Variant \"Atomic\"]\n\n", "1-0 { ";
    words_of_a_move: "1. e4 ", "e.p. ";
    numbers: "1. e4 ", "1. ";
    digits: "1. e4 ", "1";
    dashes: "1. e4 ", "-";
    faults: "1. e4 ", "$300 ";
    escaped_faults: "1. e4 ", "\\$300 \\$14 ";
    stray_words: "1. e4 ", "oops ";
    words_and_moves: "1. e4 e5 ", "oops 2. Nf3 to Nf6 <br> Ng1 Ng8 ";
    results_apart: "1. e4 (", "1 - 0 ";
    spaces_of_other_kinds: "1. e4 ", "\u{a0}";
    tags_and_their_brackets_apart: "", "[A \"b\" ] ";
    tags_without_brackets: "", "[A \"b\" ";
    words_behind_tags: "", "[A \"b\" c [D \"e\"] words\n";
    the_same_position: "", "Nf3 Nf6 Ng1 Ng8 ";
    the_same_position_in_another_language: "1. Cf3 Cf6 2. ", "Cg1 Cg8 Cf3 Cf6 ";
    lines_of_old_computers: "", "%\r";
}

/// White space of all kinds, and other characters that are not seen.
fn unseen_characters() -> impl Iterator<Item = char> {
    let all = '\0'..=char::MAX;
    let is_unseen = |c: &char| c.is_whitespace() || c.is_control();

    // Format characters of Unicode: separators and joiners without width, marks of direction, and the byte order mark.
    let without_width = [
        '\u{180e}', '\u{200b}', '\u{200e}', '\u{202e}', '\u{2060}', '\u{feff}',
    ];
    all.filter(is_unseen).chain(without_width)
}

/// Places in a game where such a character may stand, marked by `~`.
const PLACES: &[&str] = &[
    "~[A \"b\"]\n\n1. e4 *\n",
    "[~A~\"b~\"~]\n\n1. e4 *\n",
    "[A \"b\"]~",
    "[A \"b\"]~\n[C \"d\"]~~\n\n1. e4 *\n",
    "[A \"b\"] ~ x\n[C \"d\"]\n\n1. e4 *\n",
    "[A \"b\"] ~]~\n[C \"d\"]\n\n1. e4 *\n",
    "[A \"b\" ~c~\n~x~\n[D \"e\"\n~\n1. e4 *\n",
    "[A \"b\"]\n~{x}~{y}~\n[C \"d\"]\n~;z~\n[E \"f\"]\n~\n~1. e4 *\n",
    "[A \"b\"]\n~%x~\n%~y\n[C \"d\"]\n~\n1. e4~\n%z~\n~%z\ne5 *\n",
    "1.~e4~e5 2.~Nf3 ~Nc6~ *~\n",
    "1. e4 e5 ~~x *\n",
    "1. e4 e5 x~y ~ z~ 2. Nf3 *\n",
    "1. e4 e5 ~\u{a0}x *\n",
    "1. e4 e5 e.~p. 2. exd6~e.p. ~ ch *\n",
    "1. e4 ~(~1. d4~)~ {~x~} $~14 !~? 1~-~0\n",
    "1. e4 e5 2~oops Nf3 ~12~ oops ~ Nc6 3~d4 *\n",
    "4. 0~-~0 Nf6 ½~-~½~\n",
    "1. e4 e5 ~Black~resigns~\n",
    "1. e4 *~\n~\n~1. d4 *\n~\nwords~\n~\n1. c4\n~\n1. e4 e5~\n",
    "[FEN~\"~4k3/8/8/8/8/8/8/4K2R~w~K~-~0~1~\"]\n\n1. O-O *\n",
];

#[test]
fn unseen_characters_are_read_wherever_they_stand() {
    for character in unseen_characters() {
        for place in PLACES {
            let text = place.replace('~', &character.to_string());

            // Reading, playing, and writing.
            reader::hold(text.as_bytes());
            replay::hold(text.as_bytes());
            round_trip::hold(text.as_bytes());
        }
    }
}

/// The files of real games.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for file in fs::read_dir(program::games()).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            files.push(fs::read(path).expect("a file"));
        }
    }

    files
});

/// The words of a dictionary of libFuzzer.
fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let quoted = dictionary
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescape).collect()
}

/// The bytes of a word, in which `\\` stands before a quote or a backslash, and `\x` before two digits.
fn unescape(quoted: &str) -> Vec<u8> {
    let mut bytes = quoted.bytes();
    std::iter::from_fn(|| next_byte(&mut bytes)).collect()
}

fn next_byte(bytes: &mut std::str::Bytes<'_>) -> Option<u8> {
    let first = bytes.next()?;
    if first != b'\\' {
        return Some(first);
    }

    let escaped = bytes.next()?;
    if escaped != b'x' {
        return Some(escaped);
    }

    let digits = [bytes.next()?, bytes.next()?];
    let digits = str::from_utf8(&digits).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

/// A change to some bytes, at places that are chosen by their share of the length.
#[derive(Clone, Debug)]
enum Change {
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
    Replace(prop::sample::Index, u8),
    Repeat(prop::sample::Index, usize),
}

impl Change {
    fn any(words: Vec<Vec<u8>>) -> impl Strategy<Value = Change> {
        let at = any::<prop::sample::Index>;
        let word = prop::sample::select(words);

        // Words of the format lead further into the code than single bytes do.
        let insert = (at(), word).prop_map(|(at, word)| Change::Insert(at, word));
        let remove = (at(), 1..40_usize).prop_map(|(at, length)| Change::Remove(at, length));
        let replace = (at(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte));
        let repeat = (at(), 1..200_usize).prop_map(|(at, length)| Change::Repeat(at, length));
        prop_oneof![
            4 => insert,
            2 => remove,
            1 => replace,
            1 => repeat,
        ]
    }

    fn make(&self, bytes: &mut Vec<u8>) {
        let place = |at: &prop::sample::Index, bytes: &[u8]| at.index(bytes.len() + 1);
        let end = |start: usize, length: &usize, bytes: &[u8]| (start + length).min(bytes.len());

        match self {
            Change::Insert(at, word) => {
                let at = place(at, bytes);
                bytes.splice(at..at, word.iter().copied());
            }
            Change::Remove(at, length) => {
                let at = place(at, bytes);
                bytes.drain(at..end(at, length, bytes));
            }
            Change::Replace(at, with) => {
                let at = place(at, bytes);
                bytes.splice(at..end(at, &1, bytes), [*with]);
            }
            Change::Repeat(at, length) => {
                let at = place(at, bytes);
                let part = bytes[at..end(at, length, bytes)].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
}

/// Bytes that are shown as text.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

fn with_changes(mut bytes: Vec<u8>, changes: &[Change]) -> Bytes {
    for change in changes {
        change.make(&mut bytes);
    }

    Bytes(bytes)
}

/// A part of a file of real games, with changes.
fn changed_games() -> impl Strategy<Value = Bytes> {
    let words = words(include_str!("../fuzz/dictionaries/pgn.dict"));
    let at = any::<prop::sample::Index>;
    let length = 100..2_000_usize;
    let changes = prop::collection::vec(Change::any(words), 0..12);

    // A file, and the part of it that begins at a place.
    let parts = (at(), at(), length, changes);
    parts.prop_map(|(file, start, length, changes)| {
        let file = file.get(&FILES);
        let start = start.index(file.len());
        let end = (start + length).min(file.len());

        let part = file[start..end].to_vec();
        with_changes(part, &changes)
    })
}

/// A FEN with changes.
fn changed_fens() -> impl Strategy<Value = Bytes> {
    let words = words(include_str!("../fuzz/dictionaries/fen.dict"));

    // A word of the dictionary, such as a board or the fields behind it.
    let fen = prop::sample::select(words.clone());
    let changes = prop::collection::vec(Change::any(words), 0..8);

    let fen_and_changes = (fen, changes);
    fen_and_changes.prop_map(|(bytes, changes)| with_changes(bytes, &changes))
}

/// Moves from the start, and a text of some words.
fn moves_and_text() -> impl Strategy<Value = Bytes> {
    let words = words(include_str!("../fuzz/dictionaries/pgn.dict"));
    // No byte is a line feed, 10, which ends the moves.
    let moves = prop::collection::vec(11..=255_u8, 0..40);
    let text = prop::collection::vec(prop::sample::select(words), 0..3);

    (moves, text).prop_map(|(mut bytes, words)| {
        bytes.push(b'\n');
        bytes.extend(words.concat());
        Bytes(bytes)
    })
}

/// The same cases in every run, so that a change that is none of theirs does not fail by chance; who looks for
/// more sets `PROPTEST_RNG_SEED`, or lets the targets run.
fn cases(cases: u32) -> ProptestConfig {
    let chosen = std::env::var_os("PROPTEST_RNG_SEED").is_some();
    let default = ProptestConfig::with_cases(cases);
    let rng_seed = if chosen {
        default.rng_seed
    } else {
        RngSeed::Fixed(1)
    };

    ProptestConfig {
        failure_persistence: None,
        rng_seed,
        ..default
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn changed_games_are_read(bytes in changed_games()) {
        reader::hold(&bytes.0);
    }

    #[test]
    fn changed_games_are_replayed(bytes in changed_games()) {
        replay::hold(&bytes.0);
    }

    #[test]
    fn changed_games_come_back(bytes in changed_games()) {
        round_trip::hold(&bytes.0);
    }

    #[test]
    fn changed_databases_of_scid_are_read(
        version in any::<u8>(),
        changes in prop::collection::vec(any::<[u8; 4]>(), 1..6),
    ) {
        scid::hold(&[&[version][..], &changes.concat()].concat());
    }

    #[test]
    #[cfg(feature = "chessbase")]
    fn changed_databases_of_chessbase_are_read(
        form in any::<u8>(),
        changes in prop::collection::vec(any::<[u8; 4]>(), 1..6),
    ) {
        chessbase::hold(&[&[form][..], &changes.concat()].concat());
    }

    #[test]
    fn changed_fens_are_read(bytes in changed_fens()) {
        fen::hold(&bytes.0);
    }

    #[test]
    fn words_mean_moves_or_none(bytes in moves_and_text()) {
        notation::hold(&bytes.0);
    }

    #[test]
    fn any_index_answers_or_refuses(bytes in prop::collection::vec(any::<u8>(), 4..200)) {
        block::hold(&bytes);
    }
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn changed_games_come_back_from_databases(bytes in changed_games()) {
        round_trip::hold_through_database(&bytes.0);
    }
}
