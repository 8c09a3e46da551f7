//! Spellings joined into players.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::facts::{Facts, SpellingFacts};
use super::person::{Person, sort};
use super::spelling::{GivenForm, Spelling};
use super::typed::Fit;
use crate::cleaning::names::{
    Comparison, MAX_ABBREVIATION, NameReason, Verdict, compare, is_cut_off,
};
use crate::error::Result;
use crate::query::Watch;

/// If the games of two spellings with full given names are at least this number of years apart, the spellings are two
/// players.
const MIN_YEARS_BETWEEN_PLAYERS: u64 = 60;
/// If the games of a player and of a spelling with initials are at least this number of years apart, the initials
/// belong to another player. Many players share a pair of initials, so the limit is lower.
const MIN_YEARS_BETWEEN_OWNERS_OF_INITIALS: u64 = 15;
/// The years that two spellings must share for their ratings to be compared.
const MIN_SHARED_YEARS: u64 = 3;
/// If the ratings of a player and of a spelling with initials differ by at least this number of points, the initials
/// belong to another player.
const MIN_ELO_BETWEEN_PLAYERS: u64 = 400;
/// A spelling with a number is counted with a name without a number if the name has at most this multiple of its games.
const MAX_RATIO_OF_NUMBERED: u64 = 5;
/// An initial that may stand for two players is counted with the more frequent player if this player has at least this
/// multiple of the other's games.
const MIN_RATIO_OF_GAMES: u64 = 3;
/// The greatest number that tells players of one name apart, as in `Fedoseev,Vl3`.
const MAX_NAMESAKES: u32 = 9;
/// The maximum number of comparisons of two spellings, about half a second of work. Further spellings are listed as
/// players of their own.
const MAX_COMPARISONS: u64 = 400_000;

/// The players that spellings are joined into, one spelling after the other.
pub(super) struct Joining<'s> {
    spellings: &'s [Spelling],
    /// `true` if the given name was typed in full.
    is_full_name: bool,
    players: Vec<Player>,
    /// The players by the sound of their family names.
    by_family: HashMap<u32, Vec<usize>>,
    /// The players by the words of their names in alphabetical order.
    by_words: HashMap<String, Vec<usize>>,
    /// The player of each spelling that has one.
    player_of: Vec<Option<usize>>,
    /// The places of the spellings that each spelling met in a game.
    rivals: Vec<Vec<usize>>,
    comparisons_left: u64,
}

/// A player as places in the list of all spellings.
struct Player {
    spellings: Vec<usize>,
    /// One spelling for each form of the name.
    forms: Vec<usize>,
    /// The first letter of the given names, if a spelling has given names.
    letter: Option<char>,
    facts: Facts,
}

