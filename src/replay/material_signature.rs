//! What is kept of each game in 64 bits, so that most games are ruled out for a question without being
//! replayed: its last position in material signature, and how it came about.
//!
//! | bits | |
//! |---|---|
//! | 0 to 19 | White's pawns, knights, bishops, rooks and queens in the last position, four bits each; 15 means 15 or more |
//! | 20 to 39 | Black's |
//! | 40 to 47 | a bit for each white pawn that stands on the second rank in the last position, the a-file lowest |
//! | 48 to 55 | the same for black pawns on the seventh rank |
//! | 56 to 58 | the promotions of White in the mainline; 7 means 7 or more, or that they are not known |
//! | 59 to 61 | Black's |
//! | 62 | 1 when the game starts with the usual men, all pawns at home (Chess960 has those, too) |
//! | 63 | 1 for every material signature; a number without it says nothing |
//!
//! The number is written to databases, so that what a bit means cannot change.
//!
//! What follows from it, for each position of the mainline, whatever is played in it, null moves among it:
//!
//! 1. MaterialKey only get fewer, but for promotions. So of each kind of piece there have always been at least as many as
//!    at the end, less its side's promotions; and of pawns at least as many as at the end.
//! 2. With the usual men at the start, of each kind of piece there have been at most as many as at the start,
//!    and its side's promotions; of pawns at most eight.
//! 3. A side has promoted at most as many pawns as it lacks at the end, however many that may be.
//! 4. Pawns do not go back. So a pawn that stands on its home square at the end has stood there always, and nothing
//!    else has; that is true from any start.
//! 5. With the usual men at the start, each pawn off its home square comes from one that has left it, and with each step
//!    forward it changes its file by one at most. So for a pawn so many ranks forward one is gone from home at the end
//!    that is no more files away, and there have never been more of them than are gone from home at the end.
//! 6. From a position on, a side promotes at most as many pawns as it has there and lacks at the end. So of each kind of
//!    piece there are at least as many as at the end, less those.

use super::{Mainline, replay_moves};
use crate::board::{Bitboard, Color, Position, Role};

/// The material signature of a game; the head of this file has its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaterialSignature(pub u64);

/// The roles that are counted, in the order of the bits.
const COUNTED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const HOME_PAWNS_AT: u32 = 40;
const PROMOTIONS_AT: u32 = 56;
const MOST_PROMOTIONS: u32 = 7;
const USUAL_MEN: u64 = 1 << 62;
const IS_KNOWN: u64 = 1 << 63;

impl MaterialSignature {
    /// Of a game about whose positions nothing is known.
    pub const UNKNOWN: MaterialSignature = MaterialSignature(0);

    /// That of a mainline between two positions, the usual start when there is no first one, in which each
    /// side, White first, has promoted so many pawns, if that is known.
    pub fn new(
        start: Option<&Position>,
        last: &Position,
        promotions: Option<[u32; 2]>,
    ) -> MaterialSignature {
        let mut bits = IS_KNOWN;
        if start.is_none_or(has_usual_men) {
            bits |= USUAL_MEN;
        }
        for (side, color) in Color::ALL.into_iter().enumerate() {
            for (at, role) in COUNTED.into_iter().enumerate() {
                let count = u64::from(last.pieces(color, role).count().min(15));
                bits |= count << (4 * (5 * side + at));
            }
            bits |= u64::from(home_pawns(last, color)) << (HOME_PAWNS_AT + 8 * side as u32);
            let promotions = promotions.map_or(MOST_PROMOTIONS, |both| both[side]);
            bits |= u64::from(promotions.min(MOST_PROMOTIONS)) << (PROMOTIONS_AT + 3 * side as u32);
        }
        MaterialSignature(bits)
    }

    /// That of a mainline in canonical SAN between two positions, the usual start when there is no first one.
    pub(crate) fn of_moves(
        start: Option<&Position>,
        last: &Position,
        moves: &str,
    ) -> MaterialSignature {
        let first = start.map_or(Color::White, Position::turn);
        MaterialSignature::new(start, last, Some(promotions(moves, first)))
    }

    /// That of a stored game: the start, when it is not the usual one, the last position, and the mainline in SAN.
    /// [`MaterialSignature::UNKNOWN`] where these do not belong together, or the mainline is not as a replay writes it: then
    /// somebody has changed one of them.
    pub fn from_texts(fen: Option<&str>, final_fen: &str, moves: &str) -> MaterialSignature {
        let text = match fen {
            Some(fen) => format!("[FEN \"{fen}\"]\n\n{moves} *"),
            None => format!("{moves} *"),
        };
        let replay = replay_moves(&text);
        let are_canonical = replay.game.is_played && replay.game.moves == moves;
        if are_canonical && replay.last.fen() == final_fen {
            MaterialSignature::of_moves(replay.start.as_ref(), &replay.last, moves)
        } else {
            MaterialSignature::UNKNOWN
        }
    }

    /// That of a mainline, which is played to its end, or to a text that is no move.
    pub fn of_mainline(mut line: Mainline<'_>) -> MaterialSignature {
        let start = line.position().clone();
        let mut promotions = [0, 0];
        while let Some((_, mv)) = line.step() {
            if mv.promotion.is_some() {
                promotions[place(line.position().turn())] += 1;
            }
            line.play(mv);
        }
        MaterialSignature::new(Some(&start), line.position(), Some(promotions))
    }

