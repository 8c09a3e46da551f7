//! Conditions that need the rows of a game, because the column store cannot decide them.

use rusqlite::{Connection, OptionalExtension};

use super::super::Watch;
use super::{Filter, Sample, StartKind, TagQuery};
use crate::columns::{games_with_words, has_comment, words};
use crate::error::Result;
use crate::game::{Annotations, TagPair, Variant, folded_variant, tag_value};
use crate::storage::{
    Database, GameId, GameSet, InDatabase, all_tags, read_annotations, text_cell, variant_cell,
};

/// The conditions of a filter that are checked game by game.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    tags: Vec<TagQuery>,
    /// Folded names of variants that the column store only has as "other".
    variants: Vec<String>,
    comments: Vec<Phrase>,
    /// A start that the column store does not know.
    start: Option<StartKind>,
    is_complete: bool,
    no_bad_results: bool,
    sample: Option<Sample>,
    condition: Option<String>,
}

/// The parts of a game's text that a [`Check`] compares.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameText<'g> {
    /// The FEN that the game starts from; `None` for the standard position.
    pub(super) fen: Option<&'g str>,
    /// `true` if all of the movetext could be read.
    pub(super) is_complete: bool,
    /// The result of the game.
    pub(super) result: &'g str,
    /// The game termination marker behind its moves. `None` if there is none, or if it is known to agree with the
    /// result.
    pub(super) termination: Option<&'g str>,
}

impl GameText<'_> {
    /// `true` if the game termination marker agrees with the tag Result, or is `*`.
    fn has_one_result(&self) -> bool {
        match self.termination {
            Some(termination) => termination == "*" || termination == self.result,
            None => true,
        }
    }
}

/// Consecutive words of a comment.
#[derive(Clone, Debug)]
struct Phrase {
    words: Vec<String>,
    is_prefix: bool,
}

impl Phrase {
    /// The words of a text. A `*` at the end makes the last word a prefix.
    fn new(text: &str) -> Phrase {
        Phrase {
            words: words(text),
            is_prefix: text.trim_end().ends_with('*'),
        }
    }
}

impl Check {
    /// Collects the conditions of a filter, and rejects a condition that is not valid SQL.
    pub(super) fn new(database: &Database, filter: &Filter) -> Result<Check> {
        if let Some(condition) = &filter.condition {
            database.check_condition(condition)?;
        }
        Ok(Check::of(filter))
    }

    /// Collects the conditions of a filter.
    pub(super) fn of(filter: &Filter) -> Check {
        // The column store decides the variants that it has a number for.
        let mut variants: Vec<String> = Vec::new();
        for name in &filter.variants {
            if is_other(name) {
                variants.push(folded_variant(name));
            }
        }
        let accepts_any_other = variants.iter().any(|name| name == "other");
        if accepts_any_other {
            variants.clear();
        }

        let phrases = filter.comments.iter().map(|text| Phrase::new(text));
        Check {
            tags: filter.tags.clone(),
            variants,
            comments: phrases.collect(),
            start: filter.start.filter(|start| !start.is_known_by_presence()),
            is_complete: filter.complete,
            no_bad_results: filter.no_bad_results,
            sample: filter.sample,
            condition: filter.condition.clone(),
        }
    }

