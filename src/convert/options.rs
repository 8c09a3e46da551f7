//! The options of a conversion, its events, and its result.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{ProblemLine, ReadOptions, Summary};
use crate::evaluations::{AnalysisEvent, AnalysisOptions, AnalyzerSummary};
use crate::export::{
    ByteStyle, DistinctPositions, Evaluated, PgnForm, PgnWriter, PositionWriter, Remark, Replaced,
    SplitBy,
};
use crate::memory::Memory;
use crate::notation::Style;
use crate::query::Query;
use crate::replay::Readings;
use crate::storage::OpeningTable;

/// Options of a conversion.
#[derive(Clone, Debug)]
pub struct ConvertOptions<'s> {
    /// The readings of moves to try.
    pub readings: Readings,
    /// The options of reading games from the bytes of sources.
    pub read: ReadOptions,
    /// The memory limit.
    pub memory: Memory,
    /// The writer of games as PGN.
    pub writer: PgnWriter<'s>,
    /// The writer of positions, if positions are written instead of games. `writer` still repairs and names the tags of
    /// games.
    pub positions: Option<PositionWriter>,
    /// `true` if positions that were written before are dropped.
    pub unique_positions: bool,
    /// The form of the bytes that are written.
    pub bytes: ByteStyle,
    /// The games to write: a filter, a pattern and a limit.
    pub query: Query,
    /// `true` if games that equal an earlier game are dropped.
    pub unique: bool,
    /// The rule by which games are divided among files; `None` for a single output.
    pub split: Option<SplitBy>,
    /// `true` if games that the query does not match are also written, as [`OutputPart::Others`].
    pub others: bool,
    /// The annotation of games by an engine; `None` for games without new annotations.
    pub analysis: Option<GameAnalysis>,
}

/// The options of annotating games by an engine.
#[derive(Clone, Debug)]
pub struct GameAnalysis {
    /// The engine, and which positions it searches.
    pub options: AnalysisOptions,
    /// The annotations that are written into the games.
    pub evaluated: Evaluated,
    /// Ends the searches when it becomes `true`. The remaining games are still written.
    pub stop: Arc<AtomicBool>,
}

impl Default for ConvertOptions<'_> {
    /// All games, with moves in SAN.
    fn default() -> Self {
        ConvertOptions {
            readings: Readings::default(),
            read: ReadOptions::default(),
            memory: Memory::default(),
            writer: PgnWriter {
                style: Style::pgn(),
                form: PgnForm::default(),
                openings: OpeningTable::Standard,
                names: None,
            },
            positions: None,
            unique_positions: false,
            bytes: ByteStyle::default(),
            query: Query::new(),
            unique: false,
            split: None,
            others: false,
            analysis: None,
        }
    }
}

impl ConvertOptions<'_> {
    /// `true` if all games are written to one file. Only then are the texts between games written, because a text
    /// between games belongs to no game, and so to none of several files.
    pub(super) fn is_whole(&self) -> bool {
        let ConvertOptions {
            query,
            unique,
            split,
            positions,
            ..
        } = self;
        let is_one_file_of_games = split.is_none() && positions.is_none();
        let has_no_limit = query.max_games() == u64::MAX;
        let drops_no_game = query.matches_all() && has_no_limit && !unique;
        is_one_file_of_games && drops_no_game
    }
}

/// A part of the output of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputPart<'p> {
    /// Games, and the texts between them.
    Games(&'p [u8]),
    /// A game for the file of a key; see [`ConvertOptions::split`].
    File(&'p str, &'p [u8]),
    /// Games that were dropped because they equal earlier games.
    Duplicates(&'p [u8]),
    /// Games that the query does not match; see [`ConvertOptions::others`].
    Others(&'p [u8]),
}

impl<'p> OutputPart<'p> {
    /// The text of games, empty for games that were left out.
    pub fn games(self) -> &'p [u8] {
        match self {
            OutputPart::Games(text) | OutputPart::File(_, text) => text,
            OutputPart::Duplicates(_) | OutputPart::Others(_) => &[],
        }
    }
}

/// An event of a conversion.
#[derive(Debug)]
pub enum Note<'n> {
    /// A problem of a source; games are numbered from 1 across all sources.
    Problem(ProblemLine<'n>),
    /// A change in the output, and its game.
    Remark(GamePlace<'n>, &'n Remark),
    /// A game that was dropped because it equals an earlier game.
    Duplicate(GamePlace<'n>),
    /// An event of the analysis.
    Analysis(AnalysisEvent<'n>),
}

/// The place of a game in the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePlace<'n> {
    /// The name of the source.
    pub source: &'n str,
    /// The number of the game, from 1 across all sources.
    pub game: u64,
    /// The line of the source on which the game begins, from 1; `None` if the source has no lines, such as a Parquet
    /// file.
    pub line: Option<u64>,
}

/// The result of a conversion.
#[derive(Debug, Default)]
pub struct Conversion {
    /// The totals of reading, and failures.
    pub summary: Summary,
    /// The characters that could not be written.
    pub replaced: Replaced,
    /// The number of games written.
    pub written: u64,
    /// The number of games dropped because they equal earlier games.
    pub duplicates: u64,
    /// The totals of positions, if positions were written.
    pub positions: Option<WrittenPositions>,
    /// The totals of the engine, if it annotated games.
    pub analysis: Option<AnalyzerSummary>,
}

/// The result of writing positions.
#[derive(Debug, Default)]
pub struct WrittenPositions {
    /// The number of lines written.
    pub lines: u64,
    /// The number of games without positions: unknown variants and starts.
    pub unplayed: u64,
    /// The different positions, if repeated positions were dropped.
    pub distinct: Option<DistinctPositions>,
}
