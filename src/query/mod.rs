//! Questions to a database.

mod meant;
mod position;

pub use meant::positions_meant;
pub use position::{PositionSearch, Visited};
