//! Piece letters: a table of the letters of each language, and letters that users define.
//!
//! The table is data, and each of its rows is tested. The grammars decide what a letter means in a move text, given the
//! position.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::board::Role;

/// A language, or the chess symbols, with its piece letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// The codes of the language, such as `fr`, `sr-Latn`, `figurine`; the primary code first.
    pub codes: &'static [&'static str],
    /// The English name.
    pub name: &'static str,
    /// The piece letters.
    pub letters: PieceLetters,
}

/// The letters of the six pieces, each one to three characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLetters {
    /// The letters in the order K Q R B N P, in NFC.
    letters: [Cow<'static, str>; 6],
    number_first: bool,
}

/// The error for a text that is neither a language code nor a set of piece letters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LettersError {
    /// The text is in lower case, but no code of the table.
    #[error("`{0}` is not a language whose piece letters are known")]
    UnknownLanguage(String),
    /// There are not five or six letters.
    #[error("`{text}` gives {count} piece letters; K Q R B N, and P if wanted, take 5 or 6")]
    Count {
        /// The text.
        text: String,
        /// The number of letters in it.
        count: usize,
    },
    /// A letter is invalid: empty, longer than three characters, or used by moves for something else.
    #[error(
        "`{0}` cannot be the letter of a piece: it must be one to three letters or chess symbols that moves do not use otherwise"
    )]
    NoLetter(String),
    /// A letter is given for two pieces.
    #[error("`{0}` cannot mean two pieces")]
    Twice(String),
}

/// The order in which piece letters are given: the order of [`Role::ALL`] from its end.
pub(super) const LETTER_ORDER: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The chess symbols of both colours, in the order of [`LETTER_ORDER`].
const FIGURINES: [[char; 6]; 2] = [
    ['♔', '♕', '♖', '♗', '♘', '♙'],
    ['♚', '♛', '♜', '♝', '♞', '♟'],
];

/// Defines the table; `number first` marks languages whose descriptive notation is `P4R`.
macro_rules! languages {
    ($($codes:expr, $name:literal: $k:literal $q:literal $r:literal $b:literal $n:literal $p:literal
        $(, $number_first:ident first)?;)*) => {
        /// The table of languages, English first.
        pub static LANGUAGES: &[Language] = &[$(Language {
            codes: &$codes,
            name: $name,
            letters: PieceLetters {
                letters: [
                    Cow::Borrowed($k), Cow::Borrowed($q), Cow::Borrowed($r),
                    Cow::Borrowed($b), Cow::Borrowed($n), Cow::Borrowed($p),
                ],
                number_first: stringify!($($number_first)?).len() > 0,
            },
        },)*];
    };
}

