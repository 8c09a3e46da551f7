//! `stamma completions` and `stamma man`

mod page;

use std::fs;
use std::path::Path;

use clap::{Arg, Command, CommandFactory, ValueHint};

use super::output::{OutputFile, print};
use super::{Outcome, args, file_error};
use page::write_page;
use stamma::error::{Error, Result};

/// Prints what a shell needs to complete commands.
pub(super) fn complete(arguments: &args::Completions) -> Result<Outcome> {
    let mut script = Vec::new();
    let mut program = completed(args::Arguments::command());
    clap_complete::generate(arguments.shell, &mut program, "stamma", &mut script);
    print(script)?;
    Ok(Outcome::Done)
}

/// The program with what shells need to know: which commands have pages, and which values are no files.
fn completed(program: Command) -> Command {
    let names: Vec<String> = program.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    program
        .mut_subcommand("man", |man| man.mut_arg("command", |arg| arg.value_parser(names)))
        .mut_subcommands(|command| command.mut_args(without_files))
}

fn without_files(arg: Arg) -> Arg {
    let takes_values = arg.get_action().takes_values();
    match takes_values && arg.get_value_hint() == ValueHint::Unknown {
        true => arg.value_hint(ValueHint::Other),
        false => arg,
    }
}

/// Prints a page for `man`, or writes all of them into a folder.
pub(super) fn explain(arguments: &args::Man) -> Result<Outcome> {
    // `help` needs no page, and names like `stamma-search` are made by building.
    let mut program = args::Arguments::command().disable_help_subcommand(true);
    program.build();
    match &arguments.output {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(file_error(folder))?;
            write_pages(&program, folder)?;
        }
        None => {
            let command = explained(&program, arguments.command.as_deref())?;
            let mut page = Vec::new();
            write_page(command, &mut page).map_err(Error::Output)?;
            print(page)?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes the page of each command, and that of the program, into a folder.
fn write_pages(program: &Command, folder: &Path) -> Result<()> {
    for command in program.get_subcommands().chain([program]) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));
        let mut page = OutputFile::create(&path)?;
        write_page(command, &mut page).map_err(Error::Output)?;
        page.finish(Outcome::Done)?;
    }
    Ok(())
}

/// The command that is named; the program itself when none is.
fn explained<'p>(program: &'p Command, name: Option<&str>) -> Result<&'p Command> {
    let Some(name) = name else { return Ok(program) };
    program.find_subcommand(name).ok_or_else(|| Error::NoSuchCommand(name.to_owned()))
}
