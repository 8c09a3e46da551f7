//! Where the opponent's games meet a repertoire, where they leave it, and what they never met.

use std::cmp::Reverse;

use super::games::OpponentGames;
use super::my_moves::{KnownMove, MyMoves};
use super::others::{Others, OthersCount};
use super::score::LineScore;
use super::tree::{MOST_PLIES, PositionTree, move_of};
use crate::board::{Color, Position};
use crate::error::Result;
use crate::notation::san;
use crate::query::Watch;

/// The most lines of each list.
const MOST_LINES: usize = 20;

/// The opponent's games beside a repertoire.
#[derive(Clone, Debug, PartialEq)]
pub struct RepertoireMeeting {
    /// The number of positions of the repertoire.
    pub positions: u64,
    /// The number of them that the opponent's games have.
    pub met: u64,
    /// Whether the moves of the repertoire show that it is for the other side.
    pub seems_of_other_side: bool,
    /// The number of games with a position of the repertoire after their first move and, if all its lines share their
    /// first moves, behind these.
    pub games: u64,
    /// The games that leave the repertoire by a move of the opponent, in the last of their positions that it has.
    pub left_by_opponent: u64,
    /// Those that leave it by a move of the other player.
    pub left_by_others: u64,
    /// Those for which that position is the end of a line, or in which the game ends.
    pub ended: u64,
    /// Those that still follow it after 60 half-moves, where the look at games ends.
    pub beyond: u64,
    /// The opponent's moves that the repertoire does not answer, the most played first.
    pub gaps: Vec<RepertoireGap>,
    /// The ends of lines that games reach, those of the most games first.
    pub ends: Vec<LineEnd>,
    /// The moves of the repertoire that no game has in positions that games have, those before the most positions
    /// first.
    pub unmet: Vec<UnmetMove>,
}

/// A move of the opponent in a position of the repertoire that it does not answer.
///
/// A [`Departure`](crate::study::repertoire::Departure) is of whoever moves, and has the games that leave there for good; this one
/// has all games of the opponent with the move.
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
    /// How often others played it.
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
    /// Whether it is a move of the opponent, which the opponent never plays; otherwise nobody has tried it.
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
    pub(super) fn read(&self, others: &mut Others<'_>) -> Result<RepertoireMeeting> {
        let met = self.known_nodes().count() as u64;
        let mut meeting = RepertoireMeeting {
            positions: self.mine.len() as u64,
            met,
            seems_of_other_side: self.mine.seems_of_other_side(),
            games: 0,
            left_by_opponent: 0,
            left_by_others: 0,
            ended: 0,
            beyond: 0,
            gaps: self.gaps(others)?,
            ends: self.ends(),
            unmet: self.unmet()?,
        };
        self.count_games(&mut meeting);
        Ok(meeting)
    }

    /// The positions of the repertoire that games have.
    fn known_nodes(&self) -> impl Iterator<Item = u32> {
        let numbered = (0..).zip(&self.tree.nodes);
        let known =
            numbered.filter(|(_, node)| !node.games.is_empty() && self.mine.has(node.identity));
        known.map(|(number, _)| number)
    }

    /// Counts games by what follows the last of their positions that the repertoire has.
    fn count_games(&self, meeting: &mut RepertoireMeeting) {
        for (place, game) in (0..).zip(&self.games.list) {
            let path = self.tree.path_of(place);
            let is_known = |&number: &u32| self.mine.has(self.tree.get(number).identity);
            let is_on_way = |last: usize| self.mine.is_on_way(self.tree.get(path[last]).identity);
            let last = path.iter().rposition(is_known);
            let last = last.filter(|&last| last > 0 && !is_on_way(last));
            let Some(last) = last else { continue };
            let node = self.tree.get(path[last]);
            let is_end = self.mine.is_end(node.identity);
            let goes_on = last + 1 < path.len();
            meeting.games += 1;
            *match (is_end, goes_on, node.turn() == self.color) {
                (false, true, false) => &mut meeting.left_by_opponent,
                (false, true, true) => &mut meeting.left_by_others,
                (false, false, _) if last == MOST_PLIES as usize && game.plies > last as u64 => {
                    &mut meeting.beyond
                }
                _ => &mut meeting.ended,
            } += 1;
        }
    }

    fn gaps(&self, others: &mut Others<'_>) -> Result<Vec<RepertoireGap>> {
        let mut found: Vec<(usize, u32, u16)> = Vec::new();
        for number in self.known_nodes() {
            let node = self.tree.get(number);
            if node.turn() == self.color
                || self.mine.is_end(node.identity)
                || self.mine.is_on_way(node.identity)
            {
                continue;
            }
            let left = node
                .played()
                .into_iter()
                .filter(|edge| !self.mine.has(self.tree.get(edge.to).identity));
            found.extend(left.map(|edge| (edge.games.len(), number, edge.code)));
        }
        found.sort_by_key(|&(games, number, code)| (Reverse(games), number, code));
        found.truncate(MOST_LINES);
        let mut gaps = Vec::with_capacity(found.len());
        for (_, number, code) in found {
            self.watch.check()?;
            let node = self.tree.get(number);
            let (line, position) = self.tree.line_to(number);
            let edge = node.moves.iter().find(|edge| edge.code == code);
            let (Some(mv), Some(edge)) = (move_of(&position, code), edge) else {
                continue;
            };
            let others = others.moves(&position, node)?.count(code);
            let mut after = position.clone();
            after.play(mv);
            let san = san(&position, mv);
            let score = LineScore::of(self.games, &edge.games);
            gaps.push(RepertoireGap {
                line,
                position,
                after,
                san,
                score,
                others,
            });
        }
        Ok(gaps)
    }

    fn ends(&self) -> Vec<LineEnd> {
        let is_end = |number: &u32| {
            let node = self.tree.get(*number);
            node.ply > 0 && self.mine.is_end(node.identity)
        };
        let mut found: Vec<u32> = self.known_nodes().filter(is_end).collect();
        found.sort_by_key(|number| (Reverse(self.tree.get(*number).games.len()), *number));
        let end = |number: u32| {
            let (line, position) = self.tree.line_to(number);
            LineEnd {
                line,
                position,
                score: LineScore::of(self.games, &self.tree.get(number).games),
            }
        };
        found.into_iter().take(MOST_LINES).map(end).collect()
    }

    fn unmet(&self) -> Result<Vec<UnmetMove>> {
        let is_met = |identity| {
            self.tree
                .find(identity)
                .is_some_and(|number| !self.tree.get(number).games.is_empty())
        };
        let mut found: Vec<(u64, u32, &KnownMove)> = Vec::new();
        for number in self.known_nodes() {
            let moves = self
                .mine
                .of(self.tree.get(number).identity)
                .unwrap_or_default();
            for known in moves
                .iter()
                .filter(|known| known.is_written && !is_met(known.to))
            {
                self.watch.check()?;
                found.push((self.mine.count_unmet(known.to, is_met), number, known));
            }
        }
        // The sort is stable: positions that games reach first come first.
        found.sort_by_cached_key(|&(positions, number, _)| {
            (Reverse(positions), self.tree.line_plies(number))
        });
        let unmet = |&(positions, number, known): &(u64, u32, &KnownMove)| {
            let node = self.tree.get(number);
            let (line, position) = self.tree.line_to(number);
            UnmetMove {
                line,
                position,
                san: known.san.clone(),
                is_opponents: node.turn() != self.color,
                games: node.games.len() as u64,
                positions,
            }
        };
        Ok(found.iter().take(MOST_LINES).map(unmet).collect())
    }
}
