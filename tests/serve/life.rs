//! Databases that change or are replaced while they are served, and the end of the server.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::program::Workplace;
use crate::support::server::Server;
use crate::{served, workplace};

fn games_of(server: &Server) -> u64 {
    server.json("/api/1/count")["games"]
        .as_u64()
        .expect("a number")
}

#[test]
fn an_import_by_another_process_is_seen() {
    let (work, server) = served("");
    let before = server.json("/masters");
    assert_eq!(games_of(&server), 111);

    let names = server.json("/api/1/suggest?field=player&text=newcomer");
    assert_eq!(names, serde_json::json!([]));

    // What the server keeps between requests must be read anew: names, counts, and lists of games.
    work.import("[White \"Newcomer, A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. a4 a5 1-0\n");
    assert_eq!(games_of(&server), 112);

    let names = server.json("/api/1/suggest?field=player&text=newcomer");
    assert_eq!(names[0]["value"], "Newcomer, A");

    let after = server.json("/masters");
    let white = |reply: &serde_json::Value| reply["white"].as_u64().expect("a number");
    assert_eq!(white(&after), white(&before) + 1);

    // The new game has two half-moves, so that none goes on from its last position.
    assert_eq!(server.json("/masters?play=a2a4,a7a5")["white"], 0);
    let answer = server.json("/masters?play=a2a4");
    let game = &answer["moves"][0]["game"];
    assert_eq!(game["white"]["name"], "Newcomer, A");
}

/// Without programs that open a browser.
fn open(work: &Workplace, arguments: &[&str]) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stamma"));
    command
        .current_dir(work.path(""))
        .args(arguments)
        .env("PATH", "")
        .stderr(Stdio::null());
    Server::start_command(command)
}

#[test]
fn a_file_is_imported_and_its_page_opened() {
    let work = Workplace::new();
    work.write(
        "games/my.games.pgn",
        "[White \"A\"]\n[Result \"1-0\"]\n\n1. a4 a5 1-0\n",
    );

    let server = open(&work, &["games/my.games.pgn"]);
    assert_eq!(games_of(&server), 1);
    assert_eq!(server.get("/").status, 200);
    assert!(work.path("games/my.games.db").exists());

    // A second time nothing is added, and a server at the usual address is no hindrance.
    let again = open(&work, &["open", "games/my.games.pgn"]);
    assert_eq!(games_of(&again), 1);

    // The database itself may be named.
    let database = open(&work, &["games/my.games.db"]);
    assert_eq!(games_of(&database), 1);
}

/// Builds for tests panic when they write this game.
#[cfg(debug_assertions)]
#[test]
fn an_answer_that_a_bug_cuts_short_does_not_look_complete() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 *\n\n[StammaPanicsAt \"write\"]\n\n1. d4 *\n\n");

    // The server prints each panic.
    let mut command = Command::new(env!("CARGO_BIN_EXE_stamma"));
    command.stderr(Stdio::null());
    let server = Server::start_by(command, &work, "games.db");
    let request = format!(
        "GET /api/1/pgn HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    );

    for _ in 0..20 {
        let answer = server.send(request.as_bytes());
        // A chunk of no bytes ends a complete body (RFC 9112 §7.1).
        assert!(!answer.ends_with(b"0\r\n\r\n"), "{}", answer.escape_ascii());
    }

    let (status, sentence) =
        server.refusal("/api/1/pgn-line?text=[StammaPanicsAt+%22replay%22]+1.+e4");
    assert_eq!(status, 400, "{sentence}");
    assert_eq!(games_of(&server), 2);
}

#[test]
fn a_replaced_database_is_noticed() {
    let (work, server) = served("");
    let served = work.path("games.db");
    assert_eq!(games_of(&server), 111);

    work.write("other.pgn", "1. a4 1-0\n\n1. a4 a5 0-1\n");
    work.stamma("import other.db other.pgn").success();
    fs::rename(work.path("other.db"), &served).expect("a replacement");

    assert_eq!(games_of(&server), 2);

    let masters = server.json("/masters");
    assert_eq!(masters["moves"][0]["uci"], "a2a4");

    fs::remove_file(&served).expect("a removal");
    assert_eq!(server.get("/api/1/count").status, 503);
    assert_eq!(server.get("/masters").status, 503);

    work.write("third.pgn", "1. h4 1-0\n");
    work.stamma("import games.db third.pgn").success();

    let masters = server.json("/masters");
    assert_eq!(masters["moves"][0]["uci"], "h2h4");
}

/// A thread that downloads games again and again, until the flag is set. Each download must succeed, or fail with 503.
fn download_until(server: &Server, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        let response = server.get("/api/1/pgn");
        let is_expected = matches!(response.status, 200 | 503);
        assert!(is_expected, "{}", response.text());
    }
}

