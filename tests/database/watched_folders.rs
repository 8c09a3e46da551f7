//! Imports with `--watch`: files that appear and grow are imported once they are no longer written to, until Control-C.
#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use stamma::storage::Database;

use crate::support::program::{Workplace, json_lines};

/// The maximum time that a test waits for a message.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// An import that watches `folder`.
struct Watching<'w> {
    work: &'w Workplace,
    child: Child,
}

impl<'w> Watching<'w> {
    fn begin(work: &'w Workplace, options: &str) -> Watching<'w> {
        // A file instead of a pipe, which can be read while the program runs.
        let messages = fs::File::create(work.path("messages")).expect("a file");

        let mut command = Command::new(assert_cmd::cargo::cargo_bin("stamma"));
        command
            .current_dir(work.path(""))
            .args(["import", "games.db", "folder", "--watch"])
            .args(options.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(messages);

        let child = command.spawn().expect("the program");
        Watching { work, child }
    }

    /// Waits until the messages have a text.
    fn wait_for(&mut self, text: &str) {
        let begin = Instant::now();
        while !self.work.read("messages").contains(text) {
            let messages = self.work.read("messages");
            assert!(begin.elapsed() < MAX_WAIT, "{text} is not in {messages}");
            assert!(
                self.child.try_wait().expect("a child").is_none(),
                "it has ended: {messages}"
            );

            sleep(Duration::from_millis(20));
        }
    }

    /// Ends it with a signal; returns its exit code, its standard output, and its messages.
    fn end(mut self) -> (Option<i32>, String, String) {
        // SIGTERM, as what a script starts in the background ignores SIGINT.
        let pid = self.child.id().to_string();
        let mut kill = Command::new("kill");
        let killed = kill.args(["-TERM", &pid]).status().expect("kill");
        assert!(killed.success(), "{killed}");

        let status = self.child.wait().expect("an end");
        let mut output = self.child.stdout.take().expect("an output");
        let mut printed = String::new();
        output.read_to_string(&mut printed).expect("UTF-8");

        let messages = self.work.read("messages");
        (status.code(), printed, messages)
    }
}

fn game(white: &str) -> String {
    format!("[White \"{white}\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n")
}

fn whites(work: &Workplace) -> String {
    work.query("SELECT group_concat(white, ' ') FROM (SELECT white FROM games ORDER BY id)")
}

#[test]
fn files_that_appear_and_grow_are_imported() {
    let work = Workplace::new();
    work.write("folder/a.pgn", game("a"));

    let mut watching = Watching::begin(&work, "--every 0.2 --json");
    watching.wait_for("1 game,");

    // A compressed file in a subfolder, and one that is no PGN.
    work.write("folder/notes.txt", "nothing");
    let packed = zstd::encode_all(game("b").as_bytes(), 1).expect("memory");
    work.write("folder/new/b.pgn.zst", packed);
    watching.wait_for("b.pgn.zst");
    OpenOptions::new()
        .append(true)
        .open(work.path("folder/a.pgn"))
        .and_then(|mut file| file.write_all((game("c") + &game("d")).as_bytes()))
        .expect("a file that grows");
    watching.wait_for("begins with folder/a.pgn as imported before");

    let (code, printed, messages) = watching.end();
    assert_eq!(code, Some(0), "{messages}");
    assert_eq!(whites(&work), "a b c d");

    // A line for each import, with the games that it has added.
    let mut games = Vec::new();
    for line in json_lines(&printed) {
        games.push(line["games"].as_u64().expect("games"));
    }
    assert_eq!(games, [1, 1, 2]);
    assert!(
        messages.contains("s: 4 games imported from 3 sources\n"),
        "{messages}"
    );
    work.stamma("check games.db --full").success();
}

#[test]
fn a_file_is_not_read_while_it_grows() {
    let work = Workplace::new();
    work.write("folder/a.pgn", "");

    let mut watching = Watching::begin(&work, "--every 0.5");
    watching.wait_for("watching 1 path");

    // Ten times within a look at the folder, so that the file is never at rest.
    let path = work.path("folder/a.pgn");
    for number in 0..40 {
        let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
        let next = game(&format!("g{number}"));
        file.write_all(next.as_bytes()).expect("a file that grows");
        sleep(Duration::from_millis(50));
    }

    watching.wait_for("40 games,");
    let (code, _, messages) = watching.end();
    assert_eq!(code, Some(0), "{messages}");

    // One import of the whole file.
    let sources = work.query("SELECT count(*), max(games) FROM source");
    assert_eq!(sources, "1|40", "{messages}");
}

#[test]
fn it_waits_while_another_program_writes() {
    let work = Workplace::new();
    let other = Database::open_or_create(work.path("games.db")).expect("a database");
    work.write("folder/a.pgn", game("a"));

    let mut watching = Watching::begin(&work, "--every 0.1 --wait 0");
    watching.wait_for("games.db");
    sleep(Duration::from_millis(500));
    drop(other);
    watching.wait_for("1 game,");

    let (code, _, messages) = watching.end();
    assert_eq!(code, Some(0), "{messages}");

    // One message for all attempts.
    let mentions = messages.matches("another").count() + messages.matches("process").count();
    assert_eq!(mentions, 1, "{messages}");
    assert_eq!(whites(&work), "a");
}

#[test]
fn what_cannot_be_read_is_told_once() {
    let work = Workplace::new();
    work.write("folder/no.pgn", "%PDF-1.7\n");

    let mut watching = Watching::begin(&work, "--every 0.1");
    watching.wait_for("no.pgn");
    work.write("folder/b.pgn", game("b"));
    watching.wait_for("1 game,");
    // Five more looks at the folder.
    sleep(Duration::from_millis(500));

    let (code, _, messages) = watching.end();
    assert_eq!(code, Some(1), "{messages}");
    assert_eq!(messages.matches("no.pgn").count(), 1, "{messages}");
    assert_eq!(whites(&work), "b");
}

#[test]
fn a_misspelt_folder_is_an_error_at_once() {
    let work = Workplace::new();
    for command in [
        "import games.db nowhere --watch",
        // Standard input is read once.
        "import games.db - --watch",
        "import games.db . --watch --every 0",
        "import games.db . --every 1",
    ] {
        work.stamma(command).code(2);
    }
    assert!(!work.path("games.db").exists());
}

#[test]
fn games_of_a_file_that_is_written_anew_are_updated() {
    let work = Workplace::new();
    let game = |round: u32, moves: &str| {
        format!(
            "[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Round \"{round}\"]\n[White \"a\"]\n[Black \"b\"]\n\
             [Result \"*\"]\n\n{moves} *\n\n"
        )
    };

    work.write("folder/round.pgn", game(1, "1. e4") + &game(2, "1. d4"));
    let mut watching = Watching::begin(&work, "--every 0.2 --update");
    watching.wait_for("2 games,");

    // A move later on the first board, then on the last one, and then a further game.
    work.write("folder/round.pgn", game(1, "1. e4 e5") + &game(2, "1. d4"));
    watching.wait_for("game 1: a - b, 2024.05.01: moves (1 to 2 half-moves)");
    work.write(
        "folder/round.pgn",
        game(1, "1. e4 e5") + &game(2, "1. d4 d5"),
    );
    watching.wait_for("game 2: a - b, 2024.05.01: moves (1 to 2 half-moves)");

    let three = game(1, "1. e4 e5") + &game(2, "1. d4 d5 2. c4") + &game(3, "1. c4");
    work.write("folder/round.pgn", three);
    watching.wait_for("game 2: a - b, 2024.05.01: moves (2 to 3 half-moves)");

    let (code, _, messages) = watching.end();
    assert_eq!(code, Some(0), "{messages}");
    assert_eq!(
        work.query("SELECT id, moves FROM games"),
        "1|e4 e5\n2|d4 d5 c4\n3|c4"
    );
    work.stamma("check games.db --full").success();
}
