//! Parses results in many spellings: `1-0`, `½ : ½`, `remis`, `Black resigns`.
//!
//! Tags and movetext share this code. The fast path for movetext examines only the symbols at the beginning of a text;
//! words are read only in tag values and at the end of a game.

/// The result given by a game termination marker (PGN §8.2.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unknown,
}

impl Termination {
    /// The marker as the standard writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Termination::WhiteWins => "1-0",
            Termination::BlackWins => "0-1",
            Termination::Draw => "1/2-1/2",
            Termination::Unknown => "*",
        }
    }

    /// Parses a termination marker or a Result tag in ASCII; `1/2` is a draw.
    pub const fn from_ascii(text: &[u8]) -> Option<Termination> {
        Some(match text {
            b"1-0" => Termination::WhiteWins,
            b"0-1" => Termination::BlackWins,
            b"1/2-1/2" | b"1/2" => Termination::Draw,
            b"*" => Termination::Unknown,
            _ => return None,
        })
    }

    /// Parses a result in any spelling: with colons, dashes and spaces; as fractions or decimals; or in words of any
    /// supported language.
    ///
    /// ```
    /// use stamma_chess::pgn::Termination;
    /// assert_eq!(Termination::from_text("1 : 0"), Some(Termination::WhiteWins));
    /// assert_eq!(Termination::from_text("½–½"), Some(Termination::Draw));
    /// assert_eq!(Termination::from_text("Remis"), Some(Termination::Draw));
    /// assert_eq!(Termination::from_text("Black resigns."), Some(Termination::WhiteWins));
    /// assert_eq!(Termination::from_text("2-0"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Termination> {
        Termination::from_ascii(text.as_bytes()).or_else(|| from_odd_text(text))
    }

    /// Parses the value of a Result tag in the standard's spelling.
    pub fn from_tag(value: &str) -> Option<Termination> {
        Termination::from_ascii(value.as_bytes()).filter(|result| result.as_str() == value)
    }
}

/// Words for a draw in the supported languages, in lower case.
const DRAWS: &str = "draw drawn remis unentschieden nulle nul tablas táboas patta patto remise empate taules remiză \
    remiza uavgjort remi tasapeli jafntefli viik neizšķirts lygiosios remíza remíz döntetlen berabere beraberlik \
    ничья нічия реми ισοπαλία egala hòa gelykop";

const WHITE: &str = "white weiß weiss blancs blanc blancas bianco wit brancas blanques alb albul hvid hvit vit valkea \
    białe bílý biely világos beli bijeli beyaz белые білі белите λευκά";

const BLACK: &str = "black schwarz noirs noir negras nero zwart pretas negres negru negrul sort svart musta czarne \
    černý čierny sötét crni siyah черные чёрные чорні черните μαύρα";

const WINS: &str = "wins won gewinnt gewann gagnent gagne ganan gana vince wint vencem ganham guanyen câștigă vinder \
    vinner voittaa voitti wygrywają wygrały vyhrál vyhráva vyhral nyer nyert pobjeđuje pobeđuje dobiva kazandı \
    выиграли выигрывают победили виграли печелят κερδίζουν";

const RESIGNS: &str = "resigns resigned resign aufgegeben abandonnent abandonne abandonan abandona abbandona \
    abandonam desistem opgiver vzdal vzdává feladja feladta predaje сдались сдаются здалися";

/// Verbs of two words, each with its one-word equivalent.
const VERBS_OF_TWO_WORDS: [(&str, &str); 4] = [
    ("gibt auf", "resigns"),
    ("geeft op", "resigns"),
    ("ger upp", "resigns"),
    ("gir opp", "resigns"),
];

/// Ignored words: articles, auxiliary verbs, and the game itself.
const IGNORED: &str = "les las il has have the game partie";

/// The length limit of a result, which bounds the time spent on each text.
const MAX_RESULT_BYTES: usize = 64;

