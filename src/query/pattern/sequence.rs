//! Move sequences: parsing them, and which moves of a game they match.

use memchr::memmem;

use super::flip::Mirror;
use super::parse_error::ParsePatternError;
use crate::board::{Bitboard, Color, Move, MoveKind, Role};
use crate::notation::San;
use crate::replay::HalfMove;

/// Consecutive moves in SAN.
///
/// Missing parts of a move match anything. `Nf3` is any knight's move to f3, capture or not, with any disambiguation
/// and mark; `Nxf3` is a capture, `Ngf3` comes from the g-file, `Nf3+` gives check or mate, `Nf3#` mate. A pawn's
/// capture needs the file that it comes from (`exd5`, `ed5`); `d5` is no capture, and a promotion needs its piece. Move
/// numbers are ignored, except that `12.` makes the first move White's and `12...` makes it Black's.
///
/// ```
/// use stamma::query::MoveSequence;
/// assert!(MoveSequence::parse("Bxh7+ Kxh7 Ng5+").is_ok());
/// assert_eq!(MoveSequence::parse("Bxh7+ Kxi7").map_err(|error| error.place), Err(7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSequence {
    /// One to [`MAX_MOVES`] moves.
    pub(super) steps: Vec<Step>,
    /// The side of the first move.
    pub(super) first: Option<Color>,
}

/// The length of the longest sequence.
pub(super) const MAX_MOVES: usize = 63;

const WHAT: &str = "moves";

/// A move of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    san: San,
    /// `true` if it must be a capture.
    captures: bool,
    /// The required mark.
    mark: Option<u8>,
}

impl MoveSequence {
    /// Parses moves separated by blanks.
    ///
    /// # Errors
    /// The first text that is not a move; more than 63 moves, or none.
    pub fn parse(text: &str) -> Result<MoveSequence, ParsePatternError> {
        let mut sequence = MoveSequence {
            steps: Vec::new(),
            first: None,
        };
        let fault = |at: usize, fault: String| ParsePatternError::at(WHAT, text, at, fault);
        for word in text.split_ascii_whitespace() {
            // The word is a part of the text, so the addresses give its place.
            let at = word.as_ptr().addr() - text.as_ptr().addr();
            let (mv, mover) = split_number(word);
            // Only a number before the first move determines the side of the first move.
            if sequence.steps.is_empty() {
                sequence.first = sequence.first.or(mover);
            }
            if mv.is_empty() {
                continue;
            }

            if sequence.steps.len() == MAX_MOVES {
                let wrong = format!("there are more than {MAX_MOVES} moves");
                return Err(fault(at, wrong));
            }
            let Some(step) = Step::parse(mv) else {
                let wrong = format!(
                    "`{mv}` is no move; expected a move in SAN with English letters, such as Nf3, exd5 or O-O"
                );
                return Err(fault(at, wrong));
            };
            sequence.steps.push(step);
        }

        if sequence.steps.is_empty() {
            let wrong = "expected a move, such as Nf3".to_owned();
            return Err(fault(text.len(), wrong));
        }
        Ok(sequence)
    }

    /// The sequence as a mirror shows it. A mirror from left to right turns castling to the other side.
    pub(super) fn mirrored(&self, mirror: Mirror) -> MoveSequence {
        let steps = self.steps.iter().map(|step| step.mirrored(mirror));
        let first = match self.first {
            Some(color) if mirror.colors => Some(!color),
            unchanged => unchanged,
        };

        MoveSequence {
            steps: steps.collect(),
            first,
        }
    }

    /// Substrings, in order, of the canonical SAN of every game that has these moves.
    pub(super) fn needles(&self) -> Vec<memmem::Finder<'static>> {
        let mut needles = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let needle = step.needle();
            needles.push(memmem::Finder::new(needle.as_bytes()).into_owned());
        }
        needles
    }
}

