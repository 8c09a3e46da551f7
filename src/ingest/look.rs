//! Checks if an input has a game.

use super::batch::Batch;
use super::batches::{ReadOptions, of_file, of_stream};
use super::in_memory;
use crate::error::{Error, Result};
use crate::input::{Content, Input, Source};

/// Returns `true` if an input has a game. Only the beginning of a stream is examined: a longer stream without a game in
/// the beginning counts as an input with a game.
///
/// # Errors
/// If the input cannot be read, and the readable part has no game.
pub fn has_game(input: &mut Input, options: ReadOptions) -> Result<bool> {
    // A stream can be read only once, so only its beginning is examined. `is_all` is `false` if the stream is longer.
    let (sources, is_all) = input.examine()?;

    let mut first_failure = None;
    for source in sources {
        match source.and_then(|source| source_has_game(source, options)) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) => _ = first_failure.get_or_insert(error),
        }
    }

    match first_failure {
        Some(error) if is_all => Err(error),
        _ => Ok(!is_all),
    }
}

/// Returns `true` if a source has a game.
fn source_has_game(source: Source, options: ReadOptions) -> Result<bool> {
    let mut failure = None;
    let mut is_too_large = false;
    let mut is_found = |batch: &Batch<'_>| {
        is_too_large |= batch.ends_large_game();
        batch.has_game()
    };

    let has_game = match source.content {
        Content::Mapped(file) => of_file(&file, options).any(|batch| {
            file.release(in_memory(batch.origin()));
            is_found(&batch)
        }),
        Content::Stream(stream) => {
            of_stream(stream, options, &mut failure).any(|batch| is_found(&batch))
        }
    };

    if has_game {
        return Ok(true);
    }

    match failure {
        Some(error) => Err(Error::stream(&source.name, 0, error)),
        None if is_too_large => Err(Error::OnlyLargeGames(source.name)),
        None => Ok(false),
    }
}
