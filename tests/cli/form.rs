//! Options for the form of output: parts of games, strict or repaired, for exports and conversions alike.

use std::ops::ControlFlow;

use crate::support::corpus::fewer;
use crate::support::program::{Workplace, games, stderr_of, stdout_of};
use crate::support::random_movetexts::{Item, item, write_items};
use crate::support::{corpus, export_format};
use pgn_reader::{Nag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;
use stamma::board::Position;
use stamma::export::{Comments, Nags, PgnForm, PgnWriter, Tags, Variations};
use stamma::notation::{Notation, PieceLetters, Style};
use stamma::pgn::{Span, split};
use stamma::replay::{Readings, Replay, replay};
use stamma::storage::OpeningTable;

const GAME: &str = "[Event \"Form\"]\n[Date \"1972-07-11\"]\n[White \"A\"]\n[Result \"*\"]\n\
    [ECO \"C20\"]\n[Annotator \"B\"]\n\n\
    1. e4! {[%clk 0:03:00] the  usual } e5 $14 (1... c5 $146 {Sicilian} 2. Nf3 (2. c3 d5) 2... d6) \
    2. Nf3+= {[%eval 0.3]} Nc6 $6 3. Bb5 1-0\n\n";

/// The part of an output after the tags of each game.
fn movetexts(output: &str) -> Vec<&str> {
    output.split("\n\n").skip(1).step_by(2).collect()
}

macro_rules! writes {
    ($($name:ident: $arguments:literal => $movetexts:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.import(GAME);
            let converted = stdout_of(&work.stamma(concat!("convert in.pgn ", $arguments)));
            assert_eq!(movetexts(&converted), $movetexts);
            let exported = stdout_of(&work.stamma(concat!("export games.db ", $arguments)));
            assert_eq!(exported, converted);
        }
    )*};
}

writes! {
    no_comments: "--comments drop" => [
        "1. e4 $1 e5 $14 (1... c5 $146 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 $14 Nc6 $6\n3. Bb5 1-0"];
    commands: "--comments commands-only --variations drop" => [
        "1. e4 $1 {[%clk 0:03:00]} 1... e5 $14 2. Nf3 $14 {[%eval 0.3]} 2... Nc6 $6\n3. Bb5 1-0"];
    texts: "--comments text-only --variations drop" => [
        "1. e4 $1 {the  usual} 1... e5 $14 2. Nf3 $14 Nc6 $6 3. Bb5 1-0"];
    divided: "--variations split --nags drop --comments text-only" => [
        "1. e4 {the  usual} 1... e5 2. Nf3 Nc6 3. Bb5 1-0",
        "1. e4 c5 {Sicilian} 2. Nf3 d6 1-0",
        "1. e4 c5 2. c3 d5 1-0"];
    divided_in_another_notation: "--variations split --nags drop --comments drop --notation lan" => [
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 1-0",
        "1. e2-e4 c7-c5 2. Ng1-f3 d7-d6 1-0",
        "1. e2-e4 c7-c5 2. c2-c3 d7-d5 1-0"];
    glyphs: "--nags glyphs --comments drop" => [
        "1. e4! e5+= (1... c5 N 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3+= Nc6?! 3. Bb5 1-0"];
    suffixes: "--nags suffixes --comments drop" => [
        "1. e4! e5 $14 (1... c5 $146 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 $14 Nc6?! 3. Bb5\n1-0"];
    strictly: "--strict --comments drop" => [
        "1. e4 $1 1... e5 $14 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 $14 2... Nc6 $6\n3. Bb5 *"];
}

fn tags(arguments: &str) -> String {
    let work = Workplace::new();
    work.import(GAME);

    let converted = stdout_of(&work.stamma(&format!("convert in.pgn {arguments}")));
    let exported = stdout_of(&work.stamma(&format!("export games.db {arguments}")));
    assert_eq!(exported, converted);

    let (tags, _) = converted.split_once("\n\n").expect("tags");
    tags.to_owned()
}

