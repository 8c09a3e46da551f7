//! The moves of a game and the structure of its variations, collected from the callbacks of the library.
//!
//! The moves are in stored order: depth first, and at every position the main line first. Annotations refer to moves by
//! their index in this order.

use cbvault_chess::decode::MoveSink;
use gigachess::san::move_to_san_body;
use gigachess::{Board, Move};

/// The number for a missing move.
pub(super) const NONE: u32 = u32::MAX;

/// A move, with links to the next move of its line and to the next alternative.
#[derive(Debug)]
pub(super) struct Node {
    /// The SAN without a check mark; `san_bytes` is its length.
    pub(super) san: [u8; MAX_SAN_BYTES],
    pub(super) san_bytes: u8,
    /// The next move in the line of this move.
    pub(super) first_child: u32,
    last_child: u32,
    /// The first move of the next variation that replaces this move.
    pub(super) next_sibling: u32,
}

const MAX_SAN_BYTES: usize = 8;
/// The word for a move that has no SAN. The replay reports it as no move.
const UNKNOWN: &[u8] = b"unwrit";

/// The moves of a game.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The move after which the next move is added.
    current: u32,
    /// The move before the last move, where a variation of the last move begins.
    before_last: u32,
    /// The moves after which the open variations began.
    branches: Vec<u32>,
    /// The position before a move and the move, until the library confirms that it is legal.
    played: Option<(Board, u16)>,
}

impl Tree {
    pub(super) fn new() -> Tree {
        let mut tree = Tree::default();
        tree.clear();
        tree
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        // The start position.
        self.nodes.push(Node::new(b""));
        self.branches.clear();
        self.current = 0;
        self.before_last = 0;
        self.played = None;
    }

    /// The number of moves.
    pub(super) fn moves(&self) -> usize {
        self.nodes.len() - 1
    }

    /// A move, counted from one; the start position is 0.
    pub(super) fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }

    /// The last move of the main line; 0 without moves.
    pub(super) fn end_of_main_line(&self) -> u32 {
        let mut last = 0;
        while let Some(node) = self.node(last)
            && node.first_child != NONE
        {
            last = node.first_child;
        }
        last
    }

    fn push(&mut self, node: Node) {
        let number = self.nodes.len() as u32;
        self.nodes.push(node);

        let parent = self.current as usize;
        match self.nodes[parent].last_child {
            NONE => self.nodes[parent].first_child = number,
            last => self.nodes[last as usize].next_sibling = number,
        }
        self.nodes[parent].last_child = number;

        self.before_last = self.current;
        self.current = number;
    }
}

impl Node {
    fn new(text: &[u8]) -> Node {
        let mut san = [0; MAX_SAN_BYTES];
        let bytes = text.len().min(MAX_SAN_BYTES);
        san[..bytes].copy_from_slice(&text[..bytes]);
        let san_bytes = bytes as u8;
        Node {
            san,
            san_bytes,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        }
    }

    /// The text of the move.
    pub(super) fn san(&self) -> &[u8] {
        &self.san[..usize::from(self.san_bytes)]
    }
}

impl MoveSink for Tree {
    fn play(&mut self, before: &Board, played: u16, _: bool) {
        // The library calls `played` only if the move is legal.
        self.played = Some((*before, played));
    }

    fn played(&mut self, _: &Board) {
        let Some((before, played)) = self.played.take() else {
            return;
        };
        let san = move_to_san_body(&before, Move::from_word(played));
        let node = match san {
            Some(san) => Node::new(san.as_str().as_bytes()),
            None => Node::new(UNKNOWN),
        };
        self.push(node);
    }

    fn branch(&mut self) {
        self.branches.push(self.before_last);
    }

    fn resume(&mut self) {
        self.current = self.branches.pop().unwrap_or_default();
    }

    fn wants_checkers(&self) -> bool {
        // The legal moves of a side in check depend on the checkers.
        true
    }
}
