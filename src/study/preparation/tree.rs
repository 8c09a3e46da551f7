//! The positions of the opponent's games. Each position has its games, and the moves played in it. Transpositions are
//! one position.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::games::OpponentGames;
use crate::board::{Color, Move, Position};
use crate::error::Result;
use crate::game::{Ply, Variant};
use crate::notation::san;
use crate::query::{Watch, move_with_code};
use crate::replay::{PositionKey, Visit};
use crate::storage::{Database, GameId, GameSet, PlayedGame};
use crate::study::replays::replay_games;

/// The maximum number of half-moves of a game that are replayed into the tree.
pub(super) const MAX_PLIES: u32 = 60;

/// The key and the check key of a position.
pub(super) type Identity = (PositionKey, u16);

/// The identity of a position of chess.
pub(super) fn identity(position: &Position) -> Identity {
    (
        PositionKey::new(position, Variant::Standard),
        position.check_key(),
    )
}

/// A position.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) identity: Identity,
    /// The fewest half-moves after which a game reaches it.
    pub(super) ply: u32,
    /// The places of its games, in order.
    pub(super) games: Vec<u32>,
    pub(super) moves: Vec<Edge>,
    /// The position before it on the way that most games took, and the code of the move.
    parent: Option<(u32, u16)>,
}

/// A move in a position.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) code: u16,
    /// The games that played it when they first reached the position.
    pub(super) games: Vec<u32>,
    /// The position to which it leads.
    pub(super) to: u32,
}

/// The tree of positions. The first is the standard position.
#[derive(Debug)]
pub(super) struct PositionTree {
    pub(super) nodes: Vec<Node>,
    /// The positions of each game, in the order in which it reaches them.
    paths: Vec<Vec<u32>>,
    by_identity: HashMap<Identity, u32, foldhash::fast::RandomState>,
}

/// The positions of a game, each with the code of the next move.
type Steps = Vec<(Identity, u16)>;

impl PositionTree {
    /// Replays the games.
    pub(super) fn read(
        databases: &[&Database],
        games: &OpponentGames,
        watch: &Watch<'_>,
    ) -> Result<PositionTree> {
        let mut replays = Replays {
            steps: vec![Steps::new(); games.list.len()],
            done: 0,
            watch,
        };

        for (index, database) in databases.iter().enumerate() {
            let mut places = PlacesOfGames::default();
            for (place, of_opponent) in games.list.iter().enumerate() {
                if of_opponent.game.database == index {
                    places.insert(of_opponent.game.game, place);
                }
            }
            replays.replay_games(database, &places)?;
        }

        Ok(PositionTree::new(&replays.steps))
    }

    /// The tree of games, the earliest game first.
    fn new(replayed: &[Steps]) -> PositionTree {
        let mut tree = PositionTree {
            nodes: Vec::new(),
            paths: Vec::with_capacity(replayed.len()),
            by_identity: HashMap::default(),
        };

        // The standard position is the node 0, also without games.
        tree.find_or_add(identity(&Position::start()), 0);
        for (place, steps) in replayed.iter().enumerate() {
            tree.add_game(place as u32, steps);
        }

        tree.find_parents();
        tree
    }

    /// Adds the positions and moves of a game.
    fn add_game(&mut self, place: u32, steps: &[(Identity, u16)]) {
        let mut before: Option<(u32, u16, bool)> = None;
        let mut path = Vec::with_capacity(steps.len());

        for (ply, &(identity, next_code)) in (0..).zip(steps) {
            let at = self.find_or_add(identity, ply);

            if let Some((from, code, is_first)) = before {
                let edge = self.nodes[from as usize].find_or_add_edge(code, at);
                if is_first {
                    edge.games.push(place);
                }
            }

            // A repeated position counts once for a game, with the move that the game played first. Games are added one
            // after the other, so a game that was here before is the last game of the node.
            let node = &mut self.nodes[at as usize];
            let is_first = node.games.last() != Some(&place);
            if is_first {
                node.games.push(place);
            }

            before = Some((at, next_code, is_first));
            path.push(at);
        }

        self.paths.push(path);
    }

    /// The number of a position, which is added if it is new.
    fn find_or_add(&mut self, identity: Identity, ply: u32) -> u32 {
        match self.by_identity.entry(identity) {
            Entry::Occupied(known) => {
                let node = &mut self.nodes[*known.get() as usize];
                node.ply = node.ply.min(ply);
                *known.get()
            }
            Entry::Vacant(free) => {
                let number = *free.insert(self.nodes.len() as u32);
                self.nodes.push(Node {
                    identity,
                    ply,
                    games: Vec::new(),
                    moves: Vec::new(),
                    parent: None,
                });
                number
            }
        }
    }

