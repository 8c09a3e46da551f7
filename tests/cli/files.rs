//! Commands change only the files that they should, and keep the old file on failure.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::decoys::Decoys;
use crate::support::program::{Workplace, stderr_of, stdout_of};
use assert_cmd::cargo::CommandCargoExt;

const GAME: &str = "[Event \"a\"]\n[White \"b\"]\n\n1. e4 e5 2. Nf3 1-0\n";
const OTHER: &str = "[Event \"c\"]\n\n1. d4 d5 0-1\n";

/// A folder with a database of all games of the project, and a PGN file.
fn with_games() -> Workplace {
    let work = Workplace::with_historical_games();
    work.write("in.pgn", GAME);
    work.write("more.pgn", OTHER);
    work
}

/// The names of all files in the folder.
fn names(work: &Workplace) -> Vec<String> {
    let entries = fs::read_dir(work.path("")).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8")
    };

    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn decoys_are_as_they_were_after_all_commands_that_write() {
    let work = with_games();
    let made = [
        "games.db",
        "new.db",
        "out.pgn",
        "book.bin",
        "problems.jsonl",
        "board.svg",
        "stamma.1",
    ];
    let decoys = Decoys::new(&work.path(""), &made);

    assert!(decoys.count() > 100);

    work.stamma("import new.db in.pgn").success();
    for command in [
        "import games.db in.pgn more.pgn --store-fen --problems problems.jsonl",
        "convert in.pgn more.pgn -o out.pgn --problems problems.jsonl",
        "export games.db -o out.pgn --strict --problems problems.jsonl",
        "book games.db -o book.bin --min-games 1",
        "board -o board.svg",
        "man -o .",
        "materialize games.db",
        "delete games.db --games 3",
        "merge games.db new.db",
        "forget games.db in.pgn",
        "optimize games.db",
        "sql --write games.db VACUUM",
        "check games.db",
        "export games.db --games 9999 -o out.pgn",
        "convert none.pgn -o out.pgn",
    ] {
        let code = work.stamma(command).get_output().status.code();
        assert!(code.is_some(), "{command}");
        assert_eq!(decoys.changed(), Vec::<String>::new(), "{command}");

        let left = names(&work)
            .into_iter()
            .filter(|name| name.starts_with(".stamma-"));
        assert!(
            left.count() == made.len(),
            "{command} leaves files: {:?}",
            names(&work)
        );
    }

    for name in made {
        assert!(work.path(name).is_file(), "{name}");
    }
}

#[test]
fn what_is_read_may_have_any_name() {
    let work = with_games();
    for name in ["games.pgn.part", "games.pgn.tmp", "games.pgn.lock"] {
        work.write(name, GAME);
        work.stamma(&format!("convert {name} -o games.pgn"))
            .success();
        assert_eq!(work.read(name), GAME);
        assert!(work.read("games.pgn").contains("1. e4 e5"));
    }

    fs::rename(work.path("games.db"), work.path("out.part")).expect("a new name");
    let before = fs::read(work.path("out.part")).expect("the database");
    work.stamma("export out.part -o out").success();
    work.stamma("book out.part -o out").success();

    assert_eq!(
        fs::read(work.path("out.part")).expect("the database"),
        before
    );
}

#[test]
fn standard_input_may_be_the_file_that_is_asked_for() {
    let work = with_games();
    let before = work.read("in.pgn");

    // As `stamma convert - -o in.pgn < in.pgn`.
    let file = fs::File::open(work.path("in.pgn")).expect("a file");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_stamma"))
        .current_dir(work.path(""))
        .args(["convert", "-", "-o", "in.pgn"])
        .stdin(file)
        .output()
        .expect("a run");

    assert_eq!(run.status.code(), Some(2));
    assert_eq!(work.read("in.pgn"), before);
}

#[test]
fn two_outputs_to_one_name_are_one_of_them() {
    let work = with_games();
    work.stamma("export games.db -o one.pgn").success();
    work.stamma("export games.db -o two.pgn --strict")
        .get_output();

    let both = [work.read("one.pgn"), work.read("two.pgn")];
    for _ in 0..5 {
        let start = |more: &[&str]| {
            let mut command = Command::cargo_bin("stamma").expect("the program is built");
            command
                .current_dir(work.path(""))
                .args(["export", "games.db", "-o", "out.pgn"])
                .args(more)
                .stderr(Stdio::null());
            command.spawn().expect("stamma runs")
        };

        // Both write at the same time.
        let mut plain = start(&[]);
        let mut strict = start(&["--strict"]);
        assert!(plain.wait().is_ok_and(|status| status.code().is_some()));
        assert!(strict.wait().is_ok_and(|status| status.code().is_some()));
        assert!(both.contains(&work.read("out.pgn")));
    }
}

