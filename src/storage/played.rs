//! Stored games as replays and counts need them: moves, start, result, ratings, year.

use std::fmt;
use std::num::NonZeroU16;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::annotations::read_variations;
use super::cell::owned_text_cell;
use super::{GameId, GameSet, IndexedLines, IndexedPlies, number_cell, text_cell, variant_cell};
use crate::board::{Position, Setup};
use crate::game::{Annotations, GameFacts, Ply, Variant, balanced, known_elo, year};
use crate::ordered::ordered_here;
use crate::pgn::Termination;
use crate::replay::{Mainline, Variations, Visit};

/// Reads the columns `result, white_elo, black_elo, date`, starting at an index. Invalid values, which other
/// programs may have written, count as unknown.
pub(crate) fn facts_of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<GameFacts> {
    let result = row
        .get_ref(first)?
        .as_bytes()
        .ok()
        .and_then(Termination::from_ascii);
    let elo = |index| -> rusqlite::Result<Option<NonZeroU16>> {
        let number = number_cell(row, index)?;
        Ok(number.and_then(|elo| known_elo(elo.try_into().ok()?)))
    };
    let date = row.get_ref(first + 3)?.as_str().ok();

    Ok(GameFacts {
        result: result.unwrap_or(Termination::Unknown),
        white_elo: elo(first + 1)?,
        black_elo: elo(first + 2)?,
        year: date.and_then(year),
    })
}

/// The current values of the facts of a game that the index counts.
pub(crate) fn read_facts(
    connection: &Connection,
    id: GameId,
) -> rusqlite::Result<Option<GameFacts>> {
    let sql = "SELECT result, white_elo, black_elo, date FROM game WHERE id = ?1";
    let mut select = connection.prepare_cached(sql)?;
    select
        .query_row([id], |row| facts_of_row(row, 0))
        .optional()
}

/// A game that has positions, if only its start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayedGame {
    pub(crate) id: GameId,
    pub(crate) variant: Variant,
    /// The start position, unless it is the standard one.
    pub(crate) fen: Option<String>,
    /// The mainline in canonical SAN.
    pub(crate) moves: String,
    /// The annotations with its variations; empty if only the mainline was read.
    pub(crate) annotations: Annotations,
    pub(crate) facts: GameFacts,
}

/// An SQL query for games with positions that meet a condition, with their annotations if needed.
fn select_played(lines: IndexedLines, condition: &str) -> String {
    // Annotations are read for their variations only.
    let annotations = match lines {
        IndexedLines::Mainline => "NULL",
        IndexedLines::All => "movetext.annotations",
    };

    format!(
        "SELECT game.id, game.variant, game.fen, movetext.moves, game.result, game.white_elo,
        game.black_elo, game.date, {annotations}
        FROM game CROSS JOIN movetext ON movetext.game_id = game.id
        WHERE game.final_key IS NOT NULL AND {condition}"
    )
}

impl PlayedGame {
    /// Reads a row of [`select_played`].
    fn from_row(row: &Row<'_>) -> rusqlite::Result<PlayedGame> {
        let text = |at| owned_text_cell(row, at);
        let annotations = text_cell(row, 8)?;

        Ok(PlayedGame {
            id: row.get(0)?,
            variant: variant_cell(row, 1)?,
            fen: text(2)?,
            moves: text(3)?.unwrap_or_default(),
            facts: facts_of_row(row, 4)?,
            annotations: read_variations(annotations),
        })
    }

    /// The mainline; `None` if the game has no positions of chess. It ends at a text that is not a move.
    pub(crate) fn mainline(&self) -> Option<Mainline<'_>> {
        if self.variant == Variant::Other {
            return None;
        }
        Mainline::new(self.fen.as_deref(), &self.moves).ok()
    }

    /// The positions of its lines, mainline first, each once.
    pub(crate) fn visits(&self) -> Vec<Visit> {
        let Some(mainline) = self.mainline() else {
            return Vec::new();
        };

        let mut visits = mainline.clone().visits(self.variant);
        let variations = Variations::new(mainline, balanced(&self.annotations));
        variations.add_visits(self.variant, &mut visits);
        visits
    }

    /// The positions of its lines that are indexed.
    pub(crate) fn indexed_visits(&self, plies: IndexedPlies) -> Vec<Visit> {
        let mut visits = self.visits();
        plies.retain(&mut visits);
        visits
    }

    /// The number of half-moves before the first occurrence of a position in a variation; `None` if it does not occur.
    pub(crate) fn find_in_variations(&self, position: &Position) -> Option<Ply> {
        let variations = Variations::new(self.mainline()?, balanced(&self.annotations));
        variations.find(position)
    }

    /// The game with a number, if it exists and has positions.
    pub(crate) fn read(
        connection: &Connection,
        id: GameId,
        lines: IndexedLines,
    ) -> rusqlite::Result<Option<PlayedGame>> {
        let sql = select_played(lines, "game.id = ?1");
        let mut select = connection.prepare_cached(&sql)?;
        select.query_row([id], PlayedGame::from_row).optional()
    }
}

