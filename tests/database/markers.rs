//! No word is lost, wherever it is inserted into files of games: into and between tags, among moves, into comments and
//! variations, after results and between games.

use std::fs;
use std::path::Path;

use crate::support::random::Random;
use crate::support::{corpus, invariants, program};
use stamma::convert::{self, Note, OutputPart, convert};
use stamma::input::{Input, find_files};

/// The number of words per excerpt of a file.
const WORDS: usize = 12;
/// The approximate size of an excerpt of a large file.
const STRETCH_BYTES: usize = 8_000;
/// One excerpt in this many goes through databases as well.
const THROUGH_DATABASES: usize = 40;

/// The outcome of inserting words.
#[derive(Default)]
struct Outcome {
    kept: usize,
    lost: Vec<String>,
}

/// A word that occurs nowhere else.
fn marker(number: usize, random: &mut Random) -> String {
    let mut letters = String::new();
    let mut left = number;

    // Four digits of a number to the base of 26.
    for _ in 0..4 {
        letters.push(char::from(b'a' + (left % 26) as u8));
        left /= 26;
    }

    match random.below(6) {
        // Numbers that occur in no game: a time, a value.
        0 => format!("{}s", 100_000 + number),
        1 => format!("{}.{}", 10_000 + number, 35),
        2 => format!("Zq{letters}y"),
        3 => format!("zQ{letters}9"),
        4 => format!("ZQ{}Y", letters.to_uppercase()),
        _ => format!("zq{letters}y"),
    }
}

/// A word with its surroundings: nothing, spaces, line breaks, or a full stop. Adjacent digits of a game would combine
/// with a fraction to another number.
fn laid_out(word: &str, random: &mut Random) -> String {
    match random.below(5) {
        0 if word.contains('.') => format!(" {word} "),
        0 => word.to_owned(),
        1 => format!("\n{word}\n"),
        2 => format!(" {word}. "),
        _ => format!(" {word} "),
    }
}

/// A text with words inserted at random places, and the words.
fn insert_words(text: &[u8], first: usize, random: &mut Random) -> (Vec<u8>, Vec<String>) {
    let mut places: Vec<usize> = (0..WORDS).map(|_| random.below(text.len() + 1)).collect();
    places.sort_unstable();

    // A word within a letter of UTF-8 would make a byte of the text undecodable.
    let is_boundary = |at: usize| text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
    places.retain(|&at| is_boundary(at));

    let words: Vec<String> = (0..places.len())
        .map(|number| marker(first + number, random))
        .collect();

    // From the last place on, so that the places before it stay where they are.
    let mut marked = text.to_vec();
    for (&at, word) in places.iter().zip(&words).rev() {
        marked.splice(at..at, laid_out(word, random).into_bytes());
    }

    (marked, words)
}

/// The conversion of a file, and the texts of its problems; `None` if the file is not PGN.
fn converted_text(path: &Path) -> Option<String> {
    let options = convert::ConvertOptions::default();
    let mut out = Vec::new();
    let mut problems = String::new();

    let note = |note: Note<'_>| {
        if let Note::Problem(line) = note {
            let line = serde_json::to_value(line).expect("JSON");
            problems += line["text"].as_str().expect("a text");
            problems.push('\n');
        }
        Ok(())
    };

    let write = |piece: OutputPart<'_>| {
        out.extend_from_slice(piece.games());
        Ok(())
    };

    let done = convert(&[Input::file(path)], &options, write, note, |_| ()).expect("a conversion");
    if !done.summary.failures.is_empty() {
        return None;
    }

    Some(String::from_utf8_lossy(&out).into_owned() + &problems)
}

/// A file, or an excerpt of consecutive games of it from a random one on.
fn excerpt<'f>(file: &'f [u8], random: &mut Random) -> &'f [u8] {
    if file.len() <= 2 * STRETCH_BYTES {
        return file;
    }

    let from = random.below(file.len() - STRETCH_BYTES);
    let next_game = |from: usize| {
        let mut windows = file[from..].windows(8);
        let found = windows.position(|bytes| bytes == b"\n[Event ");
        found.map_or(file.len(), |at| from + at + 1)
    };

    let start = next_game(from);
    let end = next_game((start + STRETCH_BYTES).min(file.len()));

    if start == end {
        &file[..2 * STRETCH_BYTES]
    } else {
        &file[start..end]
    }
}

/// Inserts a number of words into files.
fn put_words(files: &[Vec<u8>], count: usize, seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let mut outcome = Outcome::default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("in.pgn");
    let mut rounds = 0;

    while outcome.kept + outcome.lost.len() < count {
        // Files that are not PGN take no words.
        rounds += 1;
        assert!(
            rounds < count + 100,
            "too few words could be put into games"
        );

        let file = random.choose(files);
        let text = excerpt(file, &mut random);
        let first = outcome.kept + outcome.lost.len();
        let (marked, words) = insert_words(text, first, &mut random);

        fs::write(&path, &marked).expect("a file");
        let Some(found) = converted_text(&path) else {
            continue;
        };

        if random.once_in(THROUGH_DATABASES) {
            invariants::round_trip::hold_through_database(&marked);
        }

        for word in words {
            if found.contains(&word) {
                outcome.kept += 1;
            } else {
                outcome.lost.push(context_of(&marked, &word));
            }
        }
    }

    outcome
}

/// A word with the text around it.
fn context_of(text: &[u8], word: &str) -> String {
    let at = text
        .windows(word.len())
        .position(|bytes| bytes == word.as_bytes())
        .expect("the word");

    let start = at.saturating_sub(60);
    let end = (at + 60).min(text.len());
    format!("{word}: {}", text[start..end].escape_ascii())
}

/// The bytes of all PGN files of a folder, or of a file, except those in UTF-16, in which a word of single bytes is
/// invalid.
fn files(path: &Path) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for path in find_files(path).expect("PGN files") {
        let bytes = fs::read(path).expect("a file");
        let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        if !is_utf16 {
            files.push(bytes);
        }
    }

    files
}

#[test]
fn no_word_is_lost_in_historical_games() {
    let outcome = put_words(&files(&program::games()), 600, 1);
    assert_eq!(outcome.lost, [""; 0]);
}

/// The number of words to insert into files of a corpus: the value of `STAMMA_MARKERS`, or the default.
fn word_count(default: usize) -> usize {
    let chosen = std::env::var("STAMMA_MARKERS").ok();
    let chosen = chosen.and_then(|number| number.parse().ok());
    chosen.unwrap_or(default)
}

fn put_words_into_corpus(default_count: usize) {
    let names = ["suites", "dirty", "lichess.pgn", "twins.pgn"];
    let count_each = word_count(default_count).div_ceil(names.len());

    for (seed, name) in names.into_iter().enumerate() {
        let Some(path) = corpus::path(name) else {
            return;
        };

        let Outcome { kept, lost } = put_words(&files(&path), count_each, seed as u64);
        assert_eq!(lost, [""; 0], "{} of {kept} words are lost", lost.len());
    }
}

#[test]
fn no_word_is_lost_in_a_corpus() {
    put_words_into_corpus(400);
}

#[test]
#[ignore = "a minute: 25,000 words"]
fn no_word_of_thousands_is_lost_in_a_corpus() {
    put_words_into_corpus(25_000);
}
