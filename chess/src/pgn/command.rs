//! Commands that programs embed in comments: `[%clk 0:59:58] [%eval 0.35]`.
//!
//! The syntax `[%name operand,operand]` and the clock commands come from the PGN supplement of 2001; evaluations follow
//! ChessBase and Lichess. Any other spelling is ignored.

use std::fmt;

/// The commands of a comment. When a command is repeated, the first readable one counts.
///
/// ```
/// use stamma_chess::pgn::{Commands, Evaluation};
/// let found = Commands::read("book [%eval -1.2,18] [%clk 1:05:23]");
/// assert_eq!(found.evaluation, Some(Evaluation::Centipawns(-120)));
/// assert_eq!(found.evaluation_depth, Some(18));
/// assert_eq!(found.clock_seconds, Some(3923.0));
/// assert_eq!(found.move_seconds, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Commands {
    /// `clk`: the seconds left on the clock of the player who has just moved.
    pub clock_seconds: Option<f64>,
    /// `emt`: the seconds spent on the move.
    pub move_seconds: Option<f64>,
    /// `eval`: an engine's evaluation of the position.
    pub evaluation: Option<Evaluation>,
    /// The depth of this evaluation, in half-moves, if `eval` has it as a second operand.
    pub evaluation_depth: Option<u32>,
}

/// An evaluation of a position; positive values favour White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// The score in hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves.
    Mate(i32),
}

impl Evaluation {
    /// The score in hundredths of a pawn; `None` for a mate.
    pub fn centipawns(self) -> Option<i32> {
        match self {
            Evaluation::Centipawns(centipawns) => Some(centipawns),
            Evaluation::Mate(_) => None,
        }
    }

    /// The score for people, with a sign: `+0.35`, `-1.20`, `0.00` or `#-3`.
    pub fn signed(self) -> String {
        match self {
            Evaluation::Centipawns(centipawns) if centipawns > 0 => format!("+{self}"),
            _ => self.to_string(),
        }
    }

    /// The number of moves to mate; `None` for another score.
    pub fn mate(self) -> Option<i32> {
        match self {
            Evaluation::Mate(moves) => Some(moves),
            Evaluation::Centipawns(_) => None,
        }
    }
}

impl fmt::Display for Evaluation {
    /// Writes `0.35` or `#-3`, as the command `eval` has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Evaluation::Centipawns(centipawns) => {
                let sign = if centipawns < 0 { "-" } else { "" };
                let centipawns = centipawns.unsigned_abs();
                write!(f, "{sign}{}.{:02}", centipawns / 100, centipawns % 100)
            }
            Evaluation::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl Commands {
    /// Parses the text of a comment, without its braces.
    pub fn read(comment: &str) -> Commands {
        let mut commands = Commands::default();

        for (name, operands) in comment.split("[%").skip(1).filter_map(command) {
            let (operand, second) = match operands.split_once(',') {
                Some((first, rest)) => (first.trim_ascii(), Some(rest.trim_ascii())),
                None => (operands.trim_ascii(), None),
            };

            match name {
                "clk" if commands.clock_seconds.is_none() => {
                    commands.clock_seconds = seconds(operand);
                }
                "emt" if commands.move_seconds.is_none() => {
                    commands.move_seconds = seconds(operand);
                }
                "eval" if commands.evaluation.is_none() => {
                    commands.evaluation = evaluation(operand);
                    if commands.evaluation.is_some() {
                        commands.evaluation_depth = second.and_then(|depth| depth.parse().ok());
                    }
                }
                _ => {}
            }
        }
        commands
    }
}

/// The name and the operands of the command that follows `[%`.
fn command(text: &str) -> Option<(&str, &str)> {
    let (command, _) = text.split_once(']')?;
    let (name, operands) = command.split_once(|next: char| next.is_ascii_whitespace())?;
    Some((name, operands))
}

/// Parses `1:05:23`, `65:23` or `3923`, each with an optional fraction.
fn seconds(text: &str) -> Option<f64> {
    let (before_seconds, seconds) = text.rsplit_once(':').unwrap_or(("0", text));
    let (hours, minutes) = before_seconds
        .split_once(':')
        .unwrap_or(("0", before_seconds));

    // Only the seconds may have a fraction.
    let whole_hours = integer(hours)?;
    let whole_minutes = whole_hours * 60.0 + integer(minutes)?;
    Some(whole_minutes * 60.0 + decimal(seconds)?)
}

/// Parses `#-3`; pawns, with a decimal point; or centipawns, which ChessBase writes without one.
fn evaluation(text: &str) -> Option<Evaluation> {
    if let Some(moves) = text.strip_prefix('#') {
        let moves = moves.parse().ok()?;
        return Some(Evaluation::Mate(moves));
    }

    let centipawns = if text.contains('.') {
        pawns(text)?
    } else {
        text.parse().ok()?
    };
    Some(Evaluation::Centipawns(centipawns))
}

/// Parses pawns with an optional sign into centipawns.
fn pawns(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let centipawns = (decimal(unsigned)? * 100.0).round();
    // The conversion below would saturate to a false score.
    if centipawns > f64::from(i32::MAX) {
        return None;
    }

    let signed = if text.starts_with('-') {
        -centipawns
    } else {
        centipawns
    };
    Some(signed as i32)
}

