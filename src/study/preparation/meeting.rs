//! A comparison of the opponent's games with a repertoire: where games reach and leave the repertoire, and the lines
//! that no game has.

use std::cmp::Reverse;

use super::games::OpponentGames;
use super::my_moves::{KnownMove, MyMoves};
use super::others::{Others, OthersCount};
use super::score::LineScore;
use super::tree::{Identity, MAX_PLIES, Node, PositionTree};
use crate::board::{Color, Position};
use crate::error::Result;
use crate::notation::san;
use crate::query::{Watch, move_with_code};

/// The maximum number of rows of each list.
const MAX_ROWS: usize = 20;

/// A comparison of the opponent's games with a repertoire.
#[derive(Clone, Debug, PartialEq)]
pub struct RepertoireMeeting {
    /// The number of positions of the repertoire.
    pub positions: u64,
    /// The number of positions of the repertoire that the opponent's games have.
    pub met: u64,
    /// `true` if the moves of the repertoire show that it is for the other side.
    pub seems_of_other_side: bool,
    /// The number of games that reach a position of the repertoire after their first move. If all lines share their
    /// first moves, only positions behind these moves count.
    pub games: u64,
    /// The games that leave the repertoire by a move of the opponent. A game leaves in its last position of the
    /// repertoire.
    pub left_by_opponent: u64,
    /// The games that leave the repertoire by a move of the other player.
    pub left_by_others: u64,
    /// The games whose last position of the repertoire is the end of a line, or of the game.
    pub ended: u64,
    /// The games that still follow the repertoire after 60 half-moves. Later moves are not compared.
    pub beyond: u64,
    /// The opponent's moves that the repertoire does not answer, the most played first.
    pub gaps: Vec<RepertoireGap>,
    /// The ends of lines that games reach, the most frequent first.
    pub ends: Vec<LineEnd>,
    /// Moves of the repertoire that no game plays, though games have the positions before them. Moves with the most
    /// positions behind them come first.
    pub unmet: Vec<UnmetMove>,
}

/// A move of the opponent that the repertoire does not answer.
///
/// A [`Departure`](crate::study::repertoire::Departure) is a move of either side, with the games that leave the
/// repertoire there for good. A gap has all games of the opponent with the move.
#[derive(Clone, Debug, PartialEq)]
pub struct RepertoireGap {
    /// The moves from the start to the position, in the order that most games took.
    pub line: Vec<String>,
    /// The position before the move.
    pub position: Position,
    /// The position after it.
    pub after: Position,
    /// The move in SAN.
    pub san: String,
    /// The opponent's score with it.
    pub score: LineScore,
    /// The games of others with the move.
    pub others: OthersCount,
}

/// The end of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineEnd {
    /// The moves from the start, in the order that most games took.
    pub line: Vec<String>,
    /// The position.
    pub position: Position,
    /// The opponent's score in all games with the position.
    pub score: LineScore,
}

/// A move of the repertoire that no game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetMove {
    /// The moves from the start to the position, in the order that most games took.
    pub line: Vec<String>,
    /// The position before the move.
    pub position: Position,
    /// The move in SAN.
    pub san: String,
    /// `true` for a move of the opponent, who never plays it. `false` for a move that nobody has played against the
    /// opponent.
    pub is_opponents: bool,
    /// The games that have the position.
    pub games: u64,
    /// The number of positions of the repertoire from the move on that no game has.
    pub positions: u64,
}

/// Compares games with a repertoire.
pub(super) struct MeetingReader<'t> {
    pub(super) tree: &'t PositionTree,
    pub(super) games: &'t OpponentGames,
    pub(super) mine: &'t MyMoves,
    pub(super) color: Color,
    pub(super) watch: &'t Watch<'t>,
}

