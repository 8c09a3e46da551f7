//! `stamma info`

use super::output::print;
use super::terminal::{counted, ellipsis, grouped, size, table, terminal_width};
use super::{Outcome, args};
use crate::error::Result;
use crate::storage::{Database, SourceSummary, Statistics};

/// How many sources are listed one by one.
const LISTED_SOURCES: usize = 20;

pub(super) fn run(arguments: &args::Info) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    let statistics = database.statistics()?;
    let text = describe(&arguments.database.display().to_string(), &statistics);
    print(text)?;
    Ok(Outcome::Done)
}

fn describe(name: &str, statistics: &Statistics) -> String {
    let total = statistics.bytes.iter().map(|(_, bytes)| bytes).sum();
    let years = match &statistics.years {
        Some((first, last)) => format!(", {first} to {last}"),
        None => String::new(),
    };
    let lines = if statistics.has_variations { ", those of variations included" } else { "" };
    let mut text = format!(
        "{name}: {}\n{}{years}; {}; {}{lines}\n",
        size(total),
        counted(statistics.games, "game", "games"),
        counted(statistics.players, "player", "players"),
        counted(statistics.positions, "position", "positions"),
    );
    section(&mut text, "source", &sources(&statistics.sources), &[0, 2, 3, 4]);
    let counts = |rows: &[(String, u64)]| -> Vec<Vec<String>> {
        rows.iter().map(|(name, count)| vec![name.clone(), grouped(*count)]).collect()
    };
    section(&mut text, "problem", &counts(&statistics.problems), &[1]);
    section(&mut text, "table", &counts(&statistics.bytes), &[1]);
    text
}

/// A heading with its rows, nothing when there are none.
fn section(text: &mut String, what: &str, rows: &[Vec<String>], right_aligned: &[usize]) {
    let columns = match what {
        "source" => {
            vec![
                "no.",
                "source",
                "bytes",
                "games",
                "problems",
                "imported (UTC)",
                "notation",
                "encoding",
            ]
        }
        "problem" => vec!["problem", "times"],
        _ => vec![what, "bytes"],
    };
    if rows.is_empty() {
        return;
    }
    let header = columns.into_iter().map(str::to_owned).collect();
    let all: Vec<Vec<String>> = std::iter::once(header).chain(rows.iter().cloned()).collect();
    text.push('\n');
    text.push_str(&table(&all, right_aligned, terminal_width()));
}

fn sources(sources: &[SourceSummary]) -> Vec<Vec<String>> {
    let row = |source: &SourceSummary| {
        vec![
            source.id.to_string(),
            source.path.clone(),
            grouped(source.bytes),
            grouped(source.games),
            grouped(source.problems),
            match source.is_unfinished {
                true => "unfinished".to_owned(),
                false => source.imported_at.clone(),
            },
            source
                .notation
                .as_ref()
                .map_or_else(String::new, |(notation, language)| format!("{notation} {language}")),
            source.encoding.clone().unwrap_or_default(),
        ]
    };
    let mut rows: Vec<Vec<String>> = sources.iter().take(LISTED_SOURCES).map(row).collect();
    if sources.len() > LISTED_SOURCES {
        let more = format!("{} and {} more", ellipsis(), sources.len() - LISTED_SOURCES);
        rows.push(vec![String::new(), more]);
    }
    rows
}
