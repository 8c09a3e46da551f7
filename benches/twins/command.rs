//! The duplicates that the program finds in a database of a file.

use std::path::Path;
use std::process::{Command, Stdio};

use stamma::cleaning::twins::{TwinGroup, TwinKind, TwinReasons};

/// The program that is measured.
const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");

/// The groups that `stamma dedupe` lists, by the places of games in the file.
pub(crate) fn groups(file: &Path) -> Vec<TwinGroup> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("games.db");
    let [import, quiet] = ["import", "-q"].map(Path::new);
    run(&[import, quiet, &database, file]);

    let [dedupe, format, jsonl] = ["dedupe", "--format", "jsonl"].map(Path::new);
    let listed = run(&[dedupe, &database, format, jsonl]);
    listed.lines().map(group).collect()
}

/// Runs the program without messages, and returns its output.
fn run(arguments: &[&Path]) -> String {
    let mut command = Command::new(STAMMA);
    command.args(arguments).stderr(Stdio::null());

    let output = command.output().expect("stamma runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn group(line: &str) -> TwinGroup {
    const KINDS: [TwinKind; 4] = [
        TwinKind::Same,
        TwinKind::Short,
        TwinKind::Prefix,
        TwinKind::Variant,
    ];

    let group: serde_json::Value = serde_json::from_str(line).expect("an object");
    // Games have numbers from 1 in a database, and from 0 in a collection.
    let game = |value: &serde_json::Value| value.as_u64().expect("a number") as u32 - 1;
    let games = group["games"].as_array().expect("a list");
    let mut kinds = KINDS.into_iter();
    let kind = kinds.find(|kind| group["kind"] == kind.as_str());
    let score = group["score"].as_f64().expect("a number");
    TwinGroup {
        keep: game(&group["keep"]),
        games: games.iter().map(game).collect(),
        kind: kind.expect("a kind"),
        score: score as f32,
        why: TwinReasons::default(),
    }
}
