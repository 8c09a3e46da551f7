//! The database file: opening it, its tables, and games as rows.

mod address;
mod annotations;
mod beside;
mod canonical_names;
mod cell;
mod change;
mod checksum;
mod checksum_check;
mod chosen;
mod clocks;
mod content;
mod copy;
mod delete;
mod encounter;
mod evaluation;
mod file_identity;
mod final_fen;
mod foreign_code;
mod forget;
mod game;
mod game_id;
pub(crate) mod game_set;
mod heading;
mod indexed;
mod indexed_lines;
mod json;
mod known_names;
mod known_search;
mod listing;
mod lock;
mod merged_tags;
mod name_index;
mod name_words;
mod names;
mod opening_check;
mod openings;
#[cfg(feature = "dataset")]
mod origin;
mod played;
mod position_fen;
mod readers;
mod reported;
mod row;
mod row_batch;
mod row_check;
mod schema;
mod schema_check;
#[cfg(feature = "program")]
mod sealed;
mod several;
mod snapshot;
mod source;
mod source_text;
mod statistics;
mod tags;
mod twin_marks;
mod twin_texts;
mod unfinished;
mod writer;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, ffi};

pub(crate) use address::{address_of, game_with_site, id_in_tags, split_site};
pub(crate) use annotations::read_annotations;
pub use beside::database_files;
/// For the program, which writes other files than databases.
#[doc(hidden)]
pub use beside::folder_of;
pub use canonical_names::{CanonicalName, CanonicalNames, NameTable};
pub(crate) use canonical_names::{
    canonical_names, each_fide_id, names_of, players_of_duplicates, remove_canonical_names,
    set_canonical_names,
};
pub(crate) use cell::{number_cell, owned_text_cell, text_cell, variant_cell};
pub(crate) use change::Commits;
pub(crate) use copy::CopySummary;
pub(crate) use delete::delete_games;
pub(crate) use encounter::{
    Differences, StoredEncounter, encounter, forget_merged_tags, games_of_players,
    games_with_address, remove_earlier_texts, remove_texts_of_replaced,
};
pub use evaluation::{EvaluationKind, PositionEvaluation, best_evaluations};
pub(crate) use evaluation::{EvaluationWriter, NewEvaluation, best_evaluation, evaluation_of};
pub use file_identity::{FileIdentity, FileStamp};
pub use forget::ForgottenSource;
pub(crate) use forget::{forget_source, remove_unused_names, sources_with_continuations};
pub use game::GameReader;
pub(crate) use game::all_tags;
pub use game_id::{GameId, SourceId};
pub use game_set::GameSet;
pub use heading::Heading;
pub(crate) use indexed::{Freshness, IndexedFacts, not_indexed, played_games};
pub(crate) use indexed_lines::IndexedLines;
pub use indexed_lines::IndexedPlies;
pub(crate) use known_search::{KnownSearch, KnownSearches, engine_source};
pub use listing::Listing;
pub(crate) use merged_tags::{
    MergedTag, MergedTagSelection, RESULT, count_tags_of_deleted_games, merge_tags,
    merged_tags_by_game, result_of, revert_merged_tags,
};
pub(crate) use name_words::indexed_words;
pub use openings::OpeningTable;
#[cfg(feature = "dataset")]
pub(crate) use origin::{OriginReader, StoredOrigin, StoredProblem, StoredSource};
pub use played::NumberedMove;
pub(crate) use played::{
    PlayedGame, facts_of_row, numbered_move_at, plies_before, read_facts, replay_stored, san_at,
};
pub use position_fen::Materialized;
pub(crate) use position_fen::{games_without_fens, write_position_fens};
pub(crate) use readers::Readers;
pub use reported::ReportedProblem;
pub(crate) use row::{GameRow, NameNumbers, RowBuilder, TextArena};
pub(crate) use row_batch::RowBatch;
pub use row_check::Remedy;
pub(crate) use row_check::RowFault;
pub(crate) use schema::GAMES;
pub use several::database_names;
pub(crate) use several::{refuse_twice, shared_cache_kib};
pub use snapshot::Log;
pub(crate) use source::{
    HEAD_BYTES, KnownSource, Mark, NewSource, SourceProgress, SourceRow, begin_source,
    continued_by, continued_games, delete_game_range, delete_source, end_before_last_game,
    end_before_passed_over, end_before_updated, end_source, keep_as_origin, keep_progress,
    known_sources, remove_if_unused,
};
pub(crate) use source_text::SourceTextRow;
pub use source_text::{TextReader, Texts};
pub use statistics::{SourceSummary, Statistics};
pub(crate) use tags::{elo_of_tag, other_tags};
pub use twin_marks::DuplicateGroup;
pub(crate) use twin_marks::{
    TwinSearchState, are_all_examined, duplicate_groups, duplicates, mark_group, note_examined,
    unexamined_games, unmark_all, unmark_group,
};
pub(crate) use twin_texts::TwinTexts;
pub(crate) use writer::GameWriter;

