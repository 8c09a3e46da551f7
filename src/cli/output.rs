//! Output files and standard output. An output file is written under a temporary name and renamed at the end, so that a
//! failed run keeps the old file.

use std::error::Error as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use super::same_file::is_same_file;
use super::stop::DeletedOnSignal;
use super::terminal_text::TerminalText;
use super::{Outcome, activity, closed, file_error};
use stamma::error::{Error, Result};
use stamma::import::ProblemLog;
use stamma::input::database_file;
use stamma::storage::{Database, database_files, folder_of};

/// The size of the write buffer.
const BUFFER_BYTES: usize = 1 << 20;
/// The maximum number of symbolic links that are followed, the limit of Linux.
const MAX_LINKS: usize = 40;
/// The number of random characters in the name of a temporary file.
pub(super) const RANDOM_CHARACTERS: usize = 12;
/// The magic bytes of an SQLite database.
const SQLITE_MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// An output file. It replaces the named file when it is [finished](OutputFile::finish). If it is dropped before, the
/// named file is unchanged.
#[derive(Debug)]
pub(super) struct OutputFile {
    /// The path as the user has given it.
    path: PathBuf,
    out: BufWriter<File>,
    /// `None` for a target that cannot be replaced: a device, a pipe, an open file of the process.
    replacement: Option<Replacement>,
}

/// A temporary file, and the file that it will replace.
#[derive(Debug)]
struct Replacement {
    /// Deleted on drop.
    temporary: TempPath,
    /// Dropped after `temporary`.
    on_signal: DeletedOnSignal,
    target: PathBuf,
}

impl OutputFile {
    /// Creates a file.
    ///
    /// A symbolic link is kept, and its target replaced. A pipe or a device is written to directly.
    ///
    /// # Errors
    /// When the file cannot be written, no file can be created in its folder, or it is an SQLite database.
    pub(super) fn create(path: &Path) -> Result<OutputFile> {
        // Errors name the path that the user knows, not the temporary file.
        let fail = |error| file_error(path)(error);
        let (file, replacement) = match target(path).map_err(fail)? {
            Target::InPlace(file) => (file, None),
            Target::File(target) => {
                refuse_database(&target, path)?;
                let (file, temporary) = temporary_file(&target).map_err(fail)?;
                let on_signal = DeletedOnSignal::new(&temporary);
                let replacement = Replacement {
                    temporary,
                    on_signal,
                    target,
                };
                (file, Some(replacement))
            }
        };

        let out = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(OutputFile {
            path: path.to_owned(),
            out,
            replacement,
        })
    }

    /// Replaces the named file, unless the command has failed.
    ///
    /// # Errors
    /// When the file cannot be written; the old file is then unchanged.
    pub(super) fn finish(mut self, outcome: Outcome) -> Result<()> {
        let fail = |error| file_error(&self.path)(error);
        let Some(Replacement {
            temporary,
            on_signal,
            target,
        }) = self.replacement.take()
        else {
            return self.out.flush().map_err(fail);
        };
        // The temporary file is deleted when it is dropped.
        if outcome == Outcome::Failed {
            return Ok(());
        }

        let flushed = self.out.into_inner();
        let file = flushed.map_err(|error| fail(error.into_error()))?;
        keep_owner_and_mode(&file, &target).map_err(fail)?;
        // A rename can reach the disk before the bytes, and a crash would then leave an empty file.
        file.sync_all().map_err(fail)?;

        temporary
            .persist(&target)
            .map_err(|error| fail(error.error))?;
        drop(on_signal);
        sync_folder(&target);
        Ok(())
    }

