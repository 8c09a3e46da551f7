//! Arguments of `stamma repertoire`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::filters::Filters;
use super::formats::CsvCells;
use super::usage::{Checked, UsageError, refuse_if};
use stamma::board::Color;
use stamma::game::PartialDate;
use stamma::study::repertoire::{DepartureKind, NewGames, RepertoireQuery};

/// The maximum number of rows of a list by default.
const DEFAULT_ROWS: usize = 20;

#[derive(Args, Debug)]
pub(in crate::cli) struct Repertoire {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The repertoire: PGN files, all variations included, or lists with a FEN or an EPD on each line; - for standard
    /// input
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// The side that the repertoire is for (default: the side with a single move in nearly all of its positions)
    #[arg(long = "as", value_name = "SIDE", value_enum)]
    side: Option<Side>,
    /// The list to print: departures (positions and moves with which games leave), gaps (moves of the opponent without
    /// an answer), lines (to their ends), games, or mistakes (bad moves of the repertoire, and of the opponent without
    /// an answer, by the evaluations of the database)
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = RepertoireList::Departures)]
    #[arg(hide_possible_values = true)]
    pub(in crate::cli) list: RepertoireList,
    /// Only departures by: opponent (a move without an answer), own (another move than the repertoire), end-of-line,
    /// end-of-game or return
    #[arg(
        long,
        value_name = "WHO",
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true
    )]
    by: Vec<Leaver>,
    /// Only departures, gaps and lines of at least N games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(in crate::cli) min_games: u64,
    /// With --list mistakes: own moves that lose at least N centipawns; moves that Lichess would call inaccuracies are
    /// listed anyway
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    pub(in crate::cli) min_loss: i32,
    /// Only moves played in at least P per cent of the games that reach the position
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = per_cent)]
    pub(in crate::cli) min_share: f64,
    /// The order: use (moves of the opponent without an answer first, then ends of lines, then other moves of the
    /// repertoire's side; the most games first), games (the most first) or line (as the repertoire has them)
    #[arg(long, value_name = "KEY", value_enum, default_value_t = RepertoireOrder::Use)]
    #[arg(hide_possible_values = true)]
    pub(in crate::cli) sort: RepertoireOrder,
    /// Count games, too, that leave on the way that all lines share
    #[arg(long)]
    whole: bool,
    /// Only games of the source that was imported last
    #[arg(long, conflicts_with = "source")]
    new: bool,
    /// Only games of this date or later: 2026, 2026.11 or 2026.11.01
    #[arg(long, value_name = "DATE")]
    new_since: Option<PartialDate>,
    /// Only games of this source, by its path, the name of its file or its number
    #[arg(long, value_name = "NAME")]
    source: Vec<String>,
    /// The maximum number of rows or games, 0 for all (default: 20, but all games as PGN)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The output format
    #[arg(long, value_enum, default_value_t = RepertoireFormat::Table)]
    pub(in crate::cli) format: RepertoireFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    /// The output file
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Side {
    /// White
    White,
    /// Black
    Black,
}

/// The list that a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RepertoireList {
    /// Where games leave
    Departures,
    /// Moves of the opponent without an answer
    Gaps,
    /// The lines to their ends
    Lines,
    /// The games
    Games,
    /// Bad moves of the repertoire
    Mistakes,
}

/// The kinds of departures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Leaver {
    /// By a move of the opponent without an answer
    Opponent,
    /// By another move than the repertoire
    Own,
    /// Where the line ends
    EndOfLine,
    /// Where the game ends
    EndOfGame,
    /// Back to an earlier position
    Return,
}

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RepertoireOrder {
    /// What calls for work on the repertoire first
    Use,
    /// The most games first
    Games,
    /// As the repertoire has them
    Line,
}