#[test]
fn a_replaced_file_keeps_its_mode_and_a_link_stays_a_link() {
    let work = with_games();
    work.write("private.pgn", "old");
    fs::set_permissions(work.path("private.pgn"), fs::Permissions::from_mode(0o600))
        .expect("a mode");
    work.stamma("convert in.pgn -o private.pgn").success();

    let mode = |name| fs::metadata(work.path(name)).expect("a file").mode() & 0o777;
    assert_eq!(mode("private.pgn"), 0o600);

    // A new file has the default mode of the shell.
    fs::File::create(work.path("plain")).expect("a file");
    work.stamma("convert in.pgn -o new.pgn").success();
    assert_eq!(mode("new.pgn"), mode("plain"));

    fs::create_dir(work.path("there")).expect("a folder");
    work.write("there/target.pgn", "old");

    for (link, target) in [
        ("link.pgn", "there/target.pgn"),
        ("dangling.pgn", "there/not.pgn"),
    ] {
        symlink(target, work.path(link)).expect("a link");
        work.stamma(&format!("convert in.pgn -o {link}")).success();
        let metadata = fs::symlink_metadata(work.path(link)).expect("the link");
        assert!(metadata.is_symlink());
        assert!(work.read(target).contains("1. e4 e5"));
    }
}

#[test]
fn pipes_and_open_files_are_written_where_they_are() {
    let work = with_games();
    let script = "mkfifo pipe; cat pipe > read.pgn & \"$0\" convert in.pgn -o pipe; wait; \
        { echo first; \"$0\" convert in.pgn -o /dev/stdout; echo last; } > all.txt; \
        \"$0\" convert in.pgn -o /dev/null && test -c /dev/null";
    let mut command = Command::new("sh");
    let program = Command::cargo_bin("stamma").expect("the program is built");
    command
        .current_dir(work.path(""))
        .arg("-c")
        .arg(script)
        .arg(program.get_program());

    assert!(
        command
            .stderr(Stdio::null())
            .status()
            .expect("sh")
            .success()
    );
    assert!(work.read("read.pgn").contains("1. e4 e5"));

    let all = work.read("all.txt");
    assert!(
        all.starts_with("first\n") && all.contains("1. e4 e5") && all.ends_with("last\n"),
        "{all}"
    );
}

#[test]
fn files_are_the_same_under_all_their_names() {
    let work = with_games();
    let before = fs::read(work.path("games.db")).expect("the database");
    fs::hard_link(work.path("games.db"), work.path("hard")).expect("a link");
    symlink("games.db", work.path("soft")).expect("a link");
    fs::hard_link(work.path("in.pgn"), work.path("in2.pgn")).expect("a link");

    for command in [
        "import games.db more.pgn --problems hard",
        "import games.db more.pgn --problems soft",
        "import soft more.pgn --problems games.db",
        "export games.db -o hard",
        "book hard -o games.db",
        "export games.db -o out.pgn --problems hard",
        "merge games.db hard",
        "convert in.pgn -o in2.pgn",
        "convert in.pgn -o out.pgn --problems in2.pgn",
        "convert in.pgn -o new.jsonl --problems ./new.jsonl",
        "import games.db in.pgn --problems in2.pgn",
        "import new.db in.pgn --problems new.db",
        "export games.db -o games.db-journal",
        "export games.db -o games.db-wal",
        "export games.db -o games.db-lock",
        "import games.db in.pgn --problems games.db-shm",
        "convert in.pgn -o games.db",
    ] {
        let before_it = names(&work);
        work.stamma(command).code(2);
        assert_eq!(
            fs::read(work.path("games.db")).expect("the database"),
            before,
            "{command}"
        );
        assert_eq!(work.read("in.pgn"), GAME, "{command}");
        assert_eq!(names(&work), before_it, "{command}");
    }
}

#[test]
fn a_source_of_a_database_is_never_overwritten() {
    let work = with_games();
    work.stamma("import games.db in.pgn --quiet").get_output();
    fs::hard_link(work.path("in.pgn"), work.path("same.pgn")).expect("a link");

    for command in [
        "export games.db -o in.pgn",
        "export games.db -o same.pgn",
        "export games.db -o out.pgn --problems in.pgn",
        "book games.db -o in.pgn",
        "prepare games.db karpov -o in.pgn",
    ] {
        work.stamma(command).code(2);
        assert_eq!(work.read("in.pgn"), GAME, "{command}");
    }

    let stderr = stderr_of(&work.stamma("export games.db -o in.pgn").code(2));
    let expected =
        "stamma: in.pgn: games of the database were imported from this file; choose another\n";
    assert_eq!(stderr, expected);

    work.stamma("export games.db -o new.pgn").success();
    work.stamma("export games.db -o new.pgn").success();
}

