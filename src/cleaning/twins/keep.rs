//! Chooses the game of a group that is kept.

use std::cmp::Reverse;

use super::facts::GameFacts;

/// The rule by which the kept game of a group is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// Most moves, then annotations, tags, the fuller date.
    #[default]
    Longest,
    /// Annotations first, then as [`Preference::Longest`].
    Annotated,
    /// The source with the smallest number first, then as [`Preference::Longest`].
    Source,
    /// The first game.
    First,
}

/// The place of a game in the order of preference. The game with the greatest place is kept, and the first of equal
/// games.
pub(super) fn precedence(preference: Preference, game: u32, facts: &GameFacts) -> impl Ord + use<> {
    let annotations = u64::from(facts.annotations);

    let first = match preference {
        Preference::Longest => 0,
        Preference::Annotated => annotations,
        Preference::Source => u64::from(u32::MAX - facts.source),
        Preference::First => u64::from(u32::MAX - game),
    };

    (
        first,
        facts.plies,
        annotations,
        facts.tags,
        facts.date.known_parts(),
        Reverse(game),
    )
}
