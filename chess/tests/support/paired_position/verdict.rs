//! Compares how both programs read a move text: the move, or the reason why there is none.

use shakmaty::CastlingMode;
use shakmaty::san::{San as TheirSan, SanError};
use stamma_chess::board::Move;
use stamma_chess::notation::{San, Unresolved};

use super::Pair;

/// The move in coordinates, or the reason why there is none.
type Verdict = Result<String, Unresolved>;

impl Pair {
    /// Compares the verdicts on a move text, and returns the common one.
    ///
    /// We ignore a missing or superfluous `x`, for which shakmaty refuses the move; so it gets the text with and
    /// without, which are never both right. A text that is not a move text counts as illegal.
    pub(crate) fn assert_same_verdict(&self, text: &str, theirs: TheirSan) -> Verdict {
        let ours = self.our_verdict(text);
        assert_eq!(ours, self.their_verdict(theirs), "{text} in {self}");
        ours
    }

    fn our_verdict(&self, text: &str) -> Verdict {
        let san = San::parse(text.as_bytes()).ok_or(Unresolved::Illegal)?;
        let resolved = san.resolve(&self.ours)?;
        Ok(resolved.mv.to_string())
    }

    fn their_verdict(&self, san: TheirSan) -> Verdict {
        if san == TheirSan::Null {
            self.theirs_after_null_move().ok_or(Unresolved::Illegal)?;
            return Ok(Move::NULL.to_string());
        }

        match self.their_strict_verdict(san) {
            Err(Unresolved::Illegal) => self.their_strict_verdict(other_capture_sign(san)),
            verdict => verdict,
        }
    }

    fn their_strict_verdict(&self, san: TheirSan) -> Verdict {
        match san.to_move(&self.theirs) {
            Ok(mv) => Ok(mv.to_uci(CastlingMode::Chess960).to_string()),
            Err(SanError::IllegalSan) => Err(Unresolved::Illegal),
            Err(SanError::AmbiguousSan) => Err(Unresolved::Ambiguous),
        }
    }
}

fn other_capture_sign(san: TheirSan) -> TheirSan {
    match san {
        TheirSan::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        } => TheirSan::Normal {
            role,
            file,
            rank,
            capture: !capture,
            to,
            promotion,
        },
        other => other,
    }
}
