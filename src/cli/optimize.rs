//! `stamma optimize`: compacts the position index and the file.

use std::fs;
use std::path::Path;

use super::progress::Progress;
use super::terminal::size;
use super::{Outcome, args, file_error, open_to_write, say};
use stamma::error::Result;
use stamma::maintenance::{Rebuild, optimize};
use stamma::report::counted;

pub(super) fn run(arguments: &args::Optimize) -> Result<Outcome> {
    let path = &arguments.database;
    let mut database = open_to_write(path)?;
    let bytes_before = file_bytes(path)?;

    let progress = if arguments.quiet {
        Progress::none()
    } else {
        Progress::of_games(database.count_games()?)
    };
    let rebuild = if arguments.rebuild {
        Rebuild::Always
    } else {
        Rebuild::IfStale
    };
    let show = |games| progress.show_games(games);
    let optimized = optimize(&mut database, arguments.memory, rebuild, show);
    progress.finish();
    let renewed = optimized?;

    // Closing the database moves its log into the file, so the size is measured afterwards.
    drop(database);
    let bytes_after = file_bytes(path)?;

    if arguments.quiet {
        return Ok(Outcome::Done);
    }
    if renewed.games == 0 && bytes_after == bytes_before {
        say!("{}: nothing to do: the index is complete", path.display());
    } else {
        say!(
            "{}: {} indexed again; {} ({} before); {} ({} before)",
            path.display(),
            counted(renewed.games, "game", "games"),
            counted(renewed.segments as u64, "segment", "segments"),
            renewed.segments_before,
            size(bytes_after),
            size(bytes_before),
        );
    }
    Ok(Outcome::Done)
}

/// The size of a file in bytes.
fn file_bytes(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).map_err(file_error(path))?;
    Ok(metadata.len())
}