impl<'s> Joining<'s> {
    /// No players yet, for spellings in the order in which they are joined.
    pub(super) fn new(
        spellings: &'s [Spelling],
        seen: &'s SpellingFacts,
        is_full_name: bool,
    ) -> Joining<'s> {
        Joining {
            spellings,
            is_full_name,
            players: Vec::new(),
            by_family: HashMap::new(),
            by_words: HashMap::new(),
            player_of: vec![None; spellings.len()],
            rivals: rivals(spellings, seen),
            comparisons_left: MAX_COMPARISONS,
        }
    }

    /// Joins all spellings.
    ///
    /// # Errors
    /// When the query is cancelled.
    pub(super) fn join(&mut self, watch: &Watch<'_>) -> Result<()> {
        for (at, spelling) in self.spellings.iter().enumerate() {
            watch.check()?;

            let place = match self.find_player(at, spelling) {
                Some(place) => place,
                None => self.add_player(spelling),
            };
            self.add_spelling(place, at, spelling);
        }
        Ok(())
    }

    /// Appends a player without spellings, to be found by the names of a spelling. Returns the place of the player.
    fn add_player(&mut self, spelling: &Spelling) -> usize {
        let place = self.players.len();
        self.players.push(Player {
            spellings: Vec::new(),
            forms: Vec::new(),
            letter: None,
            facts: Facts::default(),
        });

        self.by_family
            .entry(spelling.person.key())
            .or_default()
            .push(place);
        self.by_words
            .entry(spelling.sorted_words())
            .or_default()
            .push(place);
        place
    }

    /// Adds a spelling to the player at `place`. `at` is the place of the spelling.
    fn add_spelling(&mut self, place: usize, at: usize, spelling: &Spelling) {
        if let Some(slot) = self.player_of.get_mut(at) {
            *slot = Some(place);
        }
        let Some(player) = self.players.get_mut(place) else {
            return;
        };

        let spellings = self.spellings;
        let mut forms = player.forms.iter().filter_map(|&form| spellings.get(form));
        if forms.all(|form| form.person != spelling.person) {
            player.forms.push(at);
        }
        player.spellings.push(at);
        player.letter = player.letter.or(spelling.first_letter());
        player.facts.join(spelling.facts);
    }

    /// The player to whom a spelling belongs; `None` if there is no such player, or if several may be meant.
    fn find_player(&mut self, at: usize, spelling: &Spelling) -> Option<usize> {
        let met = self.players_met(at);
        let namesakes = self.namesakes(spelling);

        let mut fitting: Vec<(u64, usize)> = Vec::new();
        for place in namesakes {
            // Without comparisons left, each further spelling becomes a player by itself.
            if self.comparisons_left == 0 {
                return None;
            }
            // Nobody plays against themselves, so a player whom the spelling met is somebody else.
            if !met.contains(&place) && self.may_be_player(place, spelling) {
                let player = self.players.get(place);
                let games = player.map_or(0, |player| player.facts.games);
                fitting.push((games, place));
            }
        }
        fitting.sort_by_key(|&(games, place)| (Reverse(games), place));

        let &(games, place) = fitting.first()?;
        let next_games = fitting.get(1).map_or(0, |(games, _)| *games);
        let is_clear = games >= MIN_RATIO_OF_GAMES * next_games;
        let is_joined = is_clear || spelling.given == GivenForm::Full || self.is_full_name;
        if is_joined { Some(place) } else { None }
    }

    /// The players that a spelling met in a game.
    fn players_met(&self, at: usize) -> Vec<usize> {
        let mut met: Vec<usize> = Vec::new();
        for &rival in self.rivals.get(at).into_iter().flatten() {
            // A spelling that is joined later has no player yet.
            let player = self.player_of.get(rival).copied().flatten();
            met.extend(player);
        }
        met.sort_unstable();
        met.dedup();
        met
    }

    /// The players whose family name has an equal sound, or whose name has equal words, without players whose first
    /// letter differs.
    fn namesakes(&self, spelling: &Spelling) -> Vec<usize> {
        let of_family = self.by_family.get(&spelling.person.key());
        let of_words = self.by_words.get(&spelling.sorted_words());
        let places = of_family.into_iter().chain(of_words).flatten();

        // Comparing each spelling with all of its family took minutes for 20,000 spellings. The first letter excludes
        // most.
        let letter = spelling.first_letter();
        let mut namesakes = Vec::new();
        for &place in places {
            let other = self.players.get(place).and_then(|player| player.letter);
            let is_other_letter = letter.zip(other).is_some_and(|(a, b)| a != b);
            if !is_other_letter {
                namesakes.push(place);
            }
        }
        namesakes.sort_unstable();
        namesakes.dedup();
        namesakes
    }

    /// `true` if a spelling may be a spelling of the player at `place`, by the other spellings of the player and by the
    /// games.
    fn may_be_player(&mut self, place: usize, spelling: &Spelling) -> bool {
        let Some(player) = self.players.get(place) else {
            return false;
        };

        let is_full = spelling.given == GivenForm::Full;
        if is_other_player(player.facts, spelling.facts, is_full) {
            return false;
        }

        let is_rare = MAX_RATIO_OF_NUMBERED * spelling.facts.games < player.facts.games;
        if spelling.given == GivenForm::Numbered && is_rare {
            return false;
        }

        // A single form that contradicts the spelling excludes the player, whatever the other forms are.
        let all_games = player.facts.games + spelling.facts.games;
        let mut is_one = false;
        for other in player.forms.iter().filter_map(|&at| self.spellings.get(at)) {
            self.comparisons_left = self.comparisons_left.saturating_sub(1);
            let agreement = compare_forms(other, spelling, all_games);
            if agreement == Agreement::Contradicts {
                return false;
            }
            is_one |= agreement == Agreement::IsOne;
        }
        is_one
    }

    /// The players with a spelling that fits or nearly fits the typed name, in descending order of their games.
    pub(super) fn people(self) -> Vec<Person> {
        let mut people: Vec<Person> = Vec::new();
        for player in &self.players {
            people.extend(self.person(player));
        }
        sort(&mut people);
        people
    }

    /// A player with the numbers of all spellings; `None` if no spelling fits or nearly fits the typed name.
    fn person(&self, player: &Player) -> Option<Person> {
        let mut spellings: Vec<&Spelling> = Vec::with_capacity(player.spellings.len());
        for &at in &player.spellings {
            spellings.extend(self.spellings.get(at));
        }
        if spellings.iter().all(|spelling| spelling.fit == Fit::Other) {
            return None;
        }

        // Spellings with initials are listed as doubtful only if there is a full name.
        let is_full = |spelling: &Spelling| spelling.given == GivenForm::Full;
        let has_full_name = self.is_full_name || spellings.iter().any(|spelling| is_full(spelling));
        let mut by_initials: Vec<(String, u64)> = Vec::new();
        if has_full_name {
            for spelling in &spellings {
                if !is_full(spelling) && spelling.fit > Fit::Near {
                    by_initials.push((spelling.name.clone(), spelling.facts.games));
                }
            }
        }
        by_initials.sort_by_key(|(_, games)| Reverse(*games));

        let most_frequent = spellings
            .iter()
            .max_by_key(|spelling| spelling.facts.games)?;
        let numbers = spellings.iter().flat_map(|spelling| &spelling.numbers);
        Some(Person {
            name: most_frequent.name.clone(),
            fit: most_frequent.fit,
            numbers: numbers.copied().collect(),
            games: player.facts.games,
            by_initials,
        })
    }
}

