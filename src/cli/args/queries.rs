//! Arguments of commands that query positions.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::formats::{AnswerFormat, CsvCells};
use super::game_query::{GameQuery, GameSelection};
use super::order::Order;
use super::usage::{Checked, refuse_if};
use super::values::{Letters, THREADS, databases, leading_databases, letters};
use crate::cli::Failure;
use crate::cli::diagrams::Boards;
use crate::cli::say;
use stamma::board::{FenError, Position, Setup};
use stamma::error::Error;
use stamma::game::PartialDate;
use stamma::notation::{read_fen, read_fen_in};
use stamma::query::{
    Reached, ReadPositionError, moves_in_place_of_fen, position_after, read_positions,
};
use stamma::replay::{Problem, Readings};

#[derive(Args, Debug)]
pub(in crate::cli) struct Search {
    /// The database
    database: PathBuf,
    /// Further databases, which are searched as one with the first; then the position, as a FEN or as the moves that
    /// lead to it, like '1. e4 c5'; fields left out at the end of a FEN are not compared
    #[arg(num_args = 1.., value_name = "DATABASE|FEN|MOVES")]
    words: Vec<String>,
    /// Count the games of each position in a list of FENs or EPDs, one per line; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = LISTS_GAMES)]
    pub(in crate::cli) fen_file: Option<PathBuf>,
    /// The number of threads that answer a list (default: one per processor)
    #[arg(long, value_name = "N", requires = "fen_file", value_parser = clap::value_parser!(u16).range(THREADS))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) position: PositionArguments,
    #[command(flatten)]
    pub(in crate::cli) boards: Boards,
    /// The maximum number of games to list, 0 for all (default: 20 in a table, else all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The output format
    #[arg(long, value_enum, default_value_t = SearchFormat::Table)]
    pub(in crate::cli) format: SearchFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    /// With --format pgn: the comment at the match, '' for none (default: found here)
    #[arg(long, value_name = "TEXT")]
    highlight: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) order: Order,
    #[command(flatten)]
    games: GameQuery,
}

/// The ids of options that conflict with a list of positions, since they are for a position or a list of games.
const LISTS_GAMES: [&str; 7] = [
    "fen_option",
    "after",
    "board",
    "limit",
    "highlight",
    "sort",
    "exact",
];

impl Search {
    /// The databases, with the position and the games that are searched.
    ///
    /// # Errors
    /// When options contradict each other, a pattern matches no file, or moves cannot be followed.
    pub(in crate::cli) fn resolve(&self) -> Result<DatabaseRequest, Failure> {
        let (databases, position) = leading_databases(&self.words);
        let games = self
            .games
            .resolve_read_as(self.position.readings().as_ref())?;

        self.csv_cells.check(self.format == SearchFormat::Csv)?;
        self.check_highlight(position, &games)?;
        if self.fen_file.is_some() {
            self.check_list(position, &games)?;
        } else if !self.games.filters.has_moves() {
            self.position.check(position)?;
        }

        DatabaseRequest::new(&self.database, databases, position, games)
    }

    /// The comment at the match.
    pub(in crate::cli) fn comment(&self) -> &str {
        self.highlight.as_deref().unwrap_or("found here")
    }

    /// The maximum number of games to list; a table has `table_games` by default.
    pub(in crate::cli) fn limit(&self, table_games: usize) -> usize {
        match self.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if self.format == SearchFormat::Table => table_games,
            None => usize::MAX,
        }
    }

    /// Refuses a comment at the match if the format has no comments, or the query has no place in a game.
    fn check_highlight(&self, position: &[String], games: &GameSelection) -> Checked {
        let Some(text) = &self.highlight else {
            return Ok(());
        };
        refuse_if(
            self.format != SearchFormat::Pgn,
            "--highlight needs --format pgn",
        )?;

        let has_place = self.position.is_any(position) || games.pattern.is_some();
        refuse_if(
            !has_place && !text.is_empty(),
            "--highlight needs a position or a pattern, whose place it marks",
        )
    }

    /// Refuses arguments that cannot be combined with a list of positions.
    fn check_list(&self, position: &[String], games: &GameSelection) -> Checked {
        refuse_if(
            !position.is_empty(),
            "--fen-file has the positions; give no other",
        )?;
        refuse_if(
            matches!(self.format, SearchFormat::Pgn | SearchFormat::Epd),
            "--fen-file counts games; it has no --format pgn or epd",
        )?;
        refuse_if(
            self.format == SearchFormat::Json,
            "--fen-file has a row per position; use --format jsonl",
        )?;
        refuse_if(
            !games.are_all(),
            "--fen-file counts all games, without filters and patterns",
        )
    }
}

