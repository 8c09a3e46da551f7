//! What was played from a position on, and what then: the moves of a position, and those of the positions that they
//! lead to.

use rusqlite::Connection;

use super::{MoveCount, PositionSearch, Selection};
use crate::board::{Move, Position};

/// Moves of fewer games than one in so many are left out, unless somebody says how many matter.
const LEAST_SHARE: u64 = 100;

/// The moves that were played from a position on, each followed by those that came next, the most played first.
///
/// Each position has the moves of all games that reach it, in whatever order they came to it, so that more games may
/// follow a move than played it there.
pub struct MoveTree<'s> {
    search: &'s PositionSearch,
    /// The games that count; nothing for all.
    selection: Option<&'s Selection<'s>>,
    depth: usize,
    least_games: u64,
    /// How many moves have been left out so far.
    left_out: u64,
    /// The positions on the way to the move that comes next.
    levels: Vec<Level>,
    /// The moves on this way.
    line: Vec<String>,
    /// Where the last move leads to, if its moves are wanted.
    below: Option<Vec<Position>>,
}

/// The moves of one position, or of those that a FEN may stand for.
#[derive(Debug)]
struct Level {
    positions: Vec<Position>,
    games: u64,
    moves: std::vec::IntoIter<MoveCount>,
}

/// A move in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeMove {
    /// The moves up to this one, which is among them unless it stands for games that ended.
    pub line: Vec<String>,
    /// The move with what is counted of its games.
    pub counted: MoveCount,
    /// How many games reach the position in which it was played.
    pub of_games: u64,
}

impl<'s> MoveTree<'s> {
    /// The moves from one of these positions on, of the games of a selection or of all, so many half-moves
    /// deep; without those of fewer than `least_games`, which is a hundredth of all games if nothing is said.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn new(
        search: &'s PositionSearch,
        selection: Option<&'s Selection<'s>>,
        connection: &Connection,
        positions: &[Position],
        depth: usize,
        least_games: Option<u64>,
    ) -> rusqlite::Result<MoveTree<'s>> {
        let (levels, line) = (Vec::new(), Vec::new());
        let mut tree = MoveTree {
            search,
            selection,
            depth,
            least_games: 0,
            left_out: 0,
            levels,
            line,
            below: None,
        };
        let root = Level::read(search, selection, connection, positions.to_vec())?;
        tree.least_games = least_games.unwrap_or(root.games.div_ceil(LEAST_SHARE));
        tree.enter(root);
        Ok(tree)
    }

    /// How many games reach the first position.
    pub fn games(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.games)
    }

    /// The least games of a move that is not left out.
    pub fn least_games(&self) -> u64 {
        self.least_games
    }

    /// How many moves have been left out so far, not counting what follows them.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The next move.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn next(&mut self, connection: &Connection) -> rusqlite::Result<Option<TreeMove>> {
        if let Some(positions) = self.below.take() {
            self.enter(Level::read(self.search, self.selection, connection, positions)?);
        }
        while let Some(level) = self.levels.last_mut() {
            if let Some(counted) = level.moves.next() {
                return Ok(Some(self.step(counted)));
            }
            self.levels.pop();
        }
        Ok(None)
    }

    fn enter(&mut self, mut level: Level) {
        let all = level.moves.as_slice();
        let kept = all.iter().take_while(|counted| counted.counts.games() >= self.least_games);
        let kept: Vec<MoveCount> = kept.cloned().collect();
        self.left_out += (all.len() - kept.len()) as u64;
        level.moves = kept.into_iter();
        self.levels.push(level);
    }

    fn step(&mut self, counted: MoveCount) -> TreeMove {
        self.line.truncate(self.levels.len().saturating_sub(1));
        let level = self.levels.last();
        if let Some((san, mv)) = &counted.played {
            self.line.push(san.clone());
            let is_deep = self.levels.len() >= self.depth;
            self.below = level.filter(|_| !is_deep).map(|level| level.after(*mv, &counted));
        }
        let of_games = level.map_or(0, |level| level.games);
        TreeMove { line: self.line.clone(), counted, of_games }
    }
}

impl Level {
    fn read(
        search: &PositionSearch,
        selection: Option<&Selection<'_>>,
        connection: &Connection,
        positions: Vec<Position>,
    ) -> rusqlite::Result<Level> {
        let moves = search.moves(connection, &positions, selection)?;
        let games = moves.iter().map(|counted| counted.counts.games()).sum();
        Ok(Level { positions, games, moves: moves.into_iter() })
    }

    /// Where a move leads to.
    fn after(&self, mv: Move, counted: &MoveCount) -> Vec<Position> {
        let can_play = |position: &&Position| {
            position.turn() == counted.mover
                && (mv == Move::NULL || position.legal_moves().contains(&mv))
        };
        let play = |position: &Position| {
            let mut position = position.clone();
            position.play(mv);
            position
        };
        let mut positions: Vec<Position> = Vec::new();
        for position in self.positions.iter().filter(can_play).map(play) {
            // What was apart before, such as rights to castle, may be so no more.
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
        positions
    }
}
