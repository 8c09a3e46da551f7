//! The records of a Scid index: the tags of a game that are not names, the numbers of its names, and the place of its
//! moves.
//!
//! Version 4 stores big-endian numbers, and version 5 little-endian numbers. Both pack several small fields into one
//! number.

use super::files::Version;

/// The bytes before the first record of version 4: magic number, version, type, number of games, the game to open
/// first, a description, and six names of flags. Version 5 has none.
pub(super) const HEADER_BYTES: u64 = 182;
/// The version that the header of Scid 4 names.
pub(super) const VERSION_4: u16 = 400;
/// The first bytes of the index of version 4.
pub(super) const INDEX_MAGIC: &[u8; 8] = b"Scid.si\0";

const RECORD_BYTES_4: usize = 47;
const RECORD_BYTES_5: usize = 56;

/// The bit of games that are marked as deleted.
const DELETED: u32 = 1 << 3;
/// The flags that users set, in the order in which Scid writes them, with their bits.
const FLAGS: [(u8, u32); 19] = [
    (b'D', 3),
    (b'W', 4),
    (b'B', 5),
    (b'M', 6),
    (b'E', 7),
    (b'N', 8),
    (b'P', 9),
    (b'T', 10),
    (b'K', 11),
    (b'Q', 12),
    (b'!', 13),
    (b'?', 14),
    (b'U', 15),
    (b'1', 16),
    (b'2', 17),
    (b'3', 18),
    (b'4', 19),
    (b'5', 20),
    (b'6', 21),
];

/// The subdivisions with one letter: without a digit, or with a digit from 1 to 4.
const SUBCODES_OF_LETTER: u16 = 5;
/// The subdivisions of an ECO code: none, or a letter with or without a digit from 1 to 4.
const SUBCODES: u16 = 1 + 26 * SUBCODES_OF_LETTER;
/// The number of ECO codes of a letter from A to E.
const ECO_CODES_OF_VOLUME: u16 = 100;
/// The number of ECO codes.
const ECO_CODES: u16 = 5 * ECO_CODES_OF_VOLUME;

/// The bits of a date: 11 bits for the year, 4 for the month and 5 for the day.
const DATE_BITS: u32 = 20;
const DATE_MASK: u32 = (1 << DATE_BITS) - 1;
const YEAR_SHIFT: u32 = 9;
const MONTH_SHIFT: u32 = 5;
const MONTH_MASK: u32 = 0xf;
const DAY_MASK: u32 = 0x1f;

/// A date: year, month and day. An unknown part is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Date(u32);

impl Date {
    fn new(year: u32, month: u32, day: u32) -> Date {
        Date(year << YEAR_SHIFT | month << MONTH_SHIFT | day)
    }

    /// The date in the lowest bits of a number.
    fn from_bits(bits: u32) -> Date {
        Date(bits & DATE_MASK)
    }

    fn year(self) -> u32 {
        self.0 >> YEAR_SHIFT
    }

    fn month(self) -> u32 {
        self.0 >> MONTH_SHIFT & MONTH_MASK
    }

    fn day(self) -> u32 {
        self.0 & DAY_MASK
    }

    /// Returns `true` if year, month and day are unknown.
    pub(super) fn is_unknown(self) -> bool {
        self.0 == 0
    }

    /// As a PGN date, like `2016.11.??`.
    pub(super) fn to_pgn(self) -> String {
        let part = |number: u32, width: usize| match number {
            0 => "?".repeat(width),
            number => format!("{number:0width$}"),
        };
        let year = part(self.year(), 4);
        let month = part(self.month(), 2);
        let day = part(self.day(), 2);
        format!("{year}.{month}.{day}")
    }
}

/// A player's rating: the value, 0 if there is none, and the number of the rating system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rating {
    pub(super) points: u16,
    kind: u8,
}

impl Rating {
    /// The suffix of the tag's name, such as `Elo`.
    pub(super) fn kind(self) -> &'static str {
        match self.kind {
            0 => "Elo",
            2 => "Rapid",
            3 => "ICCF",
            4 => "USCF",
            5 => "DWZ",
            6 => "ECF",
            _ => "Rating",
        }
    }
}

/// A game in the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The offset of the game in the file of games.
    pub(super) offset: u64,
    /// The size of the game in the file of games.
    pub(super) bytes: u32,
    pub(super) flags: u32,
    pub(super) is_chess960: bool,
    /// The numbers of names.
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) event: u32,
    pub(super) site: u32,
    pub(super) round: u32,
    pub(super) result: u8,
    pub(super) eco: u16,
    pub(super) date: Date,
    pub(super) event_date: Date,
    pub(super) white_rating: Rating,
    pub(super) black_rating: Rating,
}

impl Version {
    /// The bytes of a record.
    pub(super) fn record_bytes(self) -> usize {
        match self {
            Version::Four => RECORD_BYTES_4,
            Version::Five => RECORD_BYTES_5,
        }
    }

    /// The bytes before the first record.
    pub(super) fn header_bytes(self) -> u64 {
        match self {
            Version::Four => HEADER_BYTES,
            Version::Five => 0,
        }
    }

    /// A record of [`Version::record_bytes`].
    pub(super) fn record(self, bytes: &[u8]) -> Record {
        match self {
            Version::Four => record_4(bytes),
            Version::Five => record_5(bytes),
        }
    }
}

impl Record {
    pub(super) fn is_deleted(&self) -> bool {
        self.flags & DELETED != 0
    }

    /// The letters of the flags that are set.
    pub(super) fn flags(&self) -> impl Iterator<Item = u8> {
        let flags = self.flags;
        FLAGS
            .into_iter()
            .filter(move |(_, bit)| flags >> bit & 1 == 1)
            .map(|(letter, _)| letter)
    }

