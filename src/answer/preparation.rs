//! The preparation for an opponent. Shares and scores are in per cent, with one decimal.

use schemars::JsonSchema;
use serde::Serialize;

use super::player::player_refs;
use super::{EvaluationRef, GameRef, PlayerRef, Score, color_name, one_decimal};
use crate::query::player::PlayerScore;
use crate::study::preparation;
use crate::study::preparation::{
    HalfScore, LineScore, PreparationReport, StudyReason, numbered_line,
};

/// The preparation for games against an opponent who has one color.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Preparation {
    /// The opponent.
    pub player: String,
    /// The spellings of the name that are counted.
    pub names: Vec<PlayerRef>,
    /// Spellings among them without a full given name, which may be another player's.
    pub by_initials: Vec<PlayerRef>,
    /// Other players whose names match; none of their games is counted.
    pub other_players: Vec<PlayerRef>,
    /// The color to play against the opponent.
    pub color: &'static str,
    /// All games.
    #[serde(flatten)]
    pub score: LineScoreAnswer,
    /// Games without a date, which count as earlier than all games with a date.
    pub undated: u64,
    /// The date from which games are recent.
    pub recent_since: Option<String>,
    /// The minimum number of games of a move in `lines`.
    pub min_games: u64,
    /// Games left out as duplicates.
    pub omitted_duplicates: u64,
    /// Games left out because they start from another position.
    pub omitted_other_starts: u64,
    /// Games left out because only the latest games are counted.
    pub omitted_older: u64,
    /// Games left out because the names of both players match.
    pub omitted_against_self: u64,
    /// Habits that have changed.
    pub changes: Vec<ChangedHabit>,
    /// The lines in which the opponent scores worst.
    pub weak_lines: Vec<WeakLine>,
    /// Usual moves that the opponent avoids.
    pub avoided: Vec<AvoidedMove>,
    /// The comparison of the games with the repertoire, if a repertoire was given.
    pub repertoire: Option<RepertoireMeeting>,
    /// The games to study first.
    pub games_to_study: Vec<GameToStudy>,
    /// The openings with this color.
    pub openings: Vec<HabitualOpening>,
    /// The openings with the other color.
    pub openings_with_other_color: Vec<HabitualOpening>,
    /// The lengths of games in half-moves.
    pub plies: GameLengths,
    /// The games by their speed.
    pub speeds: Vec<NamedScore>,
    /// The games by the Elo of the opposition.
    pub opposition: Vec<NamedScore>,
    /// The tree of moves.
    pub lines: Vec<PreparedMove>,
}

/// The score in the games of a line, also by halves of time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LineScoreAnswer {
    /// The games.
    #[serde(flatten)]
    pub score: Score,
    /// The recent games of the line.
    pub recent: u64,
    /// The games of the earlier half.
    pub earlier_games: u64,
    /// The score in the earlier half.
    pub earlier_score: Option<f64>,
    /// The games of the later half.
    pub later_games: u64,
    /// The score in the later half.
    pub later_score: Option<f64>,
}

/// The share of a move in the games of other players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OthersShare {
    /// The games of other players with the move.
    pub games: u64,
    /// The games of other players in the position.
    pub of: u64,
    /// The deviation of the opponent from the other players.
    pub deviation: Option<&'static str>,
}

/// A move of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreparedMove {
    /// The number of half-moves up to this move.
    pub ply: u32,
    /// The move.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The position after the move.
    pub fen: String,
    /// `true` if the move is the opponent's.
    pub is_opponents: bool,
    /// The games.
    #[serde(flatten)]
    pub score: LineScoreAnswer,
    /// The games of other players with the move.
    pub others: Option<OthersShare>,
    /// `true` if the repertoire has the position after the move; null without a repertoire.
    pub in_repertoire: Option<bool>,
    /// `true` if the position is listed elsewhere, with the moves after it.
    pub is_transposition: bool,
    /// The evaluation of the position.
    #[serde(flatten)]
    pub evaluation: EvaluationRef,
    /// The moves that follow.
    pub next: Vec<PreparedMove>,
}

/// A line in which the opponent scores badly.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WeakLine {
    /// The moves.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The name of its opening.
    pub opening: Option<String>,
    /// The games.
    #[serde(flatten)]
    pub score: LineScoreAnswer,
    /// The lower end of Wilson's interval for the score, at 95 per cent.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The evaluation of the position.
    #[serde(flatten)]
    pub evaluation: EvaluationRef,
}

