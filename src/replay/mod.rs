//! A PGN game played through: its moves in canonical SAN, its positions, and what is wrong with it.
//!
//! Pure: text in, [`Replay`] out. Nothing of the text is lost: what is understood stands in a field
//! of its own, and what is not is kept as [`Replay::rest`] or as a comment.

mod follow;
mod game_fault;
mod glyphs;
mod key;
mod mainline;
mod material_signature;
mod odd_words;
mod placement;
mod problem;
mod reading;
mod repetition;
mod replayer;
mod script;
mod tag_fault;
mod trusted;
mod utf8;
mod variations;

use std::borrow::Cow;
use std::ops::Range;

pub use key::PositionKey;
pub use mainline::{IllegalMove, Mainline};
pub use material_signature::MaterialSignature;
pub(crate) use material_signature::{PAWN_FILES, USUAL_COUNTS, pawn_rank};
pub use placement::{MaterialKey, Placement};
pub use problem::{Effect, Problem, ProblemKind};
pub(crate) use problem::{SourceProblem, excerpt};
pub use reading::{ReadGame, ReadingId, Readings};
pub use trusted::{HalfMove, TrustedLine};
pub(crate) use utf8::utf8;
pub(crate) use variations::Variations;

use crate::board::{Move, Position};
use crate::game::{Annotations, Variant};
use crate::pgn::{Termination, read_game};
use replayer::Replayer;

/// Variations that stand inside each other; more are kept as text, since each takes memory.
const MAX_DEPTH: usize = 1000;

/// A position that stands in a game for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position's key.
    pub key: PositionKey,
    /// Its [`Position::check_key`].
    pub check_key: u16,
    /// [`Move::code`](crate::board::Move::code) of the move played there, [`Visit::END`] when the game ends,
    /// [`Visit::VARIATION`] when the position stands in variations alone.
    pub next: u16,
}

impl Visit {
    /// Stands for "no move": the game ends here. No move has this code.
    pub const END: u16 = u16::MAX;
    /// Stands for "not played": the position stands in a variation. No move has this code.
    pub const VARIATION: u16 = u16::MAX - 1;
}

/// What is true of the last position of a game, whatever its result says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// `checkmate`, `stalemate` or `insufficient-material`, if it is one.
    pub board: Option<&'static str>,
    /// Half-moves played when the fifty-move rule first applied.
    pub fifty_moves: Option<u32>,
    /// Half-moves played when the seventy-five-move rule first applied.
    pub seventy_five_moves: Option<u32>,
    /// Half-moves played when a position first stood for the third time.
    pub threefold: Option<u32>,
    /// Half-moves played when a position first stood for the fifth time.
    pub fivefold: Option<u32>,
}

/// A game, played through as far as it can be.
#[derive(Debug)]
pub struct Replay<'t> {
    /// The tag pairs in their order, values without escapes.
    pub tags: Vec<(&'t str, Cow<'t, str>)>,
    /// The game that is played.
    pub variant: Variant,
    /// The position it starts from, when a `FEN` tag gives one.
    pub start: Option<Position>,
    /// The mainline in canonical SAN, one space between moves.
    pub moves: String,
    /// The same as moves.
    pub played: Vec<Move>,
    /// Half-moves of the mainline.
    pub plies: u32,
    /// The positions of the mainline, start and end included, each at its first visit; empty for a
    /// variant that is not played here.
    pub visits: Vec<Visit>,
    /// A number that is equal for games with the same start and the same moves: FNV-1a with 64 bits
    /// over the start position's key and the [codes](crate::board::Move::code) of the mainline.
    pub moves_hash: u64,
    /// Its comments, NAGs, variations and escape lines.
    pub annotations: Annotations,
    /// The last token, if it is a terminator.
    pub termination: Option<Termination>,
    /// The part of the text that could not be used, without the terminator.
    pub rest: Option<Range<usize>>,
    /// The last position of the mainline.
    pub last: Position,
    /// What is true of it.
    pub ending: Ending,
    /// Everything that was wrong, in the order of the text.
    pub problems: Vec<Problem>,
}

impl Replay<'_> {
    /// The key of the last position.
    pub fn last_key(&self) -> PositionKey {
        PositionKey::new(&self.last, self.variant)
    }

    /// The FEN of the start position, when it is not the usual one.
    pub fn start_fen(&self) -> Option<String> {
        const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        self.start.as_ref().map(Position::fen).filter(|fen| fen != USUAL)
    }

    /// The Result tag in any form, or the terminator where the tag is missing or is no result.
    pub fn result(&self) -> Termination {
        tag(&self.tags, "Result")
            .and_then(Termination::from_text)
            .or(self.termination)
            .unwrap_or(Termination::Unknown)
    }

    /// The terminator, when it is not the result; empty when there was none.
    pub fn other_terminator(&self) -> Option<&'static str> {
        match self.termination {
            Some(found) if found == self.result() => None,
            found => Some(found.map_or("", Termination::as_str)),
        }
    }

    /// Whether the game has been played through, at least its start position.
    pub fn is_played(&self) -> bool {
        !self.visits.is_empty()
    }
}

/// Plays a game through whose moves are PGN in English; [`Readings`] try others.
///
/// ```
/// use stamma::replay::replay;
/// let game = replay("[White \"Morphy\"]\n\n1.e2-e4 e7e5 {usual} 2.Ng1f3 Nf7 3.d4 1-0");
/// assert_eq!(game.moves, "e4 e5 Nf3");
/// assert_eq!(game.problems[0].kind.code(), "illegal-move");
/// assert_eq!(game.problems[0].message, "2... Nf7: Black has no legal move that this can mean");
/// ```
pub fn replay(text: &str) -> Replay<'_> {
    play(text, Replayer::new(text))
}

/// The same without positions: [`Replay::visits`] has the start alone, and of the endings only that on the
/// board is known.
fn replay_moves(text: &str) -> Replay<'_> {
    play(text, Replayer::new(text).without_positions())
}

fn play<'t>(text: &'t str, mut replayer: Replayer<'t>) -> Replay<'t> {
    read_game(text.as_bytes(), &mut replayer);
    replayer.finish()
}

/// The value of the first tag of a name.
pub fn tag<'a>(tags: &'a [(&str, Cow<'_, str>)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_ref())
}
