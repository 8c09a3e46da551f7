//! What a page of another site, a neighbour in the network or a careless program can do: nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::served;
use crate::support::program::{Workplace, stderr_of};
use crate::support::server::{Response, Server};

fn status(server: &Server, head: &str) -> u16 {
    let answer = server.send(head.replace('\n', "\r\n").as_bytes());
    Response::read(&answer).map_or(0, |response| response.status)
}

#[test]
fn only_names_that_no_other_site_can_have_are_answered() {
    let (_work, server) = served("--allow-host chess.example");
    let port = server.address.port();

    for host in [
        "localhost",
        &format!("localhost:{port}"),
        "127.0.0.1",
        "[::1]:80",
        "chess.example",
        "CHESS.example:443",
    ] {
        let header = format!("Host: {host}");
        let response = server.request("GET", "/", &[&header]);
        assert_eq!(response.status, 200, "{host}");
    }

    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.example",
        "10.0.0.1",
    ] {
        for target in ["/", "/masters", "/api/1/games", "/nothing"] {
            let response = server.request("GET", target, &[&format!("Host: {host}")]);
            assert_eq!(response.status, 403, "{host}{target}");
            assert!(!response.text().contains("moves"), "{host}{target}");
        }
    }

    // RFC 9112 §3.2: a request has one field Host, and the name in an absolute address overrides it.
    let without_host = "GET / HTTP/1.1\nConnection: close\n\n";
    assert_eq!(status(&server, without_host), 400);

    let two_hosts = "GET / HTTP/1.1\nHost: localhost\nHost: localhost\nConnection: close\n\n";
    assert_eq!(status(&server, two_hosts), 400);

    let absolute = "GET http://evil.example/ HTTP/1.1\nHost: localhost\nConnection: close\n\n";
    assert_eq!(status(&server, absolute), 403);
}

#[test]
fn other_methods_bodies_and_long_addresses_are_refused() {
    let (_work, server) = served("");
    for method in [
        "POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND",
    ] {
        let target = if method == "CONNECT" {
            "localhost:80"
        } else {
            "/api/1/games"
        };
        let response = server.request(method, target, &["Host: localhost"]);
        assert_eq!(response.status, 405, "{method}");
        assert_eq!(response.header("allow"), Some("GET, HEAD, OPTIONS"));
    }

    let body = "GET / HTTP/1.1\nHost: localhost\nContent-Length: 5\n\nhello";
    assert_eq!(status(&server, body), 413);

    let chunks = "GET / HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n";
    assert_eq!(status(&server, chunks), 413);

    let long = format!("/masters?fen={}", "x".repeat(9000));
    assert_eq!(server.get(&long).status, 414);

    let longer = format!("/masters?fen={}", "x".repeat(100_000));
    assert!(matches!(server.get(&longer).status, 414 | 431));

    let headers: Vec<String> = (0..200).map(|number| format!("X-{number}: 1")).collect();
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    assert_eq!(server.request("GET", "/", &headers).status, 431);

    let wide = format!("X: {}", "x".repeat(100_000));
    assert_eq!(server.request("GET", "/", &[&wide]).status, 431);
    assert_eq!(server.get("/").status, 200);
}

/// A page of another site can lead people to the page of this server, and make it do nothing else.
#[test]
fn frames_and_windows_of_other_sites_make_no_work() {
    let (_work, server) = served("--sql");
    let status = |target: &str, site: &str, dest: &str| {
        let dest = format!("Sec-Fetch-Dest: {dest}");
        let headers = [site, "Sec-Fetch-Mode: navigate", &dest];
        server.request("GET", target, &headers).status
    };

    for site in ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"] {
        assert_eq!(status("/", site, "document"), 200, "{site}");

        for dest in ["iframe", "frame", "object", "embed"] {
            assert_eq!(status("/", site, dest), 403, "{site} {dest}");
        }
        for target in [
            "/api/1/games",
            "/api/1/sql?sql=SELECT+1",
            "/lichess",
            "/masters",
            "/player",
        ] {
            for dest in ["document", "iframe", "frame", "object", "embed"] {
                assert_eq!(status(target, site, dest), 403, "{target} {site} {dest}");
            }
        }
    }
    // An address that is typed, and a link of the page itself.
    for site in ["Sec-Fetch-Site: none", "Sec-Fetch-Site: same-origin"] {
        assert_eq!(status("/api/1/games", site, "document"), 200, "{site}");
    }
}

