//! The page on notation names what the library reads and writes.

use stamma::board::Role;
use stamma::notation::{LANGUAGES, Notation};

/// Each language has a row with its letters, each notation one with its name.
#[test]
fn the_page_on_notation_has_every_language() {
    let page = include_str!("../../docs/notation.md");
    for language in LANGUAGES {
        // The row of figurines has the pieces of both colours.
        if language.codes == ["figurine"] {
            continue;
        }
        let roles = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let letters = roles.map(|role| language.letters.letter(role)).join(" | ");

        let end = format!("| {letters} |");
        let has_row = |code: &str| {
            let code = format!("`{code}`");
            page.lines()
                .any(|line| line.contains(&code) && line.ends_with(&end))
        };
        for code in language.codes {
            assert!(has_row(code), "{code}: {letters}");
        }
    }

    for notation in Notation::ALL {
        let name = notation.name();
        assert!(page.contains(&format!("| `{name}`")), "{name}");
    }
}
