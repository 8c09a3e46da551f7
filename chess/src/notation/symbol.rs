//! Lexes a move text into symbols. A symbol is everything that a character may be: a piece, a file, a rank, a sign.
//!
//! Nothing is decided here. `D` in a French text is a queen, and with slips allowed also the d-file. The grammars try
//! every reading that fits, and the position decides.

use super::language::{PieceLetters, latin_twin};
use crate::board::{File, Rank, Role};

/// A sign between squares and pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Capture,
    Dash,
    Equals,
    Slash,
    Open,
    Close,
}

/// All readings of a character, or of the letters of one piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Symbol {
    /// The piece whose letter it is.
    pub(super) role: Option<Role>,
    /// The role that a pawn promotes to, if the symbol is in that place: letters in lower case also count.
    pub(super) promotion: Option<Role>,
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
    pub(super) sign: Option<Sign>,
}

impl Symbol {
    pub(super) fn is(&self, sign: Sign) -> bool {
        self.sign == Some(sign)
    }
}

/// The symbols of one move text; longer texts are not moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbols {
    symbols: [Symbol; Symbols::CAPACITY],
    length: usize,
}

impl Symbols {
    /// Fits `QBP(QB4)xQNP(QN5)`, with room to spare.
    const CAPACITY: usize = 20;

    pub(super) fn as_slice(&self) -> &[Symbol] {
        &self.symbols[..self.length]
    }

    /// Adds a symbol; `None` if there is no room, so that the text is no move.
    fn push(&mut self, symbol: Symbol) -> Option<()> {
        *self.symbols.get_mut(self.length)? = symbol;
        self.length += 1;

        Some(())
    }
}

/// The leniency with which characters are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Exactly as in the alphabet; Cyrillic and Greek lookalikes of files are files.
    Exact,
    /// With slips of typing and scanning: `l` and `I` for 1; pieces in lower case, in another alphabet or without their
    /// accent; and capital files, if none is in lower case: `EXD5`, but not `Dd5`, which is another language's queen.
    Slips,
}

/// Lexes a text in NFC; `None` if a character cannot occur in a move.
#[inline]
pub(super) fn symbols(text: &str, letters: &PieceLetters, spelling: Spelling) -> Option<Symbols> {
    let mut lexed = Symbols {
        symbols: [Symbol::default(); Symbols::CAPACITY],
        length: 0,
    };
    // With a file in lower case, a capital is the letter of a piece: `Dd5` is a queen's move in other languages.
    let capital_files = spelling == Spelling::Slips && !text.chars().any(is_small_file);

    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (exact, length) = match file_or_rank(c) {
            Some(symbol) => (symbol, c.len_utf8()),
            None if is_invisible(c) => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            None => letter_or_sign(rest, c, letters),
        };

        let mut symbol = match spelling {
            Spelling::Exact => exact,
            Spelling::Slips => with_slips(exact, c, length, letters, capital_files),
        };

        // Elsewhere a letter in lower case is no piece.
        if may_promote(lexed.as_slice()) {
            symbol = with_promotion(symbol, c, length, letters);
        }

        if symbol == Symbol::default() {
            return None;
        }
        lexed.push(symbol)?;

        rest = &rest[length..];
    }

    if lexed.length > 0 { Some(lexed) } else { None }
}

/// A file or rank, which nearly every text ends with.
#[inline]
fn file_or_rank(c: char) -> Option<Symbol> {
    match c {
        'a'..='h' => Some(Symbol {
            file: File::from_ascii(c as u8),
            ..Symbol::default()
        }),
        '1'..='8' => Some(Symbol {
            rank: Rank::from_ascii(c as u8),
            ..Symbol::default()
        }),
        _ => None,
    }
}

/// Spaces and variation selectors.
fn is_invisible(c: char) -> bool {
    let is_variation_selector = matches!(c, '\u{fe0e}' | '\u{fe0f}');
    // Characters without width that Unicode no longer counts as white space, or never did.
    let has_no_width = matches!(c, '\u{180e}' | '\u{200b}' | '\u{2060}' | '\u{feff}');

    c.is_whitespace() || is_variation_selector || has_no_width
}

/// The symbol of a piece letter or a sign, and its length in bytes.
#[inline]
fn letter_or_sign(rest: &str, c: char, letters: &PieceLetters) -> (Symbol, usize) {
    let sign = sign(c);

    if let Some((role, length)) = letters.at_start_of(rest) {
        let symbol = Symbol {
            role: Some(role),
            sign,
            ..Symbol::default()
        };
        return (symbol, length);
    }

    let symbol = Symbol {
        file: latin_twin(c).and_then(file_of),
        sign,
        ..Symbol::default()
    };
    (symbol, c.len_utf8())
}

