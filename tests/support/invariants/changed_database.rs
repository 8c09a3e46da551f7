//! Databases of other programs with changes in their files.

use std::path::Path;

use stamma::convert::{ConvertOptions, OutputPart, convert};
use stamma::input::Input;

/// Makes the changes that some bytes describe, four each: the file and the kind of change, the place, and a value.
pub(crate) fn change(files: &mut [Vec<u8>], changes: &[u8]) {
    let number = files.len();
    for change in changes.chunks_exact(4) {
        let file = &mut files[usize::from(change[0]) % number];
        let place = usize::from(change[1]) << 8 | usize::from(change[2]);
        let at = place % (file.len() + 1);
        match usize::from(change[0]) / number % 4 {
            0 | 1 => file
                .get_mut(at)
                .into_iter()
                .for_each(|byte| *byte = change[3]),
            2 => file.insert(at, change[3]),
            _ => file.truncate(at),
        }
    }
}

/// Reads a database to its end; returns the size of the text of its games, and their number.
///
/// # Panics
/// If it cannot be read to its end.
pub(crate) fn read(path: &Path) -> (usize, u64) {
    let mut text_bytes = 0;
    let write = |piece: OutputPart<'_>| {
        text_bytes += piece.games().len();
        Ok(())
    };
    let options = ConvertOptions::default();
    let done = convert(&[Input::file(path)], &options, write, |_| Ok(()), |_| ());
    let games = done.expect("a conversion").summary.tally.games;
    (text_bytes, games)
}
