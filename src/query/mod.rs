//! Questions to a database.

mod after;
mod comments;
mod count;
mod filter;
mod landmarks;
mod meant;
mod moves;
mod pattern;
mod performance;
mod played;
mod player;
mod pool;
mod position;
mod position_text;
#[cfg(feature = "program")]
mod sound;
mod stale;
#[cfg(feature = "program")]
mod suggestion;
mod tree;
#[cfg(feature = "program")]
mod unknown_words;

pub use after::{Reached, position_after};
pub(crate) use comments::{Comment, Comments};
pub use filter::{
    Bounds, Filter, NameQuery, NoBounds, NoLine, NoTag, OpeningLine, ParseOrderError,
    ParsePeriodError, Period, Selection, SortKey, SortOrder, TagQuery,
};
pub use landmarks::{FirstGame, Landmarks, MoveLandmarks};
pub use meant::positions_meant;
pub use moves::MoveCount;
pub(crate) use pattern::scan_beside;
pub use pattern::{
    BoardPattern, Candidate, Flip, Found, Material, Misread, MoveSequence, PositionParts,
    PositionQuestion, scan,
};
pub use player::{PlayerQuestion, PlayerRecord, PlayerScore, Ranked};
pub use pool::SearchPool;
pub(crate) use position::visit_of;
pub use position::{PositionSearch, Visited, Visits, VisitsOf};
pub use position_text::{ReadPositionError, moves_in_place_of_fen, read_positions};
#[cfg(feature = "program")]
pub(crate) use suggestion::{Unknown, kind_of_name, unknown};
pub use tree::{MoveTree, TreeMove};
