//! The sink of a data set: writes batches into a part, in the order of the input.

use std::path::Path;
use std::sync::Arc;

use super::ids::{IdBase, IdBases};
use super::options::DatasetOptions;
use super::part::Part;
use super::problem_row::ProblemRow;
use super::shards::ShardPlan;
use super::sources::SourceEntry;
use super::table::TableSchema;
use super::worker::{RowWorker, WrittenGame};
use crate::error::{Error, Result};
use crate::ingest::{
    Batched, Batches, Begin, Findings, PeekedStream, Sink, SourceBytes, SourceInfo, StartedSource,
    Tally, of_file, of_part, of_stream,
};
use crate::query::GameMatcher;
use crate::source_problem::SourceProblem;
use crate::storage::HEAD_BYTES;

/// Writes games into a part.
pub(super) struct PartSink<'d, P> {
    pub(super) options: &'d DatasetOptions,
    pub(super) matcher: Option<&'d GameMatcher>,
    pub(super) part: Part<'d>,
    pub(super) games: &'d Arc<TableSchema>,
    pub(super) bases: IdBases,
    /// The plan of the shard; `None` to read all sources.
    pub(super) plan: Option<ShardPlan>,
    /// The name and the id base of the current source.
    pub(super) begun: (String, IdBase),
    pub(super) progress: P,
}

/// A source in progress.
pub(super) struct OpenSource {
    entry: SourceEntry,
    head_hash: [u8; 32],
    base: IdBase,
    /// The offset of the first byte that is read.
    from: u64,
    /// The problems before the first game. Without shards, they are dropped if the source has no game, because it is
    /// then not PGN.
    held: Vec<SourceProblem>,
    has_game: bool,
}

impl OpenSource {
    fn new(name: &Path, head: &[u8], bases: &mut IdBases, base: Option<IdBase>) -> OpenSource {
        let head_hash = blake3::hash(head);
        let base = base.unwrap_or_else(|| bases.next(head_hash.as_bytes()));
        let entry = SourceEntry {
            path: name.to_string_lossy().into_owned(),
            bytes: 0,
            head_hash: head_hash.to_hex().to_string(),
            base: base.0,
            games: 0,
            problems: 0,
        };
        OpenSource {
            entry,
            head_hash: head_hash.into(),
            base,
            from: 0,
            held: Vec::new(),
            has_game: false,
        }
    }

    /// The row of a problem. `written` are the written games of the batch.
    fn row<'p>(&'p self, problem: &'p SourceProblem, written: &[WrittenGame]) -> ProblemRow<'p> {
        let index = problem.game.and_then(|game| index_of(game, written));
        ProblemRow {
            game: index.map(|index| written[index].id),
            source: &self.entry.path,
            byte_offset: problem.byte_offset,
            byte_length: problem.byte_length,
            ply: problem.game.map(|_| problem.problem.ply.get()),
            kind: problem.problem.kind.code(),
            text: &problem.problem.text,
            message: &problem.problem.message,
        }
    }
}

impl<'d, P: FnMut(&Tally)> Sink for PartSink<'d, P> {
    type Source = OpenSource;
    type Mark = ();
    type Worker = RowWorker<'d>;

    fn worker(&self) -> RowWorker<'d> {
        let (source, base) = self.begun.clone();
        let positions = self.part.position_tables();
        RowWorker {
            matcher: self.matcher,
            games: self.games,
            positions,
            source,
            base,
        }
    }

    fn begin<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>> {
        let planned = self
            .plan
            .as_mut()
            .and_then(|plan| plan.take_source(source.name));
        let base = planned.as_ref().map(|planned| planned.base);
        let part = planned.and_then(|planned| planned.part);
        let from = match &part {
            Some(part) => part.start as u64,
            None => 0,
        };

        let read = self.options.read;
        let (mut open, batches): (_, Batches<'f>) = match bytes {
            SourceBytes::File(file) => {
                let head = &file[..HEAD_BYTES.min(file.len())];
                let open = OpenSource::new(source.name, head, &mut self.bases, base);
                // A file may have become shorter since the plan was made.
                let part_in_file = part.filter(|part| part.end <= file.len());
                let batches = match part_in_file {
                    Some(part) => of_part(file, part, read),
                    None => of_file(file, read),
                };
                (open, batches)
            }
            SourceBytes::Stream(stream, failure) => {
                let held = PeekedStream::new(stream, HEAD_BYTES);
                let open = OpenSource::new(source.name, held.head(), &mut self.bases, base);
                (open, of_stream(held, read, failure))
            }
        };

        open.from = from;
        self.begun = (open.entry.path.clone(), open.base);
        Ok(Begin::Read(StartedSource {
            source: open,
            batches: Box::new(batches.map(|batch| (batch, ()))),
            findings: Findings::new(&self.options.readings),
            games: 0,
            games_before: 0,
            from,
        }))
    }

    fn take(&mut self, source: &mut OpenSource, batch: Batched<Self>, _: &mut Tally) -> Result<()> {
        let Batched {
            bytes,
            games,
            mut problems,
            output,
            ..
        } = batch;
        if let Some(failure) = output.failure {
            return Err(Error::Unwritable {
                name: source.entry.path.clone(),
                source: failure.into(),
            });
        }

        source.entry.bytes = bytes.end - source.from;
        source.has_game |= !games.is_empty();
        if !source.has_game {
            source.held.append(&mut problems);
            return Ok(());
        }

        let held = std::mem::take(&mut source.held);
        let all_problems = held.iter().chain(&problems);
        let rows = all_problems.map(|problem| source.row(problem, &output.written));
        self.part.push_problems(rows)?;

        let counts = problem_counts(&problems, &output.written);
        source.entry.games += output.written.len() as u64;
        source.entry.problems += (held.len() + problems.len()) as u64;
        self.part.push(output, &counts)
    }

    fn end(&mut self, source: OpenSource, _: &Findings) -> Result<()> {
        self.part.sources.push(source.entry);
        Ok(())
    }

    fn discard(&mut self, source: OpenSource) -> Result<()> {
        match &self.plan {
            // The source may have games in another shard, so its problems are written.
            Some(_) => {
                let rows = source.held.iter().map(|problem| source.row(problem, &[]));
                self.part.push_problems(rows)
            }
            None => {
                self.bases.discard(&source.head_hash);
                Ok(())
            }
        }
    }

    fn progress(&mut self, tally: &Tally) {
        (self.progress)(tally);
    }
}

/// The number of problems of each written game, in the order of `written`.
fn problem_counts(problems: &[SourceProblem], written: &[WrittenGame]) -> Vec<u32> {
    let mut counts = vec![0; written.len()];
    for game in problems.iter().filter_map(|problem| problem.game) {
        if let Some(index) = index_of(game, written) {
            counts[index] += 1;
        }
    }
    counts
}

/// The index in `written` of a game by its number in the batch; `None` if the game is not written. `written` is sorted
/// by this number.
fn index_of(game: usize, written: &[WrittenGame]) -> Option<usize> {
    written
        .binary_search_by_key(&game, |written_game| written_game.number)
        .ok()
}
