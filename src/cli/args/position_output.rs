//! Options for positions that are written in place of games.

use clap::Args;

use super::filters::bounds;
use super::usage::{Checked, refuse_first, refuse_if};
use super::values::move_opcode;
use stamma::export::{MoveOpcode, PositionFormat, PositionWriter, Positions};
use stamma::query::Bounds;

/// The reason why formats of positions are refused with another notation.
pub(super) const NOTATION_OF_POSITIONS: &str =
    "--notation and --pieces need --format pgn, jsonl or csv: moves of positions are SAN and UCI";

#[derive(Args, Debug)]
#[command(next_help_heading = "Positions")]
pub(in crate::cli) struct PositionOutput {
    /// With a format of positions: write every position of the mainline (default: the last one)
    #[arg(long)]
    every_position: bool,
    /// With a format of positions: write those after a number of half-moves: 16..80, ..40, 10 (or more) or =0
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    at_plies: Option<Bounds>,
    /// With a format of positions: write those whose side to move is not in check and plays no capture and no promotion
    #[arg(long)]
    quiet_positions: bool,
    /// With a format of positions: write each position once, where it comes first
    #[arg(long)]
    unique_positions: bool,
    /// With --format epd: also write the move played, as pm (predicted move) or sm (supplied move)
    #[arg(long, value_name = "OPCODE", value_parser = move_opcode())]
    epd_move: Option<MoveOpcode>,
}

impl PositionOutput {
    /// The writer for a format.
    pub(in crate::cli) fn writer(&self, format: PositionFormat) -> PositionWriter {
        let format = match format {
            PositionFormat::Epd(_) => PositionFormat::Epd(self.epd_move),
            other => other,
        };
        let positions = if self.has_whole_mainline() {
            self.mainline_positions()
        } else {
            Positions::Last
        };
        PositionWriter { format, positions }
    }

    /// `true` to write each position once.
    pub(in crate::cli) fn is_unique(&self) -> bool {
        self.unique_positions
    }

    /// `true` if positions of the whole mainline are requested, not only the last position.
    fn has_whole_mainline(&self) -> bool {
        self.every_position || self.at_plies.is_some() || self.quiet_positions
    }

    /// The positions of the mainline that match the options.
    fn mainline_positions(&self) -> Positions {
        let plies = self.at_plies.map_or(0..=u64::MAX, Bounds::range);
        Positions::Every {
            plies,
            quiet: self.quiet_positions,
        }
    }

    /// Refuses options that a format does not support. `format` is `None` for formats of games.
    ///
    /// # Errors
    /// When such an option is given.
    pub(super) fn check(&self, format: Option<PositionFormat>) -> Checked {
        let is_epd = matches!(format, Some(PositionFormat::Epd(_)));
        refuse_if(
            self.epd_move.is_some() && !is_epd,
            "--epd-move needs --format epd",
        )?;
        refuse_if(
            self.epd_move.is_some() && !self.has_whole_mainline(),
            "--epd-move needs --every-position: no move is played in the last position",
        )?;
        if format.is_some() {
            return Ok(());
        }

        refuse_first([
            (
                self.every_position,
                "--every-position needs --format fen, epd or positions-jsonl",
            ),
            (
                self.at_plies.is_some(),
                "--at-plies needs --format fen, epd or positions-jsonl",
            ),
            (
                self.quiet_positions,
                "--quiet-positions needs --format fen, epd or positions-jsonl",
            ),
            (
                self.unique_positions,
                "--unique-positions needs --format fen, epd or positions-jsonl",
            ),
        ])
    }
}
