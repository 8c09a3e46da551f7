//! Notable games of a position, with their players.

use crate::cli::table::table;
use crate::cli::terminal::{dash, known};
use stamma::error::Result;
use stamma::game::PartialDate;
use stamma::query::{CombinedResults, GameOfDatabase, NotableGames};
use stamma::storage::Heading;

/// A game, with the name of its database if several are asked.
struct NamedGame {
    database: Option<String>,
    game: i64,
    heading: Heading,
}

/// Notable games, with their headings.
pub(super) struct NamedNotableGames {
    is_of_several: bool,
    /// The first game with each move, and its date.
    first: Vec<Option<(NamedGame, Option<PartialDate>)>>,
    /// The best-rated games.
    best: Vec<NamedGame>,
}

impl NamedNotableGames {
    pub(super) fn read(
        results: &CombinedResults<'_>,
        notable_games: &NotableGames<GameOfDatabase>,
        names: Option<&[String]>,
    ) -> Result<NamedNotableGames> {
        let named = |GameOfDatabase { database, game }| {
            let heading = results.read(database, move |database| database.heading(game))?;
            let database = names.map(|names| names[database].clone());
            Ok(NamedGame {
                database,
                game: game.get(),
                heading: heading.unwrap_or_default(),
            })
        };
        let first = notable_games.moves.iter().map(|notable_games| {
            notable_games
                .first
                .map(|first| Ok((named(first.game)?, first.date)))
                .transpose()
        });
        Ok(NamedNotableGames {
            is_of_several: names.is_some(),
            first: first.collect::<Result<_>>()?,
            best: notable_games
                .best
                .iter()
                .map(|&game| named(game))
                .collect::<Result<_>>()?,
        })
    }

    /// Whether the games are of several databases.
    pub(super) fn is_of_several(&self) -> bool {
        self.is_of_several
    }

    /// The columns of [`NamedNotableGames::first_cells`].
    pub(super) fn first_header(&self) -> impl Iterator<Item = &'static str> + use<> {
        let database = self.is_of_several.then_some("database");
        database.into_iter().chain(["game", "first played"])
    }

    /// For each move, the number of its first game, and its date and players; with several databases, the name of its
    /// database first.
    pub(super) fn first_cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.first.iter().map(|first| match first {
            Some((
                NamedGame {
                    database,
                    game,
                    heading,
                },
                date,
            )) => {
                let date = date.map(|date| format!("{date} ")).unwrap_or_default();
                let date = date.replace(".??", "");
                let [white, black] = [&heading.white, &heading.black].map(surname);
                let played = format!("{date}{white}{}{black}", dash());
                database
                    .iter()
                    .cloned()
                    .chain([game.to_string(), played])
                    .collect()
            }
            None => vec![String::new(); self.first_header().count()],
        })
    }

    /// The best-rated games after an empty line; nothing if no game has ratings.
    pub(super) fn best_table(&self, width: usize) -> String {
        if self.best.is_empty() {
            return String::new();
        }
        let database = self.is_of_several.then_some("database");
        let header = [
            "game",
            "best rated: White",
            "Elo",
            "Black",
            "Elo",
            "result",
            "date",
            "event",
        ];
        let header = database.into_iter().chain(header).map(str::to_owned);
        let mut rows = vec![header.collect()];
        rows.extend(self.best.iter().map(best_row));
        let right = [0, 2, 4].map(|column| column + usize::from(self.is_of_several));
        format!("\n{}", table(&rows, &right, width))
    }
}

fn best_row(
    NamedGame {
        database,
        game,
        heading,
    }: &NamedGame,
) -> Vec<String> {
    let elo = |elo: Option<i64>| elo.map(|elo| elo.to_string()).unwrap_or_default();
    let cells = [
        game.to_string(),
        known(heading.white.as_deref()),
        elo(heading.white_elo),
        known(heading.black.as_deref()),
        elo(heading.black_elo),
        heading.result.clone(),
        known(heading.date.as_deref()),
        known(heading.event.as_deref()),
    ];
    database.iter().cloned().chain(cells).collect()
}

/// The part of a name before the comma.
fn surname(name: &Option<String>) -> &str {
    let name = name.as_deref().unwrap_or("?");
    name.split_once(',')
        .map_or(name, |(surname, _)| surname)
        .trim()
}
