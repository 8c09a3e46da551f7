//! The document of a tournament: its heading, its crosstable, and what is missing from it.

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
        document.paragraph([format!("{players}, {}", notes::system(self.crosstable)).into()]);
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
        self.notes()
            .into_iter()
            .for_each(|note| document.note(note));
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

    /// That results are missing, if so, which is said before the table. A sentence without a full stop.
    pub fn warning(&self) -> Option<String> {
        notes::warning(self.crosstable)
    }

    /// What is said of it beside its cells: games missing, doubled, left out or unfinished. Sentences without full stops.
    pub fn notes(&self) -> Vec<String> {
        notes::notes(*self)
    }
}

/// The heading of a tournament: `Candidates Tournament, Zürich, 1953.08.30–1953.10.24, 210 games`.
pub fn tournament_heading(tournament: &Tournament, letters: Letters) -> String {
    let games = counted(tournament.games.len() as u64, "game", "games");
    let parts = [
        Some(tournament.event.clone()),
        tournament.site.clone(),
        dates(tournament, letters),
    ];
    parts
        .into_iter()
        .flatten()
        .chain([games])
        .collect::<Vec<String>>()
        .join(", ")
}

/// The dates of a tournament: `1953.08.30–1953.10.24`.
fn dates(tournament: &Tournament, letters: Letters) -> Option<String> {
    let (first, last) = (tournament.first?.to_string(), tournament.last?.to_string());
    let dash = letters.choose("–", "-");
    Some(if first == last {
        first
    } else {
        format!("{first}{dash}{last}")
    })
}
