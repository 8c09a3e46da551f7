//! Writer of descriptive notation: the shortest unambiguous text.
//!
//! Candidates name the piece and its target with increasing detail, and each is read back to see whether it is
//! sufficient: `N-B3`, `N-KB3`, `QN-B3`, `N/1-B3`, `N/KN1-KB3`. Books use round brackets or a slash for such details;
//! PGN needs the slash, since a bracket begins a variation.

use super::parts::{Threat, threat};
use crate::board::{Color, File, Move, MoveKind, Position, Rank, Role, Square};
use crate::notation::constraints::captured_role;
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

    if let Some(side) = mv.castling_side() {
        out.push_str(side.san());
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
    /// Appends the shortest text that means the move; `start` is the length of the text before it.
    ///
    /// If no text means the move alone, the most detailed text is left.
    fn write_shortest(&self, position: &Position, mv: Move, out: &mut String, start: usize) {
        let movers = self.movers(mv);
        let targets = self.targets(position, mv);
        let levels = movers.len() + targets.len() - 1;

        // Names are sorted by detail. A level is the detail of both names together; within a level, the target is named
        // in as much detail as possible.
        for level in 0..levels {
            for (detail, target) in targets.iter().enumerate().rev() {
                let Some(mover_detail) = level.checked_sub(detail) else {
                    continue;
                };
                let Some(mover) = movers.get(mover_detail) else {
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

    /// Appends a text that joins the names of the moving piece and of the target.
    fn join(&self, mover: &str, target: &str, mv: Move, out: &mut String) {
        out.push_str(mover);

        // A leading number needs no dash, but must be separated from a slash.
        let has_dash = !self.letters.number_first() || mover.contains('/');
        let is_capture = target.starts_with('x');
        if has_dash && !is_capture {
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
        let Ok(found) = read(text, reading, position) else {
            return false;
        };

        let is_fault = |note: &Note| matches!(note, Note::Slip | Note::FalseWing);
        found.mv() == mv && !found.notes.iter().any(is_fault)
    }

    /// The names of the moving piece, the least detailed first.
    fn movers(&self, mv: Move) -> Vec<String> {
        let letter = self.letters.letter(mv.role);
        let short_file = self.file_short(mv.from);
        let file = self.file(mv.from);

        let mut movers = vec![letter.to_owned()];
        match mv.role {
            Role::Pawn => {
                movers.push(self.join_names(short_file.clone(), letter.to_owned()));
                movers.push(self.join_names(file.clone(), letter.to_owned()));
            }
            Role::Rook | Role::Knight => {
                let wing = self.wing(mv.from);
                movers.push(self.join_names(wing.to_owned(), letter.to_owned()));
            }
            _ => {}
        }

        let rank = self.rank(mv.from);
        let short_square = self.square(short_file, mv.from);
        let square = self.square(file, mv.from);
        movers.push(format!("{letter}/{rank}"));
        movers.push(format!("{letter}/{short_square}"));
        movers.push(format!("{letter}/{square}"));

        movers
    }

    /// The names of the target, the least detailed first.
    fn targets(&self, position: &Position, mv: Move) -> Vec<String> {
        let short_file = self.file_short(mv.to);
        let file = self.file(mv.to);
        let short_square = self.square(short_file.clone(), mv.to);
        let square = self.square(file.clone(), mv.to);

        let Some(role) = captured_role(position, mv) else {
            return vec![short_square, square];
        };

        let letter = self.letters.letter(role);
        let mut targets = vec![format!("x{letter}")];
        if role == Role::Pawn {
            for name in [short_file, file] {
                targets.push(format!("x{}", self.join_names(name, letter.to_owned())));
            }
        }
        targets.push(format!("x{letter}/{short_square}"));
        targets.push(format!("x{letter}/{square}"));

        targets
    }

    /// Joins the name of a piece with the name of the piece that it is named after, in the order of the language: `QR`,
    /// `KBP`; `TD`, `PAR`.
    fn join_names(&self, owner: String, name: String) -> String {
        if self.letters.number_first() {
            name + &owner
        } else {
            owner + &name
        }
    }

    /// The letter of the wing: the king's or the queen's.
    fn wing(&self, square: Square) -> &str {
        let role = if square.file() > File::D {
            Role::King
        } else {
            Role::Queen
        };

        self.letters.letter(role)
    }

    /// A file by one letter: `B` for two files, `K` and `Q` for one file each.
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

    /// A file by its full name: `KB`, `Q`.
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

    /// The name of a square, given the name of its file, in the order of the language.
    fn square(&self, file: String, square: Square) -> String {
        if self.letters.number_first() {
            format!("{}{file}", self.rank(square))
        } else {
            format!("{file}{}", self.rank(square))
        }
    }
}
