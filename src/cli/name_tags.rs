//! How names are written in exports and conversions.

use std::sync::Arc;

use super::args::{NameTagArguments, WhichNames};
use super::names::read_list;
use stamma::error::{Error, Result};
use stamma::export::{NameTags, NamesWritten, PlayerFact};
use stamma::storage::{Database, NameTable};

/// Those of an export, whose canonical names are those of the database.
pub(super) fn of_export(
    database: &Database,
    arguments: &NameTagArguments,
) -> Result<Option<Arc<NameTags>>> {
    let mut tags = tags(arguments)?;
    if arguments.names == Some(WhichNames::Canonical) {
        tags.names = NamesWritten::OfDatabase;
    }
    if !tags.is_default() {
        let [players, events, sites] = NameTable::ALL.map(|table| database.canonical_names(table));
        tags.canonical = [players?, events?, sites?];
    }
    Ok(some(tags))
}

/// Those of a conversion, whose canonical names are those of the list.
pub(super) fn of_conversion(arguments: &NameTagArguments) -> Result<Option<Arc<NameTags>>> {
    let mut tags = tags(arguments)?;
    if tags.list.is_some() && arguments.names != Some(WhichNames::Written) {
        tags.names = NamesWritten::OfList;
    }
    Ok(some(tags))
}

fn some(tags: NameTags) -> Option<Arc<NameTags>> {
    (!tags.is_default()).then(|| Arc::new(tags))
}

fn tags(arguments: &NameTagArguments) -> Result<NameTags> {
    let path = arguments.names_file.as_deref();
    let list = path.map(read_list).transpose()?;
    let fill = arguments.fill();
    if let (Some(list), Some(path)) = (&list, path) {
        let lacks = |fact: &PlayerFact| match fact {
            PlayerFact::Elo => !list.has_ratings(),
            PlayerFact::Title | PlayerFact::FideId => !list.has_players(),
        };
        if let Some(fact) = fill.iter().find(|fact| lacks(fact)) {
            return Err(Error::ListLacks {
                path: path.to_owned(),
                what: what(*fact),
            });
        }
    }
    Ok(NameTags {
        list,
        fill,
        ..NameTags::default()
    })
}

fn what(fact: PlayerFact) -> &'static str {
    match fact {
        PlayerFact::Elo => "ratings by date, as a spelling file of Scid has",
        PlayerFact::Title => "titles",
        PlayerFact::FideId => "FIDE ids",
    }
}
