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

/// The text that is hashed before a table. It changes with the rule that gives a game its name, so that games are named
/// anew.
const RULE: &[u8] = b"Stamma openings 1";

/// The table of openings of a database.
#[derive(Clone, Debug)]
pub enum OpeningTable {
    /// The table of the library.
    Standard,
    /// A table of the user.
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
    /// When the database cannot be read, or its table has an invalid line.
    pub(crate) fn read(connection: &Connection) -> StoreResult<OpeningTable> {
        let Some(lines) = own_lines(connection)? else {
            return Ok(OpeningTable::Standard);
        };
        let openings = Openings::from_lines(&lines).map_err(StoreFault::Openings)?;
        Ok(OpeningTable::Own(Arc::new(openings)))
    }

    /// The opening of a stored game. Games of variants have none.
    pub(crate) fn of_stored(&self, game: &PlayedGame) -> Option<OpeningId> {
        if game.variant != Variant::Standard {
            return None;
        }
        self.of_mainline(game.mainline()?)
    }

    /// The openings of the stored games that have one.
    pub(super) fn of_games(&self, games: &[PlayedGame]) -> Vec<(GameId, OpeningId)> {
        let mut openings = Vec::with_capacity(games.len());
        for game in games {
            if let Some(opening) = self.of_stored(game) {
                openings.push((game.id, opening));
            }
        }
        openings
    }
}

/// The lines of a user's table; `None` if the standard table is used.
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

    if lines.is_empty() {
        return Ok(None);
    }
    Ok(Some(lines))
}

/// The hash by which a table is recognized.
fn hash_of_table(connection: &Connection) -> rusqlite::Result<i64> {
    let own = own_lines(connection)?;
    let lines = own.as_deref().unwrap_or(Openings::STANDARD_LINES);

    let mut hasher = blake3::Hasher::new();
    hasher.update(RULE);
    hasher.update(lines.as_bytes());
    let hash = hasher.finalize();

    // Eight bytes of the hash fit into a row of `counter`.
    let first_bytes = hash.as_bytes().first_chunk().copied().unwrap_or_default();
    Ok(i64::from_le_bytes(first_bytes))
}

/// The hash of the table by which the games of a database are named; `None` if they are not named.
fn named_by(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT value FROM counter WHERE name = 'opening_table'";
    connection.query_row(sql, [], |row| row.get(0)).optional()
}

impl Database {
    /// The table of openings.
    ///
    /// # Errors
    /// When the database cannot be read, or its table has an invalid line.
    pub fn openings(&self) -> Result<OpeningTable> {
        OpeningTable::read(&self.connection).in_database(self)
    }

    /// The lines of the table of openings, in the format of [`Openings::from_lines`].
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn opening_lines(&self) -> Result<Cow<'static, str>> {
        let own = own_lines(&self.connection).in_database(self)?;
        Ok(own.map_or(Cow::Borrowed(Openings::STANDARD_LINES), Cow::Owned))
    }

    /// `true` if all games are named by the table of openings, except for changed games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn are_games_named(&self) -> Result<bool> {
        let named_by = named_by(&self.connection).in_database(self)?;
        let current = hash_of_table(&self.connection).in_database(self)?;
        Ok(named_by == Some(current))
    }

    /// `true` if the games of both databases are named by equal tables.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub(crate) fn names_games_like(&self, other: &Database) -> Result<bool> {
        let ours = named_by(&self.connection).in_database(self)?;
        let theirs = named_by(&other.connection).in_database(other)?;
        Ok(ours.is_some() && ours == theirs)
    }

    /// Replaces a user's table by lines in the format of [`Openings::from_lines`]; no lines select the standard table.
    /// The games keep their names.
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
                let moves = cells.next().unwrap_or_default();
                let eco = cells.next().unwrap_or_default();
                let name = cells.next().unwrap_or_default();
                insert.execute([moves, eco, name])?;
            }
            Ok(())
        };
        write().in_database(self)
    }

    /// Names all games anew, and stores the hash of the table. Triggers should be off: the new names change no
    /// description.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn name_all_games(&self) -> Result<()> {
        let name = || -> StoreResult<()> {
            let connection = &self.connection;
            let clear = "UPDATE game SET opening_id = NULL WHERE opening_id IS NOT NULL;
                DELETE FROM opening";
            connection.execute_batch(clear)?;
            name_range(connection, (i64::MIN, i64::MAX))?;

            let hash = hash_of_table(connection)?;
            let sql = "INSERT OR REPLACE INTO counter VALUES ('opening_table', ?1)";
            connection.execute(sql, [hash])?;
            Ok(())
        };
        name().in_database(self)
    }

    /// Names the games of a range of numbers, which have no names yet.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn name_games(&self, range: (i64, i64)) -> Result<()> {
        name_range(&self.connection, range).in_database(self)
    }

    /// Names the changed games of a range of numbers anew.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn name_changed_games(&self, range: (i64, i64)) -> Result<()> {
        name_changed(&self.connection, range).in_database(self)
    }
}

