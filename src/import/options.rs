//! Options, events and the result of an import.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::Error;
use crate::game::Ply;
use crate::ingest::{ProblemLog, ReadOptions, Tally};
use crate::memory::Memory;
use crate::query::Filter;
use crate::replay::{Effect, Readings};
use crate::storage::{GameId, SourceId};

/// The default size of a step. A power failure costs the current step, which is less than a second of work; larger
/// steps are not measurably faster.
const DEFAULT_STEP_BYTES: u64 = 16 << 20;
/// The default time after which a step ends early. A slow pipe takes minutes for the bytes of a step.
const DEFAULT_STEP_TIME: Duration = Duration::from_secs(5);

/// Options of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The memory limit.
    pub memory: Memory,
    /// `true` to index positions; `true` by default. Without this, no position is found until
    /// [`optimize`](crate::maintenance::optimize) has indexed them; benchmarks use it to measure the cost.
    pub positions: bool,
    /// The readings of moves to try.
    pub readings: Readings,
    /// The options of reading games from bytes.
    pub read: ReadOptions,
    /// `true` to index the positions of variations, too; `false` by default. The first import into a database decides
    /// this for later imports.
    pub index_variations: bool,
    /// The last ply of games whose positions are indexed, 0 to index no positions. By default, a new database indexes
    /// all plies, and an existing database the plies chosen before. The first import into a database decides this for
    /// later imports.
    pub index_plies: Option<Ply>,
    /// The log of all problems.
    pub problem_log: Option<ProblemLog>,
    /// The filter of games; by default, all games are imported. Games whose tags do not match are not replayed. The
    /// database stores the filter of each source: with an equal filter the source is skipped, with another filter the
    /// missing games are added.
    pub filter: Filter,
    /// `true` to leave out games that equal an earlier game of the database or of the sources. Equal games have the
    /// same start and moves; if they are short, also the same players, day, round and result. The database stores this
    /// as a part of the source's filter.
    pub unique: bool,
    /// The number of games after which the import ends; `None` by default. Games of these sources that are already in
    /// the database count. With a higher limit, or none, the rest is imported.
    pub limit: Option<u64>,
    /// `true` to replace the text of a stored game by a newer text of the game; `false` by default. The game keeps its
    /// number. Two texts belong to one encounter if they have equal addresses and possibly equal players, or, if a text
    /// has no address, equal players, date, event and round. [`Event::Updated`] reports each change. A game that may be
    /// any of several stored games is added, and reported by [`Event::Ambiguous`].
    pub update: bool,
    /// `true` to import sources again that have been imported before; `false` by default.
    pub again: bool,
    /// With `update`, the stored game that the first game of the input replaces, whatever the tags are. The stored game
    /// keeps its number.
    pub replaced: Option<GameId>,
    /// The number of source bytes per step. If a step fails, all earlier steps are durable.
    pub step_bytes: u64,
    /// The time after which a step ends before the next batch, although it has fewer bytes. Steps end between batches
    /// only, so the batches, on which the content of the database depends, do not depend on the time.
    pub step_time: Duration,
    /// Set from outside to end the import after the current batch.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            memory: Memory::default(),
            positions: true,
            readings: Readings::default(),
            read: ReadOptions::default(),
            index_variations: false,
            index_plies: None,
            problem_log: None,
            filter: Filter::default(),
            unique: false,
            limit: None,
            update: false,
            again: false,
            replaced: None,
            step_bytes: DEFAULT_STEP_BYTES,
            step_time: DEFAULT_STEP_TIME,
            stop: None,
        }
    }
}

