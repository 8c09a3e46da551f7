//! `stamma forget`

use std::path::{Component, Path};

use super::{Failure, Outcome, args, open_to_write, say};
use stamma::error::{Error, Result};
use stamma::report::counted;
use stamma::storage::{SourceId, SourceSummary};

/// The most similar paths that are suggested.
const MOST_SIMILAR: usize = 3;
/// The least similarity of a suggested name, 1 being equality.
const LEAST_LIKENESS: f64 = 0.8;

pub(super) fn run(arguments: &args::Forget) -> Result<Outcome, Failure> {
    let database = open_to_write(&arguments.database)?;
    let known = database.sources()?;
    let mut numbers: Vec<SourceId> = Vec::new();
    for name in &arguments.sources {
        // In the form that an import stores, also for a path that is not UTF-8.
        for number in find(&known, &name.to_string_lossy())? {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
    }
    let forgotten = database.forget_sources(&numbers)?;
    for source in &forgotten.sources {
        say!(
            "{}: {}, {} and {} removed",
            source.path,
            counted(source.games, "game", "games"),
            counted(source.problems, "problem", "problems"),
            counted(source.texts, "text between games", "texts between games"),
        );
    }
    if forgotten.names > 0 {
        let names = counted(forgotten.names, "name", "names");
        say!("{names} of players, events and sites removed that occur in no game");
    }
    say!("`stamma optimize` frees their space");
    Ok(Outcome::Done)
}

/// The numbers of the matching sources: one by its path or number, or all members of an archive or folder.
pub(super) fn find(known: &[SourceSummary], name: &str) -> Result<Vec<SourceId>, Failure> {
    let named: Vec<&SourceSummary> = known.iter().filter(|source| source.path == name).collect();
    let is_named = |number: SourceId| named.iter().any(|source| source.id == number);
    // A file that has grown is several sources; forgetting the first also forgets the others.
    let first = named
        .iter()
        .filter(|source| !source.continues.is_some_and(is_named));
    let numbers: Vec<SourceId> = first.map(|source| source.id).collect();
    match numbers[..] {
        [number] => return Ok(vec![number]),
        [] => {}
        _ => {
            let numbers = numbers.iter().map(SourceId::to_string).collect();
            return Err(Error::SeveralSources {
                name: name.to_owned(),
                numbers,
            }
            .into());
        }
    }
    let members: Vec<SourceId> = members(known, name).map(|source| source.id).collect();
    if !members.is_empty() {
        return Ok(members);
    }
    let by_number = known.iter().find(|source| name.parse() == Ok(source.id));
    by_number
        .map(|source| vec![source.id])
        .ok_or_else(|| Failure::NoSuchSource {
            name: name.to_owned(),
            similar: similar(known, name),
        })
}

/// The sources that come from an archive or a folder.
fn members<'k>(
    known: &'k [SourceSummary],
    name: &'k str,
) -> impl Iterator<Item = &'k SourceSummary> {
    let parts = |path: &'k str| {
        Path::new(path)
            .components()
            .filter(|part| *part != Component::CurDir)
    };
    let has_parts = parts(name).any(|part| matches!(part, Component::Normal(_)));
    known.iter().filter(move |source| {
        let mut rest = parts(&source.path);
        has_parts && parts(name).all(|part| rest.next() == Some(part))
    })
}

/// The sources whose paths or file names are similar to a name, the most similar first.
fn similar(known: &[SourceSummary], name: &str) -> Vec<String> {
    let likeness = |path: &str| {
        let likeness = strsim::jaro_winkler(file_name(path), file_name(name));
        likeness.max(strsim::jaro_winkler(path, name))
    };
    let all = known.iter().map(|source| (likeness(&source.path), source));
    let mut like: Vec<_> = all
        .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
        .collect();
    like.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let named = |(_, source): &(f64, &SourceSummary)| format!("{} ({})", source.path, source.id);
    like.iter().take(MOST_SIMILAR).map(named).collect()
}

fn file_name(path: &str) -> &str {
    Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path)
}
