//! The conditions of a filter on single values of a game, as the column store has them.

use std::ops::RangeInclusive;

use super::{Bounds, Filter, PlayersAre, StartKind, Winner};
use crate::columns::{GameFlags, Speed, Title};
use crate::game::{PartialDate, Variant};
use crate::pgn::Termination;

impl Filter {
    /// `true` if the flags of a game match.
    pub(super) fn has_flags(&self, flags: GameFlags) -> bool {
        self.has_result(flags.result())
            && self.has_flags_of_tags(flags)
            && self.has_flags_of_moves(flags)
            && self.may_start(flags)
    }

    /// `true` if the filter has conditions on values that follow from tags, except names and the result.
    pub(super) fn needs_values_of_tags(&self) -> bool {
        let bounds = [self.elo, self.white_elo, self.black_elo, self.mean_elo];
        let has_bounds = bounds.iter().any(Option::is_some);
        let has_groups = !self.mean_elo_groups.is_empty();
        if has_bounds || has_groups || self.winner.is_some() {
            return true;
        }

        let asks_dates = self.since.is_some() || self.until.is_some();
        let asks_players = !self.titles.is_empty() || self.players_are.is_some();
        if asks_dates || asks_players {
            return true;
        }

        let asks_eco = !self.eco.is_empty();
        let asks_speeds = !self.speeds.is_empty();
        let asks_variants = !self.variants.is_empty();
        asks_eco || asks_speeds || asks_variants
    }

    /// `true` if a result matches.
    pub(super) fn has_result(&self, result: Termination) -> bool {
        self.results.is_empty() || self.results.contains(&result)
    }

    /// `true` if the flags that follow from tags match.
    pub(super) fn has_flags_of_tags(&self, flags: GameFlags) -> bool {
        // The flags have one number for all variants that Stamma does not play, so `Check` compares their names.
        let is_of_variant = |name: &String| flags.variant() == Variant::from_tag(name);
        let has_title = |&title: &Title| flags.has_title(title);
        let has_speed = |&speed: &Speed| flags.has_speed(speed);

        is_empty_or_any(&self.titles, has_title)
            && is_empty_or_any(&self.speeds, has_speed)
            && is_empty_or_any(&self.variants, is_of_variant)
            && self.has_players(flags.has_engine())
    }

    /// `true` if the players match. `has_engine` is `true` if one of them is a program.
    fn has_players(&self, has_engine: bool) -> bool {
        match self.players_are {
            None => true,
            Some(PlayersAre::Humans) => !has_engine,
            Some(PlayersAre::Engines) => has_engine,
        }
    }

    /// `true` if the flags that follow from moves and annotations match.
    pub(super) fn has_flags_of_moves(&self, flags: GameFlags) -> bool {
        let has_annotations = !self.annotated || flags.is_annotated();
        let may_have_comments = self.comments.is_empty() || flags.has_words();

        is_empty_or_any(&self.endings, |&kind| flags.ends_by(kind))
            && has_annotations
            && may_have_comments
    }

    /// `false` if the flags of a game exclude the required start.
    fn may_start(&self, flags: GameFlags) -> bool {
        match self.start {
            None => true,
            Some(StartKind::Standard) => flags.starts_from_standard(),
            Some(StartKind::Fen | StartKind::Odds) => !flags.starts_from_standard(),
        }
    }

    /// `true` if the code of a date matches.
    pub(super) fn has_date(&self, code: u64) -> bool {
        let Filter { since, until, .. } = *self;
        if since.is_none() && until.is_none() {
            return true;
        }
        let Some(date) = PartialDate::from_code(code) else {
            return false;
        };

        let is_late = since.is_none_or(|since| date.is_since(since));
        let is_early = until.is_none_or(|until| date.is_until(until));
        is_late && is_early
    }

    /// `false` if no date between two codes matches.
    pub(super) fn may_have_date(&self, codes: &RangeInclusive<u64>) -> bool {
        let first = PartialDate::from_code(*codes.start());
        let last = PartialDate::from_code(*codes.end());

        // The first day that a partial date may mean grows with its code, so the last code decides. The last day does
        // not grow: 1972 has a lower code than 1972.05 and ends later, so only the years are compared.
        let is_late = match (self.since, last) {
            (Some(since), Some(last)) => last.is_since(since),
            _ => true,
        };
        let is_early = match (self.until, first) {
            (Some(until), Some(first)) => first.year() <= until.year(),
            _ => true,
        };
        is_late && is_early
    }

