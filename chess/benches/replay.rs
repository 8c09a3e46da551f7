//! Three stages on one thread and one file, each beside `pgn-reader` and `shakmaty` doing the same work: reading;
//! replaying with the position's key; replaying with the key and canonical SAN.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench replay [-- FILE]` (default `archive-100k.pgn`). The stages of both programs
//! run in turn, five times; the medians and their ratio are printed. Plies, the sum of all keys and the length of all
//! SAN must be equal.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Duration;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _, san::SanPlus};
use stamma_chess::board::Position;
use stamma_chess::game::Variant;
use stamma_chess::notation::{San, mark, write_san};
use stamma_chess::pgn::{Span, Token, Visitor, read_game, split};

mod peer;

use peer::{Follow, Game, corpus_file, median, read_games, time};

const RUNS: usize = 5;

/// The published key of the start position.
const START_KEY: Zobrist64 = Zobrist64(0x463b_9618_1691_fc9c);

/// The totals of a stage, which must be equal for both programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    games: u64,
    plies: u64,
    keys: u64,
    san_bytes: u64,
}

/// The stages, as constants, so that each is compiled separately.
const READ: u8 = 0;
const KEY: u8 = 1;
const SAN: u8 = 2;

/// Stamma's side: mainlines only, as for `pgn-reader`.
struct Mainlines<const STAGE: u8> {
    totals: Totals,
    position: Position,
    depth: u32,
    broken: bool,
    text: Vec<u8>,
}

impl<const STAGE: u8> Visitor<'_> for Mainlines<STAGE> {
    fn tag(&mut self, name: &[u8], value: &[u8], _at: usize) {
        match name {
            b"FEN" if STAGE > READ => match str::from_utf8(value).ok().map(Position::from_fen) {
                Some(Ok(position)) => self.position = position,
                _ => self.broken = true,
            },
            b"Variant" => self.broken |= is_other_variant(value),
            _ => {}
        }
    }

    fn move_text(&mut self, token: Token<'_>, _at: usize) {
        if self.depth > 0 || self.broken {
            return;
        }

        let Some(san) = San::from_token(token) else {
            self.broken = true;
            return;
        };
        if STAGE == READ {
            black_box(san);
            self.totals.plies += 1;
            return;
        }

        let Ok(resolved) = san.resolve(&self.position) else {
            self.broken = true;
            return;
        };
        if STAGE == SAN {
            write_san(&self.position, resolved, &mut self.text);
        }
        self.position.play(resolved.mv);
        if STAGE == SAN {
            self.text.extend(mark(&self.position));
        }

        self.totals.plies += 1;
        self.totals.keys = self.totals.keys.wrapping_add(self.position.key());
    }

    fn begin_variation(&mut self, _at: usize) {
        self.depth += 1;
    }

    fn end_variation(&mut self, _at: usize) {
        self.depth -= 1;
    }
}

/// Games of variants with other moves than chess are skipped on both sides.
fn is_other_variant(value: &[u8]) -> bool {
    Variant::from_tag(&String::from_utf8_lossy(value)) == Variant::Other
}

fn ours<const STAGE: u8>(file: &[u8]) -> Totals {
    let mut visitor = Mainlines::<STAGE> {
        totals: Totals::default(),
        position: Position::start(),
        depth: 0,
        broken: false,
        text: Vec::with_capacity(4096),
    };
    let start = Position::start();
    for span in split(file) {
        let Span::Game(range) = span else { continue };
        visitor.totals.games += 1;
        visitor.position.clone_from(&start);
        visitor.broken = false;
        visitor.depth = 0;

        read_game(&file[range], &mut visitor);

        visitor.totals.san_bytes += visitor.text.len() as u64;
        black_box(&visitor.text);
        visitor.text.clear();
    }
    visitor.totals
}

/// The peer's side.
struct Peer<const STAGE: u8> {
    totals: Totals,
    key: Zobrist64,
    text: String,
}

impl<const STAGE: u8> Follow for Peer<STAGE> {
    fn tag(&mut self, game: &mut Game, name: &[u8], value: &[u8]) {
        if STAGE > READ || name == b"Variant" {
            game.set_up(name, value);
        }
    }

    fn begin(&mut self, game: &Game) {
        self.text.clear();
        self.key = if game.has_fen {
            game.position.zobrist_hash(EnPassantMode::Legal)
        } else {
            START_KEY
        };
    }

    fn san(&mut self, game: &mut Game, san_plus: SanPlus) {
        if STAGE == READ {
            black_box(san_plus);
            self.totals.plies += 1;
            return;
        }

        let Ok(mv) = san_plus.san.to_move(&game.position) else {
            game.is_lost = true;
            return;
        };

        let updated = game
            .position
            .update_zobrist_hash(self.key, mv, EnPassantMode::Legal);
        if STAGE == SAN {
            SanPlus::from_move_and_play_unchecked(&mut game.position, mv)
                .append_to_string(&mut self.text);
        } else {
            game.position.play_unchecked(mv);
        }
        self.key = updated.unwrap_or_else(|| game.position.zobrist_hash(EnPassantMode::Legal));

        self.totals.plies += 1;
        self.totals.keys = self.totals.keys.wrapping_add(self.key.0);
    }

    fn end(&mut self, game: &Game) {
        self.totals.games += u64::from(game.has_event);
        self.totals.san_bytes += self.text.len() as u64;
        black_box(&self.text);
    }
}

fn theirs<const STAGE: u8>(file: &[u8]) -> Totals {
    let mut peer = Peer::<STAGE> {
        totals: Totals::default(),
        key: START_KEY,
        text: String::new(),
    };
    read_games(file, usize::MAX, &mut peer);
    peer.totals
}

fn compare<const STAGE: u8>(name: &str, file: &[u8]) {
    let mut our_times = [Duration::ZERO; RUNS];
    let mut their_times = [Duration::ZERO; RUNS];
    let mut totals = Totals::default();
    for run in 0..RUNS {
        let (our_totals, our_time) = time(|| ours::<STAGE>(file));
        let (their_totals, their_time) = time(|| theirs::<STAGE>(file));
        if run == 0 && our_totals != their_totals {
            println!("different: {our_totals:?} {their_totals:?}");
        }
        our_times[run] = our_time;
        their_times[run] = their_time;
        totals = our_totals;
    }

    let our_time = median(&mut our_times);
    let their_time = median(&mut their_times);
    let per_ply = |time: Duration| time.as_nanos() as f64 / totals.plies as f64;
    println!(
        "{name:<28} stamma {:>7.1} ns a ply   peer {:>7.1} ns a ply   {:>5.2} times as fast   {} games, {} plies",
        per_ply(our_time),
        per_ply(their_time),
        their_time.as_secs_f64() / our_time.as_secs_f64(),
        totals.games,
        totals.plies,
    );
}

fn main() {
    // Cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1);
    let file_argument = arguments.find(|argument| !argument.starts_with("--"));
    let name = file_argument.as_deref().unwrap_or("archive-100k.pgn");
    let Some(path) = corpus_file(name) else {
        return;
    };
    let file = std::fs::read(&path).expect("the corpus holds the file");
    println!("{}", path.display());

    compare::<READ>("read", &file);
    compare::<KEY>("replay, key", &file);
    compare::<SAN>("replay, key, canonical SAN", &file);
}
