//! Judgements of moves and accuracy of players, from the evaluations of a game's positions.
//!
//! The formulas are Lichess's: winning chances and accuracy (<https://lichess.org/page/accuracy>), and for
//! inaccuracies, mistakes and blunders a loss of 0.1, 0.2 and 0.3 winning chances, which go from -1 to 1.

use super::{Annotations, Ply, Variant};
use crate::board::Color;
use crate::pgn::Evaluation;

/// The losses of winning chances from which on a move is a blunder, a mistake or an inaccuracy, by Lichess.
const BLUNDER_LOSS: f64 = 0.3;
const MISTAKE_LOSS: f64 = 0.2;
const INACCURACY_LOSS: f64 = 0.1;

/// The steepness of [`winning_chances`], by Lichess.
const CHANCES_PER_CENTIPAWN: f64 = 0.003_682_08;

/// The accuracy of a move falls exponentially with its loss; the three parameters are Lichess's.
const ACCURACY_SCALE: f64 = 103.1668100711649;
const ACCURACY_DECAY: f64 = 0.04354415386753951;
const ACCURACY_OFFSET: f64 = 3.166924740191411;

/// A window of [`volatilities`] has one position for every ten half-moves of the game, but at least two and at most
/// eight positions. The three numbers are Lichess's.
const MOVES_PER_WINDOW_POSITION: usize = 10;
const MIN_WINDOW_POSITIONS: usize = 2;
const MAX_WINDOW_POSITIONS: usize = 8;

/// The limits of a volatility, in percent, by Lichess. Volatilities are weights, so a move of a quiet phase keeps some
/// weight.
const MIN_VOLATILITY: f64 = 0.5;
const MAX_VOLATILITY: f64 = 12.0;

/// The evaluation of the usual start position, a bit better for White.
const START: Evaluation = Evaluation::Centipawns(15);

/// The limit of scores and mates, in centipawns, for accuracy, centipawn loss and swings.
const MAX_CENTIPAWNS: i32 = 1000;

/// The last place whose evaluation is kept: another program may have stored any number of half-moves.
const MAX_PLY: Ply = Ply::new(u16::MAX as u32);

/// The severity of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// A dubious move, `?!`.
    Inaccuracy,
    /// A mistake, `?`.
    Mistake,
    /// A blunder, `??`.
    Blunder,
}

impl Judgement {
    /// All judgements, from inaccuracy to blunder.
    pub const ALL: [Judgement; 3] = [
        Judgement::Inaccuracy,
        Judgement::Mistake,
        Judgement::Blunder,
    ];

    /// Judges a move by the evaluations of the positions before and after it; `None` for a move that loses little.
    ///
    /// ```
    /// use stamma_chess::board::Color;
    /// use stamma_chess::game::Judgement;
    /// use stamma_chess::pgn::Evaluation::{Centipawns, Mate};
    ///
    /// let of_white = |before, after| Judgement::of_move(before, after, Color::White);
    /// assert_eq!(of_white(Centipawns(20), Centipawns(10)), None);
    /// assert_eq!(of_white(Centipawns(20), Centipawns(-100)), Some(Judgement::Mistake));
    /// assert_eq!(of_white(Centipawns(20), Mate(-4)), Some(Judgement::Blunder));
    /// ```
    pub fn of_move(before: Evaluation, after: Evaluation, mover: Color) -> Option<Judgement> {
        match (from_side_of(before, mover), from_side_of(after, mover)) {
            (Evaluation::Centipawns(before), Evaluation::Centipawns(after)) => {
                let lost = winning_chances(before) - winning_chances(after);
                Judgement::of_loss(lost)
            }
            // A move that lets the opponent mate is judged by the score before it, which is all that the move loses.
            (Evaluation::Centipawns(before), Evaluation::Mate(after)) if after < 0 => {
                Some(Judgement::of_mate(before.saturating_neg()))
            }
            (Evaluation::Mate(before), Evaluation::Centipawns(after)) if before > 0 => {
                Some(Judgement::of_mate(after))
            }
            (Evaluation::Mate(before), Evaluation::Mate(after)) if before > 0 && after < 0 => {
                Some(Judgement::Blunder)
            }
            _ => None,
        }
    }

