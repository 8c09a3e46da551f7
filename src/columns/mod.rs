//! The column store: attributes of games, stored by column so that a filter scans a million games in milliseconds.
//!
//! All values follow from the tables of games. Workers of an import make the `Description` of a game from its replay.
//! In all other cases, it is made from the rows of the game. The values of a description are stored in blocks of 4096
//! games, one block for each `Column`. Games that have changed since are in `stale_game`, and their rows are read
//! instead. `docs/columns.md` specifies the bytes.

mod block;
mod canonical;
mod check;
mod comments;
mod description;
mod distinct_words;
mod eco;
mod ending;
mod engine;
mod entry;
mod flags;
mod move_quality;
mod name_matcher;
mod names;
mod read;
mod row;
mod speed;
mod spelling;
mod stored;
mod tag_signature;
mod title;
mod words;
mod write;

#[cfg(feature = "program")]
pub(crate) use canonical::spelled;
pub(crate) use canonical::{canonical_name, has_canonical_names, named_in_all_spellings};
pub(crate) use check::{each_fault, is_readable};
pub(crate) use comments::{games_with_words, has_comment};
pub(crate) use description::{Description, GameTexts};
pub use eco::{EcoRange, ParseEcoError};
pub(crate) use eco::{eco_code, eco_text};
pub use ending::{EndingKind, ParseEndingError};
pub(crate) use entry::Entry;
pub(crate) use flags::GameFlags;
pub(crate) use move_quality::{blunder_times, blunders, judgements, of_players};
pub(crate) use name_matcher::NameMatcher;
#[cfg(feature = "program")]
pub(crate) use names::named_as_person;
pub(crate) use names::{NameKind, exact_names, named, names_of_family};
pub(crate) use read::ColumnStore;
pub(crate) use row::current_entry;
pub use speed::{ParseSpeedError, Speed};
pub(crate) use tag_signature::tag_signature;
pub use title::{ParseTitleError, Title};
pub(crate) use words::words;
pub(crate) use write::{ColumnWriter, catch_up, rebuild, renew};

use crate::cleaning::twins::Fingerprint;
use crate::storage::GameId;
use crate::storage::game_set::{BLOCK_BITS, BLOCK_GAMES, block_and_slot};

/// The format of `game_column`. It is raised whenever the bytes of a block, the meaning of a column's value or an
/// indexed word changes. A column store of another format is rebuilt.
const FORMAT: i64 = 3;

/// An attribute that every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Column {
    /// [`GameFlags`], 0 where no game exists.
    GameFlags,
    /// The number of White's name, 0 for none.
    White,
    /// The number of Black's name, 0 for none.
    Black,
    /// The number of the event's name, 0 for none.
    Event,
    /// The number of the site's name, 0 for none.
    Site,
    /// The number of its tag order.
    TagOrder,
    /// A [`PartialDate`](crate::game::PartialDate).
    Date,
    /// White's Elo, 0 for none.
    WhiteElo,
    /// Black's Elo, 0 for none.
    BlackElo,
    /// The ECO code: its letter and two digits, 0 for none.
    Eco,
    /// The number of half-moves.
    Plies,
    /// A signature of its tag pairs.
    Tags,
    /// The [`MaterialSignature`](crate::replay::MaterialSignature), which bounds the material of its positions.
    MaterialSignature,
    /// The number of its opening, 0 for none.
    Opening,
    /// The first number of the [`Fingerprint`] of its moves.
    OpeningHash,
    /// The second number of the fingerprint, which hashes the first stretch of the game behind the opening.
    FirstHash,
    /// The hash of the second stretch.
    SecondHash,
    /// The hash of the third stretch.
    ThirdHash,
    /// The hash of the last stretch.
    LastHash,
    /// The numbers of inaccuracies, mistakes and blunders of White and of Black, eight bits each.
    Judgements,
    /// The greatest change of the evaluation by a move, in centipawns plus 1, 0 for none.
    Swing,
    /// The accuracies of White and of Black in hundredths of a percent plus 1, 16 bits each, 0 for none.
    Accuracy,
    /// The average centipawn losses of White and of Black, in tenths plus 1, 16 bits each, 0 for none.
    CentipawnLoss,
    /// The shortest time on a clock, in tenths of a second plus 1, 0 for none.
    TimeLeft,
    /// The shortest clock times of White and of Black after their own blunders, in tenths of a second plus 1, 32 bits
    /// each.
    BlunderTime,
}

impl Column {
    pub(crate) const COUNT: usize = 25;
    /// The columns of a fingerprint.
    pub(crate) const FINGERPRINT: [Column; Fingerprint::NUMBERS] = [
        Column::OpeningHash,
        Column::FirstHash,
        Column::SecondHash,
        Column::ThirdHash,
        Column::LastHash,
    ];
    const ALL: [Column; Column::COUNT] = [
        Column::GameFlags,
        Column::White,
        Column::Black,
        Column::Event,
        Column::Site,
        Column::TagOrder,
        Column::Date,
        Column::WhiteElo,
        Column::BlackElo,
        Column::Eco,
        Column::Plies,
        Column::Tags,
        Column::MaterialSignature,
        Column::Opening,
        Column::OpeningHash,
        Column::FirstHash,
        Column::SecondHash,
        Column::ThirdHash,
        Column::LastHash,
        Column::Judgements,
        Column::Swing,
        Column::Accuracy,
        Column::CentipawnLoss,
        Column::TimeLeft,
        Column::BlunderTime,
    ];

    /// The name of the column in messages.
    const fn name(self) -> &'static str {
        match self {
            Column::GameFlags => "flags",
            Column::White => "White",
            Column::Black => "Black",
            Column::Event => "the event",
            Column::Site => "the site",
            Column::TagOrder => "the order of tags",
            Column::Date => "the date",
            Column::WhiteElo => "White's Elo",
            Column::BlackElo => "Black's Elo",
            Column::Eco => "the ECO code",
            Column::Plies => "half-moves",
            Column::Tags => "the signature of tags",
            Column::MaterialSignature => "the material signature",
            Column::Opening => "the opening",
            Column::OpeningHash => "the hash of the opening",
            Column::FirstHash => "the hash of the first stretch",
            Column::SecondHash => "the hash of the second stretch",
            Column::ThirdHash => "the hash of the third stretch",
            Column::LastHash => "the hash of the last stretch",
            Column::Judgements => "bad moves",
            Column::Swing => "the greatest swing",
            Column::Accuracy => "accuracy",
            Column::CentipawnLoss => "centipawn loss",
            Column::TimeLeft => "the time left",
            Column::BlunderTime => "the time left at blunders",
        }
    }

    /// The row number of this column's part of a block.
    fn row(self, block: i64) -> i64 {
        (self as i64) << ROW_BITS | block
    }
}

/// The bits of a row number for the block; the bits above them are the column.
const ROW_BITS: u32 = 52;

/// The first and the last game of a block.
fn games_of(block: i64) -> (i64, i64) {
    let first = block << BLOCK_BITS;
    (first, first | (BLOCK_GAMES as i64 - 1))
}

/// The block of a game, and its place there; `None` for a number that no import assigns.
fn place(game: i64) -> Option<(i64, usize)> {
    let (block, slot) = block_and_slot(GameId::new(game));
    (0..1 << ROW_BITS).contains(&block).then_some((block, slot))
}