/// A text is sent where one is taken, in a type that needs the leave of the server, and not without end.
#[test]
fn texts_are_bounded_and_of_no_other_site() {
    let (work, server) = served("--allow-host chess.example");
    let target = "/api/1/repertoire?color=white";
    let before = std::fs::read(work.path("games.db")).expect("the database");

    // A request written by hand: these headers, the length of the text, and the end of the connection.
    let post = |headers: &str, text: &str| {
        let length = text.len();
        let head = format!(
            "POST {target} HTTP/1.1\nConnection: close\n{headers}\nContent-Length: {length}\n\n"
        );
        let answer = server.send((head.replace('\n', "\r\n") + text).as_bytes());
        Response::read(&answer).expect("an answer").status
    };

    // An unknown host is refused: a site can have its own name point at this computer (DNS rebinding).
    let pgn = "Content-Type: application/x-chess-pgn";
    let local = format!("Host: localhost\n{pgn}");
    let allowed = format!("Host: chess.example\n{pgn}; charset=utf-8");
    let other = format!("Host: evil.example\n{pgn}");
    assert_eq!(post(&local, "1. e4 e5 *"), 200);
    assert_eq!(post(&allowed, "1. e4 *"), 200);
    assert_eq!(post(&other, "1. e4 *"), 403);

    // Browsers tell where a request comes from.
    for site in [
        "cross-site\nSec-Fetch-Mode: cors",
        "cross-site\nOrigin: https://evil.example",
    ] {
        let headers = format!("{local}\nSec-Fetch-Site: {site}");
        assert_eq!(post(&headers, "1. e4 *"), 403, "{site}");
    }

    // The types that a form of any site can send without asking the server.
    for form in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ] {
        let headers = format!("Host: localhost\nSec-Fetch-Mode: navigate\nContent-Type: {form}");
        assert_eq!(post(&headers, "1. e4 *"), 415, "{form}");
    }

    let too_long = "1. e4 *\n".repeat(200_000);
    assert_eq!(post(&local, &too_long), 413);

    // A text needs a length, by which it can be refused.
    let chunks = format!(
        "POST {target} HTTP/1.1\nHost: localhost\n{pgn}\nTransfer-Encoding: chunked\n\n3\n1. \n0\n\n"
    );
    assert_eq!(status(&server, &chunks), 411);

    let preflight = [
        "Origin: https://evil.example",
        "Access-Control-Request-Method: POST",
    ];
    let response = server.request("OPTIONS", target, &preflight);
    assert_eq!(response.status, 204);
    assert_eq!(response.header("allow"), Some("POST, OPTIONS"));
    assert_eq!(response.header("access-control-allow-origin"), None);

    let get = server.get(target);
    assert_eq!(get.status, 405);
    assert_eq!(get.header("allow"), Some("POST, OPTIONS"));

    let after = std::fs::read(work.path("games.db")).expect("the database");
    assert_eq!(after, before);
}

