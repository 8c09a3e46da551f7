//! A sample of an opening's games, and the position in which the opening begins.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::chosen::Chosen;
use super::subject::OpeningSubject;
use crate::board::Position;
use crate::columns::{NameKind, NameMatcher, eco_code};
use crate::error::Result;
use crate::game::Variant;
use crate::openings::{OpeningId, Openings};
use crate::replay::PositionKey;
use crate::storage::{InDatabase, IndexedLines, PlayedGame};

/// The maximum number of games of a sample.
const MAX_GAMES: u64 = 2_000;

/// The position in which an opening begins.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningRoot {
    /// The position.
    pub position: Position,
    /// The moves to it in a game that reaches it after the fewest half-moves.
    pub line: Vec<String>,
    /// The code and the name of the position, if it has them.
    pub opening: Option<(String, String)>,
    /// The number of games of the sample that reach it first of all positions of the opening.
    pub games: u64,
}

/// Games of an opening, at equal distances in the order of the databases and of the games' numbers.
pub(super) struct Sample {
    /// The games that begin at the standard position.
    pub(super) games: Vec<PlayedGame>,
    pub(super) root: Option<OpeningRoot>,
}

impl Sample {
    /// Reads a sample of all databases, of which there is at least one. Names of openings are looked up in the first
    /// database.
    pub(super) fn read(chosen: &[Chosen<'_>], subject: &OpeningSubject) -> Result<Sample> {
        let all: u64 = chosen.iter().map(|one| one.games().len()).sum();
        let distance = all.div_ceil(MAX_GAMES).max(1) as usize;
        let games_of_all = chosen.iter().flat_map(|of_database| {
            let games = of_database.games().iter();
            games.map(move |game| (of_database, game))
        });

        let mut games = Vec::new();
        for (of_database, game) in games_of_all.step_by(distance) {
            let connection = of_database.connection;
            let read = PlayedGame::read(connection, game, IndexedLines::Mainline);
            let played = read.in_database(of_database.database)?;

            // The moves before the FEN of a game are unknown, so its half-moves do not count from the standard
            // position.
            games.extend(played.filter(|played| played.fen.is_none()));
        }

        let database = chosen[0].database;
        let table = database.openings()?;
        let beginning = Beginning::new(subject, &table).in_database(database)?;
        let root = find_root(&games, &beginning, &table);
        Ok(Sample { games, root })
    }
}

/// The condition for the first position of an opening.
enum Beginning<'s> {
    Named(HashSet<OpeningId>),
    Positions(&'s [Position]),
}

impl<'s> Beginning<'s> {
    /// Names are looked up in the table of openings, since no game may have the name of the first position.
    fn new(subject: &'s OpeningSubject, table: &Openings) -> rusqlite::Result<Beginning<'s>> {
        let numbered = (0..).map(OpeningId).zip(table.iter());
        let mut ids = HashSet::new();

        match subject {
            OpeningSubject::Positions(positions) => return Ok(Beginning::Positions(positions)),
            OpeningSubject::Eco(range) => {
                for (id, opening) in numbered {
                    if range.has(eco_code(opening.eco)) {
                        ids.insert(id);
                    }
                }
            }
            OpeningSubject::Named(name) => {
                let matcher = NameMatcher::new(NameKind::Opening, &name.text, name.is_exact)?;
                for (id, opening) in numbered {
                    if matcher.matches(opening.name) {
                        ids.insert(id);
                    }
                }
            }
        }

        Ok(Beginning::Named(ids))
    }

    /// `true` if the opening begins in a position.
    fn holds(&self, position: &Position, key: PositionKey, table: &Openings) -> bool {
        match self {
            Beginning::Named(ids) => table.at(key).is_some_and(|id| ids.contains(&id)),
            Beginning::Positions(positions) => positions.contains(position),
        }
    }
}

/// The position in which most games enter the opening.
fn find_root(games: &[PlayedGame], first: &Beginning<'_>, table: &Openings) -> Option<OpeningRoot> {
    let mut roots: HashMap<PositionKey, OpeningRoot> = HashMap::new();
    for game in games {
        let Some(entry) = first_position(game, first, table) else {
            continue;
        };

        let root = roots.entry(entry.key).or_insert_with(|| OpeningRoot {
            position: entry.position,
            line: first_moves(game, entry.plies),
            opening: None,
            games: 0,
        });
        root.games += 1;

        // The shortest order of moves is shown.
        if root.line.len() > entry.plies {
            root.line = first_moves(game, entry.plies);
        }
    }

    // The key decides between equal roots, so the result does not depend on the order of the hash table.
    let (key, mut root) = roots
        .into_iter()
        .min_by_key(|(key, root)| (Reverse(root.games), root.line.len(), key.0))?;

    let opening = table.at(key).map(|id| table.get(id));
    root.opening = opening.map(|opening| (opening.eco.to_owned(), opening.name.to_owned()));
    Some(root)
}

/// The first position of a game in an opening.
struct FirstPosition {
    key: PositionKey,
    position: Position,
    /// The number of half-moves before the position.
    plies: usize,
}

/// The first position of a game in which the opening begins; `None` if the game has no such position.
fn first_position(
    game: &PlayedGame,
    first: &Beginning<'_>,
    table: &Openings,
) -> Option<FirstPosition> {
    let mut line = game.mainline()?;
    loop {
        let position = line.position();
        let key = PositionKey::new(position, Variant::Standard);
        if first.holds(position, key, table) {
            return Some(FirstPosition {
                key,
                position: position.clone(),
                plies: line.ply().get() as usize,
            });
        }

        let (_, mv) = line.step()?;
        line.play(mv);
    }
}

/// The first moves of a game in SAN, at most `plies`.
fn first_moves(game: &PlayedGame, plies: usize) -> Vec<String> {
    let moves = game.moves.split_ascii_whitespace();
    moves.take(plies).map(str::to_owned).collect()
}
