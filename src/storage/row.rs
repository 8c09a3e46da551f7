//! A replayed game as the values of its rows, ready to be bound.
//!
//! Workers build rows, and one thread writes them. The texts of a batch are concatenated in one string, so a row has
//! only numbers and a batch needs few allocations.

use std::num::NonZeroU16;
use std::ops::Range;

use rusqlite::types::ValueRef;

use super::address::site_and_address;
use super::annotations::write_annotations;
use super::final_fen::PackedFen;
use super::tags;
use crate::board::Position;
use crate::game::{Game, GameFacts, year};
use crate::input::Encoding;
use crate::openings::OpeningId;
use crate::pgn::Termination;
use crate::replay::{Ending, Replay, utf8};

/// The texts of many rows, concatenated.
#[derive(Debug, Default)]
pub(crate) struct TextArena(String);

/// A text in a [`TextArena`], or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(Option<(usize, usize)>);

impl TextArena {
    /// An arena with an initial capacity.
    pub(crate) fn with_capacity(bytes: usize) -> TextArena {
        TextArena(String::with_capacity(bytes))
    }

    /// Appends a text.
    pub(crate) fn push(&mut self, text: &str) -> Text {
        let start = self.0.len();
        self.0.push_str(text);
        Text(Some((start, self.0.len())))
    }

    /// Appends a text, if there is one.
    fn push_some(&mut self, text: Option<&str>) -> Text {
        match text {
            Some(text) => self.push(text),
            None => Text::default(),
        }
    }

    /// Appends a text unless it is empty.
    fn push_filled(&mut self, text: &str) -> Text {
        if text.is_empty() {
            return Text::default();
        }
        self.push(text)
    }

    /// The text, or `None` for no text.
    pub(crate) fn get(&self, text: Text) -> Option<&str> {
        text.0.and_then(|(start, end)| self.0.get(start..end))
    }
}

/// The value of the column `final_fen`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum FinalFen {
    #[default]
    Missing,
    Packed(PackedFen),
    Text(Text),
}

impl FinalFen {
    /// The position after a number of half-moves, packed if it can be.
    fn new(position: &Position, plies: u32, texts: &mut TextArena) -> FinalFen {
        match PackedFen::new(position, plies) {
            Some(packed) => FinalFen::Packed(packed),
            None => FinalFen::Text(texts.push(&position.fen())),
        }
    }

    /// The value to be bound.
    pub(super) fn value<'v>(&'v self, texts: &'v TextArena) -> ValueRef<'v> {
        match self {
            FinalFen::Missing => ValueRef::Null,
            FinalFen::Packed(packed) => ValueRef::Blob(packed.bytes()),
            FinalFen::Text(text) => ValueRef::from(texts.get(*text)),
        }
    }
}

/// The values of a row of `game` and its row of `movetext`.
#[derive(Debug)]
pub(crate) struct GameRow {
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    pub(crate) event: Text,
    /// The site, or its part that is common to many games.
    pub(crate) site: Text,
    /// The id of the game at its address.
    pub(crate) address: Text,
    pub(crate) date: Text,
    pub(crate) round: Text,
    pub(crate) white: Text,
    pub(crate) black: Text,
    pub(crate) result: Termination,
    pub(crate) terminator: Option<&'static str>,
    pub(crate) white_elo: Option<u16>,
    pub(crate) black_elo: Option<u16>,
    pub(crate) eco: Text,
    pub(crate) ply_count: u32,
    pub(crate) fen: Text,
    pub(crate) variant: Option<&'static str>,
    pub(crate) ending: Ending,
    pub(crate) final_fen: FinalFen,
    pub(crate) final_key: Option<i64>,
    pub(crate) moves_hash: i64,
    pub(crate) tag_order: Text,
    pub(crate) moves: Text,
    pub(crate) tags: Text,
    pub(crate) annotations: Text,
    pub(crate) rest: Text,
    /// The name of the notation, unless it is SAN as in PGN.
    pub(crate) notation: Option<&'static str>,
    /// The encoding of its text in the source; `None` for ASCII.
    pub(crate) encoding: Option<Encoding>,
    /// The opening, by its number in the table of the database.
    pub(crate) opening: Option<OpeningId>,
}

impl GameRow {
    /// The counted facts of the game.
    pub(crate) fn facts(&self, texts: &TextArena) -> GameFacts {
        let date = texts.get(self.date);
        GameFacts {
            result: self.result,
            white_elo: self.white_elo.and_then(NonZeroU16::new),
            black_elo: self.black_elo.and_then(NonZeroU16::new),
            year: date.and_then(year),
        }
    }
}

/// The numbers of the names of a game; `None` for a missing name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameNumbers {
    pub(crate) white: Option<i64>,
    pub(crate) black: Option<i64>,
    pub(crate) event: Option<i64>,
    pub(crate) site: Option<i64>,
    pub(crate) tag_order: Option<i64>,
    pub(crate) opening: Option<i64>,
}

/// Builds rows with reusable buffers.
#[derive(Debug, Default)]
pub(crate) struct RowBuilder {
    json: Vec<u8>,
    order: Vec<u8>,
    annotations: Vec<u8>,
}

impl RowBuilder {
    /// The row of a game whose text has these bytes of its source.
    pub(crate) fn game(
        &mut self,
        replay: &Replay<'_>,
        bytes: Range<u64>,
        texts: &mut TextArena,
    ) -> GameRow {
        let game = &replay.game;
        self.json.clear();
        self.order.clear();
        self.annotations.clear();

        let fen = game.start.as_deref();
        let tags = tags::split(&game.tags, fen, &mut self.json, &mut self.order);
        write_annotations(&game.annotations, &mut self.annotations);
        let (site, address) = site_and_address(&game.tags, tags.site);

        GameRow {
            byte_offset: bytes.start,
            byte_length: bytes.end - bytes.start,
            event: texts.push_some(tags.event),
            site: texts.push_some(site),
            address: texts.push_some(address),
            date: texts.push_some(tags.date),
            round: texts.push_some(tags.round),
            white: texts.push_some(tags.white),
            black: texts.push_some(tags.black),
            result: game.result,
            terminator: other_terminator(game),
            white_elo: tags.white_elo,
            black_elo: tags.black_elo,
            eco: texts.push_some(tags.eco),
            ply_count: replay.plies(),
            fen: texts.push_some(fen),
            variant: game.variant.name(),
            ending: replay.ending,
            final_fen: final_fen(replay, texts),
            final_key: game.is_played.then(|| replay.last_key().0.cast_signed()),
            moves_hash: replay.moves_hash.cast_signed(),
            tag_order: texts.push(utf8(&self.order)),
            moves: texts.push(&game.moves),
            tags: texts.push_filled(utf8(&self.json)),
            annotations: texts.push_filled(utf8(&self.annotations)),
            rest: texts.push_some(game.rest.as_deref()),
            notation: None,
            encoding: None,
            opening: None,
        }
    }
}

/// The last position of a replay, if the game has positions.
fn final_fen(replay: &Replay<'_>, texts: &mut TextArena) -> FinalFen {
    if replay.game.is_played {
        FinalFen::new(&replay.last, replay.plies(), texts)
    } else {
        FinalFen::Missing
    }
}

/// The column `terminator`: the game termination marker, unless it equals the result; empty if it is missing.
fn other_terminator(game: &Game<'_>) -> Option<&'static str> {
    match game.termination {
        Some(found) if found == game.result => None,
        Some(found) => Some(found.as_str()),
        None => Some(""),
    }
}
