//! Selects and orders the tags of a game: the seven tag roster, and the tags that a user selects.

use super::form::Tags;
use crate::game::{Game, TagPair};

/// The seven tag roster, with the values for unknown tags (PGN §8.1.1).
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The value for a tag of the roster that a game does not have: its result, or the value for unknown.
pub(super) fn missing_value<'v>(game: &Game<'_>, name: &str, unknown: &'v str) -> &'v str {
    if name == "Result" {
        game.result.as_str()
    } else {
        unknown
    }
}

/// The tags that are dates (PGN §8.1.1.3, §9.3.1, §9.6.2).
pub(super) const DATES: [&str; 3] = ["Date", "EventDate", "UTCDate"];

/// The tags that a reader needs to read the moves.
const MOVE_TAGS: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// Keeps the selected tags, in their order.
pub(super) fn select_tags(draft: &mut Game<'_>, tags: &Tags) {
    match tags {
        Tags::All | Tags::None => {}
        Tags::Roster => keep_named_tags(draft, &[]),
        Tags::These(names) => keep_named_tags(draft, names),
        Tags::Ordered { first, without } => order_tags(draft, first, without),
    }
}

/// Keeps the named tags: first the tags of the roster, then the others in the order of their names. Without names,
/// keeps the roster.
fn keep_named_tags(draft: &mut Game<'_>, names: &[String]) {
    let keeps_roster = names.is_empty();
    let place = |tag: &TagPair<'_>| {
        let in_roster = ROSTER.iter().position(|(name, _)| tag.name == *name);
        let in_names = names.iter().position(|name| *name == tag.name);

        match (in_roster, in_names) {
            (Some(place), Some(_)) => Some(place),
            (Some(place), None) if keeps_roster => Some(place),
            (None, Some(place)) => Some(ROSTER.len() + place),
            // A reader needs these tags to read the moves.
            _ if is_of_moves(tag) => Some(usize::MAX),
            _ => None,
        }
    };

    draft.tags.retain(|tag| place(tag).is_some());
    draft.tags.sort_by_key(|tag| place(tag));

    // Without any tag, a reader could not separate two games.
    if draft.tags.is_empty() && !keeps_roster {
        draft.set_tag("Event", "?");
    }
}

/// Orders the tags: Event, the tags of `first`, the roster, then the others. Missing tags of the roster are added, and
/// the tags of `without` are omitted. Event is the first tag, since readers take an Event tag for the beginning of a
/// game.
fn order_tags(draft: &mut Game<'_>, first: &[String], without: &[String]) {
    for (name, unknown) in ROSTER {
        let value = missing_value(draft, name, unknown);
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

/// `true` for a tag that a reader needs to read the moves.
fn is_of_moves(tag: &TagPair<'_>) -> bool {
    MOVE_TAGS.contains(&&*tag.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    /// The names of the selected tags of a game, in their order.
    fn selected(text: &str, tags: &Tags) -> String {
        let replay = replay(text);
        let mut draft = replay.game.borrowed();
        select_tags(&mut draft, tags);

        let names: Vec<&str> = draft.tags.iter().map(|tag| &*tag.name).collect();
        names.join(" ")
    }

    macro_rules! selects {
        ($($name:ident: $tags:literal, $text:literal => $names:literal;)*) => {$(
            #[test]
            fn $name() {
                let tags: Tags = $tags.parse().expect("a selection of tags");
                assert_eq!(selected($text, &tags), $names);
            }
        )*};
    }

    selects! {
        all: "all", "[Event \"A\"]\n[Annotator \"X\"]\n[White \"B\"]\n\n*" => "Event Annotator White";
        the_roster: "roster", "[Event \"A\"]\n[Annotator \"X\"]\n[White \"B\"]\n\n*" => "Event White";
        names: "ECO,White", "[White \"B\"]\n[ECO \"B90\"]\n[Black \"C\"]\n\n*" => "White ECO";
        a_start_position: "Annotator",
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n[Annotator \"X\"]\n\n*" =>
            "Annotator FEN SetUp";
        no_tag_left: "ECO", "[White \"B\"]\n\n*" => "Event";
        an_order: "ECO,*,-Annotator", "[White \"B\"]\n[Annotator \"X\"]\n[ECO \"B90\"]\n\n*" =>
            "Event ECO Site Date Round White Black Result";
    }
}
