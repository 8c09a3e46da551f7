//! Repertoires: the positions of a player's lines, the games that reach them, and where these games leave them.
//!
//! A [`RepertoireReader`] reads the files; a [`Repertoire`] has each position once, whatever moves lead to it.
//! [`RepertoireHits`] are the games that reach it.

// A few games are replayed beside the repertoire (`follow.rs`). Where many are wanted, the position index lists the games
// of each position (`lists.rs`), and only the games that it cannot decide are replayed.

mod departure;
mod fault;
mod follow;
mod game;
mod games;
mod graph;
mod hits;
mod lines;
mod lists;
mod newcomers;
mod order;
mod pawns;
mod read;
mod side;
mod tally;

pub use departure::{Departure, DepartureKind, RepertoireHit};
pub use fault::{RepertoireError, RepertoireRemark};
pub use game::RepertoireGame;
pub use hits::{RepertoireHits, RepertoireQuery, RepertoireStrategy};
pub use newcomers::{NewGames, SourceOfGames};
pub use read::RepertoireReader;

use crate::board::{Color, Move, Position};
use crate::notation::san;
use graph::{ByKey, Graph, NodeId};
use order::depths;
use pawns::PawnSets;
use side::side_of;

/// A repertoire: positions, and the moves of its lines in them.
#[derive(Clone, Debug)]
pub struct Repertoire {
    side: Color,
    is_side_given: bool,
    side_by_moves: Option<Color>,
    positions: Vec<RepertoirePosition>,
    by_key: ByKey,
    pawns: PawnSets,
    first: usize,
    games: Vec<RepertoireGame>,
    remarks: Vec<RepertoireRemark>,
}

/// A position of a repertoire.
#[derive(Clone, Debug, PartialEq)]
pub struct RepertoirePosition {
    /// The position, with the move counters of the line by which it is first met.
    pub position: Position,
    /// The number of half-moves before it in the repertoire, at most: it is deeper than all positions from which a move
    /// leads to it.
    pub depth: u32,
    /// The moves of the repertoire, in the order of its files; then those that are in no line, but lead to another
    /// position of it.
    pub moves: Vec<RepertoireMove>,
    /// The position before it and the place there of the move to it, in the line by which it is first met; `None` at
    /// the start of a line.
    pub parent: Option<(usize, usize)>,
}

impl RepertoirePosition {
    /// `true` if the lines that reach it end here.
    pub fn is_end(&self) -> bool {
        !self.moves.iter().any(|mv| mv.is_written)
    }
}

/// A move of a repertoire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepertoireMove {
    /// The move as SAN.
    pub san: String,
    /// The move.
    pub mv: Move,
    /// The place of the position that it leads to among all positions.
    pub to: usize,
    /// `false` for a move that is in no line, but leads to a position of one.
    pub is_written: bool,
}

/// The most positions of a repertoire.
const MOST_POSITIONS: usize = 1 << 24;

impl Repertoire {
    /// The repertoire of the positions that have been read.
    fn new(
        graph: Graph,
        side: Option<Color>,
        games: Vec<RepertoireGame>,
        remarks: Vec<RepertoireRemark>,
    ) -> Result<Repertoire, RepertoireError> {
        if graph.nodes.is_empty() {
            return Err(RepertoireError::NoPositions);
        }
        if graph.nodes.len() > MOST_POSITIONS {
            return Err(RepertoireError::TooManyPositions(MOST_POSITIONS));
        }
        let is_side_given = side.is_some();
        let by_moves = side_of(&graph);
        let side_by_moves = by_moves.as_ref().ok().copied();
        let side = side.map_or(by_moves, Ok)?;
        let positions = in_order(graph);
        let mut by_key = ByKey::default();
        for (at, one) in positions.iter().enumerate() {
            by_key.insert(one.position.key(), at as NodeId);
        }
        let pawns = PawnSets::of(positions.iter().map(|one| &one.position));
        let first = first_choice(&positions);
        Ok(Repertoire {
            side,
            is_side_given,
            side_by_moves,
            positions,
            by_key,
            pawns,
            first,
            games,
            remarks,
        })
    }

    /// The side that it is for.
    pub fn side(&self) -> Color {
        self.side
    }

