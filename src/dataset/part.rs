//! A part of a data set while it is written: its tables, and their completion.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;

use super::board_row::BoardRow;
use super::buckets::write_buckets;
use super::digest::{Digest, RowHasher};
use super::folder::{DataSetFolder, PartFiles};
use super::game_row;
use super::macros::macros;
use super::manifest::{Manifest, check_compatible};
use super::names;
use super::options::{DatasetOptions, Layout, WrittenDataset, WrittenTable};
use super::ply_row::{self, PlyColumns};
use super::position::{self, PositionColumns, PositionRow, Row};
use super::problem_row::{self, ProblemRow};
use super::sources::SourceEntry;
use super::spill::{Spill, Spilled};
use super::stream::TableStream;
use super::table::{TableSchema, WrittenFile, unwritten};
use super::worker::{BatchRows, PositionTables};
use crate::error::Result;
use crate::ingest::Summary;

/// A part of a data set while it is written.
pub(super) struct Part<'o> {
    options: &'o DatasetOptions,
    folder: DataSetFolder,
    files: PartFiles,
    pub(super) schemas: Schemas,
    games: TableStream,
    /// `None` for the layout of Lichess, which has no other table.
    positions: Option<Spill>,
    problems: Option<TableStream>,
    plies: Option<TableStream>,
    ply_digest: Digest,
    game_digest: Digest,
    problem_digest: Digest,
    pub(super) sources: Vec<SourceEntry>,
}

/// The schemas of the tables of a part.
pub(super) struct Schemas {
    pub(super) games: Arc<TableSchema>,
    positions: TableSchema,
    problems: Arc<TableSchema>,
    /// `None` if the table is not written.
    plies: Option<Arc<TableSchema>>,
}

impl Schemas {
    /// The schemas of the tables with the columns that the options want.
    ///
    /// # Errors
    /// None for the columns of this crate.
    fn new(options: &DatasetOptions) -> std::result::Result<Schemas, ParquetError> {
        let games = game_row::schema(options.layout, notes(options))?;
        let problems = problem_row::schema(notes(options))?;
        let plies = if options.layout.has_all_tables() && options.plies {
            Some(Arc::new(ply_schema(options)?))
        } else {
            None
        };

        Ok(Schemas {
            games: Arc::new(games),
            positions: position_schema(options)?,
            problems: Arc::new(problems),
            plies,
        })
    }
}

/// The key-value metadata of all files.
fn notes(options: &DatasetOptions) -> Vec<(&'static str, String)> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    vec![
        ("stamma.version", version),
        ("stamma.schema", options.layout.as_str().to_owned()),
    ]
}