// PGN §17 for the languages that it lists, except the Estonian pawn; common usage for the others.
languages! {
    ["en"], "English": "K" "Q" "R" "B" "N" "P";
    ["fr"], "French": "R" "D" "T" "F" "C" "P", number first;
    ["de"], "German": "K" "D" "T" "L" "S" "B";
    ["es", "gl"], "Spanish, Galician": "R" "D" "T" "A" "C" "P", number first;
    ["it"], "Italian": "R" "D" "T" "A" "C" "P", number first;
    ["nl"], "Dutch": "K" "D" "T" "L" "P" "O";
    ["pt"], "Portuguese": "R" "D" "T" "B" "C" "P", number first;
    ["ca"], "Catalan": "R" "D" "T" "A" "C" "P", number first;
    ["ro"], "Romanian": "R" "D" "T" "N" "C" "P";
    ["da", "nb", "no", "nn", "sv"], "Danish, Norwegian, Swedish": "K" "D" "T" "L" "S" "B";
    ["fi"], "Finnish": "K" "D" "T" "L" "R" "S";
    ["is"], "Icelandic": "K" "D" "H" "B" "R" "P";
    ["et"], "Estonian": "K" "L" "V" "O" "R" "E";
    ["lv"], "Latvian": "K" "D" "T" "L" "Z" "B";
    ["lt"], "Lithuanian": "K" "V" "B" "R" "Ž" "P";
    ["pl"], "Polish": "K" "H" "W" "G" "S" "P";
    ["cs", "sk"], "Czech, Slovak": "K" "D" "V" "S" "J" "P";
    ["hu"], "Hungarian": "K" "V" "B" "F" "H" "G";
    ["sl", "hr", "bs", "sr-Latn"], "Slovenian, Croatian, Bosnian, Serbian in Latin letters":
        "K" "D" "T" "L" "S" "P";
    ["tr"], "Turkish": "Ş" "V" "K" "F" "A" "P";
    ["ru"], "Russian": "Кр" "Ф" "Л" "С" "К" "п";
    ["ru-Latn"], "Russian in Latin letters": "Kr" "F" "L" "S" "K" "p";
    ["uk"], "Ukrainian": "Кр" "Ф" "Т" "С" "К" "п";
    ["bg"], "Bulgarian": "Ц" "Д" "Т" "О" "К" "п";
    ["sr"], "Serbian": "К" "Д" "Т" "Л" "С" "п";
    ["el"], "Greek": "Ρ" "Β" "Π" "Α" "Ι" "Σ";
    ["eo"], "Esperanto": "R" "D" "T" "K" "Ĉ" "P";
    ["vi"], "Vietnamese": "V" "H" "X" "T" "M" "P";
    ["af"], "Afrikaans": "K" "D" "T" "L" "R" "P";
    ["figurine"], "Chess symbols": "♔" "♕" "♖" "♗" "♘" "♙";
}

