//! Tags of kept games that are filled from their twins.

use rusqlite::Connection;

use crate::cleaning::twins::{MergedTags, merge_tags as merge};
use crate::game::TagPair;
use crate::pgn::Termination;
use crate::storage::{DuplicateGroup, GameId, MergedTag, RESULT, all_tags, merge_tags, result_of};

/// The tags of a kept game that are filled from its twins or contradicted by them.
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
    /// The name of the tag.
    pub tag: String,
    /// The new value.
    pub value: String,
    /// The twin.
    pub game: GameId,
}

/// A tag that has another value in a twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndecidedTag {
    /// The name of the tag.
    pub tag: String,
    /// The value in the kept game.
    pub kept: String,
    /// The value in the twin.
    pub other: String,
    /// The twin.
    pub game: GameId,
}

/// Tags that are about a copy, and not about the game.
const COPY_TAGS: [&str; 12] = [
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

/// Fills the tags of kept games from their twins.
pub(super) fn write_merged_tags(
    connection: &Connection,
    groups: &[DuplicateGroup],
) -> rusqlite::Result<Vec<MergedGroup>> {
    let merged = merged_groups(connection, groups)?;
    for group in &merged {
        let written = tags_of(connection, group.keep)?;

        let mut tags = Vec::with_capacity(group.filled.len());
        for filled in &group.filled {
            let before = written.iter().find(|tag| tag.name == filled.tag);
            tags.push(MergedTag {
                name: filled.tag.clone(),
                value: filled.value.clone(),
                written: before.map(|tag| tag.value.clone().into_owned()),
                twin: filled.game.get(),
            });
        }

        if !tags.is_empty() {
            merge_tags(connection, group.keep.get(), &tags)?;
        }
    }
    Ok(merged)
}

/// The tags that twins fill, and the tags that they contradict; groups without either are left out.
pub(super) fn merged_groups(
    connection: &Connection,
    groups: &[DuplicateGroup],
) -> rusqlite::Result<Vec<MergedGroup>> {
    let mut all = Vec::new();
    for group in groups {
        let merged = merged_group(connection, group)?;
        let is_empty = merged.filled.is_empty() && merged.conflicts.is_empty();
        if !is_empty {
            all.push(merged);
        }
    }
    Ok(all)
}

/// The tags that the twins of a group fill, and the tags that they contradict.
fn merged_group(connection: &Connection, group: &DuplicateGroup) -> rusqlite::Result<MergedGroup> {
    let written = all_tags(connection, group.keep)?.unwrap_or_default();
    let has_odd_result = written.iter().any(is_odd_result);

    // An odd result is retained as written, so the result takes no part in the merge.
    let mut kept_tags = with_result(connection, group.keep, written)?;
    if has_odd_result {
        kept_tags.retain(|tag| tag.name != RESULT);
    }

    let mut tags_of_twins = Vec::with_capacity(group.duplicates.len());
    for &game in &group.duplicates {
        tags_of_twins.push(tags_of(connection, game)?);
    }

    let merged = merge_with_twins(&kept_tags, &tags_of_twins);
    let game = |at: u32| group.duplicates[at as usize];

    let mut filled = Vec::with_capacity(merged.filled.len());
    for tag in merged.filled {
        if has_odd_result && tag.name == RESULT {
            continue;
        }
        filled.push(MergedValue {
            game: game(tag.game),
            tag: tag.name,
            value: tag.value,
        });
    }

    let mut conflicts = Vec::with_capacity(merged.conflicts.len());
    for tag in merged.conflicts {
        conflicts.push(UndecidedTag {
            game: game(tag.game),
            tag: tag.name,
            kept: tag.kept,
            other: tag.other,
        });
    }

    Ok(MergedGroup {
        keep: group.keep,
        filled,
        conflicts,
    })
}

/// Merges the tags of twins into the tags of a kept game. The result identifies a twin by its place in `tags_of_twins`.
fn merge_with_twins(
    kept_tags: &[TagPair<'_>],
    tags_of_twins: &[Vec<TagPair<'static>>],
) -> MergedTags {
    let kept = pairs(kept_tags);
    let mut twins = Vec::with_capacity(tags_of_twins.len());
    for tags in tags_of_twins {
        twins.push(pairs(tags));
    }

    let slices = twins.iter().map(Vec::as_slice);
    let numbered: Vec<_> = (0..).zip(slices).collect();
    merge(&kept, &numbered)
}

/// The tags of a game that twins may fill, its result among them.
fn tags_of(connection: &Connection, game: GameId) -> rusqlite::Result<Vec<TagPair<'static>>> {
    let tags = all_tags(connection, game)?.unwrap_or_default();
    with_result(connection, game, tags)
}

/// `true` for a result that PGN does not have, such as `1-0 ff`.
fn is_odd_result(tag: &TagPair<'_>) -> bool {
    tag.name == RESULT && Termination::from_tag(&tag.value).is_none()
}

/// The tags of a game that twins may fill. The result column replaces a missing or odd result tag.
fn with_result(
    connection: &Connection,
    game: GameId,
    mut tags: Vec<TagPair<'static>>,
) -> rusqlite::Result<Vec<TagPair<'static>>> {
    tags.retain(|tag| {
        let is_of_copy = COPY_TAGS.contains(&tag.name.as_ref());
        !is_of_copy && !is_odd_result(tag)
    });

    let has_result = tags.iter().any(|tag| tag.name == RESULT);
    if !has_result && let Some(result) = result_of(connection, game.get())? {
        tags.push(TagPair::new(RESULT, result));
    }
    Ok(tags)
}

/// The names and values of tags.
fn pairs<'t>(tags: &'t [TagPair<'_>]) -> Vec<(&'t str, &'t str)> {
    tags.iter()
        .map(|tag| (tag.name.as_ref(), tag.value.as_ref()))
        .collect()
}
