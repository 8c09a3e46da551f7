//! Faults of positions, by the names that both programs give them.

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, FromSetup, PositionErrorKinds as Kinds, Setup, attacks,
};
use stamma_chess::board::{FenError, SetupFault};

/// Compares our faults with theirs.
///
/// We drop impossible castling rights and en passant squares, which shakmaty refuses, so it gets the FEN without them.
/// [`comparable`] lists the other differences.
pub(super) fn assert_same(fen: &str, ours: Option<&FenError>) {
    let ours = match ours {
        None => &[][..],
        Some(FenError::Position(faults)) => &faults.0,
        Some(error) => panic!("{fen}: {error}"),
    };
    let mut our_kinds = Kinds::empty();
    for &fault in ours {
        our_kinds |= kind(fault);
    }

    let setup = without_rights(fen);
    let theirs = comparable(their_kinds(&setup), ours) - overlooked(&setup);
    assert_eq!(our_kinds, theirs, "{fen}: {ours:?}");
}

fn kind(fault: SetupFault) -> Kinds {
    match fault {
        SetupFault::NoKing(_) => Kinds::MISSING_KING,
        SetupFault::SeveralKings(_) => Kinds::TOO_MANY_KINGS,
        SetupFault::PawnOnBackRank(_) => Kinds::PAWNS_ON_BACKRANK,
        SetupFault::TooManyPieces(_) | SetupFault::TooManyPawns(_) => Kinds::TOO_MUCH_MATERIAL,
        SetupFault::OpponentInCheck(_) => Kinds::OPPOSITE_CHECK,
        SetupFault::ImpossibleCheck(_) => Kinds::IMPOSSIBLE_CHECK,
    }
}

fn without_rights(fen: &str) -> Setup {
    let read: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    Setup {
        castling_rights: Bitboard::EMPTY,
        ep_square: None,
        ..read.into_setup()
    }
}

fn their_kinds(setup: &Setup) -> Kinds {
    match Chess::from_setup(setup.clone(), CastlingMode::Chess960) {
        Ok(_) => Kinds::empty(),
        Err(error) => error.kinds(),
    }
}

/// Their faults, restricted to those that we report, too.
///
/// - Too much material: we count pieces and pawns; shakmaty counts how many pawns must have been promoted, which is
///   stricter, and leaves out the kings.
/// - We do not examine checks on a board with other faults.
fn comparable(theirs: Kinds, ours: &[SetupFault]) -> Kinds {
    let we_count_too_much = ours
        .iter()
        .any(|&fault| kind(fault) == Kinds::TOO_MUCH_MATERIAL);

    let mut kinds = theirs - Kinds::EMPTY_BOARD;
    if !we_count_too_much {
        kinds -= Kinds::TOO_MUCH_MATERIAL;
    } else if kinds.contains(Kinds::TOO_MANY_KINGS) {
        kinds |= Kinds::TOO_MUCH_MATERIAL;
    }

    let checks = Kinds::OPPOSITE_CHECK | Kinds::IMPOSSIBLE_CHECK;
    if (kinds - checks).is_empty() {
        kinds
    } else {
        kinds - checks
    }
}

/// The impossible check that we allow: two pieces, one of them sliding, on one line with the king.
fn overlooked(setup: &Setup) -> Kinds {
    let Some(king) = setup.board.king_of(setup.turn) else {
        return Kinds::empty();
    };
    let checkers = setup
        .board
        .attacks_to(king, !setup.turn, setup.board.occupied());
    let (Some(first), Some(last)) = (checkers.first(), checkers.last()) else {
        return Kinds::empty();
    };

    let one_slides = (checkers & setup.board.sliders()).any();
    if checkers.count() == 2 && one_slides && attacks::aligned(first, king, last) {
        Kinds::IMPOSSIBLE_CHECK
    } else {
        Kinds::empty()
    }
}
