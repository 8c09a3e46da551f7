//! The positions of a repertoire while its files are read: each once, with the moves that are written between them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::board::{Move, Position};

/// A position, by its place in the order in which positions are first met.
pub(super) type NodeId = u32;

/// A position with the moves that the files have in it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    /// The moves, in the order of the files, and the positions that they lead to.
    pub(super) moves: Vec<(Move, NodeId)>,
    /// The position and the move by which it is first met; `None` for the start of a line.
    pub(super) parent: Option<(NodeId, Move)>,
    /// `true` for a position of a list, and for those that the moves of a list lead to.
    pub(super) is_listed: bool,
}

/// Positions, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    by_key: ByKey,
}

/// Positions by their keys; the few with equal keys are compared.
#[derive(Clone, Debug, Default)]
pub(super) struct ByKey(HashMap<u64, Vec<NodeId>, RandomState>);

impl ByKey {
    /// The position with this key for which a condition holds.
    pub(super) fn find(&self, key: u64, holds: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        self.0.get(&key)?.iter().copied().find(|&node| holds(node))
    }

    pub(super) fn insert(&mut self, key: u64, node: NodeId) {
        self.0.entry(key).or_default().push(node);
    }
}

impl Graph {
    /// The node of a position.
    pub(super) fn find(&self, position: &Position) -> Option<NodeId> {
        let is_same = |node: NodeId| self.nodes[node as usize].position == *position;
        self.by_key.find(position.key(), is_same)
    }

    /// The node of a position, which is added if it is new, as the start of a line.
    pub(super) fn start(&mut self, position: &Position) -> NodeId {
        self.find(position)
            .unwrap_or_else(|| self.add(position.clone(), None))
    }

    /// Adds a legal move, and returns the position that it leads to.
    pub(super) fn play(&mut self, from: NodeId, mv: Move) -> NodeId {
        let node = &self.nodes[from as usize];
        if let Some((_, to)) = node.moves.iter().find(|(known, _)| *known == mv) {
            return *to;
        }
        let mut position = node.position.clone();
        position.play(mv);
        let to = self
            .find(&position)
            .unwrap_or_else(|| self.add(position, Some((from, mv))));
        self.nodes[from as usize].moves.push((mv, to));
        to
    }

    fn add(&mut self, position: Position, parent: Option<(NodeId, Move)>) -> NodeId {
        let node = self.nodes.len() as NodeId;
        self.by_key.insert(position.key(), node);
        self.nodes.push(Node {
            position,
            moves: Vec::new(),
            parent,
            is_listed: false,
        });
        node
    }

    /// Joins the positions of a list that has neither moves nor the positions of one side's turn, such as those behind
    /// the moves of a player: the positions between two of them are added, and the moves that lead there.
    pub(super) fn join_listed(&mut self) {
        let listed = (0..self.nodes.len()).filter(|&node| self.nodes[node].is_listed);
        let listed: Vec<NodeId> = listed.map(|node| node as NodeId).collect();
        let nodes = || listed.iter().map(|&node| &self.nodes[node as usize]);
        let turn = nodes().next().map(|node| node.position.turn());
        let is_whole = |node: &Node| !node.moves.is_empty() || Some(node.position.turn()) != turn;
        if nodes().any(is_whole) {
            return;
        }
        for from in listed {
            let here = self.nodes[from as usize].position.clone();
            for mv in here.legal_moves() {
                let mut between = here.clone();
                between.play(mv);
                self.join(from, mv, &between);
            }
        }
    }

    /// Links positions of lists that have no moves of their own: the moves between them are those that are legal.
    pub(super) fn link_listed(&mut self) {
        for from in 0..self.nodes.len() {
            let Node {
                position,
                moves,
                is_listed,
                ..
            } = &self.nodes[from];
            if !is_listed || !moves.is_empty() {
                continue;
            }
            for mv in position.legal_moves() {
                let mut after = self.nodes[from].position.clone();
                after.play(mv);
                let Some(to) = self.find(&after) else {
                    continue;
                };
                self.nodes[from].moves.push((mv, to));
                // A later position, so that lines have no circles.
                let node = &mut self.nodes[to as usize];
                if node.parent.is_none() && to as usize > from {
                    node.parent = Some((from as NodeId, mv));
                }
            }
        }
    }

    /// Adds a position between two listed ones, if it is between such.
    fn join(&mut self, from: NodeId, mv: Move, between: &Position) {
        for reply in between.legal_moves() {
            let mut behind = between.clone();
            behind.play(reply);
            if self
                .find(&behind)
                .is_some_and(|node| self.nodes[node as usize].is_listed)
            {
                let middle = self.play(from, mv);
                self.play(middle, reply);
            }
        }
    }
}
