//! Positions of a game as EPD: the last one, a given one, or the whole mainline.
//!
//! `… c0 "1-0"; fmvn 5; hmvc 1; id "game 17 ply 8: Spassky, Boris - Fischer, Robert James, …"; sm Bb4;`:
//! operations in the ASCII order of their opcodes (PGN §16.2.4.1). The number of the game comes first in `id`, since a
//! string that is too long is cut.

use crate::board::MoveKind;
use crate::game::{Game, Ply};
use crate::notation::Operand;
use crate::replay::Mainline;
use crate::storage::GameId;

/// The positions of a game to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpdPositions {
    /// The last position.
    Last,
    /// The position after this many half-moves.
    After(Ply),
    /// All positions of the mainline, first and last included.
    Every {
        /// The opcode for the move played in a position; `None` omits the move.
        played: Option<MoveOpcode>,
    },
}

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

/// Appends a line for each requested position that the game reaches, with the game's number in the database; `false`,
/// and no line, if the game has no positions.
pub fn write_epd(
    number: GameId,
    game: &Game<'_>,
    positions: EpdPositions,
    out: &mut Vec<u8>,
) -> bool {
    let Some(mut line) = Mainline::of(game) else { return false };
    let opcode = match positions {
        EpdPositions::Last | EpdPositions::After(_) => None,
        EpdPositions::Every { played } => played,
    };
    let is_wanted = |ply: Ply, is_last: bool| match positions {
        EpdPositions::Last => is_last,
        EpdPositions::After(wanted) => ply == wanted,
        EpdPositions::Every { .. } => true,
    };
    let mut lines =
        Lines { game: number.get(), result: game.result.as_str(), title: title(game), out };
    loop {
        let next = line.step();
        if is_wanted(line.ply(), next.is_none()) {
            // EPD has legal moves only, and no null moves.
            let played = next.filter(|(_, mv)| mv.kind != MoveKind::Null);
            lines.write(&line, opcode.zip(played.map(|(san, _)| san)));
        }
        match next {
            Some((_, mv)) => line.play(mv),
            None => return true,
        }
    }
}

/// Players, event and date, if known.
fn title(game: &Game<'_>) -> String {
    let player = |name| game.tag(name).filter(|player| !player.is_empty()).unwrap_or("?");
    let mut title = format!("{} - {}", player("White"), player("Black"));
    for name in ["Event", "Date"] {
        let known = |value: &&str| value.contains(|c| !matches!(c, '?' | '.' | ' '));
        if let Some(value) = game.tag(name).filter(known) {
            title.push_str(", ");
            title.push_str(value);
        }
    }
    title
}

/// The lines of one game.
struct Lines<'g> {
    game: i64,
    result: &'g str,
    title: String,
    out: &'g mut Vec<u8>,
}

impl Lines<'_> {
    fn write(&mut self, line: &Mainline<'_>, played: Option<(MoveOpcode, &str)>) {
        let position = line.position();
        let id = format!("game {} ply {}: {}", self.game, line.ply(), self.title);
        let mut text = String::with_capacity(256);
        position.setup().write_fields(&mut text);
        text.push_str(&format!(
            " c0 {}; fmvn {}; hmvc {}; id {};",
            Operand::String(self.result),
            position.fullmove_number(),
            position.halfmove_clock(),
            Operand::String(&id),
        ));
        if let Some((opcode, san)) = played {
            text.push_str(&format!(" {} {san};", opcode.as_str()));
        }
        text.push('\n');
        self.out.extend_from_slice(text.as_bytes());
    }
}
