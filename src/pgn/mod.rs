//! PGN from bytes: where games begin, and what stands in them. Knows no rules of chess, never fails.

mod command;
mod escape;
mod reader;
mod split;
mod tag;
mod token;

pub use command::{Commands, Evaluation};
pub use escape::{TextBetween, read_between, write_between};
pub use reader::{Fault, Termination, Visitor, read_game, read_words};
pub(crate) use split::{NEWLINE_BYTES, SpanKind, Splitter};
pub use split::{Span, newline, split};
pub use tag::unescape;
pub use token::Token;
