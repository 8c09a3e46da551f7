//! Descriptions of games from their current rows.

use std::sync::LazyLock;

use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Description, Entry, GameTexts};
use crate::board::Position;
use crate::cleaning::twins::Fingerprint;
use crate::game::{Variant, known_elo};
use crate::pgn::Termination;
use crate::replay::{MaterialSignature, TrustedLine};
use crate::storage::{
    GAMES, GameId, NameNumbers, number_cell, other_tags, owned_text_cell, read_annotations,
};
use crate::threads;

/// The numbers of texts and of numbers in a row of [`SELECT`], texts first.
const TEXTS: usize = 16;
const NUMBERS: usize = 15;

/// The statement that reads the cells of games, without its condition. `CROSS JOIN` keeps SQLite from reading
/// `movetext` first: the condition is about the numbers of games.
static SELECT: LazyLock<String> = LazyLock::new(|| {
    let games = &*GAMES;
    format!(
        "SELECT game.date, game.round, game.result, game.eco, game.variant, game.fen,
    (SELECT final_fen FROM {games} WHERE games.id = game.id), game.ending, event.name, movetext.tags,
    tag_order.names, movetext.annotations, movetext.moves, site.name, white.name, black.name,
    game.id, game.white_id, game.black_id, game.event_id, game.site_id, game.tag_order_id,
    game.opening_id, game.white_elo, game.black_elo, game.ply_count, game.final_key IS NOT NULL,
    game.fifty_moves_ply IS NOT NULL, game.seventy_five_moves_ply IS NOT NULL,
    game.threefold_ply IS NOT NULL, game.fivefold_ply IS NOT NULL
    FROM game CROSS JOIN movetext ON movetext.game_id = game.id
    LEFT JOIN tag_order ON tag_order.id = game.tag_order_id
    LEFT JOIN event ON event.id = game.event_id
    LEFT JOIN site ON site.id = game.site_id
    LEFT JOIN player AS white ON white.id = game.white_id
    LEFT JOIN player AS black ON black.id = game.black_id"
    )
});

/// The number of games that are read before all threads describe them.
const BATCH_GAMES: usize = 512;

/// Calls `take` with each game from `first` to `last`, described from its current rows.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn each_described(
    connection: &Connection,
    range: (i64, i64),
    take: impl FnMut(i64, NameNumbers, &Description) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    each_described_by_step(connection, range, 1, take)
}

/// Like [`each_described`], for the games whose number is divisible by `step`, which is at least 1.
pub(super) fn each_described_by_step(
    connection: &Connection,
    (first, last): (i64, i64),
    step: i64,
    mut take: impl FnMut(i64, NameNumbers, &Description) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = format!(
        "{} WHERE game.id BETWEEN ?1 AND ?2 AND game.id % ?3 = 0 ORDER BY game.id",
        *SELECT
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut games = select.query_map(params![first, last, step], Cells::read)?;

    loop {
        let next_games = games.by_ref().take(BATCH_GAMES);
        let batch = next_games.collect::<rusqlite::Result<Vec<_>>>()?;
        if batch.is_empty() {
            return Ok(());
        }

        // Only this thread has the connection. So it reads the cells and calls `take`; the workers only describe games.
        let descriptions: Vec<Description> =
            threads::install(|| batch.par_iter().map(Cells::describe).collect());
        for (cells, description) in batch.iter().zip(&descriptions) {
            take(cells.id(), cells.names(), description)?;
        }
    }
}

/// The current values of some games, each with the number of the game. Games that do not exist are left out.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn entries(
    connection: &Connection,
    games: &[i64],
) -> rusqlite::Result<Vec<(i64, Entry)>> {
    let sql = format!("{} WHERE game.id = ?1", *SELECT);
    let mut select = connection.prepare_cached(&sql)?;

    let mut entries = Vec::new();
    for chunk in games.chunks(BATCH_GAMES) {
        let mut batch = Vec::with_capacity(chunk.len());
        for &game in chunk {
            let cells = select.query_row([game], Cells::read).optional()?;
            batch.extend(cells);
        }

        // A changed row needs a single game, for which waking other threads would take longer than the work.
        match batch.as_slice() {
            [cells] => entries.push(cells.entry()),
            _ => threads::install(|| entries.par_extend(batch.par_iter().map(Cells::entry))),
        }
    }
    Ok(entries)
}

