//! A legal position: what stands where, who may castle, and how a move changes it.
//!
//! Sets of squares answer "which pieces reach this?", the mailbox answers "what stands here?", and
//! both are kept, because replaying asks the two questions in turn. There is no unmake: a mainline
//! never takes back, and a variation starts from a copy.
//!
//! What is costly is kept up to date from move to move: the [key](Position::key), the pieces that
//! give [check](Position::checkers), and the en passant square, which is set only while a pawn may
//! legally capture there (FIDE Laws 9.2: positions are the same when the same moves are possible).

use super::attacks::{self, Through};
use super::{Bitboard, Color, Move, MoveKind, Piece, Role, Setup, SetupFaults, Square, zobrist};

/// A position that may be played from, in standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct Position {
    /// By role; the seventh is that of empty squares and stays empty.
    by_role: [Bitboard; 8],
    by_color: [Bitboard; 2],
    /// By square, the [kind](Piece::kind) of what stands there.
    mailbox: [u8; 64],
    kings: [Square; 2],
    turn: Color,
    castling: Bitboard,
    en_passant: Option<Square>,
    checkers: Bitboard,
    key: u64,
    halfmove_clock: u32,
    fullmove_number: u32,
}

/// Equal when the same moves are possible: board, side to move, castling rooks, legal en passant.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.by_role == other.by_role
            && self.by_color == other.by_color
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }
}

impl Eq for Position {}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl Position {
    /// The start position of standard chess. Its key is `463b96181691fc9c`.
    pub fn start() -> Position {
        const HOME: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut position = Position::empty(Color::White);
        for (file, role) in (0..).zip(HOME) {
            for color in Color::ALL {
                let (home, pawns) = if color.is_white() { (0, 1) } else { (7, 6) };
                position.put(Square::at(file, home), Piece { color, role });
                position.put(Square::at(file, pawns), Piece { color, role: Role::Pawn });
            }
        }
        position.kings = [Square::at(4, 7), Square::at(4, 0)];
        position.set_castling(Bitboard(0x8100_0000_0000_0081));
        position
    }

    fn empty(turn: Color) -> Position {
        Position {
            by_role: [Bitboard::EMPTY; 8],
            by_color: [Bitboard::EMPTY; 2],
            mailbox: [Piece::NO_KIND; 64],
            kings: [Square::new(0); 2],
            turn,
            castling: Bitboard::EMPTY,
            en_passant: None,
            checkers: Bitboard::EMPTY,
            key: if turn.is_white() { zobrist::WHITE_TO_MOVE } else { 0 },
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_kind(self.mailbox[square.index()])
    }

    /// `true` when nothing stands on a square.
    #[inline]
    pub fn is_free(&self, square: Square) -> bool {
        self.mailbox[square.index()] == Piece::NO_KIND
    }

    /// The squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of all pieces of one role.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// The squares of one side's pieces of one role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.role(role)
    }

    /// The square of this side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// `true` when the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The squares of the rooks that may still castle.
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The square behind a pawn that has just made a double step and may legally be captured there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the next full move.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The 64-bit key of this position: the published Polyglot numbers of its pieces, castling
    /// rights and side to move, and of its en passant file when a legal capture exists.
    #[inline]
    pub fn key(&self) -> u64 {
        match self.en_passant {
            Some(square) => self.key ^ zobrist::en_passant(square),
            None => self.key,
        }
    }

    /// The rook with which this side may still castle: on the king's right (short) or left (long).
    pub fn castling_rook(&self, color: Color, short: bool) -> Option<Square> {
        let king = self.king(color);
        (self.castling & Bitboard::home_rank(color))
            .into_iter()
            .find(|rook| (rook.file() > king.file()) == short)
    }

