//! A 64-bit signature of each game: the material of the last position, and how it came about. For most queries, the
//! signature rules out most games without a replay.
//!
//! | bits | |
//! |---|---|
//! | 0 to 19 | White's pawns, knights, bishops, rooks and queens in the last position, four bits each; 15 means 15 or more |
//! | 20 to 39 | Black's pieces likewise |
//! | 40 to 47 | one bit for each white pawn on the second rank in the last position, the a-file lowest |
//! | 48 to 55 | black pawns on the seventh rank likewise |
//! | 56 to 58 | White's promotions in the mainline; 7 means 7 or more, or unknown |
//! | 59 to 61 | Black's promotions likewise |
//! | 62 | 1 if the game starts with standard material and all pawns at home (as Chess960 does) |
//! | 63 | 1 for every known signature; a number without it means nothing |
//!
//! The number is stored in databases, so the meaning of a bit cannot change.
//!
//! The signature implies the following for each position of the mainline, whatever is played, including null moves:
//!
//! 1. Without promotions, material only decreases. So there were always at least as many pieces of each kind as at the
//!    end, minus the side's promotions; and at least as many pawns as at the end.
//! 2. With standard material at the start, there were always at most as many pieces of each kind as at the start, plus
//!    the side's promotions; and at most eight pawns.
//! 3. A side has promoted at most as many pawns as it lacks at the end; this also bounds a stored count of 7.
//! 4. Pawns do not go back. So a pawn on its home square at the end was always there, and nothing else was; this holds
//!    from any start position.
//! 5. With standard material at the start, each pawn off its home square is one that has left home, and each step
//!    forward changes its file by at most one. So for a pawn that is some number of ranks forward, a pawn at most that
//!    many files away has left home at the end, and there were never more such pawns than have left home at the end.
//! 6. From any position on, a side promotes at most as many pawns as it has there and lacks at the end. So there are at
//!    least as many pieces of each kind as at the end, minus these promotions.

use super::{Mainline, replay_moves};
use crate::board::{Bitboard, Color, Position, Rank, Role};

/// The material signature of a game; the module documentation lists its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaterialSignature(pub u64);

/// The counted roles, in the order of the bits.
const COUNTED: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The bits of a count of pieces, and the maximum that fits.
const COUNT_BITS: usize = 4;
const MAX_COUNT: u32 = (1 << COUNT_BITS) - 1;

/// The first bit of the home pawns, with a bit for each file.
const HOME_PAWNS_AT: usize = 40;
const FILES: usize = 8;

/// The first bit of the promotions, and the bits and the maximum of their number.
const PROMOTIONS_AT: usize = 56;
const PROMOTION_BITS: usize = 3;
const MAX_PROMOTIONS: u32 = (1 << PROMOTION_BITS) - 1;

const STANDARD_MATERIAL: u64 = 1 << 62;
const IS_KNOWN: u64 = 1 << 63;

impl MaterialSignature {
    /// The signature of a game whose positions are unknown.
    pub const UNKNOWN: MaterialSignature = MaterialSignature(0);

    /// The signature of a mainline between two positions; without a first position, it starts from the standard
    /// position. `promotions` counts the promotions of each side, White first, if known.
    pub fn new(
        start: Option<&Position>,
        last: &Position,
        promotions: Option<[u32; 2]>,
    ) -> MaterialSignature {
        let mut bits = IS_KNOWN;
        if start.is_none_or(has_standard_material) {
            bits |= STANDARD_MATERIAL;
        }

        for color in Color::ALL {
            for role in COUNTED {
                let count = last.pieces(color, role).count().min(MAX_COUNT);
                bits |= u64::from(count) << count_at(color, role);
            }

            let files = u64::from(home_pawns(last, color));
            bits |= files << home_pawns_at(color);

            let promoted = match promotions {
                Some(both) => both[side_index(color)].min(MAX_PROMOTIONS),
                None => MAX_PROMOTIONS,
            };
            bits |= u64::from(promoted) << promotions_at(color);
        }

        MaterialSignature(bits)
    }

    /// The signature of a mainline in canonical SAN between two positions; without a first position, it starts from the
    /// standard position.
    pub fn of_moves(start: Option<&Position>, last: &Position, moves: &str) -> MaterialSignature {
        let first = start.map_or(Color::White, Position::turn);
        MaterialSignature::new(start, last, Some(promotions(moves, first)))
    }

    /// The signature of a stored game: the start if not standard, the last position, and the mainline in SAN.
    /// [`MaterialSignature::UNKNOWN`] if these do not fit together, or the mainline is not as a replay writes it,
    /// because one of them has been edited.
    pub fn from_texts(fen: Option<&str>, final_fen: &str, moves: &str) -> MaterialSignature {
        let text = match fen {
            Some(fen) => format!("[FEN \"{fen}\"]\n\n{moves} *"),
            None => format!("{moves} *"),
        };

        let replay = replay_moves(&text);
        let are_canonical = replay.game.is_played && replay.game.moves == moves;
        if !are_canonical || replay.last.fen() != final_fen {
            return MaterialSignature::UNKNOWN;
        }

        MaterialSignature::of_moves(replay.start.as_ref(), &replay.last, moves)
    }

    /// The signature of a mainline, which is played to its end, or to a text that is not a move.
    pub fn of_mainline(mut line: Mainline<'_>) -> MaterialSignature {
        let start = line.position().clone();
        let mut promotions = [0, 0];

        while let Some((_, mv)) = line.step() {
            if mv.promotion.is_some() {
                promotions[side_index(line.position().turn())] += 1;
            }
            line.play(mv);
        }

        MaterialSignature::new(Some(&start), line.position(), Some(promotions))
    }

