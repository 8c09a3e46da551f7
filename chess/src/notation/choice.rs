//! Chooses the move that a text means among the legal moves that match it.
//!
//! If several match, what the text says beyond the squares decides, provided it leaves one: en passant, the captured
//! piece, check and mate, the wing of a piece, in this order.

use super::constraints::{BoardHalf, Constraints, MoveText, Takes, taken};
use super::note::Note;
use super::suffix::{Mark, Suffix};
use super::unread::MoveFault;
use crate::board::{Bitboard, Move, MoveKind, Position, Role, Square};

/// Marks of a text that its squares need not imply.
#[derive(Clone, Copy)]
struct WrittenMarks {
    takes: Takes,
    wing: Option<BoardHalf>,
    taken_wing: Option<BoardHalf>,
}

/// The legal moves that match a text; if there are more than fit, none is chosen.
#[derive(Clone)]
pub(super) struct Choice {
    moves: [(Move, WrittenMarks); Choice::CAPACITY],
    length: usize,
    overflows: bool,
    /// The first reading of the text.
    pub(super) meant: Option<MoveText>,
    /// A note about the way the text was read.
    pub(super) note: Option<Note>,
}

impl Default for Choice {
    #[inline]
    fn default() -> Choice {
        let moves = [(Move::NULL, WrittenMarks::NOTHING); Choice::CAPACITY];
        Choice {
            moves,
            length: 0,
            overflows: false,
            meant: None,
            note: None,
        }
    }
}

impl WrittenMarks {
    const NOTHING: WrittenMarks = WrittenMarks {
        takes: Takes::Seen {
            sign: false,
            role: None,
        },
        wing: None,
        taken_wing: None,
    };

    fn of(text: &MoveText) -> WrittenMarks {
        match *text {
            MoveText::Piece(Constraints {
                takes,
                wing,
                taken_wing,
                ..
            }) => WrittenMarks {
                takes,
                wing,
                taken_wing,
            },
            MoveText::Castle { .. } | MoveText::Null => WrittenMarks::NOTHING,
        }
    }
}

impl Choice {
    /// Fits all pawn captures that books leave ambiguous, with room to spare.
    const CAPACITY: usize = 16;

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds the legal moves that match a text.
    #[inline]
    pub(super) fn add(&mut self, text: &MoveText, position: &Position) {
        self.meant = self.meant.or(Some(*text));
        let marks = WrittenMarks::of(text);
        text.each_move(position, &mut |mv| {
            if self.moves[..self.length]
                .iter()
                .any(|(other, _)| *other == mv)
            {
                return;
            }
            match self.moves.get_mut(self.length) {
                Some(place) => {
                    *place = (mv, marks);
                    self.length += 1;
                }
                None => self.overflows = true,
            }
        });
    }

    /// The chosen move, and the notes on the text so far.
    #[inline]
    pub(super) fn decide(
        &mut self,
        position: &Position,
        suffix: &Suffix,
    ) -> Result<(Move, Vec<Note>), MoveFault> {
        let mut notes = Vec::new();
        if self.meant.is_none() {
            return Err(MoveFault::NoMoveText);
        }
        if self.length != 1 {
            notes.extend(self.break_tie(position, suffix)?);
        }
        let (mv, marks) = self.moves[0];
        notes.extend(self.note);
        if let Takes::Seen { sign: true, role } = marks.takes {
            notes.extend(capture_fault(taken(position, mv), role));
        }
        if marks.wing.is_some_and(|wing| is_false(wing, mv, position)) {
            notes.push(Note::FalseWing);
        }
        Ok((mv, notes))
    }

    #[cold]
    fn break_tie(
        &mut self,
        position: &Position,
        suffix: &Suffix,
    ) -> Result<Option<Note>, MoveFault> {
        if self.length == 0 {
            return Err(MoveFault::Illegal);
        }
        if self.overflows {
            return Err(MoveFault::Ambiguous);
        }
        if suffix.en_passant {
            self.keep(|mv, _| mv.kind == MoveKind::EnPassant);
        }
        // `PxPep` is sufficient.
        if self.length == 1 {
            return Ok(None);
        }
        let mut by_wing = self.clone();
        by_wing.keep_wing(position);
        self.keep(|mv, marks| match marks.takes {
            Takes::Seen {
                role: Some(role), ..
            } => taken(position, mv) == Some(role),
            _ => false,
        });
        if self.length > 1 {
            self.keep_marked(position, suffix);
        }
        if self.length > 1 {
            self.keep_wing(position);
        }
        match (self.only(), by_wing.only()) {
            (Some(mv), Some(by_wing)) if mv == by_wing => Ok(Some(Note::DecidedByWing)),
            (Some(_), _) => Ok(Some(Note::DecidedByMark)),
            (None, _) => Err(MoveFault::Ambiguous),
        }
    }

    /// The remaining move, if there is exactly one.
    fn only(&self) -> Option<Move> {
        match self.moves[..self.length] {
            [(mv, _)] => Some(mv),
            _ => None,
        }
    }

    /// Keeps the moves that satisfy the predicate, if any does.
    fn keep(&mut self, is_so: impl Fn(Move, WrittenMarks) -> bool) {
        let mut kept = 0;
        for i in 0..self.length {
            let (mv, marks) = self.moves[i];
            if is_so(mv, marks) {
                self.moves[kept] = (mv, marks);
                kept += 1;
            }
        }
        if kept > 0 {
            self.length = kept;
        }
    }

    fn keep_marked(&mut self, position: &Position, suffix: &Suffix) {
        let mate = suffix.mate_or_better.then_some(Mark::Mate);
        if let Some(mark) = suffix.mark.or(mate) {
            self.keep(|mv, _| {
                let mut after = position.clone();
                after.play(mv);
                mark.is_true(&after)
            });
        }
    }

    fn keep_wing(&mut self, position: &Position) {
        let us = position.turn();
        let moves = &self.moves[..self.length];
        let origins: Bitboard = moves.iter().map(|(mv, _)| mv.from).collect();
        let targets: Bitboard = moves.iter().map(|(mv, _)| mv.to).collect();
        self.keep(|mv, marks| {
            marks
                .wing
                .is_some_and(|wing| wing.choose(mv.role, us, origins) == Some(mv.from))
        });
        self.keep(|mv, marks| {
            let role = taken(position, mv).unwrap_or(Role::Pawn);
            marks
                .taken_wing
                .is_some_and(|wing| wing.choose(role, !us, targets) == Some(mv.to))
        });
    }
}

fn capture_fault(taken: Option<Role>, marks: Option<Role>) -> Option<Note> {
    match (taken, marks) {
        (None, _) => Some(Note::FalseCapture),
        (Some(taken), Some(marks)) if taken != marks => Some(Note::FalseCaptured),
        _ => None,
    }
}

/// Returns `true` if another piece of the role is further towards the wing than the moving one.
fn is_false(wing: BoardHalf, mv: Move, position: &Position) -> bool {
    let us = position.turn();
    let chosen: Option<Square> = wing.choose(mv.role, us, position.pieces(us, mv.role));
    chosen.is_some_and(|square| square != mv.from)
}
