//! Triggers and expressions of other programs on the tables of a database, which a change or a check would run.

use std::collections::BTreeSet;

use super::name_index::is_own_index;
use super::position_fen::TABLE as POSITION_FEN;
use super::schema::{expected, words};
use super::{Database, RowFault};
use crate::error::{Error, Result};

/// A trigger that is not Stamma's, or an index that evaluates something and is not Stamma's.
struct ForeignCode {
    kind: &'static str,
    name: String,
    table: String,
}

impl Database {
    /// Fails if a change would run a trigger or evaluate an index that is not Stamma's: whoever has made the file could
    /// make it run without end, or change what was not to be changed.
    ///
    /// # Errors
    /// When there is one, or the database cannot be read.
    pub(super) fn refuse_foreign_code(&self) -> Result<()> {
        match self.foreign_code()?.into_iter().next() {
            Some(ForeignCode { kind, name, table }) => Err(Error::ForeignCode {
                path: self.path.clone(),
                kind,
                name,
                table,
            }),
            None => Ok(()),
        }
    }

    /// The faults of a database with such triggers or indexes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn foreign_code_faults(&self) -> Result<Vec<RowFault>> {
        let fault = |code: ForeignCode| {
            let what = format!(
                "it is on the table {}, and not Stamma's, which changes nothing while it is there",
                code.table
            );
            RowFault::new(format!("the {} {}", code.kind, code.name), what)
        };
        Ok(self.foreign_code()?.into_iter().map(fault).collect())
    }

    /// The tables that SQLite's own check may go through: it evaluates constraints, generated columns and indexes, which
    /// could run without end. `None` if the whole file is safe, else those of Stamma's tables that are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn safe_tables(&self) -> Result<Option<Vec<String>>> {
        let mut unsafe_tables = BTreeSet::new();
        for (_, table) in self.foreign_evaluating_indexes()? {
            unsafe_tables.insert(table);
        }
        let tables = self.tables()?;
        for table in &tables {
            if !table.is_own && table.may_evaluate {
                unsafe_tables.insert(table.name.clone());
            }
        }
        if unsafe_tables.is_empty() {
            return Ok(None);
        }

        let safe = tables.into_iter().filter(|table| {
            (table.is_own || table.is_shadow) && !unsafe_tables.contains(&table.name)
        });
        Ok(Some(safe.map(|table| table.name).collect()))
    }

    /// Those on Stamma's tables.
    fn foreign_code(&self) -> Result<Vec<ForeignCode>> {
        let mut foreign = Vec::new();
        let sql = "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY name";
        self.rows(sql, |row| {
            let (name, table, sql): (String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            if is_own_table(&table) && !is_own_trigger(&name, &words(&sql)) {
                foreign.push(ForeignCode {
                    kind: "trigger",
                    name,
                    table,
                });
            }
            Ok(())
        })?;

        let shadows: BTreeSet<String> = self
            .tables()?
            .into_iter()
            .filter(|table| table.is_shadow)
            .map(|table| table.name)
            .collect();
        for (name, table) in self.foreign_evaluating_indexes()? {
            if is_own_table(&table) || shadows.contains(&table) {
                foreign.push(ForeignCode {
                    kind: "index",
                    name,
                    table,
                });
            }
        }
        Ok(foreign)
    }

    /// The names of indexes that are not Stamma's and have an expression or a condition, each with its table.
    fn foreign_evaluating_indexes(&self) -> Result<Vec<(String, String)>> {
        let sql = "SELECT part.name, part.tbl_name, part.sql FROM main.sqlite_schema AS part
            WHERE part.type = 'index' AND part.sql IS NOT NULL
            AND (EXISTS (SELECT 1 FROM pragma_index_xinfo(part.name, 'main') AS key WHERE key.cid = -2)
                OR EXISTS (SELECT 1 FROM pragma_index_list(part.tbl_name, 'main') AS list
                    WHERE list.name = part.name AND list.partial))
            ORDER BY part.name";
        let all = self.rows(sql, |row| {
            let sql: String = row.get(2)?;
            Ok((row.get(0)?, row.get(1)?, sql))
        })?;
        let foreign = all
            .into_iter()
            .filter(|(_, _, sql)| !is_own_index(&words(sql)));
        Ok(foreign.map(|(name, table, _)| (name, table)).collect())
    }

    /// The tables of the file, those of virtual tables included.
    fn tables(&self) -> Result<Vec<Table>> {
        let sql = "SELECT part.name, part.sql, list.type,
                EXISTS (SELECT 1 FROM pragma_table_xinfo(part.name, 'main') WHERE hidden IN (2, 3))
            FROM main.sqlite_schema AS part
            JOIN pragma_table_list AS list ON list.schema = 'main' AND list.name = part.name
            WHERE part.type = 'table' AND part.sql IS NOT NULL";
        self.rows(sql, |row| {
            let (name, sql, kind): (String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let has_generated: bool = row.get(3)?;
            // The word could be in a name or a comment as well; then less is checked.
            let has_constraint = sql.to_ascii_uppercase().contains("CHECK");
            Ok(Table {
                is_own: is_own_definition(&name, &words(&sql)),
                is_shadow: kind == "shadow",
                may_evaluate: has_generated || has_constraint || kind == "virtual",
                name,
            })
        })
    }
}

/// A table of the file.
struct Table {
    name: String,
    /// Whether it is as this version makes it.
    is_own: bool,
    /// Whether it has the content of a virtual table.
    is_shadow: bool,
    /// Whether it may have a constraint or a generated column, or code of its own.
    may_evaluate: bool,
}

fn is_own_table(name: &str) -> bool {
    let is_table =
        |(kind, own): &(String, String)| kind != "trigger" && own.eq_ignore_ascii_case(name);
    name.eq_ignore_ascii_case("position_fen") || expected().keys().any(is_table)
}

fn is_own_definition(name: &str, sql: &str) -> bool {
    let own = expected().get(&("table".to_owned(), name.to_owned()));
    own.is_some_and(|own| own == sql) || is_of_positions(sql) && name == "position_fen"
}

fn is_own_trigger(name: &str, sql: &str) -> bool {
    let own = expected().get(&("trigger".to_owned(), name.to_owned()));
    own.is_some_and(|own| own == sql)
        || is_of_positions(sql) && name == "position_fen_game_is_deleted"
}

/// Returns `true` if the table of positions, which not every file has, is made with this statement.
fn is_of_positions(sql: &str) -> bool {
    // SQLite leaves `IF NOT EXISTS` out of the text that it keeps.
    words(POSITION_FEN)
        .replace("IF NOT EXISTS ", "")
        .contains(sql)
}