    /// Finds the parent of each position: the position before it from which most games came.
    fn find_parents(&mut self) {
        // An edge without games was only played at repetitions of its position. It has the weight 1, so it determines a
        // parent only if there is no other edge.
        let mut max_weight = vec![0; self.nodes.len()];

        for from in 0..self.nodes.len() {
            for at in 0..self.nodes[from].moves.len() {
                let edge = &self.nodes[from].moves[at];
                let (to, code) = (edge.to as usize, edge.code);
                let weight = 1 + edge.games.len();

                // A parent is nearer to the start, so the path back to the start has no cycle.
                let is_nearer = self.nodes[from].ply < self.nodes[to].ply;
                if is_nearer && weight > max_weight[to] {
                    max_weight[to] = weight;
                    self.nodes[to].parent = Some((from as u32, code));
                }
            }
        }
    }

    /// The number of a position, if a game has it.
    pub(super) fn find(&self, identity: Identity) -> Option<u32> {
        self.by_identity.get(&identity).copied()
    }

    pub(super) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The positions of a game by its place, in the order in which it reaches them, up to [`MAX_PLIES`] half-moves.
    pub(super) fn path_of(&self, place: u32) -> &[u32] {
        &self.paths[place as usize]
    }

    /// The number of half-moves of the [line](PositionTree::line_to) to a position.
    pub(super) fn line_plies(&self, node: u32) -> usize {
        self.codes_back(node).count()
    }

    /// The codes of the moves on the way that most games took to a position, the last first.
    fn codes_back(&self, node: u32) -> impl Iterator<Item = u16> {
        let mut at = node;
        std::iter::from_fn(move || {
            let (from, code) = self.get(at).parent?;
            at = from;
            Some(code)
        })
    }

    /// The moves from the start to a position, on the way that most games took, and the position.
    pub(super) fn line_to(&self, node: u32) -> (Vec<String>, Position) {
        let codes: Vec<u16> = self.codes_back(node).collect();

        let mut line = Vec::with_capacity(codes.len());
        let mut position = Position::start();
        for code in codes.into_iter().rev() {
            let Some(mv) = move_with_code(&position, code) else {
                break;
            };
            line.push(san(&position, mv));
            position.play(mv);
        }

        (line, position)
    }
}

impl Node {
    /// The side to move.
    pub(super) fn turn(&self) -> Color {
        if self.ply.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The edge of a move, which is added if it is new.
    fn find_or_add_edge(&mut self, code: u16, to: u32) -> &mut Edge {
        let known = self.moves.iter().position(|edge| edge.code == code);
        let at = match known {
            Some(at) => at,
            None => {
                self.moves.push(Edge {
                    code,
                    games: Vec::new(),
                    to,
                });
                self.moves.len() - 1
            }
        };
        &mut self.moves[at]
    }

    /// The moves that games played, the most played first. Equally frequent moves are in the order of their codes.
    pub(super) fn played(&self) -> Vec<&Edge> {
        let mut edges: Vec<&Edge> = self
            .moves
            .iter()
            .filter(|edge| !edge.games.is_empty())
            .collect();
        edges.sort_by_key(|edge| (std::cmp::Reverse(edge.games.len()), edge.code));
        edges
    }
}

/// The first positions of a game, each with the code of the next move.
fn read_steps(game: &PlayedGame) -> Steps {
    let Some(mut line) = game.mainline() else {
        return Steps::new();
    };

    let mut steps = Steps::with_capacity(MAX_PLIES as usize + 1);
    while let Some((_, mv)) = line.step() {
        // A null move is not a choice of a player, so the game ends before a null move.
        if line.ply() >= Ply::new(MAX_PLIES) || mv == Move::NULL {
            break;
        }
        steps.push((identity(line.position()), mv.code()));
        line.play(mv);
    }

    steps.push((identity(line.position()), Visit::END));
    steps
}

/// The places of the games of one database in the list of all games.
type PlacesOfGames = HashMap<GameId, usize, foldhash::fast::RandomState>;

/// The games that have been replayed, each at its place.
struct Replays<'w> {
    steps: Vec<Steps>,
    /// The number of games that have been replayed.
    done: u64,
    watch: &'w Watch<'w>,
}

impl Replays<'_> {
    /// Replays the games of one database.
    fn replay_games(&mut self, database: &Database, places: &PlacesOfGames) -> Result<()> {
        let set: GameSet = places.keys().copied().collect();
        let steps_of_batch = |games: &[PlayedGame]| -> Vec<(GameId, Steps)> {
            games
                .iter()
                .map(|game| (game.id, read_steps(game)))
                .collect()
        };

        let all = self.steps.len() as u64;
        let sink = |results: Vec<(GameId, Steps)>| -> Result<()> {
            self.done += results.len() as u64;
            self.watch.report(self.done, all);
            self.watch.check()?;

            for (game, steps) in results {
                if let Some(&place) = places.get(&game) {
                    self.steps[place] = steps;
                }
            }
            Ok(())
        };

        replay_games(database, Some(&set), steps_of_batch, sink)
    }
}
