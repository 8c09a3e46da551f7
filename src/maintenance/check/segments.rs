//! A check of the position index against the games.

use std::fmt::Display;

use rayon::prelude::*;

use super::report::{Depth, Report};
use crate::error::Result;
use crate::index::{
    Expected, ExpectedOfGame, IndexedGame, Inspection, Segment, Stored, orphan_blocks,
};
use crate::storage::{
    Database, Freshness, GameId, InDatabase, IndexedFacts, IndexedPlies, PlayedGame, Remedy,
    RowFault, not_indexed, played_games, replay_stored,
};
use crate::threads;

/// Games of a sample that are replayed at once.
const BATCH_GAMES: usize = 512;

/// Checks the order of segments, that no game is missing, and each segment against its games.
pub(super) fn check(
    database: &Database,
    depth: Depth,
    report: &mut Report,
    progress: &mut impl FnMut(u64, u64),
) -> Result<()> {
    let connection = &database.connection;
    let lines = database.indexed_lines()?;
    let stored = Stored::all(connection, lines).in_database(database)?;
    order(&stored, report);
    for block in orphan_blocks(connection, &stored).in_database(database)? {
        report
            .faults
            .add(damage(format!("block {block}"), "it belongs to no segment"));
    }
    if let Some((games, first)) = not_indexed(connection).in_database(database)? {
        let what = format!("{games} games from game {first} on are not indexed yet");
        report
            .faults
            .add(RowFault::new("the index", what).mended_by(Remedy::IndexGames));
    }
    let step = depth.step(database.count_games()?);
    let all = database.count_games()?.div_ceil(step);
    let segments = Segment::all(connection, lines).in_database(database)?;
    for segment in segments {
        let stored = stored.iter().find(|stored| stored.id == segment.id);
        let postings = stored.map_or(0, |stored| stored.postings);
        let mut comparison = Comparison {
            database,
            step,
            report,
            segment,
        };
        comparison.run(postings, &mut |done| progress(done, all))?;
    }
    Ok(())
}

/// A fault of the index that only a rebuild from the games mends.
fn damage(place: impl Display, what: impl Display) -> RowFault {
    RowFault::new(place, what.to_string()).mended_by(Remedy::ReplaceDamagedIndex)
}

