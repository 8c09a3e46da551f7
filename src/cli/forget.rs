//! `stamma forget`: removes the games of a source.

use std::path::{Component, Path};

use super::{Failure, Outcome, args, open_to_write, say};
use stamma::error::{Error, Result};
use stamma::report::counted;
use stamma::storage::{SourceId, SourceSummary};

/// The maximum number of similar paths that are suggested.
const MAX_SUGGESTIONS: usize = 3;
/// The minimum similarity of a suggested path, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.8;

pub(super) fn run(arguments: &args::Forget) -> Result<Outcome, Failure> {
    let database = open_to_write(&arguments.database)?;
    let known = database.sources()?;

    let mut numbers: Vec<SourceId> = Vec::new();
    for name in &arguments.sources {
        // An import stores a path that is not UTF-8 with the same replacements.
        for number in find(&known, &name.to_string_lossy())? {
            // The arguments may name a folder and also a file in it.
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

/// The numbers of the sources that a name matches: a path, the path of an archive or folder for all its members, or a
/// number.
pub(super) fn find(known: &[SourceSummary], name: &str) -> Result<Vec<SourceId>, Failure> {
    // Paths take precedence over numbers, since a file may be named `7`.
    let numbers = with_path(known, name);
    if numbers.len() > 1 {
        let several = Error::SeveralSources {
            name: name.to_owned(),
            numbers: numbers.iter().map(SourceId::to_string).collect(),
        };
        return Err(several.into());
    }
    if !numbers.is_empty() {
        return Ok(numbers);
    }

    let members = members(known, name);
    if !members.is_empty() {
        return Ok(members);
    }

    let by_number = known.iter().find(|source| name.parse() == Ok(source.id));
    match by_number {
        Some(source) => Ok(vec![source.id]),
        None => Err(Failure::NoSuchSource {
            name: name.to_owned(),
            similar: similar(known, name),
        }),
    }
}

/// The sources with a path. A file that has grown since its import is several sources. Only the first of them is
/// returned, since forgetting it also forgets the others.
fn with_path(known: &[SourceSummary], path: &str) -> Vec<SourceId> {
    let sources: Vec<&SourceSummary> = known.iter().filter(|source| source.path == path).collect();
    let has_path = |number: SourceId| sources.iter().any(|source| source.id == number);

    let mut numbers = Vec::new();
    for source in &sources {
        let continues_another = source.continues.is_some_and(has_path);
        if !continues_another {
            numbers.push(source.id);
        }
    }
    numbers
}

/// The sources that come from an archive or a folder.
fn members(known: &[SourceSummary], folder: &str) -> Vec<SourceId> {
    known
        .iter()
        .filter(|source| is_in_folder(&source.path, folder))
        .map(|source| source.id)
        .collect()
}

/// `true` if a path begins with the path of a folder or an archive.
fn is_in_folder(path: &str, folder: &str) -> bool {
    let folder_components = components(folder);
    // `.` alone would match all paths, and `/` all absolute paths.
    let has_name = folder_components
        .iter()
        .any(|component| matches!(component, Component::Normal(_)));

    has_name && components(path).starts_with(&folder_components)
}

/// The components of a path, without `.`.
fn components(path: &str) -> Vec<Component<'_>> {
    Path::new(path)
        .components()
        .filter(|component| *component != Component::CurDir)
        .collect()
}

/// The sources whose paths or file names are similar to a name, by descending similarity.
fn similar(known: &[SourceSummary], name: &str) -> Vec<String> {
    let mut candidates = Vec::new();
    for source in known {
        let similarity = similarity(&source.path, name);
        if similarity >= MIN_SIMILARITY {
            candidates.push((similarity, source));
        }
    }
    candidates.sort_by(|(a, _), (b, _)| b.total_cmp(a));

    candidates
        .iter()
        .take(MAX_SUGGESTIONS)
        .map(|(_, source)| format!("{} ({})", source.path, source.id))
        .collect()
}

/// The greater of two similarities, of the paths and of their file names; from 0 to 1.
fn similarity(path: &str, other: &str) -> f64 {
    let of_names = strsim::jaro_winkler(file_name(path), file_name(other));
    let of_paths = strsim::jaro_winkler(path, other);
    of_names.max(of_paths)
}

/// The name of a file without its folder; the whole path if it has no name.
fn file_name(path: &str) -> &str {
    Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_path_of_their_folder() {
        for (path, folder, expected) in [
            ("games/a.pgn", "games", true),
            ("games/a.pgn", "./games/", true),
            ("./games/a.pgn", "games", true),
            ("games.zip/2024/a.pgn", "games.zip", true),
            ("games2/a.pgn", "games", false),
            ("old/games/a.pgn", "games", false),
            ("a.pgn", ".", false),
            ("/a.pgn", "/", false),
        ] {
            assert_eq!(is_in_folder(path, folder), expected, "{path} in {folder}");
        }
    }
}
