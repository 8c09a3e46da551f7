//! Attributes from words: comments, clocks, names of events.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A comment without commands such as `[%clk 0:05:00]`.
fn plain(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(begin) = text.find("[%") {
        // An unclosed command ends with the comment.
        let end = match text[begin..].find(']') {
            Some(length) => begin + length + 1,
            None => text.len(),
        };
        text.replace_range(begin..end, " ");
    }
    text
}

/// Whether any comment has words or numbers.
pub(super) fn is_annotated(comments: &[String]) -> bool {
    let mut plain_comments = comments.iter().map(|comment| plain(comment));
    plain_comments.any(|text| text.contains(char::is_alphanumeric))
}

/// Whether a comment contains the words of a phrase in sequence; a final star matches letters.
pub(super) fn has_phrase(comment: &str, phrase: &str) -> bool {
    let comment_words = words(&plain(comment));
    let phrase_words = words(phrase);
    // A phrase without words is found in every comment that has a word.
    let Some((last, before)) = phrase_words.split_last() else {
        return !comment_words.is_empty();
    };

    for window in comment_words.windows(phrase_words.len()) {
        let (word, preceding) = (&window[before.len()], &window[..before.len()]);
        let rest = word.strip_prefix(last.as_str());
        // A star stands for letters, not for digits.
        let is_continued = rest.is_some_and(|rest| !rest.contains(char::is_numeric));
        let is_last = word == last || phrase.ends_with('*') && is_continued;
        if preceding == before && is_last {
            return true;
        }
    }
    false
}

/// The words of a text in lower case, without accents.
fn words(text: &str) -> Vec<String> {
    // NFKD has accents as marks of their own behind the letters.
    let decomposed = text.nfkd();
    let letters = decomposed.filter(|letter| !is_combining_mark(*letter));
    let folded: String = letters.flat_map(char::to_lowercase).collect();

    let is_between_words = |letter: char| !letter.is_alphanumeric();
    let parts = folded.split(is_between_words);
    let words = parts.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A Latin letter without its accent; other letters unchanged.
pub(super) fn without_accent(letter: char) -> char {
    match letter.nfd().next() {
        Some(base) if base.is_ascii_alphabetic() => base,
        _ => letter,
    }
}

/// A name in lower-case letters and digits.
pub(super) fn folded(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The speed of a time control, by the limits of Lichess: the seconds of the clock plus 40 increments.
pub(super) fn time_control(text: &str) -> Option<&'static str> {
    // Only the first period counts.
    let period = text.split(':').next().unwrap_or_default();
    if period == "-" {
        return Some("correspondence");
    }

    // For example `40/7200+30`: moves, seconds and increment, of which only the seconds must be there.
    let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
    let (moves, seconds) = base.split_once('/').unwrap_or(("40", base));
    let moves: u64 = moves.parse().ok()?;
    let seconds: u64 = seconds.parse().ok()?;
    let increment: u64 = increment.parse().ok()?;

    // A period of fewer than 40 moves is scaled to 40 moves.
    let clock = if moves < 40 {
        seconds * 40 / moves
    } else {
        seconds
    };
    Some(match clock + 40 * increment {
        ..30 => "ultrabullet",
        30..180 => "bullet",
        180..480 => "blitz",
        480..1500 => "rapid",
        1500..172_800 => "classical",
        _ => "correspondence",
    })
}

/// The speed named by an event.
pub(super) fn speed_of(event: &str) -> Option<&'static str> {
    const SPEEDS: [&str; 6] = [
        "ultrabullet",
        "bullet",
        "blitz",
        "rapid",
        "classical",
        "correspondence",
    ];

    let event = event.to_ascii_lowercase();
    for word in event.split(|letter: char| !letter.is_alphanumeric()) {
        if let Some(speed) = SPEEDS.into_iter().find(|speed| *speed == word) {
            return Some(speed);
        }
    }
    None
}