#[test]
fn tags_are_chosen() {
    assert_eq!(tags("--tags ECO,White"), "[White \"A\"]\n[ECO \"C20\"]");
    assert_eq!(tags("--tags Opening"), "[Event \"?\"]");

    let roster = "[Event \"Form\"]\n[Site \"?\"]\n[Date \"1972-07-11\"]\n[Round \"?\"]\n\
        [White \"A\"]\n[Black \"?\"]\n[Result \"*\"]";
    assert_eq!(tags("--tags roster"), roster);

    let strict = roster.replace("1972-07-11", "1972.07.11");
    assert_eq!(
        tags("--strict"),
        format!("{strict}\n[Annotator \"B\"]\n[ECO \"C20\"]")
    );
}

#[test]
fn the_start_and_the_variant_stay() {
    let work = Workplace::new();
    let tags = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n";
    work.write("in.pgn", format!("[Event \"A\"]\n{tags}\n1. O-O *\n"));

    // Without them, the moves would be other moves, whatever tags are asked for.
    let run = work.stamma("convert in.pgn --tags Event");
    let out = stdout_of(&run);
    assert_eq!(out, format!("[Event \"A\"]\n{tags}\n1. O-O *\n\n"));
}

#[test]
fn repairs_are_rows() {
    let work = Workplace::new();
    work.import(GAME);

    let run = work
        .stamma("export games.db --fix --tags Date,Result --problems rows.jsonl")
        .success();
    assert!(
        stdout_of(&run).starts_with("[Date \"1972.07.11\"]\n[Result \"1-0\"]\n\n"),
        "{}",
        stdout_of(&run)
    );

    let rows = work.read("rows.jsonl");
    let first = "{\"code\":\"repaired\",\"tag\":\"Result\",\"before\":\"*\",\"after\":\"1-0\",\
        \"game\":1,\"message\":\"repaired: Result \\\"*\\\" is written as \\\"1-0\\\"\"}";
    assert_eq!(rows.lines().next(), Some(first));
    assert_eq!(rows.lines().count(), 5);

    let date = "           game 1: Date \"1972-07-11\" is written as \"1972.07.11\"\n";
    let stderr = stderr_of(&run);
    assert!(stderr.contains(date), "{stderr}");

    work.stamma("convert in.pgn --fix -o out.pgn --problems again.jsonl");
    let again = work.read("again.jsonl");
    assert!(
        again.starts_with("{\"code\":\"invalid-date\",\"source\":\"in.pgn\""),
        "{again}"
    );
    assert!(again.ends_with(&rows), "{again}");

    work.stamma("convert out.pgn --fix --problems none.jsonl")
        .success();
    assert_eq!(work.read("none.jsonl"), "");
}

#[test]
fn what_the_standard_changes_is_said() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n[Site \"A\"]\n[Site \"B\"]\n[Result \"1-0\"]\n\n1. e4 $200 -- 2. d4 ;}\n 1-0\n");

    let run = work.stamma("export games.db --strict").code(1);
    assert_eq!(movetexts(&stdout_of(&run)), ["1. e4 {-- d4 ())} 1-0"]);

    let stderr = stderr_of(&run);
    let repeated = "        1  repeated-tag\n           game 1: Site \"B\" is left out\n";
    assert!(stderr.contains(repeated), "{stderr}");

    let null_move = "        1  null-move\n           game 1: \"-- d4 (})\" becomes a comment\n";
    assert!(stderr.contains(null_move), "{stderr}");
}

#[test]
fn choices_that_exclude_each_other_are_refused() {
    let work = Workplace::new();
    work.import(GAME);

    for wrong in [
        "--strict --notation lan",
        "--strict --nags glyphs",
        "--strict --nags suffixes",
        "--tags a,,b",
    ] {
        work.stamma(&format!("convert in.pgn {wrong}")).code(2);
        work.stamma(&format!("export games.db {wrong}")).code(2);
    }

    work.stamma("export games.db --format jsonl --comments drop")
        .code(2);
    work.stamma("export games.db --problems games.db").code(2);
    work.stamma("export games.db -o out.pgn --problems out.pgn")
        .code(2);
}

