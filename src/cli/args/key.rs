//! Arguments of `stamma key`.

use clap::{Args, ValueEnum};

use super::PositionArguments;
use super::usage::UsageError;

#[derive(Args, Debug)]
pub(in crate::cli) struct Key {
    /// The positions, each as a FEN or as the moves that lead to it, like '1. e4 c5' (default: the start); - for a list
    /// on standard input, one per line, where an EPD with `pv` stands for the position after these moves. Words without
    /// quotes are one position; of a FEN without its last fields, the keys of all positions that it matches are printed
    #[arg(num_args = 0.., value_name = "FEN|MOVES")]
    words: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) position: PositionArguments,
    /// The output format
    #[arg(long, value_enum, default_value_t = KeyFormat::Plain)]
    pub(in crate::cli) format: KeyFormat,
}

impl Key {
    /// The positions, each as a single text.
    ///
    /// # Errors
    /// When piece letters are given without a position.
    pub(in crate::cli) fn positions(&self) -> Result<Vec<String>, UsageError> {
        self.position.check(&self.words)?;
        Ok(joined_positions(&self.words))
    }
}

/// Joins words into positions. A word with blanks was quoted, and is a complete position. A `-` outside of a FEN is a
/// list on standard input. The board of a FEN begins the next position.
fn joined_positions(words: &[String]) -> Vec<String> {
    let mut positions: Vec<String> = Vec::new();
    // `true` if the last position may have further words.
    let mut is_open = false;

    for word in words {
        // Within a FEN, `-` means no castling right or no en passant square.
        let is_list = word == "-" && !is_open;
        let is_whole = is_list || word.contains(' ');

        match positions.last_mut() {
            Some(position) if is_open && !is_whole && !begins_fen(word) => {
                *position += " ";
                *position += word;
            }
            _ => positions.push(word.clone()),
        }
        is_open = !is_whole;
    }
    positions
}

/// `true` for the board of a FEN, which has eight ranks.
fn begins_fen(word: &str) -> bool {
    word.matches('/').count() == 7
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum KeyFormat {
    /// A number per line
    Plain,
    /// A JSON object per line: the number, its bits in hexadecimal, the FEN
    Jsonl,
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! joins {
        ($($name:ident: $words:expr => $positions:expr;)*) => {$(
            #[test]
            fn $name() {
                let words: Vec<String> = $words.map(str::to_owned).to_vec();
                let positions: &[&str] = &$positions;
                assert_eq!(joined_positions(&words), positions);
            }
        )*};
    }

    joins! {
        moves_without_quotes: ["1.", "e4", "c5"] => ["1. e4 c5"];
        moves_in_quotes: ["1. e4", "1. d4"] => ["1. e4", "1. d4"];
        a_fen_without_quotes: ["8/8/8/8/8/8/k1K5/8", "w", "-", "-"] => ["8/8/8/8/8/8/k1K5/8 w - -"];
        two_fens_without_quotes: ["8/8/8/8/8/8/k1K5/8", "w", "8/8/8/8/8/8/k2K4/8", "w"] =>
            ["8/8/8/8/8/8/k1K5/8 w", "8/8/8/8/8/8/k2K4/8 w"];
        a_list: ["-"] => ["-"];
        a_list_between: ["1. e4", "-", "1. d4"] => ["1. e4", "-", "1. d4"];
    }
}
