//! `stamma completions` and `stamma man`: describe the commands to shells and readers.

mod page;

use std::fs;
use std::path::Path;

use clap::{Arg, Command, ValueHint};

use super::output::{OutputFile, print};
use super::{Failure, Outcome, args, file_error};
use page::write_page;
use stamma::error::{Error, Result};

/// Prints a shell's completions.
pub(super) fn complete(arguments: &args::Completions) -> Result<Outcome> {
    let mut program = program_for_shells();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "stamma", &mut script);
    print(script)?;
    Ok(Outcome::Done)
}

/// The program for completions: `man` completes the names of commands, and values of unknown kind do not complete
/// files.
fn program_for_shells() -> Command {
    let program = args::program();
    let names: Vec<String> = program
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    let with_pages = program.mut_subcommand("man", |man| {
        man.mut_arg("command", |arg| arg.value_parser(names))
    });

    with_pages.mut_subcommands(|command| command.mut_args(without_files))
}

/// The argument without completion of file names, unless its values are files.
fn without_files(arg: Arg) -> Arg {
    let takes_values = arg.get_action().takes_values();
    if takes_values && arg.get_value_hint() == ValueHint::Unknown {
        arg.value_hint(ValueHint::Other)
    } else {
        arg
    }
}

/// Prints a manual page, or writes all of them into a folder.
pub(super) fn explain(arguments: &args::Man) -> Result<Outcome, Failure> {
    // `help` needs no page; building the command creates names like `stamma-search`.
    let mut program = args::program().disable_help_subcommand(true);
    program.build();

    match &arguments.output {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(file_error(folder))?;
            write_pages(&program, folder)?;
        }
        None => {
            let command = named_command(&program, arguments.command.as_deref())?;
            let mut page = Vec::new();
            write_page(command, &mut page).map_err(Error::Output)?;
            print(page)?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes the pages of the program and of each command into a folder.
fn write_pages(program: &Command, folder: &Path) -> Result<()> {
    for command in program.get_subcommands().chain([program]) {
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));

        let mut page = OutputFile::create(&path)?;
        write_page(command, &mut page).map_err(Error::Output)?;
        page.finish(Outcome::Done)?;
    }
    Ok(())
}

/// The named command, by default the program itself.
fn named_command<'p>(program: &'p Command, name: Option<&str>) -> Result<&'p Command, Failure> {
    let Some(name) = name else { return Ok(program) };
    match program.find_subcommand(name) {
        Some(command) => Ok(command),
        None => Err(Failure::NoSuchCommand(name.to_owned())),
    }
}
