//! The plain twin of the names of openings: the table played through by shakmaty, and looked up position by position.

use std::collections::HashMap;
use std::sync::LazyLock;

use stamma::openings::Openings;

use super::filter_oracle::play_sans;

/// The start position and the first 40 half-moves: the positions that the program looks up.
const MAX_POSITIONS: usize = 41;

/// Code and name of positions as EPD.
static TABLE: LazyLock<HashMap<String, (&str, &str)>> = LazyLock::new(|| {
    let lines = Openings::STANDARD_LINES.lines();
    let entry = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let (moves, code, name) = (cells[0], cells[1], cells[2]);
        let positions = play_sans(None, moves).expect("the usual start");
        // A move that cannot be played would end the line before its position.
        let plies = moves.split(' ').count();
        assert_eq!(positions.len(), 1 + plies, "{line}");

        let last = positions[plies].clone();
        (last, (code, name))
    };
    lines.map(entry).collect()
});

/// The code and the name of the last position of a mainline that has a name.
pub(crate) fn opening(positions: &[String]) -> Option<(&'static str, &'static str)> {
    let first_positions = positions.iter().take(MAX_POSITIONS);
    first_positions
        .rev()
        .find_map(|epd| TABLE.get(epd).copied())
}
