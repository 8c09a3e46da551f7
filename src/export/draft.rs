//! Modifies drafts before they are written. A draft is a copy of a game.

use std::borrow::Cow;

use super::remark::{Remark, RemarkKind};
use crate::game::{Annotation, Annotations, Game, Ply, unwrapped};

/// If a line could be played, converts its text that could not be read into a comment at the end of the line.
pub(super) fn comment_rest(line: &mut Game<'_>) {
    if !line.is_played {
        return;
    }
    let Some(rest) = line.rest.take() else { return };

    let plies = line.moves.split_ascii_whitespace().count();
    let end = Ply::new(plies as u32);

    // Another program may have stored annotations behind the last move.
    let last = line.annotations.last_ply().unwrap_or(Ply::START);
    let comment = Annotation::Comment(&unwrapped(&rest));
    line.annotations.to_mut().push(end.max(last), comment);
}

/// Adds missing tags for the start position, if it is not the standard position.
pub(super) fn add_start(game: &mut Game<'_>) {
    let Some(start) = game.start.clone() else {
        return;
    };

    for (name, value) in [("SetUp", Cow::Borrowed("1")), ("FEN", start)] {
        if game.tag(name).is_none() {
            game.set_tag(name, value);
        }
    }
}

/// The remark for a game termination marker that differs from the result; `written` is the marker that is written.
pub(super) fn mismatch(game: &Game<'_>, written: Option<&str>) -> Option<Remark> {
    let marker = game.termination?;
    if marker == game.result {
        return None;
    }

    let kind = RemarkKind::ResultMismatch;
    Some(Remark::new(kind, marker.as_str(), written))
}

/// Keeps the annotations for which `keep` returns `true`.
pub(super) fn retain(game: &mut Game<'_>, mut keep: impl FnMut(Annotation<'_>) -> bool) {
    rewrite(game, |ply, annotation, kept| {
        if keep(annotation) {
            kept.push(ply, annotation);
        }
    });
}

/// Maps the texts of comments, and removes the comments for which `map` returns `None`.
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

/// Rebuilds all annotations, one by one.
fn rewrite(game: &mut Game<'_>, mut each: impl FnMut(Ply, Annotation<'_>, &mut Annotations)) {
    let mut kept = Annotations::default();
    for (ply, annotation) in game.annotations.iter() {
        each(ply, annotation, &mut kept);
    }

    game.annotations = Cow::Owned(kept);
}

/// Removes empty variations.
pub(super) fn drop_empty_variations(game: &mut Game<'_>) {
    let mut kept: Vec<(Ply, Annotation<'_>)> = Vec::with_capacity(game.annotations.len());

    for (ply, annotation) in game.annotations.iter() {
        let is_end = annotation == Annotation::EndVariation;
        let is_behind_begin = kept.last() == Some(&(ply, Annotation::BeginVariation));
        if is_end && is_behind_begin {
            kept.pop();
        } else {
            kept.push((ply, annotation));
        }
    }

    game.annotations = Cow::Owned(kept.into_iter().collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games::{annotations, game};

    macro_rules! drops {
        ($($name:ident: $annotations:expr => $kept:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut draft = Game {
                    annotations: Cow::Owned(annotations(&$annotations)),
                    ..game("e4 e5")
                };
                drop_empty_variations(&mut draft);

                let kept = annotations(&$kept);
                assert!(draft.annotations.iter().eq(kept.iter()));
            }
        )*};
    }

    drops! {
        an_empty_variation: [(1, "( )")] => [];
        an_empty_variation_in_another: [(1, "( ( ) )")] => [];
        one_of_two_variations: [(1, "( ) ( d4 )")] => [(1, "( d4 )")];
        a_variation_behind_a_comment: [(1, "{x ( )")] => [(1, "{x")];
        no_variation_with_a_move: [(2, "( c5 )")] => [(2, "( c5 )")];
    }
}
