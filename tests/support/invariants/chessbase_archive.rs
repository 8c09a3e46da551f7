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

/// A ChessBase archive of files with these names.
pub(crate) fn archive(files: &[(String, Vec<u8>)], mode: BlockMode) -> Vec<u8> {
    let streams: Vec<Vec<u8>> = files
        .iter()
        .map(|(_, content)| blocks(content, mode))
        .collect();
    let mut bytes = vec![8, 0];
    bytes.extend((files.len() as u16).to_le_bytes());
    bytes.extend([0xad, 0, 3, 0]);

    let mut place = 8 + 173 * files.len();
    for ((name, content), stream) in files.iter().zip(&streams) {
        let mut name = name.clone().into_bytes();
        name.resize(128, 0);
        bytes.extend(name);
        for number in [place, stream.len(), content.len()] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend([0; 9]);
        bytes.extend((place as u64).to_le_bytes());
        bytes.extend((stream.len() as u64).to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
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
        stream.extend((coded.len() as u16 + 1).to_le_bytes());
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
            let window = at.saturating_sub(4098);
            let found = (3..=15).rev().find_map(|length| {
                let wanted = content
                    .get(at..at + length)
                    .filter(|_| at + length <= block.end)?;
                let mut places = content[window..at].windows(length);
                Some((
                    length,
                    at - window - places.position(|there| there == wanted)?,
                ))
            });
            match found {
                Some((length, distance)) => {
                    control |= 1 << bit;
                    let distance = distance - 3;
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
