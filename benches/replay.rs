//! One thread, one file, three stages, each beside `pgn-reader` and `shakmaty` doing the same work:
//! reading; replaying with the position's key; replaying with the key and canonical SAN.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench replay [-- FILE]` (default `archive-100k.pgn`). The stages
//! of both programs run in turn, five times; the medians and their ratio are printed. Plies, the sum
//! of all keys and the length of all SAN must be the same on both sides.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus};
use stamma::board::Position;
use stamma::notation::{San, mark, write_san};
use stamma::pgn::{Fault, Span, Termination, Token, Visitor, read_game, split};

const RUNS: usize = 5;

/// What a stage found; both programs must find the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    games: u64,
    plies: u64,
    keys: u64,
    san_bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Read,
    Key,
    San,
}

/// Stamma's side: mainlines only, as `pgn-reader` users do it, too.
struct Mainlines {
    stage: Stage,
    found: Found,
    position: Position,
    depth: u32,
    broken: bool,
    text: Vec<u8>,
}

impl Visitor<'_> for Mainlines {
    fn tag(&mut self, name: &[u8], value: &[u8], _at: usize) {
        if self.stage > Stage::Read {
            match name {
                b"FEN" => match str::from_utf8(value).ok().map(Position::from_fen) {
                    Some(Ok(position)) => self.position = position,
                    _ => self.broken = true,
                },
                b"Variant" => self.broken |= is_other_variant(value),
                _ => {}
            }
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
        if self.stage == Stage::Read {
            black_box(san);
            self.found.plies += 1;
            return;
        }
        let Ok(resolved) = san.resolve(&self.position) else {
            self.broken = true;
            return;
        };
        if self.stage == Stage::San {
            write_san(&self.position, resolved, &mut self.text);
        }
        self.position.play(resolved.mv);
        if self.stage == Stage::San {
            self.text.extend(mark(&self.position));
        }
        self.found.plies += 1;
        self.found.keys = self.found.keys.wrapping_add(self.position.key());
    }

    fn begin_variation(&mut self, _at: usize) {
        self.depth += 1;
    }

    fn end_variation(&mut self, _at: usize) {
        self.depth -= 1;
    }

    fn movetext(&mut self, _at: usize) {}
    fn nag(&mut self, _nag: u8, _at: usize) {}
    fn comment(&mut self, _text: &[u8], _at: usize) {}
    fn termination(&mut self, _termination: Termination, _at: usize) {}
    fn trailing(&mut self, _text: &[u8], _at: usize) {}
    fn fault(&mut self, _fault: Fault, _text: &[u8], _at: usize) {}
}

fn ours(file: &[u8], stage: Stage) -> Found {
    let mut visitor = Mainlines {
        stage,
        found: Found::default(),
        position: Position::start(),
        depth: 0,
        broken: false,
        text: Vec::with_capacity(4096),
    };
    let start = Position::start();
    for span in split(file) {
        let Span::Game(range) = span else { continue };
        visitor.found.games += 1;
        visitor.position.clone_from(&start);
        visitor.broken = false;
        visitor.depth = 0;
        read_game(&file[range], &mut visitor);
        visitor.found.san_bytes += visitor.text.len() as u64;
        black_box(&visitor.text);
        visitor.text.clear();
    }
    visitor.found
}

/// Variants whose moves are not those of chess: their games are left out on both sides.
fn is_other_variant(value: &[u8]) -> bool {
    let known: [&[u8]; 9] = [
        b"Standard",
        b"normal",
        b"From Position",
        b"Chess960",
        b"chess 960",
        b"fischerandom",
        b"Fischerandom",
        b"King of the Hill",
        b"Three-check",
    ];
    !known.contains(&value)
}

/// The peer's side, after the crate's own example `validate.rs`.
struct Peer {
    stage: Stage,
    found: Found,
    start: PeerGame,
    text: String,
}

#[derive(Clone)]
struct PeerGame {
    position: Chess,
    key: Zobrist64,
    broken: bool,
}

