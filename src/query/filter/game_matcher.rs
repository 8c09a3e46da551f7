//! A query answered for one game at a time, in no database.
//!
//! The conditions are those of a selection, on the same values; only names are compared themselves instead of their
//! numbers.

use std::convert::Infallible;

use super::super::{PositionQuery, Query};
use super::check::{Check, GameText};
use super::{EndingKind, Filter, NameQuery, QualityFilter};
use crate::columns::{Column, Entry, GameFlags, GameTexts, NameKind, NameMatcher};
use crate::game::{Annotations, Game, TagPair, Variant, tag_value};
use crate::openings::Openings;
use crate::pgn::Termination;
use crate::replay::{MaterialSignature, Replay, tags_of};
use crate::storage::linked;

/// The filter and the pattern of a [`Query`], for games one at a time.
#[derive(Debug)]
pub(crate) struct GameMatcher {
    filter: Filter,
    check: Check,
    /// Each with the tags of which one must match.
    names: Vec<(&'static [&'static str], NameMatcher)>,
    openings: Vec<NameMatcher>,
    pattern: Option<PositionQuery>,
    /// Whether there are conditions on values that are computed from tags.
    asks_values: bool,
    nothing: Annotations,
}

impl GameMatcher {
    /// A matcher for a query; `None` for one that matches every game.
    ///
    /// Its positions, numbers, order and limit are not looked at, nor are SQL and the marks of duplicates.
    ///
    /// # Errors
    /// When SQLite, which compares names, has no memory left.
    pub(crate) fn new(query: &Query) -> rusqlite::Result<Option<GameMatcher>> {
        let filter = Filter {
            condition: None,
            unique: false,
            ..query.filter.clone()
        };
        if filter.is_empty() && query.pattern.is_none() {
            return Ok(None);
        }
        let of_kind = |kind: NameKind, queries: &[NameQuery]| {
            let matchers = queries
                .iter()
                .map(|name| NameMatcher::new(kind, &name.text, name.is_exact));
            matchers.collect::<rusqlite::Result<Vec<NameMatcher>>>()
        };
        let mut names: Vec<(&[&str], NameMatcher)> = Vec::new();
        for (tags, kind, queries) in [
            (&["White", "Black"][..], NameKind::Player, &filter.players),
            (&["White"], NameKind::Player, &filter.white),
            (&["Black"], NameKind::Player, &filter.black),
            (&["Event"], NameKind::Event, &filter.event),
            (&["Site"], NameKind::Site, &filter.site),
        ] {
            names.extend(
                of_kind(kind, queries)?
                    .into_iter()
                    .map(|matcher| (tags, matcher)),
            );
        }
        Ok(Some(GameMatcher {
            check: Check::of(&filter),
            names,
            openings: of_kind(NameKind::Opening, &filter.openings)?,
            pattern: query.pattern.clone(),
            asks_values: filter.asks_values_of_tags(),
            nothing: Annotations::default(),
            filter,
        }))
    }

    /// `true` if the answer depends on how often positions have occurred, which a replay without positions does not
    /// tell.
    pub(crate) fn needs_positions(&self) -> bool {
        use EndingKind::{Checkmate, InsufficientMaterial, Stalemate};
        let is_of_board = |kind| matches!(kind, Checkmate | InsufficientMaterial | Stalemate);
        !self.filter.endings.iter().copied().all(is_of_board)
    }

    /// `false` if a game does not match by its tags, whatever its moves are.
    pub(crate) fn may_match(&self, text: &str) -> bool {
        let asks_tags = self.asks_values
            || !self.names.is_empty()
            || !self.filter.results.is_empty()
            || !self.filter.tags.is_empty();
        !asks_tags || self.has_tags(&tags_of(text))
    }

    /// `true` if a replayed game matches by its tags and its moves.
    pub(crate) fn holds(&self, replay: &Replay<'_>, openings: &Openings) -> bool {
        self.has_tags(&replay.game.tags) && self.matches(replay, openings)
    }

