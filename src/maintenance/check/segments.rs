//! A check of the position index against the games.

use std::fmt::Display;

use rayon::prelude::*;

use super::report::{Depth, Report};
use crate::error::Result;
use crate::index::{
    Expected, ExpectedOfGame, IndexedGame, Inspection, Segment, StoredSegment, orphan_blocks,
};
use crate::storage::{
    Database, Freshness, GameId, InDatabase, IndexedFacts, IndexedPlies, PlayedGame, Remedy,
    RowFault, not_indexed, played_games, replay_stored,
};
use crate::threads;

/// The number of games of a sample that are read before all threads replay them.
const BATCH_GAMES: usize = 512;
/// The number of games of a sample that one thread replays at once.
const PART_GAMES: usize = BATCH_GAMES / 8;

/// Checks the order of segments, that no game is missing, and each segment against its games.
pub(super) fn check(
    database: &Database,
    depth: Depth,
    report: &mut Report,
    progress: &mut impl FnMut(u64, u64),
) -> Result<()> {
    let connection = &database.connection;
    let lines = database.indexed_lines()?;
    let stored = StoredSegment::all(connection, lines).in_database(database)?;
    check_order(&stored, report);

    for block in orphan_blocks(connection, &stored).in_database(database)? {
        let fault = damage(format!("block {block}"), "it belongs to no segment");
        report.faults.add(fault);
    }

    if let Some((games, first)) = not_indexed(connection).in_database(database)? {
        let what = format!("{games} games from game {first} on are not indexed yet");
        let fault = RowFault::new("the index", what);
        report.faults.add(fault.mended_by(Remedy::IndexGames));
    }

    let games = database.count_games()?;
    let step = depth.step(games);
    let compared = games.div_ceil(step);

    for segment in Segment::all(connection, lines).in_database(database)? {
        let stored = stored.iter().find(|stored| stored.id == segment.id);
        let postings = stored.map_or(0, |stored| stored.postings);

        let mut comparison = Comparison {
            database,
            step,
            report,
            segment,
        };
        comparison.run(postings, &mut |done| progress(done, compared))?;
    }
    Ok(())
}

/// A fault of the index that only a rebuild from the games mends.
fn damage(place: impl Display, what: impl Display) -> RowFault {
    RowFault::new(place, what.to_string()).mended_by(Remedy::ReplaceDamagedIndex)
}

/// Reports segments of another format, segments that end before they begin, and segments that overlap.
fn check_order(segments: &[StoredSegment], report: &mut Report) {
    let faults = &mut report.faults;
    for segment in segments {
        let place = format!("segment {}", segment.id);
        if segment.last_game < segment.first_game {
            faults.add(damage(&place, "its last game comes before its first"));
        }
        if !segment.is_current {
            let fault = RowFault::new(&place, "it has another format");
            faults.add(fault.mended_by(Remedy::RebuildPositionIndex));
        }
    }

    for pair in segments.windows(2) {
        if pair[0].last_game >= pair[1].first_game {
            let place = format!("segment {}", pair[0].id);
            let what = format!("it has games in common with segment {}", pair[1].id);
            faults.add(damage(place, what));
        }
    }
}

/// The comparison of a segment with its games.
struct Comparison<'c> {
    database: &'c Database,
    /// The step between compared games.
    step: u64,
    report: &'c mut Report,
    segment: Segment,
}

/// The games of a segment, numbered from its first game.
struct SegmentGames {
    known: Vec<Option<IndexedGame>>,
    /// The numbers of the compared games.
    compared: Vec<GameId>,
    /// `true` if the index has positions of changed games, which can no longer be replayed.
    has_moved: bool,
}

/// The entries that some games must have in the blocks of the segment.
struct ExpectedEntries {
    games: Vec<ExpectedOfGame>,
    positions: u64,
}

