//! `stamma completions` and `stamma man`

use std::fs;
use std::io::{self, Write};

use clap::{Arg, Command, CommandFactory, ValueHint};

use super::{Outcome, args};
use crate::error::{Error, Result};

/// Prints what a shell needs to complete commands.
pub(super) fn complete(arguments: &args::Completions) -> Result<Outcome> {
    let mut script = Vec::new();
    let mut program = completed(args::Arguments::command());
    clap_complete::generate(arguments.shell, &mut program, "stamma", &mut script);
    io::stdout().write_all(&script).map_err(Error::Output)?;
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
    let command = args::Arguments::command();
    match &arguments.output {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(Error::file(folder))?;
            clap_mangen::generate_to(command, folder).map_err(Error::file(folder))?;
        }
        None => {
            let page = clap_mangen::Man::new(explained(command, arguments.command.as_deref())?);
            page.render(&mut io::stdout()).map_err(Error::Output)?;
        }
    }
    Ok(Outcome::Done)
}

/// A command with the name that its page has; the program itself when none is named.
fn explained(program: Command, name: Option<&str>) -> Result<Command> {
    // As `generate_to` has it: `help` needs no page, and names like `stamma-search` are made by building.
    let mut program = program.disable_help_subcommand(true);
    program.build();
    match name {
        None => Ok(program),
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| Error::NoSuchCommand(name.to_owned()))
        }
    }
}
