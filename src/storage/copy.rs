//! Rows copied from another database, with new numbers.

use std::collections::{BTreeSet, HashMap};

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{OptionalExtension, Row, params};

use super::canonical_names::{NameTable, copy_canonical_names};
use super::evaluation::copy_evaluations;
use super::source::count_of_range;
use super::{Database, InDatabase, checksum, name_words, writer};
use crate::error::{Error, Result};

/// The kind of row that the number in a column refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberOf {
    Game,
    Source,
    /// A game without which the row means nothing.
    KeptGame,
    /// A game that may be skipped; the column is [`NO_GAME`] then.
    EarlierGame,
    /// A source that may be skipped; the column is NULL then.
    EarlierSource,
    /// A table of [`NAMES`].
    Name(usize),
    /// An opening; the column is NULL if games are named anew.
    Opening,
    /// The row itself, which gets a new number.
    Row,
}

/// A table, and its columns with numbers to replace; all other columns are copied unchanged.
struct Table {
    name: &'static str,
    numbers: &'static [(&'static str, NumberOf)],
}

/// The tables of names, with the column of the name.
const NAMES: [(&str, &str); 4] = [
    ("player", "name"),
    ("event", "name"),
    ("site", "name"),
    ("tag_order", "names"),
];
/// The indexes of the tables in [`NAMES`].
const PLAYER: usize = 0;
const EVENT: usize = 1;
const SITE: usize = 2;
const TAG_ORDER: usize = 3;

const SOURCE: Table = Table {
    name: "source",
    numbers: &[
        ("id", NumberOf::Row),
        ("first_game", NumberOf::Game),
        ("last_game", NumberOf::Game),
        ("continues", NumberOf::EarlierSource),
    ],
};

const GAME: Table = Table {
    name: "game",
    numbers: &[
        ("id", NumberOf::Game),
        ("source_id", NumberOf::Source),
        ("white_id", NumberOf::Name(PLAYER)),
        ("black_id", NumberOf::Name(PLAYER)),
        ("event_id", NumberOf::Name(EVENT)),
        ("site_id", NumberOf::Name(SITE)),
        ("tag_order_id", NumberOf::Name(TAG_ORDER)),
        ("opening_id", NumberOf::Opening),
    ],
};

/// The tables whose rows belong to games and sources.
const OTHERS: [Table; 6] = [
    Table {
        name: "movetext",
        numbers: &[("game_id", NumberOf::Game)],
    },
    Table {
        name: "problem",
        numbers: &[
            ("id", NumberOf::Row),
            ("source_id", NumberOf::Source),
            ("game_id", NumberOf::Game),
        ],
    },
    Table {
        name: "source_text",
        numbers: &[
            ("id", NumberOf::Row),
            ("source_id", NumberOf::Source),
            ("before_game", NumberOf::Game),
        ],
    },
    Table {
        name: "stale_game",
        numbers: &[("id", NumberOf::Game)],
    },
    Table {
        name: "duplicate_of",
        numbers: &[("game_id", NumberOf::Game), ("kept_id", NumberOf::KeptGame)],
    },
    Table {
        name: "merged_tag",
        numbers: &[
            ("game_id", NumberOf::Game),
            ("from_game_id", NumberOf::EarlierGame),
        ],
    },
];

/// The new numbers of the games of another database: in the old order and without gaps, except that the numbers of
/// skipped sources are removed.
#[derive(Debug, Default)]
pub(crate) struct GameNumbers {
    /// The first number in the other database.
    origin: i64,
    /// The new number of `origin`.
    base: i64,
    /// Ranges of removed numbers, ascending.
    cuts: Vec<Cut>,
    /// Games that are skipped.
    skipped: BTreeSet<i64>,
}

/// A range of numbers, and the count of numbers removed before it.
#[derive(Clone, Copy, Debug)]
struct Cut {
    first: i64,
    last: i64,
    before: i64,
}

impl GameNumbers {
    /// Removes disjoint ranges of numbers. A damaged database may have ranges up to the last number of 64 bits.
    fn cut(&mut self, mut ranges: Vec<(i64, i64)>) {
        ranges.sort_unstable();

        let mut before = 0_i64;
        for (first, last) in ranges {
            self.cuts.push(Cut {
                first,
                last,
                before,
            });
            before = before.saturating_add(count_of_range(first, last));
        }
    }

