//! A position as people see it.

use crate::board::{Position, Square};

/// A position as a diagram of eight ranks with figurines and a line of files, White below; no line
/// break at the end.
pub fn diagram(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        text.push((b'1' + rank) as char);
        for file in 0..8 {
            text.push(' ');
            let piece = position.piece_at(Square::at(file, rank));
            text.push(piece.map_or('·', |piece| piece.figurine()));
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h");
    text
}
