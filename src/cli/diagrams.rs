//! Boards on the terminal: with coloured squares if it has colours, otherwise as plain text.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Style};
use clap::{Args, ValueEnum};

use super::terminal::has_plain_letters;
use stamma::board::{Bitboard, Color, Position, Square};
use stamma::notation::{Diagram, Signs};

/// The option for the style of boards.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Boards {
    /// The style of boards (default: unicode; ascii on a terminal whose locale is not UTF-8)
    #[arg(long, value_enum, value_name = "HOW")]
    board: Option<BoardKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BoardKind {
    /// With chess symbols
    Unicode,
    /// With the letters of a FEN
    Ascii,
    /// No boards
    None,
}

impl BoardKind {
    /// The default style: ASCII on a terminal without UTF-8.
    fn of_terminal() -> BoardKind {
        if has_plain_letters() {
            BoardKind::Ascii
        } else {
            BoardKind::Unicode
        }
    }
}

/// The colours below are of the terminal palette of 256 colours. This is the colour of light squares.
const LIGHT: u8 = 180;
const DARK: u8 = 137;
const LIGHT_MARKED: u8 = 186;
const DARK_MARKED: u8 = 143;
const WHITE: u8 = 231;
const BLACK: u8 = 16;

impl Boards {
    /// The signs for pieces; `None` for no boards.
    pub(super) fn signs(self) -> Option<Signs> {
        let kind = self.board.unwrap_or_else(BoardKind::of_terminal);
        match kind {
            BoardKind::Unicode => Some(Signs::Figurines),
            BoardKind::Ascii => Some(Signs::Letters),
            BoardKind::None => None,
        }
    }

    /// Writes the first of some positions and a blank line.
    pub(super) fn write_first(
        self,
        positions: &[Position],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (Some(position), Some(signs)) = (positions.first(), self.signs()) else {
            return Ok(());
        };
        let setup = position.setup();
        let diagram = Diagram {
            signs,
            ..Diagram::of(&setup)
        };
        writeln!(out, "{}\n", drawn(&diagram))
    }
}

/// A diagram, in colour if standard output supports it; without a newline at the end.
pub(super) fn drawn(diagram: &Diagram<'_>) -> String {
    if has_colors() {
        colored(diagram)
    } else {
        diagram.to_string()
    }
}

/// The width of a drawn diagram in columns: the number of a rank with a space, and eight squares.
pub(super) fn drawn_width() -> usize {
    const RANK_COLUMNS: usize = 2;
    const FILES: usize = 8;
    /// A blank on either side of a piece.
    const COLORED_SQUARE_COLUMNS: usize = 3;
    /// A piece and a blank.
    const PLAIN_SQUARE_COLUMNS: usize = 2;
    let square_columns = if has_colors() {
        COLORED_SQUARE_COLUMNS
    } else {
        PLAIN_SQUARE_COLUMNS
    };
    RANK_COLUMNS + FILES * square_columns
}

/// `true` if standard output is a terminal with colours that have not been disabled.
pub(super) fn has_colors() -> bool {
    // The choice respects NO_COLOR, TERM and pipes.
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// A diagram in colour. Squares are three columns wide, which is about the height of a line.
fn colored(diagram: &Diagram<'_>) -> String {
    let mut text = String::new();
    for rank in diagram.ranks() {
        text += &format!("{rank} ");
        for file in diagram.files() {
            text += &colored_square(diagram, Square::at(file, rank));
        }
        text.push('\n');
    }

    // Two blanks align the letters of the files with the squares.
    text.push_str("  ");
    let files: String = diagram.files().map(|file| format!(" {file} ")).collect();
    text.push_str(files.trim_end());
    text
}

/// The symbols of pieces by role. Both sides have filled symbols, since the colour distinguishes the sides.
const FIGURINES: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];

/// A square in colour, with its piece, three columns wide.
fn colored_square(diagram: &Diagram<'_>, square: Square) -> String {
    let is_light = Bitboard::LIGHT_SQUARES.contains(square);
    let is_marked = diagram.is_marked(square);
    let background = match (is_light, is_marked) {
        (true, false) => LIGHT,
        (false, false) => DARK,
        (true, true) => LIGHT_MARKED,
        (false, true) => DARK_MARKED,
    };

    let piece = diagram.setup.pieces[square.index()];
    let is_white = piece.is_some_and(|piece| piece.color == Color::White);
    let foreground = if is_white { WHITE } else { BLACK };
    let sign = match (piece, diagram.signs) {
        (None, _) => ' ',
        (Some(piece), Signs::Figurines) => FIGURINES[piece.role.index()],
        (Some(piece), Signs::Letters) => char::from(piece.fen_letter()),
    };

    let style = Style::new()
        .bg_color(Some(Ansi256Color(background).into()))
        .fg_color(Some(Ansi256Color(foreground).into()));
    format!("{style} {sign} {style:#}")
}
