//! Reads and writes moves in any notation and language.
//!
//! There are two parsers. [`San`], built for speed, reads PGN in English, which most files use. [`read`](read()) takes
//! any system and any letters, and notes false statements in a text.

mod algebraic;
mod choice;
mod constraints;
mod continuation;
mod descriptive;
mod diagram;
mod epd;
mod fen;
mod language;
mod note;
mod numeric;
mod read;
mod san;
mod sign;
mod suffix;
mod symbol;
mod uci;
mod unread;
mod write;

pub use constraints::{BoardHalf, Constraints, MoveText, Roles, Takes};
pub use continuation::is_continuation;
pub use diagram::{Diagram, Signs, diagram, way_of};
pub use epd::{Epd, Operand, Operation};
pub use fen::{read_fen, read_fen_in};
pub use language::{LANGUAGES, Language, LettersError, PieceLetters};
pub use note::Note;
pub(crate) use read::PLUS_MINUS_NAG;
pub use read::{ReadMove, Reading, System, read};
pub(crate) use san::SanText;
pub use san::{Resolved, San, Unresolved, mark, rivals, san, write_san};
pub(crate) use sign::GLUED_SIGNS;
pub use sign::{nag_sign, shown_sign, sign_nag};
pub use uci::{Uci, read_uci, uci};
pub use unread::{MoveFault, UnreadMove};
pub use write::{Notation, Style, write_with_letters};
