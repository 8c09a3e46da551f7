//! The request of a preparation: an opponent, a colour, and limits.

use crate::board::Color;
use crate::game::Ply;
use crate::query::{Filter, NameQuery};
use crate::study::repertoire::Repertoire;

/// By default, the maximum number of half-moves of the tree's lines.
const DEFAULT_MAX_PLY: Ply = Ply::new(24);
/// By default, the years before the opponent's last game in which games are recent.
const DEFAULT_RECENT_YEARS: u16 = 2;
/// By default, the number of games to look at.
const DEFAULT_GAMES_TO_STUDY: usize = 10;

/// The request of a preparation.
#[derive(Clone, Debug)]
pub struct PreparationQuery {
    /// The name of the opponent.
    pub player: NameQuery,
    /// The colour to play against the opponent, who has the other colour.
    pub color: Color,
    /// Further conditions on the opponent's games.
    pub filter: Filter,
    /// The maximum number of half-moves of the tree's lines.
    pub max_ply: Ply,
    /// The minimum number of games of a move in the tree. It defaults to a fiftieth of all games, but at least two.
    pub min_games: Option<u64>,
    /// The years before the opponent's last game in which games are recent.
    pub recent_years: u16,
    /// The number of games to look at.
    pub games_to_study: usize,
    /// The repertoire to which the tree is cut, if any: a repertoire for the colour to play.
    pub repertoire: Option<Repertoire>,
}

impl PreparationQuery {
    /// The query for an opponent, with the default limits.
    pub fn new(player: NameQuery, color: Color) -> PreparationQuery {
        PreparationQuery {
            player,
            color,
            filter: Filter::default(),
            max_ply: DEFAULT_MAX_PLY,
            min_games: None,
            recent_years: DEFAULT_RECENT_YEARS,
            games_to_study: DEFAULT_GAMES_TO_STUDY,
            repertoire: None,
        }
    }

    /// The filter with the name of the opponent added.
    pub fn filter_with_name(&self) -> Filter {
        self.filter_with(&self.player)
    }

    /// The filter with a name of the opponent added. Databases may know the opponent by different names.
    pub(super) fn filter_with(&self, player: &NameQuery) -> Filter {
        let mut filter = self.filter.clone();
        filter.players.push(player.clone());
        filter
    }
}
