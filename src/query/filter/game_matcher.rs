//! Queries for single games that are in no database.
//!
//! A matcher compares the conditions with the values that the column store would have for the game. The names of the
//! game have no numbers, so they are compared as texts.

use std::convert::Infallible;

use super::super::{PositionQuery, Query};
use super::check::{Check, GameText};
use super::{EndingKind, Filter, NameQuery, QualityFilter};
use crate::columns::{Column, Entry, GameFlags, GameTexts, NameKind, NameMatcher};
use crate::game::{Annotations, Game, TagPair, Variant, tag_value};
use crate::openings::Openings;
use crate::pgn::Termination;
use crate::replay::{MaterialSignature, Replay, tags_of};
use crate::storage::id_in_tags;

/// The filter and the pattern of a [`Query`], for games one at a time.
#[derive(Debug)]
pub(crate) struct GameMatcher {
    filter: Filter,
    check: Check,
    /// Matchers for names, each with the tags of which at least one must match.
    names: Vec<(&'static [&'static str], NameMatcher)>,
    openings: Vec<NameMatcher>,
    pattern: Option<PositionQuery>,
    /// `true` if the filter has conditions on values that are computed from tags.
    needs_values: bool,
    nothing: Annotations,
}

impl GameMatcher {
    /// A matcher for a query; `None` for a query that matches every game.
    ///
    /// The query's positions, numbers, order and limit are ignored, as are SQL and the marks of duplicates.
    ///
    /// # Errors
    /// When SQLite, which compares names, has no memory left.
    pub(crate) fn new(query: &Query) -> rusqlite::Result<Option<GameMatcher>> {
        // SQL and the marks of duplicates need a database.
        let filter = Filter {
            condition: None,
            unique: false,
            ..query.filter.clone()
        };
        if filter.is_empty() && query.pattern.is_none() {
            return Ok(None);
        }

        let mut names: Vec<(&[&str], NameMatcher)> = Vec::new();
        for (tags, kind, queries) in [
            (&["White", "Black"][..], NameKind::Player, &filter.players),
            (&["White"], NameKind::Player, &filter.white),
            (&["Black"], NameKind::Player, &filter.black),
            (&["Event"], NameKind::Event, &filter.event),
            (&["Site"], NameKind::Site, &filter.site),
        ] {
            for matcher in matchers(kind, queries)? {
                names.push((tags, matcher));
            }
        }

        Ok(Some(GameMatcher {
            check: Check::of(&filter),
            names,
            openings: matchers(NameKind::Opening, &filter.openings)?,
            pattern: query.pattern.clone(),
            needs_values: filter.needs_values_of_tags(),
            nothing: Annotations::default(),
            filter,
        }))
    }

    /// `true` if the answer depends on repetitions, which a replay without positions does not know.
    pub(crate) fn needs_positions(&self) -> bool {
        self.filter.endings.iter().any(|kind| match kind {
            EndingKind::Threefold
            | EndingKind::Fivefold
            | EndingKind::FiftyMoves
            | EndingKind::SeventyFiveMoves => true,
            // The last position decides these.
            EndingKind::Checkmate | EndingKind::Stalemate | EndingKind::InsufficientMaterial => {
                false
            }
        })
    }

    /// `false` if a game does not match by its tags, whatever its moves are.
    pub(crate) fn may_match(&self, text: &str) -> bool {
        let needs_tags = self.needs_values
            || !self.names.is_empty()
            || !self.filter.results.is_empty()
            || !self.filter.tags.is_empty();

        !needs_tags || self.has_tags(&tags_of(text))
    }

    /// `true` if a replayed game matches by its tags and its moves.
    pub(crate) fn holds(&self, replay: &Replay<'_>, openings: &Openings) -> bool {
        self.has_tags(&replay.game.tags) && self.matches(replay, openings)
    }

