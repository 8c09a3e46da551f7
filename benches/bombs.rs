//! Memory use on files made to need much of it: imports and conversions must stay under a limit.
//!
//! `cargo bench --bench bombs [-- KIND] [--memory SIZE] [--most-megabytes N] [--folder DIR]` (all kinds, 128M, 400).
//! Each bomb is created in a temporary folder, read by `stamma import` and `stamma convert`, and removed, which takes 3
//! GB of disk. The output is the highest anonymous memory of the process (`RssAnon` in `/proc`, sampled every two
//! milliseconds): pages of a mapped file belong to the system, which reclaims them at will. The exit code is 1 if a
//! bomb exceeds the limit. Linux only. Needs no corpus.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

use clap::Parser;

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[allow(dead_code, reason = "other benches measure more")]
mod usage;

use process::STAMMA;
use usage::peak_anonymous;

#[derive(Parser)]
struct Arguments {
    /// Only the bombs in whose names this occurs
    #[arg(default_value = "")]
    kind: String,
    /// What `--memory` is
    #[arg(long, value_name = "SIZE", default_value = "128M")]
    memory: String,
    /// How much memory each may take
    #[arg(long, value_name = "N", default_value_t = 400)]
    most_megabytes: u64,
    /// Where bombs are made (default: the temporary folder)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A text: its beginning, the part repeated up to a number of megabytes, and its end.
struct Text {
    name: &'static str,
    begin: &'static str,
    again: &'static str,
    end: &'static str,
    megabytes: u64,
}

macro_rules! texts {
    ($($name:literal: $begin:literal, $again:literal, $end:literal, $megabytes:literal;)*) => {
        &[$(Text {
            name: $name, begin: $begin, again: $again, end: $end, megabytes: $megabytes,
        }),*]
    };
}

/// Larger than any game that is read.
const LARGE: &[Text] = texts! {
    "comment": "[Event \"a\"]\n\n1. e4 {", "comment\n", "} *\n", 200;
    "comment on a line": "[Event \"a\"]\n\n1. e4 {", "comment ", "} *\n", 200;
    "tags": "[Event \"a\"]\n", "[A \"b\"]\n", "\n1. e4 *\n", 200;
    "zeros": "", "\0\0\0\0\0\0\0\0", "", 2000;
    "zeros between games": "1. e4 *\n\n", "\0\0\0\0\0\0\0\0", "\n\n[Event \"a\"]\n\n1. d4 *\n", 2000;
    "text between games": "1. e4 *\n\n", "text and more text\n", "\n[Event \"a\"]\n\n1. d4 *\n", 200;
    "text before games": "", "text and more text\n", "\n[Event \"a\"]\n\n1. d4 *\n", 200;
    "blank lines": "1. e4 *\n\n", "\n\n\n\n", "\n[Event \"a\"]\n\n1. d4 *\n", 200;
    "a word": "[Event \"a\"]\n\n1. e4 ", "wordword", " *\n", 200;
    "a tag value": "[Event \"", "value and", "\"]\n\n1. e4 *\n", 200;
};

/// Games of the greatest size, with as much content as possible, alone and many in a file.
const DENSE: &[Text] = texts! {
    "comment within the limit": "[Event \"a\"]\n\n1. e4 {", "comment\n", "} *\n", 2;
    "comment of other letters within the limit": "[Event \"a\"]\n\n1. e4 {", "comment \u{e9}\n", "} *\n", 2;
    "tags within the limit": "[Event \"a\"]\n", "[A \"b\"]\n", "\n1. e4 *\n", 2;
    "empty tags within the limit": "[Event \"a\"]\n", "[A\"\"]", "\n1. e4 *\n", 2;
    "broken tags within the limit": "[Event \"a\"]\n", "[A\n", "\n1. e4 *\n", 2;
    "braces within the limit": "[Event \"a\"]\n\n1. e4 ", "}", "*\n", 2;
    "parentheses within the limit": "[Event \"a\"]\n\n1. e4 ", ")", "*\n", 2;
    "variations within the limit": "[Event \"a\"]\n\n1. e4 ", "()", "*\n", 2;
    "open variations within the limit": "[Event \"a\"]\n\n1. e4 ", "(", "*\n", 2;
    "comments within the limit": "[Event \"a\"]\n\n1. e4 ", "{}", "*\n", 2;
    "signs within the limit": "[Event \"a\"]\n\n1. e4 ", "$1", " *\n", 2;
    "wrong signs within the limit": "[Event \"a\"]\n\n1. e4 ", "$ ", " *\n", 2;
    "moves within the limit": "[Event \"a\"]\n\n", "Nf3 Nf6 Ng1 Ng8 ", "*\n", 2;
    "moves in variations within the limit": "[Event \"a\"]\n\n1. e4 ", "(e3 e5)", "*\n", 2;
    "false marks within the limit": "[Event \"a\"]\n\n", "Nf3+ Nf6# Ng1+ Ng8# ", "*\n", 2;
    "words within the limit": "[Event \"a\"]\n\n1. e4 ", "a ", "*\n", 2;
    "escaped lines within the limit": "[Event \"a\"]\n\n1. e4", "\n%", "\n*\n", 2;
    "line comments within the limit": "[Event \"a\"]\n\n1. e4 ", ";\n", "*\n", 2;
    "terminators within the limit": "[Event \"a\"]\n\n1. e4 ", "* ", "*\n", 2;
    "many games with braces": "", "[Event \"a\"]\n\n}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}} *\n\n", "", 32;
    "many empty games": "", "*\n\n[A\"\"]\n", "", 32;
};

impl Text {
    /// The whole text, made while it is read: it may be larger than memory.
    fn read(&self) -> impl Read + Send + 'static {
        const MEGABYTE: u64 = 1_000_000;
        // Read with few calls.
        const COPIED_BYTES: usize = 1 << 20;

