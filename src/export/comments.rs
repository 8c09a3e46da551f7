//! Selects parts of comments: commands such as `[%clk 0:03:00]`, and text.

use std::borrow::Cow;

use super::form::Comments;
use crate::game::{Annotation, Annotations, Game, Ply};

/// The selected part of a comment; `None` if nothing is left.
pub(super) fn chosen<'c>(text: &'c str, comments: Comments) -> Option<Cow<'c, str>> {
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

    let mut chosen = Vec::new();
    for (is_command, part) in parts(text) {
        let part = part.trim();
        if is_command == wants_commands && !part.is_empty() {
            chosen.push(part);
        }
    }

    match chosen[..] {
        [] => None,
        [only] => Some(Cow::Borrowed(only)),
        _ => Some(Cow::Owned(chosen.join(" "))),
    }
}

/// The text of a comment without commands; `None` if there is none.
pub fn text_of_comment(text: &str) -> Option<Cow<'_, str>> {
    chosen(text, Comments::TextOnly).filter(|text| !text.trim().is_empty())
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
    for (is_command, part) in parts(text) {
        if is_command && part.starts_with("[%eval ") {
            continue;
        }

        // A removed evaluation leaves the spaces before and behind it. One of them is enough.
        let is_after_space = kept.is_empty() || kept.ends_with(' ');
        if is_after_space {
            kept.push_str(part.trim_start_matches(' '));
        } else {
            kept.push_str(part);
        }
    }

    Some(kept).filter(|kept| !kept.trim().is_empty())
}

/// The parts of a comment in their order; `true` marks a command.
fn parts(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = text;

    std::iter::from_fn(move || {
        let (is_command, length) = match next_command(rest) {
            Some((0, length)) => (true, length),
            Some((start, _)) => (false, start),
            None if rest.is_empty() => return None,
            None => (false, rest.len()),
        };

        let (part, after) = rest.split_at(length);
        rest = after;
        Some((is_command, part))
    })
}

/// The start and length of the first command. A command ends with the first `]`. Without a `]` it is text.
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
                let kept = |comments| chosen($text, comments);
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