#[test]
fn every_answer_has_the_headers_that_keep_pages_apart() {
    let (_work, server) = served("");
    for target in [
        "/",
        "/masters",
        "/api/1/games",
        "/api/1/games/0",
        "/nothing",
        "/masters?play=x",
    ] {
        let response = server.get(target);
        let policy = response
            .header("content-security-policy")
            .unwrap_or_default();
        assert!(policy.contains("default-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");

        for (name, value) in [
            ("x-frame-options", Some("DENY")),
            ("cross-origin-opener-policy", Some("same-origin")),
            ("x-content-type-options", Some("nosniff")),
            ("access-control-allow-origin", None),
            ("cross-origin-resource-policy", Some("same-origin")),
        ] {
            assert_eq!(response.header(name), value, "{target} {name}");
        }
    }
}

#[test]
fn other_sites_read_answers_only_where_they_may() {
    let origin = "Origin: https://lichess.org";
    let ask = [
        origin,
        "Access-Control-Request-Method: GET",
        "Access-Control-Request-Headers: authorization",
    ];

    let allowed = |server: &Server, headers: &[&str], method| {
        let response = server.request(method, "/masters", headers);
        response
            .header("access-control-allow-origin")
            .map(str::to_owned)
    };

    let (_work, server) = served("");
    assert_eq!(allowed(&server, &[origin], "GET"), None);
    assert_eq!(allowed(&server, &ask, "OPTIONS"), None);

    let (_work, server) = served("--cors https://lichess.org --cors https://lila.example");
    assert_eq!(
        allowed(&server, &[origin], "GET").as_deref(),
        Some("https://lichess.org")
    );
    assert_eq!(
        allowed(&server, &["Origin: https://evil.example"], "GET"),
        None
    );
    assert_eq!(allowed(&server, &["Origin: null"], "GET"), None);

    let (_work, server) = served("--cors *");
    for (target, methods) in [
        ("/masters", "GET, HEAD, OPTIONS"),
        ("/api/1/repertoire", "POST, OPTIONS"),
    ] {
        let preflight = [
            "Origin: https://a.example",
            "Access-Control-Request-Method: POST",
        ];
        let response = server.request("OPTIONS", target, &preflight);
        assert_eq!(
            response.header("access-control-allow-methods"),
            Some(methods),
            "{target}"
        );
    }

    assert_eq!(allowed(&server, &[origin], "GET").as_deref(), Some("*"));

    let response = server.request("OPTIONS", "/masters", &ask);
    assert_eq!(response.status, 204);
    assert_eq!(response.body.len(), 0);

    let headers = response
        .header("access-control-allow-headers")
        .unwrap_or_default();
    assert!(headers.contains("Authorization"), "{headers}");

    // A name that another site may have is refused even so.
    let refused = server.request("GET", "/masters", &["Host: evil.example", origin]);
    assert_eq!(refused.header("access-control-allow-origin"), None);
}

#[test]
fn sql_is_answered_where_it_was_asked_for_and_reads_only() {
    let query = "/api/1/sql?sql=SELECT+count(*)+FROM+game";
    let (_work, server) = served("");
    assert_eq!(server.get(query).status, 404);
    assert_eq!(
        server.get("/api/1/games?where=white_elo+%3E+2800").status,
        400
    );
    assert_eq!(server.get("/api/1/moves?where=1").status, 400);

    let (work, server) = served("--sql");
    assert_eq!(server.json(query)["rows"][0][0], 111);

    let strong = "/api/1/sql?sql=SELECT+count(*)+FROM+game+WHERE+white_elo+%3E+2800";
    let strong = server.json(strong)["rows"][0][0].clone();
    assert_eq!(
        server.json("/api/1/count?where=white_elo+%3E+2800")["games"],
        strong
    );

    let before = std::fs::read(work.path("games.db")).expect("the database");
    for statement in [
        "DELETE FROM game",
        "UPDATE game SET result = '*'",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'other.db'",
        "VACUUM",
        "DROP TABLE game",
        "PRAGMA journal_mode = wal",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('other.db', 'x')",
        "CREATE TABLE other (x)",
        "INSERT INTO player (name) VALUES ('x')",
        "SELECT ?1",
    ] {
        let target = format!("/api/1/sql?sql={}", statement.replace(' ', "+"));
        assert_eq!(server.get(&target).status, 400, "{statement}");
    }

    for condition in [
        "1) UNION SELECT 1--",
        "1; DELETE FROM game",
        "load_extension('x')",
        "1 = ",
    ] {
        let target = format!("/api/1/games?where={}", condition.replace(' ', "+"));
        assert_eq!(server.get(&target).status, 400, "{condition}");
    }
    let after = std::fs::read(work.path("games.db")).expect("the database");
    assert_eq!(after, before);
    assert!(!work.path("other.db").exists());
}

/// A statement and a condition that never end.
fn endless_targets() -> [String; 2] {
    let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    let statement = endless.replace('+', "%2B").replace(' ', "+");

    [
        format!("/api/1/sql?sql={statement}"),
        format!("/api/1/count?where=({statement})+%3E+0"),
    ]
}

#[test]
fn work_without_end_is_ended() {
    let (_work, server) = served("--sql");
    let [statement, condition] = endless_targets();

    // Both at once, since each takes all the time that it may.
    std::thread::scope(|scope| {
        for target in [&statement, &condition] {
            let server = &server;
            scope.spawn(move || assert_eq!(server.get(target).status, 503, "{target}"));
        }
    });

    let large = "SELECT hex(zeroblob(500000000))".replace(' ', "+");
    assert_eq!(server.get(&format!("/api/1/sql?sql={large}")).status, 400);

    // Conditions make no large values either, and what they were refused is allowed again afterwards.
    let large = "/api/1/count?where=length(hex(zeroblob(5000000)))+%3E+0";
    assert_eq!(server.get(large).status, 400);
    assert_eq!(
        server.json("/api/1/count?where=length(hex(zeroblob(500)))+%3E+0")["games"],
        111
    );
    assert_eq!(server.json("/api/1/count")["games"], 111);
}

/// Between two steps nobody looks at the clock, so no step may take long.
#[test]
fn one_step_of_sql_takes_no_longer_than_all_may() {
    let (_work, server) = served("--sql");
    let long = |length: usize, letter: char| format!("printf('%.*c', {length}, '{letter}')");
    let text = long(250_000, 'a');
    let half = long(120_000, 'a');
    let letters = long(250_000, 'b');

    // SQLite compares the pattern at each place of the text, or each letter with all others.
    for statement in [
        format!("instr({text}, {half} || 'b')"),
        format!("length(replace({text}, {half} || 'b', ''))"),
        format!("length(trim({text}, {letters} || 'a'))"),
    ] {
        let begin = Instant::now();
        let response = server.get(&format!(
            "/api/1/sql?sql=SELECT+{}",
            percent_encoded(&statement)
        ));
        assert_eq!(response.status, 200, "{statement}: {}", response.text());

        let elapsed = begin.elapsed();
        assert!(
            elapsed < Duration::from_secs(10),
            "{statement}: {elapsed:?}"
        );
    }

    for refused in [
        "hex(zeroblob(60000)) LIKE hex(zeroblob(60000))",
        "length(zeroblob(300000))",
    ] {
        let target = format!("/api/1/count?where={}", percent_encoded(refused));
        assert_eq!(server.get(&target).status, 400, "{refused}");
    }
}

/// A text in an address.
fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Where on the machine a database is, and the files that were imported, is told to nobody.
#[test]
fn no_folder_is_told() {
    let work = crate::workplace();
    let path = work.path("games.db");
    let server = Server::start(&work, &format!("{} --sql", path.display()));
    let folder = work.path("").display().to_string();
    let folder = folder.trim_end_matches('/');

    for statement in [
        "SELECT * FROM nothing",
        "SELECT file FROM pragma_database_list",
        "PRAGMA database_list",
        "SELECT path FROM source",
        "SELECT * FROM source",
        "ATTACH 'x' AS y",
        "VACUUM INTO 'x'",
    ] {
        let response = server.get(&format!("/api/1/sql?sql={}", percent_encoded(statement)));
        let answer = response.text();
        assert!(!answer.contains(folder), "{statement}: {answer}");
        assert!(!answer.contains("tests/data"), "{statement}: {answer}");
    }

    std::fs::write(&path, "no database").expect("a text over it");
    let (status, told) = server.refusal("/api/1/count");
    assert_eq!(status, 503);
    assert!(
        told.contains("games.db") && !told.contains(folder),
        "{told}"
    );

    std::fs::remove_file(&path).expect("the database");
    let (status, told) = server.refusal("/api/1/count");
    assert_eq!(status, 503);
    assert!(
        told.contains("games.db") && !told.contains(folder),
        "{told}"
    );
}

/// A wrong parameter of an answer that would be sent piece by piece is no overload.
#[test]
fn wrong_parameters_of_a_download_are_told() {
    let (_work, server) = served("");
    for query in [
        "limit=x",
        "fen=x",
        "play=e2e5",
        "elo=x",
        "nothing=1",
        "limit=1&limit=2",
        "where=1",
    ] {
        let response = server.get(&format!("/api/1/pgn?{query}"));
        assert_eq!(response.status, 400, "{query}: {}", response.text());
    }
}

/// Clients that ask for games and never read them keep nobody else waiting.
#[test]
fn downloads_that_nobody_reads_keep_nobody_waiting() {
    let work = Workplace::new();
    let comment = "a long comment, word by word ".repeat(30_000);
    let game = format!("1. e4 {{{comment}}} e5 *\n\n");
    work.import(game.repeat(12));

    let server = Server::start(&work, "games.db");
    let head = "GET /api/1/pgn HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut unread: Vec<_> = (0..24).map(|_| server.connect()).collect();
    for stream in &mut unread {
        stream.write_all(head.as_bytes()).expect("a request");
    }

    let begin = Instant::now();
    for _ in 0..5 {
        let list = server.json("/api/1/games");
        assert_eq!(list["games"].as_array().map(Vec::len), Some(12));
        assert_eq!(server.json("/api/1/count")["games"], 12);
    }

    let elapsed = begin.elapsed();
    assert!(elapsed < Duration::from_secs(8), "{elapsed:?}");

    // A client that is slow gets all of it.
    std::thread::sleep(Duration::from_millis(500));
    let mut slow = unread.swap_remove(0);
    drop(unread);

    let mut text = Vec::new();
    let mut piece = vec![0; 1 << 20];
    // A chunk of no bytes ends the body (RFC 9112 §7.1).
    while !text.ends_with(b"0\r\n\r\n") {
        let length = slow.read(&mut piece).expect("games");
        assert!(length > 0, "cut off after {} bytes", text.len());
        text.extend_from_slice(&piece[..length]);
    }
    assert!(text.len() > 12 * comment.len());
}

#[test]
fn a_request_whose_client_has_gone_is_stopped() {
    let (_work, server) = served("--sql");
    let targets = endless_targets();

    // More of them than are answered at once: if they went on, the last would wait for all of them.
    for target in targets.iter().cycle().take(200) {
        let mut stream = server.connect();
        let head = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a request");
    }
    assert_eq!(server.json("/api/1/count")["games"], 111);
    assert_eq!(server.json("/api/1/sql?sql=SELECT+1")["rows"][0][0], 1);
}

/// Heads and texts that do not come are not waited for long, and keep nobody else waiting.
#[test]
fn slow_and_idle_clients_are_left_and_keep_nobody_waiting() {
    let (_work, server) = served("");
    let connect = |count: usize, beginning: &str| -> Vec<TcpStream> {
        let mut streams: Vec<TcpStream> = (0..count).map(|_| server.connect()).collect();
        for stream in &mut streams {
            stream
                .write_all(beginning.as_bytes())
                .expect("a part of a request");
        }
        streams
    };

    let idle = connect(200, "");
    let mut slow_heads = connect(50, "GET / HTTP/1.1\r\nHost: loc");
    let head = "POST /api/1/repertoire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-chess-pgn\r\n\
                Content-Length: 1000\r\n\r\n1. e4";
    let mut slow_texts = connect(40, head);

    for _ in 0..20 {
        assert_eq!(server.get("/masters").status, 200);
    }
    assert_eq!(server.json("/api/1/count")["games"], 111);

    // The server closes a connection on which no whole head comes, and one on which no whole text comes.
    let mut rest = Vec::new();
    for stream in &mut slow_heads {
        stream
            .read_to_end(&mut rest)
            .expect("the end of a connection");
    }

    let mut answer = Vec::new();
    slow_texts[0]
        .read_to_end(&mut answer)
        .expect("the end of a connection");

    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
        "{answer}"
    );

    drop((idle, slow_texts));
    assert_eq!(server.get("/").status, 200);
    let answer = server.post("/api/1/repertoire?color=white", "1. e4 *");
    assert_eq!(answer.status, 200);
}

