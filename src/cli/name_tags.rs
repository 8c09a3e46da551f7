//! Name tags of exports and conversions: canonical names, and facts about players to be filled in.

use std::sync::Arc;

use super::args::{NameTagArguments, WhichNames};
use super::names::read_list;
use stamma::cleaning::names::NameList;
use stamma::error::{Error, Result};
use stamma::export::{NameTags, NamesWritten, PlayerFact};
use stamma::storage::{Database, NameTable};

/// The name tags of an export. Canonical names come from the database.
pub(super) fn for_export(
    database: &Database,
    arguments: &NameTagArguments,
) -> Result<Option<Arc<NameTags>>> {
    let mut tags = tags_from_list(arguments)?;
    if arguments.names == Some(WhichNames::Canonical) {
        tags.names = NamesWritten::OfDatabase;
    }

    if !tags.is_default() {
        let [players, events, sites] = NameTable::ALL.map(|table| database.canonical_names(table));
        tags.canonical = [players?, events?, sites?];
    }
    Ok(unless_default(tags))
}

/// The name tags of a conversion. Canonical names come from the list.
pub(super) fn for_conversion(arguments: &NameTagArguments) -> Result<Option<Arc<NameTags>>> {
    let mut tags = tags_from_list(arguments)?;
    if tags.list.is_some() && arguments.names != Some(WhichNames::Written) {
        tags.names = NamesWritten::OfList;
    }
    Ok(unless_default(tags))
}

/// The tags; `None` if they change no name and fill in nothing.
fn unless_default(tags: NameTags) -> Option<Arc<NameTags>> {
    if tags.is_default() {
        None
    } else {
        Some(Arc::new(tags))
    }
}

/// Reads the list of names, and checks that it has the facts to fill in.
fn tags_from_list(arguments: &NameTagArguments) -> Result<NameTags> {
    let fill = arguments.fill();
    let Some(path) = &arguments.names_file else {
        return Ok(NameTags {
            fill,
            ..NameTags::default()
        });
    };

    let list = read_list(path)?;
    for &fact in &fill {
        if !has_fact(&list, fact) {
            return Err(Error::ListLacks {
                path: path.to_owned(),
                what: fact_name(fact),
            });
        }
    }

    Ok(NameTags {
        list: Some(list),
        fill,
        ..NameTags::default()
    })
}

/// `true` if a list has players with a fact.
fn has_fact(list: &NameList, fact: PlayerFact) -> bool {
    match fact {
        PlayerFact::Elo => list.has_ratings(),
        PlayerFact::Title | PlayerFact::FideId => list.has_players(),
    }
}

/// The name of a fact in an error message.
fn fact_name(fact: PlayerFact) -> &'static str {
    match fact {
        PlayerFact::Elo => "ratings by date, as a spelling file of Scid has",
        PlayerFact::Title => "titles",
        PlayerFact::FideId => "FIDE ids",
    }
}