impl<'o> Part<'o> {
    /// Begins a part of the data set in a folder; `key` identifies its run.
    ///
    /// # Errors
    /// When the folder is not a data set with these options, or cannot be written.
    pub(super) fn begin(path: &Path, key: &str, options: &'o DatasetOptions) -> Result<Part<'o>> {
        let folder = DataSetFolder::open(path)?;
        check_compatible(path, &folder.manifests()?, options)?;
        let files = folder.begin(key)?;

        let schemas = Schemas::new(options).map_err(|error| unwritten(path, error))?;
        let create = |name: &str, schema: &Arc<TableSchema>| {
            let path = files.path().join(name);
            TableStream::create(&path, Arc::clone(schema), options.memory.row_groups())
        };
        let games = create("games.parquet", &schemas.games)?;

        let has_all_tables = options.layout.has_all_tables();
        let problems = if has_all_tables {
            Some(create("problems.parquet", &schemas.problems)?)
        } else {
            None
        };
        let plies = match &schemas.plies {
            Some(schema) => Some(create("plies.parquet", schema)?),
            None => None,
        };
        let positions = if has_all_tables {
            Some(position_spill(options, &files))
        } else {
            None
        };

        Ok(Part {
            games,
            problems,
            positions,
            plies,
            ply_digest: Digest::default(),
            options,
            folder,
            files,
            schemas,
            game_digest: Digest::default(),
            problem_digest: Digest::default(),
            sources: Vec::new(),
        })
    }

    /// The positions that workers collect.
    pub(super) fn position_tables(&self) -> PositionTables {
        let max_ply = match self.options.max_ply {
            Some(ply) => ply.min(position::MAX_PLY),
            None => position::MAX_PLY,
        };
        PositionTables {
            max_ply: self.positions.as_ref().map(|_| max_ply),
            has_fen: self.options.fen,
            plies: self.schemas.plies.clone(),
        }
    }

    /// Adds the games of a batch, with the number of problems of each.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn push(&mut self, mut rows: BatchRows, problems: &[u32]) -> Result<()> {
        self.game_digest += rows.digest(problems);

        // Workers do not know the number of problems of a game, so the sink fills this column.
        if self.options.layout == Layout::Stamma {
            let column = &mut rows.games.columns[self.schemas.games.at(game_row::PROBLEMS)];
            for count in problems {
                column.int(Some(count.cast_signed()));
            }
        }
        self.games.append(&rows.games.columns, rows.written.len())?;

        if let (Some(table), Some(plies)) = (&mut self.plies, &rows.plies) {
            self.ply_digest += plies.digest;
            table.append(&plies.columns, plies.rows)?;
        }
        if let (Some(positions), Some(partitioned)) = (&mut self.positions, rows.partitioned) {
            positions.push(partitioned)?;
        }

        Ok(())
    }

    /// Adds problems.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn push_problems<'p>(
        &mut self,
        rows: impl IntoIterator<Item = ProblemRow<'p>>,
    ) -> Result<()> {
        let Some(problems) = &mut self.problems else {
            return Ok(());
        };

        let mut columns = self.schemas.problems.buffers();
        let mut hasher = RowHasher::default();
        let mut count = 0;
        for row in rows {
            self.problem_digest += problem_row::push(&row, &mut columns, &mut hasher);
            count += 1;
        }

        if count > 0 {
            problems.append(&columns, count)?;
        }
        Ok(())
    }

    /// The BLAKE3 hash of the first bytes of each source. A hash that is not valid hexadecimal is skipped.
    pub(super) fn heads(&self) -> Vec<[u8; 32]> {
        let mut heads = Vec::with_capacity(self.sources.len());
        for source in &self.sources {
            if let Ok(hash) = blake3::Hash::from_hex(&source.head_hash) {
                heads.push(hash.into());
            }
        }
        heads
    }

    /// Completes all files and makes them a part of the data set. The part's name is made from the name of the first
    /// input and from the heads of all sources, including the sources of other shards.
    ///
    /// # Errors
    /// When a file cannot be written, or the run is stopped.
    pub(super) fn finish(
        self,
        first_input: &str,
        heads: &[[u8; 32]],
        summary: Summary,
    ) -> Result<WrittenDataset> {
        let options = self.options;
        let name = names::part_name(options, first_input, heads);

        let games = CompletedTable::from_stream("games", self.games, &name, self.game_digest)?;
        let mut completed = vec![games];
        if let Some(problems) = self.problems {
            let digest = self.problem_digest;
            let table = CompletedTable::from_stream("problems", problems, &name, digest)?;
            completed.push(table);
        }
        if let Some(plies) = self.plies {
            let digest = self.ply_digest;
            let table = CompletedTable::from_stream("plies", plies, &name, digest)?;
            completed.push(table);
        }
        if let Some(positions) = self.positions {
            let spilled = positions.finish()?;
            let folder = self.files.path();
            let schema = &self.schemas.positions;
            let table = write_positions(&spilled, schema, options, folder, &name)?;
            completed.push(table);
        }

        let tables: Vec<WrittenTable> = completed.iter().map(CompletedTable::written).collect();
        let mut moved_files = Vec::new();
        for (file, place) in completed.into_iter().flat_map(|table| table.files) {
            moved_files.push((file.path, place));
        }

        // The macros query positions, which the layout of Lichess does not have.
        let macro_files = if options.layout.has_all_tables() {
            Vec::from(macros(options.buckets))
        } else {
            Vec::new()
        };

        let manifest = Manifest::new(name.clone(), options, self.sources, &tables);
        let is_complete = self
            .folder
            .publish(self.files, &moved_files, &macro_files, &manifest)?;
        Ok(WrittenDataset {
            summary,
            name,
            tables,
            is_complete,
        })
    }
}

