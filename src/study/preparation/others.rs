//! The moves of all other players in a position, by the counts of the position index.

use std::collections::HashMap;

use super::tree::{Identity, Node, identity};
use crate::board::Position;
use crate::error::Result;
use crate::query::{MoveCount, PositionSearch, joined_moves};
use crate::storage::{Database, InDatabase};

/// The minimum number of other games of a position whose moves can be rare.
const MIN_OTHERS: u64 = 20;
/// A move is rare below this share of other games, in per cent.
const RARE_PER_CENT: u64 = 5;

/// The number of games in which other players played a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OthersCount {
    /// The games in which others played the move.
    pub games: u64,
    /// The games in which others played any move in the position.
    pub all_games: u64,
    /// `true` if others played no other move more often.
    pub is_most_played: bool,
}

/// The way in which a move of the opponent differs from the moves of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// No other player played it, though others had the position.
    New,
    /// Fewer than 5 per cent of at least 20 other games have it.
    Rare,
    /// Another move is played more often by others.
    NotMostPlayed,
}

impl Deviation {
    /// The name of the deviation in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Deviation::New => "new",
            Deviation::Rare => "rare",
            Deviation::NotMostPlayed => "not-most-played",
        }
    }
}

impl OthersCount {
    /// The share of the move among others, in per cent; `None` if others never had the position.
    pub fn per_cent(&self) -> Option<f64> {
        if self.all_games == 0 {
            return None;
        }
        Some(100.0 * self.games as f64 / self.all_games as f64)
    }

    /// The way in which the move differs from the moves of others; `None` if it is their most played move, or nobody
    /// else had the position.
    pub fn deviation(&self) -> Option<Deviation> {
        let is_below_share = self.games * 100 < RARE_PER_CENT * self.all_games;

        if self.all_games == 0 {
            None
        } else if self.games == 0 {
            Some(Deviation::New)
        } else if self.all_games >= MIN_OTHERS && is_below_share {
            Some(Deviation::Rare)
        } else if !self.is_most_played {
            Some(Deviation::NotMostPlayed)
        } else {
            None
        }
    }
}

/// A move of others in a position.
#[derive(Clone, Debug)]
pub(super) struct OtherMove {
    pub(super) code: u16,
    pub(super) san: String,
    /// The number of games in which others played the move.
    pub(super) games: u64,
}

/// The moves of others in one position, the most played first.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherMoves(pub(super) Vec<OtherMove>);

impl OtherMoves {
    /// The moves that were counted in a position, without the opponent's own games.
    fn new(counted: &[MoveCount], node: &Node) -> OtherMoves {
        let mut others = Vec::with_capacity(counted.len());
        for of_move in counted {
            let Some((san, mv)) = &of_move.played else {
                continue;
            };

            // The index counts the opponent's games, too.
            let code = mv.code();
            let edge = node.moves.iter().find(|edge| edge.code == code);
            let own_games = edge.map_or(0, |edge| edge.games.len() as u64);
            let games = of_move.counts.all_games().saturating_sub(own_games);
            if games > 0 {
                let san = san.clone();
                others.push(OtherMove { code, san, games });
            }
        }

        others.sort_by_key(|other| (std::cmp::Reverse(other.games), other.code));
        OtherMoves(others)
    }

    /// The games of all moves.
    pub(super) fn all_games(&self) -> u64 {
        self.0.iter().map(|other| other.games).sum()
    }

    /// The count of a move.
    pub(super) fn count(&self, code: u16) -> OthersCount {
        let of_move = self.0.iter().find(|other| other.code == code);
        let games = of_move.map_or(0, |other| other.games);
        let most_games = self.0.first().map_or(0, |other| other.games);

        OthersCount {
            games,
            all_games: self.all_games(),
            is_most_played: games == most_games,
        }
    }
}

/// The moves of others in all databases. Each position is looked up once.
pub(super) struct Others<'d> {
    databases: Vec<(&'d Database, PositionSearch)>,
    /// The moves in the positions that were looked up.
    by_position: HashMap<Identity, OtherMoves, foldhash::fast::RandomState>,
}

impl<'d> Others<'d> {
    pub(super) fn new(databases: &[&'d Database]) -> Result<Others<'d>> {
        let mut searched = Vec::with_capacity(databases.len());
        for &database in databases {
            let search = PositionSearch::new(&database.connection);
            searched.push((database, search.in_database(database)?));
        }
        Ok(Others {
            databases: searched,
            by_position: HashMap::default(),
        })
    }

    /// The moves of others in a position of the tree.
    pub(super) fn moves(&mut self, position: &Position, node: &Node) -> Result<&OtherMoves> {
        // Lines and gaps of a repertoire share many positions, so moves are kept.
        let identity = identity(position);
        if !self.by_position.contains_key(&identity) {
            let mut of_databases = Vec::with_capacity(self.databases.len());
            for (database, search) in &self.databases {
                let positions = std::slice::from_ref(position);
                let counted = search.moves(&database.connection, positions);
                of_databases.push(counted.in_database(database)?);
            }

            let counted = joined_moves(position, of_databases);
            self.by_position
                .insert(identity, OtherMoves::new(&counted, node));
        }
        Ok(self.by_position.entry(identity).or_default())
    }

    /// The positions that were looked up, each with its moves.
    pub(super) fn looked_up(&self) -> impl Iterator<Item = (Identity, &OtherMoves)> {
        self.by_position
            .iter()
            .map(|(identity, moves)| (*identity, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! deviations {
        ($($name:ident: $games:expr, $of:expr, $is_most:expr => $deviation:expr;)*) => {$(
            #[test]
            fn $name() {
                let count = OthersCount { games: $games, all_games: $of, is_most_played: $is_most };
                assert_eq!(count.deviation(), $deviation);
            }
        )*};
    }

    deviations! {
        of_nobody: 0, 0, true => None;
        new: 0, 1, false => Some(Deviation::New);
        rare: 4, 100, false => Some(Deviation::Rare);
        at_five_per_cent: 5, 100, false => Some(Deviation::NotMostPlayed);
        among_few: 0, 19, false => Some(Deviation::New);
        rare_among_few: 1, 19, false => Some(Deviation::NotMostPlayed);
        most_played: 60, 100, true => None;
    }
}
