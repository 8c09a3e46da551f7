//! The rules of chess on one thread, beside `shakmaty`, `cozy-chess` and `gigachess`: counting positions (perft),
//! listing legal moves, and playing games from SAN with the key of each position.
//!
//! `STAMMA_CORPUS=DIR cargo bench -p stamma-chess --bench rules [-- FILE]` (default `archive-10k.pgn`). Perft needs no
//! corpus. All programs run in turn, five times; medians are printed. Counts, and the sums of keys where they are
//! Polyglot's, must be equal.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;

use cozy_chess::Board as CozyBoard;
use gigachess::Board as GigaBoard;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::San as TheirSan};
use stamma_chess::board::{Position, perft};
use stamma_chess::game::Variant;
use stamma_chess::notation::San;
use stamma_chess::pgn::{Span, split};
use stamma_chess::replay::replay;

#[expect(dead_code, reason = "other benchmarks use the rest")]
mod peer;

use peer::{corpus_file, median, time};

const RUNS: usize = 5;

/// Positions of the perft suites of <https://www.chessprogramming.org/Perft_Results>, with a depth.
const SUITE: [(&str, u8); 4] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
    ),
];

/// The largest half-move clock that `cozy-chess` reads.
const COZY_CLOCK: u32 = 100;

/// A program's way to do some work; it returns what must be equal for all.
type Way<'w> = (&'static str, Box<dyn FnMut() -> u64 + 'w>);

fn main() {
    compare("perft", "position", perft_ways());

    // Cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1);
    let file_argument = arguments.find(|argument| !argument.starts_with("--"));
    let name = file_argument.as_deref().unwrap_or("archive-10k.pgn");
    let Some(path) = corpus_file(name) else {
        return;
    };
    let file = std::fs::read_to_string(path).expect("the corpus holds the file in UTF-8");
    let games = Games::read(&file);
    compare("list legal moves", "move", legal_move_ways(&games));
    compare("SAN to moves, with keys", "half-move", replay_ways(&games));
}

/// Runs all ways in turn, and prints the median time of each for one unit of the result.
fn compare(task: &str, unit: &str, mut ways: Vec<Way<'_>>) {
    let mut times = vec![Vec::new(); ways.len()];
    let mut found = vec![0; ways.len()];
    for _ in 0..RUNS {
        for (index, (_, way)) in ways.iter_mut().enumerate() {
            let (result, taken) = time(way);
            found[index] = result;
            times[index].push(taken);
        }
    }

    let expected = found[0];
    println!("{task}: {expected} in one run");
    for (index, (name, _)) in ways.iter().enumerate() {
        assert_eq!(found[index], expected, "{name}: another result");
        let median = median(&mut times[index]);
        let nanoseconds = median.as_nanos() as f64 / expected as f64;
        println!("    {name:<12} {nanoseconds:>6.2} ns a {unit}");
    }
}

/// A way that counts something in each of some positions; the result is the sum.
fn way<'w, P: 'w>(name: &'static str, positions: Vec<P>, count: fn(&P) -> u64) -> Way<'w> {
    (name, Box::new(move || positions.iter().map(count).sum()))
}

fn perft_ways() -> Vec<Way<'static>> {
    fn suite<P>(read: fn(&str) -> P) -> Vec<(P, u8)> {
        SUITE
            .iter()
            .map(|&(fen, depth)| (read(fen), depth))
            .collect()
    }
    vec![
        way("stamma", suite(our_position), |(at, depth)| {
            perft(at, (*depth).into())
        }),
        way("shakmaty", suite(shakmaty_position), |(at, depth)| {
            shakmaty::perft(at, (*depth).into())
        }),
        way("cozy-chess", suite(cozy_board), |(at, depth)| {
            cozy_perft(at, *depth)
        }),
        way("gigachess", suite(giga_board), |(at, depth)| {
            at.perft((*depth).into())
        }),
    ]
}

/// As the example `perft` of the crate counts: moves of the last half-move are not played.
fn cozy_perft(board: &CozyBoard, depth: u8) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += cozy_perft(&child, depth - 1);
        }
        false
    });
    nodes
}

/// Games from the usual start position: their mainlines in SAN, and all their positions as FEN.
struct Games {
    mainlines: Vec<Vec<String>>,
    fens: Vec<String>,
}

impl Games {
    fn read(file: &str) -> Games {
        let mut games = Games {
            mainlines: Vec::new(),
            fens: Vec::new(),
        };
        for span in split(file.as_bytes()) {
            let Span::Game(range) = span else { continue };
            let replay = replay(&file[range]);
            let game = &replay.game;
            let is_usual = game.variant == Variant::Standard && game.start.is_none();
            let has_null = game.moves.contains("--");
            if !is_usual || has_null {
                continue;
            }

            let moves = game.moves.split(' ').map(str::to_owned).collect();
            games.mainlines.push(moves);

            let mut position = Position::start();
            for &mv in &replay.played {
                position.play(mv);
                if position.halfmove_clock() <= COZY_CLOCK {
                    games.fens.push(position.fen());
                }
            }
        }
        games.mainlines.retain(|moves| moves != &[""]);
        games
    }
}

