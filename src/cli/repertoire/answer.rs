//! The games in a repertoire, and those of them that are asked for.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::cli::args::{self, RepertoireFormat, RepertoireList, RepertoireOrder};
use crate::cli::say;
use stamma::report::{counted, grouped};
use stamma::storage::Database;
use stamma::study::preparation::taken_for;
use stamma::study::repertoire::{Departure, Repertoire, RepertoireHit, RepertoireHits};

/// The games in a repertoire, to be written.
pub(super) struct Answer<'a> {
    pub(super) database: &'a Database,
    pub(super) repertoire: &'a Repertoire,
    pub(super) hits: &'a RepertoireHits,
    pub(super) arguments: &'a args::Repertoire,
}

/// The number of rows written, and of all.
pub(super) type Rows = (usize, usize);

impl<'a> Answer<'a> {
    /// The departures that are asked for, in the order that is asked for.
    pub(super) fn departures(&self) -> Vec<&'a Departure> {
        let arguments = self.arguments;
        let is_gaps = arguments.list == RepertoireList::Gaps;
        let is_wanted = |one: &&Departure| {
            let games = if is_gaps {
                one.all.all_games()
            } else {
                one.counts.all_games()
            };
            games >= arguments.min_games.max(1)
                && 100.0 * one.share() >= arguments.min_share
                && if is_gaps {
                    one.is_gap()
                } else {
                    arguments.takes(one.kind)
                }
        };
        let mut departures: Vec<&Departure> =
            self.hits.departures.iter().filter(is_wanted).collect();
        // The sorts are stable, and departures come by their use, and then by their numbers of games.
        match arguments.sort {
            RepertoireOrder::Line => departures.sort_by_key(|one| one.position),
            _ if is_gaps => departures.sort_by_key(|one| Reverse(one.all.all_games())),
            RepertoireOrder::Games => departures.sort_by_key(|one| Reverse(one.counts.all_games())),
            RepertoireOrder::Use => {}
        }
        departures
    }

    /// The games of these departures, by number.
    pub(super) fn games(&self) -> Vec<RepertoireHit> {
        let departures = self.departures();
        let mut by_position: HashMap<usize, Vec<&Departure>> = HashMap::new();
        for departure in &departures {
            by_position
                .entry(departure.position)
                .or_default()
                .push(departure);
        }
        let is_wanted = |hit: &RepertoireHit| {
            let here = by_position.get(&hit.position);
            here.is_some_and(|here| here.iter().any(|one| one.has(hit)))
        };
        if departures.len() == self.hits.departures.len() {
            return self.hits.each(self.repertoire).collect();
        }
        self.hits.each(self.repertoire).filter(is_wanted).collect()
    }

    /// Says whose repertoire it is, how many games reach it, and what is left out.
    pub(super) fn say(&self, (listed, all): Rows) {
        let Answer {
            repertoire,
            hits,
            arguments,
            ..
        } = self;
        if listed < all {
            let what = match (arguments.format, arguments.list) {
                (RepertoireFormat::Pgn, _) | (_, RepertoireList::Games) => ("game", "games"),
                (_, RepertoireList::Departures) => ("departure", "departures"),
                (_, RepertoireList::Gaps) => ("gap", "gaps"),
                (_, RepertoireList::Lines) => ("line", "lines"),
                (_, RepertoireList::Mistakes) => ("mistake", "mistakes"),
            };
            say!(
                "{} of {}",
                grouped(listed as u64),
                counted(all as u64, what.0, what.1)
            );
        }
        let side = repertoire.side().name();
        let found = if repertoire.is_side_given() {
            ""
        } else {
            ", as its moves show"
        };
        let positions = counted(repertoire.positions().len() as u64, "position", "positions");
        say!(
            "a repertoire for {side}{found}: {positions}, {}",
            self.ends()
        );
        if repertoire.seems_of_other_side() {
            say!("{}", taken_for(repertoire.side()));
        }
        for source in &hits.sources {
            say!("games of {}, imported {}", source.path, source.imported_at);
        }
        let way = match repertoire.line_text(repertoire.first_choice()) {
            way if way.is_empty() || arguments.is_whole() => String::new(),
            way => format!(" (all lines begin with {way})"),
        };
        let of = counted(hits.games, "game", "games");
        say!("{} of {of} in it{way}", grouped(hits.hits));
        if hits.duplicates > 0 {
            let games = counted(hits.duplicates, "game is", "games are");
            say!("{games} marked as duplicates, and not counted");
        }
    }

    fn ends(&self) -> String {
        counted(self.repertoire.ends().count() as u64, "line", "lines")
    }
}
