//! Detects the encodings of games that are not UTF-8.
//!
//! Non-Latin scripts are easy: one Cyrillic or Greek word is enough. The encodings of Latin letters differ in a few
//! letters only, and one name fits several encodings, so all games of a file in Latin letters are examined together.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    IBM866, ISO_8859_2, ISO_8859_5, ISO_8859_7, KOI8_R, KOI8_U, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
};

use super::Encoding;
use super::dos::{WordEvidence, judge_words};

/// The number of adjacent non-ASCII letters that make a word non-Latin.
const SCRIPT_LETTERS: usize = 3;
/// The number of ASCII letters that make a word Latin.
const ASCII_LETTERS: usize = 3;
/// The number of words that decide a game in Latin letters without the rest of the file.
const ENOUGH_WORDS: usize = 20;
/// The ratio from which on an encoding of another script is rare: another such encoding has more than this many times
/// as many games. A rare encoding is considered an error.
const RARE: u64 = 50;
/// The maximum number of distinct words examined per game.
const MAX_WORDS: usize = 100;
/// The maximum number of words remembered per file. This number is enough to be certain.
const MAX_FILE_WORDS: usize = 10_000;
/// The maximum length of a word in bytes; longer words are ignored.
const MAX_WORD_BYTES: usize = 64;

const LATIN: [&encoding_rs::Encoding; 5] = [
    WINDOWS_1252,
    WINDOWS_1250,
    WINDOWS_1254,
    WINDOWS_1257,
    ISO_8859_2,
];
const OTHERS: [&encoding_rs::Encoding; 6] = [
    WINDOWS_1251,
    KOI8_U,
    IBM866,
    ISO_8859_5,
    WINDOWS_1253,
    ISO_8859_7,
];

/// The script of a text's words, whatever its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// Single letters between ASCII ones.
    Latin,
    /// Words without ASCII letters.
    Other,
    /// Undecided.
    Unknown,
}

/// The evidence of a game alone for its encoding.
enum GameEvidence {
    /// Certainly this encoding.
    Encoding(Encoding),
    /// This encoding of another script, unless it is rare in the file.
    Other(Encoding),
    /// An encoding of Latin letters.
    Latin,
    /// One of several encodings of DOS.
    Dos(Vec<Encoding>),
    /// An encoding of Latin letters, or one of several encodings of DOS.
    Either(Vec<Encoding>),
    /// No word of clear script.
    Nothing,
}

/// The evidence of the games of a file so far for its encoding.
pub(crate) struct Evidence {
    /// The words of games in Latin letters.
    latin_words: HashSet<Vec<u8>>,
    latin: EncodingDetector,
    latin_games: u64,
    /// The number of games in other scripts, by encoding.
    others: Vec<(Encoding, u64)>,
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence {
            latin_words: HashSet::new(),
            latin: EncodingDetector::new(Iso2022JpDetection::Deny),
            latin_games: 0,
            others: Vec::new(),
        }
    }
}

impl Evidence {
    /// The encodings of consecutive games that are not UTF-8, judged by these games and all earlier games.
    pub(crate) fn encodings(&mut self, games: &[&[u8]]) -> Vec<Encoding> {
        // All games of the batch are counted before the encoding of the first game is decided.
        let evidence: Vec<GameEvidence> = games.iter().map(|game| self.add_game(game)).collect();

        let guessed = self.latin.guess(None, Utf8Detection::Deny);
        let latin = known_or_windows(guessed, &LATIN);
        let most_common = match self.most_common_other() {
            Some((encoding, games)) if games > self.latin_games => Some(encoding),
            _ if self.latin_games > 0 => Some(latin),
            _ => None,
        };

        let mut encodings = Vec::with_capacity(games.len());
        for (game, game_evidence) in games.iter().zip(evidence) {
            let encoding = match game_evidence {
                GameEvidence::Encoding(encoding) => encoding,
                GameEvidence::Other(encoding) => self.or_most_common_if_rare(encoding),
                GameEvidence::Latin => latin,
                GameEvidence::Dos(candidates) => self.most_common_of(&candidates).unwrap_or(latin),
                GameEvidence::Either(candidates) => self.dos_or_latin(latin, &candidates),
                GameEvidence::Nothing => {
                    most_common.unwrap_or_else(|| guess_from_single_letters(game))
                }
            };
            encodings.push(encoding);
        }
        encodings
    }