    /// The new number of a game. A skipped game has the number of the next copied game.
    pub(crate) fn number(&self, game: i64) -> Result<i64> {
        let cuts = self.cuts.partition_point(|cut| cut.first < game);
        let last_cut = cuts.checked_sub(1).and_then(|last| self.cuts.get(last));
        let removed = match last_cut {
            Some(cut) => {
                // The game itself may be in the last range.
                let end = game.min(cut.last.saturating_add(1));
                cut.before.saturating_add(end.saturating_sub(cut.first))
            }
            None => 0,
        };

        let number = game
            .checked_sub(self.origin)
            .and_then(|offset| offset.checked_add(self.base))
            .and_then(|number| number.checked_sub(removed));
        number.ok_or(Error::Limit("the numbers of games are at their end, 2^63"))
    }

    /// The lowest new number.
    pub(crate) fn first(&self) -> i64 {
        self.base
    }

    /// `true` if a game from `first` to `last` is skipped.
    pub(crate) fn is_any_skipped(&self, first: i64, last: i64) -> bool {
        let next_cut = self.cuts.partition_point(|cut| cut.last < first);
        if let Some(cut) = self.cuts.get(next_cut)
            && cut.first <= last
        {
            return true;
        }

        // A range that ends before its beginning would panic.
        let mut skipped = self.skipped.range(first..=last.max(first));
        skipped.next().is_some()
    }

    /// `true` if a game is skipped.
    fn is_skipped(&self, game: i64) -> bool {
        self.is_any_skipped(game, game)
    }
}

/// The result of [`Database::copy_rows`].
#[derive(Debug, Default)]
pub(crate) struct CopySummary {
    pub(crate) numbers: GameNumbers,
    /// The number of games copied.
    pub(crate) games: u64,
    /// The paths of the sources copied.
    pub(crate) sources: Vec<String>,
    /// The paths of the sources skipped because their content is already present.
    pub(crate) passed_over: Vec<String>,
}

impl Database {
    /// Copies all rows of another database, except the rows of its position index, after the present games. A source
    /// whose content is already present is skipped together with everything that came from it.
    ///
    /// `progress` is called regularly with the number of games copied.
    ///
    /// # Errors
    /// When a database cannot be read or written, or the other is damaged.
    pub(crate) fn copy_rows(
        &self,
        other: &Database,
        progress: &mut impl FnMut(u64),
    ) -> Result<CopySummary> {
        let base = writer::next_game(&self.connection).in_database(self)?;
        let last_rows = checksum::last_rows(&self.connection).in_database(self)?;
        let known = self.known_sources(other)?;
        let mut copying = Copying {
            database: self,
            other,
            sources: HashMap::new(),
            names: Default::default(),
            openings: HashMap::new(),
            summary: CopySummary::default(),
        };

        // Rows of games refer to the numbers of games, sources, names and openings, which come first.
        copying.summary.numbers = other.game_numbers(base, &known)?;
        copying.copy_sources(&known)?;
        copying.copy_names()?;
        for table in NameTable::ALL {
            copy_canonical_names(&self.connection, &other.connection, table).in_database(self)?;
        }
        copy_evaluations(&self.connection, &other.connection).in_database(self)?;
        if self.names_games_like(other)? {
            copying.copy_openings()?;
        }

        copying.summary.games = copying.copy_table(&GAME, progress)?;
        for table in &OTHERS {
            copying.copy_table(table, &mut |_| {})?;
        }
        let summary = copying.summary;

        let next_there = writer::next_game(&other.connection).in_database(other)?;
        let next = summary.numbers.number(next_there)?.max(base);
        writer::set_next_game(&self.connection, next).in_database(self)?;
        checksum::add_after(&self.connection, last_rows).in_database(self)?;
        Ok(summary)
    }

    /// The new numbers of the games, from `base` on, without the games of some sources.
    fn game_numbers(&self, base: i64, without: &[i64]) -> Result<GameNumbers> {
        let origin = self.ask(
            "SELECT coalesce(min(first), 1) FROM (SELECT min(id) AS first FROM game
             UNION ALL SELECT min(first_game) FROM source
             UNION ALL SELECT min(before_game) FROM source_text
             UNION ALL SELECT min(first_game) FROM position_segment
             UNION ALL SELECT min(id) FROM stale_game)",
        )?;
        let mut numbers = GameNumbers {
            origin,
            base,
            ..GameNumbers::default()
        };

