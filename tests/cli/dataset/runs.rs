//! Runs that write a data set at the same time, that are killed, and that are repeated.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{GAMES, dataset, files, int, one_file, rows, sums};
use crate::support::program::Workplace;

/// Starts `stamma dataset` without waiting for its end.
fn start(work: &Workplace, arguments: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("stamma"))
        .current_dir(work.path(""))
        .args(["dataset", "-q"])
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program is built")
}

/// The folders of runs in a data set.
fn folders_of_runs(data: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(data.join("_temporary")) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

/// Starts a run that waits for its input, and returns it with its folder, which is locked.
fn waiting_run(work: &Workplace, data: &Path) -> (Child, PathBuf) {
    let before = folders_of_runs(data);
    let mut run = start(work, "- -o data");
    let folder = new_folder(&mut run, data, &before);
    (run, folder)
}

/// The folder of a run that has just been started.
fn new_folder(run: &mut Child, data: &Path, before: &[PathBuf]) -> PathBuf {
    while run.try_wait().expect("a process").is_none() {
        let new = folders_of_runs(data)
            .into_iter()
            .find(|path| !before.contains(path));
        // Files of tables are created behind the lock.
        if let Some(folder) = new.filter(|folder| folder.join("games.parquet").exists()) {
            return folder;
        }

        std::thread::yield_now();
    }
    panic!("the run has ended before its input");
}

/// Writes the data set of [`GAMES`] from standard input.
fn write_from_standard_input(work: &Workplace) {
    let mut run = start(work, "- -o data");
    let mut input = run.stdin.take().expect("an input");
    input.write_all(GAMES.as_bytes()).expect("a reader");
    // The run reads until its input is closed.
    drop(input);

    // The exit code is 1 if games have problems.
    let code = run.wait().expect("an end").code();
    assert!(matches!(code, Some(0 | 1)), "the run ended with {code:?}");
}

fn kill(mut run: Child) {
    run.kill().expect("a run that has not been waited for");
    run.wait().expect("an end");
}

#[test]
fn what_a_killed_run_has_left_is_deleted() {
    let work = Workplace::new();
    let data = work.path("data");
    write_from_standard_input(&work);

    let before = files(&data);
    work.write("data/_temporary/other-123456/lock", "");

    let (killed, left) = waiting_run(&work, &data);
    kill(killed);
    assert!(left.exists());

    let (alive, in_use) = waiting_run(&work, &data);
    assert!(
        !left.exists(),
        "what the killed run has left is deleted by the next"
    );

    write_from_standard_input(&work);
    assert!(
        in_use.join("lock").exists(),
        "an equal run that is at work keeps its files"
    );

    kill(alive);
    write_from_standard_input(&work);
    assert_eq!(
        folders_of_runs(&data),
        [data.join("_temporary/other-123456")],
        "of another run"
    );

    fs::remove_dir_all(data.join("_temporary")).expect("a folder");
    assert!(files(&data) == before);
}

/// The games of the project several times, each time with other tags.
fn many_games(work: &Workplace) {
    one_file(work);
    let text = fs::read(work.path("all.pgn")).expect("a file");
    let text = String::from_utf8_lossy(&text);
    let mut copies = String::new();
    for copy in 1..=6 {
        let tags = format!("[Annotator \"{copy}\"]\n[Event \"{copy} ");
        copies += &text.replace("[Event \"", &tags);
    }

    work.write("many.pgn", copies);
}

#[test]
fn eight_processes_write_the_whole() {
    let work = Workplace::new();
    many_games(&work);

    let options = "--input-encoding latin1 --input-pieces en";
    let whole = dataset(&work, &format!("many.pgn -o whole {options}"));
    let data = work.path("parts");
    let shard = |number: u32| format!("many.pgn -o parts {options} --shard {number}/8");
    let killed = [3, 6].map(|number| start(&work, &shard(number)));
    let runs: BTreeMap<u32, Child> = [1, 2, 4, 5, 7]
        .into_iter()
        .map(|number| (number, start(&work, &shard(number))))
        .collect();

    for run in killed {
        kill(run);
    }

    // An equal run at the same time.
    let twice = start(&work, &shard(4));
    for (number, mut run) in runs.into_iter().chain([(4, twice)]) {
        let code = run.wait().expect("an end").code();
        assert!(
            matches!(code, Some(0 | 1)),
            "shard {number} ended with {code:?}"
        );
    }

    for number in [3, 6, 8] {
        assert!(!data.join("_SUCCESS").exists(), "before shard {number}");
        dataset(&work, &shard(number));
    }
    assert!(data.join("_SUCCESS").exists());
    assert!(!data.join("_temporary").exists());
    assert_eq!(sums(&data), sums(&whole));

    let games = rows(&data, "games");
    assert!(games.len() > 600, "{} games", games.len());

    let mut ids: Vec<_> = games.iter().map(|game| int(game, "game_id")).collect();
    ids.sort_unstable();
    ids.dedup();

    assert_eq!(ids.len(), games.len());

    let manifests = fs::read_dir(data.join("_manifest"))
        .expect("a folder")
        .count();
    assert_eq!(manifests, 8);
}
