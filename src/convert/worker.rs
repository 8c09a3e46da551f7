//! The worker of a conversion: turns a batch into text, or into lines of positions.

use std::ops::Range;

use super::ConvertOptions;
use crate::board::Move;
use crate::equal_games;
use crate::export::{PositionLines, Remark, Unwritable};
use crate::game::Game;
use crate::ingest::{GameOrigin, Worker};
use crate::input::Missing;
use crate::query::GameMatcher;
use crate::replay::{ReadGame, Replay, utf8};
use crate::source_problem::SourceProblem;

/// Writes the games of a batch.
pub(super) struct PgnWorker<'c> {
    pub(super) options: &'c ConvertOptions<'c>,
    pub(super) matcher: Option<&'c GameMatcher>,
}

/// The output of a worker for a batch.
pub(super) struct Converted {
    pub(super) written: OutputBatch,
    /// The error at the first game that could not be written.
    pub(super) failure: Option<Unwritable>,
}

/// The output and events of one or more batches.
#[derive(Default)]
pub(super) struct OutputBatch {
    /// The text of all games, and of texts between games.
    pub(super) text: Vec<u8>,
    pub(super) games: Vec<WrittenGame>,
    /// The text of the games that equal earlier games.
    pub(super) duplicates: Vec<u8>,
    /// The text of the games that the query does not match, if they are written.
    pub(super) others: Vec<u8>,
    /// The characters that could not be written, each with the number of its game.
    pub(super) missing: Vec<(usize, Missing)>,
    pub(super) problems: Vec<SourceProblem>,
    /// The changes in the output, each with its game.
    pub(super) remarks: Vec<(PlacedGame, Remark)>,
    /// The places of the games that equal earlier games, in the order of the input.
    pub(super) duplicate_places: Vec<PlacedGame>,
}

/// The place of a game in its batch and its source.
#[derive(Clone, Copy)]
pub(super) struct PlacedGame {
    /// The number of the game in the batch, from 1. Games that are not written are numbered, too.
    pub(super) number: usize,
    /// The line of the source on which the game begins, from 1.
    pub(super) line: u64,
}

/// A game in the text of a batch.
pub(super) struct WrittenGame {
    pub(super) place: PlacedGame,
    /// The end of the game's output in the text of the batch. The output begins at the end of the preceding game's
    /// output, and may begin with a text between games.
    pub(super) end: usize,
    /// The length of the game's text in bytes, without a preceding text between games. The output ends with the game's
    /// text, so this never exceeds the length of the output.
    pub(super) bytes: usize,
    /// The game itself, if it will be annotated.
    pub(super) game: Option<Box<Game<'static>>>,
    /// The key that equal games share; `None` for a game that is compared with no other game.
    pub(super) key: Option<u64>,
    /// The keys of its files, if games are divided by their values.
    pub(super) files: Vec<String>,
    /// `true` if the query does not match the game.
    pub(super) is_other: bool,
    /// The positions of the game, if positions are written; `None` for a game without positions.
    pub(super) positions: Option<PositionLines>,
}

impl OutputBatch {
    /// Adds the events of a game or a text next to it.
    fn note(&mut self, game: PlacedGame, missing: Missing, changes: Vec<Remark>) {
        if missing.count > 0 {
            self.missing.push((game.number, missing));
        }
        let remarks = changes.into_iter().map(|remark| (game, remark));
        self.remarks.extend(remarks);
    }

    /// Appends the output of the next batch.
    pub(super) fn append(&mut self, next: OutputBatch) {
        let before = self.text.len();
        self.text.extend(next.text);
        for game in next.games {
            self.games.push(WrittenGame {
                end: before + game.end,
                ..game
            });
        }

        self.duplicates.extend(next.duplicates);
        self.others.extend(next.others);
        self.missing.extend(next.missing);
        self.problems.extend(next.problems);
        self.remarks.extend(next.remarks);
        self.duplicate_places.extend(next.duplicate_places);
    }

    /// Each game with its output. The output may begin with a text between games.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&WrittenGame, &[u8])> {
        let mut start = 0;
        self.games.iter().map(move |game| {
            let text = &self.text[start..game.end];
            start = game.end;
            (game, text)
        })
    }
}