/// A usual move that the opponent avoids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AvoidedMove {
    /// The moves before.
    pub line: String,
    /// The move.
    pub san: String,
    /// The position before the move.
    pub fen: String,
    /// The opponent's games with the move.
    pub games: u64,
    /// The opponent's games in the position.
    pub of: u64,
    /// The games of other players with the move.
    pub others: u64,
    /// The games of other players in the position.
    pub others_of: u64,
}

/// A habit that has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedHabit {
    /// The moves before.
    pub line: String,
    /// The usual move before the change.
    pub before: HabitShare,
    /// The usual move after the change.
    pub since: HabitShare,
}

/// A usual move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HabitShare {
    /// The move.
    pub san: String,
    /// The games with the move.
    pub games: u64,
    /// The games in the position.
    pub of: u64,
}

/// A game to study.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameToStudy {
    /// The game.
    #[serde(flatten)]
    pub game: GameRef,
    /// The points of the game, by which the games to study are chosen.
    pub points: u64,
    /// `recent`, `lost`, `drawn`, `line N` or `opposition N`.
    pub reasons: Vec<String>,
    /// The half-moves that are in the tree or in the repertoire.
    pub known_plies: u32,
    /// The number of half-moves up to the game's novelty.
    pub novelty_ply: Option<u32>,
    /// The novelty of the game.
    pub novelty_san: Option<String>,
    /// The earlier games with the position before the novelty.
    pub novelty_games_before: Option<u64>,
}

/// An opening that the opponent plays.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HabitualOpening {
    /// The name.
    pub opening: String,
    /// The games.
    #[serde(flatten)]
    pub score: LineScoreAnswer,
    /// The games with the opening in the earlier half of all games.
    pub earlier_half: u64,
    /// The number of games in the earlier half.
    pub earlier_half_of: u64,
    /// The games with the opening in the later half of all games.
    pub later_half: u64,
    /// The number of games in the later half.
    pub later_half_of: u64,
}

/// Average lengths of games, in half-moves with one decimal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameLengths {
    /// The average length of all games.
    pub average: Option<f64>,
    /// The average length of the games that the opponent won.
    pub average_won: Option<f64>,
    /// The average length of drawn games.
    pub average_drawn: Option<f64>,
    /// The average length of the games that the opponent lost.
    pub average_lost: Option<f64>,
    /// The number of short draws.
    pub short_draws: u64,
}

/// The games of a part, such as a speed or a band of ratings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NamedScore {
    /// The part.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

/// The opponent's games compared with a repertoire.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepertoireMeeting {
    /// The positions of the repertoire.
    pub positions: u64,
    /// The positions that the games reach.
    pub met: u64,
    /// The games that are in the repertoire.
    pub games: u64,
    /// Games in which the opponent leaves the repertoire.
    pub left_by_opponent: u64,
    /// Games in which the other side leaves the repertoire.
    pub left_by_others: u64,
    /// Games that end within the repertoire.
    pub ended: u64,
    /// Games that reach the end of a line of the repertoire.
    pub beyond: u64,
    /// Moves of the opponent without an answer.
    pub gaps: Vec<RepertoireGap>,
    /// The ends of lines that games reach.
    pub ends: Vec<ReachedEnd>,
    /// Moves of the repertoire that no game plays.
    pub unmet: Vec<UnmetMove>,
}

/// A move of the opponent without an answer in the repertoire.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepertoireGap {
    /// The moves before.
    pub line: String,
    /// The move.
    pub san: String,
    /// The position after the move.
    pub fen: String,
    /// The games.
    #[serde(flatten)]
    pub score: LineScoreAnswer,
    /// The games of other players with the move.
    pub others: OthersShare,
}

/// The end of a line that games reach.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReachedEnd {
    /// The moves.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The games.
    #[serde(flatten)]
    pub score: LineScoreAnswer,
}

/// A move of the repertoire that no game plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnmetMove {
    /// The moves before.
    pub line: String,
    /// The move.
    pub san: String,
    /// The position before the move.
    pub fen: String,
    /// `true` if the move is the opponent's.
    pub is_opponents: bool,
    /// The games in the position.
    pub games: u64,
    /// The positions of the repertoire after the move.
    pub positions: u64,
}