/// An empty spill for the positions of a part.
fn position_spill(options: &DatasetOptions, files: &PartFiles) -> Spill {
    let row_bytes = if options.fen {
        BoardRow::BYTES
    } else {
        PositionRow::BYTES
    };

    let path = files.path().join("positions");
    Spill::new(path, options.memory.spilled_bytes(), row_bytes)
}

/// A table whose files are complete.
struct CompletedTable {
    name: &'static str,
    /// The temporary files, each with its place in the data set.
    files: Vec<(WrittenFile, PathBuf)>,
    digest: Digest,
}

impl CompletedTable {
    /// Completes a table that is a single file.
    fn from_stream(
        name: &'static str,
        stream: TableStream,
        part: &str,
        digest: Digest,
    ) -> Result<CompletedTable> {
        let file = stream.finish()?;
        Ok(CompletedTable {
            name,
            files: vec![(file, place_of_file(name, part))],
            digest,
        })
    }

    /// The totals of the table for the summary and the manifest.
    fn written(&self) -> WrittenTable {
        let mut rows = 0;
        let mut bytes = 0;
        let mut files = Vec::with_capacity(self.files.len());
        let mut bytes_by_column = BTreeMap::new();
        for (file, place) in &self.files {
            rows += file.rows;
            bytes += file.bytes;
            files.push(place.clone());

            for (column, column_bytes) in &file.column_bytes {
                *bytes_by_column.entry(column.clone()).or_insert(0) += column_bytes;
            }
        }

        WrittenTable {
            name: self.name,
            rows,
            bytes,
            digest: self.digest,
            files,
            columns: bytes_by_column.into_iter().collect(),
        }
    }
}

/// The schema of the table `positions` with the columns that the options want.
fn position_schema(options: &DatasetOptions) -> std::result::Result<TableSchema, ParquetError> {
    let columns = PositionColumns {
        has_fen: options.fen,
        has_bloom_filter: options.bloom,
    };
    position::schema(columns, notes(options))
}

/// The schema of the table `plies` with the columns that the options want.
fn ply_schema(options: &DatasetOptions) -> std::result::Result<TableSchema, ParquetError> {
    let columns = PlyColumns {
        has_evaluations: options.evaluations,
        has_fen: options.fen,
    };
    ply_row::schema(columns, notes(options))
}

/// The place of a part's file in the data set.
fn place_of_file(folder: &str, part: &str) -> PathBuf {
    PathBuf::from(folder).join(format!("{part}.parquet"))
}

/// Sorts the positions and writes them into the files of their buckets, in a folder.
fn write_positions(
    spilled: &Spilled,
    schema: &TableSchema,
    options: &DatasetOptions,
    folder: &Path,
    part: &str,
) -> Result<CompletedTable> {
    let bucket_count = usize::from(options.buckets.get());
    let at_once = options.memory.row_groups();
    let stop = &options.stop;
    let buckets = if options.fen {
        write_buckets::<BoardRow>(spilled, bucket_count, schema, folder, at_once, stop)?
    } else {
        write_buckets::<PositionRow>(spilled, bucket_count, schema, folder, at_once, stop)?
    };

    let mut files = Vec::with_capacity(buckets.files.len());
    for (bucket, file) in buckets.files {
        let place = place_of_file(&format!("positions/bucket={bucket}"), part);
        files.push((file, place));
    }
    Ok(CompletedTable {
        name: "positions",
        files,
        digest: buckets.digest,
    })
}
