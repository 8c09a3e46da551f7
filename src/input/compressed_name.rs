//! Names of compressed files.

/// The endings that name a compression.
pub(super) const COMPRESSED: [&str; 5] = [".zst", ".gz", ".bz2", ".xz", ".lz4"];

/// A file's name without the ending that names its compression.
pub(crate) fn without_compression(name: &str) -> &str {
    COMPRESSED
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
}
