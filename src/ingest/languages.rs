//! Which of several readings a game is given: that of most games of the file so far.
//!
//! Asked by the one thread that writes, in the order of the input, so that the answer does not depend
//! on the number of threads.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::replay::{ReadGame, ReadingId, Readings};

/// A game of which the file's other games may say more.
#[derive(Debug)]
pub(crate) struct AmbiguousGame {
    /// The game's number in its batch.
    game: usize,
    /// The reading that it was given for now; the first stands for PGN in English.
    reading: ReadingId,
    /// The readings that explain it equally well.
    equals: Vec<ReadingId>,
    /// Whether they explain all of it.
    is_whole: bool,
    /// One of them under which the moves are others.
    other: Option<ReadingId>,
}

impl AmbiguousGame {
    /// Nothing for a game that is PGN in English and nothing else.
    pub(crate) fn of(number: usize, game: &ReadGame<'_>) -> Option<AmbiguousGame> {
        (!game.equals.is_empty()).then(|| AmbiguousGame {
            game: number,
            reading: game.reading.unwrap_or(ReadingId::FIRST),
            equals: game.equals.clone(),
            is_whole: game.is_whole,
            other: game.other,
        })
    }
}

/// The readings that games of a batch are to be given, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Preferred(BTreeMap<usize, Choice>);

/// A reading, and one of the others that would do.
#[derive(Clone, Copy, Debug)]
struct Choice {
    reading: ReadingId,
    rival: ReadingId,
}

impl Preferred {
    /// Plays a game of the batch through as it is to be.
    pub(crate) fn replay<'t>(
        &self,
        readings: &Readings,
        number: usize,
        text: &'t str,
    ) -> ReadGame<'t> {
        match self.0.get(&number) {
            Some(choice) => readings.replay_as(text, choice.reading, choice.rival),
            None => readings.replay(text),
        }
    }

    /// `true` when all games keep the moves that they were given.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The readings of the open games of a batch.
#[derive(Debug, Default)]
pub(crate) struct ResolvedReadings {
    /// The reading of each, by its number.
    pub(crate) readings: Vec<(usize, ReadingId)>,
    /// Those by which moves become others.
    pub(crate) preferred: Preferred,
}

/// What the games of a file were read with so far.
#[derive(Serialize, Deserialize)]
pub(crate) struct FileReadings {
    /// How many games each reading explains; those of PGN in English stand with the first.
    explained: Vec<u64>,
    /// How many games have been given each notation and reading, nothing being PGN in English.
    #[serde(with = "pairs")]
    given: BTreeMap<(Option<Cow<'static, str>>, Option<ReadingId>), u64>,
}

impl FileReadings {
    pub(crate) fn new(readings: &Readings) -> FileReadings {
        FileReadings { explained: vec![0; readings.count()], given: BTreeMap::new() }
    }

    /// Gives the open games of a batch that has so many games their readings, one after the other.
    pub(crate) fn settle(&mut self, open: &[AmbiguousGame], games: usize) -> ResolvedReadings {
        let mut settled = ResolvedReadings::default();
        let mut counted = 0;
        for open in open {
            self.explain_english(open.game - counted);
            counted = open.game + 1;
            let best = self.best_of(&open.equals).unwrap_or(open.reading);
            if open.is_whole {
                self.explain(&open.equals);
            }
            if let Some(other) = open.other.filter(|_| best != open.reading) {
                let rival = if best == other { open.reading } else { other };
                settled.preferred.0.insert(open.game, Choice { reading: best, rival });
            }
            settled.readings.push((open.game, best));
        }
        self.explain_english(games - counted);
        settled
    }

    /// Of readings that explain a game equally well, the one that explains most games so far; the
    /// first in the order of the table where there are several.
    fn best_of(&self, equals: &[ReadingId]) -> Option<ReadingId> {
        let explained = |id: ReadingId| self.explained.get(id.0).copied().unwrap_or_default();
        equals.iter().copied().reduce(|best, id| match explained(id) > explained(best) {
            true => id,
            false => best,
        })
    }

    /// Counts a game that several readings explain.
    fn explain(&mut self, equals: &[ReadingId]) {
        for id in equals {
            if let Some(games) = self.explained.get_mut(id.0) {
                *games += 1;
            }
        }
    }

    /// Counts games of PGN in English.
    fn explain_english(&mut self, games: usize) {
        self.explained[ReadingId::FIRST.0] += games as u64;
    }

    /// Counts what so many games are given in the end; no reading where they are English.
    pub(crate) fn give(
        &mut self,
        notation: Option<&'static str>,
        reading: Option<ReadingId>,
        games: u64,
    ) {
        *self.given.entry((notation.map(Cow::Borrowed), reading)).or_default() += games;
    }

    /// What most games were given: the name of the notation and the code of the language.
    pub(crate) fn most<'r>(&'r self, readings: &'r Readings) -> (&'r str, &'r str) {
        let mut most = (0, (None, None));
        for ((notation, reading), &games) in &self.given {
            if games > most.0 {
                most = (games, (notation.as_deref(), *reading));
            }
        }
        let (notation, reading) = most.1;
        let language = reading.and_then(|reading| readings.language(reading));
        (notation.unwrap_or("san"), language.unwrap_or("en"))
    }
}

/// How many games have what, as pairs: keys of JSON objects are texts alone.
mod pairs {
    use super::*;
    use serde::{Deserializer, Serializer, de::DeserializeOwned};

    pub(crate) fn serialize<S: Serializer, K: Serialize>(
        counts: &BTreeMap<K, u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>, K: DeserializeOwned + Ord>(
        deserializer: D,
    ) -> Result<BTreeMap<K, u64>, D::Error> {
        Vec::deserialize(deserializer).map(|pairs: Vec<(K, u64)>| pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_games_decide_and_then_the_order() {
        let readings = Readings::default();
        let mut file = FileReadings::new(&readings);
        let (first, second) = (ReadingId(3), ReadingId(7));
        assert_eq!(file.best_of(&[first, second]), Some(first));
        file.explain(&[first, second]);
        assert_eq!(file.best_of(&[first, second]), Some(first));
        file.explain(&[second]);
        assert_eq!(file.best_of(&[first, second]), Some(second));
        assert_eq!(file.best_of(&[]), None);
    }
}
