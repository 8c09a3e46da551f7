//! Foreign files beside the files of a command, to check that they stay unchanged.

#![allow(dead_code, reason = "each program uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Suffixes by other programs, and some that look like files of Stamma or SQLite.
const ENDS: [&str; 12] = [
    ".part",
    ".lock",
    ".tmp",
    ".bak",
    ".new",
    "~",
    ".journal",
    "-stamma",
    "-lock.json",
    "-journal.txt",
    "-wal.pgn",
    ".stamma",
];

/// All that can be observed of a file without changing it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileState {
    inode: u64,
    links: u64,
    mode: u32,
    owner: (u32, u32),
    bytes: u64,
    changed: (i64, i64),
    content: Vec<u8>,
}

/// Decoys in a folder.
#[derive(Debug)]
pub(crate) struct Decoys {
    states: BTreeMap<PathBuf, FileState>,
}

impl Decoys {
    /// Creates decoys for some file names in a folder, of every kind of file: texts, links to an outside file and to
    /// nothing, pipes, hard links, and folders.
    pub(crate) fn new(folder: &Path, names: &[&str]) -> Decoys {
        let outside = folder.join("outside");
        fs::create_dir_all(&outside).expect("a folder");

        let mut paths = Vec::new();
        for (number, name) in names.iter().enumerate() {
            // The kinds go round with the suffixes, and begin with another one for each name.
            for (turn, end) in ENDS.iter().enumerate() {
                let path = folder.join(format!("{name}{end}"));
                paths.extend(decoy(&path, &outside, (number + turn) % 6));
            }
            for hidden in [
                format!(".{name}.swp"),
                format!(".~lock.{name}#"),
                format!(".stamma-{name}"),
            ] {
                paths.extend(decoy(&folder.join(hidden), &outside, 0));
            }
        }

        let mut states = BTreeMap::new();
        for path in paths {
            let state = state_of(&path);
            states.insert(path, state);
        }
        Decoys { states }
    }

    /// The decoys that have changed, each with its state before.
    pub(crate) fn changed(&self) -> Vec<String> {
        let mut changed = Vec::new();
        for (path, before) in &self.states {
            let is_gone = fs::symlink_metadata(path).is_err();
            if is_gone || state_of(path) != *before {
                changed.push(format!("{}: {before:?}", path.display()));
            }
        }
        changed
    }

    /// The number of decoys.
    pub(crate) fn count(&self) -> usize {
        self.states.len()
    }
}

/// Creates a decoy, and returns all paths that it consists of.
fn decoy(path: &Path, outside: &Path, kind: usize) -> Vec<PathBuf> {
    let name = path.file_name().expect("a name");
    let other = outside.join(name);
    match kind {
        0 | 1 => {
            fs::write(path, format!("[Event \"{}\"]\n\n1. e4 *\n", path.display())).expect("room");
            vec![path.to_owned()]
        }
        2 => {
            fs::write(&other, "somebody else's").expect("room");
            symlink(&other, path).expect("a link");
            vec![path.to_owned(), other]
        }
        3 => {
            symlink(outside.join("nothing"), path).expect("a link");
            vec![path.to_owned()]
        }
        4 => {
            let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
            assert!(made.success());
            vec![path.to_owned()]
        }
        _ => {
            fs::write(&other, "somebody else's, under two names").expect("room");
            fs::hard_link(&other, path).expect("a link");
            vec![path.to_owned(), other]
        }
    }
}

fn state_of(path: &Path) -> FileState {
    let metadata = fs::symlink_metadata(path).expect("a decoy");
    let kind = metadata.file_type();
    let content = if kind.is_symlink() {
        let target = fs::read_link(path).expect("a link");
        target.into_os_string().into_encoded_bytes()
    } else if kind.is_fifo() {
        // To read a pipe, one would wait for a writer.
        Vec::new()
    } else {
        fs::read(path).expect("a decoy")
    };

    FileState {
        inode: metadata.ino(),
        links: metadata.nlink(),
        mode: metadata.mode(),
        owner: (metadata.uid(), metadata.gid()),
        bytes: metadata.len(),
        changed: (metadata.mtime(), metadata.mtime_nsec()),
        content,
    }
}
