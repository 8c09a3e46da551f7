//! Importing a text that is in no file.

use std::fs;

use super::{ImportOptions, Summary, import};
use crate::error::{Error, Result};
use crate::storage::Database;

/// Imports the games of a text as a source with a given name, such as `page.pgn`.
///
/// # Errors
/// The errors of [`import`], and if a temporary file cannot be written.
pub fn import_text(
    database: &mut Database,
    name: &str,
    text: &str,
    options: ImportOptions,
) -> Result<Summary> {
    // The text is written to a file, so that it is imported, recognized and updated like any other source.
    let folder = tempfile::tempdir().map_err(Error::Input)?;
    let path = folder.path().join(name);
    fs::write(&path, text).map_err(Error::file(&path))?;

    import(database, [path], options, |_progress| {})
}
