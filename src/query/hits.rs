//! Iterators over the games that a query matches.

use std::vec::IntoIter;

use super::PatternHit;
use super::filter::InOrder;
use super::position::{Visited, VisitsOf};
use super::results::{Reaching, Results};
use super::scanner::Scanner;
use crate::error::Result;
use crate::game::Ply;
use crate::storage::{GameId, InDatabase, san_at};

/// A game that matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the game.
    pub game: GameId,
    /// Half-moves played before the first match of the position or the pattern. If the query has a position and a
    /// pattern, the place belongs to the pattern. `None` if the query has neither.
    pub ply: Option<Ply>,
    /// `true` if the position occurs in variations only, never on the mainline.
    pub in_variation: bool,
    /// The next move as SAN; `None` where the game ends or the match is in a variation.
    pub next: Option<String>,
}

/// The games of a query, as [`Results::hits`] returns them: a lazy iterator that reads no more games than needed.
pub struct Hits<'r, 'd> {
    results: &'r Results<'d>,
    cursor: Cursor<'r, 'd>,
    left: usize,
}

/// The numbers of the games of a query, as [`Results::numbers`] returns them.
pub struct Numbers<'r, 'd>(pub(super) Hits<'r, 'd>);

/// The source of the games.
pub(super) enum Cursor<'r, 'd> {
    Index(VisitsOf),
    Selected(InOrder<'r, 'd>),
    Pattern(Scanner<'d>),
    /// Games with their values of the sort key.
    Sorted(IntoIter<(u64, PatternHit)>),
}

/// A game, with the place of the match if its cursor has found the place.
enum Candidate {
    Visited(Visited),
    Selected(GameId),
    Matched(PatternHit),
}

impl Candidate {
    /// The number of the game.
    fn game(&self) -> GameId {
        match self {
            Candidate::Visited(visited) => visited.game,
            Candidate::Selected(game) => *game,
            Candidate::Matched(found) => found.game,
        }
    }
}

impl<'r, 'd> Hits<'r, 'd> {
    /// The first `limit` games of a cursor.
    pub(super) fn new(results: &'r Results<'d>, cursor: Cursor<'r, 'd>, limit: usize) -> Self {
        Hits {
            results,
            cursor,
            left: limit,
        }
    }

    /// Skips the next `games` games, without a replay that finds the place of the match.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn pass(&mut self, games: usize) -> Result<()> {
        for _ in 0..games {
            let Some(candidate) = self.next_candidate() else {
                break;
            };
            candidate?;
        }
        Ok(())
    }

    /// The next game, with its value of the sort key, by which the games of several databases are merged.
    pub(super) fn next_ranked(&mut self) -> Option<Result<(u64, Hit)>> {
        let (value, candidate) = match self.next_candidate()? {
            Ok(ranked) => ranked,
            Err(error) => return Some(Err(error)),
        };

        let hit = self.hit(candidate);
        Some(hit.map(|hit| (value, hit)))
    }

    /// The next game within the limit, with its value of the sort key. Nothing follows an error.
    fn next_candidate(&mut self) -> Option<Result<(u64, Candidate)>> {
        self.left = self.left.checked_sub(1)?;

        let next = self.advance().transpose();
        // After an error or the last game, no further game is returned.
        if !matches!(next, Some(Ok(_))) {
            self.left = 0;
        }
        next
    }

    /// The next game of the cursor, with its value of the sort key; `None` at the end.
    fn advance(&mut self) -> Result<Option<(u64, Candidate)>> {
        self.results.watch.check()?;

        let database = self.results.database;
        let next = match &mut self.cursor {
            // Games by number have no value of a sort key.
            Cursor::Index(visits) => {
                let next = visits.next(&database.connection);
                let visited = next.in_database(database)?;
                visited.map(|visited| (0, Candidate::Visited(visited)))
            }
            Cursor::Selected(games) => {
                let next = games.next().transpose()?;
                next.map(|(value, game)| (value, Candidate::Selected(game)))
            }
            Cursor::Pattern(scanner) => {
                // This game is counted in `left` no longer.
                let limit = self.left.saturating_add(1);
                let hit = scanner.next(limit)?;
                hit.map(|hit| (0, Candidate::Matched(hit)))
            }
            Cursor::Sorted(sorted) => {
                let next = sorted.next();
                next.map(|(value, hit)| (value, Candidate::Matched(hit)))
            }
        };
        Ok(next)
    }

    /// The hit of a game, whose place is found by a replay if it is unknown.
    fn hit(&self, candidate: Candidate) -> Result<Hit> {
        let database = self.results.database;
        match candidate {
            Candidate::Visited(visited) => Ok(Hit::from(visited)),
            // The selection only has games that reach a position. The place follows from a replay.
            Candidate::Selected(game) => match self.results.reaching() {
                None => Ok(Hit {
                    game,
                    ply: None,
                    in_variation: false,
                    next: None,
                }),
                Some(reaching) => self.visit(game, reaching),
            },
            Candidate::Matched(PatternHit { game, ply }) => {
                let found = san_at(&database.connection, game, ply);
                let next = found.in_database(database)?;
                Ok(Hit {
                    game,
                    ply: Some(ply),
                    in_variation: false,
                    next,
                })
            }
        }
    }

    /// The first visit of a game that, by the index, reaches one of the positions.
    fn visit(&self, game: GameId, Reaching { search, positions }: &Reaching) -> Result<Hit> {
        let database = self.results.database;
        let visited = search.visit(&database.connection, game, positions);
        match visited.in_database(database)? {
            Some(visited) => Ok(Hit::from(visited)),
            None => Err(database.damaged(format!("game {game} does not reach the position"))),
        }
    }
}

impl From<Visited> for Hit {
    fn from(visited: Visited) -> Hit {
        Hit {
            game: visited.game,
            ply: Some(visited.ply),
            in_variation: visited.in_variation,
            next: visited.next.map(|(san, _)| san),
        }
    }
}

impl Iterator for Hits<'_, '_> {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Result<Hit>> {
        let next = self.next_ranked()?;
        Some(next.map(|(_, hit)| hit))
    }
}

impl Iterator for Numbers<'_, '_> {
    type Item = Result<GameId>;

    fn next(&mut self) -> Option<Result<GameId>> {
        let next = self.0.next_candidate()?;
        Some(next.map(|(_, candidate)| candidate.game()))
    }
}
