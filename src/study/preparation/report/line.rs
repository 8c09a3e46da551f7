//! Lines of moves, their scores and their dates as text.

use crate::game::{PartialDate, Ply};
use crate::report::{counted, numbered_move};
use crate::study::preparation::LineScore;

/// Moves with their numbers: `1. e4 c5 2. Nf3`.
pub(crate) fn numbered(line: &[String]) -> String {
    let mut text = String::new();
    for (ply, san) in (1..).zip(line) {
        push(&mut text, Ply::new(ply), san);
    }
    text
}

/// Appends a move. A move of Black has a number only if it is the first move of the text.
pub(super) fn push(text: &mut String, ply: Ply, san: &str) {
    let is_first = text.is_empty();
    let is_whites = ply.get() % 2 == 1;

    if !is_first {
        text.push(' ');
    }
    if is_first || is_whites {
        text.push_str(&numbered_move(ply, san));
    } else {
        text.push_str(san);
    }
}

/// A line with one more move.
pub(super) fn with_move(line: &[String], san: &str) -> String {
    let mut text = numbered(line);
    push(&mut text, Ply::new(line.len() as u32 + 1), san);
    text
}

/// The place of a position behind a line, at the beginning of a sentence: `At the first move`, `After 1. e4`.
pub(super) fn after(line: &[String]) -> String {
    if line.is_empty() {
        "At the first move".to_owned()
    } else {
        format!("After {}", numbered(line))
    }
}

/// The score in whole per cent; `-` without a finished game.
pub(super) fn per_cent(value: Option<f64>) -> String {
    match value {
        // `{:.0}` alone would round halves to even numbers.
        Some(value) => format!("{:.0} %", value.round()),
        None => "-".to_owned(),
    }
}

/// `12 games, 46 %, last 2023.05.01`.
pub(super) fn in_words(line: &LineScore) -> String {
    let mut text = counted(line.all_games(), "game", "games");

    let score = line.score.per_cent();
    if score.is_some() {
        text.push_str(&format!(", {}", per_cent(score)));
    }
    if let Some(last) = line.score.last {
        text.push_str(&format!(", last {last}"));
    }

    text
}

/// A date; empty if it is not known.
pub(super) fn date(date: Option<PartialDate>) -> String {
    date.map(|date| date.to_string()).unwrap_or_default()
}

/// The minimum number of games of each half of a trend.
const MIN_TREND_GAMES: u64 = 4;

/// The scores of the earlier and the later half: `40 → 55 %`; empty for few games.
pub(super) fn trend(line: &LineScore) -> String {
    if line.trend(MIN_TREND_GAMES).is_none() {
        return String::new();
    }

    let [earlier, later] = line.halves.map(|half| half.per_cent().unwrap_or_default());
    format!("{earlier:.0} → {later:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &str) -> Vec<String> {
        moves
            .split(' ')
            .filter(|san| !san.is_empty())
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn moves_are_numbered() {
        assert_eq!(numbered(&line("e4 c5 Nf3")), "1. e4 c5 2. Nf3");
        assert_eq!(with_move(&line("e4"), "c5"), "1. e4 c5");
        assert_eq!(with_move(&[], "e4"), "1. e4");
        assert_eq!(
            [after(&[]), after(&line("d4"))],
            ["At the first move", "After 1. d4"]
        );
        let mut text = String::new();
        push(&mut text, Ply::new(4), "Nc6");
        push(&mut text, Ply::new(5), "Bb5");
        assert_eq!(text, "2... Nc6 3. Bb5");
    }
}
