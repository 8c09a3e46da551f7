//! Databases of other programs with changes in their files.

use std::path::Path;

use stamma::convert::{ConvertOptions, OutputPart, convert};
use stamma::input::Input;

/// Makes the changes that some bytes describe, four each: the file and the kind of change, the place, and a value.
pub(crate) fn change(files: &mut [Vec<u8>], changes: &[u8]) {
    let count = files.len();
    for change in changes.chunks_exact(4) {
        let [file_and_kind, high, low, value] = [change[0], change[1], change[2], change[3]];
        let file = &mut files[usize::from(file_and_kind) % count];
        let kind = usize::from(file_and_kind) / count % 4;
        // The end of the file is a place, too: there a byte can be added.
        let at = usize::from(u16::from_be_bytes([high, low])) % (file.len() + 1);

        match kind {
            0 | 1 => {
                if let Some(byte) = file.get_mut(at) {
                    *byte = value;
                }
            }
            2 => file.insert(at, value),
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
    let write = |part: OutputPart<'_>| {
        text_bytes += part.games().len();
        Ok(())
    };
    let options = ConvertOptions::default();
    let done = convert(&[Input::file(path)], &options, write, |_| Ok(()), |_| ());

    let summary = done.expect("a conversion").summary;
    (text_bytes, summary.tally.games)
}
