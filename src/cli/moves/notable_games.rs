//! Notable games of a position, with their players.

use crate::cli::table::table;
use crate::cli::terminal::{dash, known};
use stamma::error::Result;
use stamma::query::{FirstGame, NotableGames};
use stamma::storage::{Database, Heading};

/// Notable games, with their headings.
pub(super) struct NamedNotableGames {
    /// The first game with each move.
    first: Vec<Option<(FirstGame, Heading)>>,
    /// The best-rated games.
    best: Vec<(i64, Heading)>,
}

impl NamedNotableGames {
    pub(super) fn read(
        database: &Database,
        notable_games: &NotableGames,
    ) -> Result<NamedNotableGames> {
        let heading = |game| -> Result<Heading> { Ok(database.heading(game)?.unwrap_or_default()) };
        let first = notable_games.moves.iter().map(|notable_games| {
            notable_games.first.map(|first| Ok((first, heading(first.game)?))).transpose()
        });
        let best = notable_games.best.iter().map(|&game| Ok((game, heading(game)?)));
        Ok(NamedNotableGames {
            first: first.collect::<Result<_>>()?,
            best: best.collect::<Result<_>>()?,
        })
    }

    /// For each move, the number of its first game, and its date and players.
    pub(super) fn first_cells(&self) -> impl Iterator<Item = [String; 2]> {
        self.first.iter().map(|first| match first {
            Some((first, heading)) => {
                let date = first.date.map(|date| format!("{date} ")).unwrap_or_default();
                let date = date.replace(".??", "");
                let [white, black] = [&heading.white, &heading.black].map(surname);
                [first.game.to_string(), format!("{date}{white}{}{black}", dash())]
            }
            None => [String::new(), String::new()],
        })
    }

    /// The best-rated games after an empty line; nothing if no game has ratings.
    pub(super) fn best_table(&self, width: usize) -> String {
        if self.best.is_empty() {
            return String::new();
        }
        let header =
            ["game", "best rated: White", "Elo", "Black", "Elo", "result", "date", "event"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(self.best.iter().map(|(game, heading)| best_row(*game, heading)));
        format!("\n{}", table(&rows, &[0, 2, 4], width))
    }
}

fn best_row(game: i64, heading: &Heading) -> Vec<String> {
    let elo = |elo: Option<i64>| elo.map(|elo| elo.to_string()).unwrap_or_default();
    vec![
        game.to_string(),
        known(heading.white.as_deref()),
        elo(heading.white_elo),
        known(heading.black.as_deref()),
        elo(heading.black_elo),
        heading.result.clone(),
        known(heading.date.as_deref()),
        known(heading.event.as_deref()),
    ]
}

/// The part of a name before the comma.
fn surname(name: &Option<String>) -> &str {
    let name = name.as_deref().unwrap_or("?");
    name.split_once(',').map_or(name, |(surname, _)| surname).trim()
}
