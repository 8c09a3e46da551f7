//! Constraints that a move text, in any notation, places on a move, and the legal moves that satisfy them.
//!
//! Moves are found backwards, from the allowed target squares: there is nearly always one, and few pieces can reach it.

use super::san::pawn_behind;
use crate::board::{
    Bitboard, CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square, attacks,
};

/// A parsed move text, independent of any position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// A move of a piece or pawn.
    Piece(Constraints),
    /// Castling on a side; `None` if the text only says `Castles`, which means the side on which it is legal.
    Castle(Option<CastlingSide>),
    /// `--`, `Z0`, `null`, `0000`.
    Null,
}

/// The constraints on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// The roles of the moving piece.
    pub roles: Roles,
    /// The possible origins.
    pub from: Bitboard,
    /// The possible targets.
    pub to: Bitboard,
    /// The role a pawn promotes to; a pawn that reaches the last rank must promote.
    pub promotion: Option<Role>,
    /// The constraint on captures.
    pub takes: Takes,
    /// The wing that the moving piece is named after, as in `QR-Q1`.
    pub wing: Option<BoardHalf>,
    /// The wing that the captured piece is named after, as in `BxQN`.
    pub taken_wing: Option<BoardHalf>,
}

/// The statement of a text about a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// The text names the target, so the board shows whether the move captures. The statement of the text about the
    /// capture is only checked.
    Seen {
        /// `true` if there is a capture sign.
        sign: bool,
        /// The role of the captured piece, as written.
        role: Option<Role>,
    },
    /// The move must not capture: `P-K4`.
    Nothing,
    /// The move must be a capture: `PxP`, `exd`.
    Something {
        /// The role of the captured piece, if given.
        role: Option<Role>,
    },
}

impl Takes {
    /// No statement about a capture.
    pub(super) const UNSAID: Takes = Takes::Seen {
        sign: false,
        role: None,
    };

    /// Returns `true` if the capture of a piece of this role is allowed.
    fn allows(self, taken: Role) -> bool {
        match self {
            Takes::Seen { .. } | Takes::Something { role: None } => true,
            Takes::Something { role: Some(role) } => role == taken,
            Takes::Nothing => false,
        }
    }
}

/// A wing: the half of the board that belongs to the king or to the queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardHalf {
    /// The e- to h-file.
    King,
    /// The a- to d-file.
    Queen,
}

/// A set of roles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// All six roles.
    pub const ALL: Roles = Roles(0b11_1111);

    /// The set of one role.
    pub const fn of(role: Role) -> Roles {
        Roles(1 << role.index())
    }

    /// Returns `true` if the set contains a role.
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role.index() & 1 != 0
    }

    /// The only role of a set of one.
    pub fn single(self) -> Option<Role> {
        if self.0.is_power_of_two() {
            self.into_iter().next()
        } else {
            None
        }
    }

    #[inline]
    fn into_iter(self) -> impl Iterator<Item = Role> {
        Role::ALL
            .into_iter()
            .filter(move |&role| self.contains(role))
    }
}

impl std::fmt::Debug for Roles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.into_iter()).finish()
    }
}

impl Constraints {
    /// Any move to a square of a set.
    pub fn to(to: Bitboard) -> Constraints {
        Constraints {
            roles: Roles::ALL,
            from: Bitboard::FULL,
            to,
            promotion: None,
            takes: Takes::UNSAID,
            wing: None,
            taken_wing: None,
        }
    }

    /// Calls `visit` with each legal move that satisfies the constraints.
    #[inline]
    fn each_move(&self, position: &Position, visit: &mut impl FnMut(Move)) {
        let us = position.turn();
        let free = !position.occupied();
        let theirs = position.side(!us);

        let squares = match self.takes {
            Takes::Seen { .. } => free | theirs,
            Takes::Nothing => free,
            Takes::Something { role: Some(role) } => theirs & position.role(role),
            Takes::Something { role: None } => theirs,
        };
        let movers = self.from & position.side(us);

        if self.roles.contains(Role::Pawn) {
            // A pawn may capture on the en passant square, although the square is empty.
            let passed = position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
            let targets = self.to & (squares | passed);
            let pawns = movers & position.role(Role::Pawn);

            self.each_pawn_move(position, pawns, targets, visit);
        }

        // Only pawns promote.
        if self.promotion.is_some() {
            return;
        }

        let pieces = self.roles.into_iter().filter(|&role| role != Role::Pawn);

        for role in pieces {
            let origins = movers & position.role(role);
            if origins.is_empty() {
                continue;
            }

            for to in self.to & squares {
                let attackers = position.attackers_of(Piece { color: us, role }, to);

                for from in attackers & origins {
                    if position.may_move(role, from, to) {
                        visit(Move::normal(role, from, to));
                    }
                }
            }
        }

        self.each_castling(position, visit);
    }

