//! Merges the tags of twins into a kept game: fills in missing values, and reports contradictions.

use std::collections::HashSet;

use crate::cleaning::names::{PersonName, Round, RoundMatch, Verdict, compare, fold_words};

use super::facts::{DateMatch, GameDate};

/// A tag that is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledTag {
    /// The name of the tag.
    pub name: String,
    /// The new value of the tag.
    pub value: String,
    /// The twin that the value comes from.
    pub game: u32,
}

/// A tag that has another value in a twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagConflict {
    /// The name of the tag.
    pub name: String,
    /// The value in the kept game.
    pub kept: String,
    /// The value in the twin.
    pub other: String,
    /// The twin.
    pub game: u32,
}

/// The tags that twins fill in in the kept game, and the tags that contradict it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedTags {
    /// Tags that were missing, empty, `?` or partial.
    pub filled: Vec<FilledTag>,
    /// Tags that a person must decide.
    pub conflicts: Vec<TagConflict>,
}

/// The tag pairs of a game.
type Tags<'t> = [(&'t str, &'t str)];

/// Merges the tags of twins into the tags of a kept game. A twin with a fuller value than the known one fills a tag in.
/// Tags about a player, such as `WhiteElo`, come only from twins that name the same player with this colour.
///
/// ```
/// use stamma::cleaning::twins::merge_tags;
/// let kept = [("Date", "1985.??.??"), ("Round", "?"), ("White", "Karpov, Anatoly")];
/// let twin = [("Date", "1985.11.09"), ("Round", "24"), ("White", "Karpov, A")];
/// let merged = merge_tags(&kept, &[(7, &twin)]);
/// let filled: Vec<(&str, &str)> = merged.filled.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
/// assert_eq!(filled, [("Date", "1985.11.09"), ("Round", "24")]);
/// assert_eq!(merged.conflicts[0].other, "Karpov, A");
/// ```
pub fn merge_tags(kept: &Tags<'_>, twins: &[(u32, &Tags<'_>)]) -> MergedTags {
    let mut merged = MergedTags::default();
    let white = player_of_group("White", kept, twins);
    let black = player_of_group("Black", kept, twins);
    let players = [("White", white), ("Black", black)];

    for &(game, tags) in twins {
        let mut seen = HashSet::new();
        for &(name, value) in tags {
            if is_unknown_tag(name, value) || !seen.insert(name) {
                continue;
            }

            let is_of_another = players.iter().any(|(colour, player)| {
                is_about(name, colour) && !is_named(tags, colour, player.as_ref())
            });
            if !is_of_another {
                merged.add_value(kept, game, name, value);
            }
        }
    }

    merged
}

