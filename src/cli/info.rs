//! `stamma info`: describes a database.

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
const DEFAULT_LISTED_SOURCES: usize = 20;

pub(super) fn run(arguments: &args::Info) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    say_copied_without_log(&database)?;

    let statistics = if arguments.unique {
        database.unique_statistics()?
    } else {
        database.statistics()?
    };
    // The sizes of tables need a scan of the whole file, which takes longer than all other statistics.
    let tables = if arguments.tables {
        Some(database.table_bytes()?)
    } else {
        None
    };
    let name = arguments.database.display().to_string();
    let described = Description {
        name: &name,
        bytes: database.file_bytes()?,
        statistics,
        tables,
    };

    if arguments.json {
        print_json(Record::new(&described))?;
    } else {
        let max_sources = if arguments.sources {
            usize::MAX
        } else {
            DEFAULT_LISTED_SOURCES
        };
        print(describe(&described, max_sources))?;
    }
    Ok(Outcome::Done)
}

/// The description of a database.
struct Description<'n> {
    /// The path as the user has typed it.
    name: &'n str,
    /// The size of the file.
    bytes: u64,
    statistics: Statistics,
    /// The bytes of each table, if they are requested.
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
    /// The most frequent openings, with their games.
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
    /// The source whose games precede the games of this source in the file.
    continues: Option<SourceId>,
    /// The conditions on games to import; null for all games.
    filter: Option<Value>,
    /// The games that were not imported.
    passed_over: u64,
}

impl<'s> Record<'s> {
    fn new(described: &'s Description<'_>) -> Record<'s> {
        let statistics = &described.statistics;
        let years = statistics.years.as_ref();

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
            problems: by_name(&statistics.problems),
            openings: by_name(&statistics.openings),
            tables: described.tables.as_deref().map(by_name),
        }
    }
}

/// Counts by name, for the fields of a JSON object.
fn by_name(counts: &[(String, u64)]) -> BTreeMap<&str, u64> {
    let mut by_name = BTreeMap::new();
    for (name, count) in counts {
        by_name.insert(name.as_str(), *count);
    }
    by_name
}

impl SourceRecord<'_> {
    fn new(source: &SourceSummary) -> SourceRecord<'_> {
        let (notation, language) = match &source.notation {
            Some((notation, language)) => (Some(notation.as_str()), Some(language.as_str())),
            None => (None, None),
        };
        let filter = source
            .filter
            .as_deref()
            .and_then(|filter| serde_json::from_str(filter).ok());

        SourceRecord {
            source: source.id,
            path: &source.path,
            program: database_program(Path::new(&source.path)),
            bytes: source.bytes,
            games: source.games,
            problems: source.problems,
            imported_at: &source.imported_at,
            unfinished: source.is_unfinished,
            notation,
            language,
            encoding: source.encoding.as_deref(),
            continues: source.continues,
            filter,
            passed_over: source.passed_over,
        }
    }
}

/// The description as text, with at most `listed` sources.
fn describe(described: &Description<'_>, listed: usize) -> String {
    let Description {
        name,
        bytes,
        statistics,
        tables,
    } = described;
    let years = match &statistics.years {
        Some((first, last)) => format!(", {first} to {last}"),
        None => String::new(),
    };
    let variations = if statistics.has_variations {
        ", positions in variations included"
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
        "{}: {}\n{}{duplicates}{}; {}; {}{variations}{plies}\n",
        printable(name),
        size(*bytes),
        counted(statistics.games, "game", "games"),
        printable(&years),
        counted(statistics.players, "player", "players"),
        counted(statistics.positions, "position", "positions"),
    );

    let columns = source_columns(output_width());
    let sources = sources(&statistics.sources, listed, columns);
    push_table(
        &mut text,
        &SOURCE_HEADER[..columns],
        sources,
        &SOURCE_NUMBERS,
    );

    push_counts(&mut text, ["problem", "times"], &statistics.problems);
    push_counts(&mut text, ["opening", "games"], &statistics.openings);
    if let Some(tables) = tables {
        push_counts(&mut text, ["table", "bytes"], tables);
    }
    text
}

