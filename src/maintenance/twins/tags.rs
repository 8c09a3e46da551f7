//! Tags of kept games filled from their twins.

use rusqlite::Connection;

use crate::cleaning::twins::merge_tags as merge;
use crate::game::TagPair;
use crate::pgn::Termination;
use crate::storage::{DuplicateGroup, GameId, MergedTag, RESULT, all_tags, merge_tags, result_of};

/// What the twins of a kept game say beyond it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedGroup {
    /// The kept game.
    pub keep: GameId,
    /// Tags that were missing, empty, `?` or partial.
    pub filled: Vec<MergedValue>,
    /// Tags that a person must decide.
    pub conflicts: Vec<UndecidedTag>,
}

/// A tag of a kept game that is filled from a twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedValue {
    /// Its name.
    pub tag: String,
    /// Its new value.
    pub value: String,
    /// The twin.
    pub game: GameId,
}

/// A tag of which a twin says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndecidedTag {
    /// Its name.
    pub tag: String,
    /// What the kept game says.
    pub kept: String,
    /// What the twin says.
    pub other: String,
    /// The twin.
    pub game: GameId,
}

/// Tags that are about a copy, and not about the game.
const OF_COPIES: [&str; 12] = [
    "FEN",
    "SetUp",
    "Variant",
    "PlyCount",
    "Annotator",
    "Mode",
    "Source",
    "SourceTitle",
    "SourceDate",
    "SourceVersion",
    "SourceVersionDate",
    "SourceQuality",
];

/// Finds what twins say beyond the kept games, and fills it in.
pub(super) fn merge_all(
    connection: &Connection,
    groups: &[DuplicateGroup],
) -> rusqlite::Result<Vec<MergedGroup>> {
    let merged = merged(connection, groups)?;
    for group in &merged {
        let mut tags = Vec::with_capacity(group.filled.len());
        let written = tags_of(connection, group.keep)?;
        for filled in &group.filled {
            let written = written.iter().find(|tag| tag.name == filled.tag);
            tags.push(MergedTag {
                name: filled.tag.clone(),
                value: filled.value.clone(),
                written: written.map(|tag| tag.value.clone().into_owned()),
                twin: filled.game.get(),
            });
        }
        if !tags.is_empty() {
            merge_tags(connection, group.keep.get(), &tags)?;
        }
    }
    Ok(merged)
}

/// What twins say beyond the kept games.
pub(super) fn merged(
    connection: &Connection,
    groups: &[DuplicateGroup],
) -> rusqlite::Result<Vec<MergedGroup>> {
    let mut all = Vec::new();
    for group in groups {
        let merged = of_group(connection, group)?;
        if !(merged.filled.is_empty() && merged.conflicts.is_empty()) {
            all.push(merged);
        }
    }
    Ok(all)
}

fn of_group(connection: &Connection, group: &DuplicateGroup) -> rusqlite::Result<MergedGroup> {
    let written = all_tags(connection, group.keep)?.unwrap_or_default();
    // An odd result stays as it is written.
    let is_odd = written.iter().any(is_odd_result);
    let mut kept = with_result(connection, group.keep, written)?;
    kept.retain(|tag| !(is_odd && tag.name == RESULT));
    let mut twins = Vec::with_capacity(group.duplicates.len());
    for &game in &group.duplicates {
        twins.push(tags_of(connection, game)?);
    }
    let kept = pairs(&kept);
    let twins: Vec<Vec<(&str, &str)>> = twins.iter().map(|tags| pairs(tags)).collect();
    let twins: Vec<(u32, &[(&str, &str)])> = (0..)
        .zip(&twins)
        .map(|(at, tags)| (at, tags.as_slice()))
        .collect();
    let mut merged = merge(&kept, &twins);
    merged.filled.retain(|tag| !(is_odd && tag.name == RESULT));
    // `merge` names a twin by its place, which is that of its game among the duplicates.
    let game = |at: u32| group.duplicates[at as usize];
    let filled = merged.filled.into_iter().map(|tag| MergedValue {
        game: game(tag.game),
        tag: tag.name,
        value: tag.value,
    });
    let conflicts = merged.conflicts.into_iter().map(|tag| UndecidedTag {
        game: game(tag.game),
        tag: tag.name,
        kept: tag.kept,
        other: tag.other,
    });
    Ok(MergedGroup {
        keep: group.keep,
        filled: filled.collect(),
        conflicts: conflicts.collect(),
    })
}

/// The tags of a game that twins may fill, its result among them.
fn tags_of(connection: &Connection, game: GameId) -> rusqlite::Result<Vec<TagPair<'static>>> {
    let tags = all_tags(connection, game)?.unwrap_or_default();
    with_result(connection, game, tags)
}

fn is_odd_result(tag: &TagPair<'_>) -> bool {
    tag.name == RESULT && Termination::from_tag(&tag.value).is_none()
}

/// Of all tags of a game, those that twins may fill. Of a game without a result, or with an odd one, the column says it.
fn with_result(
    connection: &Connection,
    game: GameId,
    mut tags: Vec<TagPair<'static>>,
) -> rusqlite::Result<Vec<TagPair<'static>>> {
    tags.retain(|tag| !OF_COPIES.contains(&tag.name.as_ref()) && !is_odd_result(tag));
    if !tags.iter().any(|tag| tag.name == RESULT)
        && let Some(result) = result_of(connection, game.get())?
    {
        tags.push(TagPair::new(RESULT, result));
    }
    Ok(tags)
}

fn pairs<'t>(tags: &'t [TagPair<'_>]) -> Vec<(&'t str, &'t str)> {
    tags.iter()
        .map(|tag| (tag.name.as_ref(), tag.value.as_ref()))
        .collect()
}
