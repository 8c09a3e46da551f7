//! Converts PGN to PGN, or to lines of positions, without a database, on all threads, in the order of the input.
//!
//! The output equals the export of a database into which these files were imported, with these filters. Only the
//! batches in progress are in memory, and with [`ConvertOptions::unique`] a number for each game.
//!
//! With [`ConvertOptions::analysis`], an engine searches the positions of the games that are written, a batch at a
//! time.

mod annotator;
mod options;
mod sink;
mod worker;

pub use crate::ingest::{ProblemLine, ReadOptions, Summary, Tally};
pub use options::{
    Conversion, ConvertOptions, GameAnalysis, GamePlace, Note, OutputPart, WrittenPositions,
};

use crate::equal_games::EqualGames;
use crate::error::{Error, Result};
use crate::evaluations::Analyzer;
use crate::export::{DistinctPositions, Replaced};
use crate::ingest::{self, ingest};
use crate::input::Input;
use crate::query::GameMatcher;
use crate::replay::Readings;
use annotator::Annotator;
use sink::Converter;

/// Writes the wanted games of some inputs as PGN; if all are wanted, also the text between them as escape lines. With
/// [`ConvertOptions::positions`], writes positions of the wanted games.
///
/// `out` is called with the text of games, `note` with problems and with changes in the output, in the order of the
/// output; `progress` is called regularly with the totals so far. [`Summary::failures`] names sources that cannot be
/// read or have no game. All other sources are converted, and damaged sources up to the damage.
///
/// A game that the query excludes by its tags is not replayed, and only problems of written games are noted. With a
/// limit, nothing is read behind the last game.
///
/// # Errors
/// The errors of `out` and `note`; if the query needs a database, there are too many different games for the memory
/// limit, or the engine of an analysis cannot be started.
pub fn convert(
    inputs: &[Input],
    options: &ConvertOptions<'_>,
    out: impl FnMut(OutputPart<'_>) -> Result<()>,
    note: impl FnMut(Note<'_>) -> Result<()>,
    progress: impl FnMut(&Tally),
) -> Result<Conversion> {
    if let Some(part) = options.query.part_for_databases() {
        return Err(Error::NeedsDatabase(part));
    }

    let matcher = GameMatcher::new(&options.query).map_err(Error::sql)?;
    let readings = needed_readings(options, matcher.as_ref());

    let (batches, positions) = if options.positions.is_some() {
        // The lines of a game's positions are many times longer than the text of the game.
        let positions = positions_to_write(options);
        (options.memory.position_batches(), Some(positions))
    } else {
        (options.memory.converted_batches(), None)
    };

    let annotator = start_annotator(options)?;
    let reading = ingest::Options {
        readings: readings.clone(),
        batches,
        stop: None,
    };
    let mut converter = Converter {
        options,
        matcher: matcher.as_ref(),
        readings,
        out,
        note,
        progress,
        games_left: options.query.max_games(),
        equal_games: options.unique.then(|| EqualGames::new(options.memory)),
        replaced: Replaced::default(),
        positions,
        annotator,
        written: 0,
        duplicates: 0,
    };
    let summary = ingest(inputs, reading, &mut converter)?;
    Ok(converter.finish(summary))
}

/// The readings of games. Positions are read only if a pattern needs them, because position keys and repetitions take a
/// twelfth of the time of a conversion.
fn needed_readings(options: &ConvertOptions<'_>, matcher: Option<&GameMatcher>) -> Readings {
    let readings = options.readings.clone();
    match matcher {
        Some(matcher) if matcher.needs_positions() => readings,
        _ => readings.without_positions(),
    }
}

/// The totals of positions at the start of a conversion.
fn positions_to_write(options: &ConvertOptions<'_>) -> WrittenPositions {
    let distinct = if options.unique_positions {
        Some(DistinctPositions::new(options.memory))
    } else {
        None
    };
    WrittenPositions {
        distinct,
        ..WrittenPositions::default()
    }
}

/// Starts the engine of an analysis; `None` if games are not annotated.
fn start_annotator<'c>(options: &'c ConvertOptions<'_>) -> Result<Option<Annotator<'c>>> {
    let Some(analysis) = &options.analysis else {
        return Ok(None);
    };
    let analyzer = Analyzer::start(&analysis.options, options.memory, &analysis.stop)?;
    Ok(Some(Annotator { analysis, analyzer }))
}
