//! A copy of a game that is changed before it is written, as somebody has chosen.

use std::borrow::Cow;

use super::remark::{Remark, RemarkKind};
use crate::game::{Annotation, Annotations, Game, unwrapped};

/// A game to be changed. What could not be used of its text becomes a comment at its end, if it was played.
pub(super) fn draft<'g>(game: &'g Game<'_>) -> Game<'g> {
    let mut draft = game.borrowed();
    if let Some(rest) = draft.rest.take_if(|_| game.is_played) {
        let ply = game.moves.split_ascii_whitespace().count() as u32;
        let last = game.annotations.last_ply().unwrap_or(0);
        let comment = Annotation::Comment(&unwrapped(&rest));
        draft.annotations.to_mut().push(ply.max(last), comment);
    }
    draft
}

/// Adds the tags that say where the game starts, if it starts elsewhere and they are missing.
pub(super) fn add_start(game: &mut Game<'_>) {
    let Some(start) = game.start.clone() else { return };
    for (name, value) in [("SetUp", Cow::Borrowed("1")), ("FEN", start)] {
        if game.tag(name).is_none() {
            game.set_tag(name, value);
        }
    }
}

/// What is to be said where a terminator was found that is not the result, and of which `written` is
/// written.
pub(super) fn mismatch(game: &Game<'_>, written: Option<&str>) -> Option<Remark> {
    let found = game.termination.filter(|&found| found != game.result)?;
    Some(Remark::new(RemarkKind::ResultMismatch, found.as_str(), written))
}

/// Keeps the annotations for which a condition holds.
pub(super) fn retain(game: &mut Game<'_>, mut keep: impl FnMut(Annotation<'_>) -> bool) {
    rewrite(game, |ply, annotation, kept| {
        if keep(annotation) {
            kept.push(ply, annotation);
        }
    });
}

/// Changes the texts of comments, and leaves those out for which there is none.
pub(super) fn map_comments(game: &mut Game<'_>, mut map: impl FnMut(&str) -> Option<Cow<'_, str>>) {
    rewrite(game, |ply, annotation, kept| match annotation {
        Annotation::Comment(text) => {
            if let Some(text) = map(text) {
                kept.push(ply, Annotation::Comment(&text));
            }
        }
        other => kept.push(ply, other),
    });
}

/// Puts all annotations into new ones, one by one.
fn rewrite(game: &mut Game<'_>, mut each: impl FnMut(u32, Annotation<'_>, &mut Annotations)) {
    let mut kept = Annotations::default();
    game.annotations.iter().for_each(|(ply, one)| each(ply, one, &mut kept));
    game.annotations = Cow::Owned(kept);
}

/// Takes out the variations in which there is nothing.
pub(super) fn drop_empty_variations(game: &mut Game<'_>) {
    let mut kept: Vec<(u32, Annotation<'_>)> = Vec::with_capacity(game.annotations.len());
    for (ply, annotation) in game.annotations.iter() {
        let is_end = annotation == Annotation::EndVariation;
        if is_end && kept.last() == Some(&(ply, Annotation::BeginVariation)) {
            kept.pop();
        } else {
            kept.push((ply, annotation));
        }
    }
    game.annotations = Cow::Owned(kept.into_iter().collect());
}
