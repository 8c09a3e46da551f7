//! The lines of a repertoire as moves.

use super::{Repertoire, RepertoireMove};

impl Repertoire {
    /// The moves of the line by which a position is first met, with the positions in which they are played.
    pub fn line(&self, at: usize) -> Vec<(usize, &RepertoireMove)> {
        self.line_end(at, usize::MAX)
    }

    /// The last moves of the line by which a position is first met, at most `most`.
    pub fn line_end(&self, at: usize, most: usize) -> Vec<(usize, &RepertoireMove)> {
        let mut line = Vec::new();
        let mut here = at;
        while line.len() < most
            && let Some((before, mv)) = self.positions[here].parent
        {
            line.push((before, &self.positions[before].moves[mv]));
            here = before;
        }
        line.reverse();
        line
    }

    /// The moves of the line to a position as text. It is empty at the start of a line.
    pub fn line_text(&self, at: usize) -> String {
        self.text(&self.line(at))
    }

    /// Moves of a line as text with move numbers: `1. e4 c5 2. Nf3`.
    pub fn text(&self, line: &[(usize, &RepertoireMove)]) -> String {
        let mut text = String::new();
        for &(before, mv) in line {
            if !text.is_empty() {
                text.push(' ');
            }
            let position = &self.positions[before].position;
            if position.turn().is_white() || text.is_empty() {
                text.push_str(&self.move_number(before));
                text.push(' ');
            }
            text.push_str(&mv.san);
        }
        text
    }

    /// The number of the next move in a position: `9.`, or `9...` for Black.
    pub fn move_number(&self, at: usize) -> String {
        let position = &self.positions[at].position;
        let dots = if position.turn().is_white() {
            "."
        } else {
            "..."
        };
        format!("{}{dots}", position.fullmove_number())
    }

    /// The positions in which lines end, in the order of all positions.
    pub fn ends(&self) -> impl Iterator<Item = usize> {
        let is_end = |at: &usize| self.positions[*at].is_end();
        (0..self.positions.len()).filter(is_end)
    }
}
