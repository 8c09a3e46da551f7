//! Which word of `Garry Kasparov` and `Kasparov Garry` is the family name, learnt from a collection's names with commas.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::PersonName;
use crate::threads;

/// How often each word is a family name and a given name.
#[derive(Clone, Debug, Default)]
pub struct WordOrder {
    counts: HashMap<Box<str>, Counts, RandomState>,
    /// How much more often the family name comes first in this collection, as the logarithm of a ratio.
    prior: f32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    family: u32,
    given: u32,
}

impl Counts {
    /// How much more often the word is a family name, as a logarithm.
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
        WordOrder::of(&names)
    }

    /// Learns from names of which some have an unknown order.
    fn of(names: &[PersonName]) -> WordOrder {
        let mut order = WordOrder {
            prior: 0.5,
            ..WordOrder::default()
        };

        let persons = || names.iter().filter(|name| name.is_person());
        for name in persons().filter(|name| name.is_order_known()) {
            order.count(name);
        }

        // Names without a comma whose words are known show which order this collection prefers.
        let mut votes = 0.0;
        let mut undecided = 0_u32;
        for name in persons().filter(|name| !name.is_order_known()) {
            votes += order.vote(name);
            undecided += 1;
        }
        order.prior = 2.0 * votes / (undecided as f32 + 1.0) + 0.2;
        order
    }

    fn count(&mut self, name: &PersonName) {
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
        let odds = self.odds(first, last);

        // Less than a ratio of `e` between the two words decides nothing.
        if odds.abs() < 1.0 { 0.0 } else { odds.signum() }
    }

    fn odds(&self, first: Option<&str>, last: Option<&str>) -> f32 {
        self.family_odds(first) - self.family_odds(last)
    }

    fn family_odds(&self, word: Option<&str>) -> f32 {
        let counts = word.and_then(|word| self.counts.get(word));
        counts.copied().unwrap_or_default().family_odds()
    }

    /// Takes a name apart with what has been learnt.
    pub fn parse(&self, text: &str) -> PersonName {
        let family_first = |words: &[String]| {
            let first = words.first().map(String::as_str);
            let last = words.last().map(String::as_str);
            self.odds(first, last) + self.prior >= 0.0
        };

        PersonName::parse_with(text, &family_first)
    }
}

/// Takes the names of a collection apart on all threads, each with what all of them tell.
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
        let order = WordOrder::of(&names);
        names
            .par_iter_mut()
            .zip(texts)
            .filter(|(name, _)| !name.is_order_known())
            .for_each(|(name, text)| *name = order.parse(text));
        names
    })
}
