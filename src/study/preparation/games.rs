//! The opponent's games, selected by name, colour and filter, and sorted by date.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::request::PreparationQuery;
use crate::board::Color;
use crate::columns::{Column, GameFlags, NameKind, Speed};
use crate::error::{Error, Result};
use crate::game::{PartialDate, known_elo};
use crate::query::player::{SideOfGame, name_of, sums};
use crate::query::{
    CanonicalNumbers, GameOfDatabase, NameNumbers, Person, PersonsOfDatabase, Selection, Watch,
};
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;

/// The maximum number of games that are read: the latest ones.
pub(super) const MAX_GAMES: usize = 20_000;

/// A game as the opponent sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentGame {
    pub(super) game: GameOfDatabase,
    pub(super) side: SideOfGame,
    pub(super) plies: u64,
    /// The place of the opening's name in [`OpponentGames::openings`], if it has one.
    pub(super) opening: Option<usize>,
    pub(super) speed: Option<Speed>,
}

/// The numbers of games that are left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OmittedGames {
    /// Games marked as duplicates.
    pub duplicates: u64,
    /// Games of variants, from other start positions, or without moves.
    pub other_starts: u64,
    /// Games before the latest 20,000.
    pub older: u64,
    /// Games that name one player for both sides.
    pub against_self: u64,
}

/// The opponent's games with one colour, the earliest first. Games without a date come before all others.
#[derive(Debug, Default)]
pub(super) struct OpponentGames {
    pub(super) list: Vec<OpponentGame>,
    /// The opponent's games with the other colour.
    pub(super) other_color: Vec<OpponentGame>,
    /// The names of openings. A name may occur several times, once for each database.
    pub(super) openings: Vec<String>,
    /// The canonical names, with the number of games of each, the most frequent first. Without games, these are the
    /// names in games that are left out and in games with the other colour.
    pub(super) names: Vec<(String, u64)>,
    /// Counted spellings with initials alone, with their games in the database.
    pub(super) by_initials: Vec<(String, u64)>,
    /// Other players whose names match, with their games in the database.
    pub(super) others: Vec<(String, u64)>,
    pub(super) omitted: OmittedGames,
    /// The date from which games are recent.
    pub(super) recent_since: Option<PartialDate>,
}

const COLUMNS: [Column; 8] = [
    Column::White,
    Column::Black,
    Column::GameFlags,
    Column::Date,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Plies,
    Column::Opening,
];

impl OpponentGames {
    /// Reads the games of all databases.
    pub(super) fn read(
        databases: &[&Database],
        query: &PreparationQuery,
        watch: &Watch<'_>,
    ) -> Result<OpponentGames> {
        let players = PersonsOfDatabase::read_all(databases, &query.player, watch)?;
        let is_known = |player: &PersonsOfDatabase| !player.persons.best.numbers.is_empty();
        if !players.iter().any(is_known) {
            return Err(Error::NoSuchPlayer(query.player.text.clone()));
        }

        let mut games = OpponentGames::default();
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        let mut others: Vec<Vec<(String, u64)>> = Vec::with_capacity(databases.len());
        for (index, (database, player)) in databases.iter().zip(players).enumerate() {
            let mut selection = Selection::new(database, &query.filter_with(&player.query))?;
            selection.settle(watch)?;

            let persons = player.persons;
            others.push(persons.others_with_games());
            let Person {
                numbers,
                by_initials,
                ..
            } = persons.best;
            add_counts(&mut games.by_initials, by_initials);

            let marked = duplicates(&database.connection).in_database(database)?;
            let adder = GameAdder {
                database: index,
                color: !query.color,
                players: numbers,
                duplicates: marked,
                names: HashMap::new(),
                openings: HashMap::new(),
                games: &mut games,
            };
            let added = adder.add_selection(database, &selection, &mut names);
            added.in_database(database)?;
        }

        games.names = most_frequent_first(names);
        games.by_initials.sort_by_key(|(_, games)| Reverse(*games));
        games.others = sums(others.iter());
        games.sort(query.recent_years);
        Ok(games)
    }

