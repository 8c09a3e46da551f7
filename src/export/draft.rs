//! A game that is changed before it is written, as somebody has chosen.

use std::borrow::Cow;

use super::game::PgnGame;
use super::remark::{Remark, RemarkKind};
use crate::game::{Annotation, Annotations, unwrapped};

/// A tag pair that may have been changed.
pub(super) type TagPair<'g> = (Cow<'g, str>, Cow<'g, str>);

/// The tags and the end of a game.
pub(super) struct Draft<'g> {
    pub(super) tags: Vec<TagPair<'g>>,
    pub(super) result: Cow<'g, str>,
    /// The last token, when it is not the result; empty when there was none.
    pub(super) terminator: Option<&'g str>,
}

impl<'g> Draft<'g> {
    pub(super) fn new(game: &PgnGame<'g>) -> Draft<'g> {
        let pair =
            |&(name, value): &(&'g str, &'g str)| (Cow::Borrowed(name), Cow::Borrowed(value));
        Draft {
            tags: game.tags.iter().map(pair).collect(),
            result: Cow::Borrowed(game.result),
            terminator: game.terminator,
        }
    }

    /// Adds the tags that say where the game starts, if it starts elsewhere and they are missing.
    pub(super) fn add_start(&mut self, fen: Option<&str>) {
        for (name, value) in fen.into_iter().flat_map(|fen| [("SetUp", "1"), ("FEN", fen)]) {
            if self.tag(name).is_none() {
                self.set_tag(name, value);
            }
        }
    }

    /// What is to be said where a terminator was found that is not the result, and of which `written` is
    /// written.
    pub(super) fn mismatch(&self, written: Option<&str>) -> Option<Remark> {
        let found = self.terminator.filter(|found| !found.is_empty())?;
        Some(Remark::new(RemarkKind::ResultMismatch, found, written))
    }

    /// The value of the first tag of a name.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_ref())
    }

    /// Gives the first tag of a name a value, as a new tag where there is none.
    pub(super) fn set_tag(&mut self, name: &'static str, value: &str) {
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some(tag) => tag.1 = Cow::Owned(value.to_owned()),
            None => self.tags.push((Cow::Borrowed(name), Cow::Owned(value.to_owned()))),
        }
    }
}

/// One line of moves with its annotations.
pub(super) struct Line<'g> {
    /// SAN, one space between moves.
    pub(super) moves: Cow<'g, str>,
    pub(super) annotations: Cow<'g, Annotations>,
    /// Movetext that is written as it was found, in place of moves.
    pub(super) verbatim: Option<&'g str>,
}

impl<'g> Line<'g> {
    /// The mainline of a game. What could not be used of its text is a comment at its end.
    pub(super) fn mainline(game: &PgnGame<'g>) -> Line<'g> {
        let (moves, annotations) = (Cow::Borrowed(game.moves), Cow::Borrowed(game.annotations));
        let mut line = Line { moves, annotations, verbatim: None };
        match game.rest {
            Some(rest) if game.is_played => {
                let ply = line.moves.split_ascii_whitespace().count() as u32;
                let last = line.annotations.last_ply().unwrap_or(0);
                line.annotate(ply.max(last), Annotation::Comment(&unwrapped(rest)));
            }
            rest => line.verbatim = rest,
        }
        line
    }

    /// Adds an annotation at a number of half-moves that is no smaller than those before it.
    pub(super) fn annotate(&mut self, ply: u32, annotation: Annotation<'_>) {
        self.annotations.to_mut().push(ply, annotation);
    }

    /// Keeps the annotations for which a condition holds.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(Annotation<'_>) -> bool) {
        self.rewrite(|ply, annotation, kept| {
            if keep(annotation) {
                kept.push(ply, annotation);
            }
        });
    }

    /// Changes the texts of comments, and leaves those out for which there is none.
    pub(super) fn map_comments(&mut self, mut map: impl FnMut(&str) -> Option<Cow<'_, str>>) {
        self.rewrite(|ply, annotation, kept| match annotation {
            Annotation::Comment(text) => {
                if let Some(text) = map(text) {
                    kept.push(ply, Annotation::Comment(&text));
                }
            }
            other => kept.push(ply, other),
        });
    }

    /// Puts all annotations into new ones, one by one.
    fn rewrite(&mut self, mut each: impl FnMut(u32, Annotation<'_>, &mut Annotations)) {
        let mut kept = Annotations::default();
        self.annotations.iter().for_each(|(ply, one)| each(ply, one, &mut kept));
        self.annotations = Cow::Owned(kept);
    }

    /// Takes out the variations in which there is nothing.
    pub(super) fn drop_empty_variations(&mut self) {
        let mut kept: Vec<(u32, Annotation<'_>)> = Vec::with_capacity(self.annotations.len());
        for (ply, annotation) in self.annotations.iter() {
            let is_end = annotation == Annotation::EndVariation;
            if is_end && kept.last() == Some(&(ply, Annotation::BeginVariation)) {
                kept.pop();
            } else {
                kept.push((ply, annotation));
            }
        }
        self.annotations = Cow::Owned(kept.into_iter().collect());
    }
}
