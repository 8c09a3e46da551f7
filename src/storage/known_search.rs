//! Searches of positions that are stored already, so that no engine repeats them.

use rusqlite::{Connection, OptionalExtension, Statement};

use super::evaluation::{
    BYTE, DEPTH_SHIFT, EvaluationKind, NODES_MASK, NODES_SHIFT, SOURCE_SHIFT, check_bits,
    packed_nodes,
};
use super::number_cell;
use crate::replay::PositionKey;

/// The stored values of the search that gave an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownSearch {
    depth: u8,
    /// The number of nodes in the form of the row, which keeps their order.
    nodes: u16,
    source: u8,
}

impl KnownSearch {
    /// `true` if the search has a depth in half-moves.
    pub(crate) fn has_depth(self, depth: u32) -> bool {
        u32::from(self.depth) >= depth.min(u8::MAX.into())
    }

    /// `true` if the search has this number of nodes, as far as its row tells.
    pub(crate) fn has_nodes(self, nodes: u64) -> bool {
        self.nodes >= packed_nodes(nodes)
    }

    /// `true` if the search comes from a source.
    pub(crate) fn is_of(self, source: Option<u8>) -> bool {
        Some(self.source) == source
    }
}

/// The searches in a database.
pub(crate) struct KnownSearches<'c> {
    select: Statement<'c>,
}

impl<'c> KnownSearches<'c> {
    pub(crate) fn new(connection: &'c Connection) -> rusqlite::Result<KnownSearches<'c>> {
        let select = connection.prepare("SELECT data FROM evaluation_row WHERE key = ?1")?;
        Ok(KnownSearches { select })
    }

    /// The search of a position, by its keys; `None` if there is none.
    pub(crate) fn find(
        &mut self,
        key: PositionKey,
        check_key: u16,
    ) -> rusqlite::Result<Option<KnownSearch>> {
        let found = self
            .select
            .query_row([key.0.cast_signed()], |row| number_cell(row, 0));
        let Some(data) = found.optional()?.flatten() else {
            return Ok(None);
        };

        let is_of_position = (data & BYTE) as u8 == check_bits(check_key);
        if !is_of_position {
            return Ok(None);
        }

        let depth = data >> DEPTH_SHIFT & BYTE;
        let nodes = data >> NODES_SHIFT & NODES_MASK;
        let source = data >> SOURCE_SHIFT & BYTE;
        Ok(Some(KnownSearch {
            depth: depth as u8,
            nodes: nodes as u16,
            source: source as u8,
        }))
    }
}

/// The number of an engine among the sources of evaluations, if it has one.
pub(crate) fn engine_source(connection: &Connection, name: &str) -> rusqlite::Result<Option<u8>> {
    let sql = "SELECT id FROM evaluation_source WHERE kind = ?1 AND name = ?2";
    let kind = EvaluationKind::Engine.as_str();
    connection
        .query_row(sql, [kind, name], |row| row.get(0))
        .optional()
}