impl PgnWorker<'_> {
    /// `true` if the query matches a game.
    fn is_match(&self, replay: &Replay<'_>) -> bool {
        let Some(matcher) = self.matcher else {
            return true;
        };

        // `may_want` has already matched the tags, unless games that do not match are also written.
        let openings = &self.options.writer.openings;
        if self.options.others {
            matcher.holds(replay, openings)
        } else {
            matcher.matches(replay, openings)
        }
    }

    /// Writes a game into the output of its batch, or returns its positions if positions are written.
    fn write(
        &self,
        replay: &Replay<'_>,
        place: PlacedGame,
        converted: &mut Converted,
    ) -> Option<PositionLines> {
        let Converted { written, failure } = converted;
        let mut changes = Vec::new();

        if let Some(positions) = &self.options.positions {
            let writer = &self.options.writer;
            let completed = writer.complete(&replay.game, &mut changes);
            written.note(place, Missing::default(), changes);
            return positions.lines(&completed);
        }

        let Replay { game, played, .. } = replay;
        match write_game(game, played, self.options, &mut written.text, &mut changes) {
            Ok(missing) => written.note(place, missing, changes),
            Err(error) => *failure = Some(error),
        }
        None
    }

    /// The key that equal games share, by the repaired tags. `None` if equal games are not dropped, and for a game that
    /// the query does not match.
    fn equality_key(&self, game: &Game<'_>, is_match: bool) -> Option<u64> {
        if !self.options.unique || !is_match {
            return None;
        }
        equal_games::key(game, |game| self.options.writer.completed(game))
    }

    /// The keys of the files that receive a game, by the repaired tags; none if games are not divided by their values.
    fn file_keys(&self, game: &Game<'_>) -> Vec<String> {
        match &self.options.split {
            Some(split) => split.keys(&self.options.writer.completed(game)),
            None => Vec::new(),
        }
    }
}

impl Worker for PgnWorker<'_> {
    type Output = Converted;

    fn begin(&self, bytes: usize) -> Converted {
        // If all games are written as PGN, the output is about as long as the input. Repaired tags make it somewhat
        // longer, for which a quarter more is reserved.
        let writes_all_games = self.matcher.is_none() && self.options.positions.is_none();
        let capacity = if writes_all_games {
            bytes + bytes / 4
        } else {
            0
        };
        Converted {
            written: OutputBatch {
                text: Vec::with_capacity(capacity),
                ..OutputBatch::default()
            },
            failure: None,
        }
    }

    fn may_want(&self, text: &str) -> bool {
        self.options.others || self.matcher.is_none_or(|matcher| matcher.may_match(text))
    }

    fn game(
        &self,
        game: &mut ReadGame<'_>,
        mut origin: GameOrigin<'_>,
        converted: &mut Converted,
    ) -> bool {
        let replay = &game.replay;
        let is_match = self.is_match(replay);
        let is_written = is_match || self.options.others;
        if converted.failure.is_some() || !is_written {
            return false;
        }

        let place = PlacedGame {
            number: origin.number + 1,
            line: origin.line(),
        };

        let start = converted.written.text.len();
        let lines = self.write(replay, place, converted);
        let end = converted.written.text.len();

        // The annotator writes the game again after the positions have been searched.
        let ConvertOptions {
            positions,
            analysis,
            ..
        } = self.options;
        let is_annotated = analysis.is_some() && positions.is_none() && is_match;
        let kept_game = if is_annotated {
            Some(Box::new(replay.game.clone().into_owned()))
        } else {
            None
        };

        converted.written.games.push(WrittenGame {
            place,
            end,
            bytes: end - start,
            game: kept_game,
            key: self.equality_key(&replay.game, is_match),
            is_other: !is_match,
            positions: lines,
            files: self.file_keys(&replay.game),
        });
        true
    }

    fn text(&self, text: String, _: Range<u64>, Converted { written, .. }: &mut Converted) {
        if !self.options.is_whole() {
            return;
        }

        let mut changes = Vec::new();
        let missing = write_text(&text, self.options, &mut written.text, &mut changes);
        // Remarks on the text refer to the preceding game or, before the first game, to the first game.
        let game = match written.games.last() {
            Some(preceding) => preceding.place,
            None => PlacedGame { number: 1, line: 1 },
        };
        written.note(game, missing, changes);
    }
}

/// Appends a game, whose moves `played` may be empty if they are not known; returns the characters that the encoding
/// lacks.
pub(super) fn write_game(
    game: &Game<'_>,
    played: &[Move],
    options: &ConvertOptions<'_>,
    out: &mut Vec<u8>,
    changes: &mut Vec<Remark>,
) -> Result<Missing, Unwritable> {
    let ConvertOptions { writer, bytes, .. } = options;

    // Text that is written unchanged needs no copy.
    if bytes.is_plain() {
        writer.write(game, played, out, changes)?;
        return Ok(Missing::default());
    }

    let mut text = Vec::new();
    writer.write(game, played, &mut text, changes)?;
    Ok(bytes.write(utf8(&text), out))
}

/// Appends a text between games; returns the characters that the encoding lacks.
fn write_text(
    between: &str,
    options: &ConvertOptions<'_>,
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
