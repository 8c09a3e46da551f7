//! Groups of duplicates, against the table of the truth.

use std::collections::BTreeMap;
use std::path::Path;

use stamma::cleaning::twins::TwinGroup;

use crate::collection::Collection;
use crate::sample::print_pair;

/// A pair of the table.
pub(crate) struct Row {
    pub(crate) number: usize,
    /// The numbers of its games in the collection.
    pub(crate) games: [u32; 2],
    pub(crate) is_twin: bool,
    kind: String,
    /// The differences between the spellings of White and of Black.
    pub(crate) names: [String; 2],
}

/// Prints recall by kind for both halves, false pairs, and groups that join games of different pairs.
pub(crate) fn report(games: &Collection, groups: &[TwinGroup], table: &Path) {
    let rows = read(table);
    let group_of = groups_of(games, groups);
    let is_joined = |row: &Row| {
        let [first, second] = row.games.map(|game| group_of[game as usize]);
        first.is_some() && first == second
    };
    print_recall(&rows, is_joined);

    // The games of a pair have one number modulo the number of pairs.
    let pairs = rows.len() as u32;
    let is_mixed = |group: &&TwinGroup| {
        let pair = group.games[0] % pairs;
        group.games.iter().any(|game| game % pairs != pair)
    };
    let mixed: Vec<&TwinGroup> = groups.iter().filter(is_mixed).collect();
    println!("  groups with games of different pairs: {}", mixed.len());

    if std::env::args().any(|argument| argument == "--wrong") {
        print_wrong(games, &rows, is_joined);
        for group in mixed {
            println!("MIXED {:?} {:.3} {}", group.kind, group.score, group.why);
            print_pair(games, &group.games);
        }
    }
}

/// The number of the group of each game; `None` for a game without duplicates.
fn groups_of(games: &Collection, groups: &[TwinGroup]) -> Vec<Option<usize>> {
    let mut group_of = vec![None; games.facts.len()];
    for (number, group) in groups.iter().enumerate() {
        for &game in &group.games {
            group_of[game as usize] = Some(number);
        }
    }
    group_of
}

/// Prints the pairs that are joined or apart against the table.
fn print_wrong(games: &Collection, rows: &[Row], is_joined: impl Fn(&Row) -> bool) {
    for row in rows {
        // Rows with an even number are held back, except for false pairs.
        let is_shown = row.number % 2 == 1 || !row.is_twin;
        let is_wrong = is_joined(row) != row.is_twin;
        if is_wrong && is_shown {
            let fault = if row.is_twin { "MISSED" } else { "FALSE" };
            println!("{fault} {} {:?}", row.kind, row.names);
            print_pair(games, &row.games);
        }
    }
}

/// Prints the share of joined pairs, by kind, for both halves of the table.
fn print_recall(rows: &[Row], is_joined: impl Fn(&Row) -> bool) {
    for (half, rest) in [("odd rows", 1), ("even rows, held back", 0)] {
        let mut counts: BTreeMap<(bool, &str), [usize; 2]> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.number % 2 == rest) {
            let count = counts.entry((!row.is_twin, &row.kind)).or_default();
            count[usize::from(is_joined(row))] += 1;
        }

        println!("  {half}");
        for ((is_other, kind), [apart, joined]) in counts {
            let name = if is_other { "not twins" } else { "twins" };
            let all = apart + joined;
            let share = 100.0 * joined as f64 / all as f64;
            println!("    {name:9} {kind:24} {joined:6} of {all:6} joined  {share:6.2} %");
        }
    }
}

pub(crate) fn read(table: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(table).expect("a table");
    let lines = text.lines().skip(1).enumerate();
    lines.map(|(at, line)| row(at + 1, line)).collect()
}

fn row(number: usize, line: &str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    // Games have numbers from 1 in the table, and from 0 in a collection.
    let game = |at: usize| fields[at].parse::<u32>().expect("a number") - 1;
    Row {
        number,
        games: [game(0), game(1)],
        is_twin: fields[2] == "twins",
        kind: fields[3].to_owned(),
        names: [fields[7].to_owned(), fields[8].to_owned()],
    }
}
