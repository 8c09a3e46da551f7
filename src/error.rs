//! Errors: why a command could not be carried out, in sentences that say what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::board::FenError;
use crate::openings::ParseOpeningsError;
pub use crate::store_fault::StoreFault;

/// A failed run. What is wrong with data is no error, but a [`Problem`](crate::replay::Problem).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A table of openings has a line that is none.
    #[error("the table of openings cannot be read: {0}")]
    Openings(ParseOpeningsError),
    /// A folder holds nothing to import.
    #[error("{}: there is no .pgn file in this folder", .0.display())]
    NoPgnInFolder(PathBuf),
    /// An archive holds nothing to import.
    #[error("{}: there is no .pgn file in this archive", .0.display())]
    NoPgnInArchive(PathBuf),
    /// Nothing matches a pattern.
    #[error("{}: there is no such file, and none has a name like this", .0.display())]
    NoMatch(PathBuf),
    /// An archive is of a kind that is not read.
    #[error("{}: {kind} archives are not read; extract it first: {command} {}", .name.display(), .name.display())]
    ForeignArchive {
        /// The archive.
        name: PathBuf,
        /// What people call it.
        kind: &'static str,
        /// The command that extracts it.
        command: &'static str,
    },
    /// A file is of another format than PGN.
    #[error("{}: this is {format}, not PGN; {advice}", .name.display())]
    NotPgn {
        /// The file.
        name: PathBuf,
        /// What it is.
        format: &'static str,
        /// What to do with it.
        advice: &'static str,
    },
    /// An archive would take too much of the disk.
    #[error("{}: to be read, this archive has to be unpacked to the disk, where it takes more than {bytes} bytes", .name.display())]
    TooMuchToUnpack {
        /// The archive.
        name: PathBuf,
        /// How much it may take.
        bytes: u64,
    },
    /// Decompressing would take too much memory.
    #[error("{}: decompressing this takes more than a quarter of the memory that may be taken; allow more, or decompress it first", .0.display())]
    TooMuchMemory(PathBuf),
    /// A member of an archive needs a password.
    #[error("{}: this is encrypted; extract it first, with its password", .0.display())]
    Encrypted(PathBuf),
    /// A source ends too early.
    #[error("{}: this is cut short after {bytes} bytes of text; the games before that are kept", .name.display())]
    CutShort {
        /// The source.
        name: PathBuf,
        /// How much could be read.
        bytes: u64,
    },
    /// A source is not what has been compressed.
    #[error("{}: this is damaged after {bytes} bytes of text ({source}); the games before that are kept", .name.display())]
    Corrupt {
        /// The source.
        name: PathBuf,
        /// How much could be read.
        bytes: u64,
        /// What is wrong.
        source: io::Error,
    },
    /// An archive, or a member of it, cannot be read.
    #[error("{}: the archive is damaged or cut short here ({source}); the games before that are kept", .name.display())]
    DamagedArchive {
        /// The archive or the member.
        name: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// A file has become shorter while it was read.
    #[error("{}: this file became shorter while it was read; the games before byte {byte} are kept", .name.display())]
    FileChanged {
        /// The file.
        name: PathBuf,
        /// Where what is kept ends.
        byte: u64,
    },
    /// A file has no game in it.
    #[error("{}: no game was found in this file; is it PGN?", .0.display())]
    NoGames(PathBuf),
    /// A file has no game but some that are too large.
    #[error("{}: nothing in this file is small enough to be read", .0.display())]
    OnlyLargeGames(PathBuf),
    /// A file is no Stamma database.
    #[error("{}: this is no Stamma database; `stamma import` makes one", .0.display())]
    NotADatabase(PathBuf),
    /// There is no file where a database is asked for.
    #[error("{}: there is no such database; `stamma import` makes one", .0.display())]
    NoDatabase(PathBuf),
    /// A newer program has written the database.
    #[error("{}: a newer Stamma has written this database (version {found}, this program knows {known}); please update", .path.display())]
    NewerDatabase {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version known here.
        known: i64,
    },
    /// An older program has written the database.
    #[error("{}: an earlier Stamma has written this database; `stamma optimize` brings it up to date", .0.display())]
    OlderDatabase(PathBuf),
    /// Variations were to be indexed in a database that has games without theirs.
    #[error("{}: the games in this database are indexed without their variations", .0.display())]
    MainlinesIndexed(PathBuf),
    /// Another program is writing into the database, or reading what would have to be written.
    #[error("{}: another program is busy with this database; please try again when it is done", .0.display())]
    Busy(PathBuf),
    /// Another program has the right to write into the database.
    #[error("{}: {holder} is writing into this database; please try again when it is done", .path.display())]
    Locked {
        /// The database.
        path: PathBuf,
        /// Who that is.
        holder: String,
    },
    /// The database, or the folder in which it is, cannot be written.
    #[error("{}: this database is read-only, or its folder is", .0.display())]
    ReadOnly(PathBuf),
    /// The system did not take what was to be written.
    #[error("{}: the disk is full, or cannot be written ({source}); what had been stored before stays", .path.display())]
    DiskFull {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A path names something that is no file.
    #[error("{}: this is no regular file", .0.display())]
    NotAFile(PathBuf),
    /// Games were to be written over the database they come from.
    #[error("{}: this is the database itself; please choose another file", .0.display())]
    WouldOverwrite(PathBuf),
    /// Games or something else were to be written over a database.
    #[error("{}: this is a database, and no other file replaces one; please choose another file", .0.display())]
    WouldReplaceDatabase(PathBuf),
    /// A file beside a database has the name of one that SQLite or Stamma keeps there.
    #[error("{}: neither SQLite nor Stamma has made this file, and it has the name of one that they keep beside {}; please move it away, or name the database otherwise", .path.display(), .database.display())]
    ForeignFile {
        /// The file.
        path: PathBuf,
        /// The database.
        database: PathBuf,
    },
    /// A database was to take its own games.
    #[error("{}: a database cannot be merged into itself", .0.display())]
    MergedIntoItself(PathBuf),
    /// Something was to be written over a file that is read, or written otherwise.
    #[error("{}: this is one of the files to be read or written; please choose another", .0.display())]
    WouldOverwriteInput(PathBuf),
    /// Nothing was named, and nobody writes into standard input.
    #[error("name files or folders to be read, or - for standard input")]
    NoInput,
    /// A game that has been replayed is not as it must be.
    #[error("{name}: a game cannot be written: {source}")]
    Unwritable {
        /// The file.
        name: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// SQLite could not do what it was asked.
    #[error("{}: {source}", .path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The tables say something that cannot be, or have reached a limit.
    #[error("{}: {fault}", .path.display())]
    Store {
        /// The database.
        path: PathBuf,
        /// What it is.
        fault: StoreFault,
    },
    /// The database says something that cannot be.
    #[error("{}: the database is damaged: {what}", .path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What cannot be.
        what: String,
    },
    /// A limit of the program is reached.
    #[error("{0}")]
    Limit(&'static str),
    /// A FEN that was asked for is none.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A text that was to be a position is neither a FEN nor moves.
    #[error("`{text}` is neither a FEN nor moves like '1. e4 c5'{}", .meant.as_ref().map(|meant| format!("; {meant}")).unwrap_or_default())]
    NotAPosition {
        /// The text.
        text: String,
        /// What may be meant, with the command for it.
        meant: Option<String>,
    },
    /// Moves in place of a FEN cannot be followed.
    #[error("{0}")]
    Moves(String),
    /// Moves that were to lead to a position cannot be followed.
    #[error("{0}")]
    After(String),
    /// The program has no such command.
    #[error("there is no command {0}; `stamma help` lists them")]
    NoSuchCommand(String),
    /// Games that were asked for are not in the database.
    #[error("there is no game {0} in the database")]
    NoSuchGame(i64),
    /// Many games were to be deleted, and nobody has agreed.
    #[error("{games} of {all} games would be deleted, more than a tenth")]
    NotConfirmed {
        /// How many.
        games: u64,
        /// How many the database has.
        all: u64,
    },
    /// The answer to the question whether games are to be deleted was no.
    #[error("no game is deleted")]
    Declined,
    /// A game has fewer half-moves than were asked for.
    #[error("game {game} has {plies} half-moves; there is no position after {ply}")]
    NoSuchPly {
        /// The game's number.
        game: i64,
        /// Its half-moves.
        plies: u32,
        /// What was asked for.
        ply: u32,
    },
    /// Positions were asked of a game that has none.
    #[error("game {0} is kept as text and has no positions")]
    NotPlayed(i64),
    /// A source that was named is not in the database.
    #[error("{name}: no source of the database has this path or number; `stamma info` lists them{}", hint(.similar))]
    NoSuchSource {
        /// What was given.
        name: String,
        /// Sources with similar paths, each with its number.
        similar: Vec<String>,
    },
    /// Several sources have a path that was named.
    #[error("{name}: the sources {} have this path; name one by its number", .numbers.join(", "))]
    SeveralSources {
        /// What was given.
        name: String,
        /// Their numbers.
        numbers: Vec<String>,
    },
    /// What was asked in SQL cannot be answered.
    #[error("{0}")]
    Sql(String),
    /// JSON was to be written in another encoding than its own.
    #[error("JSON is always UTF-8")]
    JsonIsUtf8,
    /// Input could not be read.
    #[error("the input could not be read: {0}")]
    Input(#[source] io::Error),
    /// SQL that was to choose games is none.
    #[error("the condition cannot be used: {0}")]
    Condition(String),
    /// The list of all problems could not be written.
    #[error("{}: the problems could not be written: {source}", .path.display())]
    ProblemLog {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The import of a file was interrupted that was begun in another way.
    #[error("{}: its import was begun with other options; go on with the same, or begin again after `stamma forget`", .0.display())]
    OtherOptions(PathBuf),
    /// What can be read only once begins like a source that was imported, and goes on otherwise.
    #[error("{}: this begins like a file that was imported before, and goes on otherwise; please extract it to a file", .0.display())]
    LikeKnown(PathBuf),
    /// A database has games whose positions are not indexed.
    #[error("{}: an import into this database was interrupted; please go on with it, or `stamma optimize` it", .0.display())]
    ImportUnfinished(PathBuf),
    /// What can be read only once is a source whose import was interrupted, and cannot go on any more.
    #[error("{}: the import of {known} was interrupted and cannot go on, since other games have come after its own; please `stamma forget` it first", .name.display())]
    NotTheLast {
        /// The source.
        name: PathBuf,
        /// What it was imported as.
        known: String,
    },
    /// Another program has added games while an import was at work.
    #[error("{}: another program has added games meanwhile; what had been imported stays, and the same command begins the last file again", .0.display())]
    GamesAdded(PathBuf),
    /// Somebody has asked to stop.
    #[error("stopped")]
    Interrupted,
    /// Output could not be written.
    #[error("the output could not be written: {0}")]
    Output(#[source] io::Error),
}

impl Error {
    /// Why there is no game of a source; `is_too_large` where something was left out for that.
    pub(crate) fn no_games(name: &Path, is_too_large: bool) -> Error {
        let refuse = if is_too_large { Error::OnlyLargeGames } else { Error::NoGames };
        refuse(name.to_owned())
    }

    /// Why a source could not be read any further than so many bytes of it.
    pub(crate) fn stream(name: &Path, bytes: u64, source: io::Error) -> Error {
        let name = name.to_owned();
        match source.kind() {
            io::ErrorKind::UnexpectedEof => Error::CutShort { name, bytes },
            io::ErrorKind::OutOfMemory => Error::TooMuchMemory(name),
            _ if source.raw_os_error().is_some() => Error::File { path: name, source },
            _ => Error::Corrupt { name, bytes, source },
        }
    }

    /// Why an archive, or a member of it, could not be opened.
    #[cfg(feature = "compressed")]
    pub(crate) fn damaged_archive(name: &Path, source: io::Error) -> Error {
        Error::DamagedArchive { name: name.to_owned(), source }
    }

    /// `true` when it says why one of several inputs cannot be read; the others are then.
    pub(crate) fn is_of_input(&self) -> bool {
        matches!(
            self,
            Error::File { .. }
                | Error::NotAFile(_)
                | Error::NoGames(_)
                | Error::OnlyLargeGames(_)
                | Error::NoPgnInArchive(_)
                | Error::ForeignArchive { .. }
                | Error::NotPgn { .. }
                | Error::Encrypted(_)
                | Error::TooMuchToUnpack { .. }
                | Error::TooMuchMemory(_)
                | Error::CutShort { .. }
                | Error::Corrupt { .. }
                | Error::DamagedArchive { .. }
                | Error::FileChanged { .. }
                | Error::LikeKnown(_)
                | Error::NotTheLast { .. }
                | Error::Input(_)
        )
    }

    /// For `map_err` on what is done to a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { path: path.to_owned(), source }
    }

    /// What is wrong with SQL that a user has written.
    pub fn sql(error: rusqlite::Error) -> Error {
        Error::Sql(sql_message(error))
    }
}

fn hint(similar: &[String]) -> String {
    match similar {
        [] => String::new(),
        _ => format!("; similar: {}", similar.join(", ")),
    }
}

/// Why SQL that a user has written cannot have parameters.
pub const NO_PARAMETERS: &str = "a parameter like ? or :name has no value here";

/// SQLite's message alone, without the statement.
pub(crate) fn sql_message(error: rusqlite::Error) -> String {
    match error {
        // An SQLite that is not bundled does not tell where in a statement it has found a fault.
        #[cfg(feature = "program")]
        rusqlite::Error::SqlInputError { msg, .. } => msg,
        rusqlite::Error::SqliteFailure(_, Some(message)) => message,
        other => other.to_string(),
    }
}

/// The result of whatever may fail to run.
pub type Result<T> = std::result::Result<T, Error>;
