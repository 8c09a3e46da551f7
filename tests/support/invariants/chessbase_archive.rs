//! ChessBase archives made byte by byte, with each kind of compression.

use std::ops::Range;

/// How the blocks of an archive are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockMode {
    Stored,
    /// Literals and references to what is before.
    Lz,
    Huffman,
    HuffmanLz,
}

/// The bytes of a block's content, few enough for references between blocks.
const BLOCK_BYTES: usize = 200;
const HEADER_BYTES: usize = 8;
/// The record of a member in the list of members.
const ENTRY_BYTES: usize = 173;
/// The distances that a reference can have: 12 bits, counted from 3.
const MIN_DISTANCE: usize = 3;
const MAX_DISTANCE: usize = 4098;

/// A ChessBase archive of files with these names.
pub(crate) fn archive(files: &[(String, Vec<u8>)], mode: BlockMode) -> Vec<u8> {
    let mut streams = Vec::new();
    for (_, content) in files {
        streams.push(blocks(content, mode));
    }

    let mut bytes = vec![8, 0];
    bytes.extend((files.len() as u16).to_le_bytes());
    bytes.extend([0xad, 0, 3, 0]);

    // The list of members: names, and the places and sizes of their streams.
    let mut place = HEADER_BYTES + ENTRY_BYTES * files.len();
    for ((name, content), stream) in files.iter().zip(&streams) {
        let mut name = name.clone().into_bytes();
        name.resize(128, 0);
        bytes.extend(name);
        for number in [place, stream.len(), content.len()] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend([0; 9]);
        // The three numbers again, in 64 bits.
        for number in [place, stream.len(), content.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        place += stream.len();
    }

    bytes.extend(streams.concat());
    bytes
}

fn blocks(content: &[u8], mode: BlockMode) -> Vec<u8> {
    let mut stream = Vec::new();
    for start in (0..content.len()).step_by(BLOCK_BYTES) {
        let end = content.len().min(start + BLOCK_BYTES);
        let block = &content[start..end];
        let (number, coded) = match mode {
            BlockMode::Stored => (0, block.to_vec()),
            BlockMode::Lz => (1, lz(content, start..end)),
            BlockMode::Huffman => (2, huffman(block)),
            BlockMode::HuffmanLz => (3, huffman(&lz(content, start..end))),
        };

        // The length counts the number of the mode, too.
        let length = coded.len() as u16 + 1;
        stream.extend(length.to_le_bytes());
        stream.extend([0x5a, 0xa5, number]);
        stream.extend(coded);
    }
    stream
}

/// Groups of 16 literals or references to at most 15 bytes, each group after a word with a bit for each.
fn lz(content: &[u8], block: Range<usize>) -> Vec<u8> {
    let mut coded = Vec::new();
    let mut at = block.start;
    while at < block.end {
        let mut control = 0_u16;
        let mut group = Vec::new();
        for bit in (0..16).rev() {
            if at == block.end {
                break;
            }
            match reference(content, at, block.end) {
                Some((length, distance)) => {
                    control |= 1 << bit;
                    let distance = distance - MIN_DISTANCE;
                    group.extend([(length << 4 | distance & 15) as u8, (distance >> 4) as u8]);
                    at += length;
                }
                None => {
                    group.push(content[at]);
                    at += 1;
                }
            }
        }
        coded.extend(control.to_le_bytes());
        coded.extend(group);
    }
    coded
}

/// The length of the longest text before a place that continues there, up to the end of the block, and its distance.
fn reference(content: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let window = at.saturating_sub(MAX_DISTANCE);
    for length in (3..=15).rev() {
        if at + length > end {
            continue;
        }
        // The text must begin and end before this place.
        let wanted = &content[at..at + length];
        let mut places = content[window..at].windows(length);
        if let Some(place) = places.position(|there| there == wanted) {
            return Some((length, at - window - place));
        }
    }
    None
}

/// The number of bytes, a table in which each byte has a code of eight bits, and the codes.
fn huffman(content: &[u8]) -> Vec<u8> {
    let mut coded = (content.len() as u16).to_be_bytes().to_vec();
    for even in (0..=254_u8).step_by(2) {
        // A length of 8 in four bits and a code, two times.
        let odd = even + 1;
        coded.extend([0x80 | even >> 4, even << 4 | 8, odd]);
    }
    coded.extend(content);
    coded
}
