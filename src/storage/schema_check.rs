//! A check that all tables, views, triggers and indexes are present.

use super::name_index::missing_indexes;
use super::schema::{expected, objects};
use super::{Database, InDatabase, Remedy, RowFault};
use crate::error::Result;

impl Database {
    /// Tables, views and triggers that are missing or differ from the schema of this version, and missing indexes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn schema_faults(&self) -> Result<Vec<RowFault>> {
        let found = objects(&self.connection).in_database(self)?;

        let mut faults = Vec::new();
        for (object, sql) in expected() {
            let what = match found.get(object) {
                None => "it is missing",
                Some(found) if found != sql => {
                    "its definition is not the definition of this version"
                }
                Some(_) => continue,
            };

            let (kind, name) = object;
            faults.push(RowFault::new(format!("the {kind} {name}"), what));
        }

        let missing = missing_indexes(&self.connection).in_database(self)?;
        for name in missing {
            let fault = RowFault::new(format!("the index {name}"), "it is missing");
            faults.push(fault.mended_by(Remedy::BuildNameIndex));
        }
        Ok(faults)
    }

    /// `true` if a table is defined in another way than in this version, so that reading its columns could run without
    /// end.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn has_changed_tables(&self) -> Result<bool> {
        let found = objects(&self.connection).in_database(self)?;
        for (object, sql) in expected() {
            let (kind, _) = object;
            let is_changed = found.get(object).is_some_and(|found| found != sql);
            if kind == "table" && is_changed {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
