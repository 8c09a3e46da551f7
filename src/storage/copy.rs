//! Rows copied from another database, with new numbers.

use std::collections::{BTreeSet, HashMap};

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{OptionalExtension, Row, params};

use super::canonical_names::{NameTable, copy_canonical_names};
use super::evaluation::copy_evaluations;
use super::{Database, InDatabase, checksum, name_words, writer};
use crate::error::{Error, Result};

/// What a number in a column refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberOf {
    Game,
    Source,
    /// A game without which the row means nothing.
    KeptGame,
    /// A game that may be passed over, and is 0 then, which no game is.
    EarlierGame,
    /// A source that may be skipped; the column is NULL then.
    EarlierSource,
    /// A table of [`NAMES`].
    Name(usize),
    /// An opening, NULL where games are named anew.
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
        ("white_id", NumberOf::Name(0)),
        ("black_id", NumberOf::Name(0)),
        ("event_id", NumberOf::Name(1)),
        ("site_id", NumberOf::Name(2)),
        ("tag_order_id", NumberOf::Name(3)),
        ("opening_id", NumberOf::Opening),
    ],
};

/// The tables of games and sources.
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

/// The new numbers of the games of another database: in the same order and without gaps, skipping those of skipped
/// sources.
#[derive(Debug, Default)]
pub(crate) struct GameNumbers {
    /// The first number there, and its new number.
    origin: i64,
    base: i64,
    /// Ranges of removed numbers, ascending.
    cuts: Vec<Cut>,
    /// Games that are skipped.
    passed: BTreeSet<i64>,
}

/// A range of numbers, and the count of numbers removed before it.
#[derive(Clone, Copy, Debug)]
struct Cut {
    first: i64,
    last: i64,
    before: i64,
}

impl GameNumbers {
    /// Removes disjoint ranges of numbers.
    fn cut(&mut self, mut ranges: Vec<(i64, i64)>) {
        ranges.sort_unstable();
        let mut before = 0;
        for (first, last) in ranges {
            self.cuts.push(Cut {
                first,
                last,
                before,
            });
            before += last - first + 1;
        }
    }

    /// The new number of a game; for a skipped game, that of the next.
    pub(crate) fn number(&self, game: i64) -> Result<i64> {
        let cuts = self.cuts.partition_point(|cut| cut.first < game);
        let last = cuts.checked_sub(1).and_then(|last| self.cuts.get(last));
        let cut = last.map_or(0, |cut| cut.before + game.min(cut.last + 1) - cut.first);
        let number = game
            .checked_sub(self.origin)
            .and_then(|game| game.checked_add(self.base));
        number
            .map(|number| number - cut)
            .ok_or(Error::Limit("the numbers of games are at their end, 2^63"))
    }

    /// The least number that a game gets.
    pub(crate) fn first(&self) -> i64 {
        self.base
    }

    /// `true` if a game from `first` to `last` is skipped.
    pub(crate) fn pass_over_any(&self, first: i64, last: i64) -> bool {
        let cut = self.cuts.partition_point(|cut| cut.last < first);
        let is_cut = self.cuts.get(cut).is_some_and(|cut| cut.first <= last);
        is_cut || self.passed.range(first..=last.max(first)).next().is_some()
    }

    fn pass_over(&self, game: i64) -> bool {
        self.pass_over_any(game, game)
    }
}

/// The result of [`Database::copy_rows`].
#[derive(Debug, Default)]
pub(crate) struct Copied {
    pub(crate) numbers: GameNumbers,
    /// The number of games copied.
    pub(crate) games: u64,
    /// The paths of the sources copied.
    pub(crate) sources: Vec<String>,
    /// The paths of the sources skipped because their content is already present.
    pub(crate) passed_over: Vec<String>,
}

impl Database {
    /// Copies all rows of another database, except those of its position index, after the present games. A source whose
    /// content is already present is skipped together with everything that came from it.
    ///
    /// `progress` is called regularly with the number of games copied.
    ///
    /// # Errors
    /// When a database cannot be read or written, or the other is damaged.
    pub(crate) fn copy_rows(
        &self,
        other: &Database,
        progress: &mut impl FnMut(u64),
    ) -> Result<Copied> {
        let base = writer::next_game(&self.connection).in_database(self)?;
        let last_rows = checksum::last_rows(&self.connection).in_database(self)?;
        let mut copying = Copying {
            database: self,
            other,
            sources: HashMap::new(),
            names: Default::default(),
            openings: HashMap::new(),
            copied: Copied::default(),
        };
        let known = self.known_sources(other)?;
        copying.copied.numbers = other.game_numbers(base, &known)?;
        copying.sources(&known)?;
        copying.names()?;
        for table in NameTable::ALL {
            copy_canonical_names(&self.connection, &other.connection, table).in_database(self)?;
        }
        copy_evaluations(&self.connection, &other.connection).in_database(self)?;
        if self.names_games_like(other)? {
            copying.openings()?;
        }
        copying.copied.games = copying.table(&GAME, progress)?;
        for table in &OTHERS {
            copying.table(table, &mut |_| {})?;
        }
        let copied = copying.copied;
        let next = writer::next_game(&other.connection).in_database(other)?;
        let next = copied.numbers.number(next)?.max(base);
        writer::set_next_game(&self.connection, next)
            .and_then(|()| checksum::take_behind(&self.connection, last_rows))
            .in_database(self)?;
        Ok(copied)
    }

