//! Parses a FEN with piece letters of any language.

use super::language::{LANGUAGES, LETTER_ORDER, Language, PieceLetters};
use crate::board::{Color, FenError, Piece, Role, Setup};

impl PieceLetters {
    /// Translates a FEN with these piece letters into English letters.
    ///
    /// Castling rights may use these letters or English ones.
    ///
    /// # Errors
    /// If there is no board, or a character on it is not a piece letter.
    ///
    /// ```
    /// use stamma_chess::notation::PieceLetters;
    /// let french = PieceLetters::of_language("fr").expect("a language of the table");
    /// let fen = french.fen_in_english("tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT b KQkq");
    /// assert_eq!(fen.as_deref(), Ok("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq"));
    /// ```
    pub fn fen_in_english(&self, fen: &str) -> Result<String, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (board, rest) = fields.split_first().ok_or(FenError::Empty)?;

        let english_board =
            self.in_english(board, &LETTER_ORDER)
                .map_err(|found| FenError::Letter {
                    found,
                    letters: self.listed(),
                })?;

        let mut english = vec![english_board];
        english.extend(rest.iter().map(|field| (*field).to_owned()));

        // Rights that are neither English letters nor these letters stay, for the caller's parser to reject.
        if let Some(castling) = english.get_mut(2)
            && castling.bytes().any(|letter| !b"KQkq-".contains(&letter))
            && let Ok(rights) = self.in_english(castling, &[Role::King, Role::Queen])
        {
            *castling = rights;
        }

        Ok(english.join(" "))
    }

    /// The letters as an error message names them.
    fn listed(&self) -> String {
        LETTER_ORDER.map(|role| self.letter(role)).join(" ")
    }

    /// Translates a text of piece letters, digits and slashes into English letters; returns the first other character
    /// as an error.
    fn in_english(&self, text: &str, roles: &[Role]) -> Result<String, char> {
        let mut english = String::new();

        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_digit() || matches!(first, '/' | '-') {
                english.push(first);
                rest = &rest[1..];
                continue;
            }

            let (letter, length) = match symbol_letter(first) {
                Some(letter) => (letter, first.len_utf8()),
                None => self.letter_at_start(rest, roles).ok_or(first)?,
            };

            english.push(letter);
            rest = &rest[length..];
        }

        Ok(english)
    }

    /// The English letter of the piece whose letter begins the text, and the length in bytes of the letter in the text.
    ///
    /// Upper case is White, lower case Black. The longest match wins.
    fn letter_at_start(&self, text: &str, roles: &[Role]) -> Option<(char, usize)> {
        let mut longest: Option<(char, usize)> = None;

        for &role in roles {
            let small = self.letter(role).to_lowercase();
            let forms = [
                (capitalized(&small), Color::White),
                (small.to_uppercase(), Color::White),
                (small, Color::Black),
            ];

            for (form, color) in forms {
                let is_longer = longest.is_none_or(|(_, length)| length < form.len());

                if text.starts_with(&form) && is_longer {
                    let letter = Piece { color, role }.fen_letter();
                    longest = Some((char::from(letter), form.len()));
                }
            }
        }

        longest
    }
}

/// The English letter of a chess symbol.
fn symbol_letter(symbol: char) -> Option<char> {
    // Unicode orders the chess symbols of a colour like these letters.
    let (index, letters) = match symbol {
        '♔'..='♙' => (symbol as u32 - '♔' as u32, "KQRBNP"),
        '♚'..='♟' => (symbol as u32 - '♚' as u32, "kqrbnp"),
        _ => return None,
    };

    letters.chars().nth(index as usize)
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);

    first.chain(chars).collect()
}

