//! The modules of the page joined into two scripts. The first has the modules of the first view, the second is loaded
//! later.
//!
//! A browser could load the plain ES modules one by one, but requesting ninety files takes longer than running them. In
//! a script, each module is a function that returns the exports of the module, and stands after the modules that it
//! imports. The second script imports all modules of the first one, so that no module is there twice.
//!
//! This is done when Stamma is built: `build.rs` includes this file, and so do the tests of the server.

use std::path::Path;
use std::{fs, io};

/// The module with which the page begins, and the path of the script that it becomes.
const ENTRY: &str = "/page/main.js";
const SCRIPT: &str = "/page/page.js";

/// The module that the page loads when it shows one of the later views. The second script has this path, too.
const LATER_ENTRY: &str = "/page/later.js";

/// The folders of modules in `src/serve`, and their paths on the server.
pub(crate) const FOLDERS: [(&str, &str); 6] = [
    ("page", "/page"),
    (
        "third-party/cm-chessboard-8.15.1/src",
        "/page/cm-chessboard/src",
    ),
    (
        "third-party/cm-chessboard-8.15.1/src/extensions/arrows",
        "/page/cm-chessboard/src/extensions/arrows",
    ),
    (
        "third-party/cm-chessboard-8.15.1/src/lib",
        "/page/cm-chessboard/src/lib",
    ),
    (
        "third-party/cm-chessboard-8.15.1/src/model",
        "/page/cm-chessboard/src/model",
    ),
    (
        "third-party/cm-chessboard-8.15.1/src/view",
        "/page/cm-chessboard/src/view",
    ),
];

/// A script of the page that is no module. It runs before the other scripts are loaded.
const NO_MODULE: &str = "/page/start.js";

/// The words before the name in a declaration that a module exports.
const KEYWORDS: [&str; 4] = ["async", "function", "class", "const"];

/// A module of the page.
pub(crate) struct Module {
    /// The path of the module on the server.
    pub(crate) path: String,
    text: String,
}

/// Reads all modules below `src/serve`, in the order of their paths.
pub(crate) fn read_modules(serve: &Path) -> io::Result<Vec<Module>> {
    let mut modules = Vec::new();
    for (folder, path_of_folder) in FOLDERS {
        for entry in fs::read_dir(serve.join(folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{path_of_folder}/{name}");
            if !name.ends_with(".js") || path == NO_MODULE {
                continue;
            }

            let text = fs::read_to_string(entry.path())?;
            modules.push(Module { path, text });
        }
    }

    // The order of a folder's entries differs from machine to machine, and the scripts must not.
    modules.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(modules)
}

/// Joins all modules into two scripts, each with its path on the server.
///
/// # Errors
/// When a module imports a missing module, or has a statement that cannot be translated.
pub(crate) fn joined(modules: &[Module]) -> Result<[(&'static str, String); 2], String> {
    let mut order = Vec::new();
    let mut first = String::new();
    let entry = find_module(modules, ENTRY)?;
    add_module(entry, modules, &mut order, &mut first)?;

    // The second script imports the modules of the first script, so that no module is in both.
    let mut numbered = Vec::with_capacity(order.len());
    for number in 0..order.len() {
        numbered.push(format!("m{number}"));
    }
    let shared = numbered.join(", ");
    first += &format!("export {{{shared}}};\n");

    let later_entry = find_module(modules, LATER_ENTRY)?;
    let mut later = format!("import {{{shared}}} from \"{SCRIPT}\";\n");
    add_module(later_entry, modules, &mut order, &mut later)?;

    // A module is added after its imports, so the entry is the last one.
    let number = order.len().saturating_sub(1);
    let exported = exports(later_entry);
    later += &format!("export const {{{exported}}} = m{number};\n");
    Ok([(SCRIPT, first), (LATER_ENTRY, later)])
}

/// The module at a path on the server.
fn find_module<'m>(modules: &'m [Module], path: &str) -> Result<&'m Module, String> {
    match modules.iter().find(|module| module.path == path) {
        Some(module) => Ok(module),
        None => Err(format!("there is no module {path}")),
    }
}

