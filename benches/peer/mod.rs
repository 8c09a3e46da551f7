//! The peer that stands beside Stamma in every bench: `pgn-reader` and `shakmaty` reading the
//! mainlines of a file, after `pgn-reader`'s own example `validate.rs`. What is done at a move, each
//! bench says itself.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, Reader, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen, san::SanPlus};
use stamma::game::Variant;

/// The longest tag pairs that are read; `pgn-reader` gives up a file at one of more than 255 bytes.
const TAG_BYTES: usize = 1024;

/// A game as far as the peer has played it.
#[derive(Clone, Default)]
pub(crate) struct Game {
    pub(crate) position: Chess,
    pub(crate) has_fen: bool,
    pub(crate) variant: Variant,
    /// Whether it has an `Event` tag, as every game of the corpus has. Where a tag value holds a
    /// quotation mark that is not escaped, `pgn-reader` makes two games of one, the second without.
    pub(crate) has_event: bool,
    /// Whether it cannot be followed (further): another variant, a wrong FEN, an illegal move.
    pub(crate) is_lost: bool,
}

impl Game {
    /// Sets the game up as one of its tag pairs says.
    pub(crate) fn set_up(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"FEN" => match position(value) {
                Some(position) => {
                    self.position = position;
                    self.has_fen = true;
                }
                None => self.is_lost = true,
            },
            b"Variant" => {
                self.variant = Variant::from_tag(&String::from_utf8_lossy(value));
                self.is_lost |= self.variant == Variant::Other;
            }
            _ => {}
        }
    }
}

/// The position of a FEN; like Stamma, it drops impossible castling rights and takes any number of
/// pieces (some games begin with 14 bishops).
pub(crate) fn position(fen: &[u8]) -> Option<Chess> {
    let fen = Fen::from_ascii(fen).ok()?;
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// What a bench does with the games that the peer reads.
pub(crate) trait Follow {
    /// Takes a tag pair; what is not overridden sets the game up.
    fn tag(&mut self, game: &mut Game, name: &[u8], value: &[u8]) {
        game.set_up(name, value);
    }

    /// Takes the game before its first move.
    fn begin(&mut self, _game: &Game) {}

    /// Takes a move of the mainline, of a game that is not lost.
    fn san(&mut self, game: &mut Game, san: SanPlus);

    /// Takes the game after its last move.
    fn end(&mut self, _game: &Game) {}
}

/// Reads a game, or all of them, and shows them to a follower.
pub(crate) fn read_games(bytes: impl Read, most: usize, follow: &mut impl Follow) {
    let mut reader = Reader::build(bytes).set_supported_tag_line_length(TAG_BYTES).finish();
    let mut peer = Peer(follow);
    for _ in 0..most {
        if reader.read_game(&mut peer).expect("the file can be read").is_none() {
            break;
        }
    }
}

struct Peer<'f, F>(&'f mut F);

impl<F: Follow> Visitor for Peer<'_, F> {
    type Tags = Game;
    type Movetext = Game;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        game.has_event |= name == b"Event";
        self.0.tag(game, name, value.as_bytes());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<(), Game> {
        self.0.begin(&game);
        ControlFlow::Continue(game)
    }

    fn begin_variation(&mut self, _game: &mut Game) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<()> {
        if !game.is_lost {
            self.0.san(game, san);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) {
        self.0.end(&game);
    }
}

/// Where a file of the corpus is; says so and gives nothing when there is no corpus.
pub(crate) fn corpus_file(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("STAMMA_CORPUS") else {
        println!("skipped: STAMMA_CORPUS is not set");
        return None;
    };
    Some(Path::new(&folder).join(name))
}

/// The result of some work, and how long it took.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The middle one of some times.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
