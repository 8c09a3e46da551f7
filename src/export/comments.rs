//! Selects parts of comments: commands such as `[%clk 0:03:00]`, and text.

use std::borrow::Cow;

use super::form::Comments;
use crate::game::{Annotation, Annotations, Game, Ply};

/// The selected part of a comment; `None` if nothing is left.
pub(super) fn selected_part<'c>(text: &'c str, comments: Comments) -> Option<Cow<'c, str>> {
    let wants_commands = match comments {
        Comments::Keep => return Some(Cow::Borrowed(text)),
        Comments::Drop => return None,
        // A comment without commands keeps its spaces.
        Comments::TextOnly if next_command(text).is_none() => {
            return if text.trim().is_empty() {
                None
            } else {
                Some(Cow::Borrowed(text))
            };
        }
        Comments::TextOnly => false,
        Comments::CommandsOnly => true,
    };

    let mut selected = Vec::new();
    for part in parts(text) {
        let (is_wanted, part_text) = match part {
            CommentPart::Command(command) => (wants_commands, command.trim()),
            CommentPart::Text(words) => (!wants_commands, words.trim()),
        };
        if is_wanted && !part_text.is_empty() {
            selected.push(part_text);
        }
    }

    match selected[..] {
        [] => None,
        [only] => Some(Cow::Borrowed(only)),
        _ => Some(Cow::Owned(selected.join(" "))),
    }
}

/// The text of a comment without commands; `None` if there is none.
pub fn text_of_comment(text: &str) -> Option<Cow<'_, str>> {
    selected_part(text, Comments::TextOnly).filter(|text| !text.trim().is_empty())
}

/// Adds a comment after `ply` half-moves of the mainline, before all other annotations there.
///
/// Characters that a comment cannot contain become spaces.
pub fn add_comment(game: &mut Game<'_>, ply: Ply, comment: &str) {
    let text = comment.replace(['}', '\r', '\n'], " ");
    let before = game.annotations.iter().filter(|&(at, _)| at < ply);
    let behind = game.annotations.iter().filter(|&(at, _)| at >= ply);

    let mut annotations = Annotations::default();
    annotations.extend(before);
    annotations.push(ply, Annotation::Comment(&text));
    annotations.extend(behind);

    game.annotations = Cow::Owned(annotations);
}

/// `true` if a comment begins with a command.
pub(super) fn starts_with_command(text: &str) -> bool {
    let text = text.trim_start();
    matches!(next_command(text), Some((0, _)))
}

/// A comment without its evaluations; `None` if nothing is left.
pub(super) fn without_evaluations(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len());
    for part in parts(text) {
        let part_text = match part {
            CommentPart::Command(command) if command.starts_with("[%eval ") => continue,
            CommentPart::Command(kept_text) | CommentPart::Text(kept_text) => kept_text,
        };

        // A removed evaluation leaves the spaces before and behind it. One of them is enough.
        let is_after_space = kept.is_empty() || kept.ends_with(' ');
        if is_after_space {
            kept.push_str(part_text.trim_start_matches(' '));
        } else {
            kept.push_str(part_text);
        }
    }

    Some(kept).filter(|kept| !kept.trim().is_empty())
}

/// A part of a comment.
enum CommentPart<'c> {
    /// A command with its brackets.
    Command(&'c str),
    /// The text up to the next command, spaces included.
    Text(&'c str),
}

/// The commands and texts of a comment, in order. Together, they are the whole comment.
fn parts(comment: &str) -> impl Iterator<Item = CommentPart<'_>> {
    let mut rest = comment;

    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }

        match next_command(rest) {
            Some((0, length)) => {
                let (command, after) = rest.split_at(length);
                rest = after;
                Some(CommentPart::Command(command))
            }
            next => {
                let length = next.map_or(rest.len(), |(start, _)| start);
                let (text, after) = rest.split_at(length);
                rest = after;
                Some(CommentPart::Text(text))
            }
        }
    })
}

/// The start and the length of the first command, in bytes; `None` if there is no command. A command ends with the
/// first `]`. Without a `]`, it is text.
fn next_command(text: &str) -> Option<(usize, usize)> {
    let start = text.find("[%")?;
    let length = text[start..].find(']')? + 1;
    Some((start, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! keeps {
        ($($name:ident: $text:literal => $commands:expr, $words:expr;)*) => {$(
            #[test]
            fn $name() {
                let kept = |comments| selected_part($text, comments);
                assert_eq!(kept(Comments::CommandsOnly).as_deref(), $commands);
                assert_eq!(kept(Comments::TextOnly).as_deref(), $words);
                assert_eq!(kept(Comments::Keep).as_deref(), Some($text));
                assert_eq!(kept(Comments::Drop), None);
            }
        )*};
    }

    keeps! {
        command: "[%clk 0:03:00]" => Some("[%clk 0:03:00]"), None;
        text: " a good  move " => None, Some(" a good  move ");
        both: "[%eval 0.3] good [%clk 0:01:00]  move " =>
            Some("[%eval 0.3] [%clk 0:01:00]"), Some("good move");
        glued: "yes[%csl Ra1][%cal Ga1a2]no" => Some("[%csl Ra1] [%cal Ga1a2]"), Some("yes no");
        not_closed: "x [%clk 0:03" => None, Some("x [%clk 0:03");
        brackets: "[see game 3]" => None, Some("[see game 3]");
        empty: "" => None, None;
        blank: "  " => None, None;
    }

    #[test]
    fn evaluations_are_taken_out() {
        for (text, rest) in [
            ("[%eval 0.3]", None),
            (" [%eval 0.3,12] ", None),
            (" [%eval #-3] [%clk 0:01:00] ", Some("[%clk 0:01:00] ")),
            ("good [%eval 0.3] move", Some("good move")),
            ("[%evalx 1] [%eval 0.3", Some("[%evalx 1] [%eval 0.3")),
        ] {
            assert_eq!(without_evaluations(text).as_deref(), rest, "{text}");
        }
    }
}