    /// This side's pieces of a role that attack a square.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let theirs = self.side(color);
        let straight = self.role(Role::Rook) | self.role(Role::Queen);
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        let mut found = attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::pawn(!color, square) & self.role(Role::Pawn);
        if (attacks::rook_lines(square) & straight & theirs).any() {
            found |= attacks::rook(square, occupied) & straight;
        }
        if (attacks::bishop_lines(square) & diagonal & theirs).any() {
            found |= attacks::bishop(square, occupied) & diagonal;
        }
        found & theirs & occupied
    }

    /// The pieces of one kind that attack a square.
    ///
    /// It takes the few that stand on the right lines and looks between, which for one kind of piece
    /// is quicker than following the lines, and branches on nothing but their number.
    #[inline]
    pub fn attackers_of(&self, piece: Piece, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let found = attacks::origins(piece, square) & self.pieces(piece.color, piece.role);
        found.into_iter().fold(found, |found, from| {
            let blocked = (attacks::between(square, from) & occupied).any();
            Bitboard(found.0 ^ u64::from(blocked) << from.index())
        })
    }

    /// This side's sliding pieces that attack a square along a line through it.
    #[inline]
    fn sliders_on(
        &self,
        color: Color,
        square: Square,
        line: Through,
        occupied: Bitboard,
    ) -> Bitboard {
        let queens = self.role(Role::Queen);
        let straight = line.straight & (self.role(Role::Rook) | queens);
        let diagonal = line.diagonal & (self.role(Role::Bishop) | queens);
        let mut found = (straight | diagonal) & self.side(color);
        for slider in found {
            if (attacks::between(square, slider) & occupied).any() {
                found = found.without(slider);
            }
        }
        found
    }

    /// `true` when the king of the side to move is safe after its piece goes from one square to
    /// another; for anything but king moves, en passant and castling.
    #[inline]
    pub(crate) fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.turn);
        if let Some(checker) = self.checkers.first() {
            let answers = attacks::between(king, checker).with(checker);
            if self.checkers.more_than_one() || !answers.contains(to) {
                return false;
            }
        }
        let line = attacks::through(king, from);
        let occupied = self.occupied().without(from);
        self.sliders_on(!self.turn, king, line, occupied).is_empty()
            || (line.straight | line.diagonal).contains(to)
    }

    /// `true` when the king of the side to move may step to a square.
    #[inline]
    pub(super) fn king_may_step(&self, to: Square) -> bool {
        let king = self.king(self.turn);
        self.attackers(!self.turn, to, self.occupied().without(king).with(to))
            .without(to)
            .is_empty()
    }

    /// `true` when the side to move may capture in passing from one square to another.
    pub(crate) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let captured = Square::at(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        self.attackers(!self.turn, self.king(self.turn), occupied).without(to).is_empty()
    }

    /// `true` when the side to move may castle with the rook on a square: it has the right, the way
    /// is free, and the king is not, goes not and ends not in check.
    pub(crate) fn may_castle(&self, rook: Square) -> bool {
        if !(self.castling & Bitboard::home_rank(self.turn)).contains(rook) || self.is_check() {
            return false;
        }
        let king = self.king(self.turn);
        let (king_to, rook_to) = castling_targets(king, rook);
        let others = self.occupied().without(king).without(rook);
        let king_way = attacks::between(king, king_to).with(king_to);
        let rook_way = attacks::between(rook, rook_to).with(rook_to);
        if ((king_way | rook_way) & others).any() {
            return false;
        }
        let after = others.with(rook_to);
        king_way.into_iter().all(|square| {
            let occupied = if square == king_to { after } else { others.with(rook) };
            self.attackers(!self.turn, square, occupied).is_empty()
        })
    }

    /// Plays a move that is legal here.
    ///
    /// A move that is not leaves a position that means nothing, but nothing worse happens.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        if mv.kind != MoveKind::Normal {
            return self.play_special(mv);
        }
        let us = self.turn;
        let captures = !self.is_free(mv.to);
        let mut lost = Bitboard::of(mv.from) | Bitboard::of(mv.to);
        if mv.role == Role::King {
            lost |= Bitboard::home_rank(us);
            self.kings[us.index()] = mv.to;
        }
        if (self.castling & lost).any() {
            self.lose_castling(lost, mv);
        }
        self.take(mv.to);
        self.shift(mv.from, mv.to, Piece { color: us, role: mv.role });
        if let Some(role) = mv.promotion {
            self.promote(mv.to, role);
        }
        self.end_move(captures || mv.role == Role::Pawn);
        self.checkers = self.checkers_after(mv);
        self.en_passant = None;
        if mv.role == Role::Pawn && mv.from.index().abs_diff(mv.to.index()) == 16 {
            self.set_en_passant(mv);
        }
    }

    /// Castling, en passant, and null moves.
    #[cold]
    fn play_special(&mut self, mv: Move) {
        match mv.kind {
            MoveKind::Castle => self.play_castle(mv),
            MoveKind::EnPassant => {
                self.take(Square::at(mv.to.file(), mv.from.rank()));
                self.shift(mv.from, mv.to, Piece { color: self.turn, role: Role::Pawn });
            }
            MoveKind::Normal | MoveKind::Null => {}
        }
        self.end_move(mv.kind == MoveKind::EnPassant);
        self.en_passant = None;
        self.checkers = self.attackers(!self.turn, self.king(self.turn), self.occupied());
    }

    /// Passes the turn.
    #[inline]
    fn end_move(&mut self, is_irreversible: bool) {
        let clock = self.halfmove_clock.saturating_add(1);
        self.halfmove_clock = if is_irreversible { 0 } else { clock };
        let black_moved = u32::from(self.turn == Color::Black);
        self.fullmove_number = self.fullmove_number.saturating_add(black_moved);
        self.turn = !self.turn;
        self.key ^= zobrist::WHITE_TO_MOVE;
    }

    #[cold]
    fn promote(&mut self, square: Square, role: Role) {
        self.take(square);
        self.put(square, Piece { color: self.turn, role });
    }

    /// Notes the square that a pawn has passed by a double step, if it may be captured there.
    #[inline]
    fn set_en_passant(&mut self, mv: Move) {
        let passed = Square::new((mv.from.index() + mv.to.index()) as u8 / 2);
        let ready = attacks::pawn(!self.turn, passed) & self.pieces(self.turn, Role::Pawn);
        if ready.any() && self.has_en_passant(passed) {
            self.en_passant = Some(passed);
        }
    }

    fn play_castle(&mut self, mv: Move) {
        let us = self.turn;
        let (king_to, rook_to) = castling_targets(mv.from, mv.to);
        self.take(mv.from);
        self.take(mv.to);
        self.put(king_to, Piece { color: us, role: Role::King });
        self.put(rook_to, Piece { color: us, role: Role::Rook });
        self.set_castling(self.castling & !Bitboard::home_rank(us));
        self.kings[us.index()] = king_to;
    }

    /// Drops the rights of rooks on these squares; the moving king may stand on its new square.
    #[cold]
    fn lose_castling(&mut self, lost: Bitboard, mv: Move) {
        let moved_to = self.kings;
        if mv.role == Role::King {
            self.kings[self.turn.index()] = mv.from;
        }
        self.set_castling(self.castling & !lost);
        self.kings = moved_to;
    }

    fn set_castling(&mut self, rooks: Bitboard) {
        let kings = self.kings.map(Some);
        self.key ^= zobrist::castling_rights(self.castling, kings);
        self.key ^= zobrist::castling_rights(rooks, kings);
        self.castling = rooks;
    }

    /// The pieces that give check after a normal move, the turn having passed: the moved piece
    /// directly, or one that it uncovered.
    #[inline]
    fn checkers_after(&self, mv: Move) -> Bitboard {
        let (us, king) = (!self.turn, self.king(self.turn));
        let occupied = self.occupied();
        let piece = Piece { color: us, role: mv.promotion.unwrap_or(mv.role) };
        let direct = attacks::origins(piece, king) & Bitboard::of(mv.to);
        let line = attacks::through(king, mv.from);
        let uncovered = self.sliders_on(us, king, line, occupied);
        if direct.any() && (attacks::between(king, mv.to) & occupied).is_empty() {
            return direct | uncovered;
        }
        uncovered
    }

    /// `true` when the side to move has a legal capture on the square that a pawn has passed.
    #[cold]
    fn has_en_passant(&self, square: Square) -> bool {
        let ready = attacks::pawn(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        ready.into_iter().any(|from| self.en_passant_is_safe(from, square))
    }

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        self.by_role[piece.role.index()] |= bit;
        self.by_color[piece.color.index()] |= bit;
        self.mailbox[square.index()] = piece.kind();
        self.key ^= zobrist::piece(piece.kind(), square);
    }

    /// Empties a square, which may be empty: that takes the same steps, and no branch.
    #[inline]
    fn take(&mut self, square: Square) {
        let kind = std::mem::replace(&mut self.mailbox[square.index()], Piece::NO_KIND);
        let bit = Bitboard::of(square);
        self.by_role[kind as usize >> 1 & 7] &= !bit;
        self.by_color[kind as usize & 1] &= !bit;
        self.key ^= zobrist::piece(kind, square);
    }

    #[inline]
    fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.by_role[piece.role.index()] ^= both;
        self.by_color[piece.color.index()] ^= both;
        self.mailbox[from.index()] = Piece::NO_KIND;
        self.mailbox[to.index()] = piece.kind();
        self.key ^= zobrist::piece(piece.kind(), from) ^ zobrist::piece(piece.kind(), to);
    }

    /// What a FEN would say of this position.
    pub fn setup(&self) -> Setup {
        Setup {
            pieces: self.mailbox.map(Piece::from_kind),
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }
}

