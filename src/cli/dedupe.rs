//! `stamma dedupe`

mod groups;

use std::collections::BTreeMap;

use super::args::{self, Copy};
use super::delete::confirm;
use super::forget::find;
use super::progress::Progress;
use super::{Failure, Outcome, open_to_ask, open_to_write, say};
use stamma::error::Result;
use stamma::maintenance::{DuplicateOptions, Duplicates, MergedGroup, PreferredCopy};
use stamma::report::{counted, grouped};
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Dedupe) -> Result<Outcome, Failure> {
    arguments.check()?;
    if arguments.undo {
        undo(arguments)?;
    } else if arguments.dry_run {
        show(arguments)?;
    } else {
        mark(arguments)?;
    }
    Ok(Outcome::Done)
}

fn undo(arguments: &args::Dedupe) -> Result<()> {
    let database = open_to_write(&arguments.database)?;
    let unmarked = database.unmark_duplicates()?;
    let tags = match unmarked.tags {
        0 => String::new(),
        tags => format!("; {} as before", counted(tags, "tag is", "tags are")),
    };
    say!(
        "{} unmarked{tags}",
        counted(unmarked.games, "game", "games")
    );
    if unmarked.tags_of_deleted_games > 0 {
        let tags = counted(unmarked.tags_of_deleted_games, "tag", "tags");
        say!("{tags} from deleted duplicates not taken back");
    }
    Ok(())
}

fn show(arguments: &args::Dedupe) -> Result<(), Failure> {
    let database = open_to_ask(&arguments.database)?;
    let options = options(&database, arguments)?;
    let progress = Progress::of_games(0);
    let found = database.find_duplicates(&options, |done, all| progress.show_games_of(done, all));
    progress.finish();
    let found = found?;
    groups::write(&database, &found, &options, arguments)?;
    report(&found, "would be marked", "would be filled");
    if arguments.delete {
        say!(
            "{} would be deleted",
            counted(found.marked().len(), "game", "games")
        );
    }
    Ok(())
}

fn mark(arguments: &args::Dedupe) -> Result<(), Failure> {
    let database = open_to_write(&arguments.database)?;
    let options = options(&database, arguments)?;
    let progress = Progress::of_games(0);
    let found = database.mark_duplicates(&options, |done, all| progress.show_games_of(done, all));
    progress.finish();
    let found = found?;
    let listed = groups::write(&database, &found, &options, arguments);
    report(&found, "marked", "filled");
    if arguments.delete {
        return delete(&database, &found, listed, arguments);
    }
    if !found.groups.is_empty() {
        advise(arguments);
    }
    Ok(listed?)
}

/// Deletes the marked games; without `--yes`, only after their groups have been listed.
fn delete(
    database: &Database,
    found: &Duplicates,
    listed: Result<()>,
    arguments: &args::Dedupe,
) -> Result<(), Failure> {
    let games = found.marked();
    let listed = if arguments.yes {
        listed
    } else {
        listed?;
        confirm(games.len(), found.games)?;
        Ok(())
    };
    say!(
        "{} deleted",
        counted(database.delete_duplicates(&games)?, "game", "games")
    );
    Ok(listed?)
}

fn options(database: &Database, arguments: &args::Dedupe) -> Result<DuplicateOptions, Failure> {
    let preferred = match &arguments.prefer {
        None => None,
        Some(Copy::By(copy)) => Some(copy.clone()),
        Some(Copy::Source(name)) => {
            let mut sources = find(&database.sources()?, name)?;
            sources.sort_unstable();
            Some(PreferredCopy::Source(sources))
        }
    };
    Ok(DuplicateOptions {
        preferred,
        merge_tags: arguments.merge_tags,
    })
}

/// Says in numbers what has been found.
fn report(found: &Duplicates, marked: &str, filled: &str) {
    let games = counted(found.games, "game", "games");
    match found.compared {
        compared if compared == found.games => say!("{games} compared"),
        compared => say!(
            "{} of {games} new or changed, and compared with all",
            grouped(compared)
        ),
    }
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for group in &found.groups {
        let (groups, games) = kinds.entry(&group.kind).or_default();
        *groups += 1;
        *games += group.duplicates.len() as u64;
    }
    let groups = counted(found.groups.len() as u64, "group", "groups");
    say!(
        "{} in {groups} {marked}",
        counted(found.marked().len(), "duplicate", "duplicates")
    );
    for (kind, (groups, games)) in kinds {
        let groups = counted(groups, "group", "groups");
        say!(
            "  {kind:<8} {groups}, {}",
            counted(games, "duplicate", "duplicates")
        );
    }
    report_tags(&found.merged, filled);
}

fn report_tags(merged: &[MergedGroup], are_filled: &str) {
    let mut filled: BTreeMap<&str, u64> = BTreeMap::new();
    let mut conflicts: BTreeMap<&str, u64> = BTreeMap::new();
    for group in merged {
        group
            .filled
            .iter()
            .for_each(|tag| *filled.entry(&tag.tag).or_default() += 1);
        group
            .conflicts
            .iter()
            .for_each(|tag| *conflicts.entry(&tag.tag).or_default() += 1);
    }
    for (tags, what) in [
        (filled, are_filled),
        (conflicts, "differ and stay as they are"),
    ] {
        if !tags.is_empty() {
            let all = counted(tags.values().sum(), "tag", "tags");
            say!("{all} {what}: {}", most(tags));
        }
    }
}

/// How many tags are named.
const NAMED_TAGS: usize = 6;

/// The most frequent tags with their numbers.
fn most(tags: BTreeMap<&str, u64>) -> String {
    let mut tags: Vec<(&str, u64)> = tags.into_iter().collect();
    tags.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest: u64 = tags.iter().skip(NAMED_TAGS).map(|(_, count)| count).sum();
    let named = tags
        .iter()
        .take(NAMED_TAGS)
        .map(|(tag, count)| format!("{tag} {}", grouped(*count)));
    let mut named: Vec<String> = named.collect();
    if rest > 0 {
        named.push(format!("others {}", grouped(rest)));
    }
    named.join(", ")
}

/// Says how to look at the marks.
fn advise(arguments: &args::Dedupe) {
    let path = arguments.database.display();
    if arguments.format.is_none() {
        say!("`stamma dedupe {path} --format table` lists the groups");
    }
    say!("--unique leaves marked games out of searches and exports; --undo takes the marks back");
}
