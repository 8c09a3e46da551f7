//! Counts of the games in which a move was played.

use crate::board::Color;
use crate::game::GameFacts;
use crate::pgn::Termination;

/// A sum of ratings, for their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// The number of ratings.
    pub games: u64,
    /// The sum of the ratings, in Elo points.
    pub sum: u64,
}

impl Ratings {
    /// The mean in Elo points, `None` without ratings.
    pub fn mean(&self) -> Option<f64> {
        if self.games == 0 {
            return None;
        }
        Some(self.sum as f64 / self.games as f64)
    }
}

/// Counts of the games in which a move was played in a position, or which ended there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games won by White.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games without a result: unfinished games (`*`) and games whose result is not known.
    pub unfinished: u64,
    /// The known Elo of the side to move.
    pub mover_elo: Ratings,
    /// The known Elo of the opponent in finished games.
    pub opponent_elo: Ratings,
    /// The score of the side to move in the games of `opponent_elo`, in half points.
    pub half_points: u64,
    /// The first and the last known year.
    pub years: Option<(u16, u16)>,
}

impl Counts {
    /// The number of all games, with or without a result.
    ///
    /// Opening explorers count finished games only, as [`Counts::finished`] does.
    pub fn all_games(&self) -> u64 {
        self.finished() + self.unfinished
    }

    /// The number of games with a result: `white`, `draws` and `black`.
    pub fn finished(&self) -> u64 {
        self.white + self.draws + self.black
    }

    /// The number of wins of a side.
    pub fn wins(&self, side: Color) -> u64 {
        if side.is_white() {
            self.white
        } else {
            self.black
        }
    }

    /// Adds a game in which `mover` is to move.
    #[inline]
    pub(crate) fn add(&mut self, game: &GameFacts, mover: Color) {
        let (own_elo, opponent_elo, won) = match mover {
            Color::White => (game.white_elo, game.black_elo, Termination::WhiteWins),
            Color::Black => (game.black_elo, game.white_elo, Termination::BlackWins),
        };
        let half_points = match game.result {
            Termination::Draw => 1,
            result => 2 * u64::from(result == won),
        };
        let games = match game.result {
            Termination::WhiteWins => &mut self.white,
            Termination::Draw => &mut self.draws,
            Termination::BlackWins => &mut self.black,
            Termination::Unknown => &mut self.unfinished,
        };
        *games += 1;

        if let Some(elo) = own_elo {
            self.mover_elo.games += 1;
            self.mover_elo.sum += u64::from(elo.get());
        }
        // A performance rating compares the score with the opponents', so it needs a result.
        if let Some(elo) = opponent_elo
            && game.result != Termination::Unknown
        {
            self.opponent_elo.games += 1;
            self.opponent_elo.sum += u64::from(elo.get());
            self.half_points += half_points;
        }

        if let Some(year) = game.year {
            let (first, last) = self.years.unwrap_or((u16::MAX, 0));
            let year = year.get();
            self.years = Some((first.min(year), last.max(year)));
        }
    }

    /// Removes a counted game, except for its year: `years` is unchanged. Returns `true` if the year is an end of the
    /// range `years`, so that the range may be too long now.
    pub(crate) fn remove(&mut self, game: &GameFacts, mover: Color) -> bool {
        let mut removed = Counts::default();
        removed.add(game, mover);

        // Damaged counts may be too small, and then end at 0.
        let before = std::mem::take(self);
        *self = Counts {
            white: before.white.saturating_sub(removed.white),
            draws: before.draws.saturating_sub(removed.draws),
            black: before.black.saturating_sub(removed.black),
            unfinished: before.unfinished.saturating_sub(removed.unfinished),
            mover_elo: difference(before.mover_elo, removed.mover_elo),
            opponent_elo: difference(before.opponent_elo, removed.opponent_elo),
            half_points: before.half_points.saturating_sub(removed.half_points),
            years: before.years,
        };

        let (Some((year, _)), Some((first, last))) = (removed.years, before.years) else {
            return false;
        };
        year == first || year == last
    }

    /// Adds the counts of other games with this move.
    #[inline]
    pub(crate) fn merge(&mut self, other: &Counts) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unfinished += other.unfinished;
        self.mover_elo = sum(self.mover_elo, other.mover_elo);
        self.opponent_elo = sum(self.opponent_elo, other.opponent_elo);
        self.half_points += other.half_points;

        self.years = match (self.years, other.years) {
            (Some((first, last)), Some((other_first, other_last))) => {
                Some((first.min(other_first), last.max(other_last)))
            }
            (own, other) => own.or(other),
        };
    }
}

/// Adds ratings.
fn sum(a: Ratings, b: Ratings) -> Ratings {
    Ratings {
        games: a.games + b.games,
        sum: a.sum + b.sum,
    }
}

/// Subtracts ratings; damaged counts end at 0.
fn difference(a: Ratings, b: Ratings) -> Ratings {
    Ratings {
        games: a.games.saturating_sub(b.games),
        sum: a.sum.saturating_sub(b.sum),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    fn game(result: Termination, white: u16, black: u16, year: u16) -> GameFacts {
        let known = NonZeroU16::new;
        GameFacts {
            result,
            white_elo: known(white),
            black_elo: known(black),
            year: known(year),
        }
    }

    #[test]
    fn counts_what_the_mover_sees() {
        let mut counts = Counts::default();
        counts.add(
            &game(Termination::BlackWins, 2400, 2600, 1990),
            Color::Black,
        );
        counts.add(&game(Termination::Draw, 0, 2500, 2001), Color::Black);
        counts.add(&game(Termination::Unknown, 2300, 0, 0), Color::Black);

        assert_eq!((counts.black, counts.draws, counts.unfinished), (1, 1, 1));
        assert_eq!(counts.mover_elo.mean(), Some(2550.0));
        // The draw has no rated opponent, the unknown game no result.
        assert_eq!(counts.opponent_elo.mean(), Some(2400.0));
        assert_eq!(counts.half_points, 2);
        assert_eq!(counts.years, Some((1990, 2001)));
    }

    #[test]
    fn remove_undoes_add() {
        let one = game(Termination::WhiteWins, 2400, 2500, 1990);
        let other = game(Termination::Draw, 2200, 0, 1995);
        let mut counts = Counts::default();
        counts.add(&one, Color::White);
        let before = counts;

        counts.add(&other, Color::White);
        let is_year_at_an_end = counts.remove(&other, Color::White);

        assert!(is_year_at_an_end, "1995 was the last year");
        let without_years = Counts {
            years: before.years,
            ..counts
        };
        assert_eq!(without_years, before);
    }
}
