//! Real games, written in every notation and the letters of every language, are read back unchanged when notation and
//! letters are given.

use crate::support::corpus;
use rayon::prelude::*;
use stamma::export::write_replay;
use stamma::game::Annotations;
use stamma::notation::{LANGUAGES, Notation, PieceLetters, Style};
use stamma::replay::{ProblemKind, Readings, Replay, replay};

/// Options for writing games, and for reading them back.
struct Way {
    name: String,
    style: Style<'static>,
    readings: Readings,
}

fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for notation in Notation::ALL {
        for language in LANGUAGES {
            let code = language.codes[0];
            let letters = &language.letters;

            // UCI has English letters of promotion in every language.
            let read_with = match notation {
                Notation::Uci => ("en", PieceLetters::english()),
                _ => (code, letters),
            };
            let style = Style {
                notation,
                letters,
                chess960: false,
            };

            ways.push(Way {
                name: format!("{} {code}", notation.name()),
                style,
                readings: Readings::new(Some(read_with), Some(notation)),
            });
        }
    }

    ways
}

/// A replayed game as PGN in a style.
pub(super) fn write_game(game: &Replay<'_>, style: &Style<'_>) -> String {
    let mut out = Vec::new();
    write_replay(game, style, &mut out).expect("a game as it is replayed");
    String::from_utf8(out).expect("UTF-8")
}

/// The parts of a game that must be unchanged: moves, comments, NAGs and variations, faults.
fn content<'g>(game: &'g Replay<'_>) -> (&'g str, &'g Annotations, u64, Vec<ProblemKind>) {
    let problems = game.problems.iter().map(|problem| problem.kind).collect();
    (
        &game.game.moves,
        &game.game.annotations,
        game.moves_hash,
        problems,
    )
}

/// Writes a game in several ways, and returns the ways in which it is not read back unchanged.
fn differences<'w>(text: &str, ways: impl Iterator<Item = &'w Way>) -> Vec<String> {
    let first = replay(text);
    if !first.game.is_played {
        return Vec::new();
    }

    // Unread text of a game becomes a comment.
    let clean = write_game(&first, &Style::pgn());
    let game = replay(&clean);

    let mut differences = Vec::new();
    for way in ways {
        let out = write_game(&game, &way.style);
        let again = way.readings.replay(&out).replay;

        if content(&again) != content(&game) {
            differences.push(format!("{}: {:?}\n{out}", way.name, again.problems));
        }
    }

    differences
}

/// Tests each game in a number of ways, in rotation.
fn assert_read_again(name: &str, ways_each: usize) {
    let Some(games) = corpus::games(name) else {
        return;
    };
    let ways = ways();

    let ways_of_game = |number: usize| {
        let first = number * ways_each;
        let numbers = first..first + ways_each;
        numbers.map(|way| &ways[way % ways.len()])
    };

    let wrong: Vec<String> = games
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, text)| differences(text, ways_of_game(number)))
        .collect();

    let shown = &wrong[..wrong.len().min(10)];
    assert!(
        wrong.is_empty(),
        "{name}: {} differ:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

#[test]
fn an_archive() {
    assert_read_again("archive-10k.pgn", 4);
}

#[test]
fn annotated_games() {
    assert_read_again("suites/annotated-classics", 8);
}

#[test]
#[ignore = "minutes: every game in every notation and language"]
fn an_archive_in_all_ways() {
    assert_read_again("archive-10k.pgn", ways().len());
    assert_read_again("suites/annotated-classics", ways().len());
}
