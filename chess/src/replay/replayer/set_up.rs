//! Sets up the variant and start position given by the tags.

use super::{FNV_OFFSET, Replayer, fnv};
use crate::board::{FenError, Position};
use crate::game::{Variant, tag_value};
use crate::notation::read_fen;
use crate::replay::tag_fault::{start_in, tag_faults};
use crate::replay::{PositionKey, ProblemKind};

impl Replayer<'_> {
    /// Sets up the game; the movetext begins at `at`.
    pub(super) fn set_up(&mut self, at: usize) {
        self.variant = tag_value(&self.tags, "Variant")
            .map(Variant::from_tag)
            .unwrap_or_default();

        self.problems.extend(tag_faults(self.text, &self.tags));

        if self.variant == Variant::Other {
            return self.refuse_variant(at);
        }

        if let Some(fen) = tag_value(&self.tags, "FEN").map(str::to_owned) {
            match start_position(&fen) {
                Ok(position) => {
                    self.lines.set(position.clone());
                    self.start = Some(position);
                }
                Err(error) => return self.refuse_fen(&fen, &error, at),
            }
        }

        let start_key = PositionKey::new(self.position(), self.variant);
        self.moves_hash = fnv(FNV_OFFSET, start_key.0);
        self.visit();
    }

    /// Keeps the moves of a variant that is not chess as text.
    fn refuse_variant(&mut self, at: usize) {
        let name = tag_value(&self.tags, "Variant")
            .unwrap_or_default()
            .to_owned();
        let message = format!("the variant {name} is not chess; its moves are kept as text");
        let value_at = self.value_at("Variant");

        self.problem(ProblemKind::UnsupportedVariant, value_at, &name, message);
        self.broken = Some(at);
    }

    /// Keeps the moves of a game whose FEN is not a legal position as text.
    fn refuse_fen(&mut self, fen: &str, error: &FenError, at: usize) {
        let message = format!("the game's start cannot be set up: {error}");
        let value_at = self.value_at("FEN");

        self.problem(ProblemKind::InvalidFen, value_at, fen, message);
        self.broken = Some(at);
    }

    /// The offset of the value of the first tag with this name.
    fn value_at(&self, name: &str) -> usize {
        let Some(tag) = self.tags.iter().find(|tag| tag.name == name) else {
            return 0;
        };

        let name_at = start_in(self.text, &tag.name);
        let from_name = self.text.get(name_at..).unwrap_or_default();

        match from_name.find('"') {
            Some(quote) => name_at + quote + 1,
            None => name_at,
        }
    }
}

/// Parses a FEN in the letters of any language.
fn start_position(fen: &str) -> Result<Position, FenError> {
    let error = match Position::from_fen(fen) {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };

    // If no language fits, the fault in English letters is reported.
    let Ok((setup, _)) = read_fen(fen) else {
        return Err(error);
    };

    Ok(Position::try_from(&setup)?)
}

#[cfg(test)]
mod tests {
    use crate::replay::{ProblemKind, replay};

    macro_rules! stands_at {
        ($($name:ident: $text:expr => $places:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut problems = replay($text).problems;
                let of_names = [ProblemKind::MissingSetUp, ProblemKind::RepeatedTag];
                problems.retain(|problem| !of_names.contains(&problem.kind));
                let places = problems.iter().map(|problem| (problem.at, problem.text.as_str()));
                assert_eq!(places.collect::<Vec<(usize, &str)>>(), $places);
            }
        )*};
    }

    stands_at! {
        no_fen: "[White \"A\"]\n[FEN \"8/x\"]\n\n*" => [(18, "8/x")];
        no_fen_before_a_fault: "[FEN \"8/x\"]\n[a\n\n*" => [(6, "8/x"), (12, "[a")];
        no_chess: "[Variant \"Atomic\"]\n[FEN \"8/x\"]\n\n*" => [(10, "Atomic")];
        the_first_of_two: "[FEN \"8/x\"]\n[FEN \"8/y\"]\n\n*" => [(6, "8/x")];
    }
}
