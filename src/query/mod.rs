//! Queries for games, moves and players.
//!
//! A [`Query`] is plain data, and [`Database::query`](crate::storage::Database::query) answers it with [`Results`]. A
//! [`Filter`] has conditions on the attributes of a game. A [`PositionQuery`] has conditions on its positions and
//! moves. [`Databases`] are several databases that are queried as one. [`PositionSearch`] and [`SearchPool`] are faster
//! for many positions in a row.
//!
//! The module [`player`] computes the record of a player. Analyses of many games are [studies](crate::study).

mod after;
mod canonical_numbers;
mod changed;
mod comments;
mod count;
mod databases;
mod featured;
mod filter;
mod hits;
mod move_count;
mod moves;
mod name_counts;
mod notable_games;
mod online_game;
mod partial_fen;
mod pattern;
mod performance;
mod persons;
mod played;
pub mod player;
mod pool;
mod position;
mod position_text;
mod request;
mod results;
mod scanner;
#[cfg(feature = "program")]
mod sound;
#[cfg(feature = "program")]
mod suggestion;
mod tree;
#[cfg(feature = "program")]
mod unknown_words;
mod watch;

pub use crate::columns::{
    EcoRange, EndingKind, ParseEcoError, ParseEndingError, ParseSpeedError, ParseTitleError, Speed,
    Title,
};
pub use crate::index::{Counts, Ratings};
pub(crate) use after::leaves_moves;
pub use after::{Reached, position_after};
pub(crate) use canonical_numbers::CanonicalNumbers;
pub(crate) use comments::{Comment, Comments};
pub use databases::{CombinedHits, CombinedResults, Databases, GameOfDatabase, query_databases};
pub use featured::{FeaturedGames, FeaturedLimits, GameKeys};
pub use filter::{
    Bounds, Filter, Fraction, Mover, NameQuery, NamedSides, OpeningLine, ParseBoundsError,
    ParseFractionError, ParseOpeningLineError, ParseOrderError, ParsePeriodError,
    ParseTagQueryError, Period, PlayersAre, QualityFilter, Sample, SortKey, SortOrder, StartKind,
    TagQuery, Winner,
};
pub(crate) use filter::{GameMatcher, NameNumbers, Selection};
pub use hits::{Hit, Hits, Numbers};
pub use move_count::MoveCount;
pub use moves::joined_moves;
use moves::merge as merge_moves;
pub(crate) use moves::move_with_code;
pub use name_counts::{NameCounts, NameField};
pub use notable_games::{FirstGame, NotableGames, NotableGamesOfMove};
pub use online_game::OnlineGame;
pub use partial_fen::expand_partial_fen;
pub(crate) use pattern::PatternCursor;
pub use pattern::{
    BoardPattern, Flip, Material, MoveSequence, ParsePatternError, PositionParts, PositionQuery,
};
/// For tests and benchmarks, which compare scans with plain replays.
#[doc(hidden)]
pub use pattern::{Candidate, PatternHit, scan};
pub use performance::performance;
pub(crate) use persons::{Person, PersonsOfDatabase};
pub use pool::SearchPool;
pub use position::{PositionSearch, Visited};
pub(crate) use position::{VisitsOf, first_visit};
pub use position_text::{ReadPositionError, moves_in_place_of_fen, read_positions};
pub use request::Query;
pub use results::Results;
/// For the program, which suggests names where a filter finds no game.
#[cfg(feature = "program")]
#[doc(hidden)]
pub use suggestion::{NameByInitials, kind_of_name, names_by_initials, unknown_names};
pub use tree::{MoveTree, TreeMove};
/// For the program, as the suggestions above.
#[cfg(feature = "program")]
#[doc(hidden)]
pub use unknown_words::UnknownName;
pub use watch::Watch;
