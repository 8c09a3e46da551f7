//! The folder of a data set: temporary files, and their publication as a part of the data set.
//!
//! Files are made in a folder of `_temporary`, and moved to their places when all files are complete. The manifest of a
//! part is written last, so files without a manifest do not belong to the data set. The files that a manifest lists are
//! synced to the disk before the manifest is written, and all manifests before `_SUCCESS`.
//!
//! Several runs may write to one folder at once. While a run works, another run may delete an empty `_temporary` or
//! replace a manifest.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use tempfile::TempDir;

use super::manifest::Manifest;
use super::names;
use super::table::{unreadable, unwritten};
use crate::error::{Error, Result};

const TEMPORARY: &str = "_temporary";
const MANIFESTS: &str = "_manifest";
const SUCCESS: &str = "_SUCCESS";
const LOCK: &str = "lock";

/// The maximum number of times that a run creates `_temporary`. Other runs may delete the folder while it is empty.
const MAX_TRIES: usize = 100;

/// The folder of a data set.
#[derive(Debug)]
pub(super) struct DataSetFolder {
    path: PathBuf,
}

/// The temporary files of a part. They are deleted on drop.
#[derive(Debug)]
pub(super) struct PartFiles {
    folder: TempDir,
    /// A lock that is held while the part is written. A folder without a held lock is deleted as the remains of an
    /// ended run.
    _lock: File,
}

