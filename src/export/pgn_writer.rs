//! Writes games with the options of [`PgnForm`].
//!
//! Each option in turn changes the tags and lines of a draft. The draft is written after the last change. If all
//! options have their defaults, the game itself is written, without a draft.

use std::mem::take;
use std::sync::Arc;

use super::comments::selected_part;
use super::cut::cut;
use super::draft::{add_start, comment_rest, drop_empty_variations, map_comments, retain};
use super::form::{Comments, Layout, Nags, PgnForm, Tags, Variations};
use super::lines::{Line, split};
use super::moves::Unwritable;
use super::names::NameTags;
use super::opening;
use super::pgn::write_game;
use super::remark::{Remark, RemarkKind};
use super::repair::repair;
use super::roster::select_tags;
use super::strict::{only_standard_moves, only_standard_tags, tidy_comments};
use crate::board::Move;
use crate::game::{Annotation, Game};
use crate::notation::Style;
use crate::pgn::write_between;
use crate::storage::OpeningTable;

/// Writes games as PGN.
#[derive(Clone, Debug)]
pub struct PgnWriter<'s> {
    /// The notation of moves.
    pub style: Style<'s>,
    /// The options of the output.
    pub form: PgnForm,
    /// The table of openings, by which opening tags are filled in.
    pub openings: OpeningTable,
    /// The treatment of name tags; `None` to write names unchanged.
    pub names: Option<Arc<NameTags>>,
}

impl PgnWriter<'_> {
    /// Appends a game, or the games that it is split into, each with a blank line after it; adds repairs and changes to
    /// `remarks`. `played` are the moves of the mainline, if they are known from a replay; if it is empty, they are
    /// derived from their texts.
    ///
    /// # Errors
    /// As for [`write_pgn`](super::write_pgn).
    pub fn write(
        &self,
        game: &Game<'_>,
        played: &[Move],
        out: &mut Vec<u8>,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Unwritable> {
        let Some(names) = &self.names else {
            return self.write_named(game, played, out, remarks);
        };

        let mut named = game.borrowed();
        names.apply(&mut named, remarks);
        self.write_named(&named, played, out, remarks)
    }

    /// Appends a game whose names are final.
    fn write_named(
        &self,
        game: &Game<'_>,
        played: &[Move],
        out: &mut Vec<u8>,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Unwritable> {
        if self.form.is_default() {
            write_game(game, played, &self.style, Layout::default(), out)
        } else {
            self.write_draft(game, played, out, remarks)
        }
    }

    /// Appends text between games as escape lines, with a blank line after it; the export format has no such lines.
    pub fn write_between(&self, text: &str, out: &mut Vec<u8>, remarks: &mut Vec<Remark>) {
        if self.form.strict && !text.is_empty() {
            remarks.push(Remark::new(RemarkKind::EscapedLine, text, None));
        } else if self.form.comments.has_escaped_lines() {
            write_between(text, out);
        }
    }

    /// Appends a game with options, by way of a draft.
    fn write_draft(
        &self,
        game: &Game<'_>,
        played: &[Move],
        out: &mut Vec<u8>,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Unwritable> {
        let mut draft = game.borrowed();
        self.change_tags(&mut draft, remarks);

        // The moves and annotations leave the draft. Its tags stay, since all lines share them.
        for (number, line) in self.lines(&mut draft).into_iter().enumerate() {
            (draft.moves, draft.annotations) = line;
            let mut written = draft.borrowed();

            let is_variation = number > 0;
            if is_variation && written.tag("PlyCount").is_some() {
                let plies = written.moves.split_ascii_whitespace().count();
                written.set_tag("PlyCount", plies.to_string());
            }

            let is_cut = cut(&mut written, &self.form.cut)?;
            comment_rest(&mut written);
            self.change_line(&mut written, remarks);

            // `played` has the moves of the whole mainline. Strict output may end the mainline before a null move.
            let is_whole_mainline = !is_variation && !is_cut && !self.form.strict;
            let known_moves = if is_whole_mainline { played } else { &[] };
            write_game(&written, known_moves, &self.style, self.layout(), out)?;

            // Only the mainline has text that could not be read; the variations are written without it.
            draft.rest = None;
        }
        Ok(())
    }

    /// A game with the names, repaired tags and filled tags that this writer writes.
    pub fn completed<'g>(&self, game: &'g Game<'_>) -> Game<'g> {
        self.complete(game, &mut Vec::new())
    }

    /// Like [`PgnWriter::completed`]; adds repairs and changes to `remarks`.
    pub(crate) fn complete<'g>(&self, game: &'g Game<'_>, remarks: &mut Vec<Remark>) -> Game<'g> {
        let mut draft = game.borrowed();
        if let Some(names) = &self.names {
            names.apply(&mut draft, remarks);
        }

        self.complete_tags(&mut draft, remarks);
        draft
    }

    /// Repairs tags, and fills tags in from the moves.
    fn complete_tags(&self, draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
        if self.form.fix {
            repair(draft, remarks);
        }
        opening::write_tags(draft, &self.form, &self.openings, remarks);
    }

    /// Changes the tags and the game termination marker.
    fn change_tags(&self, draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
        self.complete_tags(draft, remarks);
        add_start(draft);
        select_tags(draft, &self.form.tags);
        if self.form.strict {
            only_standard_tags(draft, remarks);
        }
    }

    /// The lines that a game is split into, the mainline first.
    fn lines<'g>(&self, draft: &mut Game<'g>) -> Vec<Line<'g>> {
        if self.form.nags == Nags::Drop {
            retain(draft, |annotation| {
                !matches!(annotation, Annotation::Nag(_))
            });
        }

        match self.form.variations {
            Variations::Keep => vec![(take(&mut draft.moves), take(&mut draft.annotations))],
            Variations::Drop => {
                let mut lines = split(draft);
                lines.truncate(1);
                lines
            }
            Variations::Split => split(draft),
        }
    }

    /// Changes the moves and annotations of a line.
    fn change_line(&self, line: &mut Game<'_>, remarks: &mut Vec<Remark>) {
        if self.form.strict {
            only_standard_moves(line, remarks);
        }

        let comments = self.form.comments;
        if comments != Comments::Keep {
            map_comments(line, |text| selected_part(text, comments));
            if !comments.has_escaped_lines() {
                retain(line, |annotation| {
                    !matches!(annotation, Annotation::EscapedLine(_))
                });
            }
        }

        // Without comments and NAGs, a variation may be empty.
        if comments != Comments::Keep || self.form.nags == Nags::Drop {
            drop_empty_variations(line);
        }
        if self.form.strict {
            tidy_comments(line, remarks);
        }
    }

    fn layout(&self) -> Layout {
        let selects_tags = matches!(self.form.tags, Tags::These(_) | Tags::Ordered { .. });

        Layout {
            has_roster: self.form.strict || !selects_tags,
            has_tags: self.form.tags != Tags::None,
            nags: self.form.nags,
            nags_interrupt: self.form.strict,
            movetext: self.form.movetext,
        }
    }
}
