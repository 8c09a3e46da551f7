//! The tree of a preparation as one game with variations.

use std::borrow::Cow;

use super::PreparationReport;
use super::games::{novelty, reasons};
use super::line::in_words;
use super::named;
use super::tree::others;
use crate::game::{Annotation, Annotations, Game, Ply, TagPair, Variant};
use crate::pgn::Termination;
use crate::study::preparation::{GameToStudy, PreparedMove};

/// The moves and annotations of a tree while it is written down.
#[derive(Default)]
struct Written {
    moves: String,
    ply: Ply,
    annotations: Annotations,
}

impl PreparationReport<'_> {
    /// The tree as a game: the most played line is the mainline, all others are variations, and a comment after each
    /// move has its numbers.
    pub fn tree_as_game(&self) -> Game<'static> {
        let mut written = Written::default();
        let color = self.preparation.color;
        let name = self.opponent().to_owned();
        let about = format!(
            "{} with {}: {}",
            self.opponent(),
            named(!color),
            in_words(&self.preparation.score)
        );
        written.comment(&about);
        written.mainline(&self.preparation.lines);
        let (white, black) = if color.is_white() {
            ("?".to_owned(), name)
        } else {
            (name, "?".to_owned())
        };
        let tag = |name: &'static str, value: &str| TagPair::new(name, value.to_owned());
        Game {
            tags: vec![
                tag("Event", &format!("Preparation with {}", named(color))),
                tag("Site", "?"),
                tag("Date", "????.??.??"),
                tag("Round", "?"),
                tag("White", &white),
                tag("Black", &black),
                tag("Result", "*"),
            ],
            variant: Variant::Standard,
            start: None,
            is_played: true,
            moves: Cow::Owned(written.moves),
            annotations: Cow::Owned(written.annotations),
            rest: None,
            result: Termination::Unknown,
            termination: Some(Termination::Unknown),
        }
    }

    /// What a comment says of a game to look at: its points, the reasons, and its novelty.
    pub fn comment_on(&self, game: &GameToStudy) -> String {
        let number = game.game.game;
        let name = match self.database(game) {
            Some(database) => format!("{database}:{number}"),
            None => number.to_string(),
        };
        let reasons = reasons(game, self);
        let mut text = format!("Game {name}, {} points: {reasons}", game.points);
        if let Some(novelty) = novelty(self, game) {
            text.push_str("; novelty ");
            text.push_str(&novelty);
        }
        text
    }
}

impl Written {
    fn comment(&mut self, text: &str) {
        // A brace would end the comment.
        let text = text.replace('}', ")");
        self.annotations.push(self.ply, Annotation::Comment(&text));
    }

    fn annotate(&mut self, annotation: Annotation<'_>) {
        self.annotations.push(self.ply, annotation);
    }

    fn mainline(&mut self, mut lines: &[PreparedMove]) {
        while let [first, rest @ ..] = lines {
            if !self.moves.is_empty() {
                self.moves.push(' ');
            }
            self.moves.push_str(&first.san);
            self.ply += 1;
            self.comment(&about(first));
            rest.iter().for_each(|line| self.variation(line));
            lines = &first.next;
        }
    }

    fn variation(&mut self, line: &PreparedMove) {
        self.annotate(Annotation::BeginVariation);
        self.annotate(Annotation::Move(&line.san));
        self.comment(&about(line));
        let mut lines = &line.next[..];
        while let [first, rest @ ..] = lines {
            self.annotate(Annotation::Move(&first.san));
            self.comment(&about(first));
            rest.iter().for_each(|line| self.variation(line));
            lines = &first.next;
        }
        self.annotate(Annotation::EndVariation);
    }
}

/// The numbers of a move: `12 games, 46 %, last 2023.05.01; others 35 %`.
fn about(line: &PreparedMove) -> String {
    let mut text = in_words(&line.score);
    if let Some(count) = line.others.filter(|count| count.of > 0) {
        text.push_str("; others ");
        text.push_str(&others(&count));
    }
    if line.in_repertoire == Some(false) {
        text.push_str("; leaves my repertoire");
    }
    if line.is_transposition {
        text.push_str("; transposes to another line");
    }
    text
}