impl Preparation {
    /// The answer for a preparation.
    pub fn new(report: &PreparationReport<'_>) -> Preparation {
        let found = report.preparation;
        let habits = &found.habits;

        let mut speeds = Vec::with_capacity(habits.speeds.len());
        for (speed, score) in &habits.speeds {
            speeds.push(NamedScore::new(speed.as_str(), score));
        }

        // A band of Elo is named by its lower bound.
        let mut opposition = Vec::with_capacity(habits.opposition.len());
        for (elo, score) in &habits.opposition {
            opposition.push(NamedScore::new(&elo.to_string(), score));
        }

        Preparation {
            player: report.opponent().to_owned(),
            names: player_refs(&found.names),
            by_initials: player_refs(&found.by_initials),
            other_players: player_refs(&found.others),
            color: color_name(found.color),
            score: (&found.score).into(),
            undated: found.undated,
            recent_since: found.recent_since.map(|date| date.to_string()),
            min_games: found.min_games,
            omitted_duplicates: found.omitted.duplicates,
            omitted_other_starts: found.omitted.other_starts,
            omitted_older: found.omitted.older,
            omitted_against_self: found.omitted.against_self,
            changes: habits.changes.iter().map(ChangedHabit::from).collect(),
            weak_lines: weak_lines(report),
            avoided: found.avoided.iter().map(AvoidedMove::from).collect(),
            repertoire: found.meeting.as_ref().map(RepertoireMeeting::from),
            games_to_study: games_to_study(report),
            openings: habitual_openings(&habits.openings),
            openings_with_other_color: habitual_openings(&habits.other_openings),
            plies: (&habits.lengths).into(),
            speeds,
            opposition,
            lines: found.lines.iter().map(PreparedMove::from).collect(),
        }
    }
}

fn habitual_openings(habits: &[preparation::OpeningHabit]) -> Vec<HabitualOpening> {
    habits.iter().map(HabitualOpening::from).collect()
}

/// The lines in which the opponent scores worst, in the order of the report.
fn weak_lines(report: &PreparationReport<'_>) -> Vec<WeakLine> {
    let mut lines = Vec::new();
    for weak in &report.preparation.weak_lines {
        let (low, high) = weak.score.interval().unzip();

        lines.push(WeakLine {
            line: numbered_line(&weak.line),
            fen: weak.position.fen(),
            opening: report.opening(&weak.line),
            score: (&weak.score).into(),
            low: low.map(one_decimal),
            high: high.map(one_decimal),
            evaluation: EvaluationRef::new(weak.evaluation.as_ref()),
        });
    }
    lines
}

/// The games to study first, in the order of the report.
fn games_to_study(report: &PreparationReport<'_>) -> Vec<GameToStudy> {
    let mut games = Vec::new();
    for game in &report.preparation.games {
        let heading = report.heading(game).clone();
        let game_ref = GameRef {
            database: report.database(game).map(str::to_owned),
            ..GameRef::new(game.game.game, heading)
        };

        let novelty = game.novelty.map(|found| found.novelty);
        let novelty_move = report.novelty(game);

        games.push(GameToStudy {
            game: game_ref,
            points: game.points,
            reasons: game.reasons.iter().map(reason_text).collect(),
            known_plies: game.known_plies,
            novelty_ply: novelty.map(|novelty| novelty.ply.get()),
            novelty_san: novelty_move.map(|played| played.san.clone()),
            novelty_games_before: novelty.map(|novelty| novelty.before),
        });
    }
    games
}

/// The average length of games, from their number and the sum of their half-moves; `None` without games.
fn average((games, plies): (u64, u64)) -> Option<f64> {
    if games == 0 {
        return None;
    }

    let mean = plies as f64 / games as f64;
    Some(one_decimal(mean))
}

/// A reason as text: `recent`, `lost`, `drawn`, `line 24` or `opposition 2600`.
fn reason_text(reason: &StudyReason) -> String {
    match reason {
        StudyReason::Recent => "recent".to_owned(),
        StudyReason::Lost => "lost".to_owned(),
        StudyReason::Drawn => "drawn".to_owned(),
        StudyReason::Line(plies) => format!("line {plies}"),
        StudyReason::Opposition(elo) => format!("opposition {elo}"),
    }
}

impl From<&preparation::GameLengths> for GameLengths {
    fn from(lengths: &preparation::GameLengths) -> GameLengths {
        GameLengths {
            average: average(lengths.all),
            average_won: average(lengths.won),
            average_drawn: average(lengths.drawn),
            average_lost: average(lengths.lost),
            short_draws: lengths.short_draws,
        }
    }
}

