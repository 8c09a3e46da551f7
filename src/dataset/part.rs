//! A part of a data set in the making: its tables, and how they are completed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;

use super::board_row::BoardRow;
use super::buckets::write_buckets;
use super::digest::{Digest, RowHasher};
use super::folder::{DataSetFolder, PartFiles};
use super::game_row;
use super::macros::macros;
use super::manifest::{Manifest, refuse_others};
use super::names;
use super::options::{DatasetOptions, Layout, Written, WrittenTable};
use super::ply_row::{self, PlyColumns};
use super::position::{self, PositionRow, Row};
use super::problem_row::{self, ProblemRow};
use super::sources::SourceEntry;
use super::spill::Spill;
use super::stream::TableStream;
use super::table::{Form, WrittenFile, unwritten};
use super::worker::{BatchRows, PositionTables};
use crate::error::Result;
use crate::ingest::Summary;

/// A part in the making.
pub(super) struct Part<'o> {
    options: &'o DatasetOptions,
    folder: DataSetFolder,
    files: PartFiles,
    pub(super) game_form: Arc<Form>,
    position_form: Form,
    problem_form: Arc<Form>,
    games: TableStream,
    /// `None` for the layout of Lichess, which has no other table.
    positions: Option<Spill>,
    problems: Option<TableStream>,
    plies: Option<TableStream>,
    ply_form: Option<Arc<Form>>,
    ply_digest: Digest,
    game_digest: Digest,
    problem_digest: Digest,
    pub(super) sources: Vec<SourceEntry>,
}

/// What is written beside the tables of all files.
fn notes(options: &DatasetOptions) -> Vec<(&'static str, String)> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    vec![
        ("stamma.version", version),
        ("stamma.schema", options.layout.as_str().to_owned()),
    ]
}

impl<'o> Part<'o> {
    /// Begins a part of the data set in a folder; `key` tells its run from others.
    ///
    /// # Errors
    /// When the folder holds something else, or cannot be written.
    pub(super) fn begin(path: &Path, key: &str, options: &'o DatasetOptions) -> Result<Part<'o>> {
        let folder = DataSetFolder::open(path)?;
        refuse_others(path, &folder.manifests()?, options)?;
        let files = folder.begin(key)?;
        let form = |form: std::result::Result<Form, ParquetError>| {
            form.map_err(|error| unwritten(path, error))
        };
        let game_form = Arc::new(form(game_row::form(options.layout, notes(options)))?);
        let problem_form = Arc::new(form(problem_row::form(notes(options)))?);
        let position_form = form(position::form(options.fen, options.bloom, notes(options)))?;
        let create = |name: &str, form: &Arc<Form>| {
            let path = files.path().join(name);
            TableStream::create(&path, Arc::clone(form), options.memory.row_groups())
        };
        let is_whole = options.layout == Layout::Stamma;
        let stride = if options.fen {
            BoardRow::BYTES
        } else {
            PositionRow::BYTES
        };
        let limit = options.memory.spilled_bytes();
        let spill = Spill::new(files.path().join("positions"), limit, stride);
        let ply_form = (is_whole && options.plies)
            .then(|| {
                let columns = PlyColumns {
                    has_evaluations: options.evaluations,
                    has_fen: options.fen,
                };
                form(ply_row::form(columns, notes(options))).map(Arc::new)
            })
            .transpose()?;
        let plies = ply_form
            .as_ref()
            .map(|form| create("plies.parquet", form))
            .transpose()?;
        Ok(Part {
            games: create("games.parquet", &game_form)?,
            problems: is_whole
                .then(|| create("problems.parquet", &problem_form))
                .transpose()?,
            positions: is_whole.then_some(spill),
            plies,
            ply_form,
            ply_digest: Digest::default(),
            options,
            folder,
            files,
            game_form,
            position_form,
            problem_form,
            game_digest: Digest::default(),
            problem_digest: Digest::default(),
            sources: Vec::new(),
        })
    }

    /// Which positions workers are to collect.
    pub(super) fn position_tables(&self) -> PositionTables {
        let most = self
            .options
            .max_ply
            .unwrap_or(position::MAX_PLY)
            .min(position::MAX_PLY);
        PositionTables {
            max_ply: self.positions.as_ref().map(|_| most),
            has_fen: self.options.fen,
            plies: self.ply_form.clone(),
        }
    }

    /// Adds the games of a batch, with the number of problems of each.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn push(&mut self, mut rows: BatchRows, problems: &[u32]) -> Result<()> {
        self.game_digest += rows.digest(problems);
        if self.options.layout == Layout::Stamma {
            let column = &mut rows.games.columns[self.game_form.at(game_row::PROBLEMS)];
            problems
                .iter()
                .for_each(|&count| column.int(Some(count.cast_signed())));
        }
        self.games.append(&rows.games.columns, rows.ids.len())?;
        if let (Some(table), Some(plies)) = (&mut self.plies, &rows.plies) {
            self.ply_digest += plies.digest;
            table.append(&plies.columns, plies.rows)?;
        }
        match (&mut self.positions, rows.partitioned) {
            (Some(positions), Some(partitioned)) => positions.push(partitioned),
            _ => Ok(()),
        }
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
        let (mut columns, mut hasher) = (self.problem_form.buffers(), RowHasher::default());
        let mut count = 0;
        for row in rows {
            self.problem_digest += problem_row::push(&row, &mut columns, &mut hasher);
            count += 1;
        }
        if count == 0 {
            Ok(())
        } else {
            problems.append(&columns, count)
        }
    }

