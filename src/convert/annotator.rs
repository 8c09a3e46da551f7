//! Games that an engine annotates before they are written.
//!
//! A worker has already written the games without evaluations. The sink then drops some games, so only the positions of
//! the remaining games are searched. Here these positions are searched, a batch of games at a time, and the games are
//! written again.

use std::convert::Infallible;

use super::worker::{OutputBatch, WrittenGame, write_game};
use super::{ConvertOptions, GameAnalysis, Note};
use crate::board::Position;
use crate::error::Result;
use crate::evaluations::Analyzer;
use crate::export::Unwritable;
use crate::storage::PositionEvaluation;

/// Searches the positions of games, and writes the evaluations into the games.
pub(super) struct Annotator<'c> {
    pub(super) analysis: &'c GameAnalysis,
    pub(super) analyzer: Analyzer<'c>,
}

impl Annotator<'_> {
    /// Annotates the games of a batch. Games whose positions could not be searched stay as they are.
    ///
    /// # Errors
    /// The outer result has the errors of `note`. The inner result has the error of a game that cannot be written
    /// again.
    pub(super) fn annotate(
        &mut self,
        batch: &mut OutputBatch,
        options: &ConvertOptions<'_>,
        note: &mut impl FnMut(Note<'_>) -> Result<()>,
    ) -> Result<Result<(), Unwritable>> {
        let GameAnalysis {
            options: searched,
            evaluated,
            ..
        } = self.analysis;
        let (first, last) = searched.plies;

        // All positions of the batch are searched at once, so that all processes of the engine have work.
        let mut positions = Vec::new();
        for written in &batch.games {
            if let Some(game) = &written.game {
                positions.extend(evaluated.positions(game, first..=last));
            }
        }
        self.analyzer
            .search(positions, |event| note(Note::Analysis(event)))?;

        // Which moves are bad is known only now. A game that was annotated before an interruption has evaluations but
        // no lines.
        let mut without_line = Vec::new();
        for written in &batch.games {
            if let Some(game) = &written.game {
                let Ok(positions) =
                    evaluated.positions_without_line(game, first..=last, |position| {
                        self.evaluation(position)
                    });
                without_line.extend(positions);
            }
        }
        if !without_line.is_empty() {
            self.analyzer
                .search(without_line, |event| note(Note::Analysis(event)))?;
        }

        Ok(self.write_again(batch, options))
    }

    /// The evaluation of a position that was searched.
    fn evaluation(
        &mut self,
        position: &Position,
    ) -> std::result::Result<Option<PositionEvaluation>, Infallible> {
        Ok(self.analyzer.evaluation(position))
    }

    /// Writes the games of a batch again, with their evaluations.
    fn write_again(
        &mut self,
        batch: &mut OutputBatch,
        options: &ConvertOptions<'_>,
    ) -> Result<(), Unwritable> {
        let mut text = Vec::with_capacity(batch.text.len());
        let mut ends = Vec::with_capacity(batch.games.len());
        let mut last_end = 0;
        for (written, output) in batch.texts() {
            last_end = written.end;

            // A text between games is part of the output of the next game.
            let (between, game) = output.split_at(output.len() - written.bytes);
            text.extend_from_slice(between);
            if !self.write_game(written, options, &mut text)? {
                text.extend_from_slice(game);
            }
            ends.push(text.len());
        }

        // A text behind the last game is in the output of no game.
        text.extend_from_slice(&batch.text[last_end..]);

        batch.text = text;
        for (written, end) in batch.games.iter_mut().zip(ends) {
            written.end = end;
            written.game = None;
        }
        Ok(())
    }

    /// Writes a game with its evaluations; returns `false` for a game that is not annotated.
    fn write_game(
        &mut self,
        written: &WrittenGame,
        options: &ConvertOptions<'_>,
        text: &mut Vec<u8>,
    ) -> Result<bool, Unwritable> {
        let Some(game) = &written.game else {
            return Ok(false);
        };
        let evaluated = self.analysis.evaluated;
        let Ok(annotated) = evaluated.write(game, |position| self.evaluation(position));

        // Changes and missing characters were noted when the game was first written.
        let mut known_changes = Vec::new();
        write_game(&annotated, &[], options, text, &mut known_changes)?;
        Ok(true)
    }
}