/// Names the games of a range of numbers.
fn name_range(connection: &Connection, range: (i64, i64)) -> StoreResult<()> {
    let table = OpeningTable::read(connection)?;
    let mut names = GameNames::new(connection, table.clone())?;
    let openings_of = |games: &[PlayedGame]| table.of_games(games);
    let write = |named: Vec<(GameId, OpeningId)>| -> rusqlite::Result<()> {
        for (game, opening) in named {
            names.set(game.get(), Some(opening))?;
        }
        Ok(())
    };

    let lines = IndexedLines::Mainline;
    replay_stored(connection, range, None, lines, openings_of, write)?;
    Ok(())
}

/// Names the changed games from `first` to `last` anew.
fn name_changed(connection: &Connection, (first, last): (i64, i64)) -> StoreResult<()> {
    let sql = "SELECT game.id FROM stale_game JOIN game ON game.id = stale_game.id
        WHERE stale_game.id BETWEEN ?1 AND ?2";
    let mut select = connection.prepare(sql)?;
    let changed: Vec<i64> = select
        .query_map([first, last], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if changed.is_empty() {
        return Ok(());
    }

    let table = OpeningTable::read(connection)?;
    let mut names = GameNames::new(connection, table.clone())?;
    for id in changed {
        let game = PlayedGame::read(connection, GameId::new(id), IndexedLines::Mainline)?;
        let opening = game.and_then(|game| table.of_stored(&game));
        names.set(id, opening)?;
    }
    Ok(())
}

/// Writes the openings of stored games.
struct GameNames<'c> {
    numbers: OpeningNumbers<'c>,
    update: Statement<'c>,
}

impl<'c> GameNames<'c> {
    /// Prepares the statements.
    fn new(connection: &'c Connection, table: OpeningTable) -> rusqlite::Result<GameNames<'c>> {
        let sql = "UPDATE game SET opening_id = ?2 WHERE id = ?1 AND opening_id IS NOT ?2";
        let numbers = OpeningNumbers::new(connection, table)?;
        Ok(GameNames {
            numbers,
            update: connection.prepare(sql)?,
        })
    }

    /// Writes the opening of a game.
    fn set(&mut self, game: i64, opening: Option<OpeningId>) -> rusqlite::Result<()> {
        let number = self.numbers.number(opening)?;
        self.update.execute(params![game, number])?;
        Ok(())
    }
}

/// The row numbers of openings in `opening`. An opening gets a row when a game first has it.
pub(super) struct OpeningNumbers<'c> {
    table: OpeningTable,
    /// The known row numbers, by the number of the opening in the table.
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
        let number = match found {
            Some(number) => number,
            None => self.insert.insert(name)?,
        };

        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        self.known[at] = Some(number);
        Ok(Some(number))
    }
}