#[test]
fn escaped_lines_are_chosen_as_comments_are() {
    let work = Workplace::new();
    work.import("about\n\n[Event \"A\"]\n\n1. e4 {x} e5\n%within\n*\n\nend\n");

    let lines = |arguments: &str| {
        let export = format!("export games.db {arguments} --problems rows.jsonl");
        let exported = stdout_of(&work.stamma(&export));
        let converted = stdout_of(&work.stamma(&format!("convert in.pgn {arguments}")));
        assert_eq!(converted, exported);

        let lines = exported.lines().filter(|line| line.starts_with('%'));
        lines.collect::<Vec<&str>>().join(" ")
    };

    assert_eq!(lines("--comments text-only"), "%about %within %end");
    assert_eq!(lines("--comments drop"), "");
    assert_eq!(lines("--comments commands-only"), "");
    assert_eq!(lines("--strict"), "");

    let rows = work.read("rows.jsonl");
    assert_eq!(rows.lines().count(), 3);

    for (row, before) in rows.lines().zip(["about", "%within", "end"]) {
        let part = format!(
            "\"code\":\"escaped-line\",\"tag\":null,\"before\":\"{before}\",\"after\":null,\"game\":1,"
        );
        assert!(row.contains(&part), "{rows}");
    }
}

/// All forms, with some tags.
fn forms() -> Vec<PgnForm> {
    let tags = ["all", "roster", "White,Tag1"].map(|tags| tags.parse::<Tags>().expect("tags"));
    let mut forms = Vec::new();
    for comments in [
        Comments::Keep,
        Comments::Drop,
        Comments::CommandsOnly,
        Comments::TextOnly,
    ] {
        for variations in [Variations::Keep, Variations::Drop, Variations::Split] {
            for nags in [Nags::Keep, Nags::Drop, Nags::Suffixes, Nags::Glyphs] {
                for (of, strict, fix) in [
                    (0, false, false),
                    (1, true, true),
                    (2, false, true),
                    (2, true, false),
                ] {
                    let tags = tags[of].clone();
                    forms.push(PgnForm {
                        comments,
                        variations,
                        nags,
                        tags,
                        strict,
                        fix,
                        ..PgnForm::default()
                    });
                }
            }
        }
    }

    forms
}

fn write(game: &Replay<'_>, writer: &PgnWriter<'_>) -> String {
    let mut out = Vec::new();
    writer
        .write(&game.game, &game.played, &mut out, &mut Vec::new())
        .expect("a game as it is replayed");
    String::from_utf8(out).expect("UTF-8")
}

/// Converts all games of a text once more.
fn write_again(text: &str, writer: &PgnWriter<'_>) -> String {
    let mut out = String::new();
    for span in split(text.as_bytes()) {
        match span {
            Span::Game(range) => {
                let game = replay(&text[range]);
                out += &write(&game, writer);
            }
            Span::Text(range) => panic!("{} between games", &text[range]),
        }
    }

    out
}

/// A writer in a style and a form, which leaves the tags of openings and names as they are.
fn writer(style: Style<'_>, form: PgnForm) -> PgnWriter<'_> {
    PgnWriter {
        style,
        form,
        openings: OpeningTable::Standard,
        names: None,
    }
}

/// A style in an English notation.
fn english(notation: Notation) -> Style<'static> {
    Style {
        notation,
        letters: PieceLetters::english(),
        chess960: false,
    }
}

/// A game of random items, without a game termination marker of its own.
fn random_game(items: &[Item]) -> String {
    let mut text = "[Event \"A\"]\n\n".to_owned();
    write_items(items, Position::start(), &mut text);
    text + "*\n"
}

