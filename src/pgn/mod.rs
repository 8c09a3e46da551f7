//! PGN from bytes: where games begin, and what stands in them. Knows no rules of chess, never fails.

mod reader;
mod split;

pub use reader::{Fault, Termination, Token, Visitor, read_game, unescape};
pub use split::{Span, split};