    /// The new numbers of the games, from `base` on, without those of some sources.
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
        let mut cuts = Vec::new();
        for &source in without {
            cuts.extend(self.numbers_of_source(source)?);
            let sql = "SELECT id FROM game WHERE source_id = ?1";
            let games = self.connection.prepare(sql).and_then(|mut select| {
                select
                    .query_map([source], |row| row.get(0))?
                    .collect::<rusqlite::Result<Vec<i64>>>()
            });
            numbers.passed.extend(games.in_database(self)?);
        }
        numbers.cut(cuts);
        Ok(numbers)
    }

    /// The number of games of another database that [`Database::copy_rows`] would copy.
    pub(crate) fn count_new_games(&self, other: &Database) -> Result<u64> {
        let known = self.known_sources(other)?;
        let sources = other.sources()?.into_iter();
        Ok(sources
            .filter(|source| !known.contains(&source.id.get()))
            .map(|source| source.games)
            .sum())
    }

    /// The sources of another database whose content is already present.
    fn known_sources(&self, other: &Database) -> Result<Vec<i64>> {
        type SourceContent = (i64, i64, Vec<u8>, Option<String>);

        let all = "SELECT id, bytes, content_hash, filter FROM source";
        let all: Vec<SourceContent> = other.rows(all, |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        let known = "SELECT EXISTS (SELECT 1 FROM source
            WHERE bytes = ?1 AND content_hash = ?2 AND (filter IS NULL OR filter IS ?3))";
        let mut known = self.connection.prepare(known).in_database(self)?;
        let mut numbers = Vec::new();
        for (id, bytes, hash, filter) in all {
            let values = params![bytes, hash, filter];
            let found = known.query_row(values, |row| row.get::<_, bool>(0));
            // A source whose import was not finished has no hash yet.
            if !hash.is_empty() && found.in_database(self)? {
                numbers.push(id);
            }
        }
        Ok(numbers)
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
    /// The new numbers of sources and of names.
    sources: HashMap<i64, i64>,
    names: [HashMap<i64, i64>; NAMES.len()],
    /// The numbers here of openings, none where the games are named anew.
    openings: HashMap<i64, i64>,
    copied: Copied,
}