/// Rejects statements that `joined` cannot translate. It translates imports of the form `import {a} from "./b.js"`, and
/// as exports declarations and `export {a}`.
fn check_statements(module: &Module) -> Result<(), String> {
    for statement in statements(&module.text) {
        let mut words = statement.split_ascii_whitespace();
        let keyword = words.next().unwrap_or_default();
        let Some(next) = words.next() else { continue };

        let is_understood = match keyword {
            "import" => next.starts_with('{') && statement.contains("} from \""),
            "export" => next.starts_with('{') || KEYWORDS.contains(&next),
            _ => true,
        };
        if !is_understood {
            let line = statement.lines().next().unwrap_or_default();
            return Err(format!("{}: `{line}` is not understood", module.path));
        }
    }
    Ok(())
}

/// Adds a module after the modules that it imports, each module once. The place of a module in `order` is its number in
/// the script.
fn add_module<'m>(
    module: &'m Module,
    modules: &'m [Module],
    order: &mut Vec<&'m str>,
    script: &mut String,
) -> Result<(), String> {
    check_statements(module)?;
    for import in imports(module) {
        let needed = find_module(modules, &import.path)?;
        if !order.contains(&&*needed.path) {
            add_module(needed, modules, order, script)?;
        }
    }

    // The module may have been added with a module that it imports.
    if order.contains(&&*module.path) {
        return Ok(());
    }

    let mut body = String::new();
    for Import { names, path } in imports(module) {
        let Some(number) = order.iter().position(|other| *other == path) else {
            continue;
        };
        // A renamed import, `a as b`, is a renamed property in a pattern: `a: b`.
        let properties = names.replace(" as ", ": ");
        body += &format!("const {{{properties}}} = m{number};\n");
    }

    for statement in statements(&module.text) {
        if statement.starts_with("import ") {
            continue;
        }
        body += match statement.strip_prefix("export ") {
            // A list of names that are declared elsewhere in the module.
            Some(listed) if listed.starts_with('{') => "",
            Some(declaration) => declaration,
            None => statement,
        };
    }

    // In a function, the names of a module do not collide with the names of other modules.
    let path = &module.path;
    let number = order.len();
    let exported = exports(module);
    *script += &format!(
        "// {path}\nconst m{number} = (() => {{\n{body}\nreturn {{{exported}}};\n}})();\n"
    );
    order.push(path);
    Ok(())
}

/// The names that a module exports, by declarations and by `export {NAME}`.
fn exports(module: &Module) -> String {
    let mut names = Vec::new();
    for statement in statements(&module.text) {
        let Some(exported) = statement.strip_prefix("export ") else {
            continue;
        };
        let name = match exported.strip_prefix('{') {
            Some(listed) => listed.split('}').next().map(str::trim),
            None => declared_name(exported),
        };
        names.extend(name);
    }
    names.join(", ")
}

/// The name that a declaration declares: its first word that is no keyword.
fn declared_name(declaration: &str) -> Option<&str> {
    declaration
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .find(|word| !KEYWORDS.contains(word))
}

/// A statement `import {names} from "path"`, with the path on the server.
struct Import<'t> {
    names: &'t str,
    path: String,
}

/// The imports of a module, in their order.
fn imports(module: &Module) -> impl Iterator<Item = Import<'_>> {
    statements(&module.text).filter_map(move |statement| parse_import(module, statement))
}

/// The import that a statement denotes; `None` for any other statement.
fn parse_import<'m>(module: &Module, statement: &'m str) -> Option<Import<'m>> {
    let imported = statement.strip_prefix("import ")?;
    let (_, behind_brace) = imported.split_once('{')?;
    let (names, from) = behind_brace.split_once('}')?;
    let relative_path = from.split('"').nth(1)?;

    let path = resolve_import(&module.path, relative_path);
    Some(Import { names, path })
}

/// The lines of a text. An import that has several lines is one statement.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }

        let mut searched = 0;
        if rest.starts_with("import {") {
            // An import has a line for each name, and ends with the line of ` from `.
            searched = rest.find(" from ").unwrap_or(0);
        }
        let end = match rest[searched..].find('\n') {
            Some(newline) => searched + newline + 1,
            None => rest.len(),
        };

        let (statement, after) = rest.split_at(end);
        rest = after;
        Some(statement)
    })
}

