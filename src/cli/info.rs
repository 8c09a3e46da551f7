//! `stamma info`

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::output::print;
use super::printable::printable;
use super::records::print_json;
use super::table::table;
use super::terminal::{ellipsis, output_width, size};
use super::{Outcome, args, say_copied_without_log};
use stamma::error::Result;
use stamma::game::Ply;
use stamma::input::database_program;
use stamma::report::{counted, grouped};
use stamma::storage::{Database, SourceId, SourceSummary, Statistics};

/// The number of sources listed by default.
const LISTED_SOURCES: usize = 20;

pub(super) fn run(arguments: &args::Info) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    say_copied_without_log(&database)?;
    let statistics = if arguments.unique {
        database.unique_statistics()?
    } else {
        database.statistics()?
    };
    let tables = if arguments.tables {
        Some(database.table_bytes()?)
    } else {
        None
    };
    let name = arguments.database.display().to_string();
    let described = Described {
        name: &name,
        bytes: database.file_bytes()?,
        statistics,
        tables,
    };
    if arguments.json {
        print_json(Record::new(&described))?;
    } else {
        let listed = if arguments.sources {
            usize::MAX
        } else {
            LISTED_SOURCES
        };
        print(describe(&described, listed))?;
    }
    Ok(Outcome::Done)
}

/// What is printed of a database.
struct Described<'n> {
    name: &'n str,
    bytes: u64,
    statistics: Statistics,
    /// The bytes of each table, if they are wanted.
    tables: Option<Vec<(String, u64)>>,
}

/// The statistics of a database for programs; sizes are in bytes.
#[derive(Serialize)]
struct Record<'s> {
    database: &'s str,
    bytes: u64,
    games: u64,
    duplicates: u64,
    players: u64,
    positions: u64,
    indexes_variations: bool,
    /// The last half-move after which positions are indexed; null if all are.
    index_plies: Option<u32>,
    first_year: Option<&'s str>,
    last_year: Option<&'s str>,
    sources: Vec<SourceRecord<'s>>,
    problems: BTreeMap<&'s str, u64>,
    /// The most played.
    openings: BTreeMap<&'s str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<BTreeMap<&'s str, u64>>,
}

/// A source for programs, with the time of its import in UTC.
#[derive(Serialize)]
struct SourceRecord<'s> {
    source: SourceId,
    path: &'s str,
    /// The program whose database the source is; null for PGN.
    program: Option<&'static str>,
    bytes: u64,
    games: u64,
    problems: u64,
    imported_at: &'s str,
    unfinished: bool,
    notation: Option<&'s str>,
    language: Option<&'s str>,
    encoding: Option<&'s str>,
    /// The source whose games precede its own in the file.
    continues: Option<SourceId>,
    /// The conditions on games to import; null for all games.
    filter: Option<Value>,
    /// The games that were not imported.
    passed_over: u64,
}

impl<'s> Record<'s> {
    fn new(described: &'s Described<'_>) -> Record<'s> {
        let statistics = &described.statistics;
        let years = statistics.years.as_ref();
        let counts = |rows: &'s [(String, u64)]| {
            rows.iter()
                .map(|(name, count)| (name.as_str(), *count))
                .collect()
        };
        Record {
            database: described.name,
            bytes: described.bytes,
            games: statistics.games,
            duplicates: statistics.duplicates,
            players: statistics.players,
            positions: statistics.positions,
            indexes_variations: statistics.has_variations,
            index_plies: statistics.indexed_plies.last().map(Ply::get),
            first_year: years.map(|(first, _)| first.as_str()),
            last_year: years.map(|(_, last)| last.as_str()),
            sources: statistics.sources.iter().map(SourceRecord::new).collect(),
            problems: counts(&statistics.problems),
            openings: counts(&statistics.openings),
            tables: described.tables.as_deref().map(counts),
        }
    }
}

impl SourceRecord<'_> {
    fn new(source: &SourceSummary) -> SourceRecord<'_> {
        SourceRecord {
            source: source.id,
            path: &source.path,
            program: database_program(Path::new(&source.path)),
            bytes: source.bytes,
            games: source.games,
            problems: source.problems,
            imported_at: &source.imported_at,
            unfinished: source.is_unfinished,
            notation: source
                .notation
                .as_ref()
                .map(|(notation, _)| notation.as_str()),
            language: source
                .notation
                .as_ref()
                .map(|(_, language)| language.as_str()),
            encoding: source.encoding.as_deref(),
            continues: source.continues,
            filter: source
                .filter
                .as_deref()
                .and_then(|filter| serde_json::from_str(filter).ok()),
            passed_over: source.passed_over,
        }
    }
}