impl MeetingReader<'_> {
    /// Compares the games with the repertoire.
    pub(super) fn read(&self, others: &mut Others<'_>) -> Result<RepertoireMeeting> {
        let mut meeting = RepertoireMeeting {
            positions: self.mine.len() as u64,
            met: self.known_nodes().count() as u64,
            seems_of_other_side: self.mine.seems_of_other_side(),
            games: 0,
            left_by_opponent: 0,
            left_by_others: 0,
            ended: 0,
            beyond: 0,
            gaps: self.read_gaps(others)?,
            ends: self.reached_ends(),
            unmet: self.unmet_moves()?,
        };
        self.count_games(&mut meeting);

        Ok(meeting)
    }

    /// The positions of the repertoire that games have, by their numbers in the tree.
    fn known_nodes(&self) -> impl Iterator<Item = u32> {
        let numbered = (0..).zip(&self.tree.nodes);
        numbered
            .filter(|(_, node)| !node.games.is_empty() && self.mine.contains(node.identity))
            .map(|(number, _)| number)
    }

    /// Counts games by the move at their last position of the repertoire. A game may transpose back, so its first other
    /// move decides nothing.
    fn count_games(&self, meeting: &mut RepertoireMeeting) {
        for (place, game) in (0..).zip(&self.games.list) {
            let path = self.tree.path_of(place);
            let is_known = |&number: &u32| self.mine.contains(self.tree.get(number).identity);
            let Some(last) = path.iter().rposition(is_known) else {
                continue;
            };

            // Every game has the first position. A game that leaves before the first branch of the repertoire has never
            // reached the repertoire.
            let node = self.tree.get(path[last]);
            if last == 0 || self.mine.is_before_branch(node.identity) {
                continue;
            }
            meeting.games += 1;

            // The tree has only the first half-moves of a game. The game may follow the repertoire beyond them.
            let is_end = self.mine.is_end(node.identity);
            let is_left = !is_end && last + 1 < path.len();
            let is_cut = last == MAX_PLIES as usize && game.plies > last as u64;

            let count = if is_left && node.turn() == self.color {
                &mut meeting.left_by_others
            } else if is_left {
                &mut meeting.left_by_opponent
            } else if !is_end && is_cut {
                &mut meeting.beyond
            } else {
                &mut meeting.ended
            };
            *count += 1;
        }
    }

    /// The opponent's moves that the repertoire does not answer.
    fn read_gaps(&self, others: &mut Others<'_>) -> Result<Vec<RepertoireGap>> {
        // Lines and the moves of others take time to read, so they are read for the listed gaps only.
        let mut candidates: Vec<(usize, u32, u16)> = Vec::new();
        for number in self.known_nodes() {
            let node = self.tree.get(number);
            if !self.is_to_answer(node) {
                continue;
            }

            for edge in node.played() {
                let after = self.tree.get(edge.to);
                if !self.mine.contains(after.identity) {
                    candidates.push((edge.games.len(), number, edge.code));
                }
            }
        }
        candidates.sort_by_key(|&(games, number, code)| (Reverse(games), number, code));
        candidates.truncate(MAX_ROWS);

        let mut gaps = Vec::with_capacity(candidates.len());
        for (_, number, code) in candidates {
            self.watch.check()?;
            gaps.extend(self.read_gap(number, code, others)?);
        }
        Ok(gaps)
    }

    /// `true` if the opponent is to move, and the repertoire should have an answer to each move. The repertoire needs
    /// no answer before its first branch and at the ends of its lines.
    fn is_to_answer(&self, node: &Node) -> bool {
        let is_opponents_turn = node.turn() != self.color;
        let is_behind_end = self.mine.is_end(node.identity);
        let is_before_branch = self.mine.is_before_branch(node.identity);
        is_opponents_turn && !is_behind_end && !is_before_branch
    }

    /// The gap of a move in a position.
    fn read_gap(
        &self,
        number: u32,
        code: u16,
        others: &mut Others<'_>,
    ) -> Result<Option<RepertoireGap>> {
        let node = self.tree.get(number);
        let (line, position) = self.tree.line_to(number);
        let edge = node.moves.iter().find(|edge| edge.code == code);
        let (Some(mv), Some(edge)) = (move_with_code(&position, code), edge) else {
            return Ok(None);
        };

        let count = others.moves(&position, node)?.count(code);
        let mut after = position.clone();
        after.play(mv);

        Ok(Some(RepertoireGap {
            line,
            san: san(&position, mv),
            position,
            after,
            score: LineScore::count(self.games, &edge.games),
            others: count,
        }))
    }

    /// The ends of lines that games reach.
    fn reached_ends(&self) -> Vec<LineEnd> {
        let is_end = |number: &u32| {
            let node = self.tree.get(*number);
            node.ply > 0 && self.mine.is_end(node.identity)
        };
        let mut ends: Vec<u32> = self.known_nodes().filter(is_end).collect();
        ends.sort_by_key(|number| (Reverse(self.tree.get(*number).games.len()), *number));
        ends.truncate(MAX_ROWS);

        let mut listed = Vec::with_capacity(ends.len());
        for number in ends {
            let (line, position) = self.tree.line_to(number);
            listed.push(LineEnd {
                line,
                position,
                score: LineScore::count(self.games, &self.tree.get(number).games),
            });
        }
        listed
    }

    /// The moves of the repertoire that no game has.
    fn unmet_moves(&self) -> Result<Vec<UnmetMove>> {
        let is_met = |identity: Identity| match self.tree.find(identity) {
            Some(number) => !self.tree.get(number).games.is_empty(),
            None => false,
        };

        let mut candidates: Vec<(u64, u32, &KnownMove)> = Vec::new();
        for number in self.known_nodes() {
            let identity = self.tree.get(number).identity;
            for known in self.mine.moves_in(identity).unwrap_or_default() {
                if !known.is_written || is_met(known.to) {
                    continue;
                }

                self.watch.check()?;
                let positions = self.mine.count_unmet(known.to, is_met);
                candidates.push((positions, number, known));
            }
        }

        // The sort is stable: positions that games reach first come first.
        candidates.sort_by_cached_key(|&(positions, number, _)| {
            (Reverse(positions), self.tree.line_plies(number))
        });
        candidates.truncate(MAX_ROWS);

        let mut unmet = Vec::with_capacity(candidates.len());
        for (positions, number, known) in candidates {
            let node = self.tree.get(number);
            let (line, position) = self.tree.line_to(number);
            unmet.push(UnmetMove {
                line,
                position,
                san: known.san.clone(),
                is_opponents: node.turn() != self.color,
                games: node.games.len() as u64,
                positions,
            });
        }
        Ok(unmet)
    }
}
