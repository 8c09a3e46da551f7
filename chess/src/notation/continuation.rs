//! Decides whether a word belongs to the move text before it.
//!
//! PGN readers split movetext at white space, but old files have spaces inside moves: `exd6 e.p.`, `B x Kt ch`,
//! `Castles KR`, `e2 - e4`.

use super::symbol::is_dash;

/// Returns `true` if a word continues the preceding move text, so that both are to be read as one, with a space
/// between.
///
/// `before` is the whole move text so far; it may already have several words and need not be a move by itself (`B x`).
/// Callers join words while this returns `true`, then read the result. Round brackets need care: they begin variations
/// in PGN, so `(=)`, `(Q)` and `(ep)` are words only to readers that look for them.
///
/// ```
/// use stamma_chess::notation::is_continuation;
/// assert!(is_continuation("exd6", "e.p."));
/// assert!(is_continuation("B", "x") && is_continuation("B x", "Kt"));
/// assert!(is_continuation("B x Kt", "ch"));
/// assert!(is_continuation("Castles", "KR"));
/// assert!(!is_continuation("e4", "e5") && !is_continuation("Castles", "P-K4"));
/// ```
pub fn is_continuation(before: &str, word: &str) -> bool {
    !before.is_empty() && (is_ending(word) || is_joint(word) || awaits_more(before, word))
}

/// Returns `true` for a word that follows moves without being a move.
fn is_ending(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ',', ';', '!', '?']);

    let is_check = matches!(
        bare,
        "ch" | "check" | "dis" | "disch" | "dis.ch" | "+" | "†"
    );
    let is_double_check = matches!(bare, "dbl" | "dblch" | "dbl.ch" | "double" | "++" | "‡");
    let is_mate = matches!(bare, "mate" | "mat" | "matt" | "#");
    // Also in two words: `e p`.
    let is_en_passant = matches!(bare, "ep" | "e.p" | "e" | "p" | "(ep)" | "(e.p.)");
    // FIDE Laws, appendix C.
    let is_draw_offer = bare == "(=)";

    is_check || is_double_check || is_mate || is_en_passant || is_draw_offer
}

/// Returns `true` for a sign or word that joins two parts of a move.
fn is_joint(word: &str) -> bool {
    if matches!(word, "takes" | "to" | "pr" | "pr.") {
        return true;
    }

    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => is_dash(only) || matches!(only, 'x' | 'X' | '×' | ':'),
        _ => false,
    }
}

/// Returns `true` if a text ends with a joint or an abbreviated piece, or is castling followed by its side.
fn awaits_more(before: &str, word: &str) -> bool {
    let last = before.split_whitespace().last().unwrap_or_default();

    if matches!(last, "Castles" | "castles") {
        return matches!(
            word,
            "KR" | "QR" | "K" | "Q" | "K." | "Q." | "(K)" | "(Q)" | "(KR)" | "(QR)"
        );
    }

    // Only capitals: `P.` begins a move, but `e.p.` ends one.
    let is_abbreviated_piece = last
        .strip_suffix('.')
        .is_some_and(|name| name.chars().all(char::is_uppercase));

    // A joint needs a piece before it; a text that is nothing but a joint is no move.
    let has_words_before = before.split_whitespace().count() > 1;

    is_abbreviated_piece || (is_joint(last) && has_words_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The move texts of a movetext, with their words joined.
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
