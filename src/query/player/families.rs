//! The openings of a player by their families: `Sicilian Defense` has `Sicilian Defense: Najdorf Variation` below it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::ranked::Ranked;
use super::score::PlayerScore;
use crate::board::Color;
use crate::openings::Opening;

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

/// Up to `limit` families of the openings with White and with Black, the most played first, and the number of all
/// families. The openings are in descending order of their games.
pub(super) fn families_by_color(
    openings: &[Ranked<String>; 2],
    limit: usize,
) -> [(Color, Vec<OpeningFamily>, usize); 2] {
    let [white, black] = openings;
    [(Color::White, white), (Color::Black, black)].map(|(color, openings)| {
        let (families, all) = families(openings, limit);
        (color, families, all)
    })
}

/// Up to `limit` families of some openings, the most played first, and the number of all families. The openings are in
/// descending order of their games.
fn families(openings: &Ranked<String>, limit: usize) -> (Vec<OpeningFamily>, usize) {
    let mut by_name: BTreeMap<&str, OpeningFamily> = BTreeMap::new();
    for (name, score) in &openings.rows {
        let family_name = family_of(name);
        let family = by_name.entry(family_name).or_default();
        family.score.join(score);

        // The openings come in descending order of their games, so the first of a family are its most played openings.
        family.openings.all += 1;
        if family.openings.rows.len() < MAX_OPENINGS {
            family.openings.rows.push((name.clone(), *score));
        }
    }

    let all = by_name.len();
    let mut families = Vec::with_capacity(all);
    for (name, mut family) in by_name {
        family.name = name.to_owned();
        families.push(family);
    }
    families.sort_by_key(|family| Reverse(family.score.all_games()));
    families.truncate(limit);
    (families, all)
}

/// The family of an opening by its name. It does not depend on the ECO code.
pub(crate) fn family_of(name: &str) -> &str {
    Opening { eco: "", name }.family()
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
