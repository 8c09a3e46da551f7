//! Tournaments: which there are, and their crosstables.
//!
//! A tournament is the games of one event at one site, in one stretch of time; names are compared by their canonical
//! spelling. Games that are marked as duplicates count once. [`Tournaments::read`] lists the tournaments of a filter, and
//! [`Crosstable::read`] makes the crosstable of one.

// `editions.rs` tells several tournaments of one name apart, `system.rs` recognizes how the players were paired
// (`knock_out.rs` the matches of a knock-out), and `standings.rs` ranks them.

mod crosstable;
mod document;
mod editions;
mod games;
mod knock_out;
mod names;
mod standings;
mod system;
mod teams;

pub use crosstable::{Crosstable, Match, Pairing};
pub use document::{CrosstableReport, Letters, tournament_heading};
pub use games::TournamentGame;
pub use standings::Standing;
pub use system::System;
pub use teams::TeamStanding;

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use crate::columns::{Column, ColumnStore, GameFlags};
use crate::error::Result;
use crate::game::{PartialDate, known_elo};
use crate::query::{Filter, NameQuery, Selection, Watch};
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;
use editions::{Entry, editions};
use names::Names;

/// A tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// The canonical name of the event.
    pub event: String,
    /// The canonical name of the site, if it is known.
    pub site: Option<String>,
    /// The earliest date.
    pub first: Option<PartialDate>,
    /// The latest date.
    pub last: Option<PartialDate>,
    /// The number of players.
    pub players: u64,
    /// The mean rating of the players that have one.
    pub mean_elo: Option<f64>,
    /// The numbers of its games, ascending.
    pub games: Vec<GameId>,
    /// The numbers of its games that are marked as duplicates, and count in nothing else.
    pub duplicates: Vec<GameId>,
}

/// The tournaments of some games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tournaments {
    /// The tournaments, by event, site and date.
    pub list: Vec<Tournament>,
    /// The number of games that name no event.
    pub without_event: u64,
    /// The number of games left out as duplicates.
    pub duplicates: u64,
}

impl Tournaments {
    /// The tournaments to which the games belong that a filter matches, each with all its games.
    ///
    /// # Errors
    /// When the database cannot be read, or the filter's condition is not valid SQL.
    pub fn read(database: &Database, filter: &Filter) -> Result<Tournaments> {
        Tournaments::read_watched(database, filter, &Watch::new())
    }

    /// The same, which a watch may cancel.
    ///
    /// # Errors
    /// As [`Tournaments::read`], and [`Error::Interrupted`](crate::error::Error::Interrupted) when it is cancelled.
    pub fn read_watched(
        database: &Database,
        filter: &Filter,
        watch: &Watch<'_>,
    ) -> Result<Tournaments> {
        let mut selection = Selection::new(database, filter)?;
        selection.settle(watch)?;
        let connection = &database.connection;
        let column_store = selection.column_store();
        let marked = duplicates(connection).in_database(database)?;
        let matching = selection.candidates();

        let games = match filter.is_empty() {
            true => matching.clone(),
            false => of_same_events(connection, column_store, matching).in_database(database)?,
        };
        let (mut games, mut entries) = (games.iter().peekable(), Vec::new());
        while games.peek().is_some() {
            watch.check()?;
            let batch = games.by_ref().take(GAMES_A_BATCH);
            read_entries(column_store, batch, &marked, &mut entries).in_database(database)?;
        }
        watch.check()?;

        let mut found = tournaments(connection, entries).in_database(database)?;
        if !filter.is_empty() {
            found.keep_those_with(matching);
        }
        Ok(found)
    }

    /// Keeps the tournaments that have one of some games.
    fn keep_those_with(&mut self, matching: &GameSet) {
        self.list.retain(|tournament| {
            let mut games = tournament.games.iter().chain(&tournament.duplicates);
            games.any(|&game| matching.contains(game))
        });
        self.duplicates = self
            .list
            .iter()
            .map(|one| one.duplicates.len() as u64)
            .sum();
    }

    /// The tournament of the game with a number; `None` without such a game, or if it names no event.
    ///
    /// # Errors
    /// When the database cannot be read, and when the watch cancels it.
    pub fn of_game(
        database: &Database,
        game: GameId,
        watch: &Watch<'_>,
    ) -> Result<Option<Tournament>> {
        let heading = database.heading(game)?.unwrap_or_default();
        let Some(text) = heading.event.and_then(known_name) else {
            return Ok(None);
        };
        let event = vec![NameQuery {
            text,
            is_exact: true,
        }];
        let filter = Filter {
            event,
            ..Filter::default()
        };
        let found = Tournaments::read_watched(database, &filter, watch)?;
        let mut tournaments = found.list.into_iter();
        Ok(tournaments.find(|tournament| tournament.has(game)))
    }

