//! The options of PGN output: comments, variations, NAGs, tags, strictness.

use std::str::FromStr;

use super::cut::Cut;
use crate::notation::nag_sign;

/// Options of PGN output. The default writes all parts of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnForm {
    /// The treatment of comments.
    pub comments: Comments,
    /// The treatment of variations.
    pub variations: Variations,
    /// The treatment of NAGs.
    pub nags: Nags,
    /// The tags to write.
    pub tags: Tags,
    /// `true` to omit or change what the standard forbids (PGN §8).
    pub strict: bool,
    /// `true` to repair tags.
    pub fix: bool,
    /// Tags that are written from the moves where they are missing.
    pub fill: Vec<FilledTags>,
    /// Tags that are written from the moves where they are missing or have another value.
    pub replace: Vec<FilledTags>,
    /// The half-moves to write.
    pub cut: Cut,
    /// The layout of movetext.
    pub movetext: MovetextForm,
}

impl PgnForm {
    /// `true` if all options have their defaults.
    pub fn is_default(&self) -> bool {
        *self == PgnForm::default()
    }
}

/// Tags whose values follow from a game's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum FilledTags {
    /// ECO
    Eco,
    /// Opening, Variation and SubVariation
    Opening,
    /// PlyCount: the number of half-moves
    #[cfg_attr(feature = "program", value(name = "plycount"))]
    PlyCount,
}

/// The comments that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Comments {
    /// All of them
    #[default]
    Keep,
    /// Nothing
    Drop,
    /// Commands such as [%clk 0:03:00] alone
    CommandsOnly,
    /// All but commands
    TextOnly,
}

impl Comments {
    /// `true` if escape lines are written, within games and between them.
    pub(super) fn has_escaped_lines(self) -> bool {
        matches!(self, Comments::Keep | Comments::TextOnly)
    }
}

/// The treatment of variations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Variations {
    /// They stay where they are
    #[default]
    Keep,
    /// They are left out
    Drop,
    /// Each becomes a game of its own, behind the mainline
    Split,
}

/// The notation of NAGs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Nags {
    /// As numbers: $1
    #[default]
    Keep,
    /// Not at all
    Drop,
    /// As suffixes of the move where other programs read them, ! ? !! ?? !? ?!, and as numbers else
    Suffixes,
    /// As signs where there is one: !, +=, ∞. For print: other programs cannot read `Nf3!+=` and `Nc6∞`, and
    /// lose the move or the game
    Glyphs,
}

impl Nags {
    /// The sign for a NAG; `None` for a number.
    pub(super) fn sign(self, nag: u8) -> Option<&'static str> {
        let has_sign = match self {
            Nags::Keep | Nags::Drop => false,
            Nags::Suffixes => is_suffix(nag),
            Nags::Glyphs => true,
        };

        nag_sign(nag).filter(|_| has_sign)
    }
}

/// `true` for the six NAGs that can be suffixes of a move (PGN §8.2.3.8).
pub(super) const fn is_suffix(nag: u8) -> bool {
    matches!(nag, 1..=6)
}

/// The tags to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tags {
    /// All tags, and the missing tags of the roster.
    #[default]
    All,
    /// No tags: games are separated by a blank line, and a game that starts from a FEN cannot be read again.
    None,
    /// The seven tag roster (PGN §8.1.1), and the tags without which the moves cannot be read.
    Roster,
    /// Only these tags, and the tags without which the moves cannot be read.
    These(Vec<String>),
    /// All tags but some, in an order.
    Ordered {
        /// The first tags, in this order. The other tags follow in their own order. Without first tags, the roster is
        /// first.
        first: Vec<String>,
        /// The tags that are left out, unless the moves cannot be read without them.
        without: Vec<String>,
    },
}

impl FromStr for Tags {
    type Err = String;

    fn from_str(text: &str) -> Result<Tags, String> {
        match text {
            "all" => return Ok(Tags::All),
            "none" => return Ok(Tags::None),
            "roster" => return Ok(Tags::Roster),
            _ => {}
        }

        let mut has_others = false;
        let mut named = Vec::new();
        let mut without = Vec::new();
        for name in text.split(',').map(str::trim) {
            match name.strip_prefix('-') {
                _ if name == "*" => has_others = true,
                Some(excluded) if is_tag_name(excluded) => without.push(excluded.to_owned()),
                None if is_tag_name(name) => named.push(name.to_owned()),
                _ => {
                    return Err(format!(
                        "`{name}` is no tag name; give all, none, roster, or names"
                    ));
                }
            }
        }

        if let Some(name) = named.iter().find(|name| without.contains(name)) {
            return Err(format!("`{name}` is both named and left out"));
        }
        if has_others {
            return Ok(Tags::Ordered {
                first: named,
                without,
            });
        }
        if !without.is_empty() {
            return Err("names to leave out need a * for all others".to_owned());
        }
        Ok(Tags::These(named))
    }
}

