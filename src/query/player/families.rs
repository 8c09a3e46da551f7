//! The openings of a player by their families: `Sicilian Defense` has `Sicilian Defense: Najdorf Variation` below it.

use std::collections::BTreeMap;

use super::ranked::Ranked;
use super::score::PlayerScore;

/// The most openings listed below a family.
const MOST_OPENINGS: usize = 3;

/// The games of a player in a family of openings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningFamily {
    /// The name, which the names of its openings begin with.
    pub name: String,
    /// The games in all of its openings.
    pub score: PlayerScore,
    /// Its most played openings by their finest names, three at most; the most played first.
    pub openings: Ranked<String>,
}

/// The families of some openings, the most played first; and the number of all families, of which at most `limit` are
/// returned. The openings come in the order in which they are played most.
pub(super) fn families(openings: &Ranked<String>, limit: usize) -> (Vec<OpeningFamily>, usize) {
    let mut families: BTreeMap<String, OpeningFamily> = BTreeMap::new();
    for (name, score) in &openings.rows {
        let family = families.entry(family_of(name).to_owned()).or_default();
        family.score.join(score);
        family.openings.all += 1;
        if family.openings.rows.len() < MOST_OPENINGS {
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
