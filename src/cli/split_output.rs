//! Output divided among files. As a single output file, they replace earlier files only at the end.
//!
//! Until the end, the files are in a temporary folder. Pending texts are limited in size, and one file is open at a
//! time, so any number of files needs a bounded amount of memory.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use super::output::{
    RANDOM_CHARACTERS, Target, keep_owner_and_mode, refuse_any_of, refuse_database, sync_folder,
    target,
};
use super::split_names::SplitNames;
use super::stop::DeletedOnSignal;
use super::{Outcome, file_error};
use stamma::error::{Error, Result};
use stamma::storage::folder_of;

/// The maximum size of the texts that are kept in memory before they are written.
const MAX_PENDING_BYTES: usize = 32 << 20;

/// The placeholder for the key in the name of the file.
const PLACE: &str = "{}";

/// Files by key. They replace earlier files when they are [finished](SplitOutput::finish). If they are dropped before,
/// nothing changes.
pub(super) struct SplitOutput {
    /// The path with `{}` in the name.
    path: PathBuf,
    /// Paths that no file may have.
    refused: Vec<PathBuf>,
    /// The folder of the files until they are finished.
    temporary: TempDir,
    /// Dropped after the temporary folder, which a signal must delete as long as it exists.
    on_signal: DeletedOnSignal,
    names: SplitNames,
    /// The index of the file of each key.
    by_key: HashMap<String, usize>,
    files: Vec<PartFile>,
    /// The size of all pending texts.
    pending_bytes: usize,
}

/// A file, and its text that is not written yet.
struct PartFile {
    path: PathBuf,
    pending: Vec<u8>,
}

impl SplitOutput {
    /// Prepares files whose names have a key in the place of `{}` in `path`. The folder is created if it does not
    /// exist. No file may have a path in `refused`.
    ///
    /// # Errors
    /// When nothing can be created in the folder.
    pub(super) fn create<'p>(
        path: &Path,
        refused: impl IntoIterator<Item = &'p Path>,
    ) -> Result<SplitOutput> {
        let place = folder_of(path);
        fs::create_dir_all(place).map_err(file_error(place))?;

        let created = Builder::new()
            .prefix(".stamma-")
            .rand_bytes(RANDOM_CHARACTERS)
            .tempdir_in(place);
        // The error of `tempfile` names a random path. So only its kind is reported, with the path of the folder.
        let temporary = created.map_err(|error| file_error(place)(error.kind().into()))?;

        Ok(SplitOutput {
            path: path.to_owned(),
            refused: refused.into_iter().map(Path::to_owned).collect(),
            on_signal: DeletedOnSignal::new(temporary.path()),
            temporary,
            names: SplitNames::default(),
            by_key: HashMap::new(),
            files: Vec::new(),
            pending_bytes: 0,
        })
    }

    /// The number of files.
    pub(super) fn files(&self) -> u64 {
        self.files.len() as u64
    }

    /// Appends a text to the file of a key.
    ///
    /// # Errors
    /// When the file must not be written, or cannot be written.
    pub(super) fn write(&mut self, key: &str, text: &[u8]) -> Result<()> {
        let file = match self.by_key.get(key) {
            Some(&file) => file,
            None => self.add_file(key)?,
        };
        self.files[file].pending.extend_from_slice(text);
        self.pending_bytes += text.len();

        // Writing half of the pending texts makes writes rare, and the longest texts are written first.
        if self.pending_bytes > MAX_PENDING_BYTES {
            self.write_pending(MAX_PENDING_BYTES / 2)?;
        }
        Ok(())
    }

    /// Adds the file of a new key; returns its index.
    fn add_file(&mut self, key: &str) -> Result<usize> {
        let pattern = self.path.file_name().unwrap_or_default().to_string_lossy();
        let name = pattern.replace(PLACE, &self.names.new_name(key));
        let path = self.path.with_file_name(name);
        refuse_any_of(&path, self.refused.iter().map(PathBuf::as_path))?;

        let index = self.files.len();
        self.files.push(PartFile {
            path,
            pending: Vec::new(),
        });
        self.by_key.insert(key.to_owned(), index);
        Ok(index)
    }

    /// Writes pending texts, the longest first, until at most `max_bytes` are pending.
    fn write_pending(&mut self, max_bytes: usize) -> Result<()> {
        let mut by_length: Vec<usize> = (0..self.files.len()).collect();
        by_length.sort_by_key(|&file| std::cmp::Reverse(self.files[file].pending.len()));

        for file in by_length {
            if self.pending_bytes <= max_bytes {
                break;
            }

            let temporary = self.temporary_path(file);
            let PartFile { path, pending } = &mut self.files[file];
            append(&temporary, pending).map_err(file_error(path))?;
            self.pending_bytes -= pending.len();
            *pending = Vec::new();
        }
        Ok(())
    }

    /// The temporary path of a file.
    fn temporary_path(&self, file: usize) -> PathBuf {
        self.temporary.path().join(file.to_string())
    }

    /// Moves all files to their paths, where they replace earlier files, unless the command has failed.
    ///
    /// # Errors
    /// When a file cannot be written. The files that have been moved before the error are complete.
    pub(super) fn finish(mut self, outcome: Outcome) -> Result<()> {
        if matches!(outcome, Outcome::Failed) {
            return Ok(());
        }
        self.write_pending(0)?;

        // All paths are checked before the first file is replaced.
        let mut targets = Vec::with_capacity(self.files.len());
        for file in &self.files {
            targets.push(replaced_file(&file.path)?);
        }

        for (index, target) in targets.iter().enumerate() {
            let temporary = self.temporary_path(index);
            persist(&temporary, target).map_err(file_error(&self.files[index].path))?;
        }
        sync_folder(&self.path);

        // The order matters: a signal must delete the folder as long as it exists.
        let SplitOutput {
            temporary,
            on_signal,
            ..
        } = self;
        drop(temporary);
        drop(on_signal);
        Ok(())
    }
}

/// Appends a text to a file, which is created if necessary.
fn append(path: &Path, text: &[u8]) -> io::Result<()> {
    // The file is closed again, since a process can have only a limited number of open files.
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(text)
}

/// The file that a path names, if the file may be replaced.
fn replaced_file(path: &Path) -> Result<PathBuf> {
    match target(path).map_err(file_error(path))? {
        Target::File(place) => {
            refuse_database(&place, path)?;
            Ok(place)
        }
        Target::InPlace(_) => Err(Error::NotAFile(path.to_owned())),
    }
}

/// Moves a temporary file to its path. The file takes over the owner and the mode of the file that it replaces.
fn persist(temporary: &Path, target: &Path) -> io::Result<()> {
    // Only a replacement is synced to the disk, as a crash can lose no data with a new file. A sync takes two
    // milliseconds: 48,000 new files took 100 s to sync, and 3 s to write.
    if target.exists() {
        let file = File::options().append(true).open(temporary)?;
        keep_owner_and_mode(&file, target)?;
        file.sync_all()?;
    }
    fs::rename(temporary, target)
}