/// Splits a move number and its dots (`12.Nf3` or `12...`) off a word. Returns the rest, and the side that the dots
/// indicate.
fn split_number(word: &str) -> (&str, Option<Color>) {
    let behind_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let mv = behind_digits.trim_start_matches(['.', '…']);
    let dots_length = behind_digits.len() - mv.len();
    let dots = &behind_digits[..dots_length];

    if dots.is_empty() {
        // Digits without dots may begin a move, such as castling with zeros. Digits alone are a number.
        let rest = if behind_digits.is_empty() { "" } else { word };
        return (rest, None);
    }

    // PGN §8.2.2.2: one period after White's move number, three after Black's. Dots without a number are Black's, as in
    // `12 ... Nf6`.
    let has_digits = behind_digits.len() < word.len();
    if dots == "." && has_digits {
        (mv, Some(Color::White))
    } else {
        (mv, Some(Color::Black))
    }
}

impl Step {
    /// Parses a move; `None` if it is not SAN, or if no move can match it.
    fn parse(text: &str) -> Option<Step> {
        let unmarked = text.trim_end_matches(['!', '?']);
        let san = San::parse(unmarked.as_bytes())?;
        let mark = match unmarked.bytes().last() {
            Some(last @ (b'+' | b'#')) => Some(last),
            _ => None,
        };

        // A pawn that reaches its last rank is always promoted, and no other pawn is.
        if let San::Piece {
            role: Role::Pawn,
            to,
            promotion,
            ..
        } = san
            && Bitboard::BACK_RANKS.contains(to) != promotion.is_some()
        {
            return None;
        }

        // A colon is another sign of a capture.
        let is_piece = matches!(san, San::Piece { .. });
        let captures = is_piece && unmarked.contains(['x', ':']);
        Some(Step {
            san: within_reach(san, captures)?,
            captures,
            mark,
        })
    }

    /// `true` if a move matches.
    #[inline]
    pub(super) fn matches(&self, half_move: &HalfMove) -> bool {
        let mv = half_move.mv;
        let has_mark = match self.mark {
            None => true,
            Some(b'#') => half_move.mark == Some(b'#'),
            // Mate is a check, too.
            Some(_) => half_move.mark.is_some(),
        };
        let has_capture = half_move.captures >= self.captures;

        has_mark && has_capture && has_san(self.san, mv)
    }

    /// `true` if the move is a promotion.
    pub(super) fn promotes(&self) -> bool {
        matches!(
            self.san,
            San::Piece {
                promotion: Some(_),
                ..
            }
        )
    }

    /// The move as a mirror shows it.
    fn mirrored(&self, mirror: Mirror) -> Step {
        let san = match self.san {
            San::Piece {
                role,
                origin,
                to,
                promotion,
            } => San::Piece {
                role,
                origin: mirror.squares(origin),
                to: mirror.square(to),
                promotion,
            },
            San::Castle(side) => San::Castle(mirror.castling_side(side)),
            San::Null => San::Null,
        };
        Step { san, ..*self }
    }

    /// A substring of the canonical SAN of every move that matches. It has no piece letter, since a disambiguation may
    /// follow the letter.
    fn needle(&self) -> String {
        let (to, promotion) = match self.san {
            San::Castle(side) => return side.san().to_owned(),
            San::Null => return "--".to_owned(),
            San::Piece { to, promotion, .. } => (to, promotion),
        };

        let mut needle = String::new();
        if self.captures {
            needle.push('x');
        }
        needle.push_str(&to.to_string());
        if let Some(role) = promotion {
            needle.extend(['=', role.letter() as char]);
        }
        // A check may be written `#`, so only mate is in every text.
        if self.mark == Some(b'#') {
            needle.push('#');
        }
        needle
    }
}

/// Restricts the origin of a pawn to the files that it may come from: its target's file, or for a capture the files
/// beside it.
///
/// Returns `None` if no pawn can come from the given origin.
fn within_reach(san: San, captures: bool) -> Option<San> {
    let San::Piece {
        role: Role::Pawn,
        origin,
        to,
        promotion,
    } = san
    else {
        return Some(san);
    };

    let own_file = Bitboard::file(to.file());
    let mut files_beside = Bitboard::EMPTY;
    for near in [to.offset(-1, 0), to.offset(1, 0)].into_iter().flatten() {
        files_beside |= Bitboard::file(near.file());
    }

    // `ed5` has no sign of a capture, but its origin excludes the file of d5.
    let is_step = !captures && (origin & own_file).any();
    let reachable = if is_step {
        origin & own_file
    } else {
        origin & files_beside
    };
    if reachable.is_empty() {
        return None;
    }

    Some(San::Piece {
        role: Role::Pawn,
        origin: reachable,
        to,
        promotion,
    })
}

