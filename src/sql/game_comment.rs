//! `game_comment(game_id)`: every comment of a game, and the values of its commands.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::game_argument;
use super::table::{Rows, TableFunction};
use crate::pgn::{Commands, Evaluation};
use crate::query::{Comment, Comments};

pub(super) struct GameComment;

impl TableFunction for GameComment {
    const NAME: &'static str = "game_comment";
    const SCHEMA: &'static CStr = c"CREATE TABLE x(ply INTEGER, comment TEXT, clock_seconds REAL,
        eval_centipawns INTEGER, eval_mate INTEGER, emt_seconds REAL, variation TEXT,
        wanted_game INTEGER HIDDEN)";
    const COLUMNS: usize = 7;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "game_comment(game_id) needs the number of a game";
    /// After a variation, the half-moves go back.
    const ASCENDS: bool = false;
    const FINDS_ONE: bool = false;
    const EXPECTED_ROWS: u32 = 80;
    const ROW_COST: f64 = 2.0;
    type Rows = GameComments;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        _first: Option<&Value>,
    ) -> Result<GameComments> {
        let game = game_argument(connection, arguments, Self::NEEDS)?;
        let comments = Comments::of_game(connection, game)?;
        Ok(GameComments(comments))
    }
}

/// The comments in the order of the game's text.
pub(super) struct GameComments(Comments);

impl Rows for GameComments {
    fn next(&mut self, _connection: &Connection) -> Result<Option<Vec<Value>>> {
        Ok(self.0.next().map(row))
    }
}

/// The row of a comment, a value for each column.
fn row(comment: Comment) -> Vec<Value> {
    // Commands have no columns in the tables: they are read from the text whenever they are asked for.
    let commands = Commands::read(&comment.text);
    let centipawns = commands.evaluation.and_then(Evaluation::centipawns);
    let mate = commands.evaluation.and_then(Evaluation::mate);

    vec![
        comment.ply.into(),
        comment.text.into(),
        commands.clock_seconds.into(),
        centipawns.into(),
        mate.into(),
        commands.move_seconds.into(),
        comment.variation.into(),
    ]
}
