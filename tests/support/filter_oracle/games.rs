//! Replays mainlines for the oracle: positions, and endings on the board.

use crate::support::index_oracle::epd;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};

/// A replayed mainline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    /// SAN without check marks.
    pub(crate) moves: Vec<String>,
    /// As EPD, with the en passant square of legal captures only.
    pub(crate) positions: Vec<String>,
    pub(crate) endings: Vec<&'static str>,
}

/// The start position of a game.
pub(crate) fn start(fen: Option<&str>) -> Option<Chess> {
    let Some(fen) = fen else {
        return Some(Chess::default());
    };
    let fen: Fen = fen.parse().ok()?;
    // The mode of Chess960 accepts castling rights of standard chess, too.
    fen.into_position(CastlingMode::Chess960).ok()
}

/// The position after a move in SAN, if it is legal.
pub(crate) fn after(position: &Chess, san: &str) -> Option<Chess> {
    let san: SanPlus = san.parse().ok()?;
    let mv = san.san.to_move(position).ok()?;
    position.clone().play(mv).ok()
}

/// Plays as long as texts are legal moves.
pub(crate) fn play(start: Chess, sans: &[String]) -> Played {
    let mut moves = Vec::new();
    let mut line = vec![start];
    for san in sans {
        let Some(next) = line.last().and_then(|position| after(position, san)) else {
            break;
        };
        moves.push(san.trim_end_matches(['+', '#']).to_owned());
        line.push(next);
    }

    let positions: Vec<String> = line.iter().map(epd).collect();
    let endings = endings(&line, &positions);
    Played {
        moves,
        positions,
        endings,
    }
}

/// The positions of moves in SAN without numbers, as EPD; nothing where the start is none.
pub(crate) fn play_sans(fen: Option<&str>, moves: &str) -> Option<Vec<String>> {
    let sans: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    Some(play(start(fen)?, &sans).positions)
}

fn endings(line: &[Chess], epds: &[String]) -> Vec<&'static str> {
    let last = line.last().expect("a start");

    // FIDE §9.2.3: repeated positions have equal possible moves, so en passant counts only if it is legal.
    let occurrences = |epd: &String| {
        let equal = epds.iter().filter(|other| *other == epd);
        equal.count()
    };
    let repetitions = epds.iter().map(occurrences).max().unwrap_or(0);

    // A draw by the clock may have passed unclaimed, so the highest clock of the game counts, not the last one. It
    // counts half-moves: 100 of them are fifty moves of both players.
    let clocks = line.iter().map(Chess::halfmoves);
    let halfmove_clock = clocks.max().unwrap_or(0);

    let endings = [
        ("checkmate", last.is_checkmate()),
        ("stalemate", last.is_stalemate()),
        ("insufficient-material", last.is_insufficient_material()),
        ("threefold", repetitions >= 3),
        ("fivefold", repetitions >= 5),
        ("fifty-moves", halfmove_clock >= 100),
        ("seventy-five-moves", halfmove_clock >= 150),
    ];
    let reached = endings.into_iter().filter(|(_, is_reached)| *is_reached);
    reached.map(|(name, _)| name).collect()
}
