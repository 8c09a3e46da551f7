//! A question about positions, put together from its parts, and its answer for one game.

use super::compiled::{CompiledPattern, MatchState};
use super::parts::PositionParts;
use crate::board::{MoveKind, Position};
use crate::notation::mark;
use crate::replay::{HalfMove, Mainline, MaterialSignature, Placement, TrustedLine};

/// A question about the positions of games, ready to be asked.
///
/// ```
/// use stamma::query::{MoveSequence, PositionParts, PositionQuery};
/// use stamma::replay::Mainline;
/// let through = MoveSequence::parse("Nf3 Nc6").ok();
/// let question = PositionQuery::new(&PositionParts { through, ..Default::default() });
/// let game = Mainline::new(None, "e4 e5 Nf3 Nc6").expect("the usual start");
/// assert_eq!(question.first_in(game), Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct PositionQuery {
    /// One to four, all different.
    forms: Vec<CompiledPattern>,
}

/// The most forms that a question has.
const MOST_FORMS: usize = 4;

impl PositionQuery {
    /// Puts a question together.
    pub fn new(parts: &PositionParts) -> PositionQuery {
        let mut forms: Vec<CompiledPattern> = Vec::new();
        for mirror in parts.flip.mirrors().take(MOST_FORMS) {
            let form = CompiledPattern::new(parts, mirror);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        PositionQuery { forms }
    }

    /// `false` when no position of a game with a material signature can be meant. `true` says nothing.
    pub fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        !material_signature.is_known()
            || self.forms.iter().any(|form| form.may_hold(material_signature))
    }

    /// Where it first holds in a mainline, as half-moves played before; with several positions in a row, before the
    /// first of them, and with moves, before the first move.
    ///
    /// Where the line ends, or has a text that is no move, it has no further positions.
    pub fn first_in(&self, mut line: Mainline<'_>) -> Option<u32> {
        let mut trails = [MatchState::default(); MOST_FORMS];
        let mut last = None;
        loop {
            let placement = Placement::from(line.position());
            if let Some(found) = self.look(&mut trails, &placement, line.ply(), last.as_ref()) {
                return Some(found);
            }
            last = Some(play(&mut line)?);
        }
    }

    /// The same for a mainline in canonical SAN, one space between moves, from a start position, the usual one when there
    /// is none: quicker, and meaningless for other texts.
    pub fn first_in_trusted(&self, start: Option<&Position>, moves: &[u8]) -> Option<u32> {
        if !self.forms.iter().any(|form| form.may_be_played(moves)) {
            return None;
        }
        let mut trails = [MatchState::default(); MOST_FORMS];
        let mut line = TrustedLine::new(start, moves);
        let mut last = None;
        loop {
            if let Some(found) = self.look(&mut trails, line.placement(), line.ply(), last.as_ref())
            {
                return Some(found);
            }
            last = Some(line.advance()?);
        }
    }

    #[inline(always)]
    fn look(
        &self,
        trails: &mut [MatchState; MOST_FORMS],
        placement: &Placement,
        ply: u32,
        last: Option<&HalfMove>,
    ) -> Option<u32> {
        // All forms are as long as each other, so that the one that began first is also known first.
        for (form, state) in self.forms.iter().zip(trails) {
            if let Some(found) = form.look(state, placement, ply, last) {
                return Some(found);
            }
        }
        None
    }
}

/// Plays the next move of a careful line.
fn play(line: &mut Mainline<'_>) -> Option<HalfMove> {
    let (_, mv) = line.step()?;
    let captures = match mv.kind {
        MoveKind::Normal => !line.position().is_free(mv.to),
        MoveKind::EnPassant => true,
        MoveKind::Castle | MoveKind::Null => false,
    };
    line.play(mv);
    Some(HalfMove { mv, captures, mark: mark(line.position()) })
}