    /// The tournaments of the events with a number in the table `event`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn of_event(connection: &Connection, event: i64) -> StoreResult<Tournaments> {
        let column_store = ColumnStore::new(connection)?;
        let mut games = column_store.games(GameFlags::exists)?;
        let wanted = event.cast_unsigned();
        column_store.retain(&mut games, [Column::Event], |[event]| event == wanted)?;
        let mut entries = Vec::new();
        read_entries(
            &column_store,
            games.iter(),
            &duplicates(connection)?,
            &mut entries,
        )?;
        Ok(tournaments(connection, entries)?)
    }
}

impl Tournament {
    /// `true` if a tournament of another database seems to be the same: that of the same event and site, as far as both
    /// are known, at the same time.
    pub fn is_same_as(&self, other: &Tournament) -> bool {
        let sites = self.site.as_ref().zip(other.site.as_ref());
        let is_at_site = sites.is_none_or(|(one, other)| one == other);
        let times = [self, other].map(|one| one.first.zip(one.last));
        let is_then = match times {
            [Some((first, last)), Some((other_first, other_last))] => {
                first <= other_last && other_first <= last
            }
            _ => true,
        };
        self.event == other.event && is_at_site && is_then
    }

    /// The years in which it was played, if any is known.
    pub fn years(&self) -> Option<(u16, u16)> {
        Some((self.first?.year(), self.last?.year()))
    }

    /// `true` if it was played in a year.
    pub fn is_of_year(&self, year: u16) -> bool {
        self.years()
            .is_some_and(|(first, last)| (first..=last).contains(&year))
    }

    /// `true` if a game is one of it, or a duplicate of one.
    pub fn has(&self, game: GameId) -> bool {
        [&self.games, &self.duplicates]
            .iter()
            .any(|games| games.binary_search(&game).is_ok())
    }

    /// Several tournaments as one, which was played at several sites or with a long pause, named by the one with the
    /// most games; `None` without any.
    ///
    /// The number of players and the mean rating are those of this one.
    pub fn join(tournaments: Vec<Tournament>) -> Option<Tournament> {
        let dates = |date: fn(&Tournament) -> Option<PartialDate>| {
            tournaments
                .iter()
                .filter_map(date)
                .collect::<Vec<PartialDate>>()
        };
        let first = dates(|one| one.first).into_iter().min();
        let last = dates(|one| one.last).into_iter().max();
        let numbers = |numbers: fn(&Tournament) -> &[GameId]| {
            let mut all: Vec<GameId> = tournaments.iter().flat_map(numbers).copied().collect();
            all.sort_unstable();
            all
        };
        let games = numbers(|one| &one.games);
        let duplicates = numbers(|one| &one.duplicates);
        let longest = tournaments.into_iter().max_by_key(|one| one.games.len())?;
        Some(Tournament {
            first,
            last,
            games,
            duplicates,
            ..longest
        })
    }

    /// The number of different rounds; `None` if no game has one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn rounds(&self, database: &Database) -> Result<Option<usize>> {
        let rounds = self
            .games
            .iter()
            .map(|&game| games::round(&database.connection, game));
        let rounds: rusqlite::Result<Vec<_>> = rounds.collect();
        let rounds = rounds.in_database(database)?;
        let mut numbers: Vec<u16> = rounds
            .into_iter()
            .filter_map(|round| round.number())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Some(numbers.len()).filter(|&rounds| rounds > 0))
    }
}

/// All games of the events of some games, in any spelling of the events, and those of these games that name no event.
fn of_same_events(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    games: &GameSet,
) -> StoreResult<GameSet> {
    let mut names = Names::new(connection)?;
    let mut numbers = Vec::new();
    column_store.each_of(games, [Column::Event], |_, [event]| numbers.push(event))?;
    numbers.sort_unstable();
    numbers.dedup();
    let mut events = HashSet::new();
    for number in numbers {
        let event = names.events.number(number)?;
        if known_name(names.events.name(event)?).is_some() {
            events.insert(event);
        }
    }

    let mut all = column_store.games(GameFlags::exists)?;
    let mut spelled: HashMap<u64, bool> = HashMap::new();
    column_store.each_of(&all, [Column::Event], |_, [event]| {
        spelled.entry(event).or_insert(false);
    })?;
    for (event, is_one) in &mut spelled {
        *is_one = events.contains(&names.events.number(*event)?);
    }
    column_store.retain(&mut all, [Column::Event], |[event]| {
        spelled.get(&event) == Some(&true)
    })?;
    games.iter().for_each(|game| all.insert(game));
    Ok(all)
}