impl From<&LineScore> for LineScoreAnswer {
    fn from(line: &LineScore) -> LineScoreAnswer {
        // The games are halved by date, so that the scores of the halves differ after a change of habits.
        let [earlier, later] = line.halves;
        let per_cent = |half: HalfScore| half.per_cent().map(one_decimal);

        LineScoreAnswer {
            score: (&line.score).into(),
            recent: line.recent,
            earlier_games: earlier.games,
            earlier_score: per_cent(earlier),
            later_games: later.games,
            later_score: per_cent(later),
        }
    }
}

impl From<preparation::OthersCount> for OthersShare {
    fn from(count: preparation::OthersCount) -> OthersShare {
        let deviation = count.deviation().map(preparation::Deviation::as_str);
        OthersShare {
            games: count.games,
            of: count.all_games,
            deviation,
        }
    }
}

impl From<&preparation::PreparedMove> for PreparedMove {
    fn from(found: &preparation::PreparedMove) -> PreparedMove {
        PreparedMove {
            ply: found.ply.get(),
            san: found.san.clone(),
            uci: found.played.to_string(),
            fen: found.after.fen(),
            is_opponents: found.is_opponents,
            score: (&found.score).into(),
            others: found.others.map(OthersShare::from),
            in_repertoire: found.in_repertoire,
            is_transposition: found.is_transposition,
            evaluation: EvaluationRef::new(found.evaluation.as_ref()),
            next: found.next.iter().map(PreparedMove::from).collect(),
        }
    }
}

impl From<&preparation::AvoidedMove> for AvoidedMove {
    fn from(found: &preparation::AvoidedMove) -> AvoidedMove {
        AvoidedMove {
            line: numbered_line(&found.line),
            san: found.san.clone(),
            fen: found.position.fen(),
            games: found.games,
            of: found.all_games,
            others: found.others,
            others_of: found.all_others,
        }
    }
}

impl From<&preparation::ChangedHabit> for ChangedHabit {
    fn from(found: &preparation::ChangedHabit) -> ChangedHabit {
        ChangedHabit {
            line: numbered_line(&found.line),
            before: (&found.before).into(),
            since: (&found.since).into(),
        }
    }
}

impl From<&preparation::HabitualMove> for HabitShare {
    fn from(found: &preparation::HabitualMove) -> HabitShare {
        HabitShare {
            san: found.san.clone(),
            games: found.games,
            of: found.all_games,
        }
    }
}

impl From<&preparation::OpeningHabit> for HabitualOpening {
    fn from(found: &preparation::OpeningHabit) -> HabitualOpening {
        let [earlier_half, later_half] = found.halves;
        let [earlier_half_of, later_half_of] = found.all_halves;

        HabitualOpening {
            opening: found.name.clone(),
            score: (&found.score).into(),
            earlier_half,
            earlier_half_of,
            later_half,
            later_half_of,
        }
    }
}

impl From<&preparation::RepertoireMeeting> for RepertoireMeeting {
    fn from(found: &preparation::RepertoireMeeting) -> RepertoireMeeting {
        let gaps = found.gaps.iter().map(|gap| RepertoireGap {
            line: numbered_line(&gap.line),
            san: gap.san.clone(),
            fen: gap.after.fen(),
            score: (&gap.score).into(),
            others: gap.others.into(),
        });

        let ends = found.ends.iter().map(|end| ReachedEnd {
            line: numbered_line(&end.line),
            fen: end.position.fen(),
            score: (&end.score).into(),
        });

        let unmet = found.unmet.iter().map(|unmet| UnmetMove {
            line: numbered_line(&unmet.line),
            san: unmet.san.clone(),
            fen: unmet.position.fen(),
            is_opponents: unmet.is_opponents,
            games: unmet.games,
            positions: unmet.positions,
        });

        RepertoireMeeting {
            positions: found.positions,
            met: found.met,
            games: found.games,
            left_by_opponent: found.left_by_opponent,
            left_by_others: found.left_by_others,
            ended: found.ended,
            beyond: found.beyond,
            gaps: gaps.collect(),
            ends: ends.collect(),
            unmet: unmet.collect(),
        }
    }
}

impl NamedScore {
    fn new(name: &str, score: &PlayerScore) -> NamedScore {
        NamedScore {
            name: name.to_owned(),
            score: score.into(),
        }
    }
}
