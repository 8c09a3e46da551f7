//! The games of an opening to look at first.

use std::cmp::Reverse;

use super::chosen::Chosen;
use crate::columns::{Column, GameFlags};
use crate::error::Result;
use crate::pgn::Termination;
use crate::query::GameOfDatabase;
use crate::storage::{Database, Heading, InDatabase};

/// A game to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGame {
    /// The game.
    pub game: GameOfDatabase,
    /// The heading of the game.
    pub heading: Heading,
    /// The reason why the game is listed.
    pub reason: KeyGameReason,
}

/// The reason why a game is worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyGameReason {
    /// The game has one of the highest mean ratings.
    Rating,
    /// The game has one of the highest mean ratings of all decisive games.
    Decisive,
    /// The game is one of the latest games.
    Recent,
}

/// The numbers of games listed for each reason.
const LISTED: [(KeyGameReason, usize); 3] = [
    (KeyGameReason::Rating, 4),
    (KeyGameReason::Decisive, 3),
    (KeyGameReason::Recent, 3),
];

/// A game with the values by which it is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    pub(super) game: GameOfDatabase,
    /// The sum of both ratings, 0 without both.
    rating: u64,
    /// The code of its date, 0 without one.
    date: u64,
    is_decisive: bool,
    /// `true` if a program plays.
    has_engine: bool,
}

/// The first candidates for a reason. A game that is already chosen is skipped, so each game is listed for its first
/// reason.
fn choose<'s>(
    candidates: impl Iterator<Item = &'s Strength>,
    reason: KeyGameReason,
    max_games: usize,
    chosen: &[(GameOfDatabase, KeyGameReason)],
) -> Vec<GameOfDatabase> {
    let mut games = Vec::with_capacity(max_games);
    for candidate in candidates {
        if games.len() == max_games {
            break;
        }

        let is_chosen = chosen.iter().any(|(game, _)| *game == candidate.game);
        if candidate.has(reason) && !is_chosen {
            games.push(candidate.game);
        }
    }
    games
}

impl Strength {
    /// `true` if the game can be listed for a reason.
    fn has(&self, reason: KeyGameReason) -> bool {
        match reason {
            KeyGameReason::Rating => self.rating > 0,
            KeyGameReason::Decisive => self.rating > 0 && self.is_decisive,
            KeyGameReason::Recent => self.date > 0,
        }
    }
}

/// All games of the opening, the highest ratings first, and for equal ratings the latest game first. Games in which
/// programs play are left out, unless there are no others.
pub(super) fn strongest(chosen: &[Chosen<'_>]) -> Result<Vec<Strength>> {
    let mut games: Vec<Strength> = Vec::new();
    let columns = [
        Column::WhiteElo,
        Column::BlackElo,
        Column::Date,
        Column::GameFlags,
    ];
    for (database, of_database) in chosen.iter().enumerate() {
        let store = of_database.store();
        let read = store.each_of(of_database.games(), columns, |game, values| {
            let [white, black, date, flag_bits] = values;
            let flags = GameFlags::from_value(flag_bits);

            // The number 0 denotes a missing rating. Sums of two ratings have the order of their means.
            let has_ratings = white > 0 && black > 0;
            let rating = if has_ratings {
                white.saturating_add(black)
            } else {
                0
            };
            let is_decisive = matches!(
                flags.result(),
                Termination::WhiteWins | Termination::BlackWins
            );

            games.push(Strength {
                game: GameOfDatabase { database, game },
                rating,
                date,
                is_decisive,
                has_engine: flags.has_engine(),
            });
        });
        read.in_database(of_database.database)?;
    }

    if games.iter().any(|strength| !strength.has_engine) {
        games.retain(|strength| !strength.has_engine);
    }
    games.sort_unstable_by_key(|strength| {
        (Reverse((strength.rating, strength.date)), strength.game)
    });
    Ok(games)
}

/// Chooses games for each reason, from the strongest on, and reads their headings.
pub(super) fn read(databases: &[&Database], strongest: &[Strength]) -> Result<Vec<KeyGame>> {
    let mut latest: Vec<&Strength> = strongest.iter().collect();
    latest.sort_unstable_by_key(|strength| {
        (Reverse((strength.date, strength.rating)), strength.game)
    });

    let mut chosen: Vec<(GameOfDatabase, KeyGameReason)> = Vec::new();
    for (reason, max_games) in LISTED {
        let games = match reason {
            KeyGameReason::Rating | KeyGameReason::Decisive => {
                choose(strongest.iter(), reason, max_games, &chosen)
            }
            KeyGameReason::Recent => choose(latest.iter().copied(), reason, max_games, &chosen),
        };
        for game in games {
            chosen.push((game, reason));
        }
    }

    let mut games = Vec::with_capacity(chosen.len());
    for (game, reason) in chosen {
        let heading = databases[game.database].heading(game.game)?;
        games.push(KeyGame {
            game,
            heading: heading.unwrap_or_default(),
            reason,
        });
    }
    Ok(games)
}
