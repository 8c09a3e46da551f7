//! Infers which word of `Garry Kasparov` and `Kasparov Garry` is the family name, from a collection's names with
//! commas.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::PersonName;
use crate::threads;

/// The least odds that decide the order of a name by its words, as a logarithm: less than a ratio of `e` between the
/// first and the last word decides nothing.
const MIN_ODDS_OF_VOTE: f32 = 1.0;

/// The odds, as a logarithm, that all names of a collection add to the order in which they agree.
const UNANIMOUS_ODDS: f32 = 2.0;

/// The odds of the family name first, as a logarithm, in a collection whose names do not show an order.
const FAMILY_FIRST_ODDS: f32 = 0.2;

/// The counts of each word as a family name and as a given name, which show the order of other names.
#[derive(Clone, Debug, Default)]
pub struct WordOrder {
    counts: HashMap<Box<str>, Counts, RandomState>,
    /// The preference of this collection for the family name first, which is added to the odds by words.
    prior: f32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    family: u32,
    given: u32,
}

impl Counts {
    /// The logarithm of the odds that the word is a family name. The added 0.5 keeps both counts above 0.
    fn family_odds(self) -> f32 {
        ((self.family as f32 + 0.5) / (self.given as f32 + 0.5)).ln()
    }
}

impl WordOrder {
    /// Learns from the names of a collection.
    ///
    /// ```
    /// use stamma::cleaning::names::WordOrder;
    /// let order = WordOrder::learn(["Kasparov, Garry", "Berry, Jonathan", "Fischer, Robert"]);
    /// assert!(order.parse("Jonathan Berry").family().eq(["berry"]));
    /// assert!(order.parse("Berry Jonathan").family().eq(["berry"]));
    /// ```
    pub fn learn<'n>(names: impl IntoIterator<Item = &'n str>) -> WordOrder {
        let names: Vec<PersonName> = names.into_iter().map(PersonName::parse).collect();
        WordOrder::from_names(&names)
    }

    /// Learns from names of which some have an unknown order.
    fn from_names(names: &[PersonName]) -> WordOrder {
        let mut order = WordOrder::default();

        let persons = || names.iter().filter(|name| name.is_person());
        for name in persons().filter(|name| name.is_order_known()) {
            order.count_words(name);
        }

        // Names without a comma whose words are known show which order this collection prefers.
        let mut votes = 0.0;
        let mut undecided = 0_u32;
        for name in persons().filter(|name| !name.is_order_known()) {
            votes += order.vote(name);
            undecided += 1;
        }

        // The added 1 keeps a few names from counting as much as many.
        let mean_vote = votes / (undecided as f32 + 1.0);
        order.prior = UNANIMOUS_ODDS * mean_vote + FAMILY_FIRST_ODDS;
        order
    }

    /// Counts the words of a name whose order is known.
    fn count_words(&mut self, name: &PersonName) {
        for word in name.family() {
            let is_initial = word.len() <= 1;
            if !is_initial {
                let counts = self.counts.entry(word.into()).or_default();
                counts.family += 1;
            }
        }

        // Initials and abbreviations of two letters say nothing about a given name.
        for word in name.given() {
            if word.len() > 2 {
                let counts = self.counts.entry(word.into()).or_default();
                counts.given += 1;
            }
        }
    }

    /// 1 if the family name comes first, -1 if it comes last, 0 if unknown.
    fn vote(&self, name: &PersonName) -> f32 {
        let words: Vec<&str> = name.words().split(' ').collect();
        let first = words.first().copied();
        let last = words.last().copied();
        let odds = self.first_word_odds(first, last);

        if odds.abs() < MIN_ODDS_OF_VOTE {
            0.0
        } else {
            odds.signum()
        }
    }

    /// The logarithm of the odds that the first word is the family name and not the last word.
    fn first_word_odds(&self, first: Option<&str>, last: Option<&str>) -> f32 {
        self.family_odds(first) - self.family_odds(last)
    }

    /// The logarithm of the odds that a word is a family name; 0 for a word that has not been counted.
    fn family_odds(&self, word: Option<&str>) -> f32 {
        let counts = word.and_then(|word| self.counts.get(word));
        counts.copied().unwrap_or_default().family_odds()
    }

    /// Parses a name. If its order is unknown, the counts of its words decide.
    pub fn parse(&self, text: &str) -> PersonName {
        let family_first = |words: &[String]| {
            let first = words.first().map(String::as_str);
            let last = words.last().map(String::as_str);
            self.first_word_odds(first, last) + self.prior >= 0.0
        };

        PersonName::parse_with(text, &family_first)
    }
}

/// Parses the names of a collection on all threads. The order of a name without a comma is inferred from all names.
///
/// ```
/// use stamma::cleaning::names::parse_names;
/// let names = parse_names(&["Kasparov, Garry", "Garry Kasparov"]);
/// assert!(names[1].family().eq(["kasparov"]));
/// ```
pub fn parse_names(texts: &[&str]) -> Vec<PersonName> {
    threads::install(|| {
        let mut names: Vec<PersonName> = texts
            .par_iter()
            .map(|text| PersonName::parse(text))
            .collect();

        // A second pass for names whose order only the others can tell.
        let order = WordOrder::from_names(&names);
        names
            .par_iter_mut()
            .zip(texts)
            .filter(|(name, _)| !name.is_order_known())
            .for_each(|(name, text)| *name = order.parse(text));
        names
    })
}
