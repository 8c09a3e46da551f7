//! Replays PGN games: turns the text of a game into a typed game, its positions, and its problems.
//!
//! A replay is a pure function from a text to a [`Replay`]. No text is lost: text that cannot be read is kept as
//! [`Game::rest`] or as a comment.

mod board_ending;
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
mod tags;
mod trusted;
mod unread;
mod utf8;
mod variations;

pub use board_ending::result_on_board;
pub use key::PositionKey;
pub use mainline::{IllegalMove, Mainline};
pub use problem::{Effect, Problem, ProblemKind};
pub use reading::{ReadGame, ReadingId, Readings};
pub use tags::tags_of;

// Only for the package `stamma`: these items may change in any version.
#[doc(hidden)]
pub use self::{
    material_signature::{MaterialSignature, PAWN_FILES, STANDARD_COUNTS},
    placement::{MaterialKey, Placement},
    problem::excerpt,
    trusted::{HalfMove, TrustedLine},
    unread::problem_of,
    utf8::utf8,
    variations::Variations,
};

use crate::board::{Move, Position};
use crate::game::{Game, Ply};
use crate::pgn::read_game;
use replayer::Replayer;

/// The maximum nesting of variations, since each open variation takes memory; deeper variations are kept as text.
const MAX_DEPTH: usize = 1000;

/// The first occurrence of a position in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position's key.
    pub key: PositionKey,
    /// The position's [`Position::check_key`].
    pub check_key: u16,
    /// [`Move::code`](crate::board::Move::code) of the move played there, [`Visit::END`] if the game ends,
    /// [`Visit::VARIATION`] if the position occurs in variations only.
    pub next: u16,
    /// The number of half-moves played before, at most [`u16::MAX`].
    pub ply: u16,
}

impl Visit {
    /// Means "no move": the game ends here. No move has this code.
    pub const END: u16 = u16::MAX;
    /// Means "not played": the position occurs in a variation. No move has this code.
    pub const VARIATION: u16 = u16::MAX - 1;

    /// A number of half-moves as in [`Visit::ply`].
    pub fn stored_ply(ply: Ply) -> u16 {
        u16::try_from(ply.get()).unwrap_or(u16::MAX)
    }
}

/// The ending of a game on the board, regardless of its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// `checkmate`, `stalemate` or `insufficient-material`, if applicable.
    pub board: Option<&'static str>,
    /// The number of half-moves after which the fifty-move rule first applied.
    pub fifty_moves: Option<Ply>,
    /// The number of half-moves after which the seventy-five-move rule first applied.
    pub seventy_five_moves: Option<Ply>,
    /// The number of half-moves after which a position first occurred for the third time.
    pub threefold: Option<Ply>,
    /// The number of half-moves after which a position first occurred for the fifth time.
    pub fivefold: Option<Ply>,
}

/// A game, played through as far as possible.
#[derive(Debug)]
pub struct Replay<'t> {
    /// The game; its moves end where it could not be played any further.
    pub game: Game<'t>,
    /// The position given by a `FEN` tag.
    pub start: Option<Position>,
    /// The moves of the mainline.
    pub played: Vec<Move>,
    /// The positions of the mainline, including start and end, each at its first visit; empty for variants that Stamma
    /// does not play.
    pub visits: Vec<Visit>,
    /// A hash that is equal for games with equal start and moves: 64-bit FNV-1a over the start position's key and the
    /// [codes](crate::board::Move::code) of the mainline.
    pub moves_hash: u64,
    /// The last position of the mainline.
    pub last: Position,
    /// The ending of the game on the board.
    pub ending: Ending,
    /// All problems, in the order of the text.
    pub problems: Vec<Problem>,
}

impl Replay<'_> {
    /// The number of half-moves in the mainline.
    pub fn plies(&self) -> u32 {
        self.played.len() as u32
    }

    /// The key of the last position.
    pub fn last_key(&self) -> PositionKey {
        PositionKey::new(&self.last, self.game.variant)
    }
}

/// Plays through a game in English PGN; [`Readings`] try other languages.
///
/// ```
/// use stamma_chess::replay::replay;
/// let replay = replay("[White \"Morphy\"]\n\n1.e2-e4 e7e5 {usual} 2.Ng1f3 Nf7 3.d4 1-0");
/// assert_eq!(replay.game.moves, "e4 e5 Nf3");
/// assert_eq!(replay.problems[0].kind.code(), "illegal-move");
/// assert_eq!(replay.problems[0].message, "2... Nf7: Black has no legal move that this can mean");
/// ```
pub fn replay(text: &str) -> Replay<'_> {
    play(text, Replayer::new(text))
}

/// Plays through a game without recording positions: [`Replay::visits`] has only the start, and [`Replay::ending`] has
/// only `board`.
fn replay_moves(text: &str) -> Replay<'_> {
    play(text, Replayer::new(text).without_positions())
}

/// Plays the events of a text on a replayer.
fn play<'t>(text: &'t str, mut replayer: Replayer<'t>) -> Replay<'t> {
    read_game(text.as_bytes(), &mut replayer);
    replayer.finish()
}
