//! Compressed bodies, and the entity tags of bodies.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The number of hexadecimal digits of an entity tag. Two versions of one address must differ, and 80 bits are enough.
/// A hash has more digits.
const TAG_DIGITS: usize = 20;

/// The weak entity tag of a body: a hash of its content, compressed or not.
pub(super) fn entity_tag(body: &[u8]) -> String {
    let hash = blake3::hash(body).to_hex();
    let digits = &hash.as_str()[..TAG_DIGITS];
    format!("W/\"{digits}\"")
}

/// A body compressed with gzip.
pub(super) fn gzip(body: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), compression);
    // Writing to memory does not fail.
    let _ = encoder.write_all(body);
    encoder.finish().unwrap_or_default()
}