/// Waits until a file is gone.
fn is_gone(path: &Path) -> bool {
    let end = Instant::now() + Duration::from_secs(20);
    while path.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    !path.exists()
}

/// Sets a flag when it is dropped, also by a test that fails.
struct SetOnDrop<'f>(&'f AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn the_log_of_an_import_ends_beside_downloads() {
    let (work, server) = served("");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let _over = SetOnDrop(&is_over);
        for _ in 0..3 {
            threads.spawn(|| download_until(&server, &is_over));
        }

        for imported in 1..=3 {
            work.import(format!("[Round \"{imported}\"]\n\n1. a4 a5 1-0\n"));
            assert!(is_gone(&work.path("games.db-wal")), "a log is left");

            fs::copy(work.path("games.db"), work.path("copy.db")).expect("a copy");
            let count = work.output("search copy.db --format count");
            assert_eq!(count.trim(), (111 + imported).to_string());

            fs::remove_file(work.path("copy.db")).expect("the copy");
        }
    });

    assert_eq!(games_of(&server), 114);

    work.stamma("check games.db").success();
}

/// The log and its index of the file before are neither read for the file that takes its place, nor cut off while they
/// are in use.
#[test]
#[cfg(unix)]
fn a_file_is_replaced_again_and_again_beside_downloads_and_imports() {
    let (work, mut server) = served("");
    work.write("other.pgn", "1. a4 1-0\n\n1. a4 a5 0-1\n");
    work.stamma("import other.db other.pgn").success();

    let is_over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let (server, _over) = (&server, SetOnDrop(&is_over));
        for _ in 0..3 {
            threads.spawn(|| download_until(server, &is_over));
        }

        for times in 0..5 {
            work.import(format!("[Round \"{times}\"]\n\n1. h4 h5 1-0\n"));
            assert!(is_gone(&work.path("games.db-wal")), "a log is left");

            fs::copy(work.path("other.db"), work.path("new.db")).expect("a copy");
            fs::rename(work.path("new.db"), work.path("games.db")).expect("a replacement");
            assert_eq!(games_of(server), 2);
        }
    });

    assert!(server.is_running());

    work.stamma("check games.db").success();
}

#[test]
fn an_overwritten_database_is_noticed() {
    let (work, server) = served("");
    let served = work.path("games.db");
    let other = work.path("other.db");

    assert_eq!(games_of(&server), 111);

    work.write("other.pgn", "1. a4 1-0\n\n1. a4 a5 0-1\n");
    work.stamma("import other.db other.pgn").success();
    fs::copy(&other, &served).expect("a copy over it");

    assert_eq!(games_of(&server), 2);

    let masters = server.json("/masters");
    assert_eq!(masters["moves"][0]["uci"], "a2a4");

    fs::write(&served, []).expect("nothing over it");
    assert_eq!(server.get("/api/1/count").status, 503);

    fs::copy(&other, &served).expect("a copy over it");
    assert_eq!(games_of(&server), 2);
}

#[test]
fn a_database_is_served_once() {
    let work = workplace();
    let refused = work
        .stamma("serve games.db games.db --bind 127.0.0.1:0")
        .code(2);
    let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(told.contains("given twice"), "{told}");
}

#[test]
fn an_import_that_is_killed_leaves_answers() {
    let (work, server) = served("");
    let game = |number: usize| {
        format!("[White \"W {number}\"]\n[Result \"1-0\"]\n\n1. a4 a5 2. h4 h5 1-0\n\n")
    };
    let pgn: String = (0..20_000).map(game).collect();
    work.write("many.pgn", pgn);

    for milliseconds in [30, 100, 300, 900] {
        let mut import = Command::new(env!("CARGO_BIN_EXE_stamma"))
            .current_dir(work.path(""))
            .args(["import", "games.db", "many.pgn"])
            .stderr(Stdio::null())
            .spawn()
            .expect("an import");
        let end = Instant::now() + Duration::from_millis(milliseconds);

        while Instant::now() < end {
            let found = server.get("/masters?play=d2d4");
            assert!(matches!(found.status, 200 | 503), "{}", found.text());
        }

        import.kill().expect("an end");
        import.wait().expect("an end");
        assert!(games_of(&server) >= 111);
        assert_eq!(server.get("/api/1/statistics").status, 200);
    }

    work.stamma("import games.db many.pgn").success();
    assert_eq!(games_of(&server), 20_111);

    work.stamma("check games.db").success();
}