/// The header of the table of sources. Only the first [`source_columns`] columns are shown.
const SOURCE_HEADER: [&str; 8] = [
    "no.",
    "source",
    "bytes",
    "games",
    "problems",
    "imported (UTC)",
    "notation",
    "encoding",
];

/// The minimum terminal width for the time of the import.
const TIME_COLUMNS_FROM: usize = 72;
/// The minimum terminal width for notation and encoding.
const ALL_COLUMNS_FROM: usize = 90;
/// The indices of the right-aligned columns in [`SOURCE_HEADER`].
const SOURCE_NUMBERS: [usize; 4] = [0, 2, 3, 4];

/// The number of columns for sources on a terminal with a width. A narrow terminal omits notation and encoding, a
/// narrower terminal also the time of the import.
fn source_columns(width: usize) -> usize {
    match width {
        ..TIME_COLUMNS_FROM => 5,
        TIME_COLUMNS_FROM..ALL_COLUMNS_FROM => 6,
        _ => SOURCE_HEADER.len(),
    }
}

/// The indices of the columns with numbers in a table of names with their counts.
const COUNT_NUMBERS: [usize; 1] = [1];

/// Appends a table of names with their counts; nothing if there are none.
fn push_counts(text: &mut String, header: [&str; 2], counts: &[(String, u64)]) {
    let mut rows = Vec::new();
    for (name, count) in counts {
        rows.push(vec![name.clone(), grouped(*count)]);
    }
    push_table(text, &header, rows, &COUNT_NUMBERS);
}

/// Appends a blank line and a table to `text`; nothing if `rows` is empty.
fn push_table(text: &mut String, header: &[&str], rows: Vec<Vec<String>>, right_aligned: &[usize]) {
    if rows.is_empty() {
        return;
    }

    let header_row: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    let mut lines = vec![header_row];
    lines.extend(rows);

    text.push('\n');
    text.push_str(&table(&lines, right_aligned, output_width()));
}

/// The path of a source, with the program of a foreign database, and with the filter of the import.
fn described_path(source: &SourceSummary) -> String {
    let path = match database_program(Path::new(&source.path)) {
        Some(program) => format!("{} ({program})", source.path),
        None => source.path.clone(),
    };

    let filter = source.filter.as_deref().and_then(filter_in_words);
    match filter {
        Some(filter) => {
            let others = counted(source.passed_over, "other game", "other games");
            format!("{path} (only {filter}; {others})")
        }
        None => path,
    }
}

/// A filter in words: `elo 2000.., speed rapid or classical`; `None` if the text is not a JSON object.
fn filter_in_words(filter: &str) -> Option<String> {
    let fields: serde_json::Map<String, Value> = serde_json::from_str(filter).ok()?;

    let mut conditions = Vec::with_capacity(fields.len());
    for (name, value) in &fields {
        conditions.push(condition_in_words(name, value));
    }
    Some(conditions.join(", "))
}

/// A condition with the name of its option; several values are alternatives.
fn condition_in_words(name: &str, value: &Value) -> String {
    let option = name.replace('_', "-");

    let values = match value {
        Value::Array(values) => {
            let alternatives: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            alternatives.join(" or ")
        }
        value => value.as_str().unwrap_or_default().to_owned(),
    };
    format!("{option} {values}")
}

/// The rows of the first `listed` sources, cut to `columns` columns. A last row has the number of the other sources.
fn sources(sources: &[SourceSummary], listed: usize, columns: usize) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for source in sources.iter().take(listed) {
        let mut row = source_row(source);
        row.truncate(columns);
        rows.push(row);
    }

    let more = sources.len().saturating_sub(listed);
    if more > 0 {
        let note = format!("{} and {more} more; --sources lists all", ellipsis());
        rows.push(vec![String::new(), note]);
    }
    rows
}

/// The cells of a source.
fn source_row(source: &SourceSummary) -> Vec<String> {
    let imported = if source.is_unfinished {
        "unfinished".to_owned()
    } else {
        source.imported_at.clone()
    };
    let notation = match &source.notation {
        Some((notation, language)) => format!("{notation} {language}"),
        None => String::new(),
    };

    vec![
        source.id.to_string(),
        described_path(source),
        grouped(source.bytes),
        grouped(source.games),
        grouped(source.problems),
        imported,
        notation,
        source.encoding.clone().unwrap_or_default(),
    ]
}
