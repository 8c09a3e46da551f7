//! The files of `chess/src` and `src` import what the table of rooms in ARCHITECTURE.md lets them, which is earlier in
//! the table; two files import each other only where that page says why.
//!
//! What counts is what stands in the text: `use` declarations, and paths that begin with `crate`, `super`, `stamma` or
//! a module beside them. Tests and comments may name what they like. A name that a module passes on (`pub use`) counts
//! for the file that defines it.

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
        let mut files = BTreeMap::new();
        for (path, text) in sources {
            files.insert(module_of(path), File::of(path, text));
        }

        House { files }
    }

    /// The sources of both packages, without modules that only tests have.
    fn read() -> House {
        let mut sources = Vec::new();
        for package in ["chess/src", "src"] {
            let package = root().join(package);
            read_folder(&package, &package, &mut sources);
        }

        // A module that only tests have is declared under `cfg(test)`.
        let library = fs::read_to_string(root().join("src/lib.rs")).expect("the library");
        let is_of_tests = |path: &str| {
            let name = path.trim_end_matches(".rs");
            let declaration = format!("#[cfg(test)]\nmod {name};");
            library.contains(&declaration)
        };
        sources.retain(|(path, _)| !is_of_tests(path));

        let texts = sources
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        House::of(texts)
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
                if !self.files.contains_key(&base) {
                    return None;
                }
                &path[1..]
            }
        };

        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The module that defines what a path from the root names, through modules that pass it on.
    fn definer(&self, path: &Module, steps: usize) -> Option<Module> {
        // The longest beginning of the path that is a module.
        let length = (0..=path.len())
            .rev()
            .find(|&length| self.files.contains_key(&path[..length]))?;
        let module: Module = path[..length].to_vec();
        let Some(name) = path.get(length) else {
            return Some(module);
        };

        let imports = &self.files[&module].imports;
        let passed_on = imports
            .iter()
            .find(|import| import.is_public && import.name == *name && import.path.len() > 1);

        // The steps are counted, as modules may pass a name on in a circle.
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

                if other == room {
                    continue;
                }
                let mut modules = self.files.keys();
                if modules.any(|module| module.first() == Some(other)) {
                    found.insert((room.clone(), other.clone()), file.path.as_str());
                }
            }
        }

        found
    }

    /// Pairs of files that import each other.
    fn circles(&self) -> BTreeSet<(String, String)> {
        /// More modules than any name passes through.
        const MAX_STEPS: usize = 8;

        let mut edges = BTreeSet::new();
        for (module, file) in &self.files {
            for import in &file.imports {
                // What a file only passes on is no use of it.
                if import.is_public && !file.words.contains(&import.name) {
                    continue;
                }

                let target = self.absolute(module, &import.path);
                let definer = target.and_then(|target| self.definer(&target, MAX_STEPS));
                if let Some(definer) = definer
                    && definer != *module
                {
                    edges.insert((module, definer));
                }
            }
        }

        let path = |module: &Module| self.files[module].path.clone();
        let mut circles = BTreeSet::new();
        for (from, to) in &edges {
            let is_circle = edges.contains(&(to, (*from).clone()));
            // Each circle once, by its edge from the earlier file.
            if is_circle && *from < to {
                circles.insert((path(from), path(to)));
            }
        }

        circles
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
            continue;
        }

        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if is_source {
            // The table has slashes, on Windows too.
            let path_in_package = path.strip_prefix(package).expect("a path in it");
            let text_of_path = path_in_package.to_str().expect("a name in UTF-8");
            let name = text_of_path.replace('\\', "/");

            let text = fs::read_to_string(&path).expect("a source");
            sources.push((name, text));
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

    let mut code = String::new();
    for line in text[..end].lines() {
        if !line.trim_start().starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }

    code
}

