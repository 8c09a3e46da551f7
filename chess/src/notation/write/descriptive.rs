//! Writer of descriptive notation: the shortest unambiguous text.
//!
//! Candidates name the piece and its target with increasing detail, and each is read back to see whether it is
//! sufficient: `N-B3`, `N-KB3`, `QN-B3`, `N/1-B3`, `N/KN1-KB3`. Books use round brackets or a slash for such details;
//! PGN needs the slash, since a bracket begins a variation.

use super::parts::{Threat, threat};
use crate::board::{Color, File, Move, MoveKind, Position, Rank, Role, Square};
use crate::notation::constraints::taken;
use crate::notation::{Note, PieceLetters, Reading, System, read};

/// The names of pieces and squares in one language.
#[derive(Clone, Copy)]
struct Names<'l> {
    letters: &'l PieceLetters,
    turn: Color,
}

/// Appends a move other than a null move.
pub(super) fn write(position: &Position, mv: Move, letters: &PieceLetters, out: &mut String) {
    let start = out.len();
    if mv.kind == MoveKind::Castle {
        out.push_str(if mv.to.file() > mv.from.file() {
            "O-O"
        } else {
            "O-O-O"
        });
    } else {
        let names = Names {
            letters,
            turn: position.turn(),
        };
        names.write_shortest(position, mv, out, start);
    }
    out.push_str(check_sign(position, mv, letters));
}

/// The sign of check or mate behind a move.
pub(super) fn check_sign(position: &Position, mv: Move, letters: &PieceLetters) -> &'static str {
    match (threat(position, mv), letters.number_first()) {
        (Threat::None, _) => "",
        (Threat::Mate, false) => "mate",
        (Threat::Mate, true) => "#",
        (_, false) => "ch",
        (_, true) => "+",
    }
}

impl Names<'_> {
    fn write_shortest(&self, position: &Position, mv: Move, out: &mut String, start: usize) {
        let movers = self.movers(mv);
        let targets = self.targets(position, mv);
        for length in 0..movers.len() + targets.len() - 1 {
            for (i, target) in targets.iter().enumerate().rev() {
                let Some(mover) = length.checked_sub(i).and_then(|at| movers.get(at)) else {
                    continue;
                };
                out.truncate(start);
                self.join(mover, target, mv, out);
                if self.means(&out[start..], position, mv) {
                    return;
                }
            }
        }
    }

    fn join(&self, mover: &str, target: &str, mv: Move, out: &mut String) {
        out.push_str(mover);
        // A leading number needs no dash, but must be separated from a slash.
        let has_dash = !self.letters.number_first() || mover.contains('/');
        if !target.starts_with('x') && has_dash {
            out.push('-');
        }
        out.push_str(target);
        if let Some(role) = mv.promotion {
            out.push('=');
            out.push_str(self.letters.letter(role));
        }
        if mv.kind == MoveKind::EnPassant {
            out.push_str("ep");
        }
    }

    /// Returns `true` if a text means this move, without notes.
    fn means(&self, text: &str, position: &Position, mv: Move) -> bool {
        let reading = Reading {
            letters: self.letters,
            system: System::Descriptive,
        };
        let is_fault = |note: &Note| matches!(note, Note::Slip | Note::FalseWing);
        read(text, reading, position)
            .is_ok_and(|found| found.mv() == mv && !found.notes.iter().any(is_fault))
    }

    /// The names of the moving piece, the shortest first.
    fn movers(&self, mv: Move) -> Vec<String> {
        let letter = self.letters.letter(mv.role);
        let mut movers = vec![letter.to_owned()];
        match mv.role {
            Role::Pawn => {
                movers.push(self.join_names(self.file_short(mv.from), letter.to_owned()));
                movers.push(self.join_names(self.file(mv.from), letter.to_owned()));
            }
            Role::Rook | Role::Knight => {
                let wing = self.wing(mv.from);
                movers.push(self.join_names(wing.to_owned(), letter.to_owned()));
            }
            _ => {}
        }
        movers.push(format!("{letter}/{}", self.rank(mv.from)));
        movers.push(format!(
            "{letter}/{}",
            self.square(self.file_short(mv.from), mv.from)
        ));
        movers.push(format!(
            "{letter}/{}",
            self.square(self.file(mv.from), mv.from)
        ));
        movers
    }

    /// The names of the target, the shortest first.
    fn targets(&self, position: &Position, mv: Move) -> Vec<String> {
        let whole = self.square(self.file(mv.to), mv.to);
        let short = self.square(self.file_short(mv.to), mv.to);
        let Some(role) = taken(position, mv) else {
            return vec![short, whole];
        };
        let letter = self.letters.letter(role);
        let mut targets = vec![format!("x{letter}")];
        if role == Role::Pawn {
            for file in [self.file_short(mv.to), self.file(mv.to)] {
                targets.push(format!("x{}", self.join_names(file, letter.to_owned())));
            }
        }
        targets.push(format!("x{letter}/{short}"));
        targets.push(format!("x{letter}/{whole}"));
        targets
    }

    /// Joins a name with that of its owner, in the order of the language: `QR`, `KBP`; `TD`, `PAR`.
    fn join_names(&self, of: String, name: String) -> String {
        if self.letters.number_first() {
            name + &of
        } else {
            of + &name
        }
    }

    fn wing(&self, square: Square) -> &str {
        let role = if square.file() > File::D {
            Role::King
        } else {
            Role::Queen
        };
        self.letters.letter(role)
    }

    /// `B` for two files, `K` and `Q` for one each.
    fn file_short(&self, square: Square) -> String {
        let role = match square.file() {
            File::A | File::H => Role::Rook,
            File::B | File::G => Role::Knight,
            File::C | File::F => Role::Bishop,
            File::D => Role::Queen,
            _ => Role::King,
        };
        self.letters.letter(role).to_owned()
    }

    /// `KB`, `Q`.
    fn file(&self, square: Square) -> String {
        let short = self.file_short(square);
        match square.file() {
            File::D | File::E => short,
            _ => self.join_names(self.wing(square).to_owned(), short),
        }
    }

    /// The rank, from the mover's side.
    fn rank(&self, square: Square) -> Rank {
        square.rank().of_side(self.turn)
    }

    fn square(&self, file: String, square: Square) -> String {
        if self.letters.number_first() {
            format!("{}{file}", self.rank(square))
        } else {
            format!("{file}{}", self.rank(square))
        }
    }
}
