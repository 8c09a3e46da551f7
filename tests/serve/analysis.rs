//! Analysis by an engine over HTTP: what it finds, and what a stranger cannot make it do.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::shape::fault;
use crate::support::engine::{NAME, write_script, write_stand_in};
use crate::support::program::{Workplace, json_lines};
use crate::support::server::{Response, Server};
use crate::workplace;

/// An engine that tells a line at `go`, and answers at `stop` alone.
const PATIENT: &str = "#!/bin/sh
while read line; do case \"$line\" in
uci) echo 'id name Patient'; echo uciok;;
isready) echo readyok;;
go*) echo 'info depth 7 score cp 20 nodes 5 pv e2e4 e7e5';;
stop) echo 'bestmove e2e4';;
quit) exit;;
esac; done
";

/// An engine that plays a move which is illegal.
const LIAR: &str = "#!/bin/sh
while read line; do case \"$line\" in
uci) echo 'id name Liar'; echo uciok;;
isready) echo readyok;;
go*) echo 'info depth 7 score cp 20 pv e2e5';;
quit) exit;;
esac; done
";

fn served_with(work: &Workplace, arguments: &str) -> Server {
    Server::start(work, &format!("games.db {arguments}"))
}

/// The objects of an answer, one for each line.
fn objects(response: &Response) -> Vec<Value> {
    json_lines(&response.text())
}

#[test]
fn lines_come_with_their_scores_and_moves() {
    let work = workplace();
    write_stand_in(&work, "engine", Duration::ZERO);

    let server = served_with(&work, "--engine ./engine --engine-time 1");
    let engine = server.json("/api/1/engine");
    assert_eq!(engine, serde_json::json!({ "engine": NAME, "seconds": 1 }));

    let answer = server.get("/api/1/analysis?play=e2e4");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));

    let objects = objects(&answer);
    let (last, others) = objects.split_last().expect("an object");
    assert_eq!(last["is_final"], true);
    assert_eq!(last["engine"], NAME);
    assert_eq!(last["nodes"], 1000);

    let lines = last["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);

    for line in lines {
        assert_eq!(line["san"].as_array().map(Vec::len), Some(2), "{line}");
        assert_eq!(line["uci"].as_array().map(Vec::len), Some(2), "{line}");
        assert!(line["eval_cp"].is_i64(), "{line}");
    }
    for object in others {
        assert_eq!(object["is_final"], false, "{object}");
    }

    let api = server.json("/api/1/openapi.json");
    let content = &api["paths"]["/api/1/analysis"]["get"]["responses"]["200"]["content"];
    let schema = &content["application/x-ndjson"]["schema"];

    for object in &objects {
        assert_eq!(fault(&api, schema, object), None);
    }
}

#[test]
fn a_position_without_a_move_has_no_lines() {
    let work = workplace();
    write_stand_in(&work, "engine", Duration::ZERO);

    let server = served_with(&work, "--engine ./engine");
    let answer = server.get("/api/1/analysis?fen=7k/5Q2/6K1/8/8/8/8/8_b_-_-_0_1");
    let [only] = &objects(&answer)[..] else {
        panic!("{}", answer.text())
    };

    assert_eq!(only["lines"], serde_json::json!([]));
    assert_eq!(only["is_final"], Value::Bool(true));
    assert_eq!(server.get("/api/1/analysis?play=e2e5").status, 400);
}

#[test]
fn without_an_engine_there_is_no_analysis() {
    let work = workplace();
    let server = served_with(&work, "");
    assert_eq!(server.json("/api/1/engine")["engine"], Value::Null);

    let (status, sentence) = server.refusal("/api/1/analysis");
    assert_eq!(status, 404);
    assert!(
        sentence.contains("there is no engine; `stamma serve --engine` starts one"),
        "{sentence}"
    );
}

#[test]
fn an_engine_that_cannot_be_used_stops_the_server() {
    let work = workplace();
    let run = work
        .stamma("serve games.db --bind 127.0.0.1:0 --engine ./nothing")
        .code(2);
    let said = crate::support::program::stderr_of(&run);

    assert!(
        said.contains("./nothing: this engine cannot be started"),
        "{said}"
    );
}

