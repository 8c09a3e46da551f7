//! The heading of a tournament.

use crate::cli::events::dates;
use crate::cli::terminal::counted;
use stamma::query::Tournament;

/// `Candidates Tournament, Zürich, 1953.08.30–1953.10.24, 210 games`
pub(super) fn heading(tournament: &Tournament) -> String {
    let games = counted(tournament.games.len() as u64, "game", "games");
    let parts = [Some(tournament.event.clone()), tournament.site.clone(), dates(tournament)];
    parts.into_iter().flatten().chain([games]).collect::<Vec<String>>().join(", ")
}
