//! Games as their rows say them now, described again.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use super::{Column, Description, Entry, GameTexts};
use crate::pgn::Termination;
use crate::replay::{Outline, Variant};
use crate::storage::NameNumbers;

const SELECT: &str =
    "SELECT game.id, game.date, game.round, game.result, game.white_elo, game.black_elo,
    game.eco, game.ply_count, game.variant, game.fen, game.final_fen, game.final_key IS NOT NULL,
    game.ending, game.fifty_moves_ply, game.seventy_five_moves_ply, game.threefold_ply,
    game.fivefold_ply, event.name, movetext.tags, movetext.annotations, movetext.moves,
    game.white_id, game.black_id, game.event_id, game.site_id, game.tag_order_id
    FROM game CROSS JOIN movetext ON movetext.game_id = game.id
    LEFT JOIN event ON event.id = game.event_id";

/// Calls `take` with each game from `first` to `last`, described as its rows are now.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn each_described(
    connection: &Connection,
    range: (i64, i64),
    take: impl FnMut(i64, NameNumbers, &Description) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    some_described(connection, range, 1, take)
}

/// The same with each game of which the number can be divided by another.
pub(super) fn some_described(
    connection: &Connection,
    (first, last): (i64, i64),
    step: i64,
    mut take: impl FnMut(i64, NameNumbers, &Description) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql =
        format!("{SELECT} WHERE game.id BETWEEN ?1 AND ?2 AND game.id % ?3 = 0 ORDER BY game.id");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(params![first, last, step])?;
    while let Some(row) = rows.next()? {
        take(row.get(0)?, names(row, 21)?, &Description::of(&texts(row)?))?;
    }
    Ok(())
}

/// The game with a number, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn entry(connection: &Connection, game: i64) -> rusqlite::Result<Option<Entry>> {
    let mut found = None;
    each_described(connection, (game, game), |_, names, described| {
        found = Some(Entry::new(names, described));
        Ok(())
    })?;
    Ok(found)
}

/// Anybody may have written into a row: what a column cannot mean counts as nothing.
fn texts<'r>(row: &'r Row<'_>) -> rusqlite::Result<GameTexts<'r>> {
    let text =
        |at: usize| Ok::<_, rusqlite::Error>(row.get_ref(at)?.as_str_or_null().ok().flatten());
    let elo = |at: usize| -> rusqlite::Result<Option<u16>> {
        Ok(row.get_ref(at)?.as_i64().ok().and_then(|elo| u16::try_from(elo).ok()))
    };
    let is_there = |at: usize| Ok::<_, rusqlite::Error>(row.get_ref(at)? != ValueRef::Null);
    let result = text(3)?.and_then(|text| Termination::from_ascii(text.as_bytes()));
    let is_played = row.get(11)?;
    let outline = match (text(10)?, text(20)?) {
        (Some(final_fen), Some(moves)) if is_played => {
            Outline::from_texts(text(9)?, final_fen, moves)
        }
        _ => Outline::UNKNOWN,
    };
    Ok(GameTexts {
        event: text(17)?,
        date: text(1)?,
        round: text(2)?,
        result: result.unwrap_or(Termination::Unknown),
        white_elo: elo(4)?,
        black_elo: elo(5)?,
        eco: text(6)?,
        plies: row.get_ref(7)?.as_i64().ok().and_then(|plies| plies.try_into().ok()).unwrap_or(0),
        variant: Variant::from_name(text(8)?),
        fen: text(9)?,
        is_played,
        board_ending: text(12)?,
        draws: [is_there(13)?, is_there(14)?, is_there(15)?, is_there(16)?],
        tags: text(18)?,
        annotations: text(19)?,
        outline,
    })
}

fn names(row: &Row<'_>, first: usize) -> rusqlite::Result<NameNumbers> {
    let number =
        |at: usize| -> rusqlite::Result<Option<i64>> { Ok(row.get_ref(first + at)?.as_i64().ok()) };
    Ok(NameNumbers {
        white: number(0)?,
        black: number(1)?,
        event: number(2)?,
        site: number(3)?,
        tag_order: number(4)?,
    })
}

impl Entry {
    /// The values of a game.
    pub(super) fn new(names: NameNumbers, described: &Description) -> Entry {
        let number = |name: Option<i64>| name.map_or(0, i64::cast_unsigned);
        let mut entry = Entry::default();
        let mut set = |column: Column, value: u64| entry.0[column as usize] = value;
        set(Column::Traits, described.traits.0.into());
        set(Column::White, number(names.white));
        set(Column::Black, number(names.black));
        set(Column::Event, number(names.event));
        set(Column::Site, number(names.site));
        set(Column::TagOrder, number(names.tag_order));
        set(Column::Date, described.date.into());
        set(Column::WhiteElo, described.white_elo.into());
        set(Column::BlackElo, described.black_elo.into());
        set(Column::Eco, described.eco.into());
        set(Column::Plies, described.plies.into());
        set(Column::Tags, described.tags);
        set(Column::Outline, described.outline);
        entry
    }
}
