//! Remarks to a user on repairs, and on changes and omissions that the standard requires.

use std::fmt;

use serde::Serialize;

/// The greatest length of a quotation in a remark's sentence.
const QUOTED_CHARACTERS: usize = 60;

/// A kind of [`Remark`], with a code that no version changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkKind {
    /// A tag was repaired.
    Repaired,
    /// A tag that was missing was added.
    AddedTag,
    /// A tag of the opening was filled in or replaced.
    OpeningTag,
    /// A name was written in its canonical form, or a fact about a player was filled in from a list.
    NameTag,
    /// The game termination marker differs from the Result tag.
    ResultMismatch,
    /// A tag was left out because its name is repeated.
    RepeatedTag,
    /// A tag was left out because its name has characters other than letters, digits and underscores.
    InvalidTagName,
    /// An invalid date or result was replaced.
    InvalidTagValue,
    /// A tag value was too long and was cut.
    LongTagValue,
    /// `SetUp` did not agree with `FEN`.
    InvalidSetUp,
    /// A control character became a space.
    ControlCharacter,
    /// Braces inside a comment became parentheses.
    BraceInComment,
    /// A word too long for a line was divided.
    LongWord,
    /// A line was ended before a null move; the rest became a comment.
    NullMove,
    /// A NAG that is not in the standard was left out.
    UnknownNag,
    /// A variation before the first move became a comment.
    VariationWithoutMove,
    /// Movetext that could not be played became a comment.
    UnreadMoves,
    /// An escape line, or text between games, was left out.
    EscapedLine,
}

impl RemarkKind {
    /// The code, in lower-case words with hyphens.
    pub const fn code(self) -> &'static str {
        match self {
            RemarkKind::Repaired => "repaired",
            RemarkKind::AddedTag => "added-tag",
            RemarkKind::OpeningTag => "opening-tag",
            RemarkKind::NameTag => "name-tag",
            RemarkKind::ResultMismatch => "result-mismatch",
            RemarkKind::RepeatedTag => "repeated-tag",
            RemarkKind::InvalidTagName => "invalid-tag-name",
            RemarkKind::InvalidTagValue => "invalid-tag-value",
            RemarkKind::LongTagValue => "long-tag-value",
            RemarkKind::InvalidSetUp => "invalid-set-up",
            RemarkKind::ControlCharacter => "control-character",
            RemarkKind::BraceInComment => "brace-in-comment",
            RemarkKind::LongWord => "long-word",
            RemarkKind::NullMove => "null-move",
            RemarkKind::UnknownNag => "unknown-nag",
            RemarkKind::VariationWithoutMove => "variation-without-move",
            RemarkKind::UnreadMoves => "unread-moves",
            RemarkKind::EscapedLine => "escaped-line",
        }
    }
}

impl RemarkKind {
    const fn gives_comment(self) -> bool {
        matches!(
            self,
            RemarkKind::NullMove | RemarkKind::VariationWithoutMove | RemarkKind::UnreadMoves
        )
    }
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A difference between a game and its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The kind of difference.
    #[serde(rename = "code")]
    pub kind: RemarkKind,
    /// The tag, if the remark is about a tag.
    pub tag: Option<String>,
    /// The original; `None` for a missing tag.
    pub before: Option<String>,
    /// The output; `None` for an omission.
    pub after: Option<String>,
}

impl Remark {
    pub(super) fn new(kind: RemarkKind, before: &str, after: Option<&str>) -> Remark {
        Remark {
            kind,
            tag: None,
            before: Some(before.to_owned()),
            after: after.map(str::to_owned),
        }
    }

    pub(super) fn of_tag(
        kind: RemarkKind,
        tag: &str,
        before: Option<&str>,
        after: Option<&str>,
    ) -> Remark {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Remark {
            kind,
            tag: Some(tag.to_owned()),
            before: owned(before),
            after: owned(after),
        }
    }
}

impl Remark {
    /// The difference as a sentence, without the name of its kind.
    pub fn described(&self) -> String {
        let before = self.before.as_deref().map(shortened);
        let after = self.after.as_deref().map(shortened);

        let change = match (before, after) {
            (Some(before), None) if self.kind.gives_comment() => {
                format!("\"{before}\" becomes a comment")
            }
            (Some(before), Some(_)) if self.before == self.after => {
                format!("\"{before}\" is left as it is")
            }
            (Some(before), Some(after)) => format!("\"{before}\" is written as \"{after}\""),
            (Some(before), None) => format!("\"{before}\" is left out"),
            (None, Some(after)) => format!("is added as \"{after}\""),
            (None, None) => String::new(),
        };

        match &self.tag {
            Some(tag) => format!("{tag} {change}"),
            None => change,
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.described())
    }
}

/// The beginning of a text, short enough for a sentence.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(QUOTED_CHARACTERS) else {
        return text.to_owned();
    };

    let beginning = &text[..end];
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_rows() {
        for kind in [
            RemarkKind::Repaired,
            RemarkKind::InvalidSetUp,
            RemarkKind::UnknownNag,
        ] {
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.code().into()));
        }
    }

    #[test]
    fn sentences() {
        let remark = Remark::of_tag(
            RemarkKind::Repaired,
            "Date",
            Some("1972"),
            Some("1972.??.??"),
        );
        assert_eq!(
            remark.to_string(),
            "repaired: Date \"1972\" is written as \"1972.??.??\""
        );
        let remark = Remark::of_tag(RemarkKind::AddedTag, "Site", None, Some("?"));
        assert_eq!(remark.to_string(), "added-tag: Site is added as \"?\"");
        let remark = Remark::new(RemarkKind::UnknownNag, "$146", None);
        assert_eq!(remark.to_string(), "unknown-nag: \"$146\" is left out");
    }
}