const COLUMNS: [Column; 7] = [
    Column::Event,
    Column::Site,
    Column::Date,
    Column::White,
    Column::Black,
    Column::WhiteElo,
    Column::BlackElo,
];

/// Games between two looks at a watch.
const GAMES_A_BATCH: usize = 1 << 16;

/// Adds what the column store has of games.
fn read_entries(
    column_store: &ColumnStore<'_>,
    games: impl Iterator<Item = GameId>,
    marked: &GameSet,
    entries: &mut Vec<Entry>,
) -> StoreResult<()> {
    column_store.each(games, COLUMNS, |game, values| {
        let [event, site, date, white, black, white_elo, black_elo] = values;
        entries.push(Entry {
            event,
            site,
            date: PartialDate::from_code(date),
            game,
            players: [white, black],
            elo: [known_elo(white_elo), known_elo(black_elo)],
            is_duplicate: marked.contains(game),
        });
    })
}

fn tournaments(connection: &Connection, mut entries: Vec<Entry>) -> rusqlite::Result<Tournaments> {
    let mut names = Names::new(connection)?;
    let mut found = Tournaments::default();
    for entry in &mut entries {
        entry.event = names.events.number(entry.event)?;
        entry.site = names.sites.number(entry.site)?;
        for player in &mut entry.players {
            *player = names.players.number(*player)?;
        }
    }
    entries.sort_unstable_by_key(|entry| (entry.event, entry.site, entry.game));
    for of_place in
        entries.chunk_by(|one, other| (one.event, one.site) == (other.event, other.site))
    {
        let Some(event) = known_name(names.events.name(of_place[0].event)?) else {
            found.without_event += of_place.len() as u64;
            continue;
        };
        let site = known_name(names.sites.name(of_place[0].site)?);
        for edition in editions(of_place) {
            let tournament = tournament(&event, site.as_deref(), &edition);
            found.duplicates += tournament.duplicates.len() as u64;
            found.list.push(tournament);
        }
    }
    found.list.sort_by(|one, other| {
        let key = |one: &Tournament| (one.event.clone(), one.site.clone(), one.first);
        key(one).cmp(&key(other))
    });
    Ok(found)
}

/// A name that is one.
fn known_name(name: String) -> Option<String> {
    Some(name).filter(|name| name.contains(char::is_alphanumeric))
}

fn tournament(event: &str, site: Option<&str>, edition: &[&Entry]) -> Tournament {
    let (duplicates, games): (Vec<&Entry>, Vec<&Entry>) =
        edition.iter().partition(|entry| entry.is_duplicate);
    let dates = || edition.iter().filter_map(|entry| entry.date);
    let mut players: Vec<(u64, u16)> = games
        .iter()
        .flat_map(|entry| entry.players.into_iter().zip(entry.elo))
        .map(|(player, elo)| (player, elo.map_or(0, u16::from)))
        .collect();
    players.sort_unstable();
    // The greatest rating of each player: it is one of the tournament's, where it has any.
    let ratings = players
        .chunk_by(|one, other| one.0 == other.0)
        .map(|of_player| of_player.last().map_or(0, |(_, elo)| *elo));
    let ratings: Vec<u16> = ratings.collect();
    let rated: Vec<u64> = ratings
        .iter()
        .filter(|elo| **elo > 0)
        .map(|elo| (*elo).into())
        .collect();
    let numbers = |entries: Vec<&Entry>| entries.iter().map(|entry| entry.game).collect();
    Tournament {
        event: event.to_owned(),
        site: site.map(str::to_owned),
        first: dates().min(),
        last: dates().max(),
        players: ratings.len() as u64,
        mean_elo: (!rated.is_empty())
            .then(|| rated.iter().sum::<u64>() as f64 / rated.len() as f64),
        games: numbers(games),
        duplicates: numbers(duplicates),
    }
}