/// Parses a result in a spelling that is not the standard's.
#[cold]
fn from_odd_text(text: &str) -> Option<Termination> {
    let bare = text
        .trim()
        .trim_end_matches(['.', ',', ';', '!'])
        .trim_end();
    if bare.len() > MAX_RESULT_BYTES {
        return None;
    }

    if let Some((result, length)) = leading_result(bare.as_bytes())
        && length == bare.len()
    {
        return Some(result);
    }

    let compact: String = bare
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(plain_dash)
        .collect();
    match compact.as_str() {
        "*" => Some(Termination::Unknown),
        "½" | "1/2" => Some(Termination::Draw),
        // A win by default: `+ : -`.
        "+--" => Some(Termination::WhiteWins),
        "--+" => Some(Termination::BlackWins),
        _ => from_words(&bare.to_lowercase()),
    }
}

/// Maps dashes and colons to `-`.
fn plain_dash(c: char) -> char {
    if matches!(c, '-' | ':' | '‐' | '‑' | '‒' | '–' | '—' | '−') {
        '-'
    } else {
        c
    }
}

/// Parses words for a draw, a win or a resignation, in lower case.
fn from_words(text: &str) -> Option<Termination> {
    let mut one_word_verbs = text.to_owned();
    for (two_words, one_word) in VERBS_OF_TWO_WORDS {
        one_word_verbs = one_word_verbs.replace(two_words, one_word);
    }

    let words: Vec<&str> = one_word_verbs
        .split_whitespace()
        .filter(|word| !is_among(IGNORED, word))
        .collect();

    // Languages differ in the order: `White wins`, `ganan las blancas`.
    let (side, verb) = match words[..] {
        [word] if is_among(DRAWS, word) => return Some(Termination::Draw),
        [first, second] if is_among(WHITE, first) || is_among(BLACK, first) => (first, second),
        [first, second] => (second, first),
        _ => return None,
    };

    let is_white = is_among(WHITE, side);
    if !is_white && !is_among(BLACK, side) {
        return None;
    }

    let white_wins = if is_among(WINS, verb) {
        is_white
    } else if is_among(RESIGNS, verb) {
        !is_white
    } else {
        return None;
    };

    if white_wins {
        Some(Termination::WhiteWins)
    } else {
        Some(Termination::BlackWins)
    }
}

/// Returns `true` if a list has the word.
fn is_among(list: &str, word: &str) -> bool {
    let mut words = list.split_ascii_whitespace();
    words.any(|listed| listed == word)
}

/// The score of one player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    None,
    Half,
    One,
}

/// The result at the beginning of a text, and its length: two scores separated by dashes or a colon, with optional
/// spaces, or `1/2` alone. No letter, digit, dash or slash may follow directly.
pub(super) fn leading_result(text: &[u8]) -> Option<(Termination, usize)> {
    let (white, white_length) = points(text)?;
    let black = black_points(text.get(white_length..)?);
    let (result, black_length) = match (white, black) {
        (Points::One, Some((Points::None, length))) => (Termination::WhiteWins, length),
        (Points::None, Some((Points::One, length))) => (Termination::BlackWins, length),
        (Points::Half, Some((Points::Half, length))) => (Termination::Draw, length),
        (Points::Half, None) if text.starts_with(b"1/2") => (Termination::Draw, 0),
        _ => return None,
    };
    let length = white_length + black_length;

    // `1-0-0` and `1-0th` are other texts.
    let continues = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/' | b':');
    let is_within_word = text.get(length).is_some_and(continues);
    if is_within_word || begins_with_null_move(text, length) {
        return None;
    }
    Some((result, length))
}

/// Black's score behind a separator, and the length of both.
#[inline]
fn black_points(text: &[u8]) -> Option<(Points, usize)> {
    let gap = separator(text)?;
    let (black, length) = points(text.get(gap..)?)?;
    Some((black, gap + length))
}

/// Returns `true` if the dashes of the result may also be a null move: `1 -- 0 - 0`.
fn begins_with_null_move(text: &[u8], length: usize) -> bool {
    let has_two_dashes = text[..length].windows(2).any(|pair| pair == b"--");
    if !has_two_dashes {
        return false;
    }

    // The second score may be the beginning of castling with zeros, or of another text.
    let rest = &text[length..];
    let behind = rest.trim_ascii_start();
    let goes_on_with_dash = behind.starts_with(b"-");
    let has_no_space = behind.len() == rest.len();
    let begins_text = !matches!(rest.first(), None | Some(b'['));

    goes_on_with_dash || (has_no_space && begins_text)
}

