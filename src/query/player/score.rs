//! The score of a player over some games.

use std::num::NonZeroU16;

use super::super::performance::performance;
use crate::board::Color;
use crate::columns::of_players;
use crate::game::PartialDate;
use crate::index::Ratings;
use crate::pgn::Termination;

/// The counts of one side's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerScore {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Games unfinished, or without a known result.
    pub unfinished: u64,
    /// The known Elo of the player.
    pub elo: Ratings,
    /// The known Elo of opponents in finished games.
    pub opponent_elo: Ratings,
    /// The score in the games of `opponent_elo`, in half points.
    half_points: u64,
    /// The highest Elo of the player.
    pub highest_elo: Option<NonZeroU16>,
    /// The earliest date.
    pub first: Option<PartialDate>,
    /// The latest date.
    pub last: Option<PartialDate>,
}

/// The accuracy of a player's moves, in the games with evaluations behind all moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerAccuracy {
    /// The number of games with evaluations behind all moves.
    pub games: u64,
    /// The sum of the accuracies, in hundredths of a percent.
    accuracies: u64,
    /// The sum of the average centipawn losses, in tenths.
    losses: u64,
}

impl PlayerAccuracy {
    /// The mean accuracy of the games, in percent.
    pub fn percent(&self) -> Option<f64> {
        if self.games == 0 {
            return None;
        }
        Some(self.accuracies as f64 / self.games as f64 / 100.0)
    }

    /// The mean of the games' average centipawn losses.
    pub fn centipawn_loss(&self) -> Option<f64> {
        if self.games == 0 {
            return None;
        }
        Some(self.losses as f64 / self.games as f64 / 10.0)
    }

    /// The accuracies of White and of Black in one game, by its values in the columns of accuracies and losses.
    pub(crate) fn of_columns(accuracy: u64, loss: u64) -> [PlayerAccuracy; 2] {
        let mut white = PlayerAccuracy::default();
        let mut black = PlayerAccuracy::default();

        // A game without evaluations has neither value.
        let accuracies = of_players(accuracy);
        let losses = of_players(loss);
        if let (Some([of_white, of_black]), Some([white_loss, black_loss])) = (accuracies, losses) {
            white.add(of_white, white_loss);
            black.add(of_black, black_loss);
        }

        [white, black]
    }

    /// Adds a game, by its accuracy in hundredths of a percent and its loss in tenths.
    fn add(&mut self, accuracy: u64, loss: u64) {
        self.games += 1;
        self.accuracies += accuracy;
        self.losses += loss;
    }

    /// Adds other games.
    pub(crate) fn join(&mut self, other: &PlayerAccuracy) {
        self.games += other.games;
        self.accuracies += other.accuracies;
        self.losses += other.losses;
    }
}

/// A game as seen by one of its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideOfGame {
    pub(crate) color: Color,
    pub(crate) result: Termination,
    pub(crate) elo: Option<NonZeroU16>,
    pub(crate) opponent_elo: Option<NonZeroU16>,
    pub(crate) date: Option<PartialDate>,
}

impl SideOfGame {
    /// The score of the side in half points; `None` without a result.
    pub(crate) fn half_points(&self) -> Option<u64> {
        let winner = match self.result {
            Termination::WhiteWins => Color::White,
            Termination::BlackWins => Color::Black,
            Termination::Draw => return Some(1),
            Termination::Unknown => return None,
        };
        if winner == self.color {
            Some(2)
        } else {
            Some(0)
        }
    }
}

impl PlayerScore {
    /// The number of all games, with or without a result.
    pub fn all_games(&self) -> u64 {
        self.finished() + self.unfinished
    }

    /// The number of games with a result.
    pub fn finished(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The score in finished games, in per cent.
    pub fn per_cent(&self) -> Option<f64> {
        if self.finished() == 0 {
            return None;
        }
        let half_points = (2 * self.won + self.drawn) as f64;
        Some(50.0 * half_points / self.finished() as f64)
    }

    /// The performance rating in finished games against rated opponents: their mean rating, and FIDE's difference for
    /// the score.
    pub fn performance(&self) -> Option<f64> {
        performance(self.opponent_elo, self.half_points)
    }

    /// Adds the games of another score.
    pub(crate) fn join(&mut self, other: &PlayerScore) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.unfinished += other.unfinished;

        self.elo.games += other.elo.games;
        self.elo.sum += other.elo.sum;
        self.opponent_elo.games += other.opponent_elo.games;
        self.opponent_elo.sum += other.opponent_elo.sum;
        self.half_points += other.half_points;
        self.highest_elo = self.highest_elo.max(other.highest_elo);

        self.last = self.last.max(other.last);
        self.first = earlier(self.first, other.first);
    }

    pub(crate) fn add(&mut self, game: SideOfGame) {
        let half_points = game.half_points();
        match half_points {
            Some(2) => self.won += 1,
            Some(1) => self.drawn += 1,
            Some(_) => self.lost += 1,
            None => self.unfinished += 1,
        }

        // A performance rating counts only finished games against rated opponents.
        if let (Some(elo), Some(half_points)) = (game.opponent_elo, half_points) {
            self.opponent_elo.games += 1;
            self.opponent_elo.sum += u64::from(elo.get());
            self.half_points += half_points;
        }
        if let Some(elo) = game.elo {
            self.elo.games += 1;
            self.elo.sum += u64::from(elo.get());
        }
        self.highest_elo = self.highest_elo.max(game.elo);

        self.last = self.last.max(game.date);
        self.first = earlier(self.first, game.date);
    }
}

/// The earlier of two dates. An unknown date is not earlier than a known date.
fn earlier(one: Option<PartialDate>, other: Option<PartialDate>) -> Option<PartialDate> {
    [one, other].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(color: Color, result: Termination, opponent_elo: u16, year: &str) -> SideOfGame {
        SideOfGame {
            color,
            result,
            elo: NonZeroU16::new(2400),
            opponent_elo: NonZeroU16::new(opponent_elo),
            date: year.parse().ok(),
        }
    }

    #[test]
    fn rated_and_finished_games_make_the_performance() {
        let mut score = PlayerScore::default();
        for (color, result, elo, year) in [
            (Color::Black, Termination::BlackWins, 2600, "1990"),
            (Color::White, Termination::WhiteWins, 0, "1985.05"),
            (Color::White, Termination::BlackWins, 2500, ""),
            (Color::Black, Termination::Draw, 2400, "1990.01.02"),
            (Color::Black, Termination::Unknown, 2900, "1988"),
        ] {
            score.add(game(color, result, elo, year));
        }

        assert_eq!([score.won, score.drawn, score.lost], [2, 1, 1]);
        assert_eq!(score.unfinished, 1);
        assert_eq!(score.all_games(), 5);
        assert_eq!(score.per_cent(), Some(62.5));
        assert_eq!(score.opponent_elo.mean(), Some(2500.0));
        assert_eq!(score.performance(), Some(2500.0));

        let first = score.first.map(|date| date.to_string());
        let last = score.last.map(|date| date.to_string());
        assert_eq!(first.as_deref(), Some("1985.05.??"));
        assert_eq!(last.as_deref(), Some("1990.01.02"));
    }
}
