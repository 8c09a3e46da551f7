//! Groups of duplicates, for people and for programs.

use std::collections::HashMap;
use std::io::Write;

use serde::Serialize;

use crate::cli::args::{self, ListFormat};
use crate::cli::output::buffered_output;
use crate::cli::records::{write_csv, write_jsonl};
use crate::cli::table::table;
use crate::cli::terminal::{dash, terminal_width, text_or_question_mark};
use stamma::error::{Error, Result};
use stamma::maintenance::{DuplicateOptions, Duplicates, MergedGroup, MergedValue, UndecidedTag};
use stamma::storage::{Database, DuplicateGroup, GameId};

/// Lists all groups, if a format is requested.
pub(super) fn write(
    database: &Database,
    found: &Duplicates,
    options: &DuplicateOptions,
    arguments: &args::Dedupe,
) -> Result<()> {
    let Some(format) = arguments.format else {
        return Ok(());
    };

    let mut out = buffered_output()?;
    match format {
        ListFormat::Table => write_table(database, &found.groups, &mut out)?,
        ListFormat::Jsonl => write_jsonl(&records(found, options.merge_tags), &mut out)?,
        ListFormat::Csv => {
            let rows: Vec<CsvRow> = found.groups.iter().map(CsvRow::new).collect();
            write_csv(
                &["keep", "games", "kind", "score", "why"],
                &rows,
                arguments.csv_cells,
                &mut out,
            )?;
        }
    }
    out.flush().map_err(Error::Output)
}

/// A group of duplicates as JSON.
#[derive(Serialize)]
struct Record<'g> {
    keep: GameId,
    games: Vec<GameId>,
    kind: &'g str,
    score: f64,
    why: &'g [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    filled: Option<Vec<FilledTag<'g>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<Vec<TagConflict<'g>>>,
}

/// A tag that the kept game takes from another game of the group.
#[derive(Serialize)]
struct FilledTag<'g> {
    tag: &'g str,
    value: &'g str,
    game: GameId,
}

/// A tag whose value differs between the kept game and another game.
#[derive(Serialize)]
struct TagConflict<'g> {
    tag: &'g str,
    kept: &'g str,
    other: &'g str,
    game: GameId,
}

/// The records of all groups. If tags are merged, each record has the lists of tags, empty ones included.
fn records(found: &Duplicates, are_tags_merged: bool) -> Vec<Record<'_>> {
    let mut merged: HashMap<GameId, &MergedGroup> = HashMap::new();
    for group in &found.merged {
        merged.insert(group.keep, group);
    }

    let mut records = Vec::new();
    for group in &found.groups {
        let mut record = Record::new(group);
        if are_tags_merged {
            record.add_tags(merged.get(&group.keep).copied());
        }
        records.push(record);
    }
    records
}

impl<'g> Record<'g> {
    fn new(group: &'g DuplicateGroup) -> Record<'g> {
        Record {
            keep: group.keep,
            games: games(group),
            kind: &group.kind,
            score: group.score,
            why: &group.why,
            filled: None,
            conflicts: None,
        }
    }

    /// Adds the lists of tags, which are empty for a group without merged tags.
    fn add_tags(&mut self, merged: Option<&'g MergedGroup>) {
        let mut filled = Vec::new();
        let mut conflicts = Vec::new();
        if let Some(merged) = merged {
            filled.extend(merged.filled.iter().map(FilledTag::new));
            conflicts.extend(merged.conflicts.iter().map(TagConflict::new));
        }

        self.filled = Some(filled);
        self.conflicts = Some(conflicts);
    }
}

impl FilledTag<'_> {
    fn new(tag: &MergedValue) -> FilledTag<'_> {
        FilledTag {
            tag: &tag.tag,
            value: &tag.value,
            game: tag.game,
        }
    }
}

impl TagConflict<'_> {
    fn new(tag: &UndecidedTag) -> TagConflict<'_> {
        TagConflict {
            tag: &tag.tag,
            kept: &tag.kept,
            other: &tag.other,
            game: tag.game,
        }
    }
}

/// All games of a group, the kept game included, in the order of their numbers.
fn games(group: &DuplicateGroup) -> Vec<GameId> {
    let mut games: Vec<GameId> = group.games().collect();
    games.sort_unstable();
    games
}

/// A group as comma-separated values.
#[derive(Serialize)]
struct CsvRow {
    keep: GameId,
    games: String,
    kind: String,
    score: f64,
    why: String,
}

impl CsvRow {
    fn new(group: &DuplicateGroup) -> CsvRow {
        let games: Vec<String> = games(group).iter().map(GameId::to_string).collect();
        CsvRow {
            keep: group.keep,
            games: games.join(" "),
            kind: group.kind.clone(),
            score: group.score,
            why: group.why.join(", "),
        }
    }
}

/// The header of the table of groups.
const HEADER: [&str; 7] = [
    "keep",
    "duplicates",
    "kind",
    "score",
    "players",
    "date",
    "why",
];
/// The indices of the columns with numbers in [`HEADER`].
const NUMBERS: [usize; 2] = [0, 3];

/// Writes the groups as a table; nothing without groups.
fn write_table(database: &Database, groups: &[DuplicateGroup], out: &mut impl Write) -> Result<()> {
    if groups.is_empty() {
        return Ok(());
    }

    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    for group in groups {
        rows.push(group_row(database, group)?);
    }

    let text = table(&rows, &NUMBERS, terminal_width());
    out.write_all(text.as_bytes()).map_err(Error::Output)
}

/// The cells of a group, with the players and the date of the kept game.
fn group_row(database: &Database, group: &DuplicateGroup) -> Result<Vec<String>> {
    let heading = database.heading(group.keep)?.unwrap_or_default();
    let white = text_or_question_mark(heading.white.as_deref());
    let black = text_or_question_mark(heading.black.as_deref());
    let players = format!("{white} {} {black}", dash());
    let duplicates: Vec<String> = group.duplicates.iter().map(GameId::to_string).collect();

    Ok(vec![
        group.keep.to_string(),
        duplicates.join(" "),
        group.kind.clone(),
        format!("{:.3}", group.score),
        players,
        text_or_question_mark(heading.date.as_deref()),
        group.why.join(", "),
    ])
}