    /// The game termination marker.
    pub(super) fn result(&self) -> &'static str {
        match self.result {
            1 => "1-0",
            2 => "0-1",
            3 => "1/2-1/2",
            _ => "*",
        }
    }

    /// The ECO code, with the letter and digit of Scid's subdivision; `None` if there is none.
    pub(super) fn eco(&self) -> Option<String> {
        let code = self.eco.checked_sub(1)?;
        let basic = code / SUBCODES;
        let subcode = code % SUBCODES;
        if basic >= ECO_CODES {
            return None;
        }

        let volume = char::from(b'A' + (basic / ECO_CODES_OF_VOLUME) as u8);
        let mut eco = format!("{volume}{:02}", basic % ECO_CODES_OF_VOLUME);
        if let Some(subcode) = subcode.checked_sub(1) {
            let letter = (subcode / SUBCODES_OF_LETTER) as u8;
            let digit = (subcode % SUBCODES_OF_LETTER) as u8;
            eco.push(char::from(b'a' + letter));
            if digit > 0 {
                eco.push(char::from(b'0' + digit));
            }
        }
        Some(eco)
    }
}

/// A record of version 4, of [`RECORD_BYTES_4`] bytes.
fn record_4(bytes: &[u8]) -> Record {
    let byte = |at: usize| u32::from(bytes[at]);
    let u16_at = |at: usize| byte(at) << 8 | byte(at + 1);
    let u32_at = |at: usize| u16_at(at) << 16 | u16_at(at + 2);
    let rating = |at: usize| Rating {
        points: u16_at(at) as u16 & 0xfff,
        kind: bytes[at] >> 4,
    };

    // The highest bit of a length of 17 bits, and the upper six of 22 flags.
    let length_and_flags = byte(6);
    // The upper bits of the numbers of names, of which the lower 16 bits follow: four bits for each player, then three
    // bits for the event, three for the site and two for the round.
    let player_bits = byte(9);
    let other_bits = byte(14);

    let dates = u32_at(25);
    let date = Date::from_bits(dates);
    // The year of the event is stored in three bits, as its distance from the year of the game, plus 4; 0 is no date.
    let stored_date = Date(dates >> DATE_BITS);
    let distance = stored_date.year() & 7;
    let event_date = if distance == 0 {
        Date::default()
    } else {
        let year = (distance + date.year()).saturating_sub(4);
        Date::new(year, stored_date.month(), stored_date.day())
    };

    Record {
        offset: u64::from(u32_at(0)),
        bytes: (length_and_flags & 0x80) << 9 | u16_at(4),
        flags: (length_and_flags & 0x3f) << 16 | u16_at(7),
        is_chess960: false,
        white: (player_bits & 0xf0) << 12 | u16_at(10),
        black: (player_bits & 0x0f) << 16 | u16_at(12),
        event: (other_bits & 0xe0) << 11 | u16_at(15),
        site: (other_bits & 0x1c) << 14 | u16_at(17),
        round: (other_bits & 0x03) << 16 | u16_at(19),
        result: bytes[21] >> 4,
        eco: u16_at(23) as u16,
        date,
        event_date,
        white_rating: rating(29),
        black_rating: rating(31),
    }
}

/// A record of version 5, of [`RECORD_BYTES_5`] bytes.
fn record_5(bytes: &[u8]) -> Record {
    let word = |number: usize| {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[number * 4..][..4]);
        u32::from_le_bytes(word)
    };

    let last = word(11);
    let kinds_and_result = (last >> 16) as u8;
    let rating = |word: u32, kind: u8| Rating {
        points: (word >> 20) as u16,
        kind: kind & 7,
    };

    Record {
        offset: u64::from(word(8) & 0x7fff) << 32 | u64::from(word(9)),
        bytes: word(8) >> 15,
        flags: word(7) & 0x3f_ffff,
        is_chess960: word(4) >> 31 == 1,
        white: word(0) & 0x0fff_ffff,
        black: word(1) & 0x0fff_ffff,
        event: word(2) & 0x0fff_ffff,
        site: word(3),
        round: word(4) & 0x7fff_ffff,
        result: kinds_and_result & 3,
        eco: last as u16,
        date: Date::from_bits(word(5)),
        event_date: Date::from_bits(word(6)),
        white_rating: rating(word(5), kinds_and_result >> 5),
        black_rating: rating(word(6), kinds_and_result >> 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eco(eco: u16) -> Option<String> {
        Record {
            eco,
            ..Record::default()
        }
        .eco()
    }

    #[test]
    fn eco_codes() {
        assert_eq!(eco(0), None);
        assert_eq!(eco(1).as_deref(), Some("A00"));
        assert_eq!(eco(2).as_deref(), Some("A00a"));
        assert_eq!(eco(3).as_deref(), Some("A00a1"));
        assert_eq!(eco(131).as_deref(), Some("A00z4"));
        assert_eq!(eco(132).as_deref(), Some("A01"));
        assert_eq!(eco(499 * 131 + 1).as_deref(), Some("E99"));
        assert_eq!(eco(u16::MAX).as_deref(), None);
    }

    #[test]
    fn dates() {
        assert_eq!(Date::new(2016, 11, 0).to_pgn(), "2016.11.??");
        assert_eq!(Date::new(0, 0, 0).to_pgn(), "????.??.??");
        assert_eq!(Date::new(851, 1, 31).to_pgn(), "0851.01.31");
    }

    #[test]
    fn flags() {
        let record = Record {
            flags: 1 << 3 | 1 << 13 | 1 << 21 | 1,
            ..Record::default()
        };
        assert!(record.is_deleted());
        assert_eq!(record.flags().collect::<Vec<u8>>(), b"D!6");
    }
}
