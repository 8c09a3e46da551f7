//! Whether two games are one game: what speaks for it, weighed against two other explanations.
//!
//! Equal or nearly equal moves come about in three ways: the games are twins, strangers have played the same moves, or
//! the same players have met again and repeated themselves. Each fact is worth a number, the logarithm (base 10) of how
//! much likelier it is among twins than under the other explanation. Numbers are added, and the better of the two other
//! explanations decides.

use super::alignment::Alignment;
use super::candidates::SHORT_PLIES;
use super::facts::{DateMatch, GameFacts};
use super::reasons::{TwinReason, TwinReasons};
use crate::cleaning::names::{
    AddressMatch, NameReason, PersonName, RoundMatch, TextMatch, Verdict, compare,
};

/// How two twins differ in their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TwinKind {
    /// Equal moves.
    Same,
    /// Equal, or one stops earlier, under 20 half-moves.
    Short,
    /// One stops earlier.
    Prefix,
    /// Some moves differ.
    Variant,
}

impl TwinKind {
    /// Its name in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            TwinKind::Same => "same",
            TwinKind::Short => "short",
            TwinKind::Prefix => "prefix",
            TwinKind::Variant => "variant",
        }
    }
}

/// What a comparison of two games has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// How their moves differ.
    pub kind: TwinKind,
    /// The logarithm (base 10) of how much likelier twins are than the best other explanation.
    pub weight: f32,
    /// What agrees.
    pub why: TwinReasons,
}

impl Finding {
    /// The weight as a probability.
    pub fn score(&self) -> f32 {
        1.0 / (1.0 + 10_f32.powf(-self.weight))
    }
}

