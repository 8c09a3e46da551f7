//! Changes of a database by the page of a server with `--write`: nothing is lost, and nothing is half done.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::served;
use crate::shape::fault;
use crate::support::program::{Workplace, stderr_of, stdout_of};
use crate::support::server::{Response, Server};

/// The games of `served`.
const GAMES: u64 = 111;

fn pgn(white: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"Page\"]\n[Result \"1-0\"]\n\n1. a4 {{of {white}}} a5 2. h4 h5 1-0\n"
    )
}

/// The response to what the page of the server sends.
fn post_as_page(server: &Server, target: &str, text: &str) -> Response {
    let origin = format!("http://{}", server.address);
    server
        .post_from(target, text, &origin)
        .unwrap_or_else(|| panic!("no answer to POST {target}"))
}

fn change_of(server: &Server, target: &str, text: &str) -> Value {
    let response = post_as_page(server, target, text);
    assert_eq!(response.status, 200, "{target}: {}", response.text());
    serde_json::from_slice(&response.body).expect("JSON")
}

/// The response once no other program writes any more.
fn post_patiently(server: &Server, target: &str, text: &str) -> Response {
    let end = Instant::now() + Duration::from_secs(120);
    loop {
        let response = post_as_page(server, target, text);
        // 503 means that another program writes, and that one should try again.
        if response.status != 503 || Instant::now() > end {
            return response;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn count(server: &Server, query: &str) -> u64 {
    server.json(&format!("/api/1/count?{query}"))["games"]
        .as_u64()
        .expect("a number")
}

/// How many games of a player the program finds.
fn games_of(work: &Workplace, white: &str) -> u64 {
    let exactly = format!("={white}");
    let run = work.run([
        "search", "games.db", "--white", &exactly, "--format", "count",
    ]);
    stdout_of(&run).trim().parse().expect("a number")
}

#[test]
fn games_are_added_found_and_taken_out() {
    let (work, server) = served("--write");
    assert_eq!(server.json("/api/1/databases")[0]["writable"], true);

    let two_games = pgn("One, A") + "\n" + &pgn("Two, B");
    let change = change_of(&server, "/api/1/add", &two_games);
    assert_eq!(change["sentence"], "2 games were added to games.");
    assert_eq!(change["games"], 2);
    assert_eq!(change["first_game"], GAMES + 1);
    assert_eq!(count(&server, "play=a2a4,a7a5,h2h4"), 2);
    assert_eq!(count(&server, "comment=of+One"), 1);

    // The same text again, as by a second click.
    let again = change_of(&server, "/api/1/add", &two_games);
    assert_eq!(
        again["sentence"],
        "Nothing was added: the database has these games already."
    );
    assert_eq!(count(&server, ""), GAMES + 2);

    let undo = format!("/api/1/undo?source={}", change["source"]);
    let undone = change_of(&server, &undo, "");
    assert_eq!(undone["sentence"], "2 games were taken out of games.");
    assert_eq!(count(&server, ""), GAMES);
    assert_eq!(count(&server, "play=a2a4,a7a5,h2h4"), 0);

    work.stamma("check games.db").success();
}

#[test]
fn answers_are_as_described() {
    let (_work, server) = served("--write");
    let api = server.json("/api/1/openapi.json");

    let added = change_of(&server, "/api/1/add", &pgn("One, A"));
    let replaced = change_of(&server, "/api/1/games/17/replace", &pgn("New, N"));
    // The addition is undone, and names its source.
    let undo = format!("/api/1/undo?source={}", added["source"]);
    let undone = change_of(&server, &undo, "");

    for (path, answer) in [
        ("/api/1/add", added),
        ("/api/1/games/{id}/replace", replaced),
        ("/api/1/undo", undone),
    ] {
        let content = &api["paths"][path]["post"]["responses"]["200"]["content"];
        let schema = &content["application/json"]["schema"];
        assert!(schema.is_object(), "{path}");
        assert_eq!(fault(&api, schema, &answer), None, "{path}");
    }
}

#[test]
fn a_game_is_replaced_and_the_replacement_undone() {
    let (work, server) = served("--write");
    let before = server.get("/api/1/games/17/pgn").text();
    let players = count(&server, "play=a2a4,a7a5");

    let change = change_of(&server, "/api/1/games/17/replace", &pgn("New, N"));
    assert_eq!(change["sentence"], "Game 17 was replaced.");
    assert_eq!(change["first_game"], 17);
    assert_eq!(change["replaced"], 1);

    // The game has its number as before, and is found by its new position and its new comment.
    let replaced = server.json("/api/1/games/17");
    assert_eq!(replaced["tags"][0][1], "New, N");
    assert_eq!(count(&server, ""), GAMES);
    assert_eq!(count(&server, "play=a2a4,a7a5"), players + 1);
    assert_eq!(count(&server, "comment=of+New"), 1);

    // A replacement is no addition that could be taken out with its game.
    let statistics = server.json("/api/1/statistics");
    let sources = statistics["sources"].as_array().expect("sources");
    let last = &sources.last().expect("a source")["id"];
    let response = post_as_page(&server, &format!("/api/1/undo?source={last}"), "");
    assert_eq!(response.status, 404, "{}", response.text());
    assert_eq!(count(&server, ""), GAMES);

    // The old text undoes the replacement.
    change_of(&server, "/api/1/games/17/replace", &before);
    let restored = server.get("/api/1/games/17/pgn").text();
    assert_eq!(restored, before);
    assert_eq!(count(&server, ""), GAMES);
    assert_eq!(count(&server, "play=a2a4,a7a5"), players);
    assert_eq!(count(&server, "comment=of+New"), 0);

    work.stamma("check games.db").success();
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let (work, server) = served("--write");
    for (target, text, status, part) in [
        ("/api/1/add", "", 400, "no game was found in this text"),
        (
            "/api/1/add",
            "no chess here",
            400,
            "no game was found in this text",
        ),
        ("/api/1/games/9999/replace", &*pgn("X"), 404, "no game 9999"),
        ("/api/1/games/x/replace", &*pgn("X"), 404, "no game x"),
        (
            "/api/1/games/17/replace",
            "",
            400,
            "no game was found in this text",
        ),
        (
            "/api/1/games/17/replace",
            &*(pgn("X") + "\n" + &pgn("Y")),
            400,
            "this text has several",
        ),
        ("/api/1/undo", "", 400, "the number of the source"),
        (
            "/api/1/undo?source=1",
            "",
            404,
            "no page has sent a source 1",
        ),
        (
            "/api/1/undo?source=99",
            "",
            404,
            "no page has sent a source 99",
        ),
        ("/api/1/add?db=other", &*pgn("X"), 404, "no database other"),
    ] {
        let response = post_as_page(&server, target, text);
        let sentence = response.text();
        assert_eq!(response.status, status, "{target}: {sentence}");
        assert!(sentence.contains(part), "{target}: {sentence}");
        // The page learns no path of the server's computer.
        assert!(!sentence.contains("/tmp"), "{target}: {sentence}");
    }

    assert_eq!(count(&server, ""), GAMES);
    assert_eq!(server.get("/api/1/games/17").status, 200);

    work.stamma("check games.db").success();
}

#[test]
fn only_the_page_of_a_server_that_may_write_changes_anything() {
    let (_work, server) = served("--write --cors https://lichess.org");
    let port = server.address.port();

    for origin in [
        "",
        "null",
        "https://lichess.org",
        "http://evil.example",
        &format!("https://127.0.0.1:{port}"),
        &format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        // Another name of the same server, whose page is of another origin.
        &format!("http://localhost:{port}"),
    ] {
        let response = server
            .post_from("/api/1/add", &pgn("X"), origin)
            .expect("an answer");
        assert_eq!(response.status, 403, "{origin}: {}", response.text());
    }
    assert_eq!(server.get("/api/1/add").status, 405);
    assert_eq!(count(&server, ""), GAMES);

    let (_work, server) = served("");
    assert_eq!(server.json("/api/1/databases")[0]["writable"], false);

    let response = post_as_page(&server, "/api/1/add", &pgn("X"));
    assert_eq!(response.status, 403);
    assert!(
        response.text().contains("stamma serve --write"),
        "{}",
        response.text()
    );
    assert_eq!(count(&server, ""), GAMES);
}

#[test]
fn a_server_that_others_can_reach_does_not_write() {
    let work = crate::workplace();
    for bind in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let run = work
            .stamma(&format!("serve games.db --write --bind {bind}"))
            .failure();
        let stderr = stderr_of(&run);
        assert!(
            stderr.contains("with --write, everyone who can reach"),
            "{stderr}"
        );
    }

    let run = work.stamma("serve games.db --write --readonly").failure();
    assert!(
        stderr_of(&run).contains("--readonly"),
        "{}",
        stderr_of(&run)
    );
}

#[test]
fn pages_that_add_at_once_lose_nothing() {
    let (work, server) = served("--write");
    thread::scope(|scope| {
        for page in 0..4 {
            let server = &server;
            scope.spawn(move || {
                for number in 0..5 {
                    let game = pgn(&format!("P{page}, N{number}"));
                    let response = post_patiently(server, "/api/1/add", &game);
                    assert_eq!(response.status, 200, "{}", response.text());
                }
            });
        }
    });

    assert_eq!(count(&server, ""), GAMES + 20);

    for page in 0..4 {
        for number in 0..5 {
            assert_eq!(games_of(&work, &format!("P{page}, N{number}")), 1);
        }
    }

    work.stamma("check games.db").success();
}

#[test]
fn an_import_at_the_same_time_loses_nothing() {
    let (work, server) = served("--write");
    let many: String = (0..20_000)
        .map(|number| format!("[White \"W {number}\"]\n\n1. b4 b5 2. g4 g5 *\n\n"))
        .collect();
    work.write("many.pgn", many);

    let mut import = Command::new(env!("CARGO_BIN_EXE_stamma"))
        .current_dir(work.path(""))
        .args(["import", "games.db", "many.pgn"])
        .stderr(Stdio::null())
        .spawn()
        .expect("an import");
    for number in 0..5 {
        let game = pgn(&format!("During, N{number}"));
        let response = post_patiently(&server, "/api/1/add", &game);
        assert_eq!(response.status, 200, "{}", response.text());
    }

    assert!(import.wait().expect("an end").success());
    assert_eq!(count(&server, ""), GAMES + 20_000 + 5);
    assert_eq!(count(&server, "play=a2a4,a7a5,h2h4,h7h5"), 5);

    work.stamma("check games.db").success();
}

/// The changes of a page, as far as it knows of them.
#[derive(Default)]
struct Changes {
    /// The name that was answered last for each game.
    answered: Mutex<BTreeMap<usize, String>>,
    /// The game and the name of the change that is under way.
    last: Mutex<Option<(usize, String)>>,
}

/// Replaces games one after the other, until the server is gone.
fn replace_games(server: &Server, round: usize, killed: Instant, changes: &Changes) {
    /// Six rounds change games of their own among 111.
    const GAMES_OF_ROUND: usize = 15;

    let origin = format!("http://{}", server.address);
    for number in 0.. {
        let white = format!("K{round}, N{number}");
        let game = GAMES_OF_ROUND * round + number % GAMES_OF_ROUND + 1;
        *changes.last.lock().expect("a lock") = Some((game, white.clone()));

        let target = format!("/api/1/games/{game}/replace");
        match server.post_from(&target, &pgn(&white), &origin) {
            Some(response) if response.status == 200 => {
                let mut answered = changes.answered.lock().expect("a lock");
                answered.insert(game, white);
            }
            Some(response) => assert_eq!(response.status, 503, "{}", response.text()),
            None => return,
        }

        if Instant::now() > killed + Duration::from_secs(5) {
            return;
        }
    }
}

/// A server is killed while a page replaces games. What was answered is there, and a game that was being replaced is
/// there in one of its two forms.
#[test]
fn a_server_that_is_killed_leaves_nothing_half_done() {
    let work = crate::workplace();
    let mut replaced = 0;
    for (round, milliseconds) in [40, 90, 150, 260, 400, 700].into_iter().enumerate() {
        let mut server = Server::start(&work, "games.db --write");

        // A page replaces games while the server is killed.
        let changes = Changes::default();
        thread::scope(|scope| {
            let killed = Instant::now() + Duration::from_millis(milliseconds);
            let (server, changes) = (&server, &changes);
            let page = scope.spawn(move || replace_games(server, round, killed, changes));
            thread::sleep(killed.saturating_duration_since(Instant::now()));

            // The child is ended by its number, since the server is shared with the page.
            let id = server.id().to_string();
            let kill = Command::new("kill").args(["-9", &id]).status();
            kill.expect("a kill");
            page.join().expect("a page");
        });
        server.kill();

        // Each answer holds, and the game of the change that was under way is there in one of its two forms.
        work.stamma("optimize games.db").success();
        let answered = changes.answered.into_inner().expect("a lock");
        let last = changes.last.into_inner().expect("a lock");
        let (changing, new) = last.expect("a change");

        for (game, white) in &answered {
            let is_replaced = *game == changing && white != &new && games_of(&work, &new) == 1;
            assert_eq!(games_of(&work, white), u64::from(!is_replaced), "{white}");
        }

        let games = work.query("SELECT count(*) FROM game");
        assert_eq!(games, GAMES.to_string(), "after {milliseconds} ms");

        replaced += answered.len();
        work.stamma("check games.db").success();
    }

    assert!(replaced > 0, "no game was replaced");
}
