//! Numbers of games and of sources.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;

/// Defines a type for the ids of a table.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        impl $name {
            /// The id with this value, which need not exist in any database.
            pub const fn new(id: i64) -> $name {
                $name(id)
            }

            /// The value in the column `id`.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl From<i64> for $name {
            fn from(id: i64) -> $name {
                $name(id)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> i64 {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<$name, ParseIntError> {
                text.parse().map($name)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                i64::column_result(value).map($name)
            }
        }
    )* };
}

ids! {
    /// The number of a game: the value of `game.id`. Games are numbered from 1 in the order of their import, and a
    /// number keeps its meaning when other games are deleted.
    ///
    /// ```
    /// use stamma::GameId;
    ///
    /// let game: GameId = "17".parse()?;
    /// assert_eq!(game, GameId::new(17));
    /// assert_eq!((game.to_string(), i64::from(game)), ("17".to_owned(), 17));
    /// # Ok::<(), std::num::ParseIntError>(())
    /// ```
    GameId;

    /// The number of a source: the value of `source.id`.
    SourceId;
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn ids_are_plain_numbers_in_sql_json_and_text() {
        let connection = Connection::open_in_memory().expect("a database");
        let read: (GameId, SourceId) = connection
            .query_row(
                "SELECT ?1 + 1, ?2 - 1",
                (GameId::new(16), SourceId::new(3)),
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .expect("a row");
        assert_eq!(read, (GameId::new(17), SourceId::new(2)));
        assert_eq!(serde_json::to_string(&read).expect("JSON"), "[17,2]");
        assert_eq!(format!("{:>4}", read.0), "  17");
        assert!("x".parse::<GameId>().is_err());
    }
}