impl PieceLetters {
    /// The letters of PGN (§8.2.3.2).
    pub fn english() -> &'static PieceLetters {
        &LANGUAGES[0].letters
    }

    /// The letters of the language with this code, in any case: `fr`, `ru-Latn`, `figurine`.
    pub fn of_language(code: &str) -> Option<&'static PieceLetters> {
        LANGUAGES
            .iter()
            .find(|language| has_code(language, code))
            .map(|language| &language.letters)
    }

    /// Parses a language code, or letters in the order K Q R B N and optionally P: comma-separated, `Кр,Ф,Л,С,К`, or
    /// one capital for each, `KDTLS`.
    ///
    /// # Errors
    /// If the text is neither.
    ///
    /// ```
    /// use stamma_chess::{board::Role, notation::PieceLetters};
    /// assert_eq!(PieceLetters::parse("de")?.letter(Role::Knight), "S");
    /// assert_eq!(PieceLetters::parse("KDTLS")?.letter(Role::Bishop), "L");
    /// assert_eq!(PieceLetters::parse("Кр,Ф,Л,С,К")?.letter(Role::King), "Кр");
    /// assert!(PieceLetters::parse("KDTLK").is_err(), "king and knight would be written alike");
    /// # Ok::<(), stamma_chess::notation::LettersError>(())
    /// ```
    pub fn parse(text: &str) -> Result<PieceLetters, LettersError> {
        if let Some(letters) = PieceLetters::of_language(text) {
            return Ok(letters.clone());
        }

        let nfc: String = text.nfc().collect();
        let letters: Vec<String> = if nfc.contains(',') {
            nfc.split(',')
                .map(|letter| letter.trim().to_owned())
                .collect()
        } else if nfc.chars().any(char::is_uppercase) {
            nfc.chars().map(String::from).collect()
        } else {
            return Err(LettersError::UnknownLanguage(text.to_owned()));
        };

        PieceLetters::user_defined(text, letters)
    }

    /// The piece letters that a user has given in `text`.
    fn user_defined(text: &str, mut letters: Vec<String>) -> Result<PieceLetters, LettersError> {
        if let Some(wrong) = letters.iter().find(|letter| !may_be_letter(letter)) {
            return Err(LettersError::NoLetter(wrong.clone()));
        }

        let count = letters.len();
        let lacks_pawn = count == LETTER_ORDER.len() - 1;
        if lacks_pawn {
            letters.push(free_pawn_letter(&letters).to_owned());
        }

        // Only given letters: the added pawn letter may be a piece's letter if no other is free.
        for (i, letter) in letters[..count].iter().enumerate() {
            if letters[..i].contains(letter) {
                return Err(LettersError::Twice(letter.clone()));
            }
        }

        let letters: [String; 6] = letters.try_into().map_err(|_| LettersError::Count {
            text: text.to_owned(),
            count,
        })?;

        Ok(PieceLetters {
            letters: letters.map(Cow::Owned),
            number_first: false,
        })
    }

    /// The letter of a piece.
    pub fn letter(&self, role: Role) -> &str {
        // The king, whose index is the last, comes first.
        &self.letters[LETTER_ORDER.len() - 1 - role.index()]
    }

    /// Returns `true` if descriptive notation in this language puts the number first: `P4R` for `P-K4`.
    pub fn number_first(&self) -> bool {
        self.number_first
    }

    /// The piece whose letter begins the text, and the length of the letter in bytes.
    ///
    /// The longest match wins, so that `Кр` is the king and not a knight. Chess symbols of both colours are accepted in
    /// every language.
    #[inline]
    pub(super) fn at_start_of(&self, text: &str) -> Option<(Role, usize)> {
        let mut longest: Option<(Role, usize)> = None;
        for (role, letter) in LETTER_ORDER.into_iter().zip(&self.letters) {
            if let Some(length) = length_at_start(text, letter)
                && longest.is_none_or(|(_, longest)| longest < length)
            {
                longest = Some((role, length));
            }
        }

        let is_ascii = text.starts_with(|c: char| c.is_ascii());
        if longest.is_none() && !is_ascii {
            return figurine_at_start(text);
        }

        longest
    }

    /// The piece that a character matches, ignoring case and accents, and accepting a Latin letter for a Cyrillic or
    /// Greek one. Not the other way round: a Cyrillic `К` means a Russian knight, not an English king.
    pub(super) fn alike(&self, c: char) -> Option<Role> {
        let wanted = capital_without_accent(c);

        let is_alike = |letter: &str| {
            let mut chars = letter.chars();
            let first = chars.next().map(capital_without_accent);
            let twin = first.and_then(latin_twin).filter(|_| c.is_ascii());
            let is_one_character = chars.next().is_none();

            is_one_character && (first == Some(wanted) || twin == Some(wanted))
        };

        for (role, letter) in LETTER_ORDER.into_iter().zip(&self.letters) {
            if is_alike(letter) {
                return Some(role);
            }
        }

        None
    }

    /// The piece whose letter is this character in the other case, as in the promotion `e8q`.
    pub(super) fn in_lower_case(&self, c: char) -> Option<Role> {
        for (role, letter) in LETTER_ORDER.into_iter().zip(&self.letters) {
            if letter.chars().flat_map(char::to_lowercase).eq([c]) {
                return Some(role);
            }
        }

        None
    }
}

/// `true` if a language has a code, regardless of upper and lower case.
fn has_code(language: &Language, code: &str) -> bool {
    language
        .codes
        .iter()
        .any(|known| known.eq_ignore_ascii_case(code))
}

/// The length of a letter at the start of a text; characters after its first may be in upper case.
#[inline]
fn length_at_start(text: &str, letter: &str) -> Option<usize> {
    if text.as_bytes().first() != letter.as_bytes().first() {
        return None;
    }
    if text.starts_with(letter) {
        return Some(letter.len());
    }

    let mut rest = text.chars();
    let mut at_first = true;

    for expected in letter.chars() {
        let c = rest.next()?;
        let is_capital = !at_first && c.to_lowercase().eq([expected]);
        if c != expected && !is_capital {
            return None;
        }

        at_first = false;
    }

    Some(text.len() - rest.as_str().len())
}

