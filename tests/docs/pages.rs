//! Runs the examples of the README and of every page of the book, and compares their output with the page.
//! CONTRIBUTING.md has the rules; `STAMMA_BLESS=1` writes the output into the pages.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::document::{Step, blocks, markdown_files, run, steps};
use crate::support::program::{Workplace, stdout_of};

/// A folder as examples expect it: games, a database of them, one of Scid and one of ChessBase, evaluations, and the
/// program where `cargo build --release` puts it.
fn workplace() -> Workplace {
    let work = Workplace::new();
    for folder in ["games", "scid", "chessbase", "evaluations"] {
        let folder = Path::new("tests/data").join(folder);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder);
        for file in fs::read_dir(source).expect("a folder") {
            let file = file.expect("a file");
            let name = folder.join(file.file_name());
            let content = fs::read(file.path()).expect("a file");
            work.write(name.to_str().expect("a name"), content);
        }
    }
    work.output("import --quiet games.db tests/data/games");

    let release = work.path("target/release");
    fs::create_dir_all(&release).expect("a folder");
    let program = env!("CARGO_BIN_EXE_stamma");
    std::os::unix::fs::symlink(program, release.join("stamma")).expect("a link");

    work
}

/// The output of a command, with its exit code unless that is 0.
fn output_lines(work: &Workplace, command: &str) -> Vec<String> {
    // The program is built already.
    let command = command.replace("cargo build --release && ", "");
    let output = run(work, &format!("exec 2>&1\n{command}"));
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines: Vec<String> = printed
        .trim_end()
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();

    match output.status.code() {
        Some(0) => {}
        Some(code) => lines.push(format!("[exit code {code}]")),
        None => panic!("{command} was killed"),
    }

    lines
}

/// A line without values that differ from run to run: durations, speeds and times.
fn without_times(line: &str) -> String {
    let is_of_number = |letter: char| letter.is_ascii_digit() || ".,".contains(letter);

    let mut line = line.to_owned();
    for mark in [" in ", " s (", "\"seconds\":"] {
        if let Some((before, after)) = line.split_once(mark) {
            let rest = after.trim_start_matches(is_of_number);
            line = format!("{before}{mark}{rest}");
        }
    }

    // Like `12:34:56` and `2026-11-26`.
    let is_time =
        |text: &str| text.len() == 8 && text.split(':').all(|part| part.parse::<u8>().is_ok());
    let is_date = |text: &str| text.len() == 10 && text.split('-').count() == 3;

    let mut words = Vec::new();
    for word in line.split(' ') {
        if is_time(word) || is_date(word) {
            words.push("-");
        } else {
            words.push(word);
        }
    }

    words.join(" ")
}

/// `true` if a line matches, where `[..]` is any text.
fn line_matches(shown: &str, found: &str) -> bool {
    let shown = without_times(shown);
    let found = without_times(found);

    let parts: Vec<&str> = shown.split("[..]").collect();
    let [first, between @ .., last] = &parts[..] else {
        // Without a wildcard there is one part.
        return shown == found;
    };
    let Some(mut rest) = found.strip_prefix(*first) else {
        return false;
    };

    // The first place of each part leaves the most text to the parts after it.
    for part in between {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }

    rest.ends_with(last)
}

/// `true` if lines match, where `...` is any number of lines.
fn lines_match(shown: &[&str], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((&"...", shown)) => (0..=found.len()).any(|at| lines_match(shown, &found[at..])),
        Some((first, shown)) => {
            let Some((line, found)) = found.split_first() else {
                return false;
            };
            line_matches(first, line) && lines_match(shown, found)
        }
    }
}

