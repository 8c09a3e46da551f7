//! A position in Stamma and in shakmaty, and everything in which the two must agree.

use std::collections::BTreeMap;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};
use stamma_chess::board::{FenError, Move, Position};
use stamma_chess::notation::{Resolved, San, rivals, san};

mod faults;
mod play;
mod verdict;

/// A position in both programs.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) ours: Position,
    pub(crate) theirs: Chess,
}

impl Pair {
    /// Sets a FEN up in both; the two must agree that it is a position, or on its faults.
    ///
    /// Impossible castling rights and en passant squares are dropped on both sides.
    pub(crate) fn from_fen(fen: &str) -> Result<Pair, FenError> {
        let ours = Position::from_fen(fen);
        faults::assert_same(fen, ours.as_ref().err());
        Ok(Pair {
            ours: ours?,
            theirs: forgiving(fen),
        })
    }

    /// Compares all that both programs know about the position.
    pub(crate) fn assert_same(&self) {
        let Pair { ours, theirs } = self;
        let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
        let Zobrist64(key) = theirs.zobrist_hash(EnPassantMode::Legal);
        let is_check = theirs.is_check();
        let is_checkmate = theirs.is_checkmate();
        let is_stalemate = theirs.is_stalemate();
        let is_insufficient = theirs.is_insufficient_material();

        // Both use the numbers of Polyglot for the key.
        assert_eq!(ours.fen(), fen);
        assert_eq!(ours.key(), key, "{fen}");
        assert_eq!(our_moves(ours), their_moves(theirs), "{fen}");
        assert_eq!(ours.is_check(), is_check, "check: {fen}");
        assert_eq!(ours.is_checkmate(), is_checkmate, "checkmate: {fen}");
        assert_eq!(ours.is_stalemate(), is_stalemate, "stalemate: {fen}");
        assert_eq!(
            ours.is_insufficient_material(),
            is_insufficient,
            "material: {fen}"
        );

        self.assert_round_trip();
    }

    /// Incrementally updated values must equal the values of a fresh parse of the FEN.
    fn assert_round_trip(&self) {
        let fen = self.ours.fen();
        let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(again, self.ours, "{fen}");
        assert_eq!(again.fen(), fen);

        // Equality of positions does not cover what is derived from them.
        assert_eq!(again.key(), self.ours.key(), "{fen}");
        assert_eq!(again.checkers(), self.ours.checkers(), "{fen}");
    }
}

/// The FEN, for messages.
impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.ours.fen())
    }
}

/// Accepts what we accept: faults were compared before, and the check that shakmaty calls impossible here is one beside
/// an en passant square, which we examine separately.
fn forgiving(fen: &str) -> Chess {
    let read: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    read.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal moves in coordinates, each with its SAN, which must read back as the move.
fn our_moves(position: &Position) -> BTreeMap<String, String> {
    let mut moves = BTreeMap::new();
    for mv in position.legal_moves() {
        moves.insert(mv.to_string(), read_back(position, mv));
    }
    moves
}

fn read_back(position: &Position, mv: Move) -> String {
    let text = san(position, mv);
    let fen = position.fen();
    let parsed = San::parse(text.as_bytes());
    let resolved = parsed.map(|san| san.resolve(position));

    let expected = Resolved {
        mv,
        rivals: rivals(position, mv),
    };
    assert_eq!(resolved, Some(Ok(expected)), "{text} in {fen}");
    assert!(position.is_legal(mv), "{text} in {fen}");
    text
}

fn their_moves(position: &Chess) -> BTreeMap<String, String> {
    let mut moves = BTreeMap::new();
    for mv in position.legal_moves() {
        let coordinates = mv.to_uci(CastlingMode::Chess960).to_string();
        let san = SanPlus::from_move(position.clone(), mv).to_string();
        moves.insert(coordinates, san);
    }
    moves
}
