//! Databases of other programs. Most have several files, and a path may name any of them.

use std::path::{Path, PathBuf};

#[cfg(feature = "chessbase")]
use super::chessbase;
use super::scid;
use super::unpack::{Unpacker, Walk};

/// The files of a database.
#[derive(Clone, Debug)]
pub(super) enum DatabaseFiles {
    /// Of Scid.
    Scid(scid::Files),
    /// Of ChessBase.
    #[cfg(feature = "chessbase")]
    ChessBase(chessbase::Files),
    /// Of ChessBase, in one archive.
    #[cfg(feature = "chessbase")]
    ChessBaseArchive(PathBuf),
}

impl DatabaseFiles {
    /// The files of the database to which a file belongs by its extension.
    pub(super) fn of(path: &Path) -> Option<DatabaseFiles> {
        #[cfg(feature = "chessbase")]
        {
            if chessbase::is_archive(path) {
                return Some(DatabaseFiles::ChessBaseArchive(path.to_owned()));
            }
            if let Some(files) = chessbase::Files::of(path) {
                return Some(DatabaseFiles::ChessBase(files));
            }
        }
        scid::Files::of(path).map(DatabaseFiles::Scid)
    }

    /// The total size of the existing files.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            DatabaseFiles::Scid(files) => files.bytes(),
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBase(files) => files.bytes(),
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBaseArchive(path) => {
                path.metadata().map_or(0, |metadata| metadata.len())
            }
        }
    }

    /// The index, or the archive, which represents all files of the database.
    fn index(&self) -> &Path {
        match self {
            DatabaseFiles::Scid(files) => &files.index,
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBase(files) => &files.index,
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBaseArchive(path) => path,
        }
    }

    /// The program that made the database.
    fn program(&self) -> &'static str {
        match self {
            DatabaseFiles::Scid(files) => files.program(),
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBase(_) | DatabaseFiles::ChessBaseArchive(_) => "ChessBase",
        }
    }

    /// Passes on the games.
    pub(super) fn pass_on(&self, unpacker: &Unpacker, skips_deleted: bool) -> Walk {
        match self {
            DatabaseFiles::Scid(files) => unpacker.scid(files, skips_deleted),
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBase(files) => unpacker.chessbase(files, skips_deleted),
            #[cfg(feature = "chessbase")]
            DatabaseFiles::ChessBaseArchive(path) => {
                unpacker.chessbase_archive(path, skips_deleted)
            }
        }
    }
}

/// The index of the database that a path means: one of its files, or their names without extension. `None` if there is
/// no such index, or the path is the index itself.
pub(super) fn meant_index(path: &Path) -> Option<PathBuf> {
    #[cfg(feature = "chessbase")]
    if let Some(index) = chessbase::meant_index(path) {
        return Some(index);
    }
    scid::meant_index(path)
}

/// The program of the database that a path names by its extension, as `Scid 4`; `None` for PGN.
pub fn database_program(path: &Path) -> Option<&'static str> {
    DatabaseFiles::of(path).map(|files| files.program())
}

/// The index, or the archive, of the database of another program to which a file belongs by its extension; `None` for
/// other files.
pub fn database_file(path: &Path) -> Option<PathBuf> {
    DatabaseFiles::of(path).map(|files| files.index().to_owned())
}
