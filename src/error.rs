//! Errors of a run, whose messages suggest a remedy.

use std::io;
use std::path::{Path, PathBuf};

use crate::board::FenError;
use crate::bug::Bug;
use crate::cleaning::names::{NameConflict, ReadNamesError};
use crate::engine::EngineFailure;
use crate::openings::ParseOpeningsError;
pub use crate::store_fault::{StoreError, StoreFault};

/// A failed run. Faults in data are not errors, but [`Problem`](crate::replay::Problem)s.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An engine could not be started.
    #[error("{}: {failure}", .program.display())]
    Engine {
        /// The program.
        program: PathBuf,
        /// The cause.
        failure: EngineFailure,
    },
    /// A table of openings has a line that cannot be read.
    #[error("the table of openings cannot be read: {0}")]
    Openings(ParseOpeningsError),
    /// A table of names contradicts itself.
    #[error("the table of names cannot be taken: {0}")]
    Names(NameConflict),
    /// A file is no list of names.
    #[error("{}: {source}", .path.display())]
    NameList {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: ReadNamesError,
    },
    /// A list of names has no player with a fact that is to be filled in.
    #[error("{}: this list has no {what}", .path.display())]
    ListLacks {
        /// The list.
        path: PathBuf,
        /// The missing part.
        what: &'static str,
    },
    /// A file with a table of openings has a line that cannot be read.
    #[error("{}: {fault}", .path.display())]
    OpeningsFile {
        /// The file.
        path: PathBuf,
        /// The line and the cause.
        fault: ParseOpeningsError,
    },
    /// A folder holds nothing to import.
    #[error("{}: there is no .pgn file in this folder", .0.display())]
    NoPgnInFolder(PathBuf),
    /// An archive holds nothing to import.
    #[error("{}: there is no .pgn file in this archive", .0.display())]
    NoPgnInArchive(PathBuf),
    /// No file matches a pattern.
    #[error("{}: no file matches this pattern", .0.display())]
    NoMatch(PathBuf),
    /// An archive has a format that Stamma cannot read.
    #[error("{}: {kind} archives are not read; extract it first: {command} {}", .name.display(), .name.display())]
    ForeignArchive {
        /// The archive.
        name: PathBuf,
        /// The common name of its format.
        kind: &'static str,
        /// The command that extracts it.
        command: &'static str,
    },
    /// A member of an archive is packed by a method that Stamma does not read.
    #[error("{}: this is packed with {method}, which is not read; extract it first", .name.display())]
    UnreadCompression {
        /// The archive or the member.
        name: PathBuf,
        /// The name of the method.
        method: String,
    },
    /// A file has another format than PGN.
    #[error("{}: this is {format}, not PGN{}", .name.display(), .advice.map(|advice| format!("; {advice}")).unwrap_or_default())]
    NotPgn {
        /// The file.
        name: PathBuf,
        /// The name of its format.
        format: &'static str,
        /// The way to PGN, if another program can export it.
        advice: Option<&'static str>,
    },
    /// An archive needs too much disk space.
    #[error("{}: to be read, this archive has to be unpacked to the disk, where it takes more than {bytes} bytes", .name.display())]
    TooMuchToUnpack {
        /// The archive.
        name: PathBuf,
        /// The limit.
        bytes: u64,
    },
    /// Decompression needs too much memory.
    #[error("{}: decompressing this takes more than a quarter of the memory that may be taken; allow more, or decompress it first", .0.display())]
    TooMuchMemory(PathBuf),
    /// The list of an archive's members needs too much memory.
    #[error("{}: the list of its members takes more memory than allowed; allow more, or extract the archive first", .0.display())]
    LongMemberList(PathBuf),
    /// An archive cannot be read at all.
    #[error("{}: this archive cannot be read: {reason}", .name.display())]
    UnreadableArchive {
        /// The archive.
        name: PathBuf,
        /// The fault.
        reason: &'static str,
    },
    /// A member of an archive needs a password.
    #[error("{}: this is encrypted; extract it first, with its password", .0.display())]
    Encrypted(PathBuf),
    /// A source ends too early.
    #[error("{}: this is cut short after {bytes} bytes of text; the games before that are kept", .name.display())]
    CutShort {
        /// The source.
        name: PathBuf,
        /// The number of bytes that could be read.
        bytes: u64,
    },
    /// Compressed data is corrupt.
    #[error("{}: this is damaged after {bytes} bytes of text ({source}); the games before that are kept", .name.display())]
    Corrupt {
        /// The source.
        name: PathBuf,
        /// The number of bytes that could be read.
        bytes: u64,
        /// The decoder's error.
        source: io::Error,
    },
    /// An archive, or a member of it, cannot be read.
    #[error("{}: the archive is damaged or cut short here ({source}); the games before that are kept", .name.display())]
    DamagedArchive {
        /// The archive or the member.
        name: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A Parquet file cannot be read, or has no games.
    #[error("{}: this Parquet file cannot be read: {reason}", .name.display())]
    UnreadableParquet {
        /// The file.
        name: PathBuf,
        /// The fault.
        reason: String,
    },
    /// A database of Scid cannot be read.
    #[error("{}: this Scid database cannot be read: {reason}", .name.display())]
    UnreadableScid {
        /// The index of the database.
        name: PathBuf,
        /// The fault.
        reason: String,
    },
    /// A database of ChessBase cannot be read.
    #[error("{}: this ChessBase database cannot be read: {reason}", .name.display())]
    UnreadableChessBase {
        /// The index of the database.
        name: PathBuf,
        /// The fault.
        reason: String,
    },
    /// A file was truncated while it was read.
    #[error("{}: this file became shorter while it was read; the games before byte {byte} are kept", .name.display())]
    FileChanged {
        /// The file.
        name: PathBuf,
        /// The offset at which the kept part ends.
        byte: u64,
    },
    /// A file has no game.
    #[error("{}: no game was found in this file; is it PGN?", .0.display())]
    NoGames(PathBuf),
    /// All games of a file are too large.
    #[error("{}: every game in this file is above the size limit", .0.display())]
    OnlyLargeGames(PathBuf),
    /// A file is not a Stamma database.
    #[error("{}: not a Stamma database", .0.display())]
    NotADatabase(PathBuf),
    /// The database does not exist.
    #[error("{}: no such database", .0.display())]
    NoDatabase(PathBuf),
    /// There is no database in a folder.
    #[error("{}: no database in this folder", .0.display())]
    NoDatabaseIn(PathBuf),
    /// The database was written by a newer version.
    #[error("{}: this database was written by a newer Stamma (version {found}, this program supports {known}); update Stamma", .path.display())]
    NewerDatabase {
        /// The database.
        path: PathBuf,
        /// The schema version of the database.
        found: i64,
        /// The newest schema version that this version knows.
        known: i64,
    },
    /// The database was written by a version before the first release.
    #[error("{}: this database was made by an unreleased Stamma; import its sources into a new one: {}", .path.display(), listed(.sources))]
    UnreleasedDatabase {
        /// The database.
        path: PathBuf,
        /// The paths of its sources.
        sources: Vec<String>,
    },
    /// A change would run a trigger, or evaluate an index, that is not Stamma's.
    #[error("{}: nothing is changed while the table {table} has the {kind} {name}, which is not Stamma's; drop it by SQL", .path.display())]
    ForeignCode {
        /// The database.
        path: PathBuf,
        /// Trigger or index.
        kind: &'static str,
        /// The name of the trigger or index.
        name: String,
        /// The table of the trigger or index.
        table: String,
    },
    /// Variations were to be indexed in a database that has games without them.
    #[error("{}: the games in this database are indexed without their variations", .0.display())]
    MainlinesIndexed(PathBuf),
    /// Another number of half-moves was to be indexed in a database that has games.
    #[error("{}: the games in this database are indexed {}", .path.display(), match .known {
        Some(last) => format!("up to half-move {last}"),
        None => "with all of their positions".to_owned(),
    })]
    OtherPlies {
        /// The database.
        path: PathBuf,
        /// The last half-move after which the database indexes positions; `None` if it indexes all positions.
        known: Option<u32>,
    },
    /// Another program is writing to the database, or reading a part that would have to be overwritten.
    #[error("{}: another program is using this database; try again when it has finished", .0.display())]
    Busy(PathBuf),
    /// The database file was replaced by another file, or was overwritten, after it was opened.
    #[error("{}: the file was replaced meanwhile; try again", .0.display())]
    Replaced(PathBuf),
    /// The database was replaced, and the write-ahead log of the previous file is still beside it.
    #[error("{database}: the file was replaced, and the log of the file before is still beside it; delete {log} and {index}",
        database = .database.display(), log = .log.display(), index = .index.display())]
    LogOfOther {
        /// The database.
        database: PathBuf,
        /// The log.
        log: PathBuf,
        /// The index of the log.
        index: PathBuf,
    },
    /// Another program holds the lock for writing to the database.
    #[error("{}: {holder} is writing to this database; try again when it has finished", .path.display())]
    Locked {
        /// The database.
        path: PathBuf,
        /// The program that holds the lock.
        holder: String,
    },
    /// The database, or its folder, is read-only.
    #[error("{}: this database is read-only, or its folder is", .0.display())]
    ReadOnly(PathBuf),
    /// The disk is full.
    #[error("{}: the disk is full or not writable ({source}); what was stored before is kept", .path.display())]
    DiskFull {
        /// The database.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// A path names something other than a file.
    #[error("{}: not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// The output would overwrite the database that the games come from.
    #[error("{}: this is the database itself; choose another file", .0.display())]
    WouldOverwrite(PathBuf),
    /// The output would overwrite a file from which games of the database were imported.
    #[error("{}: games of the database were imported from this file; choose another", .0.display())]
    WouldOverwriteSource(PathBuf),
    /// The output would overwrite a database.
    #[error("{}: this is a database, which other output never replaces; choose another file", .0.display())]
    WouldReplaceDatabase(PathBuf),
    /// A file beside a database has a name that SQLite or Stamma uses there.
    #[error("{}: this file was not created by SQLite or Stamma, but has a name that they use beside {}; move it away, or rename the database", .path.display(), .database.display())]
    ForeignFile {
        /// The file.
        path: PathBuf,
        /// The database.
        database: PathBuf,
    },
    /// A database was to be merged into itself.
    #[error("{}: a database cannot be merged into itself", .0.display())]
    MergedIntoItself(PathBuf),
    /// Several databases are queried together, and one of them is given twice.
    #[error("{}: this database is given twice; its games would count twice", .0.display())]
    DatabaseTwice(PathBuf),
    /// The output would overwrite a file that is read, or another output.
    #[error("{}: this is one of the input or output files; choose another", .0.display())]
    WouldOverwriteInput(PathBuf),
    /// No input was named, and standard input is a terminal.
    #[error("name files or folders to read, or - for standard input")]
    NoInput,
    /// A replayed game is inconsistent and cannot be written.
    #[error("{name}: a game cannot be written: {source}")]
    Unwritable {
        /// The file.
        name: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// SQLite failed.
    #[error("{}: {source}", .path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// The tables are inconsistent, or have reached a limit.
    #[error("{}: {fault}", .path.display())]
    Store {
        /// The database.
        path: PathBuf,
        /// The fault.
        fault: StoreFault,
    },
    /// The database is inconsistent.
    #[error("{}: the database is damaged: {what}", .path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// The inconsistency.
        what: String,
    },
    /// Stamma panics on a game of a database. The other games are not affected.
    #[error("{}: game {game} is left out, since Stamma fails on it; please report it with the game: {bug}", .path.display())]
    Bug {
        /// The database.
        path: PathBuf,
        /// The number of the game.
        game: i64,
        /// The panic.
        bug: Bug,
    },
    /// A limit of the program is reached.
    #[error("{0}")]
    Limit(&'static str),
    /// A FEN argument is invalid.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A position argument is neither a FEN nor moves.
    #[error("`{text}` is neither a FEN nor moves like '1. e4 c5'{}", .meant.as_ref().map(|meant| format!("; {meant}")).unwrap_or_default())]
    NotAPosition {
        /// The text.
        text: String,
        /// A suggestion, with its command.
        meant: Option<String>,
    },
    /// A move sequence in place of a FEN has a move that cannot be played.
    #[error("{0}")]
    Moves(String),
    /// A move sequence that leads to a position has a move that cannot be played.
    #[error("{0}")]
    After(String),
    /// The files of a repertoire cannot be read as a repertoire.
    #[error("{0}")]
    Repertoire(String),
    /// A game number is not in the database.
    #[error("there is no game {0} in the database")]
    NoSuchGame(i64),
    /// No player of the database has a name like this.
    #[error("no player in the database has a name like \"{0}\"")]
    NoSuchPlayer(String),
    /// A game has fewer half-moves than requested.
    #[error("game {game} has {plies} half-moves; there is no position after {ply}")]
    NoSuchPly {
        /// The game's number.
        game: i64,
        /// The number of its half-moves.
        plies: u32,
        /// The requested half-move.
        ply: u32,
    },
    /// Positions were requested of a game that has none.
    #[error("game {0} is kept as text and has no positions")]
    NotPlayed(i64),
    /// A named source is not in the database.
    #[error("{0}: no source of the database has this path or number")]
    NoSuchSource(String),
    /// Several sources have the named path.
    #[error("{name}: the sources {} have this path; name one by its number", .numbers.join(", "))]
    SeveralSources {
        /// The name as given.
        name: String,
        /// The numbers of the sources.
        numbers: Vec<String>,
    },
    /// A user's SQL query failed.
    #[error("{0}")]
    Sql(String),
    /// Input could not be read.
    #[error("the input could not be read: {0}")]
    Input(#[source] io::Error),
    /// A user's SQL condition is invalid.
    #[error("the condition cannot be used: {0}")]
    Condition(String),
    /// The problem log could not be written.
    #[error("{}: the problems could not be written: {source}", .path.display())]
    ProblemLog {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The interrupted import of a file was begun with other options.
    #[error("{}: its import was begun with other options; continue with the same options", .0.display())]
    OtherOptions(PathBuf),
    /// A stream begins like an imported source, but continues in another way.
    #[error("{}: this begins like a file that was imported before, but continues differently; extract it to a file", .0.display())]
    LikeKnown(PathBuf),
    /// A database has games whose positions are not indexed.
    #[error("{}: an import into this database was interrupted; resume it", .0.display())]
    ImportUnfinished(PathBuf),
    /// A stream is a source whose import was interrupted and cannot be resumed.
    #[error("{}: the import of {known} was interrupted and cannot be resumed, because other games were added after it", .name.display())]
    NotTheLast {
        /// The source.
        name: PathBuf,
        /// The path under which the source was imported.
        known: String,
    },
    /// Another program added games during an import.
    #[error("{}: another program added games meanwhile; what was imported is kept, and the same command starts the last file over", .0.display())]
    GamesAdded(PathBuf),
    /// A query on files has a condition or an order that only a database can evaluate.
    #[error("{0} can be asked for in a database only")]
    NeedsDatabase(&'static str),
    /// The search for equal games has met more different games than the memory limit allows.
    #[error("there are more than {0} different games, among which equal ones are sought")]
    TooManyGames(u64),
    /// A file of a data set could not be written.
    #[error("{}: this could not be written ({source}); the data set is as it was before", .path.display())]
    DataSetUnwritten {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file or folder of a data set could not be read.
    #[error("{}: this could not be read ({source}); the data set is as it was before", .path.display())]
    DataSetUnreadable {
        /// The file or the folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A folder for a data set holds other files.
    #[error("{}: this folder has other files, and is no data set; choose an empty folder or a new one", .0.display())]
    NotADataSet(PathBuf),
    /// A shard was requested of an input that cannot be divided.
    #[error("{}: this cannot be cut into shards; decompress it to a file", .0.display())]
    Uncuttable(PathBuf),
    /// A database is named beside other inputs.
    #[error("{}: this is a database, which is read alone; give each database a run of its own", .0.display())]
    DatabaseAmongInputs(PathBuf),
    /// A data set was written in another form, so that a part cannot join it.
    #[error("{}: this data set has {found}, not {wanted}; choose another folder", .path.display())]
    OtherDataSet {
        /// The data set.
        path: PathBuf,
        /// The form of the parts that the data set has.
        found: String,
        /// The form of the part that cannot join it.
        wanted: String,
    },
    /// The run was interrupted.
    #[error("stopped")]
    Interrupted,
    /// Output could not be written.
    #[error("the output could not be written: {0}")]
    Output(#[source] io::Error),
}

impl Error {
    /// The error for a source without games; `is_too_large` if games were left out because of their size.
    pub(crate) fn no_games(name: &Path, is_too_large: bool) -> Error {
        let name = name.to_owned();

        if is_too_large {
            Error::OnlyLargeGames(name)
        } else {
            Error::NoGames(name)
        }
    }

    /// The error for a source that could not be read beyond `bytes` bytes.
    pub(crate) fn stream(name: &Path, bytes: u64, source: io::Error) -> Error {
        let name = name.to_owned();

        match source.kind() {
            io::ErrorKind::UnexpectedEof => Error::CutShort { name, bytes },
            // Decoders report a window above the limit in this way.
            io::ErrorKind::OutOfMemory => Error::TooMuchMemory(name),
            // Errors of the operating system have a number, errors of decoders have none.
            _ if source.raw_os_error().is_some() => Error::File { path: name, source },
            _ => Error::Corrupt {
                name,
                bytes,
                source,
            },
        }
    }

    /// The error for an archive, or a member of it, that could not be opened.
    #[cfg(feature = "compressed")]
    pub(crate) fn damaged_archive(name: &Path, source: io::Error) -> Error {
        Error::DamagedArchive {
            name: name.to_owned(),
            source,
        }
    }

    /// Returns `true` if the error concerns a single input, so that the other inputs can still be read.
    pub(crate) fn is_of_input(&self) -> bool {
        matches!(
            self,
            Error::File { .. }
                | Error::NotAFile(_)
                | Error::NoGames(_)
                | Error::OnlyLargeGames(_)
                | Error::NoPgnInArchive(_)
                | Error::ForeignArchive { .. }
                | Error::UnreadCompression { .. }
                | Error::NotPgn { .. }
                | Error::Encrypted(_)
                | Error::TooMuchToUnpack { .. }
                | Error::TooMuchMemory(_)
                | Error::LongMemberList(_)
                | Error::UnreadableArchive { .. }
                | Error::CutShort { .. }
                | Error::Corrupt { .. }
                | Error::DamagedArchive { .. }
                | Error::UnreadableParquet { .. }
                | Error::UnreadableScid { .. }
                | Error::UnreadableChessBase { .. }
                | Error::FileChanged { .. }
                | Error::LikeKnown(_)
                | Error::NotTheLast { .. }
                | Error::Input(_)
        )
    }

    /// For `map_err` on operations on a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File {
            path: path.to_owned(),
            source,
        }
    }

    /// The error for a user's SQL.
    pub fn sql(error: rusqlite::Error) -> Error {
        Error::Sql(sql_message(error))
    }
}

/// The maximum number of paths of sources that a message lists.
const MAX_LISTED_SOURCES: usize = 10;

/// The paths of sources in one line: at most [`MAX_LISTED_SOURCES`] paths, then the number of the other paths.
fn listed(sources: &[String]) -> String {
    if sources.is_empty() {
        return "it lists none".to_owned();
    }

    let first = sources.get(..MAX_LISTED_SOURCES).unwrap_or(sources);
    let paths = first.join(", ");
    let others = sources.len() - first.len();
    if others == 0 {
        paths
    } else {
        format!("{paths} and {others} more")
    }
}

/// The message for a parameter in a user's SQL.
pub const NO_PARAMETERS: &str = "a parameter like ? or :name has no value here";

/// SQLite's message, without the statement.
pub(crate) fn sql_message(error: rusqlite::Error) -> String {
    match error {
        // An SQLite that is not bundled does not report the offset of a fault in a statement.
        #[cfg(feature = "program")]
        rusqlite::Error::SqlInputError { msg, .. } => msg,
        rusqlite::Error::SqliteFailure(_, Some(message)) => message,
        other => other.to_string(),
    }
}

/// The result of fallible operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_streams_are_distinguished_by_their_kinds() {
        let of_stream = |source: io::Error| Error::stream(Path::new("games.pgn.gz"), 7, source);

        let cut_short = of_stream(io::ErrorKind::UnexpectedEof.into());
        assert!(matches!(cut_short, Error::CutShort { bytes: 7, .. }));

        let large_window = of_stream(io::ErrorKind::OutOfMemory.into());
        assert!(matches!(large_window, Error::TooMuchMemory(_)));

        let of_system = of_stream(io::Error::from_raw_os_error(5));
        assert!(matches!(of_system, Error::File { .. }));

        let of_decoder = of_stream(io::Error::other("a wrong checksum"));
        assert!(matches!(of_decoder, Error::Corrupt { bytes: 7, .. }));
    }

    #[test]
    fn only_the_first_sources_are_listed() {
        let sources = |count: usize| -> Vec<String> {
            (1..=count).map(|number| format!("{number}.pgn")).collect()
        };

        assert_eq!(listed(&sources(0)), "it lists none");
        assert_eq!(listed(&sources(2)), "1.pgn, 2.pgn");
        assert!(listed(&sources(MAX_LISTED_SOURCES)).ends_with(", 10.pgn"));
        assert!(listed(&sources(MAX_LISTED_SOURCES + 2)).ends_with(", 10.pgn and 2 more"));
    }
}