    /// The hashes of the heads of its sources.
    pub(super) fn heads(&self) -> Vec<[u8; 32]> {
        let hash = |source: &SourceEntry| blake3::Hash::from_hex(&source.head_hash).ok();
        self.sources
            .iter()
            .filter_map(hash)
            .map(Into::into)
            .collect()
    }

    /// Completes all files and makes them a part of the data set. Its name is made from that of the first input and from
    /// the heads of all sources, those of other shards included.
    ///
    /// # Errors
    /// When a file cannot be written, or the run is stopped.
    pub(super) fn finish(
        mut self,
        first: &str,
        heads: &[[u8; 32]],
        summary: Summary,
    ) -> Result<Written> {
        let name = names::of_part(self.options, first, heads);
        let mut files = Vec::new();
        let mut tables = Vec::new();
        let mut add = |table: &'static str, written: Vec<(WrittenFile, PathBuf)>, digest| {
            tables.push(of_table(table, &written, digest));
            files.extend(written.into_iter().map(|(file, place)| (file.path, place)));
        };
        let place = |table: &str| PathBuf::from(table).join(format!("{name}.parquet"));
        add(
            "games",
            vec![(self.games.finish()?, place("games"))],
            self.game_digest,
        );
        if let Some(problems) = self.problems.take() {
            add(
                "problems",
                vec![(problems.finish()?, place("problems"))],
                self.problem_digest,
            );
        }
        if let Some(plies) = self.plies.take() {
            add(
                "plies",
                vec![(plies.finish()?, place("plies"))],
                self.ply_digest,
            );
        }
        if let Some(positions) = self.positions.take() {
            let buckets = usize::from(self.options.buckets.get());
            let at_once = self.options.memory.row_groups();
            let spilled = positions.finish()?;
            let folder = self.files.path();
            let write = match self.options.fen {
                true => write_buckets::<BoardRow>,
                false => write_buckets::<PositionRow>,
            };
            let (form, stop) = (&self.position_form, &self.options.stop);
            let done = write(&spilled, buckets, form, folder, at_once, stop)?;
            let place_of = |bucket: usize| place(&format!("positions/bucket={bucket}"));
            let written = done
                .files
                .into_iter()
                .map(|(bucket, file)| (file, place_of(bucket)));
            add("positions", written.collect(), done.digest);
        }
        let manifest = Manifest::new(name.clone(), self.options, self.sources, &tables);
        // The layout of Lichess has no positions to ask for.
        let texts = (self.options.layout == Layout::Stamma).then(|| macros(self.options.buckets));
        let texts = texts.as_ref().map_or(&[][..], |texts| texts);
        let is_complete = self.folder.publish(self.files, &files, texts, &manifest)?;
        Ok(Written {
            summary,
            name,
            tables,
            is_complete,
        })
    }
}

fn of_table(name: &'static str, files: &[(WrittenFile, PathBuf)], digest: Digest) -> WrittenTable {
    let mut columns = std::collections::BTreeMap::new();
    for (column, bytes) in files.iter().flat_map(|(file, _)| &file.column_bytes) {
        *columns.entry(column.clone()).or_insert(0) += bytes;
    }
    WrittenTable {
        name,
        rows: files.iter().map(|(file, _)| file.rows).sum(),
        bytes: files.iter().map(|(file, _)| file.bytes).sum(),
        digest,
        files: files.iter().map(|(_, place)| place.clone()).collect(),
        columns: columns.into_iter().collect(),
    }
}
