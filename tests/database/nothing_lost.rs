//! Every word of a source is in its export, in its place. An export of an export is the same text.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::support::corpus;
use crate::support::program::{Workplace, games};
use stamma::input::{Encoding, decode, find_files};
use stamma::pgn::{Span, split};

/// Words with their counts in a text: letters and digits only, since the rest is PGN's layout.
fn words(text: &str) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !is_layout(word) {
            *words.entry(word.to_owned()).or_default() += 1;
        }
    }

    words
}

/// Text that exports rewrite: move numbers, and mere marks of moves.
fn is_layout(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.is_empty() || word.len() <= 3 && is_number
}

/// The export of sources, and the export of this export.
fn exports(sources: &[Vec<u8>]) -> (String, String) {
    let work = Workplace::new();
    for (number, bytes) in sources.iter().enumerate() {
        work.write(&format!("in/{number:04}.pgn"), bytes);
    }

    // Some folders contain a file twice, which a conversion does not detect.
    work.stamma("import games.db in --again");
    work.stamma("export games.db -o first.pgn").success();

    work.write("again/in.pgn", work.read("first.pgn"));
    work.stamma("import again.db again/in.pgn");
    work.stamma("export again.db -o second.pgn").success();

    // A conversion is an import and an export in one.
    work.stamma("convert in -o converted.pgn");
    let first = work.read("first.pgn");
    let second = work.read("second.pgn");
    let converted = work.read("converted.pgn");
    assert!(converted == first, "a conversion differs");

    (first, second)
}

/// The words that an export lacks.
fn lost_words(source: &str, export: &str) -> Vec<String> {
    let exported = words(export);
    let mut lost = Vec::new();
    for (word, count) in words(source) {
        let found = exported.get(&word).copied().unwrap_or(0);
        if found < count {
            lost.push(word);
        }
    }

    lost
}

fn keeps_all(source: &str) -> String {
    let sources = [source.as_bytes().to_vec()];
    let (first, second) = exports(&sources);

    assert_eq!(lost_words(source, &first), [""; 0], "{first}");
    assert_eq!(first, second, "{source}");

    first
}

macro_rules! keeps {
    ($($name:ident: $source:expr => $($part:expr),+;)*) => {$(
        #[test]
        fn $name() {
            let export = keeps_all($source);
            $(assert!(export.contains($part), "{export}");)+
        }
    )*};
}

