//! Move trees: the moves of a position, and the moves of the positions that they lead to.

use super::MoveCount;
use crate::board::Position;
use crate::error::Result;

/// By default, a move of fewer games than all games divided by this number is left out.
const DEFAULT_GAMES_PER_MOVE_GAME: u64 = 100;

/// The moves that were played from a position on, each followed by the next moves, the most played first.
///
/// Each position has the moves of all games that reach it, transpositions included, so that more games may follow a
/// move than played it there.
pub struct MoveTree<'r> {
    moves: MovesOf<'r>,
    depth: usize,
    min_games: u64,
    /// The number of moves left out so far.
    left_out: u64,
    /// The positions on the way to the next move.
    levels: Vec<Level>,
    /// The moves on the way.
    line: Vec<String>,
    /// The positions after the last move, if their moves are wanted.
    below: Option<Vec<Position>>,
}

/// Counts the moves in some positions.
pub(super) type MovesOf<'r> = Box<dyn FnMut(&[Position]) -> Result<Vec<MoveCount>> + 'r>;

/// The moves of one position, or of the positions that a partial FEN matches.
#[derive(Debug)]
struct Level {
    positions: Vec<Position>,
    games: u64,
    moves: std::vec::IntoIter<MoveCount>,
}

/// A move in its place in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeMove {
    /// The moves up to and including this move; without it for games that ended here.
    pub line: Vec<String>,
    /// The move, with the counts of its games.
    pub counted: MoveCount,
    /// The number of games that reach the position in which it was played.
    pub of_games: u64,
    /// The positions in which it is played.
    pub before: Vec<Position>,
    /// The positions to which it leads.
    pub after: Vec<Position>,
}

impl<'r> MoveTree<'r> {
    /// The tree from some positions on.
    pub(crate) fn new(
        moves: MovesOf<'r>,
        positions: Vec<Position>,
        depth: usize,
        min_games: Option<u64>,
    ) -> Result<MoveTree<'r>> {
        let mut tree = MoveTree {
            moves,
            depth,
            min_games: 0,
            left_out: 0,
            levels: Vec::new(),
            line: Vec::new(),
            below: None,
        };
        let root = tree.read_level(positions)?;
        let default_games = root.games.div_ceil(DEFAULT_GAMES_PER_MOVE_GAME);
        tree.min_games = min_games.unwrap_or(default_games);
        tree.push_level(root);
        Ok(tree)
    }

    /// The number of games that reach the first position.
    pub fn games(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.games)
    }

    /// The fewest games with which a move is not left out.
    pub fn min_games(&self) -> u64 {
        self.min_games
    }

    /// The number of moves left out so far, not counting the moves below them.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The next move in depth-first order; `None` at the end of the tree.
    fn advance(&mut self) -> Result<Option<TreeMove>> {
        if let Some(positions) = self.below.take() {
            let level = self.read_level(positions)?;
            self.push_level(level);
        }

        while let Some(level) = self.levels.last_mut() {
            if let Some(counted) = level.moves.next() {
                return Ok(Some(self.tree_move(counted)));
            }
            self.levels.pop();
        }
        Ok(None)
    }

    /// Counts the moves in the positions of a level.
    fn read_level(&mut self, positions: Vec<Position>) -> Result<Level> {
        let moves = (self.moves)(&positions)?;
        let games = moves.iter().map(|counted| counted.counts.all_games()).sum();
        Ok(Level {
            positions,
            games,
            moves: moves.into_iter(),
        })
    }

    /// Appends a level without the moves of too few games.
    fn push_level(&mut self, mut level: Level) {
        // The moves are sorted, so moves with too few games are at the end.
        let mut moves: Vec<MoveCount> = level.moves.collect();
        let all = moves.len();
        let kept = moves.partition_point(|counted| counted.counts.all_games() >= self.min_games);
        moves.truncate(kept);

        self.left_out += (all - kept) as u64;
        level.moves = moves.into_iter();
        self.levels.push(level);
    }

    /// The move in its place in the tree. The positions after it are the next level, if the tree is that deep.
    fn tree_move(&mut self, counted: MoveCount) -> TreeMove {
        // The line has the moves of the levels above this one.
        self.line.truncate(self.levels.len().saturating_sub(1));
        let (before, of_games) = match self.levels.last() {
            Some(level) => (level.positions.clone(), level.games),
            None => (Vec::new(), 0),
        };
        let after = counted.positions_after(&before);

        if let Some((san, _)) = &counted.played {
            self.line.push(san.clone());
            if self.levels.len() < self.depth {
                self.below = Some(after.clone());
            }
        }

        TreeMove {
            line: self.line.clone(),
            counted,
            of_games,
            before,
            after,
        }
    }
}

impl Iterator for MoveTree<'_> {
    type Item = Result<TreeMove>;

    fn next(&mut self) -> Option<Result<TreeMove>> {
        self.advance().transpose()
    }
}
