//! Options for the notation and format of games and lists.

use clap::{Args, ValueEnum};

use super::usage::{Checked, refuse_if};
use super::values::{
    Letters, input_encoding, languages, letters, notation, offered, output_encoding,
};
use stamma::export::ByteStyle;
use stamma::input::Encoding;
use stamma::notation::{Notation, PieceLetters, Style};
use stamma::replay::Readings;

/// The options for reading games.
#[derive(Args, Debug)]
pub(in crate::cli) struct GamesRead {
    /// The piece letters of all games: a language like `fr`, or letters in the order K Q R B N and optionally P, like
    /// KDTLS or Кр,Ф,Л,С,К (default: detected for each game)
    #[arg(long, value_name = "LANG|LETTERS", value_parser = letters(), hide_possible_values = true)]
    input_pieces: Option<Letters>,
    /// The notation of all games: san, fide, lan, full, coordinate, uci, iccf or descriptive (default: detected for
    /// each game)
    #[arg(long, value_name = "NAME", value_parser = notation())]
    input_notation: Option<Notation>,
    /// The encoding of all input without a byte order mark: latin1, windows-1250, cp437, koi8-r, utf-16le and others
    /// (default: detected for each game)
    #[arg(long, value_name = "NAME", value_parser = input_encoding)]
    pub(in crate::cli) input_encoding: Option<Encoding>,
}

impl GamesRead {
    /// The readings of moves with the given letters and notation.
    pub(in crate::cli) fn readings(&self) -> Readings {
        let letters = self
            .input_pieces
            .as_ref()
            .map(|given| (&*given.text, &given.letters));
        Readings::new(letters, self.input_notation)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ListFormat {
    /// For reading
    Table,
    /// A JSON object per line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

/// The output format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum AnswerFormat {
    /// For reading
    Table,
    /// One JSON object with everything, as `stamma serve` answers
    Json,
    /// A JSON object per line and row
    Jsonl,
    /// Comma-separated values with a header, a line per row
    Csv,
}

/// The option for the cells of comma-separated values.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(in crate::cli) struct CsvCells {
    /// With --format csv: put an apostrophe before cells that a spreadsheet would take for formulas, which begin with
    /// =, +, -, @, a tab or a carriage return and are not numbers
    #[arg(long)]
    pub(in crate::cli) escape_formulas: bool,
}

impl CsvCells {
    /// Refuses the option with other formats than comma-separated values.
    ///
    /// # Errors
    /// When the option is given with another format.
    pub(super) fn check(self, is_csv: bool) -> Checked {
        refuse_if(
            self.escape_formulas && !is_csv,
            "--escape-formulas needs --format csv",
        )
    }
}

/// The output format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ReportFormat {
    /// For reading in a terminal
    Text,
    /// Markdown
    Md,
    /// A page of HTML that needs no other file
    Html,
    /// The numbers as JSON
    Json,
}

/// The options for the notation and the encoding of games.
#[derive(Args, Debug)]
pub(in crate::cli) struct GameForm {
    /// The notation of moves
    #[arg(long, value_name = "NAME", default_value = "san", value_parser = notation())]
    notation: Notation,
    /// The piece letters: a language like fr, figurine, or letters in the order KQRBN
    #[arg(
        long,
        value_name = "LETTERS",
        default_value = "en",
        hide_possible_values = true
    )]
    #[arg(value_parser = offered(languages(), PieceLetters::parse))]
    pieces: PieceLetters,
    /// The encoding: utf-8, latin1, windows-1252, cp437, koi8-r and others; `?` replaces characters that it lacks
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = output_encoding)]
    output_encoding: Encoding,
    /// End lines with carriage return and line feed
    #[arg(long)]
    crlf: bool,
}

impl GameForm {
    /// The style of moves.
    pub(in crate::cli) fn style(&self) -> Style<'_> {
        Style {
            notation: self.notation,
            letters: &self.pieces,
            chess960: false,
        }
    }

    /// The encoding and the line ends.
    pub(in crate::cli) fn byte_style(&self) -> ByteStyle {
        ByteStyle {
            encoding: self.output_encoding,
            crlf: self.crlf,
        }
    }
}
