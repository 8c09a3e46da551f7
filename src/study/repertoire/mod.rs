//! Repertoires: the positions of a player's lines, the games that reach them, and where these games leave them.
//!
//! A [`RepertoireReader`] reads the files; a [`Repertoire`] has each position once, whatever moves lead to it.
//! [`RepertoireHits`] are the games that reach it.

// A few games are replayed and compared with the repertoire (`follow.rs`). For many games, the position index lists the
// games of each position (`lists.rs`), and only the games that the index cannot decide are replayed.

mod departure;
mod fault;
mod follow;
mod game;
mod games;
mod graph;
mod hits;
mod lines;
mod lists;
mod new_games;
mod order;
mod pawns;
mod read;
mod side;
mod tally;

pub use departure::{Departure, DepartureKind, RepertoireHit};
pub use fault::{RepertoireError, RepertoireRemark};
pub use game::RepertoireGame;
pub use hits::{RepertoireHits, RepertoireQuery, RepertoireStrategy};
pub use new_games::{NewGames, SourceOfGames};
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
    /// The greatest number of half-moves before the position in the repertoire. A position is deeper than all positions
    /// from which a move leads to it.
    pub depth: u32,
    /// The moves of the repertoire, in the order of its files, then the moves that are in no line but lead to another
    /// position of the repertoire.
    pub moves: Vec<RepertoireMove>,
    /// The preceding position in the line by which this position is first met, and the place of the connecting move
    /// among the moves of the preceding position; `None` at the start of a line.
    pub parent: Option<(usize, usize)>,
}

impl RepertoirePosition {
    /// `true` if the lines that reach the position end here.
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
    /// The place, among all positions, of the position after the move.
    pub to: usize,
    /// `false` for a move that is in no line but leads to a position of the repertoire.
    pub is_written: bool,
}

/// The maximum number of positions of a repertoire. All places fit into a [`NodeId`].
const MAX_POSITIONS: usize = 1 << 24;

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
        if graph.nodes.len() > MAX_POSITIONS {
            return Err(RepertoireError::TooManyPositions(MAX_POSITIONS));
        }

        // The side is inferred from the moves also if a side is given, to warn if the two differ.
        let inferred_side = side_of(&graph);
        let side_by_moves = inferred_side.as_ref().ok().copied();
        let is_side_given = side.is_some();
        let own_side = match side {
            Some(side) => side,
            None => inferred_side?,
        };

        let positions = in_order(graph);
        let mut by_key = ByKey::default();
        for (at, here) in positions.iter().enumerate() {
            by_key.insert(here.position.key(), at as NodeId);
        }

        let pawns = PawnSets::new(positions.iter().map(|here| &here.position));
        let first = first_choice(&positions);
        Ok(Repertoire {
            side: own_side,
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

    /// The side that the repertoire is for.
    pub fn side(&self) -> Color {
        self.side
    }

    /// `false` if the side was inferred from the moves.
    pub fn is_side_given(&self) -> bool {
        self.is_side_given
    }

    /// `true` if the moves show that the repertoire is for the other side.
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
        let found = self.by_key.find(position.key(), is_same)?;
        Some(found as usize)
    }

    /// The place of the first position with several moves; all lines share the positions before it. It is 0 if there
    /// are several starts, or no position has several moves.
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

/// A move of a node, the node that it leads to, and whether it is written in a line.
type Edge = (Move, NodeId, bool);

/// The positions, deeper ones later, with all moves between them.
fn in_order(graph: Graph) -> Vec<RepertoirePosition> {
    let edges = all_edges(&graph);
    let mut own_plies: Vec<u32> = Vec::with_capacity(graph.nodes.len());
    let mut targets: Vec<Vec<NodeId>> = Vec::with_capacity(graph.nodes.len());
    for (node, of_node) in graph.nodes.iter().zip(&edges) {
        own_plies.push(half_moves(&node.position));
        targets.push(of_node.iter().map(|&(_, to, _)| to).collect());
    }
    let depths = depths(&own_plies, &targets);

    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by_key(|&node| (depths[node], node));

    let mut places = vec![0; order.len()];
    for (place, &node) in order.iter().enumerate() {
        places[node] = place;
    }

    let mut positions = Vec::with_capacity(order.len());
    for node in order {
        let graph::Node {
            position, parent, ..
        } = &graph.nodes[node];
        let mut moves = Vec::with_capacity(edges[node].len());
        for &(mv, to, is_written) in &edges[node] {
            moves.push(RepertoireMove {
                san: san(position, mv),
                mv,
                to: places[to as usize],
                is_written,
            });
        }

        let parent = parent.and_then(|(parent, mv)| {
            let of_parent = &edges[parent as usize];
            let at = of_parent.iter().position(|(known, ..)| *known == mv)?;
            Some((places[parent as usize], at))
        });
        positions.push(RepertoirePosition {
            position: position.clone(),
            depth: depths[node],
            moves,
            parent,
        });
    }
    positions
}

/// The moves of each position that lead to another position: first the moves of lines, then all other legal moves.
fn all_edges(graph: &Graph) -> Vec<Vec<Edge>> {
    let mut all = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let mut edges: Vec<Edge> = node.moves.iter().map(|&(mv, to)| (mv, to, true)).collect();

        // A game that transposes by a move outside of all lines is still in the repertoire.
        for mv in node.position.legal_moves() {
            let is_written = node.moves.iter().any(|(known, _)| *known == mv);
            if is_written {
                continue;
            }

            let mut after = node.position.clone();
            after.play(mv);
            if let Some(to) = graph.find(&after) {
                edges.push((mv, to, false));
            }
        }
        all.push(edges);
    }
    all
}

/// The number of half-moves before a position, by its move counter.
fn half_moves(position: &Position) -> u32 {
    let full_moves = position.fullmove_number().saturating_sub(1);
    let of_black = u32::from(!position.turn().is_white());
    full_moves.saturating_mul(2).saturating_add(of_black)
}

/// The first position with several moves, if all lines share the way to it.
fn first_choice(positions: &[RepertoirePosition]) -> usize {
    let starts = positions
        .iter()
        .filter(|here| here.parent.is_none())
        .count();
    if starts > 1 {
        return 0;
    }

    for (at, position) in positions.iter().enumerate() {
        // Before the first branch, each position has one move, which leads to the next position.
        if let [only] = &position.moves[..]
            && only.to == at + 1
        {
            continue;
        }
        return if position.is_end() { 0 } else { at };
    }
    0
}
