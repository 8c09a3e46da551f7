//! Fast replay of a stored mainline whose text is trusted.
//!
//! An import writes canonical SAN: each move is legal and unambiguous. So a move is looked up by its target, among the
//! pieces that could reach the target on an empty board. Nine times out of ten there is one such piece, and neither the
//! path nor the king is checked. Castling rights, en passant square, checks and key are not maintained.
//!
//! Text that is not canonical does no harm: the line is followed as long as pieces are found, to whatever board
//! results, or ends there. For games that other programs may have changed, use [`Mainline`](super::Mainline).

mod origins;

use super::Placement;
use crate::board::{
    Bitboard, CastlingSide, Color, Move, Piece, Position, Role, Square, attacks, castling_targets,
};
use crate::game::Ply;
use crate::notation::San;
use crate::pgn::Token;
use origins::{MOVERS, Mover};

/// A move, with the capture and the mark that its text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove {
    /// The move.
    pub mv: Move,
    /// `true` if the move captures.
    pub captures: bool,
    /// `+` or `#`, if the move gives check or mate.
    pub mark: Option<u8>,
}

/// A game's mainline in canonical SAN, played up to some move.
///
/// ```
/// use stamma_chess::board::{Color, Piece, Role, Square};
/// use stamma_chess::replay::TrustedLine;
/// let mut line = TrustedLine::new(None, b"e4 e5 Nf3");
/// while line.advance().is_some() {}
/// assert_eq!(line.ply().get(), 3);
/// let knight = Piece { color: Color::White, role: Role::Knight };
/// assert_eq!(line.placement().piece_at(Square::F3), Some(knight));
/// ```
#[derive(Clone, Debug)]
pub struct TrustedLine<'m> {
    placement: Placement,
    /// The rooks that could castle at the start.
    rooks: Bitboard,
    rest: &'m [u8],
    ply: Ply,
}

/// The maximum length of a canonical text in bytes: `Qa1xb2#`, `exd8=Q#`.
const MAX_TEXT_BYTES: usize = 7;

/// Eight spaces.
const SPACES: u64 = 0x2020_2020_2020_2020;
/// The lowest bit of each byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

impl<'m> TrustedLine<'m> {
    /// A mainline in canonical SAN, separated by single spaces, from the given or the standard start position.
    #[inline]
    pub fn new(start: Option<&Position>, moves: &'m [u8]) -> TrustedLine<'m> {
        match start {
            Some(start) => TrustedLine {
                placement: Placement::from(start),
                rooks: start.castling(),
                rest: moves,
                ply: Ply::START,
            },
            None => TrustedLine {
                placement: Placement::start(),
                rooks: Bitboard::CORNERS,
                rest: moves,
                ply: Ply::START,
            },
        }
    }

    /// The current placement.
    #[inline]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The number of half-moves played.
    #[inline]
    pub fn ply(&self) -> Ply {
        self.ply
    }

    /// Plays the next move and returns it; `None` at the end, or at a text that cannot be followed.
    #[inline(always)]
    pub fn advance(&mut self) -> Option<HalfMove> {
        let word = match self.rest.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => last_word(self.rest),
        };

        // A space is a zero byte of the differences, and the lowest bit that is set marks the first zero byte.
        let differences = word ^ SPACES;
        let spaces = differences.wrapping_sub(LOWEST) & !differences & HIGHEST;

        let length = spaces.trailing_zeros() as usize / 8;
        if length == 0 || length > MAX_TEXT_BYTES {
            return None;
        }

        self.rest = self.rest.get(length + 1..).unwrap_or_default();
        let played = self.play(word, length)?;

        self.placement.pass();
        self.ply += 1;
        Some(played)
    }