    /// The most common of some encodings of DOS if it has more games than `latin`, otherwise `latin`.
    fn dos_or_latin(&self, latin: Encoding, candidates: &[Encoding]) -> Encoding {
        match self.most_common_of(candidates) {
            Some(dos) if self.games_in(dos) > self.latin_games => dos,
            _ => latin,
        }
    }

    /// Adds the evidence of a game, and returns it.
    fn add_game(&mut self, game: &[u8]) -> GameEvidence {
        let words = words(game);
        match script(&words) {
            Script::Latin => self.add_latin(&words, game),
            Script::Other => self.add_other(&words, game),
            Script::Unknown => GameEvidence::Nothing,
        }
    }

    /// Adds the evidence of a game in Latin letters; `words` are its non-ASCII words.
    fn add_latin(&mut self, words: &BTreeSet<&[u8]>, game: &[u8]) -> GameEvidence {
        match judge_words(words) {
            WordEvidence::Dos(candidates) => {
                for encoding in &candidates {
                    self.count_other(*encoding);
                }
                return GameEvidence::Dos(candidates);
            }
            // The game fits encodings of DOS and of Windows, so it is no evidence for other games.
            WordEvidence::Either(candidates)
                if candidates.iter().any(|&dos| self.games_in(dos) > 0) =>
            {
                return GameEvidence::Either(candidates);
            }
            WordEvidence::Either(_) | WordEvidence::Windows => {}
        }

        self.latin_games += 1;
        self.feed_latin(words);
        if words.len() >= ENOUGH_WORDS {
            GameEvidence::Encoding(guess(words, game))
        } else {
            GameEvidence::Latin
        }
    }

    /// Adds the evidence of a game in another script; `words` are its non-ASCII words.
    fn add_other(&mut self, words: &BTreeSet<&[u8]>, game: &[u8]) -> GameEvidence {
        let encoding = guess(words, game);
        self.count_other(encoding);
        if words.len() >= ENOUGH_WORDS {
            GameEvidence::Encoding(encoding)
        } else {
            GameEvidence::Other(encoding)
        }
    }

    /// Counts a game in an encoding of another script or of DOS.
    fn count_other(&mut self, encoding: Encoding) {
        for (other, games) in &mut self.others {
            if *other == encoding {
                *games += 1;
                return;
            }
        }
        self.others.push((encoding, 1));
    }

    /// The most common of some encodings among the games; the first on a tie.
    fn most_common_of(&self, among: &[Encoding]) -> Option<Encoding> {
        // Reversed, since `max_by_key` returns the last of equal maxima.
        among
            .iter()
            .rev()
            .copied()
            .max_by_key(|&encoding| self.games_in(encoding))
    }

    /// The number of games that have been in an encoding of another script, or possibly in an encoding of DOS.
    fn games_in(&self, encoding: Encoding) -> u64 {
        let counted = self.others.iter().find(|(other, _)| *other == encoding);
        counted.map_or(0, |(_, games)| *games)
    }

    /// Returns `encoding`, or the most common encoding if `encoding` is rare among the games in other scripts.
    fn or_most_common_if_rare(&self, encoding: Encoding) -> Encoding {
        // About one in a hundred games with foreign names in Cyrillic letters is mistaken for KOI8 or Greek.
        let games = self.games_in(encoding);
        match self.most_common_other() {
            Some((most_common, most_games)) if games * RARE < most_games => most_common,
            _ => encoding,
        }
    }

    /// Feeds new words of a game in Latin letters to the detector.
    fn feed_latin(&mut self, words: &BTreeSet<&[u8]>) {
        // The detector receives each word once, so that a name in many games counts once.
        for word in words.iter().filter(|word| is_defined_in_windows(word)) {
            let has_room = self.latin_words.len() < MAX_FILE_WORDS;
            if has_room && self.latin_words.insert(word.to_vec()) {
                self.latin.feed(word, false);
                self.latin.feed(b" ", false);
            }
        }
    }

