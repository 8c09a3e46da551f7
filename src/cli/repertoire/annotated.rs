//! The repertoire as PGN, with counts, results and the best games as comments.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

use super::answer::{Answer, RowCounts};
use stamma::answer::RepertoireScore;
use stamma::board::{Move, Position};
use stamma::error::{Error, Result};
use stamma::export::write_pgn;
use stamma::game::{Annotation, Annotations, Game, Lines, Ply, Step};
use stamma::notation::{San, Style};
use stamma::replay::Readings;
use stamma::report::{counted, grouped};
use stamma::study::repertoire::{Departure, DepartureKind};

/// The maximum number of moves without an answer in a comment.
const MAX_UNANSWERED_MOVES: usize = 5;

/// Writes the games of the repertoire with the comments.
pub(super) fn write(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let games = answer.repertoire.games();
    if games.is_empty() {
        let list = "the repertoire is a list of positions; only a PGN file can be annotated";
        return Err(Error::Repertoire(list.to_owned()));
    }

    let mut departures: HashMap<usize, Vec<&Departure>> = HashMap::new();
    for departure in answer.departures() {
        departures
            .entry(departure.position)
            .or_default()
            .push(departure);
    }
    let notes = Notes { answer, departures };

    let readings = Readings::default();
    let mut text = Vec::new();
    for game in games {
        let replay = readings.replay(&game.text).replay;
        let start = replay.start.clone().unwrap_or_default();
        let annotations = notes.annotations(&replay.game, start)?;
        let mut annotated = replay.game.borrowed();
        annotated.annotations = Cow::Owned(annotations);

        text.clear();
        let written = write_pgn(&annotated, &Style::pgn(), &mut text);
        written.map_err(|source| Error::Unwritable {
            name: game.file.clone(),
            source: source.into(),
        })?;
        out.write_all(&text).map_err(Error::Output)?;
    }
    Ok(RowCounts {
        written: games.len(),
        all: games.len(),
    })
}

/// The source of the comments of positions.
struct Notes<'a> {
    answer: &'a Answer<'a>,
    /// The requested departures from each position.
    departures: HashMap<usize, Vec<&'a Departure>>,
}

impl Notes<'_> {
    /// The annotations of a game of the repertoire, with the comments of its positions.
    fn annotations(&self, game: &Game<'_>, start: Position) -> Result<Annotations> {
        let mut annotations = Annotations::default();
        let mut lines: Lines<Option<Position>> = Lines::new(Some(start));
        let mut waiting: Option<(Ply, String)> = None;

        for (ply, step) in game.steps() {
            // A comment follows the NAGs of its move.
            let is_nag = matches!(step, Step::Annotation(Annotation::Nag(_)));
            if !is_nag && let Some((place, comment)) = waiting.take() {
                annotations.push(place, Annotation::Comment(&comment));
            }

            match step {
                Step::Mainline(san) => {
                    lines.play(|line| play(line, san));
                    let comment = self.comment(lines.here())?;
                    // A step of the mainline has the ply before its move. An annotation has the ply after its move.
                    waiting = comment.map(|comment| (ply + 1, comment));
                    continue;
                }

                Step::Annotation(Annotation::Move(san)) => {
                    lines.play(|line| play(line, san));
                    let comment = self.comment(lines.here())?;
                    waiting = comment.map(|comment| (ply, comment));
                }
                Step::Annotation(Annotation::BeginVariation) => lines.begin_variation(),
                Step::Annotation(Annotation::EndVariation) => _ = lines.end_variation(),
                Step::Annotation(_) => {}
            }
            if let Step::Annotation(annotation) = step {
                annotations.push(ply, annotation);
            }
        }

        if let Some((place, comment)) = waiting {
            annotations.push(place, Annotation::Comment(&comment));
        }
        Ok(annotations)
    }

    /// The comment of a position, after a move of the repertoire's side or at the end of a line; `None` for other
    /// positions, and for positions that no game reaches.
    fn comment(&self, position: &Option<Position>) -> Result<Option<String>> {
        let Answer {
            repertoire, hits, ..
        } = self.answer;
        let Some(position) = position else {
            return Ok(None);
        };
        let Some(at) = repertoire.find(position) else {
            return Ok(None);
        };

        let reached = hits.reached(at);
        if reached.all_games() == 0 {
            return Ok(None);
        }
        let is_end = repertoire.positions()[at].is_end();
        if repertoire.is_own_turn(at) && !is_end {
            return Ok(None);
        }

        let mut games = counted(reached.all_games(), "game", "games");
        if let Some(score) = RepertoireScore::new(reached, repertoire.side()).score {
            games += &format!(", {score:.0} %");
        }
        let mut parts = vec![games];

        let departures = self.departures.get(&at).map_or(&[][..], Vec::as_slice);
        let unanswered = unanswered_moves(departures);
        if !unanswered.is_empty() {
            let number = repertoire.move_number(at);
            let moves = unanswered.join(", ");
            parts.push(format!("without an answer: {number} {moves}"));
        }
        parts.extend(self.model_game(departures)?);

        // A comment ends at the first closing brace (PGN §5).
        let text = parts.join("; ").replace('}', ")");
        Ok(Some(text))
    }

    /// The best game that reaches the end of a line, if there is one.
    fn model_game(&self, departures: &[&Departure]) -> Result<Option<String>> {
        let end_of_line = departures
            .iter()
            .find(|departure| departure.kind == DepartureKind::EndOfLine);
        let Some(best) = end_of_line.and_then(|departure| departure.best.first()) else {
            return Ok(None);
        };

        let heading = self.answer.database.heading(best.game)?;
        Ok(heading.map(|heading| format!("model game: {heading} (game {})", best.game)))
    }
}

/// The opponent's moves to which the repertoire has no answer, each with its number of games.
fn unanswered_moves(departures: &[&Departure]) -> Vec<String> {
    let mut moves = Vec::new();
    for departure in departures {
        if departure.kind == DepartureKind::Opponent
            && let Some((san, _)) = &departure.played
        {
            let games = grouped(departure.all.all_games());
            moves.push(format!("{san} {games}"));
        }
    }
    moves.truncate(MAX_UNANSWERED_MOVES);
    moves
}

/// Plays a move. If the move is not legal, the line has no position any more.
fn play(line: &mut Option<Position>, san: &str) {
    let Some(position) = line else {
        return;
    };
    match legal_move(position, san) {
        Some(mv) => position.play(mv),
        None => *line = None,
    }
}

/// The move of a text in SAN; `None` if it is not legal.
fn legal_move(position: &Position, san: &str) -> Option<Move> {
    let parsed = San::parse(san.as_bytes())?;
    let resolved = parsed.resolve(position).ok()?;
    Some(resolved.mv)
}