fn sign(c: char) -> Option<Sign> {
    let sign = match c {
        // The fifth to eighth are Cyrillic and Greek.
        'x' | 'X' | '×' | ':' | 'х' | 'Х' | 'χ' | 'Χ' | '✕' | '✗' => Sign::Capture,
        c if is_dash(c) => Sign::Dash,
        '=' => Sign::Equals,
        '/' => Sign::Slash,
        '(' | '[' => Sign::Open,
        ')' | ']' => Sign::Close,
        _ => return None,
    };

    Some(sign)
}

/// Returns `true` for a hyphen, a dash, or a minus sign.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '‐' | '‑' | '−' | '‒')
}

fn file_of(c: char) -> Option<File> {
    let byte = u8::try_from(c).ok()?;
    File::from_ascii(byte)
}

fn is_small_file(c: char) -> bool {
    file_of(latin_twin(c).unwrap_or(c)).is_some()
}

/// Adds the readings of [`Spelling::Slips`] to a symbol of one character.
fn with_slips(
    symbol: Symbol,
    c: char,
    length: usize,
    letters: &PieceLetters,
    capital_files: bool,
) -> Symbol {
    let is_longer_letter = length > c.len_utf8();
    if is_longer_letter || symbol.rank.is_some() {
        return symbol;
    }

    let file = if capital_files {
        let small = latin_twin(c).unwrap_or(c).to_ascii_lowercase();
        file_of(small)
    } else {
        None
    };

    // The last three are Cyrillic and Greek.
    let looks_like_one = matches!(c, 'l' | 'I' | 'i' | '|' | 'ӏ' | 'І' | 'Ι');

    Symbol {
        role: symbol.role.or_else(|| letters.alike(c)),
        file: symbol.file.or(file),
        rank: looks_like_one.then_some(Rank::ONE),
        ..symbol
    }
}

/// Returns `true` where a promotion may follow: after a square or a sign.
#[inline]
fn may_promote(before: &[Symbol]) -> bool {
    match before.last() {
        Some(last) => {
            last.rank.is_some()
                || matches!(last.sign, Some(Sign::Equals | Sign::Open | Sign::Slash))
        }
        None => false,
    }
}

/// Adds the role that a pawn promotes to, if the symbol can be one.
#[inline]
fn with_promotion(symbol: Symbol, c: char, length: usize, letters: &PieceLetters) -> Symbol {
    let is_only_sign = symbol.sign.is_some() && symbol.role.is_none();
    if symbol.rank.is_some() || is_only_sign {
        return symbol;
    }

    let promotion = symbol.role.or_else(|| {
        let is_one_character = length == c.len_utf8();
        letters.in_lower_case(c).filter(|_| is_one_character)
    });

    Symbol {
        promotion: promotion.filter(|role| Role::PROMOTIONS.contains(role)),
        ..symbol
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, code: &str, spelling: Spelling) -> Option<Vec<Symbol>> {
        let letters = PieceLetters::of_language(code).expect(code);
        symbols(text, letters, spelling).map(|lexed| lexed.as_slice().to_vec())
    }

    #[test]
    fn a_french_d_is_a_queen_and_by_a_slip_a_file() {
        let exact = read("D4", "fr", Spelling::Exact).expect("symbols");
        assert_eq!(exact[0].role, Some(Role::Queen));
        assert_eq!(exact[0].file, None);

        let slips = read("D4", "fr", Spelling::Slips).expect("symbols");
        assert_eq!(slips[0].role, Some(Role::Queen));
        assert_eq!(slips[0].file, Some(File::D));
    }

    #[test]
    fn twins_of_files() {
        for text in ["с5", "е4", "а1", "ε4"] {
            let found = read(text, "en", Spelling::Exact).expect("symbols");
            assert!(found[0].file.is_some(), "{text}");
        }

        // A capital is a slip.
        let exact = read("С5", "en", Spelling::Exact);
        assert_eq!(exact, None);
        let slips = read("С5", "en", Spelling::Slips);
        assert!(slips.is_some());
    }

    #[test]
    fn promotions_in_lower_case_are_known_by_their_place() {
        let french = read("e8d", "fr", Spelling::Exact).expect("symbols");
        assert_eq!(french[2].promotion, Some(Role::Queen));
        assert_eq!(french[2].file, Some(File::D));

        let english = read("d8=q", "en", Spelling::Exact).expect("symbols");
        assert_eq!(english[3].promotion, Some(Role::Queen));
        assert_eq!(read("qd8", "en", Spelling::Exact), None);
    }

    #[test]
    fn too_long_and_foreign() {
        assert_eq!(read("e4e4e4e4e4e4e4e4e4e4e4", "en", Spelling::Exact), None);
        assert_eq!(read("e4%", "en", Spelling::Slips), None);
        assert_eq!(read("", "en", Spelling::Exact), None);
    }
}
