//! Writes positions as lines of EPD.
//!
//! `… c0 "1-0"; ce 35; fmvn 5; hmvc 1; id "game 17 ply 8: Spassky, Boris - Fischer, Robert James, …"; sm Bb4;`:
//! operations in the ASCII order of their opcodes (PGN §16.2.4.1). `id` begins with the number of the game, since a
//! string that is too long is cut.

use crate::board::{Color, Position};
use crate::game::{Game, Ply};
use crate::notation::Operand;
use crate::pgn::Evaluation;

/// The longest title of a game: behind the largest numbers of a game and of half-moves, the string has 255 bytes
/// (PGN §16.2.3.3).
const MAX_TITLE_BYTES: usize = 255 - "game 9223372036854775807 ply 4294967295: ".len();

/// An evaluation above this is a mate (PGN §16.2.5.6).
const MAX_CENTIPAWNS: i64 = 32_000;

/// The evaluation of a mate on the board (PGN §16.2.5.6). The evaluation is one less for each half-move before the
/// mate.
const MATE: i64 = 32_767;

/// The opcode for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOpcode {
    /// `pm`, the predicted move (PGN §16.2.5.18).
    Predicted,
    /// `sm`, the supplied move (PGN §16.2.5.22).
    Supplied,
}

impl MoveOpcode {
    /// The opcode as text.
    pub const fn as_str(self) -> &'static str {
        match self {
            MoveOpcode::Predicted => "pm",
            MoveOpcode::Supplied => "sm",
        }
    }
}

/// The texts that all lines of a game share.
pub(super) struct EpdTexts {
    result: &'static str,
    /// Players, event and date, as they are in a string of EPD.
    title: String,
}

impl EpdTexts {
    pub(super) fn new(game: &Game<'_>) -> EpdTexts {
        let whole = title(game);
        let cut = &whole[..whole.floor_char_boundary(MAX_TITLE_BYTES)];
        let quoted = Operand::String(cut).to_string();
        EpdTexts {
            result: game.result.as_str(),
            title: quoted.trim_matches('"').to_owned(),
        }
    }

    /// Appends the line of a position, without the game's number, and returns the place for it.
    pub(super) fn write(
        &self,
        position: &Position,
        ply: Ply,
        evaluation: Option<Evaluation>,
        played: Option<(MoveOpcode, &str)>,
        out: &mut String,
    ) -> usize {
        position.setup().write_fields(out);
        out.push_str(&format!(" c0 {};", Operand::String(self.result)));

        if let Some(evaluation) = evaluation {
            // EPD evaluates from the side to move, PGN's comments from White.
            let operand = ce_operand(evaluation, position.turn());
            out.push_str(&format!(" ce {operand};"));
        }

        let number = position.fullmove_number();
        let clock = position.halfmove_clock();
        out.push_str(&format!(" fmvn {number}; hmvc {clock}; id \"game "));
        let number_at = out.len();
        out.push_str(&format!(" ply {ply}: {}\";", self.title));

        if let Some((opcode, san)) = played {
            out.push_str(&format!(" {} {san};", opcode.as_str()));
        }

        number_at
    }
}

/// The operand of `ce`: hundredths of a pawn for the side to move, or a mate by its distance (PGN §16.2.5.6).
fn ce_operand(evaluation: Evaluation, turn: Color) -> i64 {
    let sign = if turn.is_white() { 1 } else { -1 };

    match evaluation {
        Evaluation::Centipawns(centipawns) => {
            (sign * i64::from(centipawns)).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
        }
        Evaluation::Mate(moves) => {
            let moves = sign * i64::from(moves);
            // The side that mates makes the last half-move.
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            // However long a mate takes, it is more than any other evaluation.
            let mate = (MATE - plies).max(MAX_CENTIPAWNS + 1);
            if moves > 0 { mate } else { -mate }
        }
    }
}

/// Players, event and date, if known.
fn title(game: &Game<'_>) -> String {
    let player = |name| match game.tag(name) {
        None | Some("") => "?",
        Some(player) => player,
    };
    let mut title = format!("{} - {}", player("White"), player("Black"));

    for name in ["Event", "Date"] {
        let value = game.tag(name).unwrap_or_default();
        let is_known = value.contains(|letter: char| !matches!(letter, '?' | '.' | ' '));
        if is_known {
            title.push_str(", ");
            title.push_str(value);
        }
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! evaluates {
        ($($name:ident: $evaluation:expr, $turn:expr => $ce:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(ce_operand($evaluation, $turn), $ce);
            }
        )*};
    }

    evaluates! {
        for_white: Evaluation::Centipawns(35), Color::White => 35;
        for_black: Evaluation::Centipawns(35), Color::Black => -35;
        beyond_all: Evaluation::Centipawns(-99_999), Color::White => -32_000;
        white_mates_in_one: Evaluation::Mate(1), Color::White => 32_766;
        white_mates_in_five: Evaluation::Mate(5), Color::White => 32_758;
        white_will_be_mated: Evaluation::Mate(-2), Color::White => -32_763;
        black_mates: Evaluation::Mate(-2), Color::Black => 32_764;
        black_is_mated: Evaluation::Mate(0), Color::Black => -32_767;
        a_mate_far_away: Evaluation::Mate(900), Color::White => 32_001;
    }
}
