//! `stamma dedupe`: finds and marks duplicates.

mod groups;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::args::{self, Copy};
use super::delete::confirm;
use super::forget::find;
use super::progress::Progress;
use super::{Failure, Outcome, open_for_queries, open_to_write, say};
use stamma::error::Result;
use stamma::maintenance::{DuplicateOptions, Duplicates, MergedGroup, PreferredCopy};
use stamma::report::{counted, grouped};
use stamma::storage::{Database, DuplicateGroup, GameSet};

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

/// Removes all marks, and restores the merged tags.
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

/// Lists the duplicates, and changes nothing.
fn show(arguments: &args::Dedupe) -> Result<(), Failure> {
    let database = open_for_queries(&arguments.database)?;
    let options = options(&database, arguments)?;

    let progress = Progress::of_games(0);
    let show = |done, all| progress.show_games_of(done, all);
    let result = database.find_duplicates(&options, show);
    progress.finish();
    let found = result?;

    groups::write(&database, &found, &options, arguments)?;
    report(&found, "would be marked", "would be filled");
    if arguments.delete {
        let games = counted(found.marked().len(), "game", "games");
        say!("{games} would be deleted");
    }
    Ok(())
}

/// Marks the duplicates, and deletes them on request.
fn mark(arguments: &args::Dedupe) -> Result<(), Failure> {
    let database = open_to_write(&arguments.database)?;
    let options = options(&database, arguments)?;

    let progress = Progress::of_games(0);
    let show = |done, all| progress.show_games_of(done, all);
    let result = database.mark_duplicates(&options, show);
    progress.finish();
    let found = result?;

    // The games are marked even if the list cannot be written, so the marks are reported first.
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
    if !arguments.yes {
        listed?;
        confirm(games.len(), found.games)?;
        return Ok(delete_and_report(database, &games)?);
    }

    // With `--yes`, nobody has to read the list first; an error of writing it is reported after the deletion.
    delete_and_report(database, &games)?;
    Ok(listed?)
}

/// Deletes marked games, and reports their number.
fn delete_and_report(database: &Database, games: &GameSet) -> Result<()> {
    let deleted = database.delete_duplicates(games)?;
    say!("{} deleted", counted(deleted, "game", "games"));
    Ok(())
}

/// The options of the search for duplicates.
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

/// Prints the numbers of compared games, of duplicates and of merged tags. `marked` and `filled` are verbs for
/// duplicates and tags: `marked` or `would be marked`.
fn report(found: &Duplicates, marked: &str, filled: &str) {
    let games = counted(found.games, "game", "games");
    if found.compared == found.games {
        say!("{games} compared");
    } else {
        let compared = grouped(found.compared);
        say!("{compared} of {games} new or changed, and compared with all");
    }

    let duplicates = counted(found.marked().len(), "duplicate", "duplicates");
    let groups = counted(found.groups.len() as u64, "group", "groups");
    say!("{duplicates} in {groups} {marked}");

    report_kinds(&found.groups);
    report_tags(&found.merged, filled);
}

/// Prints the number of groups and of duplicates of each kind.
fn report_kinds(found: &[DuplicateGroup]) {
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for group in found {
        let (groups, duplicates) = kinds.entry(&group.kind).or_default();
        *groups += 1;
        *duplicates += group.duplicates.len() as u64;
    }

    for (kind, (groups, duplicates)) in kinds {
        let groups = counted(groups, "group", "groups");
        let duplicates = counted(duplicates, "duplicate", "duplicates");
        say!("  {kind:<8} {groups}, {duplicates}");
    }
}

/// Prints the number of tags that kept games received from duplicates, and of tags that differ. `are_filled` is the
/// verb for the former.
fn report_tags(merged: &[MergedGroup], are_filled: &str) {
    let mut filled: BTreeMap<&str, u64> = BTreeMap::new();
    let mut conflicts: BTreeMap<&str, u64> = BTreeMap::new();
    for group in merged {
        for tag in &group.filled {
            *filled.entry(&tag.tag).or_default() += 1;
        }
        for tag in &group.conflicts {
            *conflicts.entry(&tag.tag).or_default() += 1;
        }
    }

    say_tags(&filled, are_filled);
    say_tags(&conflicts, "differ and stay as they are");
}

/// Prints the number of tags, and the most frequent of them; `what` is the verb.
fn say_tags(counts: &BTreeMap<&str, u64>, what: &str) {
    if counts.is_empty() {
        return;
    }

    let all = counted(counts.values().sum(), "tag", "tags");
    say!("{all} {what}: {}", most_frequent(counts));
}

/// The maximum number of tags that are named.
const MAX_NAMED_TAGS: usize = 6;

/// The most frequent tags with their numbers, and the number of all others.
fn most_frequent(counts: &BTreeMap<&str, u64>) -> String {
    let mut tags = Vec::with_capacity(counts.len());
    for (&tag, &count) in counts {
        tags.push((tag, count));
    }
    // The sort is stable, so that tags with equal counts stay in the order of their names.
    tags.sort_by_key(|(_, count)| Reverse(*count));

    let mut named = Vec::new();
    let mut others = 0;
    for (place, (tag, count)) in tags.into_iter().enumerate() {
        if place < MAX_NAMED_TAGS {
            named.push(format!("{tag} {}", grouped(count)));
        } else {
            others += count;
        }
    }

    if others > 0 {
        named.push(format!("others {}", grouped(others)));
    }
    named.join(", ")
}

/// Prints the commands that list, use and remove the marks.
fn advise(arguments: &args::Dedupe) {
    let path = arguments.database.display();
    if arguments.format.is_none() {
        say!("`stamma dedupe {path} --format table` lists the groups");
    }
    say!("--unique leaves marked games out of searches and exports; --undo takes the marks back");
}
