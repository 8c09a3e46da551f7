//! `stamma merge`

use std::path::Path;

use super::progress::Progress;
use super::same_file::is_same_file;
use super::{Outcome, WritableDatabase, args, say};
use stamma::error::{Error, Result};
use stamma::maintenance::{Merged, merge};
use stamma::report::counted;
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Merge) -> Result<Outcome> {
    let path = &arguments.database;
    if arguments
        .others
        .iter()
        .any(|other| is_same_file(other, path))
    {
        return Err(Error::MergedIntoItself(path.to_owned()));
    }
    // An unreadable database is reported before any other is created or changed.
    let open = |other: &std::path::PathBuf| Database::open_read_only(other);
    let others: Vec<Database> = arguments.others.iter().map(open).collect::<Result<_>>()?;
    for other in &others {
        if other.unindexed_games()? > 0 {
            return Err(Error::ImportUnfinished(other.path().to_owned()));
        }
    }
    let games = others
        .iter()
        .map(Database::count_games)
        .sum::<Result<u64>>()?;
    let mut database = Database::open_or_create(path).map(WritableDatabase::new)?;
    let progress = Progress::of_games(games);
    let merged = merge(&mut database, &others, arguments.memory, |games| {
        progress.show_games(games)
    });
    progress.finish();
    for (other, merged) in arguments.others.iter().zip(&merged?) {
        report(other, merged);
    }
    Ok(Outcome::Done)
}

fn report(path: &Path, merged: &Merged) {
    let path = path.display();
    for source in &merged.passed_over {
        say!("{path}: {source}: already imported, skipped");
    }
    let sources = counted(merged.sources.len() as u64, "source", "sources");
    let again = match merged.indexed {
        0 => String::new(),
        games => format!("; {} indexed again", counted(games, "game", "games")),
    };
    say!(
        "{path}: {} of {sources} taken{again}",
        counted(merged.games, "game", "games")
    );
}
