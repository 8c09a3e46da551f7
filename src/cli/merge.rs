//! `stamma merge`: appends the games of databases to a database.

use std::path::{Path, PathBuf};

use super::progress::Progress;
use super::same_file::is_same_file;
use super::{Outcome, WritableDatabase, args, say};
use stamma::error::{Error, Result};
use stamma::maintenance::{MergeSummary, merge};
use stamma::report::counted;
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Merge) -> Result<Outcome> {
    let path = &arguments.database;
    for other in &arguments.others {
        if is_same_file(other, path) {
            return Err(Error::MergedIntoItself(path.to_owned()));
        }
    }

    // An unreadable database is reported before the target is created or changed.
    let others = open_all(&arguments.others)?;
    let mut games = 0;
    for other in &others {
        games += other.count_games()?;
    }

    let opened = Database::open_or_create(path)?;
    let mut database = WritableDatabase::new(opened);
    let progress = Progress::of_games(games);
    let show = |games| progress.show_games(games);
    let merged = merge(&mut database, &others, arguments.memory, show);
    progress.finish();

    for (other, merged) in arguments.others.iter().zip(&merged?) {
        report(other, merged);
    }
    Ok(Outcome::Done)
}

/// Opens the databases to append. Their imports must be complete, since games that are not indexed cannot be appended.
fn open_all(paths: &[PathBuf]) -> Result<Vec<Database>> {
    let mut databases = Vec::with_capacity(paths.len());
    for path in paths {
        databases.push(Database::open_read_only(path)?);
    }

    for database in &databases {
        if database.unindexed_games()? > 0 {
            return Err(Error::ImportUnfinished(database.path().to_owned()));
        }
    }
    Ok(databases)
}

/// Reports the games that were appended from a database, and its skipped sources.
fn report(path: &Path, merged: &MergeSummary) {
    let path = path.display();
    for source in &merged.passed_over {
        say!("{path}: {source}: already imported, skipped");
    }

    let games = counted(merged.games, "game", "games");
    let sources = counted(merged.sources.len() as u64, "source", "sources");
    let indexed_again = if merged.indexed == 0 {
        String::new()
    } else {
        let indexed = counted(merged.indexed, "game", "games");
        format!("; {indexed} indexed again")
    };
    say!("{path}: {games} of {sources} taken{indexed_again}");
}
