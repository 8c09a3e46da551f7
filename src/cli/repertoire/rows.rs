//! Rows of departures, lines and games, for programs and for tables.

use serde::Serialize;

use crate::cli::terminal::{dash, known};
use stamma::board::Color;
use stamma::error::Result;
use stamma::query::Counts;
use stamma::report::grouped;
use stamma::storage::{Database, GameId, Heading, OpeningTable};
use stamma::study::repertoire::{Departure, Repertoire, RepertoireHit, RepertoireHits};

/// Results, ratings and years of some games, from the side of the repertoire.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Results {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    /// In per cent of the finished games.
    score: Option<f64>,
    elo: Option<i64>,
    opponent_elo: Option<i64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
}

pub(super) const RESULT_COLUMNS: [&str; 9] =
    ["games", "won", "drawn", "lost", "score", "elo", "opponent_elo", "first_year", "last_year"];

impl Results {
    pub(super) fn new(counts: &Counts, side: Color) -> Results {
        let rounded = |elo: Option<f64>| elo.map(|elo| elo.round() as i64);
        Results {
            games: counts.all_games(),
            won: counts.wins(side),
            drawn: counts.draws,
            lost: counts.wins(!side),
            score: score(counts, side),
            elo: rounded(counts.mover_elo.mean()),
            opponent_elo: rounded(counts.opponent_elo.mean()),
            first_year: counts.years.map(|(first, _)| first),
            last_year: counts.years.map(|(_, last)| last),
        }
    }

    /// The cells of a table: games, score, both ratings, years.
    pub(super) fn cells(&self) -> [String; 5] {
        let elo = |elo: Option<i64>| elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
        let years = match (self.first_year, self.last_year) {
            (Some(first), Some(last)) if first != last => format!("{first}{}{last}", dash()),
            (first, last) => first.or(last).map_or_else(|| "-".to_owned(), |year| year.to_string()),
        };
        [
            grouped(self.games),
            self.score.map_or_else(|| "-".to_owned(), |score| format!("{score:.0} %")),
            elo(self.elo),
            elo(self.opponent_elo),
            years,
        ]
    }
}

/// The score of a side in per cent of the finished games, with one digit behind the point.
pub(super) fn score(counts: &Counts, side: Color) -> Option<f64> {
    let half_points = 2 * counts.wins(side) + counts.draws;
    let per_mille = 1000.0 * half_points as f64 / (2 * counts.finished()) as f64;
    (counts.finished() > 0).then(|| per_mille.round() / 10.0)
}

/// A departure.
#[derive(Debug, Serialize)]
pub(super) struct DepartureRow {
    line: String,
    by: &'static str,
    #[serde(rename = "move")]
    played: Option<String>,
    /// The number of the move.
    number: String,
    #[serde(flatten)]
    pub(super) results: Results,
    /// All games that play the move in the position.
    pub(super) played_games: u64,
    /// All games that reach the position.
    position_games: u64,
    /// In per cent.
    share: f64,
    eco: Option<String>,
    opening: Option<String>,
    fen: String,
    /// The numbers of the best rated games, separated by spaces.
    best_games: String,
}

/// The columns of a departure before and behind its results.
const BEFORE: [&str; 4] = ["line", "by", "move", "number"];
const BEHIND: [&str; 7] =
    ["played_games", "position_games", "share", "eco", "opening", "fen", "best_games"];

impl DepartureRow {
    pub(super) fn columns() -> Vec<&'static str> {
        [&BEFORE[..], &RESULT_COLUMNS, &BEHIND].concat()
    }

    pub(super) fn new(
        repertoire: &Repertoire,
        openings: &OpeningTable,
        departure: &Departure,
    ) -> DepartureRow {
        let at = departure.position;
        let (eco, opening) = opening_of(repertoire, openings, at);
        let best: Vec<String> = departure.best.iter().map(GameId::to_string).collect();
        DepartureRow {
            line: repertoire.line_text(at),
            by: departure.kind.as_str(),
            played: departure.played.as_ref().map(|(san, _)| san.clone()),
            number: repertoire.move_number(at),
            results: Results::new(&departure.counts, repertoire.side()),
            played_games: departure.all.all_games(),
            position_games: departure.reached,
            share: (1000.0 * departure.share()).round() / 10.0,
            eco,
            opening,
            fen: repertoire.positions()[at].position.fen(),
            best_games: best.join(" "),
        }
    }

    /// The move with its number, or how the line ends.
    pub(super) fn place(&self) -> String {
        match &self.played {
            Some(san) => format!("{} {san}", self.number),
            None => format!("({})", self.by.replace('-', " ")),
        }
    }

    pub(super) fn line(&self) -> &str {
        &self.line
    }

    pub(super) fn by(&self) -> &'static str {
        self.by
    }

    pub(super) fn share(&self) -> f64 {
        self.share
    }
}

