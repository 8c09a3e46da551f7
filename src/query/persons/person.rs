//! A player as the spellings of one name.

use super::typed::Fit;
use crate::query::filter::NameNumbers;

/// A player with all spellings of the name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Person {
    /// The canonical name of the most frequent spelling.
    pub(crate) name: String,
    /// The numbers of the spellings.
    pub(crate) numbers: NameNumbers,
    /// The games in all spellings.
    pub(crate) games: u64,
    /// Spellings without a full given name, with their games. They are counted here although they may be another
    /// player's.
    pub(crate) by_initials: Vec<(String, u64)>,
    /// The fit of the most frequent spelling to the typed name.
    pub(super) fit: Fit,
}

/// Sorts players in descending order of their games.
pub(crate) fn sort(people: &mut [Person]) {
    people.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
}
