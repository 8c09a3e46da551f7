//! The files of `chess/src` and `src` import what the table of rooms in ARCHITECTURE.md lets them, which is earlier in the table; two
//! files import each other only where that page says why.
//!
//! What counts is what stands in the text: `use` declarations, and paths that begin with `crate`, `super`, `stamma` or a
//! module beside them. Tests and comments may name what they like. A name that a module passes on (`pub use`) counts for
//! the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A path of modules: `["query", "filter"]`.
type Module = Vec<String>;

/// The source files of a program and its library.
struct House {
    /// Files by their modules; those of the program begin with `cli`.
    files: BTreeMap<Module, File>,
}

struct File {
    /// The path below the `src` of its package.
    path: String,
    imports: Vec<Import>,
    /// Names in what is no declaration.
    words: BTreeSet<String>,
}

/// A path that a file names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Import {
    path: Vec<String>,
    /// The name by which it is known.
    name: String,
    /// Whether it is passed on.
    is_public: bool,
}

impl House {
    fn of<'t>(sources: impl IntoIterator<Item = (&'t str, &'t str)>) -> House {
        let files = sources
            .into_iter()
            .map(|(path, text)| (module_of(path), File::of(path, text)));
        House {
            files: files.collect(),
        }
    }

    /// The sources of both packages, without modules that only tests have.
    fn read() -> House {
        let mut sources = Vec::new();
        for package in ["chess/src", "src"] {
            let package = root().join(package);
            read_folder(&package, &package, &mut sources);
        }

        let library = fs::read_to_string(root().join("src/lib.rs")).expect("the library");
        let is_of_tests = |path: &str| {
            let name = path.trim_end_matches(".rs");
            library.contains(&format!("#[cfg(test)]\nmod {name};"))
        };

        sources.retain(|(path, _)| !is_of_tests(path));
        House::of(
            sources
                .iter()
                .map(|(path, text)| (path.as_str(), text.as_str())),
        )
    }

    /// What a path means in a module, from the root on; nothing for what belongs to other crates.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut base = module.clone();
        let rest = match path.first()?.as_str() {
            "crate" | "stamma" | "stamma_chess" => {
                base.clear();
                &path[1..]
            }
            "self" | "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                base.truncate(base.len().checked_sub(ups)?);
                &path[ups.max(1)..]
            }
            first => {
                base.push(first.to_owned());
                self.files.contains_key(&base).then_some(())?;
                &path[1..]
            }
        };
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The module that defines what a path from the root names, through modules that pass it on.
    fn definer(&self, path: &Module, steps: usize) -> Option<Module> {
        let length = (0..=path.len())
            .rev()
            .find(|&n| self.files.contains_key(&path[..n]))?;
        let module: Module = path[..length].to_vec();
        let Some(name) = path.get(length) else {
            return Some(module);
        };
        let passed_on = self.files[&module]
            .imports
            .iter()
            .find(|import| import.is_public && import.name == *name && import.path.len() > 1);

        match passed_on.and_then(|import| self.absolute(&module, &import.path)) {
            Some(mut further) if steps > 0 => {
                further.extend_from_slice(&path[length + 1..]);
                self.definer(&further, steps - 1)
            }
            _ => Some(module),
        }
    }

    /// Which room imports which, each with a file that does.
    fn room_imports(&self) -> BTreeMap<(String, String), &str> {
        let mut found = BTreeMap::new();
        for (module, file) in &self.files {
            let Some(room) = module.first() else { continue };
            for import in &file.imports {
                let target = self.absolute(module, &import.path);
                let Some(other) = target.as_ref().and_then(|target| target.first()) else {
                    continue;
                };

                if other != room
                    && self
                        .files
                        .keys()
                        .any(|module| module.first() == Some(other))
                {
                    found.insert((room.clone(), other.clone()), file.path.as_str());
                }
            }
        }

        found
    }

    /// Pairs of files that import each other.
    fn circles(&self) -> BTreeSet<(String, String)> {
        let mut edges = BTreeSet::new();
        for (module, file) in &self.files {
            let used = file
                .imports
                .iter()
                .filter(|import| !import.is_public || file.words.contains(&import.name));
            for import in used {
                let target = self.absolute(module, &import.path);
                let target = target.and_then(|target| self.definer(&target, 8));
                if let Some(target) = target.filter(|target| target != module) {
                    edges.insert((module, target));
                }
            }
        }

        let path = |module: &Module| self.files[module].path.clone();
        let is_circle =
            |(from, to): &&(&Module, Module)| *from < to && edges.contains(&(to, (*from).clone()));
        edges
            .iter()
            .filter(is_circle)
            .map(|(from, to)| (path(from), path(to)))
            .collect()
    }
}

