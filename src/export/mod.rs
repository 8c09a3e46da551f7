//! Writes games as PGN and JSON, and positions as lines of text, opening books and pictures.

mod book;
mod bytes;
mod comments;
mod cut;
mod draft;
mod epd;
mod evaluated;
mod form;
mod json;
mod lines;
mod move_number;
mod moves;
mod movetext;
mod names;
#[cfg(feature = "dataset")]
mod one_line;
mod opening;
mod pgn;
mod pgn_writer;
mod plain;
mod positions;
mod remark;
mod repair;
mod roster;
mod split;
mod strict;
mod svg;
mod verbatim;

pub use book::{Book, BookMoves, BookSize};
pub use bytes::{ByteStyle, Replaced};
pub use comments::{add_comment, text_of_comment};
pub use cut::{Cut, CutStart};
pub use epd::MoveOpcode;
pub use evaluated::{Evaluated, EvaluatedMainline};
pub use form::{
    Comments, FilledTags, MovetextForm, Nags, PgnForm, PositionComment, Tags, Variations,
};
pub use json::{moves_of, write_json};
pub use moves::Unwritable;
pub use names::{NameTags, NamesWritten, PlayerFact};
#[cfg(feature = "dataset")]
pub(crate) use one_line::write_one_line;
pub use pgn::{write_pgn, write_replay};
pub use pgn_writer::PgnWriter;
pub use positions::{
    DistinctPositions, PositionFormat, PositionLines, PositionWriter, Positions, write_epd,
};
pub use remark::{Remark, RemarkKind};
pub use split::{ParseSplitError, SplitBy};
pub use svg::SvgBoard;
