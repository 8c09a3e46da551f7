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
use serde_json::Value;

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
#[allow(dead_code, reason = "other benches measure more")]
mod usage;

use peer::{corpus_file, time};
use process::{STAMMA, import, named_or_imported};
use questions::{Question, questions};
use timing::{milliseconds, quantile};
use truth::truth;
use usage::Memory;

/// The number of positions.
const COUNT: usize = 500;
/// The connections that ask at once.
const CONNECTIONS: usize = 8;
/// The step between the first targets of connections, so that they do not ask for the same ones at the same time.
const TARGET_STEP: usize = 61;
/// The connections that send nothing.
const IDLE: usize = 200;
/// The connections that send a byte a second.
const SLOW: usize = 50;
/// The part of the file whose games are replayed by the peer.
const CHECKED_BYTES: usize = 80_000_000;
/// The end of a game in the corpus, and the beginning of the next game.
const GAME_BREAK: &[u8] = b"\n\n[Event ";

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
        command.arg("serve");
        command.arg(database);
        // Port 0 lets the system choose a free port.
        command.args(["--bind", "127.0.0.1:0"]);
        command.stdout(Stdio::piped());
        let mut child = command.spawn().expect("stamma runs");

        // The first line of output is the address, printed when the server listens.
        let output = child.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(output)
            .read_line(&mut line)
            .expect("its address");
        let host = line.trim().trim_start_matches("http://");
        let address = host.trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Prints the resident set, if the system tells.
    fn print_memory(&self, name: &str) {
        if let Some(kib) = Memory::Resident.kibibytes(self.child.id()) {
            let megabytes = kib * 1024 / 1_000_000;
            println!("{name:<44} {megabytes:>7} MB");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended by itself.
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
        // Otherwise the system may hold back a small request, to send it with more.
        stream.set_nodelay(true).expect("a socket");
        Client {
            server,
            stream: BufReader::new(stream),
        }
    }

    /// The body of a response, which must succeed.
    fn get(&mut self, target: &str) -> Vec<u8> {
        let host = &self.server.address;
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let stream = self.stream.get_mut();
        stream.write_all(head.as_bytes()).expect("a request");

        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a status");
        assert!(line.starts_with("HTTP/1.1 200"), "{target}: {line}");

        // An empty line ends the headers.
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

    /// The bodies of responses, one after the other; prints their times.
    fn get_each(&mut self, targets: &[String], name: &str) -> Vec<Vec<u8>> {
        let mut bodies = Vec::new();
        let mut times = Vec::new();

        let begun = Instant::now();
        for target in targets {
            let (body, taken) = time(|| self.get(target));
            bodies.push(body);
            times.push(taken);
        }
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

/// Prints quantiles of the times of requests, and the requests a second, which took a whole time together.
fn print_times(name: &str, mut times: Vec<Duration>, whole: Duration) {
    times.sort_unstable();
    let median = milliseconds(quantile(&times, 0.5));
    let percentile = milliseconds(quantile(&times, 0.99));
    let worst = milliseconds(quantile(&times, 1.0));

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
    let run = |connection: usize| {
        let mut client = Client::new(server);
        let mut times = Vec::new();
        let mut different = 0;
        for number in 0..requests / CONNECTIONS {
            // Each connection begins with another target.
            let at = (connection * TARGET_STEP + number) % targets.len();
            let (answer, taken) = time(|| client.get(&targets[at]));
            times.push(taken);
            if answer != answers[at] {
                different += 1;
            }
        }
        (times, different)
    };

    let begun = Instant::now();
    let mut times = Vec::new();
    let mut different = 0;
    thread::scope(|scope| {
        // All threads begin before the first one is waited for.
        let mut threads = Vec::new();
        for connection in 0..CONNECTIONS {
            threads.push(scope.spawn(move || run(connection)));
        }

        for thread in threads {
            let (own_times, own_different) = thread.join().expect("a connection");
            times.extend(own_times);
            different += own_different;
        }
    });
    print_times(name, times, begun.elapsed());
    different
}

/// The load beside connections that send nothing or too little. Connections that the server closes are opened again.
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
        // The scope waits for the thread, which looks at this once a second.
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
        // A request line that never ends.
        for stream in &mut slow {
            let is_closed = stream.write_all(b"G").is_err();
            if is_closed {
                *stream = connect();
            }
        }

        // The oldest idle connection is the first.
        if let Some(oldest) = idle.first_mut() {
            *oldest = connect();
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
    match memmem::rfind(part, GAME_BREAK) {
        Some(end) => &part[..end + 2],
        None => part,
    }
}

/// The number of positions of some games that are not reached by as many of them as the peer has found.
fn count_miscounted(program: &Path, pgn: &[u8], folder: &Path) -> usize {
    let begun = Instant::now();
    let file = folder.join("first.pgn");
    let database = folder.join("first.db");
    fs::write(&file, pgn).expect("a file");
    import(&file, &database);

    let questions = questions(pgn, COUNT);
    let truth = truth(pgn, questions.iter().map(|question| question.key));

    let server = Server::start(program, &database);
    let mut client = Client::new(&server);
    let mut wrong = 0;
    for question in &questions {
        let target = question.target("/api/1/moves");
        let body = json(&client.get(&target));
        let games = &body["games"];
        let expected = truth[&question.key].len() as u64;
        if *games != expected {
            let fen = &question.fen;
            println!("different: {fen}   stamma {games}, peer {expected}");
            wrong += 1;
        }
    }

    let count = questions.len();
    let megabytes = pgn.len() / 1_000_000;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{:<44} {count:>7} positions of {megabytes} MB, {seconds:.0} s",
        "checked beside the peer"
    );
    wrong
}

/// The parts of a text of games, as many as are asked for and about of one size.
fn split_evenly(pgn: &[u8], count: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = pgn;
    for parts_left in (1..=count).rev() {
        let length = rest.len() / parts_left;
        let next_game = memmem::find(&rest[length..], GAME_BREAK);
        let end = match next_game {
            // Behind the line break and the blank line.
            Some(next) if parts_left > 1 => length + next + 2,
            _ => rest.len(),
        };

        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts
}

/// The JSON value of a response.
fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).expect("JSON")
}

/// An answer without the ids of games, which depend on the databases.
fn without_ids(answer: &[u8]) -> Value {
    let mut value = json(answer);
    remove_ids(&mut value);
    value
}

/// Removes the fields `id` at any depth.
fn remove_ids(value: &mut Value) {
    match value {
        Value::Array(items) => {
            for item in items {
                remove_ids(item);
            }
        }
        Value::Object(fields) => {
            fields.remove("id");
            for field in fields.values_mut() {
                remove_ids(field);
            }
        }
        _ => {}
    }
}

/// Serves one database of all games, and several that have them together; returns the number of answers that differ.
fn compare_joined(
    arguments: &Arguments,
    pgn: &[u8],
    all: &Path,
    count: usize,
    folder: &Path,
) -> usize {
    let databases = folder.join("parts");
    fs::create_dir(&databases).expect("a folder");
    import_parts(&split_evenly(pgn, count), &databases, folder);

    let program = &arguments.program;
    let servers = [all, &databases].map(|path| Server::start(program, path));
    let mut clients = servers.each_ref().map(Client::new);
    let names = ["one database".to_owned(), format!("{count} databases")];
    for (name, client) in names.iter().zip(&mut clients) {
        print_first_answers(name, client);
    }

    let questions = questions(pgn, COUNT);
    let mut different = 0;
    for filter in ["", "&ratings=2200,2500&since=2010-01", "&history=true"] {
        let mut targets = Vec::new();
        for question in &questions {
            let target = question.target("/lichess");
            targets.push(target + filter);
        }

        let mut answers = Vec::new();
        for (name, client) in names.iter().zip(&mut clients) {
            let title = format!("/lichess {filter} of {name}");
            answers.push(client.get_each(&targets, &title));
        }

        for (at, target) in targets.iter().enumerate() {
            let of_one = without_ids(&answers[0][at]);
            let of_several = without_ids(&answers[1][at]);
            if of_one != of_several {
                println!("different: {target}");
                different += 1;
            }
        }
    }

    servers[1].print_memory("memory of the server of several");
    different
}

/// Prints the number of games that a server has, and the times of its first answers.
fn print_first_answers(name: &str, client: &mut Client<'_>) {
    let (body, count_taken) = time(|| client.get("/api/1/count"));
    let (_, first_taken) = time(|| client.get("/lichess"));

    let body = json(&body);
    let games = &body["games"];
    let counted = milliseconds(count_taken);
    let first = milliseconds(first_taken);
    println!(
        "{name:<44} {games} games, counted in {counted:.2} ms, the first answer in {first:.2} ms"
    );
}

/// Imports each part of a text into a database of its own.
fn import_parts(parts: &[&[u8]], databases: &Path, folder: &Path) {
    let file = folder.join("part.pgn");
    for (number, part) in parts.iter().enumerate() {
        fs::write(&file, part).expect("a file");
        let database = databases.join(format!("{number:03}.db"));
        import(&file, &database);
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
    let named = arguments.database.clone();
    let database = named_or_imported(named, &path, folder.path());
    println!("{}, {} positions", path.display(), questions.len());

    let different = match arguments.joined {
        Some(count) => compare_joined(&arguments, &pgn, &database, count, folder.path()),
        None => {
            let different = measure_loads(&arguments, &questions, &database);
            let checked = first_games(&pgn);
            let wrong = count_miscounted(&arguments.program, checked, folder.path());
            different + wrong
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
fn measure_loads(arguments: &Arguments, questions: &[Question], database: &Path) -> usize {
    let mut targets = Vec::new();
    for question in questions {
        targets.push(question.target("/masters"));
    }

    let server = Server::start(&arguments.program, database);
    let mut client = Client::new(&server);
    // Timed alone, since it is the first request of a new server.
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
