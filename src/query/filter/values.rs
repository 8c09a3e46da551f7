//! The conditions of a filter on single values of a game, as the column store has them.

use std::ops::RangeInclusive;

use super::{Bounds, Filter, PlayersAre, StartKind, Winner};
use crate::columns::GameFlags;
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

    /// `true` if it has conditions on values that follow from tags, except names and the result.
    pub(super) fn asks_values_of_tags(&self) -> bool {
        let bounds = [self.elo, self.white_elo, self.black_elo, self.mean_elo];
        let dates = [self.since, self.until];
        bounds.iter().any(Option::is_some)
            || dates.iter().any(Option::is_some)
            || !self.mean_elo_groups.is_empty()
            || self.winner.is_some()
            || !(self.eco.is_empty() && self.titles.is_empty())
            || !(self.speeds.is_empty() && self.variants.is_empty())
            || self.players_are.is_some()
    }

    /// `true` if a result matches.
    pub(super) fn has_result(&self, result: Termination) -> bool {
        self.results.is_empty() || self.results.contains(&result)
    }

    /// `true` if the flags that follow from tags match.
    pub(super) fn has_flags_of_tags(&self, flags: GameFlags) -> bool {
        let is_of = |name: &String| flags.variant() == Variant::from_tag(name);
        (self.titles.is_empty() || self.titles.iter().any(|&title| flags.has_title(title)))
            && (self.speeds.is_empty() || self.speeds.iter().any(|&speed| flags.has_speed(speed)))
            && (self.variants.is_empty() || self.variants.iter().any(is_of))
            && self.has_players(flags.has_engine())
    }

    /// `true` if a game in which a program plays, or none does, matches.
    fn has_players(&self, has_engine: bool) -> bool {
        match self.players_are {
            None => true,
            Some(PlayersAre::Humans) => !has_engine,
            Some(PlayersAre::Engines) => has_engine,
        }
    }

    /// `true` if the flags that follow from moves and annotations match.
    pub(super) fn has_flags_of_moves(&self, flags: GameFlags) -> bool {
        (self.endings.is_empty() || self.endings.iter().any(|&kind| flags.ends_by(kind)))
            && (!self.annotated || flags.is_annotated())
            && (self.comments.is_empty() || flags.has_words())
    }

    /// `false` if a game does not start as is required, as far as its flags tell.
    fn may_start(&self, flags: GameFlags) -> bool {
        match self.start {
            None => true,
            Some(StartKind::Standard) => flags.starts_as_usual(),
            Some(StartKind::Fen | StartKind::Odds) => !flags.starts_as_usual(),
        }
    }

    /// `true` if the code of a date matches.
    pub(super) fn has_date(&self, code: u64) -> bool {
        let Filter { since, until, .. } = *self;
        let is_between = |date: PartialDate| {
            since.is_none_or(|since| date.is_since(since))
                && until.is_none_or(|until| date.is_until(until))
        };
        (since.is_none() && until.is_none()) || PartialDate::from_code(code).is_some_and(is_between)
    }

    /// `false` if no date between two codes matches.
    pub(super) fn may_have_date(&self, codes: &RangeInclusive<u64>) -> bool {
        let Filter { since, until, .. } = *self;
        let [first, last] = [codes.start(), codes.end()].map(|&code| PartialDate::from_code(code));
        // Of a date with unknown parts, the first day is not before that of a smaller code; the last day may be.
        let is_late = since
            .zip(last)
            .is_none_or(|(since, last)| last.is_since(since));
        let is_early = until
            .zip(first)
            .is_none_or(|(until, first)| first.year() <= until.year());
        is_late && is_early
    }

    /// `true` if both ratings match, each 0 if it is unknown.
    pub(super) fn has_ratings(&self, white: u64, black: u64) -> bool {
        let is_rated = |bounds: Option<Bounds>, elo: u64| {
            bounds.is_none_or(|bounds| elo > 0 && bounds.has(elo))
        };
        let are_known = white > 0 && black > 0;
        let has_mean = |mean: Bounds| are_known && mean.has_half(white.saturating_add(black));
        is_rated(self.elo, white)
            && is_rated(self.elo, black)
            && is_rated(self.white_elo, white)
            && is_rated(self.black_elo, black)
            && self.mean_elo.is_none_or(has_mean)
            && self.has_mean_group(white, black)
    }

    /// `true` if the mean of both ratings is in one of the groups.
    fn has_mean_group(&self, white: u64, black: u64) -> bool {
        let mean = white.saturating_add(black) / 2;
        let are_known = white > 0 && black > 0;
        let groups = &self.mean_elo_groups;
        groups.is_empty() || are_known && groups.iter().any(|group| group.has(mean))
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
        are_known
            && match winner {
                Winner::HigherRated => winning > losing,
                Winner::LowerRated => winning < losing,
            }
    }

    /// `true` if the number of an ECO code matches.
    pub(super) fn has_eco(&self, eco: u64) -> bool {
        self.eco.is_empty() || self.eco.iter().any(|range| range.has(eco as u16))
    }

    /// `true` if a number of half-moves matches.
    pub(super) fn has_plies(&self, plies: u64) -> bool {
        self.plies.is_none_or(|bounds| bounds.has(plies))
    }
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
        let code = |date: &str| PartialDate::from_tag(date).map(|date| u64::from(date.code()));
        let mut codes: Vec<u64> = dates.iter().filter_map(|date| code(date)).collect();
        codes.insert(0, 0);
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
