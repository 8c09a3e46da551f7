//! The record of a player: in total, by colour, opening, opponent and year.
//!
//! [`PlayerRecord::read`] answers a [`PlayerQuery`].

// All counts come from the column store. Names are looked up last, for the rows that are returned.

mod families;
mod joined;
mod ranked;
mod score;
mod tally;

pub use families::OpeningFamily;
pub(crate) use families::family_of;
pub(crate) use joined::sums;
pub use ranked::Ranked;
pub(crate) use score::SideOfGame;
pub use score::{PlayerAccuracy, PlayerScore};

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use super::canonical_numbers::CanonicalNumbers;
use super::persons::{Person, Persons};
use super::{Filter, NameNumbers, NameQuery, Selection, Watch};
use crate::board::Color;
use crate::columns::{Column, NameKind, eco_text};
use crate::error::Result;
use crate::storage::{Database, GameId, InDatabase};
use crate::store_fault::StoreResult;
use families::families_by_color;
use tally::{Scores, Sides, Tally};

/// A query for the record of a player. To get the games themselves, use a [`Filter`] with `players`.
#[derive(Clone, Debug)]
pub struct PlayerQuery {
    /// The player. A game in which both names match counts for both sides, unless they are one player.
    pub player: NameQuery,
    /// The opponent. `None` counts games against all opponents.
    pub opponent: Option<NameQuery>,
    /// Further conditions on the games.
    pub filter: Filter,
    /// The maximum number of rows of each list.
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
/// If the names of several players match, one player is counted: the player with the most games among the players whose
/// names fit best.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRecord {
    /// All games.
    pub total: PlayerScore,
    /// The games with White, and the games with Black.
    pub colors: [(Color, PlayerScore); 2],
    /// The accuracy in the games with evaluations.
    pub accuracy: PlayerAccuracy,
    /// The canonical names of the players, the most frequent first.
    pub names: Ranked<String>,
    /// The spellings of the name, the most frequent first.
    pub spellings: Ranked<String>,
    /// The spellings without a full given name, with their games in the database. Some of these games may be another
    /// player's.
    pub by_initials: Vec<(String, u64)>,
    /// The other players whose names match, with their games in the database, the most frequent first. Their games are
    /// not counted.
    pub others: Vec<(String, u64)>,
    /// The ECO codes with each colour, the most played first. Games without a code are not listed.
    pub openings: [(Color, Ranked<String>); 2],
    /// The families of openings that the moves lead to, with each colour, the most played first, and the number of all
    /// families.
    pub families: [(Color, Vec<OpeningFamily>, usize); 2],
    /// For each ECO code, the opening that most of its games lead to. Codes whose openings have no name are missing.
    pub opening_names: BTreeMap<String, String>,
    /// The opponents by their canonical names, the most frequent first.
    pub opponents: Ranked<String>,
    /// The years, the latest first. Games without a year are not listed.
    pub years: Ranked<u16>,
    /// The games against the opponent of the query, the latest first, with the player's colour.
    pub latest: Ranked<(GameId, Color)>,
    /// The number of games that name one player for both sides. They count nowhere else.
    pub against_self: u64,
    /// All openings by their finest names with each colour. The families are sums of them.
    named_openings: [Ranked<String>; 2],
    /// The games of each ECO code that lead to an opening. The names of the codes are chosen by them.
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
        let record = PlayerRecord::count(connection, &selection, &persons, opponents, query.limit);
        record.in_database(database)
    }

    /// Counts the games of a settled selection.
    fn count(
        connection: &Connection,
        selection: &Selection<'_>,
        persons: &Persons,
        opponents: Option<Persons>,
        limit: usize,
    ) -> StoreResult<PlayerRecord> {
        let sides = sides(selection, persons, opponents)?;
        let mut canonical = CanonicalNumbers::new(connection, NameKind::Player)?;
        let tally = Tally::count(selection, &sides, &mut canonical)?;

        let record = PlayerRecord::new(connection, tally, persons, limit)?;
        Ok(record)
    }

    /// Looks up the names of the numbers in a tally, and truncates each list to `limit` rows.
    fn new(
        connection: &Connection,
        tally: Tally,
        persons: &Persons,
        limit: usize,
    ) -> rusqlite::Result<PlayerRecord> {
        let player = |number: u64| name_of(connection, NameKind::Player, number);

        // The spellings of one canonical name become one row, so rows are joined before the lists are truncated.
        let mut players = CanonicalNumbers::new(connection, NameKind::Player)?;
        let of_player = tally.spellings.clone();
        let joined_names = of_player.joined(|number| players.number(number))?;
        let joined_opponents = tally.opponents.joined(|number| players.number(number))?;
        let canonical = |number: u64| players.name(number);
        let names = joined_names.most_played(limit).try_map(canonical)?;
        let opponents = joined_opponents.most_played(limit).try_map(canonical)?;
        let spellings = tally.spellings.most_played(limit).try_map(player)?;

        let named_openings = named_openings(connection, tally.named_openings)?;
        let families = families_by_color(&named_openings, limit);

        let opening_names = opening_names(connection, &tally.opening_names)?;
        let opening_games = opening_games(connection, &tally.opening_names)?;
        let openings = eco_codes(tally.openings, limit)?;

        let [white_score, black_score] = tally.colors;
        Ok(PlayerRecord {
            total: tally.total,
            colors: [(Color::White, white_score), (Color::Black, black_score)],
            accuracy: tally.accuracy,
            names,
            spellings,
            by_initials: persons.best.by_initials.clone(),
            others: persons.others_with_games(),
            openings,
            families,
            opening_names,
            opponents,
            years: tally.years.latest(limit),
            latest: tally::latest(tally.games, limit),
            against_self: tally.against_self,
            named_openings,
            opening_games,
        })
    }
}