    /// Judges a move that loses winning chances.
    fn of_loss(lost: f64) -> Option<Judgement> {
        if lost >= BLUNDER_LOSS {
            Some(Judgement::Blunder)
        } else if lost >= MISTAKE_LOSS {
            Some(Judgement::Mistake)
        } else if lost >= INACCURACY_LOSS {
            Some(Judgement::Inaccuracy)
        } else {
            None
        }
    }

    /// Judges a move that gave away a mate, or allowed one, by the score of the better side without the mate.
    fn of_mate(centipawns: i32) -> Judgement {
        // With a score of ten pawns the game is won or lost without the mate, too. The thresholds are Lichess's.
        match centipawns {
            1000.. => Judgement::Inaccuracy,
            701.. => Judgement::Mistake,
            _ => Judgement::Blunder,
        }
    }

    /// The name: `inaccuracy`, `mistake` or `blunder`.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// The glyph behind a move: `?!`, `?` or `??`.
    pub const fn glyph(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// The NAG: 6, 2 or 4.
    pub const fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }
}

/// The accuracy of a player's moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The accuracy in percent, from 0 to 100.
    pub percent: f64,
    /// The mean loss of a move, in centipawns.
    pub centipawn_loss: f64,
}

/// The evaluations of the positions of a mainline.
///
/// ```
/// use stamma_chess::game::{Judgement, MainlineEvaluations, Ply};
/// let text = "1. f3 {[%eval -0.7]} e5 {[%eval -0.6]} 2. g4 {[%eval #-1]} Qh4# 0-1";
/// let game = stamma_chess::replay::replay(text).game;
/// let evaluations = MainlineEvaluations::of_comments(&game.annotations, None, game.variant);
/// let judged: Vec<_> = evaluations.judgements().map(|(ply, _, judgement)| (ply, judgement)).collect();
/// assert_eq!(judged, [(Ply::new(1), Judgement::Inaccuracy), (Ply::new(3), Judgement::Blunder)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainlineEvaluations {
    /// The side that moves first.
    first: Color,
    /// The evaluation after each number of half-moves; never empty, since the start has an entry.
    by_ply: Vec<Option<Evaluation>>,
}

impl MainlineEvaluations {
    /// Collects the evaluations of a game that starts from a FEN or from the usual position. The first evaluation of a
    /// place counts. The default for the start is 15 centipawns for White in the usual position and in Chess960, and
    /// unknown elsewhere. Places after half-move 65,535 are ignored.
    pub fn new(
        evaluations: impl IntoIterator<Item = (Ply, Evaluation)>,
        fen: Option<&str>,
        variant: Variant,
    ) -> MainlineEvaluations {
        let mut by_ply = vec![None];
        for (ply, evaluation) in evaluations {
            if ply > MAX_PLY {
                continue;
            }

            let index = ply.get() as usize;
            if by_ply.len() <= index {
                by_ply.resize(index + 1, None);
            }
            by_ply[index].get_or_insert(evaluation);
        }

        if fen.is_none() || variant == Variant::Chess960 {
            by_ply[0].get_or_insert(START);
        }
        MainlineEvaluations {
            first: first_player(fen),
            by_ply,
        }
    }

    /// Reads the command `eval` of the comments of a mainline from a FEN or the usual position.
    pub fn of_comments(
        annotations: &Annotations,
        fen: Option<&str>,
        variant: Variant,
    ) -> MainlineEvaluations {
        let evaluations = annotations
            .mainline_commands()
            .filter_map(|(ply, commands)| Some((ply, commands.evaluation?)));
        MainlineEvaluations::new(evaluations, fen, variant)
    }

    /// The evaluation of the position after some half-moves.
    pub fn get(&self, ply: Ply) -> Option<Evaluation> {
        self.by_ply.get(ply.get() as usize).copied().flatten()
    }

    /// The moves whose positions before and after them are evaluated: the half-move, its player, and the evaluations.
    fn moves(&self) -> impl Iterator<Item = (Ply, Color, [Evaluation; 2])> {
        let pairs = self.by_ply.windows(2).enumerate();

        pairs.filter_map(move |(index, pair)| {
            let &[before, after] = pair else { return None };
            // No index is greater than `MAX_PLY`.
            let ply = Ply::new(index as u32 + 1);
            let mover = self.mover(index);
            Some((ply, mover, [before?, after?]))
        })
    }

    /// The player of the half-move that follows a number of half-moves.
    fn mover(&self, half_moves: usize) -> Color {
        if half_moves.is_multiple_of(2) {
            self.first
        } else {
            !self.first
        }
    }

