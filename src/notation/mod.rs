//! Text to move and move to text, in a position.

mod san;
mod uci;

pub use san::{Resolved, San, Unresolved, mark, rivals, san, write_san};
pub use uci::uci;