/// `true` if the years or ratings of a spelling's games exclude a player. `is_full` is `true` if the spelling has a
/// full given name.
fn is_other_player(player: Facts, spelling: Facts, is_full: bool) -> bool {
    let min_years = if is_full {
        MIN_YEARS_BETWEEN_PLAYERS
    } else {
        MIN_YEARS_BETWEEN_OWNERS_OF_INITIALS
    };
    if player.years.gap(spelling.years) >= min_years {
        return true;
    }

    // A player's rating grows, so only ratings of shared years can be compared.
    let shares_years = player.years.shared(spelling.years) >= MIN_SHARED_YEARS;
    let is_of_other_strength = player.elo.gap(spelling.elo) >= MIN_ELO_BETWEEN_PLAYERS;
    !is_full && shares_years && is_of_other_strength
}

/// The result of comparing the forms of two spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agreement {
    /// The forms are evidence for one player, so the spellings are joined.
    IsOne,
    /// The forms do not contradict each other, which is not enough to join the spellings.
    MayBe,
    /// The spellings belong to different players.
    Contradicts,
}

/// Compares the forms of two spellings. If they are one player's, the player has `all_games` games.
fn compare_forms(a: &Spelling, b: &Spelling, all_games: u64) -> Agreement {
    let letters = a.first_letter().zip(b.first_letter());
    let have_other_letters = letters.is_some_and(|(a, b)| a != b);
    if have_other_letters || is_beginning_of_another(a, b, all_games) {
        return Agreement::Contradicts;
    }

    let Comparison { verdict, reasons } = compare(&a.person, &b.person);
    let is_other = verdict == Verdict::Different
        || reasons.has(NameReason::SimilarFamily)
        || reasons.has(NameReason::SimilarGiven);
    if is_other {
        return Agreement::Contradicts;
    }

    // "Dominguez" may be Dominguez Perez, but "Perez" is another player.
    let is_part = reasons.has(NameReason::FamilyPart);
    if is_part && a.person.family().next() != b.person.family().next() {
        return Agreement::Contradicts;
    }
    if verdict >= Verdict::Likely {
        return Agreement::IsOne;
    }

    // A small number after a name, as in `Fedoseev,Vl3`, is ignored.
    if reasons.has(NameReason::OtherNumber) {
        return if is_of_namesakes(a, b) {
            Agreement::IsOne
        } else {
            Agreement::Contradicts
        };
    }
    if reasons.has(NameReason::NoGivenName) {
        Agreement::IsOne
    } else {
        Agreement::MayBe
    }
}