    /// `true` when it says something of its game.
    #[inline]
    pub const fn is_known(self) -> bool {
        self.0 & IS_KNOWN != 0
    }

    /// `true` when the game starts with the usual men, all pawns at home.
    #[inline]
    pub const fn has_usual_men(self) -> bool {
        self.0 & USUAL_MEN != 0
    }

    /// The pieces or pawns of a side in the last position; kings are always one, and 15 means 15 or more.
    #[inline]
    pub fn last_count(self, color: Color, role: Role) -> u32 {
        match role {
            Role::King => 1,
            role => (self.0 >> (4 * (5 * place(color) + role.index())) & 15) as u32,
        }
    }

    /// The squares of pawns of a side that have never left them.
    #[inline]
    pub fn home_pawns(self, color: Color) -> Bitboard {
        let files = self.0 >> (HOME_PAWNS_AT + 8 * place(color) as u32) & 0xff;
        Bitboard(files << (8 * pawn_rank(color)))
    }

    /// The most pawns that a side can have promoted.
    #[inline]
    pub fn promotions(self, color: Color) -> u32 {
        let noted = (self.0 >> (PROMOTIONS_AT + 3 * place(color) as u32)) as u32 & MOST_PROMOTIONS;
        let gone = PAWN_FILES.saturating_sub(self.last_count(color, Role::Pawn));
        if noted == MOST_PROMOTIONS { gone } else { noted.min(gone) }
    }
}

/// The place of a side in the bits.
#[inline]
const fn place(color: Color) -> usize {
    if color.is_white() { 0 } else { 1 }
}

/// The rank on which a side's pawns start (the first = 0).
pub(crate) const fn pawn_rank(color: Color) -> u8 {
    if color.is_white() { 1 } else { 6 }
}

/// A bit for each file on whose home square a pawn stands.
fn home_pawns(position: &Position, color: Color) -> u8 {
    (position.pieces(color, Role::Pawn).0 >> (8 * pawn_rank(color))) as u8
}

/// How many pawns a side has at most: one for each file.
pub(crate) const PAWN_FILES: u32 = 8;

/// How many of each of [`COUNTED`] a side has at the usual start.
pub(crate) const USUAL_COUNTS: [u32; 5] = [8, 2, 2, 2, 1];

fn has_usual_men(start: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let counts = COUNTED.map(|role| start.pieces(color, role).count());
        counts == USUAL_COUNTS && home_pawns(start, color) == 0xff
    })
}

/// How many moves of a mainline are promotions, White's first.
fn promotions(moves: &str, first: Color) -> [u32; 2] {
    let mut promotions = [0, 0];
    if memchr::memchr(b'=', moves.as_bytes()).is_none() {
        return promotions;
    }
    let mut turn = first;
    for text in moves.split_ascii_whitespace() {
        promotions[place(turn)] += u32::from(text.contains('='));
        turn = !turn;
    }
    promotions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    fn of(fen: Option<&str>, moves: &str) -> MaterialSignature {
        MaterialSignature::of_mainline(Mainline::new(fen, moves).expect("a legal start"))
    }

    #[test]
    fn the_bits_of_the_usual_start() {
        assert_eq!(of(None, "").0, 0xc0ff_ff12_2281_2228);
    }

    #[test]
    fn texts_give_the_same_as_replaying() {
        let fen = "4k3/1P6/8/8/8/8/1p5P/4K3 b - - 0 1";
        let moves = "b1=N b8=Q+ Ke7";
        let last = "1Q6/4k3/8/8/8/8/7P/1n2K3 w - - 1 3";
        let material_signature = MaterialSignature::from_texts(Some(fen), last, moves);
        assert_eq!(material_signature, of(Some(fen), moves));
        let changed = ["b1=N b8=Q+ Kd7", "b1=N b8=Q+", "b1=N b8=Q+ Ke7 Kf9", "b1=N b8=Q+ e7"];
        let material_signatures =
            changed.map(|moves| MaterialSignature::from_texts(Some(fen), last, moves));
        assert_eq!(material_signatures, [MaterialSignature::UNKNOWN; 4]);
        assert!(material_signature.is_known() && !material_signature.has_usual_men());
        assert_eq!(material_signature.last_count(Color::Black, Role::Knight), 1);
        assert_eq!(Color::ALL.map(|color| material_signature.promotions(color)), [1, 1]);
        assert_eq!(material_signature.home_pawns(Color::White), Bitboard::of(Square::at(7, 1)));
    }

    #[test]
    fn unknown_promotions_are_as_many_as_pawns_are_gone() {
        let last = Position::from_fen("4k3/pp6/8/8/8/8/P6P/4K3 w - -").expect("a legal position");
        let material_signature = MaterialSignature::new(None, &last, None);
        assert_eq!(Color::ALL.map(|color| material_signature.promotions(color)), [6, 6]);
    }

    #[test]
    fn men_are_usual_in_chess960_too() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        assert!(!of(Some(fen), "").has_usual_men());
        let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
        assert!(of(Some(fen), "").has_usual_men());
        assert!(!MaterialSignature::UNKNOWN.is_known());
    }
}
