//! The main lines of an opening.

use std::collections::HashMap;

use super::chosen::Chosen;
use super::sample::OpeningRoot;
use super::subject::OpeningQuery;
use crate::board::Position;
use crate::error::Result;
use crate::query::{MoveCount, MoveTree, PositionSearch, TreeMove, Watch, joined_moves};
use crate::storage::{Database, GameSet, InDatabase, PositionEvaluation, best_evaluation};

/// By default, moves in fewer than one in this many games are left out.
const DEFAULT_PART: u64 = 30;
/// By default, the minimum number of games of a listed move, however few games there are.
const DEFAULT_MIN_GAMES: u64 = 2;

/// A tree of moves. It counts all games that reach its positions, even if a game ends in an opening of another name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningLines {
    /// The number of games that reach the root.
    pub games: u64,
    /// The minimum number of games of a listed move.
    pub min_games: u64,
    /// The number of moves left out, without the moves after them.
    pub left_out: u64,
    /// The moves, each followed by its next moves.
    pub moves: Vec<OpeningMove>,
}

/// A move of the main lines.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningMove {
    /// The move in its place, with the counts of all games that play it there.
    pub played: TreeMove,
    /// The number of games with the move that remain in the opening, by the name of the last opening that their moves
    /// reach. All other games with the move transpose to another opening.
    pub of_opening: u64,
    /// The evaluation of the position after it, if the move leads to a single position and a database has its
    /// evaluation.
    pub evaluation: Option<PositionEvaluation>,
}

/// Counts the main lines from the root of an opening; no lines without a root.
pub(super) fn read(
    databases: &[&Database],
    chosen: &[Chosen<'_>],
    root: Option<&OpeningRoot>,
    query: &OpeningQuery,
    watch: &Watch<'_>,
) -> Result<OpeningLines> {
    let Some(root) = root else {
        return Ok(OpeningLines::default());
    };

    let games_of_opening: u64 = chosen.iter().map(|one| one.games().len()).sum();
    let default_min_games = games_of_opening.div_ceil(DEFAULT_PART);
    let min_games = query
        .min_games
        .unwrap_or(default_min_games.max(DEFAULT_MIN_GAMES));

    // All games that reach a position are counted: replies that lead to another opening would be missing from the
    // shares of the opening's own games.
    let counter = MoveCounter::new(chosen, watch)?;
    let positions = vec![root.position.clone()];
    let moves_of =
        Box::new(|positions: &[Position]| counter.moves(positions, |chosen| &chosen.all));
    let mut tree = MoveTree::new(moves_of, positions, query.depth, Some(min_games))?;
    let games = tree.games();
    let played: Result<Vec<TreeMove>> = tree.by_ref().collect();
    let left_out = tree.left_out();

    Ok(OpeningLines {
        games,
        min_games,
        left_out,
        moves: opening_moves(databases, &counter, played?)?,
    })
}

/// The moves of a tree, each with its games in the opening and the evaluation of the position after it.
fn opening_moves(
    databases: &[&Database],
    counter: &MoveCounter<'_, '_>,
    played: Vec<TreeMove>,
) -> Result<Vec<OpeningMove>> {
    // The moves of one position have one line before them, and are counted at once.
    let mut counted_by_line: HashMap<Vec<String>, Vec<MoveCount>> = HashMap::new();
    let mut moves = Vec::new();
    for played in played {
        let before = line_before(&played);
        if !counted_by_line.contains_key(before) {
            let counted = counter.moves(&played.before, Chosen::games)?;
            counted_by_line.insert(before.to_vec(), counted);
        }

        let of_opening = match counted_by_line.get(before) {
            Some(counted) => games_with(counted, played.counted.code()),
            None => 0,
        };
        let evaluation = match &played.after[..] {
            [position] => best_evaluation(databases, position)?,
            _ => None,
        };

        moves.push(OpeningMove {
            played,
            of_opening,
            evaluation,
        });
    }
    Ok(moves)
}

/// Counts the moves of a position in all databases.
struct MoveCounter<'c, 'd> {
    searched: Vec<(&'c Chosen<'d>, PositionSearch)>,
    watch: &'c Watch<'c>,
}

impl<'c, 'd> MoveCounter<'c, 'd> {
    fn new(chosen: &'c [Chosen<'d>], watch: &'c Watch<'c>) -> Result<MoveCounter<'c, 'd>> {
        let mut searched = Vec::with_capacity(chosen.len());
        for of_database in chosen {
            let search = PositionSearch::new(of_database.connection);
            searched.push((of_database, search.in_database(of_database.database)?));
        }
        Ok(MoveCounter { searched, watch })
    }

    /// Counts the moves that some games of each database play in a position. Only a single position has moves: below
    /// the root, there is one position at a time.
    fn moves(
        &self,
        positions: &[Position],
        games_of: impl Fn(&'c Chosen<'d>) -> &'c GameSet,
    ) -> Result<Vec<MoveCount>> {
        self.watch.check()?;
        let [position] = positions else {
            return Ok(Vec::new());
        };

        let mut of_databases = Vec::with_capacity(self.searched.len());
        for (chosen, search) in &self.searched {
            let games = games_of(chosen);
            let store = chosen.store();
            let counted = search.moves_of_games(chosen.connection, positions, store, games);
            of_databases.push(counted.in_database(chosen.database)?);
        }
        Ok(joined_moves(position, of_databases))
    }
}

/// The number of games with a move among the counted moves of a position.
fn games_with(counted: &[MoveCount], code: u16) -> u64 {
    let of_move = counted.iter().filter(|one| one.code() == code);
    of_move.map(|one| one.counts.all_games()).sum()
}

/// The moves that lead to the position in which a move is played.
fn line_before(one: &TreeMove) -> &[String] {
    // The end of a game is counted like a move, but adds nothing to the line.
    let is_end_of_game = one.counted.san().is_none();
    if is_end_of_game {
        return &one.line;
    }
    match &one.line[..] {
        [before @ .., _] => before,
        [] => &[],
    }
}