#[test]
fn sqlite_sorts_in_the_folder_of_the_database() {
    let work = with_games();
    let pragma = "PRAGMA temp_store_directory";
    let run = work.run(["sql", "games.db", "--write", pragma]).success();

    // The first line is the header of a table.
    let table = stdout_of(&run);
    let folder = table.lines().last().expect("a folder").trim();

    // Either may be a path through a link.
    let found = fs::canonicalize(folder).expect("a folder");
    let expected = fs::canonicalize(work.path("")).expect("the folder");
    assert_eq!(found, expected);
}

#[test]
fn a_missing_folder_is_named() {
    let work = with_games();
    for command in [
        "opening games.db e4 -o nowhere/x",
        "export games.db -o nowhere/x",
        "import nowhere/x in.pgn",
        "merge nowhere/x games.db",
    ] {
        let stderr = stderr_of(&work.stamma(command).failure());
        assert!(
            stderr.ends_with("nowhere/x: there is no folder nowhere\n"),
            "{stderr}"
        );
    }
}

#[test]
fn what_fails_leaves_the_old_file() {
    let work = with_games();
    work.write("none.txt", "no game in here\n");
    work.write("cut.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x0b");
    work.write("out.pgn", "the old file");
    work.write("problems.jsonl", "the old list");

    for command in [
        "convert none.txt -o out.pgn --problems problems.jsonl",
        "convert cut.gz -o out.pgn --problems problems.jsonl",
        "convert missing.pgn -o out.pgn",
        "convert missing.pgn none.txt -o out.pgn",
        "export games.db --games 99999 -o out.pgn --problems problems.jsonl",
        "export games.db --where nonsense -o out.pgn",
        "export none.db -o out.pgn",
        "book none.db -o out.pgn",
        "import games.db none.txt --problems problems.jsonl",
        "import none.txt in.pgn --problems problems.jsonl",
    ] {
        let before = names(&work);
        let failed = work.stamma(command).code(2);
        assert!(!stderr_of(&failed).is_empty(), "{command}");
        assert_eq!(work.read("out.pgn"), "the old file", "{command}");
        assert_eq!(work.read("problems.jsonl"), "the old list", "{command}");
        assert_eq!(names(&work), before, "{command}");
    }
}

#[test]
fn no_room_leaves_the_old_file_and_a_sentence() {
    let work = with_games();
    work.write("out.pgn", "the old file");

    let limited = |command: &str| {
        let program = Command::cargo_bin("stamma").expect("the program is built");
        let mut shell = Command::new("sh");
        let script = format!("ulimit -f 8; exec \"$0\" {command}");
        shell
            .current_dir(work.path(""))
            .arg("-c")
            .arg(script)
            .arg(program.get_program());

        shell.output().expect("sh")
    };
    for command in [
        "import new.db in.pgn",
        "import games.db in.pgn",
        "export games.db -o out.pgn",
        "export games.db > big.pgn",
        "optimize games.db",
        "materialize games.db",
        "convert more.pgn -o out.pgn --no-such-option",
        "export games.db --split-by games:1000 -o 'out{}.pgn'",
    ] {
        let output = limited(command);
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        assert!(!output.stderr.is_empty(), "{command}");
        assert_eq!(work.read("out.pgn"), "the old file", "{command}");
    }

    work.stamma("check games.db --full").success();
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    let work = with_games();
    work.write("out.pgn", "the old file");

    let before = names(&work);
    let one_file = "convert - -o out.pgn";
    let divided = "convert - --split-by player -o {}.pgn";

    for (signal, arguments) in [
        ("INT", one_file),
        ("TERM", one_file),
        ("HUP", one_file),
        ("TERM", divided),
    ] {
        let mut command = Command::cargo_bin("stamma").expect("the program is built");
        command
            .current_dir(work.path(""))
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stderr(Stdio::null());

        // The program waits for more input, and has created its file.
        let mut child = command.spawn().expect("stamma runs");
        while names(&work) == before {
            std::thread::yield_now();
        }
        // By now it also watches for signals.
        std::thread::sleep(std::time::Duration::from_millis(100));

        let id = child.id().to_string();
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.expect("kill").success());

        let status = child.wait().expect("a process of ours");
        assert!(!status.success(), "{signal}: {status}");
        assert_eq!(names(&work), before, "{signal}");
        assert_eq!(work.read("out.pgn"), "the old file");
    }
}