    /// A second handle to the file, without a buffer.
    fn handle(&self) -> Result<File> {
        self.out
            .get_ref()
            .try_clone()
            .map_err(file_error(&self.path))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The target of a path.
pub(super) enum Target {
    /// A file that can be replaced, whether it exists or not.
    File(PathBuf),
    /// A target that must be written in place.
    InPlace(File),
}

/// Finds the target of a path.
///
/// # Errors
/// When a file cannot be written to.
pub(super) fn target(path: &Path) -> io::Result<Target> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let place = resolved(path)?;
    let Some(metadata) = metadata else {
        return Ok(Target::File(place));
    };

    let is_open = is_open_file(&place);
    if is_open && is_same_file(path, Path::new(STANDARD_OUTPUT)) {
        let file = standard_output_file()?;
        return Ok(Target::InPlace(file));
    }

    // A file that is not writable must not be replaced either.
    let file = OpenOptions::new().append(true).open(path)?;
    let is_replaced = metadata.is_file() && !is_open;
    if is_replaced {
        Ok(Target::File(place))
    } else {
        Ok(Target::InPlace(file))
    }
}

/// The path of standard output.
const STANDARD_OUTPUT: &str = "/dev/stdout";

/// The target of symbolic links, which need not exist. Links in `/proc` are not followed.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&place) {
            // Links to the open files of a process have targets that are not paths, like `pipe:[4026]`.
            Ok(target) if !is_open_file(&place) => place = folder_of(&place).join(target),
            _ => return Ok(place),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// `true` for the path of an open file of a process, such as `/dev/fd/3`, which is not a name in a file system.
fn is_open_file(path: &Path) -> bool {
    fs::canonicalize(folder_of(path)).is_ok_and(|folder| folder.starts_with("/proc"))
}

/// Refuses to replace a database: `-o games.db` is probably meant for another command.
pub(super) fn refuse_database(target: &Path, path: &Path) -> Result<()> {
    if is_sqlite(target) {
        return Err(Error::WouldReplaceDatabase(path.to_owned()));
    }
    Ok(())
}

/// `true` for an SQLite database.
pub(super) fn is_sqlite(path: &Path) -> bool {
    // Reading from a pipe would consume its data, and might wait forever.
    if !path.is_file() {
        return false;
    }
    let Ok(mut file) = File::open(path) else {
        return false;
    };

    let mut head = [0; SQLITE_MAGIC.len()];
    file.read_exact(&mut head).is_ok() && head == *SQLITE_MAGIC
}

/// Creates a file in the folder of the file that it will replace, under an unused name.
fn temporary_file(target: &Path) -> io::Result<(File, TempPath)> {
    // A fixed name could belong to a file of the user, or be a link to one.
    let mut builder = Builder::new();
    builder.prefix(".stamma-").rand_bytes(RANDOM_CHARACTERS);

    // A new file gets the default mode. The replacement of a file is readable only by the owner until it gets the mode
    // of the old file.
    #[cfg(unix)]
    if !target.exists() {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }

    let folder = folder_of(target);
    let created = builder
        .tempfile_in(folder)
        .map_err(|error| not_created(&error, folder))?;
    Ok(created.into_parts())
}

/// The error of a file that cannot be created, which names its folder instead of the temporary file.
fn not_created(error: &io::Error, folder: &Path) -> io::Error {
    let kind = error.kind();
    let place = folder.display();
    let sentence = if kind == io::ErrorKind::NotFound {
        format!("there is no folder {place}")
    } else {
        // The error names the temporary file, but the source of the error does not.
        match error.source() {
            Some(why) => format!("no file can be created in the folder {place}: {why}"),
            None => format!("no file can be created in the folder {place}: {error}"),
        }
    };
    io::Error::new(kind, sentence)
}

/// The bits of a mode for reading, writing and executing, without set-user-id and the like.
#[cfg(unix)]
const ALL_PERMISSIONS: u32 = 0o777;
/// The permissions of the group.
#[cfg(unix)]
const GROUP_PERMISSIONS: u32 = 0o070;
/// The permissions of all others.
#[cfg(unix)]
const OTHERS_PERMISSIONS: u32 = 0o007;

/// Gives a file the owner, the group and the mode of the file that it will replace, if there is one.
#[cfg(unix)]
pub(super) fn keep_owner_and_mode(file: &File, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let Ok(before) = fs::metadata(target) else {
        return Ok(());
    };

    // Most users may not change the owner of a file. If the change fails, the user remains the owner.
    let now = file.metadata()?;
    let owner = before.uid();
    let group = before.gid();
    let has_owner = now.uid() == owner || fchown(file, Some(owner), None).is_ok();
    let has_group = now.gid() == group || fchown(file, None, Some(group)).is_ok();

    // Another group must not inherit the permissions of the old group. It gets the permissions of all others.
    let mut mode = before.mode() & ALL_PERMISSIONS;
    if !has_group || !has_owner {
        let of_others = mode & OTHERS_PERMISSIONS;
        mode &= !GROUP_PERMISSIONS | (of_others << 3);
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Does nothing: other systems have no owner and mode to keep.
#[cfg(not(unix))]
pub(super) fn keep_owner_and_mode(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a rename durable. If the file system does not support this, a crash leaves the old or the new file intact.
pub(super) fn sync_folder(target: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = target;
}

/// Refuses a file that is one of some other files.
///
/// # Errors
/// If the file is one of them.
pub(super) fn refuse_any_of<'p>(
    path: &Path,
    others: impl IntoIterator<Item = &'p Path>,
) -> Result<()> {
    for other in others {
        if is_part_of(path, other) {
            return Err(Error::WouldOverwriteInput(path.to_owned()));
        }
    }
    Ok(())
}

/// `true` if a path names a file, or names a part of a foreign database whose index is the file.
fn is_part_of(path: &Path, file: &Path) -> bool {
    let of_database = database_file(path);
    is_same_file(path, file) || of_database.is_some_and(|index| is_same_file(&index, file))
}

/// Refuses a file that belongs to a database: the database itself, and the files that SQLite and Stamma keep beside it.
///
/// # Errors
/// If the file belongs to the database.
pub(super) fn refuse_files_of(database: &Path, path: &Path) -> Result<()> {
    if is_same_file(path, database) {
        return Err(Error::WouldOverwrite(path.to_owned()));
    }
    let files = database_files(database);
    refuse_any_of(path, files.iter().map(PathBuf::as_path))
}

/// Refuses a file from which games of a database were imported, since overwriting it would lose everything else in it.
///
/// # Errors
/// If the file is a source of the database, or the database cannot be read.
pub(super) fn refuse_sources_of(database: &Database, path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }

    for source in database.source_paths()? {
        // The path of a member of an archive begins with the path of the archive.
        for file in Path::new(&source).ancestors() {
            if file.is_file() && is_part_of(path, file) {
                return Err(Error::WouldOverwriteSource(path.to_owned()));
            }
        }
    }
    Ok(())
}

/// Creates a file, if a path is given.
///
/// # Errors
/// As for [`OutputFile::create`].
pub(super) fn create_if_any(path: Option<&Path>) -> Result<Option<OutputFile>> {
    match path {
        Some(path) => Ok(Some(OutputFile::create(path)?)),
        None => Ok(None),
    }
}

/// Creates a file for output from a database.
///
/// # Errors
/// If the file belongs to the database or is one of its sources, and as for [`OutputFile::create`].
pub(super) fn output_of(database: &Database, path: &Path) -> Result<OutputFile> {
    refuse_files_of(database.path(), path)?;
    refuse_sources_of(database, path)?;
    OutputFile::create(path)
}

/// Writes a text about some databases to a file, or to standard output without one.
///
/// # Errors
/// As for [`output_of`] and [`print`].
pub(super) fn write_output<'d>(
    databases: impl IntoIterator<Item = &'d Database>,
    path: Option<&Path>,
    text: impl AsRef<[u8]>,
) -> Result<()> {
    let Some(path) = path else { return print(text) };
    for database in databases {
        refuse_files_of(database.path(), path)?;
        refuse_sources_of(database, path)?;
    }

    let mut out = OutputFile::create(path)?;
    out.write_all(text.as_ref()).map_err(file_error(path))?;
    out.finish(Outcome::Done)
}

/// Creates the file for all problems of an import, if it is requested; `inputs` are the files that the import reads.
///
/// # Errors
/// If the file is one of the inputs or belongs to the database, and as for [`OutputFile::create`].
pub(super) fn problem_file<'p>(
    path: Option<&Path>,
    database: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<Option<(OutputFile, ProblemLog)>> {
    let Some(path) = path else { return Ok(None) };
    refuse_any_of(path, inputs)?;
    refuse_files_of(database, path)?;

    let file = OutputFile::create(path)?;
    let log = ProblemLog::new(path, file.handle()?);
    Ok(Some((file, log)))
}

/// Unbuffered standard output. Unlike [`io::stdout`], it reports an error if standard output is closed or not writable.
#[derive(Debug)]
pub(super) enum StandardOutput {
    /// The bytes are written unchanged.
    Plain(File),
    /// Control characters are replaced.
    Terminal(TerminalText<File>),
}

/// Opens standard output for text that may have text from games. For a terminal, control characters are replaced. A
/// file or a pipe receives the bytes unchanged.
///
/// # Errors
/// If standard output is closed.
pub(super) fn standard_output() -> io::Result<StandardOutput> {
    let file = standard_output_file()?;
    if file.is_terminal() {
        return Ok(StandardOutput::Terminal(TerminalText::new(file)));
    }
    Ok(StandardOutput::Plain(file))
}

/// Opens standard output for text with colours. Text from games must be made [printable](super::printable) by the
/// caller.
///
/// # Errors
/// If standard output is closed.
fn styled_standard_output() -> io::Result<StandardOutput> {
    standard_output_file().map(StandardOutput::Plain)
}

/// The file of standard output.
fn standard_output_file() -> io::Result<File> {
    #[cfg(unix)]
    use std::os::fd::AsFd;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle;

    activity::end();
    if closed::was_standard_output_closed() {
        return Err(io::Error::other("standard output is closed"));
    }

    let stdout = io::stdout();
    #[cfg(unix)]
    let handle = stdout.as_fd().try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = stdout.as_handle().try_clone_to_owned()?;
    Ok(File::from(handle))
}

/// Buffered standard output, which must be flushed.
///
/// # Errors
/// As for [`standard_output`].
pub(super) fn buffered_output() -> Result<BufWriter<StandardOutput>> {
    let out = standard_output().map_err(Error::Output)?;
    Ok(BufWriter::new(out))
}

/// Buffered standard output for text with colours, which must be flushed. Text from games must be made
/// [printable](super::printable) by the caller.
///
/// # Errors
/// As for [`standard_output`].
pub(super) fn styled_output() -> Result<BufWriter<StandardOutput>> {
    let out = styled_standard_output().map_err(Error::Output)?;
    Ok(BufWriter::new(out))
}

/// Prints a text.
///
/// # Errors
/// When standard output is closed, or cannot be written.
pub(super) fn print(text: impl AsRef<[u8]>) -> Result<()> {
    let mut out = standard_output().map_err(Error::Output)?;
    out.write_all(text.as_ref()).map_err(Error::Output)
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            StandardOutput::Plain(file) => file.write(bytes),
            StandardOutput::Terminal(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            StandardOutput::Plain(file) => file.flush(),
            StandardOutput::Terminal(text) => text.flush(),
        }
    }
}
