//! Comments that somebody asks for, through their words.

use rusqlite::Connection;

use super::words::{comments, has_phrase, is_kept};
use crate::game::Annotations;
use crate::storage::GameSet;

/// The games of which the comments may have all of these words, the last of them as a beginning where `is_prefix` says so;
/// nothing where no word is one that is kept, so that nothing can be said.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn games_with_words(
    connection: &Connection,
    words: &[String],
    is_prefix: bool,
) -> rusqlite::Result<Option<GameSet>> {
    let last = words.len().saturating_sub(1);
    let terms: Vec<String> = words
        .iter()
        .enumerate()
        .filter(|(_, word)| is_kept(word))
        .map(|(at, word)| format!("\"{word}\"{}", if is_prefix && at == last { "*" } else { "" }))
        .collect();
    if terms.is_empty() {
        return Ok(None);
    }
    let sql = "SELECT rowid FROM comment_text(?1)";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map([terms.join(" AND ")], |row| row.get(0))?;
    games.collect::<rusqlite::Result<GameSet>>().map(Some)
}

/// Whether a comment of these annotations has a phrase.
pub(crate) fn has_comment(annotations: &Annotations, phrase: &[String], is_prefix: bool) -> bool {
    comments(annotations).any(|comment| has_phrase(comment, phrase, is_prefix))
}