/// The output format of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RepertoireFormat {
    /// For reading
    Table,
    /// One JSON object with departures and lines, as `stamma serve` answers
    Json,
    /// A JSON object per row
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// The games as PGN, with a comment where each leaves the repertoire
    Pgn,
    /// The repertoire as PGN, with counts, results and the best games as comments
    Annotated,
}

impl Repertoire {
    /// The side, if it is given.
    pub(in crate::cli) fn side(&self) -> Option<Color> {
        self.side.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        })
    }

    /// The maximum number of rows to list.
    pub(in crate::cli) fn limit(&self) -> usize {
        let is_pgn = self.format == RepertoireFormat::Pgn;
        match self.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if is_pgn => usize::MAX,
            None => DEFAULT_ROWS,
        }
    }

    /// `true` if games count that leave the repertoire within the moves that all lines share.
    pub(in crate::cli) fn is_whole(&self) -> bool {
        self.whole
    }

    /// `true` if a kind of departures is requested.
    pub(in crate::cli) fn includes(&self, kind: DepartureKind) -> bool {
        let leaver = match kind {
            DepartureKind::Opponent => Leaver::Opponent,
            DepartureKind::Own => Leaver::Own,
            DepartureKind::EndOfLine => Leaver::EndOfLine,
            DepartureKind::EndOfGame => Leaver::EndOfGame,
            DepartureKind::Return => Leaver::Return,
        };
        self.by.is_empty() || self.by.contains(&leaver)
    }

    /// The query.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn query(&self) -> Result<RepertoireQuery, UsageError> {
        self.csv_cells.check(self.format == RepertoireFormat::Csv)?;
        self.check_list()?;

        let mut filter = self.filters.resolve()?;
        // A game must match --since and --new-since, so the later date counts. No date is before all dates.
        filter.since = filter.since.max(self.new_since);

        let new_games = match &self.source[..] {
            [] if self.new => Some(NewGames::LastSource),
            [] => None,
            names => Some(NewGames::Sources(names.to_vec())),
        };
        Ok(RepertoireQuery {
            filter,
            new_games,
            whole: self.whole,
            ..RepertoireQuery::default()
        })
    }

    /// Refuses a list that the format does not support, and kinds of departures for a list without departures.
    fn check_list(&self) -> Checked {
        let is_by = !self.by.is_empty();
        let is_list = self.list != RepertoireList::Departures;
        let is_mistakes = self.list == RepertoireList::Mistakes;

        refuse_if(
            self.format == RepertoireFormat::Annotated && (is_list || is_by),
            "--format annotated writes the repertoire; --list and --by are for lists",
        )?;
        refuse_if(
            self.format == RepertoireFormat::Pgn && self.list == RepertoireList::Lines,
            "--format pgn writes games; for the lines themselves, use --format annotated",
        )?;
        refuse_if(
            self.format == RepertoireFormat::Json && self.list == RepertoireList::Games,
            "--format json has departures and lines; for games, use --format jsonl",
        )?;
        refuse_if(
            is_mistakes && matches!(self.format, RepertoireFormat::Json | RepertoireFormat::Pgn),
            "--list mistakes is a list of moves; use --format table, jsonl or csv",
        )?;

        refuse_if(
            is_by && is_mistakes,
            "--list mistakes has moves of the repertoire; leave --by out",
        )?;
        refuse_if(
            is_by && self.list == RepertoireList::Gaps,
            "--list gaps has moves of the opponent only; leave --by out",
        )?;
        refuse_if(
            is_by && self.list == RepertoireList::Lines,
            "--list lines has all games that reach the end of a line; leave --by out",
        )
    }
}

/// A number from 0 to 100.
fn per_cent(text: &str) -> Result<f64, &'static str> {
    let number = text.trim().trim_end_matches('%').trim_end();

    // Rust also parses "NaN", which is in no range.
    let share = number.parse::<f64>().unwrap_or(f64::NAN);
    if (0.0..=100.0).contains(&share) {
        Ok(share)
    } else {
        Err("give a number from 0 to 100")
    }
}