/// The move of a game's mainline after `ply` half-moves, if any.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn san_at(
    connection: &Connection,
    game: GameId,
    ply: Ply,
) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT moves FROM movetext WHERE game_id = ?1";
    let mut select = connection.prepare_cached(sql)?;

    let san = select.query_row([game], |row| {
        let moves = text_cell(row, 0)?.unwrap_or_default();
        let san = moves.split_ascii_whitespace().nth(ply.get() as usize);
        Ok(san.map(str::to_owned))
    });
    Ok(san.optional()?.flatten())
}

/// A move of a game, with its number there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedMove {
    /// The number: `12.`, or `12...` for Black.
    pub number: String,
    /// The move as written in the game.
    pub san: String,
}

impl NumberedMove {
    /// A move after this number of half-moves, including the half-moves before the start of its game.
    fn new(plies: u64, san: String) -> NumberedMove {
        let dots = if plies.is_multiple_of(2) { "." } else { "..." };
        NumberedMove {
            number: format!("{}{dots}", plies / 2 + 1),
            san,
        }
    }
}

impl fmt::Display for NumberedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.san)
    }
}

/// The move of a game's mainline after `ply` half-moves, with its number.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn numbered_move_at(
    connection: &Connection,
    game: GameId,
    ply: Ply,
) -> rusqlite::Result<Option<NumberedMove>> {
    let Some(san) = san_at(connection, game, ply)? else {
        return Ok(None);
    };

    let plies = plies_before(connection, game)? + u64::from(ply.get());
    Ok(Some(NumberedMove::new(plies, san)))
}

/// The half-moves before the start of a game, by the move number and the side to move of its start position. The
/// standard start position has none.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn plies_before(connection: &Connection, game: GameId) -> rusqlite::Result<u64> {
    let mut select = connection.prepare_cached("SELECT fen FROM game WHERE id = ?1")?;
    let start = select.query_row([game], |row| {
        let fen = text_cell(row, 0)?;
        Ok(fen.and_then(|fen| Setup::from_fen(fen).ok()))
    });
    let Some(start) = start.optional()?.flatten() else {
        return Ok(0);
    };

    let full_moves = u64::from(start.fullmove_number.saturating_sub(1));
    let is_after_white = u64::from(!start.turn.is_white());
    Ok(2 * full_moves + is_after_white)
}

/// Games that one thread replays at once.
const BATCH_GAMES: usize = 256;

/// Batches that are read ahead or processed, for each thread.
const BATCHES_AHEAD: usize = 8;

/// Processes the games with positions from `first` to `last` on all threads, in batches, and passes the results to
/// `sink` on this thread in the order of the games.
///
/// `games` restricts the games further; `lines` are the lines that are replayed.
///
/// # Errors
/// When the database cannot be read, and the first error of `sink`.
pub(crate) fn replay_stored<R: Send, E: From<rusqlite::Error>>(
    connection: &Connection,
    (first, last): (i64, i64),
    games: Option<&GameSet>,
    lines: IndexedLines,
    work: impl Fn(&[PlayedGame]) -> R + Sync,
    sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let sql = select_played(lines, "game.id BETWEEN ?1 AND ?2 ORDER BY game.id");
    let mut select = connection.prepare(&sql)?;
    let mut rows: Box<dyn Iterator<Item = rusqlite::Result<PlayedGame>>> = match games {
        None => {
            let rows = select.query_map(params![first, last], PlayedGame::from_row)?;
            Box::new(rows)
        }
        Some(games) => {
            let in_range = games
                .iter()
                .filter(move |game| (first..=last).contains(&game.get()));
            let read = move |game| PlayedGame::read(connection, game, lines).transpose();
            Box::new(in_range.filter_map(read))
        }
    };

    let batches = std::iter::from_fn(|| {
        let batch = rows
            .by_ref()
            .take(BATCH_GAMES)
            .collect::<rusqlite::Result<Vec<_>>>();
        match batch {
            Ok(games) if games.is_empty() => None,
            batch => Some(batch.map_err(E::from)),
        }
    });

    let ahead = BATCHES_AHEAD * crate::threads::count();
    ordered_here(batches, ahead, |games| work(&games), sink)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_the_numbers_of_their_sides() {
        let rows = [
            (0, "e4", "1. e4"),
            (1, "e5", "1... e5"),
            (2, "Nf3", "2. Nf3"),
            (199, "Kd7", "100... Kd7"),
        ];
        for (plies, san, expected) in rows {
            let numbered = NumberedMove::new(plies, san.to_owned());
            assert_eq!(numbered.to_string(), expected);
        }
    }
}
