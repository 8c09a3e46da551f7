//! The report of a preparation for an opponent: as a document, and as PGN.

mod document;
mod games;
mod line;
mod pgn;
mod tree;

use std::collections::BTreeMap;

use crate::board::Color;
use crate::error::Result;
use crate::replay::Mainline;
use crate::storage::{Database, GameId, Heading, NumberedMove, OpeningTable};
use crate::study::preparation::{GameToStudy, Preparation};

/// For answers, which write lines as the document does.
#[cfg(feature = "program")]
pub(crate) use line::numbered;

/// A preparation, with what is written of it beside its numbers.
#[derive(Debug)]
pub struct PreparationReport<'p> {
    /// The preparation.
    pub preparation: &'p Preparation,
    openings: OpeningTable,
    games: BTreeMap<GameId, StudiedGame>,
}

/// What a report says of a game to look at.
#[derive(Debug, Default)]
struct StudiedGame {
    heading: Heading,
    novelty: Option<NumberedMove>,
}

impl<'p> PreparationReport<'p> {
    /// Reads names of openings, and the headings of games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(
        database: &Database,
        preparation: &'p Preparation,
    ) -> Result<PreparationReport<'p>> {
        let mut games = BTreeMap::new();
        for game in &preparation.games {
            let heading = database.heading(game.game)?.unwrap_or_default();
            let novelty = match &game.novelty {
                Some(novelty) => novelty.played(database)?,
                None => None,
            };
            games.insert(game.game, StudiedGame { heading, novelty });
        }
        Ok(PreparationReport {
            preparation,
            openings: database.openings()?,
            games,
        })
    }

    /// The name of the opponent: the most frequent one of those that match, or that asked for if no game has one.
    pub fn opponent(&self) -> &str {
        self.preparation
            .names
            .first()
            .map_or(&self.preparation.asked, |(name, _)| name)
    }

    /// The opening of a line from the start: the name of its last position that has one.
    pub(crate) fn opening(&self, line: &[String]) -> Option<String> {
        let moves = line.join(" ");
        let mut line = Mainline::new(None, &moves).ok()?;
        let mut found = None;
        while let Some((_, mv)) = line.step() {
            line.play(mv);
            found = self.openings.of_position(line.position()).or(found);
        }
        Some(self.openings.get(found?).name.to_owned())
    }

    pub(crate) fn heading(&self, game: &GameToStudy) -> &Heading {
        static NONE: std::sync::LazyLock<Heading> = std::sync::LazyLock::new(Heading::default);
        self.games
            .get(&game.game)
            .map_or(&NONE, |game| &game.heading)
    }

    pub(crate) fn novelty(&self, game: &GameToStudy) -> Option<&NumberedMove> {
        self.games.get(&game.game)?.novelty.as_ref()
    }
}

/// The name of a colour.
fn named(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// What is said of a repertoire for `color` whose moves show that it is for the other colour.
pub fn taken_for(color: Color) -> String {
    format!(
        "by its moves, this repertoire is for {}; it is taken as one for {}",
        named(!color),
        named(color)
    )
}
