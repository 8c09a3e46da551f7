//! `stamma serve` under load: `/masters` at positions of `questions`, each asked for the first time; the same from many
//! connections at once, beside idle and slow ones; and the memory at the end. Every answer is checked against the first
//! one. The number of games at positions is checked on the games in the first 80 MB of the file, in a database of their
//! own, against `pgn-reader` and `shakmaty`, which would need minutes for a whole file.
//!
//! With `--joined N`, the games are also put into N databases, which are served as one: `/lichess` at these positions,
//! with and without filters. Each answer is compared with the answer of one database of all games.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench serve [-- FILE] [--joined N] [--database DB] [--program FILE] [--requests N]`
//! (default `archive.pgn`; without a database the file is imported into a temporary one). The exit code is 1 if any
//! answer differs.

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
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
mod questions;
#[path = "../chess/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests draw more than positions")]
mod random;
mod timing;
mod truth;

use peer::{corpus_file, time};
use process::{STAMMA, import, memory};
use questions::{Question, questions};
use timing::{milliseconds, quantile};
use truth::truth;

/// The number of positions.
const COUNT: usize = 500;
/// The connections that ask at once.
const CONNECTIONS: usize = 8;
/// The connections that say nothing.
const IDLE: usize = 200;
/// The connections that send a byte a second.
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
        command.arg("serve").arg(database);
        command.args(["--bind", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("stamma runs");

        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut line).expect("its address");
        let host = line.trim().trim_start_matches("http://");
        let address = host.trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Prints the resident set, if the system tells.
    fn print_memory(&self, name: &str) {
        if let Some(bytes) = memory(self.child.id(), "VmRSS:") {
            let megabytes = bytes / 1_000_000;
            println!("{name:<44} {megabytes:>7} MB");
        }
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
        let host = &self.server.address;
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        self.stream
            .get_mut()
            .write_all(head.as_bytes())
            .expect("a request");

        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a status");
        assert!(line.starts_with("HTTP/1.1 200"), "{target}: {line}");
        let mut length = 0;
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

    /// The bodies of answers, one after the other; prints their times.
    fn get_each(&mut self, targets: &[String], name: &str) -> Vec<Vec<u8>> {
        let begun = Instant::now();
        let timed = targets.iter().map(|target| time(|| self.get(target)));
        let (bodies, times): (Vec<_>, Vec<_>) = timed.unzip();
        print_times(name, times, begun.elapsed());
        bodies
    }
}

impl Question {
    /// The target of a request for this position.
    fn target(&self, path: &str) -> String {
        let fen = self.fen.replace(' ', "_");
        format!("{path}?fen={fen}")
    }
}

fn print_times(name: &str, mut times: Vec<Duration>, whole: Duration) {
    times.sort_unstable();
    let rank = |part: f64| milliseconds(quantile(&times, part));
    let (median, percentile, worst) = (rank(0.5), rank(0.99), rank(1.0));
    let rate = times.len() as f64 / whole.as_secs_f64();
    println!(
        "{name:<44} {median:>7.2} ms median {percentile:>7.2} ms 99th percentile {worst:>7.2} ms worst {rate:>7.0} requests/s"
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
            let mut client = Client::new(server);
            let (mut own_times, mut own_different) = (Vec::new(), 0);
            for number in 0..requests / CONNECTIONS {
                // Each connection begins with another target.
                let at = (connection * 61 + number) % targets.len();
                let (answer, taken) = time(|| client.get(&targets[at]));
                own_times.push(taken);
                own_different += usize::from(answer != answers[at]);
            }
            (own_times, own_different)
        };

        // All threads begin before the first one is waited for.
        let threads = (0..CONNECTIONS).map(|connection| scope.spawn(move || run(connection)));
        for thread in threads.collect::<Vec<_>>() {
            let (own_times, own_different) = thread.join().expect("a connection");
            times.extend(own_times);
            different += own_different;
        }
    });
    print_times(name, times, begun.elapsed());
    different
}

/// The load beside connections that say nothing or too little. Connections that the server closes are opened again.
fn load_beside_others(
    server: &Server,
    targets: &[String],
    answers: &[Vec<u8>],
    requests: usize,
) -> usize {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| keep_connections(server, &is_over));
        let name = format!("{CONNECTIONS} connections beside {IDLE} idle and {SLOW} slow");
        let different = load(&name, server, targets, answers, requests);
        is_over.store(true, Ordering::Relaxed);
        different
    })
}

/// Keeps idle and slow connections open until the load is over. One idle connection a second is replaced.
fn keep_connections(server: &Server, is_over: &AtomicBool) {
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
}

