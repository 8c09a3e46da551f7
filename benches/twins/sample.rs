//! Samples of findings for review.

use stamma::cleaning::twins::{TwinGroup, TwinKind, align};

use crate::collection::Collection;

/// More edits of moves than this number are not counted.
const MAX_EDITS: usize = 1_000;

/// Prints evenly sampled groups of each kind.
pub(crate) fn print(games: &Collection, groups: &[TwinGroup], count: usize) {
    for kind in [
        TwinKind::Same,
        TwinKind::Prefix,
        TwinKind::Variant,
        TwinKind::Short,
    ] {
        let of_kind: Vec<&TwinGroup> = groups.iter().filter(|group| group.kind == kind).collect();
        let samples = count.min(of_kind.len());

        for number in 0..samples {
            let group = of_kind[number * of_kind.len() / samples];
            println!(
                "{} {} {:.3} {}",
                kind.as_str(),
                number + 1,
                group.score,
                group.why
            );
            print_pair(games, &group.games);
        }
    }
}

/// Prints games, each with its differences from the first.
pub(crate) fn print_pair(games: &Collection, group: &[u32]) {
    let text = |index: u32| &games.texts[index as usize];
    let name = |index: u32| &games.names[index as usize];
    let first = games.moves(group[0]);

    for &game in group {
        let facts = &games.facts[game as usize];
        let date = facts.date;
        let moves = match align(first, games.moves(game), MAX_EDITS) {
            Some(found) => format!("prefix {} edits {}", found.prefix, found.edits),
            None => String::new(),
        };

        println!(
            "    {game} {} - {} | {} | {} | {}.{}.{} | {} | {} | {} {} | {} plies {moves}",
            name(facts.white),
            name(facts.black),
            text(facts.event),
            text(facts.site),
            date.year,
            date.month,
            date.day,
            facts.round,
            facts.result.as_str(),
            facts.white_elo,
            facts.black_elo,
            facts.plies,
        );
    }
}
