//! The page on notation names what the library reads and writes.

use stamma::board::Role;
use stamma::notation::{LANGUAGES, Notation};

/// Each language has a row with its letters, each notation one with its name.
#[test]
fn the_page_on_notation_has_every_language() {
    let page = include_str!("../../docs/notation.md");
    for language in LANGUAGES
        .iter()
        .filter(|language| language.codes != ["figurine"])
    {
        let roles = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let letters = roles.map(|role| language.letters.letter(role)).join(" | ");

        let has_row = |code: &str| {
            let code = format!("`{code}`");
            page.lines()
                .any(|line| line.contains(&code) && line.ends_with(&format!("| {letters} |")))
        };
        for code in language.codes {
            assert!(has_row(code), "{code}: {letters}");
        }
    }

    for notation in Notation::ALL {
        assert!(
            page.contains(&format!("| `{}`", notation.name())),
            "{}",
            notation.name()
        );
    }
}