/// The piece whose chess symbol, of either colour, begins the text, and the length of the symbol in bytes.
fn figurine_at_start(text: &str) -> Option<(Role, usize)> {
    let c = text.chars().next()?;

    for symbols in FIGURINES {
        if let Some(place) = symbols.iter().position(|&symbol| symbol == c) {
            return Some((LETTER_ORDER[place], c.len_utf8()));
        }
    }

    None
}

/// The base letter of a letter, as a capital.
fn capital_without_accent(c: char) -> char {
    let mut base = c;
    decompose_canonical(c, |part| {
        if !is_combining_mark(part) {
            base = part;
        }
    });

    base.to_uppercase().next().unwrap_or(base)
}

/// The Latin letter that looks like a Cyrillic or Greek letter.
pub(super) fn latin_twin(c: char) -> Option<char> {
    Some(match c {
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' | 'Ϲ' => 'C',
        'Е' | 'Ε' => 'E',
        'Н' | 'Η' => 'H',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'Х' | 'Χ' => 'X',
        'Ј' => 'J',
        'І' | 'Ι' => 'I',
        'а' | 'α' => 'a',
        'Ь' | 'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'ɡ' => 'g',
        'һ' => 'h',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'х' | 'χ' => 'x',
        'ӏ' => 'l',
        _ => return None,
    })
}

/// The symbols of chess pieces, black and white, upright and turned.
const CHESS_SYMBOLS: [RangeInclusive<char>; 2] = ['♔'..='♟', '\u{1fa00}'..='\u{1fa6d}'];

/// Returns `true` for one to three letters or chess symbols that move texts do not use for anything else. Other symbols
/// are signs of moves, such as `×` and `±`, or may become one.
fn may_be_letter(letter: &str) -> bool {
    let has_length = matches!(letter.chars().count(), 1..=3);
    let has_letters = letter.chars().all(is_letter_or_symbol);
    let begins_with_accent = letter.starts_with(is_combining_mark);
    if !has_length || !has_letters || begins_with_accent {
        return false;
    }

    let is_file = matches!(letter.as_bytes(), [b'a'..=b'h']);
    let is_castling = letter == "o";
    // Latin, Cyrillic and Greek.
    let is_capture_sign = letter.starts_with(['x', 'X', 'х', 'Х', 'χ', 'Χ']);
    !is_file && !is_castling && !is_capture_sign
}

fn is_letter_or_symbol(c: char) -> bool {
    c.is_alphabetic()
        || is_combining_mark(c)
        || CHESS_SYMBOLS.iter().any(|symbols| symbols.contains(&c))
}

/// The default pawn letter: the first of three that no piece has.
fn free_pawn_letter(letters: &[String]) -> &'static str {
    for candidate in ["P", "B", "p"] {
        if !letters.iter().any(|letter| letter == candidate) {
            return candidate;
        }
    }

    "p"
}

