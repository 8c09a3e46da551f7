//! Pattern queries, put together from their parts, and their answer for one game.

use super::compiled::{CompiledPattern, MatchState};
use super::parts::PositionParts;
use crate::board::{MoveKind, Position};
use crate::game::Ply;
use crate::notation::mark;
use crate::replay::{HalfMove, Mainline, MaterialSignature, Placement, TrustedLine};

/// A pattern query over the positions of a game.
///
/// ```
/// use stamma::query::{MoveSequence, PositionParts, PositionQuery};
/// use stamma::replay::Mainline;
/// let through = MoveSequence::parse("Nf3 Nc6").ok();
/// let query = PositionQuery::new(&PositionParts { through, ..Default::default() });
/// let game = Mainline::new(None, "e4 e5 Nf3 Nc6").expect("the usual start");
/// assert_eq!(query.first_in(game).map(stamma::game::Ply::get), Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct PositionQuery {
    /// One to four different forms.
    forms: Vec<CompiledPattern>,
}

/// The maximum number of forms: two mirrors, each of which is applied or not.
const MAX_FORMS: usize = 4;

impl PositionQuery {
    /// Compiles the parts.
    pub fn new(parts: &PositionParts) -> PositionQuery {
        let mut forms: Vec<CompiledPattern> = Vec::new();
        for mirror in parts.flip.mirrors().take(MAX_FORMS) {
            let form = CompiledPattern::new(parts, mirror);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        PositionQuery { forms }
    }

    /// `false` if no position of a game with this material signature can match. `true` is no guarantee.
    pub fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        if !material_signature.is_known() {
            return true;
        }
        self.forms
            .iter()
            .any(|form| form.may_hold(material_signature))
    }

    /// The plies before the first match in a mainline. A match of several positions begins with the first position, and
    /// a match of moves begins before the first move.
    ///
    /// A mainline ends at a text that is not a move.
    pub fn first_in(&self, mut line: Mainline<'_>) -> Option<Ply> {
        let mut states = [MatchState::default(); MAX_FORMS];
        let mut last = None;

        loop {
            let placement = Placement::from(line.position());
            let found = self.process_position(&mut states, &placement, line.ply(), last.as_ref());
            if found.is_some() {
                return found;
            }

            last = Some(play_next(&mut line)?);
        }
    }

    /// Like [`PositionQuery::first_in`] for a mainline in canonical SAN, with one space between moves, from a start
    /// position (`None` for the standard position). It is faster, and its answer is meaningless for other texts.
    pub fn first_in_trusted(&self, start: Option<&Position>, moves: &[u8]) -> Option<Ply> {
        // A search of the text is faster than a replay, and excludes most games for a query with moves.
        if !self.forms.iter().any(|form| form.may_be_played(moves)) {
            return None;
        }

        let mut states = [MatchState::default(); MAX_FORMS];
        let mut line = TrustedLine::new(start, moves);
        let mut last = None;
        loop {
            let found =
                self.process_position(&mut states, line.placement(), line.ply(), last.as_ref());
            if found.is_some() {
                return found;
            }
            last = Some(line.advance()?);
        }
    }

    /// Processes a position in all forms. Returns the number of plies before the first match as soon as a match is
    /// complete.
    #[inline(always)]
    fn process_position(
        &self,
        states: &mut [MatchState; MAX_FORMS],
        placement: &Placement,
        ply: Ply,
        last: Option<&HalfMove>,
    ) -> Option<Ply> {
        // All forms have equal lengths, so the form that began first is also the first to match.
        for (form, state) in self.forms.iter().zip(states) {
            let found = form.process_position(state, placement, ply, last);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// Plays the next move of a checked mainline.
fn play_next(line: &mut Mainline<'_>) -> Option<HalfMove> {
    let (_, mv) = line.step()?;
    let captures = match mv.kind {
        MoveKind::Normal => !line.position().is_free(mv.to),
        MoveKind::EnPassant => true,
        MoveKind::Castle | MoveKind::Null => false,
    };

    // The mark says whether the move gives check or mate, so it is known after the move.
    line.play(mv);
    Some(HalfMove {
        mv,
        captures,
        mark: mark(line.position()),
    })
}
