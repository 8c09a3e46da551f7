//! Changes comments to fit into braces and short lines (PGN §4.3, §5).

use std::borrow::Cow;

use crate::export::draft::map_comments;
use crate::export::movetext::comment_words;
use crate::export::remark::{Remark, RemarkKind};
use crate::game::Game;

/// The longest word that is not divided: a line of 79 characters may also need braces, and a character that must not
/// begin a line.
const MAX_WORD_CHARACTERS: usize = 74;

/// Changes comments so that they can be written in braces, their words separated by single spaces.
pub(in crate::export) fn tidy_comments(line: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    map_comments(line, |text| Some(tidy(text, remarks)));
}

fn tidy<'c>(text: &'c str, remarks: &mut Vec<Remark>) -> Cow<'c, str> {
    let mut tidied = Cow::Borrowed(text);
    let mut note = |kind, before: &str, after: &str| {
        remarks.push(Remark::new(kind, before, Some(after)));
    };

    if text.contains(char::is_control) {
        tidied = Cow::Owned(tidied.replace(char::is_control, " "));
        note(RemarkKind::ControlCharacter, text, &tidied);
    }
    if text.contains('}') {
        let changed = tidied.replace('{', "(").replace('}', ")");
        note(RemarkKind::BraceInComment, &tidied, &changed);
        tidied = Cow::Owned(changed);
    }

    // Spaces are no change of content: there is no remark on them.
    let spaced = single_spaced(&tidied);
    if spaced != tidied {
        tidied = Cow::Owned(spaced);
    }

    let words: Vec<String> = comment_words(&tidied).map(divided).collect();
    let changed = words.join(" ");
    if changed != tidied {
        note(RemarkKind::LongWord, &tidied, &changed);
        tidied = Cow::Owned(changed);
    }
    tidied
}

/// A text whose words are separated by single spaces.
fn single_spaced(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A word divided by spaces into parts that fit on lines. No part begins with a character that is special at the
/// beginning of a line.
fn divided(word: &str) -> String {
    let mut parts = String::with_capacity(word.len() + word.len() / MAX_WORD_CHARACTERS + 1);
    let mut length = 0;

    for letter in word.chars() {
        if length >= MAX_WORD_CHARACTERS && !matches!(letter, ' ' | '[' | '%') {
            parts.push(' ');
            length = 0;
        }
        parts.push(letter);
        length += 1;
    }
    parts
}
