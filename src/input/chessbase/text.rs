//! The encoding of texts: UTF-8 in newer databases; in older databases an unnamed code page of Windows.
//!
//! A text in a language with a known code page is in this code page. The encoding of all other texts of a game is
//! guessed from all these texts, since one text is too short.

use cbvault_format::game::language;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1257,
};

/// The numbers of countries whose languages have names of their own here.
const CZECH_REPUBLIC: u16 = 36;
const HUNGARY: u16 = 62;
const RUSSIA: u16 = 121;
const TURKEY: u16 = 142;
const UKRAINE: u16 = 145;
const SOVIET_UNION: u16 = 149;
/// The first number of a language that is the number of a country.
const FIRST_COUNTRY: u16 = 0x100;

/// The bytes that ChessBase's fonts display as pieces, in code page 1252, and the letters of the pieces.
const FIGURINES: [(u8, u8); 6] = [
    (0xa2, b'K'),
    (0xa3, b'Q'),
    (0xa4, b'N'),
    (0xa5, b'B'),
    (0xa6, b'R'),
    (0xa7, b'P'),
];
/// The private-use characters that newer versions display as pieces, and the letters of the pieces.
const FIGURINE_CHARACTERS: [(char, char); 6] = [
    ('\u{e024}', 'K'),
    ('\u{e025}', 'Q'),
    ('\u{e026}', 'R'),
    ('\u{e027}', 'B'),
    ('\u{e028}', 'N'),
    ('\u{e029}', 'P'),
];

/// A detector for the encoding of the texts of a game whose language has no known code page.
pub(super) struct Guess(Option<EncodingDetector>);

impl Guess {
    pub(super) fn new() -> Guess {
        Guess(None)
    }

    /// Adds a text to the evidence.
    pub(super) fn add(&mut self, text: &[u8]) {
        // A text in UTF-8 is recognized on its own, so it is no evidence for a code page.
        if std::str::from_utf8(text).is_ok() {
            return;
        }

        let detector = self
            .0
            .get_or_insert_with(|| EncodingDetector::new(Iso2022JpDetection::Deny));
        detector.feed(text, false);
        // A space, so that the last word of a text and the first word of the next text are not joined.
        detector.feed(b" ", false);
    }

    /// The encoding of all texts that were added.
    pub(super) fn encoding(self) -> &'static Encoding {
        let Some(mut detector) = self.0 else {
            return WINDOWS_1252;
        };

        detector.feed(b"", true);
        let guess = detector.guess(None, Utf8Detection::Deny);
        // ChessBase for Windows knows only the code pages of Windows.
        let is_page = guess.name().starts_with("windows-125");
        if is_page { guess } else { WINDOWS_1252 }
    }
}

/// The code page of a language, if it is known; `number` is the library's number of the language.
pub(super) fn page_of(number: u16) -> Option<&'static Encoding> {
    let page = match number {
        language::ENGLISH
        | language::GERMAN
        | language::FRENCH
        | language::SPANISH
        | language::ITALIAN
        | language::DUTCH
        | language::PORTUGUESE => WINDOWS_1252,
        language::POLISH => WINDOWS_1250,
        language::GREEK => WINDOWS_1253,
        _ => match country_of(number)? {
            // Croatia, the Czech Republic, Hungary, Romania, Slovakia, Slovenia.
            33 | CZECH_REPUBLIC | HUNGARY | 120 | 128 | 129 | 161 => WINDOWS_1250,
            // Belarus, Bulgaria, Macedonia, Kazakhstan, Russia, Ukraine, the Soviet Union, Serbia.
            16 | 26 | 50 | 76 | RUSSIA | UKRAINE | SOVIET_UNION | 193 | 250 => WINDOWS_1251,
            // Turkey, Israel; Estonia, Latvia, Lithuania.
            TURKEY => WINDOWS_1254,
            68 => WINDOWS_1255,
            44 | 81 | 85 => WINDOWS_1257,
            _ => return None,
        },
    };
    Some(page)
}

/// The name of a language by ISO 639, or the number of its country; `None` for texts in any language.
pub(super) fn language_name(number: u16) -> Option<String> {
    let name = match number {
        language::ANY => return None,
        language::ENGLISH => "en",
        language::GERMAN => "de",
        language::FRENCH => "fr",
        language::SPANISH => "es",
        language::ITALIAN => "it",
        language::DUTCH => "nl",
        language::PORTUGUESE => "pt",
        language::POLISH => "pl",
        language::GREEK => "el",
        _ => match country_of(number)? {
            CZECH_REPUBLIC => "cs",
            HUNGARY => "hu",
            RUSSIA | SOVIET_UNION => "ru",
            TURKEY => "tr",
            UKRAINE => "uk",
            country => return Some(format!("country{country}")),
        },
    };
    Some(name.to_owned())
}

/// The number of the country of a language; `None` for a language to which the library assigns its own number.
fn country_of(number: u16) -> Option<u16> {
    number.checked_sub(FIRST_COUNTRY)
}

/// Appends a text as UTF-8 for a comment: without braces, control characters, and characters of ChessBase's fonts.
pub(super) fn append(text: &[u8], encoding: &'static Encoding, out: &mut Vec<u8>) {
    let stored = until_zero(text);
    let is_utf8 = std::str::from_utf8(stored).is_ok();
    let may_have_figurines = !is_utf8 && encoding == WINDOWS_1252;
    if may_have_figurines {
        append_decoded(&letters_for_figurines(stored), encoding, out);
    } else {
        append_decoded(stored, encoding, out);
    }
}