    /// `true` if the names, the result and the tags of a game match. A result without a tag is checked after the
    /// replay.
    fn has_tags(&self, tags: &[TagPair<'_>]) -> bool {
        for (keys, matcher) in &self.names {
            if !is_named(tags, keys, matcher) {
                return false;
            }
        }

        // Without the tag, the game termination marker is the result, which is known after the replay.
        let result = tag_value(tags, "Result").and_then(Termination::from_text);
        if result.is_some_and(|result| !self.filter.has_result(result)) {
            return false;
        }

        let has_pairs = self.filter.tags.iter().all(|tag| tag.is_among(tags));
        has_pairs && (!self.needs_values || self.has_values(tags))
    }

    /// `true` if the values that are computed from tags match.
    fn has_values(&self, tags: &[TagPair<'_>]) -> bool {
        let filter = &self.filter;
        let texts = GameTexts::of_tags(tags, &self.nothing);

        // Ratings alone exclude most games of a month, before the values of all columns are computed.
        let [white_elo, black_elo] = rating_values(&texts);
        if !filter.has_ratings(white_elo, black_elo) {
            return false;
        }

        let entry = Entry::of_texts(&texts);
        let flags = GameFlags::from_value(entry.get(Column::GameFlags));

        // The variant is known here, while a look-up in a database may fail.
        let is_other = || Ok(flags.variant() == Variant::Other);
        let Ok(has_tags) = self.check.has_tags::<Infallible>(tags, is_other);

        has_tags
            && filter.has_flags_of_tags(flags)
            && filter.has_date(entry.get(Column::Date))
            && filter.has_eco(entry.get(Column::Eco))
    }

    /// `true` if a replayed game matches, provided that its tags match. `openings` is the table of opening names.
    pub(crate) fn matches(&self, replay: &Replay<'_>, openings: &Openings) -> bool {
        let has_values = self.filter.has_result(replay.game.result)
            && self.has_winner(replay)
            && self.filter.has_plies(replay.plies().into())
            && self.has_line(replay);
        if !has_values {
            return false;
        }

        // The pattern is last, since it replays the game once more.
        self.has_start_and_text(&replay.game)
            && self.has_annotations_and_ending(replay)
            && self.has_quality(replay)
            && self.has_opening(replay, openings)
            && self.has_pattern(replay)
    }

    /// `true` if a replayed game begins with the required opening line.
    fn has_line(&self, replay: &Replay<'_>) -> bool {
        match &self.filter.line {
            Some(line) => line.begins_replay(replay),
            None => true,
        }
    }

    /// `true` if the pattern matches in a replayed game.
    fn has_pattern(&self, replay: &Replay<'_>) -> bool {
        match &self.pattern {
            Some(pattern) => is_in_game(pattern, replay),
            None => true,
        }
    }

    /// `true` if the required player has won a replayed game.
    fn has_winner(&self, replay: &Replay<'_>) -> bool {
        if self.filter.winner.is_none() {
            return true;
        }

        let game = &replay.game;
        let texts = GameTexts::of_tags(&game.tags, &self.nothing);
        let [white_elo, black_elo] = rating_values(&texts);
        self.filter.has_winner(game.result, white_elo, black_elo)
    }

    /// `true` if the annotations and the ending of a replayed game match.
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

        let game = &replay.game;
        let ending = &replay.ending;
        let draws = [
            ending.fifty_moves,
            ending.seventy_five_moves,
            ending.threefold,
            ending.fivefold,
        ];

        // The flags are computed as for a database, so that both give one answer.
        let texts = GameTexts {
            board_ending: ending.board,
            draws: draws.map(|ply| ply.is_some()),
            ..GameTexts::of_tags(&game.tags, &game.annotations)
        };
        let entry = Entry::of_texts(&texts);

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
        let texts = GameTexts {
            commands: &commands,
            plies: replay.plies(),
            variant: game.variant,
            fen: game.start.as_deref(),
            ..GameTexts::of_tags(&game.tags, &game.annotations)
        };
        let entry = Entry::of_texts(&texts);

        let values = QualityFilter::COLUMNS.map(|column| entry.get(column));
        self.filter.quality.holds(values)
    }

    /// `true` if the start of a game, the state of its text, and its place in a sample match.
    fn has_start_and_text(&self, game: &Game<'_>) -> bool {
        let fen = game.start.as_deref();
        // The check leaves the other kinds of start to the column store, which does not have this game.
        let has_start = self.filter.start.is_none_or(|start| start.is_of(fen));

        let text = GameText {
            fen,
            is_complete: game.is_played && game.rest.is_none(),
            result: game.result.as_str(),
            termination: game.termination.map(Termination::as_str),
        };

        has_start
            && self.check.has_start_and_text(&text)
            && self.check.has_in_sample(&game.tags, &game.moves)
    }

    /// `true` if the name of the opening that the moves lead to matches.
    fn has_opening(&self, replay: &Replay<'_>, openings: &Openings) -> bool {
        if self.openings.is_empty() {
            return true;
        }

        let Some(opening) = openings.of_game(replay) else {
            return false;
        };
        let name = openings.get(opening).name;
        self.openings.iter().all(|matcher| matcher.matches(name))
    }
}

/// The matchers for queries of one kind of name.
fn matchers(kind: NameKind, queries: &[NameQuery]) -> rusqlite::Result<Vec<NameMatcher>> {
    let mut matchers = Vec::with_capacity(queries.len());
    for name in queries {
        matchers.push(NameMatcher::new(kind, &name.text, name.is_exact)?);
    }
    Ok(matchers)
}

/// `true` if one of some tags has a name that matches.
fn is_named(tags: &[TagPair<'_>], keys: &[&str], matcher: &NameMatcher) -> bool {
    for key in keys {
        let value = tag_value(tags, key);
        if value.is_some_and(|value| matcher.matches(value)) {
            return true;
        }
    }

    keys.contains(&"Site") && is_linked(tags, matcher)
}

/// `true` if a game is found by its address in another tag than Site.
fn is_linked(tags: &[TagPair<'_>], matcher: &NameMatcher) -> bool {
    let site = tag_value(tags, "Site");
    id_in_tags(tags, site).is_some_and(|link| matcher.matches_link(site, link))
}

/// `true` if a pattern matches in the mainline of a game.
fn is_in_game(pattern: &PositionQuery, replay: &Replay<'_>) -> bool {
    let game = &replay.game;
    if !game.is_played {
        return false;
    }

    let start = if game.start.is_some() {
        replay.start.as_ref()
    } else {
        None
    };
    // The signature excludes most games, as in a database.
    let signature = MaterialSignature::of_moves(start, &replay.last, &game.moves);
    if !pattern.may_hold(signature) {
        return false;
    }

    let first = pattern.first_in_trusted(start, game.moves.as_bytes());
    first.is_some()
}

/// The ratings of White and Black as the columns have them: 0 for a missing rating.
fn rating_values(texts: &GameTexts<'_>) -> [u64; 2] {
    [texts.white_elo, texts.black_elo].map(|elo| elo.unwrap_or(0).into())
}