fn describe(described: &Described<'_>, listed: usize) -> String {
    let Described {
        name,
        bytes,
        statistics,
        tables,
    } = described;
    let years = match &statistics.years {
        Some((first, last)) => format!(", {first} to {last}"),
        None => String::new(),
    };
    let lines = if statistics.has_variations {
        ", those of variations included"
    } else {
        ""
    };
    let plies = match statistics.indexed_plies.last() {
        None => String::new(),
        Some(_) => format!("; {}", statistics.indexed_plies),
    };
    let duplicates = match statistics.duplicates {
        0 => String::new(),
        games => format!(", {} of them marked as duplicates", grouped(games)),
    };
    let mut text = format!(
        "{}: {}\n{}{duplicates}{}; {}; {}{lines}{plies}\n",
        printable(name),
        size(*bytes),
        counted(statistics.games, "game", "games"),
        printable(&years),
        counted(statistics.players, "player", "players"),
        counted(statistics.positions, "position", "positions"),
    );
    section(
        &mut text,
        "source",
        &sources(&statistics.sources, listed),
        &[0, 2, 3, 4],
    );
    let counts = |rows: &[(String, u64)]| -> Vec<Vec<String>> {
        rows.iter()
            .map(|(name, count)| vec![name.clone(), grouped(*count)])
            .collect()
    };
    section(&mut text, "problem", &counts(&statistics.problems), &[1]);
    section(&mut text, "opening", &counts(&statistics.openings), &[1]);
    if let Some(tables) = tables {
        section(&mut text, "table", &counts(tables), &[1]);
    }
    text
}

/// The number of columns for sources: if there is not enough room, the notation is omitted first, then the time of the
/// import.
fn source_columns(width: usize) -> usize {
    match width {
        ..72 => 5,
        72..90 => 6,
        _ => 8,
    }
}

/// A heading with its rows; nothing if there are none.
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
        "opening" => vec!["opening", "games"],
        _ => vec![what, "bytes"],
    };
    if rows.is_empty() {
        return;
    }
    let header = columns.into_iter().map(str::to_owned).collect();
    let mut all: Vec<Vec<String>> = std::iter::once(header)
        .chain(rows.iter().cloned())
        .collect();
    let columns = source_columns(output_width());
    all.iter_mut().for_each(|row| row.truncate(columns));
    text.push('\n');
    text.push_str(&table(&all, right_aligned, output_width()));
}

/// The path of a source, and which of its games were imported.
fn described_path(source: &SourceSummary) -> String {
    let SourceSummary {
        filter,
        passed_over,
        ..
    } = source;
    let path = match database_program(Path::new(&source.path)) {
        Some(program) => format!("{} ({program})", source.path),
        None => source.path.clone(),
    };
    let passed_over = counted(*passed_over, "other game", "other games");
    match filter.as_deref().and_then(filter_in_words) {
        Some(filter) => format!("{path} (only {filter}; {passed_over})"),
        None => path,
    }
}

/// A filter, as `elo 2000.., speed rapid or classical`; `None` if the text is no JSON object.
fn filter_in_words(filter: &str) -> Option<String> {
    let conditions: serde_json::Map<String, Value> = serde_json::from_str(filter).ok()?;
    let in_words = |(name, value): (&String, &Value)| {
        let name = name.replace('_', "-");
        match value {
            Value::Array(values) => {
                let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                format!("{name} {}", values.join(" or "))
            }
            value => format!("{name} {}", value.as_str().unwrap_or_default()),
        }
    };
    Some(
        conditions
            .iter()
            .map(in_words)
            .collect::<Vec<String>>()
            .join(", "),
    )
}

fn sources(sources: &[SourceSummary], listed: usize) -> Vec<Vec<String>> {
    let row = |source: &SourceSummary| {
        vec![
            source.id.to_string(),
            described_path(source),
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
                .map_or_else(String::new, |(notation, language)| {
                    format!("{notation} {language}")
                }),
            source.encoding.clone().unwrap_or_default(),
        ]
    };
    let mut rows: Vec<Vec<String>> = sources.iter().take(listed).map(row).collect();
    if sources.len() > listed {
        let more = sources.len() - listed;
        let more = format!("{} and {more} more; --sources lists all", ellipsis());
        rows.push(vec![String::new(), more]);
    }
    rows
}
