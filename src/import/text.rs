//! Importing a text that is in no file.

use std::fs;

use super::{ImportOptions, Summary, import};
use crate::error::{Error, Result};
use crate::storage::Database;

/// Imports the games of a text as a source of a name, such as `page.pgn`.
///
/// # Errors
/// As for [`import`], and when there is no room for a temporary file.
pub fn import_text(
    database: &mut Database,
    name: &str,
    text: &str,
    options: ImportOptions,
) -> Result<Summary> {
    // A source is a file: what is known of files holds for it, too.
    let folder = tempfile::tempdir().map_err(Error::Input)?;
    let path = folder.path().join(name);
    fs::write(&path, text).map_err(Error::file(&path))?;
    import(database, [path], options, |_progress| {})
}
