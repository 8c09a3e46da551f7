//! Reading and writing the moves of the games in `tests/data/games` in several notations and languages on one thread,
//! beside the fast path of English SAN. Playing the moves is not timed.
//!
//! `cargo bench --bench notation`. Each row is the median of five runs; every text must be read as its original move.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stamma_chess::board::{Move, Position};
use stamma_chess::notation::{
    Notation, PieceLetters, Resolved, San, Style, read, rivals, write_san,
};
use stamma_chess::pgn::{Span, Token, Visitor, read_game, split};

const RUNS: usize = 5;
const REPEATS: usize = 10;

const FILES: [&str; 4] = [
    include_str!("../tests/data/games/early.pgn"),
    include_str!("../tests/data/games/classical.pgn"),
    include_str!("../tests/data/games/modern.pgn"),
    include_str!("../tests/data/games/today.pgn"),
];

const ROWS: [(Notation, &str); 10] = [
    (Notation::San, "en"),
    (Notation::San, "fr"),
    (Notation::San, "ru"),
    (Notation::San, "figurine"),
    (Notation::Lan, "de"),
    (Notation::Full, "fr"),
    (Notation::Uci, "en"),
    (Notation::Iccf, "en"),
    (Notation::Descriptive, "en"),
    (Notation::Descriptive, "es"),
];

/// The moves of mainlines, game by game.
#[derive(Default)]
struct Mainlines {
    position: Position,
    depth: usize,
    games: Vec<Vec<Move>>,
}

impl Visitor<'_> for Mainlines {
    fn movetext(&mut self, _at: usize) {
        self.position = Position::start();
        self.games.push(Vec::new());
    }

    fn move_text(&mut self, token: Token<'_>, _at: usize) {
        if self.depth > 0 {
            return;
        }
        let Some(san) = San::from_token(token) else {
            return;
        };

        let mv = san.resolve(&self.position).expect("a legal move").mv;
        self.position.play(mv);
        self.games.last_mut().expect("a game").push(mv);
    }

    fn begin_variation(&mut self, _at: usize) {
        self.depth += 1;
    }

    fn end_variation(&mut self, _at: usize) {
        self.depth -= 1;
    }
}

fn games() -> Vec<Vec<Move>> {
    let mut mainlines = Mainlines::default();
    for file in FILES.map(str::as_bytes) {
        for span in split(file) {
            if let Span::Game(range) = span {
                read_game(&file[range], &mut mainlines);
            }
        }
    }
    mainlines.games
}

/// The median time per move in nanoseconds of a pass over all games.
fn nanoseconds(games: &[Vec<Move>], mut each: impl FnMut(&Position, usize, Move)) -> f64 {
    let plies: usize = games.iter().map(Vec::len).sum();
    let mut run = || {
        let start = Instant::now();
        for _ in 0..REPEATS {
            let mut number = 0;
            for game in games {
                let mut position = Position::start();
                for &mv in game {
                    each(&position, number, mv);
                    position.play(mv);
                    number += 1;
                }
            }
        }

        let nanoseconds = start.elapsed().as_nanos() as f64;
        nanoseconds / (plies * REPEATS) as f64
    };

    let mut times: Vec<f64> = (0..RUNS).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn texts(games: &[Vec<Move>], style: Style<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    for game in games {
        let mut position = Position::start();
        for &mv in game {
            texts.push(style.text(&position, mv));
            position.play(mv);
        }
    }
    texts
}

fn main() {
    let games = games();
    let plies: usize = games.iter().map(Vec::len).sum();
    println!(
        "{} games, {plies} half-moves; ns a half-move, without playing it",
        games.len()
    );
    let playing = nanoseconds(&games, |position, _, _| {
        black_box(position);
    });
    fast_way(&games, playing);

    for (notation, code) in ROWS {
        let letters = PieceLetters::of_language(code).expect("a language");
        let style = Style {
            notation,
            letters,
            chess960: false,
        };
        let texts = texts(&games, style);

        let reading = nanoseconds(&games, |position, number, mv| {
            let found = read(&texts[number], style.reading(), position).expect("a move");
            assert_eq!(found.mv(), mv);
        });

        let mut text = String::new();
        let writing = nanoseconds(&games, |position, _, mv| {
            text.clear();
            style.write(position, mv, &mut text);
            black_box(&text);
        });

        let name = format!("{} {code}", notation.name());
        println!(
            "{name:20} read {:6.0}   write {:6.0}",
            reading - playing,
            writing - playing
        );
    }
}

/// Measures the fast path of English SAN.
fn fast_way(games: &[Vec<Move>], playing: f64) {
    let style = Style {
        notation: Notation::San,
        letters: PieceLetters::english(),
        chess960: false,
    };
    let texts = texts(games, style);

    let reading = nanoseconds(games, |position, number, mv| {
        let san = San::parse(texts[number].as_bytes()).expect("a move text");
        assert_eq!(san.resolve(position).map(|resolved| resolved.mv), Ok(mv));
    });

    let mut text = Vec::new();
    let writing = nanoseconds(games, |position, _, mv| {
        text.clear();
        let rivals = rivals(position, mv);
        write_san(position, Resolved { mv, rivals }, &mut text);
        black_box(&text);
    });

    println!(
        "{:20} read {:6.0}   write {:6.0}",
        "fast",
        reading - playing,
        writing - playing
    );
}
