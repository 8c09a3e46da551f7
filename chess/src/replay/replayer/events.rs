//! The effect of each event of a game's text.

use super::{Replayer, trimmed};
#[cfg(debug_assertions)]
use crate::bug::{PROVOKING_TAG, provoke};
use crate::game::Annotation;
#[cfg(debug_assertions)]
use crate::game::tag_value;
use crate::pgn::{Fault, Termination, Token, Visitor};
use crate::replay::glyphs::glyph_nag;
use crate::replay::problem::excerpt;
use crate::replay::tags::tag_pair;
use crate::replay::utf8::part_of;
use crate::replay::{MAX_DEPTH, ProblemKind, utf8};

impl<'t> Visitor<'t> for Replayer<'t> {
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], _at: usize) {
        self.tags.push(tag_pair(self.text, name, value));
    }

    fn movetext(&mut self, at: usize) {
        #[cfg(debug_assertions)]
        provoke(tag_value(&self.tags, PROVOKING_TAG), "replay");
        self.reserve(at);
        self.set_up(at);
    }

    #[inline]
    fn move_text(&mut self, token: Token<'t>, at: usize) {
        if self.is_lost() {
            return;
        }

        if let Some(nag) = glyph_nag(token) {
            self.nag(nag, at);
        } else if self.in_mainline() {
            self.mainline_move(token, at);
        } else {
            self.variation_move(token, at);
        }
    }

    fn nag(&mut self, nag: u8, _at: usize) {
        self.annotate(Annotation::Nag(nag));
    }

    fn comment(&mut self, text: &'t [u8], _at: usize) {
        self.annotate_with_comment(part_of(self.text, text));
    }

    fn escaped_line(&mut self, text: &'t [u8], _at: usize) {
        self.annotate(Annotation::EscapedLine(utf8(text)));
    }

    fn begin_variation(&mut self, at: usize) {
        if !self.is_lost() && self.lines.depth() == MAX_DEPTH {
            let message = format!("this variation stands inside {MAX_DEPTH} others");
            self.problem(ProblemKind::DeepVariation, at, "(", message);
            self.broken = Some(at);
        }

        if self.is_lost() {
            self.lost_depth += 1;
            return;
        }

        self.annotate(Annotation::BeginVariation);
        self.lines.begin_variation();
    }

    fn end_variation(&mut self, at: usize) {
        if self.lost_depth > 0 {
            self.lost_depth -= 1;
            return;
        }

        if !self.lines.end_variation() {
            return;
        }

        // The mainline is not lost, otherwise this variation would have been mere text.
        if let Some(start) = self.broken.take()
            && let Some(rest) = trimmed(self.text, start..at)
        {
            self.annotate_with_comment(&self.text[rest]);
        }

        self.annotate(Annotation::EndVariation);
    }

    fn termination(&mut self, termination: Termination, at: usize) {
        // A result in a variation does not end the game.
        if self.in_mainline() {
            self.termination = Some((termination, at));
        } else {
            self.annotate(Annotation::Comment(termination.as_str()));
        }
    }

    fn trailing(&mut self, text: &'t [u8], at: usize) {
        let message = "there is text after the end of the game".to_owned();
        self.problem(ProblemKind::TextAfterEnd, at, excerpt(utf8(text)), message);

        self.trailing = Some(at..at + text.len());
    }

    fn fault(&mut self, fault: Fault, text: &'t [u8], at: usize) {
        let (kind, message) = match fault {
            Fault::InvalidTag => (
                ProblemKind::InvalidTag,
                "this is no tag pair like [Name \"value\"]",
            ),
            Fault::UnclosedTag => (ProblemKind::InvalidTag, "the tag pair has no closing ]"),
            Fault::UnclosedComment => {
                (ProblemKind::UnclosedComment, "the comment has no closing }")
            }
            Fault::UnclosedVariation => (
                ProblemKind::UnclosedVariation,
                "a variation has no closing )",
            ),
            Fault::StrayParenthesis => (ProblemKind::StrayParenthesis, "a ) closes no variation"),
            Fault::StrayBrace => (ProblemKind::StrayBrace, "a } closes no comment"),
            Fault::InvalidNag => (
                ProblemKind::InvalidNag,
                "a $ without a number from 0 to 255",
            ),
            Fault::EscapedNag => (
                ProblemKind::EscapedNag,
                "a NAG has a backslash before it, and is read without it",
            ),
        };

        if self.is_lost() {
            return;
        }

        // The text of other faults is read, or is nothing but a sign.
        if matches!(fault, Fault::InvalidTag | Fault::InvalidNag) {
            self.comment(text, at);
        }

        if self.extend_problem(kind, at, text.len()) {
            return;
        }

        self.problem(kind, at, utf8(text), message.to_owned());
        self.limit_faults(at);
    }
}