/// The length of castling with zeros and optional spaces: `0 - 0`, `0 - 0 - 0`.
pub(super) fn spaced_castling(text: &[u8]) -> Option<usize> {
    let behind_first_zero = text.strip_prefix(b"0")?;
    let short_length = 1 + dash_and_zero(behind_first_zero)?;
    let third_zero = dash_and_zero(&text[short_length..]);
    let length = short_length + third_zero.unwrap_or(0);

    // Castling without spaces is an ordinary token.
    if matches!(&text[..length], b"0-0" | b"0-0-0") {
        return None;
    }

    let behind = &text[length..];
    if separator(behind).is_some() {
        return None;
    }
    let ends_move = |byte: &u8| byte.is_ascii_whitespace() || b"(){}[];!?*$+#".contains(byte);
    let is_whole_move = behind.first().is_none_or(ends_move);
    is_whole_move.then_some(length)
}

/// The length of a dash, with optional white space around it, and a zero.
fn dash_and_zero(text: &[u8]) -> Option<usize> {
    let gap = separator(text)?;
    // A colon separates scores only: `0 : 0` is not castling.
    let has_colon = text[..gap].contains(&b':');
    if has_colon || text.get(gap) != Some(&b'0') {
        return None;
    }
    Some(gap + 1)
}

/// The length of the result in symbols at the beginning of a text.
pub fn result_length(text: &str) -> Option<usize> {
    leading_result(text.as_bytes()).map(|(_, length)| length)
}

/// The score at the beginning of a text, and its length.
fn points(text: &[u8]) -> Option<(Points, usize)> {
    match text {
        // `1/2` before `1`, and `0.5` before `0`: the longer score counts.
        [b'1', b'/', b'2', ..] => Some((Points::Half, 3)),
        // `½` in UTF-8.
        [0xc2, 0xbd, ..] => Some((Points::Half, 2)),
        [b'0', b'.' | b',', b'5', ..] => Some((Points::Half, 3)),
        [b'.' | b',', b'5', ..] => Some((Points::Half, 2)),
        [b'1', ..] => Some((Points::One, 1)),
        [b'0', ..] => Some((Points::None, 1)),
        _ => None,
    }
}

/// The length of one or two dashes or a colon, with optional white space around them.
fn separator(text: &[u8]) -> Option<usize> {
    let before = spaces(text);
    let dash = match &text[before..] {
        [b'-', b'-', ..] => 2,
        [b'-' | b':', ..] => 1,
        // U+2010 to U+2014, and the minus sign U+2212.
        [0xe2, 0x80, 0x90..=0x94, ..] | [0xe2, 0x88, 0x92, ..] => 3,
        _ => return None,
    };

    let length = before + dash;
    Some(length + spaces(&text[length..]))
}

