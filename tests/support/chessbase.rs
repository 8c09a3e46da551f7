//! ChessBase databases made byte by byte: names, moves in the encoding of mode 0, annotations, texts.

use std::fs;
use std::path::Path;

use cbvault_format::tables::MODE_0;

/// The codes among moves: a move of two bytes, a variation beside the next move, the end of a line.
const TWO_BYTES: u8 = 235;
const VARIATION: u8 = 254;
const END: u8 = 255;

/// The flags of a record: a text in the place of a game, a start position ahead of the moves.
const IS_TEXT: u8 = 0x80;
const HAS_START: u8 = 0x40;

/// A database.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChessBaseDatabase {
    pub(crate) players: Vec<(Vec<u8>, Vec<u8>)>,
    /// Titles, places and years.
    pub(crate) tournaments: Vec<(Vec<u8>, Vec<u8>, u32)>,
    pub(crate) annotators: Vec<Vec<u8>>,
    pub(crate) sources: Vec<Vec<u8>>,
    pub(crate) teams: Vec<Vec<u8>>,
    pub(crate) games: Vec<ChessBaseGame>,
}

/// A record of a database: a game, or a text.
#[derive(Clone, Debug)]
pub(crate) struct ChessBaseGame {
    pub(crate) is_text: bool,
    pub(crate) is_deleted: bool,
    /// The numbers of names.
    pub(crate) white: u32,
    pub(crate) black: u32,
    pub(crate) tournament: u32,
    pub(crate) annotator: u32,
    pub(crate) source: u32,
    pub(crate) teams: (u32, u32),
    /// Year, month and day.
    pub(crate) date: (u32, u32, u32),
    pub(crate) result: u8,
    pub(crate) round: (u8, u8),
    pub(crate) elo: (u16, u16),
    /// As 128 times the number of the code, counted from 1.
    pub(crate) eco: u16,
    /// A start position: the bytes that precede the moves.
    pub(crate) start: Option<[u8; 28]>,
    /// Moves like `e2e4`, `(` before a move with a variation beside it, `;` at the end of a line.
    pub(crate) moves: &'static str,
    /// The numbers of moves, kinds and contents.
    pub(crate) annotations: Vec<(i32, u8, Vec<u8>)>,
}

impl Default for ChessBaseGame {
    fn default() -> ChessBaseGame {
        ChessBaseGame {
            is_text: false,
            is_deleted: false,
            white: 0,
            black: 1,
            tournament: 0,
            annotator: 0,
            source: 0,
            teams: (u32::MAX, u32::MAX),
            date: (0, 0, 0),
            result: 3,
            round: (0, 0),
            elo: (0, 0),
            eco: 0,
            start: None,
            moves: ";",
            annotations: Vec::new(),
        }
    }
}

impl ChessBaseDatabase {
    /// Writes the files under one name in a folder.
    pub(crate) fn write(&self, folder: &Path, name: &str) {
        // The headers. The one of the index is as long as a record, and has the size of a record.
        let mut index = vec![0; 46];
        index[..6].copy_from_slice(b"\0\0\x2c\0\x2e\x01");
        let mut moves = vec![0; 26];
        moves[1] = 26;
        // The file of annotations begins like the file of moves.
        let mut annotations = moves.clone();
        let mut additions = vec![0; 32];
        additions[0] = 11;
        additions[4..8].copy_from_slice(&120_u32.to_le_bytes());
        additions[8..12].copy_from_slice(&(self.games.len() as u32).to_le_bytes());

        for (number, game) in self.games.iter().enumerate() {
            let moves_place = moves.len() as u32;
            moves.extend(game.move_bytes());
            // A game without annotations has no place in the file of annotations.
            let annotations_place = if game.annotations.is_empty() {
                0
            } else {
                annotations.len() as u32
            };
            annotations.extend(game.annotation_bytes(number as u32 + 1));
            index.extend(game.record(moves_place, annotations_place));
            additions.extend(game.addition(moves_place, annotations_place));
        }

        for (extension, bytes) in [
            ("cbh", index),
            ("cbg", moves),
            ("cba", annotations),
            ("cbj", additions),
            ("cbp", names_file(58, self.player_records())),
            ("cbt", names_file(90, self.tournament_records())),
            ("cbc", names_file(53, name_records(&self.annotators, 53))),
            ("cbs", names_file(59, name_records(&self.sources, 59))),
            ("cbe", names_file(63, name_records(&self.teams, 63))),
        ] {
            let path = folder.join(format!("{name}.{extension}"));
            fs::write(path, bytes).expect("space");
        }
    }

    fn player_records(&self) -> Vec<Vec<u8>> {
        let mut records = Vec::new();
        for (last, first) in &self.players {
            let mut record = fixed(last, 30);
            record.extend(fixed(first, 28));
            records.push(record);
        }
        records
    }

    fn tournament_records(&self) -> Vec<Vec<u8>> {
        let mut records = Vec::new();
        for (title, place, year) in &self.tournaments {
            let mut record = fixed(title, 40);
            record.extend(fixed(place, 30));

            // A date as in a record of a game, but here the lowest byte is first.
            let date: u32 = year << 9;
            record.extend(date.to_le_bytes());
            record.extend([0; 16]);
            records.push(record);
        }
        records
    }
}

