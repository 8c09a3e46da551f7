//! The manifest of a part: its sources, its options and its tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::names;
use super::options::{DatasetOptions, Shard, WrittenTable};
use super::sources::SourceEntry;
use crate::error::{Error, Result};

/// The sources, options and tables of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The version of Stamma.
    pub(super) stamma: String,
    pub(super) name: String,
    pub(super) shard: Option<Shard>,
    /// The columns of games.
    pub(super) schema: String,
    pub(super) buckets: u16,
    pub(super) options: BTreeMap<String, serde_json::Value>,
    pub(super) sources: Vec<SourceEntry>,
    pub(super) tables: BTreeMap<String, TableEntry>,
}

/// A table of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TableEntry {
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// The sum of the hashes of the rows modulo 2^128, in hexadecimal.
    pub(super) digest: String,
    /// The paths of the files, relative to the data set, with `/` between folders.
    pub(super) files: Vec<String>,
}

impl Manifest {
    /// The manifest of a part.
    pub(super) fn new(
        name: String,
        options: &DatasetOptions,
        sources: Vec<SourceEntry>,
        tables: &[WrittenTable],
    ) -> Manifest {
        let mut entries = BTreeMap::new();
        for table in tables {
            let entry = TableEntry {
                rows: table.rows,
                bytes: table.bytes,
                digest: table.digest.to_string(),
                files: table.files.iter().map(|file| with_slashes(file)).collect(),
            };
            entries.insert(table.name.to_owned(), entry);
        }

        Manifest {
            stamma: env!("CARGO_PKG_VERSION").to_owned(),
            name,
            shard: options.shard,
            schema: options.layout.as_str().to_owned(),
            buckets: options.buckets.get(),
            options: shared_options(options),
            sources,
            tables: entries,
        }
    }

    /// The name of the part without the number of a shard.
    pub(super) fn stem(&self) -> &str {
        names::without_shard(&self.name, self.shard)
    }

    /// The paths of the files of all tables, relative to the data set.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.tables
            .values()
            .flat_map(|table| table.files.iter().map(PathBuf::from))
    }
}

/// The options that are equal in all parts of a data set, besides the schema and the buckets.
fn shared_options(options: &DatasetOptions) -> BTreeMap<String, serde_json::Value> {
    let pairs = [
        ("max_ply", serde_json::json!(options.max_ply)),
        ("fen", serde_json::json!(options.fen)),
        ("plies", serde_json::json!(options.plies)),
        ("evaluations", serde_json::json!(options.evaluations)),
        ("bloom", serde_json::json!(options.bloom)),
        ("id_salt", serde_json::json!(options.id_salt)),
    ];

    let mut by_name = BTreeMap::new();
    for (name, value) in pairs {
        by_name.insert(name.to_owned(), value);
    }
    by_name
}

/// Checks that a part with these options can be added to a data set with these parts.
///
/// # Errors
/// If an earlier part has other options.
pub(super) fn check_compatible(
    path: &Path,
    parts: &[Manifest],
    options: &DatasetOptions,
) -> Result<()> {
    let wanted = described_form(
        options.layout.as_str(),
        options.buckets.get(),
        &shared_options(options),
    );
    for part in parts {
        let found = described_form(&part.schema, part.buckets, &part.options);
        if found != wanted {
            return Err(Error::OtherDataSet {
                path: path.to_owned(),
                found,
                wanted,
            });
        }
    }
    Ok(())
}

/// The schema, buckets and shared options of a data set, in words for a message.
fn described_form(
    schema: &str,
    buckets: u16,
    options: &BTreeMap<String, serde_json::Value>,
) -> String {
    let mut form = format!("the schema {schema} with {buckets} buckets of positions");
    if let Some(max_ply) = options.get("max_ply")
        && !max_ply.is_null()
    {
        form += &format!(" to ply {max_ply}");
    }

    let flags = [
        ("fen", ", with FEN"),
        ("plies", ", with plies"),
        ("evaluations", ", with evaluations"),
    ];
    for (name, text) in flags {
        let is_set = options.get(name).is_some_and(|value| value == true);
        if is_set {
            form += text;
        }
    }
    form
}

fn with_slashes(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