    /// The number of half-moves between two evaluated positions.
    pub fn evaluated_moves(&self) -> usize {
        self.moves().count()
    }

    /// The bad moves: the half-move, the player and the judgement of each.
    pub fn judgements(&self) -> impl Iterator<Item = (Ply, Color, Judgement)> {
        self.moves().filter_map(|(ply, mover, [before, after])| {
            let judgement = Judgement::of_move(before, after, mover)?;
            Some((ply, mover, judgement))
        })
    }

    /// The greatest change of the evaluation by a single move in centipawns, at most 2000; `None` if no move has an
    /// evaluation before and after it.
    pub fn greatest_swing(&self) -> Option<u32> {
        let changes = self.moves().map(|(_, _, evaluations)| {
            let [before, after] = evaluations.map(bounded);
            before.abs_diff(after)
        });
        changes.max()
    }

    /// White's accuracy and Black's, if the position after every half-move of a game is evaluated, except possibly the
    /// last, and both players have moved.
    pub fn accuracy(&self, plies: u32) -> Option<[Accuracy; 2]> {
        let all_evaluations: Option<Vec<Evaluation>> = self.by_ply.iter().copied().collect();
        let evaluations = all_evaluations?;

        // A move that mates leaves a position without an evaluation, so the last one may be missing.
        let moves = evaluations.len() - 1;
        if moves < 2 || moves + 1 < plies as usize {
            return None;
        }

        let centipawns: Vec<i32> = evaluations.iter().copied().map(bounded).collect();
        let win_percents: Vec<f64> = evaluations.into_iter().map(win_percent).collect();
        let weights = volatilities(&win_percents);

        let mut white = MoveSums::default();
        let mut black = MoveSums::default();
        for (before, weight) in weights.into_iter().enumerate() {
            // Positive evaluations favour White, so a rise of the evaluation is a loss for Black.
            let (player, sign) = match self.mover(before) {
                Color::White => (&mut white, 1),
                Color::Black => (&mut black, -1),
            };

            // There is one weight for each move, and one position more.
            let after = before + 1;
            let lost = sign * (centipawns[before] - centipawns[after]);
            let lost_percent = f64::from(sign) * (win_percents[before] - win_percents[after]);
            player.add_move(lost.max(0), lost_percent, weight);
        }

        Some([white.accuracy(), black.accuracy()])
    }
}

/// The side that moves first from a FEN or the usual position.
fn first_player(fen: Option<&str>) -> Color {
    let turn = fen.and_then(|fen| fen.split_ascii_whitespace().nth(1));
    if turn == Some("b") {
        Color::Black
    } else {
        Color::White
    }
}

/// The volatility of the game at each move: the standard deviation of the winning chances in a window of positions
/// around it, in percent.
///
/// There is one volatility for each move, that is one less than there are positions.
fn volatilities(win_percents: &[f64]) -> Vec<f64> {
    let positions = win_percents.len();
    let moves = positions.saturating_sub(1);
    let window_positions =
        (moves / MOVES_PER_WINDOW_POSITION).clamp(MIN_WINDOW_POSITIONS, MAX_WINDOW_POSITIONS);

    // A window of two positions surrounds one move. Longer windows are fewer than the moves by the positions beyond
    // two, so the first window is repeated for the first moves.
    let first_window = &win_percents[..window_positions.min(positions)];
    let missing_windows = first_window.len().saturating_sub(2);
    let repeated = std::iter::repeat_n(first_window, missing_windows);
    let windows = repeated.chain(win_percents.windows(window_positions));

    windows
        .map(|window| standard_deviation(window).clamp(MIN_VOLATILITY, MAX_VOLATILITY))
        .collect()
}

/// The standard deviation of a population, which must not be empty.
fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let sum: f64 = values.iter().sum();
    let mean = sum / count;

    let squared_deviations = values.iter().map(|value| (value - mean).powi(2));
    let sum_of_squares: f64 = squared_deviations.sum();
    let variance = sum_of_squares / count;
    variance.sqrt()
}

/// The sums over a player's moves.
#[derive(Clone, Copy, Debug, Default)]
struct MoveSums {
    moves: f64,
    centipawns_lost: f64,
    weights: f64,
    weighted: f64,
    /// The sum of the reciprocals of the accuracies.
    reciprocals: f64,
}

