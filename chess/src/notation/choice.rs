//! Chooses the move that a text means among the legal moves that match it.
//!
//! If several moves match, the rest of the text decides, provided that one move is left: en passant, then the captured
//! piece, check and mate, and the wing of a piece.

use super::constraints::{BoardHalf, Constraints, MoveText, Takes, captured_role};
use super::note::Note;
use super::suffix::{Mark, Suffix};
use super::unread::MoveFault;
use crate::board::{Bitboard, Move, MoveKind, Position, Role};

/// Marks of a text that its squares need not imply.
#[derive(Clone, Copy)]
struct WrittenMarks {
    takes: Takes,
    wing: Option<BoardHalf>,
    taken_wing: Option<BoardHalf>,
}

/// The legal moves that match a text. If more than [`Choice::CAPACITY`] moves match, no move is chosen.
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
        takes: Takes::UNSAID,
        wing: None,
        taken_wing: None,
    };

    /// The marks of a text.
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
            MoveText::Castle(_) | MoveText::Null => WrittenMarks::NOTHING,
        }
    }
}

impl Choice {
    /// Fits all pawn captures that books leave ambiguous, with room to spare.
    const CAPACITY: usize = 16;

    /// `true` if no legal move matches so far.
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds the legal moves that match a text, except for moves that another reading of the text has added.
    #[inline]
    pub(super) fn add(&mut self, text: &MoveText, position: &Position) {
        self.meant = self.meant.or(Some(*text));
        let marks = WrittenMarks::of(text);

        text.each_move(position, &mut |mv| {
            let added = &self.moves[..self.length];
            if added.iter().any(|(other, _)| *other == mv) {
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
        if self.meant.is_none() {
            return Err(MoveFault::NoMoveText);
        }

        let mut notes = Vec::new();
        if self.length != 1 {
            notes.extend(self.break_tie(position, suffix)?);
        }
        notes.extend(self.note);

        // A tie that is not broken is an error, so one move is left.
        let (mv, marks) = self.moves[0];

        if let Takes::Seen { sign: true, role } = marks.takes {
            notes.extend(capture_fault(captured_role(position, mv), role));
        }

        if marks.wing.is_some_and(|wing| is_false(wing, mv, position)) {
            notes.push(Note::FalseWing);
        }

        Ok((mv, notes))
    }

    /// Reduces the moves to one, and returns a note on the mark that decided. Fails if there is no move, or if no mark
    /// decides.
    #[cold]
    fn break_tie(
        &mut self,
        position: &Position,
        suffix: &Suffix,
    ) -> Result<Option<Note>, MoveFault> {
        if self.length == 0 {
            return Err(MoveFault::Illegal);
        }

        // The text may mean a move for which there was no room.
        if self.overflows {
            return Err(MoveFault::Ambiguous);
        }

        if suffix.en_passant {
            self.keep(|mv, _| mv.kind == MoveKind::EnPassant);
        }

        // `PxPep` names its move completely, so nothing about it is doubtful.
        if self.length == 1 {
            return Ok(None);
        }

        let mut by_wing = self.clone();
        by_wing.keep_wing(position);

        self.keep(|mv, marks| match marks.takes {
            Takes::Seen {
                role: Some(role), ..
            } => captured_role(position, mv) == Some(role),
            _ => false,
        });

        if self.length > 1 {
            self.keep_marked(position, suffix);
        }
        if self.length > 1 {
            self.keep_wing(position);
        }

        // If the wing alone leads to the chosen move, the note names the wing, even if another mark agrees.
        match (self.single_move(), by_wing.single_move()) {
            (Some(mv), Some(by_wing)) if mv == by_wing => Ok(Some(Note::DecidedByWing)),
            (Some(_), _) => Ok(Some(Note::DecidedByMark)),
            (None, _) => Err(MoveFault::Ambiguous),
        }
    }

    /// The remaining move, if there is exactly one.
    fn single_move(&self) -> Option<Move> {
        match self.moves[..self.length] {
            [(mv, _)] => Some(mv),
            _ => None,
        }
    }

    /// Keeps the moves that satisfy the predicate; keeps all moves if none does.
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

    /// Keeps the moves that give check or mate as the suffix claims.
    fn keep_marked(&mut self, position: &Position, suffix: &Suffix) {
        let mate = suffix.mate_or_better.then_some(Mark::Mate);
        let Some(mark) = suffix.mark.or(mate) else {
            return;
        };

        self.keep(|mv, _| {
            let mut after = position.clone();
            after.play(mv);
            mark.is_true(&after)
        });
    }

    /// Keeps the moves whose moving piece, and whose captured piece, belongs to the wing that the text names.
    fn keep_wing(&mut self, position: &Position) {
        let us = position.turn();

        let moves = &self.moves[..self.length];
        let origins: Bitboard = moves.iter().map(|(mv, _)| mv.from).collect();
        let targets: Bitboard = moves.iter().map(|(mv, _)| mv.to).collect();

        self.keep(|mv, marks| match marks.wing {
            Some(wing) => wing.choose(mv.role, us, origins) == Some(mv.from),
            None => false,
        });

        self.keep(|mv, marks| match marks.taken_wing {
            Some(wing) => {
                let role = captured_role(position, mv).unwrap_or(Role::Pawn);
                wing.choose(role, !us, targets) == Some(mv.to)
            }
            None => false,
        });
    }
}

/// The fault of a capture sign, given the role of the captured piece and the role that the text names.
fn capture_fault(taken: Option<Role>, named: Option<Role>) -> Option<Note> {
    let Some(taken) = taken else {
        return Some(Note::FalseCapture);
    };

    match named {
        Some(named) if named != taken => Some(Note::FalseCaptured),
        _ => None,
    }
}

/// Returns `true` if another piece of the role is further towards the wing than the moving one.
fn is_false(wing: BoardHalf, mv: Move, position: &Position) -> bool {
    let us = position.turn();
    let pieces = position.pieces(us, mv.role);

    match wing.choose(mv.role, us, pieces) {
        Some(square) => square != mv.from,
        None => false,
    }
}
