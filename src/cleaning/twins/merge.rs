//! Tags of a kept game that its twins know better.

use std::collections::HashSet;

use crate::cleaning::names::{PersonName, Round, RoundMatch, Verdict, compare, fold_words};

use super::facts::{DateMatch, GameDate};

/// A tag that is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledTag {
    /// Its name.
    pub name: String,
    /// Its new value.
    pub value: String,
    /// The twin that the value comes from.
    pub game: u32,
}

/// A tag of which a twin says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagConflict {
    /// Its name.
    pub name: String,
    /// What the kept game says.
    pub kept: String,
    /// What the twin says.
    pub other: String,
    /// The twin.
    pub game: u32,
}

/// What twins say beyond the kept game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedTags {
    /// Tags that were missing, empty, `?` or partial.
    pub filled: Vec<FilledTag>,
    /// Tags that a person must decide.
    pub conflicts: Vec<TagConflict>,
}

/// The tag pairs of a game.
type Tags<'t> = [(&'t str, &'t str)];

/// What the twins of a kept game add to its tags. Of several twins, the first that says more is taken. Tags about a player,
/// such as `WhiteElo`, come from twins alone that name the same player with this colour.
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
    let players = ["White", "Black"].map(|colour| {
        let all = std::iter::once(kept).chain(twins.iter().map(|(_, tags)| *tags));
        (colour, all.filter_map(|tags| player(tags, colour)).next())
    });
    for &(game, tags) in twins {
        let mut names = HashSet::new();
        for &(name, value) in tags
            .iter()
            .filter(|(name, value)| !is_unknown_tag(name, value))
        {
            let is_of_another = players.iter().any(|(colour, player)| {
                is_about(name, colour) && !is_named(tags, colour, player.as_ref())
            });
            if names.insert(name) && !is_of_another {
                merged.add(kept, game, name, value);
            }
        }
    }
    merged
}

/// The name of a player, if it is known.
fn player(tags: &Tags<'_>, colour: &str) -> Option<PersonName> {
    let (_, name) = tags.iter().find(|(name, _)| *name == colour)?;
    Some(PersonName::parse(name)).filter(|name| !name.is_unknown())
}

/// Whether a tag says something about one player beside the name, as `WhiteElo` does.
fn is_about(tag: &str, colour: &str) -> bool {
    tag.strip_prefix(colour)
        .is_some_and(|rest| !rest.is_empty())
}

/// Whether tags name the same player.
fn is_named(tags: &Tags<'_>, colour: &str, player_of_group: Option<&PersonName>) -> bool {
    let named = player(tags, colour);
    let both = named.as_ref().zip(player_of_group);
    both.is_some_and(|(mine, yours)| compare(mine, yours).verdict != Verdict::Different)
}

impl MergedTags {
    /// Adds what a twin says of a tag.
    fn add(&mut self, kept: &Tags<'_>, game: u32, name: &str, value: &str) {
        let filled = self.filled.iter().position(|tag| tag.name == name);
        let known = match filled {
            Some(at) => self.filled[at].value.clone(),
            None => {
                let tag = kept.iter().find(|(other, _)| *other == name);
                tag.map_or(String::new(), |(_, value)| (*value).to_owned())
            }
        };
        let tag = FilledTag {
            name: name.to_owned(),
            value: value.to_owned(),
            game,
        };
        match (more(name, &known, value), filled) {
            (Some(false), _) => {}
            (Some(true), Some(at)) => self.filled[at] = tag,
            (Some(true), None) => self.filled.push(tag),
            (None, _) => self.conflicts.push(TagConflict {
                name: name.to_owned(),
                kept: known,
                other: value.to_owned(),
                game,
            }),
        }
    }
}

/// Whether another value says more than the known one; `None` where it says something else.
fn more(name: &str, known: &str, other: &str) -> Option<bool> {
    if is_unknown_tag(name, known) {
        return Some(true);
    }
    if fold_words(known) == fold_words(other) {
        return Some(false);
    }
    match name {
        "Date" | "EventDate" | "UTCDate" => {
            let (mine, yours) = (GameDate::parse(known), GameDate::parse(other));
            let agree = matches!(
                mine.compare(yours),
                DateMatch::Equal | DateMatch::Compatible
            );
            agree.then(|| yours.known_parts() > mine.known_parts())
        }
        "Round" => match Round::parse(known).compare(Round::parse(other)) {
            RoundMatch::Equal => Some(false),
            RoundMatch::Compatible => Some(other.len() > known.len()),
            _ => None,
        },
        "Result" if known == "*" => Some(true),
        "Result" if other == "*" => Some(false),
        _ => None,
    }
}

/// Whether a tag says nothing: `?`, `-`, `????.??.??`, an empty value, and a rating of 0.
pub fn is_unknown_tag(name: &str, value: &str) -> bool {
    value
        .chars()
        .all(|letter| matches!(letter, '?' | '.' | '-' | ' '))
        || (name.ends_with("Elo") && value.trim() == "0")
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

    /// What is filled from a twin into a game of Abel and Zorn.
    fn filled(twin: &Tags<'_>) -> Vec<String> {
        let kept = [("White", "Abel, Kurt"), ("Black", "?")];
        let merged = merge_tags(&kept, &[(1, twin)]);
        merged.filled.into_iter().map(|tag| tag.name).collect()
    }

    #[test]
    fn tags_about_a_player() {
        let elos = [("WhiteElo", "2500"), ("BlackElo", "2400")];
        let of = |white, black| filled(&[[("White", white), ("Black", black)], elos].concat());
        assert_eq!(
            of("Abel, K", "Zorn, Maria"),
            ["Black", "WhiteElo", "BlackElo"]
        );
        assert_eq!(of("Zorn, Maria", "Abel, Kurt"), ["Black", "BlackElo"]);
        assert_eq!(of("?", "?"), [""; 0]);
        assert_eq!(of("Abel, Kurt", "?"), ["WhiteElo"]);
    }

    #[test]
    fn a_tag_twice() {
        let merged = merge_tags(&[], &[(1, &[("Foo", "?"), ("Foo", "a"), ("Foo", "b")])]);
        assert_eq!(
            (merged.filled[0].value.as_str(), merged.conflicts.len()),
            ("a", 0)
        );
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
