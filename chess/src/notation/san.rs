//! Standard Algebraic Notation (PGN §8.2.3): parsing, resolving and writing moves.
//!
//! A text is resolved backwards, from its target square, which few pieces can reach. The set of these pieces also gives
//! the disambiguation when the move is written, so one pass does both.
//!
//! The hot path is force-inlined: whether the compiler inlines it by itself depends on the number of callers, and
//! accounts for a fifth of the time of a replay.

use crate::board::{
    Bitboard, CastlingSide, File, Move, MoveKind, Piece, Position, Rank, Role, Square, attacks,
};
use crate::pgn::Token;

/// A parsed move text, independent of any position.
///
/// Parsing is lenient: it accepts a missing or superfluous `x`, more disambiguation than needed up to the full origin
/// (`Ng1-f3`, `e2e4`), zeros for castling, and promotions without `=`. Check marks are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum San {
    /// A move of a piece or pawn.
    Piece {
        /// The role of the moving piece.
        role: Role,
        /// The possible origins, as far as the text restricts them.
        origin: Bitboard,
        /// The target.
        to: Square,
        /// The role a pawn promotes to.
        promotion: Option<Role>,
    },
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// `--`, `Z0` or `null`.
    Null,
}

/// A move that a text means, with the data needed to write it canonically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move, legal in the position it was resolved in.
    pub mv: Move,
    /// The squares of other pieces with the role of the moving piece that could legally move to its target.
    pub rivals: Bitboard,
}

/// The reason why a text does not resolve to a move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// No legal move matches.
    Illegal,
    /// Several legal moves match.
    Ambiguous,
}

impl San {
    /// Parses a move text, including check marks; `None` if it is not a move text.
    #[inline]
    pub fn parse(text: &[u8]) -> Option<San> {
        San::from_token(Token::new(text))
    }

    /// Parses a token of the PGN reader.
    ///
    /// Common forms are parsed in a register: the last two characters are the target, and the characters before them
    /// restrict the origin.
    #[inline(always)]
    pub fn from_token(token: Token<'_>) -> Option<San> {
        let length = token.text.len();

        if let 2..8 = length {
            // The last character in the highest byte, and zeros below the first.
            let mut word = token.word << (64 - 8 * length);
            if matches!((word >> 56) as u8, b'+' | b'#') {
                word <<= 8;
            }

            let [.., file, rank] = word.to_le_bytes();
            let role = ROLES[token.word as usize & 0xff];

            // Without the target, the characters that restrict the origin are in the highest bytes.
            if let (Some(role), Some(to)) = (role, Square::from_ascii(file, rank))
                && let Some(origin) = origin(word << 16)
            {
                return Some(San::Piece {
                    role,
                    origin,
                    to,
                    promotion: None,
                });
            }
        }

        San::parse_rare(trim_marks(token.text))
    }

    /// Parses castling, null moves, promotions, and texts that are longer than a register.
    #[cold]
    fn parse_rare(text: &[u8]) -> Option<San> {
        match text {
            b"O-O" | b"0-0" | b"o-o" => return Some(San::Castle(CastlingSide::King)),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => return Some(San::Castle(CastlingSide::Queen)),
            b"--" | b"Z0" | b"null" => return Some(San::Null),
            _ => {}
        }

        let (role, squares) = match *text.first()? {
            b'a'..=b'h' => (Role::Pawn, text),
            letter => (Role::from_letter(letter)?, &text[1..]),
        };

        let (squares, promotion) = match role {
            Role::Pawn => split_promotion(squares)?,
            _ => (squares, None),
        };

        let target_start = squares.len().checked_sub(2)?;
        let (hints, target) = squares.split_at_checked(target_start)?;
        let to = Square::from_ascii(target[0], target[1])?;

        Some(San::Piece {
            role,
            origin: read_hints(hints)?,
            to,
            promotion,
        })
    }

    /// Finds the one legal move that the text means in a position.
    ///
    /// # Errors
    /// If no legal move matches, or more than one.
    #[inline(always)]
    pub fn resolve(self, position: &Position) -> Result<Resolved, Unresolved> {
        match self {
            San::Piece {
                role: Role::Pawn,
                origin,
                to,
                promotion,
            } => resolve_pawn(position, origin, to, promotion),
            San::Piece {
                role, origin, to, ..
            } => resolve_piece(position, role, origin, to),
            San::Castle(side) => {
                let us = position.turn();

                match position.castling_rook(us, side) {
                    Some(rook) if position.may_castle(rook) => {
                        Ok(without_rivals(Move::castle(position.king(us), rook)))
                    }
                    _ => Err(Unresolved::Illegal),
                }
            }
            San::Null if position.may_pass() => Ok(without_rivals(Move::NULL)),
            San::Null => Err(Unresolved::Illegal),
        }
    }
}

