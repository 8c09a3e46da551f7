//! Draws a position as text.

use std::fmt;

use crate::board::{File, Move, MoveKind, Position, Rank, Setup, Square};

/// The symbols that pieces are drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signs {
    /// Unicode chess symbols, and a middle dot for an empty square.
    #[default]
    Figurines,
    /// FEN letters, and a full stop for an empty square.
    Letters,
}

/// A position as a diagram of eight ranks and a line of files, without a trailing line break.
///
/// ```
/// use stamma_chess::board::{Setup, Square};
/// use stamma_chess::notation::{Diagram, Signs};
/// let setup = Setup::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")?;
/// let moved = Some([Square::E2, Square::E4]);
/// let diagram = Diagram { signs: Signs::Letters, moved, ..Diagram::of(&setup) };
/// let lines: Vec<String> = diagram.to_string().lines().map(str::to_owned).collect();
/// assert_eq!(lines[4], "4 . . . .[P]. . .");
/// assert_eq!(lines[6], "2 . . . . x . . .");
/// assert_eq!(lines[8], "  a b c d e f g h");
/// # Ok::<(), stamma_chess::board::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram<'s> {
    /// The position.
    pub setup: &'s Setup,
    /// The symbols of the pieces.
    pub signs: Signs,
    /// `true` if Black is at the bottom.
    pub flipped: bool,
    /// The origin and target of the last move: a cross marks the origin, and brackets the piece on the target.
    pub moved: Option<[Square; 2]>,
}

impl<'s> Diagram<'s> {
    /// The default diagram: figurines, White at the bottom, no move.
    pub fn of(setup: &'s Setup) -> Diagram<'s> {
        Diagram {
            setup,
            signs: Signs::default(),
            flipped: false,
            moved: None,
        }
    }

    /// The ranks from top to bottom.
    pub fn ranks(&self) -> impl Iterator<Item = Rank> + use<> {
        let flipped = self.flipped;

        Rank::ALL
            .into_iter()
            .map(move |rank| if flipped { rank } else { rank.mirrored() })
    }

    /// The files from left to right.
    pub fn files(&self) -> impl Iterator<Item = File> + use<> {
        let flipped = self.flipped;

        File::ALL
            .into_iter()
            .map(move |file| if flipped { file.mirrored() } else { file })
    }

    /// Returns `true` for the origin and target of the last move.
    pub fn is_marked(&self, square: Square) -> bool {
        self.moved.is_some_and(|moved| moved.contains(&square))
    }

    /// The symbol of the piece on a square, or of an empty square.
    fn sign(&self, square: Square) -> char {
        if let Some(piece) = self.setup.pieces[square.index()] {
            return match self.signs {
                Signs::Figurines => piece.figurine(),
                Signs::Letters => char::from(piece.fen_letter()),
            };
        }

        let is_origin = self.is_marked(square);
        match self.signs {
            Signs::Figurines if is_origin => '×',
            Signs::Figurines => '·',
            Signs::Letters if is_origin => 'x',
            Signs::Letters => '.',
        }
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = self.moved.map(|[_, to]| to);

        for rank in self.ranks() {
            write!(f, "{rank}")?;

            // Brackets take the place of the spaces beside the target.
            let mut gap = " ";
            for file in self.files() {
                let square = Square::at(file, rank);
                let is_target = target == Some(square);

                f.write_str(if is_target { "[" } else { gap })?;
                write!(f, "{}", self.sign(square))?;

                gap = if is_target { "]" } else { " " };
            }

            writeln!(f, "{}", gap.trim_end())?;
        }

        f.write_str(" ")?;
        for file in self.files() {
            write!(f, " {file}")?;
        }

        Ok(())
    }
}

/// A diagram with figurines, White at the bottom, without a trailing line break.
pub fn diagram(position: &Position) -> String {
    Diagram::of(&position.setup()).to_string()
}

/// The origin and target of a move as shown to users; castling is the king's step. `None` for a null move.
pub fn way_of(mv: Move) -> Option<[Square; 2]> {
    match mv.kind {
        MoveKind::Null => None,
        MoveKind::Castle | MoveKind::Normal | MoveKind::EnPassant => {
            Some([mv.from, mv.destination()])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_below() {
        let setup = Position::start().setup();
        let text = Diagram {
            flipped: true,
            ..Diagram::of(&setup)
        }
        .to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖");
        assert_eq!(lines[8], "  h g f e d c b a");
    }

    #[test]
    fn brackets_at_the_edge() {
        let setup = Setup::from_fen("7k/8/8/8/8/8/8/K6R b - - 0 1").expect("a FEN");
        let moved = Some([Square::A2, Square::H1]);
        let text = Diagram {
            moved,
            ..Diagram::of(&setup)
        }
        .to_string();
        assert!(
            text.contains("\n2 × · · · · · · ·\n1 ♔ · · · · · ·[♖]\n"),
            "{text}"
        );
    }

    #[test]
    fn castling_is_the_kings_way() {
        let (king, rook) = (Square::F8, Square::B8);
        let castling = Move::castle(king, rook);

        assert_eq!(way_of(castling), Some([king, Square::C8]));
        assert_eq!(way_of(Move::NULL), None);
    }
}