/// The result of an import. It is displayed as a short paragraph for people.
///
/// ```
/// # let folder = tempfile::tempdir().expect("a temporary folder");
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "1. e4 e5 2. Nf3 *").expect("games");
/// use stamma::Database;
/// use stamma::import::{ImportOptions, import};
///
/// let mut database = Database::open_or_create(folder.path().join("games.db"))?;
/// let summary = import(&mut database, [path.clone()], ImportOptions::default(), |_progress| {})?;
/// assert_eq!(summary.to_string(), "1 game and 0 problems were imported from 1 source.");
///
/// let summary = import(&mut database, [path], ImportOptions::default(), |_progress| {})?;
/// assert_eq!(summary.to_string(), "Nothing was imported. 1 source was skipped, because all of it had been imported before.");
/// # Ok::<(), stamma::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Summary {
    /// The totals. Games and problems of earlier imports are not counted.
    pub tally: Tally,
    /// The first problems, each as a line with its place.
    pub first_problems: Vec<String>,
    /// The imported sources, in order.
    pub imported: Vec<Imported>,
    /// The sources that an earlier import had read, in full or in part, in the order of the input. A source that was
    /// not skipped is in `imported`, too.
    pub earlier: Vec<EarlierImport>,
    /// The ids of all sources that were read, sources imported before included. A source without a game is no longer in
    /// the database.
    pub sources: Vec<SourceId>,
    /// The inputs that could not be read, and why.
    pub failures: Vec<Error>,
    /// The number of games left out because they equal an earlier game.
    pub duplicates: u64,
    /// `true` if the import ended at its limit, before the end of its sources.
    pub is_limit_reached: bool,
    /// `true` if the import was stopped early.
    pub is_interrupted: bool,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_imported(f)?;
        self.write_skipped(f)?;
        self.write_failures(f)?;

        if self.is_limit_reached {
            f.write_str(" The import ended at its limit.")?;
        }
        if self.is_interrupted {
            f.write_str(" The import was stopped early; what was imported is kept.")?;
        }
        Ok(())
    }
}

impl Summary {
    fn write_imported(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            games,
            passed_over,
            updated,
            ..
        } = self.tally;
        if games == 0 && self.imported.is_empty() {
            return f.write_str("Nothing was imported.");
        }

        if updated > 0 {
            let were_updated = Counted(updated, "game was", "games were");
            write!(f, "{were_updated} updated. ")?;
        }

        if passed_over > 0 {
            let all = Counted(games + passed_over, "game", "games");
            write!(f, "Of {all}, {passed_over} were passed over")?;
            if self.duplicates > 0 {
                write!(f, ", {} because they equal an earlier one", self.duplicates)?;
            }
            f.write_str(". ")?;
        }

        let games = Counted(games, "game", "games");
        let problems = Counted(self.tally.problem_count(), "problem", "problems");
        let were = "were imported from";
        write!(f, "{games} and {problems}")?;

        let repaired = self.tally.problems_with(Effect::Repaired);
        if repaired > 0 {
            write!(f, " ({repaired} repaired)")?;
        }

        // `imported` has only complete sources. A stopped import may have games of a part of a source.
        match self.imported.len() as u64 {
            0 => write!(f, " {were} a part of a source."),
            sources => write!(f, " {were} {}.", Counted(sources, "source", "sources")),
        }
    }

    fn write_skipped(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_complete =
            |earlier: &&EarlierImport| matches!(earlier, EarlierImport::Complete { .. });
        let skipped = self.earlier.iter().filter(is_complete).count() as u64;
        if skipped == 0 {
            return Ok(());
        }

        let sources_were = Counted(skipped, "source was", "sources were");
        let pronoun = if skipped == 1 { "it" } else { "them" };
        write!(
            f,
            " {sources_were} skipped, because all of {pronoun} had been imported before."
        )
    }

    fn write_failures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failures[..] {
            [] => Ok(()),
            [only] => write!(f, " 1 input could not be read ({only})."),
            [first, others @ ..] => {
                let all = self.failures.len();
                let more = others.len();
                write!(
                    f,
                    " {all} inputs could not be read ({first}; and {more} more)."
                )
            }
        }
    }
}

/// A number with its noun in the singular or plural.
struct Counted(u64, &'static str, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(number, singular, plural) = *self;
        let noun = if number == 1 { singular } else { plural };
        write!(f, "{number} {noun}")
    }
}

