//! Board patterns: parsing them, and which boards they match.

use super::choice::Choice;
use super::contents::Contents;
use super::flip::Mirror;
use super::group::{Group, groups};
use super::parse_error::ParsePatternError;
use super::rank::{FILES, Rank, read_rank};
use crate::board::{self, Color, Square};
use crate::replay::Placement;

/// A board in the form of a FEN with wildcards, and optionally the side to move.
///
/// `?` is any piece or none, `!` any piece, `_` and digits are empty squares, `A` is any white piece and `a` any black
/// piece. `[NB]` is a knight or a bishop, `[^P]` anything but a white pawn (an empty square too), `*` any number of
/// arbitrary squares. Missing ranks at the end match anything, as do missing squares at the end of a rank without `*`.
///
/// ```
/// use stamma::query::BoardPattern;
/// assert!(BoardPattern::parse("*/*/*/*p*/*P* w").is_ok());
/// let error = BoardPattern::parse("8/3x").expect_err("x is no piece");
/// assert_eq!(error.place, 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPattern {
    /// The ways to fill each rank, from the first to the eighth.
    ranks: [Vec<Rank>; 8],
    turn: Option<Color>,
}

const WHAT: &str = "pattern";

impl BoardPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// The first place that cannot be parsed, or a rank that is too long.
    pub fn parse(text: &str) -> Result<BoardPattern, ParsePatternError> {
        let fault = |at: usize, fault: &str| ParsePatternError::at(WHAT, text, at, fault);
        // A part of the text has its place by its address.
        let start = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();

        let mut fields = text.split_ascii_whitespace();
        let Some(board) = fields.next() else {
            return Err(fault(0, "there is nothing in it; expected a board"));
        };

        // Missing ranks match anything.
        let mut ranks = [const { Vec::new() }; 8];
        ranks.fill(vec![[Contents::ANYTHING; FILES]]);

        // The text begins with the eighth rank, as a FEN does.
        let mut from_eighth = ranks.iter_mut().rev();
        for rank in board.split('/') {
            let place = start(rank);
            let Some(ways) = from_eighth.next() else {
                return Err(fault(place, "this is a ninth rank"));
            };
            *ways = read_rank(rank).map_err(|(at, wrong)| fault(place + at, &wrong))?;
        }

        let turn = match fields.next() {
            None => None,
            Some("w" | "W") => Some(Color::White),
            Some("b" | "B") => Some(Color::Black),
            Some(field) => {
                let wrong = format!("`{field}` is no side to move; expected `w` or `b`");
                return Err(fault(start(field), &wrong));
            }
        };

        if let Some(field) = fields.next() {
            return Err(fault(start(field), "expected the end of the pattern"));
        }
        Ok(BoardPattern { ranks, turn })
    }

    /// The pattern as a mirror shows it.
    pub(super) fn mirrored(&self, mirror: Mirror) -> BoardPattern {
        let mut ranks = self.ranks.clone();
        if mirror.colors {
            ranks.reverse();
        }
        for rank in ranks.iter_mut().flatten() {
            if mirror.files {
                rank.reverse();
            }
            if mirror.colors {
                *rank = rank.map(Contents::recolored);
            }
        }

        // Equal patterns must be equal values, so that a mirrored form that changes nothing is dropped.
        for ways in &mut ranks {
            ways.sort_unstable();
        }

        let turn = match self.turn {
            Some(color) if mirror.colors => Some(!color),
            unchanged => unchanged,
        };
        BoardPattern { ranks, turn }
    }

    /// The pattern, compiled for matching.
    pub(super) fn compile(&self) -> CompiledBoard {
        let mut fixed = [Contents::ANYTHING; 64];
        let mut choices = Vec::new();
        for (number, ways) in self.ranks.iter().enumerate() {
            match ways.as_slice() {
                [only] => {
                    let first = FILES * number;
                    fixed[first..first + FILES].copy_from_slice(only);
                }
                several => {
                    let rank = board::Rank::new(number as u8);
                    choices.push(Choice::new(several, rank));
                }
            }
        }
        // Most positions fail, and are to fail early.
        choices.sort_by_key(Choice::effort);

        CompiledBoard {
            turn: self.turn,
            fixed: groups(Square::all().zip(fixed)),
            choices,
        }
    }
}

/// A board pattern as sets of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompiledBoard {
    pub(super) turn: Option<Color>,
    /// Groups of squares on the ranks that can be filled in one way only, the rarest contents first.
    pub(super) fixed: Vec<Group>,
    /// The ranks that can be filled in several ways, the cheapest test first.
    pub(super) choices: Vec<Choice>,
}

impl CompiledBoard {
    /// `true` if the pattern matches the board.
    #[inline]
    pub(super) fn holds(&self, placement: &Placement) -> bool {
        let mut groups = self.fixed.iter();
        let mut choices = self.choices.iter();

        self.turn.is_none_or(|turn| turn == placement.turn())
            && groups.all(|group| group.holds(placement))
            && choices.all(|choice| choice.holds(placement))
    }
}