/// `true` for a name of letters, digits and underscores that begins with a letter or digit (PGN §7, §8.1.1).
pub(super) fn is_tag_name(name: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let has_start = name.starts_with(|first: char| first.is_ascii_alphanumeric());

    has_start && name.bytes().all(is_name_byte)
}

/// The layout of movetext; the default is the layout of PGN's export format (PGN §8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovetextForm {
    /// The maximum number of characters on a line; `None` for one line a game. A line is longer if a single word is
    /// longer, or if it has a comment that contains `}`, which takes the rest of a line. In any case a line ends after
    /// such a comment and around an escape line, where PGN needs it.
    pub line_length: Option<usize>,
    /// `true` to write move numbers.
    pub has_move_numbers: bool,
    /// `true` to write `+` and `#` behind moves.
    pub has_check_signs: bool,
    /// `true` to write the game termination marker.
    pub has_termination: bool,
    /// `true` to write each comment on lines of its own.
    pub has_comment_lines: bool,
    /// A comment behind each move on the position that it leads to.
    pub position_comments: Option<PositionComment>,
}

impl MovetextForm {
    /// Lines of the export format are shorter than 80 characters (PGN §8.2.1).
    pub const DEFAULT_LINE_LENGTH: usize = 79;

    /// The layout of games on one line each, which only data sets have.
    #[cfg(feature = "dataset")]
    pub(super) const ONE_LINE: MovetextForm = MovetextForm {
        line_length: None,
        ..MovetextForm::EXPORT_FORMAT
    };

    const EXPORT_FORMAT: MovetextForm = MovetextForm {
        line_length: Some(MovetextForm::DEFAULT_LINE_LENGTH),
        has_move_numbers: true,
        has_check_signs: true,
        has_termination: true,
        has_comment_lines: false,
        position_comments: None,
    };

    /// `true` for the layout of the export format.
    pub(super) fn is_export_format(&self) -> bool {
        *self == MovetextForm::EXPORT_FORMAT
    }
}

impl Default for MovetextForm {
    fn default() -> MovetextForm {
        MovetextForm::EXPORT_FORMAT
    }
}

/// The text of a comment on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionComment {
    /// The FEN of the position.
    Fen,
    /// The key of the position in Polyglot's opening books, as 16 hexadecimal digits.
    PolyglotKey,
}

/// The layout of a game, independent of its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// `true` if missing tags of the roster are written.
    pub(super) has_roster: bool,
    /// `true` if tags are written at all.
    pub(super) has_tags: bool,
    /// The NAGs that are written as signs.
    pub(super) nags: Nags,
    /// `true` if a NAG counts as an annotation after which a move of Black repeats its number (PGN §8.2.2.2).
    pub(super) nags_interrupt: bool,
    /// The layout of the movetext.
    pub(super) movetext: MovetextForm,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            has_roster: true,
            has_tags: true,
            nags: Nags::Keep,
            nags_interrupt: false,
            movetext: MovetextForm::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn these(names: &[&str]) -> Option<Tags> {
        let owned = names.iter().map(|name| (*name).to_owned());
        Some(Tags::These(owned.collect()))
    }

    macro_rules! tags {
        ($($name:ident: $text:literal => $tags:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!($text.parse::<Tags>().ok(), $tags);
            }
        )*};
    }

    tags! {
        all: "all" => Some(Tags::All);
        roster: "roster" => Some(Tags::Roster);
        without_tags: "none" => Some(Tags::None);
        names: "ECO, White" => these(&["ECO", "White"]);
        nothing: "" => None;
        a_gap: "White,,Black" => None;
        no_name: "White Elo" => None;
        an_order: "ECO,White,*" => Some(Tags::Ordered {
            first: vec!["ECO".to_owned(), "White".to_owned()],
            without: Vec::new(),
        });
        all_but_two: "*,-ECO,-Round" => Some(Tags::Ordered {
            first: Vec::new(),
            without: vec!["ECO".to_owned(), "Round".to_owned()],
        });
        left_out_of_nothing: "White,-ECO" => None;
        a_sign_alone: "*,-" => None;
        named_and_left_out: "ECO,*,-ECO" => None;
    }
}
