//! The openings of a player by their families: `Sicilian Defense` has `Sicilian Defense: Najdorf Variation` below it.

use std::collections::BTreeMap;

use super::ranked::Ranked;
use super::score::PlayerScore;

/// The maximum number of openings listed below a family.
const MAX_OPENINGS: usize = 3;

/// The games of a player in a family of openings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningFamily {
    /// The name, with which the names of its openings begin.
    pub name: String,
    /// The games in all openings of the family.
    pub score: PlayerScore,
    /// Up to three openings of the family by their finest names, the most played first.
    pub openings: Ranked<String>,
}

/// Up to `limit` families of some openings, the most played first, and the number of all families. The openings are in
/// descending order of their games.
pub(super) fn families(openings: &Ranked<String>, limit: usize) -> (Vec<OpeningFamily>, usize) {
    let mut families: BTreeMap<String, OpeningFamily> = BTreeMap::new();
    for (name, score) in &openings.rows {
        let family = families.entry(family_of(name).to_owned()).or_default();
        family.score.join(score);
        family.openings.all += 1;
        if family.openings.rows.len() < MAX_OPENINGS {
            family.openings.rows.push((name.clone(), *score));
        }
    }

    let all = families.len();
    let mut ranked: Vec<OpeningFamily> = families
        .into_iter()
        .map(|(name, family)| OpeningFamily { name, ..family })
        .collect();
    ranked.sort_by_key(|family| std::cmp::Reverse(family.score.all_games()));
    ranked.truncate(limit);
    (ranked, all)
}

/// The family of an opening: its name up to a colon.
fn family_of(name: &str) -> &str {
    name.split_once(':')
        .map_or(name, |(family, _)| family.trim_end())
}

#[cfg(test)]
mod tests {
    use super::family_of;

    #[test]
    fn a_colon_ends_the_family() {
        assert_eq!(
            family_of("Sicilian Defense: Najdorf Variation, English Attack"),
            "Sicilian Defense"
        );
        assert_eq!(family_of("Ruy Lopez"), "Ruy Lopez");
    }
}
