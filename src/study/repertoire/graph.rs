//! The positions of a repertoire while its files are read: each position once, with the moves that lines have between
//! them.

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
    /// `true` for a position of a list, and for a position to which a move of a list leads.
    pub(super) is_listed: bool,
}

/// Positions, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    by_key: ByKey,
}

/// Positions by their keys. Positions with equal keys are rare, and are compared.
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
    pub(super) fn find_or_add(&mut self, position: &Position) -> NodeId {
        self.find(position)
            .unwrap_or_else(|| self.add_node(position.clone(), None))
    }

    /// Adds a legal move, and returns the position that it leads to.
    pub(super) fn play(&mut self, from: NodeId, mv: Move) -> NodeId {
        let node = &self.nodes[from as usize];
        if let Some((_, to)) = node.moves.iter().find(|(known, _)| *known == mv) {
            return *to;
        }

        let mut after = node.position.clone();
        after.play(mv);
        let to = match self.find(&after) {
            Some(known) => known,
            None => self.add_node(after, Some((from, mv))),
        };
        self.nodes[from as usize].moves.push((mv, to));
        to
    }

    /// Adds a position that no node has yet, and returns its node.
    fn add_node(&mut self, position: Position, parent: Option<(NodeId, Move)>) -> NodeId {
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

    /// Adds the positions between the positions of a list, with the moves that lead there.
    ///
    /// This is for lists without moves whose positions all have one side to move, such as the positions behind the
    /// moves of a player. Other lists are left as they are.
    pub(super) fn join_listed(&mut self) {
        let mut listed: Vec<NodeId> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if node.is_listed {
                listed.push(at as NodeId);
            }
        }
        let Some(&first) = listed.first() else {
            return;
        };

        let turn = self.nodes[first as usize].position.turn();
        let has_gaps = listed.iter().all(|&at| {
            let node = &self.nodes[at as usize];
            node.moves.is_empty() && node.position.turn() == turn
        });
        if !has_gaps {
            return;
        }

        for from in listed {
            let here = self.nodes[from as usize].position.clone();
            for mv in here.legal_moves() {
                let mut between = here.clone();
                between.play(mv);
                self.join_replies(from, mv, &between);
            }
        }
    }

    /// Adds all legal moves between positions, for the positions of lists without moves.
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

                // Only a later position gets a parent, so that lines have no cycles.
                let node = &mut self.nodes[to as usize];
                if node.parent.is_none() && to as usize > from {
                    node.parent = Some((from as NodeId, mv));
                }
            }
        }
    }

    /// Adds the position `between` behind a listed position, if replies lead from there to listed positions.
    fn join_replies(&mut self, from: NodeId, mv: Move, between: &Position) {
        for reply in between.legal_moves() {
            let mut behind = between.clone();
            behind.play(reply);
            let Some(node) = self.find(&behind) else {
                continue;
            };
            if self.nodes[node as usize].is_listed {
                let middle = self.play(from, mv);
                self.play(middle, reply);
            }
        }
    }
}
