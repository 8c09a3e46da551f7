//! Names of the files that games are divided among, which every system allows.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

/// The most bytes of a name, and what is added to it to tell it from others.
const MOST_BYTES: usize = 160;

/// The name for games without a value.
const UNKNOWN: &str = "unknown";

/// Names of devices on Windows, whatever follows a dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The names given so far, as systems that ignore case compare them.
#[derive(Debug, Default)]
pub(super) struct SplitNames(HashSet<String>);

impl SplitNames {
    /// A new name for a value, as like it as possible.
    pub(super) fn give(&mut self, value: &str) -> String {
        let safe = safe(value);
        let numbered = (2_u64..).map(|number| format!("{safe} ({number})"));
        let mut candidates = std::iter::once(safe.clone()).chain(numbered);
        candidates
            .find(|name| self.0.insert(folded(name)))
            .unwrap_or(safe)
    }
}

fn folded(name: &str) -> String {
    name.nfkd().flat_map(char::to_lowercase).nfc().collect()
}

/// A name without characters that separate folders, that a system forbids or that are not seen, not too long, and not
/// that of a device. It begins with neither a dot, which would hide it, nor a dash, which would make it an option.
fn safe(value: &str) -> String {
    let letters = value.nfc().map(|letter| match letter {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        letter if letter.is_control() || is_unseen(letter) => '_',
        letter => letter,
    });
    let name: String = letters.collect();
    let name = shortened(name.trim()).trim_end_matches(['.', ' ']);
    match name.chars().next() {
        None => UNKNOWN.to_owned(),
        Some('.' | '-' | '~') => format!("_{}", &name[1..]),
        Some(_) if is_device(name) => format!("{name}_"),
        Some(_) => name.to_owned(),
    }
}

/// `true` for invisible characters, and those that change the direction of text.
fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn shortened(name: &str) -> &str {
    let end = (0..=MOST_BYTES.min(name.len()))
        .rev()
        .find(|&end| name.is_char_boundary(end));
    &name[..end.unwrap_or(0)]
}

fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_lowercase();
    let number = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"));
    let is_number = |number: &str| {
        matches!(number, "¹" | "²" | "³") || matches!(number.as_bytes(), [b'0'..=b'9'])
    };
    DEVICES.contains(&&*stem) || number.is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! names {
        ($($name:ident: $values:expr => $names:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut given = SplitNames::default();
                let names: Vec<String> = $values.iter().map(|value| given.give(value)).collect();
                assert_eq!(names, $names);
            }
        )*};
    }

    names! {
        usual: ["Tal, Mikhail", "Müller", "B90"] => ["Tal, Mikhail", "Müller", "B90"];
        folders: ["../../etc/passwd", "a/b\\c", "C:"] => ["_._.._etc_passwd", "a_b_c", "C_"];
        dots: [".", "..", ".hidden", "J. R. ", "..."] =>
            ["unknown", "unknown (2)", "_hidden", "J. R", "unknown (3)"];
        options: ["-rf", "~root"] => ["_rf", "_root"];
        nothing: ["", " ", "\t"] => ["unknown", "unknown (2)", "_"];
        devices: ["CON", "aux.games", "COM1", "Com 1", "lpt¹", "Console"] =>
            ["CON_", "aux.games_", "COM1_", "Com 1", "lpt¹_", "Console"];
        letters_of_one_form: ["TAL", "Tal", "tal", "Mu\u{308}ller", "MÜLLER"] =>
            ["TAL", "Tal (2)", "tal (3)", "Müller", "MÜLLER (2)"];
        unseen: ["a\u{202e}b", "a\nb", "a\0b"] => ["a_b", "a_b (2)", "a_b (3)"];
        a_name_that_is_given: ["a", "A", "a (2)"] => ["a", "A (2)", "a (2) (2)"];
    }

    #[test]
    fn long_names_are_cut_between_letters() {
        let mut given = SplitNames::default();
        let names = [1, 2].map(|letters| given.give(&"ü".repeat(100 * letters)));
        assert_eq!(names, ["ü".repeat(80), "ü".repeat(80) + " (2)"]);
    }
}
