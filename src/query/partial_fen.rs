//! The positions that a partial FEN matches.

use std::collections::HashMap;

use crate::board::{Bitboard, Color, FenError, File, Position, Rank, Role, Setup, Square};
use crate::game::Variant;
use crate::notation::{PieceLetters, read_fen, read_fen_in};
use crate::replay::PositionKey;

/// Expands a FEN of one to six fields into the positions that it matches. Its letters are the given ones, or else
/// English, or those of the first language that fits.
///
/// A full FEN matches one position. Missing fields are not compared: without the fourth field, the result has the
/// position with each possible en passant square; without the third, also with each set of castling rights; without
/// the second, also with either side to move.
///
/// # Errors
/// When a field cannot be parsed, or no legal position remains; the error then names all faults.
pub fn expand_partial_fen(
    fen: &str,
    letters: Option<&PieceLetters>,
) -> Result<Vec<Position>, FenError> {
    let setup = match letters {
        Some(letters) => read_fen_in(fen, letters)?,
        None => read_fen(fen)?.0,
    };
    let fields = fen.split_ascii_whitespace().count();
    if fields >= 4 {
        return Ok(vec![Position::try_from(&setup)?]);
    }
    let turns = if fields < 2 {
        vec![Color::White, Color::Black]
    } else {
        vec![setup.turn]
    };
    let mut meant = HashMap::new();
    let mut faults = None;
    for turn in turns {
        let setup = Setup {
            turn,
            ..setup.clone()
        };
        if let Err(error) = Position::try_from(&setup) {
            faults.get_or_insert(error);
            continue;
        }
        for setup in with_castling(setup, fields).flat_map(|setup| with_en_passant(setup, fields)) {
            if let Ok(position) = Position::try_from(&setup) {
                meant.insert(PositionKey::new(&position, Variant::Standard), position);
            }
        }
    }
    match faults {
        Some(faults) if meant.is_empty() => Err(faults.into()),
        _ => {
            let mut positions: Vec<Position> = meant.into_values().collect();
            positions.sort_by_cached_key(Position::fen);
            Ok(positions)
        }
    }
}

/// The setup, with every set of castling rooks if the FEN names none.
fn with_castling(setup: Setup, fields: usize) -> impl Iterator<Item = Setup> {
    let rooks: Vec<Square> = match fields {
        0..3 => Color::ALL
            .into_iter()
            .flat_map(|color| setup.squares_of(color, Role::Rook) & Bitboard::home_rank(color))
            .filter(|rook| has_king_at_home(&setup, *rook))
            .collect(),
        _ => Vec::new(),
    };
    // A side has eight squares on its first rank, so there are at most 2^14 sets. Those with more than two rooks of a
    // side are dropped here, since a crowded rank has thousands; others that do not fit, when the position is set up.
    let sets = (0..1u32 << rooks.len().min(14)).map(move |set| {
        let chosen = rooks.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        chosen.map(|(_, &rook)| rook).collect::<Bitboard>()
    });
    let fits = |chosen: &Bitboard| {
        Color::ALL
            .into_iter()
            .all(|color| (*chosen & Bitboard::home_rank(color)).count() <= 2)
    };
    sets.filter(fits).map(move |chosen| Setup {
        castling: setup.castling | chosen,
        ..setup.clone()
    })
}

fn has_king_at_home(setup: &Setup, rook: Square) -> bool {
    let color = if rook.rank() == Rank::ONE {
        Color::White
    } else {
        Color::Black
    };
    (setup.squares_of(color, Role::King) & Bitboard::home_rank(color)).any()
}

/// The setup, with every en passant square if the FEN names none.
fn with_en_passant(setup: Setup, fields: usize) -> impl Iterator<Item = Setup> {
    let rank = Rank::SIX.of_side(setup.turn);
    let files = if fields < 4 { &File::ALL[..] } else { &[] };
    let squares = files.iter().map(move |&file| Some(Square::at(file, rank)));
    std::iter::once(setup.en_passant)
        .chain(squares)
        .map(move |en_passant| Setup {
            en_passant,
            ..setup.clone()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! means {
        ($($name:ident: $fen:expr => $count:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(expand_partial_fen($fen, None).map(|positions| positions.len()), Ok($count));
            }
        )*};
    }

    means! {
        full: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" => 1;
        no_counters: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -" => 1;
        no_castling: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w" => 16;
        board_alone: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" => 32;
        en_passant_open: "4k3/8/8/8/4Pp2/8/8/4K3 b -" => 2;
        en_passant_given: "4k3/8/8/8/4Pp2/8/8/4K3 b - e3" => 1;
        one_side_in_check: "4k3/8/8/8/8/8/K7/4R3" => 1;
        castling_on_one_side: "4k3/8/8/8/8/8/8/R3K3 w" => 2;
        french: "tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT b KQkq -" => 1;
        crowded_ranks: "rrrrkrrr/8/8/8/8/8/8/RRRRKRRR" => 800;
        three_rooks: "8/6k1/8/8/8/8/8/RR2K2R w" => 6;
    }

    #[test]
    fn faults_are_named() {
        let error = expand_partial_fen("8/8/8/8/8/8/8/K7", None).expect_err("no black king");
        assert_eq!(error.to_string(), "no legal position: Black has no king");
    }
}
