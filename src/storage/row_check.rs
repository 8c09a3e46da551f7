//! Consistency checks between the rows of tables.

use std::fmt;

use rusqlite::Row;

use super::Database;
use super::evaluation::source_of_data;
use crate::error::Result;

/// A fault, and the row or rows that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowFault {
    /// The row, such as `game 5` or `source 3`.
    pub(crate) place: String,
    /// The fault, as a sentence.
    pub(crate) what: String,
    /// The change that repairs it, if there is one.
    pub(crate) remedy: Option<Remedy>,
}

/// A change by which [`optimize`](crate::maintenance::optimize) repairs a fault of data that is derived from games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// It indexes games that are not indexed.
    IndexGames,
    /// It rebuilds the position index.
    RebuildPositionIndex,
    /// It rebuilds the position index if asked to replace damaged blocks.
    ReplaceDamagedIndex,
    /// It builds an index from names to games.
    BuildNameIndex,
    /// It names the openings of all games.
    NameOpenings,
    /// It writes the column store.
    DescribeGames,
}

impl RowFault {
    pub(crate) fn new(place: impl fmt::Display, what: impl Into<String>) -> RowFault {
        RowFault {
            place: place.to_string(),
            what: what.into(),
            remedy: None,
        }
    }

    /// The fault with its remedy.
    pub(crate) fn mended_by(self, remedy: Remedy) -> RowFault {
        RowFault {
            remedy: Some(remedy),
            ..self
        }
    }
}

/// A query with a row for each fault. Its first column is the place; the other columns are the numbers for the
/// placeholders of the sentence.
struct Check {
    place: &'static str,
    sql: &'static str,
    sentence: &'static str,
}

/// The check of a table of canonical names: no canonical name may have another canonical name.
macro_rules! canonical_names {
    ($table:literal) => {
        Check {
            place: $table,
            sql: concat!(
                "SELECT NULL, count(*) AS chains FROM ",
                $table,
                " AS one JOIN ",
                $table,
                " AS other ON other.spelling = one.name AND other.name <> one.name HAVING chains > 0"
            ),
            sentence: "{} of its canonical names are spellings of another name",
        }
    };
}