/// The code and the name of the last position of a line that has one.
fn opening_of(
    repertoire: &Repertoire,
    openings: &OpeningTable,
    at: usize,
) -> (Option<String>, Option<String>) {
    let before = repertoire.line(at).into_iter().map(|(before, _)| before);
    let mut line: Vec<usize> = before.chain([at]).collect();
    line.reverse();
    let positions = repertoire.positions();
    let id = line.into_iter().find_map(|at| openings.of_position(&positions[at].position));
    let opening = id.map(|id| openings.get(id));
    (opening.map(|one| one.eco.to_owned()), opening.map(|one| one.name.to_owned()))
}

/// A line of the repertoire to its end.
#[derive(Debug, Serialize)]
pub(super) struct LineRow {
    line: String,
    #[serde(flatten)]
    pub(super) results: Results,
    eco: Option<String>,
    opening: Option<String>,
    fen: String,
}

impl LineRow {
    pub(super) fn columns() -> Vec<&'static str> {
        [&["line"][..], &RESULT_COLUMNS, &["eco", "opening", "fen"]].concat()
    }

    pub(super) fn new(
        repertoire: &Repertoire,
        openings: &OpeningTable,
        hits: &RepertoireHits,
        at: usize,
    ) -> LineRow {
        let (eco, opening) = opening_of(repertoire, openings, at);
        LineRow {
            line: repertoire.line_text(at),
            results: Results::new(hits.reached(at), repertoire.side()),
            eco,
            opening,
            fen: repertoire.positions()[at].position.fen(),
        }
    }

    pub(super) fn line(&self) -> &str {
        &self.line
    }
}

/// A game in the repertoire.
#[derive(Debug, Serialize)]
pub(super) struct GameRow {
    game: i64,
    white: Option<String>,
    black: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    result: String,
    date: Option<String>,
    event: Option<String>,
    eco: Option<String>,
    opening: Option<String>,
    /// The number of half-moves before the game leaves.
    ply: Option<u32>,
    by: &'static str,
    #[serde(rename = "move")]
    played: Option<String>,
    number: String,
    line: String,
}

impl GameRow {
    pub(super) const COLUMNS: [&'static str; 15] = [
        "game",
        "white",
        "black",
        "white_elo",
        "black_elo",
        "result",
        "date",
        "event",
        "eco",
        "opening",
        "ply",
        "by",
        "move",
        "number",
        "line",
    ];

    pub(super) const HEADER: [&'static str; 9] =
        ["game", "White", "Black", "result", "Elo", "Elo", "date", "leaves at", "line"];

    pub(super) fn new(
        database: &Database,
        repertoire: &Repertoire,
        hit: &RepertoireHit,
    ) -> Result<GameRow> {
        let heading: Heading = database.heading(hit.game)?.unwrap_or_default();
        let place = hit.place(database, repertoire)?;
        Ok(GameRow {
            game: hit.game.get(),
            white: heading.white,
            black: heading.black,
            white_elo: heading.white_elo,
            black_elo: heading.black_elo,
            result: heading.result,
            date: heading.date,
            event: heading.event,
            eco: heading.eco.or(heading.opening_eco),
            opening: heading.opening,
            ply: place.as_ref().map(|(ply, _)| ply.get()),
            by: hit.kind.as_str(),
            played: place.and_then(|(_, san)| san),
            number: repertoire.move_number(hit.position),
            line: repertoire.line_text(hit.position),
        })
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let elo = |elo: Option<i64>| elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
        let place = match &self.played {
            Some(san) => format!("{} {san}", self.number),
            None => "(end of game)".to_owned(),
        };
        vec![
            self.game.to_string(),
            known(self.white.as_deref()),
            known(self.black.as_deref()),
            self.result.clone(),
            elo(self.white_elo),
            elo(self.black_elo),
            known(self.date.as_deref()),
            place,
            self.line.clone(),
        ]
    }
}
