//! The openings of games: the table that names them, and the rows of `opening` that games refer to.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::{Database, GameId, InDatabase, IndexedLines, PlayedGame, replay_stored};
use crate::error::Result;
use crate::game::Variant;
use crate::openings::{OpeningId, Openings};
use crate::store_fault::{StoreFault, StoreResult};

/// What is hashed before a table. It changes with the rule that gives a game its name, so that games are named anew.
const RULE: &[u8] = b"Stamma openings 1";

/// The table of openings of a database.
#[derive(Clone, Debug)]
pub enum OpeningTable {
    /// That of the library.
    Standard,
    /// A user's.
    Own(Arc<Openings>),
}

impl Deref for OpeningTable {
    type Target = Openings;

    fn deref(&self) -> &Openings {
        match self {
            OpeningTable::Standard => Openings::standard(),
            OpeningTable::Own(openings) => openings,
        }
    }
}

impl OpeningTable {
    /// The table of the database of a connection.
    ///
    /// # Errors
    /// When the database cannot be read, or its table has a line that is none.
    pub(crate) fn read(connection: &Connection) -> StoreResult<OpeningTable> {
        let Some(lines) = own_lines(connection)? else {
            return Ok(OpeningTable::Standard);
        };
        let openings = Openings::from_lines(&lines).map_err(StoreFault::Openings)?;
        Ok(OpeningTable::Own(Arc::new(openings)))
    }

    /// The opening of a stored game.
    pub(crate) fn of_stored(&self, game: &PlayedGame) -> Option<OpeningId> {
        let mainline = game
            .mainline()
            .filter(|_| game.variant == Variant::Standard)?;
        self.of_mainline(mainline)
    }
}

/// The lines of a user's table; nothing where the standard table is used.
fn own_lines(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT moves, eco, name FROM opening_line ORDER BY id";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    let mut lines = String::new();
    while let Some(row) = rows.next()? {
        for (column, end) in [(0, '\t'), (1, '\t'), (2, '\n')] {
            lines.push_str(row.get_ref(column)?.as_str()?);
            lines.push(end);
        }
    }
    Ok(Some(lines).filter(|lines| !lines.is_empty()))
}

/// The number by which a table is known.
fn hash_of_table(connection: &Connection) -> rusqlite::Result<i64> {
    let own = own_lines(connection)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(RULE).update(
        own.as_deref()
            .unwrap_or(Openings::STANDARD_LINES)
            .as_bytes(),
    );
    let hash = hasher.finalize();
    let first = hash.as_bytes().first_chunk().copied().unwrap_or_default();
    Ok(i64::from_le_bytes(first))
}

/// The number of the table by which the games of a database are named, if they are.
fn named_by(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT value FROM counter WHERE name = 'opening_table'";
    connection.query_row(sql, [], |row| row.get(0)).optional()
}

impl Database {
    /// The table of openings.
    ///
    /// # Errors
    /// When the database cannot be read, or its table has a line that is none.
    pub fn openings(&self) -> Result<OpeningTable> {
        OpeningTable::read(&self.connection).in_database(self)
    }

    /// The lines of the table of openings, as [`Openings::from_lines`] takes them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn opening_lines(&self) -> Result<Cow<'static, str>> {
        let own = own_lines(&self.connection).in_database(self)?;
        Ok(own.map_or(Cow::Borrowed(Openings::STANDARD_LINES), Cow::Owned))
    }

    /// Whether all games are named by the table of openings, but for those that have changed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn are_games_named(&self) -> Result<bool> {
        let named_by = named_by(&self.connection).in_database(self)?;
        let current = hash_of_table(&self.connection).in_database(self)?;
        Ok(named_by == Some(current))
    }

    /// Whether the games of another database are named by the table of this one.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub(crate) fn names_games_like(&self, other: &Database) -> Result<bool> {
        let ours = named_by(&self.connection).in_database(self)?;
        let theirs = named_by(&other.connection).in_database(other)?;
        Ok(ours.is_some() && ours == theirs)
    }

    /// Replaces a user's table by lines as [`Openings::from_lines`] takes them, none for the standard table. The games
    /// keep their names.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn write_opening_lines(&self, lines: &str) -> Result<()> {
        let write = || -> rusqlite::Result<()> {
            self.connection.execute("DELETE FROM opening_line", [])?;
            let sql = "INSERT INTO opening_line (moves, eco, name) VALUES (?1, ?2, ?3)";
            let mut insert = self.connection.prepare(sql)?;
            for line in lines.lines() {
                let mut cells = line.split('\t');
                let mut cell = || cells.next().unwrap_or_default();
                insert.execute([cell(), cell(), cell()])?;
            }
            Ok(())
        };
        write().in_database(self)
    }

    /// Names all games anew, and notes by which table. Triggers should be off: no game is described otherwise by that.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn name_all_games(&self) -> Result<()> {
        let name = || -> StoreResult<()> {
            let connection = &self.connection;
            connection.execute_batch(
                "UPDATE game SET opening_id = NULL WHERE opening_id IS NOT NULL; DELETE FROM opening",
            )?;
            name_range(connection, (i64::MIN, i64::MAX))?;
            let sql = "INSERT OR REPLACE INTO counter VALUES ('opening_table', ?1)";
            connection.execute(sql, [hash_of_table(connection)?])?;
            Ok(())
        };
        name().in_database(self)
    }

    /// Names the games of a range of numbers anew, which have no names.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn name_games(&self, range: (i64, i64)) -> Result<()> {
        name_range(&self.connection, range).in_database(self)
    }

    /// Names the games of a range of numbers anew that have changed.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn name_changed_games(&self, range: (i64, i64)) -> Result<()> {
        name_changed(&self.connection, range).in_database(self)
    }
}

