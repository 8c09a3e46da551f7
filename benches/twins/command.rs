//! The duplicates that the program finds in a database of a file.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use stamma::cleaning::twins::{TwinGroup, TwinKind, TwinReasons};

use crate::process::{STAMMA, import};

/// The groups that `stamma dedupe` lists, by the places of games in the file.
pub(crate) fn groups(file: &Path) -> Vec<TwinGroup> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("games.db");
    import(file, &database);

    let mut dedupe = Command::new(STAMMA);
    dedupe.arg("dedupe");
    dedupe.arg(&database);
    dedupe.args(["--format", "jsonl"]);
    dedupe.stderr(Stdio::null());

    let output = dedupe.output().expect("stamma runs");
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    listed.lines().map(group).collect()
}

/// A group from its line.
fn group(line: &str) -> TwinGroup {
    const KINDS: [TwinKind; 4] = [
        TwinKind::Same,
        TwinKind::Short,
        TwinKind::Prefix,
        TwinKind::Variant,
    ];

    let group: Value = serde_json::from_str(line).expect("an object");
    let kind_name = &group["kind"];
    let kind = KINDS
        .into_iter()
        .find(|kind| kind_name == kind.as_str())
        .expect("a kind");
    let score = group["score"].as_f64().expect("a number");

    let mut games = Vec::new();
    for number in group["games"].as_array().expect("a list") {
        games.push(place(number));
    }
    TwinGroup {
        keep: place(&group["keep"]),
        games,
        kind,
        score: score as f32,
        why: TwinReasons::default(),
    }
}

/// The place of a game in the file: games have numbers from 1 in a database, and from 0 in a collection.
fn place(number: &Value) -> u32 {
    let number = number.as_u64().expect("a number");
    number as u32 - 1
}