    /// The most common encoding of games in other scripts, and its number of games; the first encoding on a tie.
    fn most_common_other(&self) -> Option<(Encoding, u64)> {
        let mut most_common = *self.others.first()?;
        for &(encoding, games) in &self.others {
            if games > most_common.1 {
                most_common = (encoding, games);
            }
        }
        Some(most_common)
    }
}

/// The distinct non-ASCII words of a text.
fn words(text: &[u8]) -> BTreeSet<&[u8]> {
    let mut distinct = BTreeSet::new();
    for word in text.split(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
        if word.is_ascii() || word.len() > MAX_WORD_BYTES {
            continue;
        }
        if distinct.len() == MAX_WORDS {
            break;
        }
        distinct.insert(word);
    }
    distinct
}

/// The script of most words.
fn script(words: &BTreeSet<&[u8]>) -> Script {
    let mut latin_words = 0;
    let mut other_words = 0;
    for word in words {
        let ascii_letters = word.iter().filter(|byte| byte.is_ascii()).count();
        latin_words += usize::from(ascii_letters >= ASCII_LETTERS);

        let has_other_script = word
            .windows(SCRIPT_LETTERS)
            .any(|letters| letters.iter().all(|byte| !byte.is_ascii()));
        other_words += usize::from(has_other_script);
    }

    match other_words.cmp(&latin_words) {
        Ordering::Greater => Script::Other,
        Ordering::Less => Script::Latin,
        Ordering::Equal => Script::Unknown,
    }
}

/// Returns `false` for a word with a byte that is undefined in Windows-1252. A single mistaken byte would otherwise
/// exclude Windows-1252 for a whole file.
fn is_defined_in_windows(word: &[u8]) -> bool {
    !word
        .iter()
        .any(|byte| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d))
}

/// The encoding guessed from some words; `text` contains them.
fn guess(words: &BTreeSet<&[u8]>, text: &[u8]) -> Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for word in words {
        detector.feed(word, false);
        detector.feed(b" ", false);
    }

    let guessed = detector.guess(None, Utf8Detection::Deny);
    let supported = [LATIN.as_slice(), OTHERS.as_slice()].concat();
    let encoding = known_or_windows(guessed, &supported);

    // The detector does not distinguish KOI8-U and KOI8-R.
    if encoding == Encoding::web(KOI8_U) && decodes_as_koi8_r(text) {
        Encoding::web(KOI8_R)
    } else {
        encoding
    }
}

/// The encoding guessed for a text without a word of clear script. Single letters prove nothing.
fn guess_from_single_letters(text: &[u8]) -> Encoding {
    let mut words = words(text);
    words.retain(|word| word.len() > 1);
    guess(&words, text)
}

/// Returns `true` if KOI8-U, which adds Ukrainian letters, decodes the text like KOI8-R.
fn decodes_as_koi8_r(text: &[u8]) -> bool {
    let decode = |encoding| Encoding::web(encoding).decode(text);
    decode(KOI8_U) == decode(KOI8_R)
}