/// `true` if one given name is a prefix of the other, but a different name and not an abbreviation: "Yue" and "Yuemin".
/// A truncated spelling never has most of a player's games, so a prefix with most games is a different name.
fn is_beginning_of_another(a: &Spelling, b: &Spelling, all_games: u64) -> bool {
    let Some((mine, yours)) = a.person.given().next().zip(b.person.given().next()) else {
        return false;
    };

    let [(short, shorter), (long, longer)] = if mine.len() <= yours.len() {
        [(mine, a), (yours, b)]
    } else {
        [(yours, b), (mine, a)]
    };
    if short == long || !long.starts_with(short) || shorter.is_shortened(short) {
        return false;
    }

    let is_abbreviation = long.chars().count() <= MAX_ABBREVIATION && longer.is_shortened(long);
    if is_abbreviation {
        return false;
    }

    // Nobody truncates a name by a single letter, so a name that is longer by one letter and has most games is a
    // different name, too. Names that differ by more letters may both be truncated spellings of a still longer name.
    let is_most = |spelling: &Spelling| 2 * spelling.facts.games > all_games;
    is_most(shorter) || !is_cut_off(short, long) && is_most(longer)
}

/// `true` if the numbers of two spellings, if any, are small enough to distinguish players of one name.
fn is_of_namesakes(a: &Spelling, b: &Spelling) -> bool {
    let is_small = |spelling: &Spelling| {
        let number = spelling.person.number();
        number.is_none_or(|number| number <= MAX_NAMESAKES)
    };
    is_small(a) && is_small(b)
}

/// For each spelling, the places of the spellings that it met in a game.
fn rivals(spellings: &[Spelling], seen: &SpellingFacts) -> Vec<Vec<usize>> {
    let mut places: HashMap<u64, usize> = HashMap::new();
    for (at, spelling) in spellings.iter().enumerate() {
        for &number in &spelling.numbers {
            places.insert(number, at);
        }
    }

    let mut rivals = vec![Vec::new(); spellings.len()];
    for (a, b) in &seen.met {
        let Some((&a, &b)) = places.get(a).zip(places.get(b)) else {
            continue;
        };
        for (one, other) in [(a, b), (b, a)] {
            if let Some(list) = rivals.get_mut(one) {
                list.push(other);
            }
        }
    }
    rivals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::query::persons::typed::TypedName;

    /// Names with a game each.
    fn spellings(names: &[String]) -> Vec<Spelling> {
        let typed = TypedName::new("jones");

        let mut spellings = Vec::new();
        for (number, name) in (1..).zip(names) {
            let facts = Facts {
                games: 1,
                ..Facts::default()
            };
            spellings.push(Spelling::new(name.clone(), vec![number], facts, &typed));
        }
        spellings
    }

    /// A given name for each number.
    fn given_name(mut number: usize) -> String {
        let mut name = "A".to_owned();
        for _ in 0..4 {
            name.push(char::from(b'a' + (number % 26) as u8));
            number /= 26;
        }
        name
    }

    /// The number of players among names, and of comparisons.
    fn join(names: &[String], comparisons: u64) -> (usize, u64) {
        let spellings = spellings(names);
        let seen = SpellingFacts::default();
        let mut joining = Joining::new(&spellings, &seen, false);
        joining.comparisons_left = comparisons;
        joining.join(&Watch::new()).expect("players");

        let used = comparisons - joining.comparisons_left;
        (joining.players.len(), used)
    }

    #[test]
    fn spellings_of_one_form_are_compared_as_one() {
        let names: Vec<String> = (0..500).map(|at| format!("Jones, Adam ({at})")).collect();
        assert_eq!(join(&names, 10_000), (1, 499));
    }

    #[test]
    fn other_first_letters_are_not_compared() {
        let names: Vec<String> = ('A'..='Z')
            .map(|letter| format!("Jones, {letter}lan"))
            .collect();
        assert_eq!(join(&names, 10_000), (26, 0));
    }

    #[test]
    fn more_spellings_than_can_be_compared_are_listed() {
        let mut names: Vec<String> = (0..500)
            .map(|at| format!("Jones, {}", given_name(at)))
            .collect();
        names.extend((0..500).map(|at| format!("Jones, {}", given_name(at))));

        let (players, comparisons) = join(&names, 1000);
        assert_eq!(comparisons, 1000);
        assert!(players > 900, "hardly any are joined");

        // Names of one sound are joined, too.
        let (all_players, _) = join(&names, u64::MAX);
        assert!(all_players <= 500);
    }

    #[test]
    fn a_cancelled_query_ends() {
        let spellings = spellings(&["Jones, A".to_owned()]);
        let seen = SpellingFacts::default();
        let is_cancelled = || true;
        let watch = Watch::new().cancel_when(&is_cancelled);
        let joined = Joining::new(&spellings, &seen, false).join(&watch);
        assert!(matches!(joined, Err(Error::Interrupted)));
    }
}
