//! Tournaments and their crosstables.
//!
//! A tournament is the games of one event at one site in one period. Names are compared by their canonical spelling.
//! Games that are marked as duplicates count once. [`Tournaments::read`] lists the tournaments of a filter, and
//! [`Crosstable::read`] makes the crosstable of one.

// `editions.rs` separates tournaments of one name by their dates. `system.rs` recognizes the pairing system,
// `knock_out.rs` the matches of a knock-out. `standings.rs` ranks the players.

mod crosstable;
mod document;
mod editions;
mod games;
mod knock_out;
mod names;
mod repeated;
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
use crate::query::{Filter, GameOfDatabase, NameQuery, Selection, Watch};
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;
use editions::{Entry, editions};
use names::{Names, known_name};

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
    /// The mean rating of the rated players, each with the highest rating in the tournament.
    pub mean_elo: Option<f64>,
    /// The games, in the order of the databases, and within a database by number.
    pub games: Vec<GameOfDatabase>,
    /// The games that are marked as duplicates. All other fields ignore these games.
    pub duplicates: Vec<GameOfDatabase>,
    /// The games that an earlier database also has. All other fields ignore these games.
    pub repeated: Vec<GameOfDatabase>,
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
    /// The tournaments with at least one game that a filter matches. Each tournament has all its games in all
    /// databases.
    ///
    /// # Errors
    /// When a database cannot be read, or the filter's condition is not valid SQL.
    ///
    /// # Panics
    /// Without a database.
    pub fn read(databases: &[&Database], filter: &Filter) -> Result<Tournaments> {
        Tournaments::read_watched(databases, filter, &Watch::new())
    }

    /// Reads tournaments like [`Tournaments::read`], until a watch cancels it.
    ///
    /// # Errors
    /// The errors of [`Tournaments::read`], and [`Error::Interrupted`](crate::error::Error::Interrupted) when it is
    /// cancelled.
    ///
    /// # Panics
    /// Without a database.
    pub fn read_watched(
        databases: &[&Database],
        filter: &Filter,
        watch: &Watch<'_>,
    ) -> Result<Tournaments> {
        let selections = select_in_all(databases, filter, watch)?;
        let mut gatherer = EntryGatherer::new(databases)?;
        // A filter selects tournaments, not their games: a filter for a player selects all games of the player's
        // tournaments. So the events of the matching games are collected from all databases first.
        if !filter.is_empty() {
            for (index, selection) in selections.iter().enumerate() {
                gatherer.want_events(index, selection)?;
            }
        }

        for (index, selection) in selections.iter().enumerate() {
            let matching = selection.candidates();
            if filter.is_empty() {
                gatherer.add_entries(index, selection.column_store(), matching, watch)?;
            } else {
                let games = gatherer.games_of_wanted_events(index, selection)?;
                gatherer.add_entries(index, selection.column_store(), &games, watch)?;
            }
        }
        watch.check()?;

        let EntryGatherer {
            mut names, entries, ..
        } = gatherer;
        let mut found = group_entries(&names, entries).in_database(databases[0])?;
        // An event has further tournaments, at other sites and times, which the filter does not match.
        if !filter.is_empty() {
            let matching: Vec<&GameSet> = selections.iter().map(Selection::candidates).collect();
            found.retain_with_games(&matching);
        }

        // The rounds of a tournament may be in several databases, or several databases may have the whole tournament.
        if databases.len() > 1 {
            let column_stores: Vec<&ColumnStore<'_>> =
                selections.iter().map(Selection::column_store).collect();
            for tournament in &mut found.list {
                let parted = tournament.part_repeated(&column_stores, &mut names);
                parted.in_database(databases[0])?;
            }
        }
        Ok(found)
    }

    /// Retains the tournaments with at least one matching game. `matching` has the matching games of each database.
    fn retain_with_games(&mut self, matching: &[&GameSet]) {
        self.list.retain(|tournament| {
            let mut games = tournament.all_games();
            games.any(|game| matching[game.database].contains(game.game))
        });

        let duplicates = self
            .list
            .iter()
            .map(|tournament| tournament.duplicates.len() as u64);
        self.duplicates = duplicates.sum();
    }

    /// The tournament of a game; `None` without such a game, or if it names no event.
    ///
    /// # Errors
    /// When a database cannot be read, and when the watch cancels it.
    pub fn of_game(
        databases: &[&Database],
        game: GameOfDatabase,
        watch: &Watch<'_>,
    ) -> Result<Option<Tournament>> {
        let heading = databases[game.database].heading(game.game)?;
        let name = heading.unwrap_or_default().event;
        let Some(text) = name.and_then(known_name) else {
            return Ok(None);
        };

        let event = NameQuery {
            text,
            is_exact: true,
        };
        let filter = Filter {
            event: vec![event],
            ..Filter::default()
        };
        let found = Tournaments::read_watched(databases, &filter, watch)?;
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
        let number = event.cast_unsigned();
        column_store.retain(&mut games, [Column::Event], |[event]| event == number)?;

        let marked = duplicates(connection)?;
        let mut entries = Vec::new();
        read_entries(0, &column_store, games.iter(), &marked, &mut entries)?;

        let mut names = Names::new(&[connection])?;
        for entry in &mut entries {
            entry.rename(&mut names)?;
        }
        Ok(group_entries(&names, entries)?)
    }
}

