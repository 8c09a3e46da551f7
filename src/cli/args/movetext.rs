//! Options for cuts of games, and for the layout of the movetext.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::usage::{Checked, refuse_first};
use stamma::export::{Cut, CutStart, MovetextForm, PositionComment};

/// The minimum length of a line. A move number with a long move fits on such a line.
const MIN_LINE_LENGTH: usize = 20;

#[derive(Args, Debug)]
#[command(next_help_heading = "Cuts and layout")]
pub(in crate::cli) struct MovetextArguments {
    /// Write at most N half-moves of each game, and its whole result
    #[arg(long, alias = "plylimit", value_name = "N")]
    ply_limit: Option<u32>,
    /// Leave out the first N half-moves of each game, which then begins from a FEN; with -N, all but the last N
    #[arg(
        long,
        alias = "dropply",
        value_name = "N",
        conflicts_with = "drop_before"
    )]
    #[arg(allow_negative_numbers = true)]
    drop_ply: Option<i32>,
    /// Leave out the half-moves up to the first comment that contains this text; games without it stay whole
    #[arg(long, alias = "dropbefore", value_name = "TEXT")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    drop_before: Option<String>,
    /// The maximum number of characters on a line of moves, or 0 for one line a game
    #[arg(long, alias = "linelength", value_name = "N")]
    #[arg(default_value_t = MovetextForm::DEFAULT_LINE_LENGTH, value_parser = line_length)]
    line_length: usize,
    /// Leave out move numbers
    #[arg(long, alias = "nomovenumbers")]
    no_move_numbers: bool,
    /// Leave out + and # behind moves
    #[arg(long, alias = "nochecks")]
    no_checks: bool,
    /// Leave out the result behind the moves; the tag Result stays
    #[arg(long, alias = "noresults")]
    no_results: bool,
    /// Write each comment on lines of its own
    #[arg(long, alias = "commentlines")]
    comment_lines: bool,
    /// Write the FEN of the position behind each move, as a comment
    #[arg(long, alias = "fencomments")]
    fen_comments: bool,
    /// Write the Polyglot key of the position behind each move, as a comment of 16 hexadecimal digits
    #[arg(long, alias = "hashcomments", conflicts_with = "fen_comments")]
    hash_comments: bool,
}

impl MovetextArguments {
    /// The half-moves to write.
    pub(in crate::cli) fn cut(&self) -> Cut {
        Cut {
            start: self.cut_start(),
            max_plies: self.ply_limit,
        }
    }

    /// The place at which the written part begins.
    fn cut_start(&self) -> CutStart {
        // clap refuses --drop-before beside --drop-ply.
        if let Some(text) = &self.drop_before {
            return CutStart::Comment(text.clone());
        }

        match self.drop_ply {
            // A negative number counts from the end of the game.
            Some(plies) if plies < 0 => CutStart::End(plies.unsigned_abs()),
            Some(plies) => CutStart::Plies(plies.unsigned_abs()),
            None => CutStart::Game,
        }
    }

    /// The layout of the movetext.
    pub(in crate::cli) fn form(&self) -> MovetextForm {
        let position_comments = if self.fen_comments {
            Some(PositionComment::Fen)
        } else if self.hash_comments {
            Some(PositionComment::PolyglotKey)
        } else {
            None
        };

        let line_length = match self.line_length {
            0 => None,
            length => Some(length),
        };
        MovetextForm {
            line_length,
            has_move_numbers: !self.no_move_numbers,
            has_check_signs: !self.no_checks,
            has_termination: !self.no_results,
            has_comment_lines: self.comment_lines,
            position_comments,
        }
    }

    /// Refuses options that only PGN supports.
    ///
    /// # Errors
    /// When such an option is given.
    pub(in crate::cli) fn check_not_pgn(&self) -> Checked {
        refuse_first([
            (self.ply_limit.is_some(), "--ply-limit needs --format pgn"),
            (self.drop_ply.is_some(), "--drop-ply needs --format pgn"),
            (
                self.drop_before.is_some(),
                "--drop-before needs --format pgn",
            ),
            // The option has a default, so only a length other than the default is known to be given.
            (
                self.line_length != MovetextForm::DEFAULT_LINE_LENGTH,
                "--line-length needs --format pgn",
            ),
            (self.no_move_numbers, "--no-move-numbers needs --format pgn"),
            (self.no_checks, "--no-checks needs --format pgn"),
            (self.no_results, "--no-results needs --format pgn"),
            (self.comment_lines, "--comment-lines needs --format pgn"),
            (self.fen_comments, "--fen-comments needs --format pgn"),
            (self.hash_comments, "--hash-comments needs --format pgn"),
        ])
    }

    /// Refuses options that the PGN standard does not allow.
    ///
    /// # Errors
    /// When such an option is given.
    pub(in crate::cli) fn check_strict(&self) -> Checked {
        let allowed_lengths = 1..=MovetextForm::DEFAULT_LINE_LENGTH;
        let is_too_long = !allowed_lengths.contains(&self.line_length);

        // The rows are rules of the export format: PGN §8.2.1, §8.2.2, §8.2.3.5 and §8.2.6.
        refuse_first([
            (
                is_too_long,
                "--strict needs a --line-length from 20 to 79: lines have fewer than 80 characters",
            ),
            (
                self.no_move_numbers,
                "--strict cannot be used with --no-move-numbers: the standard has move numbers",
            ),
            (
                self.no_checks,
                "--strict cannot be used with --no-checks: the standard has the signs of check",
            ),
            (
                self.no_results,
                "--strict cannot be used with --no-results: each game ends with its result",
            ),
        ])
    }
}

/// The length of a line; 0 means no limit.
fn line_length(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(length) if length == 0 || length >= MIN_LINE_LENGTH => Ok(length),
        _ => Err(format!(
            "expected a number from {MIN_LINE_LENGTH}, or 0 for one line a game"
        )),
    }
}