impl pgn_reader::Visitor for Peer {
    type Tags = PeerGame;
    type Movetext = PeerGame;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), PeerGame> {
        ControlFlow::Continue(self.start.clone())
    }

    fn tag(
        &mut self,
        tags: &mut PeerGame,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<()> {
        if self.stage > Stage::Read {
            match name {
                b"FEN" => match Fen::from_ascii(value.as_bytes())
                    .ok()
                    .and_then(|fen| fen.into_position::<Chess>(CastlingMode::Chess960).ok())
                {
                    Some(position) => {
                        tags.key = position.zobrist_hash(EnPassantMode::Legal);
                        tags.position = position;
                    }
                    None => tags.broken = true,
                },
                b"Variant" => tags.broken |= is_other_variant(value.as_bytes()),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: PeerGame) -> ControlFlow<(), PeerGame> {
        self.text.clear();
        ControlFlow::Continue(tags)
    }

    fn begin_variation(&mut self, _movetext: &mut PeerGame) -> ControlFlow<(), pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn san(&mut self, game: &mut PeerGame, san_plus: SanPlus) -> ControlFlow<()> {
        if game.broken {
            return ControlFlow::Continue(());
        }
        if self.stage == Stage::Read {
            black_box(san_plus);
            self.found.plies += 1;
            return ControlFlow::Continue(());
        }
        let Ok(mv) = san_plus.san.to_move(&game.position) else {
            game.broken = true;
            return ControlFlow::Continue(());
        };
        let key = game.position.update_zobrist_hash(game.key, mv, EnPassantMode::Legal);
        if self.stage == Stage::San {
            SanPlus::from_move_and_play_unchecked(&mut game.position, mv)
                .append_to_string(&mut self.text);
        } else {
            game.position.play_unchecked(mv);
        }
        game.key = key.unwrap_or_else(|| game.position.zobrist_hash(EnPassantMode::Legal));
        self.found.plies += 1;
        self.found.keys = self.found.keys.wrapping_add(game.key.0);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _movetext: PeerGame) {
        self.found.games += 1;
        self.found.san_bytes += self.text.len() as u64;
        black_box(&self.text);
    }
}

fn theirs(file: &[u8], stage: Stage) -> Found {
    let position = Chess::default();
    let key = position.zobrist_hash(EnPassantMode::Legal);
    let start = PeerGame { position, key, broken: false };
    let mut peer = Peer { stage, found: Found::default(), start, text: String::new() };
    let mut reader = pgn_reader::Reader::new(std::io::Cursor::new(file));
    while let Ok(Some(())) = reader.read_game(&mut peer) {}
    peer.found
}

fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn median(mut times: [Duration; RUNS]) -> Duration {
    times.sort();
    times[RUNS / 2]
}

fn compare(name: &str, stage: Stage, file: &[u8]) {
    let (mut our_times, mut their_times) = ([Duration::ZERO; RUNS], [Duration::ZERO; RUNS]);
    let mut found = Found::default();
    for run in 0..RUNS {
        let (our_found, our_time) = time(|| ours(file, stage));
        let (their_found, their_time) = time(|| theirs(file, stage));
        if run == 0 && our_found != their_found {
            println!("different: {our_found:?} {their_found:?}");
        }
        (our_times[run], their_times[run]) = (our_time, their_time);
        found = our_found;
    }
    let (our_time, their_time) = (median(our_times), median(their_times));
    let per_ply = |time: Duration| time.as_nanos() as f64 / found.plies as f64;
    println!(
        "{name:<28} stamma {:>7.1} ns a ply   peer {:>7.1} ns a ply   {:>5.2} times as fast   {} games, {} plies",
        per_ply(our_time),
        per_ply(their_time),
        their_time.as_secs_f64() / our_time.as_secs_f64(),
        found.games,
        found.plies,
    );
}

fn main() {
    let Some(folder) = std::env::var_os("STAMMA_CORPUS") else {
        println!("skipped: STAMMA_CORPUS is not set");
        return;
    };
    let name = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let path = std::path::Path::new(&folder).join(name.as_deref().unwrap_or("archive-100k.pgn"));
    let file = std::fs::read(&path).expect("the corpus holds the file");
    println!("{}", path.display());
    compare("read", Stage::Read, &file);
    compare("replay, key", Stage::Key, &file);
    compare("replay, key, canonical SAN", Stage::San, &file);
}
