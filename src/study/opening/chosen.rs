//! The games of an opening, among the games that a filter matches.

use rusqlite::Connection;

use super::subject::{OpeningQuery, OpeningSubject};
use crate::columns::{Column, ColumnStore, EcoRange, GameFlags, NameKind, eco_code};
use crate::error::Result;
use crate::query::{NameNumbers, PositionSearch, Selection, Watch};
use crate::replay::Visit;
use crate::storage::{Database, GameSet, InDatabase, duplicates, text_cell};
use crate::store_fault::StoreResult;

/// The games of a report in one database.
pub(super) struct Chosen<'d> {
    pub(super) database: &'d Database,
    /// The games of the opening.
    pub(super) selection: Selection<'d>,
    pub(super) connection: &'d Connection,
    /// The games with which the opening is compared: the games of the filter with moves of chess.
    pub(super) all: GameSet,
    /// The number of duplicates left out.
    pub(super) duplicates: u64,
    /// The number of games left out that have no moves of chess.
    pub(super) apart: u64,
}

impl<'d> Chosen<'d> {
    /// The games in each of some databases.
    pub(super) fn of_all(
        databases: &[&'d Database],
        query: &OpeningQuery,
        watch: &Watch<'_>,
    ) -> Result<Vec<Chosen<'d>>> {
        let mut chosen = Vec::with_capacity(databases.len());
        for database in databases {
            chosen.push(Chosen::new(database, query, watch)?);
        }
        Ok(chosen)
    }

    fn new(database: &'d Database, query: &OpeningQuery, watch: &Watch<'_>) -> Result<Chosen<'d>> {
        let mut selection = Selection::new(database, &query.filter)?;
        selection.settle(watch)?;

        let connection = &database.connection;
        let compared = Compared::new(connection, &selection).in_database(database)?;
        let store = selection.column_store();
        let of_opening = games_of(connection, store, &query.subject, &compared.games);
        let games = of_opening.in_database(database)?;
        selection.restrict_to(games);

        Ok(Chosen {
            database,
            selection,
            connection,
            all: compared.games,
            duplicates: compared.duplicates,
            apart: compared.apart,
        })
    }

    /// The games of the opening.
    pub(super) fn games(&self) -> &GameSet {
        self.selection.candidates()
    }

    pub(super) fn store(&self) -> &ColumnStore<'d> {
        self.selection.column_store()
    }
}

/// The games of a selection that are compared, and the numbers of games left out.
struct Compared {
    games: GameSet,
    duplicates: u64,
    apart: u64,
}

impl Compared {
    fn new(connection: &Connection, selection: &Selection<'_>) -> StoreResult<Compared> {
        let mut games = selection.candidates().clone();
        let matching = games.len();

        // A duplicate without moves counts as a duplicate, so duplicates are removed first.
        for duplicate in duplicates(connection)?.iter() {
            games.remove(duplicate);
        }
        let unique = games.len();

        let columns = [Column::GameFlags, Column::Plies];
        let store = selection.column_store();
        store.retain(&mut games, columns, |[flag_bits, plies]| {
            let flags = GameFlags::from_value(flag_bits);
            flags.has_boards() && !flags.variant().plays_apart() && plies > 0
        })?;

        Ok(Compared {
            duplicates: matching - unique,
            apart: unique - games.len(),
            games,
        })
    }
}

/// The games of an opening among the games of `all`.
fn games_of(
    connection: &Connection,
    store: &ColumnStore<'_>,
    subject: &OpeningSubject,
    all: &GameSet,
) -> StoreResult<GameSet> {
    if let OpeningSubject::Positions(positions) = subject {
        let search = PositionSearch::new(connection)?;
        let mut games = GameSet::default();
        for position in positions {
            search.each_played(connection, position, all, |game, code| {
                // A variation is no part of the game that was played.
                if code != Visit::VARIATION {
                    games.insert(game);
                }
            })?;
        }
        return Ok(games);
    }

    let numbers = opening_numbers(connection, subject)?;
    let mut games = all.clone();
    store.retain(&mut games, [Column::Opening], |[opening]| {
        numbers.contains(&opening)
    })?;
    Ok(games)
}

/// The numbers of the openings that a subject names. Positions are no names.
fn opening_numbers(
    connection: &Connection,
    subject: &OpeningSubject,
) -> rusqlite::Result<NameNumbers> {
    match subject {
        OpeningSubject::Named(name) => name.numbers(connection, NameKind::Opening),
        OpeningSubject::Eco(range) => numbers_of_codes(connection, *range),
        OpeningSubject::Positions(_) => Ok(NameNumbers::default()),
    }
}

/// The numbers of the openings with codes of a range.
fn numbers_of_codes(connection: &Connection, range: EcoRange) -> rusqlite::Result<NameNumbers> {
    let mut select = connection.prepare_cached("SELECT id, eco FROM opening")?;
    let mut rows = select.query([])?;
    let mut numbers = NameNumbers::default();
    while let Some(row) = rows.next()? {
        let eco = text_cell(row, 1)?.unwrap_or_default();
        if range.has(eco_code(eco)) {
            let id: i64 = row.get(0)?;
            numbers.insert(id.cast_unsigned());
        }
    }
    Ok(numbers)
}
