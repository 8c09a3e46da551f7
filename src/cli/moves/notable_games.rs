//! Notable games of a position, with their players.

use crate::cli::table::table;
use crate::cli::terminal::{dash, text_or_question_mark};
use stamma::error::Result;
use stamma::game::PartialDate;
use stamma::query::{CombinedResults, GameOfDatabase, NotableGames};
use stamma::storage::Heading;

/// A game with its heading, and with the name of its database if several databases are queried.
struct NamedGame {
    database: Option<String>,
    game: i64,
    heading: Heading,
}

/// Notable games, with their headings.
pub(super) struct NamedNotableGames {
    /// `true` if several databases are queried.
    is_of_several: bool,
    /// The first game with each move, and its date.
    first: Vec<Option<(NamedGame, Option<PartialDate>)>>,
    /// The best-rated games.
    best: Vec<NamedGame>,
}

/// The columns of the best-rated games. The name of the database comes before them, if there are several databases.
const BEST_COLUMNS: [&str; 8] = [
    "game",
    "best rated: White",
    "Elo",
    "Black",
    "Elo",
    "result",
    "date",
    "event",
];
/// The indices of the columns with numbers in [`BEST_COLUMNS`].
const BEST_NUMBERS: [usize; 3] = [0, 2, 4];

impl NamedNotableGames {
    /// Reads the headings of notable games. `names` are the names of several databases.
    pub(super) fn read(
        results: &CombinedResults<'_>,
        notable_games: &NotableGames<GameOfDatabase>,
        names: Option<&[String]>,
    ) -> Result<NamedNotableGames> {
        let mut first_games = Vec::with_capacity(notable_games.moves.len());
        for of_move in &notable_games.moves {
            let first_game = match of_move.first {
                Some(first) => {
                    let game = named_game(results, first.game, names)?;
                    Some((game, first.date))
                }
                None => None,
            };
            first_games.push(first_game);
        }

        let mut best = Vec::with_capacity(notable_games.best.len());
        for &game in &notable_games.best {
            best.push(named_game(results, game, names)?);
        }

        Ok(NamedNotableGames {
            is_of_several: names.is_some(),
            first: first_games,
            best,
        })
    }

    /// `true` if several databases are queried.
    pub(super) fn is_of_several(&self) -> bool {
        self.is_of_several
    }

    /// The columns of [`NamedNotableGames::first_cells`].
    pub(super) fn first_header(&self) -> impl Iterator<Item = &'static str> + use<> {
        let database = self.is_of_several.then_some("database");
        database.into_iter().chain(["game", "first played"])
    }

    /// The cells of the first game with each move: its number, and its date and players. With several databases, the
    /// name of the database is the first cell.
    pub(super) fn first_cells(&self) -> Vec<Vec<String>> {
        let columns = self.first_header().count();

        let mut rows = Vec::with_capacity(self.first.len());
        for first in &self.first {
            rows.push(match first {
                Some((game, date)) => first_cells_of(game, *date),
                None => vec![String::new(); columns],
            });
        }
        rows
    }

    /// The best-rated games after an empty line; nothing if no game has ratings.
    pub(super) fn best_table(&self, width: usize) -> String {
        if self.best.is_empty() {
            return String::new();
        }

        let mut columns = Vec::new();
        if self.is_of_several {
            columns.push("database");
        }
        columns.extend(BEST_COLUMNS);

        let header = columns.into_iter().map(str::to_owned).collect();
        let mut rows: Vec<Vec<String>> = vec![header];
        rows.extend(self.best.iter().map(best_row));

        let right_aligned = BEST_NUMBERS.map(|column| column + usize::from(self.is_of_several));
        format!("\n{}", table(&rows, &right_aligned, width))
    }
}

/// Reads the heading of a game; `names` are the names of the databases if there are several.
fn named_game(
    results: &CombinedResults<'_>,
    game_of_database: GameOfDatabase,
    names: Option<&[String]>,
) -> Result<NamedGame> {
    let GameOfDatabase { database, game } = game_of_database;
    let heading = results.read(database, move |database| database.heading(game))?;
    Ok(NamedGame {
        database: names.map(|names| names[database].clone()),
        game: game.get(),
        heading: heading.unwrap_or_default(),
    })
}

/// The cells of a first game, below [`NamedNotableGames::first_header`].
fn first_cells_of(named: &NamedGame, date: Option<PartialDate>) -> Vec<String> {
    let heading = &named.heading;
    let white = surname(heading.white.as_deref());
    let black = surname(heading.black.as_deref());
    let players = format!("{white}{}{black}", dash());
    let played = match date {
        Some(date) => {
            // Unknown months and days are omitted to save room.
            let known_date = date.to_string().replace(".??", "");
            format!("{known_date} {players}")
        }
        None => players,
    };

    let mut cells: Vec<String> = named.database.iter().cloned().collect();
    cells.extend([named.game.to_string(), played]);
    cells
}

/// The cells of a best-rated game.
fn best_row(named: &NamedGame) -> Vec<String> {
    let heading = &named.heading;
    let mut cells: Vec<String> = named.database.iter().cloned().collect();
    cells.extend([
        named.game.to_string(),
        text_or_question_mark(heading.white.as_deref()),
        elo_cell(heading.white_elo),
        text_or_question_mark(heading.black.as_deref()),
        elo_cell(heading.black_elo),
        heading.result.clone(),
        text_or_question_mark(heading.date.as_deref()),
        text_or_question_mark(heading.event.as_deref()),
    ]);
    cells
}

/// A rating; empty if it is unknown.
fn elo_cell(elo: Option<i64>) -> String {
    elo.map(|elo| elo.to_string()).unwrap_or_default()
}

/// The part of a name before the comma.
fn surname(name: Option<&str>) -> &str {
    let name = name.unwrap_or("?");
    let surname = name.split_once(',').map_or(name, |(surname, _)| surname);
    surname.trim()
}
