//! The names of players, events, sites and rounds of a Scid database, by their numbers.

use std::io::{self, Read};

use super::files::Version;

/// The first bytes of the file of version 4.
pub(super) const NAMES_MAGIC: &[u8; 8] = b"Scid.sn\0";
/// The bytes behind the magic number: a time that is not used, the number of names and the highest frequency of each
/// kind.
const COUNT_BYTES: usize = FREQUENCIES_AT + KINDS * NUMBER_BYTES;
/// The offsets, within these bytes, of the numbers of names and of the highest frequencies.
const COUNTS_AT: usize = 4;
const FREQUENCIES_AT: usize = COUNTS_AT + KINDS * NUMBER_BYTES;
/// The size of each of these numbers.
const NUMBER_BYTES: usize = 3;
/// The maximum length of a name. Scid allows 255 bytes, so a longer name is damage.
const MAX_NAME_BYTES: u64 = 4096;
/// The minimum size of a name of version 4: a number of two bytes, a frequency, and a length. It limits the number of
/// names in a file of a given size.
const MIN_NAME_BYTES: u64 = 4;
/// Numbers of names have three bytes if there are at least this number of names, and frequencies if the highest
/// frequency is at least this number.
const LARGE: u32 = 1 << 16;
/// Frequencies have two bytes if their maximum is at least this number.
const MEDIUM: u32 = 1 << 8;
/// In version 5, the kind of a record is in the lowest bits of a number, below the length.
const KIND_BITS: u32 = 3;
/// The kind of a record of version 5 about the database.
const ABOUT_THE_DATABASE: u64 = 4;

/// A kind of names, in the order of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Player,
    Event,
    Site,
    Round,
}

const KINDS: usize = 4;

/// The names of a database.
#[derive(Debug, Default)]
pub(super) struct Names {
    text: Vec<u8>,
    places: [Vec<Place>; KINDS],
}

/// The place of a name in the text.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    bytes: u16,
}

impl Place {
    /// No text reaches this place: a name begins at most at `u32::MAX`, and has at most 4096 bytes.
    const MISSING: Place = Place {
        start: u32::MAX,
        bytes: u16::MAX,
    };
}

/// The result of reading a file of names.
#[derive(Debug)]
pub(super) struct ReadNames {
    pub(super) names: Names,
    pub(super) is_whole: bool,
}

impl Names {
    /// A name by its number; `None` if it is missing.
    pub(super) fn get(&self, kind: NameKind, number: u32) -> Option<&[u8]> {
        let places = &self.places[kind as usize];
        let place = places.get(number as usize)?;

        let start = place.start as usize;
        let end = start.checked_add(usize::from(place.bytes))?;
        self.text.get(start..end)
    }

