//! Whether a word belongs to the move text before it.
//!
//! Readers of PGN cut movetext at white space, and writers of old put it into moves: `exd6 e.p.`,
//! `B x Kt ch`, `Castles KR`, `e2 - e4`.

use super::symbol::is_dash;

/// `true` when a word continues the move text before it, so that both are to be read as one, with a
/// space between.
///
/// `before` is all of the move text so far, which may already have several words; it need not be a
/// move by itself (`B x`). The caller joins words as long as this is `true` and then reads the whole.
/// Round brackets need care: in PGN they begin variations, so that `(=)`, `(Q)` and `(ep)` reach
/// nobody as words unless they are looked for.
///
/// ```
/// use stamma::notation::is_continuation;
/// assert!(is_continuation("exd6", "e.p."));
/// assert!(is_continuation("B", "x") && is_continuation("B x", "Kt"));
/// assert!(is_continuation("B x Kt", "ch"));
/// assert!(is_continuation("Castles", "KR"));
/// assert!(!is_continuation("e4", "e5") && !is_continuation("Castles", "P-K4"));
/// ```
pub fn is_continuation(before: &str, word: &str) -> bool {
    !before.is_empty() && (is_ending(word) || is_joint(word) || awaits_more(before, word))
}

/// What stands behind moves and is no move.
fn is_ending(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "ch", "check", "dis", "disch", "dis.ch", "dbl", "dblch", "dbl.ch", "double", "mate", "mat",
        "matt", "ep", "e.p", "e", "p", "e.", "p.", "+", "++", "#", "†", "‡", "(=)", "(ep)",
        "(e.p.)",
    ];
    let bare = word.trim_end_matches(['.', ',', ';', '!', '?']);
    WORDS.contains(&word) || WORDS.contains(&bare)
}

/// A sign or word between two parts of a move.
fn is_joint(word: &str) -> bool {
    let mut chars = word.chars();
    let is_sign = |c: char| is_dash(c) || matches!(c, 'x' | 'X' | '×' | ':');
    let one_sign = chars.next().is_some_and(is_sign) && chars.next().is_none();
    one_sign || matches!(word, "takes" | "to" | "pr" | "pr.")
}

/// `true` when a text ends with a joint or a piece with a dot, or is castling whose side comes next.
fn awaits_more(before: &str, word: &str) -> bool {
    let last = before.split_whitespace().last().unwrap_or_default();
    if matches!(last, "Castles" | "castles") {
        return matches!(
            word,
            "KR" | "QR" | "K" | "Q" | "K." | "Q." | "(K)" | "(Q)" | "(KR)" | "(QR)"
        );
    }
    let is_piece = last.strip_suffix('.').is_some_and(|name| name.chars().all(char::is_uppercase));
    is_piece || (is_joint(last) && before.split_whitespace().count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a movetext put together into move texts.
    fn texts(movetext: &str) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for word in movetext.split_whitespace() {
            match texts.last_mut() {
                Some(last) if is_continuation(last, word) => *last = format!("{last} {word}"),
                _ => texts.push(word.to_owned()),
            }
        }
        texts
    }

    macro_rules! joins {
        ($($name:ident: $movetext:literal => [$($text:literal),*];)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(texts($movetext), [$($text),*]);
            }
        )*};
    }

    joins! {
        moves_stay_apart: "e4 e5 Nf3 Nc6 b3 Bc5" => ["e4", "e5", "Nf3", "Nc6", "b3", "Bc5"];
        en_passant: "exd6 e. p. Kxd6" => ["exd6 e. p.", "Kxd6"];
        descriptive: "B x Kt ch K - K 2" => ["B x Kt ch", "K - K", "2"];
        castles: "Castles KR Castles P-K4" => ["Castles KR", "Castles", "P-K4"];
        double_check: "N-Q5 dbl ch K-B1" => ["N-Q5 dbl ch", "K-B1"];
        draw_offer: "Nf3 (=) Nf6" => ["Nf3 (=)", "Nf6"];
        judgements: "Nf3 = Nf6" => ["Nf3", "=", "Nf6"];
        a_dot_behind_the_piece: "P.4D C. 3FR P pr PD" => ["P.4D", "C. 3FR", "P pr PD"];
        in_words: "Kt takes P P to K4" => ["Kt takes P", "P to K4"];
    }
}
