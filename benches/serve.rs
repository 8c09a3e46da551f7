//! `stamma serve` under load: `/masters` at positions of `questions`, each asked for the first time; the same from many
//! connections at once, beside idle and slow ones; and the memory at the end. Every answer is checked against the first
//! one. The number of games at positions is checked on the games in the first 80 MB of the file, in a database of their
//! own, against `pgn-reader` and `shakmaty`, which would need minutes for a whole file.
//!
//! With `--joined N`, the games are also put into N databases, which are served as one: `/lichess` at the same positions,
//! with and without filters, each answer compared with that of one database of all games.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench serve [-- FILE] [--joined N] [--database DB] [--program FILE] [--requests N]` (default `archive.pgn`; without
//! a database the file is imported into a temporary one). The exit code is 1 if any answer differs.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use memchr::memmem;

#[path = "../chess/benches/peer/mod.rs"]
mod peer;
mod questions;
#[path = "../chess/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests draw more than positions")]
mod random;
mod truth;

use peer::{corpus_file, median, time};
use questions::{Question, questions};
use truth::truth;

const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");
/// The number of positions.
const COUNT: usize = 500;
/// The connections that ask at once.
const CONNECTIONS: usize = 8;
/// The connections that say nothing, and those that send a byte a second.
const IDLE: usize = 200;
const SLOW: usize = 50;
/// The part of the file whose games are replayed by the peer.
const CHECKED_BYTES: usize = 80_000_000;

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive.pgn")]
    file: String,
    /// A database of this file alone, imported before
    #[arg(long, value_name = "DB")]
    database: Option<PathBuf>,
    /// The program that serves
    #[arg(long, value_name = "FILE", default_value = STAMMA)]
    program: PathBuf,
    /// The number of requests of each load
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    requests: usize,
    /// The number of databases that the games are put into, to be served as one
    #[arg(long, value_name = "N")]
    joined: Option<usize>,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A running server.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// Serves a database, or all databases in a folder.
    fn start(program: &Path, database: &Path) -> Server {
        let mut command = Command::new(program);
        command
            .arg("serve")
            .arg(database)
            .args(["--bind", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("stamma runs");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut line).expect("its address");
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        Server { child, address }
    }

    /// The resident set in kB, if the system tells.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that stays open from request to request.
struct Client<'s> {
    server: &'s Server,
    stream: BufReader<TcpStream>,
}

impl Client<'_> {
    fn new(server: &Server) -> Client<'_> {
        let stream = TcpStream::connect(&server.address).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        Client {
            server,
            stream: BufReader::new(stream),
        }
    }

    /// The body of an answer, which must succeed.
    fn get(&mut self, target: &str) -> Vec<u8> {
        let head = format!(
            "GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n",
            self.server.address
        );
        self.stream
            .get_mut()
            .write_all(head.as_bytes())
            .expect("a request");
        let (mut line, mut length) = (String::new(), 0);
        self.stream.read_line(&mut line).expect("a status");
        assert!(line.starts_with("HTTP/1.1 200"), "{target}: {line}");
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).expect("a header");
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().expect("a number");
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        body
    }
}

fn import(pgn: &Path, database: &Path) {
    let mut command = Command::new(STAMMA);
    command.arg("import").arg(database).arg(pgn);
    // The exit code is 1 because some games have faults.
    let code = command.output().expect("stamma runs").status.code();
    assert!(matches!(code, Some(0 | 1)), "import ends with {code:?}");
}

fn masters(question: &Question) -> String {
    format!("/masters?fen={}", question.fen.replace(' ', "_"))
}

fn print_times(name: &str, mut times: Vec<Duration>, whole: Duration) {
    let median = median(&mut times).as_secs_f64() * 1e3;
    times.sort_unstable();
    let rank =
        |part: f64| times[(part * times.len() as f64).ceil() as usize - 1].as_secs_f64() * 1e3;
    println!(
        "{name:<44} {:>7.2} ms median {:>7.2} ms 99th percentile {:>7.2} ms worst {:>7.0} requests/s",
        median,
        rank(0.99),
        rank(1.0),
        times.len() as f64 / whole.as_secs_f64(),
    );
}