    /// `true` if both ratings match, each 0 if it is unknown.
    pub(super) fn has_ratings(&self, white: u64, black: u64) -> bool {
        let is_rated = |bounds: Option<Bounds>, elo: u64| match bounds {
            Some(bounds) => elo > 0 && bounds.has(elo),
            None => true,
        };
        // The sum is twice the mean, so that a mean such as 2500.5 needs no fraction.
        let are_known = white > 0 && black > 0;
        let sum = white.saturating_add(black);
        let has_mean = |mean: Bounds| are_known && mean.has_half(sum);

        is_rated(self.elo, white)
            && is_rated(self.elo, black)
            && is_rated(self.white_elo, white)
            && is_rated(self.black_elo, black)
            && self.mean_elo.is_none_or(has_mean)
            && self.has_mean_group(white, black)
    }

    /// `true` if the mean of both ratings is in one of the groups.
    fn has_mean_group(&self, white: u64, black: u64) -> bool {
        if self.mean_elo_groups.is_empty() {
            return true;
        }

        let are_known = white > 0 && black > 0;
        let mean = white.saturating_add(black) / 2;
        are_known && self.mean_elo_groups.iter().any(|group| group.has(mean))
    }

    /// `true` if a result matches with the ratings of both players, each 0 if it is unknown.
    pub(super) fn has_winner(&self, result: Termination, white: u64, black: u64) -> bool {
        let Some(winner) = self.winner else {
            return true;
        };
        let [winning, losing] = match result {
            Termination::WhiteWins => [white, black],
            Termination::BlackWins => [black, white],
            Termination::Draw | Termination::Unknown => return false,
        };

        let are_known = winning > 0 && losing > 0;
        let is_winner = match winner {
            Winner::HigherRated => winning > losing,
            Winner::LowerRated => winning < losing,
        };
        are_known && is_winner
    }

    /// `true` if the number of an ECO code matches.
    pub(super) fn has_eco(&self, eco: u64) -> bool {
        is_empty_or_any(&self.eco, |range| range.has(eco as u16))
    }

    /// `true` if a number of half-moves matches.
    pub(super) fn has_plies(&self, plies: u64) -> bool {
        self.plies.is_none_or(|bounds| bounds.has(plies))
    }
}

/// `true` if a list of alternatives imposes no condition, or one of them holds.
fn is_empty_or_any<T>(alternatives: &[T], holds: impl Fn(&T) -> bool) -> bool {
    alternatives.is_empty() || alternatives.iter().any(holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! winners {
        ($($name:ident: $winner:ident, $result:ident, $white:literal, $black:literal => $matches:literal;)*) => {$(
            #[test]
            fn $name() {
                let filter = Filter { winner: Some(Winner::$winner), ..Filter::default() };
                assert_eq!(filter.has_winner(Termination::$result, $white, $black), $matches);
            }
        )*};
    }

    winners! {
        a_favourite_with_white: HigherRated, WhiteWins, 2600, 2500 => true;
        a_favourite_with_black: HigherRated, BlackWins, 2500, 2600 => true;
        an_upset: HigherRated, BlackWins, 2600, 2500 => false;
        an_upset_asked_for: LowerRated, BlackWins, 2600, 2500 => true;
        equal_ratings: LowerRated, WhiteWins, 2500, 2500 => false;
        a_draw: HigherRated, Draw, 2600, 2500 => false;
        an_unrated_loser: HigherRated, WhiteWins, 2600, 0 => false;
        an_unrated_winner: LowerRated, WhiteWins, 0, 2600 => false;
    }

    /// Bounds of codes are refused only if no code between them matches.
    #[test]
    fn dates_within_bounds() {
        let dates = [
            "1971.12.31",
            "1972",
            "1972.05",
            "1972.05.01",
            "1972.05.31",
            "1972.06",
            "1973",
        ];
        let mut codes: Vec<u64> = vec![0];
        for date in dates {
            let parsed = PartialDate::from_tag(date).expect("a date");
            codes.push(parsed.code().into());
        }

        let mut refused = 0;
        for (since, until) in [
            ("1972.05", ""),
            ("1972.05.02", "1972.05.30"),
            ("", "1972"),
            ("1973", "1973"),
        ] {
            let [since, until] = [since, until].map(PartialDate::from_tag);
            let filter = Filter {
                since,
                until,
                ..Filter::default()
            };
            for (at, &first) in codes.iter().enumerate() {
                for (length, &last) in codes[at..].iter().enumerate() {
                    let has_one = codes[at..=at + length]
                        .iter()
                        .any(|&code| filter.has_date(code));
                    let may_have = filter.may_have_date(&(first..=last));
                    assert!(may_have || !has_one, "{filter:?} {first} {last}");
                    refused += u32::from(!may_have);
                }
            }
        }
        assert!(refused > 20, "{refused}");
    }
}