/// A progress event of an import.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Before anything is read, games that an interrupted import had left have been indexed.
    CaughtUp {
        /// The number of games indexed so far.
        games: u64,
        /// The number of all games that had not been indexed.
        all: u64,
    },
    /// Games have been written, or their positions indexed; with the totals so far.
    Written(&'e Tally),
    /// A stored game has been replaced by a newer text that differs.
    Updated(&'e UpdatedGame),
    /// A game has been added that may be a newer text of several stored games, or of a stored game that another game of
    /// this source has replaced.
    Ambiguous(&'e AmbiguousGame),
    /// A source has been imported.
    Ended(&'e Imported),
}

/// A stored game whose text was replaced by a newer text, and the differences of the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedGame {
    /// The number of the game, which stays.
    pub game: GameId,
    /// The names of White and Black in the newer text; empty for none.
    pub players: [String; 2],
    /// The date in the newer text; empty for none.
    pub date: String,
    /// The numbers of half-moves in the earlier and in the newer text; `None` if the moves are equal.
    pub plies: Option<[u32; 2]>,
    /// The results in the earlier and in the newer text; `None` if result and termination marker are equal.
    pub result: Option<[String; 2]>,
    /// `true` if other tags differ, or their order.
    pub tags: bool,
    /// `true` if comments, variations or NAGs differ.
    pub comments: bool,
}

/// A game that was added although it may be a newer text of stored games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmbiguousGame {
    /// The number of the added game.
    pub game: GameId,
    /// The names of White and Black; empty for none.
    pub players: [String; 2],
    /// The date; empty for none.
    pub date: String,
    /// The stored games of which the added game may be a newer text. They were not changed.
    pub others: Vec<GameId>,
}

/// A source that has been imported, including its part from interrupted imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The path of the source.
    pub path: PathBuf,
    /// The size of the source in bytes, after decompression.
    pub bytes: u64,
    /// The number of added games.
    pub games: u64,
    /// The number of games that the database had before, updated or not.
    pub known: u64,
    /// The number of problems.
    pub problems: u64,
}

/// The part of a source that an earlier import had read, and the consequence for this import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EarlierImport {
    /// All of the source was imported before, so this import skipped it.
    Complete {
        /// The path of the source.
        path: PathBuf,
        /// The number of games imported from it before.
        games: u64,
        /// The number of games imported from the source that have been deleted since.
        deleted: u64,
    },
    /// The earlier import was interrupted, and this import resumed it.
    Resumed {
        /// The path of the source.
        path: PathBuf,
        /// The number of bytes imported before, after decompression.
        bytes: u64,
    },
    /// The earlier import of the source with this path was interrupted. This import started it over, because other
    /// games had been added after the games of that source.
    StartedOver(PathBuf),
    /// The source begins with the content of another source that had been imported; this import read the rest.
    Extended {
        /// The path of the source.
        path: PathBuf,
        /// The path of the other source when it was imported.
        known: String,
    },
    /// The games imported from the source before reach the limit, so this import read no more of the source.
    LimitReached(PathBuf),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ProblemKind;

    /// Numbers of games, repaired problems, imported sources and skipped sources, and the sentence about them.
    macro_rules! summaries {
        ($($name:ident: $games:literal, $repaired:literal, $imported:literal, $skipped:literal => $text:literal;)*) => { $(
            #[test]
            fn $name() {
                let problems = [(ProblemKind::FalseMark, $repaired)].into();
                let imported = Imported { path: PathBuf::from("a.pgn"), bytes: 1, games: 1, known: 0, problems: 0 };
                let skipped =
                    EarlierImport::Complete { path: PathBuf::from("b.pgn"), games: 1, deleted: 0 };
                let summary = Summary {
                    tally: Tally { games: $games, problems, ..Tally::default() },
                    imported: vec![imported; $imported],
                    earlier: vec![skipped; $skipped],
                    ..Summary::default()
                };
                assert_eq!(summary.to_string(), $text);
            }
        )* };
    }

    summaries! {
        nothing: 0, 0, 0, 0 => "Nothing was imported.";
        one_of_each: 1, 1, 1, 1 => "1 game and 1 problem (1 repaired) were imported from 1 source. \
            1 source was skipped, because all of it had been imported before.";
        several: 12, 3, 2, 2 => "12 games and 3 problems (3 repaired) were imported from 2 sources. \
            2 sources were skipped, because all of them had been imported before.";
        part: 7, 0, 0, 0 => "7 games and 0 problems were imported from a part of a source.";
    }

    #[test]
    fn failures_and_stops_are_reported() {
        let failure = |name: &str| Error::NoGames(name.into());
        let one = Summary {
            failures: vec![failure("a.pgn")],
            ..Summary::default()
        };
        let two = Summary {
            failures: vec![failure("a.pgn"), failure("b.pgn")],
            is_interrupted: true,
            ..Summary::default()
        };

        assert_eq!(
            one.to_string(),
            "Nothing was imported. 1 input could not be read \
             (a.pgn: no game was found in this file; is it PGN?)."
        );
        assert_eq!(
            two.to_string(),
            "Nothing was imported. 2 inputs could not be read \
             (a.pgn: no game was found in this file; is it PGN?; and 1 more). \
             The import was stopped early; what was imported is kept."
        );
    }
}
