//! Groups of duplicates, against the table of the truth.

use std::collections::BTreeMap;
use std::path::Path;

use stamma::cleaning::twins::TwinGroup;

use crate::collection::Collection;
use crate::has_argument;
use crate::sample::print_pair;

/// A pair of the table.
pub(crate) struct Row {
    /// Counted from 1.
    number: usize,
    /// The numbers of its games in the collection.
    pub(crate) games: [u32; 2],
    pub(crate) is_twin: bool,
    kind: String,
    /// The differences between the spellings of White and of Black.
    pub(crate) names: [String; 2],
}

impl Row {
    /// Reads a line of the table, which has tabs between its fields.
    fn parse(number: usize, line: &str) -> Row {
        let fields: Vec<&str> = line.split('\t').collect();
        // Games have numbers from 1 in the table, and from 0 in a collection.
        let game = |column: usize| {
            let number: u32 = fields[column].parse().expect("a number");
            number - 1
        };

        Row {
            number,
            games: [game(0), game(1)],
            is_twin: fields[2] == "twins",
            kind: fields[3].to_owned(),
            names: [fields[7].to_owned(), fields[8].to_owned()],
        }
    }

    pub(crate) fn half(&self) -> Half {
        if self.number.is_multiple_of(2) {
            Half::Even
        } else {
            Half::Odd
        }
    }
}

/// The halves of the table. The weights were chosen by the rows with odd numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    /// Held back, so that recall is also known for rows that no weight was chosen by.
    Even,
    Odd,
}

/// The numbers of pairs that were joined, and that were not.
#[derive(Clone, Copy, Default)]
pub(crate) struct Joined {
    pub(crate) joined: usize,
    apart: usize,
}

impl Joined {
    /// Counts a pair.
    pub(crate) fn add(&mut self, is_joined: bool) {
        if is_joined {
            self.joined += 1;
        } else {
            self.apart += 1;
        }
    }

    pub(crate) fn all(self) -> usize {
        self.joined + self.apart
    }

    /// The share of pairs that were joined.
    pub(crate) fn percent(self) -> f64 {
        100.0 * self.joined as f64 / self.all() as f64
    }
}

/// Prints recall by kind for both halves, false pairs, and groups that join games of different pairs.
pub(crate) fn report(games: &Collection, groups: &[TwinGroup], table: &Path) {
    let rows = read(table);
    let group_of = group_numbers(games, groups);
    let is_joined = |row: &Row| {
        let [first, second] = row.games.map(|game| group_of[game as usize]);
        first.is_some() && first == second
    };
    print_recall(&rows, is_joined);

    // The file has one game of each pair, and then the other games in the same order: both games of a pair have the
    // same number modulo the number of pairs.
    let pairs = rows.len() as u32;
    let is_mixed = |group: &&TwinGroup| {
        let pair = group.games[0] % pairs;
        group.games.iter().any(|game| game % pairs != pair)
    };
    let mixed: Vec<&TwinGroup> = groups.iter().filter(is_mixed).collect();
    println!("  groups with games of different pairs: {}", mixed.len());

    if has_argument("--wrong") {
        print_wrong(games, &rows, is_joined);
        for group in mixed {
            println!("MIXED {:?} {:.3} {}", group.kind, group.score, group.why);
            print_pair(games, &group.games);
        }
    }
}

/// The number of the group of each game; `None` for a game without duplicates.
fn group_numbers(games: &Collection, groups: &[TwinGroup]) -> Vec<Option<usize>> {
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
        if is_joined(row) == row.is_twin {
            continue;
        }
        // Missed twins among the rows that were held back stay unseen; false pairs are always shown.
        let fault = match (row.is_twin, row.half()) {
            (true, Half::Even) => continue,
            (true, Half::Odd) => "MISSED",
            (false, _) => "FALSE",
        };

        println!("{fault} {} {:?}", row.kind, row.names);
        print_pair(games, &row.games);
    }
}

/// Prints the share of joined pairs, by kind, for both halves of the table.
fn print_recall(rows: &[Row], is_joined: impl Fn(&Row) -> bool) {
    for (half_name, half) in [
        ("odd rows", Half::Odd),
        ("even rows, held back", Half::Even),
    ] {
        // Twins come before pairs that are not twins, as `false` before `true`.
        let mut counts: BTreeMap<(bool, &str), Joined> = BTreeMap::new();
        for row in rows {
            if row.half() == half {
                let kind = (!row.is_twin, row.kind.as_str());
                let count = counts.entry(kind).or_default();
                count.add(is_joined(row));
            }
        }

        println!("  {half_name}");
        for ((is_other, kind), count) in counts {
            let name = if is_other { "not twins" } else { "twins" };
            let joined = count.joined;
            let all = count.all();
            let share = count.percent();
            println!("    {name:9} {kind:24} {joined:6} of {all:6} joined  {share:6.2} %");
        }
    }
}

/// The rows of the table, without its header.
pub(crate) fn read(table: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(table).expect("a table");

    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        rows.push(Row::parse(number, line));
    }
    rows
}
