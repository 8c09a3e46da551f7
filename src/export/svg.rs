//! Draws positions as SVG pictures. A picture needs no font and no other file.

mod shapes;

use std::fmt;

use self::shapes::{FILE_STROKES, PIECE_UNITS, RANK_STROKES, SIGN_UNITS, shape};
use crate::board::{Bitboard, Color, Piece, Square};
use crate::notation::Diagram;

const LIGHT: &str = "#f1ead9";
const DARK: &str = "#8fa598";
const LIGHT_MARKED: &str = "#f0dd7b";
const DARK_MARKED: &str = "#c6ae47";

/// The number of the lowest row of a picture.
const LAST_ROW: u32 = 7;

/// The scale of letters and digits.
const SIGN_SCALE: u32 = 2;

const WHITE_FILL: &str = "#fff";
const WHITE_STROKE: &str = "#262626";
const BLACK_FILL: &str = "#3a3a3a";
const BLACK_EDGE: &str = "#161616";
/// Lines within a black piece are light.
const BLACK_LINES: &str = "#e8e8e8";

/// The space from the left and from the upper edge of a square to the digit of its rank.
const RANK_SIGN_INSET: [u32; 2] = [6, 7];
/// The space from the letter of a file to the right and to the lower edge of its square. Below the letter, it has room
/// for descenders.
const FILE_SIGN_INSET: [u32; 2] = [4, 9];

/// Pieces are drawn somewhat larger than their shapes.
const PIECE_PLACE: &str = "translate(-7 -4) scale(1.14)";
const PIECE_STROKE: &str = r#"stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round""#;

/// A picture of a diagram, formatted by its `Display`.
///
/// ```
/// use stamma::board::Position;
/// use stamma::export::SvgBoard;
/// use stamma::notation::Diagram;
/// let setup = Position::start().setup();
/// let picture = SvgBoard { diagram: Diagram::of(&setup), size: 400, ids: "" }.to_string();
/// assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\""));
/// assert_eq!(picture.matches("<use ").count(), 32);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgBoard<'s> {
    /// The diagram; its [signs](Diagram::signs) are ignored.
    pub diagram: Diagram<'s>,
    /// Width and height in pixels.
    pub size: u32,
    /// Letters with which the names of the shapes begin. Two pictures of one document need different letters.
    pub ids: &'s str,
}

impl fmt::Display for SvgBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, units) = (self.size, 8 * PIECE_UNITS);
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\" \
             viewBox=\"0 0 {units} {units}\" role=\"img\">"
        )?;
        writeln!(f, "<title>{}</title>", self.diagram.setup)?;
        self.write_shapes(f)?;

        for (row, rank) in self.diagram.ranks().enumerate() {
            for (column, file) in self.diagram.files().enumerate() {
                self.write_square(Square::at(file, rank), column as u32, row as u32, f)?;
            }
        }
        f.write_str("</svg>\n")
    }
}

