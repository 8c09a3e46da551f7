//! Writers for moves whose canonical SAN is known. SAN tells whether a move captures and gives check, so most notations
//! need no board.

use super::parts::push_square;
use super::{Notation, Style};
use crate::board::{Move, MoveKind, Position, Role};
use crate::notation::PieceLetters;

impl Style<'_> {
    /// Returns `true` for PGN in English, as games are stored.
    pub fn is_canonical(&self) -> bool {
        self.notation == Notation::San && self.letters == PieceLetters::english()
    }

    /// Returns `true` if a move and its canonical SAN determine the text.
    pub fn needs_no_board(&self) -> bool {
        !matches!(self.notation, Notation::Full | Notation::Descriptive)
    }

    /// Appends the text of a legal move whose canonical SAN, including its mark, is known; `position` is before the
    /// move. Equal to [`Style::write`], but faster.
    pub fn rewrite(&self, san: &str, position: &Position, mv: Move, out: &mut String) {
        if self.needs_no_board() {
            self.rewrite_known(san, mv, out)
        } else {
            self.write(position, mv, out)
        }
    }

    /// Like [`Style::rewrite`], for styles that [need no board](Style::needs_no_board); the others write the SAN
    /// unchanged.
    pub fn rewrite_known(&self, san: &str, mv: Move, out: &mut String) {
        match self.notation {
            Notation::Uci => self.write_uci(mv, out),
            Notation::Iccf => self.write_iccf(mv, out),
            _ if mv.kind == MoveKind::Null => out.push_str(san),

            Notation::San => write_with_letters(san, self.letters, out),
            Notation::Fide => write_fide(san, mv, self.letters, out),
            Notation::Lan | Notation::Coordinate => self.write_long(san, mv, out),
            Notation::Full | Notation::Descriptive => out.push_str(san),
        }
    }

    /// Writes both squares, with the capture sign and the check mark of the SAN.
    fn write_long(&self, san: &str, mv: Move, out: &mut String) {
        if mv.kind == MoveKind::Castle {
            return match self.notation {
                Notation::Lan => out.push_str(san),
                _ => write_zeros(san, out),
            };
        }

        if mv.role != Role::Pawn && self.notation != Notation::Coordinate {
            out.push_str(self.letters.letter(mv.role));
        }

        let is_capture = san.as_bytes().contains(&b'x');
        push_square(mv.from, out);
        out.push(if is_capture { 'x' } else { '-' });
        push_square(mv.to, out);

        if let Some(role) = mv.promotion {
            out.push('=');
            out.push_str(self.letters.letter(role));
        }

        out.push_str(trailing_mark(san));
    }
}

/// Appends canonical SAN with other piece letters, given nothing but the text.
pub fn write_with_letters(san: &str, letters: &PieceLetters, out: &mut String) {
    write_with_promotion_sign(san, letters, "=", out);
}

/// Appends canonical SAN with other piece letters, and with a sign in place of the `=` of a promotion.
fn write_with_promotion_sign(san: &str, letters: &PieceLetters, sign: &str, out: &mut String) {
    let rest = write_first_letter(san, letters, out);

    match promotion(rest) {
        Some((before, role, after)) => {
            out.push_str(before);
            out.push_str(sign);
            out.push_str(letters.letter(role));
            out.push_str(after);
        }
        None => out.push_str(rest),
    }
}

/// Appends a move as FIDE writes it: zeros for castling, no sign before a promotion, and `e.p.`.
fn write_fide(san: &str, mv: Move, letters: &PieceLetters, out: &mut String) {
    if mv.kind == MoveKind::Castle {
        return write_zeros(san, out);
    }

    write_with_promotion_sign(san, letters, "", out);
    if mv.kind == MoveKind::EnPassant {
        out.push_str(" e.p.");
    }
}

/// Appends the letter of the leading piece, if any, and returns the rest.
fn write_first_letter<'s>(san: &'s str, letters: &PieceLetters, out: &mut String) -> &'s str {
    // Castling begins with a capital that is no piece's letter.
    let piece = match san.bytes().next() {
        Some(first) if first.is_ascii_uppercase() => Role::from_letter(first),
        _ => None,
    };

    match piece {
        Some(role) => {
            out.push_str(letters.letter(role));
            &san[1..]
        }
        None => san,
    }
}

/// The text before the `=`, the promoted role, and the text after it.
fn promotion(san: &str) -> Option<(&str, Role, &str)> {
    let (before, after) = san.split_once('=')?;
    let letter = *after.as_bytes().first()?;
    let role = Role::from_letter(letter)?;
    let rest = after.get(1..)?;

    Some((before, role, rest))
}

/// Writes castling with zeros: `0-0+` for `O-O+`.
fn write_zeros(san: &str, out: &mut String) {
    for c in san.chars() {
        out.push(if c == 'O' { '0' } else { c });
    }
}

/// The check mark at the end of a SAN.
fn trailing_mark(san: &str) -> &str {
    match san.as_bytes() {
        [.., b'+' | b'#'] => &san[san.len() - 1..],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::san;

    /// Every legal move of some positions, in every notation.
    #[test]
    fn known_san_gives_the_same_texts() {
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "2n1n2k/3P4/8/8/8/8/8/K7 w - - 0 1",
            "k7/8/1K6/8/8/8/8/1R5R w - - 0 1",
            "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1",
        ];
        for fen in positions {
            let position = Position::from_fen(fen).expect("a legal position");
            for mv in position.legal_moves().into_iter().chain([Move::NULL]) {
                let san = san(&position, mv);
                for notation in Notation::ALL {
                    for code in ["en", "fr", "ru", "figurine"] {
                        let letters = PieceLetters::of_language(code).expect("a language");
                        let style = Style {
                            notation,
                            letters,
                            chess960: false,
                        };
                        let mut text = String::new();
                        style.rewrite(&san, &position, mv, &mut text);
                        assert_eq!(text, style.text(&position, mv), "{san} in {fen}");
                    }
                }
            }
        }
    }
}
