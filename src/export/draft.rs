//! A game that is changed before it is written, as somebody has chosen.

use std::borrow::Cow;

use super::game::PgnGame;
use super::moves::Unwritable;
use super::remark::{Remark, RemarkKind};
use crate::replay::unbroken;
use crate::storage::{Annotations, At};

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
    /// By half-moves played, each number once.
    pub(super) annotations: Vec<At<'g>>,
    /// Movetext that stands as it was found, in place of moves.
    pub(super) verbatim: Option<&'g str>,
}

impl<'g> Line<'g> {
    /// The mainline of a game. What could not be used of its text is a comment at its end.
    pub(super) fn mainline(game: &PgnGame<'g>) -> Result<Line<'g>, Unwritable> {
        let annotations = Annotations::read(game.annotations)?.0;
        let mut line = Line { moves: Cow::Borrowed(game.moves), annotations, verbatim: None };
        match game.rest {
            Some(rest) if game.is_played => {
                let ply = line.moves.split_ascii_whitespace().count() as u32;
                let last = line.annotations.last().map_or(0, |at| at.ply);
                line.annotate(ply.max(last), format!("{{{}", unbroken(rest)).into());
            }
            rest => line.verbatim = rest,
        }
        Ok(line)
    }

    /// Adds a text at a number of half-moves that is no smaller than those before it.
    pub(super) fn annotate(&mut self, ply: u32, text: Cow<'g, str>) {
        match self.annotations.last_mut() {
            Some(at) if at.ply == ply => at.texts.push(text),
            _ => self.annotations.push(At { ply, texts: vec![text] }),
        }
    }

    /// Keeps the texts for which `keep` gives one.
    pub(super) fn filter(&mut self, mut keep: impl FnMut(Cow<'g, str>) -> Option<Cow<'g, str>>) {
        for at in &mut self.annotations {
            at.texts = std::mem::take(&mut at.texts).into_iter().filter_map(&mut keep).collect();
        }
        self.annotations.retain(|at| !at.texts.is_empty());
    }

    /// Takes out the variations in which nothing stands.
    pub(super) fn drop_empty_variations(&mut self) {
        for at in &mut self.annotations {
            let mut kept: Vec<Cow<'g, str>> = Vec::with_capacity(at.texts.len());
            for text in std::mem::take(&mut at.texts) {
                match kept.last() {
                    Some(last) if last == "(" && text == ")" => drop(kept.pop()),
                    _ => kept.push(text),
                }
            }
            at.texts = kept;
        }
        self.annotations.retain(|at| !at.texts.is_empty());
    }
}