keeps! {
    text_first: "About this file\n\n[Event \"A\"]\n\n1. e4 *\n" => "%About this file\n\n[Event";
    text_last: "[Event \"A\"]\n\n1. e4 *\n\nThe end\n" => "1. e4 *\n\n%The end\n\n";
    text_between: "[Event \"A\"]\n\n1. e4 *\n\nRound two\n\n%old\n[Event \"B\"]\n\n1. d4 *\n"
        => "1. e4 *\n\n%Round two\n\n%old\n\n[Event \"B\"]";
    line_comment_between: "1. e4 *\n\n; a } {note\n\n1. d4 *\n" => "%; a } {note\n";
    line_comments_behind: "1. e4 * ; first\n; second\n\n1. d4 *\n" => "; first";
    signs_in_a_game: "[Event \"A\"]\n% tags\n[Site \"b\"]\n% before\n1. e4 (1. d4\n%within\nd5) e5\n%behind\n*\n"
        => "% tags\n% before\n1. e4 (1. d4\n%within\n", "\n%behind\n*";
    invalid_tag: "[Event \"A\"]\n[White Tal]\n[Black \"Botvinnik\"]\n\n1. e4 *\n" => "{[White Tal]}";
    invalid_nag: "1. e4 $999 e5 $x *\n" => "{$999}", "{$x}";
    tag_without_its_bracket: "[Event \"A\"]\n(Site \"B\")\nWhite \"C\"]\n[Black \"D\"]\n\n1. e4 *\n"
        => "[Black \"D\"]", "{(Site \"B\")}", "{White \"C\"]}";
    tag_value_of_two_lines: "[Event \"A\"]\n[Site \"on\nthe Volga\"]\n[Black \"B\"]\n\n1. e4 *\n"
        => "[Black \"B\"]", "{[Site \"on}", "{the Volga\"]}";
    markup_behind_tags: "[Event \"A\"]<br>\n[White \"B\"] <br>\n<p>\n1. e4 *\n"
        => "[White \"B\"]", "{<br>} {<br>} {<p>} 1. e4 *";
    text_within_a_tag: "[Event \"A\"]\n[White \"Smith, J.\" {Elo 1500, see note}]\n[Black \"B\"]\n\n1. e4 *\n"
        => "[White \"Smith, J.\"]\n[Black \"B\"]", ";{Elo 1500, see note}\n1. e4";
    words_within_a_tag: "[Event \"A\" lost words]\n[Site \"b\"]\n\n1. e4 *\n"
        => "[Event \"A\"]\n[Site \"b\"]", "{lost words} 1. e4";
    words_behind_a_tag: "[Event \"A\"] lost words\n[Site \"b\"]\n\n1. e4 *\n"
        => "[Event \"A\"]\n[Site \"b\"]", "{lost words} 1. e4";
    bracket_behind_a_tag: "[Event \"A\"]\n[White \"B\"]]\n[Black \"C\"]\n\n1. e4 e5 1-0\n"
        => "[White \"B\"]\n[Black \"C\"]", "1. e4 e5 1-0";
    bracket_and_words_behind_a_tag: "[Event \"A\"]\n[White \"B\"]] ] Karl\n[Black \"C\"]\n\n1. e4 e5 1-0\n"
        => "[White \"B\"]\n[Black \"C\"]", "{Karl} 1. e4 e5 1-0";
    comments_behind_tags: "[Event \"A\"] ; x\n[White \"B\"] {y} {z}\n{v}\n[Black \"C\"]\n\n1. e4 e5 1-0\n"
        => "[White \"B\"]\n[Black \"C\"]", "{ x} {y} {z} {v} 1. e4";
    numbers_behind_tags: "[Event \"A\"] (2501)\n[White \"B\"] 2502\n[Black \"C\"] Elo1503\n[Site \"D\"]\n\n1. e4 e5 1-0\n"
        => "[White \"B\"]\n[Black \"C\"]", "{(2501)} {2502} {Elo1503} 1. e4";
    two_tags_and_one_bracket: "[Event \"A\"]\n[White \"Smith\" [Black \"Jones\"]\n\n1. e4 *\n"
        => "[White \"Smith\"]\n[Black \"Jones\"]";
    moves_behind_an_open_tag: "[Event \"A\" 1. e4 e5 *\n" => "[Event \"A\"]", "{1. e4 e5 *}";
    results_with_spaces: "1. e4 e5 2. Nf3 Nc6 1 - 0\n\n1. d4 1/2 : 1/2\n"
        => "2. Nf3 Nc6 1-0\n", "1. d4 1/2-1/2\n";
    results_with_two_dashes: "1. e4 e5 2. Nf3 Nc6 1 -- 0\n" => "2. Nf3 Nc6 1-0\n";
    results_of_two_zeros: "1. e4 e5 2. Nf3 Nc6 0 - 0\n" => "2. Nf3 Nc6 ";
    castling_with_spaces: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0 - 0 Nf6 *\n" => "4. O-O Nf6 *";
    odd_tokens: "1. e4 e5 2. Nf3!? \\$14 {or} (2. Nc3 [#] Nc6 {x}) 2... Nc6 <br> 3. Bb5 @mark@ a6 *\n"
        => "2. Nf3 $5 $14 {or} (2. Nc3 {[#]} 2... Nc6 {x}) 2... Nc6 {<br>} 3. Bb5\n{@mark@} 3... a6 *";
    numbers_beside_words: "1. e4 e5 2. Nf3 Nc6 12s 3. Bb5 5 minutes a6 1 / 2 (0.00) 4. Ba4 Nf6 1.5 5. O-O *\n"
        => "{12s}", "{5 minutes}", "{1 / 2}", "{0.00}", "{1.5}", "5. O-O *";
    nested_braces: "1. e4 {this {is a} nested {comment}} 1... e5 2. Nf3 *\n"
        => "1. e4 {this {is a} {nested} {comment} 1... e5 2. Nf3 *";
    stray_brace: "1. e4 {why} } e5 } *\n" => "1. e4 {why} 1... e5 *";
    stray_parenthesis: "1. e4 ) e5 *\n" => "1. e4 e5 *";
    unclosed_comment: "1. e4 {going on\n\n[Event \"B\"]\n\n1. d4 *\n" => "{going on}", "[Event \"B\"]";
    unclosed_variation: "1. e4 (1. d4 d5\n" => "(1. d4 d5)";
    illegal_move: "1. e4 e5 2. Ke3 {why} Nf6 (2... d5) 1-0\n" => ";Ke3 {why} Nf6 (2... d5)";
    illegal_in_a_variation: "1. e4 (1. Ke3 Nf6) e5 *\n" => "( {Ke3 Nf6})";
    text_after_end: "1. e4 1-0 and then\nthey drank\n" => "{and then they drank}";
    atomic: "[Event \"A\"]\n[Variant \"Atomic\"]\n[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n\n1. Nf3 {x\ny} f6 *\n"
        => "[Variant \"Atomic\"]", "1. Nf3 {x\ny} f6";
    unclosed_comment_of_another_variant: "[Event \"A\"]\n[Variant \"Horde\"]\n\n1. e4 {going on *\n" => "going on";
    unclosed_variation_of_another_variant: "[Variant \"Horde\"]\n\n1. e4 (1. d4 {x *\n" => "{1. e4 (1. d4 {x *}\n*";
    unknown_start: "[Event \"A\"]\n[FEN \"nonsense\"]\n[SetUp \"1\"]\n\n1. e4 *\n" => "[FEN \"nonsense\"]", "1. e4";
    latin: "1. e4 {R\u{e9}ti \u{2013} caf\u{e9}} *\n\nch\u{e2}teau\n" => "%ch\u{e2}teau";
    zeros: "1. e4 *\n\n\0\0end\0\n" => "end";
}