const CHECKS: &[Check] = &[
    Check {
        place: "game",
        sql: "SELECT id FROM game
            WHERE NOT EXISTS (SELECT 1 FROM movetext WHERE game_id = game.id)",
        sentence: "it has no row in movetext",
    },
    Check {
        place: "source",
        sql: "SELECT id, games, first_game, last_game FROM source
            WHERE games < coalesce(last_game - first_game + 1, 0)",
        sentence: "it says that it has {} games, and that those added are from {} to {}",
    },
    Check {
        place: "source",
        sql: "SELECT source.id, other.id FROM source JOIN source AS other
            ON other.id > source.id AND other.first_game <= source.last_game
            AND other.last_game >= source.first_game",
        sentence: "it has games in common with source {}",
    },
    Check {
        place: "game",
        sql: "SELECT game.id, game.source_id, source.id FROM source
            CROSS JOIN game ON game.id BETWEEN source.first_game AND source.last_game
            WHERE game.source_id < source.id",
        sentence: "it is of source {}, and stands among the games of source {}",
    },
    // Problems are deleted with their games; if no game has been deleted, all must be there.
    Check {
        place: "source",
        sql:
            "WITH found AS (SELECT source_id, count(*) AS problems FROM problem GROUP BY source_id)
            SELECT id, source.problems, coalesce(found.problems, 0) AS rows
            FROM source LEFT JOIN found ON found.source_id = source.id
            WHERE source.problems < rows OR (source.problems > rows AND source.games =
                (SELECT count(*) FROM game WHERE game.id BETWEEN first_game AND last_game))",
        sentence: "it says that it has {} problems, and there are {}",
    },
    Check {
        place: "duplicate_of",
        sql: "SELECT mark.game_id, mark.kept_id FROM duplicate_of AS mark
            JOIN duplicate_of AS other ON other.game_id = mark.kept_id",
        sentence: "its kept game {} is marked itself",
    },
    Check {
        place: "evaluation_row",
        sql: concat!(
            "SELECT NULL, count(*) AS rows FROM evaluation_row
            WHERE NOT EXISTS (SELECT 1 FROM evaluation_source WHERE id = ",
            source_of_data!(),
            ") HAVING rows > 0"
        ),
        sentence: "{} evaluations have no source",
    },
    Check {
        place: "evaluation_line",
        sql: "SELECT NULL, count(*) AS rows FROM evaluation_line
            WHERE NOT EXISTS (SELECT 1 FROM evaluation_row WHERE evaluation_row.key = evaluation_line.key)
            HAVING rows > 0",
        sentence: "{} lines belong to no evaluation",
    },
    canonical_names!("player_name"),
    canonical_names!("event_name"),
    canonical_names!("site_name"),
    Check {
        place: "the counter next_game",
        sql: "SELECT NULL, value, (SELECT max(last_game) FROM source) AS last FROM counter
            WHERE name = 'next_game' AND value <= last",
        sentence: "it is {}, and game {} has been there",
    },
    Check {
        place: "the counter next_game",
        sql: "SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM counter WHERE name = 'next_game')",
        sentence: "it is missing",
    },
];

impl Database {
    /// Faults that SQLite finds in the file, and references to missing rows. If tables have expressions that are not
    /// Stamma's, only the other tables are checked.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn file_faults(&self) -> Result<Vec<RowFault>> {
        // The arguments of the pragmas; without one, the whole file is checked.
        let mut arguments = Vec::new();
        match self.safe_tables()? {
            None => arguments.push(String::new()),
            Some(names) => {
                for name in names {
                    let escaped = name.replace('"', "\"\"");
                    arguments.push(format!("(\"{escaped}\")"));
                }
            }
        }

        let mut faults = Vec::new();
        for argument in &arguments {
            let sql = format!("PRAGMA integrity_check{argument}");
            let checked = self.rows(&sql, |row| {
                let line: String = row.get(0)?;
                if line != "ok" {
                    faults.push(RowFault::new("the file", line));
                }
                Ok(())
            });
            if !faults.is_empty() {
                // The rest may be too damaged to be read.
                return Ok(faults);
            }
            checked?;
        }

        for argument in &arguments {
            let sql = format!("PRAGMA foreign_key_check{argument}");
            faults.extend(self.rows(&sql, missing_row)?);
        }
        Ok(faults)
    }

    /// Rows that contradict each other.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn row_faults(&self) -> Result<Vec<RowFault>> {
        let mut faults = Vec::new();
        for check in CHECKS {
            let found = self.rows(check.sql, |row| check.fault(row))?;
            faults.extend(found);
        }
        Ok(faults)
    }
}

/// The fault of a row of `foreign_key_check`.
fn missing_row(row: &Row<'_>) -> rusqlite::Result<RowFault> {
    let table: String = row.get(0)?;
    let parent: String = row.get(2)?;
    // A table without row numbers has NULL.
    let id: Option<i64> = row.get(1)?;
    let place = match id {
        Some(id) => format!("{table} {id}"),
        None => table,
    };

    let what = format!("it names a row of {parent} that is not there");
    Ok(RowFault::new(place, what))
}

impl Check {
    /// The fault of a row of the query.
    fn fault(&self, row: &Row<'_>) -> rusqlite::Result<RowFault> {
        let id: Option<i64> = row.get(0)?;
        let place = match id {
            Some(id) => format!("{} {id}", self.place),
            None => self.place.to_owned(),
        };

        // The columns after the place are numbered from 1, as are the parts after a placeholder.
        let mut what = String::new();
        for (number, part) in self.sentence.split("{}").enumerate() {
            if number > 0 {
                let value: Option<i64> = row.get(number)?;
                match value {
                    Some(value) => what += &value.to_string(),
                    None => what += "nothing",
                }
            }
            what += part;
        }
        Ok(RowFault::new(place, what))
    }
}