impl Tournament {
    /// The years in which it was played, if any is known.
    pub fn years(&self) -> Option<(u16, u16)> {
        Some((self.first?.year(), self.last?.year()))
    }

    /// `true` if it was played in a year.
    pub fn is_of_year(&self, year: u16) -> bool {
        match self.years() {
            Some((first, last)) => (first..=last).contains(&year),
            None => false,
        }
    }

    /// `true` if a game is a game of the tournament, or a copy of such a game.
    pub fn has(&self, game: GameOfDatabase) -> bool {
        self.all_games().any(|one| one == game)
    }

    /// All its games, including duplicates and repeated games.
    fn all_games(&self) -> impl Iterator<Item = GameOfDatabase> {
        let others = self.duplicates.iter().chain(&self.repeated);
        self.games.iter().chain(others).copied()
    }

    /// Joins several tournaments into one, which was played at several sites or with a long pause; `None` without any.
    ///
    /// The event, the site, the number of players and the mean rating are taken from the tournament with the most
    /// games.
    pub fn join(tournaments: Vec<Tournament>) -> Option<Tournament> {
        let first = tournaments.iter().filter_map(|one| one.first).min();
        let last = tournaments.iter().filter_map(|one| one.last).max();

        let mut games: Vec<GameOfDatabase> = Vec::new();
        let mut duplicates: Vec<GameOfDatabase> = Vec::new();
        let mut repeated: Vec<GameOfDatabase> = Vec::new();
        for one in &tournaments {
            games.extend(&one.games);
            duplicates.extend(&one.duplicates);
            repeated.extend(&one.repeated);
        }
        games.sort_unstable();
        duplicates.sort_unstable();
        repeated.sort_unstable();

        let longest = tournaments.into_iter().max_by_key(|one| one.games.len())?;
        Some(Tournament {
            first,
            last,
            games,
            duplicates,
            repeated,
            ..longest
        })
    }

    /// The number of different rounds; `None` if no game has one.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn rounds(&self, databases: &[&Database]) -> Result<Option<usize>> {
        let mut numbers: Vec<u16> = Vec::new();
        for one in &self.games {
            let database = databases[one.database];
            let round = games::read_round(&database.connection, one.game).in_database(database)?;
            numbers.extend(round.number());
        }
        numbers.sort_unstable();
        numbers.dedup();

        if numbers.is_empty() {
            return Ok(None);
        }
        Ok(Some(numbers.len()))
    }
}

