//! The time of an import: with the index, without it, and beside other programs that read the same file. All run in
//! turn.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use stamma::import::ImportOptions;

use super::bench::{Bench, Peer};
use super::replayed::Replayed;
use super::stored::{Stored, import_file};
use super::table::{Table, Unit};
use crate::peer::{median, time};

/// The longest import, relative to the peer's replay of the file.
const PER_REPLAY: f64 = 1.5;
/// The longest import, relative to one without an index.
const PER_IMPORT_WITHOUT_INDEX: f64 = 1.5;

/// The longest import, relative to one in a single transaction.
const PER_STEP: f64 = 1.1;

/// Work that writes to a path and may fail.
type Work<'r> = Box<dyn Fn(&Path) -> Result<(), String> + 'r>;

/// A contestant, which runs in turn with others and has its own output path.
struct Runner<'r> {
    name: String,
    run: Work<'r>,
    times: Vec<Duration>,
    /// The error of its last run, after which it runs no more.
    failure: Option<String>,
}

impl<'r> Runner<'r> {
    /// A contestant that must not fail.
    fn new(name: &str, run: impl Fn(&Path) + 'r) -> Runner<'r> {
        Runner::that_may_fail(name, move |out| {
            run(out);
            Ok(())
        })
    }

    fn that_may_fail(name: &str, run: impl Fn(&Path) -> Result<(), String> + 'r) -> Runner<'r> {
        Runner {
            name: name.to_owned(),
            run: Box::new(run),
            times: Vec::new(),
            failure: None,
        }
    }

    /// Runs once. The output is removed at once, so that the system need not write it back during the next run.
    fn turn(&mut self, bench: &Bench) {
        if self.failure.is_some() {
            return;
        }
        let folder = bench.new_folder();
        let out = folder.path().join("out");
        let (result, time) = time(|| (self.run)(&out));
        self.times.push(time);
        self.failure = result.err();
    }
}

/// Stamma beside an import without an index, the replaying peer and a copy of the file.
pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let mut runners = own_runners(bench);
    let replay = |_: &Path| {
        let games = Replayed::read(&bench.pgn).games;
        assert_eq!(games, bench.games(), "the peer reads as many games");
    };
    let copy_file = |out: &Path| copy(&bench.pgn, out).expect("a copy");
    let name = "pgn-reader and shakmaty, 1 thread, nothing stored";
    let replaying = runners.len();
    runners.push(Runner::new(name, replay));
    runners.push(Runner::new("copy of the file", copy_file));

    let times = take_turns(bench, &mut runners);
    table.part(format!("import, medians of {}", bench.runs()));
    for (runner, &time) in runners.iter().zip(&times) {
        table.note(&runner.name, time, Unit::Seconds);
    }

    let [import, without_index, one_step] = [times[0], times[1], times[2]];
    let rate = bench.games() as f64 / import;
    table.note("games a second", rate, Unit::None);
    let ratios = [
        ("import / replay", times[replaying], PER_REPLAY),
        (
            "import / import without index",
            without_index,
            PER_IMPORT_WITHOUT_INDEX,
        ),
        ("import / import in one step", one_step, PER_STEP),
    ];
    for (name, other, limit) in ratios {
        table.limit(name, import / other, Unit::None, limit);
    }
    check_plies(bench, table);
}

/// Stamma beside the peers given as command lines.
pub(crate) fn measure_peers(bench: &Bench, table: &mut Table) {
    if bench.peers().is_empty() {
        return;
    }

    let mut runners = vec![own_runners(bench).swap_remove(0)];
    for peer in bench.peers() {
        let run = move |out: &Path| run_command(peer, &bench.pgn, out);
        runners.push(Runner::that_may_fail(&peer.name, run));
    }
    let times = take_turns(bench, &mut runners);

    table.part(format!("peers, medians of {}", bench.runs()));
    table.note(&runners[0].name, times[0], Unit::Seconds);
    for (runner, &time) in runners.iter().zip(&times).skip(1) {
        let name = &runner.name;
        if let Some(failure) = &runner.failure {
            table.part(format!("{name} failed: {failure}"));
            continue;
        }
        table.note(name, time, Unit::Seconds);
        let ratio = times[0] / time;
        table.note(format!("import / {name}"), ratio, Unit::None);
    }
}

/// Stamma's imports: the usual one, one without an index, and one in a single step.
fn own_runners(bench: &Bench) -> Vec<Runner<'_>> {
    let run = |options: ImportOptions| {
        move |out: &Path| {
            let games = import_file(&bench.pgn, out, options.clone()).games;
            assert_eq!(
                games,
                bench.games(),
                "games are stored as there are Event tags"
            );
        }
    };
    let without_index = ImportOptions {
        positions: false,
        ..ImportOptions::default()
    };
    let in_one_step = ImportOptions {
        step_bytes: u64::MAX,
        step_time: std::time::Duration::MAX,
        ..ImportOptions::default()
    };
    vec![
        Runner::new("import", run(ImportOptions::default())),
        Runner::new("import without index", run(without_index)),
        Runner::new("import in one step", run(in_one_step)),
    ]
}

/// The median times in seconds.
fn take_turns(bench: &Bench, runners: &mut [Runner<'_>]) -> Vec<f64> {
    for _ in 0..bench.runs() {
        for runner in &mut *runners {
            runner.turn(bench);
        }
    }

    let mut medians = Vec::new();
    for runner in runners {
        medians.push(median(&mut runner.times).as_secs_f64());
    }
    medians
}

/// Copies by reading and writing, as `cp` does if files cannot share blocks.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = fs::File::open(from)?;
    let mut to = fs::File::create(to)?;
    io::copy(&mut from, &mut to)?;
    Ok(())
}

fn run_command(peer: &Peer, pgn: &Path, out: &Path) -> Result<(), String> {
    let mut command = Command::new("sh");
    // The shell substitutes the paths, whatever characters they contain.
    let with_pgn = peer.command.replace("{pgn}", "\"$1\"");
    let line = with_pgn.replace("{out}", "\"$2\"");
    command.args(["-c", &line, "sh"]).arg(pgn).arg(out);
    let output = command.output().expect("a shell");
    if output.status.success() {
        return Ok(());
    }

    let messages = String::from_utf8_lossy(&output.stderr);
    let last = messages.trim().lines().last().unwrap_or_default();
    Err(format!("{}, {last}", output.status))
}

/// For both programs, a game with a fault ends at the first move that cannot be understood, but they differ in what
/// they understand: `Qxb5` to an empty square is a move for Stamma, but not for shakmaty. A million games contain one
/// such move.
fn check_plies(bench: &Bench, table: &Table) {
    let stored = Stored::read(bench.database());
    let replayed = Replayed::read(&bench.pgn);
    let (own_plies, peer_plies) = (stored.plies as f64, replayed.plies as f64);
    table.note("half-moves stored", own_plies, Unit::None);
    table.note("half-moves replayed by the peer", peer_plies, Unit::None);
    table.note("games lost to the peer", replayed.lost as f64, Unit::None);

    let apart = stored.plies.abs_diff(replayed.plies);
    let is_close = apart * 10_000 <= replayed.plies;
    assert!(is_close, "half-moves differ by {apart}");
}
