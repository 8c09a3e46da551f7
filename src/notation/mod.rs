//! Text to move and move to text, in a position.

mod san;

pub use san::{Resolved, San, Unresolved, mark, rivals, san, write_san};