#[test]
fn readers_keep_no_writer_waiting() {
    let (work, server) = served("");

    // Connections that are idle, and a reader that has answered.
    let _idle: Vec<_> = (0..10).map(|_| server.connect()).collect();
    assert_eq!(server.get("/masters").status, 200);

    work.import("1. a4 1-0\n");
    work.stamma("optimize games.db").success();
    assert_eq!(games_of(&server), 112);
}

/// Whether this process ignores Control-C, and so do those that it starts: shells start commands in the background so.
fn is_interrupt_ignored() -> bool {
    /// The bit of signal 2, SIGINT.
    const INTERRUPT: u64 = 1 << 1;

    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let Some(mask) = mask else { return false };

    let ignored = u64::from_str_radix(mask.trim(), 16).unwrap_or_default();
    ignored & INTERRUPT != 0
}

#[test]
#[cfg(unix)]
fn a_signal_ends_it_beside_idle_connections() {
    let signals = ["-TERM", "-INT"];
    let answered = if is_interrupt_ignored() {
        &signals[..1]
    } else {
        &signals[..]
    };

    for signal in answered {
        let (_work, mut server) = served("--sql");
        assert_eq!(server.get("/masters").status, 200);

        let _idle = server.connect();
        let id = server.id().to_string();
        let kill = Command::new("kill").args([*signal, &id]).status();

        assert!(kill.expect("kill").success());

        let status = server.wait();
        assert!(status.success(), "{signal}: {status}");
    }
}

#[test]
fn several_databases_are_chosen_by_name() {
    let work = workplace();
    work.write("other.pgn", "1. a4 1-0\n");
    work.stamma("import other.db other.pgn").success();
    // Two files of one name, in different folders.
    fs::create_dir(work.path("more")).expect("a folder");
    fs::copy(work.path("other.db"), work.path("more/games.db")).expect("a copy");

    let server = Server::start(&work, "games.db other.db more/games.db");
    let list = server.json("/api/1/databases");
    let mut names = Vec::new();
    for database in list.as_array().expect("a list") {
        names.push(database["name"].as_str().expect("a name"));
    }
    assert_eq!(names, ["games", "other", "games-2"]);

    for (name, games) in [("games", 111), ("other", 1), ("games-2", 1)] {
        let count = server.json(&format!("/api/1/count?db={name}"));
        assert_eq!(count["games"], games);
    }

    assert_eq!(server.json("/masters?db=other")["moves"][0]["uci"], "a2a4");
    assert_eq!(server.get("/masters?db=nothing").status, 404);
}

#[test]
fn a_read_only_server_writes_nothing_beside_the_database() {
    let work = workplace();
    let server = Server::start(&work, "games.db --readonly");
    assert_eq!(games_of(&server), 111);
    assert_eq!(server.get("/masters").status, 200);

    // No lock, no log and no index of a log.
    let files = fs::read_dir(work.path("")).expect("a folder").count();
    assert_eq!(files, 1);
}

#[test]
fn a_killed_server_harms_nothing() {
    let (work, mut server) = served("");
    assert_eq!(server.get("/masters").status, 200);
    assert!(server.is_running());

    drop(server);
    work.stamma("check games.db").success();

    let server = Server::start(&work, "games.db");
    assert_eq!(games_of(&server), 111);
}

#[test]
fn what_is_no_database_is_told() {
    let work = workplace();
    fs::create_dir(work.path("folder")).expect("a folder");
    work.write("text.txt", "1. e4 e5 *\n");

    for (name, sentence) in [
        ("folder", "folder: no database in this folder"),
        ("text.txt", "text.txt: not a Stamma database"),
        ("missing.db", "missing.db: no such database"),
    ] {
        let serve = format!("serve {name} --bind 127.0.0.1:0");
        let run = work.stamma(&serve).failure();
        let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(text.contains(sentence), "{text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_address_is_opened_in_a_browser() {
    use std::os::unix::fs::PermissionsExt;

    let work = workplace();
    fs::create_dir(work.path("bin")).expect("a folder");
    work.write(
        "bin/xdg-open",
        "#!/bin/sh\nprintf %s \"$1\" > opened.new && mv opened.new opened\n",
    );

    let runs = fs::Permissions::from_mode(0o755);
    fs::set_permissions(work.path("bin/xdg-open"), runs).expect("a program");

    let mut command = Command::new(env!("CARGO_BIN_EXE_stamma"));
    let path = format!("{}:/usr/bin:/bin", work.path("bin").display());
    command.env("PATH", path);

    let server = Server::start_by(command, &work, "games.db --open");
    let end = Instant::now() + Duration::from_secs(60);

    while !work.path("opened").exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }

    let opened = fs::read_to_string(work.path("opened")).expect("an address");
    assert_eq!(opened, format!("http://{}/", server.address));
    assert_eq!(server.get("/").status, 200);
}