/// Appends a name as UTF-8, without control characters. A field may cut the last letter of a long name.
pub(super) fn append_name(name: &[u8], encoding: &'static Encoding, out: &mut Vec<u8>) {
    let name = until_zero(name);
    let whole_letters = match std::str::from_utf8(name) {
        Err(error) if error.error_len().is_none() => &name[..error.valid_up_to()],
        _ => name,
    };

    // If all other bytes are ASCII, the last byte may be a whole letter of another encoding.
    let has_end = whole_letters.len() < name.len();
    let is_cut = has_end && !whole_letters.is_ascii();
    let kept = if is_cut { whole_letters } else { name };
    append_decoded(kept, encoding, out);
}

/// The bytes before the first zero, or all of them.
pub(super) fn until_zero(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(text.len());
    &text[..end]
}

fn append_decoded(text: &[u8], encoding: &'static Encoding, out: &mut Vec<u8>) {
    let decoded = match std::str::from_utf8(text) {
        Ok(text) => text.into(),
        Err(_) => encoding.decode_without_bom_handling(text).0,
    };

    let mut buffer = [0; 4];
    for character in decoded.trim().chars() {
        let figurine = FIGURINE_CHARACTERS
            .iter()
            .find(|(private, _)| *private == character);

        let shown = match (figurine, character) {
            (Some((_, letter)), _) => *letter,
            (None, '{') => '(',
            (None, '}') => ')',
            (None, '\n') => '\n',
            (None, control) if control.is_control() => ' ',
            (None, other) => other,
        };
        out.extend_from_slice(shown.encode_utf8(&mut buffer).as_bytes());
    }
}

/// A text with letters of pieces in place of figurines. A byte is a figurine only if the rest of a move follows.
/// Elsewhere, it is another sign, such as `£`.
fn letters_for_figurines(text: &[u8]) -> Vec<u8> {
    let mut letters = text.to_vec();
    for at in 0..text.len() {
        let figurine = FIGURINES.iter().find(|(sign, _)| *sign == text[at]);
        if let Some((_, letter)) = figurine
            && begins_with_move(&text[at + 1..])
        {
            letters[at] = *letter;
        }
    }
    letters
}

/// Returns `true` if a text begins with the rest of a move behind the letter of a piece: `f3`, `xf3`, `bd2`, `1xa3`.
fn begins_with_move(rest: &[u8]) -> bool {
    if begins_with_target(rest) {
        return true;
    }
    match rest {
        [b'a'..=b'h' | b'1'..=b'8', behind @ ..] => begins_with_target(behind),
        _ => false,
    }
}

/// Returns `true` if a text begins with a square, or with the `x` of a capture and a square.
fn begins_with_target(rest: &[u8]) -> bool {
    let square = rest.strip_prefix(b"x").unwrap_or(rest);
    matches!(square, [b'a'..=b'h', b'1'..=b'8', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], encoding: &'static Encoding) -> String {
        let mut out = Vec::new();
        append(text, encoding, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn texts() {
        let rows: [(&[u8], &'static Encoding, &str); 7] = [
            ("Größe {1}\u{1}".as_bytes(), WINDOWS_1252, "Größe (1) "),
            (b"Gr\xf6\xdfe\0dirt", WINDOWS_1252, "Größe"),
            (b"\xd2\xe0\xeb\xfc", WINDOWS_1251, "Таль"),
            (b"23.\xa4f3 for 5\xa3", WINDOWS_1252, "23.Nf3 for 5£"),
            (b"\xa4bd2 \xa61xa3 \xa5xf7", WINDOWS_1252, "Nbd2 R1xa3 Bxf7"),
            (b"won \xa3500 by \xa75a", WINDOWS_1252, "won £500 by §5a"),
            ("\u{e025}d1".as_bytes(), WINDOWS_1252, "Qd1"),
        ];
        for (text, encoding, expected) in rows {
            assert_eq!(read(text, encoding), expected);
        }
    }

    #[test]
    fn names() {
        let read = |name: &[u8], encoding| {
            let mut out = Vec::new();
            append_name(name, encoding, &mut out);
            String::from_utf8(out).expect("UTF-8")
        };
        assert_eq!(read(b"\xa3500 Open", WINDOWS_1252), "£500 Open");
        assert_eq!(read("Großmann".as_bytes(), WINDOWS_1251), "Großmann");
        // The last letter does not fit.
        assert_eq!(read(&"Größe".as_bytes()[..5], WINDOWS_1252), "Grö");
        assert_eq!(read(b"Lopez, J\xc3", WINDOWS_1252), "Lopez, JÃ");
        assert_eq!(read(b"\xd2\xe0\xeb\xfc", WINDOWS_1251), "Таль");
    }

    #[test]
    fn the_encoding_of_a_game_is_guessed() {
        let mut russian = Guess::new();
        russian.add(b"\xcf\xf0\xee\xf0\xfb\xe2 d6-d5 \x97 \xe3\xeb\xe0\xe2\xed\xee\xe5 \xee\xf0\xf3\xe6\xe8\xe5");
        assert_eq!(russian.encoding(), WINDOWS_1251);

        let mut german = Guess::new();
        german.add(b"Gr\xf6\xdfer als");
        assert_eq!(german.encoding(), WINDOWS_1252);

        assert_eq!(Guess::new().encoding(), WINDOWS_1252);
    }
}