/// A game written in any form is unchanged by a second conversion, and the strict forms conform to the standard.
fn assert_steady(source: &str) {
    let game = replay(source);
    for form in forms() {
        let writer = writer(Style::pgn(), form);
        let out = write(&game, &writer);
        assert_eq!(
            write_again(&out, &writer),
            out,
            "{:?} of\n{source}",
            writer.form
        );

        if writer.form.strict && !matches!(writer.form.nags, Nags::Suffixes | Nags::Glyphs) {
            assert_eq!(
                export_format::check(&out).err(),
                None,
                "{:?} of\n{source}",
                writer.form
            );
        }
    }
}

#[test]
fn comments_before_text_of_another_variant_stay_comments() {
    assert_steady("[Event \"q\"]\n[bad]\n[Variant \"Atomic\"]\n; c\n\n1. e4 e5 2. Nf3\n\n*\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64 / fewer(3) as u32))]

    #[test]
    fn any_game_in_any_form_is_written_again_as_it_is(
        items in prop::collection::vec(item(), 0..40),
        tags in prop::collection::vec("[ -~é]{0,300}", 0..4),
        result in prop::sample::select(vec!["*", "1-0", "1/2", "", "won"]),
    ) {
        let mut text = format!("[Event \"A\"]\n[Result \"{result}\"]\n");
        for (i, value) in tags.iter().enumerate() {
            // Of four tags, the last has the name of the first.
            let name = i % 3;
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&format!("[Tag{name} \"{escaped}\"]\n"));
        }
        text.push('\n');

        write_items(&items, Position::start(), &mut text);
        assert_steady(&(text + "1-0\n"));
    }

    /// Signs are read back as the original NAGs, in every notation.
    #[test]
    fn any_nag_comes_back_from_its_sign(items in prop::collection::vec(item(), 0..40)) {
        let text = random_game(&items);
        let game = replay(&text);

        for nags in [Nags::Suffixes, Nags::Glyphs] {
            for notation in Notation::ALL {
                let form = PgnForm { nags, ..PgnForm::default() };
                let out = write(&game, &writer(english(notation), form));

                let readings = if notation == Notation::San {
                    Readings::default()
                } else {
                    let language = ("en", PieceLetters::english());
                    Readings::new(Some(language), Some(notation))
                };
                let again = readings.replay(&out).replay;

                prop_assert_eq!(&again.game.moves, &game.game.moves, "{}", out);
                prop_assert_eq!(&again.game.annotations, &game.game.annotations, "{}", out);
            }
        }
    }
}

/// What `pgn-reader` reads in PGN: moves, NAGs, and the ends of variations.
struct Events;

impl Visitor for Events {
    type Tags = Vec<String>;
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(Vec::new())
    }

    fn begin_movetext(&mut self, events: Vec<String>) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(events)
    }

    fn san(&mut self, events: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
        events.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, events: &mut Vec<String>, nag: Nag) -> ControlFlow<Vec<String>> {
        events.push(nag.to_string());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, events: &mut Vec<String>) -> ControlFlow<Vec<String>, Skip> {
        events.push("(".to_owned());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, events: &mut Vec<String>) -> ControlFlow<Vec<String>> {
        events.push(")".to_owned());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, events: Vec<String>) -> Vec<String> {
        events
    }
}

fn read_by_others(text: &str) -> Vec<Vec<String>> {
    // By default, pgn-reader passes comments of more than 255 bytes in several parts.
    const MAX_COMMENT_BYTES: usize = 1 << 20;

    let mut reader = Reader::build(text.as_bytes())
        .set_supported_comment_length(MAX_COMMENT_BYTES)
        .finish();

    let games = std::iter::from_fn(|| reader.read_game(&mut Events).expect("PGN"));
    games.collect()
}

