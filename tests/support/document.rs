//! What a document shows: its blocks of code under their headings, and running its commands as a shell does.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::program::Workplace;

/// A heading of the third level with the blocks of code below it.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) heading: &'static str,
    blocks: Vec<(&'static str, &'static str)>,
}

impl Shown {
    /// The text of the first block of a kind.
    pub(crate) fn block(&self, kind: &str) -> Option<&'static str> {
        self.blocks.iter().find(|block| block.0 == kind).map(|block| block.1)
    }

    /// Each block of commands with what is shown to come of it, if that is shown.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let blocks = self.blocks.iter().enumerate().filter(|(_, block)| block.0 == "sh");
        blocks.map(|(at, block)| {
            let next = self.blocks.get(at + 1).filter(|next| next.0 == "text");
            (block.1, next.map(|next| next.1))
        })
    }
}

/// What stands under the headings of the third level in a part of a document.
pub(crate) fn shown(part: &'static str) -> Vec<Shown> {
    let sections = part.split("\n### ").skip(1);
    let shown = sections.map(|section| {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        Shown { heading, blocks: blocks(body) }
    });
    shown.collect()
}

fn blocks(body: &'static str) -> Vec<(&'static str, &'static str)> {
    // Fences come in pairs, so that every second part is code.
    let code = body.split("```").skip(1).step_by(2);
    code.map(|code| code.split_once('\n').expect("a line for the kind")).collect()
}

/// Runs commands in a folder as a shell does, with the program in its path.
pub(crate) fn run(work: &Workplace, commands: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_stamma"));
    let folder = program.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let shell = shell.current_dir(work.path("")).env("PATH", path).args(["-c", commands]);
    shell.output().expect("a shell")
}

/// What commands print that end well.
pub(crate) fn printed(work: &Workplace, commands: &str) -> String {
    let output = run(work, commands);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{commands}\n{messages}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