    /// Returns `true` if the signature is known.
    #[inline]
    pub const fn is_known(self) -> bool {
        self.0 & IS_KNOWN != 0
    }

    /// Returns `true` if the game starts with standard material and all pawns at home.
    #[inline]
    pub const fn has_standard_material(self) -> bool {
        self.0 & STANDARD_MATERIAL != 0
    }

    /// The number of a side's pieces or pawns in the last position; one for kings; 15 means 15 or more.
    #[inline]
    pub fn last_count(self, color: Color, role: Role) -> u32 {
        if role == Role::King {
            return 1;
        }

        (self.0 >> count_at(color, role)) as u32 & MAX_COUNT
    }

    /// The home squares of a side's pawns that have never moved.
    #[inline]
    pub fn home_pawns(self, color: Color) -> Bitboard {
        let files = self.0 >> home_pawns_at(color) & 0xff;
        let home_rank = Rank::TWO.of_side(color).number();

        Bitboard(files << (8 * home_rank))
    }

    /// The maximum number of pawns that a side can have promoted.
    #[inline]
    pub fn promotions(self, color: Color) -> u32 {
        let noted = (self.0 >> promotions_at(color)) as u32 & MAX_PROMOTIONS;
        let gone = PAWN_FILES.saturating_sub(self.last_count(color, Role::Pawn));

        if noted == MAX_PROMOTIONS {
            gone
        } else {
            noted.min(gone)
        }
    }
}

/// The index of a side in the signature: 0 for White, 1 for Black.
#[inline]
const fn side_index(color: Color) -> usize {
    if color.is_white() { 0 } else { 1 }
}

/// The first bit of the count of a side's pieces of a [counted](COUNTED) role.
#[inline]
const fn count_at(color: Color, role: Role) -> usize {
    COUNT_BITS * (COUNTED.len() * side_index(color) + role.index())
}

/// The first bit of a side's home pawns.
#[inline]
const fn home_pawns_at(color: Color) -> usize {
    HOME_PAWNS_AT + FILES * side_index(color)
}

/// The first bit of the number of a side's promotions.
#[inline]
const fn promotions_at(color: Color) -> usize {
    PROMOTIONS_AT + PROMOTION_BITS * side_index(color)
}

/// One bit for each file with a pawn on its home square.
fn home_pawns(position: &Position, color: Color) -> u8 {
    let pawns = position.pieces(color, Role::Pawn);
    let home_rank = Rank::TWO.of_side(color).number();

    // The rank's eight squares are the byte of its number.
    (pawns.0 >> (8 * home_rank)) as u8
}

/// The maximum number of pawns of a side: one for each file.
pub const PAWN_FILES: u32 = 8;

/// The numbers of pawns, knights, bishops, rooks and queens that a side has in the standard start position.
pub const STANDARD_COUNTS: [u32; 5] = [8, 2, 2, 2, 1];

/// `true` if both sides have the standard material, with all pawns at home.
fn has_standard_material(start: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let counts = COUNTED.map(|role| start.pieces(color, role).count());
        let all_pawns_at_home = home_pawns(start, color) == 0xff;
        counts == STANDARD_COUNTS && all_pawns_at_home
    })
}

/// The number of promotions in a mainline, White's first.
fn promotions(moves: &str, first: Color) -> [u32; 2] {
    let mut promotions = [0, 0];

    // Most games have none.
    if memchr::memchr(b'=', moves.as_bytes()).is_none() {
        return promotions;
    }

    let mut turn = first;
    for text in moves.split_ascii_whitespace() {
        promotions[side_index(turn)] += u32::from(text.contains('='));
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
    fn texts_and_replays_give_equal_signatures() {
        let fen = "4k3/1P6/8/8/8/8/1p5P/4K3 b - - 0 1";
        let moves = "b1=N b8=Q+ Ke7";
        let last = "1Q6/4k3/8/8/8/8/7P/1n2K3 w - - 1 3";
        let material_signature = MaterialSignature::from_texts(Some(fen), last, moves);
        assert_eq!(material_signature, of(Some(fen), moves));
        let changed = [
            "b1=N b8=Q+ Kd7",
            "b1=N b8=Q+",
            "b1=N b8=Q+ Ke7 Kf9",
            "b1=N b8=Q+ e7",
        ];
        let material_signatures =
            changed.map(|moves| MaterialSignature::from_texts(Some(fen), last, moves));
        assert_eq!(material_signatures, [MaterialSignature::UNKNOWN; 4]);
        assert!(material_signature.is_known() && !material_signature.has_standard_material());
        assert_eq!(material_signature.last_count(Color::Black, Role::Knight), 1);
        assert_eq!(
            Color::ALL.map(|color| material_signature.promotions(color)),
            [1, 1]
        );
        assert_eq!(
            material_signature.home_pawns(Color::White),
            Bitboard::of(Square::H2)
        );
    }

    #[test]
    fn unknown_promotions_are_as_many_as_pawns_are_gone() {
        let last = Position::from_fen("4k3/pp6/8/8/8/8/P6P/4K3 w - -").expect("a legal position");
        let material_signature = MaterialSignature::new(None, &last, None);
        assert_eq!(
            Color::ALL.map(|color| material_signature.promotions(color)),
            [6, 6]
        );
    }

    #[test]
    fn chess960_has_standard_material() {
        let later = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        assert!(!of(Some(later), "").has_standard_material());

        let start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
        assert!(of(Some(start), "").has_standard_material());

        assert!(!MaterialSignature::UNKNOWN.is_known());
    }
}