/// Asks from many connections; returns the number of answers that differ.
fn load(
    name: &str,
    server: &Server,
    targets: &[String],
    answers: &[Vec<u8>],
    requests: usize,
) -> usize {
    let begun = Instant::now();
    let (mut times, mut different) = (Vec::new(), 0);
    thread::scope(|scope| {
        let run = |connection: usize| {
            let (mut client, mut times, mut different) = (Client::new(server), Vec::new(), 0);
            for number in 0..requests / CONNECTIONS {
                let at = (connection * 61 + number) % targets.len();
                let (answer, taken) = time(|| client.get(&targets[at]));
                times.push(taken);
                different += usize::from(answer != answers[at]);
            }
            (times, different)
        };
        let threads = (0..CONNECTIONS).map(|connection| scope.spawn(move || run(connection)));
        for thread in threads.collect::<Vec<_>>() {
            let (of_thread, wrong) = thread.join().expect("a connection");
            times.extend(of_thread);
            different += wrong;
        }
    });
    print_times(name, times, begun.elapsed());
    different
}

/// The same beside connections that say nothing or too little; those that the server closes are opened again.
fn load_beside_others(
    server: &Server,
    targets: &[String],
    answers: &[Vec<u8>],
    requests: usize,
) -> usize {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let connect = || TcpStream::connect(&server.address).expect("a connection");
            let mut idle: Vec<TcpStream> = (0..IDLE).map(|_| connect()).collect();
            let mut slow: Vec<TcpStream> = (0..SLOW).map(|_| connect()).collect();
            while !is_over.load(Ordering::Relaxed) {
                for stream in &mut slow {
                    if stream.write_all(b"G").is_err() {
                        *stream = connect();
                    }
                }
                if let Some(stream) = idle.first_mut() {
                    *stream = connect();
                }
                idle.rotate_left(1);
                thread::sleep(Duration::from_secs(1));
            }
        });
        let name = format!("{CONNECTIONS} connections beside {IDLE} idle and {SLOW} slow");
        let different = load(&name, server, targets, answers, requests);
        is_over.store(true, Ordering::Relaxed);
        different
    })
}

/// The games in the first bytes of a file.
fn first_games(pgn: &[u8]) -> &[u8] {
    let part = &pgn[..pgn.len().min(CHECKED_BYTES)];
    match memmem::rfind(part, b"\n\n[Event ") {
        Some(end) if part.len() < pgn.len() => &part[..end + 2],
        _ => part,
    }
}

/// The number of positions of some games that are not reached by as many of them as the peer has found.
fn miscounted(program: &Path, pgn: &[u8], folder: &Path) -> usize {
    let begun = Instant::now();
    let (file, database) = (folder.join("first.pgn"), folder.join("first.db"));
    fs::write(&file, pgn).expect("a file");
    import(&file, &database);
    let questions = questions(pgn, COUNT);
    let truth = truth(pgn, questions.iter().map(|question| question.key));
    let server = Server::start(program, &database);
    let mut client = Client::new(&server);
    let is_wrong = |question: &&Question| {
        let target = masters(question).replace("/masters", "/api/1/moves");
        let body: serde_json::Value = serde_json::from_slice(&client.get(&target)).expect("JSON");
        let games = truth[&question.key].len() as u64;
        if body["games"] != games {
            println!(
                "different: {}   stamma {}, peer {games}",
                question.fen, body["games"]
            );
        }
        body["games"] != games
    };
    let wrong = questions.iter().filter(is_wrong).count();
    println!(
        "{:<44} {:>7} positions of {} MB, {:.0} s",
        "checked beside the peer",
        questions.len(),
        pgn.len() / 1_000_000,
        begun.elapsed().as_secs_f64(),
    );
    wrong
}

/// The parts of a text of games, as many as are asked for and about of one size.
fn parts(pgn: &[u8], count: usize) -> Vec<&[u8]> {
    let (mut parts, mut rest) = (Vec::new(), pgn);
    for left in (1..=count).rev() {
        let length = rest.len() / left;
        let end = memmem::find(&rest[length..], b"\n\n[Event ").filter(|_| left > 1);
        let (part, after) = rest.split_at(end.map_or(rest.len(), |end| length + end + 2));
        parts.push(part);
        rest = after;
    }
    parts
}

