//! Mutated files through everything that reads and writes games: nothing may panic, hang, take much memory or lose a
//! word.
//!
//! `cargo bench --bench mutated [-- --files N] [--seed N] [--keep DIR]` (1000 files, from seed 1). Each file is a part
//! of the games of `tests/data/games`, or of the files in the folder `STAMMA_CORPUS`, with changes of bytes, words,
//! tags, comments, white space of all kinds, line endings and encodings. It is converted, and the conversion is
//! converted again; it is imported, checked in full and exported. What must hold:
//!
//! - no panic, not even one that is caught and reported as a problem `bug`;
//! - no file takes more than 20 seconds, and the process never more than 1 GB (`--memory` is 128M);
//! - the second conversion equals the first, and the export equals both;
//! - `check` finds nothing;
//! - every marker word that was put in, and every word of six letters or more, is in the conversion.
//!
//! A file that breaks a rule is written to the folder of `--keep`, and the exit code is 1. After a hang or too much
//! memory the process ends at once with exit code 3. File `N` of a seed is the same in every run:
//! `--first N --files 1`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use memchr::memmem;

use stamma::convert::{self, Note, OutputPart, convert};
use stamma::export::write_pgn;
use stamma::import::{self, import};
use stamma::input::Input;
use stamma::maintenance::{Depth, check};
use stamma::notation::Style;
use stamma::pgn::write_between;
use stamma::storage::{Database, GameId, GameReader, TextReader};

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../chess/tests/support/random.rs"]
mod random;
#[allow(dead_code, reason = "other benches measure other processes")]
mod usage;

use random::Random;
use usage::Memory;

/// The maximum time for a file.
const MAX_TIME: Duration = Duration::from_secs(20);
/// The maximum memory of the process.
const MAX_KIB: u64 = 1_000_000;
/// The limit of memory for conversions and imports.
const MEMORY_BYTES: u64 = 128 << 20;
/// The interval between looks at time and memory.
const PAUSE: Duration = Duration::from_millis(50);
/// The exit code after a hang or too much memory.
const HANG_CODE: i32 = 3;
/// The number of files between lines of progress.
const PROGRESS_FILES: u64 = 10_000;

/// The size of a file before its changes.
const MIN_FILE_BYTES: usize = 20;
const MAX_FILE_BYTES: usize = 3020;
/// Files have fewer changes than this number.
const CHANGES: usize = 24;
/// One file in this number is in UTF-16.
const UTF16_STEP: usize = 40;
/// One file in this number is cut short.
const CUT_STEP: usize = 60;

/// The factor of a seed: file 1 of seed 0 must not be file 0 of seed 1.
const SEED_STEP: u64 = 1_000_003;
/// The letters of a word that must be kept. A shorter one may be a move, a result or an annotation symbol.
const MIN_KEPT_LETTERS: usize = 6;

/// The bytes of a corpus file that are used.
const SOURCE_BYTES: u64 = 32 << 20;
/// The dictionary of the fuzz targets, which the packed crate does not have.
const DICTIONARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/dictionaries/pgn.dict");

#[derive(Clone, Parser)]
struct Arguments {
    /// How many files are tried
    #[arg(long, value_name = "N", default_value_t = 1000)]
    files: u64,
    /// The number of the first one
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// What decides the changes
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where files that break a rule are kept
    #[arg(long, value_name = "DIR", default_value = "mutated-files")]
    keep: PathBuf,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let sources = sources();
    let words = dictionary();
    let watch = Watch::start(&arguments.keep);
    note_panics();

    let started = Instant::now();
    let mut faults = 0;
    let mut bytes_read = 0;
    let mut games = 0;
    for number in arguments.first..arguments.first + arguments.files {
        let mutated = Mutated::new(arguments.seed, number, &sources, &words);
        bytes_read += mutated.bytes.len();

        watch.begin(number, &mutated.bytes);
        // Unwind safety: the work leaves nothing behind but its folder, which is removed.
        let outcome = catch_unwind(AssertUnwindSafe(|| try_file(&mutated)));
        watch.end();

        // Also the panics of other threads, and those that Stamma has caught.
        let mut broken_rules = take_panics();
        match outcome {
            Ok(Ok(count)) => games += count,
            Ok(Err(fault)) => broken_rules.push(fault),
            Err(_) => broken_rules.push("the work has panicked".to_owned()),
        }
        if !broken_rules.is_empty() {
            faults += 1;
            let path = keep(&arguments.keep, number, "fault", &mutated.bytes);
            let rules = broken_rules.join("; ");
            println!("file {number} ({}): {rules}", path.display());
        }

        if (number + 1) % PROGRESS_FILES == 0 {
            let files = number + 1 - arguments.first;
            let elapsed = started.elapsed();
            eprintln!("{files} files, {faults} faults, {elapsed:?}");
        }
    }

