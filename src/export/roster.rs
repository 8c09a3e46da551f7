//! The seven tag roster, and the selection of tags.

use super::form::Tags;
use crate::game::{Game, TagPair};

/// The seven tag roster, with the values for unknown ones (PGN §8.1.1).
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tags that are dates (PGN §8.1.1.3, §9.3.1, §9.6.2).
pub(super) const DATES: [&str; 3] = ["Date", "EventDate", "UTCDate"];

/// The tags that are needed to read the moves.
const OF_MOVES: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// Keeps the selected tags, in their order.
pub(super) fn choose(draft: &mut Game<'_>, tags: &Tags) {
    match tags {
        Tags::All | Tags::None => {}
        Tags::Roster => choose_these(draft, &[]),
        Tags::These(names) => choose_these(draft, names),
        Tags::Ordered { first, without } => order(draft, first, without),
    }
}

/// Keeps some tags, those of the roster first, then the others in the order of their names; the roster alone if there is
/// no name.
fn choose_these(draft: &mut Game<'_>, names: &[String]) {
    let is_these = !names.is_empty();
    let place = |tag: &TagPair<'_>| {
        let roster = ROSTER.iter().position(|(name, _)| tag.name == *name);
        let named = names.iter().position(|name| *name == tag.name);
        let of_moves = is_of_moves(tag);
        match (roster, named) {
            (Some(place), Some(_)) => Some(place),
            (Some(place), None) if !is_these => Some(place),
            (None, Some(place)) => Some(ROSTER.len() + place),
            _ => of_moves.then_some(usize::MAX),
        }
    };
    draft.tags.retain(|tag| place(tag).is_some());
    draft.tags.sort_by_key(|tag| place(tag));
    if draft.tags.is_empty() && is_these {
        // Without any tag, two games could not be told apart.
        draft.set_tag("Event", "?");
    }
}

/// Puts some tags first, then the roster, and leaves out others. Missing tags of the roster are added. Event stays before
/// all, since readers take a line that begins with it for the beginning of a game.
fn order(draft: &mut Game<'_>, first: &[String], without: &[String]) {
    for (name, unknown) in ROSTER {
        let value = if name == "Result" {
            draft.result.as_str()
        } else {
            unknown
        };
        if draft.tag(name).is_none() {
            draft.set_tag(name, value);
        }
    }

    let is_left_out = |tag: &TagPair<'_>| without.iter().any(|name| *name == tag.name);
    draft
        .tags
        .retain(|tag| !is_left_out(tag) || is_of_moves(tag));

    let place = |tag: &TagPair<'_>| {
        let named = first.iter().position(|name| *name == tag.name);
        let roster = ROSTER.iter().position(|(name, _)| tag.name == *name);
        let is_event = tag.name == "Event";
        (
            !is_event,
            named.unwrap_or(usize::MAX),
            roster.unwrap_or(usize::MAX),
        )
    };
    draft.tags.sort_by_key(|tag| place(tag));
}

fn is_of_moves(tag: &TagPair<'_>) -> bool {
    OF_MOVES.contains(&&*tag.name)
}