/// The games of each database that a filter matches.
fn select_in_all<'d>(
    databases: &[&'d Database],
    filter: &Filter,
    watch: &Watch<'_>,
) -> Result<Vec<Selection<'d>>> {
    let mut selections = Vec::with_capacity(databases.len());
    for &database in databases {
        let mut selection = Selection::new(database, filter)?;
        selection.settle(watch)?;
        selections.push(selection);
    }
    Ok(selections)
}

/// Gathers the entries of games from the column stores of some databases.
struct EntryGatherer<'d> {
    databases: Vec<&'d Database>,
    /// The games of each database that are marked as duplicates.
    marked: Vec<GameSet>,
    names: Names<'d>,
    /// The events whose games are wanted.
    events: HashSet<u64>,
    entries: Vec<Entry>,
}

impl<'d> EntryGatherer<'d> {
    fn new(databases: &[&'d Database]) -> Result<EntryGatherer<'d>> {
        let mut marked = Vec::with_capacity(databases.len());
        for database in databases {
            let of_database = duplicates(&database.connection);
            marked.push(of_database.in_database(database)?);
        }

        let connections: Vec<&Connection> = databases
            .iter()
            .map(|database| &database.connection)
            .collect();
        Ok(EntryGatherer {
            databases: databases.to_vec(),
            marked,
            names: Names::new(&connections).in_database(databases[0])?,
            events: HashSet::new(),
            entries: Vec::new(),
        })
    }

    /// Adds the events of a selection's games to the wanted events.
    fn want_events(&mut self, index: usize, selection: &Selection<'_>) -> Result<()> {
        let games = selection.candidates();
        let mut numbers: HashSet<u64> = HashSet::new();
        let column_store = selection.column_store();
        let read = column_store.each_of(games, [Column::Event], |_, [event]| {
            numbers.insert(event);
        });
        read.in_database(self.databases[index])?;

        for number in numbers {
            let known = self.names.known_event(index, number);
            if let Some(event) = known.in_database(self.databases[index])? {
                self.events.insert(event);
            }
        }
        Ok(())
    }

    /// All games of the wanted events, in any spelling of the events, and the games of a selection that name no event.
    fn games_of_wanted_events(
        &mut self,
        index: usize,
        selection: &Selection<'_>,
    ) -> Result<GameSet> {
        let of_events = self.games_of_events(index, selection.column_store());
        let mut games = of_events.in_database(self.databases[index])?;

        // The number of games without an event is reported, too.
        for game in selection.candidates().iter() {
            games.insert(game);
        }
        Ok(games)
    }

    /// All games of a database whose event is wanted.
    fn games_of_events(
        &mut self,
        index: usize,
        column_store: &ColumnStore<'_>,
    ) -> StoreResult<GameSet> {
        let mut games = column_store.games(GameFlags::exists)?;

        // Each name is resolved once, not once per game.
        let mut wanted_names: HashMap<u64, bool> = HashMap::new();
        column_store.each_of(&games, [Column::Event], |_, [name]| {
            wanted_names.entry(name).or_insert(false);
        })?;
        for (name, is_wanted) in &mut wanted_names {
            let event = self.names.events.number(index, *name)?;
            *is_wanted = self.events.contains(&event);
        }

        column_store.retain(&mut games, [Column::Event], |[name]| {
            wanted_names.get(&name) == Some(&true)
        })?;
        Ok(games)
    }

    /// Adds the entries of some games of a database.
    fn add_entries(
        &mut self,
        index: usize,
        column_store: &ColumnStore<'_>,
        games: &GameSet,
        watch: &Watch<'_>,
    ) -> Result<()> {
        let database = self.databases[index];
        let marked = &self.marked[index];
        let first = self.entries.len();

        let mut remaining = games.iter().peekable();
        while remaining.peek().is_some() {
            watch.check()?;
            let batch = remaining.by_ref().take(GAMES_IN_BATCH);
            let read = read_entries(index, column_store, batch, marked, &mut self.entries);
            read.in_database(database)?;
        }

        for entry in &mut self.entries[first..] {
            entry.rename(&mut self.names).in_database(database)?;
        }
        Ok(())
    }
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

/// The number of games that are read between two checks of a watch.
const GAMES_IN_BATCH: usize = 1 << 16;

/// Adds the entries of games of a database.
fn read_entries(
    database: usize,
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
            game: GameOfDatabase { database, game },
            players: [white, black],
            elo: [known_elo(white_elo), known_elo(black_elo)],
            is_duplicate: marked.contains(game),
        });
    })
}

