//! A database of Scid 4 as Scid made it, and its games as a database of Scid 5.

use std::fs;
use std::path::Path;

const HEADER_BYTES: usize = 182;
const RECORD_BYTES: usize = 47;
/// The bytes of a record of Scid 5, whose index has no header.
const RECORD_BYTES_5: usize = 56;
/// The header of the file of names.
const NAMES_HEADER_BYTES: usize = 36;

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

    /// The games of version 4, with records and names as Scid 5 stores them.
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
        let index_bytes = self.files[0].len();
        match self.version {
            '4' => (index_bytes - HEADER_BYTES) / RECORD_BYTES,
            _ => index_bytes / RECORD_BYTES_5,
        }
    }

    /// The record of a game of version 4, from 0.
    pub(crate) fn record(&mut self, game: usize) -> &mut [u8] {
        &mut self.files[0][HEADER_BYTES + game * RECORD_BYTES..][..RECORD_BYTES]
    }

    /// Keeps the first games of a database of version 4.
    pub(crate) fn truncate(&mut self, games: usize) {
        self.files[0].truncate(HEADER_BYTES + games * RECORD_BYTES);
        // The last of the three bytes of the number; the games of the database need no other one.
        self.files[0][16] = games as u8;
    }

    /// Repeats the games of a database of version 4.
    pub(crate) fn repeat(&mut self, times: usize) {
        let index = &mut self.files[0];
        let records = index.split_off(HEADER_BYTES);
        index.extend(records.repeat(times));

        // The header has the number of games in three bytes.
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
            let path = folder.join(format!("{name}.{extension}"));
            fs::write(path, bytes).expect("a new file");
        }
    }
}

/// A record of version 5: words of 32 bits in little-endian order, made from the big-endian fields of version 4.
fn record_5(record: &[u8]) -> Vec<u8> {
    let number = |at: usize, bytes: usize| {
        let mut number = 0_u32;
        for &byte in &record[at..at + bytes] {
            number = number << 8 | u32::from(byte);
        }
        number
    };

    // The high bits of the numbers of names, beside their low 16 bits.
    let (players, others) = (number(9, 1), number(14, 1));
    let white = players >> 4 << 16 | number(10, 2);
    let black = (players & 15) << 16 | number(12, 2);
    let event = others >> 5 << 16 | number(15, 2);
    let site = (others >> 2 & 7) << 16 | number(17, 2);
    let round = (others & 3) << 16 | number(19, 2);

    // A byte has the highest bit of the length, and the highest bits of the flags.
    let length = number(6, 1) >> 7 << 16 | number(4, 2);
    let flags = (number(6, 1) & 0x3f) << 16 | number(7, 2);
    // The bits above these fields have other meanings, which no test needs.
    let date = number(25, 4) & 0xf_ffff;
    let white_elo = number(29, 2) & 0xfff;
    let black_elo = number(31, 2) & 0xfff;
    let place = number(0, 4);
    let result = number(21, 1) >> 4;
    let eco = number(23, 2);

    let words = [
        white,
        black,
        event,
        site,
        round,
        white_elo << 20 | date,
        black_elo << 20,
        flags,
        length << 15,
        place,
        0,
        result << 16 | eco,
    ];
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend_from_slice(&[0; 8]);
    bytes
}

/// The names of version 5, by their numbers. Version 4 has the names of each kind in alphabetical order, each without
/// the letters that it shares with the name before.
fn names_5(names: &[u8]) -> Vec<u8> {
    // A line about the database, of the kind behind the names.
    let about = b"type 3";
    let mut out = vec![(about.len() as u8) << 3 | 4];
    out.extend_from_slice(about);

    let mut at = NAMES_HEADER_BYTES;
    for kind in 0..4 {
        // The header has the number of names of each kind in three bytes.
        let count_at = 12 + 3 * kind;
        let count = usize::from(names[count_at + 1]) << 8 | usize::from(names[count_at + 2]);
        let mut by_number = vec![Vec::new(); count];
        let mut name: Vec<u8> = Vec::new();
        for row in 0..count {
            let number = usize::from(names[at]) << 8 | usize::from(names[at + 1]);
            let length = usize::from(names[at + 3]);
            let mut shared = 0;
            at += 4;
            // The first name shares nothing, and has no byte for it.
            if row > 0 {
                shared = usize::from(names[at]);
                at += 1;
            }

            name.truncate(shared);
            name.extend_from_slice(&names[at..at + length - shared]);
            at += length - shared;
            by_number[number].clone_from(&name);
        }

        for name in by_number {
            // A number of seven bits in a byte, or of 14 bits in two bytes.
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