    /// Reads the names of a file of a size, behind its magic number. Names behind damage are missing.
    ///
    /// # Errors
    /// If the file cannot be read, or the names take more memory than allowed.
    pub(super) fn read(
        version: Version,
        input: impl Read,
        file_bytes: u64,
        memory: u64,
    ) -> io::Result<ReadNames> {
        let mut reader = NameReader {
            input,
            names: Names::default(),
            memory,
            left: file_bytes,
        };
        let read = match version {
            Version::Four => reader.read_4(),
            Version::Five => reader.read_5(),
        };

        let is_whole = match read {
            Ok(()) => true,
            Err(Stop::Damage) => false,
            Err(Stop::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => false,
            Err(Stop::Io(error)) => return Err(error),
        };
        Ok(ReadNames {
            names: reader.names,
            is_whole,
        })
    }
}

/// The reason why no more names are read.
enum Stop {
    Io(io::Error),
    Damage,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

struct NameReader<R> {
    input: R,
    names: Names,
    /// The memory that may still be taken.
    memory: u64,
    /// The bytes of the file that may still come.
    left: u64,
}

impl<R: Read> NameReader<R> {
    /// Reserves memory, before it is allocated.
    fn take_memory(&mut self, bytes: u64) -> io::Result<()> {
        self.memory = self
            .memory
            .checked_sub(bytes)
            .ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    /// A big-endian number.
    fn number(&mut self, bytes: usize) -> io::Result<u32> {
        let mut number = 0;
        for _ in 0..bytes {
            number = number << 8 | u32::from(self.byte()?);
        }
        Ok(number)
    }

    /// Appends a name to the text; returns its place.
    fn add_to_text(&mut self, name: &[u8]) -> Result<Place, Stop> {
        self.take_memory(name.len() as u64)?;

        let text = &mut self.names.text;
        let start = u32::try_from(text.len()).map_err(|_| Stop::Damage)?;
        let bytes = u16::try_from(name.len()).map_err(|_| Stop::Damage)?;
        text.extend_from_slice(name);
        Ok(Place { start, bytes })
    }

    /// Names of version 4: sorted, each without the bytes that it shares with the name before it.
    fn read_4(&mut self) -> Result<(), Stop> {
        let mut counts = [0; COUNT_BYTES];
        self.input.read_exact(&mut counts)?;
        self.left = self.left.saturating_sub(COUNT_BYTES as u64);

        let number_at = |at: usize| {
            let bytes = [0, counts[at], counts[at + 1], counts[at + 2]];
            u32::from_be_bytes(bytes)
        };
        for kind in 0..KINDS {
            let count = number_at(COUNTS_AT + NUMBER_BYTES * kind);
            let max_frequency = number_at(FREQUENCIES_AT + NUMBER_BYTES * kind);
            self.read_kind_4(kind, count, max_frequency)?;
        }
        Ok(())
    }

    /// Reads the names of one kind; see [`NameReader::read_4`].
    fn read_kind_4(&mut self, kind: usize, count: u32, max_frequency: u32) -> Result<(), Stop> {
        if u64::from(count) > self.left / MIN_NAME_BYTES {
            return Err(Stop::Damage);
        }
        self.take_memory(u64::from(count) * size_of::<Place>() as u64)?;
        self.names.places[kind] = vec![Place::MISSING; count as usize];

        let number_bytes = if count >= LARGE { 3 } else { 2 };
        let frequency_bytes = match max_frequency {
            LARGE.. => 3,
            MEDIUM.. => 2,
            _ => 1,
        };
        let mut name = Vec::new();
        for row in 0..count {
            let number = self.number(number_bytes)?;
            let _frequency = self.number(frequency_bytes)?;
            let length = usize::from(self.byte()?);
            let is_first = row == 0;
            let shared = if is_first {
                0
            } else {
                usize::from(self.byte()?)
            };
            if shared > length || shared > name.len() {
                return Err(Stop::Damage);
            }

            // The shared bytes are the beginning of the previous name, which is still in the buffer.
            name.truncate(shared);
            name.resize(length, 0);
            self.input.read_exact(&mut name[shared..])?;

            let place = self.add_to_text(&name)?;
            let places = &mut self.names.places[kind];
            let entry = places.get_mut(number as usize).ok_or(Stop::Damage)?;
            *entry = place;
        }
        Ok(())
    }

    /// Names of version 5: in the order of their numbers, each behind its length and kind.
    fn read_5(&mut self) -> Result<(), Stop> {
        let mut name = Vec::new();
        while let Some(length_and_kind) = self.variable_number()? {
            let length = length_and_kind >> KIND_BITS;
            let kind = length_and_kind & ((1 << KIND_BITS) - 1);
            if kind > ABOUT_THE_DATABASE || length > self.left {
                return Err(Stop::Damage);
            }

            let is_skipped = kind == ABOUT_THE_DATABASE || length > MAX_NAME_BYTES;
            if is_skipped {
                self.skip(length)?;
                // A name that is too long still has a number.
                if kind < KINDS as u64 {
                    self.take_memory(size_of::<Place>() as u64)?;
                    self.names.places[kind as usize].push(Place::MISSING);
                }
                continue;
            }

            name.resize(length as usize, 0);
            self.input.read_exact(&mut name)?;
            // The capacity of a growing list may be twice its length.
            self.take_memory(2 * size_of::<Place>() as u64)?;
            let place = self.add_to_text(&name)?;
            self.names.places[kind as usize].push(place);
        }
        Ok(())
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(bytes), &mut io::sink())?;
        if skipped == bytes {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// A number in groups of seven bits, the lowest first; `None` at the end of the file.
    fn variable_number(&mut self) -> Result<Option<u64>, Stop> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let mut byte = [0];
            let read = self.input.read(&mut byte)?;
            let is_first = shift == 0;
            if read == 0 && is_first {
                return Ok(None);
            }
            if read == 0 {
                return Err(Stop::Damage);
            }

            number |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] < 0x80 {
                return Ok(Some(number));
            }
        }
        Err(Stop::Damage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of version 4 with two players and an event, behind its magic number.
    fn version_4() -> Vec<u8> {
        let mut bytes = vec![0; 4];
        for count in [2, 1, 0, 0, 1, 1, 0, 0] {
            bytes.extend_from_slice(&[0, 0, count]);
        }
        bytes.extend_from_slice(b"\0\x01\x01\x05Adams");
        bytes.extend_from_slice(b"\0\0\x01\x06\x02olf");
        bytes.pop();
        bytes.extend_from_slice(b"fe");
        bytes.extend_from_slice(b"\0\0\x01\x04Oslo");
        bytes
    }

    fn names(version: Version, bytes: &[u8], memory: u64) -> io::Result<ReadNames> {
        Names::read(version, bytes, bytes.len() as u64, memory)
    }

    #[test]
    fn names_of_version_4_share_their_beginnings() {
        let ReadNames { names, is_whole } =
            names(Version::Four, &version_4(), 1000).expect("readable");
        assert!(is_whole);
        assert_eq!(names.get(NameKind::Player, 1), Some(&b"Adams"[..]));
        assert_eq!(names.get(NameKind::Player, 0), Some(&b"Adolfe"[..]));
        assert_eq!(names.get(NameKind::Player, 2), None);
        assert_eq!(names.get(NameKind::Event, 0), Some(&b"Oslo"[..]));
        assert_eq!(names.get(NameKind::Round, 0), None);
    }

    #[test]
    fn names_of_version_5_come_with_their_kinds() {
        let bytes = [
            &[5 << 3][..],
            b"Adams",
            &[4 << 3 | 4],
            b"type",
            &[4 << 3 | 1],
            b"Oslo",
            &[3],
        ];
        let ReadNames { names, is_whole } =
            names(Version::Five, &bytes.concat(), 1000).expect("readable");
        assert!(is_whole);
        assert_eq!(names.get(NameKind::Player, 0), Some(&b"Adams"[..]));
        assert_eq!(names.get(NameKind::Event, 0), Some(&b"Oslo"[..]));
        assert_eq!(names.get(NameKind::Round, 0), Some(&b""[..]));
    }

    #[test]
    fn a_name_that_is_too_long_is_missing_also_among_many_names() {
        // A player with 4096 bytes; the length and the kind take three bytes.
        let longest = [&[0x80, 0x80, 0x02][..], &[b'a'; 4096]].concat();
        let too_long = [&[0x88, 0x80, 0x02][..], &[b'b'; 4097]].concat();
        let bytes = [longest.repeat(17), too_long].concat();

        let ReadNames { names, is_whole } =
            names(Version::Five, &bytes, 1 << 20).expect("readable");

        assert!(is_whole);
        assert_eq!(names.get(NameKind::Player, 16), Some(&[b'a'; 4096][..]));
        assert_eq!(names.get(NameKind::Player, 17), None);
    }

    #[test]
    fn names_before_damage_are_kept() {
        let bytes = version_4();
        let cut = names(Version::Four, &bytes[..bytes.len() - 9], 1000).expect("readable");
        assert!(!cut.is_whole);
        assert_eq!(cut.names.get(NameKind::Player, 1), Some(&b"Adams"[..]));
        assert_eq!(cut.names.get(NameKind::Event, 0), None);
    }

    #[test]
    fn counts_take_no_more_memory_than_the_file_could_have_names() {
        let mut bytes = version_4();
        bytes[COUNTS_AT..COUNTS_AT + 3].copy_from_slice(&[0xff; 3]);

        let read = names(Version::Four, &bytes, 1000).expect("readable");

        assert!(!read.is_whole);
    }

    #[test]
    fn memory_is_limited() {
        let refused = names(Version::Four, &version_4(), 20).expect_err("too little memory");
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);

        let bytes = [0; 100];
        let refused = names(Version::Five, &bytes, 20).expect_err("too little memory");
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
    }
}
