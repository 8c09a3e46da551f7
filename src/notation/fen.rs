//! FENs whose pieces have the letters of another language.

use super::language::{LANGUAGES, Language, PieceLetters};
use crate::board::{Color, FenError, Role, Setup};

const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

impl PieceLetters {
    /// The FEN in English letters that a FEN in these stands for; nothing when some letter of its
    /// board is none of them.
    ///
    /// Castling rights may be in these letters, too, or in English ones.
    ///
    /// ```
    /// use stamma::notation::PieceLetters;
    /// let french = PieceLetters::of_language("fr").expect("a language of the table");
    /// let fen = french.fen_in_english("tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT b KQkq");
    /// assert_eq!(fen.as_deref(), Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq"));
    /// ```
    pub fn fen_in_english(&self, fen: &str) -> Option<String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (board, rest) = fields.split_first()?;
        let mut english = vec![self.in_english(board, &ROLES)?];
        english.extend(rest.iter().map(|field| (*field).to_owned()));
        if let Some(castling) = english.get_mut(2)
            && castling.bytes().any(|letter| !b"KQkq-".contains(&letter))
            && let Some(rights) = self.in_english(castling, &[Role::King, Role::Queen])
        {
            *castling = rights;
        }
        Some(english.join(" "))
    }

    /// A text with the letters of some pieces, digits and slashes, in English letters.
    fn in_english(&self, text: &str, roles: &[Role]) -> Option<String> {
        let mut english = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_digit() || matches!(first, '/' | '-') {
                english.push(first);
                rest = &rest[1..];
                continue;
            }
            let (letter, length) = self.letter_at_start(rest, roles)?;
            english.push(letter);
            rest = &rest[length..];
        }
        Some(english)
    }

    /// The English letter of the piece whose letter, as a capital or small, stands first, and the
    /// length of that in bytes; the longest wins.
    fn letter_at_start(&self, text: &str, roles: &[Role]) -> Option<(char, usize)> {
        let mut found: Option<(char, usize)> = None;
        for &role in roles {
            let letter = self.letter(role);
            let small = letter.to_lowercase();
            let capital = capitalized(&small);
            for (form, color) in [(capital, Color::White), (small, Color::Black)] {
                let is_longer = found.is_none_or(|(_, length)| length < form.len());
                if text.starts_with(&form) && is_longer {
                    let piece = crate::board::Piece { color, role };
                    found = Some((char::from(piece.fen_letter()), form.len()));
                }
            }
        }
        found
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// Reads a FEN, in English letters if it has none but these, else in those of the first language of
/// the table that has all its letters and gives both sides a king.
///
/// # Errors
/// The faults of the FEN in English letters, when no language explains it.
pub fn read_fen(fen: &str) -> Result<(Setup, Option<&'static Language>), FenError> {
    let error = match Setup::from_fen(fen) {
        Ok(setup) => return Ok((setup, None)),
        Err(error) => error,
    };
    let read = |language: &'static Language| {
        let setup = Setup::from_fen(&language.letters.fen_in_english(fen)?).ok()?;
        let has_king = |color| setup.squares_of(color, Role::King).any();
        Color::ALL.into_iter().all(has_king).then_some((setup, Some(language)))
    };
    LANGUAGES.iter().skip(1).find_map(read).ok_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads {
        ($($name:ident: $fen:expr => $english:expr, $code:expr;)*) => {$(
            #[test]
            fn $name() {
                let (setup, language) = read_fen($fen).expect("a FEN");
                assert_eq!(setup.to_string(), $english);
                assert_eq!(language.map(|language| language.codes[0]), $code);
            }
        )*};
    }

    reads! {
        english: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1" => "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", None;
        french_start: "tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT b KQkq"
            => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", Some("fr");
        french_rights: "t3r3/8/8/8/8/8/8/T3R3 w Dd - 4 9"
            => "r3k3/8/8/8/8/8/8/R3K3 w Qq - 4 9", Some("fr");
        german: "tsldklst/bbbbbbbb/8/8/8/8/BBBBBBBB/TSLDKLST w KQkq - 0 1"
            => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Some("de");
        russian: "лскфкрскл/8/8/8/8/8/8/4Кр3 w - - 0 1"
            => "rbnqkbnr/8/8/8/8/8/8/4K3 w - - 0 1", Some("ru");
    }

    #[test]
    fn what_no_language_explains_is_refused_as_english() {
        let error = read_fen("xyzdrfct/8/8/8/8/8/8/R7 w - - 0 1").expect_err("no letters");
        assert_eq!(error, Setup::from_fen("xyzdrfct/8/8/8/8/8/8/R7 w - - 0 1").expect_err("none"));
    }
}
