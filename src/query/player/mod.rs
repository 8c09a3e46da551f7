//! The record of a player: in total, by colour, opening, opponent and year.
//!
//! [`PlayerRecord::read`] answers a [`PlayerQuery`].

// All counts come from the column store. Names are looked up last, for the rows returned.

mod families;
mod joined;
mod ranked;
mod score;
mod tally;

pub use families::OpeningFamily;
pub use ranked::Ranked;
pub(crate) use score::SideOfGame;
pub use score::{PlayerAccuracy, PlayerScore};

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use super::persons::{Person, Persons};
use super::spellings::Spellings;
use super::{Filter, NameQuery, Selection, Watch};
use crate::board::Color;
use crate::columns::{Column, NameKind, eco_text};
use crate::error::Result;
use crate::storage::{Database, GameId, InDatabase};
use crate::store_fault::StoreResult;
use families::families;
use tally::{Sides, Tally};

/// Which games [`PlayerRecord::read`] counts. To get the games themselves, use a [`Filter`] with `players`.
#[derive(Clone, Debug)]
pub struct PlayerQuery {
    /// The player; a game in which both names match counts for each of them, unless they are one player.
    pub player: NameQuery,
    /// The opponent, if only games against one are wanted.
    pub opponent: Option<NameQuery>,
    /// Further conditions on the games.
    pub filter: Filter,
    /// The most rows of each list.
    pub limit: usize,
}

impl PlayerQuery {
    /// The filter with the names of both players added.
    pub fn filter_with_names(&self) -> Filter {
        let mut filter = self.filter.clone();
        filter.players.push(self.player.clone());
        filter.players.extend(self.opponent.clone());
        filter
    }
}

/// The counts of a player's games.
///
/// Of several players whose names match, one is counted: of those whose name fits best, the one with the most games.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRecord {
    /// All games.
    pub total: PlayerScore,
    /// The games with White and those with Black.
    pub colors: [(Color, PlayerScore); 2],
    /// The accuracy, as far as games have evaluations.
    pub accuracy: PlayerAccuracy,
    /// The canonical names of the players, the most frequent first.
    pub names: Ranked<String>,
    /// The spellings of the name, the most frequent first.
    pub spellings: Ranked<String>,
    /// The spellings among them that have no full given name, and may be another player's in some games, with their games
    /// in the database.
    pub by_initials: Vec<(String, u64)>,
    /// The other players whose names match, with their games in the database, the most frequent first. None of these
    /// games is counted.
    pub others: Vec<(String, u64)>,
    /// The ECO codes with each colour, the most played first; games without a code are not listed.
    pub openings: [(Color, Ranked<String>); 2],
    /// The families of openings that the moves lead to, with each colour, the most played first; with the number of all
    /// families.
    pub families: [(Color, Vec<OpeningFamily>, usize); 2],
    /// The opening that most of the games with each of these ECO codes lead to, where one has a name.
    pub opening_names: BTreeMap<String, String>,
    /// The opponents by their canonical names, the most frequent first.
    pub opponents: Ranked<String>,
    /// The years, the latest first; games without a year are not listed.
    pub years: Ranked<u16>,
    /// The games against the opponent of the query, the latest first, with the player's colour.
    pub latest: Ranked<(GameId, Color)>,
    /// The number of games that name one player for both sides; they count nowhere else.
    pub against_self: u64,
    /// All openings by their finest names with each colour, of which the families are made.
    named_openings: [Ranked<String>; 2],
    /// The games of each ECO code that lead to an opening, of which the names are chosen.
    opening_games: BTreeMap<(String, String), u64>,
}

impl PlayerRecord {
    /// Counts the games of a player.
    ///
    /// # Errors
    /// When the database cannot be read, the filter's condition is not valid SQL, or the watch cancels the query.
    pub fn read(
        database: &Database,
        query: &PlayerQuery,
        watch: &Watch<'_>,
    ) -> Result<PlayerRecord> {
        let mut selection = Selection::new(database, &query.filter_with_names())?;
        selection.settle(watch)?;

        let persons = Persons::read(database, &query.player, watch)?;
        let opponents = match &query.opponent {
            Some(name) => Some(Persons::read(database, name, watch)?),
            None => None,
        };

        let connection = &database.connection;
        let read = || -> StoreResult<PlayerRecord> {
            let sides = sides(&selection, &persons, opponents)?;
            let mut spellings = Spellings::new(connection, NameKind::Player)?;
            let tally = Tally::count(&selection, &sides, &mut spellings)?;
            Ok(PlayerRecord::new(connection, tally, &persons, query.limit)?)
        };
        read().in_database(database)
    }

