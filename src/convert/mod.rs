//! Converts PGN to PGN without a database, on all threads, in the order of the input.
//!
//! The output equals that of an import and an export of the same files. Only the batches in progress are in memory.

use std::io::Write;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::export::{ByteStyle, PgnWriter, Remark, Replaced, Unwritable};
use crate::ingest::{
    self, Batched, Begin, Findings, GameOrigin, Sink, SourceBytes, SourceInfo, StartedSource,
    Worker, ingest,
};
pub use crate::ingest::{ProblemLine, ReadOptions, Summary, Tally};
use crate::input::{Input, Missing};
use crate::memory::Memory;
use crate::replay::{ReadGame, Readings, Replay, SourceProblem, utf8};

/// Options of a conversion.
#[derive(Clone, Debug)]
pub struct Options<'s> {
    /// The readings of moves to try.
    pub readings: Readings,
    /// How the bytes of sources are read as games.
    pub read: ReadOptions,
    /// The memory limit.
    pub memory: Memory,
    /// How games are written.
    pub writer: PgnWriter<'s>,
    /// How text is written.
    pub bytes: ByteStyle,
}

/// An event of a conversion.
#[derive(Debug)]
pub enum Note<'n> {
    /// A problem of a source; games are numbered from 1 across all sources.
    Problem(ProblemLine<'n>),
    /// A change in the output, and the number of its game, counted in the same way.
    Remark(u64, &'n Remark),
}

/// The result of a conversion.
#[derive(Debug, Default)]
pub struct Conversion {
    /// The totals and failures.
    pub summary: Summary,
    /// The characters that could not be written.
    pub replaced: Replaced,
}

/// Writes all games of some inputs as PGN, and the text between them as escape lines.
///
/// `note` is called with problems and with changes in the output, in the order of the output; `progress` is called
/// regularly with the totals so far. [`Summary::failures`] names sources that cannot be read or have no game; the
/// others are converted, and so are the games before damage.
///
/// # Errors
/// If writing to `out` fails.
pub fn convert(
    inputs: &[Input],
    options: &Options<'_>,
    out: &mut impl Write,
    note: impl FnMut(Note<'_>) -> Result<()>,
    progress: impl FnMut(&Tally),
) -> Result<Conversion> {
    let readings = options.readings.clone().without_positions();
    let batches = options.memory.converted_batches();
    let reading = ingest::Options { readings: readings.clone(), batches, stop: None };
    let replaced = Replaced::default();
    let mut converter = Converter { options, readings, out, note, progress, replaced };
    let summary = ingest(inputs, reading, &mut converter)?;
    converter.out.flush().map_err(Error::Output)?;
    Ok(Conversion { summary, replaced: converter.replaced })
}

/// The output and events of one or more batches.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    /// The characters that could not be written; games are numbered from the first of the batch.
    replaced: Replaced,
    problems: Vec<SourceProblem>,
    /// Each with the number of its game in the batch, from 1.
    remarks: Vec<(usize, Remark)>,
}

impl Written {
    /// Adds the events of a game or a text next to it.
    fn note(&mut self, game: usize, missing: Missing, changes: Vec<Remark>) {
        self.replaced.note(missing, game as i64);
        self.remarks.extend(changes.into_iter().map(|remark| (game, remark)));
    }

    fn append(&mut self, next: Written) {
        self.text.extend(next.text);
        self.replaced.append(&next.replaced, 0);
        self.problems.extend(next.problems);
        self.remarks.extend(next.remarks);
    }
}

/// A source, and the output before its first game: a source without a game is not PGN, and nothing of it is written.
struct Held {
    name: String,
    has_game: bool,
    written: Written,
}

impl Held {
    /// Takes a batch with this many games, and returns all output that can be written.
    fn take(&mut self, next: Written, games: usize) -> Option<Written> {
        if self.has_game {
            return Some(next);
        }
        self.has_game = games > 0;
        self.written.append(next);
        self.has_game.then(|| std::mem::take(&mut self.written))
    }
}

/// Writes the games of a batch.
struct PgnWorker<'c>(&'c Options<'c>);

/// The output of a batch.
struct Converted {
    games: usize,
    written: Written,
    /// The error at the first game that could not be written.
    failure: Option<Unwritable>,
}

impl Worker for PgnWorker<'_> {
    type Output = Converted;

    fn begin(&self, bytes: usize) -> Converted {
        let text = Vec::with_capacity(bytes + bytes / 4);
        Converted { games: 0, written: Written { text, ..Written::default() }, failure: None }
    }

    fn game(&self, game: &ReadGame<'_>, _: GameOrigin, converted: &mut Converted) {
        let Converted { games, written, failure } = converted;
        *games += 1;
        if failure.is_some() {
            return;
        }
        let mut changes = Vec::new();
        match write_game(&game.replay, self.0, &mut written.text, &mut changes) {
            Ok(missing) => written.note(*games, missing, changes),
            Err(error) => *failure = Some(error),
        }
    }

    fn text(&self, text: String, _: Range<u64>, Converted { games, written, .. }: &mut Converted) {
        let mut changes = Vec::new();
        let missing = write_text(&text, self.0, &mut written.text, &mut changes);
        // The text belongs to the preceding game, or to the first game if there is none.
        written.note((*games).max(1), missing, changes);
    }
}

