//! A game written in the form that is chosen.
//!
//! What is chosen changes the tags and the lines of a game, one after the other, before any of it is
//! written. Where nothing is chosen, the game goes straight to the writer.

use super::comments::chosen;
use super::draft::{Draft, Line};
use super::form::{Comments, Nags, PgnForm, Tags, Variations};
use super::game::PgnGame;
use super::lines::split;
use super::moves::Unwritable;
use super::pgn::{Layout, write_game, write_pgn};
use super::remark::{Remark, RemarkKind};
use super::repair::repair;
use super::roster::choose;
use super::strict::{only_standard_moves, only_standard_tags, tidy_comments};
use crate::game::Annotation;
use crate::notation::Style;
use crate::pgn::write_between;

/// Writes games as PGN.
#[derive(Clone, Debug)]
pub struct PgnWriter<'s> {
    /// How moves are written.
    pub style: Style<'s>,
    /// What else is chosen.
    pub form: PgnForm,
}

impl PgnWriter<'_> {
    /// Appends a game with a blank line after it, or the games that it is divided into; tells in `remarks`
    /// what was repaired, and what the standard had changed.
    ///
    /// # Errors
    /// As [`write_pgn`].
    pub fn write(
        &self,
        game: &PgnGame<'_>,
        out: &mut Vec<u8>,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Unwritable> {
        match self.form.is_default() {
            true => write_pgn(game, &self.style, out),
            false => self.write_formed(game, out, remarks),
        }
    }

    /// Appends a text that stands between games as lines that begin with `%`, with a blank line after it; the
    /// standard has no such lines where games are written.
    pub fn write_between(&self, text: &str, out: &mut Vec<u8>, remarks: &mut Vec<Remark>) {
        if self.form.strict && !text.is_empty() {
            remarks.push(Remark::new(RemarkKind::EscapedLine, text, None));
        } else if self.form.comments.has_escaped_lines() {
            write_between(text, out);
        }
    }

    fn write_formed(
        &self,
        game: &PgnGame<'_>,
        out: &mut Vec<u8>,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Unwritable> {
        let draft = self.draft(game, remarks);
        for (i, mut line) in self.lines(game).into_iter().enumerate() {
            self.form_line(&mut line, remarks);
            let tags = draft.tags.iter().map(|(name, value)| (name.as_ref(), value.as_ref()));
            let written = PgnGame {
                tags: tags.collect(),
                result: &draft.result,
                terminator: draft.terminator,
                fen: game.fen.as_deref().map(Into::into),
                moves: &line.moves,
                played: if i == 0 { game.played } else { &[] },
                annotations: &line.annotations,
                rest: line.verbatim,
                is_played: game.is_played,
            };
            write_game(&written, &self.style, self.layout(), out)?;
        }
        Ok(())
    }

    /// The tags and the end of a game as they are written.
    fn draft<'g>(&self, game: &PgnGame<'g>, remarks: &mut Vec<Remark>) -> Draft<'g> {
        let mut draft = Draft::new(game);
        if self.form.fix {
            repair(&mut draft, remarks);
        }
        draft.add_start(game.fen.as_deref());
        choose(&mut draft, &self.form.tags);
        if self.form.strict {
            only_standard_tags(&mut draft, remarks);
        }
        draft
    }

    fn lines<'g>(&self, game: &PgnGame<'g>) -> Vec<Line<'g>> {
        let mut line = Line::mainline(game);
        if self.form.nags == Nags::Drop {
            line.retain(|annotation| !matches!(annotation, Annotation::Nag(_)));
        }
        let mut lines = match self.form.variations {
            Variations::Keep => return vec![line],
            Variations::Drop | Variations::Split => split(line),
        };
        if self.form.variations == Variations::Drop {
            lines.truncate(1);
        }
        lines
    }

    fn form_line(&self, line: &mut Line<'_>, remarks: &mut Vec<Remark>) {
        if self.form.strict {
            only_standard_moves(line, remarks);
        }
        let comments = self.form.comments;
        if comments != Comments::Keep {
            line.map_comments(|text| chosen(text, comments));
            if !comments.has_escaped_lines() {
                line.retain(|annotation| !matches!(annotation, Annotation::EscapedLine(_)));
            }
        }
        if comments != Comments::Keep || self.form.nags == Nags::Drop {
            line.drop_empty_variations();
        }
        if self.form.strict {
            tidy_comments(line, remarks);
        }
    }

    fn layout(&self) -> Layout {
        Layout {
            has_roster: self.form.strict || !matches!(self.form.tags, Tags::These(_)),
            nags: self.form.nags,
            nags_interrupt: self.form.strict,
        }
    }
}