    fn has_tags(&self, tags: &[TagPair<'_>]) -> bool {
        let is_named = |(names, matcher): &(&[&str], NameMatcher)| {
            names
                .iter()
                .any(|name| tag_value(tags, name).is_some_and(|name| matcher.matches(name)))
                || names.contains(&"Site") && is_linked(tags, matcher)
        };
        let result = tag_value(tags, "Result").and_then(Termination::from_text);
        self.names.iter().all(is_named)
            && result.is_none_or(|result| self.filter.has_result(result))
            && self.filter.tags.iter().all(|tag| tag.is_among(tags))
            && (!self.asks_values || self.has_values(tags))
    }

    fn has_values(&self, tags: &[TagPair<'_>]) -> bool {
        let filter = &self.filter;
        let entry = Entry::of_texts(&GameTexts::of_tags(tags, &self.nothing));
        let get = |column| entry.get(column);
        let flags = GameFlags::from_value(get(Column::GameFlags));
        let is_other = || Ok(flags.variant() == Variant::Other);
        let Ok(has_tags) = self.check.has_tags::<Infallible>(tags, is_other);
        has_tags
            && filter.has_flags_of_tags(flags)
            && filter.has_date(get(Column::Date))
            && filter.has_ratings(get(Column::WhiteElo), get(Column::BlackElo))
            && filter.has_eco(get(Column::Eco))
    }

    /// `true` if a replayed game that may match by its tags does; openings are those of a table.
    pub(crate) fn matches(&self, replay: &Replay<'_>, openings: &Openings) -> bool {
        let Filter { line, .. } = &self.filter;
        self.filter.has_result(replay.game.result)
            && self.has_winner(replay)
            && self.filter.has_plies(replay.plies().into())
            && line.as_ref().is_none_or(|line| line.begins_replay(replay))
            && self.has_start_and_text(&replay.game)
            && self.has_annotations_and_ending(replay)
            && self.has_quality(replay)
            && self.has_opening(replay, openings)
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| is_in_game(pattern, replay))
    }

    fn has_winner(&self, replay: &Replay<'_>) -> bool {
        if self.filter.winner.is_none() {
            return true;
        }
        let game = &replay.game;
        let entry = Entry::of_texts(&GameTexts::of_tags(&game.tags, &self.nothing));
        let [white, black] = [Column::WhiteElo, Column::BlackElo].map(|column| entry.get(column));
        self.filter.has_winner(game.result, white, black)
    }

    fn has_annotations_and_ending(&self, replay: &Replay<'_>) -> bool {
        let Filter {
            endings,
            annotated,
            comments,
            ..
        } = &self.filter;
        if endings.is_empty() && !annotated && comments.is_empty() {
            return true;
        }
        let (game, ending) = (&replay.game, &replay.ending);
        let draws = [
            ending.fifty_moves,
            ending.seventy_five_moves,
            ending.threefold,
            ending.fivefold,
        ];
        let entry = Entry::of_texts(&GameTexts {
            board_ending: ending.board,
            draws: draws.map(|ply| ply.is_some()),
            ..GameTexts::of_tags(&game.tags, &game.annotations)
        });
        let flags = GameFlags::from_value(entry.get(Column::GameFlags));
        self.filter.has_flags_of_moves(flags) && self.check.has_comments(&game.annotations)
    }

    /// `true` if the evaluations and clock times of a game match.
    fn has_quality(&self, replay: &Replay<'_>) -> bool {
        if self.filter.quality.is_empty() {
            return true;
        }
        let game = &replay.game;
        let commands: Vec<_> = game.annotations.mainline_commands().collect();
        let entry = Entry::of_texts(&GameTexts {
            commands: &commands,
            plies: replay.plies(),
            variant: game.variant,
            fen: game.start.as_deref(),
            ..GameTexts::of_tags(&game.tags, &game.annotations)
        });
        self.filter
            .quality
            .holds(QualityFilter::COLUMNS.map(|column| entry.get(column)))
    }

    /// `true` if the start of a game, the state of its text, and its place in a sample match.
    fn has_start_and_text(&self, game: &Game<'_>) -> bool {
        // The check has no kinds of start that the column store knows, which is not there.
        let has_start = self
            .filter
            .start
            .is_none_or(|start| start.is_of(game.start.as_deref()));
        let text = GameText {
            fen: game.start.as_deref(),
            is_complete: game.is_played && game.rest.is_none(),
            result: game.result.as_str(),
            termination: game.termination.map(Termination::as_str),
        };
        has_start
            && self.check.has_start_and_text(&text)
            && self.check.has_in_sample(&game.tags, &game.moves)
    }

    fn has_opening(&self, replay: &Replay<'_>, openings: &Openings) -> bool {
        if self.openings.is_empty() {
            return true;
        }
        let name = openings.of_game(replay).map(|id| openings.get(id).name);
        name.is_some_and(|name| self.openings.iter().all(|matcher| matcher.matches(name)))
    }
}

/// `true` if a game is found by its address in another tag than its site.
fn is_linked(tags: &[TagPair<'_>], matcher: &NameMatcher) -> bool {
    let site = tag_value(tags, "Site");
    linked(tags, site).is_some_and(|link| matcher.matches_link(site, link))
}

/// `true` if a pattern matches in the mainline of a game.
fn is_in_game(pattern: &PositionQuery, replay: &Replay<'_>) -> bool {
    let game = &replay.game;
    let start = replay.start.as_ref().filter(|_| game.start.is_some());
    game.is_played
        && pattern.may_hold(MaterialSignature::of_moves(
            start,
            &replay.last,
            &game.moves,
        ))
        && pattern
            .first_in_trusted(start, game.moves.as_bytes())
            .is_some()
}
