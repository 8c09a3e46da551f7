//! Pattern options: positions or moves that occur somewhere in a game.

use std::num::NonZeroU32;

use clap::Args;

use super::usage::{UsageError, refuse_if};
use super::values::offered;
use stamma::query::{BoardPattern, Flip, Material, MoveSequence, PositionParts, PositionQuery};

/// The values of `--flip`.
const MIRRORS: [&str; 3] = ["colour", "left-right", "both"];

/// Patterns that a position of the game must match, all of them in the same position.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Patterns")]
pub(in crate::cli) struct Patterns {
    /// A board as in a FEN: ? any piece or none, ! any piece, _ or a digit empty squares, A and a any white or black
    /// piece, [NB] a knight or a bishop, * any number of squares; missing squares at the end match anything
    #[arg(long, value_name = "BOARD", value_parser = BoardPattern::parse)]
    pattern: Option<BoardPattern>,
    /// The material: exactly, as KRPkr, or conditions such as 'Q>=1 q=0 pieces<=7 bishops=opposite'
    #[arg(long, value_name = "MATERIAL", value_parser = Material::parse)]
    material: Option<Material>,
    /// Also find mirrored forms: colour, left-right or both
    #[arg(long, value_name = "MIRROR", value_parser = offered(MIRRORS, Flip::parse))]
    #[arg(hide_possible_values = true)]
    flip: Option<Flip>,
    /// The number of consecutive positions, one per half-move, in which the pattern must hold (default: 1)
    #[arg(long = "for", value_name = "N", value_parser = positions)]
    positions: Option<NonZeroU32>,
    /// Consecutive moves, like 'Bxh7+ Kxh7 Ng5+'
    #[arg(long, value_name = "MOVES", value_parser = MoveSequence::parse)]
    #[arg(allow_hyphen_values = true)]
    moves_through: Option<MoveSequence>,
}

impl Patterns {
    /// The pattern of all options; `None` without options.
    ///
    /// # Errors
    /// When an option is given that needs a pattern.
    pub(super) fn resolve(&self) -> Result<Option<PositionQuery>, UsageError> {
        let has_pattern =
            self.pattern.is_some() || self.material.is_some() || self.moves_through.is_some();
        if !has_pattern {
            refuse_if(
                self.flip.is_some() || self.positions.is_some(),
                "--flip and --for need --pattern, --material or --moves-through",
            )?;
            return Ok(None);
        }

        let parts = PositionParts {
            pattern: self.pattern.clone(),
            material: self.material.clone(),
            through: self.moves_through.clone(),
            positions: self.positions.unwrap_or(NonZeroU32::MIN),
            flip: self.flip.unwrap_or_default(),
        };
        Ok(Some(PositionQuery::new(&parts)))
    }
}

/// A number of consecutive positions, from 1.
fn positions(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse()
        .map_err(|_| "give a number of positions, 1 or more")
}
