//! A game in a list of search results, for people and for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::table::table;
use crate::cli::terminal::{ellipsis, known, terminal_width};
use stamma::board::Position;
use stamma::error::Result;
use stamma::game::Ply;
use stamma::query::Hit;
use stamma::report::{counted, grouped};
use stamma::storage::{Database, GameId};

/// A game in the list.
#[derive(Clone, Debug, Serialize)]
pub(in crate::cli) struct Listed {
    /// The name of the database, if several are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
    pub(super) game: GameId,
    /// The place of the first match; `None` if the query has neither positions nor a pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ply: Option<u32>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    next: Option<Option<String>>,
    white: Option<String>,
    black: Option<String>,
    result: String,
    date: Option<String>,
    event: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    eco: Option<String>,
    plies: i64,
    opening: Option<String>,
    /// Whether the position is in a variation; `None` if variations are not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) variation: Option<bool>,
}

/// The parts of a game that depend on the query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// The name of the database: several are searched.
    pub(super) database: bool,
    /// Half-moves and move: the query has positions or a pattern.
    pub(super) place: bool,
    /// Whether the position is in a variation: variations are searched.
    pub(super) variation: bool,
}

const COLUMNS: [&str; 10] = [
    "white",
    "black",
    "result",
    "date",
    "event",
    "white_elo",
    "black_elo",
    "eco",
    "plies",
    "opening",
];
/// The opening is shown on terminals of so many columns and more.
const OPENING_FROM: usize = 120;

/// The fields of a game.
pub(super) fn columns(shown: Shown) -> Vec<&'static str> {
    let database = shown.database.then_some("database").into_iter();
    let place: &[&str] = if shown.place { &["ply", "move"] } else { &[] };
    let variation = shown.variation.then_some("variation");
    database.chain(["game"]).chain(place.iter().copied()).chain(COLUMNS).chain(variation).collect()
}

impl Listed {
    /// A game of a query without positions.
    pub(in crate::cli) fn of(database: &Database, game: GameId) -> Result<Listed> {
        let heading = database.heading(game)?.unwrap_or_default();
        Ok(Listed {
            database: None,
            game,
            ply: None,
            next: None,
            white: heading.white,
            black: heading.black,
            result: heading.result,
            date: heading.date,
            event: heading.event,
            white_elo: heading.white_elo,
            black_elo: heading.black_elo,
            eco: heading.eco,
            plies: heading.plies,
            opening: heading.opening,
            variation: None,
        })
    }

    /// A hit of a query.
    pub(super) fn hit(database: &Database, hit: Hit, shows_variations: bool) -> Result<Listed> {
        let listed = Listed::of(database, hit.game)?;
        Ok(Listed {
            ply: hit.ply.map(Ply::get),
            next: hit.ply.map(|_| hit.next),
            variation: shows_variations.then_some(hit.in_variation),
            ..listed
        })
    }

    /// The same game, with the name of its database.
    pub(super) fn in_database(self, name: &str) -> Listed {
        Listed { database: Some(name.to_owned()), ..self }
    }

    fn row(&self) -> Vec<String> {
        let mut row: Vec<String> = self.database.iter().cloned().collect();
        row.extend([
            self.game.to_string(),
            known(self.white.as_deref()),
            known(self.black.as_deref()),
            self.result.clone(),
            known(self.date.as_deref()),
            known(self.event.as_deref()),
        ]);
        match self.ply {
            None => row.extend([self.eco.clone().unwrap_or_default(), self.plies.to_string()]),
            Some(ply) => {
                let no_move = if self.variation == Some(true) { "(variation)" } else { "(end)" };
                row.push(ply.to_string());
                row.push(self.next.clone().flatten().unwrap_or_else(|| no_move.to_owned()));
            }
        }
        if terminal_width() >= OPENING_FROM {
            row.push(self.opening.clone().unwrap_or_default());
        }
        row
    }
}

/// The number of matching games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// The exact number.
    Known(u64),
    /// More than are listed; counting them would take a look at each.
    More,
}

/// Writes an empty line and games with a header; nothing if there are no games.
pub(in crate::cli) fn write_rows(games: &[Listed], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = games.first() else { return Ok(()) };
    let (last_columns, right) = match first.ply {
        Some(_) => (["ply", "move"], [0, 6]),
        None => (["ECO", "plies"], [0, 7]),
    };
    let database = first.database.is_some().then_some("database");
    let right = right.map(|column| column + usize::from(database.is_some()));
    let header = database.into_iter().chain(["game", "White", "Black", "result", "date", "event"]);
    let header =
        header.chain(last_columns).chain((terminal_width() >= OPENING_FROM).then_some("opening"));
    let mut rows = vec![header.map(str::to_owned).collect()];
    rows.extend(games.iter().map(Listed::row));
    write!(out, "\n{}", table(&rows, &right, terminal_width()))
}

/// Writes games as a table, with the FEN of the position if there is one.
pub(super) fn write_table(
    positions: Option<&[Position]>,
    count: Count,
    games: &[Listed],
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some([position]) = positions {
        writeln!(out, "{}", position.fen())?;
    }
    match count {
        Count::Known(count) => writeln!(out, "{}", counted(count, "game", "games"))?,
        Count::More => writeln!(out, "the first {}", counted(games.len() as u64, "game", "games"))?,
    }
    write_rows(games, out)?;
    match count {
        Count::More => {
            let left_out = "and more; --limit 0 lists all, --format count counts them";
            writeln!(out, "{} {left_out}", ellipsis())
        }
        Count::Known(count) if count > games.len() as u64 => {
            let left_out = grouped(count - games.len() as u64);
            writeln!(out, "{} and {left_out} more; --limit 0 lists all", ellipsis())
        }
        Count::Known(_) => Ok(()),
    }
}
