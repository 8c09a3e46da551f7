//! One form of a question, and how far it has come in a game.

use memchr::memmem;

use super::board_pattern::{BoardPattern, Wanted};
use super::flip::Mirror;
use super::material::Material;
use super::parts::PositionParts;
use super::sequence::{MoveSequence, Step};
use crate::board::Color;
use crate::replay::{HalfMove, MaterialKey, Placement};

/// A question as one mirror shows it.
#[derive(Clone, Debug)]
pub(super) struct CompiledPattern {
    pub(super) wanted: Option<Wanted>,
    pub(super) material: Option<Material>,
    pub(super) steps: Vec<Step>,
    /// The side that plays the first step.
    first: Option<Color>,
    needles: Vec<memmem::Finder<'static>>,
    /// In how many positions in a row it has to hold.
    positions: u32,
}

impl PartialEq for CompiledPattern {
    fn eq(&self, other: &CompiledPattern) -> bool {
        self.wanted == other.wanted
            && self.material == other.material
            && self.steps == other.steps
            && self.first == other.first
            && self.positions == other.positions
    }
}

/// How far a form has come along one game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MatchState {
    /// Bit `n` is 1 when the last `n` half-moves are the first `n` steps, and began in a position where the
    /// form holds, and from which on it has held as long as it has to.
    begun: u64,
    /// The half-moves before the first stretch whose steps have all been played, but that is still too short.
    stretch: Option<u32>,
    /// The men for which the material was last looked at.
    men: MaterialKey,
    men_hold: bool,
}

impl CompiledPattern {
    pub(super) fn new(parts: &PositionParts, mirror: Mirror) -> CompiledPattern {
        let through = parts.through.as_ref().map(|through| through.mirrored(mirror));
        CompiledPattern {
            wanted: parts
                .pattern
                .as_ref()
                .map(|pattern| pattern.mirrored(mirror))
                .as_ref()
                .map(BoardPattern::compile),
            material: parts.material.as_ref().map(|material| material.mirrored(mirror)),
            needles: through.as_ref().map(MoveSequence::needles).unwrap_or_default(),
            first: through.as_ref().and_then(|through| through.first),
            steps: through.map(|through| through.steps).unwrap_or_default(),
            positions: parts.positions.get(),
        }
    }

    /// `false` when a mainline in canonical SAN does not have the steps.
    #[inline]
    pub(super) fn may_be_played(&self, moves: &[u8]) -> bool {
        let mut rest = moves;
        self.needles.iter().all(|needle| match needle.find(rest) {
            Some(at) => {
                rest = &rest[at + needle.needle().len()..];
                true
            }
            None => false,
        })
    }

    /// Looks at the position after so many half-moves, the last of which is given; gives the half-moves before
    /// the first place where all holds, as soon as that is known.
    ///
    /// To be called for each position of a game, in turn.
    #[inline(always)]
    pub(super) fn look(
        &self,
        state: &mut MatchState,
        placement: &Placement,
        ply: u32,
        last: Option<&HalfMove>,
    ) -> Option<u32> {
        let holds = self.holds(state, placement);
        if !holds && state.begun == 0 {
            state.stretch = None;
            return None;
        }
        self.follow(state, holds, placement.turn(), ply, last)
    }

    #[inline(always)]
    fn holds(&self, state: &mut MatchState, placement: &Placement) -> bool {
        if let Some(material) = &self.material {
            if state.men != placement.material() {
                state.men = placement.material();
                state.men_hold = material.holds(placement);
            }
            if !state.men_hold {
                return false;
            }
        }
        self.wanted.as_ref().is_none_or(|wanted| wanted.holds(placement))
    }

    fn follow(
        &self,
        state: &mut MatchState,
        holds: bool,
        turn: Color,
        ply: u32,
        last: Option<&HalfMove>,
    ) -> Option<u32> {
        state.begun = last.map_or(0, |last| self.stepped(state.begun, last));
        if !holds {
            // Whatever began less than that many positions ago has not held long enough.
            state.begun &= !lowest_bits(self.positions);
            state.stretch = None;
        } else if self.first.is_none_or(|first| first == turn) {
            state.begun |= 1;
        }
        let moves = self.steps.len() as u32;
        if state.begun >> moves & 1 != 0 {
            state.stretch = state.stretch.or(Some(ply - moves));
            if moves + 1 >= self.positions {
                return Some(ply - moves);
            }
        }
        state.stretch.filter(|start| ply - start + 1 >= self.positions)
    }

    /// What has begun, one step later.
    fn stepped(&self, begun: u64, last: &HalfMove) -> u64 {
        let steps = self.steps.iter().enumerate();
        let kept = steps.filter(|(at, step)| begun >> at & 1 != 0 && step.means(last));
        kept.fold(0, |all, (at, _)| all | 2 << at)
    }
}

fn lowest_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}
