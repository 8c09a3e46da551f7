//! What is counted of the games in which a move was played.

use crate::board::Color;
use crate::game::GameFacts;
use crate::pgn::Termination;

/// Ratings that are added up, to have their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// How many there are.
    pub games: u64,
    /// Their sum, in Elo points.
    pub sum: u64,
}

impl Ratings {
    /// The mean in Elo points, nothing without any rating.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / self.games as f64)
    }
}

/// Games in which a move was played, or which ended, in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Unfinished or unknown.
    pub unknown: u64,
    /// The Elo of the side that moves, where it is known.
    pub mover_elo: Ratings,
    /// The Elo of the opponent in finished games, where it is known.
    pub opponent_elo: Ratings,
    /// What the side that moves scored in the games of `opponent_elo`, in half points.
    pub half_points: u64,
    /// The first and the last year, where one is known.
    pub years: Option<(u16, u16)>,
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u64 {
        self.finished() + self.unknown
    }

    /// The games with a result.
    pub fn finished(&self) -> u64 {
        self.white + self.draws + self.black
    }

    /// The wins of a side.
    pub fn wins(&self, side: Color) -> u64 {
        if side.is_white() { self.white } else { self.black }
    }

    /// Counts a game in which `mover` is to move.
    #[inline]
    pub(crate) fn add(&mut self, game: &GameFacts, mover: Color) {
        let (own, other, won) = match mover {
            Color::White => (game.white_elo, game.black_elo, Termination::WhiteWins),
            Color::Black => (game.black_elo, game.white_elo, Termination::BlackWins),
        };
        let half_points = match game.result {
            Termination::Draw => 1,
            result => 2 * u64::from(result == won),
        };
        *match game.result {
            Termination::WhiteWins => &mut self.white,
            Termination::Draw => &mut self.draws,
            Termination::BlackWins => &mut self.black,
            Termination::Unknown => &mut self.unknown,
        } += 1;
        if let Some(elo) = own {
            self.mover_elo.games += 1;
            self.mover_elo.sum += u64::from(elo.get());
        }
        if let Some(elo) = other
            && game.result != Termination::Unknown
        {
            self.opponent_elo.games += 1;
            self.opponent_elo.sum += u64::from(elo.get());
            self.half_points += half_points;
        }
        if let Some(year) = game.year {
            let (first, last) = self.years.unwrap_or((u16::MAX, 0));
            self.years = Some((first.min(year.get()), last.max(year.get())));
        }
    }

    /// Takes a game back that has been counted, except for its year, which leaves the range of years
    /// as it was; says whether the year stands at an end of that range.
    pub(crate) fn remove(&mut self, game: &GameFacts, mover: Color) -> bool {
        let mut one = Counts::default();
        one.add(game, mover);
        let before = std::mem::take(self);
        *self = Counts {
            white: before.white.saturating_sub(one.white),
            draws: before.draws.saturating_sub(one.draws),
            black: before.black.saturating_sub(one.black),
            unknown: before.unknown.saturating_sub(one.unknown),
            mover_elo: less(before.mover_elo, one.mover_elo),
            opponent_elo: less(before.opponent_elo, one.opponent_elo),
            half_points: before.half_points.saturating_sub(one.half_points),
            years: before.years,
        };
        one.years.is_some_and(|(year, _)| {
            before.years.is_some_and(|(first, last)| year == first || year == last)
        })
    }

    /// Adds what has been counted elsewhere for the same move.
    #[inline]
    pub(crate) fn merge(&mut self, other: &Counts) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unknown += other.unknown;
        self.mover_elo = more(self.mover_elo, other.mover_elo);
        self.opponent_elo = more(self.opponent_elo, other.opponent_elo);
        self.half_points += other.half_points;
        self.years = match (self.years, other.years) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }
}

fn more(a: Ratings, b: Ratings) -> Ratings {
    Ratings { games: a.games + b.games, sum: a.sum + b.sum }
}

fn less(a: Ratings, b: Ratings) -> Ratings {
    Ratings { games: a.games.saturating_sub(b.games), sum: a.sum.saturating_sub(b.sum) }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    fn game(result: Termination, white: u16, black: u16, year: u16) -> GameFacts {
        let known = NonZeroU16::new;
        GameFacts { result, white_elo: known(white), black_elo: known(black), year: known(year) }
    }

    #[test]
    fn counts_what_the_mover_sees() {
        let mut counts = Counts::default();
        counts.add(&game(Termination::BlackWins, 2400, 2600, 1990), Color::Black);
        counts.add(&game(Termination::Draw, 0, 2500, 2001), Color::Black);
        counts.add(&game(Termination::Unknown, 2300, 0, 0), Color::Black);
        assert_eq!((counts.black, counts.draws, counts.unknown), (1, 1, 1));
        assert_eq!(counts.mover_elo.mean(), Some(2550.0));
        // The draw has no rated opponent, the unknown game no result.
        assert_eq!((counts.opponent_elo.mean(), counts.half_points), (Some(2400.0), 2));
        assert_eq!(counts.years, Some((1990, 2001)));
    }

    #[test]
    fn taking_back_is_not_having_counted() {
        let (one, other) = (
            game(Termination::WhiteWins, 2400, 2500, 1990),
            game(Termination::Draw, 2200, 0, 1995),
        );
        let mut counts = Counts::default();
        counts.add(&one, Color::White);
        let before = counts;
        counts.add(&other, Color::White);
        assert!(counts.remove(&other, Color::White), "1995 was the last year");
        assert_eq!(Counts { years: before.years, ..counts }, before);
    }
}
