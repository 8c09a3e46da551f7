//! Finds faults of a whole game: its end, and disagreement of its result with the tags or the board.

use super::board_ending::BoardEnding;
use super::{Problem, ProblemKind, Replay};
use crate::board::Color;
use crate::game::Ply;
use crate::pgn::Termination;

/// The faults known at the end of a game, placed at its termination marker. `ending` is the ending on the board.
pub(super) fn game_faults(
    game: &Replay<'_>,
    ending: Option<BoardEnding>,
    text: &str,
    at: usize,
    terminator: &str,
) -> impl Iterator<Item = Problem> + use<> {
    let no_moves = if game.has_no_moves() {
        Some((ProblemKind::NoMoves, "the game has no moves".to_owned()))
    } else {
        None
    };
    let contradiction = ending
        .and_then(|ending| contradiction(game, ending))
        .map(|message| (ProblemKind::ResultContradictsBoard, message));
    let faults = [no_moves, end_fault(game, text), contradiction];

    let ply = Ply::new(game.plies());
    let terminator = terminator.to_owned();
    faults
        .into_iter()
        .flatten()
        .map(move |(kind, message)| Problem {
            kind,
            at,
            ply,
            text: terminator.clone(),
            message,
        })
}

impl Replay<'_> {
    /// `true` if the game was played, but has neither moves nor unread text.
    fn has_no_moves(&self) -> bool {
        self.game.is_played && self.played.is_empty() && self.game.rest.is_none()
    }

    /// The result given by the `Result` tag, in any spelling.
    fn tagged_result(&self) -> Option<Termination> {
        Termination::from_text(self.game.tag("Result")?)
    }
}

/// The fault of a missing termination marker, or of a marker that differs from the `Result` tag.
fn end_fault(game: &Replay<'_>, text: &str) -> Option<(ProblemKind, String)> {
    let Some(found) = game.game.termination else {
        return Some(missing_terminator(text));
    };

    let tagged = game.tagged_result()?;
    if tagged == found {
        return None;
    }

    let message = format!(
        "the moves end with {}, the Result tag says {}",
        found.as_str(),
        tagged.as_str()
    );
    Some((ProblemKind::ResultMismatch, message))
}

/// The fault of a game without a termination marker: at the end of its source, it may be truncated.
fn missing_terminator(text: &str) -> (ProblemKind, String) {
    let is_last_line = !text.ends_with([' ', '\t', '\n', '\r']);

    if is_last_line {
        (
            ProblemKind::TruncatedGame,
            "the source ends here, and the game has had no 1-0, 0-1, 1/2-1/2 or *".to_owned(),
        )
    } else {
        (
            ProblemKind::MissingTerminator,
            "the game ends without 1-0, 0-1, 1/2-1/2 or *".to_owned(),
        )
    }
}

/// A message if the result contradicts the ending on the board.
fn contradiction(game: &Replay<'_>, ending: BoardEnding) -> Option<String> {
    let turn = game.last.turn();
    let board = match (ending, turn) {
        (BoardEnding::Checkmate, Color::White) => "Black mates",
        (BoardEnding::Checkmate, Color::Black) => "White mates",
        (BoardEnding::Stalemate, _) => "it is stalemate",
        (BoardEnding::InsufficientMaterial, _) => "nobody can mate",
    };

    let expected = ending.result(turn);
    let result = game.game.result;
    if result == expected || result == Termination::Unknown {
        return None;
    }

    Some(format!("{board}, and the result is {}", result.as_str()))
}
