//! Changes or removes tag pairs of a game that are not in the standard (PGN §7, §8.1, §9.7).

use std::borrow::Cow;
use std::collections::HashSet;

use crate::export::draft::mismatch;
use crate::export::form::is_tag_name;
use crate::export::remark::{Remark, RemarkKind};
use crate::export::roster::{DATES, ROSTER};
use crate::game::{Game, TagPair, standard_date};

/// The maximum of characters in a string (PGN §7).
const MAX_STRING_CHARACTERS: usize = 255;
/// The maximum of characters on a line, without its end (PGN §4.3).
const MAX_LINE_CHARACTERS: usize = 254;
/// The characters of a tag pair besides its name and its value: `[`, a space, two quotes and `]`.
const FRAME_CHARACTERS: usize = 5;

/// Keeps tags with names and values of the standard, each name once: the roster first, then the others in ASCII order
/// (PGN §8.1.1, §8.1.2).
pub(in crate::export) fn only_standard_tags(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    drop_tags(draft, remarks);
    normalize_result(draft, remarks);
    normalize_dates(draft, remarks);
    normalize_set_up(draft, remarks);

    for TagPair { name, value } in &mut draft.tags {
        if let Some(printing) = printable_value(name, value, remarks) {
            *value = Cow::Owned(printing);
        }
    }

    // The sort is stable, and `None` comes before all names: the roster keeps its order.
    let name_outside_roster = |tag: &TagPair<'_>| {
        let is_roster = ROSTER.iter().any(|(name, _)| *name == tag.name);
        if is_roster {
            None
        } else {
            Some(tag.name.to_string())
        }
    };
    draft.tags.sort_by_cached_key(name_outside_roster);
}

/// Removes tags with a nonstandard name, and all but the first of each name.
fn drop_tags(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let mut seen = HashSet::new();
    draft.tags.retain(|TagPair { name, value }| {
        // The line must have room for the tag with an empty value at least.
        let is_too_long = name.len() + FRAME_CHARACTERS > MAX_LINE_CHARACTERS;
        let kind = if !is_tag_name(name) || is_too_long {
            RemarkKind::InvalidTagName
        } else if !seen.insert(name.to_string()) {
            RemarkKind::RepeatedTag
        } else {
            return true;
        };

        remarks.push(Remark::of_tag(kind, name, Some(value), None));
        false
    });
}

/// Makes the Result tag one of four values, and the game termination marker equal to it (PGN §8.1.1.7, §8.2.6).
fn normalize_result(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let result = draft.result.as_str();
    let remark = mismatch(draft, Some(result));
    remarks.extend(remark);

    // A game without a marker is written with the result as its marker.
    draft.termination = None;
    replace_value(draft, "Result", result, remarks);
}

/// Replaces dates that are not in the form of the standard (PGN §8.1.1.3).
fn normalize_dates(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    for name in DATES {
        let Some(value) = draft.tag(name) else {
            continue;
        };
        let date = standard_date(value).unwrap_or_else(|| "????.??.??".to_owned());
        replace_value(draft, name, &date, remarks);
    }
}

/// Sets `SetUp "1"` if and only if there is a FEN (PGN §9.7.1).
fn normalize_set_up(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let kind = RemarkKind::InvalidSetUp;
    let has_fen = draft.tag("FEN").is_some();
    let before = draft.tag("SetUp");

    // Without a FEN, the standard allows both `SetUp "0"` and no SetUp tag.
    let is_valid = match before {
        Some("1") => has_fen,
        Some("0") | None => !has_fen,
        Some(_) => false,
    };
    if is_valid {
        return;
    }

    let value = if has_fen { Some("1") } else { None };
    remarks.push(Remark::of_tag(kind, "SetUp", before, value));
    match value {
        Some(value) => draft.set_tag("SetUp", value),
        None => draft.tags.retain(|tag| tag.name != "SetUp"),
    }
}

/// Replaces the value of a present tag that is not in the standard.
fn replace_value(draft: &mut Game<'_>, name: &'static str, value: &str, remarks: &mut Vec<Remark>) {
    let Some(before) = draft.tag(name) else {
        return;
    };
    if before == value {
        return;
    }

    let kind = RemarkKind::InvalidTagValue;
    remarks.push(Remark::of_tag(kind, name, Some(before), Some(value)));
    draft.set_tag(name, value.to_owned());
}

/// A value with spaces for control characters, cut to fit on its line; `None` if it is unchanged.
fn printable_value(name: &str, value: &str, remarks: &mut Vec<Remark>) -> Option<String> {
    let printed = value.replace(char::is_control, " ");
    let kept = beginning_on_line(name, &printed);

    let kind = if kept.len() < printed.len() {
        RemarkKind::LongTagValue
    } else if printed == value {
        return None;
    } else {
        RemarkKind::ControlCharacter
    };

    remarks.push(Remark::of_tag(kind, name, Some(value), Some(kept)));
    Some(kept.to_owned())
}

/// The beginning of a value that fits on the line of its tag pair, counting the backslashes of escapes. The line has
/// room for the name, because [`drop_tags`] has removed longer names.
fn beginning_on_line<'v>(name: &str, value: &'v str) -> &'v str {
    let line_room = MAX_LINE_CHARACTERS - FRAME_CHARACTERS - name.len();
    let mut room = line_room.min(MAX_STRING_CHARACTERS);

    for (at, letter) in value.char_indices() {
        let is_escaped = matches!(letter, '"' | '\\');
        let written = 1 + usize::from(is_escaped);
        if written > room {
            return &value[..at];
        }

        room -= written;
    }

    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    /// The remarks on the tags of a game.
    fn remarks_on(tags: &str) -> String {
        let text = format!("{tags}\n*");
        let replay = replay(&text);
        let mut draft = replay.game.borrowed();
        let mut remarks = Vec::new();
        only_standard_tags(&mut draft, &mut remarks);

        let sentences: Vec<String> = remarks.iter().map(Remark::to_string).collect();
        sentences.join("; ")
    }

    macro_rules! changes {
        ($($name:ident: $tags:literal => $remarks:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(remarks_on($tags), $remarks);
            }
        )*};
    }

    changes! {
        nothing: "[Event \"A\"]\n[Date \"1972.07.??\"]\n[ECO \"B90\"]\n" => "";
        a_repeated_name: "[White \"B\"]\n[White \"C\"]\n" => "repeated-tag: White \"C\" is left out";
        another_form_of_a_date: "[Date \"11.07.1972\"]\n" =>
            "invalid-tag-value: Date \"11.07.1972\" is written as \"1972.07.11\"";
        an_unclear_date: "[Date \"11/07/1972\"]\n" =>
            "invalid-tag-value: Date \"11/07/1972\" is written as \"????.??.??\"";
        a_set_up_without_a_fen: "[SetUp \"1\"]\n" => "invalid-set-up: SetUp \"1\" is left out";
        no_set_up: "[SetUp \"0\"]\n" => "";
        a_fen_without_a_set_up: "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n" =>
            "invalid-set-up: SetUp is added as \"1\"";
        no_result: "[Result \"won\"]\n" => "invalid-tag-value: Result \"won\" is written as \"*\"";
    }

    #[test]
    fn values_are_cut_to_fit_on_their_lines() {
        // A line has room for 254 characters: 9 of the name, 5 of the frame, and 240 of the value.
        let kept = |value: &str| beginning_on_line("Annotator", value).len();

        assert_eq!(kept("Tal, Mikhail"), 12);
        assert_eq!(kept(&"a".repeat(300)), 240);
        // A quote is written with a backslash.
        assert_eq!(kept(&"\"".repeat(300)), 120);
    }
}
