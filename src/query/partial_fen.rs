//! The positions that a partial FEN matches.

use std::collections::HashMap;

use crate::board::{Bitboard, Color, FenError, File, Position, Rank, Role, Setup, Square};
use crate::game::Variant;
use crate::notation::{PieceLetters, read_fen, read_fen_in};
use crate::replay::PositionKey;

// The numbers of a FEN's fields; a FEN with fewer fields lacks the field.
const TURN_FIELD: usize = 2;
const CASTLING_FIELD: usize = 3;
const EN_PASSANT_FIELD: usize = 4;

/// The maximum number of rooks on both home ranks: a rank with a king has at most seven.
const MAX_HOME_ROOKS: usize = 14;

/// Expands a FEN of one to six fields into the positions that it matches. Without given letters, the letters of the FEN
/// are English, or of the first language that fits.
///
/// A full FEN matches one position. Missing trailing fields match anything: without the fourth field, the result has
/// the position with each possible en passant square; without the third, also with each set of castling rights; without
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
    if fields >= EN_PASSANT_FIELD {
        let position = Position::try_from(&setup)?;
        return Ok(vec![position]);
    }

    let turns = if fields < TURN_FIELD {
        vec![Color::White, Color::Black]
    } else {
        vec![setup.turn]
    };

    // Setups that differ only in rights without effect give one position. An en passant square that no pawn can capture
    // on is such a right.
    let mut meant = HashMap::new();
    let mut faults = None;
    for turn in turns {
        let with_turn = Setup {
            turn,
            ..setup.clone()
        };
        if let Err(error) = Position::try_from(&with_turn) {
            faults.get_or_insert(error);
            continue;
        }

        for position in legal_positions(with_turn, fields) {
            let key = PositionKey::new(&position, Variant::Standard);
            meant.insert(key, position);
        }
    }

    if let Some(faults) = faults
        && meant.is_empty()
    {
        return Err(faults.into());
    }

    // The order must not depend on the hash map.
    let mut positions: Vec<Position> = meant.into_values().collect();
    positions.sort_by_cached_key(Position::fen);
    Ok(positions)
}

/// The legal positions of a setup, with everything that missing fields may mean.
fn legal_positions(setup: Setup, fields: usize) -> impl Iterator<Item = Position> {
    with_castling(setup, fields)
        .flat_map(move |with_rights| with_en_passant(with_rights, fields))
        .filter_map(|with_square| Position::try_from(&with_square).ok())
}

/// The setup, with every set of castling rooks if the FEN has no castling field.
fn with_castling(setup: Setup, fields: usize) -> impl Iterator<Item = Setup> {
    let mut rooks: Vec<Square> = Vec::new();
    if fields < CASTLING_FIELD {
        for color in Color::ALL {
            let home_rank = Bitboard::home_rank(color);
            let has_king_at_home = (setup.squares_of(color, Role::King) & home_rank).any();
            if has_king_at_home {
                rooks.extend(setup.squares_of(color, Role::Rook) & home_rank);
            }
        }
    }

    // Sets with more than two rooks of a side are dropped here, since a rank full of rooks has thousands of sets. Other
    // impossible sets are dropped when the position is set up.
    let set_count = 1u32 << rooks.len().min(MAX_HOME_ROOKS);
    let sets = (0..set_count).map(move |set| {
        let chosen = rooks.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        chosen.map(|(_, &rook)| rook).collect::<Bitboard>()
    });
    let has_two_rooks_at_most = |chosen: &Bitboard| {
        let white = *chosen & Bitboard::home_rank(Color::White);
        let black = *chosen & Bitboard::home_rank(Color::Black);
        white.count() <= 2 && black.count() <= 2
    };
    let fitting_sets = sets.filter(has_two_rooks_at_most);

    fitting_sets.map(move |chosen| Setup {
        castling: setup.castling | chosen,
        ..setup.clone()
    })
}

/// The setup, with every en passant square if the FEN has no field for it.
fn with_en_passant(setup: Setup, fields: usize) -> impl Iterator<Item = Setup> {
    // The pawn that may be captured has passed a square on the sixth rank of the side to move.
    let rank = Rank::SIX.of_side(setup.turn);
    let files = if fields < EN_PASSANT_FIELD {
        &File::ALL[..]
    } else {
        &[]
    };
    let squares = files.iter().map(move |&file| Some(Square::at(file, rank)));
    let choices = std::iter::once(setup.en_passant).chain(squares);

    choices.map(move |en_passant| Setup {
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
