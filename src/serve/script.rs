//! The modules of the page joined into two scripts: what its first view needs, and what is loaded when it is shown.
//!
//! They are plain ES modules, which a browser could load one by one; but it takes longer to ask for sixty files than to
//! run them. Each becomes a function of its own that returns what the module exports, after those that it imports. The
//! second script imports from the first one what both need, so that no module is there twice.

use super::sources::{MODULES, Source};

/// The module with which the page begins, and the path of the script that it becomes.
const ENTRY: &str = "/page/main.js";
const SCRIPT: &str = "/page/page.js";

/// The module that the page loads when it shows one of its views, which is the path of this script, too.
const LATER_ENTRY: &str = "/page/later.js";

/// All modules as two scripts, each with its path on the server.
pub(super) fn joined() -> [(&'static str, String); 2] {
    let (mut order, mut script, mut later) = (Vec::new(), String::new(), String::new());
    if let Some(entry) = module(ENTRY) {
        add(entry, &mut order, &mut script);
    }
    let shared: Vec<String> = (0..order.len()).map(|number| format!("m{number}")).collect();
    let shared = shared.join(", ");
    script += &format!("export {{{shared}}};\n");
    if let Some(entry) = module(LATER_ENTRY) {
        later += &format!("import {{{shared}}} from \"{SCRIPT}\";\n");
        add(entry, &mut order, &mut later);
        let number = order.len().saturating_sub(1);
        later += &format!("export const {{{}}} = m{number};\n", exports(entry));
    }
    [(SCRIPT, script), (LATER_ENTRY, later)]
}

fn module(path: &str) -> Option<&'static Source> {
    MODULES.iter().find(|module| module.path == path)
}

/// Adds a module after those that it imports, each once; its place in `order` is its number in the script.
fn add(module: &'static Source, order: &mut Vec<&'static str>, script: &mut String) {
    let is_there = |order: &[&str], path: &str| order.contains(&path);
    for import in imports(module) {
        match self::module(&import.path) {
            Some(needed) if !is_there(order, needed.path) => add(needed, order, script),
            _ => {}
        }
    }
    if is_there(order, module.path) {
        return;
    }
    let number = |path: &str| order.iter().position(|other| *other == path);
    let mut body = String::new();
    for Import { names, path } in imports(module) {
        let Some(number) = number(&path) else { continue };
        body += &format!("const {{{}}} = m{number};\n", names.replace(" as ", ": "));
    }
    for statement in statements(module.text).filter(|text| !text.starts_with("import ")) {
        body += match statement.strip_prefix("export ") {
            Some(listed) if listed.starts_with('{') => "",
            Some(declaration) => declaration,
            None => statement,
        };
    }
    *script += &format!(
        "// {}\nconst m{} = (() => {{\n{body}\nreturn {{{}}};\n}})();\n",
        module.path,
        order.len(),
        exports(module)
    );
    order.push(module.path);
}

/// The names that a module exports, by declarations and by `export {NAME}`.
fn exports(module: &'static Source) -> String {
    let exported = statements(module.text).filter_map(|text| text.strip_prefix("export "));
    let names = exported.filter_map(|text| match text.strip_prefix('{') {
        Some(listed) => listed.split('}').next().map(str::trim),
        None => {
            let is_keyword = |word: &&str| !["async", "function", "class", "const"].contains(word);
            let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.find(is_keyword)
        }
    });
    names.collect::<Vec<&str>>().join(", ")
}

/// A statement `import {names} from "path"`, with the path on the server.
struct Import<'t> {
    names: &'t str,
    path: String,
}

fn imports(module: &Source) -> impl Iterator<Item = Import<'static>> {
    let imports = statements(module.text).filter(|text| text.starts_with("import "));
    imports.filter_map(|text| {
        let (names, from) = text.split_once('{')?.1.split_once('}')?;
        Some(Import { names, path: absolute(module.path, from.split('"').nth(1)?) })
    })
}

/// The lines of a text, where those of an import of several lines are one.
fn statements(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = if rest.starts_with("import ") { rest.find(" from ")? } else { 0 };
        let end = rest[from..].find('\n').map_or(rest.len(), |end| from + end + 1);
        let (statement, after) = rest.split_at(end);
        rest = after;
        (!statement.is_empty()).then_some(statement)
    })
}

/// The path on the server of what a module at another path imports.
fn absolute(module: &str, import: &str) -> String {
    if import.starts_with('/') {
        return import.to_owned();
    }
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both scripts, one after the other.
    fn all() -> String {
        joined().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn every_module_is_once_in_the_scripts_after_those_that_it_imports() {
        let scripts = all();
        let place = |path: &str| scripts.find(&format!("// {path}\n"));
        for module in MODULES {
            let own = place(module.path).unwrap_or_else(|| panic!("{} is not needed", module.path));
            assert_eq!(scripts.matches(&format!("// {}\n", module.path)).count(), 1);
            for import in imports(module) {
                let needed = place(&import.path);
                assert!(needed < Some(own), "{} imports {}", module.path, import.path);
                assert!(needed.is_some(), "{} imports {}", module.path, import.path);
            }
        }
    }

    #[test]
    fn names_that_modules_import_are_exported() {
        for module in MODULES {
            for Import { names, path } in imports(module) {
                let exports = exports(self::module(&path).expect("a module"));
                let exports: Vec<&str> = exports.split(", ").collect();
                for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let name = name.split(" as ").next().unwrap_or_default();
                    assert!(exports.contains(&name), "{} imports {name} of {path}", module.path);
                }
            }
        }
    }

    #[test]
    fn the_second_script_imports_from_the_first_what_it_exports() {
        let [(path, first), (_, later)] = joined();
        let exported = first.lines().last().and_then(|line| line.strip_prefix("export "));
        let exported = exported.and_then(|line| line.strip_suffix(';')).expect("exports");
        assert!(later.starts_with(&format!("import {exported} from \"{path}\";\n")));
        let views = later.lines().last().expect("a line");
        assert!(
            views.starts_with("export const {") && views.contains("TournamentsView"),
            "{views}"
        );
        assert!(!first.contains("class TournamentsView"));
    }

    #[test]
    fn nothing_else_is_left_to_import_or_export() {
        let (mut statements, mut calls) = (0, 0);
        for line in all().lines() {
            statements += usize::from(line.starts_with("import ") || line.starts_with("export "));
            // Comments name types as `import("./file.js").Type`.
            let is_comment = ["*", "/*"].iter().any(|mark| line.trim_start().starts_with(mark));
            assert!(is_comment || !line.contains("import.meta"), "{line}");
            if !is_comment && line.contains("import(") {
                calls += 1;
                let loaded = ["import(\"./later.js\")", "import(`/page/words/${code}.js`)"];
                assert!(loaded.iter().any(|call| line.contains(call)), "{line}");
            }
        }
        assert_eq!((statements, calls), (3, 2));
    }
}
