//! Parses the Markdown pages: their fenced blocks, and the examples in these.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::program::Workplace;

/// The README, and all pages of the book.
pub(crate) fn markdown_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A fenced block, or a comment `<!-- console … -->`, which is run like one but not shown.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    /// The first word after the fence; empty if there is none.
    pub(crate) language: &'a str,
    /// The name after `file=`.
    pub(crate) file: Option<&'a str>,
    /// The number of its first line in the page, from 0.
    pub(crate) at: usize,
    pub(crate) lines: Vec<&'a str>,
}

impl Block<'_> {
    /// The text, with a final line break.
    pub(crate) fn body(&self) -> String {
        self.lines.join("\n") + "\n"
    }
}

/// The blocks of a page, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        // A comment hides a block from readers of the page, and its commands are run all the same.
        let (info, end) = match (line.strip_prefix("```"), line.strip_prefix("<!-- ")) {
            (Some(info), _) => (info, "```"),
            (None, Some(info @ "console")) => (info, "-->"),
            _ => continue,
        };

        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        let file = words.find_map(|word| word.strip_prefix("file="));
        let rest = lines.by_ref().map(|(_, line)| line);
        blocks.push(Block {
            language,
            file,
            at: at + 1,
            lines: rest.take_while(|line| *line != end).collect(),
        });
    }
    blocks
}

/// A step of a page's example.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// A block with a file name, to be written to that file.
    File { name: &'a str, content: String },
    /// A command with its shown output, which begins at a line of the page.
    Command {
        text: String,
        shown: Vec<&'a str>,
        at: usize,
    },
}

/// The files and commands of a page, in order.
pub(crate) fn steps<'a>(blocks: &[Block<'a>]) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        match (block.file, block.language) {
            (Some(name), _) => steps.push(Step::File {
                name,
                content: block.body(),
            }),
            (None, "console") => steps.extend(commands(block)),
            (None, "sql") => steps.push(sql(block, blocks.get(number + 1))),
            _ => {}
        }
    }
    steps
}

/// SQL, with the rows shown in the text block after it.
fn sql<'a>(block: &Block<'a>, next: Option<&Block<'a>>) -> Step<'a> {
    let text = format!("stamma sql --write games.db - <<'SQL'\n{}SQL", block.body());
    let rows = next.filter(|next| next.language == "text");
    let shown = rows.map(|rows| rows.lines.clone()).unwrap_or_default();
    Step::Command {
        text,
        shown,
        at: rows.map_or(block.at, |rows| rows.at),
    }
}

/// The commands of a block: lines that begin with `$ `, and their continuation lines, which begin with `> `.
fn commands<'a>(block: &Block<'a>) -> Vec<Step<'a>> {
    let mut commands: Vec<(String, Vec<&'a str>, usize)> = Vec::new();
    for (number, line) in block.lines.iter().enumerate() {
        let next = block.at + number + 1;
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new(), next)),
            (None, None) => panic!("a console block begins with a command: {line}"),
            (None, Some((command, shown, at))) => match line.strip_prefix("> ") {
                // Behind output, `> ` is output.
                Some(more) if shown.is_empty() => {
                    *command += "\n";
                    *command += more;
                    *at = next;
                }
                _ => shown.push(line),
            },
        }
    }

    let mut steps = Vec::new();
    for (text, mut shown, at) in commands {
        // A blank line before the next command is not output.
        while shown.last().is_some_and(|line| line.is_empty()) {
            shown.pop();
        }
        steps.push(Step::Command { text, shown, at });
    }
    steps
}

/// Runs commands in a folder through a shell, with the program in its path.
pub(crate) fn run(work: &Workplace, commands: &str) -> Output {
    // The page calls the program by its name alone.
    let program = Path::new(env!("CARGO_BIN_EXE_stamma"));
    let folder = program.parent().expect("a folder").display();
    let old_path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{folder}:{old_path}");

    // The home of the user must not have an influence, and must not be written to.
    let home = work.path("");
    let mut shell = Command::new("bash");
    shell.current_dir(&home);
    shell.env("PATH", path);
    shell.env("HOME", &home);
    shell.args(["-c", commands]);
    shell.output().expect("a shell")
}
