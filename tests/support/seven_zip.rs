//! 7z archives: as programs write them, and made byte by byte with headers that no program writes.

use std::io::Cursor;

use sevenz_rust2::encoder_options::EncoderOptions;
use sevenz_rust2::{
    ArchiveEntry, ArchiveWriter, EncoderConfiguration, EncoderMethod, SourceReader,
};

/// Compresses each member for itself.
pub(crate) fn each(members: &[(&str, &[u8])], methods: Vec<EncoderConfiguration>) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).expect("memory");
    writer.set_content_methods(methods);
    for (name, bytes) in members {
        let entry = ArchiveEntry::new_file(name);
        // An empty member has no stream.
        let content = (!bytes.is_empty()).then_some(*bytes);
        writer.push_archive_entry(entry, content).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// Compresses all members in one block.
pub(crate) fn solid(members: &[(&str, &[u8])], methods: Vec<EncoderConfiguration>) -> Vec<u8> {
    let mut entries = Vec::new();
    let mut sources = Vec::new();
    for (name, bytes) in members {
        entries.push(ArchiveEntry::new_file(name));
        sources.push(SourceReader::new(*bytes));
    }

    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).expect("memory");
    writer.set_content_methods(methods);
    writer
        .push_archive_entries(entries, sources)
        .expect("memory");
    writer.finish().expect("memory").into_inner()
}

pub(crate) fn method(method: EncoderMethod) -> EncoderConfiguration {
    EncoderConfiguration::new(method)
}

pub(crate) fn method_with(method: EncoderMethod, options: EncoderOptions) -> EncoderConfiguration {
    EncoderConfiguration::new(method).with_options(options)
}

/// The properties of a header, by the names of the 7z format.
const END: u8 = 0x00;
const HEADER: u8 = 0x01;
const MAIN_STREAMS_INFO: u8 = 0x04;
const FILES_INFO: u8 = 0x05;
const PACK_INFO: u8 = 0x06;
const UNPACK_INFO: u8 = 0x07;
const SUBSTREAMS_INFO: u8 = 0x08;
const SIZE: u8 = 0x09;
const CRC: u8 = 0x0a;
const FOLDER: u8 = 0x0b;
const CODERS_UNPACK_SIZE: u8 = 0x0c;
const NUM_UNPACK_STREAM: u8 = 0x0d;
const NAMES: u8 = 0x11;
/// A flag of a coder, beside the length of the identifier of its method.
const HAS_PROPERTIES: u8 = 0x20;

/// A coder of an archive made by hand: the identifier of its method, and its properties.
pub(crate) type HandmadeCoder<'b> = (&'b [u8], &'b [u8]);

/// An archive of one block with one coder, which is not applied: `packed` is what it has made of the members.
pub(crate) fn by_hand(
    coder: HandmadeCoder<'_>,
    packed: &[u8],
    members: &[(&str, &[u8])],
) -> Vec<u8> {
    let mut header = vec![HEADER, MAIN_STREAMS_INFO];
    add_pack_info(&mut header, packed);
    add_unpack_info(&mut header, coder, members);
    add_substreams_info(&mut header, members);
    header.push(END);
    add_files_info(&mut header, members);
    header.push(END);
    with_header(packed, &header)
}

/// One packed stream, at the start.
fn add_pack_info(header: &mut Vec<u8>, packed: &[u8]) {
    header.push(PACK_INFO);
    header.extend(number(0));
    header.extend(number(1));
    header.push(SIZE);
    header.extend(number(packed.len() as u64));
    header.push(END);
}

/// One block, of one coder with properties.
fn add_unpack_info(
    header: &mut Vec<u8>,
    (method, properties): HandmadeCoder<'_>,
    members: &[(&str, &[u8])],
) {
    let whole: u64 = members.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    header.extend([UNPACK_INFO, FOLDER]);
    header.extend(number(1));
    // The block is described here, not in another stream.
    header.push(0);
    header.extend(number(1));
    header.push(HAS_PROPERTIES | method.len() as u8);
    header.extend(method);
    header.extend(number(properties.len() as u64));
    header.extend(properties);
    header.push(CODERS_UNPACK_SIZE);
    header.extend(number(whole));
    header.push(END);
}

/// The parts of the block, whose last size is the rest, with their checksums.
fn add_substreams_info(header: &mut Vec<u8>, members: &[(&str, &[u8])]) {
    header.extend([SUBSTREAMS_INFO, NUM_UNPACK_STREAM]);
    header.extend(number(members.len() as u64));
    header.push(SIZE);
    for (_, bytes) in &members[..members.len() - 1] {
        header.extend(number(bytes.len() as u64));
    }

    // All checksums are defined.
    header.extend([CRC, 1]);
    for (_, bytes) in members {
        header.extend(crc32fast::hash(bytes).to_le_bytes());
    }
    header.push(END);
}

/// The names, in UTF-16, each with a zero at its end.
fn add_files_info(header: &mut Vec<u8>, members: &[(&str, &[u8])]) {
    // The names are here, not in another stream.
    let mut names = vec![0];
    for (name, _) in members {
        let units = name.encode_utf16().chain([0]);
        names.extend(units.flat_map(u16::to_le_bytes));
    }

    header.push(FILES_INFO);
    header.extend(number(members.len() as u64));
    header.push(NAMES);
    header.extend(number(names.len() as u64));
    header.extend(names);
    header.push(END);
}

/// An archive with this header.
pub(crate) fn with_header(packed: &[u8], header: &[u8]) -> Vec<u8> {
    let mut place = Vec::new();
    place.extend((packed.len() as u64).to_le_bytes());
    place.extend((header.len() as u64).to_le_bytes());
    place.extend(crc32fast::hash(header).to_le_bytes());

    let mut archive = b"7z\xbc\xaf\x27\x1c\0\x04".to_vec();
    archive.extend(crc32fast::hash(&place).to_le_bytes());
    archive.extend(place);
    archive.extend(packed);
    archive.extend(header);
    archive
}

/// A number of a header, in its longest form.
pub(crate) fn number(number: u64) -> Vec<u8> {
    let mut bytes = vec![0xff];
    bytes.extend(number.to_le_bytes());
    bytes
}
