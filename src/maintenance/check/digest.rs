//! A digest of the content of a database, equal for databases of equal content.

use super::report::{Depth, Report};
use super::segments;
use crate::error::Result;
use crate::storage::{Database, InDatabase, PlayedGame, replay_stored};

/// The result of [`digest`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestReport {
    /// The digest, 32 bytes in hexadecimal digits; `None` if the index has a fault, so that positions may be missing.
    pub digest: Option<String>,
    /// The comparison of the index with the games.
    pub report: Report,
}

/// The prefix of the digested bytes, so that another format gives other digests.
const FORM: &[u8] = b"Stamma digest 1";

/// Digests all games in their order, their problems, the texts between them, and the positions of each game. The index
/// is compared with all games first, so that equal digests also mean equal answers of the index.
///
/// The digest does not depend on the files that the games came from, or on the division of the index into segments.
/// `progress` is called as by [`check`](super::check()).
///
/// # Errors
/// When the database cannot be read for any reason but damage.
pub fn digest(database: &Database, mut progress: impl FnMut(u64, u64)) -> Result<DigestReport> {
    let mut report = Report {
        games: database.count_games()?,
        ..Report::default()
    };

    // Games are replayed twice: for the comparison, and for the digest.
    let replays = 2 * report.games;
    let checked = segments::check(database, Depth::Full, &mut report, &mut |done, _| {
        progress(done, replays);
    });
    report.faults.add_damage(checked)?;

    // Without a fault, the index has exactly the positions of the games, so equal digests mean equal answers.
    if !report.faults.is_empty() {
        return Ok(DigestReport {
            digest: None,
            report,
        });
    }

    let mut hasher = blake3::Hasher::new();
    hasher.update(FORM);
    database.hash_content(&mut hasher)?;
    hash_positions(database, &mut hasher, |done| {
        progress(report.games + done, replays)
    })?;

    let digest = hasher.finalize().to_hex().to_string();
    Ok(DigestReport {
        digest: Some(digest),
        report,
    })
}

/// Hashes the positions of each game in the order in which they are reached.
fn hash_positions(
    database: &Database,
    hasher: &mut blake3::Hasher,
    mut progress: impl FnMut(u64),
) -> Result<()> {
    let hashes_of =
        |games: &[PlayedGame]| -> Vec<blake3::Hash> { games.iter().map(hash_of_game).collect() };

    let mut games = 0;
    let sink = |hashes: Vec<blake3::Hash>| -> rusqlite::Result<()> {
        games += hashes.len() as u64;
        for hash in hashes {
            hasher.update(hash.as_bytes());
        }
        progress(games);
        Ok(())
    };

    let connection = &database.connection;
    let all_games = (i64::MIN, i64::MAX);
    let lines = database.indexed_lines()?;
    replay_stored(connection, all_games, None, lines, hashes_of, sink).in_database(database)
}

/// The hash of a game's number, and of its positions with their moves.
fn hash_of_game(game: &PlayedGame) -> blake3::Hash {
    let visits = game.visits();

    // Eight bytes for the number, and for each position 8 + 2 + 2 bytes.
    let mut bytes = Vec::with_capacity(8 + 12 * visits.len());
    bytes.extend_from_slice(&game.id.get().to_le_bytes());
    for visit in visits {
        bytes.extend_from_slice(&visit.key.0.to_le_bytes());
        bytes.extend_from_slice(&visit.check_key.to_le_bytes());
        bytes.extend_from_slice(&visit.next.to_le_bytes());
    }
    blake3::hash(&bytes)
}