/// Two games with their players, and how their moves agree.
pub(super) struct Pair<'g> {
    pub(super) facts: [&'g GameFacts; 2],
    pub(super) texts: [TextMatch; 2],
    pub(super) address: AddressMatch,
    pub(super) white: [&'g PersonName; 2],
    pub(super) black: [&'g PersonName; 2],
    pub(super) alignment: Alignment,
}

/// What names are worth, and how many of them are others.
#[derive(Default)]
struct Names {
    weight: f32,
    /// What the others cost where one player may have repeated a game of his own.
    again: f32,
    agreeing: usize,
    others: usize,
    /// How many of the others have another family name, too.
    other_families: usize,
}

impl Names {
    /// Adds what the forms of two names say; nothing where one names nobody.
    fn add(&mut self, [a, b]: [&PersonName; 2]) {
        if a.is_unknown() || b.is_unknown() {
            return;
        }
        let found = compare(a, b);
        let has_family = found.reasons.has(NameReason::OtherGiven);
        self.weight += match found.verdict {
            Verdict::Same => 2.0,
            Verdict::Likely => 1.6,
            Verdict::Possible => 0.8,
            Verdict::Different if has_family => -0.5,
            Verdict::Different if a.is_program() && b.is_program() => -4.0,
            Verdict::Different => -1.5,
        };
        if found.verdict == Verdict::Different {
            self.others += 1;
            self.other_families += usize::from(!has_family);
            self.again += if has_family {
                0.5 * OTHER_OPPONENT
            } else {
                OTHER_OPPONENT
            };
        } else {
            self.agreeing += 1;
        }
    }
}

/// What it costs that a name is another one.
const OTHER_OPPONENT: f32 = 1.5;

/// Games shorter than this say little by their moves.
const SHORT: usize = SHORT_PLIES as usize;

/// Up to so many half-moves, moves alone do not prove a twin.
const WITHOUT_PROOF: usize = 40;

/// Under so many half-moves, strangers play the same moves in one tournament on one day.
const THEORY: usize = 50;

impl Pair<'_> {
    pub(super) fn weigh(&self) -> Finding {
        let mut why = TwinReasons::default();
        let tags = self.tags(&mut why);
        let names = self.names(&mut why);
        let are_exchanged = names.others == 2 && self.are_colours_exchanged();
        let occasion = if names.others == 2
            && !are_exchanged
            && (names.other_families == 2 || self.round() == RoundMatch::Different)
        {
            self.same_occasion(tags.occasion)
        } else {
            tags.occasion.sum()
        };
        let strangers = self.moves_of_strangers() + names.weight + occasion + tags.sum.strangers;
        let again = self.moves_met_again() + tags.sum.again;
        let weight = match names.others {
            0 => strangers.min(again),
            _ if are_exchanged => strangers.min(again),
            // A player repeats his own games against others.
            1 => strangers.min(again - names.again),
            _ if self.kind() == TwinKind::Same => strangers,
            _ => strangers - OTHER_OPPONENT,
        };
        why.add(TwinReason::Moves);
        let is_one_game = self.is_proven(&names, are_exchanged)
            && !self.are_two_of_one_event(&names, are_exchanged);
        let weight = if is_one_game {
            weight
        } else {
            weight.min(-1.0)
        };
        Finding {
            kind: self.kind(),
            weight,
            why,
        }
    }

    /// Whether they are two games of one event, whatever their moves: players and rounds say so. Moves are broadcast with the
    /// names of another board, and programs repeat themselves.
    pub(super) fn are_of_one_event(&self) -> bool {
        let names = self.names(&mut TwinReasons::default());
        let are_exchanged = names.others == 2 && self.are_colours_exchanged();
        self.are_two_of_one_event(&names, are_exchanged)
    }

    fn are_two_of_one_event(&self, names: &Names, are_exchanged: bool) -> bool {
        let [a, b] = self.facts;
        let is_one_event = self.texts[0] == TextMatch::Equal
            && self.texts[1] != TextMatch::Different
            && a.date.year == b.date.year;
        if !is_one_event {
            return false;
        }

        let is_other_round = matches!(self.round(), RoundMatch::Different | RoundMatch::OtherBoard);
        if self.has_program() || self.have_no_given_names() {
            let is_other_program = self.has_program() && names.others > 0 && !are_exchanged;
            return is_other_round || is_other_program;
        }

        let are_dated = a.date.known_parts() == 3 && b.date.known_parts() == 3;
        let is_other_day = are_dated && a.date != b.date;
        let have_rounds = a.round.number().is_some() && b.round.number().is_some();
        match names.other_families {
            0 => false,
            1 => is_other_round || is_other_day,
            _ if are_exchanged => is_other_round,
            _ => have_rounds || are_dated,
        }
    }

    /// Whether the players of one colour are programs in both games.
    fn has_program(&self) -> bool {
        let is_white = self.white.iter().all(|name| name.is_program());
        let is_black = self.black.iter().all(|name| name.is_program());
        is_white || is_black
    }

    /// Whether no name has a given name, as those of accounts and of programs that are not known as such.
    fn have_no_given_names(&self) -> bool {
        let mut names = self.white.iter().chain(&self.black);
        names.all(|name| name.given().next().is_none())
    }

    /// Whether names and dates prove that the moves, if there are few, are those of one game. Many moves need no proof.
    fn is_proven(&self, names: &Names, are_exchanged: bool) -> bool {
        let [a, b] = self.facts;
        let date = a.date.compare(b.date);
        let plies = self.alignment.shorter;

        if plies < SHORT {
            return names.agreeing >= 2 && self.are_of_one_date(date);
        }

        if plies <= WITHOUT_PROOF {
            let is_family_shared = names.agreeing > 0 || names.others > names.other_families;
            return is_family_shared || are_exchanged || date == DateMatch::Equal;
        }

        true
    }

    /// Whether the dates may be those of one game.
    fn are_of_one_date(&self, date: DateMatch) -> bool {
        let mut texts = self.texts.iter().map(|&found| found >= TextMatch::Shared);
        match date {
            DateMatch::Equal | DateMatch::Compatible => true,
            // A season spans two years, and copies of its games have either year: event or site decides.
            DateMatch::NextYear => texts.any(|is_shared| is_shared),
            DateMatch::Unknown => texts.all(|is_shared| is_shared),
            DateMatch::Near | DateMatch::SameYear | DateMatch::OtherDay | DateMatch::Far => false,
        }
    }

    /// What day, event and site are worth where both names differ: strangers who play in one tournament on one day have
    /// them in common, so that one of them counts, and none where the moves may be theory.
    fn same_occasion(&self, occasion: Occasion) -> f32 {
        let most = if self.alignment.matched() < THEORY {
            0.0
        } else {
            occasion.most()
        };
        occasion.sum().min(most)
    }

    fn kind(&self) -> TwinKind {
        let Alignment {
            edits,
            shorter,
            longer,
            ..
        } = self.alignment;
        match (edits, shorter == longer) {
            (1.., _) => TwinKind::Variant,
            _ if shorter < SHORT => TwinKind::Short,
            (0, true) => TwinKind::Same,
            (0, false) => TwinKind::Prefix,
        }
    }

    /// How much likelier these moves are among twins than among games of strangers.
    fn moves_of_strangers(&self) -> f32 {
        const TABLE: [(f32, f32); 6] = [
            (0.0, -2.5),
            (10.0, -1.2),
            (20.0, 0.6),
            (30.0, 1.8),
            (50.0, 3.4),
            (100.0, 5.0),
        ];
        let Alignment {
            edits,
            shorter,
            longer,
            ..
        } = self.alignment;
        let stops = if shorter == longer { 0.0 } else { 0.3 };
        at(&TABLE, self.alignment.matched()) - 0.12 * edits as f32 - stops
    }

    /// How much likelier they are among twins than among games of the same players.
    fn moves_met_again(&self) -> f32 {
        const TABLE: [(f32, f32); 6] = [
            (0.0, -1.0),
            (10.0, -0.35),
            (20.0, 0.35),
            (30.0, 1.0),
            (50.0, 3.0),
            (100.0, 6.0),
        ];
        let Alignment {
            edits,
            shorter,
            longer,
            ..
        } = self.alignment;
        let stops = if shorter == longer { 0.0 } else { 0.5 };
        let weight = at(&TABLE, self.alignment.matched()) - 0.3 * edits as f32 - stops;
        // Programs play the same game again.
        if self.are_programs() {
            weight.min(0.3)
        } else {
            weight
        }
    }

    /// Whether White of one game is Black of the other, and the other way round.
    fn are_colours_exchanged(&self) -> bool {
        let is_likely = |a, b| compare(a, b).verdict >= Verdict::Likely;
        is_likely(self.white[0], self.black[1]) && is_likely(self.black[0], self.white[1])
    }

    fn are_programs(&self) -> bool {
        self.white[0].is_program() && self.black[0].is_program()
    }

    /// How the rounds agree. Numbers of pages and games in books are no rounds: one beside a round, and two in different
    /// events. Programs play as many rounds.
    fn round(&self) -> RoundMatch {
        let [a, b] = self.facts.map(|facts| facts.round);
        let found = a.compare(b);
        let are_rounds = match (a.is_beyond_rounds(), b.is_beyond_rounds()) {
            (false, false) => true,
            (true, true) => self.texts[0] == TextMatch::Equal || self.are_programs(),
            _ => self.are_programs(),
        };
        if found == RoundMatch::Different && !are_rounds {
            RoundMatch::Unknown
        } else {
            found
        }
    }

    fn names(&self, why: &mut TwinReasons) -> Names {
        let mut names = Names::default();
        names.add(self.white);
        names.add(self.black);
        match names.agreeing {
            2 => why.add(TwinReason::Players),
            1 => why.add(TwinReason::OnePlayer),
            _ => {}
        }
        names
    }

    fn tags(&self, why: &mut TwinReasons) -> Tags {
        let [a, b] = self.facts;
        let mut tags = Tags::default();
        let sum = &mut tags.sum;
        let date = a.date.compare(b.date);
        match date {
            DateMatch::Equal => why.add(TwinReason::Date),
            DateMatch::Compatible => why.add(TwinReason::Year),
            _ => {}
        }
        tags.occasion.day = sum.add_again(date_weights(date));
        let round = self.round();
        if matches!(round, RoundMatch::Equal | RoundMatch::Compatible) {
            why.add(TwinReason::Round);
        }
        for (found, reason) in self
            .texts
            .into_iter()
            .zip([TwinReason::Event, TwinReason::Site])
        {
            if found >= TextMatch::Shared {
                why.add(reason);
            }
        }
        tags.occasion.event = sum.add_again(text_weights(self.texts[0]));
        tags.occasion.site = sum.add_again(text_weights(self.texts[1]));
        sum.add(rating_weights(a, b, self.are_programs(), why));
        // Within an event, the round alone tells games of the same players apart.
        if matches!(round, RoundMatch::Different | RoundMatch::OtherBoard) {
            let is_one_event = self.texts[0] == TextMatch::Equal && a.date.year == b.date.year;
            sum.again = sum.again.min(if is_one_event { OTHER_ROUND } else { 0.2 });
        }
        sum.add(round_weights(round));
        sum.add(address_weights(self.address));
        sum.add(result_weights(
            a.result,
            b.result,
            self.alignment.edits > 0,
            why,
        ));
        tags
    }
}

/// What another round of one event is worth, at most, together with what else players who meet again have in common.
const OTHER_ROUND: f32 = -3.0;

/// What tags are worth.
#[derive(Default)]
struct Tags {
    sum: Weights,
    occasion: Occasion,
}

/// What speaks against strangers, and is common to all who play in one place on one day.
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

    fn most(self) -> f32 {
        self.day.max(self.event).max(self.site)
    }
}

