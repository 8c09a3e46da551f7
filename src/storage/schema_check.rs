//! A check that all tables, views and triggers are present.

use std::sync::LazyLock;

use super::schema::{Objects, VERSION, objects, objects_of};
use super::{Database, RowFault};
use crate::error::Result;

impl Database {
    /// Tables, views and triggers that are missing or differ from those of this version.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn schema_faults(&self) -> Result<Vec<RowFault>> {
        let found = objects(&self.connection).map_err(|e| self.error(e))?;
        static EXPECTED: LazyLock<Objects> =
            LazyLock::new(|| objects_of(VERSION).unwrap_or_default());
        let fault = |((kind, name), sql): (&(String, String), &String)| {
            let what = match found.get(&(kind.clone(), name.clone())) {
                None => "it is missing",
                Some(found) if found != sql => "it is not that of this version",
                Some(_) => return None,
            };
            Some(RowFault::new(format!("the {kind} {name}"), what))
        };
        Ok(EXPECTED.iter().filter_map(fault).collect())
    }
}