/// Parses a FEN in English letters if it has no others, otherwise in the letters of another language, and returns the
/// language.
///
/// It is the first language in the table that has all the letters of the FEN and gives both sides a king.
///
/// # Errors
/// The faults of the FEN in English letters, if no language fits.
pub fn read_fen(fen: &str) -> Result<(Setup, Option<&'static Language>), FenError> {
    let error = match Setup::from_fen(fen) {
        Ok(setup) => return Ok((setup, None)),
        Err(error) => error,
    };

    // Chess symbols, which `Setup` does not read, count as English letters.
    if let Ok(setup) = read_fen_in(fen, PieceLetters::english()) {
        return Ok((setup, None));
    }

    // English, the first in the table, has been tried.
    for language in LANGUAGES.iter().skip(1) {
        let Ok(setup) = read_fen_in(fen, &language.letters) else {
            continue;
        };

        let has_king = |color| setup.squares_of(color, Role::King).any();
        if has_king(Color::White) && has_king(Color::Black) {
            return Ok((setup, Some(language)));
        }
    }

    Err(error)
}

/// Parses a FEN with these piece letters.
///
/// # Errors
/// The first field that is malformed in these letters.
pub fn read_fen_in(fen: &str, letters: &PieceLetters) -> Result<Setup, FenError> {
    Setup::from_fen(&letters.fen_in_english(fen)?)
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
        russian_capitals: "лксфкрскл/пппппппп/8/8/8/8/ПППППППП/ЛКСФКРСКЛ w - - 0 1"
            => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", Some("ru");
        symbols: "♜♞♝♛♚♝♞♜/♟♟♟♟♟♟♟♟/8/8/8/8/♙♙♙♙♙♙♙♙/♖♘♗♕♔♗♘♖ w KQkq - 0 1"
            => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None;
        russian: "лскфкрскл/8/8/8/8/8/8/4Кр3 w - - 0 1"
            => "rbnqkbnr/8/8/8/8/8/8/4K3 w - - 0 1", Some("ru");
    }

    #[test]
    fn fens_of_no_language_get_the_english_error() {
        let error = read_fen("xyzdrfct/8/8/8/8/8/8/R7 w - - 0 1").expect_err("no letters");
        assert_eq!(
            error,
            Setup::from_fen("xyzdrfct/8/8/8/8/8/8/R7 w - - 0 1").expect_err("none")
        );
    }

    macro_rules! faults {
        ($($name:ident: $letters:literal, $fen:literal => $error:literal;)*) => {$(
            #[test]
            fn $name() {
                let letters = PieceLetters::parse($letters).expect("letters");
                let error = read_fen_in($fen, &letters).expect_err("a fault");
                assert_eq!(error.to_string(), $error);
            }
        )*};
    }

    faults! {
        english_in_french: "fr", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - -"
            => "`n` on the FEN's board is no piece in the letters R D T F C P, \
                and no number of empty squares";
        french_in_english: "en", "tcfdrfct/8/8/8/8/8/8/TCFDRFCT w - -"
            => "`t` on the FEN's board is no piece in the letters K Q R B N P, \
                and no number of empty squares";
        rights_in_german: "de", "4k3/8/8/8/8/8/8/4K3 w XY -"
            => "the FEN's castling rights `XY` are not like `KQkq`, `HAha` or `-`";
        turn: "de", "4k3/8/8/8/8/8/8/4K3 x - -" => "the FEN's side to move is `x`, not `w` or `b`";
        nothing: "fr", " " => "the FEN is empty";
    }

    #[test]
    fn given_letters_exclude_other_languages() {
        let fen = "4k3/8/8/8/8/8/8/4K2L w - -";
        let german = PieceLetters::parse("KDTSL").expect("letters");

        let in_german = read_fen_in(fen, &german).expect("a FEN");
        assert_eq!(in_german.to_string(), "4k3/8/8/8/8/8/8/4K2N w - - 0 1");

        let (in_any_language, _) = read_fen(fen).expect("a FEN");
        assert_eq!(
            in_any_language.to_string(),
            "4k3/8/8/8/8/8/8/4K2B w - - 0 1"
        );
    }
}