#[test]
fn names_are_text() {
    let work = Workplace::new();
    work.import("[White \"<script>alert(1)</script>\"]\n[Black \"\\\"},{\"]\n\n1. e4 {<img src=x>} *\n\n1. d4 *\n");

    let server = Server::start(&work, "games.db");
    for target in [
        "/api/1/games",
        "/api/1/games/1",
        "/api/1/suggest?field=player",
    ] {
        let response = server.get(target);
        assert_eq!(
            response.header("content-type"),
            Some("application/json"),
            "{target}"
        );
        serde_json::from_slice::<serde_json::Value>(&response.body).expect(target);
    }

    let listed = server.json("/api/1/games")["games"][0].clone();
    assert_eq!(listed["white"], "<script>alert(1)</script>");

    let refusal = server.get("/api/1/suggest?field=%3Cscript%3E");
    assert_eq!(refusal.header("content-type"), Some("application/json"));

    let refusal = server.get("/masters?play=%3Cscript%3E");
    assert_eq!(
        refusal.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
}

#[test]
fn more_than_this_computer_is_warned_of() {
    let work = crate::workplace();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stamma"));
    command
        .current_dir(work.path(""))
        .args(["serve", "games.db", "--bind", "0.0.0.0:0"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("a server");

    // The warning stands before the address.
    let mut address = [0; 8];
    let stdout = child.stdout.as_mut().expect("output");
    stdout.read_exact(&mut address).expect("an address");
    child.kill().expect("an end");

    let output = child.wait_with_output().expect("output");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("can read these databases"), "{said}");
}

#[test]
fn a_port_in_use_is_told_with_another_one() {
    let (work, server) = served("");
    let port = server.address.port();
    let in_use = format!("127.0.0.1:{port}");

    // The message offers the next port.
    let next_port = port + 1;
    let next = format!("--bind 127.0.0.1:{next_port}");
    let run = work.run(["serve", "games.db", "--bind", &in_use]);
    let stderr = stderr_of(&run.code(2));
    assert!(stderr.contains("is in use"), "{stderr}");
    assert!(stderr.contains(&next), "{stderr}");

    let run = work.run(["serve", "nothing.db", "--bind", "127.0.0.1:0"]);
    let stderr = stderr_of(&run.code(2));
    assert!(stderr.contains("no such database"), "{stderr}");
}
