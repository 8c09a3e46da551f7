//! Attributes from words: comments, clocks, names of events.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A comment without commands such as `[%clk 0:05:00]`.
fn plain(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(begin) = text.find("[%") {
        let end = text[begin..]
            .find(']')
            .map_or(text.len(), |end| begin + end + 1);
        text.replace_range(begin..end, " ");
    }
    text
}

/// Whether any comment has words or numbers.
pub(super) fn is_annotated(comments: &[String]) -> bool {
    comments
        .iter()
        .any(|comment| plain(comment).contains(char::is_alphanumeric))
}

/// Whether a comment contains the words of a phrase in sequence; a final star matches letters.
pub(super) fn said(comment: &str, phrase: &str) -> bool {
    let (found, wanted) = (words(&plain(comment)), words(phrase));
    let Some((last, before)) = wanted.split_last() else {
        return !found.is_empty();
    };
    found.windows(wanted.len()).any(|found| {
        let word = &found[wanted.len() - 1];
        let goes_on = phrase.ends_with('*')
            && word
                .strip_prefix(last)
                .is_some_and(|rest| !rest.contains(char::is_numeric));
        &found[..wanted.len() - 1] == before && (word == last || goes_on)
    })
}

fn words(text: &str) -> Vec<String> {
    let letters = text.nfkd().filter(|letter| !is_combining_mark(*letter));
    let folded: String = letters.flat_map(char::to_lowercase).collect();
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
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

/// The speed of a time control, by its first period, counting 40 moves.
pub(super) fn time_control(text: &str) -> Option<&'static str> {
    let period = text.split(':').next().unwrap_or_default();
    if period == "-" {
        return Some("correspondence");
    }
    let (time, increment) = period.split_once('+').unwrap_or((period, "0"));
    let (moves, time) = time.split_once('/').unwrap_or(("40", time));
    let [moves, time, increment] = [moves, time, increment].map(|text| text.parse::<u64>().ok());
    let (moves, time, increment) = (moves?, time?, increment?);
    let time = if moves < 40 { time * 40 / moves } else { time };
    Some(match time + 40 * increment {
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
    let event = event.to_ascii_lowercase();
    let mut words = event.split(|letter: char| !letter.is_alphanumeric());
    words.find_map(|word| {
        let speeds = [
            "ultrabullet",
            "bullet",
            "blitz",
            "rapid",
            "classical",
            "correspondence",
        ];
        speeds.into_iter().find(|speed| *speed == word)
    })
}
