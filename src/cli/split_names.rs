//! Names for the files among which games are divided. Every operating system allows these names.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

/// The maximum length of a name in bytes, before a number is added that makes it unique.
const MAX_NAME_BYTES: usize = 160;

/// The name for games without a value.
const UNKNOWN: &str = "unknown";

/// Names of devices on Windows, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The names given so far, case-folded.
#[derive(Debug, Default)]
pub(super) struct SplitNames(HashSet<String>);

impl SplitNames {
    /// A new name for a value, as similar to the value as possible.
    pub(super) fn new_name(&mut self, value: &str) -> String {
        let safe_name = safe_name(value);
        let mut name = safe_name.clone();
        let mut number = 1_u64;

        // A name with a number may be the name of another value.
        while !self.0.insert(case_folded(&name)) {
            number += 1;
            name = format!("{safe_name} ({number})");
        }
        name
    }
}

/// A name as Windows and macOS compare names: without regard to case and to the form of accents.
fn case_folded(name: &str) -> String {
    let lower_case = name.nfkd().flat_map(char::to_lowercase);
    lower_case.nfc().collect()
}

/// A name for a file, without separators of folders, forbidden characters and invisible characters. The name is not too
/// long, and is not the name of a device. It does not begin with a dot, which would hide the file, or with a dash,
/// which would make it an option.
fn safe_name(value: &str) -> String {
    let replaced: String = value.nfc().map(safe_letter).collect();
    let beginning = short_beginning(replaced.trim());
    // Windows ignores dots and blanks at the end of a name.
    let name = beginning.trim_end_matches(['.', ' ']);

    match name.chars().next() {
        None => UNKNOWN.to_owned(),
        // Shells replace a leading `~` by a home folder. Each of these characters is a single byte.
        Some('.' | '-' | '~') => format!("_{}", &name[1..]),
        Some(_) if is_device(name) => format!("{name}_"),
        Some(_) => name.to_owned(),
    }
}

/// The characters that Windows forbids in names; other systems forbid the slash alone.
const FORBIDDEN: [char; 9] = ['/', '\\', ':', '*', '?', '"', '<', '>', '|'];

/// The character, or `_` for a forbidden or invisible character.
fn safe_letter(letter: char) -> char {
    let is_forbidden = FORBIDDEN.contains(&letter);
    if is_forbidden || letter.is_control() || is_unseen(letter) {
        '_'
    } else {
        letter
    }
}

/// `true` for invisible characters, and characters that change the direction of text.
fn is_unseen(letter: char) -> bool {
    matches!(
        letter,
        '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

/// The longest beginning of a name within [`MAX_NAME_BYTES`], cut between characters.
fn short_beginning(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME_BYTES)]
}

/// `true` for a name that Windows reserves for a device, with any extension: `COM1`, `COM¹`, `aux.pgn`.
fn is_device(name: &str) -> bool {
    let before_dot = name.split('.').next().unwrap_or_default();
    let stem = before_dot.trim_end().to_lowercase();
    if DEVICES.contains(&stem.as_str()) {
        return true;
    }

    let port = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"));
    match port {
        // Windows treats the superscript digits of Latin-1 as digits here.
        Some("¹" | "²" | "³") => true,
        Some(number) => matches!(number.as_bytes(), [b'0'..=b'9']),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! names {
        ($($name:ident: $values:expr => $names:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut given = SplitNames::default();
                let names: Vec<String> = $values.iter().map(|value| given.new_name(value)).collect();
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
        let names = [1, 2].map(|times| given.new_name(&"ü".repeat(100 * times)));

        let cut = "ü".repeat(80);
        assert_eq!(names, [cut.clone(), format!("{cut} (2)")]);
    }
}