        let copies = COPIED_BYTES / self.again.len();
        let text = self.again.repeat(copies).into_bytes();
        let times = self.megabytes * MEGABYTE / text.len() as u64;
        let again = Again {
            text,
            at: 0,
            times: times.max(1),
        };

        let begin = self.begin.as_bytes();
        let end = self.end.as_bytes();
        begin.chain(again).chain(end)
    }
}

/// A repeated text.
struct Again {
    text: Vec<u8>,
    /// The place in the text of the next byte.
    at: usize,
    /// The number of texts that are left, with the current one.
    times: u64,
}

impl Read for Again {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.times == 0 {
            return Ok(0);
        }

        let mut rest = &self.text[self.at..];
        let length = rest.read(out)?;
        self.at += length;
        if self.at == self.text.len() {
            self.at = 0;
            self.times -= 1;
        }
        Ok(length)
    }
}

/// The default level of zstd.
const ZSTD_LEVEL: i32 = 3;

/// The way in which a text reaches the program.
#[derive(Clone, Copy, Debug)]
enum Feed {
    Mapped,
    Stream,
    Zstd,
    Gzip,
    Zip,
    TarInZstd,
    StandardInput,
}

const FEEDS: [Feed; 7] = [
    Feed::Mapped,
    Feed::Stream,
    Feed::Zstd,
    Feed::Gzip,
    Feed::Zip,
    Feed::TarInZstd,
    Feed::StandardInput,
];

impl Feed {
    /// Writes a text to a folder in this form; returns the file.
    fn file(self, text: &Text, folder: &Path) -> io::Result<PathBuf> {
        let path = folder.join("bomb");
        let mut out = BufWriter::new(File::create(&path)?);
        let mut bytes = text.read();
        match self {
            Feed::Mapped | Feed::Stream | Feed::StandardInput => {
                io::copy(&mut bytes, &mut out)?;
            }
            Feed::Zstd => {
                zstd::stream::copy_encode(bytes, &mut out, ZSTD_LEVEL)?;
            }
            Feed::Gzip => {
                let level = flate2::Compression::default();
                let mut gzip = flate2::write::GzEncoder::new(&mut out, level);
                io::copy(&mut bytes, &mut gzip)?;
                gzip.finish()?;
            }
            Feed::Zip => {
                // To write the size of a member, the writer has to go back in the file.
                let mut zip = zip::ZipWriter::new(out.get_mut());
                let options = zip::write::SimpleFileOptions::default().large_file(true);
                zip.start_file("bomb.pgn", options)?;
                io::copy(&mut bytes, &mut zip)?;
                zip.finish()?;
            }
            Feed::TarInZstd => {
                // The header is before the bytes, and has their number.
                let size = io::copy(&mut text.read(), &mut io::sink())?;
                let mut header = tar::Header::new_gnu();
                header.set_size(size);
                header.set_mode(0o644);

                let zstd = zstd::Encoder::new(&mut out, ZSTD_LEVEL)?;
                let mut tar = tar::Builder::new(zstd);
                tar.append_data(&mut header, "bomb.pgn", bytes)?;

                let zstd = tar.into_inner()?;
                zstd.finish()?;
            }
        }

        out.flush()?;
        Ok(path)
    }
}