    fn new(
        connection: &Connection,
        tally: Tally,
        persons: &Persons,
        limit: usize,
    ) -> rusqlite::Result<PlayerRecord> {
        let name = |number: u64| name_of(connection, NameKind::Player, number);
        let mut players = Spellings::new(connection, NameKind::Player)?;
        let names = tally
            .spellings
            .clone()
            .joined(|number| players.number(number))?;
        let opponents = tally.opponents.joined(|number| players.number(number))?;
        let canonical = |number: u64| players.name(number);
        let eco = |code: u16| Ok(eco_text(code).unwrap_or_default());
        let opening_names = opening_names(connection, &tally.opening_names)?;
        let opening = |number: u64| name_of(connection, NameKind::Opening, number);
        let [white_openings, black_openings] = tally
            .named_openings
            .map(|openings| openings.most_played(usize::MAX).try_map(opening));
        let named_openings = [white_openings?, black_openings?];
        let (white_families, all_of_white) = families(&named_openings[0], limit);
        let (black_families, all_of_black) = families(&named_openings[1], limit);
        let mut opening_games = BTreeMap::new();
        for (&(code, number), &games) in &tally.opening_names {
            opening_games.insert(
                (eco_text(code).unwrap_or_default(), opening(number)?),
                games,
            );
        }
        let [white, black] = tally.openings.map(|openings| openings.most_played(limit));
        Ok(PlayerRecord {
            total: tally.total,
            colors: [
                (Color::White, tally.colors[0]),
                (Color::Black, tally.colors[1]),
            ],
            accuracy: tally.accuracy,
            names: names.most_played(limit).try_map(canonical)?,
            spellings: tally.spellings.most_played(limit).try_map(name)?,
            by_initials: persons.meant.by_initials.clone(),
            others: persons.others_with_games(),
            openings: [
                (Color::White, white.try_map(eco)?),
                (Color::Black, black.try_map(eco)?),
            ],
            families: [
                (Color::White, white_families, all_of_white),
                (Color::Black, black_families, all_of_black),
            ],
            opening_names,
            opponents: opponents.most_played(limit).try_map(canonical)?,
            years: tally.years.latest(limit),
            latest: tally::latest(tally.games, limit),
            against_self: tally.against_self,
            named_openings,
            opening_games,
        })
    }
}

fn sides(
    selection: &Selection<'_>,
    persons: &Persons,
    opponents: Option<Persons>,
) -> StoreResult<Sides> {
    let players = persons.meant.numbers.clone();
    let Some(opponents) = opponents else {
        return Ok(Sides {
            players,
            opponents: None,
        });
    };

    if opponents.others.is_empty() {
        return Ok(Sides {
            players,
            opponents: Some(opponents.meant.numbers),
        });
    }

    // Of several opponents whose names match, the one whom the player met most often.
    let mut met: BTreeMap<u64, u64> = BTreeMap::new();
    let games = selection.candidates().iter();
    selection.column_store().each(
        games,
        [Column::White, Column::Black],
        |_, [white, black]| {
            for (own, opponent) in [(white, black), (black, white)] {
                if players.contains(&own) && !players.contains(&opponent) {
                    *met.entry(opponent).or_default() += 1;
                }
            }
        },
    )?;

    let games_with = |person: &Person| -> u64 {
        person
            .numbers
            .iter()
            .filter_map(|number| met.get(number))
            .sum()
    };
    let mut opponent = opponents.meant;
    for other in opponents.others {
        if games_with(&other) > games_with(&opponent) {
            opponent = other;
        }
    }
    Ok(Sides {
        players,
        opponents: Some(opponent.numbers),
    })
}

/// The most frequent opening of each ECO code.
fn opening_names(
    connection: &Connection,
    games: &BTreeMap<(u16, u64), u64>,
) -> rusqlite::Result<BTreeMap<String, String>> {
    let mut most: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    for (&(eco, opening), &games) in games {
        let (of_most, number) = most.entry(eco).or_default();
        if games > *of_most {
            (*of_most, *number) = (games, opening);
        }
    }
    let name = |(eco, (_, number))| {
        let name = name_of(connection, NameKind::Opening, number)?;
        Ok((eco_text(eco).unwrap_or_default(), name))
    };
    most.into_iter().map(name).collect()
}

pub(crate) fn name_of(
    connection: &Connection,
    kind: NameKind,
    number: u64,
) -> rusqlite::Result<String> {
    let sql = format!("SELECT name FROM {} WHERE id = ?1", kind.table());
    let mut select = connection.prepare_cached(&sql)?;
    let name = select
        .query_row([number.cast_signed()], |row| row.get(0))
        .optional()?;
    Ok(name.unwrap_or_default())
}
