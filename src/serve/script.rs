//! The modules of the page joined into one script.
//!
//! They are plain ES modules, which a browser could load one by one; but it takes longer to ask for fifty files than to
//! run them. Each becomes a function of its own that returns what the module exports, after those that it imports.

use super::sources::{MODULES, Source};

/// The module with which the page begins.
const ENTRY: &str = "/page/main.js";

/// All modules that the page needs, as one module.
pub(super) fn joined() -> String {
    let (mut order, mut script) = (Vec::new(), String::new());
    if let Some(entry) = module(ENTRY) {
        add(entry, &mut order, &mut script);
    }
    script
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
    let mut exports = Vec::new();
    for statement in statements(module.text).filter(|text| !text.starts_with("import ")) {
        body += match statement.strip_prefix("export ") {
            Some(exported) => declaration(exported, &mut exports),
            None => statement,
        };
    }
    let exports = exports.join(", ");
    *script += &format!(
        "// {}\nconst m{} = (() => {{\n{body}\nreturn {{{exports}}};\n}})();\n",
        module.path,
        order.len()
    );
    order.push(module.path);
}

/// What is left of an exported declaration; its name is noted. Of `export {NAME}`, nothing is left.
fn declaration<'t>(exported: &'t str, names: &mut Vec<&'t str>) -> &'t str {
    if let Some(listed) = exported.strip_prefix('{') {
        names.extend(listed.split('}').next());
        return "";
    }
    let is_keyword = |word: &&str| !["async", "function", "class", "const"].contains(word);
    let mut words = exported.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    names.extend(words.find(is_keyword));
    exported
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

    #[test]
    fn every_module_is_in_the_script_after_those_that_it_imports() {
        let script = joined();
        let place = |path: &str| script.find(&format!("// {path}\n"));
        for module in MODULES {
            let own = place(module.path).unwrap_or_else(|| panic!("{} is not needed", module.path));
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
                let (mut order, mut script) = (Vec::new(), String::new());
                add(self::module(&path).expect("a module"), &mut order, &mut script);
                let returned = script.rsplit("return {").next().unwrap_or_default();
                let exports: Vec<&str> = returned.split(['{', '}', ',', ' ']).collect();
                for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let name = name.split(" as ").next().unwrap_or_default();
                    assert!(exports.contains(&name), "{} imports {name} of {path}", module.path);
                }
            }
        }
    }

    #[test]
    fn nothing_is_left_to_import_or_export() {
        for line in joined().lines() {
            assert!(!line.starts_with("import") && !line.starts_with("export"), "{line}");
            // Comments name types as `import("./file.js").Type`.
            let is_comment = ["*", "/*"].iter().any(|mark| line.trim_start().starts_with(mark));
            let is_import = line.contains("import(") || line.contains("import.meta");
            assert!(is_comment || !is_import, "{line}");
        }
    }
}
