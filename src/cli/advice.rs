//! Advice after errors of the library, which name no option and no command.

use std::io;

use super::args::{database_beside, is_named_like_games};
use super::quoting::quoted_path;
use stamma::engine::EngineFailure;
use stamma::error::{Error, StoreFault};
#[cfg(test)]
use std::path::PathBuf;

/// The message of an error, with the option or command that helps.
pub(super) fn sentence(error: &Error) -> String {
    match error {
        Error::After(_) => format!("--after: {error}"),
        // The file has the name of a PGN file, which was given in place of a database.
        Error::NotADatabase(path) if is_named_like_games(path) => {
            let file = quoted_path(path);
            let database = quoted_path(&database_beside(path));

            format!(
                "{file} has games, but is no database; make one: stamma import {database} {file}"
            )
        }
        _ => match advice(error) {
            Some(advice) => format!("{error}{advice}"),
            None => error.to_string(),
        },
    }
}

/// The option or command that helps after an error, as the end of its sentence.
fn advice(error: &Error) -> Option<&'static str> {
    let advice = match error {
        Error::NotADatabase(_) => {
            "; it stays as it is: `stamma import` creates one under a new name"
        }
        Error::NoDatabase(_) | Error::NeedsDatabase(_) => "; `stamma import` creates one",
        Error::NotPgn { advice: None, .. } => {
            "; of a Stamma database, `stamma export` writes PGN and `stamma merge` takes its games; of others, the program that made it"
        }
        Error::TooMuchToUnpack { .. } => "; --max-unpacked lets it",
        Error::TooMuchMemory(_) | Error::LongMemberList(_) => " (--memory)",
        Error::OnlyLargeGames(_) => "; --max-game takes larger games",
        Error::MainlinesIndexed(_) => "; --index-variations is for a new one",
        Error::OtherPlies { .. } => "; another --index-plies is for a new one",
        Error::LikeKnown(_) => ", or give --again",
        Error::NoSuchSource(_) => "; `stamma info` lists them",
        Error::OtherOptions(_) => ", or start over after `stamma forget`",
        Error::ImportUnfinished(_) => ", or run `stamma optimize`",
        Error::NotTheLast { .. } => "; run `stamma forget` on it first",
        Error::TooManyGames(_) => {
            "; allow more memory with --memory, or import them and use `stamma dedupe`"
        }
        Error::Uncuttable(_) => ", or give --shard several files, each of which goes to one shard",
        Error::Engine {
            failure: EngineFailure::Start(why),
            ..
        } if why.kind() == io::ErrorKind::NotFound => "; give the path of the program to --engine",
        Error::Store { fault, .. } => return advice_on_store(fault),
        _ => return None,
    };
    Some(advice)
}

/// The command that repairs a table, or that does without it.
fn advice_on_store(fault: &StoreFault) -> Option<&'static str> {
    let advice = match fault {
        StoreFault::IndexBlock(_) | StoreFault::IndexedMove(_) => {
            "; `stamma optimize --rebuild` builds it again from the games"
        }
        StoreFault::IndexFormat => "; `stamma optimize` rebuilds it",
        StoreFault::ColumnBlock(_) => "; `stamma optimize` builds it again from the games",
        StoreFault::Openings(_) => "; `stamma openings --standard` replaces it",
        StoreFault::TooManySegments(_) => "; `stamma optimize` joins them",
        StoreFault::NoPositions => {
            "; games without a limit of half-moves are imported into a new database"
        }
        StoreFault::NotAllPositions(_) => "; `stamma novelties` replays the games",
        StoreFault::TooManyGames => "; split the games into several databases",
        _ => return None,
    };
    Some(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> PathBuf {
        PathBuf::from(text)
    }

    macro_rules! sentences {
        ($($name:ident: $error:expr => $sentence:literal;)*) => {
            $(#[test] fn $name() { assert_eq!(sentence(&$error), $sentence); })*
        };
    }

    sentences! {
        no_database: Error::NoDatabase(path("a.db")) => "a.db: no such database; `stamma import` creates one";
        no_stamma_database: Error::NotADatabase(path("a.db"))
            => "a.db: not a Stamma database; it stays as it is: `stamma import` creates one under a new name";
        games_in_place_of_a_database: Error::NotADatabase(path("a.pgn"))
            => "a.pgn has games, but is no database; make one: stamma import a.db a.pgn";
        after: Error::After("no move".to_owned()) => "--after: no move";
        other_options: Error::OtherOptions(path("a.pgn"))
            => "a.pgn: its import was begun with other options; continue with the same options, or start over after `stamma forget`";
        unfinished: Error::ImportUnfinished(path("a.db"))
            => "a.db: an import into this database was interrupted; resume it, or run `stamma optimize`";
        not_the_last: Error::NotTheLast { name: path("-"), known: "a.pgn".to_owned() }
            => "-: the import of a.pgn was interrupted and cannot be resumed, because other games were added after it; run `stamma forget` on it first";
        needs_a_database: Error::NeedsDatabase("a sort order")
            => "a sort order can be asked for in a database only; `stamma import` creates one";
        too_many_games: Error::TooManyGames(5)
            => "there are more than 5 different games, among which equal ones are sought; allow more memory with --memory, or import them and use `stamma dedupe`";
        uncuttable: Error::Uncuttable(path("a.gz"))
            => "a.gz: this cannot be cut into shards; decompress it to a file, or give --shard several files, each of which goes to one shard";
        index_format: Error::Store { path: path("a.db"), fault: StoreFault::IndexFormat }
            => "a.db: the position index has another format; `stamma optimize` rebuilds it";
        many_segments: Error::Store { path: path("a.db"), fault: StoreFault::TooManySegments(9) }
            => "a.db: the position index is full: it has 9 segments; `stamma optimize` joins them";
        no_positions: Error::Store { path: path("a.db"), fault: StoreFault::NoPositions }
            => "a.db: its positions are not indexed; games without a limit of half-moves are imported into a new database";
        other_plies: Error::OtherPlies { path: path("a.db"), known: Some(40) }
            => "a.db: the games in this database are indexed up to half-move 40; another --index-plies is for a new one";
        index_block: Error::Store { path: path("a.db"), fault: StoreFault::IndexBlock(7) }
            => "a.db: the position index is damaged at 7; `stamma optimize --rebuild` builds it again from the games";
        column_block: Error::Store { path: path("a.db"), fault: StoreFault::ColumnBlock(7) }
            => "a.db: block 7 of the table game_column is damaged; `stamma optimize` builds it again from the games";
        sqlite: Error::NotPgn { name: path("a.db3"), format: "an SQLite database", advice: None }
            => "a.db3: this is an SQLite database, not PGN; of a Stamma database, `stamma export` writes PGN and `stamma merge` takes its games; of others, the program that made it";
        without_advice: Error::NoGames(path("a.pgn")) => "a.pgn: no game was found in this file; is it PGN?";
    }
}
