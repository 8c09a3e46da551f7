//! What can be asked for by positions.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ListFormat;
use crate::board::{FenError, Position};
use crate::notation::PieceLetters;
use crate::query::positions_meant;

#[derive(Args, Debug)]
pub(in crate::cli) struct Search {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The position as a FEN; fields left out at its end are not compared
    #[arg(required_unless_present = "fen_file", num_args = 1..)]
    pub(in crate::cli) fen: Vec<String>,
    /// Count the games of each position in a list of FENs or EPDs, one a line, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub(in crate::cli) fen_file: Option<PathBuf>,
    /// How many threads answer a list (default: as many as there are processors)
    #[arg(long, value_name = "N", requires = "fen_file", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) asked: Asked,
    /// The most games to list, 0 for all (default: 20 in a table, else all)
    #[arg(long, value_name = "N")]
    pub(in crate::cli) limit: Option<usize>,
    /// How the games are listed
    #[arg(long, value_enum, default_value_t = SearchFormat::Table)]
    pub(in crate::cli) format: SearchFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SearchFormat {
    /// For people, with the board
    Table,
    /// A JSON object a line and game
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// The number of games, and nothing else
    Count,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Moves {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The position as a FEN (default: the start); fields left out at its end are not compared
    #[arg(num_args = 0..)]
    pub(in crate::cli) fen: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) asked: Asked,
    /// List what was played after each move, too, so many half-moves deep; a position has the moves of all
    /// games that reach it, in whatever order of moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(in crate::cli) depth: Option<u16>,
    /// Leave out moves of fewer games (default: of fewer than one in a hundred of the first position's)
    #[arg(long, value_name = "N", requires = "depth")]
    pub(in crate::cli) min_games: Option<u64>,
    /// How the moves are listed
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub(in crate::cli) format: ListFormat,
}

/// How positions are asked for.
#[derive(Args, Debug)]
pub(in crate::cli) struct Asked {
    /// The piece letters of FENs: a language like fr, or letters in the order KQRBN and P (default:
    /// they are found out)
    #[arg(long, value_name = "LANG|LETTERS", value_parser = PieceLetters::parse)]
    pieces: Option<PieceLetters>,
}

impl Asked {
    /// The positions that a FEN stands for.
    pub(in crate::cli) fn positions(&self, fen: &str) -> Result<Vec<Position>, FenError> {
        positions_meant(fen, self.pieces.as_ref())
    }
}
