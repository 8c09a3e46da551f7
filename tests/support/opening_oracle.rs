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
        let positions = play_sans(None, cells[0]).expect("the usual start");
        assert_eq!(positions.len(), 1 + cells[0].split(' ').count(), "{line}");
        (positions[positions.len() - 1].clone(), (cells[1], cells[2]))
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
