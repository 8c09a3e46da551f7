//! The documents as a whole: the table of contents has every page, links have targets, and generated files are up to
//! date. `STAMMA_BLESS=1` writes the generated files: the reference of commands, and the picture of a session in the
//! README.

use std::fs;
use std::path::{Path, PathBuf};

use super::help::commands;
use crate::support::document::{blocks, markdown_files};
use crate::support::program::{Workplace, games, stdout_of};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect(name)
}

/// All documents: those of the book, and those beside the README.
fn documents() -> Vec<PathBuf> {
    let mut documents = markdown_files();
    for name in ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
        documents.push(root().join(name));
    }

    documents
}

/// Compares a generated file with its expected content, or writes it.
pub(super) fn assert_generated(name: &str, expected: &str) {
    let path = root().join(name);
    let is_to_write = std::env::var_os("STAMMA_BLESS").is_some();
    if is_to_write {
        fs::write(&path, expected).expect(name);
    }

    let found = fs::read_to_string(&path).unwrap_or_default();
    if found == expected {
        return;
    }

    // Only the first difference is shown: the files have thousands of lines.
    let mut lines = found.lines().zip(expected.lines());
    let difference = lines.find(|(found, expected)| found != expected);
    panic!("{name} is out of date; write it with STAMMA_BLESS=1: {difference:?}");
}

#[test]
fn reference_of_commands_is_the_help() {
    let work = Workplace::new();
    let help = |arguments: &str| -> String {
        let help = work.output(arguments);
        let lines = help.lines().map(|line| line.trim_end().to_owned() + "\n");
        lines.collect()
    };

    let mut page = String::from(
        "# Commands\n\nThis page is the output of `stamma help`, written by `STAMMA_BLESS=1 cargo test --test docs`.\n\n",
    );
    page += &format!("```text\n{}```\n", help("--help"));

    for command in commands(&work) {
        let help = help(&format!("help {command}"));
        page += &format!("\n## stamma {command}\n\n```text\n{help}```\n");
    }

    assert_generated("docs/commands.md", &page);
}

/// The session in the README's picture.
const SESSION: [&[&str]; 2] = [
    &[
        "search",
        "games.db",
        "1. d4 Nf6 2. c4 e6 3. Nf3 d5 4. Nc3",
        "--limit",
        "3",
    ],
    &["moves", "games.db", "1. e4 c5", "--board", "none"],
];

/// The session's output on a terminal, with escape sequences for colours.
fn session() -> String {
    let work = Workplace::new();
    work.run([
        "import".as_ref(),
        "--quiet".as_ref(),
        "games.db".as_ref(),
        games().as_os_str(),
    ])
    .success();

    let mut session = String::new();
    for command in SESSION {
        session += "\x1b[1m$ stamma";
        for word in command {
            let typed = if word.contains(' ') {
                format!(" '{word}'")
            } else {
                format!(" {word}")
            };
            session += &typed;
        }
        session += "\x1b[0m\n";

        let mut program = assert_cmd::Command::cargo_bin("stamma").expect("the program is built");
        program
            .current_dir(work.path(""))
            .env("CLICOLOR_FORCE", "1")
            .env_remove("NO_COLOR")
            .args(command);
        session += &stdout_of(&program.assert().success());
        session += "\n";
    }

    session
}

#[test]
#[cfg(unix)]
fn picture_is_a_real_session() {
    let picture = anstyle_svg::Term::new().render_svg(&session());
    assert!(picture.len() < 60_000, "{} bytes", picture.len());
    assert_generated("docs/images/session.svg", &picture);
}

#[test]
fn front_pages_are_short() {
    for name in ["README.md", "ARCHITECTURE.md"] {
        let lines = read(name).lines().count();
        assert!(lines <= 200, "{name} has {lines} lines");
    }
}

#[test]
fn test_command_of_the_readme_is_what_ci_runs() {
    let readme = read("README.md");
    let (_, rest) = readme
        .split_once("runs all tests:\n\n```sh\n")
        .expect("the command for the tests");
    let command = rest.lines().next().expect("a command");

    assert!(
        read(".ci/run").lines().any(|line| line == command),
        "{command}"
    );
}

#[test]
fn columns_of_the_view_are_all_described() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 *\n");

    let page = read("docs/database.md");
    for column in work
        .query("SELECT name FROM pragma_table_info('games')")
        .lines()
    {
        assert!(page.contains(&format!("`{column}`")), "{column}");
    }
}