/// Runs all examples of a page in a folder; returns the differences, and the corrected page.
fn check_page(path: &Path) -> (Vec<String>, String) {
    let page = fs::read_to_string(path).expect("a page");
    let blocks = blocks(&page);
    let work = workplace();

    for block in &blocks {
        if block.lines.first() == Some(&"-- any SQLite program") {
            work.query(&block.body());
        }
    }

    let mut faults = Vec::new();
    let mut edits = Vec::new();
    for step in steps(&blocks) {
        match step {
            Step::File { name, content } => work.write(name, content),
            Step::Command {
                text: command,
                shown,
                at,
            } => {
                let found = output_lines(&work, &command);
                let has_failed = found
                    .last()
                    .is_some_and(|line| line.starts_with("[exit code"));
                // A command without output in the page may print anything, but must not fail.
                let is_as_shown = lines_match(&shown, &found) || (shown.is_empty() && !has_failed);
                if is_as_shown {
                    continue;
                }

                let place = format!("{}:{}", path.display(), at + 1);
                let output = found.join("\n");
                faults.push(format!("{place}: {command}\nprints\n{output}\n"));
                edits.push((at..at + shown.len(), found));
            }
        }
    }

    // From the end on, so that the line numbers of earlier edits stay right.
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for (range, found) in edits.into_iter().rev() {
        lines.splice(range, found);
    }

    (faults, lines.join("\n") + "\n")
}

#[test]
fn examples_print_what_is_shown() {
    let pages = markdown_files();
    let is_to_write = std::env::var_os("STAMMA_BLESS").is_some();

    let mut faults: Vec<String> = Vec::new();
    std::thread::scope(|scope| {
        // All threads are started before the first is waited for.
        let mut threads = Vec::new();
        for page in &pages {
            threads.push((page, scope.spawn(move || check_page(page))));
        }

        for (page, thread) in threads {
            let Ok((faults_of_page, text)) = thread.join() else {
                panic!("{}", page.display());
            };

            // The page with what its commands really print.
            if is_to_write && !faults_of_page.is_empty() {
                fs::write(page, text).expect("a written page");
            }
            faults.extend(faults_of_page);
        }
    });

    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The page with recipes for games, each as a command and in SQL.
fn cookbook() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cookbook.md");
    fs::read_to_string(path).expect("the cookbook")
}

/// The numbers of the games that a command lists.
fn numbers_by_command(work: &Workplace, command: &str) -> Vec<String> {
    let lines = output_lines(work, &format!("{command} --format csv"));
    let number = |line: &String| line.split_once(',').expect("a field").0.to_owned();
    lines.iter().skip(1).map(number).collect()
}

/// The numbers of the games that SQL returns: run by plain SQLite if the text says that any program will do.
fn numbers_by_sql(work: &Workplace, sql: &str) -> Vec<String> {
    if sql.starts_with("-- any SQLite program\n") {
        let answer = work.query(sql);
        return answer.lines().map(str::to_owned).collect();
    }

    assert!(sql.starts_with("-- stamma sql\n"), "{sql}");
    // Behind `--`, a text that begins with dashes is no option.
    let run = work.run(["sql", "--format", "csv", "games.db", "--", sql]);
    let csv = stdout_of(&run.success());

    let rows_after_header = csv.lines().skip(1);
    rows_after_header.map(str::to_owned).collect()
}

#[test]
fn sql_of_a_recipe_gives_the_same_games_as_its_command() {
    let work = workplace();
    let page = cookbook();
    let blocks = blocks(&page);
    let mut recipes = 0;
    for pair in blocks.windows(2) {
        let [command, sql] = pair else { continue };
        if sql.language != "sql" {
            continue;
        }

        let steps = steps(std::slice::from_ref(command));
        let [Step::Command { text: command, .. }] = &*steps else {
            panic!("{}", sql.body())
        };
        let by_sql = numbers_by_sql(&work, &sql.body());
        let by_command = numbers_by_command(&work, command);
        assert_eq!(by_sql, by_command, "{command}");

        recipes += 1;
    }

    assert_eq!(recipes, 8);
}

#[test]
fn wildcards_match() {
    let found = ["a 1 b".to_owned(), "c".to_owned(), "d".to_owned()];
    for shown in [
        &["a [..] b", "..."][..],
        &["...", "d"],
        &["a 1 b", "c", "d"],
        &["[..]b", "...", "c", "d"],
    ] {
        assert!(lines_match(shown, &found), "{shown:?}");
    }

    for shown in [&["a [..] c", "..."][..], &["...", "c"], &["a 1 b"], &[]] {
        assert!(!lines_match(shown, &found), "{shown:?}");
    }
    assert!(line_matches(
        "2 games in 0.01 s (291 games/s)",
        "2 games in 0.1 s (20 games/s)"
    ));
}
