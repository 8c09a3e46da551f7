//! PGN parsing: splitting files into games, and games into tokens. Knows no chess rules and never fails.

mod blank;
mod command;
mod escape;
mod reader;
mod result;
mod split;
mod tag;
mod token;
mod word;

pub use command::{Commands, Evaluation};
pub use escape::{TextBetween, read_between, write_between};
pub use reader::{Fault, Visitor, read_game, read_words};
pub use result::Termination;
pub(crate) use result::result_length;
pub(crate) use split::{NEWLINE_BYTES, SpanKind, Splitter};
pub use split::{Span, newline, split};
pub use tag::unescape;
pub use token::Token;