use crate::error::{Error, Result};
use crate::store_fault::StoreError;
use beside::refuse_foreign_journals;
use lock::WriterLock;
use schema::{APPLICATION_ID, SCHEMA, UNRELEASED_ID, VERSION};

/// The size of SQLite's page cache during queries, in KiB; it is allocated only as pages are read.
const READ_CACHE_KIB: u32 = 32 * 1024;
/// The minimum page cache of each of many databases.
const MIN_CACHE_KIB: u32 = 1024;
/// The maximum wait of a writer for readers to finish.
const WAIT_FOR_READERS: Duration = Duration::from_secs(20);
/// The maximum wait of a connection for a writer, and of a writer at its end for readers of earlier states.
const WAIT_FOR_WRITERS: Duration = Duration::from_secs(5);

/// An open Stamma database.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    /// The file that was opened; another one may be at the path by now.
    file: Option<FileIdentity>,
    pub(crate) connection: Connection,
    /// `true` if the application id and version of the file were lost, and have been restored.
    is_restored: bool,
    /// See [`Database::has_unmerged_log`].
    has_unmerged_log: Cell<bool>,
    /// The maximum wait of a change for another program that writes without the writer's lock.
    wait_for_others: Duration,
    /// The writer's lock, released after the connection.
    lock: Option<WriterLock>,
}

impl Database {
    /// The schema version that this library reads and writes.
    pub const VERSION: i64 = VERSION;

    /// Opens a database for queries. All answers are from one snapshot until the [`Database`] is dropped, whatever
    /// others write meanwhile.
    ///
    /// # Errors
    /// When the file is missing, belongs to another program, or was written by a newer or an unreleased version.
    pub fn open(path: impl AsRef<Path>) -> Result<Database> {
        let path = path.as_ref();
        require_file(path)?;

        // If a writer was killed, the first reader rolls the unfinished transaction back, which needs write access.
        let database = match Database::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE) {
            Ok(database) => database,
            Err(_) => Database::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        database.ready_for_queries()
    }

    /// Opens a database for queries so that no statement, whatever its text, can change the database or any other file.
    ///
    /// # Errors
    /// As for [`Database::open`].
    #[cfg(feature = "program")]
    pub fn open_immutable(path: impl AsRef<Path>) -> Result<Database> {
        Database::open_immutable_with(path.as_ref(), &[])
    }

    /// Lets statements only read: they cannot write temporary tables either, or create large values from nothing.
    ///
    /// # Errors
    /// When SQLite refuses.
    #[cfg(feature = "program")]
    pub fn allow_only_reads(&self) -> Result<()> {
        let authorized = self.connection.authorizer(Some(sealed::authorize_reads));
        authorized.in_database(self)
    }

    /// Opens a database for copying the file, for which not even a lock file is written beside it. For queries, use
    /// [`Database::open`].
    ///
    /// # Errors
    /// As for [`Database::open`], and when a killed writer has left unfinished changes.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Database> {
        let path = path.as_ref();
        require_file(path)?;