/// Parses digits without a decimal point.
fn integer(text: &str) -> Option<f64> {
    if text.contains('.') {
        return None;
    }

    decimal(text)
}

/// Parses digits with at most one decimal point.
fn decimal(text: &str) -> Option<f64> {
    // Rust's numbers may have a sign, an exponent or no digits: `-1`, `1e5`, `inf`.
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !is_plain {
        return None;
    }

    let number: f64 = text.parse().ok()?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::Evaluation::{Centipawns, Mate};
    use super::*;

    macro_rules! clocks {
        ($($name:ident: $comment:expr => $seconds:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(Commands::read($comment).clock_seconds, $seconds);
            }
        )*};
    }

    clocks! {
        hours: "[%clk 1:00:00]" => Some(3600.0);
        tenths: "[%clk 0:00:59.9]" => Some(59.9);
        many_hours: "[%clk 100:00:01]" => Some(360_001.0);
        minutes: "[%clk 59:01]" => Some(3541.0);
        many_minutes: "[%clk 0:90:00]" => Some(5400.0);
        seconds_alone: "[%clk 59.9]" => Some(59.9);
        no_time_left: "[%clk 0:00:00]" => Some(0.0);
        broken_over_lines: "thinks [%clk  0:03:00 ] long" => Some(180.0);
        glued: "a[%clk 0:00:07][%eval -6.05]" => Some(7.0);
        the_first_that_can_be_read: "[%clk ?] [%clk 0:01] [%clk 0:02]" => Some(1.0);
        a_further_operand: "[%clk 0:10,0:20]" => Some(10.0);
        after_a_command_without_an_end: "[%eval 0.3 [%clk 0:10]" => Some(10.0);
        days: "[%clk 1:00:00:00]" => None;
        below_zero: "[%clk -0:00:05]" => None;
        a_fraction_of_a_minute: "[%clk 1.5:00]" => None;
        a_field_without_digits: "[%clk 1::00]" => None;
        letters: "[%clk 1h 5m]" => None;
        no_number: "[%clk inf]" => None;
        no_operand: "[%clk]" => None;
        an_empty_operand: "[%clk ]" => None;
        no_end: "[%clk 0:01" => None;
        another_name: "[%clock 0:01] [%CLK 0:01]" => None;
        no_command: "clk 0:01" => None;
        nothing: "" => None;
    }

    macro_rules! evaluations {
        ($($name:ident: $operands:expr => $evaluation:expr;)*) => {$(
            #[test]
            fn $name() {
                let comment = format!("[%eval {}]", $operands);
                assert_eq!(Commands::read(&comment).evaluation, $evaluation);
            }
        )*};
    }

    evaluations! {
        of_lichess: "0.35" => Some(Centipawns(35));
        for_black: "-12.07" => Some(Centipawns(-1207));
        with_a_sign_and_a_depth: "+0.35,12" => Some(Centipawns(35));
        a_point_first: "-.5" => Some(Centipawns(-50));
        a_point_last: "2." => Some(Centipawns(200));
        more_than_centipawns: "0.299" => Some(Centipawns(30));
        of_chessbase: "-17,27" => Some(Centipawns(-17));
        a_depth_after_a_slash: "0.35/12" => None;
        zero: "0" => Some(Centipawns(0));
        mate: "#3" => Some(Mate(3));
        mate_for_black: "#-3,40" => Some(Mate(-3));
        mate_of_whom: "#" => None;
        mate_in_half_a_move: "#0.5" => None;
        two_points: "0.3.5" => None;
        two_signs: "--0.3" => None;
        an_exponent: "1.e5" => None;
        too_much: "99999999999.0" => None;
        too_much_without_a_point: "99999999999" => None;
        a_word: "n.a." => None;
    }

    #[test]
    fn evaluations_are_written_as_they_are_read() {
        for text in ["0.35", "-12.07", "0.00", "-0.05", "#3", "#-3"] {
            let found = Commands::read(&format!("[%eval {text}]")).evaluation;
            assert_eq!(
                found.map(|evaluation| evaluation.to_string()),
                Some(text.to_owned())
            );
        }
    }

    #[test]
    fn depths() {
        let depth = |comment| Commands::read(comment).evaluation_depth;

        assert_eq!(depth("[%eval 0.35,12]"), Some(12));
        assert_eq!(depth("[%eval #-3, 40 ]"), Some(40));

        assert_eq!(depth("[%eval 0.35]"), None);
        assert_eq!(depth("[%eval 0.35,deep]"), None);

        // The depth of a command without a readable evaluation does not count.
        assert_eq!(depth("[%eval ?,12] [%eval 0.35]"), None);
    }

    #[test]
    fn profiles_and_drawings_are_not_evaluations() {
        let comment = "[%evp 0,3,19,31,-8] [%csl Ge4][%cal Gd2d4] [%egt 0:05] [%emt 0:00:03.2]";
        let expected = Commands {
            move_seconds: Some(3.2),
            ..Commands::default()
        };
        assert_eq!(Commands::read(comment), expected);
    }
}
