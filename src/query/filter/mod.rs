//! Filters on the attributes of games: players, dates, ratings, tags and others.
//!
//! A [`Filter`] has the conditions, and a [`Selection`] finds the games. The column store decides most conditions. A
//! selection checks the other conditions game by game, when a game is needed (`check.rs`). A [`GameMatcher`] checks the
//! same conditions for games that are in no database.

mod bounds;
mod check;
mod conditions;
mod game_matcher;
mod line;
mod named_sides;
mod period;
mod quality;
mod sample;
mod selection;
mod site;
mod start;
mod stated;
mod tag;
mod values;

pub use bounds::{Bounds, ParseBoundsError};
pub(crate) use game_matcher::GameMatcher;
pub use line::{OpeningLine, ParseOpeningLineError};
pub use named_sides::NamedSides;
pub use period::{ParsePeriodError, Period};
pub use quality::{Mover, QualityFilter};
pub use sample::{Fraction, ParseFractionError, Sample};
pub(crate) use selection::{InOrder, Selection};
pub use selection::{ParseOrderError, SortKey, SortOrder};
#[cfg(feature = "program")]
pub(super) use site::has_address;
pub use start::StartKind;
pub use tag::{ParseTagQueryError, TagQuery};

use std::collections::HashSet;

use rusqlite::Connection;

use crate::game::PartialDate;

use crate::columns::{EcoRange, EndingKind, NameKind, Speed, Title, named, named_in_all_spellings};
use crate::pgn::Termination;

/// The numbers that columns use for names.
pub(crate) type NameNumbers = HashSet<u64, foldhash::fast::RandomState>;

/// A query for the name of a player, an event, a site or an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    /// The full name, or words in any order, each of which must begin a word of the name. Case and accents are ignored,
    /// and common spellings of a letter (`ü`, `ue`) are equal. A player's name may have initials where the query has
    /// given names, and the reverse, if the family names are equal.
    pub text: String,
    /// `true` if the text is the full name: a spelling, or the canonical name of a spelling. `|=` separates alternative
    /// names.
    pub is_exact: bool,
}

impl From<&str> for NameQuery {
    /// Words of a name, or the full name after `=`; `==x` is the name `=x`.
    fn from(text: &str) -> NameQuery {
        match text.strip_prefix('=') {
            Some(name) => NameQuery {
                text: name.to_owned(),
                is_exact: true,
            },
            None => NameQuery {
                text: text.to_owned(),
                is_exact: false,
            },
        }
    }
}

impl NameQuery {
    /// The numbers of the names that match, and of all other spellings of their players, events or sites.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn numbers(
        &self,
        connection: &Connection,
        kind: NameKind,
    ) -> rusqlite::Result<NameNumbers> {
        let numbers = named_in_all_spellings(connection, kind, &self.text, self.is_exact)?;
        Ok(numbers.into_iter().map(i64::cast_unsigned).collect())
    }

    /// The numbers of the names that match as they are written.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn numbers_as_written(
        &self,
        connection: &Connection,
        kind: NameKind,
    ) -> rusqlite::Result<NameNumbers> {
        let numbers = named(connection, kind, &self.text, self.is_exact)?;
        Ok(numbers.into_iter().map(i64::cast_unsigned).collect())
    }
}

/// The kind of players of a game, inferred from its tags, names, event and site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersAre {
    /// Neither player is a program.
    Humans,
    /// At least one player is a program.
    Engines,
}

/// The winner of a game, by the ratings of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Winner {
    /// The player with the higher rating
    HigherRated,
    /// The player with the lower rating
    LowerRated,
}

/// Conditions on a game, joined by AND; a field with its default value imposes none.
///
/// A list matches if one of its values does, except for names, comments and tags, all of which must match.
///
/// ```
/// use stamma::Filter;
///
/// let filter = Filter {
///     players: vec!["fischer".into(), "=Spassky, Boris V".into()],
///     since: Some("1972.07".parse()?),
///     eco: vec!["B20-B99".parse()?],
///     ..Filter::default()
/// };
/// assert!(!filter.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Players of either colour: names, or words and word prefixes of names.
    pub players: Vec<NameQuery>,
    /// White's name.
    pub white: Vec<NameQuery>,
    /// Black's name.
    pub black: Vec<NameQuery>,
    /// The name of the event.
    pub event: Vec<NameQuery>,
    /// The name of the site.
    pub site: Vec<NameQuery>,
    /// The game was certainly not played before this date begins.
    pub since: Option<PartialDate>,
    /// The game was certainly not played after this date ends.
    pub until: Option<PartialDate>,
    /// The result.
    pub results: Vec<Termination>,
    /// The name of the opening, which the moves lead to.
    pub openings: Vec<NameQuery>,
    /// The ECO code.
    pub eco: Vec<EcoRange>,
    /// The Elo of both players. A game without both ratings does not match.
    pub elo: Option<Bounds>,
    /// White's Elo.
    pub white_elo: Option<Bounds>,
    /// Black's Elo.
    pub black_elo: Option<Bounds>,
    /// The mean of both players' Elo.
    pub mean_elo: Option<Bounds>,
    /// Ranges of the mean of both players' Elo, rounded down. At least one range must have the mean.
    pub mean_elo_groups: Vec<Bounds>,
    /// The winner's rating compared with the loser's. A draw, a game without both ratings, and equal ratings do not
    /// match.
    pub winner: Option<Winner>,
    /// The number of half-moves.
    pub plies: Option<Bounds>,
    /// The quality of moves, and the time left.
    pub quality: QualityFilter,
    /// The kind of the start position.
    pub start: Option<StartKind>,
    /// Requires that all of the movetext could be read.
    pub complete: bool,
    /// Requires that the game termination marker, unless it is `*`, agrees with the tag Result.
    pub no_bad_results: bool,
    /// The ending of the game on the board.
    pub endings: Vec<EndingKind>,
    /// A title of one of the players.
    pub titles: Vec<Title>,
    /// The variant: a value of the tag Variant, ignoring case and punctuation; `standard` for chess.
    pub variants: Vec<String>,
    /// The speed.
    pub speeds: Vec<Speed>,
    /// The kind of players; `None` for no condition.
    pub players_are: Option<PlayersAre>,
    /// Requires comments in words, NAGs or variations.
    pub annotated: bool,
    /// Phrases of comments, all of which must occur; a `*` at the end makes the last word a prefix.
    pub comments: Vec<String>,
    /// Tag pairs, all of which must match.
    pub tags: Vec<TagQuery>,
    /// The first moves of the game.
    pub line: Option<OpeningLine>,
    /// An SQL condition over the columns of the view `games`.
    pub condition: Option<String>,
    /// Excludes games that are marked as duplicates.
    pub unique: bool,
    /// A random part of the games that match otherwise.
    pub sample: Option<Sample>,
}

impl Filter {
    /// `true` if the filter matches every game.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }
}
