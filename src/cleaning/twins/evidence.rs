//! Weighs the evidence that two games are twins against two other explanations.
//!
//! Equal or nearly equal moves come about in three ways: the games are twins, strangers have played the same moves, or
//! the same players have met again and repeated themselves. Each fact has a weight, the logarithm (base 10) of how much
//! likelier the fact is among twins than under the other explanation. Weights are added, and the better of the two
//! other explanations decides.

use super::alignment::Alignment;
use super::candidates::SHORT_PLIES;
use super::facts::{DateMatch, GameFacts};
use super::reasons::{TwinReason, TwinReasons};
use crate::cleaning::names::{
    AddressMatch, NameReason, PersonName, RoundMatch, TextMatch, Verdict, compare,
};
use crate::pgn::Termination;

/// The difference between the moves of twins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TwinKind {
    /// Equal moves.
    Same,
    /// Equal moves, or one game stops earlier, and the shorter game has fewer than 20 half-moves.
    Short,
    /// One game stops earlier, with equal moves up to its end.
    Prefix,
    /// Some moves differ.
    Variant,
}

impl TwinKind {
    /// The name of the kind in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            TwinKind::Same => "same",
            TwinKind::Short => "short",
            TwinKind::Prefix => "prefix",
            TwinKind::Variant => "variant",
        }
    }
}

/// The result of comparing two games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The difference between the moves.
    pub kind: TwinKind,
    /// The logarithm (base 10) of the odds of twins against the best other explanation.
    pub weight: f32,
    /// The facts on which the games agree.
    pub why: TwinReasons,
}

impl Finding {
    /// The weight as a probability.
    pub fn score(&self) -> f32 {
        1.0 / (1.0 + 10_f32.powf(-self.weight))
    }
}