/// The player of one colour in the first game that names one.
fn player_of_group(
    colour: &str,
    kept: &Tags<'_>,
    twins: &[(u32, &Tags<'_>)],
) -> Option<PersonName> {
    let of_twins = || twins.iter().find_map(|(_, tags)| player(tags, colour));
    player(kept, colour).or_else(of_twins)
}

/// The name of a player, if it is known.
fn player(tags: &Tags<'_>, colour: &str) -> Option<PersonName> {
    let (_, name) = tags.iter().find(|(name, _)| *name == colour)?;
    let player = PersonName::parse(name);

    if player.is_unknown() {
        None
    } else {
        Some(player)
    }
}

/// `true` if a tag is about the player of a colour, but is not the name: `WhiteElo`.
fn is_about(tag: &str, colour: &str) -> bool {
    tag.strip_prefix(colour)
        .is_some_and(|rest| !rest.is_empty())
}

/// `true` if these tags name the player of the group with this colour.
fn is_named(tags: &Tags<'_>, colour: &str, player_of_group: Option<&PersonName>) -> bool {
    let (Some(mine), Some(yours)) = (player(tags, colour), player_of_group) else {
        return false;
    };

    let comparison = compare(&mine, yours);
    comparison.verdict != Verdict::Different
}

impl MergedTags {
    /// Adds a twin's value of a tag: fills the tag in, or notes a conflict.
    fn add_value(&mut self, kept: &Tags<'_>, game: u32, name: &str, value: &str) {
        let filled = self.filled.iter().position(|tag| tag.name == name);
        let known = match filled {
            Some(at) => self.filled[at].value.clone(),
            None => {
                let tag = kept.iter().find(|(other, _)| *other == name);
                tag.map_or(String::new(), |(_, value)| (*value).to_owned())
            }
        };

        match compare_values(name, &known, value) {
            ValueMatch::NothingNew => {}
            ValueMatch::SaysMore => {
                let tag = FilledTag {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    game,
                };
                match filled {
                    Some(at) => self.filled[at] = tag,
                    None => self.filled.push(tag),
                }
            }
            ValueMatch::Differs => self.conflicts.push(TagConflict {
                name: name.to_owned(),
                kept: known,
                other: value.to_owned(),
                game,
            }),
        }
    }
}

/// The comparison of a twin's value of a tag with the known value.
enum ValueMatch {
    SaysMore,
    NothingNew,
    Differs,
}

fn compare_values(name: &str, known: &str, other: &str) -> ValueMatch {
    if is_unknown_tag(name, known) {
        return ValueMatch::SaysMore;
    }
    if fold_words(known) == fold_words(other) {
        return ValueMatch::NothingNew;
    }

    match name {
        "Date" | "EventDate" | "UTCDate" => compare_dates(known, other),
        "Round" => match Round::parse(known).compare(Round::parse(other)) {
            RoundMatch::Compatible if other.len() > known.len() => ValueMatch::SaysMore,
            RoundMatch::Equal | RoundMatch::Compatible => ValueMatch::NothingNew,
            RoundMatch::Unknown | RoundMatch::OtherBoard | RoundMatch::Different => {
                ValueMatch::Differs
            }
        },
        // PGN §8.1.1.7: `*` is a game in progress or of unknown result.
        "Result" if known == "*" => ValueMatch::SaysMore,
        "Result" if other == "*" => ValueMatch::NothingNew,
        _ => ValueMatch::Differs,
    }
}

fn compare_dates(known: &str, other: &str) -> ValueMatch {
    let (mine, yours) = (GameDate::parse(known), GameDate::parse(other));
    match mine.compare(yours) {
        DateMatch::Equal | DateMatch::Compatible => {
            if yours.known_parts() > mine.known_parts() {
                ValueMatch::SaysMore
            } else {
                ValueMatch::NothingNew
            }
        }
        _ => ValueMatch::Differs,
    }
}

/// `true` if the value of a tag is unknown: `?`, `-`, `????.??.??`, an empty value, and a rating of 0.
pub fn is_unknown_tag(name: &str, value: &str) -> bool {
    let without_placeholders = value.trim_matches(['?', '.', '-', ' ']);
    if without_placeholders.is_empty() {
        return true;
    }

    // PGN writes `-` for a player without a rating, programs write 0.
    let is_rating = name.ends_with("Elo");
    is_rating && value.trim() == "0"
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! merged {
        ($($name:ident: $tag:literal $kept:literal, $other:literal => $filled:expr, $conflicts:literal;)*) => {
            $(#[test] fn $name() {
                let merged = merge_tags(&[($tag, $kept)], &[(3, &[($tag, $other)])]);
                let filled: Option<&str> = $filled;
                assert_eq!(merged.filled.first().map(|tag| tag.value.as_str()), filled);
                assert_eq!(merged.conflicts.len(), $conflicts);
            })*
        };
    }

    merged! {
        empty: "Event" "", "Linares" => Some("Linares"), 0;
        question_mark: "Site" "?", "Linares" => Some("Linares"), 0;
        same_words: "Event" "Linares, ESP", "Linares ESP" => None, 0;
        other_words: "Event" "Linares", "Tilburg" => None, 1;
        twin_knows_nothing: "Event" "Linares", "?" => None, 0;
        partial_date: "Date" "1985.??.??", "1985.11.??" => Some("1985.11.??"), 0;
        fuller_date: "Date" "1985.11.09", "1985.??.??" => None, 0;
        other_date: "Date" "1985.11.09", "1985.11.10" => None, 1;
        board: "Round" "5", "5.3" => Some("5.3"), 0;
        round_without_board: "Round" "5.3", "05" => None, 0;
        other_round: "Round" "5", "6" => None, 1;
        unfinished: "Result" "*", "1-0" => Some("1-0"), 0;
        result_unknown: "Result" "1-0", "*" => None, 0;
        other_result: "Result" "1-0", "0-1" => None, 1;
        rating_of_nothing: "EventElo" "0", "2500" => Some("2500"), 0;
        twin_without_a_rating: "EventElo" "2500", "0" => None, 0;
    }

    /// The tags that a game of Abel and Zorn gets from a twin.
    fn filled(twin: &Tags<'_>) -> Vec<String> {
        let kept = [("White", "Abel, Kurt"), ("Black", "?")];

        let merged = merge_tags(&kept, &[(1, twin)]);

        let filled = merged.filled.into_iter();
        filled.map(|tag| tag.name).collect()
    }

    #[test]
    fn tags_about_a_player() {
        let filled_by = |white, black| {
            filled(&[
                ("White", white),
                ("Black", black),
                ("WhiteElo", "2500"),
                ("BlackElo", "2400"),
            ])
        };

        let twin = filled_by("Abel, K", "Zorn, Maria");
        assert_eq!(twin, ["Black", "WhiteElo", "BlackElo"]);

        let exchanged = filled_by("Zorn, Maria", "Abel, Kurt");
        assert_eq!(exchanged, ["Black", "BlackElo"]);

        assert_eq!(filled_by("?", "?"), [""; 0]);
        assert_eq!(filled_by("Abel, Kurt", "?"), ["WhiteElo"]);
    }

    #[test]
    fn placeholders_are_unknown() {
        let tags = [
            ("White", "?", true),
            ("Date", "????.??.??", true),
            ("Round", "-", true),
            ("Event", "", true),
            ("WhiteElo", "0", true),
            ("Round", "0", false),
            ("Date", "1985.??.??", false),
        ];

        for (name, value, expected) in tags {
            assert_eq!(is_unknown_tag(name, value), expected, "{name} {value}");
        }
    }

    #[test]
    fn a_tag_twice() {
        let twin = [("Foo", "?"), ("Foo", "a"), ("Foo", "b")];

        let merged = merge_tags(&[], &[(1, &twin)]);

        assert_eq!(merged.filled[0].value, "a");
        assert_eq!(merged.conflicts.len(), 0);
    }

    #[test]
    fn two_twins() {
        let merged = merge_tags(
            &[],
            &[
                (1, &[("Date", "1985.??.??")]),
                (2, &[("Date", "1985.11.09")]),
            ],
        );
        assert_eq!(
            merged.filled,
            [FilledTag {
                name: "Date".to_owned(),
                value: "1985.11.09".to_owned(),
                game: 2
            }]
        );
    }
}