impl Comparison<'_> {
    /// Compares the segment, which should have `postings` positions.
    fn run(&mut self, postings: i64, progress: &mut impl FnMut(u64)) -> Result<()> {
        let database = self.database;
        let games = self.read_games()?;

        let faults = &mut self.report.faults;
        let inspected = Inspection::new(
            &database.connection,
            self.segment,
            &games.known,
            |place, fault| {
                faults.add(damage(place, fault));
            },
        );
        let inspection = inspected.in_database(database)?;
        self.report.blocks += inspection.blocks;

        let positions_before = self.report.positions;
        let expected = self.replay(&games, &inspection, progress)?;
        for (place, fault) in inspection.differences(&expected) {
            self.report.faults.add(damage(place, fault));
        }

        let are_all_replayed = self.step == 1 && !games.has_moved;
        let replayed = if are_all_replayed {
            Some(self.report.positions - positions_before)
        } else {
            None
        };
        self.check_count(postings.cast_unsigned(), replayed, inspection.entries);
        Ok(())
    }

    /// Compares the number of positions with the number that a replay of all games gives, `replayed`. If not all games
    /// are replayed, `entries` is a lower bound: several rare positions of a game with one truncated key are one entry.
    fn check_count(&mut self, postings: u64, replayed: Option<u64>, entries: u64) {
        let expected = match replayed {
            Some(replayed) if replayed != postings => format!("its games have {replayed}"),
            None if postings < entries => format!("its blocks have {entries} or more"),
            _ => return,
        };

        let place = format!("segment {}", self.segment.id);
        let what = format!("it says that it has {postings} positions; {expected}");
        self.report.faults.add(damage(place, what));
    }

    /// Reads the facts of the games of the segment, and selects the games to compare.
    fn read_games(&self) -> Result<SegmentGames> {
        let first_game = self.segment.first_game;
        let last_game = self.segment.last_game;
        let mut games = SegmentGames {
            known: Vec::new(),
            compared: Vec::new(),
            has_moved: false,
        };

        let connection = &self.database.connection;
        let facts = IndexedFacts::each(connection, (first_game, last_game), |game| {
            games.add((game.id - first_game) as usize, &game);
        });
        facts.in_database(self.database)?;

        games.select_compared(first_game, self.step);
        Ok(games)
    }

    /// Replays the compared games, and adds up the entries that they must have in the blocks.
    fn replay(
        &mut self,
        games: &SegmentGames,
        inspection: &Inspection,
        progress: &mut impl FnMut(u64),
    ) -> Result<Expected> {
        let database = self.database;
        let segment = self.segment;
        let connection = &database.connection;
        let lines = database.indexed_lines()?;
        let plies = database.indexed_plies()?;
        let work =
            |played: &[PlayedGame]| games.expected_entries(segment, plies, inspection, played);

        let mut expected = inspection.no_expectation();
        let mut are_blocks_there = true;
        let mut add = |replayed: ExpectedEntries| -> rusqlite::Result<()> {
            self.report.compared += replayed.games.len() as u64;
            self.report.positions += replayed.positions;
            for game in replayed.games {
                are_blocks_there &= expected.add(game);
            }
            progress(self.report.compared);
            Ok(())
        };

        if self.step == 1 {
            let range = (segment.first_game, segment.last_game);
            replay_stored(connection, range, None, lines, work, add).in_database(database)?;
        } else {
            // A scan would read all games, but only some thousand are compared.
            for ids in games.compared.chunks(BATCH_GAMES) {
                let played = played_games(connection, ids, lines).in_database(database)?;
                let parts: Vec<ExpectedEntries> = threads::install(|| {
                    let chunks = played.par_chunks(PART_GAMES);
                    chunks.map(work).collect()
                });

                for replayed in parts {
                    add(replayed).in_database(database)?;
                }
            }
        }

        if !are_blocks_there {
            let place = format!("segment {}", segment.id);
            self.report.faults.add(damage(place, "it has no blocks"));
        }
        Ok(expected)
    }
}

impl SegmentGames {
    /// Adds a game with its number, counted from the first game of the segment. A changed game is added twice: the
    /// indexed facts, which come second, replace the current facts.
    fn add(&mut self, number: usize, game: &IndexedFacts) {
        let is_compared = game.freshness != Freshness::PositionsChanged;
        self.has_moved |= !is_compared;

        if number >= self.known.len() {
            self.known.resize(number + 1, None);
        }
        self.known[number] = Some(IndexedGame {
            facts: game.facts,
            is_compared,
        });
    }

    /// Selects every `step`th game among the games that can be compared.
    fn select_compared(&mut self, first_game: i64, step: u64) {
        let mut number = 0_u64;
        for (id, game) in (first_game..).zip(&mut self.known) {
            let Some(game) = game else { continue };
            if !game.is_compared {
                continue;
            }

            game.is_compared = number.is_multiple_of(step);
            if game.is_compared {
                self.compared.push(GameId::new(id));
            }
            number += 1;
        }
    }

    /// `true` if the game with a number, counted from the first game of the segment, is compared.
    fn is_compared(&self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else {
            return false;
        };
        match self.known.get(number) {
            Some(Some(game)) => game.is_compared,
            _ => false,
        }
    }

    /// The entries that the compared games among `games` must have in the blocks of a segment.
    fn expected_entries(
        &self,
        segment: Segment,
        plies: IndexedPlies,
        inspection: &Inspection,
        games: &[PlayedGame],
    ) -> ExpectedEntries {
        let mut replayed = ExpectedEntries {
            games: Vec::with_capacity(games.len()),
            positions: 0,
        };

        for game in games {
            let id = game.id.get();
            if !self.is_compared(id - segment.first_game) {
                continue;
            }

            let visits = game.indexed_visits(plies);
            replayed.positions += visits.len() as u64;
            replayed.games.push(inspection.expected(id, &visits));
        }
        replayed
    }
}
