//! A comment put into a game where something has been found.

use std::collections::BTreeMap;

use crate::storage::StoredGame;

/// Puts a comment where so many half-moves of the mainline have been played, before all that is said there.
///
/// What cannot stand in a comment is left out of it. Annotations that somebody has written and that are none stay as they
/// are.
pub fn add_comment(game: &mut StoredGame, ply: u32, comment: &str) {
    let json = game.annotations.as_deref().unwrap_or("{}");
    let Ok(mut by_ply) = serde_json::from_str::<BTreeMap<u32, Vec<String>>>(json) else { return };
    let text = comment.replace(['}', '\r', '\n'], " ");
    by_ply.entry(ply).or_default().insert(0, format!("{{{text}"));
    if let Ok(json) = serde_json::to_string(&by_ply) {
        game.annotations = Some(json);
    }
}