        Database::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?.ready_for_queries()
    }

    /// Begins a snapshot if the file is a database of a known version.
    fn ready_for_queries(self) -> Result<Database> {
        if self.version()? == 0 {
            return Err(Error::NotADatabase(self.path));
        }
        self.connect_view()?;

        let set_up = format!("PRAGMA query_only = 1; PRAGMA cache_size = -{READ_CACHE_KIB}; BEGIN");
        self.connection.execute_batch(&set_up).in_database(&self)?;
        Ok(self)
    }

    /// Opens a database for writing, and creates it if it is missing.
    ///
    /// # Errors
    /// When the file belongs to another program, to a newer or an unreleased version, or cannot be written.
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Database> {
        let path = path.as_ref();
        Database::open_or_create_within(path, WAIT_FOR_WRITERS)
    }

    /// Like [`Database::open_or_create`], waiting up to `wait` for another writer.
    ///
    /// # Errors
    /// As for [`Database::open_or_create`].
    pub fn open_or_create_within(path: impl AsRef<Path>, wait: Duration) -> Result<Database> {
        let path = path.as_ref();
        let lock = WriterLock::acquire(path, wait)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut database = Database::connect(path, flags)?;
        database.wait_for_others = wait;

        match database.version()? {
            0 => {
                // An empty file becomes a database; other tables belong to another program.
                if database.ask("SELECT count(*) FROM sqlite_schema")? > 0 {
                    return Err(Error::NotADatabase(path.to_owned()));
                }
                database
                    .connection
                    .execute_batch(&schema::set_up_new())
                    .in_database(&database)?;
            }
            version => database.restore_numbers(version)?,
        }
        database.upgrade(lock)
    }

    /// Opens an existing database for writing. Also completes the words of names and the indexes from names to games,
    /// which a killed import leaves incomplete.
    ///
    /// # Errors
    /// When the file is missing, and as for [`Database::open_or_create`].
    pub fn open_to_write(path: impl AsRef<Path>) -> Result<Database> {
        let path = path.as_ref();
        require_file(path)?;

        let lock = WriterLock::acquire(path, WAIT_FOR_WRITERS)?;
        let mut database = Database::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let version = database.version()?;
        if version == 0 {
            return Err(Error::NotADatabase(path.to_owned()));
        }
        database.restore_numbers(version)?;

        let database = database.upgrade(lock)?;
        database.build_name_indexes()?;
        database.complete_names()?;
        Ok(database)
    }

    /// `true` while a writer has the database open.
    pub fn is_being_written(&self) -> bool {
        lock::is_held(&self.path)
    }

    /// `true` if the file was recognized by its tables alone, and its application id and version have been restored.
    pub fn is_restored(&self) -> bool {
        self.is_restored
    }

    /// Brings the schema to this version: creates all tables of a new database.
    fn upgrade(mut self, lock: WriterLock) -> Result<Database> {
        self.lock = Some(lock);
        self.keep_temporary_files_beside()?;

        match SCHEMA.to_latest(&mut self.connection) {
            Ok(()) => {
                self.connect_view()?;
                self.remove_unused_journal()?;
                Ok(self)
            }
            Err(rusqlite_migration::Error::RusqliteError { err, .. }) => Err(self.error(err)),
            Err(other) => Err(self.damaged(other.to_string())),
        }
    }

    /// Removes a rollback journal that a killed writer has created but not begun. SQLite ignores it, and would remove
    /// it only at the end of the next transaction.
    fn remove_unused_journal(&self) -> Result<()> {
        let Some(journal) = beside::unused_journal(&self.path) else {
            return Ok(());
        };

        // While this transaction lasts, no other writer has a journal.
        let transaction = self.write_transaction()?;
        // A journal that cannot be deleted does no harm.
        let _ = std::fs::remove_file(journal);
        transaction.rollback().in_database(self)
    }

    /// Lets SQLite sort in the folder of the database, which has room for it: a folder for temporary files may be small
    /// or in memory. A user who has set `SQLITE_TMPDIR` has chosen another folder.
    fn keep_temporary_files_beside(&self) -> Result<()> {
        if std::env::var_os("SQLITE_TMPDIR").is_some() {
            return Ok(());
        }
        let Ok(folder) = std::path::absolute(self.folder()) else {
            return Ok(());
        };
        let Some(folder) = folder.to_str() else {
            return Ok(());
        };

        let set = self
            .connection
            .pragma_update(None, "temp_store_directory", folder);
        set.in_database(self)
    }

    /// Prepares the table function that the view `games` uses. SQLite would connect it at its first use, and could not
    /// tell an interruption there from an error of the statement.
    fn connect_view(&self) -> Result<()> {
        let function = self.connection.prepare("SELECT key FROM json_each('[]')");
        function.in_database(self)?;
        Ok(())
    }

    /// Opens a connection, without reading anything of the file.
    fn connect(path: &Path, flags: OpenFlags) -> Result<Database> {
        if path.is_dir() {
            return Err(Error::NotAFile(path.to_owned()));
        }
        refuse_foreign_journals(path)?;

        let fail = |source| Error::Database {
            path: path.to_owned(),
            source,
        };
        // SQLite interprets names like `:memory:` and `file:x`.
        let absolute_path = std::path::absolute(path).map_err(Error::file(path))?;
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;

        // If one file is at the path before and after, SQLite has opened this file. Nothing is read yet.
        let found_before = FileIdentity::of(path);
        let connection = Connection::open_with_flags(absolute_path, flags)
            .map_err(|source| open_error(path).unwrap_or_else(|| fail(source)))?;
        let file = FileIdentity::of(path);
        if found_before.is_some() && found_before != file {
            return Err(Error::Replaced(path.to_owned()));
        }

        // Rejects a misspelt column in double quotes, which SQLite would take for a text.
        let quotes = DbConfig::SQLITE_DBCONFIG_DQS_DML;
        connection.set_db_config(quotes, false).map_err(fail)?;

        let path = path.to_owned();
        Ok(Database {
            path,
            file,
            connection,
            is_restored: false,
            has_unmerged_log: Cell::new(false),
            wait_for_others: WAIT_FOR_WRITERS,
            lock: None,
        })
    }

    /// The schema version; 0 for a file that is empty or not a Stamma database.
    fn version(&self) -> Result<i64> {
        let application = match self.ask("PRAGMA application_id") {
            Err(Error::Database { source, path }) if is_no_database(&source) => {
                return Err(Error::NotADatabase(path));
            }
            other => other?,
        };

        match (application, self.ask("PRAGMA user_version")?) {
            (APPLICATION_ID, found) if found > VERSION => Err(Error::NewerDatabase {
                path: self.path.clone(),
                found,
                known: VERSION,
            }),
            (APPLICATION_ID, found) if found > 0 => Ok(found),
            (UNRELEASED_ID, _) => Err(self.unreleased_error()?),
            // `.dump` writes neither number.
            (APPLICATION_ID | 0, _) => {
                let found = schema::recognize(&self.connection).in_database(self)?;
                if found.is_none() && schema::is_unreleased(&self.connection).in_database(self)? {
                    return Err(self.unreleased_error()?);
                }
                Ok(found.unwrap_or(0))
            }
            _ => Ok(0),
        }
    }

    /// The error for a database of an unreleased version, with the sources that it lists.
    fn unreleased_error(&self) -> Result<Error> {
        let mut sources = Vec::new();
        self.rows("SELECT path FROM source ORDER BY id", |row| {
            let path = text_cell(row, 0)?;
            sources.extend(path.map(str::to_owned));
            Ok(())
        })?;

        Ok(Error::UnreleasedDatabase {
            path: self.path.clone(),
            sources,
        })
    }

    /// Restores the application id and version of a file that was recognized by its tables.
    fn restore_numbers(&mut self, version: i64) -> Result<()> {
        let has_numbers = format!(
            "SELECT application_id = {APPLICATION_ID} AND user_version = {version}
            FROM pragma_application_id, pragma_user_version"
        );
        if self.ask(&has_numbers)? != 0 {
            return Ok(());
        }

        let restore = format!(
            "BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID};
            PRAGMA user_version = {version}; COMMIT"
        );
        self.connection.execute_batch(&restore).in_database(self)?;
        self.is_restored = true;
        Ok(())
    }

    /// Sets the connection up for bulk writes, with `cache_bytes` of memory for pages.
    ///
    /// If others may read the database, changes go into a write-ahead log meanwhile, so that readers see the state
    /// before.
    fn prepare_to_write(&self, cache_bytes: u64) -> Result<()> {
        self.refuse_foreign_code()?;

        let set = |name: &str, value: i64| self.connection.pragma_update(None, name, value);
        let cache_kib = cache_bytes as i64 / 1024;
        // A negative number means KiB, a positive one pages.
        set("cache_size", -cache_kib).in_database(self)?;
        // Every reference that is written has just been looked up or created.
        set("foreign_keys", 0).in_database(self)?;

        let has_games = self.ask("SELECT EXISTS (SELECT 1 FROM game)")? != 0;
        if has_games {
            self.log_changes()
        } else {
            // A new database has no readers, and one that came between two steps would block the next.
            self.lock_for_all_steps("exclusive")
        }
    }

    /// Sets whether the file stays locked between transactions.
    fn lock_for_all_steps(&self, mode: &str) -> Result<()> {
        self.connection
            .pragma_update(None, "locking_mode", mode)
            .in_database(self)
    }

    /// Switches to the write-ahead log, which needs a moment without readers.
    fn log_changes(&self) -> Result<()> {
        // A program that does not know the writer's lock may be writing. Readers end soon, and are waited for longer.
        self.wait_for(self.wait_for_others)?;
        self.connection
            .execute_batch("BEGIN IMMEDIATE; ROLLBACK")
            .in_database(self)?;

        self.wait_for(WAIT_FOR_READERS)?;
        self.mark_unfinished()?;
        let logged = self.connection.pragma_update(None, "journal_mode", "wal");
        logged.in_database(self)?;

        // Brings the mark into the file if there was a log already.
        self.merge_log(WAIT_FOR_WRITERS)?;
        Ok(())
    }

    /// Writes the log into the file and empties it. Waits up to `patience` for readers of earlier states; returns
    /// `false` if such a reader is left, so that a part of the changes is in the log only.
    fn merge_log(&self, patience: Duration) -> Result<bool> {
        self.wait_for(patience)?;
        let is_busy = self.ask("PRAGMA wal_checkpoint(TRUNCATE)")? != 0;
        self.wait_for(WAIT_FOR_WRITERS)?;
        Ok(!is_busy)
    }

    /// Enables or disables the triggers that note changes of other programs, and the constraints that refuse their
    /// values. Both together take a microsecond for each game.
    pub(crate) fn set_triggers(&self, on: bool) -> Result<()> {
        let set = self
            .connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, on);
        set.in_database(self)?;

        let ignored = self
            .connection
            .pragma_update(None, "ignore_check_constraints", !on);
        ignored.in_database(self)
    }

    /// Runs `work` with triggers off, and then restores the setting of triggers.
    pub(crate) fn without_triggers<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let are_on = self
            .connection
            .db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER)
            .in_database(self)?;

        self.set_triggers(false)?;
        let done = work();
        self.set_triggers(are_on)?;
        done
    }

    /// Merges the write-ahead log into the database file, and returns to the rollback journal.
    ///
    /// The log is merged and emptied as soon as no reader uses an older state; this waits up to `patience` for it, and
    /// works also while other connections have the file open. From then on, the file alone is the whole database. Only
    /// the change of the journal mode needs to be the single connection. Without the change, the log stays empty beside
    /// the file until the last other connection closes.
    fn finish_writing(&self, patience: Duration) -> Result<()> {
        self.lock_for_all_steps("normal")?;
        let is_logged = self.ask("SELECT journal_mode = 'wal' FROM pragma_journal_mode")? != 0;
        // Reading releases a lock that was kept.
        self.ask("SELECT 0 FROM sqlite_schema LIMIT 1")?;
        if !is_logged {
            return Ok(());
        }

        // The removal of the mark is the last change in the log. So a copy of the file alone has the mark until all of
        // the log is in the file, even if that is done by the last connection to close.
        let is_merged = self.merge_log(patience)?;
        self.remove_unfinished_mark()?;
        let patience_left = if is_merged { patience } else { Duration::ZERO };
        let is_whole = self.merge_log(patience_left)?;
        self.has_unmerged_log.set(!is_whole);
        if !is_whole {
            return Ok(());
        }

        self.wait_for(Duration::ZERO)?;
        let returned = self
            .connection
            .pragma_update(None, "journal_mode", "delete");
        self.wait_for(WAIT_FOR_WRITERS)?;

        match returned {
            Err(error) if is_busy(&error) => Ok(()),
            other => other.in_database(self),
        }
    }

    /// `true` if a change has ended while readers still used an older state, so that its last part is in the
    /// write-ahead log beside the file. The last connection to close merges the log. Until then, a copy of the file
    /// alone lacks the changes in the log.
    pub fn has_unmerged_log(&self) -> bool {
        self.has_unmerged_log.get()
    }

    /// A transaction that takes the write lock at once.
    fn write_transaction(&self) -> Result<Transaction<'_>> {
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
            .in_database(self)
    }

    /// Returns free space to the system if there is much of it: free pages, and the gaps that deleted rows have left in
    /// pages.
    pub(crate) fn shrink(&self) -> Result<()> {
        let has_free_pages = "SELECT freelist_count * 20 > page_count
            FROM pragma_freelist_count, pragma_page_count";
        // A page has room for less than one row, unless rows of it were deleted or it is the only one of its table.
        let has_loose_pages = "SELECT coalesce(sum(loose), 0) * 10 >
                (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
            FROM (SELECT sum(max(0, unused - payload / ncell)) AS loose FROM dbstat
                WHERE pagetype = 'leaf' AND ncell > 0 GROUP BY name HAVING count(*) > 1)";

        let mut should_vacuum = self.ask(has_free_pages)? != 0;
        if !should_vacuum {
            // An SQLite that is not bundled may lack the table `dbstat`.
            should_vacuum = self.ask(has_loose_pages).unwrap_or(0) != 0;
        }

        if should_vacuum {
            self.connection.execute_batch("VACUUM").in_database(self)?;
        }
        Ok(())
    }

    /// The folder of the file.
    pub(crate) fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// The SQLite connection, for your own SQL. It is read-only if the database was opened for queries.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The single number that a query returns.
    pub(crate) fn ask(&self, sql: &str) -> Result<i64> {
        self.connection
            .query_row(sql, [], |row| row.get(0))
            .in_database(self)
    }

    /// The single number that a query returns, which is never negative.
    fn ask_unsigned(&self, sql: &str) -> Result<u64> {
        let number = self.ask(sql)?;
        Ok(number.cast_unsigned())
    }

    /// The error for a failure of this database's connection.
    pub fn error(&self, error: impl Into<StoreError>) -> Error {
        let path = self.path.clone();
        let source = match error.into() {
            StoreError::Sqlite(source) => source,
            StoreError::Fault(fault) => return Error::Store { path, fault },
        };

        let Some(code) = source.sqlite_error() else {
            return Error::Database { path, source };
        };
        match code.code {
            ErrorCode::DatabaseBusy => Error::Busy(path),
            ErrorCode::OperationInterrupted => Error::Interrupted,
            // This is also a read-only error, so it comes first.
            _ if code.extended_code == ffi::SQLITE_READONLY_DBMOVED => Error::Replaced(path),
            ErrorCode::ReadOnly => Error::ReadOnly(path),
            _ if is_unwritten(*code) => Error::DiskFull { path, source },
            _ => Error::Database { path, source },
        }
    }

    /// An error for impossible content of this database.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            what: what.into(),
        }
    }
}