    /// `true` if the tags of a game match. `is_other` returns whether the column store has the game's variant only as
    /// "other".
    pub(super) fn has_tags<E>(
        &self,
        found: &[TagPair<'_>],
        is_other: impl FnOnce() -> std::result::Result<bool, E>,
    ) -> std::result::Result<bool, E> {
        if !self.tags.iter().all(|tag| tag.is_among(found)) {
            return Ok(false);
        }
        if self.variants.is_empty() {
            return Ok(true);
        }

        let variant = tag_value(found, "Variant");
        let is_named = variant.is_some_and(|name| self.variants.contains(&folded_variant(name)));
        // The column store has already dropped the games of other variants that it can tell apart. Of the games left,
        // only those whose variant is stored as "other" are compared by name.
        Ok(is_named || !is_other()?)
    }

    /// `true` if the comments of a game match.
    pub(super) fn has_comments(&self, annotations: &Annotations) -> bool {
        let has = |phrase: &Phrase| has_comment(annotations, &phrase.words, phrase.is_prefix);
        self.comments.iter().all(has)
    }

    /// `true` if the start of a game, the completeness of its movetext, and its two results match.
    pub(super) fn has_start_and_text(&self, text: &GameText<'_>) -> bool {
        let has_start = self.start.is_none_or(|start| start.is_of(text.fen));
        let has_all_moves = !self.is_complete || text.is_complete;
        let has_good_result = !self.no_bad_results || text.has_one_result();

        has_start && has_all_moves && has_good_result
    }

    /// `true` if a game is in the sample.
    pub(super) fn has_in_sample(&self, tags: &[TagPair<'_>], moves: &str) -> bool {
        self.sample.is_none_or(|sample| sample.has(tags, moves))
    }

    /// `true` if the column store has decided everything.
    pub(super) fn is_empty(&self) -> bool {
        !self.needs_rows() && self.condition.is_none()
    }

    /// `true` if the rows of each game are needed.
    fn needs_rows(&self) -> bool {
        self.needs_tags() || self.needs_text() || !self.comments.is_empty()
    }

    /// `true` if the tags of each game are needed.
    fn needs_tags(&self) -> bool {
        !self.tags.is_empty() || !self.variants.is_empty() || self.sample.is_some()
    }

    /// `true` if the start, the moves or the result of each game is needed.
    fn needs_text(&self) -> bool {
        self.start.is_some() || self.is_complete || self.no_bad_results || self.sample.is_some()
    }

    /// Retains the games that may have the comments, by their words, and all changed games.
    pub(super) fn retain_words(
        &self,
        connection: &Connection,
        games: &mut GameSet,
        has_changed: impl Fn(GameId) -> bool,
    ) -> rusqlite::Result<()> {
        for phrase in &self.comments {
            let indexed = games_with_words(connection, &phrase.words, phrase.is_prefix)?;
            let Some(mut found) = indexed else {
                continue;
            };

            // The index of words has the old comments of changed games.
            for game in games.iter().filter(|&game| has_changed(game)) {
                found.insert(game);
            }
            games.intersect(&found);
        }
        Ok(())
    }

    /// The games of a list that match all conditions. The list is in ascending order, and so is the result.
    pub(super) fn matching(
        &self,
        database: &Database,
        games: &[GameId],
        watch: &Watch<'_>,
    ) -> Result<Vec<GameId>> {
        watch.check()?;

        let mut matching = Vec::with_capacity(games.len());
        if self.needs_rows() {
            let reader = Reader {
                connection: &database.connection,
                check: self,
            };
            for &game in games {
                if reader.holds(game).in_database(database)? {
                    matching.push(game);
                }
                watch.check()?;
            }
        } else {
            matching.extend_from_slice(games);
        }

        // SQL is last: one statement for all games that are left.
        match &self.condition {
            Some(condition) => database.games_where(condition, matching),
            None => Ok(matching),
        }
    }
}

/// Checks games one by one.
struct Reader<'c> {
    connection: &'c Connection,
    check: &'c Check,
}

impl Reader<'_> {
    /// `true` if a game matches all conditions except SQL.
    fn holds(&self, game: GameId) -> rusqlite::Result<bool> {
        let tags = if self.check.needs_tags() {
            all_tags(self.connection, game)?.unwrap_or_default()
        } else {
            Vec::new()
        };
        let has_tags = self.check.has_tags(&tags, || self.is_of_other(game))?;

        Ok(has_tags && self.has_text(game, &tags)? && self.has_comments(game)?)
    }

    /// `true` if the start, the moves, the results and the sample match. `tags` are the tags of the game.
    fn has_text(&self, game: GameId, tags: &[TagPair<'_>]) -> rusqlite::Result<bool> {
        if !self.check.needs_text() {
            return Ok(true);
        }

        let sql =
            "SELECT game.fen, game.final_key IS NOT NULL AND movetext.rest IS NULL, movetext.moves,
                game.result, nullif(game.terminator, '')
            FROM game LEFT JOIN movetext ON movetext.game_id = game.id WHERE game.id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let holds = select.query_row([game], |row| {
            let text = GameText {
                fen: text_cell(row, 0)?,
                is_complete: row.get(1)?,
                result: text_cell(row, 3)?.unwrap_or_default(),
                termination: text_cell(row, 4)?,
            };
            let moves = text_cell(row, 2)?.unwrap_or_default();
            Ok(self.check.has_start_and_text(&text) && self.check.has_in_sample(tags, moves))
        });
        Ok(holds.optional()?.unwrap_or(false))
    }

    /// `true` if the column store has a game's variant only as "other".
    fn is_of_other(&self, game: GameId) -> rusqlite::Result<bool> {
        let sql = "SELECT variant FROM game WHERE id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let found = select.query_row([game], |row| variant_cell(row, 0));

        let variant = found.optional()?;
        Ok(variant == Some(Variant::Other))
    }

    /// `true` if the stored comments of a game match.
    fn has_comments(&self, game: GameId) -> rusqlite::Result<bool> {
        if self.check.comments.is_empty() {
            return Ok(true);
        }

        let sql = "SELECT annotations FROM movetext WHERE game_id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let has_all = select.query_row([game], |row| {
            let annotations = read_annotations(text_cell(row, 0)?).unwrap_or_default();
            Ok(self.check.has_comments(&annotations))
        });
        Ok(has_all.optional()?.unwrap_or(false))
    }
}

/// `true` if the column store has a variant only as "other".
fn is_other(name: &str) -> bool {
    Variant::from_tag(name) == Variant::Other
}
