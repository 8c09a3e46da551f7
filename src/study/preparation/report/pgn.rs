//! The tree of a preparation as one game with variations.

use std::borrow::Cow;

use super::PreparationReport;
use super::games::{novelty, reasons};
use super::line::in_words;
use super::tree::others;
use crate::game::{Annotation, Annotations, Game, Ply, TagPair, Variant};
use crate::pgn::Termination;
use crate::study::preparation::{GameToStudy, PreparedMove};

/// The moves and annotations of a game that is written from a tree.
#[derive(Default)]
struct GameWriter {
    moves: String,
    ply: Ply,
    annotations: Annotations,
}

impl PreparationReport<'_> {
    /// The tree as a game: the most played line is the mainline, all others are variations, and a comment after each
    /// move has its numbers.
    pub fn tree_as_game(&self) -> Game<'static> {
        let color = self.preparation.color;
        let opponent = self.opponent();

        let mut writer = GameWriter::default();
        let score = in_words(&self.preparation.score);
        writer.comment(&format!("{opponent} with {}: {score}", (!color).name()));
        writer.mainline(&self.preparation.lines);

        let event = format!("Preparation with {}", color.name());
        let (white, black) = if color.is_white() {
            ("?", opponent)
        } else {
            (opponent, "?")
        };
        let tag = |name: &'static str, value: &str| TagPair::new(name, value.to_owned());

        Game {
            // The tag pairs of the Seven Tag Roster, in its order (PGN §8.1.1).
            tags: vec![
                tag("Event", &event),
                tag("Site", "?"),
                tag("Date", "????.??.??"),
                tag("Round", "?"),
                tag("White", white),
                tag("Black", black),
                tag("Result", "*"),
            ],
            variant: Variant::Standard,
            start: None,
            is_played: true,
            moves: Cow::Owned(writer.moves),
            annotations: Cow::Owned(writer.annotations),
            rest: None,
            result: Termination::Unknown,
            termination: Some(Termination::Unknown),
        }
    }

    /// The comment on a game to look at: its points, the reasons, and its novelty.
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

impl GameWriter {
    /// Adds a comment after the last move.
    fn comment(&mut self, text: &str) {
        // A brace would end the comment (PGN §5).
        let text = text.replace('}', ")");
        self.annotations.push(self.ply, Annotation::Comment(&text));
    }

    /// Adds an annotation after the last move.
    fn annotate(&mut self, annotation: Annotation<'_>) {
        self.annotations.push(self.ply, annotation);
    }

    /// Writes the first move of each position as the mainline, and all other moves as variations.
    fn mainline(&mut self, mut lines: &[PreparedMove]) {
        while let [first, others @ ..] = lines {
            if !self.moves.is_empty() {
                self.moves.push(' ');
            }
            self.moves.push_str(&first.san);
            self.ply += 1;
            self.comment(&numbers(first));

            // A variation stands after the move that it replaces (PGN §8.2.5).
            for line in others {
                self.variation(line);
            }
            lines = &first.next;
        }
    }

    /// Writes a move and the moves after it as a variation.
    fn variation(&mut self, line: &PreparedMove) {
        self.annotate(Annotation::BeginVariation);
        self.annotate(Annotation::Move(&line.san));
        self.comment(&numbers(line));

        let mut lines = &line.next[..];
        while let [first, others @ ..] = lines {
            self.annotate(Annotation::Move(&first.san));
            self.comment(&numbers(first));
            for line in others {
                self.variation(line);
            }
            lines = &first.next;
        }

        self.annotate(Annotation::EndVariation);
    }
}

/// The numbers of a move: `12 games, 46 %, last 2023.05.01; others 35 %`.
fn numbers(line: &PreparedMove) -> String {
    let mut text = in_words(&line.score);

    if let Some(count) = line.others
        && count.all_games > 0
    {
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