    /// Calls `visit` with each legal move of the pawns to the targets: steps, captures, en passant.
    #[inline]
    fn each_pawn_move(
        &self,
        position: &Position,
        pawns: Bitboard,
        targets: Bitboard,
        visit: &mut impl FnMut(Move),
    ) {
        let us = position.turn();

        for to in targets {
            // A pawn on the last rank must promote, and no other pawn may.
            if Bitboard::BACK_RANKS.contains(to) != self.promotion.is_some() {
                continue;
            }

            let arrive = |from| Move {
                promotion: self.promotion,
                ..Move::normal(Role::Pawn, from, to)
            };
            let may_step = !matches!(self.takes, Takes::Something { .. });

            if position.is_free(to)
                && may_step
                && let Some(from) = pawn_behind(position, pawns, to)
                && position.keeps_king_safe(from, to)
            {
                visit(arrive(from));
            }

            let takers = attacks::pawn(!us, to) & pawns;

            if takers.any() && self.may_take(position, to) {
                for from in takers {
                    if position.keeps_king_safe(from, to) {
                        visit(arrive(from));
                    }
                }
            }

            let may_take_pawn = self.takes.allows(Role::Pawn);
            if takers.any() && position.en_passant() == Some(to) && may_take_pawn {
                for from in takers {
                    if position.en_passant_is_safe(from, to) {
                        visit(Move::en_passant(from, to));
                    }
                }
            }
        }
    }

    /// Returns `true` if the constraints allow the capture of the piece on a square.
    fn may_take(&self, position: &Position, to: Square) -> bool {
        let Some(piece) = position.piece_at(to) else {
            return false;
        };
        if piece.color == position.turn() {
            return false;
        }

        self.takes.allows(piece.role)
    }

    /// Calls `visit` with each legal castling that is written with squares: the king's origin, and the rook's square or
    /// the king's target.
    fn each_castling(&self, position: &Position, visit: &mut impl FnMut(Move)) {
        let us = position.turn();
        let king = position.king(us);

        let is_from_king = self.from == Bitboard::of(king);
        let may_be_king = self.roles.contains(Role::King);
        let must_capture = matches!(self.takes, Takes::Something { .. });
        if !is_from_king || !may_be_king || must_capture {
            return;
        }

        for rook in position.castling() & Bitboard::home_rank(us) {
            let castling = Move::castle(king, rook);
            let end = castling.destination();

            // In Chess960 the king may step to a neighbour as an ordinary move, so only a longer way means castling.
            let is_long_way = king.file().distance(end.file()) > 1;
            let to_rook = self.to == Bitboard::of(rook);
            let to_end = self.to == Bitboard::of(end) && is_long_way;

            if (to_rook || to_end) && position.may_castle(rook) {
                visit(castling);
            }
        }
    }
}

impl MoveText {
    /// Calls `visit` with each legal move that satisfies the constraints.
    #[inline]
    pub(super) fn each_move(&self, position: &Position, visit: &mut impl FnMut(Move)) {
        match *self {
            MoveText::Piece(constraints) => constraints.each_move(position, visit),
            MoveText::Castle(written_side) => {
                let us = position.turn();

                for side in CastlingSide::ALL {
                    if written_side.is_some_and(|written| written != side) {
                        continue;
                    }

                    if let Some(rook) = position.castling_rook(us, side)
                        && position.may_castle(rook)
                    {
                        visit(Move::castle(position.king(us), rook));
                    }
                }
            }
            MoveText::Null if position.may_pass() => visit(Move::NULL),
            MoveText::Null => {}
        }
    }

    /// The legal moves that satisfy the constraints.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        self.each_move(position, &mut |mv| moves.push(mv));
        moves
    }
}

/// The role of the piece that a legal move captures.
pub(super) fn captured_role(position: &Position, mv: Move) -> Option<Role> {
    match mv.kind {
        MoveKind::Normal => position.piece_at(mv.to).map(|piece| piece.role),
        MoveKind::EnPassant => Some(Role::Pawn),
        MoveKind::Castle | MoveKind::Null => None,
    }
}