/// What facts are worth against either other explanation.
#[derive(Clone, Copy, Default)]
struct Weights {
    strangers: f32,
    again: f32,
}

impl Weights {
    const fn new(strangers: f32, again: f32) -> Weights {
        Weights { strangers, again }
    }

    fn add(&mut self, other: Weights) {
        self.strangers += other.strangers;
        self.again += other.again;
    }

    /// Adds what speaks against the same players, and gives what speaks against strangers.
    fn add_again(&mut self, other: Weights) -> f32 {
        self.again += other.again;
        other.strangers
    }
}

fn date_weights(found: DateMatch) -> Weights {
    match found {
        DateMatch::Equal => Weights::new(1.5, 0.8),
        DateMatch::Compatible => Weights::new(1.0, 0.7),
        DateMatch::Unknown => Weights::new(0.0, 0.0),
        DateMatch::Near => Weights::new(0.5, -0.4),
        DateMatch::SameYear => Weights::new(0.0, -0.9),
        DateMatch::NextYear => Weights::new(-0.3, -0.6),
        DateMatch::OtherDay => Weights::new(-0.8, -2.0),
        DateMatch::Far => Weights::new(-1.0, -1.2),
    }
}

fn round_weights(found: RoundMatch) -> Weights {
    match found {
        RoundMatch::Equal => Weights::new(0.5, 0.7),
        RoundMatch::Compatible => Weights::new(0.3, 0.4),
        RoundMatch::Unknown => Weights::new(0.0, 0.0),
        RoundMatch::OtherBoard => Weights::new(0.0, -1.0),
        RoundMatch::Different => Weights::new(-0.2, -0.8),
    }
}