impl MoveSums {
    /// Adds a move by its loss in centipawns and in winning percent. `weight` is the volatility around the move.
    fn add_move(&mut self, centipawns_lost: i32, lost_percent: f64, weight: f64) {
        let accuracy = accuracy_of_move(lost_percent);
        self.moves += 1.0;
        self.centipawns_lost += f64::from(centipawns_lost);
        self.weights += weight;
        self.weighted += weight * accuracy;
        self.reciprocals += 1.0 / accuracy.max(1.0);
    }

    /// The mean of the weighted mean and the harmonic mean of the moves' accuracies; not a number without a move.
    fn accuracy(&self) -> Accuracy {
        let weighted = self.weighted / self.weights;
        let harmonic = self.moves / self.reciprocals;
        Accuracy {
            percent: (weighted + harmonic) / 2.0,
            centipawn_loss: self.centipawns_lost / self.moves,
        }
    }
}

/// The accuracy of a move that loses winning chances, both in percent.
fn accuracy_of_move(lost: f64) -> f64 {
    if lost <= 0.0 {
        return 100.0;
    }

    let accuracy = ACCURACY_SCALE * (-ACCURACY_DECAY * lost).exp() - ACCURACY_OFFSET;
    // A point is added because the evaluations themselves are not exact.
    (accuracy + 1.0).clamp(0.0, 100.0)
}

/// White's chance to win in percent, as in games of Lichess's players: 50 for an equal position.
pub fn win_percent(evaluation: Evaluation) -> f64 {
    50.0 + 50.0 * winning_chances(bounded(evaluation))
}

/// The expected result from -1 to 1, as in games of Lichess's players.
fn winning_chances(centipawns: i32) -> f64 {
    let exponent = -CHANCES_PER_CENTIPAWN * f64::from(centipawns);
    2.0 / (1.0 + exponent.exp()) - 1.0
}

/// The score in centipawns; a mate counts as the maximum.
fn bounded(evaluation: Evaluation) -> i32 {
    match evaluation {
        Evaluation::Centipawns(centipawns) => centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        Evaluation::Mate(moves) => moves.signum() * MAX_CENTIPAWNS,
    }
}

/// The evaluation from the side of a player: positive if it favours the player.
fn from_side_of(evaluation: Evaluation, player: Color) -> Evaluation {
    if player.is_white() {
        return evaluation;
    }

    // A file may have the lowest number, whose negative does not exist.
    match evaluation {
        Evaluation::Centipawns(score) => Evaluation::Centipawns(score.saturating_neg()),
        Evaluation::Mate(moves) => Evaluation::Mate(moves.saturating_neg()),
    }
}

#[cfg(test)]
mod tests {
    use super::Evaluation::{Centipawns, Mate};
    use super::*;

    macro_rules! judged {
        ($($name:ident: $before:expr, $after:expr => $judgement:expr;)*) => {$(
            #[test]
            fn $name() {
                let judgement = $judgement;
                assert_eq!(Judgement::of_move($before, $after, Color::White), judgement);
                let [before, after] = [$before, $after].map(|one| from_side_of(one, Color::Black));
                assert_eq!(Judgement::of_move(before, after, Color::Black), judgement);
            }
        )*};
    }

    judged! {
        better: Centipawns(0), Centipawns(300) => None;
        a_little: Centipawns(0), Centipawns(-54) => None;
        an_inaccuracy: Centipawns(0), Centipawns(-55) => Some(Judgement::Inaccuracy);
        nearly_a_mistake: Centipawns(0), Centipawns(-110) => Some(Judgement::Inaccuracy);
        a_mistake: Centipawns(0), Centipawns(-111) => Some(Judgement::Mistake);
        nearly_a_blunder: Centipawns(0), Centipawns(-168) => Some(Judgement::Mistake);
        a_blunder: Centipawns(0), Centipawns(-169) => Some(Judgement::Blunder);
        won_all_the_same: Centipawns(1500), Centipawns(900) => None;
        allows_a_mate: Centipawns(-700), Mate(-3) => Some(Judgement::Blunder);
        allows_a_mate_when_lost: Centipawns(-701), Mate(-3) => Some(Judgement::Mistake);
        allows_a_mate_at_the_bound: Centipawns(-999), Mate(-3) => Some(Judgement::Mistake);
        allows_a_mate_when_quite_lost: Centipawns(-1000), Mate(-3) => Some(Judgement::Inaccuracy);
        misses_a_mate: Mate(3), Centipawns(700) => Some(Judgement::Blunder);
        misses_a_mate_and_wins: Mate(3), Centipawns(701) => Some(Judgement::Mistake);
        misses_a_mate_and_wins_easily: Mate(3), Centipawns(1000) => Some(Judgement::Inaccuracy);
        turns_a_mate: Mate(3), Mate(-3) => Some(Judgement::Blunder);
        mates_later: Mate(3), Mate(9) => None;
        finds_a_mate: Centipawns(0), Mate(5) => None;
        is_mated_anyway: Mate(-2), Mate(-1) => None;
        the_least_scores: Centipawns(i32::MIN), Mate(i32::MIN) => Some(Judgement::Inaccuracy);
    }

