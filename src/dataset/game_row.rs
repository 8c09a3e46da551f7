//! Games as rows.

use std::ops::Range;

use parquet::errors::ParquetError;

use super::column::ColumnBuffer;
use super::digest::{Digest, RowHasher};
use super::options::Layout;
use super::table::{Column, Packing, SchemaOptions, TableSchema};
use super::tag_value::{Value, preserves_text, value_of};
use crate::board::Move;
use crate::export::{Unwritable, write_one_line};
use crate::game::Game;
use crate::openings::Opening;

/// The values of a row that are not in the game.
#[derive(Clone, Debug)]
pub(super) struct GameFrame<'g> {
    pub(super) id: i64,
    /// The byte range of the game in the source.
    pub(super) bytes: Range<u64>,
    pub(super) moves_hash: u64,
    pub(super) plies: u32,
    pub(super) opening: Option<Opening<'g>>,
    /// The name of the source.
    pub(super) source: &'g str,
}

/// The column with the number of problems, which is known only when the row is complete.
pub(super) const PROBLEMS: &str = "problems";

/// The schema of the table `games`.
pub(super) fn schema(
    layout: Layout,
    notes: Vec<(&str, String)>,
) -> Result<TableSchema, ParquetError> {
    let columns = match layout {
        Layout::Stamma => stamma_columns(),
        Layout::Lichess => lichess_columns(),
    };
    TableSchema::new(
        columns,
        &SchemaOptions {
            notes,
            ..SchemaOptions::default()
        },
    )
}

fn stamma_columns() -> Vec<Column> {
    let tags = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteTitle",
        "BlackTitle",
    ];
    let ratings = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"];
    let further_tags = [
        "ECO",
        "Opening",
        "Termination",
        "TimeControl",
        "FEN",
        "Variant",
    ];

    let mut columns = vec![Column::int64("game_id").required()];
    columns.extend(tags.map(Column::text));
    columns.extend(ratings.map(Column::int16));
    columns.extend([Column::date("UTCDate"), Column::text("UTCTime")]);
    columns.extend(further_tags.map(Column::text));
    columns.extend([
        Column::int32("ply_count").required(),
        Column::int64("moves_hash")
            .required()
            .packed(Packing::Plain),
        Column::text("opening_name"),
        Column::text("opening_eco"),
        Column::map("tags"),
        Column::text("source").required(),
        Column::int64("byte_offset").required(),
        Column::int32(PROBLEMS).required(),
        Column::text("movetext").required().packed(Packing::Plain),
    ]);
    columns
}

/// The columns of the data sets that Lichess publishes, and the columns `FEN` and `Variant`. Not all sets of Lichess
/// have these two columns, but a game with another start position or other rules could not be read back without them.
fn lichess_columns() -> Vec<Column> {
    let tags = [
        "Event",
        "Site",
        "White",
        "Black",
        "Result",
        "WhiteTitle",
        "BlackTitle",
    ];
    let ratings = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"];

    let mut columns = Vec::new();
    columns.extend(tags.map(Column::text));
    columns.extend(ratings.map(Column::int16));
    columns.extend([Column::date("UTCDate"), Column::time("UTCTime")]);
    columns.extend(["ECO", "Opening", "Termination", "TimeControl"].map(Column::text));
    columns.push(Column::text("movetext").packed(Packing::Plain));
    columns.extend(["FEN", "Variant"].map(Column::text));
    columns
}

/// Turns games into rows.
pub(super) struct GameRows {
    schema: std::sync::Arc<TableSchema>,
    pub(super) columns: Vec<ColumnBuffer>,
    /// The digest of each row, without its problems.
    pub(super) digests: Vec<Digest>,
    hasher: RowHasher,
    movetext: Vec<u8>,
}

impl GameRows {
    pub(super) fn new(schema: &std::sync::Arc<TableSchema>) -> GameRows {
        GameRows {
            schema: std::sync::Arc::clone(schema),
            columns: schema.buffers(),
            digests: Vec::new(),
            hasher: RowHasher::default(),
            movetext: Vec::new(),
        }
    }

    /// Adds a game. The column with the number of its problems is left to the caller.
    ///
    /// # Errors
    /// When the moves of the game cannot be played.
    pub(super) fn push(
        &mut self,
        game: &Game<'_>,
        played: &[Move],
        frame: &GameFrame<'_>,
    ) -> Result<(), Unwritable> {
        self.movetext.clear();
        write_one_line(game, played, &mut self.movetext)?;

        let GameRows {
            schema,
            columns,
            digests,
            hasher,
            movetext,
        } = self;

        let mut row = Row { columns, hasher };
        let opening_name = frame.opening.map(|opening| opening.name);
        let opening_eco = frame.opening.map(|opening| opening.eco);
        for (at, column) in schema.columns.iter().enumerate() {
            match column.name {
                "game_id" => row.long(at, frame.id),
                "ply_count" => row.int(at, Some(frame.plies.cast_signed())),
                "moves_hash" => row.long(at, frame.moves_hash.cast_signed()),
                "opening_name" => row.text(at, opening_name),
                "opening_eco" => row.text(at, opening_eco),
                "source" => row.text(at, Some(frame.source)),
                "byte_offset" => row.long(at, frame.bytes.start.cast_signed()),
                "movetext" => row.bytes(at, movetext),
                "tags" => row.map(at, &other_tags(game, schema)),
                // The number of problems is part of the digest as well; see `BatchRows::digest`.
                PROBLEMS => {}
                name => match value_of(game, name, column.is_time()) {
                    Value::Number(number) => row.int(at, number),
                    Value::Text(text) => row.text(at, text),
                },
            }
        }

        digests.push(row.hasher.finish());
        Ok(())
    }
}

/// The tag pairs that no column has.
fn other_tags<'g>(game: &'g Game<'_>, schema: &TableSchema) -> Vec<(&'g str, &'g str)> {
    let mut seen = Vec::with_capacity(game.tags.len());
    let mut others = Vec::new();
    for tag in &game.tags {
        let (name, value) = (&*tag.name, &*tag.value);
        // A column holds the first of several tags with equal names. The other tags are in the map.
        let is_first = !seen.contains(&name);
        seen.push(name);

        let is_in_column = is_first && schema.has(name) && preserves_text(name, value);
        if !is_in_column {
            others.push((name, value));
        }
    }
    others
}

/// A writer of the values of a row, into columns and into the digest.
struct Row<'r> {
    columns: &'r mut [ColumnBuffer],
    hasher: &'r mut RowHasher,
}

impl Row<'_> {
    fn long(&mut self, at: usize, value: i64) {
        self.columns[at].long(Some(value));
        self.hasher.number(Some(value));
    }

    fn int(&mut self, at: usize, value: Option<i32>) {
        self.columns[at].int(value);
        self.hasher.number(value.map(i64::from));
    }

    fn text(&mut self, at: usize, value: Option<&str>) {
        self.columns[at].text(value.map(str::as_bytes));
        self.hasher.text(value.map(str::as_bytes));
    }

    fn bytes(&mut self, at: usize, value: &[u8]) {
        self.columns[at].text(Some(value));
        self.hasher.text(Some(value));
    }

    fn map(&mut self, at: usize, pairs: &[(&str, &str)]) {
        self.columns[at].map(pairs.iter().copied());

        // The number of pairs is hashed first. Otherwise, a pair and the values of the next column could have one hash.
        self.hasher.number(Some(pairs.len() as i64));
        for (name, value) in pairs {
            self.hasher.text(Some(name.as_bytes()));
            self.hasher.text(Some(value.as_bytes()));
        }
    }
}
