//! The sink of a conversion: receives batches in the order of the input, drops games, and writes all other games.

use std::collections::BTreeSet;

use super::annotator::Annotator;
use super::worker::{OutputBatch, PgnWorker, PlacedGame, WrittenGame};
use super::{
    Conversion, ConvertOptions, GamePlace, Note, OutputPart, ProblemLine, Summary, Tally,
    WrittenPositions,
};
use crate::equal_games::EqualGames;
use crate::error::{Error, Result};
use crate::export::{Replaced, SplitBy};
use crate::ingest::{Batched, Begin, Findings, Sink, SourceBytes, SourceInfo, StartedSource};
use crate::query::GameMatcher;
use crate::replay::{Readings, utf8};
use crate::storage::GameId;

/// The sink of a conversion, which writes games by `out` and reports events by `note`.
pub(super) struct Converter<'c, W, N, P> {
    pub(super) options: &'c ConvertOptions<'c>,
    pub(super) matcher: Option<&'c GameMatcher>,
    pub(super) readings: Readings,
    pub(super) out: W,
    pub(super) note: N,
    pub(super) progress: P,
    /// The number of games that may still be written.
    pub(super) games_left: u64,
    /// The games written so far, if equal games are dropped.
    pub(super) equal_games: Option<EqualGames>,
    pub(super) replaced: Replaced,
    pub(super) positions: Option<WrittenPositions>,
    /// Annotates games before they are written, if an engine was given.
    pub(super) annotator: Option<Annotator<'c>>,
    pub(super) written: u64,
    pub(super) duplicates: u64,
}

/// A source, and the output before its first game. A source without a game is not PGN, and its output is dropped.
pub(super) struct PgnSource {
    name: String,
    /// See [`SourceInfo::is_of_records`].
    is_of_records: bool,
    has_game: bool,
    /// The output of the batches before the first game.
    held_back: OutputBatch,
}

impl PgnSource {
    /// Receives the output of a batch with `games` games, and returns all output that can be written: none before the
    /// first game of the source.
    fn release(&mut self, next: OutputBatch, games: usize) -> Option<OutputBatch> {
        if self.has_game {
            return Some(next);
        }

        self.has_game = games > 0;
        self.held_back.append(next);
        if self.has_game {
            Some(std::mem::take(&mut self.held_back))
        } else {
            None
        }
    }
}

