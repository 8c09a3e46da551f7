//! Look-up of comments by their words.

use rusqlite::Connection;

use super::words::{comments, has_phrase, is_kept};
use crate::game::Annotations;
use crate::storage::GameSet;

/// The games whose comments may have all words of a list, the last word as a prefix if `is_prefix` is set. `None` if no
/// word is indexed.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn games_with_words(
    connection: &Connection,
    words: &[String],
    is_prefix: bool,
) -> rusqlite::Result<Option<GameSet>> {
    let last = words.len().saturating_sub(1);
    let mut terms = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        if !is_kept(word) {
            continue;
        }
        let star = if is_prefix && at == last { "*" } else { "" };
        terms.push(format!("\"{word}\"{star}"));
    }
    if terms.is_empty() {
        return Ok(None);
    }

    // The index has no positions of words, so it finds the words of a phrase in any order and place.
    let all_terms = terms.join(" AND ");
    let sql = "SELECT rowid FROM comment_text(?1)";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([all_terms], |row| row.get(0))?;
    let games = rows.collect::<rusqlite::Result<GameSet>>()?;
    Ok(Some(games))
}

/// `true` if a comment of these annotations contains a phrase.
pub(crate) fn has_comment(annotations: &Annotations, phrase: &[String], is_prefix: bool) -> bool {
    comments(annotations).any(|comment| has_phrase(comment, phrase, is_prefix))
}
