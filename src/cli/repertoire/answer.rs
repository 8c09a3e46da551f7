//! The games in a repertoire, and the selection of departures and games by the options.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::cli::args::{self, RepertoireFormat, RepertoireList, RepertoireOrder};
use crate::cli::say;
use stamma::report::{counted, grouped};
use stamma::storage::Database;
use stamma::study::preparation::other_side_warning;
use stamma::study::repertoire::{Departure, Repertoire, RepertoireHit, RepertoireHits};

/// The games in a repertoire, with the options for their output.
pub(super) struct Answer<'a> {
    pub(super) database: &'a Database,
    pub(super) repertoire: &'a Repertoire,
    pub(super) hits: &'a RepertoireHits,
    pub(super) arguments: &'a args::Repertoire,
}

/// The numbers of rows of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowCounts {
    /// The number of rows written.
    pub(super) written: usize,
    /// The number of all rows, without the limit.
    pub(super) all: usize,
}

impl<'a> Answer<'a> {
    /// The requested departures, in the requested order.
    pub(super) fn departures(&self) -> Vec<&'a Departure> {
        let mut departures: Vec<&Departure> = self
            .hits
            .departures
            .iter()
            .filter(|departure| self.is_listed(departure))
            .collect();

        // The sorts are stable. Departures come in the order `use`, and within a kind by descending number of games.
        match self.arguments.sort {
            RepertoireOrder::Line => departures.sort_by_key(|departure| departure.position),
            RepertoireOrder::Use if !self.is_of_gaps() => {}
            RepertoireOrder::Games | RepertoireOrder::Use => {
                departures.sort_by_key(|departure| Reverse(self.games_of(departure)));
            }
        }
        departures
    }

    /// `true` if a departure is requested.
    fn is_listed(&self, departure: &Departure) -> bool {
        let arguments = self.arguments;
        let is_of_kind = if self.is_of_gaps() {
            departure.is_gap()
        } else {
            arguments.includes(departure.kind)
        };
        let is_frequent = self.games_of(departure) >= arguments.min_games.max(1)
            && 100.0 * departure.share() >= arguments.min_share;
        is_of_kind && is_frequent
    }

    /// `true` if the list of gaps is requested.
    fn is_of_gaps(&self) -> bool {
        self.arguments.list == RepertoireList::Gaps
    }

    /// The number of games that is listed with a departure: for a gap all games with the move, otherwise the games that
    /// leave.
    fn games_of(&self, departure: &Departure) -> u64 {
        if self.is_of_gaps() {
            departure.all.all_games()
        } else {
            departure.counts.all_games()
        }
    }

    /// The games that leave by a requested departure, in the order of their numbers.
    pub(super) fn games(&self) -> Vec<RepertoireHit> {
        let departures = self.departures();
        let hits = self.hits.each(self.repertoire);
        let are_all_listed = departures.len() == self.hits.departures.len();
        if are_all_listed {
            return hits.collect();
        }

        let mut by_position: HashMap<usize, Vec<&Departure>> = HashMap::new();
        for departure in departures {
            by_position
                .entry(departure.position)
                .or_default()
                .push(departure);
        }
        let is_listed = |hit: &RepertoireHit| match by_position.get(&hit.position) {
            Some(here) => here.iter().any(|departure| departure.has(hit)),
            None => false,
        };
        hits.filter(is_listed).collect()
    }

    /// Reports the numbers of rows, positions, lines and games, the side of the repertoire, and omitted duplicates.
    pub(super) fn say(&self, rows: RowCounts) {
        let Answer {
            repertoire,
            hits,
            arguments,
            ..
        } = self;

        if rows.written < rows.all {
            let (one, many) = self.row_name();
            let all_rows = counted(rows.all as u64, one, many);
            say!("{} of {all_rows}", grouped(rows.written as u64));
        }

        let side = repertoire.side().name();
        let reason = if repertoire.is_side_given() {
            ""
        } else {
            ", as its moves show"
        };
        let positions = counted(repertoire.positions().len() as u64, "position", "positions");
        let lines = counted(repertoire.ends().count() as u64, "line", "lines");
        say!("a repertoire for {side}{reason}: {positions}, {lines}");
        if repertoire.seems_of_other_side() {
            say!("{}", other_side_warning(repertoire.side()));
        }

        for source in &hits.sources {
            say!("games of {}, imported {}", source.path, source.imported_at);
        }

        let first_moves = repertoire.line_text(repertoire.first_choice());
        let common = if first_moves.is_empty() || arguments.is_whole() {
            String::new()
        } else {
            format!(" (all lines begin with {first_moves})")
        };
        let all_games = counted(hits.games, "game", "games");
        say!("{} of {all_games} in it{common}", grouped(hits.hits));

        if hits.duplicates > 0 {
            let games = counted(hits.duplicates, "game is", "games are");
            say!("{games} marked as duplicates, and not counted");
        }
    }

    /// The name of a listed row, in the singular and the plural.
    fn row_name(&self) -> (&'static str, &'static str) {
        if self.arguments.format == RepertoireFormat::Pgn {
            return ("game", "games");
        }
        match self.arguments.list {
            RepertoireList::Games => ("game", "games"),
            RepertoireList::Departures => ("departure", "departures"),
            RepertoireList::Gaps => ("gap", "gaps"),
            RepertoireList::Lines => ("line", "lines"),
            RepertoireList::Mistakes => ("mistake", "mistakes"),
        }
    }
}
