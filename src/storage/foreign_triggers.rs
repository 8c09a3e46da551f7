//! Triggers of other programs on the tables of a database, which a change would run.

use super::position_fen::TABLE as POSITION_FEN;
use super::schema::{expected, words};
use super::{Database, RowFault};
use crate::error::{Error, Result};

/// A trigger that is not Stamma's.
struct ForeignTrigger {
    name: String,
    table: String,
}

impl Database {
    /// Fails if a change would run a trigger that is not Stamma's: whoever has made the file could make it run without
    /// end, or change what was not to be changed.
    ///
    /// # Errors
    /// When there is one, or the database cannot be read.
    pub(super) fn refuse_foreign_triggers(&self) -> Result<()> {
        match self.foreign_triggers()?.into_iter().next() {
            Some(ForeignTrigger { name, table }) => {
                Err(Error::ForeignTrigger { path: self.path.clone(), name, table })
            }
            None => Ok(()),
        }
    }

    /// The faults of a database with such triggers.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn foreign_trigger_faults(&self) -> Result<Vec<RowFault>> {
        let fault = |trigger: ForeignTrigger| {
            let what = format!(
                "it is on the table {}, and not Stamma's, which changes nothing while it is there",
                trigger.table
            );
            RowFault::new(format!("the trigger {}", trigger.name), what)
        };
        Ok(self.foreign_triggers()?.into_iter().map(fault).collect())
    }

    fn foreign_triggers(&self) -> Result<Vec<ForeignTrigger>> {
        let sql = "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY name";
        let mut foreign = Vec::new();
        self.rows(sql, |row| {
            let (name, table, sql): (String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            if is_own_table(&table) && !is_own_trigger(&name, &words(&sql)) {
                foreign.push(ForeignTrigger { name, table });
            }
            Ok(())
        })?;
        Ok(foreign)
    }
}

fn is_own_table(name: &str) -> bool {
    let is_table =
        |(kind, own): &(String, String)| kind != "trigger" && own.eq_ignore_ascii_case(name);
    name.eq_ignore_ascii_case("position_fen") || expected().keys().any(is_table)
}

fn is_own_trigger(name: &str, sql: &str) -> bool {
    let own = expected().get(&("trigger".to_owned(), name.to_owned()));
    // SQLite leaves `IF NOT EXISTS` out of the text that it keeps.
    own.is_some_and(|own| own == sql)
        || words(POSITION_FEN).replace("IF NOT EXISTS ", "").contains(sql)
            && name == "position_fen_game_is_deleted"
}