fn spaces(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// Returns `true` if a line of movetext ends with a result in symbols.
#[inline]
pub(super) fn ends_with_result(line: &[u8]) -> bool {
    match line {
        // The markers of the standard (PGN §8.2.6).
        [.., b'1' | b'0', b'-', b'0' | b'1'] | [.., b'*'] | [.., b'/', b'2'] => true,
        // A result in another spelling may end like this: `1 : 0`, `1–0`, `0,5-0,5`, `½`.
        [.., b' ' | b'-' | b':' | 0x80.., b'0' | b'1']
        | [.., b'.' | b',', b'5']
        | [.., 0xc2, 0xbd] => ends_with_odd_result(line),
        _ => false,
    }
}

/// Fits the longest result in symbols, `1/2 – 1/2` with some spaces.
const MAX_SIGN_BYTES: usize = 16;

#[cold]
fn ends_with_odd_result(line: &[u8]) -> bool {
    let last = &line[line.len().saturating_sub(MAX_SIGN_BYTES)..];

    for start in 0..last.len() {
        let is_within_word = start > 0 && last[start - 1].is_ascii_alphanumeric();
        if is_within_word {
            continue;
        }

        if let Some((_, length)) = leading_result(&last[start..])
            && start + length == last.len()
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Termination::{BlackWins, Draw, Unknown, WhiteWins};
    use super::*;

    macro_rules! reads {
        ($($name:ident: $($text:literal)+ => $result:expr;)*) => {$(
            #[test]
            fn $name() {
                for text in [$($text),+] {
                    assert_eq!(Termination::from_text(text), $result, "{text}");
                }
            }
        )*};
    }

    reads! {
        white: "1-0" "1:0" "1 - 0" "1 : 0" "1–0" "1—0" "1 − 0" " 1-0 " "1 -- 0" "1--0" "+:-" "+ - -" => Some(WhiteWins);
        black: "0-1" "0:1" "0 : 1" "0–1" "0 -- 1" "- : +" => Some(BlackWins);
        draws: "1/2-1/2" "1/2" "½-½" "½:½" "½ – ½" "½" "1/2 : 1/2" "0.5-0.5" "0,5:0,5" ".5-.5" "1/2–1/2" "1/2 -- 1/2" => Some(Draw);
        draws_in_words: "remis" "Remis." "DRAW" "nulle" "tablas" "ничья" "Ничья" "döntetlen" "remíza" => Some(Draw);
        wins_in_words: "White wins" "Weiß gewinnt" "les blancs gagnent" "Black resigns" "Schwarz gibt auf"
            "Белые выиграли" "il bianco vince" "ganan las blancas" "Black has resigned" => Some(WhiteWins);
        losses_in_words: "black won" "White resigns" "0-1." "Les noirs gagnent" "Белые сдались" => Some(BlackWins);
        unknown: "*" " *" => Some(Unknown);
        nothing: "" "?" "-" "2-0" "1-1" "0-0" "1-" "½-0" "won" "white" "wins" "white black wins" "1-0 ff" "1-01"
            "1-0-1" "10" "1" "0" "drawn out" => None;
    }

    macro_rules! begins {
        ($($name:ident: $text:literal => $found:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(leading_result($text.as_bytes()), $found);
            }
        )*};
    }

    begins! {
        a_comment_behind: "1 - 0{x}" => Some((WhiteWins, 5));
        half_alone: "1/2 and more" => Some((Draw, 3));
        half_of_a_draw: "1/2 - 1/2 x" => Some((Draw, 9));
        broken_over_lines: "1/2-\n1/2" => Some((Draw, 8));
        a_letter_behind: "1-0x" => None;
        castles: "0-0 Nf6" => None;
        castles_long: "0-0-0" => None;
        a_number: "1 e4" => None;
        a_null_move: "1 -- e5" => None;
        two_dashes: "1 -- 0" => Some((WhiteWins, 6));
        two_dashes_before_a_tag: "0 -- 1[Event" => Some((BlackWins, 6));
        two_dashes_before_a_line: "1--0\n" => Some((WhiteWins, 4));
        a_null_move_and_castling: "1 -- 0-0" => None;
        a_null_move_and_castling_apart: "1 -- 0 - 0" => None;
        three_dashes: "1---0" => None;
    }

    #[test]
    fn castling_with_spaces() {
        for (text, length) in [
            ("0 - 0", Some(5)),
            ("0 -0 Nf6", Some(4)),
            ("0 \u{2013} 0{x}", Some(7)),
            ("0-0", None),
            ("0 : 0", None),
            ("0 - 0 - 0", Some(9)),
            ("0-0 - 0 e5", Some(7)),
            ("0-0-0", None),
            ("0 - 0 - 0 - 0", None),
            ("0 - 0 - 1", None),
            ("0 - 0.5", None),
            ("0 - 01", None),
        ] {
            assert_eq!(spaced_castling(text.as_bytes()), length, "{text}");
        }
    }

    #[test]
    fn ends_of_lines() {
        for line in [
            "e5 1 -- 0",
            "e5 1-0",
            "1. e4 1 - 0",
            "½-½",
            "e5 ½ – ½",
            "0.5-0.5",
            "0:1",
            "*",
            "Nf3*",
            "1/2 : 1/2",
        ] {
            assert!(ends_with_result(line.as_bytes()), "{line}");
        }
        for line in ["e5", "Nf3 10", "1 e4", "1. e4 e5 2.", "21:0", "Rd1", ""] {
            assert!(!ends_with_result(line.as_bytes()), "{line}");
        }
    }
}