    fn line(centipawns: &[i32]) -> MainlineEvaluations {
        let evaluations = centipawns
            .iter()
            .zip(1..)
            .map(|(&score, ply)| (Ply::new(ply), Centipawns(score)));
        MainlineEvaluations::new(evaluations, None, Variant::Standard)
    }

    #[test]
    fn accuracy_is_that_of_lichess() {
        // The accuracies that Lichess computes for these games, within a few percent.
        let repeated = |pair: [i32; 2], times| pair.repeat(times);
        let and = |mut line: Vec<i32>, last| {
            line.push(last);
            line
        };
        let games = [
            (vec![15, 15], 100.0, 100.0, 1.0),
            (vec![-900, -900], 10.0, 100.0, 5.0),
            (vec![15, 900], 100.0, 10.0, 5.0),
            (vec![-900, 0], 10.0, 10.0, 5.0),
            (and(vec![15; 20], -900), 50.0, 100.0, 5.0),
            (and(vec![15; 21], 900), 100.0, 50.0, 5.0),
            (repeated([-50, 15], 5), 76.0, 76.0, 8.0),
            (repeated([-50, 15], 50), 76.0, 76.0, 8.0),
            (repeated([-135, 15], 50), 54.0, 54.0, 8.0),
            (repeated([-435, 15], 50), 20.0, 20.0, 8.0),
        ];

        for (centipawns, white, black, tolerance) in games {
            let players = line(&centipawns).accuracy(2).expect("all is evaluated");
            for (accuracy, expected) in players.into_iter().zip([white, black]) {
                let difference = (accuracy.percent - expected).abs();
                assert!(difference <= tolerance, "{centipawns:?}: {accuracy:?}");
            }
        }
    }

    #[test]
    fn losses_are_means() {
        let evaluations = line(&[-85, -85, 0, 50, 50]);

        let [white, black] = evaluations.accuracy(5).expect("all is evaluated");

        // White's moves change 15 to -85, -85 to 0 and 50 to 50.
        assert!((white.centipawn_loss - 100.0 / 3.0).abs() < 1e-9);
        // Black's moves change -85 to -85 and 0 to 50.
        assert!((black.centipawn_loss - 25.0).abs() < 1e-9);
    }

    #[test]
    fn gaps_leave_no_accuracy() {
        // The position after the last half-move may have no evaluation.
        let three = line(&[1, 2, 3]);
        assert!(three.accuracy(4).is_some());
        assert!(three.accuracy(5).is_none());

        let one = line(&[1]);
        assert!(one.accuracy(1).is_none());

        let first_and_third = [(Ply::new(1), Centipawns(0)), (Ply::new(3), Centipawns(500))];
        let with_a_gap = MainlineEvaluations::new(first_and_third, None, Variant::Standard);
        assert!(with_a_gap.accuracy(3).is_none());
        assert_eq!(with_a_gap.greatest_swing(), Some(15));

        let first_and_second = [(Ply::new(1), Centipawns(0)), (Ply::new(2), Centipawns(0))];
        let fen = Some("4k3/8/8/8/8/8/8/4K2R b K - 0 1");
        let unknown_start = MainlineEvaluations::new(first_and_second, fen, Variant::Standard);
        assert!(unknown_start.accuracy(2).is_none());
        assert_eq!(unknown_start.evaluated_moves(), 1);
    }

    #[test]
    fn swings_are_bounded() {
        let mates = [(Ply::new(1), Mate(3)), (Ply::new(2), Mate(-3))];
        let evaluations = MainlineEvaluations::new(mates, None, Variant::Standard);
        assert_eq!(evaluations.greatest_swing(), Some(2000));

        let no_moves = line(&[]);
        assert_eq!(no_moves.greatest_swing(), None);
    }
}
