//! Boards on the terminal: with coloured squares if it has colours, otherwise as plain text.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Style};
use clap::{Args, ValueEnum};

use super::terminal::has_plain_letters;
use stamma::board::{Bitboard, Color, Position, Rank, Square};
use stamma::notation::{Diagram, Signs};

/// How boards are shown.
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

/// Colours of the 256-colour palette.
const LIGHT: u8 = 180;
const DARK: u8 = 137;
const LIGHT_MARKED: u8 = 186;
const DARK_MARKED: u8 = 143;
const WHITE: u8 = 231;
const BLACK: u8 = 16;

impl Boards {
    /// The signs for pieces; `None` for no boards.
    pub(super) fn signs(self) -> Option<Signs> {
        let usual = || match has_plain_letters() {
            true => BoardKind::Ascii,
            false => BoardKind::Unicode,
        };
        match self.board.unwrap_or_else(usual) {
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
        writeln!(
            out,
            "{}\n",
            drawn(&Diagram {
                signs,
                ..Diagram::of(&setup)
            })
        )
    }
}

/// A diagram, in colour if standard output supports it; without a newline at the end.
pub(super) fn drawn(diagram: &Diagram<'_>) -> String {
    match has_colors() {
        true => colored(diagram),
        false => diagram.to_string(),
    }
}

/// The width of a drawn diagram in columns.
pub(super) fn drawn_width() -> usize {
    if has_colors() { 2 + 8 * 3 } else { 2 + 8 * 2 }
}

/// `true` if standard output is a terminal with colours that have not been disabled.
pub(super) fn has_colors() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Draws squares three columns wide, which is about the height of a line.
fn colored(diagram: &Diagram<'_>) -> String {
    let rank = |rank: Rank| {
        let squares = diagram
            .files()
            .map(|file| square(diagram, Square::at(file, rank)));
        format!("{rank} {}\n", squares.collect::<String>())
    };
    let files = diagram.files().map(|file| format!(" {file} "));
    let ranks = diagram.ranks().map(rank).collect::<String>();
    format!("{ranks}  {}", files.collect::<String>().trim_end())
}

fn square(diagram: &Diagram<'_>, square: Square) -> String {
    let is_light = Bitboard::LIGHT_SQUARES.contains(square);
    let back = match (is_light, diagram.is_marked(square)) {
        (true, false) => LIGHT,
        (false, false) => DARK,
        (true, true) => LIGHT_MARKED,
        (false, true) => DARK_MARKED,
    };
    let piece = diagram.setup.pieces[square.index()];
    let fore = if piece.is_some_and(|piece| piece.color == Color::White) {
        WHITE
    } else {
        BLACK
    };
    let sign = piece.map_or(' ', |piece| match diagram.signs {
        // Filled symbols for both sides, since the colour distinguishes them.
        Signs::Figurines => ['♟', '♞', '♝', '♜', '♛', '♚'][piece.role.index()],
        Signs::Letters => char::from(piece.fen_letter()),
    });
    let style = Style::new()
        .bg_color(Some(Ansi256Color(back).into()))
        .fg_color(Some(Ansi256Color(fore).into()));
    format!("{style} {sign} {style:#}")
}