#[test]
fn a_single_game_is_written_alone_and_ranges_add_up() {
    let work = Workplace::new();
    work.import("one\n\n1. e4 *\n\ntwo\n\n1. d4 *\n\nthree\n\n1. c4 *\n\nfour\n");
    work.write("more.pgn", "five\n\n1. b4 *\n\nsix\n");
    work.stamma("import games.db more.pgn").code(1);

    let export = |games: &str| work.output(&format!("export games.db {games}"));
    assert!(!export("--games 2").contains('%'));
    assert!(!export("--games 1,2").contains('%'));
    assert_eq!(export("--games 1-2") + &export("--games 3-4"), export(""));
    assert!(export("--games 1-2").ends_with("1. d4 *\n\n"));

    work.stamma("delete games.db --games 1,3-4 --yes").success();
    let texts = "one two three four five six";
    let left = export("");
    let exported: Vec<&str> = left
        .lines()
        .filter_map(|line| line.strip_prefix('%'))
        .collect();
    assert_eq!(exported.join(" "), texts);

    let stored = work.query("SELECT text FROM source_text");
    assert_eq!(stored.replace('\n', " "), texts);
}

#[test]
fn ranges_of_games_and_texts_cover_a_source() {
    let work = Workplace::new();
    work.import("%a\n\nb\n1. e4 *\n\nc\r\n%d\n\n[Event \"B\"]\n\n*\n\n; e\n");

    let parts = work.query(
        "SELECT byte_offset, byte_length FROM game UNION ALL
         SELECT byte_offset, byte_length FROM source_text ORDER BY byte_offset",
    );

    let mut end = 0;
    for part in parts.lines() {
        let (start, length) = part.split_once('|').expect("two columns");
        assert_eq!(start.parse(), Ok(end));
        end += length.parse::<usize>().expect("a number");
    }

    assert_eq!(work.query("SELECT bytes FROM source"), end.to_string());
}

/// Folders whose exports lack a word, or change when exported again.
fn unfaithful(root: &Path) -> Vec<String> {
    let mut found = Vec::new();

    for (folder, sources) in sources_by_folder(root) {
        if sources.is_empty() {
            continue;
        }

        let mut text = String::new();
        for bytes in &sources {
            text += decode(bytes, Encoding::UTF_8).text();
            text.push('\n');
        }

        let (first, second) = exports(&sources);
        let mut lost = lost_words(&text, &first);
        lost.retain(|word| !may_be_move(word));

        let is_same = first == second;
        if !lost.is_empty() || !is_same {
            let folder = folder.display();
            let count = lost.len();
            found.push(format!(
                "{folder}: {count} lost {lost:.20?}, again {is_same}"
            ));
        }
    }

    found
}

/// The files with games, grouped by folder, so that a thousand small files are one import. Equal files of a folder are
/// imported once.
fn sources_by_folder(root: &Path) -> BTreeMap<PathBuf, Vec<Vec<u8>>> {
    let mut folders: BTreeMap<PathBuf, Vec<Vec<u8>>> = BTreeMap::new();
    for path in find_files(root).expect("PGN files") {
        let bytes = std::fs::read(&path).expect("a file");
        let folder = path.parent().unwrap_or(root).to_owned();
        let sources = folders.entry(folder).or_default();
        let has_games = split(&bytes).any(|span| matches!(span, Span::Game(_)));

        if has_games && !sources.contains(&bytes) {
            sources.push(bytes);
        }
    }

    folders
}

/// Returns `true` for words that may be part of a move or a sign, which exports respell: `e7e8`, `o-o`, `Z0`, `N`
/// (`$146`).
fn may_be_move(word: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    word.as_bytes().windows(2).any(is_square) || matches!(word, "o" | "Z0" | "N")
}

#[test]
fn historical_games_keep_their_words() {
    assert_eq!(unfaithful(&games()), [""; 0]);
}

#[test]
#[ignore = "a minute: each folder through databases"]
fn the_corpus_keeps_its_words() {
    for name in ["suites", "dirty"] {
        if let Some(root) = corpus::path(name) {
            assert_eq!(unfaithful(&root), [""; 0], "{name}");
        }
    }
}
