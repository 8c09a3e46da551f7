//! The report of a preparation for an opponent: as a document, and as PGN.

mod document;
mod games;
mod line;
mod pgn;
mod tree;

use std::collections::BTreeMap;

use crate::board::Color;
use crate::error::Result;
use crate::query::GameOfDatabase;
use crate::replay::Mainline;
use crate::storage::{Database, Heading, NumberedMove, OpeningTable};
use crate::study::preparation::{GameToStudy, Preparation};

/// A preparation, with the names of openings and the headings of games that its document shows.
#[derive(Debug)]
pub struct PreparationReport<'p> {
    /// The preparation.
    pub preparation: &'p Preparation,
    /// The names of the databases, if games are named with their databases.
    names: Option<&'p [String]>,
    openings: OpeningTable,
    games: BTreeMap<GameOfDatabase, StudiedGame>,
}

/// The heading of a game to look at, and its novelty.
#[derive(Debug, Default)]
struct StudiedGame {
    heading: Heading,
    novelty: Option<NumberedMove>,
}

impl<'p> PreparationReport<'p> {
    /// Reads names of openings, and the headings of games. `names` are the names of the databases, if games are listed
    /// with the names of their databases.
    ///
    /// # Errors
    /// When a database cannot be read.
    ///
    /// # Panics
    /// Without a database.
    pub fn read(
        databases: &[&Database],
        names: Option<&'p [String]>,
        preparation: &'p Preparation,
    ) -> Result<PreparationReport<'p>> {
        let mut games = BTreeMap::new();
        for studied in &preparation.games {
            let database = databases[studied.game.database];
            let heading = database.heading(studied.game.game)?.unwrap_or_default();
            let novelty = match &studied.novelty {
                Some(found) => found.novelty.played(database)?,
                None => None,
            };
            games.insert(studied.game, StudiedGame { heading, novelty });
        }

        Ok(PreparationReport {
            preparation,
            names,
            openings: databases[0].openings()?,
            games,
        })
    }

    /// The name of the opponent: the most frequent matching name or, if no game has one, the name in the query.
    pub fn opponent(&self) -> &str {
        self.preparation
            .names
            .first()
            .map_or(&self.preparation.requested_name, |(name, _)| name)
    }

    /// The opening of a line from the start: the name of its last position that has one.
    pub(crate) fn opening(&self, line: &[String]) -> Option<String> {
        let moves = line.join(" ");
        let mut mainline = Mainline::new(None, &moves).ok()?;

        // Most later positions of a long line have no name, so the last name is kept.
        let mut last_named = None;
        while let Some((_, mv)) = mainline.step() {
            mainline.play(mv);
            let named = self.openings.of_position(mainline.position());
            last_named = named.or(last_named);
        }

        let opening = self.openings.get(last_named?);
        Some(opening.name.to_owned())
    }

    pub(crate) fn heading(&self, game: &GameToStudy) -> &Heading {
        static NO_HEADING: std::sync::LazyLock<Heading> =
            std::sync::LazyLock::new(Heading::default);
        match self.games.get(&game.game) {
            Some(studied) => &studied.heading,
            None => &NO_HEADING,
        }
    }

    /// The name of the database of a game, if games are named with their databases.
    pub(crate) fn database(&self, game: &GameToStudy) -> Option<&str> {
        let name = &self.names?[game.game.database];
        Some(name)
    }

    pub(crate) fn novelty(&self, game: &GameToStudy) -> Option<&NumberedMove> {
        self.games.get(&game.game)?.novelty.as_ref()
    }
}

/// The warning for a repertoire that is used for `color`, although its moves show that it is for the other colour.
pub fn other_side_warning(color: Color) -> String {
    format!(
        "by its moves, this repertoire is for {}; it is taken as one for {}",
        (!color).name(),
        color.name()
    )
}
