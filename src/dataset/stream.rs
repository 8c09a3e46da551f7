//! Writes the row groups of a table in their order, while their columns are encoded on all threads.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::column::ColumnBuffer;
use super::table::{MAX_ROW_GROUP_ROWS, TableFile, TableSchema, WrittenFile, unwritten};
use crate::error::Result;
use crate::ordered::ordered;

/// The bytes of a row group in memory above which it is written.
const MAX_ROW_GROUP_BYTES: usize = 32 << 20;

/// A table to which rows are appended.
pub(super) struct TableStream {
    schema: Arc<TableSchema>,
    pending: Vec<ColumnBuffer>,
    rows: usize,
    /// The sender of row groups to the writer; `None` once the writer has ended.
    groups: Option<SyncSender<Vec<ColumnBuffer>>>,
    writer: Option<JoinHandle<Result<WrittenFile>>>,
}

impl TableStream {
    /// Creates a file for a table. Up to `at_once` row groups are encoded at once.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(super) fn create(
        path: &Path,
        schema: Arc<TableSchema>,
        at_once: usize,
    ) -> Result<TableStream> {
        let mut file = TableFile::create(path, &schema)?;
        let (groups, received) = sync_channel::<Vec<ColumnBuffer>>(0);
        let pending = schema.buffers();
        let path = path.to_owned();
        let writer_schema = Arc::clone(&schema);
        let writer = thread::spawn(move || {
            let encode = |buffers| writer_schema.encode(buffers);
            ordered(received.into_iter(), at_once, encode, |encoded| {
                let columns = encoded.map_err(|error| unwritten(&path, error))?;
                file.append(columns)
            })?;
            file.finish()
        });

        Ok(TableStream {
            schema,
            pending,
            rows: 0,
            groups: Some(groups),
            writer: Some(writer),
        })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn append(&mut self, buffers: &[ColumnBuffer], rows: usize) -> Result<()> {
        let bytes: usize = self
            .pending
            .iter()
            .chain(buffers)
            .map(ColumnBuffer::bytes)
            .sum();
        let is_too_large = self.rows + rows > MAX_ROW_GROUP_ROWS || bytes > MAX_ROW_GROUP_BYTES;
        if self.rows > 0 && is_too_large {
            self.flush()?;
        }

        for (column, next) in self.pending.iter_mut().zip(buffers) {
            column.append(next);
        }
        self.rows += rows;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.rows = 0;
        let group = std::mem::replace(&mut self.pending, self.schema.buffers());
        let is_sent = match &self.groups {
            Some(groups) => groups.send(group).is_ok(),
            None => false,
        };
        if !is_sent {
            // A writer stops receiving only when it has failed: its error is returned.
            self.end()?;
        }
        Ok(())
    }

    /// Waits for the writer.
    fn end(&mut self) -> Result<Option<WrittenFile>> {
        self.groups = None;
        let Some(writer) = self.writer.take() else {
            return Ok(None);
        };
        match writer.join() {
            Ok(written) => written.map(Some),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    ///
    /// # Panics
    /// If an earlier call has failed.
    pub(super) fn finish(mut self) -> Result<WrittenFile> {
        if self.rows > 0 {
            self.flush()?;
        }
        let written = self.end()?;
        Ok(written.expect("the writer of a table ends once"))
    }
}

impl Drop for TableStream {
    fn drop(&mut self) {
        self.groups = None;
        if let Some(writer) = self.writer.take() {
            // The run has failed elsewhere or was stopped, so the file is deleted and its error does not matter.
            let _ = writer.join();
        }
    }
}
