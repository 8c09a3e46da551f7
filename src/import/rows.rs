//! The worker of an import: turns a batch into rows and postings.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::update::{Encounter, Target};
use crate::board::Position;
use crate::cleaning::twins::Fingerprint;
use crate::columns::{Description, GameTexts};
use crate::equal_games;
use crate::game::{Annotation, Game, Ply, balanced};
use crate::index::BatchPostings;
use crate::ingest::{BATCH_SPANS, GameOrigin, Worker};
use crate::pgn::Commands;
use crate::query::GameMatcher;
use crate::replay::{Mainline, MaterialSignature, ReadGame, Replay, Variations, Visit};
use crate::storage::{
    GameRow, IndexedLines, IndexedPlies, NewEvaluation, OpeningTable, RowBuilder, SourceTextRow,
    TextArena,
};

// The postings of a batch store the game's index in a few bits.
const _: () = assert!(BATCH_SPANS <= BatchPostings::MAX_GAMES);

/// The rows of a batch to be written.
#[derive(Default)]
pub(super) struct Rows {
    builder: RowBuilder,
    pub(super) games: Vec<GameRow>,
    /// The index of each row's game in the batch. The other games of the batch are passed over.
    pub(super) numbers: Vec<usize>,
    /// The descriptions of games for filters.
    pub(super) descriptions: Vec<Description>,
    /// The texts of the rows while games are added; moved to `texts` at the end of the batch.
    filling: TextArena,
    /// The texts of the rows, shared with the batches that the writer makes of the rows.
    pub(super) texts: Arc<TextArena>,
    /// The texts between games.
    pub(super) between: Vec<SourceTextRow>,
    pub(super) postings: BatchPostings,
    /// The evaluations of positions in comments.
    pub(super) evaluations: Vec<NewEvaluation>,
    /// For each game, the index in `evaluations` behind its last evaluation.
    evaluation_ends: Vec<usize>,
    /// The key of each game, by which equal games are recognized. Empty if equal games are imported.
    pub(super) keys: Vec<Option<u64>>,
    /// The encounter of each game; empty if newer texts do not replace stored texts.
    pub(super) encounters: Vec<Encounter>,
}

/// The row of a newer text of a stored game.
pub(super) struct Replacement {
    pub(super) target: Target,
    pub(super) row: GameRow,
    /// The index of the game in the batch.
    pub(super) number: usize,
}

impl Rows {
    /// Keeps only the games whose row is marked in `is_kept`.
    pub(super) fn retain(&mut self, is_kept: &[bool]) {
        self.retain_evaluations(is_kept);

        // Texts between games refer to the following game by the number of rows before it.
        for text in &mut self.between {
            let before = &is_kept[..text.games_before];
            text.games_before = before.iter().filter(|&&is_kept| is_kept).count();
        }

        retain_rows(&mut self.games, is_kept);
        retain_rows(&mut self.numbers, is_kept);
        retain_rows(&mut self.descriptions, is_kept);
        retain_rows(&mut self.encounters, is_kept);
        // The keys are no longer needed: equal games have been decided.
        self.keys.clear();
        self.postings.retain(is_kept);
    }

    fn retain_evaluations(&mut self, is_kept: &[bool]) {
        let mut evaluations = Vec::with_capacity(self.evaluations.len());
        let mut evaluation_ends = Vec::new();
        let mut start = 0;
        for (&end, &is_kept) in self.evaluation_ends.iter().zip(is_kept) {
            if is_kept {
                evaluations.extend_from_slice(&self.evaluations[start..end]);
                evaluation_ends.push(evaluations.len());
            }
            start = end;
        }

        self.evaluations = evaluations;
        self.evaluation_ends = evaluation_ends;
    }

    /// Removes the newer texts of stored games, so that only new games remain. Returns them and their evaluations.
    pub(super) fn take_replacements(&mut self) -> (Vec<Replacement>, Vec<NewEvaluation>) {
        let encounters = std::mem::take(&mut self.encounters);
        let is_new: Vec<bool> = encounters
            .iter()
            .map(|encounter| !matches!(encounter, Encounter::Known(_)))
            .collect();
        if is_new.iter().all(|&is_new| is_new) {
            return (Vec::new(), Vec::new());
        }

        let mut evaluations = Vec::new();
        let mut start = 0;
        for (&end, is_new) in self.evaluation_ends.iter().zip(&is_new) {
            if !is_new {
                evaluations.extend_from_slice(&self.evaluations[start..end]);
            }
            start = end;
        }

        let mut replacements = Vec::new();
        let mut new_games = Vec::with_capacity(self.games.len());
        let all_games = std::mem::take(&mut self.games);
        let games = all_games.into_iter().zip(encounters).zip(&self.numbers);
        for ((row, encounter), &number) in games {
            match encounter {
                Encounter::Known(target) => {
                    replacements.push(Replacement {
                        target,
                        row,
                        number,
                    });
                }
                Encounter::New | Encounter::Ambiguous(_) => new_games.push(row),
            }
        }

        self.retain(&is_new);
        self.games = new_games;
        (replacements, evaluations)
    }
}

fn retain_rows<T>(rows: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    rows.retain(|_| is_kept.next().is_some_and(|&is_kept| is_kept));
}

/// Turns games into rows, with the names of their openings and the postings of their positions.
pub(super) struct RowWorker {
    /// The lines whose positions are indexed: the mainline, or variations as well.
    pub(super) lines: IndexedLines,
    pub(super) plies: IndexedPlies,
    pub(super) openings: OpeningTable,
    /// The filter of games; `None` for all games.
    pub(super) matcher: Option<Arc<GameMatcher>>,
    /// The offsets of games in the source that the database has already.
    pub(super) imported_places: Arc<HashSet<u64>>,
    /// `true` if games that equal an earlier game are left out.
    pub(super) is_unique: bool,
}