    /// Sorts the games by date, omits all but the latest, and finds the date from which games are recent.
    fn sort(&mut self, recent_years: u16) {
        let age = |game: &OpponentGame| (game.side.date, game.game);
        self.list.sort_unstable_by_key(age);
        self.other_color.sort_unstable_by_key(age);

        // The oldest games are omitted, since they are the least likely to predict the opponent's next game.
        let older = self.list.len().saturating_sub(MAX_GAMES);
        self.list.drain(..older);
        self.omitted.older = older as u64;

        // Recent games are counted back from the last game, so a report does not depend on the current date.
        let last_date = self.list.last().and_then(|game| game.side.date);
        if let Some(date) = last_date {
            self.recent_since = years_before(date, recent_years);
        }
    }

    /// `true` if a game is recent.
    pub(super) fn is_recent(&self, game: &OpponentGame) -> bool {
        match (game.side.date, self.recent_since) {
            (Some(date), Some(since)) => date.is_since(since),
            _ => false,
        }
    }

    /// The places of all games.
    pub(super) fn places(&self) -> Vec<u32> {
        (0..self.list.len() as u32).collect()
    }
}

/// Adds the games of one database as the opponent sees them.
struct GameAdder<'g> {
    /// The index of the database.
    database: usize,
    /// The opponent's colour.
    color: Color,
    /// The numbers of the opponent's names in the database.
    players: NameNumbers,
    duplicates: GameSet,
    /// The number of games of each name with the colour, including names without such games.
    names: HashMap<u64, u64>,
    /// The places of the names of openings, by their numbers in the database.
    openings: HashMap<u64, usize>,
    games: &'g mut OpponentGames,
}

/// A side of a game, with the column values of its player.
#[derive(Clone, Copy)]
struct NamedSide {
    color: Color,
    /// The number of the player's name.
    name: u64,
    elo: u64,
    /// The rating of the other player.
    other_elo: u64,
}

/// The values of [`COLUMNS`].
type Values = [u64; COLUMNS.len()];

impl GameAdder<'_> {
    /// Adds the games of a selection, and the number of games of each canonical name.
    fn add_selection(
        mut self,
        database: &Database,
        selection: &Selection<'_>,
        names: &mut BTreeMap<String, u64>,
    ) -> StoreResult<()> {
        let connection = &database.connection;
        let mut canonical = CanonicalNumbers::new(connection, NameKind::Player)?;
        self.add_games(selection, &mut canonical)?;

        for (number, games) in self.names {
            *names.entry(canonical.name(number)?).or_default() += games;
        }
        for (number, place) in self.openings {
            self.games.openings[place] = name_of(connection, NameKind::Opening, number)?;
        }
        Ok(())
    }

    /// Adds the games of a selection. A game that names one player for both sides is omitted.
    fn add_games(
        &mut self,
        selection: &Selection<'_>,
        canonical: &mut CanonicalNumbers<'_>,
    ) -> StoreResult<()> {
        // Two spellings of one player have two numbers, so canonical names are compared. They are read from tables, so
        // they are compared after the scan of the columns, and only for the few games in which both names match.
        let mut of_both = Vec::new();
        let games = selection.candidates();
        let store = selection.column_store();
        store.each_of(games, COLUMNS, |game, values| {
            let [white, black, ..] = values;
            if self.players.contains(&white) && self.players.contains(&black) {
                of_both.push((game, values));
            } else {
                self.add_game(game, values);
            }
        })?;

        for (game, values) in of_both {
            let [white, black, ..] = values;
            if canonical.number(white)? == canonical.number(black)? {
                self.games.omitted.against_self += 1;
            } else {
                self.add_game(game, values);
            }
        }
        Ok(())
    }

    /// Adds a game for each side that is the opponent.
    fn add_game(&mut self, game: GameId, values: Values) {
        let [white, black, _, _, white_elo, black_elo, ..] = values;
        let sides = [
            NamedSide {
                color: Color::White,
                name: white,
                elo: white_elo,
                other_elo: black_elo,
            },
            NamedSide {
                color: Color::Black,
                name: black,
                elo: black_elo,
                other_elo: white_elo,
            },
        ];
        for side in sides {
            if self.players.contains(&side.name) {
                self.add_side(game, side, values);
            }
        }
    }

    /// Adds a game with the side that is the opponent.
    fn add_side(&mut self, game: GameId, named: NamedSide, values: Values) {
        // If no name has a counted game, names without a counted game are listed.
        self.names.entry(named.name).or_default();

        let [_, _, flag_bits, date, _, _, plies, opening] = values;
        let flags = GameFlags::from_value(flag_bits);
        let is_duplicate = self.duplicates.contains(game);
        let omitted = &mut self.games.omitted;
        if let Some(count) = omitted.count_of_reason(flags, plies, is_duplicate) {
            *count += u64::from(named.color == self.color);
            return;
        }

        let side = SideOfGame {
            color: named.color,
            result: flags.result(),
            elo: known_elo(named.elo),
            opponent_elo: known_elo(named.other_elo),
            date: PartialDate::from_code(date),
        };
        let speed = Speed::ALL.into_iter().find(|&speed| flags.has_speed(speed));
        let of_opponent = OpponentGame {
            game: GameOfDatabase {
                database: self.database,
                game,
            },
            side,
            plies,
            opening: self.opening(opening),
            speed,
        };

        // Games with the other colour are read for the openings only.
        if named.color == self.color {
            *self.names.entry(named.name).or_default() += 1;
            self.games.list.push(of_opponent);
        } else {
            self.games.other_color.push(of_opponent);
        }
    }

    /// The index of the name of an opening in [`OpponentGames::openings`]; `None` without an opening. The name itself
    /// is read after all games, since many games have few openings.
    fn opening(&mut self, number: u64) -> Option<usize> {
        if number == 0 {
            return None;
        }

        let openings = &mut self.games.openings;
        let place = self.openings.entry(number).or_insert_with(|| {
            openings.push(String::new());
            openings.len() - 1
        });
        Some(*place)
    }
}