/// The `use` declarations of a text, and what is left of it without them and without declarations of modules.
fn declarations(code: &str) -> (Vec<String>, String) {
    let mut declared = Vec::new();
    let mut rest = String::new();
    // A declaration that has begun, and goes on to its semicolon.
    let mut open: Option<String> = None;
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
        // `a::b`, `a::b as c`, or `a::{b, c}`.
        let (beginning, subtree) = match branch.split_once('{') {
            Some((beginning, subtree)) => (beginning, Some(subtree)),
            None => (branch, None),
        };
        let (text, alias) = match beginning.split_once(" as ") {
            Some((text, alias)) => (text, Some(alias)),
            None => (beginning, None),
        };

        let mut path = before.to_vec();
        for part in text.split("::").map(str::trim) {
            if !part.is_empty() {
                path.push(part.to_owned());
            }
        }

        if let Some(subtree) = subtree {
            let subtree = subtree.trim_end().trim_end_matches('}');
            read_tree(&path, subtree, is_public, imports);
            continue;
        }

        // `a::{self}` is `a`.
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
    let mut found = Vec::new();
    let mut depth = 0;
    let mut start = 0;
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
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        // What stands between the last word and this one.
        let goes_on = rest[..start] == *"::";
        let tail = &rest[start..];
        let end = tail.find(|letter| !is_word(letter)).unwrap_or(tail.len());
        let word = tail[..end].to_owned();

        match found.last_mut() {
            Some(path) if goes_on => path.push(word),
            _ => found.push(vec![word]),
        }

        rest = &tail[end..];
    }

    found
}

/// The part of ARCHITECTURE.md that says what rooms there are.
fn rooms_section() -> String {
    let path = root().join("ARCHITECTURE.md");
    let page = fs::read_to_string(path).expect("the page");

    let (_, rest) = page.split_once("\n## Rooms\n").expect("a section on rooms");
    let mut sections = rest.split("\n## ");
    sections.next().unwrap_or_default().to_owned()
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

    let mut rooms = Vec::new();
    for line in section.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        if !line.starts_with("| `") || cells.len() != 3 {
            continue;
        }

        // A row may be of several rooms, which import the same.
        let imports: BTreeSet<String> = quoted(cells[2]).into_iter().collect();
        for name in quoted(cells[0]) {
            let room = name.trim_end_matches('/').trim_end_matches(".rs");
            rooms.push((room.to_owned(), imports.clone()));
        }
    }

    rooms
}

/// What is wrong with the imports of rooms beside a table.
fn faults(house: &House, table: &[(String, BTreeSet<String>)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, (room, imports)) in table.iter().enumerate() {
        let below: Vec<&String> = table[..at].iter().map(|(room, _)| room).collect();
        for other in imports {
            if !below.contains(&other) {
                faults.push(format!("{other} is not before {room} in the table"));
            }
        }
    }

    let found = house.room_imports();
    for ((room, other), file) in &found {
        let row = table.iter().find(|(name, _)| name == room);
        if !row.is_some_and(|(_, imports)| imports.contains(other)) {
            faults.push(format!("{file}: {room} may not import {other}"));
        }
    }

    for (room, imports) in table {
        for other in imports {
            let pair = (room.clone(), other.clone());
            if !found.contains_key(&pair) {
                faults.push(format!(
                    "{room} does not import {other}, which the table lets it"
                ));
            }
        }
    }

    faults
}

/// The pairs of files of which a list says why they import each other: `- \`a.rs\` and \`b.rs\`: why`.
fn excused_pairs(section: &str) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for line in section.lines() {
        if let Some(pair) = excused_pair(line) {
            pairs.insert(pair);
        }
    }

    pairs
}

/// The pair of files of a line, if the line has a reason.
fn excused_pair(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("- `")?;
    let (first, rest) = rest.split_once("` and `")?;
    let (second, why) = rest.split_once("`: ")?;
    if why.is_empty() {
        return None;
    }

    Some((first.to_owned(), second.to_owned()))
}

#[test]
fn rooms_import_what_the_table_lets_them() {
    let house = House::read();
    let table = table(&rooms_section());

    let rooms: BTreeSet<&String> = house
        .files
        .keys()
        .filter_map(|module| module.first())
        .collect();
    let rows: BTreeSet<&String> = table.iter().map(|(room, _)| room).collect();

    let without_row: Vec<&&String> = rooms.difference(&rows).collect();
    assert!(without_row.is_empty(), "no row: {without_row:?}");

    let faults = faults(&house, &table);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_that_import_each_other_have_a_reason() {
    let excused = excused_pairs(&rooms_section());
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
    // Doc comments, comments and tests may name any room, and `pgn` imports `board` by a path in its code.
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

    // An import is found in a `use` of one path, in a tree, in a path without `use`, and behind `super`.
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

    // A room may import only rooms before it in the table.
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
        let pairs = found.iter().map(|(one, other)| format!("{one} {other}"));
        pairs.collect::<Vec<_>>()
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
