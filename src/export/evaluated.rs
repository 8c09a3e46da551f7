//! Writes evaluations of positions into the comments of a game, and marks bad moves.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use super::comments::{starts_with_command, without_evaluations};
use super::form::is_suffix;
use crate::board::{Move, Position};
use crate::game::{Annotation, Annotations, Game, Judgement, MainlineEvaluations, Ply, Variant};
use crate::notation::{read_uci, san};
use crate::pgn::Evaluation;
use crate::replay::Mainline;
use crate::storage::PositionEvaluation;

/// The annotations that are added to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// `true` to mark bad moves, and to write the better line as a variation.
    pub judge: bool,
    /// `true` to replace the evaluations in comments of the game.
    pub replace: bool,
}

/// The annotations that are written behind a move of the mainline.
#[derive(Clone, Debug, Default)]
struct AddedAnnotations {
    /// The command with the evaluation of the position behind the move.
    command: Option<String>,
    judgement: Option<Judgement>,
    /// The better line, in SAN.
    better: Vec<String>,
}

impl Evaluated {
    /// Writes the evaluations of a store into the comments of a game's mainline, as the command `eval` of Lichess.
    ///
    /// A position whose comment has an evaluation keeps it, unless `replace` is set. A move that has a glyph from `!`
    /// to `?!` is not marked, and a better move that is the first of a variation is not written again. The store keeps
    /// only positions of chess and Chess960, so that games of other variants stay unchanged.
    ///
    /// # Errors
    /// The errors of `evaluation`.
    pub fn write<'g, E>(
        self,
        game: &'g Game<'_>,
        evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<Game<'g>, E> {
        let mut written = game.borrowed();
        let Some(mainline) = EvaluatedMainline::read_with(game, self.replace, evaluation)? else {
            return Ok(written);
        };

        // By ply. The first element is for the start position, before any move.
        let mut added = vec![AddedAnnotations::default(); mainline.positions.len()];
        for (ply, added) in added.iter_mut().enumerate().skip(1) {
            if self.replace || !mainline.has_own(Ply::new(ply as u32)) {
                added.command = mainline.known[ply].as_ref().map(eval_command);
            }
        }

        if self.judge {
            for (ply, _, judgement) in mainline.evaluations.judgements() {
                if let Some(added) = added.get_mut(ply.get() as usize) {
                    added.judgement = Some(judgement);
                    added.better = mainline.better_line(ply);
                }
            }
        }

        written.annotations = Cow::Owned(with_added_annotations(
            &game.annotations,
            &added,
            self.replace,
        ));
        Ok(written)
    }

    /// The positions of the mainline whose evaluations would be written, in the order of the game and within a range of
    /// half-moves. A position whose comment has an evaluation is left out, unless evaluations are replaced.
    ///
    /// The start is among the positions if moves are judged, since the first move is compared with it, and if there is
    /// another position to search.
    pub fn positions(self, game: &Game<'_>, plies: RangeInclusive<u32>) -> Vec<Position> {
        let Ok(mainline) = EvaluatedMainline::read(game, |_| Ok::<_, Infallible>(None));
        let Some(mainline) = mainline else {
            return Vec::new();
        };

        let is_wanted = |ply: u32| {
            // The search for an own evaluation is the last condition, because it reads all own evaluations of the game.
            plies.contains(&ply) && (self.replace || !mainline.has_own(Ply::new(ply)))
        };
        let mut wanted: Vec<Position> = Vec::new();
        for ply in 1..=mainline.plies() {
            if is_wanted(ply) {
                let position = &mainline.positions[ply as usize];
                wanted.push(position.clone());
            }
        }

        // The final position of an evaluated game may be a mate, which has no evaluation.
        let has_another = wanted.iter().any(Position::has_legal_move);
        if self.judge && has_another && is_wanted(0) {
            wanted.insert(0, mainline.positions[0].clone());
        }

        wanted
    }

    /// The positions before bad moves that have an evaluation in a comment of the game but no line in the store, in the
    /// order of the game and within a range of half-moves. Empty unless moves are judged.
    ///
    /// A move with a glyph and a variation counts as annotated, so its position is left out.
    ///
    /// # Errors
    /// The errors of `evaluation`.
    pub fn positions_without_line<E>(
        self,
        game: &Game<'_>,
        plies: RangeInclusive<u32>,
        evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<Vec<Position>, E> {
        let mut wanted = Vec::new();
        // With `replace`, evaluations in comments keep no position from being searched.
        if !self.judge || self.replace {
            return Ok(wanted);
        }
        let Some(mainline) = EvaluatedMainline::read(game, evaluation)? else {
            return Ok(wanted);
        };

        for (ply, _, _) in mainline.evaluations.judgements() {
            let before = ply.before();
            let is_own = plies.contains(&before.get()) && mainline.has_own(before);
            if !is_own || is_annotated(&game.annotations, ply) {
                continue;
            }

            let index = before.get() as usize;
            if let (Some(position), Some(None)) =
                (mainline.positions.get(index), mainline.known.get(index))
            {
                wanted.push(position.clone());
            }
        }
        Ok(wanted)
    }
}