/// Reports segments that end before they begin, or overlap.
fn order(segments: &[Stored], report: &mut Report) {
    for segment in segments {
        let place = format!("segment {}", segment.id);
        if segment.last_game < segment.first_game {
            report
                .faults
                .add(damage(&place, "its last game comes before its first"));
        }
        if !segment.is_current {
            let fault = RowFault::new(&place, "it has another format");
            report
                .faults
                .add(fault.mended_by(Remedy::RebuildPositionIndex));
        }
    }
    for pair in segments.windows(2) {
        if pair[0].last_game >= pair[1].first_game {
            let what = format!("it has games in common with segment {}", pair[1].id);
            report
                .faults
                .add(damage(format!("segment {}", pair[0].id), what));
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

/// The games of a segment, numbered from its first.
struct Games {
    known: Vec<Option<IndexedGame>>,
    /// The numbers of the compared games.
    compared: Vec<GameId>,
    /// `true` if the index has positions of changed games, which can no longer be replayed.
    has_moved: bool,
}

/// What some games must contribute to the blocks of the segment.
struct Replayed {
    games: Vec<ExpectedOfGame>,
    positions: u64,
}

impl Comparison<'_> {
    fn run(&mut self, postings: i64, progress: &mut impl FnMut(u64)) -> Result<()> {
        let database = self.database;
        let games = self.games()?;
        let faults = &mut self.report.faults;
        let inspection = Inspection::new(
            &database.connection,
            self.segment,
            &games.known,
            |place, fault| {
                faults.add(damage(place, fault));
            },
        );
        let inspection = inspection.in_database(database)?;
        self.report.blocks += inspection.blocks;
        let before = self.report.positions;
        let expected = self.replay(&games, &inspection, progress)?;
        for (place, fault) in inspection.differences(&expected) {
            self.report.faults.add(damage(place, fault));
        }
        let replayed =
            (self.step == 1 && !games.has_moved).then_some(self.report.positions - before);
        self.count(postings.cast_unsigned(), replayed, inspection.entries);
        Ok(())
    }

    /// Compares the number of positions with the result of replaying all games, or with a lower bound.
    fn count(&mut self, postings: u64, replayed: Option<u64>, entries: u64) {
        let wrong = match replayed {
            Some(replayed) if replayed != postings => format!("its games have {replayed}"),
            None if postings < entries => format!("its blocks have {entries} or more"),
            _ => return,
        };
        let place = format!("segment {}", self.segment.id);
        self.report.faults.add(damage(
            place,
            format!("it says that it has {postings} positions; {wrong}"),
        ));
    }

    fn games(&self) -> Result<Games> {
        let Segment {
            first_game,
            last_game,
            ..
        } = self.segment;
        let mut games = Games {
            known: Vec::new(),
            compared: Vec::new(),
            has_moved: false,
        };
        let range = (first_game, last_game);
        IndexedFacts::each(&self.database.connection, range, |game| {
            games.take((game.id - first_game) as usize, &game);
        })
        .in_database(self.database)?;
        games.choose(first_game, self.step);
        Ok(games)
    }

    /// Replays the compared games, and sums up what they must contribute to the blocks.
    fn replay(
        &mut self,
        games: &Games,
        inspection: &Inspection,
        progress: &mut impl FnMut(u64),
    ) -> Result<Expected> {
        let (database, segment) = (self.database, self.segment);
        let mut expected = inspection.no_expectation();
        let mut are_blocks_there = true;
        let mut take = |replayed: Replayed| {
            self.report.compared += replayed.games.len() as u64;
            self.report.positions += replayed.positions;
            for game in replayed.games {
                are_blocks_there &= expected.add(game);
            }
            progress(self.report.compared);
            Ok::<(), rusqlite::Error>(())
        };
        let connection = &database.connection;
        let (lines, plies) = (database.indexed_lines()?, database.indexed_plies()?);
        let work = |played: &[PlayedGame]| games.expected(segment, plies, inspection, played);
        let done = match self.step {
            1 => {
                let range = (segment.first_game, segment.last_game);
                replay_stored(connection, range, None, lines, work, take)
            }
            _ => games.compared.chunks(BATCH_GAMES).try_for_each(|ids| {
                let played = played_games(connection, ids, lines)?;
                let chunks = || {
                    played
                        .par_chunks(BATCH_GAMES / 8)
                        .map(work)
                        .collect::<Vec<_>>()
                };
                threads::install(chunks).into_iter().try_for_each(&mut take)
            }),
        };
        done.in_database(database)?;
        if !are_blocks_there {
            let place = format!("segment {}", segment.id);
            self.report.faults.add(damage(place, "it has no blocks"));
        }
        Ok(expected)
    }
}

impl Games {
    fn take(&mut self, number: usize, game: &IndexedFacts) {
        let is_compared = game.freshness != Freshness::Moved;
        self.has_moved |= !is_compared;
        if number >= self.known.len() {
            self.known.resize(number + 1, None);
        }
        self.known[number] = Some(IndexedGame {
            facts: game.facts,
            is_compared,
        });
    }

    /// Chooses each `step`th of the games that can be compared.
    fn choose(&mut self, first_game: i64, step: u64) {
        let fresh = (first_game..)
            .zip(&mut self.known)
            .filter_map(|(id, game)| {
                game.as_mut()
                    .filter(|game| game.is_compared)
                    .map(|game| (id, game))
            });
        for (number, (id, game)) in (0_u64..).zip(fresh) {
            game.is_compared = number.is_multiple_of(step);
            if game.is_compared {
                self.compared.push(GameId::new(id));
            }
        }
    }

    fn is_compared(&self, number: i64) -> bool {
        let game = usize::try_from(number)
            .ok()
            .and_then(|number| self.known.get(number));
        matches!(
            game,
            Some(Some(IndexedGame {
                is_compared: true,
                ..
            }))
        )
    }

    /// What games must contribute to the blocks of a segment.
    fn expected(
        &self,
        segment: Segment,
        plies: IndexedPlies,
        inspection: &Inspection,
        games: &[PlayedGame],
    ) -> Replayed {
        let mut replayed = Replayed {
            games: Vec::with_capacity(games.len()),
            positions: 0,
        };
        for game in games
            .iter()
            .filter(|game| self.is_compared(game.id.get() - segment.first_game))
        {
            let visits = game.indexed_visits(plies);
            replayed.positions += visits.len() as u64;
            replayed
                .games
                .push(inspection.expected(game.id.get(), &visits));
        }
        replayed
    }
}