    let files = arguments.files;
    let seconds = started.elapsed().as_secs_f64();
    println!("{files} files, {bytes_read} bytes, {games} games, {faults} faults in {seconds:.0} s");
    if faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The beginnings of files of real games.
fn sources() -> Vec<Vec<u8>> {
    let mut sources = Vec::new();
    for path in source_paths() {
        let file = fs::File::open(path).expect("a file");
        let mut bytes = Vec::new();
        file.take(SOURCE_BYTES)
            .read_to_end(&mut bytes)
            .expect("its beginning");
        sources.push(bytes);
    }
    sources
}

/// The PGN files of the project, and the PGN files of the corpus if `STAMMA_CORPUS` is set.
fn source_paths() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games");
    let corpus = std::env::var_os("STAMMA_CORPUS").map(PathBuf::from);

    let mut paths = Vec::new();
    for folder in [Some(own), corpus].into_iter().flatten() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "pgn") {
                paths.push(path);
            }
        }
    }

    // The order of a folder is not the same everywhere, and a seed chooses by number.
    paths.sort();
    paths
}

/// The words of the dictionary of the fuzz targets, which has one word in quotation marks on a line, and comments.
fn dictionary() -> Vec<Vec<u8>> {
    let dictionary = fs::read_to_string(DICTIONARY).expect("the repository has a dictionary");

    let mut words = Vec::new();
    for line in dictionary.lines() {
        let quoted = line
            .strip_prefix('"')
            .and_then(|line| line.strip_suffix('"'));
        words.extend(quoted.map(unescaped));
    }
    words
}

/// The bytes of a quoted word, in which `\x0a` is a byte in hexadecimal, and another character after `\` is itself.
fn unescaped(quoted: &str) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut bytes = quoted.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'x') => {
                let digits: String = bytes.by_ref().take(2).map(char::from).collect();
                plain.extend(u8::from_str_radix(&digits, 16));
            }
            escaped => plain.extend(escaped),
        }
    }
    plain
}

/// A file with changes.
struct Mutated {
    bytes: Vec<u8>,
    /// Whether ASCII words are still ASCII words: not after a change to UTF-16.
    has_words: bool,
}

impl Mutated {
    /// File `number` of a seed: a part of a source, changed in several places, and at times in UTF-16 or cut short.
    fn new(seed: u64, number: u64, sources: &[Vec<u8>], words: &[Vec<u8>]) -> Mutated {
        // Each file has a generator of its own, so that one file can be made without those before it.
        let mut random = Random::new(seed.wrapping_mul(SEED_STEP) ^ number);

        let source = random.choose(sources);
        let start = random.below(source.len());
        let length = MIN_FILE_BYTES + random.below(MAX_FILE_BYTES - MIN_FILE_BYTES);
        let end = source.len().min(start + length);
        let mut bytes = source[start..end].to_vec();
        for _ in 0..random.below(CHANGES) {
            change(&mut bytes, words, &mut random);
        }

        let is_utf16 = random.once_in(UTF16_STEP);
        if is_utf16 {
            bytes = utf16(&bytes);
        }
        if random.once_in(CUT_STEP) {
            let end = random.below(bytes.len() + 1);
            bytes.truncate(end);
        }

        Mutated {
            bytes,
            has_words: !is_utf16,
        }
    }

    /// The words that must be in the conversion: marker words, and long ones.
    fn words(&self) -> BTreeSet<&[u8]> {
        let mut words = BTreeSet::new();
        if !self.has_words {
            return words;
        }

        // Digits and bytes above ASCII belong to a word, which is then not of letters alone.
        let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
        for word in self.bytes.split(|&byte| !is_in_word(byte)) {
            let has_letters_only = word.iter().all(u8::is_ascii_alphabetic);
            let is_long = word.len() >= MIN_KEPT_LETTERS;
            if is_long && has_letters_only && !REWRITTEN.contains(&word) {
                words.insert(word);
            }
        }
        words
    }
}

