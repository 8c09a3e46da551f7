//! A check that all tables, views, triggers and indexes are present.

use super::name_index::missing_indexes;
use super::schema::{expected, objects};
use super::{Database, InDatabase, Remedy, RowFault};
use crate::error::Result;

impl Database {
    /// Tables, views and triggers that are missing or differ from those of this version, and missing indexes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn schema_faults(&self) -> Result<Vec<RowFault>> {
        let found = objects(&self.connection).in_database(self)?;
        let fault = |((kind, name), sql): (&(String, String), &String)| {
            let what = match found.get(&(kind.clone(), name.clone())) {
                None => "it is missing",
                Some(found) if found != sql => "it is not that of this version",
                Some(_) => return None,
            };
            Some(RowFault::new(format!("the {kind} {name}"), what))
        };
        let missing = missing_indexes(&self.connection).in_database(self)?;
        let missing = missing.into_iter().map(|name| {
            RowFault::new(format!("the index {name}"), "it is missing")
                .mended_by(Remedy::BuildNameIndex)
        });
        Ok(expected().iter().filter_map(fault).chain(missing).collect())
    }

    /// Whether a table is defined in another way than this version does, so that reading its columns could run without end.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn has_changed_tables(&self) -> Result<bool> {
        let found = objects(&self.connection).in_database(self)?;
        let is_changed = |(object, sql): (&(String, String), &String)| {
            object.0 == "table" && found.get(object).is_some_and(|found| found != sql)
        };
        Ok(expected().iter().any(is_changed))
    }
}
