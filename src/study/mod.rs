//! Studies: questions about many games. Each study has a folder with its request, its answer and its document.
//!
//! | module | question |
//! |---|---|
//! | [`tournament`] | Which tournaments are there, and who won them? |
//! | [`novelty`] | Which moves were played for the first time? |
//! | [`head_to_head`] | How did two players score against each other? |
//! | [`repertoire`] | Where do games leave a repertoire? |
//! | [`preparation`] | What does an opponent play with one colour, and what to play against it? |
//! | [`opening`] | How often is an opening played, how does it score, and what does it lead to? |
//!
//! A study combines [queries](crate::query), and replays games for the facts that no query answers.

pub mod head_to_head;
mod joined_names;
pub mod novelty;
pub mod opening;
pub mod preparation;
pub mod repertoire;
mod replays;
pub mod tournament;
