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

/// The most games of a sample.
const MOST_GAMES: u64 = 2_000;

/// The position in which an opening begins.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningRoot {
    /// The position.
    pub position: Position,
    /// The moves to it in a game of the fewest.
    pub line: Vec<String>,
    /// The code and the name of the position, if it has them.
    pub opening: Option<(String, String)>,
    /// The number of games of the sample that reach it first of all positions of the opening.
    pub games: u64,
}

/// Games of an opening, equally far from each other in the order of the databases and of their numbers.
pub(super) struct Sample {
    /// The games that begin at the usual start.
    pub(super) games: Vec<PlayedGame>,
    pub(super) root: Option<OpeningRoot>,
}

impl Sample {
    /// Reads a sample of all databases. The names of openings are those of the first.
    pub(super) fn read(chosen: &[Chosen<'_>], subject: &OpeningSubject) -> Result<Sample> {
        let all: u64 = chosen.iter().map(|one| one.games().len()).sum();
        let step = all.div_ceil(MOST_GAMES).max(1) as usize;
        let numbered = chosen
            .iter()
            .flat_map(|one| one.games().iter().map(move |game| (one, game)));
        let mut games = Vec::new();
        for (of_database, game) in numbered.step_by(step) {
            let connection = of_database.connection;
            let read = PlayedGame::read(connection, game, IndexedLines::Mainline);
            let played = read.in_database(of_database.database)?;
            games.extend(played.filter(|played| played.fen.is_none()));
        }

        let first = &chosen[0];
        let table = first.database.openings()?;
        let beginning = Beginning::new(subject, &table).in_database(first.database)?;
        let root = root(&games, &beginning, &table);
        Ok(Sample { games, root })
    }
}

/// What tells the first position of an opening.
enum Beginning<'s> {
    Named(HashSet<OpeningId>),
    Positions(&'s [Position]),
}

impl<'s> Beginning<'s> {
    /// Names are those of the table: that of the first position may be the name of no game.
    fn new(subject: &'s OpeningSubject, table: &Openings) -> rusqlite::Result<Beginning<'s>> {
        let ids = || (0..).map(OpeningId).zip(table.iter());
        match subject {
            OpeningSubject::Positions(positions) => Ok(Beginning::Positions(positions)),
            OpeningSubject::Eco(range) => {
                let coded = ids().filter(|(_, opening)| range.has(eco_code(opening.eco)));
                Ok(Beginning::Named(coded.map(|(id, _)| id).collect()))
            }
            OpeningSubject::Named(name) => {
                let matcher = NameMatcher::new(NameKind::Opening, &name.text, name.is_exact)?;
                let named = ids().filter(|(_, opening)| matcher.matches(opening.name));
                Ok(Beginning::Named(named.map(|(id, _)| id).collect()))
            }
        }
    }

    fn is(&self, position: &Position, key: PositionKey, table: &Openings) -> bool {
        match self {
            Beginning::Named(ids) => table.at(key).is_some_and(|id| ids.contains(&id)),
            Beginning::Positions(positions) => positions.contains(position),
        }
    }
}

/// The position that most games reach first of all that begin the opening.
fn root(games: &[PlayedGame], first: &Beginning<'_>, table: &Openings) -> Option<OpeningRoot> {
    let mut found: HashMap<PositionKey, OpeningRoot> = HashMap::new();
    for game in games {
        let Some(mut line) = game.mainline() else {
            continue;
        };
        loop {
            let key = PositionKey::new(line.position(), Variant::Standard);
            if first.is(line.position(), key, table) {
                let moves = game
                    .moves
                    .split_ascii_whitespace()
                    .take(line.ply().get() as usize);
                let root = found.entry(key).or_insert_with(|| OpeningRoot {
                    position: line.position().clone(),
                    line: moves.clone().map(str::to_owned).collect(),
                    opening: None,
                    games: 0,
                });
                root.games += 1;
                if root.line.len() > line.ply().get() as usize {
                    root.line = moves.map(str::to_owned).collect();
                }
                break;
            }
            match line.step() {
                Some((_, mv)) => line.play(mv),
                None => break,
            }
        }
    }
    let roots = found.into_iter();
    let (key, mut root) =
        roots.min_by_key(|(key, root)| (Reverse(root.games), root.line.len(), key.0))?;
    let opening = table.at(key).map(|id| table.get(id));
    root.opening = opening.map(|opening| (opening.eco.to_owned(), opening.name.to_owned()));
    Some(root)
}
