//! Games as PGN.

use stamma::error::Error;
use stamma::export::write_pgn;
use stamma::game::Game;
use stamma::notation::Style;
use stamma::storage::{Database, GameId, GameReader};

/// The game with a number as PGN, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn pgn(database: &Database, id: i64) -> stamma::Result<Option<Vec<u8>>> {
    let mut reader = GameReader::new(database)?;
    let Some(game) = reader.game(GameId::new(id))? else {
        return Ok(None);
    };

    let mut text = Vec::new();
    write(database, id, &game, &mut text)?;
    Ok(Some(text))
}

/// Appends a game as PGN.
///
/// # Errors
/// When its moves cannot be played.
pub(super) fn write(
    database: &Database,
    id: i64,
    game: &Game<'_>,
    out: &mut Vec<u8>,
) -> stamma::Result<()> {
    match write_pgn(game, &Style::pgn(), out) {
        Ok(()) => Ok(()),
        // An import stores legal moves only, so the tables have been changed or damaged.
        Err(why) => Err(Error::Damaged {
            path: database.path().to_owned(),
            what: format!("game {id}: {why}"),
        }),
    }
}
