//! Queries for games, moves and players.
//!
//! A [`Query`] is plain data, and [`Database::query`](crate::storage::Database::query) answers it. A [`Filter`]
//! compares attributes of a game, a [`PositionQuery`] what happens on the board. A [`PlayerRecord`] counts the games of
//! a player. [`Databases`] are several databases that are queried as one. [`PositionSearch`] and [`SearchPool`] answer queries for many positions in a row.

mod after;
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
mod novelty;
mod opening_report;
mod partial_fen;
mod pattern;
mod performance;
mod persons;
mod played;
mod player;
mod pool;
mod position;
mod position_text;
mod preparation;
mod repertoire;
mod request;
mod results;
mod scanner;
#[cfg(feature = "program")]
mod sound;
mod spellings;
#[cfg(feature = "program")]
mod suggestion;
mod tournament;
mod tree;
#[cfg(feature = "program")]
mod unknown_words;
mod watch;

pub use crate::columns::{
    EcoRange, EndingKind, ParseEcoError, ParseEndingError, ParseSpeedError, ParseTitleError, Speed,
    Title,
};
pub use crate::index::{Counts, Ratings};
pub use after::{Reached, position_after};
pub(crate) use comments::{Comment, Comments};
pub use databases::{CombinedHits, CombinedResults, Databases, GameOfDatabase};
pub use featured::{FeaturedGames, FeaturedLimits, GameKeys};
pub use filter::{
    Bounds, Filter, NameQuery, NamedSides, OpeningLine, ParseBoundsError, ParseOpeningLineError,
    ParseOrderError, ParsePeriodError, ParseTagQueryError, Period, PlayersAre, SortKey, SortOrder,
    TagQuery,
};
pub(crate) use filter::{GameMatcher, Selection};
pub use hits::{Hit, Hits, Numbers};
pub use move_count::MoveCount;
use moves::merge as merge_moves;
pub use name_counts::{NameCounts, NameField};
pub use notable_games::{FirstGame, NotableGames, NotableGamesOfMove};
pub use novelty::{Novelties, Novelty, NoveltyQuery};
pub use opening_report::{
    KeyGame, KeyGameReason, OpeningBand, OpeningEnding, OpeningEndings, OpeningLines, OpeningMove,
    OpeningNovelties, OpeningNovelty, OpeningNoveltyYear, OpeningPlayer, OpeningPlayers,
    OpeningQuery, OpeningReport, OpeningRoot, OpeningSubject, OpeningYear, PiecePlacement,
    Placements,
};
pub use partial_fen::expand_partial_fen;
pub(crate) use pattern::PatternCursor;
pub use pattern::{
    BoardPattern, Flip, Material, MoveSequence, ParsePatternError, PositionParts, PositionQuery,
};
/// For tests and benchmarks, which compare scans with plain replays.
#[doc(hidden)]
pub use pattern::{Candidate, Found, scan};
pub use performance::performance;
pub use player::{OpeningFamily, PlayerQuery, PlayerRecord, PlayerScore, Ranked};
pub use pool::SearchPool;
pub(crate) use position::VisitsOf;
pub(crate) use position::visit_of;
pub use position::{PositionSearch, Visited};
pub use position_text::{ReadPositionError, moves_in_place_of_fen, read_positions};
pub use preparation::{
    AvoidedMove, ChangedHabit, Deviation, GameLengths, GameToStudy, Habits, HabitualMove,
    HalfScore, LineEnd, LineScore, OmittedGames, OpeningHabit, OthersCount, Preparation,
    PreparationQuery, PreparedMove, RepertoireGap, RepertoireMeeting, StudyReason, UnmetMove,
    WeakLine,
};
pub use repertoire::{
    Departure, DepartureKind, NewGames, Repertoire, RepertoireError, RepertoireGame, RepertoireHit,
    RepertoireHits, RepertoireMove, RepertoirePosition, RepertoireQuery, RepertoireReader,
    RepertoireRemark, RepertoireStrategy, SourceOfGames,
};
pub use request::Query;
pub use results::Results;
#[cfg(feature = "program")]
pub use suggestion::{NameByInitials, kind_of_name, names_by_initials, unknown_names};
pub use tournament::{
    Crosstable, Match, Pairing, Standing, System, TeamStanding, Tournament, TournamentGame,
    Tournaments,
};
pub use tree::{MoveTree, TreeMove};
#[cfg(feature = "program")]
pub use unknown_words::UnknownName;
pub use watch::Watch;
