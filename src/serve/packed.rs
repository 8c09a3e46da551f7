//! Bodies compressed, and tags by which clients know them again.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The tag of a body, by its content.
pub(super) fn entity_tag(body: &[u8]) -> String {
    let hash = blake3::hash(body).to_hex();
    format!("W/\"{}\"", &hash.as_str()[..20])
}

/// A body compressed.
pub(super) fn gzip(body: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), compression);
    // Memory takes every byte.
    let _ = encoder.write_all(body);
    encoder.finish().unwrap_or_default()
}