/// The positions of a game's mainline, with their evaluations in comments of the game and in a store.
#[derive(Clone, Debug)]
pub struct EvaluatedMainline {
    /// The positions, from the start on.
    positions: Vec<Position>,
    /// The moves between them.
    moves: Vec<Move>,
    /// The evaluation of each position in the store.
    known: Vec<Option<PositionEvaluation>>,
    /// The evaluations in comments of the game.
    own: Vec<(Ply, Evaluation)>,
    /// The evaluation of each position: from a comment, else from the store.
    pub evaluations: MainlineEvaluations,
}

impl EvaluatedMainline {
    /// Reads a game and the evaluations of its positions by `evaluation`. `None` for games without positions, and for
    /// games of other variants than chess and Chess960, whose positions the store does not keep.
    ///
    /// # Errors
    /// The errors of `evaluation`.
    pub fn read<E>(
        game: &Game<'_>,
        evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<Option<EvaluatedMainline>, E> {
        EvaluatedMainline::read_with(game, false, evaluation)
    }

    /// Reads a game as [`EvaluatedMainline::read`] does. With `replaces_own`, an evaluation of the store overrides the
    /// evaluation of a comment.
    fn read_with<E>(
        game: &Game<'_>,
        replaces_own: bool,
        mut evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<Option<EvaluatedMainline>, E> {
        let has_store = matches!(game.variant, Variant::Standard | Variant::Chess960);
        let Some(mut mainline) = Mainline::of(game).filter(|_| has_store) else {
            return Ok(None);
        };

        let mut positions = vec![mainline.position().clone()];
        let mut moves = Vec::new();
        while let Some((_, mv)) = mainline.step() {
            mainline.play(mv);
            moves.push(mv);
            positions.push(mainline.position().clone());
        }

        let mut known = Vec::with_capacity(positions.len());
        for position in &positions {
            known.push(evaluation(position)?);
        }

        let own = own_evaluations(&game.annotations);
        let stored = known.iter().enumerate().filter_map(|(ply, known)| {
            let known = known.as_ref()?;
            Some((Ply::new(ply as u32), known.score))
        });

        // Of two evaluations of a position, the first counts.
        let mut found: Vec<(Ply, Evaluation)> = own.clone();
        if replaces_own {
            found.splice(0..0, stored);
        } else {
            found.extend(stored);
        }
        let evaluations = MainlineEvaluations::new(found, game.start.as_deref(), game.variant);

        Ok(Some(EvaluatedMainline {
            positions,
            moves,
            known,
            own,
            evaluations,
        }))
    }

    /// The number of half-moves.
    pub fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// `true` if any position behind a move has an evaluation.
    pub fn is_evaluated(&self) -> bool {
        !self.own.is_empty() || self.known.iter().skip(1).any(Option::is_some)
    }

    /// `true` if the position behind a half-move has an evaluation in a comment.
    fn has_own(&self, ply: Ply) -> bool {
        self.own.iter().any(|&(at, _)| at == ply)
    }

    /// The best line of the store in SAN, which replaces a half-move. Empty if the played move is the best move, or if
    /// the store has no line.
    pub fn better_line(&self, ply: Ply) -> Vec<String> {
        let before = ply.before().get() as usize;
        let Some(Some(known)) = self.known.get(before) else {
            return Vec::new();
        };
        let (Some(position), Some(&played)) = (self.positions.get(before), self.moves.get(before))
        else {
            return Vec::new();
        };

        better_line(position, known, played)
    }
}

/// The evaluations in comments of the mainline.
fn own_evaluations(annotations: &Annotations) -> Vec<(Ply, Evaluation)> {
    let mut evaluations = Vec::new();
    for (ply, commands) in annotations.mainline_commands() {
        if let Some(evaluation) = commands.evaluation {
            evaluations.push((ply, evaluation));
        }
    }
    evaluations
}

/// The command with an evaluation and its depth.
fn eval_command(evaluation: &PositionEvaluation) -> String {
    match evaluation.depth {
        Some(depth) => format!("[%eval {},{depth}]", evaluation.score),
        None => format!("[%eval {}]", evaluation.score),
    }
}

/// The best line of a position in SAN, unless it begins with the move that was played.
fn better_line(position: &Position, known: &PositionEvaluation, played: Move) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = known.line.split_ascii_whitespace();
    let line_start = texts.next().and_then(|text| read_uci(text, &position));
    let best = line_start.or(known.best_move);

    // The line ends before its first text that is not a legal move.
    let mut next = best.filter(|&best| best != played);
    let mut line = Vec::new();
    while let Some(mv) = next {
        line.push(san(&position, mv));
        position.play(mv);
        next = texts.next().and_then(|text| read_uci(text, &position));
    }

    line
}

/// The annotations of a game, with the added annotations at each ply.
fn with_added_annotations(
    annotations: &Annotations,
    added: &[AddedAnnotations],
    replaces_own: bool,
) -> Annotations {
    let mut written = Annotations::default();
    let mut own = annotations.iter().peekable();
    let mut here = Vec::new();

    for (ply, added) in added.iter().enumerate() {
        let ply = Ply::new(ply as u32);
        here.clear();
        while let Some((_, annotation)) = own.next_if(|&(at, _)| at <= ply) {
            here.push(annotation);
        }
        added.write(&here, ply, replaces_own, &mut written);
    }

    // Another program may have stored annotations behind the end.
    written.extend(own);
    written
}

impl AddedAnnotations {
    /// Writes the annotations of a place: its NAGs, comments and variations, in this order. With `replaces_own`, an
    /// added evaluation replaces the evaluations in comments.
    fn write(
        &self,
        own: &[Annotation<'_>],
        ply: Ply,
        replaces_own: bool,
        written: &mut Annotations,
    ) {
        let (of_move, variations) = split_at_variations(own);

        let is_nag = |annotation: &Annotation<'_>| matches!(annotation, Annotation::Nag(_));
        let nag_count = of_move
            .iter()
            .take_while(|annotation| is_nag(annotation))
            .count();
        let (nags, comments) = of_move.split_at(nag_count);

        // The judgement of a human annotator takes precedence.
        if let Some(judgement) = self.judgement
            && !has_suffix(of_move)
        {
            written.push(ply, Annotation::Nag(judgement.nag()));
        }
        written.extend(nags.iter().map(|&nag| (ply, nag)));

        match &self.command {
            Some(command) if replaces_own => {
                let kept = without_own_evaluations(comments, ply);
                let kept_comments: Vec<Annotation<'_>> =
                    kept.iter().map(|(_, annotation)| annotation).collect();
                AddedAnnotations::write_comments(command, &kept_comments, ply, written);
            }
            Some(command) => AddedAnnotations::write_comments(command, comments, ply, written),
            None => written.extend(comments.iter().map(|&comment| (ply, comment))),
        }

        if let Some(first) = self.better.first()
            && !has_variation(variations, first)
        {
            written.push(ply, Annotation::BeginVariation);
            written.extend(self.better.iter().map(|san| (ply, Annotation::Move(san))));
            written.push(ply, Annotation::EndVariation);
        }
        written.extend(variations.iter().map(|&annotation| (ply, annotation)));
    }

    /// Writes the comments of a place, with a command in front of them.
    fn write_comments(
        command: &str,
        comments: &[Annotation<'_>],
        ply: Ply,
        written: &mut Annotations,
    ) {
        let mut others = comments;

        match comments.split_first() {
            // The comment begins with a command, such as a clock time. Lichess writes both commands into one comment.
            Some((Annotation::Comment(text), behind)) if starts_with_command(text) => {
                let own_commands = text.trim_start_matches(' ');
                let joined = format!(" {command} {own_commands}");
                written.push(ply, Annotation::Comment(&joined));
                others = behind;
            }
            _ => written.push(ply, Annotation::Comment(&format!(" {command} "))),
        }

        written.extend(others.iter().map(|&comment| (ply, comment)));
    }
}

/// The NAGs and comments of a place, and the variations behind them.
fn split_at_variations<'o, 'a>(
    own: &'o [Annotation<'a>],
) -> (&'o [Annotation<'a>], &'o [Annotation<'a>]) {
    let is_variation = |annotation: &Annotation<'_>| *annotation == Annotation::BeginVariation;
    let start = own.iter().position(is_variation).unwrap_or(own.len());
    own.split_at(start)
}