impl ChessBaseGame {
    fn record(&self, moves: u32, annotations: u32) -> [u8; 46] {
        let mut record = [0; 46];
        // Bit 0 marks a record in use, bit 1 a text, bit 7 a deleted record.
        record[0] = 1 | u8::from(self.is_text) << 1 | u8::from(self.is_deleted) << 7;
        record[1..5].copy_from_slice(&moves.to_be_bytes());
        if self.is_text {
            return record;
        }

        record[5..9].copy_from_slice(&annotations.to_be_bytes());
        let numbers = [
            self.white,
            self.black,
            self.tournament,
            self.annotator,
            self.source,
        ];
        // Each number has three bytes.
        for (place, number) in numbers.into_iter().enumerate() {
            let at = 9 + 3 * place;
            record[at..at + 3].copy_from_slice(&number.to_be_bytes()[1..]);
        }

        let (year, month, day) = self.date;
        let date = year << 9 | month << 5 | day;
        record[24..27].copy_from_slice(&date.to_be_bytes()[1..]);
        record[27] = self.result;
        (record[29], record[30]) = self.round;
        record[31..33].copy_from_slice(&self.elo.0.to_be_bytes());
        record[33..35].copy_from_slice(&self.elo.1.to_be_bytes());
        record[35..37].copy_from_slice(&self.eco.to_be_bytes());
        record
    }

    /// The additional record: teams, and the places again in 64 bits.
    fn addition(&self, moves: u32, annotations: u32) -> [u8; 120] {
        let (white_team, black_team) = self.teams;
        let annotations = u64::from(annotations);
        let moves = u64::from(moves);

        let mut addition = [0; 120];
        addition[..4].copy_from_slice(&white_team.to_be_bytes());
        addition[4..8].copy_from_slice(&black_team.to_be_bytes());
        addition[12..20].copy_from_slice(&annotations.to_be_bytes());
        addition[30..38].copy_from_slice(&moves.to_be_bytes());
        addition
    }

    fn move_bytes(&self) -> Vec<u8> {
        if self.is_text {
            return [&[IS_TEXT, 0, 0, 10][..], b"A text"].concat();
        }

        let flags = if self.start.is_some() { HAS_START } else { 0 };
        let mut record = vec![flags, 0, 0, 0];
        record.extend(self.start.into_iter().flatten());

        let mut played = 0_u8;
        for word in self.moves.split_whitespace() {
            match word {
                "(" => record.push(encoded(VARIATION, played)),
                ";" => record.push(encoded(END, played)),
                squares => {
                    let [high, low] = two_bytes(squares).to_be_bytes();
                    for code in [TWO_BYTES, high, low] {
                        record.push(encoded(code, played));
                    }
                    played = played.wrapping_add(1);
                }
            }
        }

        // The size has three bytes, behind the flags.
        let size = (record.len() as u32).to_be_bytes();
        record[1..4].copy_from_slice(&size[1..]);
        record
    }

    fn annotation_bytes(&self, number: u32) -> Vec<u8> {
        if self.annotations.is_empty() {
            return Vec::new();
        }

        let mut record = number.to_be_bytes()[1..].to_vec();
        record.extend([1, 0, 0x0e, 0x0e]);
        let count = self.annotations.len() as u32 + 1;
        record.extend(&count.to_be_bytes()[1..]);
        record.extend([0; 4]);

        for (at, kind, data) in &self.annotations {
            record.extend(&at.to_be_bytes()[1..]);
            record.push(*kind);
            // The size counts the place, the kind and itself.
            let size = data.len() as u16 + 6;
            record.extend(size.to_be_bytes());
            record.extend(data);
        }

        let size = (record.len() as u32).to_be_bytes();
        record[10..14].copy_from_slice(&size);
        record
    }
}

/// A text of an annotation, in any language or in the language of a country.
pub(crate) fn text(country: u8, text: &[u8]) -> Vec<u8> {
    [&[0, country][..], text].concat()
}

fn fixed(name: &[u8], bytes: usize) -> Vec<u8> {
    let mut field = name.to_vec();
    field.resize(bytes, 0);
    field
}

/// A file of names: a header, then records, each behind the links of a tree, which are empty here.
fn names_file(data_bytes: u32, records: Vec<Vec<u8>>) -> Vec<u8> {
    let mut file = vec![0; 28];
    file[..4].copy_from_slice(&(records.len() as u32).to_le_bytes());
    file[8..12].copy_from_slice(&1_234_567_890_u32.to_le_bytes());
    file[12..16].copy_from_slice(&data_bytes.to_le_bytes());

    for record in records {
        assert_eq!(record.len(), data_bytes as usize);
        file.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]);
        file.extend(record);
    }
    file
}

fn name_records(names: &[Vec<u8>], bytes: usize) -> Vec<Vec<u8>> {
    names.iter().map(|name| fixed(name, bytes)).collect()
}

/// A move like `e2e4`, as the square of departure in the low six bits and the target above it.
fn two_bytes(squares: &str) -> u16 {
    let &[from_file, from_rank, to_file, to_rank] = squares.as_bytes() else {
        panic!("{squares} is no move like e2e4")
    };
    let square = |file: u8, rank: u8| u16::from((file - b'a') * 8 + rank - b'1');

    square(from_file, from_rank) | (square(to_file, to_rank) << 6)
}

/// A code among moves: translated by the table, and shifted by the number of the moves before.
fn encoded(code: u8, played: u8) -> u8 {
    let place = MODE_0.iter().position(|&translated| translated == code);
    let byte = place.expect("a table of all bytes") as u8;
    byte.wrapping_add(played)
}