impl File {
    fn of(path: &str, text: &str) -> File {
        let code = without_tests(text);
        let (declared, rest) = declarations(&code);
        let mut imports: Vec<Import> = declared.iter().flat_map(|text| read_use(text)).collect();
        let mut words = BTreeSet::new();
        for path in paths(&rest) {
            words.insert(path[0].clone());
            if let [.., name] = path.as_slice()
                && path.len() > 1
            {
                imports.push(Import {
                    name: name.clone(),
                    path,
                    is_public: false,
                });
            }
        }

        File {
            path: path.to_owned(),
            imports,
            words,
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_folder(package: &Path, folder: &Path, sources: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_folder(package, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path
                .strip_prefix(package)
                .expect("a path below the package");
            let name = name.to_str().expect("a name in UTF-8").replace('\\', "/");
            sources.push((name, fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// The module of a file: both `query/mod.rs` and `query.rs` are `query`.
fn module_of(path: &str) -> Module {
    let bare = path.trim_end_matches(".rs");
    match bare {
        "lib" => Vec::new(),
        // It belongs to the room of its one module.
        "main" => vec!["cli".to_owned(), "main".to_owned()],
        _ => bare
            .trim_end_matches("/mod")
            .split('/')
            .map(str::to_owned)
            .collect(),
    }
}

/// The code of a file without its comments, and up to its tests, which stand at its end.
fn without_tests(text: &str) -> String {
    let end = text
        .find("\n#[cfg(test)]\nmod tests {")
        .unwrap_or(text.len());
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text[..end]
        .lines()
        .filter(is_code)
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The `use` declarations of a text, and what is left of it without them and without declarations of modules.
fn declarations(code: &str) -> (Vec<String>, String) {
    let (mut declared, mut rest, mut open) = (Vec::new(), String::new(), None::<String>);
    for line in code.lines() {
        let bare = without_visibility(line.trim_start()).1;
        if open.is_none() && bare.starts_with("mod ") && bare.ends_with(';') {
            continue;
        }

        match &mut open {
            None if bare.starts_with("use ") => open = Some(line.trim_start().to_owned()),
            None => {
                rest.push_str(line);
                rest.push('\n');
            }
            Some(text) => text.push_str(line),
        }
        if let Some(text) = open.take_if(|text| text.contains(';')) {
            declared.push(text);
        }
    }
    (declared, rest)
}

/// Whether a declaration is `pub`, to whomever, and the rest of it.
fn without_visibility(text: &str) -> (bool, &str) {
    let Some(rest) = text.strip_prefix("pub") else {
        return (false, text);
    };
    let rest = match rest.strip_prefix('(') {
        Some(limited) => limited.split_once(')').map_or("", |(_, rest)| rest),
        None => rest,
    };

    (true, rest.trim_start())
}

/// All paths of a `use` declaration.
fn read_use(text: &str) -> Vec<Import> {
    let (is_public, text) = without_visibility(text);
    let tree = text
        .trim_start_matches("use ")
        .split(';')
        .next()
        .unwrap_or_default();
    let mut imports = Vec::new();
    read_tree(&[], tree, is_public, &mut imports);
    imports
}

fn read_tree(before: &[String], tree: &str, is_public: bool, imports: &mut Vec<Import>) {
    for branch in branches(tree) {
        let (path, more) = branch
            .split_once('{')
            .map_or((branch, None), |(a, b)| (a, Some(b)));
        let (path, alias) = path
            .split_once(" as ")
            .map_or((path, None), |(a, b)| (a, Some(b)));
        let parts = path
            .split("::")
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let mut path: Vec<String> = before
            .iter()
            .cloned()
            .chain(parts.map(str::to_owned))
            .collect();
        if let Some(more) = more {
            read_tree(
                &path,
                more.trim_end().trim_end_matches('}'),
                is_public,
                imports,
            );
            continue;
        }

        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }

        let Some(last) = path.last() else { continue };
        let name = alias.unwrap_or(last).trim().to_owned();
        imports.push(Import {
            path,
            name,
            is_public,
        });
    }
}

/// Cuts a tree at the commas that are in no braces.
fn branches(tree: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(tree[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }

    found.push(tree[start..].trim());
    found.retain(|branch| !branch.is_empty());
    found
}

/// All names of a text, with what follows them after `::`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut found, mut rest): (Vec<Vec<String>>, &str) = (Vec::new(), code);
    let mut goes_on = false;
    while let Some(start) = rest.find(is_word) {
        goes_on &= rest[..start] == *"::";
        let tail = &rest[start..];
        let end = tail.find(|letter| !is_word(letter)).unwrap_or(tail.len());
        let word = tail[..end].to_owned();

        match found.last_mut().filter(|_| goes_on) {
            Some(path) => path.push(word),
            None => found.push(vec![word]),
        }

        (goes_on, rest) = (true, &tail[end..]);
    }

    found
}

/// The part of ARCHITECTURE.md that says what rooms there are.
fn rooms_section() -> String {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let section = page
        .split("\n## Rooms\n")
        .nth(1)
        .expect("a section on rooms");
    section.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The rooms of a table in their order, each with what it may import: `| \`query/\` | … | \`board\` \`pgn\` |`.
fn table(section: &str) -> Vec<(String, BTreeSet<String>)> {
    let quoted = |cell: &str| -> Vec<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };

    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let rows = rows.map(|line| line.trim_matches('|').split(" | ").collect::<Vec<&str>>());
    rows.filter(|cells| cells.len() == 3)
        .flat_map(|cells| {
            let imports: BTreeSet<String> = quoted(cells[2]).into_iter().collect();
            let room = |name: String| {
                name.trim_end_matches('/')
                    .trim_end_matches(".rs")
                    .to_owned()
            };

            quoted(cells[0])
                .into_iter()
                .map(move |name| (room(name), imports.clone()))
        })
        .collect()
}

/// What is wrong with the imports of rooms beside a table.
fn faults(house: &House, table: &[(String, BTreeSet<String>)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, (room, imports)) in table.iter().enumerate() {
        let below: Vec<&String> = table[..at].iter().map(|(room, _)| room).collect();
        let upward = imports.iter().filter(|other| !below.contains(other));
        faults.extend(upward.map(|other| format!("{other} is not before {room} in the table")));
    }

    let found = house.room_imports();
    for ((room, other), file) in &found {
        let row = table.iter().find(|(name, _)| name == room);
        if !row.is_some_and(|(_, imports)| imports.contains(other)) {
            faults.push(format!("{file}: {room} may not import {other}"));
        }
    }

    for (room, imports) in table {
        let unused = imports
            .iter()
            .filter(|&other| !found.contains_key(&(room.clone(), other.clone())));
        faults.extend(
            unused.map(|other| format!("{room} does not import {other}, which the table lets it")),
        );
    }

    faults
}

/// The pairs of files of which a list says why they import each other: `- \`a.rs\` and \`b.rs\`: why`.
fn excused(section: &str) -> BTreeSet<(String, String)> {
    let lines = section.lines().filter_map(|line| line.strip_prefix("- `"));
    let pair = |line: &str| {
        let (first, rest) = line.split_once("` and `")?;
        let (second, why) = rest.split_once("`: ")?;
        (!why.is_empty()).then(|| (first.to_owned(), second.to_owned()))
    };
    lines.filter_map(pair).collect()
}

#[test]
fn rooms_import_what_the_table_lets_them() {
    let (house, table) = (House::read(), table(&rooms_section()));
    let rooms: BTreeSet<&String> = house
        .files
        .keys()
        .filter_map(|module| module.first())
        .collect();
    let rows: BTreeSet<&String> = table.iter().map(|(room, _)| room).collect();

    assert_eq!(
        rooms.difference(&rows).collect::<Vec<_>>(),
        Vec::<&&String>::new(),
        "no row"
    );

    let faults = faults(&house, &table);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_that_import_each_other_have_a_reason() {
    let excused = excused(&rooms_section());
    assert!(excused.len() <= 3, "{excused:?}");
    assert_eq!(House::read().circles(), excused);
}

#[test]
fn what_a_room_may_not_import_is_found() {
    let table = table(
        "| room | answers | may import |\n|---|---|---|\n| `board/` | legal moves | |\n\
         | `pgn/` | games | `board` |\n| `query/` | hits | `board` `pgn` |\n| `cli/` | words | `query` |\n",
    );
    let query = (
        "query/mod.rs",
        "use crate::{board::Square, pgn};\npub struct Hit;",
    );
    let sound = [
        (
            "board/mod.rs",
            "//! As crate::query has it.\n#[cfg(test)]\nmod tests {\n    use crate::query::Hit;\n}",
        ),
        ("pgn/mod.rs", "mod tag;\nfn f() -> crate::board::Square {}"),
        ("pgn/tag.rs", "// crate::query\n"),
        (
            "cli/mod.rs",
            "use stamma::query::Hit;\nuse crate::cli::run;",
        ),
        query,
    ];

    let with = |path: &'static str, text: &'static str| {
        let others = sound.into_iter().filter(move |(other, _)| *other != path);
        faults(&House::of(others.chain([(path, text)])), &table)
    };

    assert_eq!(faults(&House::of(sound), &table), Vec::<String>::new());

    let upward = ["board/mod.rs: board may not import query"];
    assert_eq!(with("board/mod.rs", "use crate::query::Hit;\n"), upward);
    assert_eq!(
        with(
            "board/mod.rs",
            "use crate::{\n    query::{self, Hit},\n};\n"
        ),
        upward
    );
    assert_eq!(
        with("board/mod.rs", "fn f(hit: &crate::query::Hit) {}\n"),
        upward
    );
    assert_eq!(
        with("board/fen.rs", "use super::super::query::Hit;\n"),
        ["board/fen.rs: board may not import query"]
    );
    assert_eq!(
        with(
            "cli/mod.rs",
            "use stamma::query::Hit;\nuse stamma::board;\n"
        ),
        ["cli/mod.rs: cli may not import board"]
    );
    assert_eq!(
        with("pgn/mod.rs", ""),
        ["pgn does not import board, which the table lets it"]
    );

    let mut upside_down = table.clone();
    upside_down.swap(0, 1);
    assert_eq!(
        faults(&House::of(sound), &upside_down),
        ["board is not before pgn in the table"]
    );
}

#[test]
fn files_that_import_each_other_are_found() {
    let circles = |sources: &[(&'static str, &'static str)]| {
        let found = House::of(sources.iter().copied()).circles();
        found
            .into_iter()
            .map(|(one, other)| format!("{one} {other}"))
            .collect::<Vec<_>>()
    };

    let tag = ("pgn/tag.rs", "use super::reader::Reader;\npub struct Tag;");
    let reader = ("pgn/reader.rs", "pub struct Reader;");
    let passes_on = ("pgn/mod.rs", "mod reader;\nmod tag;\npub use tag::Tag;\n");

    assert_eq!(circles(&[tag, reader, passes_on]), Vec::<String>::new());

    let circle = ["pgn/reader.rs pgn/tag.rs"];
    assert_eq!(
        circles(&[tag, ("pgn/reader.rs", "use super::tag::Tag;"), passes_on]),
        circle
    );
    assert_eq!(
        circles(&[
            tag,
            ("pgn/reader.rs", "fn f(tag: super::Tag) {}"),
            passes_on
        ]),
        circle
    );
    assert_eq!(
        circles(&[
            tag,
            ("pgn/reader.rs", "use crate::pgn::{Tag as T};"),
            passes_on
        ]),
        circle
    );

    let uses_its_own = ("pgn/mod.rs", "pub use tag::Tag;\npub struct Pair(Tag);");
    let tag = ("pgn/tag.rs", "use super::Pair;\npub struct Tag;");
    assert_eq!(circles(&[tag, uses_its_own]), ["pgn/mod.rs pgn/tag.rs"]);
}
