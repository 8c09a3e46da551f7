//! A comment put into a game where something has been found.

use std::borrow::Cow;

use crate::game::{Annotation, Game};

/// Puts a comment where so many half-moves of the mainline have been played, before all other annotations there.
///
/// What cannot be in a comment is left out of it.
pub fn add_comment(game: &mut Game<'_>, ply: u32, comment: &str) {
    let text = comment.replace(['}', '\r', '\n'], " ");
    let before = game.annotations.iter().filter(|&(at, _)| at < ply);
    let behind = game.annotations.iter().filter(|&(at, _)| at >= ply);
    let comment = std::iter::once((ply, Annotation::Comment(&text)));
    game.annotations = Cow::Owned(before.chain(comment).chain(behind).collect());
}