/// The command that reads a bomb.
#[derive(Clone, Copy, Debug)]
enum Reader {
    Import,
    Convert,
}

struct Bombs<'a> {
    arguments: &'a Arguments,
    folder: PathBuf,
    /// The number of readings that needed too much memory.
    above: usize,
}

impl Bombs<'_> {
    /// Reads a file with both commands, and prints their memory use.
    fn measure(&mut self, name: &str, file: &Path, options: &[&str], is_piped: bool) {
        for reader in [Reader::Import, Reader::Convert] {
            let peak = self.read(reader, file, options, is_piped);
            let megabytes = peak.map_or(0, |bytes| bytes / 1_000_000);
            let is_above = megabytes > self.arguments.most_megabytes;
            if is_above {
                self.above += 1;
            }

            let mark = if is_above { "!" } else { "" };
            let reader = format!("{reader:?}");
            println!("{name:<60} {reader:<8} {megabytes:>6} MB{mark}");
        }
    }

    /// The highest anonymous memory of a command that reads a file, in bytes.
    fn read(&self, reader: Reader, file: &Path, options: &[&str], is_piped: bool) -> Option<u64> {
        // The output of an earlier bomb.
        let database = self.folder.join("games.db");
        let _ = fs::remove_file(&database);

        let mut command = Command::new(STAMMA);
        match reader {
            Reader::Import => {
                command.arg("import");
                command.arg(&database);
            }
            Reader::Convert => {
                command.arg("convert");
            }
        }
        command.args(["--memory", &self.arguments.memory]);
        command.args(options);
        if is_piped {
            command.arg("-");
            command.stdin(Stdio::piped());
        } else {
            command.arg(file);
            command.stdin(Stdio::null());
        }
        command.stdout(Stdio::null());
        command.stderr(Stdio::null());

        let mut child = command.spawn().expect("stamma runs");
        let feeding = feed(&mut child, file);
        let peak = peak_anonymous(child);
        if let Some(feeding) = feeding {
            // The pipe breaks if the program stops reading early.
            let _ = feeding.join();
        }
        peak
    }

    /// Measures texts, each in several forms.
    fn texts(&mut self, texts: &[Text], feeds: &[Feed]) {
        for text in texts {
            for &feed in feeds {
                let name = format!("{}, {feed:?}", text.name);
                if !name.contains(&self.arguments.kind) {
                    continue;
                }

                let file = feed.file(text, &self.folder).expect("a place for a file");
                let options: &[&str] = match feed {
                    Feed::Stream => &["--no-mmap"],
                    _ => &[],
                };
                let is_piped = matches!(feed, Feed::StandardInput);
                self.measure(&name, &file, options, is_piped);
            }
        }
    }

    /// Files that are bombs in themselves, whatever their content.
    fn files(&mut self) {
        type Make = fn(&Path) -> io::Result<()>;
        let made: [(&str, Make); 6] = [
            ("ten gigabytes of zeros in a sparse file", sparse),
            ("zstd that looks far back", far_zstd),
            ("xz that looks far back", far_xz),
            ("a long name in tar", long_name),
            ("a long list of members in zip", many_members),
            ("an archive in zstd that fills the disk", large_archive),
        ];
        for (name, make) in made {
            if name.contains(&self.arguments.kind) {
                let file = self.folder.join("bomb");
                make(&file).expect("a place for a file");
                self.measure(name, &file, &[], false);
            }
        }
    }
}

/// Pipes a file to the standard input of a process, if it has a pipe there.
fn feed(child: &mut Child, file: &Path) -> Option<thread::JoinHandle<io::Result<u64>>> {
    let mut pipe = child.stdin.take()?;
    let mut file = File::open(file).expect("it was made");
    Some(thread::spawn(move || io::copy(&mut file, &mut pipe)))
}

/// Ten gigabytes of zeros, which take no room on the disk.
fn sparse(path: &Path) -> io::Result<()> {
    const BYTES: u64 = 10_000_000_000;

    let file = File::create(path)?;
    file.set_len(BYTES)
}

