//! A database of Scid 4 as Scid made it, and the same games as a database of Scid 5.

use std::fs;
use std::path::Path;

const HEADER_BYTES: usize = 182;
const RECORD_BYTES: usize = 47;

/// The contents of the index, the games, and the names.
#[derive(Clone)]
pub(crate) struct ScidDatabase {
    pub(crate) files: [Vec<u8>; 3],
    version: char,
}

impl ScidDatabase {
    /// The database in `tests/data/scid`.
    pub(crate) fn version_4() -> ScidDatabase {
        let index = include_bytes!("../../data/scid/own.si4").to_vec();
        let games = include_bytes!("../../data/scid/own.sg4").to_vec();
        let names = include_bytes!("../../data/scid/own.sn4").to_vec();
        ScidDatabase {
            files: [index, games, names],
            version: '4',
        }
    }

    /// The same games, with records and names as Scid 5 stores them.
    pub(crate) fn version_5() -> ScidDatabase {
        let [index, games, names] = ScidDatabase::version_4().files;
        let records = index[HEADER_BYTES..].chunks_exact(RECORD_BYTES);
        let index = records.flat_map(record_5).collect();
        ScidDatabase {
            files: [index, games, names_5(&names)],
            version: '5',
        }
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        match self.version {
            '4' => (self.files[0].len() - HEADER_BYTES) / RECORD_BYTES,
            _ => self.files[0].len() / 56,
        }
    }

    /// The record of a game of version 4, from 0.
    pub(crate) fn record(&mut self, game: usize) -> &mut [u8] {
        &mut self.files[0][HEADER_BYTES + game * RECORD_BYTES..][..RECORD_BYTES]
    }

    /// Keeps the first games of a database of version 4.
    pub(crate) fn truncate(&mut self, games: usize) {
        self.files[0].truncate(HEADER_BYTES + games * RECORD_BYTES);
        self.files[0][16] = games as u8;
    }

    /// Repeats the games of a database of version 4.
    pub(crate) fn repeat(&mut self, times: usize) {
        let records = self.files[0].split_off(HEADER_BYTES).repeat(times);
        self.files[0].extend(records);
        let games = (self.games() as u32).to_be_bytes();
        self.files[0][14..17].copy_from_slice(&games[1..]);
    }

    /// The extensions of its files.
    pub(crate) fn extensions(&self) -> [String; 3] {
        ["si", "sg", "sn"].map(|kind| format!("{kind}{}", self.version))
    }

    /// Writes the files into a folder, under a name.
    pub(crate) fn write(&self, folder: &Path, name: &str) {
        for (bytes, extension) in self.files.iter().zip(self.extensions()) {
            fs::write(folder.join(format!("{name}.{extension}")), bytes).expect("a new file");
        }
    }
}

fn record_5(record: &[u8]) -> Vec<u8> {
    let number = |at: usize, bytes: usize| {
        record[at..at + bytes]
            .iter()
            .fold(0_u32, |number, &byte| number << 8 | u32::from(byte))
    };
    let (players, others) = (number(9, 1), number(14, 1));
    let length = number(6, 1) >> 7 << 16 | number(4, 2);
    let flags = (number(6, 1) & 0x3f) << 16 | number(7, 2);
    let date = number(25, 4) & 0xf_ffff;
    let words = [
        players >> 4 << 16 | number(10, 2),
        (players & 15) << 16 | number(12, 2),
        others >> 5 << 16 | number(15, 2),
        (others >> 2 & 7) << 16 | number(17, 2),
        (others & 3) << 16 | number(19, 2),
        (number(29, 2) & 0xfff) << 20 | date,
        (number(31, 2) & 0xfff) << 20,
        flags,
        length << 15,
        number(0, 4),
        0,
        (number(21, 1) >> 4) << 16 | number(23, 2),
    ];
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.extend_from_slice(&[0; 8]);
    bytes
}

fn names_5(names: &[u8]) -> Vec<u8> {
    // A line about the database, of the kind behind the names.
    let about = b"type 3";
    let mut out = vec![(about.len() as u8) << 3 | 4];
    out.extend_from_slice(about);
    let three = |at: usize| usize::from(names[at + 1]) << 8 | usize::from(names[at + 2]);
    let mut at = 36;
    for kind in 0..4 {
        let count = three(12 + 3 * kind);
        let mut sorted = vec![Vec::new(); count];
        let mut name: Vec<u8> = Vec::new();
        for row in 0..count {
            let number = usize::from(names[at]) << 8 | usize::from(names[at + 1]);
            let length = usize::from(names[at + 3]);
            let shared = if row == 0 {
                0
            } else {
                usize::from(names[at + 4])
            };
            at += if row == 0 { 4 } else { 5 };
            name.truncate(shared);
            name.extend_from_slice(&names[at..at + length - shared]);
            at += length - shared;
            sorted[number].clone_from(&name);
        }
        for name in sorted {
            let length_and_kind = name.len() << 3 | kind;
            if length_and_kind >= 128 {
                out.push(length_and_kind as u8 | 128);
                out.push((length_and_kind >> 7) as u8);
            } else {
                out.push(length_and_kind as u8);
            }
            out.extend_from_slice(&name);
        }
    }
    out
}