/// Two games with their players, and the comparison of their texts and moves.
pub(super) struct Pair<'g> {
    pub(super) facts: [&'g GameFacts; 2],
    /// The likeness of the events, and of the sites.
    pub(super) texts: [TextMatch; 2],
    pub(super) address: AddressMatch,
    pub(super) white: [&'g PersonName; 2],
    pub(super) black: [&'g PersonName; 2],
    pub(super) alignment: Alignment,
}

/// The weight of the players' names, and the numbers of names that agree and differ.
#[derive(Default)]
struct ComparedNames {
    weight: f32,
    /// The weight that is subtracted for differing names if one player may have repeated a game of his own.
    rematch: f32,
    agreeing: usize,
    differing: usize,
    /// The number of differing names whose family names differ, too.
    other_families: usize,
    /// `true` if both names differ because the players have exchanged colours.
    are_exchanged: bool,
}

impl ComparedNames {
    /// Adds the comparison of two names of one colour. A name of an unknown player adds nothing.
    fn add_comparison(&mut self, [a, b]: [&PersonName; 2]) {
        if a.is_unknown() || b.is_unknown() {
            return;
        }

        let comparison = compare(a, b);
        let has_family = comparison.reasons.has(NameReason::OtherGiven);
        self.weight += match comparison.verdict {
            Verdict::Same => 2.0,
            Verdict::Likely => 1.6,
            Verdict::Possible => 0.8,
            Verdict::Different if has_family => -0.5,
            Verdict::Different if a.is_program() && b.is_program() => -4.0,
            Verdict::Different => -1.5,
        };

        if comparison.verdict != Verdict::Different {
            self.agreeing += 1;
            return;
        }
        self.differing += 1;
        if has_family {
            self.rematch += 0.5 * OTHER_OPPONENT;
        } else {
            self.other_families += 1;
            self.rematch += OTHER_OPPONENT;
        }
    }
}

/// The weight subtracted from twins for a player whose two family names differ. Half of it is subtracted if only the
/// given names differ.
const OTHER_OPPONENT: f32 = 1.5;

/// The least length in plies of a game that is not short. The moves of a short game are weak evidence.
const MIN_LONG_PLIES: usize = SHORT_PLIES as usize;

/// Length in plies above which equal moves alone prove a twin.
const MAX_PLIES_TO_PROVE: usize = 40;

/// The greatest weight of games that are not proven to be one: odds of one in ten.
const MAX_UNPROVEN: f32 = -1.0;

/// The weight of the moves of two games.
struct MoveWeights {
    /// Matching half-moves, and their weight.
    by_matched: [(f32, f32); 6],
    /// The weight subtracted for each edit.
    edit: f32,
    /// The weight subtracted if one game stops earlier.
    stop: f32,
}

/// The weights of moves against strangers.
const MOVES_OF_STRANGERS: MoveWeights = MoveWeights {
    by_matched: [
        (0.0, -2.5),
        (10.0, -1.2),
        (20.0, 0.6),
        (30.0, 1.8),
        (50.0, 3.4),
        (100.0, 5.0),
    ],
    edit: 0.12,
    stop: 0.3,
};

/// The weights of moves against the same players who met again.
const MOVES_OF_REMATCH: MoveWeights = MoveWeights {
    by_matched: [
        (0.0, -1.0),
        (10.0, -0.35),
        (20.0, 0.35),
        (30.0, 1.0),
        (50.0, 3.0),
        (100.0, 6.0),
    ],
    edit: 0.3,
    stop: 0.5,
};

/// The greatest weight of moves against programs that met again, since programs repeat whole games.
const MAX_MOVES_OF_PROGRAMS: f32 = 0.3;

/// Length in plies below which strangers may play the same moves in one tournament on one day.
const THEORY_PLIES: usize = 50;

impl Pair<'_> {
    /// The weight of the evidence for one game, and the facts on which the games agree.
    pub(super) fn weigh(&self) -> Finding {
        let mut why = TwinReasons::default();
        let tags = self.weigh_tags(&mut why);
        let names = self.weigh_names(&mut why);
        why.add(TwinReason::Moves);

        let are_two_others = names.differing == 2 && !names.are_exchanged;
        let have_other_families = names.other_families == 2;
        let are_strangers = are_two_others
            && (have_other_families || self.compare_rounds() == RoundMatch::Different);
        let occasion = if are_strangers {
            self.same_occasion(tags.occasion)
        } else {
            tags.occasion.sum()
        };

        let strangers = self.moves_of_strangers() + names.weight + occasion + tags.sum.strangers;
        let rematch = self.moves_of_rematch() + tags.sum.rematch;
        let by_facts = match names.differing {
            0 => strangers.min(rematch),
            _ if names.are_exchanged => strangers.min(rematch),
            // A player repeats his own games against others.
            1 => strangers.min(rematch - names.rematch),
            _ if self.twin_kind() == TwinKind::Same => strangers,
            _ => strangers - OTHER_OPPONENT,
        };

        let is_one_game = self.is_proven(&names) && !self.are_two_of_one_event(&names);
        let weight = if is_one_game {
            by_facts
        } else {
            by_facts.min(MAX_UNPROVEN)
        };
        Finding {
            kind: self.twin_kind(),
            weight,
            why,
        }
    }

    /// `true` if players and rounds show that these are two games of one event, whatever their moves. Moves are
    /// broadcast with the names of another board, and programs repeat themselves.
    pub(super) fn are_of_one_event(&self) -> bool {
        let names = self.weigh_names(&mut TwinReasons::default());
        self.are_two_of_one_event(&names)
    }

    /// Like [`Pair::are_of_one_event`], with the comparison of the names.
    fn are_two_of_one_event(&self, names: &ComparedNames) -> bool {
        let [a, b] = self.facts;
        let [event, site] = self.texts;
        let is_one_event =
            event == TextMatch::Equal && site != TextMatch::Different && a.date.year == b.date.year;
        if !is_one_event {
            return false;
        }

        // Programs repeat whole games, so their names and rounds alone tell their games apart.
        let is_other_round = matches!(
            self.compare_rounds(),
            RoundMatch::Different | RoundMatch::OtherBoard
        );
        if self.has_program() || self.have_no_given_names() {
            let is_other_program =
                self.has_program() && names.differing > 0 && !names.are_exchanged;
            return is_other_round || is_other_program;
        }

        let are_dated = a.date.is_full() && b.date.is_full();
        let is_other_day = are_dated && a.date != b.date;
        let have_rounds = a.round.number().is_some() && b.round.number().is_some();

        // Broadcasts have the moves of another board under the names of two other players.
        match names.other_families {
            0 => false,
            1 => is_other_round || is_other_day,
            _ if names.are_exchanged => is_other_round,
            _ => have_rounds || are_dated,
        }
    }

    /// `true` if the players of one colour are programs in both games.
    fn has_program(&self) -> bool {
        let [white, other_white] = self.white;
        let [black, other_black] = self.black;

        let is_white = white.is_program() && other_white.is_program();
        let is_black = black.is_program() && other_black.is_program();
        is_white || is_black
    }

    /// `true` if no player has a given name. Accounts have no given names, nor have programs that are missing in the
    /// list of programs.
    fn have_no_given_names(&self) -> bool {
        let mut names = self.white.iter().chain(&self.black);
        names.all(|name| name.given().next().is_none())
    }

    /// `true` if names and dates prove that few moves are the moves of one game. Many moves need no proof.
    fn is_proven(&self, names: &ComparedNames) -> bool {
        let [a, b] = self.facts;
        let date = a.date.compare(b.date);
        let plies = self.alignment.shorter;

        if plies < MIN_LONG_PLIES {
            return names.agreeing >= 2 && self.are_of_one_date(date);
        }

        if plies <= MAX_PLIES_TO_PROVE {
            let is_family_shared = names.agreeing > 0 || names.differing > names.other_families;
            return is_family_shared || names.are_exchanged || date == DateMatch::Equal;
        }

        true
    }

    /// `true` if both dates may be the date of one game.
    fn are_of_one_date(&self, date: DateMatch) -> bool {
        let mut texts = self.texts.iter().map(|&text| text >= TextMatch::Shared);
        match date {
            DateMatch::Equal | DateMatch::Compatible => true,
            // A season spans two years, and copies of its games have either year: event or site decides.
            DateMatch::NextYear => texts.any(|is_shared| is_shared),
            DateMatch::Unknown => texts.all(|is_shared| is_shared),
            DateMatch::Near | DateMatch::SameYear | DateMatch::OtherDay | DateMatch::Far => false,
        }
    }

    /// The weight of equal day, event and site in two games whose players have different names. Strangers in one
    /// tournament on one day share all three, so only the heaviest counts. If the moves may be opening theory, none
    /// counts.
    fn same_occasion(&self, occasion: Occasion) -> f32 {
        let is_theory = self.alignment.matched() < THEORY_PLIES;
        let most = if is_theory { 0.0 } else { occasion.max() };
        occasion.sum().min(most)
    }

    /// The difference between the moves. Without edits, a short game is [`TwinKind::Short`], beside an equal game as
    /// well as beside a longer game.
    fn twin_kind(&self) -> TwinKind {
        let alignment = self.alignment;
        if alignment.edits > 0 {
            TwinKind::Variant
        } else if alignment.shorter < MIN_LONG_PLIES {
            TwinKind::Short
        } else if alignment.shorter == alignment.longer {
            TwinKind::Same
        } else {
            TwinKind::Prefix
        }
    }

    /// The logarithm (base 10) of the odds of such moves in twins against games of strangers.
    fn moves_of_strangers(&self) -> f32 {
        self.moves_weight(&MOVES_OF_STRANGERS)
    }

    /// The logarithm (base 10) of the odds of such moves in twins against two games of the same players.
    fn moves_of_rematch(&self) -> f32 {
        let weight = self.moves_weight(&MOVES_OF_REMATCH);
        if self.are_programs() {
            weight.min(MAX_MOVES_OF_PROGRAMS)
        } else {
            weight
        }
    }

    /// The weight of the matching half-moves, minus the weights of edits and of an earlier end.
    fn moves_weight(&self, weights: &MoveWeights) -> f32 {
        let Alignment {
            edits,
            shorter,
            longer,
            ..
        } = self.alignment;

        let matched = interpolate(&weights.by_matched, self.alignment.matched());
        let stop = if shorter == longer { 0.0 } else { weights.stop };
        matched - weights.edit * edits as f32 - stop
    }

    /// `true` if White of each game is Black of the other game.
    fn are_colours_exchanged(&self) -> bool {
        let is_likely = |a, b| compare(a, b).verdict >= Verdict::Likely;
        is_likely(self.white[0], self.black[1]) && is_likely(self.black[0], self.white[1])
    }

    /// `true` if both players of the first game are programs.
    fn are_programs(&self) -> bool {
        self.white[0].is_program() && self.black[0].is_program()
    }

    /// The likeness of the rounds. Numbers of pages and of games in books do not count as rounds: a number too high for
    /// a round beside a round, and two numbers that are too high in different events. Programs do play that many
    /// rounds.
    fn compare_rounds(&self) -> RoundMatch {
        let [a, b] = self.facts.map(|facts| facts.round);
        let are_rounds = match (a.is_beyond_rounds(), b.is_beyond_rounds()) {
            (false, false) => true,
            (true, true) => self.texts[0] == TextMatch::Equal || self.are_programs(),
            _ => self.are_programs(),
        };

        let round = a.compare(b);
        if round == RoundMatch::Different && !are_rounds {
            RoundMatch::Unknown
        } else {
            round
        }
    }

    /// The weight of the names. Agreeing names are added to the reasons.
    fn weigh_names(&self, why: &mut TwinReasons) -> ComparedNames {
        let mut names = ComparedNames::default();
        names.add_comparison(self.white);
        names.add_comparison(self.black);
        names.are_exchanged = names.differing == 2 && self.are_colours_exchanged();

        match names.agreeing {
            2 => why.add(TwinReason::Players),
            1 => why.add(TwinReason::OnePlayer),
            _ => {}
        }

        names
    }

    /// The weight of all tags but the names. Agreeing tags are added to the reasons.
    fn weigh_tags(&self, why: &mut TwinReasons) -> Tags {
        let [a, b] = self.facts;
        let mut tags = Tags::default();

        self.add_occasion(&mut tags, why);
        tags.sum.add(rating_weights(a, b, self.are_programs(), why));
        self.add_round(&mut tags.sum, why);
        tags.sum.add(address_weights(self.address));

        let is_variant = self.alignment.edits > 0;
        tags.sum
            .add(result_weights(a.result, b.result, is_variant, why));
        tags
    }

    /// Adds the weights of date, event and site.
    fn add_occasion(&self, tags: &mut Tags, why: &mut TwinReasons) {
        let [a, b] = self.facts;
        let date = a.date.compare(b.date);
        match date {
            DateMatch::Equal => why.add(TwinReason::Date),
            DateMatch::Compatible => why.add(TwinReason::Year),
            _ => {}
        }

        let [event, site] = self.texts;
        if event >= TextMatch::Shared {
            why.add(TwinReason::Event);
        }
        if site >= TextMatch::Shared {
            why.add(TwinReason::Site);
        }

        tags.occasion.day = tags.sum.add_rematch(date_weights(date));
        tags.occasion.event = tags.sum.add_rematch(text_weights(event));
        tags.occasion.site = tags.sum.add_rematch(text_weights(site));
    }

    /// Adds the weight of the round. If the rounds differ, the earlier weights against players who met again are
    /// capped.
    fn add_round(&self, sum: &mut Weights, why: &mut TwinReasons) {
        let [a, b] = self.facts;
        let round = self.compare_rounds();
        if matches!(round, RoundMatch::Equal | RoundMatch::Compatible) {
            why.add(TwinReason::Round);
        }

        // Within an event, the round alone tells games of the same players apart, whatever else they have in common.
        if matches!(round, RoundMatch::Different | RoundMatch::OtherBoard) {
            let is_one_event = self.texts[0] == TextMatch::Equal && a.date.year == b.date.year;
            let max_rematch = if is_one_event {
                OTHER_ROUND
            } else {
                OTHER_ROUND_ELSEWHERE
            };
            sum.rematch = sum.rematch.min(max_rematch);
        }
        sum.add(round_weights(round));
    }
}

/// The greatest weight, against players who met again, of date, event, site and ratings if the round of one event
/// differs.
const OTHER_ROUND: f32 = -3.0;

/// The greatest weight, against players who met again, of date, event, site and ratings if the rounds of two events
/// differ.
const OTHER_ROUND_ELSEWHERE: f32 = 0.2;

/// The weights of all tags.
#[derive(Default)]
struct Tags {
    sum: Weights,
    occasion: Occasion,
}

/// The weights, against strangers, of day, event and site, which all games of one place and day share.
#[derive(Clone, Copy, Default)]
struct Occasion {
    day: f32,
    event: f32,
    site: f32,
}

impl Occasion {
    fn sum(self) -> f32 {
        self.day + self.event + self.site
    }

    fn max(self) -> f32 {
        self.day.max(self.event).max(self.site)
    }
}

/// The weights of facts against the two other explanations.
#[derive(Clone, Copy, Default)]
struct Weights {
    /// Against strangers who played the same moves.
    strangers: f32,
    /// Against the same players who met again.
    rematch: f32,
}

impl Weights {
    const fn new(strangers: f32, rematch: f32) -> Weights {
        Weights { strangers, rematch }
    }

    fn add(&mut self, other: Weights) {
        self.strangers += other.strangers;
        self.rematch += other.rematch;
    }

    /// Adds only the weight against the same players, and returns the weight against strangers.
    fn add_rematch(&mut self, other: Weights) -> f32 {
        self.rematch += other.rematch;
        other.strangers
    }
}

/// The weights of the likeness of two dates.
fn date_weights(date: DateMatch) -> Weights {
    let (strangers, rematch) = match date {
        DateMatch::Equal => (1.5, 0.8),
        DateMatch::Compatible => (1.0, 0.7),
        DateMatch::Unknown => (0.0, 0.0),
        DateMatch::Near => (0.5, -0.4),
        DateMatch::SameYear => (0.0, -0.9),
        DateMatch::NextYear => (-0.3, -0.6),
        DateMatch::OtherDay => (-0.8, -2.0),
        DateMatch::Far => (-1.0, -1.2),
    };

    Weights { strangers, rematch }
}

/// The weights of the likeness of two rounds. Another board of one round is evidence for players who met again, but not
/// for strangers.
fn round_weights(round: RoundMatch) -> Weights {
    let (strangers, rematch) = match round {
        RoundMatch::Equal => (0.5, 0.7),
        RoundMatch::Compatible => (0.3, 0.4),
        RoundMatch::Unknown => (0.0, 0.0),
        RoundMatch::OtherBoard => (0.0, -1.0),
        RoundMatch::Different => (-0.2, -0.8),
    };

    Weights { strangers, rematch }
}

/// The weights of two results. `is_variant` is `true` if some moves differ.
fn result_weights(
    a: Termination,
    b: Termination,
    is_variant: bool,
    why: &mut TwinReasons,
) -> Weights {
    if a == Termination::Unknown || b == Termination::Unknown {
        return Weights::default();
    }

    if a == b {
        why.add(TwinReason::Result);
        return Weights::new(0.1, 0.1);
    }

    Weights::new(-0.3, if is_variant { -1.0 } else { -0.7 })
}

/// The weights of the likeness of two events, or of two sites.
fn text_weights(text: TextMatch) -> Weights {
    let (strangers, rematch) = match text {
        TextMatch::Equal => (0.4, 0.3),
        TextMatch::Shared => (0.3, 0.2),
        TextMatch::Unknown => (0.0, 0.0),
        TextMatch::Different => (-0.1, -0.1),
    };
    Weights { strangers, rematch }
}

/// The weights of the likeness of the addresses of two games.
fn address_weights(address: AddressMatch) -> Weights {
    let (strangers, rematch) = match address {
        AddressMatch::Equal => (2.0, 2.0),
        AddressMatch::OtherPage => (-2.0, -4.5),
        AddressMatch::Unknown => (0.0, 0.0),
    };
    Weights { strangers, rematch }
}

/// The weights of the ratings that both games have.
fn rating_weights(
    a: &GameFacts,
    b: &GameFacts,
    are_programs: bool,
    why: &mut TwinReasons,
) -> Weights {
    let pairs = [(a.white_elo, b.white_elo), (a.black_elo, b.black_elo)];
    // A rating of 0 is unknown.
    let known = pairs.iter().filter(|(a, b)| *a > 0 && *b > 0).count();
    let equal = pairs.iter().filter(|(a, b)| a == b && *a > 0).count();

    if known == 0 {
        return Weights::default();
    }
    if known == 2 && equal == 2 {
        why.add(TwinReason::Ratings);
        return Weights::new(1.0, 0.3);
    }
    if known == equal {
        return Weights::new(0.4, 0.1);
    }

    // Programs that play again have other ratings.
    if are_programs && known == 2 && equal == 0 {
        return Weights::new(-0.2, -2.0);
    }
    Weights::new(-0.2, -0.3)
}

/// The value of a table at a number, interpolated linearly between the entries of the table.
fn interpolate(table: &[(f32, f32)], number: usize) -> f32 {
    let x = number as f32;
    for pair in table.windows(2) {
        if let [(from, low), (to, high)] = pair
            && x <= *to
        {
            let rise = (high - low) * (x - from);
            return low + rise / (to - from);
        }
    }

    table.last().map_or(0.0, |(_, last)| *last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_interpolated() {
        let table = [(0.0, -1.0), (10.0, 1.0), (20.0, 2.0)];
        let values = [0, 5, 10, 15, 20, 40].map(|number| interpolate(&table, number));
        assert_eq!(values, [-1.0, 0.0, 1.0, 1.5, 2.0, 2.0]);
    }
}