#[test]
fn other_programs_read_suffixes() {
    let work = Workplace::new();
    work.import(GAME);

    let written = work.output("export games.db --nags suffixes");
    let sans = "e4 $1 e5 $14 ( c5 $146 Nf3 ( c3 d5 ) d6 ) Nf3 $14 Nc6 $6 Bb5";
    assert_eq!(
        read_by_others(&written),
        [sans.split(' ').collect::<Vec<_>>()],
        "{written}"
    );

    let glyphs = work.output("export games.db --nags glyphs");
    assert_ne!(
        read_by_others(&glyphs),
        read_by_others(&written),
        "{glyphs}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn other_programs_read_any_suffixes(items in prop::collection::vec(item(), 0..60)) {
        let text = random_game(&items);
        let game = replay(&text);

        let written = |nags| {
            let form = PgnForm { nags, ..PgnForm::default() };
            write(&game, &writer(Style::pgn(), form))
        };

        let suffixes = written(Nags::Suffixes);
        let numbers = written(Nags::Keep);

        prop_assert_eq!(read_by_others(&suffixes), read_by_others(&numbers), "{}", suffixes);
    }

    /// A number is on the line of its move, whatever the length of lines.
    #[test]
    fn no_line_ends_with_the_number_of_a_move(items in prop::collection::vec(item(), 0..60)) {
        let text = random_game(&items);
        let game = replay(&text);

        for notation in [Notation::San, Notation::Lan, Notation::Fide, Notation::Full] {
            let form = PgnForm { comments: Comments::Drop, ..PgnForm::default() };
            let out = write(&game, &writer(english(notation), form));

            // PGN §4.3: lines in export format have less than 80 characters.
            for line in out.lines() {
                prop_assert!(!line.ends_with('.'), "{}", out);
                prop_assert!(line.chars().count() < 80, "{}", out);
            }
        }
    }
}

#[test]
fn the_standard_is_told_from_what_it_forbids() {
    let tags = "[Event \"?\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"?\"]\n[White \"?\"]\n\
        [Black \"?\"]\n[Result \"*\"]\n";
    let check =
        |more: &str, movetext: &str| export_format::check(&format!("{tags}{more}\n{movetext}\n\n"));
    assert_eq!(check("", "1. e4 $1 {x} 1... e5 (1... c5) 2. Nf3 *"), Ok(1));

    for movetext in [
        "1. e4",
        "1. e4 1-0",
        "1. e4! *",
        "1. e4 1... e5 *",
        "1. e4 {x} e5 *",
        "1. e4 $140 *",
        "e4 *",
        "1. e4 -- *",
        "1. e4 (1. d4 *",
        "1. e4 ) *",
        "(1. e4) *",
        "1. e4 {x *",
        "1. 0-0 *",
        "1. e2e4 *",
    ] {
        assert!(check("", movetext).is_err(), "{movetext}");
    }
    for more in [
        "[B \"\"]\n[A \"\"]\n",
        "[A \"\\n\"]\n",
        "[Event \"\"]\n",
        "[FEN \"\"]\n",
        "[A B \"\"]\n",
    ] {
        assert!(check(more, "*").is_err(), "{more}");
    }
}

/// Games of files, written strictly.
fn assert_standard(paths: &[std::path::PathBuf]) {
    let work = Workplace::new();
    let convert = ["convert", "--strict", "-o", "strict.pgn"].map(std::path::PathBuf::from);
    let arguments = [&convert, paths].concat();
    work.run(arguments);

    let written = work.read("strict.pgn");
    let games = export_format::check(&written).unwrap_or_else(|why| panic!("{why}"));
    assert!(games > 100, "{games} games");

    // What is written strictly is no longer changed.
    work.stamma("convert strict.pgn --strict -o again.pgn");
    assert_eq!(work.read("again.pgn"), written);
}

#[test]
fn historical_games_are_of_the_standard() {
    assert_standard(&[games()]);
}

#[test]
fn the_corpus_is_of_the_standard() {
    for name in ["suites", "dirty"] {
        if let Some(path) = corpus::path(name) {
            assert_standard(&[path]);
        }
    }
}

#[test]
fn a_blank_comment_in_a_variation_has_no_text() {
    assert_steady("[Event \"A\"]\n\n({ }) 1-0\n");
}