/// The numbers of the player's names, and of the opponent's names if the query has an opponent.
fn sides(
    selection: &Selection<'_>,
    persons: &Persons,
    opponents: Option<Persons>,
) -> StoreResult<Sides> {
    let players = persons.best.numbers.clone();
    let Some(opponents) = opponents else {
        return Ok(Sides {
            players,
            opponents: None,
        });
    };

    if opponents.others.is_empty() {
        return Ok(Sides {
            players,
            opponents: Some(opponents.best.numbers),
        });
    }

    // If the names of several opponents match, the opponent is the one whom the player met most often.
    let games_by_opponent = games_by_opponent(selection, &players)?;
    let games_with = |person: &Person| -> u64 {
        let numbers = person.numbers.iter();
        let games = numbers.filter_map(|number| games_by_opponent.get(number));
        games.sum()
    };
    let mut opponent = opponents.best;
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

/// The number of games between a player and each opponent, by the number of the opponent's name.
fn games_by_opponent(
    selection: &Selection<'_>,
    players: &NameNumbers,
) -> StoreResult<BTreeMap<u64, u64>> {
    let games = selection.candidates().iter();
    let columns = [Column::White, Column::Black];
    let column_store = selection.column_store();

    let mut by_opponent: BTreeMap<u64, u64> = BTreeMap::new();
    column_store.each(games, columns, |_, [white, black]| {
        for (own, opponent) in [(white, black), (black, white)] {
            if players.contains(&own) && !players.contains(&opponent) {
                *by_opponent.entry(opponent).or_default() += 1;
            }
        }
    })?;
    Ok(by_opponent)
}

/// The games of each ECO code that lead to an opening, by the code and the name of the opening.
fn opening_games(
    connection: &Connection,
    games_by_number: &BTreeMap<(u16, u64), u64>,
) -> rusqlite::Result<BTreeMap<(String, String), u64>> {
    let mut games_by_name = BTreeMap::new();
    for (&(code, number), &games) in games_by_number {
        let eco = eco_text(code).unwrap_or_default();
        let opening = name_of(connection, NameKind::Opening, number)?;
        games_by_name.insert((eco, opening), games);
    }
    Ok(games_by_name)
}

/// All openings with White and with Black by their finest names, the most played first. They are not truncated, since a
/// family is the sum of all its openings.
fn named_openings(
    connection: &Connection,
    openings: [Scores<u64>; 2],
) -> rusqlite::Result<[Ranked<String>; 2]> {
    let name = |number: u64| name_of(connection, NameKind::Opening, number);
    let [white, black] = openings;
    Ok([
        white.most_played(usize::MAX).try_map(name)?,
        black.most_played(usize::MAX).try_map(name)?,
    ])
}

/// Up to `limit` ECO codes with White and with Black, the most played first.
fn eco_codes(
    openings: [Scores<u16>; 2],
    limit: usize,
) -> rusqlite::Result<[(Color, Ranked<String>); 2]> {
    let eco = |code: u16| Ok(eco_text(code).unwrap_or_default());
    let [white, black] = openings;
    Ok([
        (Color::White, white.most_played(limit).try_map(eco)?),
        (Color::Black, black.most_played(limit).try_map(eco)?),
    ])
}

/// The most frequent opening of each ECO code.
fn opening_names(
    connection: &Connection,
    games: &BTreeMap<(u16, u64), u64>,
) -> rusqlite::Result<BTreeMap<String, String>> {
    let mut most_frequent: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    for (&(eco, opening), &games) in games {
        let (most_games, number) = most_frequent.entry(eco).or_default();
        if games > *most_games {
            *most_games = games;
            *number = opening;
        }
    }

    let mut names = BTreeMap::new();
    for (eco, (_, number)) in most_frequent {
        let name = name_of(connection, NameKind::Opening, number)?;
        names.insert(eco_text(eco).unwrap_or_default(), name);
    }
    Ok(names)
}

/// The name with a number, empty if there is none.
pub(crate) fn name_of(
    connection: &Connection,
    kind: NameKind,
    number: u64,
) -> rusqlite::Result<String> {
    let table = kind.table();
    let sql = format!("SELECT name FROM {table} WHERE id = ?1");
    let mut select = connection.prepare_cached(&sql)?;

    // A column stores a negative number of a name in two's complement.
    let id = number.cast_signed();
    let name = select.query_row([id], |row| row.get(0)).optional()?;
    Ok(name.unwrap_or_default())
}