        let sql = "SELECT id FROM game WHERE source_id = ?1";
        let mut select = self.connection.prepare(sql).in_database(self)?;
        let mut cuts = Vec::new();
        for &source in without {
            cuts.extend(self.numbers_of_source(source)?);

            // All games of the source are skipped, also if games of another source keep its range from being cut.
            let mut games = select.query([source]).in_database(self)?;
            while let Some(row) = games.next().in_database(self)? {
                let game: i64 = row.get(0).in_database(self)?;
                numbers.skipped.insert(game);
            }
        }
        numbers.cut(cuts);
        Ok(numbers)
    }

    /// The number of games of another database that [`Database::copy_rows`] would copy.
    pub(crate) fn count_new_games(&self, other: &Database) -> Result<u64> {
        let known = self.known_sources(other)?;
        let mut games = 0;
        for source in other.sources()? {
            if !known.contains(&source.id.get()) {
                games += source.games;
            }
        }
        Ok(games)
    }

    /// The sources of another database whose content is already present.
    fn known_sources(&self, other: &Database) -> Result<Vec<i64>> {
        struct SourceContent {
            id: i64,
            bytes: i64,
            hash: Vec<u8>,
            filter: Option<String>,
        }

        let all = "SELECT id, bytes, content_hash, filter FROM source";
        let sources: Vec<SourceContent> = other.rows(all, |row| {
            Ok(SourceContent {
                id: row.get(0)?,
                bytes: row.get(1)?,
                hash: row.get(2)?,
                filter: row.get(3)?,
            })
        })?;

        // A source that was imported without a filter has all games of its file.
        let sql = "SELECT EXISTS (SELECT 1 FROM source
            WHERE bytes = ?1 AND content_hash = ?2 AND (filter IS NULL OR filter IS ?3))";
        let mut select = self.connection.prepare(sql).in_database(self)?;

        let mut known = Vec::new();
        for source in sources {
            // A source whose import was not finished has no hash yet.
            if source.hash.is_empty() {
                continue;
            }

            let values = params![source.bytes, source.hash, source.filter];
            let is_known: bool = select
                .query_row(values, |row| row.get(0))
                .in_database(self)?;
            if is_known {
                known.push(source.id);
            }
        }
        Ok(known)
    }

    /// The range of a source's games, unless a game of another source is among them.
    fn numbers_of_source(&self, source: i64) -> Result<Option<(i64, i64)>> {
        let sql =
            "SELECT first_game, last_game FROM source WHERE id = ?1 AND first_game IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM game WHERE game.id BETWEEN first_game AND last_game
                AND source_id <> ?1)";
        let range = self
            .connection
            .query_row(sql, [source], |row| Ok((row.get(0)?, row.get(1)?)));
        range.optional().in_database(self)
    }
}

/// A running copy.
struct Copying<'d> {
    database: &'d Database,
    other: &'d Database,
    /// The new numbers of sources.
    sources: HashMap<i64, i64>,
    /// The new numbers of the names of each table.
    names: [HashMap<i64, i64>; NAMES.len()],
    /// The new numbers of openings; empty if the games are named anew.
    openings: HashMap<i64, i64>,
    summary: CopySummary,
}

