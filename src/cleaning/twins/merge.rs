//! Tags of a kept game that its twins know better.

use crate::cleaning::names::{Round, RoundMatch, fold_words};

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

/// What the twins of a kept game add to its tags. Of several twins, the first that says more is taken.
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
    for &(game, tags) in twins {
        for &(name, value) in tags.iter().filter(|(_, value)| !is_unknown(value)) {
            let filled = merged.filled.iter().position(|tag| tag.name == name);
            let known = match filled.and_then(|at| merged.filled.get(at)) {
                Some(tag) => tag.value.clone(),
                None => kept
                    .iter()
                    .find(|(other, _)| *other == name)
                    .map_or(String::new(), |(_, value)| (*value).to_owned()),
            };
            match more(name, &known, value) {
                Some(true) => {
                    let tag = FilledTag { name: name.to_owned(), value: value.to_owned(), game };
                    match filled.and_then(|at| merged.filled.get_mut(at)) {
                        Some(slot) => *slot = tag,
                        None => merged.filled.push(tag),
                    }
                }
                Some(false) => {}
                None => merged.conflicts.push(TagConflict {
                    name: name.to_owned(),
                    kept: known,
                    other: value.to_owned(),
                    game,
                }),
            }
        }
    }
    merged
}

/// Whether another value says more than the known one; `None` where it says something else.
fn more(name: &str, known: &str, other: &str) -> Option<bool> {
    if is_unknown(known) {
        return Some(true);
    }
    if fold_words(known) == fold_words(other) {
        return Some(false);
    }
    match name {
        "Date" | "EventDate" | "UTCDate" => {
            let (mine, yours) = (GameDate::parse(known), GameDate::parse(other));
            let agree = matches!(mine.compare(yours), DateMatch::Equal | DateMatch::Compatible);
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

/// `?`, `-`, `????.??.??` and nothing.
fn is_unknown(value: &str) -> bool {
    value.chars().all(|letter| matches!(letter, '?' | '.' | '-' | ' '))
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
    }

    #[test]
    fn two_twins() {
        let merged =
            merge_tags(&[], &[(1, &[("Date", "1985.??.??")]), (2, &[("Date", "1985.11.09")])]);
        assert_eq!(
            merged.filled,
            [FilledTag { name: "Date".to_owned(), value: "1985.11.09".to_owned(), game: 2 }]
        );
    }
}
