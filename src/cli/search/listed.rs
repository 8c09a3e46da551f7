//! Search results as a table.

use std::io::{self, Write};

use crate::cli::evaluation_line::evaluation_line;
use crate::cli::table::table;
use crate::cli::terminal::{ellipsis, known, terminal_width};
use stamma::answer::FoundGame;
use stamma::board::Position;
use stamma::report::{counted, grouped};
use stamma::storage::PositionEvaluation;

/// The opening is shown on terminals of so many columns and more.
const OPENING_FROM: usize = 120;

fn row(found: &FoundGame) -> Vec<String> {
    let listed = &found.game;
    let game = &listed.game;
    let mut row: Vec<String> = game.database.iter().cloned().collect();
    row.extend([
        game.game.to_string(),
        known(game.white.as_deref()),
        known(game.black.as_deref()),
        game.result.clone(),
        known(game.date.as_deref()),
        known(game.event.as_deref()),
    ]);
    match found.ply {
        None => row.extend([
            listed.eco.clone().unwrap_or_default(),
            listed.plies.to_string(),
        ]),
        Some(ply) => {
            let no_move = if found.in_variation {
                "(variation)"
            } else {
                "(end)"
            };
            row.push(ply.to_string());
            row.push(found.san.clone().unwrap_or_else(|| no_move.to_owned()));
        }
    }
    if terminal_width() >= OPENING_FROM {
        row.push(listed.opening.clone().unwrap_or_default());
    }
    row
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
pub(in crate::cli) fn write_rows(games: &[FoundGame], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = games.first() else {
        return Ok(());
    };
    let (last_columns, right) = match first.ply {
        Some(_) => (["ply", "move"], [0, 6]),
        None => (["ECO", "plies"], [0, 7]),
    };
    let database = first.game.game.database.is_some().then_some("database");
    let right = right.map(|column| column + usize::from(database.is_some()));
    let header = database
        .into_iter()
        .chain(["game", "White", "Black", "result", "date", "event"]);
    let header = header
        .chain(last_columns)
        .chain((terminal_width() >= OPENING_FROM).then_some("opening"));
    let mut rows = vec![header.map(str::to_owned).collect()];
    rows.extend(games.iter().map(row));
    write!(out, "\n{}", table(&rows, &right, terminal_width()))
}

/// Writes games as a table, with the FEN of the position and its evaluation if there is one.
pub(super) fn write_table(
    positions: Option<&[Position]>,
    evaluation: Option<&PositionEvaluation>,
    count: Count,
    games: &[FoundGame],
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some([position]) = positions {
        writeln!(out, "{}", position.fen())?;
        if let Some(found) = evaluation {
            writeln!(out, "{}", evaluation_line(position, found))?;
        }
    }
    match count {
        Count::Known(count) => writeln!(out, "{}", counted(count, "game", "games"))?,
        Count::More => writeln!(
            out,
            "the first {}",
            counted(games.len() as u64, "game", "games")
        )?,
    }
    write_rows(games, out)?;
    match count {
        Count::More => {
            let left_out = "and more; --limit 0 lists all, --format count counts them";
            writeln!(out, "{} {left_out}", ellipsis())
        }
        Count::Known(count) if count > games.len() as u64 => {
            let left_out = grouped(count - games.len() as u64);
            writeln!(
                out,
                "{} and {left_out} more; --limit 0 lists all",
                ellipsis()
            )
        }
        Count::Known(_) => Ok(()),
    }
}