impl Copying<'_> {
    /// Copies the sources except `known` ones.
    fn copy_sources(&mut self, known: &[i64]) -> Result<()> {
        for source in self.other.sources()? {
            if known.contains(&source.id.get()) {
                self.summary.passed_over.push(source.path);
                continue;
            }

            let clause = format!("WHERE id = {}", source.id);
            self.copy_selected(&SOURCE, &clause, &mut |_| {})?;

            let number = self.database.connection.last_insert_rowid();
            self.sources.insert(source.id.get(), number);
            self.summary.sources.push(source.path);
        }
        Ok(())
    }

    /// Assigns numbers to the names that the games use. Names that this database lacks are added.
    fn copy_names(&mut self) -> Result<()> {
        let mut used: [BTreeSet<i64>; NAMES.len()] = Default::default();
        let sql = "SELECT source_id, white_id, black_id, event_id, site_id, tag_order_id FROM game";
        self.other.rows(sql, |row| {
            let source: i64 = row.get(0)?;
            if !self.sources.contains_key(&source) {
                return Ok(());
            }

            // White and Black are both players.
            for (column, table) in [
                (1, PLAYER),
                (2, PLAYER),
                (3, EVENT),
                (4, SITE),
                (5, TAG_ORDER),
            ] {
                let number: Option<i64> = row.get(column)?;
                used[table].extend(number);
            }
            Ok(())
        })?;

        for (table, used) in used.iter().enumerate() {
            self.copy_names_of(table, used)?;
        }
        Ok(())
    }

    /// Assigns numbers to the used names of a table. Names that this database lacks are added.
    fn copy_names_of(&mut self, table: usize, used: &BTreeSet<i64>) -> Result<()> {
        let (name, column) = NAMES[table];
        let database = self.database;
        let connection = &database.connection;

        let select_one = format!("SELECT id FROM {name} WHERE {column} = ?1");
        let mut select = connection.prepare(&select_one).in_database(database)?;
        let insert_one = format!("INSERT INTO {name} ({column}) VALUES (?1)");
        let mut insert = connection.prepare(&insert_one).in_database(database)?;
        let last = database.ask(&format!("SELECT coalesce(max(id), 0) FROM {name}"))?;

        let select_all = format!("SELECT id, {column} FROM {name} ORDER BY id");
        let names: Vec<(i64, Value)> = self
            .other
            .rows(&select_all, |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (id, text) in names {
            if !used.contains(&id) {
                continue;
            }

            let found = select.query_row([&text], |row| row.get(0)).optional();
            let number = match found.in_database(database)? {
                Some(number) => number,
                None => insert.insert([&text]).in_database(database)?,
            };
            self.names[table].insert(id, number);
        }

        // The orders of tags, whose column is `names`, are not searched by words.
        if column == "name" {
            let add_words = name_words::add_words_sql(name);
            connection
                .execute(&add_words, [last])
                .in_database(database)?;
        }
        Ok(())
    }

    /// Assigns numbers to the openings of the other database. Openings that this database lacks are added.
    fn copy_openings(&mut self) -> Result<()> {
        let database = self.database;
        let select_one = "SELECT id FROM opening WHERE eco = ?1 AND name = ?2";
        let mut select = database
            .connection
            .prepare(select_one)
            .in_database(database)?;
        let insert_one = "INSERT INTO opening (eco, name) VALUES (?1, ?2)";
        let mut insert = database
            .connection
            .prepare(insert_one)
            .in_database(database)?;

        let select_all = "SELECT id, eco, name FROM opening ORDER BY id";
        let openings: Vec<(i64, Value, Value)> = self.other.rows(select_all, |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;

        for (id, eco, name) in openings {
            let found = select.query_row((&eco, &name), |row| row.get(0)).optional();
            let number = match found.in_database(database)? {
                Some(number) => number,
                None => insert.insert((&eco, &name)).in_database(database)?,
            };
            self.openings.insert(id, number);
        }
        Ok(())
    }

    /// Copies the rows of a table in the order of its first column, except skipped ones; returns their number.
    fn copy_table(&self, table: &Table, progress: &mut impl FnMut(u64)) -> Result<u64> {
        self.copy_selected(table, "ORDER BY 1", progress)
    }

    /// Copies the rows of a table that a clause selects, except skipped ones; returns their number.
    fn copy_selected(
        &self,
        table: &Table,
        clause: &str,
        progress: &mut impl FnMut(u64),
    ) -> Result<u64> {
        let sql = format!("SELECT * FROM {} {clause}", table.name);
        let mut select = self
            .other
            .connection
            .prepare(&sql)
            .in_database(self.other)?;

        let columns: Vec<String> = select
            .column_names()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let numbers: Vec<Option<NumberOf>> = columns
            .iter()
            .map(|column| table.number_of(column))
            .collect();
        let mut insert = self
            .database
            .connection
            .prepare(&table.insert(&columns))
            .in_database(self.database)?;

        let mut rows = select.query([]).in_database(self.other)?;
        let mut copied = 0;
        while let Some(row) = rows.next().in_database(self.other)? {
            let Some(values) = self.new_values(table, row, &numbers)? else {
                continue;
            };
            let parameters = rusqlite::params_from_iter(values);
            insert.execute(parameters).in_database(self.database)?;

            copied += 1;
            if copied % PROGRESS_ROWS == 0 {
                progress(copied);
            }
        }
        Ok(copied)
    }

    /// The values of a row with new numbers; `None` if it is skipped.
    fn new_values<'r>(
        &self,
        table: &Table,
        row: &'r Row<'_>,
        numbers: &[Option<NumberOf>],
    ) -> Result<Option<Vec<ToSqlOutput<'r>>>> {
        let mut values = Vec::with_capacity(numbers.len());
        for (column, number) in numbers.iter().enumerate() {
            let value = row.get_ref(column).in_database(self.other)?;
            let (Some(kind), ValueRef::Integer(number)) = (*number, value) else {
                values.push(ToSqlOutput::Borrowed(value));
                continue;
            };

            // The first column has the game that the row describes. The row of a skipped game is skipped.
            let is_key = column == 0;
            let Some(value) = self.new_number(table, kind, number, is_key)? else {
                return Ok(None);
            };
            values.push(ToSqlOutput::Owned(value));
        }
        Ok(Some(values))
    }

    /// The new value of a number; `None` if its row is skipped.
    fn new_number(
        &self,
        table: &Table,
        kind: NumberOf,
        number: i64,
        is_key: bool,
    ) -> Result<Option<Value>> {
        let games = &self.summary.numbers;

        let value = match kind {
            // SQLite assigns a new number.
            NumberOf::Row => Value::Null,
            // Columns other than the key may refer to a skipped game: the ends of a range, or the game after a text.
            NumberOf::Game if is_key && games.is_skipped(number) => return Ok(None),
            NumberOf::KeptGame if games.is_skipped(number) => return Ok(None),
            NumberOf::EarlierGame if games.is_skipped(number) => Value::Integer(NO_GAME),
            NumberOf::Game | NumberOf::KeptGame | NumberOf::EarlierGame => {
                Value::Integer(games.number(number)?)
            }
            NumberOf::Source => {
                let Some(&source) = self.sources.get(&number) else {
                    return Ok(None);
                };
                Value::Integer(source)
            }
            NumberOf::EarlierSource => Value::from(self.sources.get(&number).copied()),
            NumberOf::Opening => Value::from(self.openings.get(&number).copied()),
            NumberOf::Name(names) => {
                let Some(&name) = self.names[names].get(&number) else {
                    return Err(self.missing_name_error(table, NAMES[names].0, number));
                };
                Value::Integer(name)
            }
        };
        Ok(Some(value))
    }

    /// The error for a row that refers to a missing name.
    fn missing_name_error(&self, table: &Table, names: &str, number: i64) -> Error {
        self.other.damaged(format!(
            "a {} names {names} {number}, which is not there",
            table.name
        ))
    }
}