#[test]
fn a_lock_of_somebody_else_stays() {
    let work = with_games();
    work.write("poetry.lock", "[[package]]\n");
    work.stamma("import poetry in.pgn").success();

    assert_eq!(work.read("poetry.lock"), "[[package]]\n");

    work.write("target", "somebody else's");
    symlink("target", work.path("s.db.lock")).expect("a link");
    work.stamma("import s.db in.pgn").success();

    assert_eq!(work.read("target"), "somebody else's");

    // A file that has the name of ours is reported, and the database left alone.
    for database in ["games.db", "new.db"] {
        let lock = format!("{database}-lock");
        let refuse = |work: &Workplace| {
            let refused = stderr_of(&work.stamma(&format!("import {database} in.pgn")).code(2));
            assert!(
                refused.contains(&lock) && refused.contains("move it away"),
                "{refused}"
            );
        };

        work.write(&lock, "");
        refuse(&work);
        assert_eq!(work.read(&lock), "");

        work.write(&lock, "stamma import, process 1");
        refuse(&work);
        assert_eq!(work.read(&lock), "stamma import, process 1");

        fs::remove_file(work.path(&lock)).expect("a file");
        symlink("target", work.path(&lock)).expect("a link");
        refuse(&work);

        assert_eq!(work.read("target"), "somebody else's");

        // Whoever opens a pipe waits for its other end.
        fs::remove_file(work.path(&lock)).expect("a link");
        let mkfifo = Command::new("mkfifo").arg(work.path(&lock)).status();
        assert!(mkfifo.expect("mkfifo").success());

        refuse(&work);
        fs::remove_file(work.path(&lock)).expect("a pipe");
    }
    assert!(!work.path("new.db").exists());
}

#[test]
fn journals_of_somebody_else_stay() {
    let work = with_games();
    work.write("target", "somebody else's");

    for end in ["-journal", "-wal"] {
        for command in [
            "import poetry in.pgn",
            "import games.db in.pgn",
            "info games.db",
            "search games.db",
        ] {
            let database = command.split(' ').nth(1).expect("a database");
            let name = database.to_owned() + end;
            let journal = work.path(&name);

            work.write(&name, "a poem about a journey\n");
            let refused = stderr_of(&work.stamma(command).code(2));
            assert!(refused.contains(&name), "{refused}");
            assert_eq!(work.read(&name), "a poem about a journey\n", "{command}");

            // SQLite would open the journal by its name, and write to what it leads to.
            fs::remove_file(&journal).expect("a file");
            symlink("target", &journal).expect("a link");
            work.stamma(command).code(2);

            assert_eq!(work.read("target"), "somebody else's");
            assert!(fs::symlink_metadata(&journal).is_ok_and(|link| link.is_symlink()));

            fs::remove_file(&journal).expect("a link");
        }
    }
    assert!(!work.path("poetry").exists());

    work.write("games.db-shm", "a poem about an index\n");
    work.stamma("import games.db more.pgn").code(2);
    assert_eq!(work.read("games.db-shm"), "a poem about an index\n");

    fs::remove_file(work.path("games.db-shm")).expect("a file");
    work.stamma("check games.db").success();
}

#[test]
fn output_that_nobody_can_read_is_an_error() {
    let work = with_games();
    let program = Command::cargo_bin("stamma").expect("the program is built");

    let run = |command: &str, redirection: &str| {
        // The shell closes or replaces the standard output of the program, `$0`.
        let script = format!("\"$0\" {command} {redirection}");
        let mut shell = Command::new("sh");
        shell
            .current_dir(work.path(""))
            .arg("-c")
            .arg(script)
            .arg(program.get_program());

        shell.output().expect("sh")
    };

    let prints = [
        "convert in.pgn",
        "export games.db",
        "search games.db",
        "search games.db --format count",
        "moves games.db",
        "player games.db fischer",
        "show games.db 1",
        "board",
        "board -o -",
        "sql games.db 'SELECT 1'",
        "info games.db",
        "check games.db",
        "check games.db --digest",
        "completions bash",
        "man",
        "import games.db more.pgn --json",
    ];
    for command in prints {
        // Closed, open for reading only, and on a full device.
        for redirection in [">&-", "1</dev/null", ">/dev/full"] {
            // Only some systems have this device.
            if redirection.ends_with("full") && !Path::new("/dev/full").exists() {
                continue;
            }

            let output = run(command, redirection);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{command} {redirection}: {output:?}"
            );

            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                said.contains("the output could not be written"),
                "{command} {redirection}: {said}"
            );
        }

        let output = run(command, ">/dev/null");
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    }

    // A command without output needs no standard output.
    for command in ["import new.db in.pgn", "convert in.pgn -o out.pgn"] {
        let output = run(command, ">&-");
        assert_eq!(output.status.code(), Some(0));
    }
}
