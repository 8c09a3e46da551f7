//! Arguments of commands that show games and positions.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueHint};

use super::PositionArguments;
use super::usage::Checked;
use crate::cli::diagrams::Boards;
use stamma::board::Square;

/// The width and height of a picture by default, in pixels.
const DEFAULT_PICTURE_PIXELS: u32 = 400;
/// The widths and heights that a picture can have, in pixels.
const PICTURE_PIXELS: RangeInclusive<i64> = 40..=10_000;

#[derive(Args, Debug)]
pub(in crate::cli) struct Show {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The number of the game
    #[arg(value_parser = game_number)]
    pub(in crate::cli) game: i64,
    /// The half-moves after which to show the board: 10,20; 0 is the start (default: the last one)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ply)]
    pub(in crate::cli) ply: Vec<u32>,
    /// Show the board after every N half-moves, and after the last one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) every: Option<u32>,
    #[command(flatten)]
    pub(in crate::cli) boards: Boards,
    /// Show the board from Black's side
    #[arg(long)]
    pub(in crate::cli) flip: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Board {
    /// The position, legal or not, as a FEN or as the moves that lead to it (default: the start)
    #[arg(num_args = 0.., value_name = "FEN|MOVES")]
    pub(in crate::cli) fen: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) position: PositionArguments,
    /// Write an SVG picture; - for standard output
    #[arg(short, long, value_name = "FILE", value_parser = picture_path())]
    pub(in crate::cli) output: Option<PathBuf>,
    /// The width and height of the picture, in pixels
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = DEFAULT_PICTURE_PIXELS,
        requires = "output"
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(PICTURE_PIXELS))]
    pub(in crate::cli) size: u32,
    /// Draw the board from Black's side
    #[arg(long)]
    pub(in crate::cli) flip: bool,
    /// The move to mark, by its two squares, like e2e4 (default: the last one of --after)
    #[arg(long, value_name = "SQUARES", value_parser = origin_and_target)]
    pub(in crate::cli) last_move: Option<[Square; 2]>,
    /// Also print the evaluation of the position that this database has
    #[arg(long, value_name = "DATABASE", value_hint = ValueHint::FilePath, conflicts_with = "output")]
    pub(in crate::cli) database: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) boards: Boards,
}

impl Board {
    /// Refuses piece letters without a position.
    ///
    /// # Errors
    /// When piece letters are given without a position.
    pub(in crate::cli) fn check(&self) -> Checked {
        self.position.check(&self.fen)
    }
}

/// The parser of paths of SVG files.
fn picture_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        // `-` and names without an extension are allowed.
        let is_svg = path
            .extension()
            .is_none_or(|extension| extension.eq_ignore_ascii_case("svg"));
        if is_svg {
            Ok(path)
        } else {
            Err("pictures are SVG; give a name that ends in .svg")
        }
    })
}

/// The number of a game, from 1.
fn game_number(text: &str) -> Result<i64, &'static str> {
    match text.trim().parse::<i64>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("give the number of a game, as a search lists it"),
    }
}

/// A number of half-moves.
fn ply(text: &str) -> Result<u32, &'static str> {
    let number = text.trim().parse();
    number.map_err(|_| "give numbers of half-moves like 10,20")
}

/// The origin and target of a move. A promotion piece may follow, as in UCI.
fn origin_and_target(text: &str) -> Result<[Square; 2], &'static str> {
    let without_promotion = text.trim_end_matches(['q', 'r', 'b', 'n']);
    let names = without_promotion.replace('-', "").to_ascii_lowercase();

    let squares = match *names.as_bytes() {
        [file, rank, to_file, to_rank] => {
            let from = Square::from_ascii(file, rank);
            let to = Square::from_ascii(to_file, to_rank);
            from.zip(to)
        }
        _ => None,
    };
    match squares {
        Some((from, to)) => Ok([from, to]),
        None => Err("give two squares like e2e4"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_a_move() {
        let e2e4 = Ok([Square::E2, Square::E4]);
        assert_eq!(origin_and_target("e2e4"), e2e4);
        assert_eq!(origin_and_target("E2-E4"), e2e4);
        assert_eq!(origin_and_target("e7e8q"), Ok([Square::E7, Square::E8]));

        for wrong in ["", "e4", "e2e9", "Nf3", "e2e4e5", "é2e4"] {
            assert!(origin_and_target(wrong).is_err(), "{wrong}");
        }
    }
}
