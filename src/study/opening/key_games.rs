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
    /// Its heading.
    pub heading: Heading,
    /// Why it is listed.
    pub reason: KeyGameReason,
}

/// Why a game is worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyGameReason {
    /// The highest mean rating.
    Rating,
    /// The highest mean rating of the games that are won.
    Decisive,
    /// The latest.
    Recent,
}

/// The numbers of games listed for each reason.
const LISTED: [(KeyGameReason, usize); 3] = [
    (KeyGameReason::Rating, 4),
    (KeyGameReason::Decisive, 3),
    (KeyGameReason::Recent, 3),
];

/// A game with what it is chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    pub(super) game: GameOfDatabase,
    /// The sum of both ratings, 0 without both.
    rating: u64,
    /// The code of its date, 0 without one.
    date: u64,
    is_decisive: bool,
    /// Whether a program plays.
    has_engine: bool,
}

/// All games of the opening, those with the highest ratings first, and of equal ones the latest. Games in which programs
/// play are left out, unless there are no others.
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
            let [white, black, date, flags] = values;
            let rating = if white > 0 && black > 0 {
                white + black
            } else {
                0
            };
            let flags = GameFlags::from_value(flags);
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
    if games.iter().any(|one| !one.has_engine) {
        games.retain(|one| !one.has_engine);
    }
    games.sort_unstable_by_key(|one| (Reverse((one.rating, one.date)), one.game));
    Ok(games)
}

pub(super) fn read(databases: &[&Database], strongest: &[Strength]) -> Result<Vec<KeyGame>> {
    let mut latest: Vec<&Strength> = strongest.iter().filter(|one| one.date > 0).collect();
    latest.sort_unstable_by_key(|one| (Reverse((one.date, one.rating)), one.game));
    let mut chosen: Vec<(GameOfDatabase, KeyGameReason)> = Vec::new();
    for (reason, most) in LISTED {
        let rated = || strongest.iter().filter(|one| one.rating > 0);
        let candidates: Box<dyn Iterator<Item = &Strength>> = match reason {
            KeyGameReason::Rating => Box::new(rated()),
            KeyGameReason::Decisive => Box::new(rated().filter(|one| one.is_decisive)),
            KeyGameReason::Recent => Box::new(latest.iter().copied()),
        };
        let is_new = |one: &&Strength| chosen.iter().all(|(game, _)| *game != one.game);
        let found: Vec<GameOfDatabase> = candidates
            .filter(is_new)
            .take(most)
            .map(|one| one.game)
            .collect();
        chosen.extend(found.into_iter().map(|game| (game, reason)));
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
