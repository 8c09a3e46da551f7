//! Manual pages: the sections of clap_mangen, with a custom synopsis and examples.

use std::io::{self, Write};

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};

/// Writes the page of a built command.
pub(super) fn write_page(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let version = format!("stamma {}", env!("CARGO_PKG_VERSION"));
    // An empty date would be omitted, and the version would take its place. So the date is a blank.
    let page = Man::new(command.clone())
        .date(" ")
        .source(version)
        .manual("Stamma");

    page.render_title(out)?;
    page.render_name_section(out)?;
    synopsis(command).to_writer(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if command.has_subcommands() {
        page.render_subcommands_section(out)?;
    }
    examples(command).to_writer(out)
}

/// The section with the usage line.
fn synopsis(command: &Command) -> Roff {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut line = vec![bold(name)];

    // As in usage lines, options come before positional arguments.
    let options = command.get_arguments().filter(|arg| !arg.is_positional());
    let arguments = options.chain(command.get_positionals());
    for arg in arguments.filter(|arg| !arg.is_hide_set()) {
        let (before, behind) = if arg.is_required_set() {
            ("", "")
        } else {
            ("[", "]")
        };
        line.extend([roman(" "), roman(before)]);
        line.extend(usage(arg));
        line.push(roman(behind));
    }
    if command.has_subcommands() {
        line.extend([roman(" "), italic("COMMAND")]);
    }

    let mut synopsis = Roff::new();
    synopsis.control("SH", ["SYNOPSIS"]).text(line);
    synopsis
}

/// An option with its value, or the value of a positional argument. Dots follow a value that can be repeated.
fn usage(arg: &Arg) -> Vec<Inline> {
    let mut usage = Vec::new();
    if let Some(long) = arg.get_long() {
        usage.push(bold(format!("--{long}")));
    }

    if arg.get_action().takes_values() {
        let space = if arg.is_positional() { "" } else { " " };
        let names = arg.get_value_names().unwrap_or_default().join(" ");
        let may_be_more = arg
            .get_num_args()
            .is_some_and(|count| count.max_values() > 1);
        let dots = if may_be_more { "..." } else { "" };
        usage.extend([roman(space), italic(names), roman(dots)]);
    }
    usage
}

/// The examples of the long help, line by line.
fn examples(command: &Command) -> Roff {
    let mut examples = Roff::new();
    let help = match command.get_after_long_help() {
        Some(help) => help.to_string(),
        None => String::new(),
    };
    let Some((_, lines)) = help.split_once("Examples:\n") else {
        return examples;
    };

    // Between `nf` and `fi`, roff keeps the line breaks.
    examples.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in lines.lines() {
        examples.text([roman(line.trim())]);
    }
    examples.control("fi", []);
    examples
}
