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
    /// What holds where both words are unknown, as the logarithm of a ratio.
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

    /// The same of names that are taken apart as far as they say how.
    fn of(names: &[PersonName]) -> WordOrder {
        let mut order = WordOrder {
            prior: 0.5,
            ..WordOrder::default()
        };
        let persons = || names.iter().filter(|name| name.is_person());
        for name in persons().filter(|name| name.is_order_known()) {
            order.count(name);
        }
        let undecided = || persons().filter(|name| !name.is_order_known());
        let votes: f32 = undecided().map(|name| order.vote(name)).sum();
        order.prior = 2.0 * votes / (undecided().count() as f32 + 1.0) + 0.2;
        order
    }

    fn count(&mut self, name: &PersonName) {
        for word in name.family().filter(|word| word.len() > 1) {
            self.counts.entry(word.into()).or_default().family += 1;
        }
        for word in name.given().filter(|word| word.len() > 2) {
            self.counts.entry(word.into()).or_default().given += 1;
        }
    }

    /// 1 for the family name first, -1 for last, 0 for unknown.
    fn vote(&self, name: &PersonName) -> f32 {
        let words: Vec<&str> = name.words().split(' ').collect();
        let odds = self.odds(words.first().copied(), words.last().copied());
        if odds.abs() < 1.0 { 0.0 } else { odds.signum() }
    }

    fn odds(&self, first: Option<&str>, last: Option<&str>) -> f32 {
        let of = |word: Option<&str>| {
            word.and_then(|word| self.counts.get(word))
                .copied()
                .unwrap_or_default()
                .family_odds()
        };
        of(first) - of(last)
    }

    /// Takes a name apart with what has been learnt.
    pub fn parse(&self, text: &str) -> PersonName {
        PersonName::parse_with(text, &|words: &[String]| {
            let first = words.first().map(String::as_str);
            self.odds(first, words.last().map(String::as_str)) + self.prior >= 0.0
        })
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
        let order = WordOrder::of(&names);
        names
            .par_iter_mut()
            .zip(texts)
            .filter(|(name, _)| !name.is_order_known())
            .for_each(|(name, text)| {
                *name = order.parse(text);
            });
        names
    })
}