fn name_range(connection: &Connection, range: (i64, i64)) -> StoreResult<()> {
    let table = OpeningTable::read(connection)?;
    let mut names = GameNames::new(connection, table.clone())?;
    let of_batch = |games: &[PlayedGame]| -> Vec<(GameId, OpeningId)> {
        let name = |game: &PlayedGame| Some((game.id, table.of_stored(game)?));
        games.iter().filter_map(name).collect()
    };
    Ok(replay_stored(
        connection,
        range,
        None,
        IndexedLines::Mainline,
        of_batch,
        |named| {
            named
                .into_iter()
                .try_for_each(|(game, opening)| names.set(game.get(), Some(opening)))
        },
    )?)
}

fn name_changed(connection: &Connection, (first, last): (i64, i64)) -> StoreResult<()> {
    let sql = "SELECT game.id FROM stale_game JOIN game ON game.id = stale_game.id
        WHERE stale_game.id BETWEEN ?1 AND ?2";
    let mut select = connection.prepare(sql)?;
    let changed = select.query_map([first, last], |row| row.get(0))?;
    let changed = changed.collect::<rusqlite::Result<Vec<i64>>>()?;
    if changed.is_empty() {
        return Ok(());
    }
    let table = OpeningTable::read(connection)?;
    let mut names = GameNames::new(connection, table.clone())?;
    for game in changed {
        let played = PlayedGame::read(connection, GameId::new(game), IndexedLines::Mainline)?;
        names.set(game, played.and_then(|played| table.of_stored(&played)))?;
    }
    Ok(())
}

/// Writes the names of games that are there.
struct GameNames<'c> {
    numbers: OpeningNumbers<'c>,
    update: Statement<'c>,
}

impl<'c> GameNames<'c> {
    fn new(connection: &'c Connection, table: OpeningTable) -> rusqlite::Result<GameNames<'c>> {
        let sql = "UPDATE game SET opening_id = ?2 WHERE id = ?1 AND opening_id IS NOT ?2";
        let numbers = OpeningNumbers::new(connection, table)?;
        Ok(GameNames {
            numbers,
            update: connection.prepare(sql)?,
        })
    }

    fn set(&mut self, game: i64, opening: Option<OpeningId>) -> rusqlite::Result<()> {
        let number = self.numbers.number(opening)?;
        self.update.execute(params![game, number]).map(drop)
    }
}

/// The row numbers of openings in `opening`, which are added when a game first has them.
pub(super) struct OpeningNumbers<'c> {
    table: OpeningTable,
    /// By the number of the opening in the table.
    known: Vec<Option<i64>>,
    select: Statement<'c>,
    insert: Statement<'c>,
}

impl<'c> OpeningNumbers<'c> {
    /// Prepares to look up and add openings of a table.
    pub(super) fn new(
        connection: &'c Connection,
        table: OpeningTable,
    ) -> rusqlite::Result<OpeningNumbers<'c>> {
        let select = connection.prepare("SELECT id FROM opening WHERE eco = ?1 AND name = ?2")?;
        let insert = connection.prepare("INSERT INTO opening (eco, name) VALUES (?1, ?2)")?;
        Ok(OpeningNumbers {
            table,
            known: Vec::new(),
            select,
            insert,
        })
    }

    /// The row number of an opening.
    pub(super) fn number(&mut self, opening: Option<OpeningId>) -> rusqlite::Result<Option<i64>> {
        let Some(id) = opening else { return Ok(None) };
        let at = usize::from(id.0);
        if let Some(Some(number)) = self.known.get(at) {
            return Ok(Some(*number));
        }
        let opening = self.table.get(id);
        let name = [opening.eco, opening.name];
        let found = self.select.query_row(name, |row| row.get(0)).optional()?;
        let number = found.map_or_else(|| self.insert.insert(name), Ok)?;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        self.known[at] = Some(number);
        Ok(Some(number))
    }
}
