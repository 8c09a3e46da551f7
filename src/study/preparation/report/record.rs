//! The record of a preparation for JSON. Scores are in per cent, with one decimal.

use serde::Serialize;

use super::PreparationReport;
use super::line::numbered;
use crate::board::Color;
use crate::query::player::PlayerScore;
use crate::storage::GameId;
use crate::study::preparation::{
    HabitualMove, HalfScore, LineScore, OpeningHabit, OthersCount, PreparedMove, StudyReason,
};

/// A preparation as JSON has it.
#[derive(Debug, Serialize)]
pub struct PreparationRecord {
    player: String,
    names: Vec<Named>,
    by_initials: Vec<Named>,
    other_players: Vec<Named>,
    #[serde(rename = "as")]
    color: &'static str,
    #[serde(flatten)]
    score: Score,
    undated: u64,
    recent_since: Option<String>,
    min_games: u64,
    omitted_duplicates: u64,
    omitted_other_starts: u64,
    omitted_older: u64,
    omitted_against_self: u64,
    changes: Vec<Change>,
    weak_lines: Vec<Weak>,
    avoided: Vec<Avoided>,
    repertoire: Option<Meeting>,
    games_to_study: Vec<Study>,
    openings: Vec<Opening>,
    openings_with_other_color: Vec<Opening>,
    plies: Plies,
    speeds: Vec<Results>,
    opposition: Vec<Results>,
    lines: Vec<Move>,
}

#[derive(Debug, Serialize)]
struct Named {
    name: String,
    games: u64,
}

#[derive(Debug, Serialize)]
struct Counted {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: Option<f64>,
    opponent_elo: Option<i64>,
    performance: Option<i64>,
    first_date: Option<String>,
    last_date: Option<String>,
}