impl SvgBoard<'_> {
    /// Writes the shapes of the pieces on the board.
    fn write_shapes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pieces: Vec<Piece> = self
            .diagram
            .setup
            .pieces
            .iter()
            .flatten()
            .copied()
            .collect();
        pieces.sort_by_key(|piece| piece.fen_letter());
        pieces.dedup();
        f.write_str("<defs>\n")?;

        for piece in pieces {
            let shape = shape(piece.role);
            let (fill, edge, line) = match piece.color {
                Color::White => (WHITE_FILL, WHITE_STROKE, WHITE_STROKE),
                Color::Black => (BLACK_FILL, BLACK_EDGE, BLACK_LINES),
            };
            let letter = char::from(piece.fen_letter());
            let ids = self.ids;

            writeln!(
                f,
                "<g id=\"{ids}{letter}\" transform=\"{PIECE_PLACE}\" {PIECE_STROKE}>"
            )?;
            writeln!(
                f,
                "<path d=\"{}\" fill=\"{fill}\" stroke=\"{edge}\"/>",
                shape.silhouette
            )?;
            writeln!(
                f,
                "<path d=\"{}\" fill=\"none\" stroke=\"{line}\"/>\n</g>",
                shape.lines
            )?;
        }
        f.write_str("</defs>\n")
    }

    fn write_square(
        &self,
        square: Square,
        column: u32,
        row: u32,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let (x, y, side) = (column * PIECE_UNITS, row * PIECE_UNITS, PIECE_UNITS);
        let is_light = Bitboard::LIGHT_SQUARES.contains(square);
        let (fill, contrast) = match (is_light, self.diagram.is_marked(square)) {
            (true, false) => (LIGHT, DARK),
            (false, false) => (DARK, LIGHT),
            (true, true) => (LIGHT_MARKED, DARK_MARKED),
            (false, true) => (DARK_MARKED, LIGHT_MARKED),
        };

        writeln!(
            f,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/>"
        )?;

        // Ranks stand at the left edge of the board, files at its lower edge.
        if column == 0 {
            let rank = RANK_STROKES[usize::from(square.rank().number())];
            let [left, upper] = RANK_SIGN_INSET;
            write_sign(rank, x + left, y + upper, contrast, f)?;
        }
        if row == LAST_ROW {
            let file = FILE_STROKES[usize::from(square.file().number())];
            let [width, height] = SIGN_UNITS.map(|units| units * SIGN_SCALE);
            let [right, lower] = FILE_SIGN_INSET;
            let sign_x = x + side - width - right;
            let sign_y = y + side - height - lower;
            write_sign(file, sign_x, sign_y, contrast, f)?;
        }

        match self.diagram.setup.pieces[square.index()] {
            Some(piece) => {
                let letter = char::from(piece.fen_letter());
                let ids = self.ids;
                writeln!(f, "<use href=\"#{ids}{letter}\" x=\"{x}\" y=\"{y}\"/>")
            }
            None => Ok(()),
        }
    }
}

fn write_sign(
    strokes: &str,
    x: u32,
    y: u32,
    color: &str,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    writeln!(
        f,
        "<path d=\"{strokes}\" transform=\"translate({x} {y}) scale({SIGN_SCALE})\" fill=\"none\" \
         stroke=\"{color}\" stroke-width=\"1.4\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;

    #[test]
    fn only_pieces_on_the_board_are_drawn() {
        let setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a FEN");
        let picture = SvgBoard {
            diagram: Diagram::of(&setup),
            size: 80,
            ids: "",
        }
        .to_string();
        assert_eq!(picture.matches("<g id=").count(), 2);
        assert_eq!(picture.matches("<rect ").count(), 64);
        assert!(
            picture.contains("<use href=\"#k\" x=\"400\" y=\"0\"/>"),
            "{picture}"
        );
        let picture = SvgBoard {
            diagram: Diagram::of(&setup),
            size: 80,
            ids: "b1-",
        }
        .to_string();
        assert!(picture.contains("<g id=\"b1-k\""), "{picture}");
        assert!(
            picture.contains("<use href=\"#b1-k\" x=\"400\" y=\"0\"/>"),
            "{picture}"
        );
    }

    #[test]
    fn flipped_and_marked() {
        let setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a FEN");
        let moved = Some([Square::E7, Square::E8]);
        let diagram = Diagram {
            flipped: true,
            moved,
            ..Diagram::of(&setup)
        };
        let picture = SvgBoard {
            diagram,
            size: 80,
            ids: "",
        }
        .to_string();
        assert!(
            picture.contains("<use href=\"#k\" x=\"300\" y=\"700\"/>"),
            "{picture}"
        );
        assert_eq!(
            picture.matches(&format!("fill=\"{LIGHT_MARKED}\"")).count(),
            1
        );
        assert_eq!(
            picture.matches(&format!("fill=\"{DARK_MARKED}\"")).count(),
            1
        );
    }
}