/// The squares on which king and rook end: the c- and d-file, or the g- and f-file.
pub(super) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
    (Square::at(king_file, king.rank()), Square::at(rook_file, king.rank()))
}

/// Castling rights without their king or rook and an en passant square without a legal capture are
/// dropped, as every reader of FENs does; whatever else is wrong is refused, all of it at once.
impl TryFrom<&Setup> for Position {
    type Error = SetupFaults;

    fn try_from(setup: &Setup) -> Result<Position, SetupFaults> {
        let faults = setup.faults();
        if !faults.is_empty() {
            return Err(SetupFaults(faults));
        }
        let mut position = Position::empty(setup.turn);
        for square in Square::all() {
            if let Some(piece) = setup.pieces[square.index()] {
                position.put(square, piece);
                if piece.role == Role::King {
                    position.kings[piece.color.index()] = square;
                }
            }
        }
        position.set_castling(position.possible_castling(setup.castling));
        position.halfmove_clock = setup.halfmove_clock;
        position.fullmove_number = setup.fullmove_number.max(1);
        let king = position.king(setup.turn);
        position.checkers = position.attackers(!setup.turn, king, position.occupied());
        position.en_passant = setup.en_passant.filter(|&square| position.pawn_just_passed(square));
        Ok(position)
    }
}

impl Position {
    /// Of these rooks, those that stand beside their king on its home rank, one on each side.
    fn possible_castling(&self, wanted: Bitboard) -> Bitboard {
        let mut kept = Bitboard::EMPTY;
        for color in Color::ALL {
            let king = self.king(color);
            let home = Bitboard::home_rank(color);
            if !home.contains(king) {
                continue;
            }
            let rooks = wanted & home & self.pieces(color, Role::Rook);
            let right = rooks.into_iter().filter(|rook| rook.file() > king.file()).last();
            let left = rooks.into_iter().find(|rook| rook.file() < king.file());
            kept |= right.into_iter().chain(left).collect();
        }
        kept
    }

    /// `true` when a pawn can just have passed this square and may legally be captured there.
    fn pawn_just_passed(&self, square: Square) -> bool {
        let (rank, forward) = if self.turn.is_white() { (5, 8) } else { (2, -8) };
        let origin = Square::new((square.index() as i8 + forward) as u8);
        let target = Square::new((square.index() as i8 - forward) as u8);
        square.rank() == rank
            && self.piece_at(square).is_none()
            && self.piece_at(origin).is_none()
            && self.pieces(!self.turn, Role::Pawn).contains(target)
            && self.has_en_passant(square)
    }
}
