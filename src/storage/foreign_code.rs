//! Triggers and expressions of other programs on the tables of a database, which a change or a check would run.

use std::collections::BTreeSet;

use super::name_index::is_own_index;
use super::position_fen::TABLE as POSITION_FEN;
use super::schema::{expected, words};
use super::{Database, RowFault};
use crate::error::{Error, Result};

/// A trigger that is not Stamma's, or an index with an expression or a condition that is not Stamma's.
struct ForeignCode {
    kind: &'static str,
    name: String,
    table: String,
}

impl Database {
    /// Fails if a change would run a trigger or evaluate an index that is not Stamma's. The author of the file could
    /// make it run without end, or change data that should not be changed.
    ///
    /// # Errors
    /// When the database has such a trigger or index, or cannot be read.
    pub(super) fn refuse_foreign_code(&self) -> Result<()> {
        let Some(first) = self.foreign_code()?.into_iter().next() else {
            return Ok(());
        };
        Err(Error::ForeignCode {
            path: self.path.clone(),
            kind: first.kind,
            name: first.name,
            table: first.table,
        })
    }

    /// The faults of a database with such triggers or indexes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn foreign_code_faults(&self) -> Result<Vec<RowFault>> {
        let mut faults = Vec::new();
        for ForeignCode { kind, name, table } in self.foreign_code()? {
            let what = format!(
                "it is on the table {table}, and not Stamma's, which changes nothing while it is there"
            );
            faults.push(RowFault::new(format!("the {kind} {name}"), what));
        }
        Ok(faults)
    }

    /// The tables that SQLite's own check may go through: it evaluates constraints, generated columns and indexes,
    /// which could run without end. `None` if the whole file is safe; otherwise, Stamma's tables that are safe.
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

        let mut safe_tables = Vec::new();
        for table in tables {
            let is_stammas = table.is_own || table.is_shadow;
            if is_stammas && !unsafe_tables.contains(&table.name) {
                safe_tables.push(table.name);
            }
        }
        Ok(Some(safe_tables))
    }

    /// The foreign triggers and indexes on Stamma's tables.
    fn foreign_code(&self) -> Result<Vec<ForeignCode>> {
        let sql = "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY name";
        let mut foreign = Vec::new();
        self.rows(sql, |row| {
            let name: String = row.get(0)?;
            let table: String = row.get(1)?;
            let sql: String = row.get(2)?;
            if is_own_table(&table) && !is_own_trigger(&name, &words(&sql)) {
                foreign.push(ForeignCode {
                    kind: "trigger",
                    name,
                    table,
                });
            }
            Ok(())
        })?;

        // A change of a full-text table writes to its shadow tables, and so to their indexes.
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
        // SQLite gives an expression as a column of an index the number -2.
        let sql = "SELECT part.name, part.tbl_name, part.sql FROM main.sqlite_schema AS part
            WHERE part.type = 'index' AND part.sql IS NOT NULL
            AND (EXISTS (SELECT 1 FROM pragma_index_xinfo(part.name, 'main') AS key WHERE key.cid = -2)
                OR EXISTS (SELECT 1 FROM pragma_index_list(part.tbl_name, 'main') AS list
                    WHERE list.name = part.name AND list.partial))
            ORDER BY part.name";

        let mut foreign = Vec::new();
        self.rows(sql, |row| {
            let sql: String = row.get(2)?;
            if !is_own_index(&words(&sql)) {
                foreign.push((row.get(0)?, row.get(1)?));
            }
            Ok(())
        })?;
        Ok(foreign)
    }

    /// The tables of the file, including the tables of virtual tables.
    fn tables(&self) -> Result<Vec<Table>> {
        // In `hidden`, 2 and 3 are virtual and stored generated columns.
        let sql = "SELECT part.name, part.sql, list.type,
                EXISTS (SELECT 1 FROM pragma_table_xinfo(part.name, 'main') WHERE hidden IN (2, 3))
            FROM main.sqlite_schema AS part
            JOIN pragma_table_list AS list ON list.schema = 'main' AND list.name = part.name
            WHERE part.type = 'table' AND part.sql IS NOT NULL";
        self.rows(sql, |row| {
            let name: String = row.get(0)?;
            let sql: String = row.get(1)?;
            let kind: String = row.get(2)?;
            let has_generated: bool = row.get(3)?;
            // The word may also be in a name or a comment; then the table is not checked although it could be.
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
    /// `true` if its definition is the definition of this version.
    is_own: bool,
    /// `true` if it stores the content of a virtual table.
    is_shadow: bool,
    /// `true` if the table may have a constraint, a generated column, or the code of a virtual table.
    may_evaluate: bool,
}

/// `true` if a table of this name is one of Stamma's, whatever its definition.
fn is_own_table(name: &str) -> bool {
    if name.eq_ignore_ascii_case("position_fen") {
        return true;
    }
    expected()
        .keys()
        .any(|(kind, own)| kind != "trigger" && own.eq_ignore_ascii_case(name))
}

/// `true` if a table has the name and the definition of one of Stamma's tables.
fn is_own_definition(name: &str, sql: &str) -> bool {
    has_expected_sql("table", name, sql) || name == "position_fen" && is_of_positions(sql)
}

/// `true` if a trigger has the name and the definition of one of Stamma's triggers.
fn is_own_trigger(name: &str, sql: &str) -> bool {
    let is_of_table = name == "position_fen_game_is_deleted" && is_of_positions(sql);
    has_expected_sql("trigger", name, sql) || is_of_table
}

/// `true` if this version has an object of a kind with this name and definition.
fn has_expected_sql(kind: &str, name: &str, sql: &str) -> bool {
    let own = expected().get(&(kind.to_owned(), name.to_owned()));
    own.is_some_and(|own| own == sql)
}

/// `true` if a statement creates the table of positions, which not every file has, or its trigger.
fn is_of_positions(sql: &str) -> bool {
    // SQLite's schema lacks `IF NOT EXISTS`.
    let created = words(POSITION_FEN).replace("IF NOT EXISTS ", "");
    created.contains(sql)
}