/// The text in NFC; borrowed if it already is, as all ASCII is.
#[inline]
pub(super) fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! rows {
        ($($name:ident: $codes:literal => $letters:literal;)*) => {$(
            #[test]
            fn $name() {
                for code in $codes.split(' ') {
                    let row = PieceLetters::of_language(code).expect(code);
                    let letters = LETTER_ORDER.map(|role| row.letter(role)).join(" ");
                    assert_eq!(letters, $letters, "{code}");
                    for role in LETTER_ORDER {
                        let letter = row.letter(role);
                        assert_eq!(row.at_start_of(letter), Some((role, letter.len())));
                        assert_eq!(normalized(letter), letter, "in NFC");
                    }
                }
            }
        )*};
    }

    rows! {
        english: "en" => "K Q R B N P";
        french: "fr" => "R D T F C P";
        german: "de" => "K D T L S B";
        spanish_galician: "es gl" => "R D T A C P";
        italian: "it" => "R D T A C P";
        dutch: "nl" => "K D T L P O";
        portuguese: "pt" => "R D T B C P";
        catalan: "ca" => "R D T A C P";
        romanian: "ro" => "R D T N C P";
        scandinavian: "da nb no nn sv" => "K D T L S B";
        finnish: "fi" => "K D T L R S";
        icelandic: "is" => "K D H B R P";
        estonian: "et" => "K L V O R E";
        latvian: "lv" => "K D T L Z B";
        lithuanian: "lt" => "K V B R Ž P";
        polish: "pl" => "K H W G S P";
        czech_slovak: "cs sk" => "K D V S J P";
        hungarian: "hu" => "K V B F H G";
        south_slavic: "sl hr bs sr-Latn" => "K D T L S P";
        turkish: "tr" => "Ş V K F A P";
        russian: "ru" => "Кр Ф Л С К п";
        russian_in_latin_letters: "ru-Latn" => "Kr F L S K p";
        ukrainian: "uk" => "Кр Ф Т С К п";
        bulgarian: "bg" => "Ц Д Т О К п";
        serbian: "sr" => "К Д Т Л С п";
        greek: "el" => "Ρ Β Π Α Ι Σ";
        esperanto: "eo" => "R D T K Ĉ P";
        vietnamese: "vi" => "V H X T M P";
        afrikaans: "af" => "K D T L R P";
        symbols: "figurine" => "♔ ♕ ♖ ♗ ♘ ♙";
    }

    macro_rules! refused {
        ($($name:ident: $text:literal => $error:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(PieceLetters::parse($text), Err($error));
            }
        )*};
    }

    refused! {
        no_language: "xx" => LettersError::UnknownLanguage("xx".to_owned());
        too_few: "KDT" => LettersError::Count { text: "KDT".to_owned(), count: 3 };
        too_many: "KDTLSBZ" => LettersError::Count { text: "KDTLSBZ".to_owned(), count: 7 };
        king_and_knight: "KDTLK" => LettersError::Twice("K".to_owned());
        a_file: "K,D,T,b,S" => LettersError::NoLetter("b".to_owned());
        a_capture: "KDTLX" => LettersError::NoLetter("X".to_owned());
        begins_with_a_capture: "K,D,T,XA,S" => LettersError::NoLetter("XA".to_owned());
        a_sign_behind_moves: "NP±КZ" => LettersError::NoLetter("±".to_owned());
        a_sign_of_captures: "K,D,T,L,×" => LettersError::NoLetter("×".to_owned());
        an_accent_alone: "K,D,T,L,\u{338}" => LettersError::NoLetter("\u{338}".to_owned());
        nothing: "K,,T,L,S" => LettersError::NoLetter(String::new());
        too_long: "King,D,T,L,S" => LettersError::NoLetter("King".to_owned());
    }

    #[test]
    fn composed_and_decomposed_are_one() {
        let row = PieceLetters::of_language("lt").expect("Lithuanian");
        let decomposed = "Z\u{30c}f3";

        let composed = normalized(decomposed);
        assert_eq!(row.at_start_of(&composed), Some((Role::Knight, 2)));
        assert_eq!(row.alike('Z'), Some(Role::Knight), "without the accent");
    }

    #[test]
    fn symbols_of_both_colours() {
        for row in LANGUAGES {
            assert_eq!(
                row.letters.at_start_of("♞f6"),
                Some((Role::Knight, 3)),
                "{}",
                row.name
            );
        }
    }

    #[test]
    fn the_longest_letter_wins() {
        let row = PieceLetters::of_language("ru").expect("Russian");
        assert_eq!(row.at_start_of("КРе2"), Some((Role::King, 4)));
        assert_eq!(row.at_start_of("Ке2"), Some((Role::Knight, 2)));
        assert_eq!(
            row.alike('C'),
            Some(Role::Bishop),
            "a Latin C for the Cyrillic С"
        );
        assert_eq!(
            PieceLetters::english().alike('К'),
            None,
            "and not the other way round"
        );
    }
}
