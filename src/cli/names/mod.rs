//! `stamma names`: joins the spellings of names.

mod lists;

use std::io::{self, Read};
use std::path::Path;

use super::args::{self, Applied};
use super::{Failure, Outcome, activity, file_error, open_for_queries, open_to_write, say};
use stamma::cleaning::names::{NameList, NameRow, decode_names, read_name_table};
use stamma::error::{Error, Result};
use stamma::maintenance::{AppliedTable, NameOptions, Names, table_of};
use stamma::report::{counted, grouped};
use stamma::storage::{Database, NameTable};

pub(super) fn run(arguments: &args::Names) -> Result<Outcome, Failure> {
    arguments.check()?;

    if arguments.undo {
        undo(arguments)?;
        return Ok(Outcome::Done);
    }
    match arguments.applied() {
        Applied::Table(path) => apply_table(arguments, path)?,
        Applied::Certain if !arguments.dry_run => apply(arguments)?,
        Applied::Certain | Applied::Nothing => show(arguments)?,
    }
    Ok(Outcome::Done)
}

/// Reads the list of names in a file.
pub(super) fn read_list(path: &Path) -> Result<NameList> {
    let bytes = std::fs::read(path).map_err(file_error(path))?;
    let list = NameList::read(&bytes);
    list.map_err(|source| Error::NameList {
        path: path.to_owned(),
        source,
    })
}

/// Removes canonical names.
fn undo(arguments: &args::Names) -> Result<()> {
    let database = open_to_write(&arguments.database)?;
    let removed = database.remove_names(&arguments.tables())?;
    say!(
        "{} as written again",
        counted(removed, "name is", "names are")
    );
    Ok(())
}

/// Assigns the canonical names of a table, or reports the changes with `--dry-run`.
fn apply_table(arguments: &args::Names, path: &Path) -> Result<()> {
    let rows = read_rows(path)?;

    let changes = if arguments.dry_run {
        open_for_queries(&arguments.database)?.compare_name_table(&rows)?
    } else {
        open_to_write(&arguments.database)?.apply_name_table(&rows)?
    };
    report_table(&changes, arguments.dry_run);

    let round_count = rows
        .iter()
        .filter(|row| table_of(row.kind).is_none())
        .count();
    if round_count > 0 {
        let rounds = counted(round_count as u64, "round", "rounds");
        say!("{rounds} passed over: rounds have no canonical names of their own");
    }
    Ok(())
}

/// Reports the changes by a table, or, in a dry run, the changes that it would make.
fn report_table(changes: &AppliedTable, is_dry_run: bool) {
    let given = if is_dry_run {
        "would be given"
    } else {
        "given"
    };
    let spellings = counted(changes.present, "spelling", "spellings");
    let names = counted(changes.names, "canonical name", "canonical names");
    say!("{spellings} {given} {names}");

    if changes.removed > 0 {
        let lacked = counted(
            changes.removed,
            "spelling that the table lacks",
            "spellings that the table lacks",
        );
        say!("{lacked}: as written again");
    }
    if changes.absent > 0 {
        let absent = counted(changes.absent, "spelling is", "spellings are");
        say!("{absent} in no game yet");
    }
}

/// The rows of a table, from a file or standard input.
fn read_rows(path: &Path) -> Result<Vec<NameRow>> {
    let bytes = read_bytes(path).map_err(file_error(path))?;
    let rows = read_name_table(&decode_names(&bytes));
    rows.map_err(|error| Error::NameList {
        path: path.to_owned(),
        source: error.into(),
    })
}

/// The bytes of a file; `-` is standard input.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }

    // While the command waits for a user's input, no progress is shown.
    activity::end();
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The options of the search for canonical names.
fn options(arguments: &args::Names) -> Result<NameOptions> {
    let list = match &arguments.names_file {
        Some(path) => Some(read_list(path)?),
        None => None,
    };

    Ok(NameOptions {
        tables: arguments.tables(),
        list,
    })
}

/// Assigns all certain names.
fn apply(arguments: &args::Names) -> Result<()> {
    let options = options(arguments)?;
    let database = open_to_write(&arguments.database)?;
    let names = database.apply_names(&options)?;

    lists::write(&names, arguments.listed(), arguments.limit())?;
    report(&names, &options.tables, "joined");
    say!("--undo takes them back; `stamma export --names canonical` writes them");
    Ok(())
}

/// Lists certain and proposed names, and changes nothing.
fn show(arguments: &args::Names) -> Result<()> {
    let options = options(arguments)?;
    let database = open_for_queries(&arguments.database)?;
    let names = database.find_names(&options)?;

    lists::write(&names, arguments.listed(), arguments.limit())?;
    report(&names, &options.tables, "would be joined");
    advise(&database, arguments)
}

/// Reports the numbers of spellings and names, a line for each table. `verb` is the verb of the spellings: `joined` or
/// `would be joined`.
fn report(names: &Names, tables: &[NameTable], verb: &str) {
    for (table, spellings) in NameTable::ALL.into_iter().zip(names.spellings) {
        if !tables.contains(&table) {
            continue;
        }

        let mut joined_names = 0;
        let mut joined_spellings = 0;
        for joined in &names.joined {
            if joined.table == table {
                joined_names += 1;
                joined_spellings += joined.spellings.len() as u64;
            }
        }

        let proposed = names
            .proposed
            .iter()
            .filter(|proposed| proposed.table == table)
            .count();
        let proposals = if proposed == 0 {
            String::new()
        } else {
            format!(", {}", counted(proposed as u64, "proposal", "proposals"))
        };

        say!(
            "{:<6} {} of {} {verb} to {}{proposals}",
            table.as_str(),
            grouped(joined_spellings),
            counted(spellings, "spelling", "spellings"),
            counted(joined_names, "name", "names"),
        );
    }
}

/// Suggests the next commands.
fn advise(database: &Database, arguments: &args::Names) -> Result<()> {
    let path = arguments.database.display();
    let is_deduped = database.preferred_copy()?.is_some();
    if !is_deduped && arguments.tables().contains(&NameTable::Player) {
        say!(
            "`stamma dedupe {path}` first finds games under two spellings, which tell of more players"
        );
    }

    say!(
        "--apply takes what is certain; --format tsv writes a table to edit, which --apply FILE takes"
    );
    Ok(())
}
