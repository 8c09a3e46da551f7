//! A comment that marks a search hit in a game.

use std::borrow::Cow;

use crate::game::{Annotation, Game, Ply};

/// Adds a comment after `ply` half-moves of the mainline, before all other annotations there.
///
/// Characters that a comment cannot contain are left out.
pub fn add_comment(game: &mut Game<'_>, ply: Ply, comment: &str) {
    let text = comment.replace(['}', '\r', '\n'], " ");
    let before = game.annotations.iter().filter(|&(at, _)| at < ply);
    let behind = game.annotations.iter().filter(|&(at, _)| at >= ply);
    let comment = std::iter::once((ply, Annotation::Comment(&text)));
    game.annotations = Cow::Owned(before.chain(comment).chain(behind).collect());
}