/// The current values of a game, from its rows; `None` if it does not exist.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn current_entry(
    connection: &Connection,
    game: GameId,
) -> rusqlite::Result<Option<Entry>> {
    let found = entries(connection, &[game.get()])?;
    Ok(found.into_iter().next().map(|(_, entry)| entry))
}

/// The columns of a game's rows, in the order of [`SELECT`].
struct Cells {
    texts: [Option<String>; TEXTS],
    numbers: [Option<i64>; NUMBERS],
}

impl Cells {
    /// Reads the cells of a row. A value of another type than its column counts as missing.
    fn read(row: &Row<'_>) -> rusqlite::Result<Cells> {
        let mut cells = Cells {
            texts: Default::default(),
            numbers: Default::default(),
        };
        for (at, text) in cells.texts.iter_mut().enumerate() {
            *text = owned_text_cell(row, at)?;
        }
        for (at, number) in cells.numbers.iter_mut().enumerate() {
            *number = number_cell(row, TEXTS + at)?;
        }
        Ok(cells)
    }

    /// The number of the game.
    fn id(&self) -> i64 {
        let [id, ..] = self.numbers;
        id.unwrap_or_default()
    }

    /// The number of the game, and its values in all columns.
    fn entry(&self) -> (i64, Entry) {
        (self.id(), Entry::new(self.names(), &self.describe()))
    }

    /// The numbers of the names of the game.
    fn names(&self) -> NameNumbers {
        let [_, white, black, event, site, tag_order, opening, ..] = self.numbers;
        NameNumbers {
            white,
            black,
            event,
            site,
            tag_order,
            opening,
        }
    }

    /// Derives the attributes of the game.
    fn describe(&self) -> Description {
        let [
            date,
            round,
            result,
            eco,
            variant,
            fen,
            final_fen,
            board_ending,
            event,
            tags,
            tag_names,
            annotations,
            moves,
            site,
            white,
            black,
        ] = self.texts.each_ref().map(Option::as_deref);
        let [
            ..,
            white_elo,
            black_elo,
            plies,
            is_played,
            fifty,
            seventy_five,
            threefold,
            fivefold,
        ] = self.numbers;
        let is_true = |number| number == Some(1);
        let is_replayed = is_true(is_played);
        let termination = result.and_then(|text| Termination::from_ascii(text.as_bytes()));

        // The column `moves` of a game that was not replayed has the movetext of the source. The fingerprint and the
        // material signature can only read canonical SAN, as an import writes it for a replayed game.
        let played_moves = if is_replayed { moves } else { None };
        let fingerprint = played_moves.and_then(|moves| fingerprint(fen, moves));
        let material_signature = match (played_moves, final_fen) {
            (Some(moves), Some(final_fen)) => MaterialSignature::from_texts(fen, final_fen, moves),
            _ => MaterialSignature::UNKNOWN,
        };

        let other_tags = other_tags(tags, tag_names);
        let all_annotations = read_annotations(annotations).unwrap_or_default();
        let commands: Vec<_> = all_annotations.mainline_commands().collect();

        Description::of(&GameTexts {
            event,
            site,
            players: [white, black],
            date,
            round,
            result: termination.unwrap_or(Termination::Unknown),
            white_elo: white_elo.and_then(elo_in_cell),
            black_elo: black_elo.and_then(elo_in_cell),
            eco,
            plies: plies.and_then(|plies| plies.try_into().ok()).unwrap_or(0),
            variant: Variant::from_name(variant),
            fen,
            is_played: is_replayed,
            board_ending,
            draws: [fifty, seventy_five, threefold, fivefold].map(is_true),
            tags: &other_tags,
            annotations: &all_annotations,
            commands: &commands,
            material_signature,
            fingerprint: fingerprint.unwrap_or_default(),
        })
    }
}

/// The rating in a cell; `None` for a number that is no rating, which other programs may write.
fn elo_in_cell(cell: i64) -> Option<u16> {
    let number: u64 = cell.try_into().ok()?;
    let elo = known_elo(number)?;
    Some(elo.get())
}

/// The fingerprint of moves in the form that an import writes; `None` if the FEN of the start is invalid.
fn fingerprint(fen: Option<&str>, moves: &str) -> Option<Fingerprint> {
    let start = match fen {
        Some(fen) => Some(Position::from_fen(fen).ok()?),
        None => None,
    };
    let mut line = TrustedLine::new(start.as_ref(), moves.as_bytes());

    let codes = std::iter::from_fn(|| {
        let half_move = line.advance()?;
        Some(half_move.mv.code())
    });
    Some(Fingerprint::new(codes))
}
