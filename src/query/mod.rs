//! Questions to a database.

mod after;
mod changed;
mod comments;
mod count;
mod filter;
mod hits;
mod moves;
mod notable_games;
mod partial_fen;
mod pattern;
mod performance;
mod played;
mod player;
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

pub use after::{Reached, position_after};
pub(crate) use comments::{Comment, Comments};
pub(crate) use filter::Selection;
pub use filter::{
    Bounds, Filter, NameQuery, OpeningLine, ParseBoundsError, ParseOpeningLineError,
    ParseOrderError, ParsePeriodError, ParseTagQueryError, Period, SortKey, SortOrder, TagQuery,
};
pub use hits::{Hit, Hits, Numbers};
pub use moves::MoveCount;
pub use notable_games::{FirstGame, NotableGames, NotableGamesOfMove};
pub use partial_fen::expand_partial_fen;
pub(crate) use pattern::PatternCursor;
pub use pattern::{
    BoardPattern, Candidate, Flip, Found, Material, MoveSequence, ParsePatternError, PositionParts,
    PositionQuery, scan,
};
pub use player::{PlayerQuery, PlayerRecord, PlayerScore, Ranked};
pub use pool::SearchPool;
pub(crate) use position::visit_of;
pub use position::{PositionSearch, Visited, Visits, VisitsOf};
pub use position_text::{ReadPositionError, moves_in_place_of_fen, read_positions};
pub use request::Query;
pub use results::Results;
#[cfg(feature = "program")]
pub use suggestion::{UnknownName, kind_of_name, unknown_names};
pub use tree::{MoveTree, TreeMove};
pub use watch::Watch;