/// The role by the first character of a move text; `b` is always a file.
static ROLES: [Option<Role>; 256] = roles();

/// The origins that a character before the target allows: the squares of a file or a rank, all squares for other legal
/// characters, none for invalid ones.
static ORIGINS: [Bitboard; 256] = origins();

/// The table of [`ROLES`].
const fn roles() -> [Option<Role>; 256] {
    let mut table = [None; 256];

    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'h' => Some(Role::Pawn),
            letter => Role::from_letter(letter),
        };
        byte += 1;
    }

    table
}

/// The table of [`ORIGINS`].
const fn origins() -> [Bitboard; 256] {
    let mut table = [Bitboard::EMPTY; 256];

    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0 | b'x' | b':' | b'-' => Bitboard::FULL,
            file @ b'a'..=b'h' => Bitboard::file(File::new(file - b'a')),
            rank @ b'1'..=b'8' => Bitboard::rank(Rank::new(rank - b'1')),
            // The piece letter itself, which is one of the characters before the target.
            letter if Role::from_letter(letter).is_some() => Bitboard::FULL,
            _ => Bitboard::EMPTY,
        };
        byte += 1;
    }

    table
}

/// The squares that up to three characters allow, the last of them in the highest byte; `None` if there are more than
/// three characters, or if one is invalid.
#[inline]
fn origin(before: u64) -> Option<Bitboard> {
    let [rest @ .., a, b, c] = before.to_le_bytes();
    let is_short = rest == [0; 5];

    let by_first = ORIGINS[a as usize];
    let by_second = ORIGINS[b as usize];
    let by_third = ORIGINS[c as usize];
    let origin = by_first & by_second & by_third;

    (origin.any() && is_short).then_some(origin)
}

/// A move that is written without disambiguation.
fn without_rivals(mv: Move) -> Resolved {
    Resolved {
        mv,
        rivals: Bitboard::EMPTY,
    }
}

/// A move text without the check marks at its end.
#[inline]
fn trim_marks(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'+' | b'#'] = text {
        text = rest;
    }
    text
}

/// Splits `=Q`, `/Q` or `Q` off the end of a pawn move.
fn split_promotion(text: &[u8]) -> Option<(&[u8], Option<Role>)> {
    let (&last, before) = text.split_last()?;
    if last.is_ascii_digit() {
        return Some((text, None));
    }

    let role = Role::from_letter(last.to_ascii_uppercase())?;
    if !Role::PROMOTIONS.contains(&role) {
        return None;
    }

    let squares = match before {
        [squares @ .., b'=' | b'/'] => squares,
        _ => before,
    };

    Some((squares, Some(role)))
}

/// The squares allowed by a file and a rank of the origin, with capture signs between.
fn read_hints(hints: &[u8]) -> Option<Bitboard> {
    let mut origin = Bitboard::FULL;
    for &c in hints {
        origin &= ORIGINS[c as usize];
    }

    if origin.any() { Some(origin) } else { None }
}

/// Finds the only legal move to a square by a piece from the squares of `origin`; the piece is not a pawn.
#[inline(always)]
fn resolve_piece(
    position: &Position,
    role: Role,
    origin: Bitboard,
    to: Square,
) -> Result<Resolved, Unresolved> {
    let us = position.turn();
    let piece = Piece { color: us, role };

    let on_empty_board = attacks::origins(piece, to) & position.pieces(us, role);
    if position.side(us).contains(to) || (on_empty_board & origin).is_empty() {
        return Err(Unresolved::Illegal);
    }

    // Nine times out of ten there is one, and the processor need not wait for the squares between.
    if let Some(from) = on_empty_board.single() {
        let is_free = (attacks::between(to, from) & position.occupied()).is_empty();

        return if is_free && position.may_move(role, from, to) {
            Ok(without_rivals(Move::normal(role, from, to)))
        } else {
            Err(Unresolved::Illegal)
        };
    }

    let candidates = position.attackers_of(piece, to);
    let legal: Bitboard = candidates
        .into_iter()
        .filter(|&from| position.may_move(role, from, to))
        .collect();

    match (legal & origin).first() {
        None => Err(Unresolved::Illegal),
        Some(_) if (legal & origin).more_than_one() => Err(Unresolved::Ambiguous),
        Some(from) => Ok(Resolved {
            mv: Move::normal(role, from, to),
            rivals: legal.without(from),
        }),
    }
}

