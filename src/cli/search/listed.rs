//! Search results as a table.

use std::io::{self, Write};

use crate::cli::evaluation_line::evaluation_line;
use crate::cli::table::table;
use crate::cli::terminal::{ellipsis, terminal_width, text_or_question_mark};
use stamma::answer::FoundGame;
use stamma::board::Position;
use stamma::report::{counted, grouped};
use stamma::storage::PositionEvaluation;

/// The minimum terminal width for the opening.
const OPENING_FROM: usize = 120;

/// The cells of a game. A match adds its ply and the next move, otherwise the ECO code and the length are added.
fn game_row(found: &FoundGame) -> Vec<String> {
    let listed = &found.game;
    let game = &listed.game;
    let mut row: Vec<String> = game.database.iter().cloned().collect();
    row.extend([
        game.game.to_string(),
        text_or_question_mark(game.white.as_deref()),
        text_or_question_mark(game.black.as_deref()),
        game.result.clone(),
        text_or_question_mark(game.date.as_deref()),
        text_or_question_mark(game.event.as_deref()),
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
    /// More games than are listed. Their number is unknown, as it would need a read of each game.
    More,
}

/// Writes an empty line, a header and a row for each game; nothing without games.
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
    // The indices of the columns with numbers: the game, and the ply of the match or the length.
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
    rows.extend(games.iter().map(game_row));

    // The name of the database is the first column, if there is one.
    let right_aligned = numbers.map(|column| column + usize::from(has_database));
    write!(out, "\n{}", table(&rows, &right_aligned, terminal_width()))
}

/// Writes the FEN and the evaluation of the position if there is one, the number of games, and the games as a table.
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
