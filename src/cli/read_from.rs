//! Options for the sources of games.

use std::io::{self, IsTerminal};
#[cfg(feature = "dataset")]
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use super::args::values::{bytes, memory};
#[cfg(feature = "dataset")]
use super::output::is_sqlite;
use super::say;
use stamma::error::Error;
use stamma::import::{Memory, ReadOptions, Tally};
use stamma::input::{Encoding, Input, UnpackLimits, find_inputs};
use stamma::report::counted;

/// Where games come from.
#[derive(Args, Debug)]
pub(super) struct ReadFrom {
    /// PGN files and archives, compressed or not; databases of Scid and ChessBase; folders that contain them; patterns
    /// like '*.pgn'; - for standard input
    paths: Vec<PathBuf>,
    /// Read files as streams instead of mapping them into memory
    #[arg(long)]
    no_mmap: bool,
    /// The memory limit, like 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(super) memory: Memory,
    /// The size limit of a game, or of a text between games; larger ones are skipped and reported (default: 16M, or a
    /// sixty-fourth of --memory if that is less)
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_game: Option<u64>,
    /// Leave out the games that a database of Scid or ChessBase marks as deleted (default: read them, with a D in the
    /// tag ScidFlags, or the tag ChessBaseFlags)
    #[arg(long)]
    skip_deleted: bool,
    /// The limit of disk space for an archive that must be unpacked to be read
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = bytes)]
    max_unpacked: u64,
}

impl ReadFrom {
    /// The paths as they were given.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The database, if the only path names one.
    ///
    /// # Errors
    /// If a database is named beside other paths.
    #[cfg(feature = "dataset")]
    pub(super) fn database(&self) -> Result<Option<&Path>, Error> {
        let Some(database) = self.paths.iter().find(|path| is_sqlite(path)) else {
            return Ok(None);
        };

        if self.paths.len() > 1 {
            return Err(Error::DatabaseAmongInputs(database.clone()));
        }
        Ok(Some(database.as_path()))
    }

    /// All sources, in order. Without paths, the source is standard input, unless it is a terminal. Errors in paths go
    /// to `failures`.
    pub(super) fn inputs(&self, failures: &mut Vec<Error>) -> Vec<Input> {
        // Without paths, a command at a terminal would wait for games that nobody types.
        if self.paths.is_empty() && io::stdin().is_terminal() {
            failures.push(Error::NoInput);
            return Vec::new();
        }

        let inputs = if self.paths.is_empty() {
            vec![Input::standard_input()]
        } else {
            find_inputs(&self.paths, failures)
        };

        let mut opened = Vec::with_capacity(inputs.len());
        for input in inputs {
            opened.push(self.with_options(input));
        }
        opened
    }

    /// A source with the options for reading.
    fn with_options(&self, input: Input) -> Input {
        let limits = UnpackLimits {
            disk_bytes: self.max_unpacked,
            window_bytes: self.memory.window_bytes(),
        };
        let opened = if self.no_mmap {
            input.as_stream()
        } else {
            input
        };

        let limited = opened.with_limits(limits);
        if self.skip_deleted {
            limited.without_deleted()
        } else {
            limited
        }
    }

    /// Reports the numbers of texts that are not games, and of games marked as deleted, in databases of other programs.
    pub(super) fn say_of_databases(&self, tally: &Tally) {
        if tally.foreign_texts > 0 {
            let texts = counted(
                tally.foreign_texts,
                "text is no game, and is",
                "texts are no games, and are",
            );
            say!("{texts} left out");
        }

        if tally.marked_deleted == 0 {
            return;
        }
        let games = counted(tally.marked_deleted, "game is", "games are");
        if self.skip_deleted {
            say!("{games} marked as deleted, and left out");
        } else {
            say!(
                "{games} marked as deleted, and read with this in the tag ScidFlags or ChessBaseFlags; --skip-deleted leaves them out"
            );
        }
    }

    /// The options for reading games. `encoding` is the encoding of all input without a byte order mark.
    pub(super) fn options(&self, encoding: Option<Encoding>) -> ReadOptions {
        let game_bytes = self.max_game.unwrap_or(self.memory.game_bytes());
        ReadOptions {
            encoding,
            game_bytes,
        }
    }
}
