//! Requests made by chance: no panic, no failure of the server, no connection that hangs.
//!
//! `STAMMA_REQUESTS` sets how many there are.

use std::io::Write;

use crate::served;
use crate::support::corpus::fewer;
use crate::support::random::Random;
use crate::support::server::{Response, Server};

const PATHS: &[&str] = &[
    "/",
    "/index.html",
    "/masters",
    "/master",
    "/lichess",
    "/lichess/history",
    "/player",
    "/personal",
    "/masters/pgn/00000001",
    "/masters/pgn/",
    "/monitor",
    "/api/1/databases",
    "/api/1/position",
    "/api/1/pgn-line",
    "/api/1/moves",
    "/api/1/games",
    "/api/1/count",
    "/api/1/games/1",
    "/api/1/games/66",
    "/api/1/games/66/pgn",
    "/api/1/games/-1",
    "/api/1/games/99999999999999999999",
    "/api/1/pgn",
    "/api/1/player",
    "/api/1/tournaments",
    "/api/1/crosstable",
    "/api/1/novelties",
    "/api/1/repertoire",
    "/api/1/report/opening",
    "/api/1/report/prepare",
    "/api/1/suggest",
    "/api/1/openings",
    "/api/1/statistics",
    "/api/1/problems",
    "/api/1/sql",
    "/api/1/openapi.json",
    "/api/1/",
    "/..",
    "/%00",
    "/masters/",
];

const NAMES: &[&str] = &[
    "fen",
    "play",
    "since",
    "until",
    "moves",
    "topGames",
    "recentGames",
    "speeds",
    "ratings",
    "history",
    "player",
    "color",
    "variant",
    "db",
    "limit",
    "cursor",
    "sort",
    "name",
    "against",
    "field",
    "text",
    "kind",
    "as",
    "game",
    "year",
    "min-games",
    "after-ply",
    "sql",
    "white",
    "black",
    "elo",
    "mean-elo",
    "winner",
    "date",
    "result",
    "eco",
    "opening",
    "event",
    "site",
    "pattern",
    "material",
    "flip",
    "for",
    "moves-through",
    "unique",
    "exact",
    "annotated",
    "comment",
    "tag",
    "line",
    "where",
    "plies",
    "start",
    "complete",
    "no-bad-results",
    "blunder",
    "swing",
    "accuracy",
    "white-accuracy",
    "black-accuracy",
    "time-left",
    "blunder-time",
    "sample",
    "seed",
    "ending",
    "title",
    "speed",
    "",
    "x",
];

const VALUES: &[&str] = &[
    "",
    "1",
    "0",
    "-1",
    "12",
    "99999999999999999999",
    "true",
    "white",
    "black",
    "e2e4",
    "e2e4,e7e5,g1f3",
    "e1h1",
    "0000",
    "a7a8q",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
    "8/8/8/8/8/8/8/8",
    "k7/8/8/8/8/8/8/K7",
    "4k3/8/8/8/8/8/8/RRRRKRRR",
    "//////// w",
    "1972",
    "1972-07",
    "1972..1975",
    "..",
    "fischer",
    "=Fischer,%20Robert%20James",
    "%3F",
    "*",
    "%00",
    "%FF%FE",
    "%",
    "%zz",
    "%F0%9F%98%80",
    "'",
    "\"",
    "<script>",
    "2600",
    "2600..2500",
    "1-0",
    "B90",
    "C",
    "najdorf",
    "*/*/*/*/4P3",
    "????????/8/8/8/8/8/8/8",
    "[",
    "[[[[[[[[",
    "KRPkr",
    "Q%3E%3D1%20q%3D0",
    "colour",
    "both",
    "Bxh7%2B",
    "1.%20e4%20e5",
    "1.+e4+(1.+d4+(1.+c4",
    "((((((((",
    "date",
    "-elo",
    "player",
    "games",
    "bullet,blitz",
    "0,1000,2500",
    "checkmate",
    "GM",
    "chess960",
    "SELECT%201",
    "ECO=B90",
    "a*",
    "&&==",
    "=",
    "&",
    "+",
];

const HEADERS: &[&str] = &[
    "Accept-Encoding: gzip",
    "Accept-Encoding: gzip;q=x, *;q=",
    "If-None-Match: *",
    "If-None-Match: W/",
    "Range: bytes=0-1",
    "Origin: null",
    "Content-Length: 0",
    "Content-Length: 7",
    "Content-Type: application/x-chess-pgn",
    "Content-Length: x",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    "Upgrade: h2c",
    "Connection: upgrade",
    "Authorization: Bearer x",
    "Cookie: x=\u{ff}",
    "X: ",
    ": x",
    "x",
    "Host: localhost",
    "Accept: \t,",
];

/// The bytes of a request; some are valid, and some have been changed by chance.
fn request(random: &mut Random) -> Vec<u8> {
    let method = *random.choose(&[
        "GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "get", "G\u{0}T", "",
    ]);
    let mut target = (*random.choose(PATHS)).to_owned();
    for number in 0..random.below(5) {
        target.push(if number == 0 { '?' } else { '&' });
        target.push_str(random.choose::<&str>(NAMES));
        target += "=";
        target.push_str(random.choose::<&str>(VALUES));
        if random.once_in(4) {
            target.push_str(random.choose::<&str>(VALUES));
        }
    }

    // Old clients have version 1.0, in which a connection ends with its answer.
    let version = if random.once_in(20) {
        "HTTP/1.0"
    } else {
        "HTTP/1.1"
    };
    let mut text =
        format!("{method} {target} {version}\r\nHost: localhost\r\nConnection: close\r\n");
    for _ in 0..random.below(3) {
        text.push_str(random.choose::<&str>(HEADERS));
        text += "\r\n";
    }
    text += "\r\n";

    // A byte changed, added or removed, up to eight times.
    let mut bytes = text.into_bytes();
    if random.once_in(5) {
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes.insert(at, random.below(256) as u8),
                _ => drop(bytes.remove(at)),
            }
        }
    }

    if random.once_in(30) {
        bytes.truncate(random.below(bytes.len()));
    }

    bytes
}

/// The requests of one seed, each over a connection of its own.
fn run(server: &Server, seed: u64, requests: usize) {
    let mut random = Random::new(seed);
    for number in 0..requests {
        let bytes = request(&mut random);

        if random.once_in(50) {
            // A client that does not wait for its answer.
            let _ = server.connect().write_all(&bytes);
            continue;
        }

        let answer = server.send(&bytes);
        if let Some(response) = Response::read(&answer) {
            // A busy server refuses with 503.
            let is_expected = response.status < 500 || response.status == 503;
            assert!(
                is_expected,
                "seed {seed}, request {number}: {}\n{}",
                String::from_utf8_lossy(&bytes),
                response.text()
            );
        }
    }
}

#[test]
fn requests_made_by_chance_are_answered_or_refused() {
    let given = std::env::var("STAMMA_REQUESTS").unwrap_or_default();
    let requests: usize = given.parse().unwrap_or(4000 / fewer(2));
    let threads = 4;
    let each = requests.div_ceil(threads);
    let (work, mut server) = served("--sql");
    std::thread::scope(|scope| {
        for seed in 0..threads as u64 {
            let server = &server;
            scope.spawn(move || run(server, seed, each));
        }
    });

    assert!(server.is_running(), "the server has ended");
    assert_eq!(server.json("/api/1/count")["games"], 111);

    drop(server);
    work.stamma("check games.db").success();
}