impl RowWorker {
    /// `true` if a game matches the filter and is not in the database already.
    fn is_wanted(&self, game: &ReadGame<'_>, origin: &GameOrigin<'_>) -> bool {
        if self.imported_places.contains(&origin.bytes.start) {
            return false;
        }
        match &self.matcher {
            Some(matcher) => matcher.matches(&game.replay, &self.openings),
            None => true,
        }
    }
}

impl Worker for RowWorker {
    type Output = Rows;

    fn begin(&self, bytes: usize) -> Rows {
        Rows {
            filling: TextArena::with_capacity(bytes),
            ..Rows::default()
        }
    }

    fn may_want(&self, text: &str) -> bool {
        match &self.matcher {
            Some(matcher) => matcher.may_match(text),
            None => true,
        }
    }

    fn game(&self, game: &mut ReadGame<'_>, origin: GameOrigin<'_>, rows: &mut Rows) -> bool {
        if !self.is_wanted(game, &origin) {
            return false;
        }

        let replay = &game.replay;
        let mut row = rows.builder.game(replay, origin.bytes, &mut rows.filling);
        row.notation = game.notation;
        row.encoding = origin.encoding;
        row.opening = self.openings.of_game(replay);

        // Evaluations and the description need the commands in comments, which are parsed once for both.
        let commands: Vec<(Ply, Commands)> = replay.game.annotations.mainline_commands().collect();
        add_evaluations(replay, &commands, &mut rows.evaluations);
        rows.evaluation_ends.push(rows.evaluations.len());

        if self.is_unique {
            let key = equal_games::key(&replay.game, Game::borrowed);
            rows.keys.push(key);
        }

        let description = description(&row, replay, &commands, &rows.filling);
        rows.descriptions.push(description);

        let mut visits = take_visits(&mut game.replay, self.lines);
        self.plies.retain(&mut visits);
        rows.postings.push_game(visits, row.facts(&rows.filling));

        rows.games.push(row);
        rows.numbers.push(origin.number);
        true
    }

    fn text(&self, text: String, bytes: Range<u64>, rows: &mut Rows) {
        // A text between games belongs to the complete source, so it is stored only if all games are imported.
        let has_all_games =
            self.matcher.is_none() && !self.is_unique && self.imported_places.is_empty();
        if !has_all_games {
            return;
        }

        rows.between.push(SourceTextRow {
            games_before: rows.games.len(),
            bytes,
            text,
        });
    }

    fn end(&self, rows: &mut Rows) {
        rows.builder = RowBuilder::default();
        rows.texts = Arc::new(std::mem::take(&mut rows.filling));
        rows.postings.divide();
    }
}

/// The description of a game for filters.
fn description(
    row: &GameRow,
    replay: &Replay<'_>,
    commands: &[(Ply, Commands)],
    texts: &TextArena,
) -> Description {
    let game = &replay.game;

    let material_signature = if game.is_played {
        MaterialSignature::of_moves(replay.start.as_ref(), &replay.last, &game.moves)
    } else {
        MaterialSignature::UNKNOWN
    };
    let played = if game.is_played {
        replay.played.as_slice()
    } else {
        &[]
    };
    let fingerprint = Fingerprint::new(played.iter().map(|mv| mv.code()));

    let ending = &row.ending;
    let draws = [
        ending.fifty_moves,
        ending.seventy_five_moves,
        ending.threefold,
        ending.fivefold,
    ];

    Description::of(&GameTexts {
        event: texts.get(row.event),
        site: texts.get(row.site),
        players: [texts.get(row.white), texts.get(row.black)],
        date: texts.get(row.date),
        round: texts.get(row.round),
        result: row.result,
        white_elo: row.white_elo,
        black_elo: row.black_elo,
        eco: texts.get(row.eco),
        plies: row.ply_count,
        variant: game.variant,
        fen: texts.get(row.fen),
        is_played: game.is_played,
        board_ending: ending.board,
        draws: draws.map(|ply| ply.is_some()),
        tags: &game.tags,
        annotations: &game.annotations,
        commands,
        material_signature,
        fingerprint,
    })
}

/// Appends the evaluations in comments of the mainline: one for each position, when the game first reaches it.
fn add_evaluations(
    replay: &Replay<'_>,
    commands: &[(Ply, Commands)],
    evaluations: &mut Vec<NewEvaluation>,
) {
    for (ply, commands) in commands {
        let Some(score) = commands.evaluation else {
            continue;
        };

        // Visits are in the order of their plies. A position has a visit at its first ply only, so a repeated position
        // is not found.
        let ply = Visit::stored_ply(*ply);
        if let Ok(at) = replay.visits.binary_search_by_key(&ply, |visit| visit.ply) {
            let depth = commands.evaluation_depth;
            evaluations.push(NewEvaluation::of_visit(&replay.visits[at], score, depth));
        }
    }
}

/// Takes the visits of a game: of its mainline, and of its variations if they are indexed.
fn take_visits(replay: &mut Replay<'_>, lines: IndexedLines) -> Vec<Visit> {
    let mut visits = std::mem::take(&mut replay.visits);
    if lines == IndexedLines::Mainline || !replay.game.is_played {
        return visits;
    }

    // Variations need a second replay, which most games do without.
    let has_variation = replay
        .game
        .annotations
        .iter()
        .any(|(_, annotation)| annotation == Annotation::BeginVariation);
    if has_variation {
        let start = replay.start.clone().unwrap_or_else(Position::start);
        let mainline = Mainline::from_position(start, &replay.game.moves);
        let variations = Variations::new(mainline, balanced(&replay.game.annotations));
        variations.add_visits(replay.game.variant, &mut visits);
    }
    visits
}
