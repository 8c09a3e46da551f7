//! Faults of a game as a whole: how it ends, and whether its tags agree.

use super::board_ending::result_of_ending;
use super::{Problem, ProblemKind, Replay};
use crate::board::Color;
use crate::game::Ply;
use crate::pgn::Termination;

/// The faults known at the end of a game, placed at its termination marker.
pub(super) fn game_faults(
    game: &Replay<'_>,
    text: &str,
    at: usize,
    terminator: &str,
) -> impl Iterator<Item = Problem> + use<> {
    let found = [
        game.has_no_moves()
            .then(|| (ProblemKind::NoMoves, "the game has no moves".to_owned())),
        end_fault(game, text),
        contradiction(game).map(|message| (ProblemKind::ResultContradictsBoard, message)),
    ];
    let (ply, terminator) = (Ply::new(game.plies()), terminator.to_owned());
    found.into_iter().flatten().map(move |(kind, message)| {
        let text = terminator.clone();
        Problem {
            kind,
            at,
            ply,
            text,
            message,
        }
    })
}

impl Replay<'_> {
    fn has_no_moves(&self) -> bool {
        self.game.is_played && self.played.is_empty() && self.game.rest.is_none()
    }

    /// The result given by the `Result` tag, in any spelling.
    fn tagged_result(&self) -> Option<Termination> {
        Termination::from_text(self.game.tag("Result")?)
    }
}

fn end_fault(game: &Replay<'_>, text: &str) -> Option<(ProblemKind, String)> {
    let Some(found) = game.game.termination else {
        let (kind, message) = if text.ends_with([' ', '\t', '\n', '\r']) {
            (
                ProblemKind::MissingTerminator,
                "the game ends without 1-0, 0-1, 1/2-1/2 or *",
            )
        } else {
            let message = "the source ends here, and the game has had no 1-0, 0-1, 1/2-1/2 or *";
            (ProblemKind::TruncatedGame, message)
        };
        return Some((kind, message.to_owned()));
    };
    let tagged = game.tagged_result().filter(|&tagged| tagged != found)?;
    let (found, tagged) = (found.as_str(), tagged.as_str());
    let message = format!("the moves end with {found}, the Result tag says {tagged}");
    Some((ProblemKind::ResultMismatch, message))
}

/// A message if the result contradicts mate or stalemate on the board.
fn contradiction(game: &Replay<'_>) -> Option<String> {
    let (ending, turn) = (game.ending.board?, game.last.turn());
    let board = match (ending, turn) {
        ("checkmate", Color::White) => "Black mates",
        ("checkmate", Color::Black) => "White mates",
        ("stalemate", _) => "it is stalemate",
        ("insufficient-material", _) => "nobody can mate",
        _ => return None,
    };
    let is = result_of_ending(ending, turn);
    let tagged = game.tagged_result().or(game.game.termination)?;
    let is_other = tagged != is && tagged != Termination::Unknown;
    is_other.then(|| format!("{board}, and the result is {}", tagged.as_str()))
}