/// The path on the server of an imported module. `module` is the path of the importing module.
fn resolve_import(module: &str, import: &str) -> String {
    if import.starts_with('/') {
        return import.to_owned();
    }

    // The path of an import is relative to the folder of its module.
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules() -> Vec<Module> {
        let serve = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve");
        read_modules(&serve).expect("the modules")
    }

    /// Both scripts, one after the other.
    fn all() -> String {
        let [(_, first), (_, later)] = joined(&modules()).expect("scripts");
        first + &later
    }

    #[test]
    fn all_folders_of_modules_are_named() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/third-party")];
        let mut found = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "js") {
                    found += 1;
                }
            }
        }

        let modules = modules();
        let third_party = modules
            .iter()
            .filter(|module| module.path.contains("chessboard"));
        assert_eq!(third_party.count(), found);
    }

    #[test]
    fn every_module_is_once_in_the_scripts_after_those_that_it_imports() {
        let scripts = all();
        let place = |path: &str| scripts.find(&format!("// {path}\n"));

        for module in &modules() {
            let path = &module.path;
            let own = place(path).unwrap_or_else(|| panic!("{path} is not needed"));
            let heading = format!("// {path}\n");
            assert_eq!(scripts.matches(&heading).count(), 1);

            for import in imports(module) {
                let imported = &import.path;
                let needed = place(imported);
                assert!(needed.is_some(), "{path} imports {imported}");
                assert!(needed < Some(own), "{path} imports {imported}");
            }
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        let of = |path: &str, text: &str| Module {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        for (text, why) in [
            (
                "import \"./x.js\";\n",
                "/page/main.js: `import \"./x.js\";` is not understood",
            ),
            (
                "import {a} from \"./x.js\";\n",
                "there is no module /page/x.js",
            ),
            (
                "export let a = 1;\n",
                "/page/main.js: `export let a = 1;` is not understood",
            ),
            ("const a = 1;\n", "there is no module /page/later.js"),
        ] {
            let entry = of(ENTRY, text);
            assert_eq!(joined(&[entry]), Err(why.to_owned()));
        }
    }

    #[test]
    fn names_that_modules_import_are_exported() {
        let modules = modules();
        for module in &modules {
            for Import { names, path } in imports(module) {
                let imported = find_module(&modules, &path).expect("a module");
                let exports = exports(imported);
                let exported: Vec<&str> = exports.split(", ").collect();

                for renamed in names.split(',').map(str::trim) {
                    let name = renamed.split(" as ").next().unwrap_or_default();
                    // A comma may stand after the last name.
                    let is_exported = name.is_empty() || exported.contains(&name);
                    assert!(is_exported, "{} imports {name} of {path}", module.path);
                }
            }
        }
    }

    #[test]
    fn the_second_script_imports_from_the_first_what_it_exports() {
        let [(path, first), (_, later)] = joined(&modules()).expect("scripts");
        let exports = first.lines().last().expect("a line");
        let views = later.lines().last().expect("a line");

        let imports = exports.replace("export ", "import ");
        let import = imports.replace(';', &format!(" from \"{path}\";\n"));
        assert!(exports.starts_with("export {"), "{exports}");
        assert!(later.starts_with(&import), "{import}");

        assert!(views.starts_with("export const {"), "{views}");
        assert!(views.contains("TournamentsView"), "{views}");
        assert!(!first.contains("class TournamentsView"));
    }

    #[test]
    fn nothing_else_is_left_to_import_or_export() {
        let mut statements = 0;
        let mut calls = 0;
        for line in all().lines() {
            if line.starts_with("import ") || line.starts_with("export ") {
                statements += 1;
            }

            // Comments name types as `import("./file.js").Type`.
            let is_comment = ["*", "/*"]
                .iter()
                .any(|mark| line.trim_start().starts_with(mark));
            if is_comment {
                continue;
            }

            assert!(!line.contains("import.meta"), "{line}");
            if line.contains("import(") {
                calls += 1;
                let loaded = ["import(\"./later.js\")", "import(`/page/words/${code}.js`)"];
                assert!(loaded.iter().any(|call| line.contains(call)), "{line}");
            }
        }

        // The first script exports, the second one imports and exports.
        assert_eq!(statements, 3);
        assert_eq!(calls, 2);
    }
}
