//! Numbers as text in reports.

use crate::game::Ply;

/// A number with a comma after every three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);

    for (at, digit) in digits.chars().enumerate() {
        // Groups of three are counted from the last digit.
        let digits_left = digits.len() - at;
        if at > 0 && digits_left.is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun, in the singular or the plural: `1 game`, `1,234 games`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(number))
}

/// The share of `part` in `of` in per cent, rounded; `-` if `of` is 0.
pub fn per_cent(part: u64, of: u64) -> String {
    if of == 0 {
        return "-".to_owned();
    }

    // 100 * part / of, rounded half up in whole numbers.
    let rounded = (200 * part + of) / (2 * of);
    format!("{rounded} %")
}

/// A mean rating or a performance, rounded; `-` if the rating is unknown.
pub fn elo(points: Option<f64>) -> String {
    match points {
        Some(points) => format!("{:.0}", points.round()),
        None => "-".to_owned(),
    }
}

/// A half-move with its move number: `12. Nf3` or `12... h6`. `ply` is 1 for the first half-move of a game.
pub(crate) fn numbered_move(ply: Ply, san: &str) -> String {
    let number = ply.get().div_ceil(2);
    let dots = if ply.get() % 2 == 1 { "." } else { "..." };
    format!("{number}{dots} {san}")
}

/// Moves from the start of a game with their numbers: `1. e4 c5 2. Nf3`.
pub(crate) fn numbered_line(moves: &[String]) -> String {
    let mut text = String::new();
    for (ply, san) in (1..).zip(moves) {
        push_numbered(&mut text, Ply::new(ply), san);
    }
    text
}

/// Appends a move. A move of Black has a number only if it is the first move of the text.
pub(crate) fn push_numbered(text: &mut String, ply: Ply, san: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [0, 999, 1_000, 1_006_963].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,006,963"]);
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!(per_cent(1, 3), "33 %");
        assert_eq!(per_cent(2, 3), "67 %");
        assert_eq!(per_cent(1, 0), "-");
    }

    #[test]
    fn moves_are_numbered() {
        let of_white = numbered_move(Ply::new(1), "e4");
        let of_black = numbered_move(Ply::new(24), "h6");

        assert_eq!(of_white, "1. e4");
        assert_eq!(of_black, "12... h6");
    }

    #[test]
    fn lines_are_numbered() {
        let line = ["e4", "c5", "Nf3"].map(str::to_owned);
        assert_eq!(numbered_line(&line), "1. e4 c5 2. Nf3");

        let mut text = String::new();
        push_numbered(&mut text, Ply::new(4), "Nc6");
        push_numbered(&mut text, Ply::new(5), "Bb5");
        assert_eq!(text, "2... Nc6 3. Bb5");
    }
}
