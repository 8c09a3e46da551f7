//! Games selected by an SQL condition of the user.

use std::rc::Rc;

use rusqlite::ErrorCode;
use rusqlite::types::Value;
use rusqlite::vtab::array;

use super::Database;
use super::GameId;
use super::schema::GAMES;
use crate::error::{Error, NO_PARAMETERS, Result, sql_message};

impl Database {
    /// The games for which a condition holds, among some distinct games, in their order.
    ///
    /// # Errors
    /// When the condition, an SQL expression over the columns of the view `games`, cannot be evaluated.
    pub(crate) fn games_where(&self, condition: &str, games: Vec<GameId>) -> Result<Vec<GameId>> {
        if let (Some(&first), Some(&last)) = (games.first(), games.last()) {
            // Distinct games in ascending order are a range if their count is the count of numbers from the first to
            // the last.
            let span = last.get().abs_diff(first.get());
            let is_range = games.is_sorted() && span < games.len() as u64;
            if is_range {
                return self.games_between(condition, first, last);
            }
        }

        let sql = format!(
            "SELECT id FROM rarray(?1) AS asked CROSS JOIN {} ON games.id = asked.value WHERE ({condition}\n)",
            *GAMES
        );
        let values: Vec<Value> = games
            .into_iter()
            .map(|game| Value::Integer(game.get()))
            .collect();

        let select = || -> rusqlite::Result<Vec<GameId>> {
            array::load_module(&self.connection)?;
            let mut select = self.connection.prepare_cached(&sql)?;
            let found = select.query_map([Rc::new(values)], |row| row.get(0))?;
            found.collect()
        };

        select().map_err(|error| self.user_sql_error(error))
    }

    /// The games of a range for which a condition holds, by number. Without a list of games, SQLite may use an index
    /// for the condition.
    fn games_between(&self, condition: &str, first: GameId, last: GameId) -> Result<Vec<GameId>> {
        let sql = format!(
            "SELECT id FROM {} WHERE id BETWEEN ?1 AND ?2 AND ({condition}\n) ORDER BY id",
            *GAMES
        );

        let select = || -> rusqlite::Result<Vec<GameId>> {
            let mut select = self.connection.prepare_cached(&sql)?;
            let found = select.query_map([first, last], |row| row.get(0))?;
            found.collect()
        };

        select().map_err(|error| self.user_sql_error(error))
    }

    /// An error of a statement with a condition of the user.
    fn user_sql_error(&self, error: rusqlite::Error) -> Error {
        match error.sqlite_error_code() {
            None | Some(ErrorCode::Unknown | ErrorCode::TooBig) => condition_error(error),
            _ => self.error(error),
        }
    }

    /// Fails unless a text is a single expression.
    ///
    /// A text that is valid both in parentheses and without them closes no parenthesis that it has not opened, and has
    /// nothing after the expression, such as a semicolon.
    pub(crate) fn check_condition(&self, condition: &str) -> Result<()> {
        let bare = format!("SELECT id FROM games WHERE {condition}");
        let in_parentheses = in_parentheses(condition);

        // The text without parentheses comes first, so that an error message is about the text alone.
        for sql in [bare, in_parentheses] {
            let prepared = self.connection.prepare(&sql);
            let statement = prepared.map_err(|error| self.user_sql_error(error))?;

            if statement.parameter_count() > 0 {
                return Err(Error::Condition(NO_PARAMETERS.to_owned()));
            }
        }
        Ok(())
    }
}

/// A condition in parentheses; the newline ends a trailing comment.
fn in_parentheses(condition: &str) -> String {
    format!("SELECT id FROM games WHERE ({condition}\n)")
}

/// The error without the statement around the condition, which the user did not write.
fn condition_error(error: rusqlite::Error) -> Error {
    Error::Condition(sql_message(error))
}
