//! The players of a crosstable for programs.

use serde::Serialize;

use stamma::study::tournament::{Crosstable, Standing, TournamentGame};

pub(super) const COLUMNS: [&str; 13] = [
    "rank",
    "name",
    "elo",
    "points",
    "games",
    "won",
    "drawn",
    "lost",
    "unfinished",
    "sonneborn_berger",
    "buchholz",
    "performance",
    "results",
];

#[derive(Debug, Serialize)]
pub(super) struct Row<'c> {
    rank: u32,
    name: &'c str,
    elo: Option<u16>,
    points: f64,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    unfinished: u32,
    sonneborn_berger: f64,
    buchholz: f64,
    performance: Option<i64>,
    /// The games in their order: the line of the opponent, the colour, the result, and the number of the game:
    /// `12w1#345`.
    results: String,
}

/// A row for each player, in the order of places.
pub(super) fn rows(crosstable: &Crosstable) -> Vec<Row<'_>> {
    let mut results = vec![Vec::new(); crosstable.standings.len()];
    for game in &crosstable.games {
        for player in game.players {
            results[player].push(encounter(game, player));
        }
    }
    let rows = crosstable.standings.iter().zip(results);
    rows.map(|(standing, results)| row(standing, results.join(" "))).collect()
}

fn row(standing: &Standing, results: String) -> Row<'_> {
    Row {
        rank: standing.rank,
        name: &standing.name,
        elo: standing.elo.map(u16::from),
        points: standing.points(),
        games: standing.all_games(),
        won: standing.won,
        drawn: standing.drawn,
        lost: standing.lost,
        unfinished: standing.unfinished,
        sonneborn_berger: f64::from(standing.sonneborn_berger) / 4.0,
        buchholz: f64::from(standing.buchholz) / 2.0,
        performance: standing.performance().map(|performance| performance.round() as i64),
        results,
    }
}

fn encounter(game: &TournamentGame, player: usize) -> String {
    let Some((opponent, color)) = game.opponent_of(player) else { return String::new() };
    let side = if color.is_white() { 'w' } else { 'b' };
    let result = match game.half_points(color) {
        Some(2) => '1',
        Some(1) => '=',
        Some(_) => '0',
        None => '*',
    };
    format!("{}{side}{result}#{}", opponent + 1, game.game)
}