struct Converter<'c, W, N, P> {
    options: &'c Options<'c>,
    readings: Readings,
    out: &'c mut W,
    note: N,
    progress: P,
    replaced: Replaced,
}

impl<'c, W, N, P> Sink for Converter<'c, W, N, P>
where
    W: Write,
    N: FnMut(Note<'_>) -> Result<()>,
    P: FnMut(&Tally),
{
    type Source = Held;
    type Mark = ();
    type Worker = PgnWorker<'c>;

    fn worker(&self) -> PgnWorker<'c> {
        PgnWorker(self.options)
    }

    fn begin<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>> {
        let name = source.name.to_string_lossy().into_owned();
        Ok(Begin::Read(StartedSource {
            source: Held { name, has_game: false, written: Written::default() },
            batches: Box::new(bytes.batches(self.options.read).map(|batch| (batch, ()))),
            findings: Findings::new(&self.readings),
            games: 0,
            from: 0,
        }))
    }

    fn take(&mut self, held: &mut Held, batch: Batched<Self>, tally: &mut Tally) -> Result<()> {
        let Batched { problems, output: Converted { games, mut written, failure }, .. } = batch;
        if let Some(source) = failure {
            return Err(Error::Unwritable { name: held.name.clone(), source: source.into() });
        }
        written.problems = problems;
        match held.take(written, games) {
            Some(ready) => self.write(&held.name, &ready, tally.games),
            None => Ok(()),
        }
    }

    fn end(&mut self, _: Held, _: &Findings) -> Result<()> {
        Ok(())
    }

    fn take_back(&mut self, _: Held) -> Result<()> {
        Ok(())
    }

    fn progress(&mut self, tally: &Tally) {
        (self.progress)(tally);
    }
}

impl<W, N, P> Converter<'_, W, N, P>
where
    W: Write,
    N: FnMut(Note<'_>) -> Result<()>,
{
    /// Writes the ready output of a source; `games` games precede it.
    fn write(&mut self, name: &str, ready: &Written, games: u64) -> Result<()> {
        self.out.write_all(&ready.text).map_err(Error::Output)?;
        let before = games.cast_signed();
        for problem in &ready.problems {
            (self.note)(Note::Problem(ProblemLine::new(name, before + 1, problem)))?;
        }
        for (game, remark) in &ready.remarks {
            (self.note)(Note::Remark(games + *game as u64, remark))?;
        }
        self.replaced.append(&ready.replaced, before);
        Ok(())
    }
}

/// Appends a game; returns the characters that the encoding lacks.
fn write_game(
    replay: &Replay<'_>,
    options: &Options<'_>,
    out: &mut Vec<u8>,
    changes: &mut Vec<Remark>,
) -> std::result::Result<Missing, Unwritable> {
    if options.bytes.is_plain() {
        return options
            .writer
            .write(&replay.game, &replay.played, out, changes)
            .map(|()| Missing::default());
    }
    let mut text = Vec::new();
    options.writer.write(&replay.game, &replay.played, &mut text, changes)?;
    Ok(options.bytes.write(utf8(&text), out))
}

/// Appends a text between games in the same way.
fn write_text(
    between: &str,
    options: &Options<'_>,
    out: &mut Vec<u8>,
    changes: &mut Vec<Remark>,
) -> Missing {
    if options.bytes.is_plain() {
        options.writer.write_between(between, out, changes);
        return Missing::default();
    }
    let mut text = Vec::new();
    options.writer.write_between(between, &mut text, changes);
    options.bytes.write(utf8(&text), out)
}