/// A text in UTF-16, with its byte order mark.
fn utf16(bytes: &[u8]) -> Vec<u8> {
    const LITTLE_ENDIAN_MARK: [u8; 2] = [0xff, 0xfe];

    let text = String::from_utf8_lossy(bytes);
    let mut encoded = LITTLE_ENDIAN_MARK.to_vec();
    for unit in text.encode_utf16() {
        encoded.extend(unit.to_le_bytes());
    }
    encoded
}

/// Moves in words, which are written in letters.
const REWRITTEN: [&[u8]; 1] = [b"Castles"];

/// A place in some bytes: anywhere, or where the syntax changes.
fn place(bytes: &[u8], random: &mut Random) -> usize {
    const SYNTAX: &[u8] = b"[]\"(){}\n.; $*%";

    let anywhere = random.below(bytes.len() + 1);
    if random.once_in(2) {
        return anywhere;
    }

    // Before or behind the next character of the syntax.
    let mut rest = bytes[anywhere..].iter();
    match rest.position(|byte| SYNTAX.contains(byte)) {
        Some(next) => anywhere + next + random.below(2),
        None => anywhere,
    }
}

/// Inserts a text at a place.
fn insert(bytes: &mut Vec<u8>, at: usize, text: &[u8]) {
    bytes.splice(at..at, text.iter().copied());
}

/// White space of any kind, and other characters that are not seen.
fn invisible(random: &mut Random) -> String {
    const OTHERS: &str = "\u{7f}\u{85}\u{a0}\u{1680}\u{180e}\u{2000}\u{2003}\u{2009}\u{200a}\u{200b}\u{200e}\u{2028}\
        \u{2029}\u{202e}\u{202f}\u{205f}\u{2060}\u{3000}\u{feff}";
    // The control characters of ASCII, and the space behind them.
    const ASCII_CODES: usize = 33;

    let others: Vec<char> = OTHERS.chars().collect();
    let count = 1 + random.below(3);
    let mut text = String::new();

    for _ in 0..count {
        if random.below(2) == 0 {
            text.push(char::from(random.below(ASCII_CODES) as u8));
        } else {
            text.push(*random.choose(&others));
        }
    }

    text
}

/// A word that no program knows: `Wq` and five letters from `k` to `x`.
fn marker(random: &mut Random) -> String {
    const LETTERS: usize = 5;
    const ALPHABET: &[u8; 14] = b"klmnopqrstuvwx";

    let mut word = "Wq".to_owned();
    for _ in 0..LETTERS {
        word.push(char::from(*random.choose(ALPHABET)));
    }
    word
}

/// Changes some bytes in one of fourteen ways, half of which insert a text.
fn change(bytes: &mut Vec<u8>, words: &[Vec<u8>], random: &mut Random) {
    const MAX_CHANGED_BYTES: usize = 60;
    const MAX_REPETITIONS: usize = 30;
    const WAYS: usize = 14;

    let start = place(bytes, random);
    let length = 1 + random.below(MAX_CHANGED_BYTES);
    let end = bytes.len().min(start + length);
    match random.below(WAYS) {
        way @ 0..7 => {
            let text = text_to_insert(way, words, random);
            insert(bytes, start, &text);
        }

        // Remove.
        7 => {
            bytes.drain(start..end);
        }
        // Copy to another place.
        8 => {
            let part = bytes[start..end].to_vec();
            let to = place(bytes, random);
            insert(bytes, to, &part);
        }
        // Overwrite one byte. There is none at the end.
        9 => {
            if let Some(byte) = bytes.get_mut(start) {
                *byte = random.below(256) as u8;
            }
        }
        // Repeat.
        10 => {
            let part = bytes[start..end].to_vec();
            let times = 1 + random.below(MAX_REPETITIONS);
            insert(bytes, start, &part.repeat(times));
        }
        // Move to another place.
        11 => {
            let part: Vec<u8> = bytes.drain(start..end).collect();
            let to = place(bytes, random);
            insert(bytes, to, &part);
        }

        // Replace all line ends.
        12 => {
            let line_ends = [b"\r\n".as_slice(), b"\r", b"\n\n", b"\n \n"];
            let line_end = *random.choose(&line_ends);
            let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            *bytes = lines.join(line_end);
        }
        // Change to an older encoding, ISO 8859-1, which has the first 256 characters of Unicode.
        _ => {
            let text = String::from_utf8_lossy(&bytes[start..end]).into_owned();
            let mut latin = Vec::new();
            for character in text.chars() {
                let code = u32::from(character);
                latin.push(u8::try_from(code).unwrap_or(b'?'));
            }
            bytes.splice(start..end, latin);
        }
    }
}