/// `true` if a move has a NAG from `!` to `?!`, and a variation.
fn is_annotated(annotations: &Annotations, ply: Ply) -> bool {
    let own: Vec<Annotation<'_>> = annotations
        .iter()
        .filter(|&(at, _)| at == ply)
        .map(|(_, annotation)| annotation)
        .collect();

    let (of_move, variations) = split_at_variations(&own);
    has_suffix(of_move) && !variations.is_empty()
}

/// `true` if a move has a NAG from `!` to `?!`.
fn has_suffix(of_move: &[Annotation<'_>]) -> bool {
    for annotation in of_move {
        if let Annotation::Nag(nag) = annotation
            && is_suffix(*nag)
        {
            return true;
        }
    }
    false
}

/// Annotations of a place without the evaluations in comments.
fn without_own_evaluations(annotations: &[Annotation<'_>], ply: Ply) -> Annotations {
    let mut kept = Annotations::default();
    for &annotation in annotations {
        let Annotation::Comment(text) = annotation else {
            kept.push(ply, annotation);
            continue;
        };
        if let Some(text) = without_evaluations(text) {
            kept.push(ply, Annotation::Comment(&text));
        }
    }
    kept
}

/// `true` if a variation begins with the move `first`. Variations inside other variations do not count.
fn has_variation(annotations: &[Annotation<'_>], first: &str) -> bool {
    let mut depth = 0_usize;
    let mut expects_first_move = false;

    for annotation in annotations {
        match annotation {
            Annotation::BeginVariation => {
                depth += 1;
                expects_first_move = depth == 1;
            }
            Annotation::EndVariation => {
                depth = depth.saturating_sub(1);
                expects_first_move = false;
            }
            Annotation::Move(san) if expects_first_move => {
                if *san == first {
                    return true;
                }
                expects_first_move = false;
            }
            _ => {}
        }
    }
    false
}
