//! Runs the examples of the README and of every page of the book, and compares their output with the page.
//! CONTRIBUTING.md has the rules; `STAMMA_BLESS=1` writes the output into the pages.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::document::{Block, Step, blocks, markdown_files, run, steps};
use crate::support::program::{Workplace, games, text};

/// A folder as examples expect it: games, a database of them, one of Scid and one of ChessBase, evaluations, and the program
/// where `cargo build --release` puts it.
fn workplace() -> Workplace {
    let work = Workplace::new();
    for file in fs::read_dir(games())
        .expect("a folder")
        .map(|file| file.expect("a file"))
    {
        let name = Path::new("tests/data/games").join(file.file_name());
        work.write(
            name.to_str().expect("a name"),
            fs::read(file.path()).expect("a file"),
        );
    }

    for folder in ["scid", "chessbase", "evaluations"] {
        let folder = Path::new("tests/data").join(folder);
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder));

        for file in files.expect("a folder").map(|file| file.expect("a file")) {
            let name = folder.join(file.file_name());
            work.write(
                name.to_str().expect("a name"),
                fs::read(file.path()).expect("a file"),
            );
        }
    }

    work.output("import --quiet games.db tests/data/games");
    let release = work.path("target/release");
    fs::create_dir_all(&release).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_stamma"), release.join("stamma"))
        .expect("a link");
    work
}

/// The output of a command, with its exit code unless that is 0.
fn printed(work: &Workplace, command: &str) -> Vec<String> {
    let output = run(
        work,
        &format!(
            "exec 2>&1\n{}",
            command.replace("cargo build --release && ", "")
        ),
    );
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
    let number = |text: &str| {
        text.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c))
            .to_owned()
    };

    let mut line = line.to_owned();
    for mark in [" in ", " s (", "\"seconds\":"] {
        if let Some((before, after)) = line
            .split_once(mark)
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
        {
            line = before + mark + &number(&after);
        }
    }

    let is_time =
        |text: &str| text.len() == 8 && text.split(':').all(|part| part.parse::<u8>().is_ok());
    let is_date = |text: &str| text.len() == 10 && text.split('-').count() == 3;
    let words = line.split(' ').map(|word| {
        if is_time(word) || is_date(word) {
            "-"
        } else {
            word
        }
    });

    words.collect::<Vec<_>>().join(" ")
}

/// `true` if a line matches, where `[..]` is any text.
fn line_matches(shown: &str, found: &str) -> bool {
    let (shown, found) = (without_times(shown), without_times(found));
    let mut parts = shown.split("[..]");
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return rest.is_empty();
    };

    for part in between {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }

    rest.ends_with(last)
}

/// `true` if lines match, where `...` is any number of lines.
fn matches(shown: &[&str], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((&"...", shown)) => (0..=found.len()).any(|at| matches(shown, &found[at..])),
        Some((first, shown)) => found
            .split_first()
            .is_some_and(|(line, found)| line_matches(first, line) && matches(shown, found)),
    }
}

/// Runs all examples of a page in a folder; returns the differences, and the corrected page.
fn check(path: &Path) -> (Vec<String>, String) {
    let page = fs::read_to_string(path).expect("a page");
    let work = workplace();
    let mut faults = Vec::new();
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let mut edits = Vec::new();
    for block in blocks(&page)
        .iter()
        .filter(|block| block.lines.first() == Some(&"-- any SQLite program"))
    {
        work.query(&block.body());
    }

    for step in steps(&blocks(&page)) {
        match step {
            Step::File { name, content } => work.write(name, content),
            Step::Command {
                text: command,
                shown,
                at,
            } => {
                let found = printed(&work, &command);
                let ends_well = !found
                    .last()
                    .is_some_and(|line| line.starts_with("[exit code"));
                if !(shown.is_empty() && ends_well || matches(&shown, &found)) {
                    let place = format!("{}:{}", path.display(), at + 1);
                    faults.push(format!(
                        "{place}: {command}\nprints\n{}\n",
                        found.join("\n")
                    ));
                    edits.push((at..at + shown.len(), found));
                }
            }
        }
    }
    for (range, found) in edits.into_iter().rev() {
        lines.splice(range, found);
    }

    (faults, lines.join("\n") + "\n")
}

#[test]
fn examples_print_what_is_shown() {
    let pages = markdown_files();
    let faults: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages
            .iter()
            .map(|page| (page, scope.spawn(move || check(page))))
            .collect();
        let checked = threads
            .into_iter()
            .map(|(page, thread)| (page, thread.join()));
        let faults = checked.flat_map(|(page, result)| {
            let (faults, text) = result.unwrap_or_else(|_| panic!("{}", page.display()));
            if !faults.is_empty() && std::env::var_os("STAMMA_BLESS").is_some() {
                fs::write(page, text).expect("a written page");
            }
            faults
        });

        faults.collect()
    });

    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The page with recipes for games, each as a command and in SQL.
fn cookbook() -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "docs", "cookbook.md"]
        .iter()
        .collect();
    fs::read_to_string(path).expect("the cookbook")
}

/// The numbers of the games that a command lists.
fn numbers(work: &Workplace, command: &str) -> Vec<String> {
    let lines = printed(work, &format!("{command} --format csv"));
    let number = |line: &String| line.split_once(',').expect("a field").0.to_owned();
    lines.iter().skip(1).map(number).collect()
}

/// The numbers of the games that SQL returns: run by plain SQLite if the text says that any program will do.
fn selected(work: &Workplace, sql: &str) -> Vec<String> {
    let answer = if sql.starts_with("-- any SQLite program\n") {
        work.query(sql)
    } else {
        assert!(sql.starts_with("-- stamma sql\n"), "{sql}");
        let csv = work
            .run(["sql", "--format", "csv", "games.db", "--", sql])
            .success();
        text(&csv).split_once('\n').expect("a header").1.to_owned()
    };
    answer.lines().map(str::to_owned).collect()
}

#[test]
fn sql_of_a_recipe_gives_the_same_games_as_its_command() {
    let work = workplace();
    let page = cookbook();
    let blocks = blocks(&page);
    let mut recipes = 0;
    for [command, sql] in blocks
        .windows(2)
        .filter_map(|pair| <&[Block; 2]>::try_from(pair).ok())
    {
        if sql.language != "sql" {
            continue;
        }

        let steps = steps(std::slice::from_ref(command));
        let [Step::Command { text: command, .. }] = &*steps else {
            panic!("{}", sql.body())
        };
        assert_eq!(
            selected(&work, &sql.body()),
            numbers(&work, command),
            "{command}"
        );

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
        assert!(matches(shown, &found), "{shown:?}");
    }

    for shown in [&["a [..] c", "..."][..], &["...", "c"], &["a 1 b"], &[]] {
        assert!(!matches(shown, &found), "{shown:?}");
    }
    assert!(line_matches(
        "2 games in 0.01 s (291 games/s)",
        "2 games in 0.1 s (20 games/s)"
    ));
}
