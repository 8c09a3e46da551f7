//! Compares Stamma with shakmaty on random games, random boards and random move texts.
//!
//! `pair` defines what is compared at each position. Real games are in `games.rs`.

use stamma_chess::board::{Move, MoveKind};

use crate::support::paired_position::Pair;
use crate::support::random::Random;
use crate::support::random_move_texts::Words;
use crate::support::{chess960, epd, random_boards};

/// Counts of rare events, so that a test can assert that they occurred.
#[derive(Debug, Default)]
struct Counts {
    positions: usize,
    castlings: usize,
    en_passant: usize,
    promotions: usize,
    ends: usize,
}

impl Counts {
    fn count(&mut self, mv: Move) {
        match mv.kind {
            MoveKind::Castle => self.castlings += 1,
            MoveKind::EnPassant => self.en_passant += 1,
            _ => {}
        }
        if mv.promotion.is_some() {
            self.promotions += 1;
        }
    }
}

#[test]
fn games_from_the_start() {
    let standard = chess960::fen(chess960::STANDARD);
    let mut counts = Counts::default();
    for seed in 0..400 {
        play_out(&standard, 300, seed, &mut counts);
    }

    // Rare moves and ends of games must occur, or nothing would be compared there.
    assert!(counts.positions > 100_000, "{counts:?}");
    assert!(counts.promotions > 500 && counts.ends > 40, "{counts:?}");
    assert!(
        counts.castlings > 150 && counts.en_passant > 60,
        "{counts:?}"
    );
}

#[test]
fn games_from_960_starts() {
    let mut counts = Counts::default();
    for number in 0..960 {
        let fen = chess960::fen(number);
        play_out(&fen, 60, number as u64, &mut counts);
    }

    // Castling is what differs between the starts.
    assert!(counts.positions > 50_000, "{counts:?}");
    assert!(counts.castlings > 800, "{counts:?}");
}

#[test]
fn games_from_perft_positions() {
    const GAMES_EACH: usize = 6;

    let mut counts = Counts::default();
    for (number, fen) in epd::perft_fens().enumerate() {
        for game in 0..GAMES_EACH {
            // Another seed for each game.
            let seed = (GAMES_EACH * number + game) as u64;
            play_out(fen, 40, seed, &mut counts);
        }
    }

    assert!(counts.positions > 50_000, "{counts:?}");
    assert!(counts.promotions > 500 && counts.ends > 100, "{counts:?}");
    assert!(
        counts.castlings > 500 && counts.en_passant > 120,
        "{counts:?}"
    );
}

fn pair_of(fen: &str) -> Pair {
    Pair::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays random moves, comparing every position on the way, and some texts that mean no move.
fn play_out(fen: &str, plies: usize, seed: u64, counts: &mut Counts) {
    let mut random = Random::new(seed);
    let mut pair = pair_of(fen);
    for _ in 0..plies {
        counts.positions += 1;
        pair.assert_same();
        compare_texts(&pair, &mut random, 8);

        let Some(mv) = choose_move(&pair, &mut random) else {
            counts.ends += 1;
            return;
        };
        counts.count(mv);
        pair.play(mv);
    }
    pair.assert_same();
}

/// One of the legal moves, with rare kinds overrepresented; occasionally a null move, if possible.
fn choose_move(pair: &Pair, random: &mut Random) -> Option<Move> {
    if random.once_in(40) && pair.ours.may_pass() {
        return Some(Move::NULL);
    }

    let mut moves = pair.ours.legal_moves();
    let is_rare = |mv: &Move| mv.kind != MoveKind::Normal || mv.promotion.is_some();
    if random.once_in(2) && moves.iter().any(is_rare) {
        moves.retain(is_rare);
    }

    if moves.is_empty() {
        None
    } else {
        Some(*random.choose(&moves))
    }
}

/// Compares the meaning of random move texts, and returns how many of them mean a move.
fn compare_texts(pair: &Pair, random: &mut Random, number: usize) -> usize {
    let legal = pair.ours.legal_moves();
    let mut moves = 0;
    for _ in 0..number {
        let words = if random.once_in(3) || legal.is_empty() {
            Words::any(random)
        } else {
            Words::near(*random.choose(&legal), random)
        };

        // The spellings of a text are compared until one of them means a move.
        let texts = words.texts();
        let is_move = texts
            .iter()
            .any(|text| pair.assert_same_verdict(text, words.theirs()).is_ok());
        moves += usize::from(is_move);
    }
    moves
}

#[test]
fn boards_are_positions_or_not() {
    const BOARDS: usize = 100_000;

    let mut random = Random::new(0);
    let mut accepted = Counts::default();
    for _ in 0..BOARDS {
        let fen = random_boards::fen(&mut random);
        let Ok(pair) = Pair::from_fen(&fen) else {
            continue;
        };
        accepted.positions += 1;
        pair.assert_same();
        compare_texts(&pair, &mut random, 4);
        for mv in pair.ours.legal_moves() {
            accepted.count(mv);
        }
    }

    // Neither the legal nor the illegal boards are few.
    assert!(accepted.positions > BOARDS / 4, "{accepted:?}");
    assert!(accepted.positions < BOARDS * 3 / 4, "{accepted:?}");
    assert!(accepted.castlings > 1_000, "{accepted:?}");
    assert!(accepted.en_passant > 2_000, "{accepted:?}");
}

#[test]
fn texts_mean_a_move_or_none() {
    const TEXTS_EACH: usize = 2000;

    let mut random = Random::new(0);
    let (mut texts, mut moves) = (0, 0);
    for fen in epd::perft_fens() {
        moves += compare_texts(&pair_of(fen), &mut random, TEXTS_EACH);
        texts += TEXTS_EACH;
    }

    // Neither the moves nor the other texts are few.
    assert!(moves > texts / 4, "{moves} of {texts} mean a move");
    assert!(moves < texts * 3 / 4, "{moves} of {texts} mean a move");
}