    /// Plays the move in the lowest one to seven bytes of a word.
    #[inline(always)]
    fn play(&mut self, word: u64, length: usize) -> Option<HalfMove> {
        // The last character in the highest byte.
        let text = word << (64 - 8 * length);
        let last = (text >> 56) as u8;
        let is_marked = matches!(last, b'+' | b'#');
        let mark = is_marked.then_some(last);

        // Without the mark, the two highest bytes are the target.
        let [.., file, rank] = (text << (8 * u32::from(is_marked))).to_le_bytes();
        let mover = MOVERS[word as usize & 0xff];

        match Square::from_ascii(file, rank) {
            Some(to) => {
                let (mv, captures) = self.move_piece(mover, to, word, length)?;
                Some(HalfMove { mv, captures, mark })
            }
            None => self.play_rare(word, length - usize::from(is_marked), mark),
        }
    }

    /// Moves a piece to a target; returns the move, and whether it captures.
    #[inline(always)]
    fn move_piece(
        &mut self,
        mover: Mover,
        to: Square,
        word: u64,
        length: usize,
    ) -> Option<(Move, bool)> {
        let us = self.placement.turn();
        let piece = Piece {
            color: us,
            role: mover.role,
        };

        let origins = mover.origins(us, to) & self.placement.pieces(piece);
        let from = if origins.more_than_one() {
            self.choose_origin(origins, piece, to, word, length)?
        } else {
            origins.first()?
        };

        if self.placement.side(us).contains(to) {
            return None;
        }

        let captures = !self.placement.is_free(to);
        self.placement.clear(to);
        self.placement.shift(from, to, piece);

        // A pawn that leaves its file for an empty square captures en passant.
        if mover.is_pawn_capture(to) && !captures {
            self.placement.clear(Square::at(to.file(), from.rank()));
            return Some((Move::en_passant(from, to), true));
        }

        Some((Move::normal(mover.role, from, to), captures))
    }

    /// The origin of the piece, among several, that goes to a square.
    #[inline(never)]
    fn choose_origin(
        &self,
        origins: Bitboard,
        piece: Piece,
        to: Square,
        word: u64,
        length: usize,
    ) -> Option<Square> {
        if piece.role == Role::Pawn {
            // Of two pawns on a file, only the pawn in front can step to the target.
            return if piece.color.is_white() {
                origins.last()
            } else {
                origins.first()
            };
        }

        let bytes = word.to_le_bytes();
        let token = Token {
            // The mask changes no length of a text, and spares the check of a bound.
            text: &bytes[..length & MAX_TEXT_BYTES],
            word,
        };
        let San::Piece { origin: named, .. } = San::from_token(token)? else {
            return None;
        };

        let occupied = self.placement.occupied();
        let has_free_way = |&from: &Square| (attacks::between(from, to) & occupied).is_empty();
        let unblocked: Bitboard = (origins & named).into_iter().filter(has_free_way).collect();

        // SAN names an origin only among legal moves (PGN §8.2.3.4), so a pinned piece may be left.
        if unblocked.more_than_one() {
            unblocked
                .into_iter()
                .find(|&from| self.keeps_king_safe(piece.color, from, to))
        } else {
            unblocked.first()
        }
    }

    /// Returns `true` if no line to a side's king is open after its piece has gone from one square to another.
    fn keeps_king_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let squares = |color, role| self.placement.pieces(Piece { color, role });
        let Some(king) = squares(us, Role::King).first() else {
            return true;
        };

        let them = !us;
        let queens = squares(them, Role::Queen);
        let straight_sliders = squares(them, Role::Rook) | queens;
        let diagonal_sliders = squares(them, Role::Bishop) | queens;

        let occupied = self.placement.occupied().without(from).with(to);
        let straight = attacks::rook(king, occupied) & straight_sliders;
        let diagonal = attacks::bishop(king, occupied) & diagonal_sliders;

