//! Questions to a database.

mod comments;
mod count;
mod meant;
mod moves;
mod performance;
mod position;
mod stale;

pub(crate) use comments::{Comment, Comments};
pub use meant::positions_meant;
pub use moves::MoveCount;
pub(crate) use position::visit_of;
pub use position::{PositionSearch, Visited, Visits, VisitsOf};
