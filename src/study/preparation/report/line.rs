//! Lines of moves, their scores and their dates as text.

use crate::game::{PartialDate, Ply};
use crate::report::{counted, numbered_line, push_numbered};
use crate::study::preparation::LineScore;

/// A line with one more move.
pub(super) fn with_move(line: &[String], san: &str) -> String {
    let mut text = numbered_line(line);
    push_numbered(&mut text, Ply::new(line.len() as u32 + 1), san);
    text
}

/// The place of a position behind a line, at the beginning of a sentence: `At the first move`, `After 1. e4`.
pub(super) fn after(line: &[String]) -> String {
    if line.is_empty() {
        "At the first move".to_owned()
    } else {
        format!("After {}", numbered_line(line))
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
        assert_eq!(with_move(&line("e4"), "c5"), "1. e4 c5");
        assert_eq!(with_move(&[], "e4"), "1. e4");
        assert_eq!(
            [after(&[]), after(&line("d4"))],
            ["At the first move", "After 1. d4"]
        );
    }
}
