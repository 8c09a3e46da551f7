//! Sampled positions to look up in a database, each with the games that reach it.

use std::collections::{HashMap, HashSet};

use shakmaty::Chess;
use shakmaty::zobrist::Zobrist64;
use stamma::board::Position;

use super::distinct::distinct;
use super::neighbors::neighbor;
use crate::questions::{Question, questions};
use crate::random::Random;
use crate::truth::truth;

/// The number of positions sampled from the games.
const FROM_GAMES: usize = 10_000;
/// The number sampled from all different positions, and the number of their neighbours, which no game reaches.
const DISTINCT: usize = 10_000;
/// The number of neighbours to try, since games reach some.
const NEIGHBORS: usize = 12_000;
const SEED: u64 = 1745;

/// A position, and the expected answer.
pub(crate) struct Sample {
    pub(crate) position: Position,
    /// The numbers of the games that reach it.
    pub(crate) games: Vec<u32>,
}

impl Sample {
    pub(crate) fn new(question: &Question, games: Vec<u32>) -> Sample {
        let position = Position::from_fen(&question.fen).expect("a legal position");
        Sample { position, games }
    }
}

pub(crate) struct Samples {
    /// Sampled from games, so that popular positions occur more often.
    pub(crate) from_games: Vec<Sample>,
    /// Sampled uniformly from all different positions.
    pub(crate) distinct: Vec<Sample>,
    /// Positions that no game reaches, but that are similar to reached ones.
    pub(crate) absent: Vec<Sample>,
}

impl Samples {
    /// The samples of a file.
    pub(crate) fn draw(pgn: &[u8]) -> Samples {
        let from_games = questions(pgn, FROM_GAMES);

        // The first of the different positions are looked up, and the others are changed.
        let mut drawn = distinct(pgn, DISTINCT + NEIGHBORS);
        let looked_up = DISTINCT.min(drawn.len() / 2);
        let changed = drawn.split_off(looked_up);
        let neighbors = neighbors(changed.iter().map(|drawn| &drawn.position));

        // One replay of the file serves both.
        let both = from_games.iter().chain(&neighbors);
        let truth = truth(pgn, both.map(|question| question.key));

        let mut absent = samples_of(&neighbors, &truth);
        absent.retain(|sample| sample.games.is_empty());
        absent.truncate(DISTINCT);

        let mut distinct = Vec::new();
        for drawn in drawn {
            let question = Question::new(&drawn.position);
            distinct.push(Sample::new(&question, drawn.games));
        }

        Samples {
            from_games: samples_of(&from_games, &truth),
            distinct,
            absent,
        }
    }
}

/// The neighbours of positions, all different.
fn neighbors<'p>(positions: impl Iterator<Item = &'p Chess>) -> Vec<Question> {
    let mut random = Random::new(SEED);
    let mut keys = HashSet::new();
    let mut neighbors = Vec::new();
    for position in positions {
        let Some(changed) = neighbor(position, &mut random) else {
            continue;
        };
        let question = Question::new(&changed);
        if keys.insert(question.key) {
            neighbors.push(question);
        }
    }
    neighbors
}

/// Positions with the games that the replay has found.
fn samples_of(questions: &[Question], truth: &HashMap<Zobrist64, Vec<u32>>) -> Vec<Sample> {
    let mut samples = Vec::new();
    for question in questions {
        let games = truth[&question.key].clone();
        samples.push(Sample::new(question, games));
    }
    samples
}