/// `true` if a move matches SAN without regard to captures and marks.
#[inline]
fn has_san(san: San, mv: Move) -> bool {
    match san {
        San::Piece {
            role,
            origin,
            to,
            promotion,
        } => {
            mv.to == to
                && mv.role == role
                && origin.contains(mv.from)
                && mv.promotion == promotion
                && matches!(mv.kind, MoveKind::Normal | MoveKind::EnPassant)
        }
        San::Castle(side) => mv.castling_side() == Some(side),
        San::Null => mv.kind == MoveKind::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::TrustedLine;

    /// `true` if a step matches the last move of a mainline.
    fn is_last(text: &str, moves: &str) -> bool {
        let mut line = TrustedLine::new(None, moves.as_bytes());
        let mut last = None;
        while let Some(half_move) = line.advance() {
            last = Some(half_move);
        }

        let sequence = MoveSequence::parse(text).expect("a move");
        let step = sequence.steps[0];
        let is_meant = step.matches(&last.expect("a move"));

        // Games without the needle are not replayed, so every match must have it.
        let needle = step.needle();
        assert!(!is_meant || moves.contains(&needle), "{needle}");
        is_meant
    }

    macro_rules! meant {
        ($($name:ident: $text:expr, $moves:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(is_last($text, $moves), $expected);
            }
        )*};
    }

    meant! {
        itself: "Nf3", "Nf3" => true;
        with_its_file: "Ngf3", "Nf3" => true;
        from_another_file: "Ndf3", "Nf3" => false;
        capture_left_out: "Nd4", "d4 e5 Nf3 exd4 Nxd4" => true;
        capture_asked_for: "Nxf3", "Nf3" => false;
        disambiguation_left_out: "Nd2", "d4 d5 Nf3 Nf6 Nbd2" => true;
        pawn_capture: "exd5", "e4 d5 exd5" => true;
        pawn_capture_without_sign: "ed5", "e4 d5 exd5" => true;
        a_step_is_no_capture: "d5", "e4 d5 exd5" => false;
        check_left_out: "Bb5", "e4 d5 Bb5+" => true;
        check: "Bb5+", "e4 d5 Bb5+" => true;
        no_check: "Nf3+", "Nf3" => false;
        mate_is_a_check: "Qh4+", "f3 e5 g4 Qh4#" => true;
        mate: "Qh4#", "f3 e5 g4 Qh4#" => true;
        check_is_no_mate: "Bb5#", "e4 d5 Bb5+" => false;
        castling: "O-O", "e4 e5 Nf3 Nc6 Bb5 a6 O-O" => true;
        castling_long: "O-O-O", "e4 e5 Nf3 Nc6 Bb5 a6 O-O" => false;
        null_move: "--", "e4 --" => true;
        commented: "Nf3!?", "Nf3" => true;
        numbered: "1.Nf3", "Nf3" => true;
    }

    #[test]
    fn move_numbers_give_the_first_side() {
        let first = |text| MoveSequence::parse(text).map(|sequence| sequence.first);
        assert_eq!(first("Nf3 Nf6"), Ok(None));
        assert_eq!(first("12. Nf3 Nf6"), Ok(Some(Color::White)));
        assert_eq!(first("12...Nf6 13.Nf3"), Ok(Some(Color::Black)));
        assert_eq!(first("... Nf6"), Ok(Some(Color::Black)));
        assert_eq!(first("Nf6 13.Nf3"), Ok(None));
    }

    macro_rules! faults {
        ($($name:ident: $text:expr => $place:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(MoveSequence::parse($text).expect_err("no moves").place, $place);
            }
        )*};
    }

    faults! {
        nothing: "" => 1;
        numbers_alone: "12." => 4;
        no_move: "e4 e9" => 4;
        other_letters: "Sf3" => 1;
        no_promotion: "e4 e8" => 4;
        promotion_too_early: "e7=Q" => 1;
        out_of_reach: "axh5" => 1;
        too_many: "e4 ".repeat(64).as_str() => 190;
    }
}
