//! `stamma names`

mod lists;

use std::io::Read;
use std::path::Path;

use super::args::{self, Applied};
use super::{Failure, Outcome, activity, file_error, open_to_ask, open_to_write, say};
use stamma::cleaning::names::{NameList, NameRow, decode_names, read_name_table};
use stamma::error::{Error, Result};
use stamma::maintenance::{AppliedTable, NameOptions, Names};
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

/// Reads a list of names that the user gives.
pub(super) fn read_list(path: &Path) -> Result<NameList> {
    let bytes = std::fs::read(path).map_err(file_error(path))?;
    NameList::read(&bytes).map_err(|source| Error::NameList {
        path: path.to_owned(),
        source,
    })
}

fn undo(arguments: &args::Names) -> Result<()> {
    let database = open_to_write(&arguments.database)?;
    let removed = database.remove_names(&arguments.tables())?;
    say!(
        "{} as written again",
        counted(removed, "name is", "names are")
    );
    Ok(())
}

fn apply_table(arguments: &args::Names, path: &Path) -> Result<()> {
    let rows = read_rows(path)?;
    let (applied, given) = if arguments.dry_run {
        (
            open_to_ask(&arguments.database)?.compare_name_table(&rows)?,
            "would be given",
        )
    } else {
        (
            open_to_write(&arguments.database)?.apply_name_table(&rows)?,
            "given",
        )
    };
    let AppliedTable {
        present,
        absent,
        names,
        removed,
    } = applied;
    say!(
        "{} {given} {}",
        counted(present, "spelling", "spellings"),
        canonical(names)
    );
    if removed > 0 {
        let one = counted(
            removed,
            "spelling that the table lacks",
            "spellings that the table lacks",
        );
        say!("{one}: as written again");
    }
    if absent > 0 {
        say!(
            "{} in no game yet",
            counted(absent, "spelling is", "spellings are")
        );
    }
    let rounds = rows
        .iter()
        .filter(|row| stamma::maintenance::table_of(row.kind).is_none())
        .count();
    if rounds > 0 {
        say!(
            "{} passed over: rounds have no canonical names of their own",
            counted(rounds as u64, "round", "rounds")
        );
    }
    Ok(())
}

/// The rows of a table, from a file or standard input.
fn read_rows(path: &Path) -> Result<Vec<NameRow>> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        activity::end();
        std::io::stdin().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    read.map_err(file_error(path))?;
    let fail = |source| Error::NameList {
        path: path.to_owned(),
        source,
    };
    read_name_table(&decode_names(&bytes)).map_err(|error| fail(error.into()))
}

fn options(arguments: &args::Names) -> Result<NameOptions> {
    let list = arguments.names_file.as_deref().map(read_list).transpose()?;
    Ok(NameOptions {
        tables: arguments.tables(),
        list,
    })
}

fn apply(arguments: &args::Names) -> Result<()> {
    let options = options(arguments)?;
    let database = open_to_write(&arguments.database)?;
    let names = database.apply_names(&options)?;
    lists::write(&names, arguments.listed(), arguments.limit())?;
    report(&names, &options.tables, "joined");
    say!("--undo takes them back; `stamma export --names canonical` writes them");
    Ok(())
}

fn show(arguments: &args::Names) -> Result<()> {
    let options = options(arguments)?;
    let database = open_to_ask(&arguments.database)?;
    let names = database.find_names(&options)?;
    lists::write(&names, arguments.listed(), arguments.limit())?;
    report(&names, &options.tables, "would be joined");
    advise(&database, arguments)
}

/// Says in numbers what has been found.
fn report(names: &Names, tables: &[NameTable], joined: &str) {
    for (table, spellings) in NameTable::ALL.into_iter().zip(names.spellings) {
        if !tables.contains(&table) {
            continue;
        }
        let of_table = || names.joined.iter().filter(|joined| joined.table == table);
        let all: usize = of_table().map(|joined| joined.spellings.len()).sum();
        let proposed = names
            .proposed
            .iter()
            .filter(|proposed| proposed.table == table)
            .count();
        let proposals = match proposed {
            0 => String::new(),
            proposed => format!(", {}", counted(proposed as u64, "proposal", "proposals")),
        };
        say!(
            "{:<6} {} of {} {joined} to {}{proposals}",
            table.as_str(),
            grouped(all as u64),
            counted(spellings, "spelling", "spellings"),
            counted(of_table().count() as u64, "name", "names"),
        );
    }
}

fn canonical(names: u64) -> String {
    counted(names, "canonical name", "canonical names")
}

/// Says what to do next.
fn advise(database: &Database, arguments: &args::Names) -> Result<()> {
    let path = arguments.database.display();
    if database.preferred_copy()?.is_none() && arguments.tables().contains(&NameTable::Player) {
        say!(
            "`stamma dedupe {path}` first finds games under two spellings, which tell of more players"
        );
    }
    say!(
        "--apply takes what is certain; --format tsv writes a table to edit, which --apply FILE takes"
    );
    Ok(())
}