/// Finds the only legal move to a square by a pawn from the squares of `origin`: an advance, a capture, or an
/// en passant capture.
#[inline(always)]
fn resolve_pawn(
    position: &Position,
    origin: Bitboard,
    to: Square,
    promotion: Option<Role>,
) -> Result<Resolved, Unresolved> {
    let us = position.turn();
    let pawns = position.pieces(us, Role::Pawn) & origin;

    // A pawn on the last rank must promote, and no other pawn may (FIDE Laws 3.7).
    if Bitboard::BACK_RANKS.contains(to) != promotion.is_some() {
        return Err(Unresolved::Illegal);
    }

    // A text of an en passant capture names the file of the origin, so no pawn behind the square is left.
    if position.is_free(to)
        && let Some(from) = pawn_behind(position, pawns, to)
    {
        return if position.keeps_king_safe(from, to) {
            Ok(without_rivals(Move {
                promotion,
                ..Move::normal(Role::Pawn, from, to)
            }))
        } else {
            Err(Unresolved::Illegal)
        };
    }

    let takers = attacks::pawn(!us, to) & pawns;

    if position.side(!us).contains(to) {
        let is_safe = |&from: &Square| position.keeps_king_safe(from, to);
        let from = one_of(takers.into_iter().filter(is_safe))?;

        Ok(without_rivals(Move {
            promotion,
            ..Move::normal(Role::Pawn, from, to)
        }))
    } else if position.en_passant() == Some(to) {
        let is_safe = |&from: &Square| position.en_passant_is_safe(from, to);
        let from = one_of(takers.into_iter().filter(is_safe))?;

        Ok(without_rivals(Move::en_passant(from, to)))
    } else {
        Err(Unresolved::Illegal)
    }
}

/// The pawn that can step to an empty square.
#[inline]
pub(super) fn pawn_behind(position: &Position, pawns: Bitboard, to: Square) -> Option<Square> {
    let us = position.turn();

    let one_back = Bitboard::of(to).one_rank_back(us);
    let two_back = (one_back & !position.occupied()).one_rank_back(us);
    let from_second_rank = two_back & Bitboard::rank(Rank::TWO.of_side(us));

    (pawns & (one_back | from_second_rank)).single()
}

/// The only square; an error if there is none, or more than one.
fn one_of(mut squares: impl Iterator<Item = Square>) -> Result<Square, Unresolved> {
    let first = squares.next().ok_or(Unresolved::Illegal)?;

    if squares.next().is_some() {
        Err(Unresolved::Ambiguous)
    } else {
        Ok(first)
    }
}

/// The squares of other pieces with the role of the moving piece that could legally move to its target.
pub fn rivals(position: &Position, mv: Move) -> Bitboard {
    // A pawn's capture names its file in any case, and there is one king.
    if mv.kind != MoveKind::Normal || matches!(mv.role, Role::Pawn | Role::King) {
        return Bitboard::EMPTY;
    }

    let piece = Piece {
        color: position.turn(),
        role: mv.role,
    };
    let others = position.attackers_of(piece, mv.to).without(mv.from);

    others
        .into_iter()
        .filter(|&from| position.may_move(mv.role, from, mv.to))
        .collect()
}

/// Appends the canonical text of a legal move, without its mark; `position` is before the move.
#[inline(always)]
pub fn write_san(position: &Position, resolved: Resolved, out: &mut Vec<u8>) {
    SanText::new(position, resolved).append(out);
}

/// A canonical text, in the lowest bytes of a word.
///
/// With its mark, a text has at most seven characters: `Qa1xb2#`, `exd8=Q#`. The text is put together by shifts, and
/// its word is stored whole; the next text overwrites the excess. A processor can predict neither a branch on each
/// character nor the length of a copy.
#[derive(Clone, Copy)]
pub(crate) struct SanText {
    word: u64,
    length: u32,
}

impl SanText {
    /// The text of a legal move, without its mark; `position` is before the move.
    #[inline(always)]
    pub(crate) fn new(position: &Position, resolved: Resolved) -> SanText {
        let Resolved { mv, rivals } = resolved;
        match mv.kind {
            MoveKind::Normal | MoveKind::EnPassant => SanText::of_piece(position, mv, rivals),
            MoveKind::Castle => match CastlingSide::of_rook(mv.from, mv.to) {
                CastlingSide::King => SanText::fixed(b"O-O\0\0", 3),
                CastlingSide::Queen => SanText::fixed(b"O-O-O", 5),
            },
            MoveKind::Null => SanText::fixed(b"--\0\0\0", 2),
        }
    }