impl Copying<'_> {
    fn sources(&mut self, known: &[i64]) -> Result<()> {
        for source in self.other.sources()? {
            if known.contains(&source.id.get()) {
                self.copied.passed_over.push(source.path);
                continue;
            }
            let rows = format!("WHERE id = {}", source.id);
            self.rows(&SOURCE, &rows, &mut |_| {})?;
            self.sources.insert(
                source.id.get(),
                self.database.connection.last_insert_rowid(),
            );
            self.copied.sources.push(source.path);
        }
        Ok(())
    }

    /// Looks up the names that the games use, and adds new ones.
    fn names(&mut self) -> Result<()> {
        let mut used: [BTreeSet<i64>; NAMES.len()] = Default::default();
        let sql = "SELECT source_id, white_id, black_id, event_id, site_id, tag_order_id FROM game";
        self.other.rows(sql, |row| {
            if self.sources.contains_key(&row.get(0)?) {
                for (column, table) in [(1, 0), (2, 0), (3, 1), (4, 2), (5, 3)] {
                    used[table].extend(row.get::<_, Option<i64>>(column)?);
                }
            }
            Ok(())
        })?;
        for (table, used) in used.iter().enumerate() {
            self.names_of(table, used)?;
        }
        Ok(())
    }

    fn names_of(&mut self, table: usize, used: &BTreeSet<i64>) -> Result<()> {
        let (name, column) = NAMES[table];
        let (database, other) = (self.database, self.other);
        let here = format!("SELECT id FROM {name} WHERE {column} = ?1");
        let mut here = database.connection.prepare(&here).in_database(database)?;
        let add = format!("INSERT INTO {name} ({column}) VALUES (?1)");
        let mut add = database.connection.prepare(&add).in_database(database)?;
        let last = database.ask(&format!("SELECT coalesce(max(id), 0) FROM {name}"))?;
        let there = format!("SELECT id, {column} FROM {name} ORDER BY id");
        let there = other.rows(&there, |row| Ok((row.get(0)?, row.get::<_, Value>(1)?)))?;
        for (id, text) in there.into_iter().filter(|(id, _)| used.contains(id)) {
            let found = here
                .query_row([&text], |row| row.get(0))
                .optional()
                .in_database(database)?;
            let number = found
                .map_or_else(|| add.insert([&text]), Ok)
                .in_database(database)?;
            self.names[table].insert(id, number);
        }
        if column == "name" {
            database
                .connection
                .execute(&name_words::add_words(name), [last])
                .in_database(database)?;
        }
        Ok(())
    }

    /// Looks up the openings of the other database, and adds those that are new.
    fn openings(&mut self) -> Result<()> {
        let connection = &self.database.connection;
        let here = "SELECT id FROM opening WHERE eco = ?1 AND name = ?2";
        let mut here = connection.prepare(here).in_database(self.database)?;
        let add = "INSERT INTO opening (eco, name) VALUES (?1, ?2)";
        let mut add = connection.prepare(add).in_database(self.database)?;
        let there = "SELECT id, eco, name FROM opening ORDER BY id";
        let there = self.other.rows(there, |row| {
            Ok((
                row.get::<_, i64>(0)?,
                [row.get::<_, Value>(1)?, row.get(2)?],
            ))
        })?;
        for (id, name) in there {
            let found = here.query_row((&name[0], &name[1]), |row| row.get(0));
            let found = found.optional().in_database(self.database)?;
            let number = found
                .map_or_else(|| add.insert((&name[0], &name[1])), Ok)
                .in_database(self.database)?;
            self.openings.insert(id, number);
        }
        Ok(())
    }

    fn table(&self, table: &Table, progress: &mut impl FnMut(u64)) -> Result<u64> {
        self.rows(table, "ORDER BY 1", progress)
    }

    /// Copies some rows of a table, except skipped ones; returns their number.
    fn rows(&self, table: &Table, which: &str, progress: &mut impl FnMut(u64)) -> Result<u64> {
        let sql = format!("SELECT * FROM {} {which}", table.name);
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
            let Some(values) = self.values(table, row, &numbers)? else {
                continue;
            };
            insert
                .execute(rusqlite::params_from_iter(values))
                .in_database(self.database)?;
            copied += 1;
            if copied % PROGRESS_ROWS == 0 {
                progress(copied);
            }
        }
        Ok(copied)
    }

    /// The values of a row with new numbers; `None` if it is skipped.
    fn values<'r>(
        &self,
        table: &Table,
        row: &'r Row<'_>,
        numbers: &[Option<NumberOf>],
    ) -> Result<Option<Vec<ToSqlOutput<'r>>>> {
        let mut values = Vec::with_capacity(numbers.len());
        for (column, number) in numbers.iter().enumerate() {
            let value = row.get_ref(column).in_database(self.other)?;
            let (Some(kind), ValueRef::Integer(number)) = (number, value) else {
                values.push(ToSqlOutput::Borrowed(value));
                continue;
            };
            let value = match kind {
                NumberOf::Row => Value::Null,
                NumberOf::Game if column == 0 && self.copied.numbers.pass_over(number) => {
                    return Ok(None);
                }
                NumberOf::KeptGame if self.copied.numbers.pass_over(number) => return Ok(None),
                NumberOf::EarlierGame if self.copied.numbers.pass_over(number) => Value::Integer(0),
                NumberOf::Game | NumberOf::KeptGame | NumberOf::EarlierGame => {
                    Value::Integer(self.copied.numbers.number(number)?)
                }
                NumberOf::Source => match self.sources.get(&number) {
                    Some(&number) => Value::Integer(number),
                    None => return Ok(None),
                },
                NumberOf::EarlierSource => self
                    .sources
                    .get(&number)
                    .map_or(Value::Null, |&number| Value::Integer(number)),
                NumberOf::Opening => self
                    .openings
                    .get(&number)
                    .map_or(Value::Null, |&number| Value::Integer(number)),
                NumberOf::Name(names) => match self.names[*names].get(&number) {
                    Some(&number) => Value::Integer(number),
                    None => return Err(self.no_name(table, NAMES[*names].0, number)),
                },
            };
            values.push(ToSqlOutput::Owned(value));
        }
        Ok(Some(values))
    }

    fn no_name(&self, table: &Table, names: &str, number: i64) -> Error {
        self.other.damaged(format!(
            "a {} names {names} {number}, which is not there",
            table.name
        ))
    }
}

/// The number of rows between calls of `progress`.
const PROGRESS_ROWS: u64 = 1000;

impl Table {
    fn number_of(&self, column: &str) -> Option<NumberOf> {
        self.numbers
            .iter()
            .find(|(name, _)| *name == column)
            .map(|(_, kind)| *kind)
    }

    fn insert(&self, columns: &[String]) -> String {
        let values: Vec<String> = (1..=columns.len())
            .map(|number| format!("?{number}"))
            .collect();
        let columns: Vec<String> = columns
            .iter()
            .map(|column| format!("\"{column}\""))
            .collect();
        format!(
            "INSERT INTO {} ({}) VALUES ({})",
            self.name,
            columns.join(", "),
            values.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_close_up_where_sources_are_passed_over() {
        let mut numbers = GameNumbers {
            origin: 5,
            base: 1000,
            ..GameNumbers::default()
        };
        numbers.cut(vec![(30, 30), (10, 19)]);
        let found = [5, 9, 10, 15, 20, 29, 30, 31].map(|game| numbers.number(game).ok());
        let expected = [1000, 1004, 1005, 1005, 1005, 1014, 1015, 1015].map(Some);
        assert_eq!(found, expected);
        assert!(!numbers.pass_over_any(20, 29));
        assert!(numbers.pass_over_any(20, 30));
        assert!(numbers.number(i64::MAX).is_err());
    }
}
