//! Cells of departures, lines and games, for tables.

use crate::cli::terminal::{number_or_dash, text_or_question_mark, years};
use stamma::answer::{Departure, RepertoireGame, RepertoireScore};
use stamma::report::grouped;

/// The cells of a score: the number of games, the score, both ratings, and the years.
pub(super) fn score_cells(score: &RepertoireScore) -> Vec<String> {
    let per_cent = match score.score {
        Some(score) => format!("{score:.0} %"),
        None => "-".to_owned(),
    };

    vec![
        grouped(score.games),
        per_cent,
        number_or_dash(score.average_elo),
        number_or_dash(score.opponent_elo),
        years(score.first_year, score.last_year),
    ]
}

/// The move of a departure with its number, or the kind of departure if there is no move.
pub(super) fn move_or_kind(departure: &Departure) -> String {
    match &departure.san {
        Some(san) => format!("{} {san}", departure.move_number),
        None => format!("({})", departure.kind.replace('-', " ")),
    }
}

/// The header of the list of games.
pub(super) const GAME_HEADER: [&str; 9] = [
    "game",
    "White",
    "Black",
    "result",
    "Elo",
    "Elo",
    "date",
    "leaves at",
    "line",
];
/// The indices of the columns with numbers in [`GAME_HEADER`].
pub(super) const GAME_NUMBERS: [usize; 3] = [0, 4, 5];

/// The cells of a game.
pub(super) fn game_cells(row: &RepertoireGame) -> Vec<String> {
    let place = match &row.san {
        Some(san) => format!("{} {san}", row.move_number),
        None => "(end of game)".to_owned(),
    };

    let game = &row.game.game;
    vec![
        game.game.to_string(),
        text_or_question_mark(game.white.as_deref()),
        text_or_question_mark(game.black.as_deref()),
        game.result.clone(),
        number_or_dash(game.white_elo),
        number_or_dash(game.black_elo),
        text_or_question_mark(game.date.as_deref()),
        place,
        row.line.clone(),
    ]
}
