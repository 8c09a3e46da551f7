//! A check of rows against their checksums.

use rusqlite::Connection;

use super::checksum::{
    CheckedTable, RowBytes, StoredBlock, block_and_slot, read_block, update_changed,
};
use super::row_check::RowFault;
use super::{Database, InDatabase};
use crate::error::Result;

impl Database {
    /// Recomputes the checksums of rows that other programs have added or changed.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn check_changed_rows(&self) -> Result<()> {
        update_changed(&self.connection).in_database(self)
    }

    /// Compares the rows of games whose numbers are divisible by `step`, and all rows of other tables, with their
    /// checksums. Rows that other programs have added or changed are skipped.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn checksum_faults(&self, step: i64) -> Result<Vec<RowFault>> {
        let mut faults = Vec::new();
        for table in CheckedTable::ALL {
            let step = if table == CheckedTable::Game { step } else { 1 };
            compare(&self.connection, table, step, &mut faults).in_database(self)?;
        }
        Ok(faults)
    }
}

/// Compares the rows of a table whose numbers are divisible by `step`, and appends their faults.
fn compare(
    connection: &Connection,
    table: CheckedTable,
    step: i64,
    faults: &mut Vec<RowFault>,
) -> rusqlite::Result<()> {
    let mut select = connection.prepare(&table.select())?;
    let columns = select.column_count();
    let mut rows = select.query([0, i64::MAX, step])?;

    let mut bytes = RowBytes::default();
    // No block has the number -1, so the first row opens the block that has its checksum.
    let mut open = OpenBlock {
        number: -1,
        block: StoredBlock::Missing,
        is_reported: false,
    };

    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        let Some((number, slot)) = block_and_slot(table, id) else {
            continue;
        };

        if open.number != number {
            let block = read_block(connection, number)?;
            open = OpenBlock {
                number,
                block,
                is_reported: false,
            };
        }

        let written = open.checksum(slot);
        let differs = written != Some(bytes.checksum_of(row, columns)?);
        if differs && !is_changed(connection, table, id)? {
            faults.extend(open.fault(table, id, written));
        }
    }
    Ok(())
}

/// A block, while its rows are compared.
struct OpenBlock {
    number: i64,
    block: StoredBlock,
    /// `true` once it has been reported as unreadable.
    is_reported: bool,
}

impl OpenBlock {
    /// The checksum of a row; `None` if it has none.
    fn checksum(&self, slot: usize) -> Option<u32> {
        let StoredBlock::Checksums(checksums) = &self.block else {
            return None;
        };
        checksums.get(slot).copied().filter(|&sum| sum != 0)
    }

    /// The fault of a row, or of its block, which is reported once.
    fn fault(&mut self, table: CheckedTable, id: i64, written: Option<u32>) -> Option<RowFault> {
        let row = format!("{} {id}", table.name());
        let state = match self.block {
            StoredBlock::Checksums(_) => {
                let what = match written {
                    Some(_) => "it is not as it was written, and no trigger has noted a change",
                    None => "no import has written it, and no trigger has noted who did",
                };
                return Some(RowFault::new(row, what));
            }
            StoredBlock::Missing => "missing",
            StoredBlock::Damaged => "damaged",
        };

        if self.is_reported {
            return None;
        }
        self.is_reported = true;

        let what =
            format!("it is {state}, so that nobody knows whether rows such as {row} have changed");
        Some(RowFault::new(format!("row_checksum {}", self.number), what))
    }
}

/// `true` if a trigger has noted that another program wrote a row.
fn is_changed(connection: &Connection, table: CheckedTable, id: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM changed_row WHERE table_name = ?1 AND row_id = ?2";
    connection.prepare_cached(sql)?.exists((table.name(), id))
}
