//! The choice between several readings of a game: the reading that explains most games of the file so far.
//!
//! Only the writing thread decides, in the order of the input, so that the result does not depend on the number of
//! threads.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::replay::{ReadGame, ReadingId, Readings};

/// A game whose reading the other games of its file may decide.
#[derive(Debug)]
pub(crate) struct AmbiguousGame {
    /// The index of the game in its batch.
    number: usize,
    /// The reading of the game in the first replay; [`ReadingId::FIRST`] for English PGN.
    reading: ReadingId,
    /// The readings that explain the game equally well.
    equals: Vec<ReadingId>,
    /// `true` if the readings in `equals` explain all of the game.
    is_whole: bool,
    /// A reading in `equals` that gives other moves than `reading`; `None` if no reading does.
    other: Option<ReadingId>,
}

impl AmbiguousGame {
    /// The readings of a game; `None` for a game that is only valid as English PGN.
    pub(crate) fn of(number: usize, game: &ReadGame<'_>) -> Option<AmbiguousGame> {
        if game.equals.is_empty() {
            return None;
        }

        Some(AmbiguousGame {
            number,
            reading: game.reading.unwrap_or(ReadingId::FIRST),
            equals: game.equals.clone(),
            is_whole: game.is_whole,
            other: game.other,
        })
    }
}

/// The readings by which games of a batch are replayed again, by the index of the game.
#[derive(Debug, Default)]
pub(crate) struct Preferred(BTreeMap<usize, Choice>);

/// A chosen reading, and another reading that explains the game equally well but gives other moves.
#[derive(Clone, Copy, Debug)]
struct Choice {
    reading: ReadingId,
    rival: ReadingId,
}

impl Preferred {
    /// Replays a game of the batch under its chosen reading.
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

    /// Returns `true` if all games keep their moves.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The readings chosen for the ambiguous games of a batch.
#[derive(Debug, Default)]
pub(crate) struct ResolvedReadings {
    /// The reading of each game, by index.
    pub(crate) readings: Vec<(usize, ReadingId)>,
    /// The readings that change moves.
    pub(crate) preferred: Preferred,
}

/// The readings of a file's games so far.
#[derive(Serialize, Deserialize)]
pub(crate) struct FileReadings {
    /// The number of games that each reading explains; English PGN counts as the first.
    explained: Vec<u64>,
    /// The number of games by notation and by number of the reading. The notation is `None` for the notation of PGN,
    /// and the reading is `None` for English.
    #[serde(rename = "given", with = "pairs")]
    games_by_reading: BTreeMap<(Option<Cow<'static, str>>, Option<usize>), u64>,
}

impl FileReadings {
    pub(crate) fn new(readings: &Readings) -> FileReadings {
        FileReadings {
            explained: vec![0; readings.count()],
            games_by_reading: BTreeMap::new(),
        }
    }

    /// Chooses the readings of a batch's ambiguous games in order; the batch has `games` games in all.
    pub(crate) fn choose(&mut self, ambiguous: &[AmbiguousGame], games: usize) -> ResolvedReadings {
        let mut resolved = ResolvedReadings::default();
        let mut counted = 0;

        for game in ambiguous {
            // The games between two ambiguous games are English PGN.
            self.count_english(game.number - counted);
            counted = game.number + 1;

            // A game is counted only after its reading has been chosen. A game that is explained in part is no
            // evidence.
            let best = self.best_of(&game.equals).unwrap_or(game.reading);
            if game.is_whole {
                self.count_explained(&game.equals);
            }

            // If all readings give equal moves, the game need not be replayed.
            if let Some(other) = game.other
                && best != game.reading
            {
                let rival = if best == other { game.reading } else { other };
                let choice = Choice {
                    reading: best,
                    rival,
                };
                resolved.preferred.0.insert(game.number, choice);
            }

            resolved.readings.push((game.number, best));
        }

        self.count_english(games - counted);
        resolved
    }

    /// The reading that explains most games so far, among readings that explain a game equally well; the first of the
    /// table on a tie.
    fn best_of(&self, equals: &[ReadingId]) -> Option<ReadingId> {
        let explained = |id: ReadingId| self.explained.get(id.0).copied().unwrap_or_default();

        let mut best = *equals.first()?;
        for &id in equals {
            if explained(id) > explained(best) {
                best = id;
            }
        }

        Some(best)
    }

    /// Counts a game that several readings explain.
    fn count_explained(&mut self, equals: &[ReadingId]) {
        for id in equals {
            if let Some(games) = self.explained.get_mut(id.0) {
                *games += 1;
            }
        }
    }

    /// Counts games of English PGN.
    fn count_english(&mut self, games: usize) {
        // A list that was read from a database may be empty.
        if let Some(explained) = self.explained.get_mut(ReadingId::FIRST.0) {
            *explained += games as u64;
        }
    }

    /// Counts games with this final notation and reading. The notation is `None` for the notation of PGN, and the
    /// reading is `None` for English.
    pub(crate) fn count(
        &mut self,
        notation: Option<&'static str>,
        reading: Option<ReadingId>,
        games: u64,
    ) {
        let key = (
            notation.map(Cow::Borrowed),
            reading.map(|reading| reading.0),
        );
        *self.games_by_reading.entry(key).or_default() += games;
    }

    /// The name of the notation and the code of the language of most games.
    pub(crate) fn most_common<'r>(&'r self, readings: &'r Readings) -> (&'r str, &'r str) {
        let mut most_games = 0;
        let mut notation = None;
        let mut language = None;

        for ((notation_of_games, reading), &games) in &self.games_by_reading {
            if games > most_games {
                most_games = games;
                notation = notation_of_games.as_deref();
                language = reading.and_then(|reading| readings.language(ReadingId(reading)));
            }
        }

        (notation.unwrap_or("san"), language.unwrap_or("en"))
    }
}

/// Serializes the counts as pairs, because keys of JSON objects can only be strings.
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
        let pairs: Vec<(K, u64)> = Vec::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
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
        file.count_explained(&[first, second]);
        assert_eq!(file.best_of(&[first, second]), Some(first));
        file.count_explained(&[second]);
        assert_eq!(file.best_of(&[first, second]), Some(second));
        assert_eq!(file.best_of(&[]), None);
    }
}
