//! Questions to a database.

mod comments;
mod count;
mod meant;
mod moves;
mod performance;
mod pool;
mod position;
mod stale;
mod tree;

pub(crate) use comments::{Comment, Comments};
pub use meant::positions_meant;
pub use moves::MoveCount;
pub use pool::SearchPool;
pub(crate) use position::visit_of;
pub use position::{PositionSearch, Visited, Visits, VisitsOf};
pub use tree::{MoveTree, TreeMove};