/// A text to insert: characters that are not seen, a word of the dictionary, or marker words as text, as a comment and
/// as a tag pair.
fn text_to_insert(way: usize, words: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let text = match way {
        0 => invisible(random),
        1..4 => return random.choose(words).clone(),
        4 => format!(" {} ", marker(random)),
        5 => {
            let word = marker(random);
            let space = invisible(random);
            format!("{{{word} {space}}}")
        }
        _ => {
            let name = marker(random);
            let value = marker(random);
            let space = if random.once_in(3) {
                invisible(random)
            } else {
                " ".to_owned()
            };
            format!("\n[{name}{space}\"{value}\"]\n")
        }
    };
    text.into_bytes()
}

/// Puts a file through everything; returns the number of its games.
fn try_file(mutated: &Mutated) -> Result<u64, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let original = path("in.pgn");
    fs::write(&original, &mutated.bytes).expect("a file");

    // What has been normalized once stays as it is.
    let (first, games) = converted(&original)?;
    let conversion = path("first.pgn");
    fs::write(&conversion, &first).expect("a file");
    let (second, _) = converted(&conversion)?;
    if second != first {
        return Err("the second conversion differs from the first".to_owned());
    }

    // Text without a game is not converted.
    if games > 0 {
        let missing = missing_words(&mutated.words(), &first);
        if !missing.is_empty() {
            let words = missing.join(" ");
            return Err(format!("words are lost: {words}"));
        }
    }

    // A database loses nothing that a conversion keeps.
    let exported = exported(&original, &path("games.db"))?;
    if exported != first {
        return Err("the export differs from the conversion".to_owned());
    }
    Ok(games)
}

/// The words that a text lacks.
fn missing_words(words: &BTreeSet<&[u8]>, text: &[u8]) -> Vec<String> {
    let mut missing = Vec::new();
    for word in words {
        let is_there = memmem::find(text, word).is_some();
        if !is_there {
            let word = String::from_utf8_lossy(word);
            missing.push(word.into_owned());
        }
    }
    missing
}

/// The conversion of a file, and the number of its games.
fn converted(pgn: &Path) -> Result<(Vec<u8>, u64), String> {
    let options = convert::ConvertOptions {
        memory: import::Memory::new(MEMORY_BYTES),
        ..convert::ConvertOptions::default()
    };

    let mut out = Vec::new();
    let write = |part: OutputPart<'_>| {
        out.extend_from_slice(part.games());
        Ok(())
    };

    // A panic that Stamma catches is a problem of the game.
    let mut has_bug = false;
    let note = |note: Note<'_>| {
        if let Note::Problem(problem) = note {
            let json = serde_json::to_value(&problem);
            has_bug |= json.is_ok_and(|json| json["kind"] == "bug");
        }
        Ok(())
    };

    let result = convert(&[Input::file(pgn)], &options, write, note, |_| ());
    let done = result.map_err(|error| format!("no conversion: {error}"))?;
    if has_bug {
        return Err("a game has the problem `bug`".to_owned());
    }
    Ok((out, done.summary.tally.games))
}

/// The export of a file, which is imported into a new database and checked there.
fn exported(pgn: &Path, path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: stamma::Error| format!("no export: {error}");

    let mut database = Database::open_or_create(path).map_err(failed)?;
    let sources = [pgn.to_owned()];
    let options = import::ImportOptions {
        memory: import::Memory::new(MEMORY_BYTES),
        ..import::ImportOptions::default()
    };
    import(&mut database, &sources, options, |_| ()).map_err(failed)?;

    let report = check(&database, Depth::Full, |_, _| ()).map_err(failed)?;
    if let Some(fault) = report.faults.first.first() {
        return Err(format!("check finds {fault}"));
    }
    export_all(&database).map_err(failed)
}