fn result_weights(a: u8, b: u8, is_variant: bool, why: &mut TwinReasons) -> Weights {
    const UNKNOWN: u8 = 3;
    if a == UNKNOWN || b == UNKNOWN {
        return Weights::default();
    }
    if a == b {
        why.add(TwinReason::Result);
        return Weights::new(0.1, 0.1);
    }
    Weights::new(-0.3, if is_variant { -1.0 } else { -0.7 })
}

fn text_weights(found: TextMatch) -> Weights {
    match found {
        TextMatch::Equal => Weights::new(0.4, 0.3),
        TextMatch::Shared => Weights::new(0.3, 0.2),
        TextMatch::Unknown => Weights::new(0.0, 0.0),
        TextMatch::Different => Weights::new(-0.1, -0.1),
    }
}

fn address_weights(found: AddressMatch) -> Weights {
    match found {
        AddressMatch::Equal => Weights::new(2.0, 2.0),
        AddressMatch::OtherPage => Weights::new(-2.0, -4.5),
        AddressMatch::Unknown => Weights::new(0.0, 0.0),
    }
}

fn rating_weights(
    a: &GameFacts,
    b: &GameFacts,
    are_programs: bool,
    why: &mut TwinReasons,
) -> Weights {
    let pairs = [(a.white_elo, b.white_elo), (a.black_elo, b.black_elo)];
    let known = pairs.iter().filter(|(a, b)| *a > 0 && *b > 0).count();
    let equal = pairs.iter().filter(|(a, b)| a == b && *a > 0).count();
    match (known, equal) {
        (0, _) => Weights::default(),
        (2, 2) => {
            why.add(TwinReason::Ratings);
            Weights::new(1.0, 0.3)
        }
        (known, equal) if known == equal => Weights::new(0.4, 0.1),
        // Programs that play again have other ratings.
        (2, 0) if are_programs => Weights::new(-0.2, -2.0),
        _ => Weights::new(-0.2, -0.3),
    }
}

/// The value of a table at a number, on the line between its entries.
fn at(table: &[(f32, f32)], number: usize) -> f32 {
    let x = number as f32;
    for pair in table.windows(2) {
        if let [(from, low), (to, high)] = pair
            && x <= *to
        {
            return low + (high - low) * (x - from) / (to - from);
        }
    }
    table.last().map_or(0.0, |(_, last)| *last)
}