    /// `false` if the side was found by the moves.
    pub fn is_side_given(&self) -> bool {
        self.is_side_given
    }

    /// `true` if its moves show that it is for the other side.
    pub fn seems_of_other_side(&self) -> bool {
        self.side_by_moves == Some(!self.side)
    }

    /// The positions, deeper ones later.
    pub fn positions(&self) -> &[RepertoirePosition] {
        &self.positions
    }

    /// The place of a position among all.
    pub fn find(&self, position: &Position) -> Option<usize> {
        let is_same = |node: NodeId| self.positions[node as usize].position == *position;
        self.by_key
            .find(position.key(), is_same)
            .map(|node| node as usize)
    }

    /// The place of the first position with several moves: those before it are on the way that all lines share. It is
    /// 0 if there are several starts, or no position has several moves.
    pub fn first_choice(&self) -> usize {
        self.first
    }

    /// `true` if the side that the repertoire is for is to move in a position.
    pub fn is_own_turn(&self, at: usize) -> bool {
        self.positions[at].position.turn() == self.side
    }

    /// The games of its PGN files, in order.
    pub fn games(&self) -> &[RepertoireGame] {
        &self.games
    }

    /// The places in its files that could not be read.
    pub fn remarks(&self) -> &[RepertoireRemark] {
        &self.remarks
    }
}

/// The positions, deeper ones later, with all moves between them.
fn in_order(graph: Graph) -> Vec<RepertoirePosition> {
    let own: Vec<u32> = graph
        .nodes
        .iter()
        .map(|node| half_moves(&node.position))
        .collect();
    let moves: Vec<Vec<(Move, NodeId, bool)>> = all_moves(&graph);
    let to: Vec<Vec<NodeId>> = moves
        .iter()
        .map(|moves| moves.iter().map(|&(_, to, _)| to).collect())
        .collect();
    let depths = depths(&own, &to);
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by_key(|&node| (depths[node], node));
    let mut place = vec![0; order.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(at, &node)| place[node] = at);
    let position = |&node: &usize| {
        let graph::Node {
            position, parent, ..
        } = &graph.nodes[node];
        let written = |(mv, to, is_written): &(Move, NodeId, bool)| RepertoireMove {
            san: san(position, *mv),
            mv: *mv,
            to: place[*to as usize],
            is_written: *is_written,
        };
        let parent = parent.and_then(|(parent, mv)| {
            let at = moves[parent as usize]
                .iter()
                .position(|(known, ..)| *known == mv)?;
            Some((place[parent as usize], at))
        });
        RepertoirePosition {
            position: position.clone(),
            depth: depths[node],
            moves: moves[node].iter().map(written).collect(),
            parent,
        }
    };
    order.iter().map(position).collect()
}

/// The moves of each position that lead to another: those of lines, which are so marked, and then all others.
fn all_moves(graph: &Graph) -> Vec<Vec<(Move, NodeId, bool)>> {
    let moves = |node: &graph::Node| {
        let mut moves: Vec<_> = node.moves.iter().map(|&(mv, to)| (mv, to, true)).collect();
        for mv in node.position.legal_moves() {
            if node.moves.iter().all(|(known, _)| *known != mv) {
                let mut after = node.position.clone();
                after.play(mv);
                moves.extend(graph.find(&after).map(|to| (mv, to, false)));
            }
        }
        moves
    };
    graph.nodes.iter().map(moves).collect()
}

/// The number of half-moves that the move counter of a position names.
fn half_moves(position: &Position) -> u32 {
    let before = position
        .fullmove_number()
        .saturating_sub(1)
        .saturating_mul(2);
    before.saturating_add(u32::from(!position.turn().is_white()))
}

/// The first position with several moves, if all lines share the way to it.
fn first_choice(positions: &[RepertoirePosition]) -> usize {
    if positions.iter().filter(|one| one.parent.is_none()).count() > 1 {
        return 0;
    }
    let is_way = |at: usize| matches!(&positions[at].moves[..], [only] if only.to == at + 1);
    let first = (0..positions.len()).find(|&at| !is_way(at)).unwrap_or(0);
    if positions[first].is_end() { 0 } else { first }
}