/// All games of a database, and the texts between them.
fn export_all(database: &Database) -> Result<Vec<u8>, stamma::Error> {
    let first = GameId::new(1);
    let last = GameId::new(i64::MAX);

    let mut out = Vec::new();
    let mut text_reader = TextReader::new(database)?;
    let mut texts = text_reader.of_games(first, last)?;
    let mut write_texts = |before, out: &mut Vec<u8>| {
        while let Some(text) = texts.next_before(before)? {
            write_between(&text, out);
        }
        Ok::<(), stamma::Error>(())
    };

    let mut reader = GameReader::new(database)?;
    reader.each(first, last, |id, game| {
        write_texts(id, &mut out)?;
        write_pgn(&game, &Style::pgn(), &mut out).expect("a stored game");
        Ok(())
    })?;

    // The texts behind the last game.
    write_texts(last, &mut out)?;
    Ok(out)
}

/// The panics since the last file, on any thread.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Lists panics instead of printing them.
fn note_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        panics().push(message);
    }));
}

/// Empties the list of panics.
fn take_panics() -> Vec<String> {
    std::mem::take(&mut *panics())
}

/// The list of panics, also after a panic of the thread that had it: a message is added as a whole.
fn panics() -> MutexGuard<'static, Vec<String>> {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a file for the inspection of a fault, and returns its path.
fn keep(folder: &Path, number: u64, fault: &str, bytes: &[u8]) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");

    let path = folder.join(format!("{fault}-{number}.pgn"));
    fs::write(&path, bytes).expect("a place for the file");
    path
}

/// The file that is being tried.
struct TriedFile {
    number: u64,
    bytes: Vec<u8>,
}

/// Ends the process when a file takes too much time or memory.
#[derive(Clone)]
struct Watch {
    current: Arc<Mutex<Option<TriedFile>>>,
    /// When the work on the file began, in milliseconds since the start; 0 between files.
    begun: Arc<AtomicU64>,
    start: Instant,
}

impl Watch {
    /// Starts a thread that looks at time and memory, and keeps the faulty file in a folder.
    fn start(folder: &Path) -> Watch {
        let watch = Watch {
            current: Arc::default(),
            begun: Arc::default(),
            start: Instant::now(),
        };

        let watching = watch.clone();
        let folder = folder.to_owned();
        thread::spawn(move || {
            loop {
                thread::sleep(PAUSE);
                if let Some(fault) = watching.fault() {
                    watching.keep(&folder, fault);
                    // A thread that hangs cannot be ended alone.
                    std::process::exit(HANG_CODE);
                }
            }
        });
        watch
    }

    /// The name of the limit that is exceeded, if any.
    fn fault(&self) -> Option<&'static str> {
        let begun = self.begun.load(Ordering::Relaxed);
        if begun > 0 {
            let begin = Duration::from_millis(begun);
            let taken = self.start.elapsed().saturating_sub(begin);
            if taken > MAX_TIME {
                return Some("hang");
            }
        }

        // Pages of mapped files belong to the system, which reclaims them at will.
        let kib = Memory::Anonymous.kibibytes(std::process::id());
        let is_large = kib.is_some_and(|kib| kib > MAX_KIB);
        is_large.then_some("memory")
    }

    /// Keeps the file that is being tried, and prints where.
    fn keep(&self, folder: &Path, fault: &str) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*current {
            let number = file.number;
            let path = keep(folder, number, fault, &file.bytes);
            println!("file {number} ({}): {fault}", path.display());
        }
    }

    /// Watches the work on a file.
    fn begin(&self, number: u64, bytes: &[u8]) {
        let file = TriedFile {
            number,
            bytes: bytes.to_vec(),
        };
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Some(file);

        // 0 would mean that there is no file.
        let now = self.start.elapsed().as_millis().max(1);
        self.begun.store(now as u64, Ordering::Relaxed);
    }

    /// Watches memory only, until the next file.
    fn end(&self) {
        self.begun.store(0, Ordering::Relaxed);
    }
}
