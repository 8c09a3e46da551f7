//! Text to move and move to text, in a position.

mod diagram;
mod san;
mod uci;

pub use diagram::diagram;
pub use san::{Resolved, San, Unresolved, mark, rivals, san, write_san};
pub use uci::{Uci, uci};
