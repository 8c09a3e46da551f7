//! One mirrored form of a pattern, and its match state along a game.

use memchr::memmem;

use super::board_pattern::{BoardPattern, Wanted};
use super::flip::Mirror;
use super::material::Material;
use super::parts::PositionParts;
use super::sequence::{MoveSequence, Step};
use crate::board::Color;
use crate::game::Ply;
use crate::replay::{HalfMove, MaterialKey, Placement};

/// A pattern as one mirror shows it, compiled for matching.
#[derive(Clone, Debug)]
pub(super) struct CompiledPattern {
    pub(super) wanted: Option<Wanted>,
    pub(super) material: Option<Material>,
    pub(super) steps: Vec<Step>,
    /// The side that plays the first step.
    first: Option<Color>,
    needles: Vec<memmem::Finder<'static>>,
    /// The number of consecutive positions in which it must hold.
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

/// The match state of a form along one game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MatchState {
    /// Bit `n` is 1 if the last `n` half-moves are the first `n` steps, and began in a position where the form holds
    /// and has held since for as long as required.
    begun: u64,
    /// The half-moves before the first run of positions whose steps have all been played, but that is still too short.
    run_start: Option<Ply>,
    /// The material key of the last material test.
    material: MaterialKey,
    material_holds: bool,
}

impl CompiledPattern {
    pub(super) fn new(parts: &PositionParts, mirror: Mirror) -> CompiledPattern {
        let through = parts
            .through
            .as_ref()
            .map(|through| through.mirrored(mirror));
        CompiledPattern {
            wanted: parts
                .pattern
                .as_ref()
                .map(|pattern| pattern.mirrored(mirror))
                .as_ref()
                .map(BoardPattern::compile),
            material: parts
                .material
                .as_ref()
                .map(|material| material.mirrored(mirror)),
            needles: through
                .as_ref()
                .map(MoveSequence::needles)
                .unwrap_or_default(),
            first: through.as_ref().and_then(|through| through.first),
            steps: through.map(|through| through.steps).unwrap_or_default(),
            positions: parts.positions.get(),
        }
    }

    /// `false` if a mainline in canonical SAN cannot contain the steps.
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

    /// Processes the position after `ply` half-moves, the last of which is `last`; returns the half-moves before the
    /// first match, as soon as that is known.
    ///
    /// Must be called for each position of a game, in order.
    #[inline(always)]
    pub(super) fn look(
        &self,
        state: &mut MatchState,
        placement: &Placement,
        ply: Ply,
        last: Option<&HalfMove>,
    ) -> Option<Ply> {
        let holds = self.holds(state, placement);
        if !holds && state.begun == 0 {
            state.run_start = None;
            return None;
        }
        self.follow(state, holds, placement.turn(), ply, last)
    }

    #[inline(always)]
    fn holds(&self, state: &mut MatchState, placement: &Placement) -> bool {
        if let Some(material) = &self.material {
            if state.material != placement.material() {
                state.material = placement.material();
                state.material_holds = material.holds(placement);
            }
            if !state.material_holds {
                return false;
            }
        }
        self.wanted
            .as_ref()
            .is_none_or(|wanted| wanted.holds(placement))
    }

    fn follow(
        &self,
        state: &mut MatchState,
        holds: bool,
        turn: Color,
        ply: Ply,
        last: Option<&HalfMove>,
    ) -> Option<Ply> {
        state.begun = last.map_or(0, |last| self.stepped(state.begun, last));
        if !holds {
            // A sequence that began less than `positions` positions ago has not held long enough.
            state.begun &= !lowest_bits(self.positions);
            state.run_start = None;
        } else if self.first.is_none_or(|first| first == turn) {
            state.begun |= 1;
        }
        let moves = self.steps.len() as u32;
        if state.begun >> moves & 1 != 0 {
            let start = Ply::new(ply.get() - moves);
            state.run_start = state.run_start.or(Some(start));
            if moves + 1 >= self.positions {
                return Some(start);
            }
        }
        state
            .run_start
            .filter(|start| ply.get() - start.get() + 1 >= self.positions)
    }

    /// The begun sequences, one step later.
    fn stepped(&self, begun: u64, last: &HalfMove) -> u64 {
        let steps = self.steps.iter().enumerate();
        let kept = steps.filter(|(at, step)| begun >> at & 1 != 0 && step.means(last));
        kept.fold(0, |all, (at, _)| all | 2 << at)
    }
}

fn lowest_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}