impl<'c, W, N, P> Sink for Converter<'c, W, N, P>
where
    W: FnMut(OutputPart<'_>) -> Result<()>,
    N: FnMut(Note<'_>) -> Result<()>,
    P: FnMut(&Tally),
{
    type Source = PgnSource;
    type Mark = ();
    type Worker = PgnWorker<'c>;

    fn worker(&self) -> PgnWorker<'c> {
        PgnWorker {
            options: self.options,
            matcher: self.matcher,
        }
    }

    fn begin<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>> {
        let pgn_source = PgnSource {
            name: source.name.to_string_lossy().into_owned(),
            is_of_records: source.is_of_records,
            has_game: false,
            held_back: OutputBatch::default(),
        };
        let batches = bytes.batches(self.options.read);
        Ok(Begin::Read(StartedSource {
            source: pgn_source,
            batches: Box::new(batches.map(|batch| (batch, ()))),
            findings: Findings::new(&self.readings),
            games: 0,
            games_before: 0,
            from: 0,
        }))
    }

    /// Ends the run after the last game of the limit, so that no later game is read.
    fn checkpoint(&mut self, _: Option<(&PgnSource, &Findings)>, _: bool) -> Result<()> {
        if self.games_left == 0 {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }

    fn choose(&mut self, batch: &mut Batched<Self>) -> Result<()> {
        let written = &mut batch.output.written;
        let dropped = self.drop_games(written)?;
        if dropped.is_empty() {
            return Ok(());
        }

        // Missing characters, remarks and problems of dropped games are not reported.
        let missing = &mut written.missing;
        missing.retain(|(game, _)| !dropped.contains(game));
        let remarks = &mut written.remarks;
        remarks.retain(|(game, _)| !dropped.contains(&game.number));

        // Problems count the games of a batch from 0, missing characters and remarks from 1.
        let is_dropped = |game: usize| dropped.contains(&(game + 1));
        let problems = &mut batch.problems;
        problems.retain(|problem| !problem.game.is_some_and(is_dropped));
        Ok(())
    }

    fn take(
        &mut self,
        pgn_source: &mut PgnSource,
        batch: Batched<Self>,
        tally: &mut Tally,
    ) -> Result<()> {
        let Batched {
            problems,
            games,
            output,
            ..
        } = batch;
        if let Some(source) = output.failure {
            return Err(Error::Unwritable {
                name: pgn_source.name.clone(),
                source: source.into(),
            });
        }

        let written = OutputBatch {
            problems,
            ..output.written
        };
        if let Some(ready) = pgn_source.release(written, games.len()) {
            self.write(pgn_source, ready, tally.games)?;
        }
        Ok(())
    }

    fn end(&mut self, _: PgnSource, _: &Findings) -> Result<()> {
        Ok(())
    }

    fn discard(&mut self, _: PgnSource) -> Result<()> {
        Ok(())
    }

    fn progress(&mut self, tally: &Tally) {
        (self.progress)(tally);
    }
}

/// The decision on a game.
enum Fate {
    Written,
    /// The game equals an earlier game.
    Duplicate,
    /// The query does not match the game.
    Other,
    /// The game is behind the last game of the limit.
    TooMany,
}

impl<W, N, P> Converter<'_, W, N, P> {
    /// The result of a conversion whose inputs have been read.
    pub(super) fn finish(self, summary: Summary) -> Conversion {
        Conversion {
            summary,
            replaced: self.replaced,
            written: self.written,
            duplicates: self.duplicates,
            positions: self.positions,
            analysis: self.annotator.map(|annotator| annotator.analyzer.finish()),
        }
    }

    /// Drops games that equal earlier games, games that do not match, and games above the limit; returns the numbers of
    /// the dropped games in the batch.
    fn drop_games(&mut self, written: &mut OutputBatch) -> Result<BTreeSet<usize>> {
        let mut fates = Vec::with_capacity(written.games.len());
        for game in &written.games {
            fates.push(self.fate(game)?);
        }
        // Most conversions drop no game. Then the text need not be copied.
        let are_all_written = fates.iter().all(|fate| matches!(fate, Fate::Written));
        if are_all_written {
            return Ok(BTreeSet::new());
        }

        let mut text = Vec::new();
        let mut duplicates = Vec::new();
        let mut others = Vec::new();
        let mut ends = Vec::with_capacity(fates.len());
        for ((_, game), fate) in written.texts().zip(&fates) {
            match fate {
                Fate::Written => text.extend_from_slice(game),
                Fate::Duplicate => duplicates.extend_from_slice(game),
                Fate::Other => others.extend_from_slice(game),
                Fate::TooMany => {}
            }
            ends.push(text.len());
        }
        written.text = text;
        written.duplicates = duplicates;
        written.others = others;

        // Games keep their numbers in the batch, which problems and remarks refer to.
        let mut dropped = BTreeSet::new();
        let games = std::mem::take(&mut written.games);
        for ((game, end), fate) in games.into_iter().zip(ends).zip(&fates) {
            match fate {
                Fate::Written => {
                    written.games.push(WrittenGame { end, ..game });
                    continue;
                }
                Fate::Duplicate => written.duplicate_places.push(game.place),
                Fate::Other | Fate::TooMany => {}
            }
            dropped.insert(game.place.number);
        }
        Ok(dropped)
    }

    /// Decides whether a game is written, and counts the game.
    fn fate(&mut self, game: &WrittenGame) -> Result<Fate> {
        if game.is_other {
            return Ok(Fate::Other);
        }
        if self.games_left == 0 {
            return Ok(Fate::TooMany);
        }

        if let (Some(equal_games), Some(key)) = (&mut self.equal_games, game.key)
            && !equal_games.insert(key)?
        {
            self.duplicates += 1;
            return Ok(Fate::Duplicate);
        }

        self.games_left -= 1;
        Ok(Fate::Written)
    }
}

impl<W, N, P> Converter<'_, W, N, P>
where
    W: FnMut(OutputPart<'_>) -> Result<()>,
    N: FnMut(Note<'_>) -> Result<()>,
{
    /// Writes output of a source, and reports its events; `games` games precede the output.
    fn write(&mut self, source: &PgnSource, mut ready: OutputBatch, games: u64) -> Result<()> {
        let PgnSource {
            name,
            is_of_records,
            ..
        } = source;
        let before = games.cast_signed();

        // A search is by far the most expensive step, so games are annotated only after other games have been dropped.
        if let Some(annotator) = &mut self.annotator {
            let annotated = annotator.annotate(&mut ready, self.options, &mut self.note)?;
            annotated.map_err(|error| Error::Unwritable {
                name: name.clone(),
                source: error.into(),
            })?;
        }
        if self.positions.is_some() {
            self.write_positions(&ready, before)?;
        } else {
            self.write_games(&ready)?;
        }

        for problem in &ready.problems {
            // Problems count the games of a batch from 0.
            let game = problem.game.map(|game| before + 1 + game as i64);
            let line = ProblemLine::new(name, game, problem).of_records(*is_of_records);
            (self.note)(Note::Problem(line))?;
        }

        let place = |game: &PlacedGame| GamePlace {
            source: name,
            game: games + game.number as u64,
            line: (!is_of_records).then_some(game.line),
        };
        for (game, remark) in &ready.remarks {
            (self.note)(Note::Remark(place(game), remark))?;
        }
        for game in &ready.duplicate_places {
            (self.note)(Note::Duplicate(place(game)))?;
        }
        for &(game, missing) in &ready.missing {
            self.replaced.note(missing, before + game as i64);
        }
        Ok(())
    }

    /// Writes positions; `before` games precede the games of the batch.
    fn write_positions(&mut self, ready: &OutputBatch, before: i64) -> Result<()> {
        let Some(positions) = &mut self.positions else {
            return Ok(());
        };

        let bytes = self.options.bytes;
        let mut text = Vec::new();
        let mut encoded = Vec::new();
        for game in &ready.games {
            let Some(lines) = &game.positions else {
                positions.unplayed += 1;
                continue;
            };

            let number = before + game.place.number as i64;
            let distinct = positions.distinct.as_mut();
            positions.lines += lines.write(GameId::new(number), distinct, &mut text);
            if !bytes.is_plain() {
                let missing = bytes.write(utf8(&text), &mut encoded);
                self.replaced.note(missing, number);
                text.clear();
            }
        }

        self.written += ready.games.len() as u64;
        let written = if bytes.is_plain() { text } else { encoded };
        (self.out)(OutputPart::Games(&written))
    }

    /// Writes games to their files, and then the duplicates and the games that do not match.
    fn write_games(&mut self, ready: &OutputBatch) -> Result<()> {
        match self.options.split {
            None => (self.out)(OutputPart::Games(&ready.text))?,
            // Only here is the place of a game among all written games known.
            Some(SplitBy::Games(games)) => {
                for (place, (_, text)) in (self.written..).zip(ready.texts()) {
                    let file = SplitBy::key_of_place(place, games);
                    (self.out)(OutputPart::File(&file, text))?;
                }
            }
            Some(_) => {
                for (game, text) in ready.texts() {
                    for file in &game.files {
                        (self.out)(OutputPart::File(file, text))?;
                    }
                }
            }
        }

        self.written += ready.games.len() as u64;
        if !ready.duplicates.is_empty() {
            (self.out)(OutputPart::Duplicates(&ready.duplicates))?;
        }
        if !ready.others.is_empty() {
            (self.out)(OutputPart::Others(&ready.others))?;
        }
        Ok(())
    }
}
