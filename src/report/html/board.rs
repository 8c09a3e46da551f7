//! How boards are written as SVG in HTML.

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
/// The least share of a square with a number.
const MIN_NUMBERED: f64 = 0.005;

impl Writer<'_> {
    pub(super) fn boards(&mut self, boards: &[Board]) {
        self.text("<div class=\"boards\">\n");
        for board in boards {
            self.boards += 1;
            // Two boards of one page must not have shapes of one name.
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
            }
            .to_string();

            let caption = self.spans(&board.caption);
            self.text(&format!(
                "<figure class=\"board\">\n{picture}<figcaption>{caption}</figcaption>\n</figure>\n"
            ));
        }
        self.text("</div>\n");
    }

    pub(super) fn heat_boards(&mut self, boards: &[HeatBoard]) {
        self.text("<div class=\"boards heat\">\n");
        for board in boards {
            let caption = self.spans(&board.caption);
            self.text("<figure class=\"board\">\n");
            write_heat_board(self.page, board);
            self.text(&format!("<figcaption>{caption}</figcaption>\n</figure>\n"));
        }

        self.text("</div>\n");
    }
}

/// Squares, the darker the more often the piece is there, with the share in per cent.
fn write_heat_board(page: &mut String, board: &HeatBoard) {
    let side = 8 * SQUARE;
    let words = escaped(&board.squares(usize::MAX));
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 {side} {side}\" width=\"{BOARD_PIXELS}\" height=\"{BOARD_PIXELS}\" \
         role=\"img\" aria-label=\"{words}\">"
    );

    let _ = write!(
        page,
        "<rect class=\"light-square\" width=\"{side}\" height=\"{side}\"/>"
    );
    page.push_str("<path class=\"dark-square\" d=\"");
    // The colours of squares are the same from both sides.
    for square in Square::all().filter(|square| !Bitboard::LIGHT_SQUARES.contains(*square)) {
        let (x, y) = place(square, false);
        let _ = write!(page, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    page.push_str("\"/>\n");

    for (square, share) in &board.shares {
        if *share < MIN_NUMBERED {
            continue;
        }

        let (x, y) = place(*square, board.is_flipped);
        // The square root keeps small shares visible.
        let opacity = 0.15 + 0.85 * share.clamp(0.0, 1.0).sqrt();
        let shade = if *share >= 0.25 { "strong" } else { "weak" };
        let (middle, line) = (x + SQUARE / 2, y + SQUARE / 2 + 3);
        let per_cent = 100.0 * share;
        let _ = writeln!(
            page,
            "<g><title>{square}: {per_cent:.1} %</title><rect class=\"heat-square\" x=\"{x}\" y=\"{y}\" \
             width=\"{SQUARE}\" height=\"{SQUARE}\" fill-opacity=\"{opacity:.2}\"/>\
             <text class=\"{shade}\" x=\"{middle}\" y=\"{line}\" font-size=\"8\" \
             text-anchor=\"middle\">{per_cent:.0}</text></g>"
        );
    }
    page.push_str("</svg>\n");
}

/// The upper left corner of a square.
fn place(square: Square, is_flipped: bool) -> (u32, u32) {
    let file = u32::from(square.file().number());
    let rank = u32::from(square.rank().number());
    if is_flipped {
        ((7 - file) * SQUARE, rank * SQUARE)
    } else {
        (file * SQUARE, (7 - rank) * SQUARE)
    }
}