impl OmittedGames {
    /// The count to which a game is added if it is left out; `None` for a game that is read.
    fn count_of_reason(
        &mut self,
        flags: GameFlags,
        plies: u64,
        is_duplicate: bool,
    ) -> Option<&mut u64> {
        let is_standard_chess = flags.has_boards() && !flags.variant().plays_apart();
        let has_usual_line = is_standard_chess && flags.starts_from_standard() && plies > 0;

        if is_duplicate {
            Some(&mut self.duplicates)
        } else if has_usual_line {
            None
        } else {
            Some(&mut self.other_starts)
        }
    }
}

/// The day some years before a date, in the year 1 at the earliest.
fn years_before(date: PartialDate, years: u16) -> Option<PartialDate> {
    let year = date.year().saturating_sub(years).max(1);

    // Month and day stay as written, unknown ones too.
    let text = date.to_string();
    let month_and_day = text.get(4..)?;

    PartialDate::from_tag(&format!("{year:04}{month_and_day}"))
}

/// Names with their games, the most frequent first. Names without games are left out if other names have some.
fn most_frequent_first(names: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut named: Vec<(String, u64)> = names.into_iter().collect();

    let has_games = |(_, games): &(String, u64)| *games > 0;
    if named.iter().any(has_games) {
        named.retain(has_games);
    }

    // The sort is stable, so equally frequent names stay in their order.
    named.sort_by_key(|(_, games)| Reverse(*games));
    named
}

/// Adds the few spellings of one player in a database, with their games, to the spellings in the preceding databases.
fn add_counts(all: &mut Vec<(String, u64)>, counted: Vec<(String, u64)>) {
    for (name, games) in counted {
        let known_name = all.iter_mut().find(|(known, _)| *known == name);
        match known_name {
            Some((_, sum)) => *sum += games,
            None => all.push((name, games)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_day_some_years_before() {
        for (date, years, expected) in [
            ("2024.02.29", 2, "2022.02.29"),
            ("1974.??.??", 2, "1972.??.??"),
            ("0001.05.??", 2, "0001.05.??"),
        ] {
            let last_date: PartialDate = date.parse().expect("a date");
            let before = years_before(last_date, years).expect("an earlier date");
            assert_eq!(before.to_string(), expected);
        }
    }
}