impl PartFiles {
    /// The folder of the temporary files.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl DataSetFolder {
    /// The folder at a path, which is created.
    ///
    /// # Errors
    /// When it cannot be created, or holds something other than a data set.
    pub(super) fn open(path: &Path) -> Result<DataSetFolder> {
        let folder = DataSetFolder {
            path: path.to_owned(),
        };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                folder.create(path)?;
                return Ok(folder);
            }
            Err(error) => return Err(unreadable(path, error)),
        };

        // A folder with manifests is a data set, whatever else is in it.
        let has_manifests = path.join(MANIFESTS).is_dir();
        for entry in entries.filter_map(io::Result::ok) {
            let entry_path = entry.path();
            let is_ours = entry_path.ends_with(TEMPORARY) || entry_path.ends_with(MANIFESTS);
            if !is_ours && !has_manifests {
                return Err(Error::NotADataSet(path.to_owned()));
            }
        }
        Ok(folder)
    }

    fn create(&self, path: &Path) -> Result<()> {
        fs::create_dir_all(path).map_err(|error| unwritten(path, error.into()))
    }

    /// The manifests of all parts.
    ///
    /// # Errors
    /// When one cannot be read.
    pub(super) fn manifests(&self) -> Result<Vec<Manifest>> {
        let folder = self.path.join(MANIFESTS);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| unreadable(&folder, error))?,
        };

        let mut paths = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, error))?;
            let path = entry.path();
            let is_json = path.extension().is_some_and(|end| end == "json");
            if is_json {
                paths.push(path);
            }
        }
        paths.sort();

        let mut manifests = Vec::with_capacity(paths.len());
        for path in paths {
            manifests.extend(read_manifest(&path)?);
        }
        Ok(manifests)
    }

    /// A folder for the files of a part, whose run is known by `key`. The folders of ended runs with this key are
    /// deleted.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(super) fn begin(&self, key: &str) -> Result<PartFiles> {
        let temporary = self.path.join(TEMPORARY);
        let mut tries = 0;
        loop {
            self.create(&temporary)?;
            tries += 1;
            match self.begin_in(&temporary, key) {
                // Another run has ended, and deleted the empty folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MAX_TRIES => {}
                begun => return begun.map_err(|error| unwritten(&temporary, error.into())),
            }
        }
    }

    /// Creates a locked folder for the files of a part in `_temporary`.
    fn begin_in(&self, temporary: &Path, key: &str) -> io::Result<PartFiles> {
        // This lock keeps other runs from deleting the new folder before its own lock is held. Where the system has no
        // locks, as on some network drives, an equal run at the same time may delete the files.
        let locked_folder = File::open(temporary);
        let _ = locked_folder.as_ref().map(File::lock);
        self.delete_left_over(temporary, key);

        let folder = tempfile::Builder::new()
            .prefix(&format!("{key}-"))
            .tempdir_in(temporary)?;
        let lock = File::create(folder.path().join(LOCK))?;
        let _ = lock.try_lock();
        Ok(PartFiles {
            folder,
            _lock: lock,
        })
    }

    /// Deletes the folders of ended runs with this key.
    fn delete_left_over(&self, temporary: &Path, key: &str) {
        let Ok(entries) = fs::read_dir(temporary) else {
            return;
        };
        let prefix = format!("{key}-");
        for entry in entries.filter_map(io::Result::ok) {
            let name = entry.file_name();
            if !name.to_string_lossy().starts_with(&prefix) {
                continue;
            }

            let is_unused = match File::open(entry.path().join(LOCK)) {
                Ok(lock) => lock.try_lock().is_ok(),
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            };
            if is_unused {
                // Another run may be deleting it.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Moves the files of a part to their places; returns `true` if the data set is complete. The files overwrite the
    /// files of an earlier part with an equal name. `files` are the temporary files, each with its place in the data
    /// set. `texts` are the names and contents of files that are written beside the tables.
    ///
    /// # Errors
    /// When a file cannot be moved or written.
    pub(super) fn publish(
        &self,
        part: PartFiles,
        files: &[(PathBuf, PathBuf)],
        texts: &[(&str, String)],
        manifest: &Manifest,
    ) -> Result<bool> {
        let manifests = self.path.join(MANIFESTS);
        let manifest_name = format!("{}.json", manifest.name);
        let manifest_place = manifests.join(&manifest_name);
        self.create(&manifests)?;
        remove(&self.path.join(SUCCESS))?;

        // The earlier manifest is removed before its files, so that a manifest never lists missing files.
        let mut parts = self.manifests()?.into_iter();
        let replaced = parts.find(|earlier| earlier.name == manifest.name);
        if let Some(replaced) = replaced {
            remove(&manifest_place)?;
            sync_folders([&self.path, &manifests]);
            for file in replaced.files() {
                let is_overwritten = files.iter().any(|(_, place)| *place == file);
                if !is_overwritten {
                    remove(&self.path.join(file))?;
                }
            }
        }

        self.place(files)?;
        for (name, text) in texts {
            self.write(part.path(), name, text.as_bytes(), &self.path.join(name))?;
        }
        sync_folders([&self.path]);

        let json = serde_json::to_vec_pretty(manifest).unwrap_or_default();
        self.write(part.path(), &manifest_name, &json, &manifest_place)?;
        sync_folders([&manifests]);

        let is_complete = is_complete(&self.manifests()?);
        if is_complete {
            self.write(part.path(), SUCCESS, b"", &self.path.join(SUCCESS))?;
            sync_folders([&self.path]);
        }

        drop(part);
        // This fails if another run still has files there.
        let _ = fs::remove_dir(self.path.join(TEMPORARY));
        Ok(is_complete)
    }

    /// Moves the files of tables to their places.
    fn place(&self, files: &[(PathBuf, PathBuf)]) -> Result<()> {
        let mut folders = BTreeSet::new();
        for (temporary_file, place_in_set) in files {
            let place = self.path.join(place_in_set);
            if let Some(folder) = place.parent() {
                self.create(folder)?;
            }
            rename(temporary_file, &place)?;

            // The name of a new folder is stored in its parent folder, so the parent folder is synced, too.
            for folder in place.ancestors().skip(1) {
                if !folder.starts_with(&self.path) {
                    break;
                }
                folders.insert(folder.to_owned());
            }
        }
        sync_folders(&folders);
        Ok(())
    }

    /// Writes a small file and moves it to its place.
    fn write(&self, temporary: &Path, name: &str, text: &[u8], place: &Path) -> Result<()> {
        let written = temporary.join(name);
        write_synced(&written, text).map_err(|error| unwritten(place, error.into()))?;
        rename(&written, place)
    }
}

/// Writes a file and brings it to the disk.
fn write_synced(path: &Path, text: &[u8]) -> io::Result<()> {
    fs::write(path, text)?;
    let file = File::open(path)?;
    file.sync_all()
}

/// Reads a manifest; `None` if another run has just deleted it to replace the part.
fn read_manifest(path: &Path) -> Result<Option<Manifest>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(path, error)),
    };

    let manifest = serde_json::from_slice(&text).map_err(|error| unreadable(path, error.into()))?;
    Ok(Some(manifest))
}

/// Brings the names of files in folders to the disk, where the system can: not on Windows, nor on some network drives.
fn sync_folders<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) {
    for folder in folders {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// `true` if the data set has all shards of each part.
fn is_complete(manifests: &[Manifest]) -> bool {
    for part in manifests {
        let Some(shard) = part.shard else { continue };
        for number in 1..=shard.count() {
            let name = names::shard_name(part.stem(), number, shard.count());
            let is_there = manifests.iter().any(|other| other.name == name);
            if !is_there {
                return false;
            }
        }
    }
    true
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        // It was never written, or another run has removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritten(path, error.into())),
    }
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| unwritten(to, ParquetError::from(error)))
}
