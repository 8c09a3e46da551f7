//! Writes movetext in one line, for columns of tables.

use super::form::{Layout, MovetextForm};
use super::moves::Unwritable;
use super::pgn::write_movetext;
use crate::board::Move;
use crate::game::Game;
use crate::notation::Style;

/// Appends the movetext of a game in SAN, with comments, NAGs and variations, in one line without its end. `played` are
/// the moves of the mainline, if they are known from a replay.
///
/// A line ends only where PGN needs it: around an escaped line, after a comment that contains `}`, and in movetext that
/// is kept as text.
///
/// # Errors
/// When moves cannot be played.
pub(crate) fn write_one_line(
    game: &Game<'_>,
    played: &[Move],
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    let layout = Layout {
        movetext: MovetextForm::ONE_LINE,
        ..Layout::default()
    };

    let start = out.len();
    write_movetext(game, played, &Style::pgn(), layout, out)?;

    let end = out[start..].trim_ascii_end().len();
    out.truncate(start + end);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    macro_rules! writes {
        ($($name:ident: $text:expr => $line:expr;)*) => {$(
            #[test]
            fn $name() {
                let replay = replay($text);
                let mut out = Vec::new();
                write_one_line(&replay.game, &replay.played, &mut out).expect("legal moves");
                assert_eq!(String::from_utf8(out).expect("text"), $line);
            }
        )*};
    }

    const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 *";

    writes! {
        many_moves: LONG => LONG;
        nothing: "" => "*";
        a_long_comment: "1. e4 {Best by test, and the favourite move of many, as far as we know, of all players} e5 1-0"
            => "1. e4 {Best by test, and the favourite move of many, as far as we know, of all players} 1... e5 1-0";
        an_escaped_line: "1. e4 e5\n%eval 3\n2. Nf3 *" => "1. e4 e5\n%eval 3\n2. Nf3 *";
        a_brace_in_a_comment: "1. e4 ; a } b\n e5 *" => "1. e4 ; a } b\n1... e5 *";
        a_variation: "1. e4 $1 (1. d4) e5 *" => "1. e4 $1 (1. d4) 1... e5 *";
        no_chess: "[Variant \"Atomic\"]\n\n1. Nf3 f6\n2. Nd4 *" => "1. Nf3 f6\n2. Nd4\n*";
    }
}