impl Entry {
    /// Replaces the numbers of names in the database by joined numbers.
    fn rename(&mut self, names: &mut Names<'_>) -> rusqlite::Result<()> {
        let database = self.game.database;
        self.event = names.events.number(database, self.event)?;
        self.site = names.sites.number(database, self.site)?;
        for player in &mut self.players {
            *player = names.players.number(database, *player)?;
        }
        Ok(())
    }
}

/// The tournaments of some games. The names in `entries` have joined numbers.
fn group_entries(names: &Names<'_>, mut entries: Vec<Entry>) -> rusqlite::Result<Tournaments> {
    let mut found = Tournaments::default();
    let place_and_game = |entry: &Entry| (entry.event, entry.site, entry.game);
    entries.sort_unstable_by_key(place_and_game);
    let are_at_one_place =
        |one: &Entry, other: &Entry| (one.event, one.site) == (other.event, other.site);
    for of_place in entries.chunk_by(are_at_one_place) {
        let first = &of_place[0];
        let event_name = names.events.name(first.event)?;
        let Some(event) = known_name(event_name) else {
            found.without_event += of_place.len() as u64;
            continue;
        };
        let site_name = names.sites.name(first.site)?;
        let site = known_name(site_name);

        for edition in editions(of_place) {
            let tournament = tournament_of_edition(&event, site.as_deref(), &edition);
            found.duplicates += tournament.duplicates.len() as u64;
            found.list.push(tournament);
        }
    }

    found.list.sort_by(|one, other| {
        let one_key = (&one.event, &one.site, one.first);
        let other_key = (&other.event, &other.site, other.first);
        one_key.cmp(&other_key)
    });
    Ok(found)
}

/// The tournament of the games of an edition.
fn tournament_of_edition(event: &str, site: Option<&str>, edition: &[&Entry]) -> Tournament {
    let mut games: Vec<GameOfDatabase> = Vec::new();
    let mut duplicates: Vec<GameOfDatabase> = Vec::new();
    // The greatest rating of each player, 0 without one.
    let mut ratings: HashMap<u64, u16> = HashMap::new();
    for entry in edition {
        if entry.is_duplicate {
            duplicates.push(entry.game);
            continue;
        }

        games.push(entry.game);
        for (player, elo) in entry.players.into_iter().zip(entry.elo) {
            let elo = elo.map_or(0, u16::from);
            let greatest = ratings.entry(player).or_default();
            *greatest = elo.max(*greatest);
        }
    }

    let dates = || edition.iter().filter_map(|entry| entry.date);
    Tournament {
        event: event.to_owned(),
        site: site.map(str::to_owned),
        first: dates().min(),
        last: dates().max(),
        players: ratings.len() as u64,
        mean_elo: mean_elo(ratings.into_values()),
        games,
        duplicates,
        repeated: Vec::new(),
    }
}

/// The mean of the ratings that are not 0; `None` without such a rating.
fn mean_elo(ratings: impl Iterator<Item = u16>) -> Option<f64> {
    let mut sum: u64 = 0;
    let mut rated: u64 = 0;
    for elo in ratings {
        if elo > 0 {
            sum += u64::from(elo);
            rated += 1;
        }
    }

    if rated == 0 {
        return None;
    }
    Some(sum as f64 / rated as f64)
}