/// An answer without the ids of games, which depend on the databases.
fn without_ids(answer: &[u8]) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
            serde_json::Value::Object(fields) => {
                fields.remove("id");
                fields.values_mut().for_each(strip);
            }
            _ => {}
        }
    }
    let mut value = serde_json::from_slice(answer).expect("JSON");
    strip(&mut value);
    value
}

/// Serves one database of all games, and several that have them together; returns the number of answers that differ.
fn joined(arguments: &Arguments, pgn: &[u8], all: &Path, count: usize, folder: &Path) -> usize {
    let months = folder.join("parts");
    fs::create_dir(&months).expect("a folder");
    let file = folder.join("part.pgn");
    for (number, part) in parts(pgn, count).into_iter().enumerate() {
        fs::write(&file, part).expect("a file");
        import(&file, &months.join(format!("{number:03}.db")));
    }
    fs::remove_file(&file).expect("a file");

    let servers = [all, &months].map(|path| Server::start(&arguments.program, path));
    let mut clients = servers.each_ref().map(Client::new);
    let names = ["one database".to_owned(), format!("{count} databases")];
    for (name, client) in names.iter().zip(&mut clients) {
        let (games, taken) = time(|| client.get("/api/1/count"));
        let games: serde_json::Value = serde_json::from_slice(&games).expect("JSON");
        let (_, first) = time(|| client.get("/lichess"));
        println!(
            "{name:<44} {} games, counted in {:.2} ms, the first answer in {:.2} ms",
            games["games"],
            taken.as_secs_f64() * 1e3,
            first.as_secs_f64() * 1e3
        );
    }

    let mut different = 0;
    for filter in ["", "&ratings=2200,2500&since=2010-01", "&history=true"] {
        let targets = questions(pgn, COUNT);
        let targets = targets
            .iter()
            .map(|one| masters(one).replace("/masters", "/lichess") + filter);
        let targets: Vec<String> = targets.collect();
        let mut answers = Vec::new();
        for (name, client) in names.iter().zip(&mut clients) {
            let begun = Instant::now();
            let (found, times): (Vec<_>, Vec<_>) = targets
                .iter()
                .map(|target| time(|| client.get(target)))
                .unzip();
            print_times(
                &format!("/lichess {filter} of {name}"),
                times,
                begun.elapsed(),
            );
            answers.push(found);
        }
        for (at, target) in targets.iter().enumerate() {
            if without_ids(&answers[0][at]) != without_ids(&answers[1][at]) {
                println!("different: {target}");
                different += 1;
            }
        }
    }
    if let Some(memory) = servers[1].memory() {
        println!(
            "{:<44} {:>7} MB",
            "memory of the server of several",
            memory / 1000
        );
    }
    different
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(path) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    let pgn = fs::read(&path).expect("the corpus holds the file");
    let questions = questions(&pgn, COUNT);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = arguments.database.clone().unwrap_or_else(|| {
        let database = folder.path().join("games.db");
        import(&path, &database);
        database
    });
    println!("{}, {} positions", path.display(), questions.len());
    if let Some(count) = arguments.joined {
        let different = joined(&arguments, &pgn, &database, count, folder.path());
        println!("{:<44} {different:>7}", "answers that differ");
        return if different == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    let targets: Vec<String> = questions.iter().map(masters).collect();
    let server = Server::start(&arguments.program, &database);
    let mut client = Client::new(&server);
    let (_, first) = time(|| client.get("/masters"));
    println!(
        "{:<44} {:>7.2} ms",
        "the first answer",
        first.as_secs_f64() * 1e3
    );
    let begun = Instant::now();
    let (answers, times): (Vec<_>, Vec<_>) = targets
        .iter()
        .map(|target| time(|| client.get(target)))
        .unzip();
    print_times(
        "1 connection, each position for the first time",
        times,
        begun.elapsed(),
    );
    let name = format!("{CONNECTIONS} connections");
    let mut different = load(&name, &server, &targets, &answers, arguments.requests);
    different += load_beside_others(&server, &targets, &answers, arguments.requests);
    if let Some(memory) = server.memory() {
        println!("{:<44} {:>7} MB", "memory at the end", memory / 1000);
    }
    drop(server);
    different += miscounted(&arguments.program, first_games(&pgn), folder.path());
    println!("{:<44} {different:>7}", "answers that differ");
    if different == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
