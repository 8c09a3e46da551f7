//! Conditions that need the rows of a game, because the column store cannot decide them.

use rusqlite::{Connection, OptionalExtension};

use super::super::Watch;
use super::{Filter, TagQuery};
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
    condition: Option<String>,
}

/// Consecutive words of a comment.
#[derive(Clone, Debug)]
struct Phrase {
    words: Vec<String>,
    is_prefix: bool,
}

impl Phrase {
    fn new(text: &str) -> Phrase {
        Phrase { words: words(text), is_prefix: text.trim_end().ends_with('*') }
    }
}

impl Check {
    /// Collects these conditions, and rejects a condition that is not valid SQL.
    pub(super) fn new(database: &Database, filter: &Filter) -> Result<Check> {
        if let Some(condition) = &filter.condition {
            database.check_condition(condition)?;
        }
        Ok(Check::of(filter))
    }

    /// Collects these conditions.
    pub(super) fn of(filter: &Filter) -> Check {
        // The column store decides the variants that it has a name for.
        let others = filter.variants.iter().filter(|name| is_other(name));
        let variants: Vec<String> = others.map(|name| folded_variant(name)).collect();
        let is_any_other = variants.iter().any(|name| name == "other");
        Check {
            tags: filter.tags.clone(),
            variants: if is_any_other { Vec::new() } else { variants },
            comments: filter.comments.iter().map(|text| Phrase::new(text)).collect(),
            condition: filter.condition.clone(),
        }
    }

    /// `true` if the tags of a game match; `is_other` tells whether the column store has its variant only as "other".
    pub(super) fn has_tags<E>(
        &self,
        found: &[TagPair<'_>],
        is_other: impl FnOnce() -> std::result::Result<bool, E>,
    ) -> std::result::Result<bool, E> {
        let Check { tags, variants, .. } = self;
        let variant = tag_value(found, "Variant");
        let is_named = || variant.is_some_and(|name| variants.contains(&folded_variant(name)));
        Ok(tags.iter().all(|tag| tag.is_among(found))
            && (variants.is_empty() || is_named() || !is_other()?))
    }

    /// `true` if the comments of a game match.
    pub(super) fn has_comments(&self, annotations: &Annotations) -> bool {
        let has = |phrase: &Phrase| has_comment(annotations, &phrase.words, phrase.is_prefix);
        self.comments.iter().all(has)
    }

    /// `true` if the column store has decided everything.
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.variants.is_empty()
            && self.comments.is_empty()
            && self.condition.is_none()
    }

    /// Keeps the games that may have the comments, by their words, and all changed games.
    pub(super) fn retain_words(
        &self,
        connection: &Connection,
        games: &mut GameSet,
        has_changed: impl Fn(GameId) -> bool,
    ) -> rusqlite::Result<()> {
        for phrase in &self.comments {
            let Some(mut found) = games_with_words(connection, &phrase.words, phrase.is_prefix)?
            else {
                continue;
            };
            games.iter().filter(|&game| has_changed(game)).for_each(|game| found.insert(game));
            games.intersect(&found);
        }
        Ok(())
    }

    /// The games for which all conditions hold; the input is in ascending order.
    pub(super) fn holding(
        &self,
        database: &Database,
        games: &[GameId],
        watch: &Watch<'_>,
    ) -> Result<Vec<GameId>> {
        watch.check()?;
        let mut holding = games.to_vec();
        if !(self.tags.is_empty() && self.variants.is_empty() && self.comments.is_empty()) {
            let reader = Reader { connection: &database.connection, check: self };
            holding.clear();
            for &game in games {
                if reader.holds(game).in_database(database)? {
                    holding.push(game);
                }
                watch.check()?;
            }
        }
        match &self.condition {
            Some(condition) => database.games_where(condition, holding),
            None => Ok(holding),
        }
    }
}

/// Checks games one by one.
struct Reader<'c> {
    connection: &'c Connection,
    check: &'c Check,
}

impl Reader<'_> {
    fn holds(&self, game: GameId) -> rusqlite::Result<bool> {
        Ok(self.has_tags(game)? && self.has_comments(game)?)
    }

    fn has_tags(&self, game: GameId) -> rusqlite::Result<bool> {
        let Check { tags, variants, .. } = self.check;
        if tags.is_empty() && variants.is_empty() {
            return Ok(true);
        }
        let found = all_tags(self.connection, game)?.unwrap_or_default();
        self.check.has_tags(&found, || self.is_of_other(game))
    }

    /// `true` if the column store has a game's variant only as "other".
    fn is_of_other(&self, game: GameId) -> rusqlite::Result<bool> {
        let sql = "SELECT variant FROM game WHERE id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let variant = select.query_row([game], |row| variant_cell(row, 0));
        Ok(variant.optional()? == Some(Variant::Other))
    }

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

/// `true` if a variant has no number of its own in the column store.
fn is_other(name: &str) -> bool {
    Variant::from_tag(name) == Variant::Other
}