/// The number of rows between calls of `progress`.
const PROGRESS_ROWS: u64 = 1000;
/// The number in `merged_tag` for a game that is not in the database.
const NO_GAME: i64 = 0;

impl Table {
    /// The meaning of the numbers in a column; `None` if they are copied unchanged.
    fn number_of(&self, column: &str) -> Option<NumberOf> {
        self.numbers
            .iter()
            .find(|(name, _)| *name == column)
            .map(|(_, kind)| *kind)
    }

    /// The statement that inserts a row with values for all columns.
    fn insert(&self, columns: &[String]) -> String {
        let values: Vec<String> = (1..=columns.len())
            .map(|number| format!("?{number}"))
            .collect();
        let quoted: Vec<String> = columns
            .iter()
            .map(|column| format!("\"{column}\""))
            .collect();

        let values = values.join(", ");
        let columns = quoted.join(", ");
        format!("INSERT INTO {} ({columns}) VALUES ({values})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_close_up_where_sources_are_skipped() {
        let mut numbers = GameNumbers {
            origin: 5,
            base: 1000,
            ..GameNumbers::default()
        };
        numbers.cut(vec![(30, 30), (10, 19)]);

        let found = [5, 9, 10, 15, 20, 29, 30, 31].map(|game| numbers.number(game).ok());
        let expected = [1000, 1004, 1005, 1005, 1005, 1014, 1015, 1015].map(Some);
        assert_eq!(found, expected);
        assert!(!numbers.is_any_skipped(20, 29));
        assert!(numbers.is_any_skipped(20, 30));
        assert!(numbers.number(i64::MAX).is_err());
    }

    #[test]
    fn ranges_of_a_damaged_database_are_no_overflow() {
        let mut numbers = GameNumbers {
            origin: 1,
            base: 1,
            ..GameNumbers::default()
        };
        numbers.cut(vec![(i64::MIN, i64::MAX), (5, i64::MAX)]);

        for game in [i64::MIN, 1, 6, i64::MAX] {
            // Any number will do, and an error as well.
            let _ = numbers.number(game);
            assert!(numbers.is_any_skipped(game, game));
        }
    }
}