/// The text of a page outside of its fenced blocks.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line);
        }
    }

    lines.join("\n")
}

/// The targets of the links of a page. Text in backquotes is not a link.
fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let text: String = prose.split('`').step_by(2).collect();

    let mut targets = Vec::new();
    for rest in text.split("](").skip(1) {
        let Some((target, _)) = rest.split_once(')') else {
            continue;
        };
        // Other sites are not looked for, so that the tests need no network.
        if !target.contains("://") {
            targets.push(target.to_owned());
        }
    }

    targets
}

/// The anchors of the headings of a page.
fn anchors(page: &str) -> Vec<String> {
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings.map(anchor).collect()
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let mut anchor = String::new();
    for letter in text.chars() {
        if letter == ' ' {
            anchor.push('-');
        } else if letter.is_alphanumeric() || letter == '-' || letter == '_' {
            anchor.push(letter);
        }
    }

    anchor
}

#[test]
fn links_lead_to_pages_and_headings() {
    let book = root().join("docs");
    for document in documents() {
        let page = fs::read_to_string(&document).expect("a page");
        for link in links(&page) {
            let (file, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let folder = document.parent().expect("a folder");
            let target = if file.is_empty() {
                document.clone()
            } else {
                folder.join(file)
            };
            let place = document.display();
            let Ok(target) = target.canonicalize() else {
                panic!("{place}: {link}");
            };

            // The book has the files below `docs` alone.
            assert!(
                !document.starts_with(&book) || target.starts_with(&book),
                "{place} leaves the book: {link}"
            );

            if !anchor.is_empty() {
                let text = fs::read_to_string(target).expect("a page");
                let anchors = anchors(&text);
                assert!(
                    anchors.iter().any(|known| known == anchor),
                    "{place}: {link}"
                );
            }
        }
    }
}

/// The documents for contributors name files, whose paths begin at the root or in the `src` of a package.
#[test]
fn files_that_are_named_are_there() {
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let prose = prose(&read(name));
        let code = prose.split('`').skip(1).step_by(2);
        let is_file =
            |text: &&str| text.contains('/') && text.ends_with(".rs") && !text.contains(' ');

        for file in code.filter(is_file) {
            let folders = ["", "src", "chess/src"];
            let is_there = folders
                .iter()
                .any(|folder| root().join(folder).join(file).exists());
            assert!(is_there, "{name}: {file}");
        }
    }
}

#[test]
fn table_of_contents_names_every_page_once() {
    let mut listed = links(&read("docs/SUMMARY.md"));
    listed.sort();

    let book = root().join("docs");
    let mut pages = Vec::new();
    for path in markdown_files() {
        // The README is no page of the book.
        let Ok(page) = path.strip_prefix(&book) else {
            continue;
        };
        let page = page.to_str().expect("UTF-8").replace('\\', "/");
        if page != "SUMMARY.md" {
            pages.push(page);
        }
    }
    pages.sort();

    assert_eq!(listed, pages);
}

#[test]
fn blocks_of_code_have_a_language() {
    for document in documents() {
        let page = fs::read_to_string(&document).expect("a page");
        let has_indented_block = prose(&page)
            .split("\n\n")
            .any(|part| part.starts_with("    "));
        assert!(
            !has_indented_block,
            "{}: a block without a fence",
            document.display()
        );

        for block in blocks(&page) {
            assert!(
                !block.language.is_empty(),
                "{}:{}",
                document.display(),
                block.at
            );
        }
    }
}

/// `true` for a command that a test can run. A server and a watch do not end; an engine and files of Lichess need not
/// be there.
fn can_run(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("stamma ") else {
        return false;
    };

    // `stamma games.pgn` opens a page.
    let first = rest.split(' ').next().unwrap_or_default();
    let is_long = ["serve", "open", "analyze", "games.pgn", "games.db"].contains(&first);

    let parts = [" --analyze ", "lichess_db", "--watch"];
    let needs_more = parts.iter().any(|part| line.contains(part));
    !is_long && !needs_more
}

/// `sh` marks blocks that cannot be run here, such as those that need a network or install something.
#[test]
fn commands_that_can_be_run_are_run() {
    for page in markdown_files() {
        let text = fs::read_to_string(&page).expect("a page");
        for block in blocks(&text).iter().filter(|block| block.language == "sh") {
            for line in &block.lines {
                assert!(!can_run(line), "{}: {line}", page.display());
            }
        }
    }
}
