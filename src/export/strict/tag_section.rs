//! Which tag pairs of a game the standard has, and what the others become (PGN §7, §8.1, §9.7).

use std::borrow::Cow;
use std::collections::HashSet;

use crate::export::draft::mismatch;
use crate::export::form::is_tag_name;
use crate::export::remark::{Remark, RemarkKind};
use crate::export::roster::{DATES, ROSTER};
use crate::game::{Game, TagPair, standard_date};

/// The most characters in a string (PGN §7).
const STRING_CHARACTERS: usize = 255;
/// The most characters on a line, without its end (PGN §4.3).
const LINE_CHARACTERS: usize = 254;

/// Keeps tags with names and values of the standard, each name once: the roster first, then the others in ASCII order
/// (PGN §8.1.1, §8.1.2).
pub(in crate::export) fn only_standard_tags(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    drop_tags(draft, remarks);
    settle_result(draft, remarks);
    settle_dates(draft, remarks);
    settle_set_up(draft, remarks);

    for TagPair { name, value } in &mut draft.tags {
        if let Some(printing) = printing(name, value, remarks) {
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
        let kind = match name {
            // The line must have room for the tag with an empty value at least.
            _ if !is_tag_name(name) || name.len() + 5 > LINE_CHARACTERS => {
                RemarkKind::InvalidTagName
            }
            _ if !seen.insert(name.to_string()) => RemarkKind::RepeatedTag,
            _ => return true,
        };
        remarks.push(Remark::of_tag(kind, name, Some(value), None));
        false
    });
}

/// Makes the Result tag one of four values, and the game termination marker equal to it (PGN §8.1.1.7, §8.2.6).
fn settle_result(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let result = draft.result.as_str();
    remarks.extend(mismatch(draft, Some(result)));
    draft.termination = None;
    replace(draft, "Result", result, remarks);
}

fn settle_dates(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    for name in DATES {
        let Some(value) = draft.tag(name) else {
            continue;
        };
        let date = standard_date(value).unwrap_or_else(|| "????.??.??".to_owned());
        replace(draft, name, &date, remarks);
    }
}

/// Sets `SetUp "1"` if and only if there is a FEN (PGN §9.7.1).
fn settle_set_up(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let kind = RemarkKind::InvalidSetUp;
    let has_fen = draft.tag("FEN").is_some();
    let before = draft.tag("SetUp");

    match before {
        Some("1") if has_fen => {}
        None | Some("0") if !has_fen => {}
        _ if has_fen => {
            remarks.push(Remark::of_tag(kind, "SetUp", before, Some("1")));
            draft.set_tag("SetUp", "1");
        }
        _ => {
            remarks.push(Remark::of_tag(kind, "SetUp", before, None));
            draft.tags.retain(|tag| tag.name != "SetUp");
        }
    }
}

/// Replaces the value of a present tag that is not in the standard.
fn replace(draft: &mut Game<'_>, name: &'static str, value: &str, remarks: &mut Vec<Remark>) {
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
fn printing(name: &str, value: &str, remarks: &mut Vec<Remark>) -> Option<String> {
    let printed = value.replace(char::is_control, " ");
    let kept = fitting(name, &printed);

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

/// As much of a value as fits beside `[Name ""]`, counting the backslashes of escapes.
fn fitting<'v>(name: &str, value: &'v str) -> &'v str {
    let mut left = (LINE_CHARACTERS - name.len() - 5).min(STRING_CHARACTERS);

    for (at, letter) in value.char_indices() {
        let taken = 1 + usize::from(matches!(letter, '"' | '\\'));
        if taken > left {
            return &value[..at];
        }
        left -= taken;
    }
    value
}
