//! The repertoire as PGN, with counts, results and the best games as comments.

use std::collections::HashMap;
use std::io::Write;

use super::answer::{Answer, Rows};
use stamma::answer::RepertoireScore;
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::export::write_pgn;
use stamma::game::{Annotation, Annotations, Game, Lines, Ply, Step};
use stamma::notation::{San, Style};
use stamma::replay::Readings;
use stamma::report::{counted, grouped};
use stamma::study::repertoire::{Departure, DepartureKind};

/// The most moves of a comment that are not answered.
const MOST_MOVES: usize = 5;

pub(super) fn write(answer: &Answer<'_>, out: &mut impl Write) -> Result<Rows> {
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
        let mut annotated = replay.game.borrowed();
        annotated.annotations = std::borrow::Cow::Owned(notes.annotations(&replay.game, start)?);
        text.clear();
        write_pgn(&annotated, &Style::pgn(), &mut text).map_err(|source| Error::Unwritable {
            name: game.file.clone(),
            source: source.into(),
        })?;
        out.write_all(&text).map_err(Error::Output)?;
    }
    Ok((games.len(), games.len()))
}

/// The comments of positions.
struct Notes<'a> {
    answer: &'a Answer<'a>,
    departures: HashMap<usize, Vec<&'a Departure>>,
}

impl Notes<'_> {
    /// The annotations of a game of the repertoire, with a comment behind each move that has one. A comment comes behind
    /// the NAGs of its move.
    fn annotations(&self, game: &Game<'_>, start: Position) -> Result<Annotations> {
        let mut annotations = Annotations::default();
        let mut lines: Lines<Option<Position>> = Lines::new(Some(start));
        let mut waiting: Option<(Ply, String)> = None;
        for (ply, step) in game.steps() {
            if !matches!(step, Step::Annotation(Annotation::Nag(_)))
                && let Some((ply, comment)) = waiting.take()
            {
                annotations.push(ply, Annotation::Comment(&comment));
            }
            match step {
                Step::Mainline(san) => {
                    lines.play(|line| play(line, san));
                    waiting = self
                        .comment(lines.here())?
                        .map(|comment| (ply + 1, comment));
                    continue;
                }
                Step::Annotation(Annotation::Move(san)) => {
                    lines.play(|line| play(line, san));
                    waiting = self.comment(lines.here())?.map(|comment| (ply, comment));
                }
                Step::Annotation(Annotation::BeginVariation) => lines.begin_variation(),
                Step::Annotation(Annotation::EndVariation) => _ = lines.end_variation(),
                Step::Annotation(_) => {}
            }
            if let Step::Annotation(annotation) = step {
                annotations.push(ply, annotation);
            }
        }
        if let Some((ply, comment)) = waiting {
            annotations.push(ply, Annotation::Comment(&comment));
        }
        Ok(annotations)
    }

    /// The comment of a position: behind each move of the repertoire's side, and at the end of each line.
    fn comment(&self, position: &Option<Position>) -> Result<Option<String>> {
        let Answer {
            repertoire,
            hits,
            database,
            ..
        } = self.answer;
        let Some(at) = position
            .as_ref()
            .and_then(|position| repertoire.find(position))
        else {
            return Ok(None);
        };
        let is_end = repertoire.positions()[at].is_end();
        let reached = hits.reached(at);
        if reached.all_games() == 0 || repertoire.is_own_turn(at) && !is_end {
            return Ok(None);
        }
        let mut parts = vec![counted(reached.all_games(), "game", "games")];
        if let Some(score) = RepertoireScore::new(reached, repertoire.side()).score {
            parts[0] += &format!(", {score:.0} %");
        }
        let departures = self.departures.get(&at).map_or(&[][..], Vec::as_slice);
        let gaps = departures
            .iter()
            .filter(|one| one.kind == DepartureKind::Opponent);
        let gaps = gaps.filter_map(|one| {
            let (san, _) = one.played.as_ref()?;
            Some(format!("{san} {}", grouped(one.all.all_games())))
        });
        let gaps: Vec<String> = gaps.take(MOST_MOVES).collect();
        if !gaps.is_empty() {
            let number = repertoire.move_number(at);
            parts.push(format!("without an answer: {number} {}", gaps.join(", ")));
        }
        let best = departures
            .iter()
            .find(|one| one.kind == DepartureKind::EndOfLine);
        if let Some(best) = best.and_then(|one| one.best.first())
            && let Some(heading) = database.heading(best.game)?
        {
            parts.push(format!("model game: {heading} (game {})", best.game));
        }
        Ok(Some(parts.join("; ").replace('}', ")")))
    }
}

/// Plays a move, after which there is no position if it cannot be played.
fn play(line: &mut Option<Position>, san: &str) {
    let mv = line
        .as_ref()
        .and_then(|position| Some(San::parse(san.as_bytes())?.resolve(position).ok()?.mv));
    match (line.as_mut(), mv) {
        (Some(position), Some(mv)) => position.play(mv),
        _ => *line = None,
    }
}