/// A window of two gibibytes, the greatest that the library writes.
fn far_zstd(path: &Path) -> io::Result<()> {
    const WINDOW_LOG: u32 = 31;
    const FASTEST_LEVEL: i32 = 1;
    // Nearly as many as the window has, so that a reader needs nearly all of it.
    const BYTES: u64 = 2_000_000_000;

    let file = File::create(path)?;
    let mut encoder = zstd::Encoder::new(file, FASTEST_LEVEL)?;
    encoder.window_log(WINDOW_LOG)?;

    let mut spaces = io::repeat(b' ').take(BYTES);
    io::copy(&mut spaces, &mut encoder)?;
    encoder.finish()?;
    Ok(())
}

/// A dictionary of a gibibyte.
fn far_xz(path: &Path) -> io::Result<()> {
    use liblzma::stream::{Check, Filters, LzmaOptions, Stream};
    use liblzma::write::XzEncoder;

    const DICTIONARY_BYTES: u32 = 1 << 30;
    const FASTEST_PRESET: u32 = 0;
    // Nearly as many as the dictionary has, so that a reader needs nearly all of it.
    const BYTES: u64 = 1_000_000_000;

    let mut options = LzmaOptions::new_preset(FASTEST_PRESET)?;
    options.dict_size(DICTIONARY_BYTES);
    let mut filters = Filters::new();
    filters.lzma2(&options);
    let stream = Stream::new_stream_encoder(&filters, Check::Crc32)?;

    let file = File::create(path)?;
    let mut encoder = XzEncoder::new_stream(file, stream);
    let mut spaces = io::repeat(b' ').take(BYTES);
    io::copy(&mut spaces, &mut encoder)?;
    encoder.finish()?;
    Ok(())
}

/// A name of two gigabytes, which GNU's tar has in a member of its own before the member with the name.
fn long_name(path: &Path) -> io::Result<()> {
    const NAME_BYTES: u64 = 2_000_000_000;
    const GAME: &[u8] = b"1. e4 *\n";

    let file = File::create(path)?;
    let zstd = zstd::Encoder::new(file, ZSTD_LEVEL)?;
    let mut tar = tar::Builder::new(zstd);

    let mut name_header = tar::Header::new_gnu();
    name_header.set_entry_type(tar::EntryType::GNULongName);
    name_header.set_size(NAME_BYTES);
    // `append`, unlike `append_data`, takes the header as it is.
    name_header.set_cksum();
    let name = io::repeat(b'a').take(NAME_BYTES);
    tar.append(&name_header, name)?;

    let mut header = tar::Header::new_gnu();
    header.set_size(GAME.len() as u64);
    tar.append_data(&mut header, "a.pgn", GAME)?;

    let zstd = tar.into_inner()?;
    zstd.finish()?;
    Ok(())
}

/// A list of 200 megabytes of names, compressed once more, since the names differ only in their numbers.
fn many_members(path: &Path) -> io::Result<()> {
    const MEMBERS: u32 = 1_000_000;
    const NAME_BYTES: usize = 200;

    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let name = "n".repeat(NAME_BYTES);
    for number in 0..MEMBERS {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("{name}{number}.pgn"), options)?;
    }
    let bytes = zip.finish()?.into_inner();

    let file = File::create(path)?;
    zstd::stream::copy_encode(&*bytes, file, ZSTD_LEVEL)
}

/// Five gigabytes that begin like a zip archive, so they have to be unpacked to the disk to be read.
fn large_archive(path: &Path) -> io::Result<()> {
    const ZIP_SIGNATURE: &[u8] = b"PK\x03\x04";
    const BYTES: u64 = 5_000_000_000;

    let file = File::create(path)?;
    let mut encoder = zstd::Encoder::new(file, ZSTD_LEVEL)?;
    encoder.write_all(ZIP_SIGNATURE)?;

    let mut zeros = io::repeat(0).take(BYTES);
    io::copy(&mut zeros, &mut encoder)?;
    encoder.finish()?;
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let folder = match &arguments.folder {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir(),
    };
    let folder = folder.expect("a temporary folder");

    let mut bombs = Bombs {
        arguments: &arguments,
        folder: folder.path().to_owned(),
        above: 0,
    };
    bombs.texts(LARGE, &FEEDS);
    bombs.texts(DENSE, &[Feed::Mapped]);
    bombs.files();

    if bombs.above > 0 {
        println!("{} above {} MB", bombs.above, arguments.most_megabytes);
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
