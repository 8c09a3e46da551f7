//! A game as a row of comma-separated values.

use serde::Serialize;

use stamma::export::{Unwritable, moves_of};
use stamma::game::Game;
use stamma::notation::Style;

/// The fields of a [`Row`].
pub(super) const COLUMNS: [&str; 14] = [
    "game",
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "result",
    "white_elo",
    "black_elo",
    "eco",
    "plies",
    "fen",
    "moves",
];

/// The row of a game: its main tags and its moves.
#[derive(Debug, Serialize)]
pub(super) struct Row<'g> {
    game: i64,
    event: Option<&'g str>,
    site: Option<&'g str>,
    date: Option<&'g str>,
    round: Option<&'g str>,
    white: Option<&'g str>,
    black: Option<&'g str>,
    result: &'g str,
    white_elo: Option<&'g str>,
    black_elo: Option<&'g str>,
    eco: Option<&'g str>,
    plies: usize,
    /// The start position; `None` for the standard start position.
    fen: Option<&'g str>,
    /// The moves of the mainline, separated by spaces.
    moves: String,
}

impl<'g> Row<'g> {
    /// The row of a game, with its moves in the given style.
    ///
    /// # Errors
    /// When moves in another notation cannot be played.
    pub(super) fn new(
        id: i64,
        game: &'g Game<'_>,
        style: &Style<'_>,
    ) -> Result<Row<'g>, Unwritable> {
        let moves = moves_of(game, style)?;
        Ok(Row {
            game: id,
            event: game.tag("Event"),
            site: game.tag("Site"),
            date: game.tag("Date"),
            round: game.tag("Round"),
            white: game.tag("White"),
            black: game.tag("Black"),
            result: game.result.as_str(),
            white_elo: game.tag("WhiteElo"),
            black_elo: game.tag("BlackElo"),
            eco: game.tag("ECO"),
            plies: moves.len(),
            fen: game.start.as_deref(),
            moves: moves.join(" "),
        })
    }
}
