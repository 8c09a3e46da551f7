//! Spellings and their canonical names: as a table, as a list to edit, and as JSON Lines.

use std::io::Write;

use serde::Serialize;

use crate::cli::args::NamesFormat;
use crate::cli::output::buffered_output;
use crate::cli::records::write_jsonl;
use crate::cli::table::table;
use crate::cli::terminal::{dash, terminal_width};
use stamma::cleaning::names::{NameKind, NameRow, write_name_row};
use stamma::error::{Error, Result};
use stamma::maintenance::{FoundSpelling, JoinedName, Names, ProposedName, kind_of};
use stamma::report::grouped;

/// Lists the first names and the first proposals, if a format is given.
pub(super) fn write(names: &Names, format: Option<NamesFormat>, limit: usize) -> Result<()> {
    let Some(format) = format else { return Ok(()) };
    let joined = first(&names.joined, limit);
    let proposed = first(&names.proposed, limit);

    let mut out = buffered_output()?;
    match format {
        NamesFormat::Table => {
            let tables = tables(names, joined, proposed);
            out.write_all(tables.as_bytes()).map_err(Error::Output)?;
        }
        NamesFormat::Tsv => {
            let rows = table_to_edit(joined, proposed);
            out.write_all(rows.as_bytes()).map_err(Error::Output)?;
        }
        NamesFormat::Jsonl => {
            let mut records = Vec::with_capacity(joined.len() + proposed.len());
            for name in joined {
                records.push(Record::joined(name));
            }
            for name in proposed {
                records.push(Record::proposed(name));
            }
            write_jsonl(&records, &mut out)?;
        }
    }
    out.flush().map_err(Error::Output)
}

/// The first `limit` elements.
fn first<T>(all: &[T], limit: usize) -> &[T] {
    &all[..all.len().min(limit)]
}

/// The indices of the columns with numbers.
const NUMBERS: [usize; 1] = [2];

/// The tables of certain and of proposed names, with a row for each spelling.
fn tables(names: &Names, joined: &[JoinedName], proposed: &[ProposedName]) -> String {
    let mut tables = Vec::new();

    if !joined.is_empty() {
        let heading = heading_of("certain", joined.len(), names.joined.len());
        let mut rows = vec![header(&heading)];
        for name in joined {
            // Only the row of the first spelling shows the canonical name.
            let mut shown_name = name.name.as_str();
            for spelling in &name.spellings {
                rows.push(spelling_cells(shown_name, spelling));
                shown_name = "";
            }
        }
        tables.push(table(&rows, &NUMBERS, terminal_width()));
    }

    if !proposed.is_empty() {
        let heading = heading_of("proposed", proposed.len(), names.proposed.len());
        let mut rows = vec![header(&heading)];
        for name in proposed {
            rows.push(spelling_cells(&name.name, &name.spelling));
        }
        tables.push(table(&rows, &NUMBERS, terminal_width()));
    }

    tables.join("\n")
}

/// The header of a table; `what` is the name of the first column.
fn header(what: &str) -> Vec<String> {
    [what, "spelling", "games", "years", "why"]
        .map(str::to_owned)
        .to_vec()
}

/// A heading, with the numbers of listed and of all names if some are left out.
fn heading_of(what: &str, listed: usize, all: usize) -> String {
    if listed == all {
        return what.to_owned();
    }
    let (listed, all) = (grouped(listed as u64), grouped(all as u64));
    format!("{what} ({listed} of {all})")
}

/// The cells of a spelling of a name.
fn spelling_cells(name: &str, spelling: &FoundSpelling) -> Vec<String> {
    vec![
        name.to_owned(),
        spelling.text.clone(),
        grouped(spelling.games.into()),
        years(spelling, dash()),
        spelling.reason(),
    ]
}

/// The years of the first and the last game; empty if no game has a date.
fn years(spelling: &FoundSpelling, dash: &str) -> String {
    let (first, last) = (spelling.first_year, spelling.last_year);

    // The year is 0 if no game has a date.
    if first == 0 {
        String::new()
    } else if first == last {
        first.to_string()
    } else {
        format!("{first}{dash}{last}")
    }
}

/// The table for `--apply FILE`, in which users accept or reject proposals.
fn table_to_edit(joined: &[JoinedName], proposed: &[ProposedName]) -> String {
    let mut text =
        "# kind, canonical name, spelling, why; take a ? away to accept a proposal\n".to_owned();
    for name in joined {
        for spelling in &name.spellings {
            text.push_str(&line_to_edit(
                kind_of(name.table),
                &name.name,
                spelling,
                true,
            ));
        }
    }

    for name in proposed {
        text.push_str(&line_to_edit(
            kind_of(name.table),
            &name.name,
            &name.spelling,
            false,
        ));
    }
    text
}

/// The line of a spelling in the table to edit.
fn line_to_edit(
    kind: NameKind,
    canonical: &str,
    spelling: &FoundSpelling,
    is_accepted: bool,
) -> String {
    let games = format!("games {} {}", spelling.games, years(spelling, "-"));
    let why = format!("{}; {}", spelling.reason(), games.trim_end());

    write_name_row(&NameRow {
        kind,
        canonical: canonical.to_owned(),
        spelling: spelling.text.clone(),
        is_accepted,
        why,
    })
}

/// A name as JSON.
#[derive(Serialize)]
struct Record<'n> {
    kind: &'static str,
    name: &'n str,
    certain: bool,
    spellings: Vec<Spelling<'n>>,
}

/// A spelling as JSON, with the source and the reasons of its canonical name.
#[derive(Serialize)]
struct Spelling<'n> {
    spelling: &'n str,
    games: u32,
    first_year: Option<u16>,
    last_year: Option<u16>,
    source: &'n str,
    why: Vec<&'n str>,
}

impl<'n> Record<'n> {
    /// A certain name, with all of its spellings.
    fn joined(name: &'n JoinedName) -> Record<'n> {
        let spellings = name.spellings.iter().map(Spelling::new).collect();
        Record {
            kind: name.table.as_str(),
            name: &name.name,
            certain: true,
            spellings,
        }
    }

    /// A proposed name, with a single spelling.
    fn proposed(name: &'n ProposedName) -> Record<'n> {
        let spellings = vec![Spelling::new(&name.spelling)];
        Record {
            kind: name.table.as_str(),
            name: &name.name,
            certain: false,
            spellings,
        }
    }
}

/// The year; `None` for 0, which means that no game has a date.
fn known_year(year: u16) -> Option<u16> {
    if year == 0 { None } else { Some(year) }
}

impl<'n> Spelling<'n> {
    fn new(found: &'n FoundSpelling) -> Spelling<'n> {
        // Splitting an empty text returns one empty part.
        let mut why: Vec<&str> = found.why.split(", ").collect();
        why.retain(|reason| !reason.is_empty());

        Spelling {
            spelling: &found.text,
            games: found.games,
            first_year: known_year(found.first_year),
            last_year: known_year(found.last_year),
            source: &found.source,
            why,
        }
    }
}
