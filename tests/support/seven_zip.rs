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

/// A coder of an archive made by hand: the identifier of its method, and its properties.
pub(crate) type HandmadeCoder<'b> = (&'b [u8], &'b [u8]);

/// An archive of one block with one coder, which is not applied: `packed` is what it has made of the members.
pub(crate) fn by_hand(
    (method, properties): HandmadeCoder<'_>,
    packed: &[u8],
    members: &[(&str, &[u8])],
) -> Vec<u8> {
    let whole: u64 = members.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let mut header = Vec::new();
    // The header, its streams: one packed stream, at the start.
    header.extend([0x01, 0x04, 0x06]);
    header.extend(number(0));
    header.extend(number(1));
    header.push(0x09);
    header.extend(number(packed.len() as u64));
    header.push(0);

    // One block, of one coder with properties.
    header.extend([0x07, 0x0b]);
    header.extend(number(1));
    header.push(0);
    header.extend(number(1));
    header.push(0x20 | method.len() as u8);
    header.extend(method);
    header.extend(number(properties.len() as u64));
    header.extend(properties);
    header.push(0x0c);
    header.extend(number(whole));
    header.push(0);

    // The parts of the block, whose last size is the rest, with their checksums.
    header.extend([0x08, 0x0d]);
    header.extend(number(members.len() as u64));
    header.push(0x09);
    for (_, bytes) in &members[..members.len() - 1] {
        header.extend(number(bytes.len() as u64));
    }
    header.extend([0x0a, 1]);
    for (_, bytes) in members {
        header.extend(crc32fast::hash(bytes).to_le_bytes());
    }
    header.extend([0, 0]);

    // The names.
    header.push(0x05);
    header.extend(number(members.len() as u64));
    header.push(0x11);
    let mut names = vec![0];
    for (name, _) in members {
        names.extend(name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }
    header.extend(number(names.len() as u64));
    header.extend(names);
    header.extend([0, 0]);
    with_header(packed, &header)
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