    /// A fixed text of up to five characters, padded with zeros.
    const fn fixed(text: &[u8; 5], length: u32) -> SanText {
        let [a, b, c, d, e] = *text;

        SanText {
            word: u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]),
            length,
        }
    }

    /// The text of a move other than castling, written from its target outwards.
    #[inline(always)]
    fn of_piece(position: &Position, mv: Move, rivals: Bitboard) -> SanText {
        let is_capture = mv.kind == MoveKind::EnPassant || !position.is_free(mv.to);

        let file = u64::from(mv.to.file().letter());
        let rank = u64::from(mv.to.rank().digit());
        let mut text = SanText {
            word: rank << 8 | file,
            length: 2,
        };

        text.prepend(b'x', is_capture);

        if rivals.any() {
            let Disambiguation { file, rank } = disambiguation(mv.from, rivals);
            text.prepend(mv.from.rank().digit(), rank);
            text.prepend(mv.from.file().letter(), file);
        }

        // A pawn has no letter; the file of its origin begins a capture.
        let is_pawn = mv.role == Role::Pawn;
        let first = if is_pawn {
            mv.from.file().letter()
        } else {
            mv.role.letter()
        };
        text.prepend(first, is_capture || !is_pawn);

        if let Some(role) = mv.promotion {
            text.push(b'=');
            text.push(role.letter());
        }

        text
    }

    /// Adds a character in front, or leaves the text as it is, without a branch.
    #[inline]
    fn prepend(&mut self, character: u8, is_written: bool) {
        let count = u32::from(is_written);
        let added = u64::from(character) * u64::from(is_written);

        self.word = (self.word << (8 * count)) | added;
        self.length += count;
    }

    /// Adds a character behind.
    #[inline]
    pub(crate) fn push(&mut self, character: u8) {
        self.word |= u64::from(character) << ((8 * self.length) & 63);
        self.length += 1;
    }

    /// Appends the text to a buffer.
    #[inline]
    pub(crate) fn append(self, out: &mut Vec<u8>) {
        let end = out.len() + self.length as usize;

        out.extend_from_slice(&self.word.to_le_bytes());
        out.truncate(end);
    }
}

/// The parts of an origin that a move text contains.
#[derive(Clone, Copy)]
pub(super) struct Disambiguation {
    /// `true` if the file is written.
    pub(super) file: bool,
    /// `true` if the rank is written.
    pub(super) rank: bool,
}

/// The parts to write of an origin that has rivals (PGN §8.2.3.4): the file if it is unique, else the rank if the rank
/// is unique, else both.
pub(super) fn disambiguation(from: Square, rivals: Bitboard) -> Disambiguation {
    let on_file = rivals & Bitboard::file(from.file());
    let on_rank = rivals & Bitboard::rank(from.rank());

    let is_file_unique = on_file.is_empty();
    let is_rank_unique = on_rank.is_empty();
    match (is_file_unique, is_rank_unique) {
        (true, _) => Disambiguation {
            file: true,
            rank: false,
        },
        (false, true) => Disambiguation {
            file: false,
            rank: true,
        },
        (false, false) => Disambiguation {
            file: true,
            rank: true,
        },
    }
}

/// The check mark of the move that led to a position: `#` for mate, `+` for check.
#[inline]
pub fn mark(after: &Position) -> Option<u8> {
    let is_check = after.is_check();
    let is_mate = is_check && !after.has_legal_move();

    match (is_check, is_mate) {
        (false, _) => None,
        (true, false) => Some(b'+'),
        (true, true) => Some(b'#'),
    }
}

/// The canonical text of a legal move, including its mark.
///
/// ```
/// use stamma_chess::{board::Position, notation::{San, san}};
/// let position = Position::from_fen("k7/8/1K6/8/8/8/8/1R5R w - -")?;
/// let mv = San::parse(b"Rh1-h8").unwrap().resolve(&position).unwrap().mv;
/// assert_eq!(san(&position, mv), "Rh8#");
/// # Ok::<(), stamma_chess::board::FenError>(())
/// ```
pub fn san(position: &Position, mv: Move) -> String {
    let resolved = Resolved {
        mv,
        rivals: rivals(position, mv),
    };

    let mut text = Vec::with_capacity(8);
    write_san(position, resolved, &mut text);

    // The mark depends on the position after the move.
    let mut after = position.clone();
    after.play(mv);
    text.extend(mark(&after));

    text.into_iter().map(char::from).collect()
}
