//! One mirrored form of a pattern, and its match state along a game.

use memchr::memmem;

use super::board_pattern::CompiledBoard;
use super::flip::Mirror;
use super::material::Material;
use super::parts::PositionParts;
use super::sequence::Step;
use crate::board::Color;
use crate::game::Ply;
use crate::replay::{HalfMove, MaterialKey, Placement};

/// A pattern as one mirror shows it, compiled for matching.
#[derive(Clone, Debug)]
pub(super) struct CompiledPattern {
    pub(super) board: Option<CompiledBoard>,
    pub(super) material: Option<Material>,
    pub(super) steps: Vec<Step>,
    /// The side that plays the first step.
    first: Option<Color>,
    /// Substrings, in order, of the movetext of every game that has the steps.
    needles: Vec<memmem::Finder<'static>>,
    /// The number of consecutive positions in which board and material must match.
    positions: u32,
}

impl PartialEq for CompiledPattern {
    fn eq(&self, other: &CompiledPattern) -> bool {
        // The needles follow from the steps.
        self.board == other.board
            && self.material == other.material
            && self.steps == other.steps
            && self.first == other.first
            && self.positions == other.positions
    }
}

/// The match state of a form along one game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MatchState {
    /// Bit `n` is 1 if the last `n` plies are the first `n` steps, and the form has held in the first `positions`
    /// positions from the start of these plies, as far as they have been reached.
    begun: u64,
    /// The number of plies before a match whose steps have all been played, but in which the form has not yet held for
    /// `positions` positions.
    run_start: Option<Ply>,
    /// The material key of the last material test.
    material: MaterialKey,
    material_holds: bool,
}

impl CompiledPattern {
    /// Compiles the parts of a pattern as a mirror shows them.
    pub(super) fn new(parts: &PositionParts, mirror: Mirror) -> CompiledPattern {
        let board = parts.pattern.as_ref().map(|pattern| {
            let mirrored = pattern.mirrored(mirror);
            mirrored.compile()
        });
        let material = parts
            .material
            .as_ref()
            .map(|material| material.mirrored(mirror));

        let mut pattern = CompiledPattern {
            board,
            material,
            steps: Vec::new(),
            first: None,
            needles: Vec::new(),
            positions: parts.positions.get(),
        };
        if let Some(through) = &parts.through {
            let sequence = through.mirrored(mirror);
            pattern.needles = sequence.needles();
            pattern.first = sequence.first;
            pattern.steps = sequence.steps;
        }
        pattern
    }

    /// `false` if a mainline in canonical SAN cannot contain the steps.
    #[inline]
    pub(super) fn may_be_played(&self, moves: &[u8]) -> bool {
        let mut rest = moves;
        for needle in &self.needles {
            let Some(at) = needle.find(rest) else {
                return false;
            };
            rest = &rest[at + needle.needle().len()..];
        }
        true
    }

    /// Processes the position after `ply` plies, the last of which is `last`. Returns the number of plies before the
    /// first match as soon as the match is complete.
    ///
    /// Must be called for each position of a game, in order.
    #[inline(always)]
    pub(super) fn process_position(
        &self,
        state: &mut MatchState,
        placement: &Placement,
        ply: Ply,
        last: Option<&HalfMove>,
    ) -> Option<Ply> {
        // Most positions neither match nor follow a begun match.
        let holds = self.holds(state, placement);
        if !holds && state.begun == 0 {
            state.run_start = None;
            return None;
        }

        self.update_sequences(state, holds, placement.turn(), ply, last)
    }

    /// `true` if material and board match. The material is tested only when it has changed.
    #[inline(always)]
    fn holds(&self, state: &mut MatchState, placement: &Placement) -> bool {
        if let Some(material) = &self.material {
            // Material changes in few plies, and its key is a single number.
            if state.material != placement.material() {
                state.material = placement.material();
                state.material_holds = material.holds(placement);
            }
            if !state.material_holds {
                return false;
            }
        }

        self.board
            .as_ref()
            .is_none_or(|board| board.holds(placement))
    }

    /// Updates the begun sequences of steps after a ply; see [`CompiledPattern::process_position`] for the result.
    fn update_sequences(
        &self,
        state: &mut MatchState,
        holds: bool,
        turn: Color,
        ply: Ply,
        last: Option<&HalfMove>,
    ) -> Option<Ply> {
        state.begun = last.map_or(0, |last| self.advanced(state.begun, last));
        if !holds {
            // A sequence that began less than `positions` positions ago has not held long enough.
            state.begun &= !lowest_bits(self.positions);
            state.run_start = None;
        } else if self.first.is_none_or(|first| first == turn) {
            state.begun |= 1;
        }

        let moves = self.steps.len() as u32;
        let all_played = state.begun >> moves & 1 != 0;
        if all_played {
            // All steps have been played, so there are as many plies.
            let start = Ply::new(ply.get() - moves);
            state.run_start = state.run_start.or(Some(start));
            // Sequences in which the form has not held for long enough were dropped above.
            if moves + 1 >= self.positions {
                return Some(start);
            }
        }

        state
            .run_start
            .filter(|start| ply.get() - start.get() + 1 >= self.positions)
    }

    /// The bits of the begun sequences after one more ply. A sequence whose next step was not played is dropped.
    fn advanced(&self, begun: u64, last: &HalfMove) -> u64 {
        let mut next = 0;
        for (at, step) in self.steps.iter().enumerate() {
            let has_reached = begun >> at & 1 != 0;
            if has_reached && step.matches(last) {
                next |= 2 << at;
            }
        }
        next
    }
}

/// A number whose `count` lowest bits are 1.
fn lowest_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}