#[derive(Debug, Serialize)]
struct Score {
    #[serde(flatten)]
    counted: Counted,
    recent: u64,
    earlier_games: u64,
    earlier_score: Option<f64>,
    later_games: u64,
    later_score: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Share {
    games: u64,
    of: u64,
    deviation: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Move {
    ply: u32,
    #[serde(rename = "move")]
    san: String,
    uci: String,
    fen: String,
    is_opponents: bool,
    #[serde(flatten)]
    score: Score,
    others: Option<Share>,
    in_repertoire: Option<bool>,
    is_transposition: bool,
    next: Vec<Move>,
}

#[derive(Debug, Serialize)]
struct Weak {
    line: String,
    fen: String,
    opening: Option<String>,
    #[serde(flatten)]
    score: Score,
    /// The Wilson interval at 95 per cent.
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Avoided {
    line: String,
    #[serde(rename = "move")]
    san: String,
    fen: String,
    games: u64,
    of: u64,
    others: u64,
    others_of: u64,
}

#[derive(Debug, Serialize)]
struct Change {
    line: String,
    before: Chosen,
    since: Chosen,
}

#[derive(Debug, Serialize)]
struct Chosen {
    #[serde(rename = "move")]
    san: String,
    games: u64,
    of: u64,
}

#[derive(Debug, Serialize)]
struct Study {
    game: GameId,
    white: Option<String>,
    black: Option<String>,
    result: String,
    date: Option<String>,
    event: Option<String>,
    points: u64,
    reasons: Vec<String>,
    known_plies: u32,
    novelty_ply: Option<u32>,
    novelty: Option<String>,
    novelty_games_before: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Opening {
    name: String,
    #[serde(flatten)]
    score: Score,
    earlier_half: u64,
    earlier_half_of: u64,
    later_half: u64,
    later_half_of: u64,
}

#[derive(Debug, Serialize)]
struct Plies {
    mean: Option<f64>,
    mean_won: Option<f64>,
    mean_drawn: Option<f64>,
    mean_lost: Option<f64>,
    short_draws: u64,
}

#[derive(Debug, Serialize)]
struct Results {
    name: String,
    #[serde(flatten)]
    score: Counted,
}

#[derive(Debug, Serialize)]
struct Meeting {
    positions: u64,
    met: u64,
    games: u64,
    left_by_opponent: u64,
    left_by_others: u64,
    ended: u64,
    beyond: u64,
    gaps: Vec<Gap>,
    ends: Vec<End>,
    unmet: Vec<Unmet>,
}

#[derive(Debug, Serialize)]
struct Gap {
    line: String,
    #[serde(rename = "move")]
    san: String,
    fen: String,
    #[serde(flatten)]
    score: Score,
    others: Share,
}

#[derive(Debug, Serialize)]
struct End {
    line: String,
    fen: String,
    #[serde(flatten)]
    score: Score,
}

#[derive(Debug, Serialize)]
struct Unmet {
    line: String,
    #[serde(rename = "move")]
    san: String,
    fen: String,
    is_opponents: bool,
    games: u64,
    positions: u64,
}

fn named(names: &[(String, u64)]) -> Vec<Named> {
    names.iter().map(|(name, games)| Named { name: name.clone(), games: *games }).collect()
}

impl PreparationReport<'_> {
    /// The record.
    pub fn record(&self) -> PreparationRecord {
        let of = self.preparation;
        let lengths = &of.habits.lengths;
        PreparationRecord {
            player: self.opponent().to_owned(),
            names: named(&of.names),
            by_initials: named(&of.by_initials),
            other_players: named(&of.others),
            color: color(of.color),
            score: (&of.score).into(),
            undated: of.undated,
            recent_since: of.recent_since.map(|date| date.to_string()),
            min_games: of.min_games,
            omitted_duplicates: of.omitted.duplicates,
            omitted_other_starts: of.omitted.other_starts,
            omitted_older: of.omitted.older,
            omitted_against_self: of.omitted.against_self,
            changes: self.changes(),
            weak_lines: self.weak(),
            avoided: self.avoided(),
            repertoire: self.meeting(),
            games_to_study: self.study(),
            openings: of.habits.openings.iter().map(Opening::from).collect(),
            openings_with_other_color: of.habits.other_openings.iter().map(Opening::from).collect(),
            plies: Plies {
                mean: mean(lengths.all),
                mean_won: mean(lengths.won),
                mean_drawn: mean(lengths.drawn),
                mean_lost: mean(lengths.lost),
                short_draws: lengths.short_draws,
            },
            speeds: of
                .habits
                .speeds
                .iter()
                .map(|(speed, score)| Results::new(speed.as_str().to_owned(), score))
                .collect(),
            opposition: of
                .habits
                .opposition
                .iter()
                .map(|(elo, score)| Results::new(elo.to_string(), score))
                .collect(),
            lines: of.lines.iter().map(Move::from).collect(),
        }
    }

    fn changes(&self) -> Vec<Change> {
        let changes = self.preparation.habits.changes.iter();
        let change = changes.map(|change| Change {
            line: numbered(&change.line),
            before: (&change.before).into(),
            since: (&change.since).into(),
        });
        change.collect()
    }

    fn weak(&self) -> Vec<Weak> {
        let weak = self.preparation.weak_lines.iter().map(|weak| {
            let interval = weak.score.interval();
            Weak {
                line: numbered(&weak.line),
                fen: weak.position.fen(),
                opening: self.opening(&weak.line),
                score: (&weak.score).into(),
                low: interval.map(|(low, _)| rounded(low)),
                high: interval.map(|(_, high)| rounded(high)),
            }
        });
        weak.collect()
    }

    fn avoided(&self) -> Vec<Avoided> {
        let avoided = self.preparation.avoided.iter().map(|avoided| Avoided {
            line: numbered(&avoided.line),
            san: avoided.san.clone(),
            fen: avoided.position.fen(),
            games: avoided.games,
            of: avoided.of,
            others: avoided.others,
            others_of: avoided.others_of,
        });
        avoided.collect()
    }

    fn study(&self) -> Vec<Study> {
        let study = self.preparation.games.iter().map(|game| {
            let heading = self.heading(game);
            Study {
                game: game.game,
                white: heading.white.clone(),
                black: heading.black.clone(),
                result: heading.result.clone(),
                date: heading.date.clone(),
                event: heading.event.clone(),
                points: game.points,
                reasons: game.reasons.iter().map(reason).collect(),
                known_plies: game.known_plies,
                novelty_ply: game.novelty.map(|novelty| novelty.ply.get()),
                novelty: self.novelty(game).map(|played| played.san.clone()),
                novelty_games_before: game.novelty.map(|novelty| novelty.before),
            }
        });
        study.collect()
    }

    fn meeting(&self) -> Option<Meeting> {
        let meeting = self.preparation.meeting.as_ref()?;
        let gaps = meeting.gaps.iter().map(|gap| Gap {
            line: numbered(&gap.line),
            san: gap.san.clone(),
            fen: gap.after.fen(),
            score: (&gap.score).into(),
            others: gap.others.into(),
        });
        let ends = meeting.ends.iter().map(|end| End {
            line: numbered(&end.line),
            fen: end.position.fen(),
            score: (&end.score).into(),
        });
        let unmet = meeting.unmet.iter().map(|unmet| Unmet {
            line: numbered(&unmet.line),
            san: unmet.san.clone(),
            fen: unmet.position.fen(),
            is_opponents: unmet.is_opponents,
            games: unmet.games,
            positions: unmet.positions,
        });
        Some(Meeting {
            positions: meeting.positions,
            met: meeting.met,
            games: meeting.games,
            left_by_opponent: meeting.left_by_opponent,
            left_by_others: meeting.left_by_others,
            ended: meeting.ended,
            beyond: meeting.beyond,
            gaps: gaps.collect(),
            ends: ends.collect(),
            unmet: unmet.collect(),
        })
    }
}

fn color(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}

fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn mean((games, plies): (u64, u64)) -> Option<f64> {
    (games > 0).then(|| rounded(plies as f64 / games as f64))
}

fn reason(reason: &StudyReason) -> String {
    match reason {
        StudyReason::Recent => "recent".to_owned(),
        StudyReason::Lost => "lost".to_owned(),
        StudyReason::Drawn => "drawn".to_owned(),
        StudyReason::Line(plies) => format!("line {plies}"),
        StudyReason::Opposition(elo) => format!("opposition {elo}"),
    }
}

impl From<&PlayerScore> for Counted {
    fn from(score: &PlayerScore) -> Counted {
        let whole = |points: f64| points.round() as i64;
        Counted {
            games: score.all_games(),
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            score: score.per_cent().map(rounded),
            opponent_elo: score.opponent_elo.mean().map(whole),
            performance: score.performance().map(whole),
            first_date: score.first.map(|date| date.to_string()),
            last_date: score.last.map(|date| date.to_string()),
        }
    }
}

impl From<&LineScore> for Score {
    fn from(line: &LineScore) -> Score {
        let [earlier, later] = line.halves;
        let per_cent = |half: HalfScore| half.per_cent().map(rounded);
        Score {
            counted: (&line.score).into(),
            recent: line.recent,
            earlier_games: earlier.games,
            earlier_score: per_cent(earlier),
            later_games: later.games,
            later_score: per_cent(later),
        }
    }
}

impl From<OthersCount> for Share {
    fn from(count: OthersCount) -> Share {
        let deviation = count.deviation().map(crate::study::preparation::Deviation::as_str);
        Share { games: count.games, of: count.of, deviation }
    }
}

impl From<&PreparedMove> for Move {
    fn from(line: &PreparedMove) -> Move {
        Move {
            ply: line.ply.get(),
            san: line.san.clone(),
            uci: line.played.to_string(),
            fen: line.after.fen(),
            is_opponents: line.is_opponents,
            score: (&line.score).into(),
            others: line.others.map(Share::from),
            in_repertoire: line.in_repertoire,
            is_transposition: line.is_transposition,
            next: line.next.iter().map(Move::from).collect(),
        }
    }
}

impl From<&HabitualMove> for Chosen {
    fn from(choice: &HabitualMove) -> Chosen {
        Chosen { san: choice.san.clone(), games: choice.games, of: choice.of }
    }
}

impl From<&OpeningHabit> for Opening {
    fn from(habit: &OpeningHabit) -> Opening {
        Opening {
            name: habit.name.clone(),
            score: (&habit.score).into(),
            earlier_half: habit.halves[0],
            earlier_half_of: habit.of[0],
            later_half: habit.halves[1],
            later_half_of: habit.of[1],
        }
    }
}

impl Results {
    fn new(name: String, score: &PlayerScore) -> Results {
        Results { name, score: score.into() }
    }
}