/// The databases to query, with the position and the games.
#[derive(Debug)]
pub(in crate::cli) struct DatabaseRequest {
    /// The paths of the databases.
    pub(in crate::cli) databases: Vec<PathBuf>,
    /// The words of a position, if one is given.
    pub(in crate::cli) position: Vec<String>,
    /// The games.
    pub(in crate::cli) games: GameSelection,
}

impl DatabaseRequest {
    /// A request with the matches of patterns for databases.
    fn new(
        first: &Path,
        further: &[String],
        position: &[String],
        games: GameSelection,
    ) -> Result<DatabaseRequest, Failure> {
        let further = further.iter().map(Path::new);
        let databases = databases(std::iter::once(first).chain(further))?;
        Ok(DatabaseRequest {
            databases,
            position: position.to_vec(),
            games,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SearchFormat {
    /// For reading, with the board
    Table,
    /// One JSON object with all games, as `stamma serve` answers
    Json,
    /// A JSON object per line and game
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// The games, with a comment at the match
    Pgn,
    /// The matching position as EPD; the last one if the search has no position
    Epd,
    /// The number of all games found, whatever --limit says
    Count,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Moves {
    /// The database
    database: PathBuf,
    /// Further databases, which are counted as one with the first; then the position, as a FEN or as the moves that
    /// lead to it, like '1. e4 c5' (default: the start); fields left out at the end of a FEN are not compared
    #[arg(num_args = 0.., value_name = "DATABASE|FEN|MOVES")]
    words: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) position: PositionArguments,
    #[command(flatten)]
    pub(in crate::cli) boards: Boards,
    /// Print a tree of moves, this many half-moves deep. A position has the moves of all games that reach it, by any
    /// order of moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(in crate::cli) depth: Option<u16>,
    /// Leave out moves of fewer games (default: 1; with --depth a hundredth of the games of the first position)
    #[arg(long, value_name = "N")]
    pub(in crate::cli) min_games: Option<u64>,
    /// The output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(in crate::cli) format: AnswerFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    #[command(flatten)]
    games: GameQuery,
}

impl Moves {
    /// The databases, and the position and games whose moves are counted.
    ///
    /// # Errors
    /// When options contradict each other, a pattern matches no file, or moves cannot be followed.
    pub(in crate::cli) fn resolve(&self) -> Result<DatabaseRequest, Failure> {
        let (databases, position) = leading_databases(&self.words);
        let games = self
            .games
            .resolve_read_as(self.position.readings().as_ref())?;

        self.csv_cells.check(self.format == AnswerFormat::Csv)?;
        if !self.games.filters.has_moves() {
            self.position.check(position)?;
        }
        DatabaseRequest::new(&self.database, databases, position, games)
    }
}

/// The options for the position of a query.
#[derive(Args, Debug)]
pub(in crate::cli) struct PositionArguments {
    /// The position after these moves, like '1. e4 c5 2. Nf3', in any notation and language: from the start,
    /// or from the FEN
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
    /// The FEN, as an option
    #[arg(
        id = "fen_option",
        long = "fen",
        alias = "position",
        value_name = "FEN",
        hide = true
    )]
    fen: Option<String>,
    /// The piece letters of FEN and moves: a language like fr, or letters in the order KQRBN and optionally P
    /// (default: detected)
    #[arg(long, value_name = "LANG|LETTERS", value_parser = letters(), hide_possible_values = true)]
    pieces: Option<Letters>,
}

impl PositionArguments {
    /// Refuses piece letters without a position.
    ///
    /// # Errors
    /// When piece letters are given without a position.
    pub(super) fn check(&self, fen: &[String]) -> Checked {
        refuse_if(
            self.pieces.is_some() && !self.is_any(fen),
            "--pieces needs a FEN or moves that are written with these letters",
        )
    }

    /// `true` if a position is given, as a FEN or by moves.
    fn is_any(&self, fen: &[String]) -> bool {
        self.after.is_some() || self.text(fen).is_some()
    }

    /// `true` if moves are given by `--after`, or a FEN by an option.
    pub(super) fn has_moves(&self) -> bool {
        self.is_any(&[])
    }

    /// The FEN, or the moves in its place, as one text. Without quotes, it is several arguments.
    fn text(&self, fen: &[String]) -> Option<String> {
        let parts: Vec<&str> = self.fen.iter().chain(fen).map(String::as_str).collect();
        if parts.is_empty() {
            None
        } else {
            Some(parts.join(" "))
        }
    }

    /// The positions that a FEN matches, or the position after the moves in its place.
    pub(in crate::cli) fn positions(&self, fen: &str) -> Result<Vec<Position>, ReadPositionError> {
        let letters = self
            .pieces
            .as_ref()
            .map(|given| (&*given.text, &given.letters));
        read_positions(fen, letters)
    }

    /// The positions of the query: by a partial FEN, by moves, or both; by default the start position.
    ///
    /// # Errors
    /// When the FEN is invalid, or the moves cannot be followed.
    pub(in crate::cli) fn positions_or_start(
        &self,
        fen: &[String],
    ) -> Result<Vec<Position>, Error> {
        if let Some(reached) = self.reached(fen)? {
            return Ok(vec![reached.position]);
        }
        match self.text(fen) {
            Some(text) => Ok(self.positions(&text)?),
            None => Ok(vec![Position::start()]),
        }
    }

    /// Like [`PositionArguments::positions_or_start`], but `None` by default.
    ///
    /// # Errors
    /// As for [`PositionArguments::positions_or_start`].
    pub(in crate::cli) fn positions_if_any(
        &self,
        fen: &[String],
    ) -> Result<Option<Vec<Position>>, Error> {
        if self.is_any(fen) {
            Ok(Some(self.positions_or_start(fen)?))
        } else {
            Ok(None)
        }
    }

    /// The position after the moves in place of a FEN and the moves of `--after`; `None` without moves. Warns if moves
    /// can be read differently.
    ///
    /// # Errors
    /// When the FEN is not of a legal position, or the moves cannot be followed.
    pub(in crate::cli) fn reached(&self, fen: &[String]) -> Result<Option<Reached>, Error> {
        let readings = self.readings().unwrap_or_default();
        let text = self.text(fen);

        let before = match &text {
            Some(text) => moves_in_place_of_fen(text, &readings)?,
            None => None,
        };
        if let Some(reached) = &before
            && let Some(doubt) = &reached.doubt
        {
            say!("stamma: {doubt}; --pieces settles it");
        }

        let Some(moves) = &self.after else {
            return Ok(before);
        };
        let start = match (before, text) {
            (Some(before), _) => Some(before.position),
            (None, Some(fen)) => Some(self.start(&fen)?),
            (None, None) => None,
        };

        let reached = position_after(start.as_ref(), moves, &readings)
            .map_err(|problem| Error::After(after_error(moves, problem)))?;
        if let Some(doubt) = &reached.doubt {
            say!("stamma: --after: {doubt}; --pieces settles it");
        }
        Ok(Some(reached))
    }

    /// The position after moves from a FEN.
    ///
    /// # Errors
    /// When the FEN is not of a legal position, or the moves cannot be followed.
    pub(in crate::cli) fn after_moves(&self, fen: &str, moves: &str) -> Result<Position, Error> {
        let start = self.start(fen)?;
        let readings = self.readings().unwrap_or_default();

        let played = position_after(Some(&start), moves, &readings);
        let reached = played.map_err(|problem| Error::Moves(problem.message))?;
        Ok(reached.position)
    }

    /// The legal position of a FEN.
    fn start(&self, fen: &str) -> Result<Position, FenError> {
        let setup = match self.setup(fen) {
            Ok(setup) => setup,
            // The given letters may be for the moves only, and the FEN may have English letters.
            Err(error) => Setup::from_fen(fen).map_err(|_| error)?,
        };
        Ok(Position::try_from(&setup)?)
    }

    /// The setup of a FEN, legal or not; `None` if no FEN is given.
    ///
    /// # Errors
    /// When the text is not a FEN.
    pub(in crate::cli) fn setup_if_any(&self, fen: &[String]) -> Result<Option<Setup>, FenError> {
        match self.text(fen) {
            Some(fen) => Ok(Some(self.setup(&fen)?)),
            None => Ok(None),
        }
    }

    /// The setup of a FEN, with the given piece letters.
    fn setup(&self, fen: &str) -> Result<Setup, FenError> {
        if let Some(pieces) = &self.pieces {
            return read_fen_in(fen, &pieces.letters);
        }
        let (setup, _) = read_fen(fen)?;
        Ok(setup)
    }

    /// The readings of moves with the given piece letters; `None` without letters.
    pub(super) fn readings(&self) -> Option<Readings> {
        let pieces = self.pieces.as_ref()?;
        Some(Readings::new(Some((&*pieces.text, &pieces.letters)), None))
    }
}

/// The message for moves of `--after` that cannot be followed. For a date, suggests `--since`.
fn after_error(moves: &str, problem: Problem) -> String {
    match moves.parse::<PartialDate>() {
        Ok(_) => format!("{moves} is no move; --since {moves} asks for the time"),
        Err(_) => problem.message,
    }
}