impl BoardHalf {
    /// The files of this half.
    pub(super) const fn squares(self) -> Bitboard {
        match self {
            BoardHalf::King => Bitboard(0xf0f0_f0f0_f0f0_f0f0),
            BoardHalf::Queen => Bitboard(0x0f0f_0f0f_0f0f_0f0f),
        }
    }

    /// The piece, of several pieces of one role, that belongs to this wing; `None` if no single piece does.
    ///
    /// Bishops belong to a wing by the colour of their squares, other pieces by their files.
    pub(super) fn choose(self, role: Role, color: Color, pieces: Bitboard) -> Option<Square> {
        if role == Role::Bishop {
            return (pieces & self.bishop_squares(color)).single();
        }

        let by_file = |square: &Square| square.file();
        let outermost = match self {
            BoardHalf::King => pieces.into_iter().max_by_key(by_file)?,
            BoardHalf::Queen => pieces.into_iter().min_by_key(by_file)?,
        };

        (pieces & Bitboard::file(outermost.file())).single()
    }

    /// The squares of the bishop that starts on this wing: White's king's bishop and Black's queen's bishop are on
    /// light squares.
    fn bishop_squares(self, color: Color) -> Bitboard {
        let is_kingside = self == BoardHalf::King;

        if is_kingside == color.is_white() {
            Bitboard::LIGHT_SQUARES
        } else {
            !Bitboard::LIGHT_SQUARES
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! belongs {
        ($(
            $name:ident: $wing:ident, $color:ident, $role:ident, $($square:ident)+ => $chosen:expr;
        )*) => {$(
            #[test]
            fn $name() {
                let pieces: Bitboard = [$(Square::$square),+].into_iter().collect();
                let chosen = BoardHalf::$wing.choose(Role::$role, Color::$color, pieces);
                assert_eq!(chosen, $chosen);
            }
        )*};
    }

    belongs! {
        the_rook_further_to_the_wing: King, White, Rook, D1 H1 => Some(Square::H1);
        the_rook_of_the_other_wing: Queen, White, Rook, E1 H1 => Some(Square::E1);
        two_rooks_on_a_file: Queen, White, Rook, D1 D8 => None;
        the_bishop_of_a_colour: King, White, Bishop, A2 H6 => Some(Square::A2);
        the_bishop_of_a_colour_of_black: King, Black, Bishop, A2 H6 => Some(Square::H6);
    }

    fn moves(fen: &str, constraints: Constraints) -> Vec<String> {
        let position = Position::from_fen(fen).expect("a legal position");
        let moves = MoveText::Piece(constraints).moves(&position);

        let mut texts: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
        texts.sort();
        texts
    }

    #[test]
    fn anything_anywhere_is_every_move_but_promotions_and_castling() {
        let all = moves(
            "4k3/P7/8/8/8/8/8/4K2R w K - 0 1",
            Constraints::to(Bitboard::FULL),
        );
        assert_eq!(all.len(), 5 + 9, "king and rook");
    }

    #[test]
    fn all_promotions_to_a_role() {
        let into = |role| Constraints {
            promotion: Some(role),
            ..Constraints::to(Bitboard::FULL)
        };
        let fen = "1n2k3/P7/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(moves(fen, into(Role::Rook)), ["a7a8r", "a7b8r"]);
    }

    #[test]
    fn pawn_captures_with_and_without_en_passant() {
        let fen = "4k3/8/2p5/3pP3/4P3/8/8/4K3 w - d6 0 1";
        let takes = |role| Constraints {
            takes: Takes::Something { role },
            ..Constraints::to(Bitboard::FULL)
        };
        assert_eq!(moves(fen, takes(Some(Role::Pawn))), ["e4d5", "e5d6"]);
        assert_eq!(moves(fen, takes(Some(Role::Rook))), [""; 0]);
    }

    #[test]
    fn castling_by_squares() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for (to, expected) in [
            (Square::G1, "e1h1"),
            (Square::H1, "e1h1"),
            (Square::C1, "e1a1"),
            (Square::A1, "e1a1"),
        ] {
            let from = Bitboard::of(Square::E1);
            let to = Bitboard::of(to);
            assert_eq!(
                moves(
                    fen,
                    Constraints {
                        from,
                        ..Constraints::to(to)
                    }
                ),
                [expected]
            );
        }
    }
}