/// Fails if there is no file at a path.
fn require_file(path: &Path) -> Result<()> {
    if path.exists() {
        Ok(())
    } else {
        Err(Error::NoDatabase(path.to_owned()))
    }
}

/// The system's reason why an existing file cannot be opened, which SQLite does not tell.
fn open_error(path: &Path) -> Option<Error> {
    if !path.exists() {
        return None;
    }
    let error = std::fs::File::open(path).err()?;
    Some(Error::file(path)(error))
}

/// Adds the path of a database to an error of its tables, for results of functions that know a connection only.
pub trait InDatabase<T> {
    /// The result as one of a database.
    ///
    /// # Errors
    /// As [`Database::error`] makes them.
    fn in_database(self, database: &Database) -> Result<T>;
}

impl<T, E: Into<StoreError>> InDatabase<T> for std::result::Result<T, E> {
    fn in_database(self, database: &Database) -> Result<T> {
        self.map_err(|error| database.error(error))
    }
}

/// `true` if the system failed to write.
fn is_unwritten(error: rusqlite::ffi::Error) -> bool {
    let has_failed_to_write = matches!(
        error.extended_code,
        ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_FSYNC
    );
    error.code == ErrorCode::DiskFull || has_failed_to_write
}

/// `true` if another connection holds a lock.
fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// `true` if the file is not a database.
fn is_no_database(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::NotADatabase)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::store_fault::StoreFault;

    #[test]
    fn errors_of_tables_have_the_path_of_the_database() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        let database = Database::open_or_create(&path).expect("a database");

        let damaged: std::result::Result<(), StoreError> = Err(StoreFault::IndexBlock(5).into());
        let error = damaged.in_database(&database).expect_err("a fault");
        assert!(matches!(
            &error,
            Error::Store {
                fault: StoreFault::IndexBlock(5),
                ..
            }
        ));
        let expected = format!("{}: the position index is damaged at 5", path.display());
        assert_eq!(error.to_string(), expected);

        let failed = database.connection.execute_batch("SELECT nothing");
        let error = failed
            .in_database(&database)
            .expect_err("an error of SQLite");
        assert!(matches!(error, Error::Database { .. }), "{error}");

        // An error of an SQL function is no fault of the tables.
        let carried = rusqlite::Error::UserFunctionError(Box::new(StoreFault::IndexBlock(5)));
        assert!(matches!(database.error(carried), Error::Database { .. }));
    }

    #[test]
    fn a_file_that_was_replaced_is_not_called_read_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        let database = Database::open_or_create(&path).expect("a database");
        std::fs::rename(&path, folder.path().join("old.db")).expect("the file is moved");

        let insert = "INSERT INTO event (name) VALUES ('x')";
        let error = database
            .connection
            .execute(insert, [])
            .expect_err("a file that is gone");
        let expected = format!(
            "{}: the file was replaced meanwhile; try again",
            path.display()
        );
        assert_eq!(database.error(error).to_string(), expected);
    }
}
