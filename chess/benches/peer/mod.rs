//! The peer of Stamma in every bench: `pgn-reader` and `shakmaty` reading the mainlines of a file, after `pgn-reader`'s
//! example `validate.rs`. Each bench defines the work done at a move.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, Reader, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen, san::SanPlus};
use stamma_chess::game::Variant;

/// The longest tag pair that is read; by default, `pgn-reader` stops at one of more than 255 bytes.
const TAG_BYTES: usize = 1024;

/// A game, as far as the peer has played it.
#[derive(Clone, Default)]
pub(crate) struct Game {
    pub(crate) position: Chess,
    pub(crate) has_fen: bool,
    pub(crate) variant: Variant,
    /// `true` if it has an `Event` tag, as every game of the corpus has. If a tag value contains an unescaped quotation
    /// mark, `pgn-reader` splits the game in two, the second without the tag.
    pub(crate) has_event: bool,
    /// `true` if it cannot be played (any further): a variant, a wrong FEN, an illegal move.
    pub(crate) is_lost: bool,
}

impl Game {
    /// Sets the game up according to one of its tag pairs.
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

/// The position of a FEN; like Stamma, it drops impossible castling rights and accepts any number of pieces (some games
/// begin with 14 bishops).
pub(crate) fn position(fen: &[u8]) -> Option<Chess> {
    let fen = Fen::from_ascii(fen).ok()?;
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// A bench's processing of the peer's games.
pub(crate) trait Follow {
    /// Receives a tag pair; by default, sets the game up.
    fn tag(&mut self, game: &mut Game, name: &[u8], value: &[u8]) {
        game.set_up(name, value);
    }

    /// Receives the game before its first move.
    fn begin(&mut self, _game: &Game) {}

    /// Receives a move of the mainline, while the game can be played.
    fn san(&mut self, game: &mut Game, san: SanPlus);

    /// Receives the game after its last move.
    fn end(&mut self, _game: &Game) {}
}

/// Reads at most `limit` games for a follower.
pub(crate) fn read_games(bytes: impl Read, limit: usize, follow: &mut impl Follow) {
    let mut reader = Reader::build(bytes)
        .set_supported_tag_line_length(TAG_BYTES)
        .finish();
    let mut peer = Peer(follow);
    for _ in 0..limit {
        let game = reader.read_game(&mut peer).expect("the file can be read");
        if game.is_none() {
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

/// The path of a file of the corpus; reports and returns `None` without a corpus.
pub(crate) fn corpus_file(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("STAMMA_CORPUS") else {
        println!("skipped: STAMMA_CORPUS is not set");
        return None;
    };
    Some(Path::new(&folder).join(name))
}

/// The result of some work, and its duration.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The median of some times.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
