//! PGN parsing: splitting files into games, and games into tokens. Knows no chess rules and never fails.
//!
//! Text is UTF-8 bytes. Bytes that are no UTF-8 do no harm, but letters of other encodings are not read as such.
//!
//! ```
//! use stamma_chess::pgn::{Span, Visitor, read_game, split};
//!
//! /// Counts comments.
//! struct Comments(usize);
//!
//! impl<'t> Visitor<'t> for Comments {
//!     fn comment(&mut self, _text: &'t [u8], _at: usize) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let file = b"[White \"Morphy\"]\n\n1. e4 {best by test} e5 *\n\n[White \"Steinitz\"]\n\n1. e4 *\n";
//! let mut comments = Comments(0);
//! for span in split(file) {
//!     if let Span::Game(game) = span {
//!         read_game(&file[game], &mut comments);
//!     }
//! }
//! assert_eq!(comments.0, 1);
//! ```

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
pub use reader::{Fault, Visitor, read_game, read_tags, read_words};
pub use result::Termination;
pub use split::{Span, SpanKind, Splitter, newline, split};
pub use tag::unescape;
pub(crate) use token::MAX_NUMBER_DIGITS;
pub use token::Token;

// Only for the package `stamma`: these items may change in any version.
#[doc(hidden)]
pub use self::{result::result_length, split::NEWLINE_BYTES};
