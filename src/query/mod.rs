//! Questions to a database.

mod comments;
mod meant;
mod moves;
mod pattern;
mod performance;
mod position;
mod stale;

pub(crate) use comments::{Comment, Comments};
pub use meant::positions_meant;
pub use moves::MoveCount;
pub use pattern::{
    BoardPattern, Candidate, Flip, Found, Material, Misread, MoveSequence, PositionParts,
    PositionQuestion, scan,
};
pub(crate) use position::visit_of;
pub use position::{PositionSearch, Visited, Visits, VisitsOf};
