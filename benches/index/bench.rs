//! Shared state of the parts: arguments, the file, its database and the positions to look up, each created on first
//! use.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Parser, ValueEnum};
use stamma::import::ImportOptions;
use tempfile::TempDir;

use super::samples::Samples;
use super::stored::{event_tags, import_file};
use crate::peer::corpus_file;

/// The parts to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    Size,
    Import,
    Peers,
    Memory,
    Lookups,
    Exactness,
    Growth,
    Update,
}

/// Another program that imports a file.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) command: String,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Peer, String> {
        match text.split_once('=') {
            Some((name, command)) if command.contains("{pgn}") => Ok(Peer {
                name: name.to_owned(),
                command: command.to_owned(),
            }),
            _ => Err("give a peer like 'copy=cp {pgn} {out}'".to_owned()),
        }
    }
}

#[derive(Debug, Parser)]
pub(crate) struct Arguments {
    /// The file of the corpus
    #[arg(long, default_value = "human.pgn")]
    pub(crate) file: String,
    /// The file that growth and update are measured with; its first games are in files like
    /// archive-10k.pgn and archive-100k.pgn
    #[arg(long, default_value = "archive.pgn")]
    pub(crate) growth: String,
    /// How often each program runs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// What is measured (default: everything)
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) only: Vec<Part>,
    /// Another program to import the file, as a line for the shell
    #[arg(long = "peer", value_name = "NAME=COMMAND")]
    pub(crate) peers: Vec<Peer>,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    pub(crate) bench: bool,
}

pub(crate) struct Bench {
    arguments: Arguments,
    /// The file of the corpus.
    pub(crate) pgn: PathBuf,
    /// The files of growth, the smallest first.
    pub(crate) steps: [PathBuf; 3],
    folder: TempDir,
    games: OnceCell<u64>,
    database: OnceCell<PathBuf>,
    samples: OnceCell<Samples>,
}

impl Bench {
    /// `None` without a corpus.
    pub(crate) fn new(arguments: Arguments) -> Option<Bench> {
        let pgn = corpus_file(&arguments.file)?;
        let stem = arguments.growth.trim_end_matches(".pgn");
        let step = |size: &str| corpus_file(&format!("{stem}{size}.pgn"));
        let steps = [step("-10k")?, step("-100k")?, step("")?];
        Some(Bench {
            arguments,
            pgn,
            steps,
            folder: tempfile::tempdir().expect("a temporary folder"),
            games: OnceCell::new(),
            database: OnceCell::new(),
            samples: OnceCell::new(),
        })
    }

    pub(crate) fn wants(&self, part: Part) -> bool {
        self.arguments.only.is_empty() || self.arguments.only.contains(&part)
    }

    pub(crate) fn runs(&self) -> u32 {
        self.arguments.runs
    }

    pub(crate) fn peers(&self) -> &[Peer] {
        &self.arguments.peers
    }

    /// The number of games in the file.
    pub(crate) fn games(&self) -> u64 {
        *self.games.get_or_init(|| event_tags(&read(&self.pgn)))
    }

    /// A database of the file.
    pub(crate) fn database(&self) -> &Path {
        self.database.get_or_init(|| {
            let database = self.folder.path().join("games.db");
            import_file(&self.pgn, &database, ImportOptions::default());
            database
        })
    }

    /// Positions to look up in the database, with the games that reach them.
    pub(crate) fn samples(&self) -> &Samples {
        self.samples.get_or_init(|| Samples::draw(&read(&self.pgn)))
    }

    /// An empty folder, removed on drop.
    pub(crate) fn new_folder(&self) -> TempDir {
        tempfile::tempdir_in(self.folder.path()).expect("a temporary folder")
    }
}

/// The bytes of a file of the corpus.
pub(crate) fn read(pgn: &Path) -> Vec<u8> {
    fs::read(pgn).unwrap_or_else(|error| panic!("{}: {error}", pgn.display()))
}