fn legal_move_ways(games: &Games) -> Vec<Way<'static>> {
    fn every_fifth<P>(fens: &[String], read: fn(&str) -> P) -> Vec<P> {
        fens.iter().step_by(5).map(|fen| read(fen)).collect()
    }
    let fens = &games.fens;
    vec![
        way("stamma", every_fifth(fens, our_position), |at| {
            black_box(at.legal_moves()).len() as u64
        }),
        way("shakmaty", every_fifth(fens, shakmaty_position), |at| {
            black_box(at.legal_moves()).len() as u64
        }),
        way("cozy-chess", every_fifth(fens, cozy_board), cozy_moves),
        way("gigachess", every_fifth(fens, giga_board), |at| {
            black_box(at.legal_moves()).len() as u64
        }),
    ]
}

/// The crate has no list of moves; one is made on the stack, as the others do.
fn cozy_moves(board: &CozyBoard) -> u64 {
    let mut list = [None; 256];
    let mut count = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            list[count] = Some(mv);
            count += 1;
        }
        false
    });
    black_box(&list);
    count as u64
}

fn replay_ways(games: &Games) -> Vec<Way<'_>> {
    let mainlines = &games.mainlines;
    let plies: u64 = mainlines.iter().map(|moves| moves.len() as u64).sum();
    let sum = move |keys_of: fn(&[String]) -> u64| {
        let mut sum = 0_u64;
        for moves in mainlines {
            sum = sum.wrapping_add(keys_of(moves));
        }
        sum
    };

    assert_eq!(sum(our_keys), sum(their_keys), "shakmaty: other keys");
    // gigachess's keys have an en passant file where no capture is legal, too, so its last positions are compared.
    for moves in mainlines {
        let ours = our_last_board(moves);
        let theirs = giga_last_board(moves);
        assert_eq!(ours, theirs, "another position");
    }

    let way = move |name: &'static str, keys_of: fn(&[String]) -> u64| -> Way<'_> {
        let replay_all = move || {
            black_box(sum(keys_of));
            plies
        };
        (name, Box::new(replay_all))
    };
    vec![
        way("stamma", our_keys),
        way("shakmaty", their_keys),
        way("gigachess", giga_keys),
    ]
}

fn our_keys(moves: &[String]) -> u64 {
    let mut position = Position::start();
    let mut sum = 0_u64;
    for text in moves {
        let san = San::parse(text.as_bytes()).expect(text);
        let resolved = san.resolve(&position).expect(text);
        position.play(resolved.mv);
        sum = sum.wrapping_add(position.key());
    }
    sum
}

fn their_keys(moves: &[String]) -> u64 {
    let mut position = Chess::default();
    let mut key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
    let mut sum = 0_u64;
    for text in moves {
        let san: TheirSan = text.trim_end_matches(['+', '#']).parse().expect(text);
        let mv = san.to_move(&position).expect(text);

        // shakmaty updates the key for simple moves, and leaves the others to its caller.
        let updated = position.update_zobrist_hash(key, mv, EnPassantMode::Legal);
        position.play_unchecked(mv);
        key = updated.unwrap_or_else(|| position.zobrist_hash(EnPassantMode::Legal));
        sum = sum.wrapping_add(key.0);
    }
    sum
}

fn giga_keys(moves: &[String]) -> u64 {
    let mut board = GigaBoard::startpos();
    let mut sum = 0_u64;
    for text in moves {
        let mv = gigachess::san::san_to_move(&board, text).expect(text);
        board.make_move_hashed(mv);
        sum = sum.wrapping_add(board.zobrist());
    }
    sum
}

fn our_last_board(moves: &[String]) -> String {
    let mut position = Position::start();
    for text in moves {
        let san = San::parse(text.as_bytes()).expect(text);
        let resolved = san.resolve(&position).expect(text);
        position.play(resolved.mv);
    }
    let fen = position.fen();
    board_of(&fen)
}

fn giga_last_board(moves: &[String]) -> String {
    let mut board = GigaBoard::startpos();
    for text in moves {
        let mv = gigachess::san::san_to_move(&board, text).expect(text);
        board.make_move_hashed(mv);
    }
    board_of(&board.to_fen())
}

/// The first field of a FEN.
fn board_of(fen: &str) -> String {
    fen.split(' ').next().unwrap_or_default().to_owned()
}

fn our_position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn shakmaty_position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect(fen);
    fen.into_position(CastlingMode::Standard)
        .expect("a legal position")
}

fn cozy_board(fen: &str) -> CozyBoard {
    fen.parse().expect(fen)
}

fn giga_board(fen: &str) -> GigaBoard {
    gigachess::fen::parse_fen(fen).expect(fen)
}
