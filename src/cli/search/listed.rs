//! Search results as a table.

use std::io::{self, Write};

use crate::cli::evaluation_line::evaluation_line;
use crate::cli::table::table;
use crate::cli::terminal::{ellipsis, known, terminal_width};
use stamma::answer::FoundGame;
use stamma::board::Position;
use stamma::report::{counted, grouped};
use stamma::storage::PositionEvaluation;

/// The terminal width from which the opening is shown.
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

    if let Some(ply) = found.ply {
        let next_move = match &found.san {
            Some(san) => san.as_str(),
            // Without a move, the match is in a variation, or the last position of the game.
            None if found.in_variation => "(variation)",
            None => "(end)",
        };
        row.push(ply.to_string());
        row.push(next_move.to_owned());
    } else {
        row.push(listed.eco.clone().unwrap_or_default());
        row.push(listed.plies.to_string());
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
    /// More games than are listed; only reading each of them would tell the number.
    More,
}

/// Writes an empty line and games with a header; nothing if there are no games.
pub(in crate::cli) fn write_rows(games: &[FoundGame], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = games.first() else {
        return Ok(());
    };

    let mut header = Vec::new();
    let has_database = first.game.game.database.is_some();
    if has_database {
        header.push("database");
    }
    header.extend(["game", "White", "Black", "result", "date", "event"]);
    let numbers = if first.ply.is_some() {
        header.extend(["ply", "move"]);
        [0, 6]
    } else {
        header.extend(["ECO", "plies"]);
        [0, 7]
    };
    if terminal_width() >= OPENING_FROM {
        header.push("opening");
    }

    let mut rows: Vec<Vec<String>> = vec![header.into_iter().map(str::to_owned).collect()];
    rows.extend(games.iter().map(row));

    // The name of the database stands before all other columns.
    let right_aligned = numbers.map(|column| column + usize::from(has_database));
    write!(out, "\n{}", table(&rows, &right_aligned, terminal_width()))
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

    let listed = games.len() as u64;
    match count {
        Count::Known(all) => writeln!(out, "{}", counted(all, "game", "games"))?,
        Count::More => writeln!(out, "the first {}", counted(listed, "game", "games"))?,
    }
    write_rows(games, out)?;

    let left_out = match count {
        Count::More => "and more; --limit 0 lists all, --format count counts them".to_owned(),
        Count::Known(all) if all > listed => {
            format!("and {} more; --limit 0 lists all", grouped(all - listed))
        }
        Count::Known(_) => return Ok(()),
    };
    writeln!(out, "{} {left_out}", ellipsis())
}
