//! The time of an import: with the index, without it, and beside other programs that read the same file. All run in
//! turn.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

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

    /// A contestant that takes part until it fails.
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
        let (result, taken) = time(|| (self.run)(&out));
        self.times.push(taken);
        self.failure = result.err();
    }

    /// The median time in seconds.
    fn median_seconds(&self) -> f64 {
        let mut times = self.times.clone();
        median(&mut times).as_secs_f64()
    }
}

/// Stamma beside an import without an index, the replaying peer and a copy of the file.
pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let replay_file = |_: &Path| {
        let games = Replayed::read(&bench.pgn).games;
        assert_eq!(games, bench.games(), "the peer reads as many games");
    };
    let copy_file = |out: &Path| copy(&bench.pgn, out).expect("a copy");

    let [import, without_index, in_one_step] = own_runners(bench);
    let replay_name = "pgn-reader and shakmaty, 1 thread, nothing stored";
    let replay = Runner::new(replay_name, replay_file);
    let copying = Runner::new("copy of the file", copy_file);
    let mut runners = [import, without_index, in_one_step, replay, copying];
    take_turns(bench, &mut runners);

    table.part(format!("import, medians of {}", bench.runs()));
    for runner in &runners {
        table.note(&runner.name, runner.median_seconds(), Unit::Seconds);
    }

    let seconds = runners.each_ref().map(|runner| runner.median_seconds());
    let [import, without_index, in_one_step, replay, _] = seconds;
    let rate = bench.games() as f64 / import;
    table.note("games a second", rate, Unit::None);
    let ratios = [
        ("import / replay", import / replay, PER_REPLAY),
        (
            "import / import without index",
            import / without_index,
            PER_IMPORT_WITHOUT_INDEX,
        ),
        (
            "import / import in one step",
            import / in_one_step,
            PER_STEP,
        ),
    ];
    for (name, ratio, limit) in ratios {
        table.limit(name, ratio, Unit::None, limit);
    }
    check_plies(bench, table);
}

/// Stamma beside the peers given as command lines.
pub(crate) fn measure_peers(bench: &Bench, table: &mut Table) {
    if bench.peers().is_empty() {
        return;
    }

    let [import, ..] = own_runners(bench);
    let mut runners = vec![import];
    for peer in bench.peers() {
        let run = move |out: &Path| run_command(peer, &bench.pgn, out);
        runners.push(Runner::that_may_fail(&peer.name, run));
    }
    take_turns(bench, &mut runners);

    table.part(format!("peers, medians of {}", bench.runs()));
    let import_seconds = runners[0].median_seconds();
    table.note(&runners[0].name, import_seconds, Unit::Seconds);
    for runner in &runners[1..] {
        let name = &runner.name;
        // The times of a run that has failed say nothing.
        if let Some(failure) = &runner.failure {
            table.part(format!("{name} failed: {failure}"));
            continue;
        }

        let seconds = runner.median_seconds();
        table.note(name, seconds, Unit::Seconds);
        let ratio = import_seconds / seconds;
        table.note(format!("import / {name}"), ratio, Unit::None);
    }
}

/// Stamma's imports: the usual one, one without an index, and one in a single step.
fn own_runners(bench: &Bench) -> [Runner<'_>; 3] {
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
        step_time: Duration::MAX,
        ..ImportOptions::default()
    };
    [
        Runner::new("import", run(ImportOptions::default())),
        Runner::new("import without index", run(without_index)),
        Runner::new("import in one step", run(in_one_step)),
    ]
}

/// Runs each contestant as often as all others. In turn, so that a machine that slows down slows down all of them.
fn take_turns(bench: &Bench, runners: &mut [Runner<'_>]) {
    for _ in 0..bench.runs() {
        for runner in &mut *runners {
            runner.turn(bench);
        }
    }
}

/// Copies by reading and writing, as `cp` does if files cannot share blocks.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = File::create(to)?;
    io::copy(&mut source, &mut target)?;
    Ok(())
}

/// Runs the command line of a peer; an error is the last line of its messages.
fn run_command(peer: &Peer, pgn: &Path, out: &Path) -> Result<(), String> {
    // The shell substitutes the paths, whatever characters they contain.
    let with_pgn = peer.command.replace("{pgn}", "\"$1\"");
    let script = with_pgn.replace("{out}", "\"$2\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]);
    shell.arg("sh");
    shell.arg(pgn);
    shell.arg(out);

    let output = shell.output().expect("a shell");
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
    // One half-move in this number may be missing at either side.
    const MIN_PLIES_PER_DIFFERENCE: u64 = 10_000;

    let stored = Stored::read(bench.database());
    let replayed = Replayed::read(&bench.pgn);
    let own_plies = stored.plies as f64;
    table.note("half-moves stored", own_plies, Unit::None);
    let peer_plies = replayed.plies as f64;
    table.note("half-moves replayed by the peer", peer_plies, Unit::None);
    let lost = replayed.lost as f64;
    table.note("games lost to the peer", lost, Unit::None);

    let apart = stored.plies.abs_diff(replayed.plies);
    let is_close = apart * MIN_PLIES_PER_DIFFERENCE <= replayed.plies;
    assert!(is_close, "half-moves differ by {apart}");
}
