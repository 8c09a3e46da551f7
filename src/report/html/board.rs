//! Boards as SVG in HTML.

use std::fmt::Write;

use super::Writer;
use crate::board::{Bitboard, Square};
use crate::export::SvgBoard;
use crate::notation::Diagram;
use crate::report::escape::html as escaped;
use crate::report::{Board, HeatBoard};

/// The width of a board in pixels, unless the style sheet sets another width.
const BOARD_PIXELS: u32 = 240;
/// The side of a square of a heat board, in units of its picture.
const SQUARE: u32 = 20;
/// The minimum share of a square for which its number is written. A smaller share is rounded to 0 %.
const MIN_NUMBERED: f64 = 0.005;
/// The minimum share of a square that is so dark that its number needs another colour.
const MIN_STRONG: f64 = 0.25;
/// The opacity of a square for the smallest share.
const MIN_OPACITY: f64 = 0.15;
/// The distance of the baseline of a number from the middle of its square, in units of the picture.
const BASELINE: u32 = 3;

impl Writer<'_> {
    pub(super) fn write_boards(&mut self, boards: &[Board]) {
        self.push_html("<div class=\"boards\">\n");
        for board in boards {
            self.boards += 1;
            // The ids of shapes must be unique in a page.
            let ids = format!("board-{}-", self.boards);

            let diagram = Diagram {
                flipped: board.is_flipped,
                moved: board.moved,
                ..Diagram::of(&board.setup)
            };
            let picture = SvgBoard {
                diagram,
                size: BOARD_PIXELS,
                ids: &ids,
            };

            let caption = self.spans_html(&board.caption);
            self.push_html(&format!(
                "<figure class=\"board\">\n{picture}<figcaption>{caption}</figcaption>\n</figure>\n"
            ));
        }
        self.push_html("</div>\n");
    }

    pub(super) fn write_heat_boards(&mut self, boards: &[HeatBoard]) {
        self.push_html("<div class=\"boards heat\">\n");
        for board in boards {
            let caption = self.spans_html(&board.caption);
            self.push_html("<figure class=\"board\">\n");
            write_heat_board(self.page, board);
            self.push_html(&format!("<figcaption>{caption}</figcaption>\n</figure>\n"));
        }

        self.push_html("</div>\n");
    }
}

/// Writes a heat board: a square is the darker, the more often the piece stands there, and has its share in per cent.
fn write_heat_board(page: &mut String, board: &HeatBoard) {
    let side = 8 * SQUARE;

    // The label for screen readers lists all squares.
    let words = escaped(&board.squares(usize::MAX));
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 {side} {side}\" width=\"{BOARD_PIXELS}\" height=\"{BOARD_PIXELS}\" \
         role=\"img\" aria-label=\"{words}\">"
    );

    write_dark_squares(page, side);
    for (square, share) in &board.shares {
        if *share >= MIN_NUMBERED {
            write_heat_square(page, *square, *share, board.is_flipped);
        }
    }
    page.push_str("</svg>\n");
}

/// Writes a light rectangle, and all dark squares as one path, which is shorter than 32 rectangles.
fn write_dark_squares(page: &mut String, side: u32) {
    let _ = write!(
        page,
        "<rect class=\"light-square\" width=\"{side}\" height=\"{side}\"/>"
    );

    page.push_str("<path class=\"dark-square\" d=\"");
    for square in Square::all() {
        if Bitboard::LIGHT_SQUARES.contains(square) {
            continue;
        }

        // A flipped board has the same colours of squares.
        let (x, y) = upper_left(square, false);
        let _ = write!(page, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    page.push_str("\"/>\n");
}

/// Writes a square of a heat board: its shade, its number, and its title with the exact share.
fn write_heat_square(page: &mut String, square: Square, share: f64, is_flipped: bool) {
    let (x, y) = upper_left(square, is_flipped);
    let middle = x + SQUARE / 2;
    let line = y + SQUARE / 2 + BASELINE;

    // The square root keeps small shares visible.
    let opacity = MIN_OPACITY + (1.0 - MIN_OPACITY) * share.clamp(0.0, 1.0).sqrt();
    let shade = if share >= MIN_STRONG {
        "strong"
    } else {
        "weak"
    };

    let per_cent = 100.0 * share;
    let _ = writeln!(
        page,
        "<g><title>{square}: {per_cent:.1} %</title><rect class=\"heat-square\" x=\"{x}\" y=\"{y}\" \
         width=\"{SQUARE}\" height=\"{SQUARE}\" fill-opacity=\"{opacity:.2}\"/>\
         <text class=\"{shade}\" x=\"{middle}\" y=\"{line}\" font-size=\"8\" \
         text-anchor=\"middle\">{per_cent:.0}</text></g>"
    );
}

/// The coordinates `x` and `y` of the upper left corner of a square, in units of the picture.
fn upper_left(square: Square, is_flipped: bool) -> (u32, u32) {
    let file = u32::from(square.file().number());
    let rank = u32::from(square.rank().number());

    // Rank 1 is at the bottom, and the picture's y grows downwards.
    if is_flipped {
        ((7 - file) * SQUARE, rank * SQUARE)
    } else {
        (file * SQUARE, (7 - rank) * SQUARE)
    }
}
