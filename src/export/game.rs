//! A game ready to be written, wherever it comes from.

use std::borrow::Cow;

use crate::board::Move;
use crate::game::Annotations;
use crate::replay::Replay;
use crate::storage::StoredGame;

/// What PGN says of a game: one that is stored, or one that has just been replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame<'g> {
    /// All its tag pairs, in their order.
    pub tags: Vec<(&'g str, &'g str)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'g str,
    /// The last token, when it is not the result; empty when there was none.
    pub terminator: Option<&'g str>,
    /// The start position, when it is not the usual one.
    pub fen: Option<Cow<'g, str>>,
    /// The mainline in canonical SAN, one space between moves.
    pub moves: &'g str,
    /// The moves of the mainline, as far as they are known; those that are not are found from their texts.
    pub played: &'g [Move],
    /// Its comments, NAGs, variations and escape lines.
    pub annotations: &'g Annotations,
    /// The part of the text that could not be used.
    pub rest: Option<&'g str>,
    /// Whether the game has been played through, at least its start position; if not, `rest` is all of
    /// its movetext.
    pub is_played: bool,
}

impl<'g> PgnGame<'g> {
    /// A game that has been replayed from a text.
    pub fn replayed(replay: &'g Replay<'_>, text: &'g str) -> PgnGame<'g> {
        PgnGame {
            tags: replay.tags.iter().map(|(name, value)| (*name, value.as_ref())).collect(),
            result: replay.result().as_str(),
            terminator: replay.other_terminator(),
            fen: replay.start_fen().map(Cow::Owned),
            moves: &replay.moves,
            played: &replay.played,
            annotations: &replay.annotations,
            rest: replay.rest.clone().and_then(|range| text.get(range)),
            is_played: replay.is_played(),
        }
    }

    /// The value of the first tag of a name.
    pub fn tag(&self, name: &str) -> Option<&'g str> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

impl<'g> From<&'g StoredGame> for PgnGame<'g> {
    fn from(game: &'g StoredGame) -> PgnGame<'g> {
        PgnGame {
            tags: game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            result: &game.result,
            terminator: game.terminator.as_deref(),
            fen: game.fen.as_deref().map(Cow::Borrowed),
            moves: &game.moves,
            played: &[],
            annotations: &game.annotations,
            rest: game.rest.as_deref(),
            is_played: game.is_played,
        }
    }
}
