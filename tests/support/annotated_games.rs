//! Generated games with nested variations.
//!
//! Moves are chosen from a few, so that many lines transpose.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::support::chess960;
use crate::support::random::Random;

/// The maximum nesting of variations.
const DEPTH: u32 = 5;

/// Generated games as PGN, from the standard start, starts of Chess960, and endings.
pub(crate) fn annotated_games(count: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    (0..count).map(|number| game(number, &mut random)).collect()
}

fn game(number: usize, random: &mut Random) -> String {
    // Among them an ending with captures en passant, and one with all castlings.
    let fen = match number % 8 {
        5 => Some(chess960::fen(random.below(960))),
        6 => Some("4k3/1p4p1/8/2P2P2/8/8/8/4K2R w K - 3 40".to_owned()),
        7 => Some("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1".to_owned()),
        _ => None,
    };

    let result = result(random);
    let mut text = format!("[White \"Made up {number}\"]\n[Result \"{result}\"]\n");
    let mut start = Chess::default();
    if let Some(fen) = fen {
        text += &format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n");
        let fen = Fen::from_ascii(fen.as_bytes()).expect("a FEN");
        let position = fen.into_position(CastlingMode::Chess960);
        start = position.expect("a legal position");
    }

    let plies = 6 + random.below(10);
    text + "\n" + &line(start, plies, 0, random) + "*\n\n"
}

fn result(random: &mut Random) -> &'static str {
    const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
    RESULTS[random.below(RESULTS.len())]
}

/// A line of this many half-moves, some with alternatives after them.
fn line(mut position: Chess, plies: usize, depth: u32, random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..plies {
        // A variation may end with an illegal move, behind which nothing is played.
        if depth > 0 && random.once_in(25) {
            return text + "Kh9 {that is no move} Nf3 (e4 e5) ";
        }

        let Some((san, next)) = any_move(&position, random) else {
            break;
        };
        text += &format!("{san} ");
        if random.once_in(6) {
            text += "$1 {a comment (with a parenthesis) } ";
        }
        while depth < DEPTH && random.once_in(2 + depth as usize) {
            let inner_plies = random.below(6);
            let inner = line(position.clone(), inner_plies, depth + 1, random);
            text += &format!("( {inner}) ");
        }
        position = next;
    }
    text
}

/// One of the first legal moves, or a null move if not in check.
fn any_move(position: &Chess, random: &mut Random) -> Option<(String, Chess)> {
    if random.once_in(20)
        && let Ok(next) = position.clone().swap_turn()
    {
        return Some(("--".to_owned(), next));
    }

    let moves = position.legal_moves();
    // Few choices, mostly, so that games transpose into each other.
    let choices = if random.once_in(4) {
        moves.len()
    } else {
        moves.len().min(3)
    };
    let mv = *moves.get(random.below(choices.max(1)))?;
    let san = SanPlus::from_move(position.clone(), mv).to_string();
    let next = position.clone().play(mv).ok()?;
    Some((san, next))
}
