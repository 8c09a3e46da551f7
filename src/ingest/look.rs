//! Looks for a game in an input.

use super::batch::Batch;
use super::batches::{ReadOptions, of_file, of_stream};
use super::in_memory;
use crate::error::{Error, Result};
use crate::input::{Content, Input, Source};

/// Returns `true` if an input has a game, or may have one beyond what can be examined.
///
/// # Errors
/// If the input cannot be read, and the readable part has no game.
pub fn has_game(input: &mut Input, options: ReadOptions) -> Result<bool> {
    let (sources, is_all) = input.look()?;
    let mut failure = None;
    for source in sources {
        match source.map(|source| source_has_game(source, options)) {
            Ok(Ok(true)) => return Ok(true),
            Ok(Ok(false)) => {}
            Ok(Err(error)) | Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) if is_all => Err(error),
        _ => Ok(!is_all),
    }
}

fn source_has_game(source: Source, options: ReadOptions) -> Result<bool> {
    let (mut failure, mut is_too_large) = (None, false);
    let mut is_game = |batch: &Batch<'_>| {
        is_too_large |= batch.ends_large_game();
        batch.has_game()
    };
    let has_game = match source.content {
        Content::Mapped(file) => of_file(&file, options).any(|batch| {
            file.release(in_memory(batch.origin()));
            is_game(&batch)
        }),
        Content::Stream(stream) => {
            of_stream(stream, options, &mut failure).any(|batch| is_game(&batch))
        }
    };
    match failure {
        _ if has_game => Ok(true),
        Some(error) => Err(Error::stream(&source.name, 0, error)),
        None if is_too_large => Err(Error::OnlyLargeGames(source.name)),
        None => Ok(false),
    }
}
