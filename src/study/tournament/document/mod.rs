//! The document of a tournament: the heading, the crosstable, and notes on missing games.

mod grid;
mod letters;
mod notes;
mod report;

use crate::report::counted;
use crate::report::{Document, Table};
use crate::study::tournament::{System, Tournament};
pub use letters::Letters;
pub use report::CrosstableReport;

impl CrosstableReport<'_> {
    /// The document.
    pub fn document(&self) -> Document {
        let mut document = Document::new(tournament_heading(self.tournament, self.letters));
        let players = counted(self.crosstable.standings.len() as u64, "player", "players");
        let system = notes::system(self.crosstable);
        document.paragraph([format!("{players}, {system}").into()]);
        if let Some(warning) = self.warning() {
            document.paragraph([warning.into()]);
        }

        if self.crosstable.system == System::KnockOut {
            document.table(self.matches());
        }
        if !self.crosstable.teams.is_empty() {
            document.table(grid::teams(self.crosstable, self.letters));
        }
        document.table(self.standings());
        for note in self.notes() {
            document.note(note);
        }
        document
    }

    /// The standings, with the results against the other players or in the rounds.
    pub fn standings(&self) -> Table {
        grid::standings(*self)
    }

    /// The matches of a knock-out, the last stage first.
    pub fn matches(&self) -> Table {
        grid::matches(*self)
    }

    /// A warning before the table, if results are missing. It is a sentence without a full stop.
    pub fn warning(&self) -> Option<String> {
        notes::warning(self.crosstable)
    }

    /// Notes below the table: games that are missing, doubled, left out or unfinished. The sentences
    /// have no full stops.
    pub fn notes(&self) -> Vec<String> {
        notes::notes(*self)
    }
}

/// The heading of a tournament: `Candidates Tournament, Zürich, 1953.08.30–1953.10.24, 210 games`.
pub fn tournament_heading(tournament: &Tournament, letters: Letters) -> String {
    let mut parts = vec![tournament.event.clone()];
    if let Some(site) = &tournament.site {
        parts.push(site.clone());
    }
    if let Some(dates) = dates(tournament, letters) {
        parts.push(dates);
    }

    let games = tournament.games.len() as u64;
    parts.push(counted(games, "game", "games"));
    parts.join(", ")
}

/// The dates of a tournament: `1953.08.30–1953.10.24`.
fn dates(tournament: &Tournament, letters: Letters) -> Option<String> {
    let first = tournament.first?.to_string();
    let last = tournament.last?.to_string();
    if first == last {
        return Some(first);
    }
    let dash = letters.choose("–", "-");
    Some(format!("{first}{dash}{last}"))
}
