//! Names of players, events, sites and rounds: what a spelling says, and which spellings mean one thing.

mod compare;
mod fold;
mod person;
mod place;
mod round;
mod sound;
mod word_order;

pub use compare::{Comparison, NameReason, NameReasons, Verdict, compare};
pub use fold::{fold, fold_words};
pub use person::PersonName;
pub use place::{TextKey, TextMatch};
pub use round::{Round, RoundMatch, canonical_round};
pub use sound::{skeleton, sound};
pub use word_order::WordOrder;
