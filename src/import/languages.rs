//! Which of several readings a game is given: that of most games of the file so far.
//!
//! Asked by the one thread that writes, in the order of the input, so that the answer does not depend
//! on the number of threads.

use std::collections::BTreeMap;

use crate::replay::{ReadingId, Readings};

/// PGN in English, and every reading for English.
const ENGLISH: ReadingId = ReadingId(0);

/// What the games of a file were read with so far.
pub(super) struct FileReadings {
    /// How many games each reading explains; those of PGN in English stand with the first.
    explained: Vec<u64>,
    /// How many games have been given each notation and reading, nothing being PGN in English.
    given: BTreeMap<(Option<&'static str>, Option<ReadingId>), u64>,
}

impl FileReadings {
    pub(super) fn new(readings: &Readings) -> FileReadings {
        FileReadings { explained: vec![0; readings.count()], given: BTreeMap::new() }
    }

    /// Of readings that explain a game equally well, the one that explains most games so far; the
    /// first in the order of the table where there are several.
    pub(super) fn best_of(&self, equals: &[ReadingId]) -> Option<ReadingId> {
        let explained = |id: ReadingId| self.explained.get(id.0).copied().unwrap_or_default();
        equals.iter().copied().reduce(|best, id| match explained(id) > explained(best) {
            true => id,
            false => best,
        })
    }

    /// `true` when a game so far was in another language than English.
    pub(super) fn has_foreign(&self) -> bool {
        self.explained.iter().skip(1).any(|&games| games > 0)
    }

    /// `true` for a reading that explains a game so far, and for English.
    pub(super) fn has(&self, reading: ReadingId) -> bool {
        reading == ENGLISH || self.explained.get(reading.0).is_some_and(|&games| games > 0)
    }

    /// Counts a game that several readings explain.
    pub(super) fn explain(&mut self, equals: &[ReadingId]) {
        for id in equals {
            if let Some(games) = self.explained.get_mut(id.0) {
                *games += 1;
            }
        }
    }

    /// Counts games of PGN in English.
    pub(super) fn explain_english(&mut self, games: u64) {
        if let Some(english) = self.explained.get_mut(ENGLISH.0) {
            *english += games;
        }
    }

    /// Counts what a game is given in the end; no reading where it is English.
    pub(super) fn give(&mut self, notation: Option<&'static str>, reading: Option<ReadingId>) {
        *self.given.entry((notation, reading)).or_default() += 1;
    }

    /// What most games were given: the name of the notation and the code of the language.
    pub(super) fn most<'r>(&self, readings: &'r Readings) -> (&'static str, &'r str) {
        let mut most = (0, (None, None));
        for (&given, &games) in &self.given {
            if games > most.0 {
                most = (games, given);
            }
        }
        let (notation, reading) = most.1;
        let language = reading.and_then(|reading| readings.language(reading));
        (notation.unwrap_or("san"), language.unwrap_or("en"))
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