#[test]
fn an_engine_that_lies_is_replaced() {
    let work = workplace();
    write_script(&work, "engine", LIAR);

    let server = served_with(&work, "--engine ./engine");
    for _ in 0..3 {
        let objects = objects(&server.get("/api/1/analysis"));
        let [only] = &objects[..] else {
            panic!("{objects:?}")
        };
        let error = only["error"].as_str().expect("a sentence");

        assert!(
            error.starts_with("the engine played `e2e5`, which is illegal, in "),
            "{error}"
        );
        assert_eq!(only["lines"], serde_json::json!([]));
    }
}

/// Asks for an analysis, without waiting for an answer.
fn request_analysis(server: &Server) -> TcpStream {
    let request = format!(
        "GET /api/1/analysis HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address
    );

    let mut stream = server.connect();
    stream.write_all(request.as_bytes()).expect("a request");
    stream
}

/// Begins an analysis, and reads its first bytes.
fn begin_analysis(server: &Server) -> TcpStream {
    let mut stream = request_analysis(server);
    let mut read = Vec::new();
    let mut piece = [0; 4096];
    while !String::from_utf8_lossy(&read).contains("\"eval_cp\":20") {
        let bytes = stream.read(&mut piece).expect("an answer");
        assert!(bytes > 0, "{}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&piece[..bytes]);
    }

    stream
}

#[test]
fn a_client_that_leaves_gives_its_engine_back() {
    let work = workplace();
    write_script(&work, "engine", PATIENT);
    let server = served_with(&work, "--engine ./engine --engine-time 86400");
    for _ in 0..5 {
        drop(begin_analysis(&server));
    }
}

#[test]
fn no_more_searches_go_on_than_there_are_processes() {
    let work = workplace();
    write_script(&work, "engine", PATIENT);

    let server = served_with(
        &work,
        "--engine ./engine --engine-processes 2 --engine-time 86400",
    );
    let searches = [begin_analysis(&server), begin_analysis(&server)];

    let (status, sentence) = server.refusal("/api/1/analysis");
    assert_eq!(status, 503);
    assert!(
        sentence.contains("the engine is busy; try again"),
        "{sentence}"
    );

    // Other requests are answered while more wait for an engine than the server answers at once.
    let mut waiting: Vec<TcpStream> = (0..40).map(|_| request_analysis(&server)).collect();
    assert_eq!(server.get("/api/1/moves").status, 200);

    // Nobody had an engine until then, and those who waited are told so.
    let mut first = [0; 64];
    waiting[0].read_exact(&mut first).expect("an answer");
    assert!(
        first.starts_with(b"HTTP/1.1 503 "),
        "{}",
        String::from_utf8_lossy(&first)
    );

    drop(searches);
    drop(begin_analysis(&server));
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "a skipped test tells the one who runs it"
)]
fn other_computers_are_refused_unless_they_are_let() {
    // The address by which others reach this computer, if it has one.
    // Nothing is sent: 192.0.2.1 is an address for documents (RFC 5737), and the system only chooses a route to it.
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").expect("a socket");
    let route = socket.connect("192.0.2.1:9");
    let Ok(own) = route.and_then(|()| socket.local_addr()) else {
        eprintln!("skipped: this computer has no network");
        return;
    };

    let work = workplace();
    write_stand_in(&work, "engine", Duration::ZERO);

    for (arguments, status) in [("", 403), ("--engine-for-all", 200)] {
        let arguments_of_server = format!("--engine ./engine {arguments} --bind {}:0", own.ip());
        let mut server = served_with(&work, &arguments_of_server);
        assert_eq!(server.get("/api/1/analysis").status, status, "{arguments}");

        // The page of another computer is not even told of the engine.
        let engine = server.json("/api/1/engine");
        assert_eq!(engine["engine"].is_string(), status == 200, "{arguments}");
        assert!(server.is_running());
    }
}