        // A slider on the target has been captured.
        (straight | diagonal).without(to).is_empty()
    }

    /// Plays castling, promotions and null moves. The text is the first `length` bytes of a word, without the mark.
    #[cold]
    fn play_rare(&mut self, word: u64, length: usize, mark: Option<u8>) -> Option<HalfMove> {
        let bytes = word.to_le_bytes();

        let (mv, captures) = match bytes.get(..length)? {
            b"O-O" => (self.castle(CastlingSide::King)?, false),
            b"O-O-O" => (self.castle(CastlingSide::Queen)?, false),
            b"--" => (Move::NULL, false),
            &[.., file, rank, b'=', role] => {
                let pawn = MOVERS[word as usize & 0xff];
                let to = Square::from_ascii(file, rank)?;
                let role = Role::from_letter(role)?;
                self.promote(pawn, to, role, word)?
            }
            _ => return None,
        };

        Some(HalfMove { mv, captures, mark })
    }

    /// Moves a pawn to a target and replaces it by another piece; returns the move, and whether it captures.
    fn promote(&mut self, pawn: Mover, to: Square, role: Role, word: u64) -> Option<(Move, bool)> {
        // The length of the text only matters to moves of pieces.
        let (mv, captures) = self.move_piece(pawn, to, word, 0)?;

        let color = self.placement.turn();
        self.placement.clear(to);
        self.placement.put(to, Piece { color, role });

        Some((Move::promotion(mv.from, to, role), captures))
    }

    /// Castles on a side of the king.
    fn castle(&mut self, side: CastlingSide) -> Option<Move> {
        let color = self.placement.turn();
        let piece = |role| Piece { color, role };
        let home = Bitboard::home_rank(color);

        let king = (self.placement.pieces(piece(Role::King)) & home).first()?;
        let rooks = self.rooks & home & self.placement.pieces(piece(Role::Rook));
        let rook = rooks
            .into_iter()
            .find(|&rook| CastlingSide::of_rook(king, rook) == side)?;

        let (king_to, rook_to) = castling_targets(king, rook);

        // King and rook leave before either arrives: in Chess960, the king may go to the square of the rook, or the
        // rook to the square of the king.
        self.placement.clear(king);
        self.placement.clear(rook);
        for (to, role) in [(king_to, Role::King), (rook_to, Role::Rook)] {
            self.placement.clear(to);
            self.placement.put(to, piece(role));
        }

        Some(Move::castle(king, rook))
    }
}

/// Loads fewer than eight bytes as a word, padded with spaces.
#[cold]
fn last_word(rest: &[u8]) -> u64 {
    let mut bytes = [b' '; 8];
    for (byte, &text) in bytes.iter_mut().zip(rest) {
        *byte = text;
    }

    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Mainline;

    macro_rules! follows {
        ($($name:ident: $fen:expr, $moves:literal;)*) => {$(
            /// Compares the moves and placements with a replay by the rules.
            #[test]
            fn $name() {
                let fen: Option<&str> = $fen;
                let mut line = Mainline::new(fen, $moves).expect("a legal start");
                let start = line.position().clone();
                let mut trusted = TrustedLine::new(fen.map(|_| &start), $moves.as_bytes());

                while let Some((text, mv)) = line.next().expect("canonical SAN") {
                    line.play(mv);
                    assert_eq!(trusted.advance().map(|played| played.mv), Some(mv), "{text}");
                    assert_eq!(*trusted.placement(), Placement::from(line.position()), "{text}");
                }
                assert_eq!(trusted.advance(), None);
            }
        )*};
    }

    follows! {
        castling: None, "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O d5 d3 Be6 Re1 Qd7 a3 O-O-O";
        castling_of_chess960: Some("4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1"), "O-O-O Ke7";
        en_passant: None, "e4 a6 e5 d5 exd6 Qxd6";
        the_pawn_in_front: Some("4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1"), "e4 Kd7 e3";
        a_promotion: Some("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"), "exd8=Q+ Kg7";
        a_rival_without_a_way: Some("4k3/8/8/8/8/8/8/R2RK3 w - - 0 1"), "Rdc1 Kd7 Rcb1";
        a_pinned_rival: Some("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"), "Ne2 Bxc3+";
        null_moves: None, "e4 -- d4";
    }
}