/// The guessed encoding, if it is among the known encodings; otherwise Windows-1252, in which no byte gets lost.
fn known_or_windows(
    guessed: &'static encoding_rs::Encoding,
    known: &[&'static encoding_rs::Encoding],
) -> Encoding {
    if known.contains(&guessed) {
        Encoding::web(guessed)
    } else {
        Encoding::web(WINDOWS_1252)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(encoding: &str, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let encoding = Encoding::from_name(encoding).expect("an encoding");
        assert_eq!(encoding.encode(text, &mut bytes).count, 0, "{text}");
        bytes
    }

    /// The names of the encodings of games that are a whole file.
    fn found(games: &[&[u8]]) -> Vec<&'static str> {
        let encodings = Evidence::default().encodings(games);
        encodings.into_iter().map(Encoding::name).collect()
    }

    macro_rules! finds {
        ($($name:ident: $encoding:literal, $names:expr;)*) => {$(
            #[test]
            fn $name() {
                let encoded: Vec<Vec<u8>> = $names.iter().map(|name| bytes($encoding, name)).collect();
                let games: Vec<&[u8]> = encoded.iter().map(Vec::as_slice).collect();
                assert_eq!(found(&games), [$encoding; $names.len()]);
            }
        )*};
    }

    finds! {
        one_letter: "windows-1252", ["Réti"];
        letters_by_themselves: "windows-1252", ["1/2 - Â", "à", "É"];
        german: "windows-1252", ["Müller", "Hübner, Robert", "Köln"];
        french: "windows-1252", ["Besançon", "Genève", "François", "Élysée", "à"];
        spanish_and_swedish: "windows-1252", ["Málaga", "Muñoz", "Ståhlberg", "Malmö", "López"];
        dashes_and_quotes: "windows-1252", ["a – b", "it’s"];
        czech: "windows-1250", ["Dvořák", "Ftáčnik", "Plzeň", "Šimák"];
        polish: "windows-1250", ["Łódź", "Jabłoński", "Świdnica", "Wałbrzych"];
        croatian: "windows-1250", ["Gligorić", "Kožul"];
        polish_of_unix: "ISO-8859-2", ["Łódź", "Jabłoński", "Świdnica", "Wałbrzych", "Gąsiorowski"];
        russian: "windows-1251", ["Петросян"];
        russian_of_unix: "KOI8-R", ["Петросян"];
        russian_of_dos: "IBM866", ["Петросян", "Ботвинник"];
        ukrainian: "KOI8-U", ["Іванчук, Василь", "Київ"];
        greek: "windows-1253", ["Παπαδόπουλος"];
        turkish: "windows-1254", ["İstanbul", "Yılmaz", "Şahin", "Doğan"];
        latvian: "windows-1257", [
            "Tālis", "Rīga", "Bērziņš", "Āboliņš", "Vītoliņš", "Rozentālis", "Klovāns", "Jūrmala",
            "Ģirts",
        ];
        lithuanian: "windows-1257", ["Šarūnas", "Šiauliai", "Čmilytė", "Panevėžys", "Žukauskas"];
    }

    #[test]
    fn scripts_are_detected_per_game() {
        let encoded = [
            bytes("windows-1251", "Петросян"),
            bytes("windows-1252", "Müller"),
            bytes("koi8-r", "Спасский"),
            bytes("windows-1253", "Γεωργίου"),
        ];
        let games: Vec<&[u8]> = encoded.iter().map(Vec::as_slice).collect();

        let expected = ["windows-1251", "windows-1252", "KOI8-R", "windows-1253"];
        assert_eq!(found(&games), expected);
    }

    #[test]
    fn a_game_with_little_evidence_follows_the_others() {
        let rows = [
            ("windows-1251", "1. e4 Кf6", "Таль, Михаил"),
            ("windows-1250", "Hořice", "Dvořák Jiří Ftáčnik"),
        ];
        for (encoding, little, more) in rows {
            let first = bytes(encoding, little);
            let second = bytes(encoding, more);
            assert_eq!(found(&[&first, &second]), [encoding; 2]);
        }
    }

    #[test]
    fn rare_encodings_of_a_file_are_doubted() {
        let common = bytes("windows-1251", "Карпов");
        let rare = bytes("koi8-r", "Петросян");
        let mut games = vec![common.as_slice(); 60];
        games.push(&rare);

        assert_eq!(found(&games), ["windows-1251"; 61]);

        // Among 30 games, one is not rare.
        assert_eq!(found(&games[30..])[30], "KOI8-R");
    }

    #[test]
    fn later_games_do_not_affect_earlier_ones() {
        let german = bytes("windows-1252", "Müller");
        let russian = bytes("windows-1251", "Таль");
        let mut evidence = Evidence::default();

        let rows = [
            (&german, "windows-1252"),
            (&russian, "windows-1251"),
            (&german, "windows-1252"),
        ];
        for (game, name) in rows {
            let encodings = evidence.encodings(&[game.as_slice()]);
            assert_eq!(encodings[0].name(), name);
        }
    }

    #[test]
    fn a_stray_byte_rules_nothing_out() {
        let games: [&[u8]; 2] = [b"M\xfcller \x81\xfc", b"K\xf6ln M\x81ller"];
        assert_eq!(found(&games), ["windows-1252"; 2]);
    }
}