/// The games in the first bytes of a file.
fn first_games(pgn: &[u8]) -> &[u8] {
    if pgn.len() <= CHECKED_BYTES {
        return pgn;
    }
    // Without the last game, which may be cut off.
    let part = &pgn[..CHECKED_BYTES];
    match memmem::rfind(part, b"\n\n[Event ") {
        Some(end) => &part[..end + 2],
        None => part,
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
    let mut wrong = 0;
    for question in &questions {
        let target = question.target("/api/1/moves");
        let body: serde_json::Value = serde_json::from_slice(&client.get(&target)).expect("JSON");
        let expected = truth[&question.key].len() as u64;
        let games = &body["games"];
        if *games != expected {
            let fen = &question.fen;
            println!("different: {fen}   stamma {games}, peer {expected}");
            wrong += 1;
        }
    }

    let (count, megabytes) = (questions.len(), pgn.len() / 1_000_000);
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{:<44} {count:>7} positions of {megabytes} MB, {seconds:.0} s",
        "checked beside the peer"
    );
    wrong
}

/// The parts of a text of games, as many as are asked for and about of one size.
fn parts(pgn: &[u8], count: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = pgn;
    for left in (1..=count).rev() {
        let length = rest.len() / left;
        let next_game = memmem::find(&rest[length..], b"\n\n[Event ");
        let end = match next_game {
            Some(next) if left > 1 => length + next + 2,
            _ => rest.len(),
        };
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts
}

/// An answer without the ids of games, which depend on the databases.
fn without_ids(answer: &[u8]) -> serde_json::Value {
    let mut value = serde_json::from_slice(answer).expect("JSON");
    remove_ids(&mut value);
    value
}

fn remove_ids(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(items) => {
            for item in items {
                remove_ids(item);
            }
        }
        serde_json::Value::Object(fields) => {
            fields.remove("id");
            for field in fields.values_mut() {
                remove_ids(field);
            }
        }
        _ => {}
    }
}

/// Serves one database of all games, and several that have them together; returns the number of answers that differ.
fn joined(arguments: &Arguments, pgn: &[u8], all: &Path, count: usize, folder: &Path) -> usize {
    let months = folder.join("parts");
    fs::create_dir(&months).expect("a folder");
    import_parts(&parts(pgn, count), &months, folder);

    let servers = [all, &months].map(|path| Server::start(&arguments.program, path));
    let mut clients = servers.each_ref().map(Client::new);
    let names = ["one database".to_owned(), format!("{count} databases")];
    for (name, client) in names.iter().zip(&mut clients) {
        let (body, taken) = time(|| client.get("/api/1/count"));
        let (_, first_taken) = time(|| client.get("/lichess"));
        let body: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
        let games = &body["games"];
        let counted = milliseconds(taken);
        let first = milliseconds(first_taken);
        println!(
            "{name:<44} {games} games, counted in {counted:.2} ms, the first answer in {first:.2} ms"
        );
    }

    let questions = questions(pgn, COUNT);
    let mut different = 0;
    for filter in ["", "&ratings=2200,2500&since=2010-01", "&history=true"] {
        let mut targets = Vec::new();
        for question in &questions {
            targets.push(question.target("/lichess") + filter);
        }

        let mut answers = Vec::new();
        for (name, client) in names.iter().zip(&mut clients) {
            let title = format!("/lichess {filter} of {name}");
            answers.push(client.get_each(&targets, &title));
        }

        for (at, target) in targets.iter().enumerate() {
            if without_ids(&answers[0][at]) != without_ids(&answers[1][at]) {
                println!("different: {target}");
                different += 1;
            }
        }
    }

    servers[1].print_memory("memory of the server of several");
    different
}

/// Imports each part of a text into a database of its own.
fn import_parts(parts: &[&[u8]], databases: &Path, folder: &Path) {
    let file = folder.join("part.pgn");
    for (number, part) in parts.iter().enumerate() {
        fs::write(&file, part).expect("a file");
        import(&file, &databases.join(format!("{number:03}.db")));
    }
    fs::remove_file(&file).expect("a file");
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

    let different = match arguments.joined {
        Some(count) => joined(&arguments, &pgn, &database, count, folder.path()),
        None => {
            let different = measured(&arguments, &questions, &database);
            let program = &arguments.program;
            different + miscounted(program, first_games(&pgn), folder.path())
        }
    };
    println!("{:<44} {different:>7}", "answers that differ");
    if different == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Serves a database under all loads; returns the number of answers that differ from the first ones.
fn measured(arguments: &Arguments, questions: &[Question], database: &Path) -> usize {
    let target = |question: &Question| question.target("/masters");
    let targets: Vec<String> = questions.iter().map(target).collect();
    let server = Server::start(&arguments.program, database);
    let mut client = Client::new(&server);
    let (_, taken) = time(|| client.get("/masters"));
    let first = milliseconds(taken);
    println!("{:<44} {first:>7.2} ms", "the first answer");

    let name = "1 connection, each position for the first time";
    let answers = client.get_each(&targets, name);

    let name = format!("{CONNECTIONS} connections");
    let requests = arguments.requests;
    let mut different = load(&name, &server, &targets, &answers, requests);
    different += load_beside_others(&server, &targets, &answers, requests);
    server.print_memory("memory at the end");
    different
}
