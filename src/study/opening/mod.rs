//! Opening reports: the popularity of an opening, its scores, main lines, endings, players and games.
//!
//! [`OpeningReport::read`] gathers a report.

// `chosen.rs` selects the games. The counts by year, rating, player and last material come from columns (`counts.rs`,
// `players.rs`, `endings.rs`), and the main lines from the position index (`lines.rs`). A sample of games is replayed
// for the position that begins the opening and for the squares of pieces (`sample.rs`, `placements.rs`).

mod chosen;
mod counts;
mod document;
mod endings;
mod key_games;
mod lines;
mod novelties;
mod placements;
mod players;
mod sample;
mod subject;

pub use counts::{OpeningBand, OpeningYear};
pub use document::opening_document;
pub use endings::{OpeningEnding, OpeningEndings};
pub use key_games::{KeyGame, KeyGameReason};
pub use lines::{OpeningLines, OpeningMove};
pub use novelties::{OpeningNovelties, OpeningNovelty, OpeningNoveltyYear};
pub use placements::{PiecePlacement, Placements};
pub use players::{OpeningPlayer, OpeningPlayers};
pub use sample::OpeningRoot;
pub use subject::{OpeningQuery, OpeningSubject};

use crate::error::Result;
use crate::index::Counts;
use crate::query::Watch;
use crate::storage::{Database, IndexedPlies};
use chosen::Chosen;
use counts::OpeningCounts;
use sample::Sample;

/// A report on an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningReport {
    /// The results of the opening's games, with White as the side to move.
    pub counts: Counts,
    /// The number of all games with moves of chess that the filter matches. The games of the opening are a part of
    /// them.
    pub all: u64,
    /// The number of the opening's games without a year.
    pub undated: u64,
    /// The number of games that the filter matches and that are left out as duplicates.
    pub duplicates: u64,
    /// The number of games left out because they have no moves or belong to a variant that is played apart.
    pub apart: u64,
    /// The half-moves of games whose positions are indexed. Games and lines are counted by the index.
    pub indexed_plies: IndexedPlies,
    /// The most frequent names of the opening, the most frequent first: the ECO code, the name, and the number of
    /// games.
    pub names: Vec<(String, String, u64)>,
    /// The position in which the opening begins; `None` if no game of the sample reaches such a position.
    pub root: Option<OpeningRoot>,
    /// The years from the opening's first game to the last of all games.
    pub years: Vec<OpeningYear>,
    /// Bands of ratings that have games.
    pub bands: Vec<OpeningBand>,
    /// The number of the opening's games without both ratings.
    pub unrated: u64,
    /// The main lines from the root.
    pub lines: OpeningLines,
    /// The material with which games end.
    pub endings: OpeningEndings,
    /// The number of games that were replayed for the root and for placements.
    pub sampled: u64,
    /// The squares of pieces after some moves.
    pub placements: Vec<Placements>,
    /// The best players with White and with Black.
    pub players: [OpeningPlayers; 2],
    /// The games to look at first.
    pub key_games: Vec<KeyGame>,
    /// Novelties of the games with the highest ratings.
    pub novelties: OpeningNovelties,
}

impl OpeningReport {
    /// Reads a report from all databases.
    ///
    /// # Errors
    /// When a database cannot be read, the filter's condition is not valid SQL, or the watch cancels.
    ///
    /// # Panics
    /// Without a database.
    pub fn read(
        databases: &[&Database],
        query: &OpeningQuery,
        watch: &Watch<'_>,
    ) -> Result<OpeningReport> {
        let chosen = Chosen::of_all(databases, query, watch)?;
        let counts = OpeningCounts::read(&chosen)?;

        // The sample comes first: the main lines, the squares of pieces and the novelties begin at its root.
        watch.check()?;
        let sample = Sample::read(&chosen, &query.subject)?;
        let root_ply = sample.root.as_ref().map_or(0, |root| root.line.len());

        watch.check()?;
        let lines = lines::read(databases, &chosen, sample.root.as_ref(), query, watch)?;
        let placements = placements::read_placements(&sample.games, root_ply);

        let endings = endings::read(&chosen)?;
        let players = players::read(&chosen)?;

        let strongest = key_games::strongest(&chosen)?;
        let key_games = key_games::read(databases, &strongest)?;
        let novelties = novelties::read(databases, &chosen, &strongest, root_ply, watch)?;

        Ok(OpeningReport {
            endings,
            placements,
            players,
            key_games,
            novelties,
            names: counts::names(&chosen)?,
            counts: counts.all,
            all: chosen.iter().map(|one| one.all.len()).sum(),
            undated: counts.undated,
            duplicates: chosen.iter().map(|one| one.duplicates).sum(),
            apart: chosen.iter().map(|one| one.apart).sum(),
            indexed_plies: IndexedPlies::of_all(databases)?,
            years: counts.years(),
            bands: counts.bands(),
            unrated: counts.unrated,
            sampled: sample.games.len() as u64,
            root: sample.root,
            lines,
        })
    }
}
