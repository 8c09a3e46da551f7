//! The same games from every kind of file, archive and stream; damaged files; expansion of paths.

use std::fs;
use std::io::{Cursor, Write};
use std::process::Stdio;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use sevenz_rust2::EncoderMethod;
use stamma::error::Error;
use stamma::storage::Database;
use stamma::study::repertoire::NewGames;

use crate::support::program::{Workplace, games, stderr_of, stdout_of};
use crate::support::seven_zip;

/// A function that packs bytes.
type Pack = fn(&[u8]) -> Vec<u8>;

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("memory")
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).expect("memory");
    }

    tar.into_inner().expect("memory")
}

fn tar(bytes: &[u8]) -> Vec<u8> {
    tar_of(&[
        ("read.me", b"[Event \"of no game\"]"),
        ("dir/games.pgn", bytes),
    ])
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, options).expect("memory");
        zip.write_all(bytes).expect("memory");
    }

    zip.finish().expect("memory").into_inner()
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    zip_of(&[
        ("read.me", b"[Event \"of no game\"]"),
        ("dir/games.pgn", bytes),
    ])
}

fn seven_zip(bytes: &[u8]) -> Vec<u8> {
    // The first member is no PGN by its name.
    let members: [(&str, &[u8]); 2] = [
        ("read.me", b"[Event \"of no game\"]"),
        ("dir/games.pgn", bytes),
    ];
    seven_zip::solid(&members, vec![seven_zip::method(EncoderMethod::LZMA2)])
}

/// The bytes packed in three consecutive pieces. The second piece is empty.
fn in_pieces(pack: Pack, bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 3);
    [pack(first), pack(b""), pack(second)].concat()
}

/// Historical games with problems, so that their places count.
fn content() -> Vec<u8> {
    let files = stamma::input::find_files(&games()).expect("PGN files");
    let mut content = Vec::new();
    for path in files.iter().take(3) {
        content.extend(fs::read(path).expect("a file"));
    }

    content.extend(b"\n\n[Event \"broken\"]\n\n1. e4 Ke6 *\n\n% a line\n");
    content
}

/// More games than are examined before a stream is imported.
fn long_content() -> String {
    let comment = "long ".repeat(2000);
    let mut games = String::new();
    for number in 0..1000 {
        games += &format!("[Event \"{number}\"]\n\n1. e4 {{ {comment} }} e5 *\n\n");
    }

    games
}

const TABLES: [&str; 4] = [
    "SELECT * FROM game",
    "SELECT * FROM movetext",
    "SELECT * FROM problem",
    "SELECT id, bytes, hex(content_hash), first_game, last_game, games, problems, notation,
        language, encoding FROM source",
];

fn tables(work: &Workplace) -> Vec<String> {
    TABLES.iter().map(|sql| work.query(sql)).collect()
}

/// The tables of a database with the content of a plain file.
fn tables_of_plain(content: &[u8]) -> Vec<String> {
    let work = Workplace::new();
    work.import(content);
    tables(&work)
}

fn run_with_input(work: &Workplace, arguments: &str, input: &[u8]) -> Assert {
    let mut command = Command::cargo_bin("stamma").expect("the program is built");
    command
        .current_dir(work.path(""))
        .args(arguments.split_whitespace());
    command.write_stdin(input).assert()
}

macro_rules! same_database {
    ($($name:ident: $file:literal, $pack:expr, $source:literal;)*) => {$(
        #[test]
        fn $name() {
            let (content, pack): (_, Pack) = (content(), $pack);
            let plain = tables_of_plain(&content);
            let work = Workplace::new();

            work.write($file, pack(&content));
            work.stamma(concat!("import games.db ", $file)).code(1);
            assert_eq!(tables(&work), plain);
            assert_eq!(work.query("SELECT path FROM source"), $source);

            work.write("in.pgn", &content);
            let converted = stdout_of(&work.stamma("convert in.pgn").code(1));
            assert_eq!(stdout_of(&work.stamma(concat!("convert ", $file)).code(1)), converted);

            let piped = Workplace::new();
            run_with_input(&piped, "import games.db -", &pack(&content)).code(1);
            assert_eq!(tables(&piped), plain);

            let piped = run_with_input(&work, "convert -", &pack(&content)).code(1);
            assert_eq!(stdout_of(&piped), converted);
        }
    )*};
}

same_database! {
    plain: "a.pgn", |bytes| bytes.to_vec(), "a.pgn";
    zst_file: "a.pgn.zst", zst, "a.pgn.zst";
    zst_frames: "a.pgn.zst", |bytes| in_pieces(zst, bytes), "a.pgn.zst";
    gz_file: "a.pgn.gz", gz, "a.pgn.gz";
    gz_members: "a.pgn.gz", |bytes| in_pieces(gz, bytes), "a.pgn.gz";
    bz2_file: "a.pgn.bz2", bz2, "a.pgn.bz2";
    bz2_streams: "a.pgn.bz2", |bytes| in_pieces(bz2, bytes), "a.pgn.bz2";
    xz_file: "a.pgn.xz", xz, "a.pgn.xz";
    xz_streams: "a.pgn.xz", |bytes| in_pieces(xz, bytes), "a.pgn.xz";
    lz4_file: "a.pgn.lz4", lz4, "a.pgn.lz4";
    lz4_frames: "a.pgn.lz4", |bytes| in_pieces(lz4, bytes), "a.pgn.lz4";
    zip_file: "a.zip", zip, "a.zip/dir/games.pgn";
    seven_zip_file: "a.7z", seven_zip, "a.7z/dir/games.pgn";
    tar_file: "a.tar", tar, "a.tar/dir/games.pgn";
    tar_gz: "a.tgz", |bytes| gz(&tar(bytes)), "a.tgz/dir/games.pgn";
    tar_zst: "a.tar.zst", |bytes| zst(&tar(bytes)), "a.tar.zst/dir/games.pgn";
    tar_bz2: "a.tar.bz2", |bytes| bz2(&tar(bytes)), "a.tar.bz2/dir/games.pgn";
    tar_xz: "a.tar.xz", |bytes| xz(&tar(bytes)), "a.tar.xz/dir/games.pgn";
    tar_lz4: "a.tar.lz4", |bytes| lz4(&tar(bytes)), "a.tar.lz4/dir/games.pgn";
    a_name_that_says_nothing: "a", gz, "a";
    a_zip_in_a_tar: "a.tar", |bytes| tar_of(&[("b.zip", &zip(bytes))]), "a.tar/b.zip/dir/games.pgn";
    a_7z_in_a_zip: "a.zip", |bytes| zip_of(&[("b.7z", &seven_zip(bytes))]), "a.zip/b.7z/dir/games.pgn";
}

#[test]
fn a_file_may_be_read_as_a_stream() {
    let content = content();
    let work = Workplace::new();
    work.write("in.pgn", &content);
    work.stamma("import games.db in.pgn --no-mmap").code(1);
    assert_eq!(tables(&work), tables_of_plain(&content));
}

#[test]
fn utf16_may_be_compressed() {
    let text = "\u{feff}[Event \"Ž\"]\n\n1. e4 Ke6 *\n";
    let content: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();

    let work = Workplace::new();
    work.write("in.pgn.xz", xz(&content));
    work.stamma("import games.db in.pgn.xz").code(1);

    assert_eq!(tables(&work), tables_of_plain(&content));
}

macro_rules! damage {
    ($($name:ident: $file:literal, $pack:expr;)*) => {$(
        #[test]
        fn $name() {
            let (content, pack): (_, Pack) = (noisy_games(), $pack);
            let whole = pack(content.as_bytes());
            let work = Workplace::new();

            work.write($file, &whole[..whole.len() / 2]);
            let run = work.stamma(concat!("import games.db ", $file)).code(1);
            let stderr = stderr_of(&run);
            assert!(stderr.contains(concat!("stamma: ", $file)), "{stderr}");
            assert!(stderr.contains("cut short"), "{stderr}");
            assert!(stderr.contains("the games before that are kept"), "{stderr}");

            let count: u32 = work.query("SELECT count(*) FROM game").parse().expect("a number");
            assert!((100..900).contains(&count), "{count} games");

            let converted = stdout_of(&work.stamma(concat!("convert ", $file)).code(1));
            assert_eq!(converted.matches("[Event ").count(), count as usize);

            // The imported part is known, and the rest is still missing.
            work.stamma(concat!("import games.db ", $file)).code(1);
            assert_eq!(work.query("SELECT count(*) FROM game"), count.to_string());
        }
    )*};
}

/// A thousand games that hardly compress.
fn noisy_games() -> String {
    let mut state = 1_u64;
    let mut noise = || {
        let mut letter = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(b'a' + (state >> 33) as u8 % 26)
        };
        (0..1000).map(|_| letter()).collect::<String>()
    };

    let mut games = String::new();
    for number in 0..1000 {
        let comment = noise();
        games += &format!("[Event \"{number}\"]\n\n1. e4 {{{comment}}} e5 *\n\n");
    }

    games
}

damage! {
    half_a_zst: "a.pgn.zst", zst;
    half_a_gz: "a.pgn.gz", gz;
    half_a_bz2: "a.pgn.bz2", |bytes| bytes.chunks(100_000).flat_map(bz2).collect();
    half_an_xz: "a.pgn.xz", xz;
    half_an_lz4: "a.pgn.lz4", |bytes| bytes.chunks(100_000).flat_map(lz4).collect();
    half_a_tar: "a.tar", tar;
    half_a_tar_gz: "a.tar.gz", |bytes| gz(&tar(bytes));
    half_a_zip: "a.zip", |bytes| {
        let parts: Vec<_> = bytes.chunks(bytes.len() / 10).collect();
        let names: Vec<String> = (0..parts.len()).map(|n| format!("{n}.pgn")).collect();
        let members: Vec<_> = names.iter().map(String::as_str).zip(parts).collect();
        zip_of(&members)
    };
}

#[test]
fn a_wrong_checksum_is_reported() {
    let work = Workplace::new();
    let mut bytes = gz(&content());
    let crc = bytes.len() - 8;

    bytes[crc] ^= 1;
    work.write("a.pgn.gz", bytes);

    let run = work.stamma("import games.db a.pgn.gz").code(1);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("a.pgn.gz: this is damaged after"),
        "{stderr}"
    );
}

#[test]
fn a_damaged_member_does_not_affect_the_others() {
    let work = Workplace::new();
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n\n");
    let a = game("first");
    let b = game("second").repeat(100);
    let c = game("third");

    let mut bytes = zip_of(&[
        ("a.pgn", a.as_bytes()),
        ("b.pgn", b.as_bytes()),
        ("c.pgn", c.as_bytes()),
    ]);

    // The packed bytes follow the name.
    let name = bytes
        .windows(5)
        .position(|window| window == b"b.pgn")
        .expect("the second");
    bytes[name + 5..name + 15].fill(0xff);
    work.write("x.zip", bytes);

    let run = work.stamma("import games.db x.zip").code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("x.zip/b.pgn: "), "{stderr}");
    assert_eq!(
        work.query("SELECT path FROM source WHERE path NOT LIKE '%b.pgn'"),
        "x.zip/a.pgn\nx.zip/c.pgn"
    );
}

#[test]
fn an_encrypted_member_is_reported() {
    let work = Workplace::new();
    let mut bytes = zip_of(&[
        ("a.pgn", b"[Event \"A\"]\n\n1. e4 *\n"),
        ("b.pgn", b"secret"),
    ]);

    // The encryption flag, in the member's header and in the member list.
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let last = bytes
            .windows(4)
            .rposition(|window| window == signature)
            .expect("a member");
        bytes[last + flags] |= 1;
    }

    work.write("x.zip", bytes);
    let run = work.stamma("import games.db x.zip").code(1);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("x.zip/b.pgn: this is encrypted; extract it first"),
        "{stderr}"
    );
    assert_eq!(work.query("SELECT path FROM source"), "x.zip/a.pgn");
}

#[test]
fn foreign_archives_are_refused_with_advice() {
    let work = Workplace::new();
    work.write("b.rar", b"Rar!\x1a\x07\x01\0");
    let stderr = stderr_of(&work.stamma("import games.db b.rar").code(2));
    assert!(
        stderr.contains("extract it first: unrar x b.rar"),
        "{stderr}"
    );
    assert!(!work.path("games.db").exists());
}

#[test]
fn other_formats_are_recognized() {
    let work = Workplace::new();
    // Each is recognized by its name or by its first bytes.
    for (name, bytes, says) in [
        (
            "a.si3",
            &b"Scid.si\0\x01\x2c\0\0"[..],
            "this is part of a Scid database, not PGN; its three files",
        ),
        (
            "a.sg3",
            b"\x12\0\x07",
            "this is part of a Scid database, not PGN",
        ),
        (
            "b.si4",
            b"Scid.si\0\x01\x90\0\0",
            "this Scid database cannot be read: b.sg4 is missing",
        ),
        (
            "a.cbh",
            b"\0\0\x2c\0\x2e\x01",
            "this ChessBase database cannot be read: its .cbh does not",
        ),
        (
            "a.2cbh",
            b"\0\0\x2c\0",
            "this is part of a database in the new format of ChessBase, not PGN; copy",
        ),
        (
            "a.cbv",
            b"\x08\0\x01",
            "this archive cannot be read: the list of its files makes no sense",
        ),
        (
            "a.db3",
            b"SQLite format 3\0\x10\0",
            "this is an SQLite database, not PGN; of a Stamma",
        ),
        (
            "a.pgn",
            b"%PDF-1.4\n1. e4 *\n",
            "this is a PDF document, not PGN; copy the games",
        ),
        (
            "b.pgn",
            b"\x89PNG\r\n\x1a\n\0",
            "this is a picture, not PGN",
        ),
    ] {
        work.write(name, bytes);
        for command in ["import games.db", "convert"] {
            let stderr = stderr_of(&work.stamma(&format!("{command} {name}")).code(2));
            assert!(stderr.contains(&format!("{name}: {says}")), "{stderr}");
        }
        assert!(!work.path("games.db").exists());
    }

    // An office document is a ZIP archive, but its parts are no games.
    let docx = zip_of(&[("[Content_Types].xml", b"<x/>"), ("a.pgn", b"1. e4 *\n")]);
    let stderr = stderr_of(&run_with_input(&work, "convert", &docx).code(2));
    assert!(
        stderr.contains("standard input: this is an office document, not PGN"),
        "{stderr}"
    );
}

#[test]
fn other_formats_do_not_stop_an_import() {
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n");
    let (first, last) = (game("1"), game("3"));

    let members: [(&str, &[u8]); 4] = [
        ("1.pgn", first.as_bytes()),
        ("2.pgn", b"%PDF-1.4\n"),
        ("2.rar", b"Rar!\x1a\x07\x01\0"),
        ("3.pgn", last.as_bytes()),
    ];

    // The files in a folder, and the same files in two archives.
    let work = Workplace::new();
    for (name, bytes) in &members {
        work.write(&format!("all/{name}"), bytes);
    }
    work.write("a.tar.gz", gz(&tar_of(&members)));
    work.write("a.zip", zip_of(&members));

    // The games before and behind the foreign files are read.
    for path in ["all", "a.tar.gz", "a.zip"] {
        let run = work.stamma(&format!("convert {path} --tags Event")).code(1);
        let pgn = stdout_of(&run);
        let events = pgn.lines().filter(|line| line.starts_with("[Event"));
        assert_eq!(events.count(), 2, "{path}");

        let stderr = stderr_of(&run);
        assert!(
            stderr.contains("2.pgn: this is a PDF document, not PGN"),
            "{stderr}"
        );
        assert!(
            stderr.contains("2.rar: RAR archives are not read"),
            "{stderr}"
        );
    }
}

#[test]
fn games_with_odd_bytes_are_read() {
    let work = Workplace::new();
    work.import(b"\0\0[Event \"A\"]\n\n1. e4 {\0\x01\x7f} *\n\n[Event \"\x02\"]\n\n1. d4 *\n");
    assert!(work.query("SELECT count(*) FROM game") != "0");
}

#[test]
fn unpacking_respects_the_disk_limit() {
    let work = Workplace::new();
    let game = "[Event \"A\"]\n\n1. e4 *\n";
    let noise = vec![b'x'; 100_000];
    let archive = zip_of(&[("a.pgn", game.as_bytes()), ("b.pgn", &noise)]);

    work.write("a.zip.zst", zst(&archive));
    work.write("b.pgn", game);

    let import = "import games.db a.zip.zst b.pgn --max-unpacked 100";
    let stderr = stderr_of(&work.stamma(import).code(1));
    let expected = "a.zip.zst: to be read, this archive has to be unpacked to the disk, where it takes more \
                    than 100 bytes; --max-unpacked lets it";
    assert!(stderr.contains(expected), "{stderr}");
    assert_eq!(work.query("SELECT path FROM source"), "b.pgn");

    let stderr = stderr_of(&work.stamma("import games.db a.zip.zst --max-unpacked 1M"));
    assert!(stderr.contains("already imported"), "{stderr}");
}

/// A text with games and texts that are too large, and their total size in bytes.
fn with_large_parts() -> (String, usize) {
    let small = "[Event \"A\"]\n\n1. e4 *\n\n";
    let comment = "comment\n".repeat(300_000);
    let game = format!("[Event \"B\"]\n\n1. e4 {{{comment}}} *\n\n");

    let text = "text\n".repeat(500_000) + "\n";
    // A tag within a comment begins no game.
    let long_line = format!("{{{}\n[Event \"C\"]\n}} *\n\n", "x".repeat(3_000_000));
    let content = format!("{small}{game}{small}{text}{small}1. e4 {long_line}{small}");

    let large_bytes = game.len() + text.len() + "1. e4 ".len() + long_line.len();
    (content, large_bytes)
}

#[test]
fn oversized_games_are_left_out_alike_from_files_and_streams() {
    let (content, large) = with_large_parts();
    let work = Workplace::new();
    work.write("in.pgn", &content);

    let stderr = stderr_of(&work.stamma("import games.db in.pgn --max-game 1M").code(1));
    let problem = "in.pgn:5:1: too-large: this game of 2400025 bytes is left out";
    assert!(stderr.contains(problem), "{stderr}");

    let advice = "\n--max-game SIZE reads larger games\n";
    assert!(stderr.contains(advice), "{stderr}");

    let kinds = "SELECT kind, game_id, line, sum(byte_length) OVER () FROM problem ORDER BY line";
    let found = work.query(kinds);
    assert_eq!(found.lines().count(), 3, "{found}");
    for line in found.lines() {
        assert!(line.starts_with("too-large|NULL|"), "{found}");
        assert!(line.ends_with(&format!("|{large}")), "{found}");
    }

    // Games, problems and texts between them: every byte of the file is in one of them.
    let all = "SELECT (SELECT sum(byte_length) FROM game) + (SELECT sum(byte_length) FROM problem)
        + (SELECT coalesce(sum(byte_length), 0) FROM source_text)";
    assert_eq!(work.query(all), content.len().to_string());

    let expected = tables(&work);
    let packs: [(&str, Pack); 5] = [
        ("a.pgn.zst", zst),
        ("a.pgn.gz", gz),
        ("a.zip", zip),
        ("a.tar", tar),
        ("a.7z", seven_zip),
    ];

    for (name, pack) in packs {
        let work = Workplace::new();
        work.write(name, pack(content.as_bytes()));
        work.stamma(&format!("import games.db {name} --max-game 1M"))
            .code(1);
        assert_eq!(tables(&work), expected, "{name}");
    }

    // A stream is read without its length, and cannot be read twice.
    let stream = Workplace::new();
    let import = "import games.db - --max-game 1M";
    run_with_input(&stream, import, content.as_bytes()).code(1);
    assert_eq!(tables(&stream), expected);

    let mapped = stdout_of(&work.stamma("convert in.pgn --max-game 1M").code(1));
    assert_eq!(mapped.matches("[Event \"A\"]").count(), 4);

    let piped = run_with_input(&work, "convert - --max-game 1M", content.as_bytes()).code(1);
    assert_eq!(stdout_of(&piped), mapped);
    assert_eq!(work.query("SELECT count(*) FROM game"), "4");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_file_with_only_an_oversized_game_is_reported() {
    let work = Workplace::new();
    let comment = "comment ".repeat(300_000);
    work.write(
        "in.pgn",
        format!("[Event \"B\"]\n\n1. e4 {{{comment}}} *\n"),
    );

    for arguments in ["import games.db in.pgn", "convert in.pgn"] {
        let run = work.stamma(&format!("{arguments} --max-game 1M")).code(2);
        let expected = "in.pgn: every game in this file is above the size limit; --max-game takes larger games";
        let stderr = stderr_of(&run);
        assert!(stderr.contains(expected), "{stderr}");
    }

    assert!(!work.path("games.db").exists());

    work.stamma("import games.db in.pgn --max-game 3M")
        .success();

    // Without a game, a file is not PGN, however large it is.
    work.write("zeros.pgn", vec![0; 3_000_000]);
    let run = work.stamma("convert zeros.pgn --max-game 1M").code(2);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("no game was found in this file"),
        "{stderr}"
    );
}

#[test]
fn an_archive_without_pgn() {
    let work = Workplace::new();
    work.write("photos/a.zip", zip_of(&[("a.jpg", b"x")]));
    work.write("photos/b.pgn", "[Event \"A\"]\n\n1. e4 *\n");

    let stderr = stderr_of(&work.stamma("convert photos/a.zip").code(2));
    assert!(
        stderr.contains("photos/a.zip: there is no .pgn file in this archive"),
        "{stderr}"
    );

    // A file found in a folder need not contain PGN.
    work.stamma("import games.db photos").success();
}

#[test]
fn a_folder_of_all_sorts() {
    let work = Workplace::new();
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n");
    let pack = |name: &str, pack: Pack| pack(game(name).as_bytes());

    work.write("all/1.PGN", game("1"));
    work.write("all/2 with a space.pgn.zst", pack("2", zst));
    work.write("all/3/[odd]*.pgn.Gz", pack("3", gz));
    work.write("all/4.zip", pack("4", zip));
    work.write("all/5.tar.xz", xz(&pack("5", tar)));
    work.write("all/no.txt", game("6"));
    work.write("all/._7.pgn", "what macOS knows of a file");
    work.write("all/6.7z", pack("6", seven_zip));
    work.write("all/8.gz", pack("8", gz));
    work.stamma("import games.db all").success();

    assert_eq!(
        work.query("SELECT path FROM source ORDER BY id"),
        "all/1.PGN\nall/2 with a space.pgn.zst\nall/3/[odd]*.pgn.Gz\nall/4.zip/dir/games.pgn\n\
         all/5.tar.xz/dir/games.pgn\nall/6.7z/dir/games.pgn"
    );
}

#[test]
fn patterns_expand_as_in_shells() {
    let work = Workplace::new();
    for name in [
        "a1.pgn",
        "a2.pgn",
        "b1.pgn",
        ".a3.pgn",
        "dir/a4.pgn",
        "a[5].pgn",
    ] {
        work.write(name, format!("[Event \"{name}\"]\n\n1. e4 *\n"));
    }

    let events = |pattern: &str| {
        let out = work.output(&format!("convert {pattern} --tags Event"));
        let names: Vec<&str> = out
            .lines()
            .filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]"))
            .collect();

        names.join(" ")
    };

    assert_eq!(events("a*.pgn"), "a1.pgn a2.pgn a[5].pgn");
    assert_eq!(events("?1.pgn"), "a1.pgn b1.pgn");
    assert_eq!(events("*/*.pgn"), "dir/a4.pgn");
    assert_eq!(events("d*"), "dir/a4.pgn");
    assert_eq!(events("a[5].pgn"), "a[5].pgn");

    let stderr = stderr_of(&work.stamma("convert c*.pgn").code(2));
    assert!(
        stderr.contains("c*.pgn: no file matches this pattern"),
        "{stderr}"
    );
}

#[test]
fn known_content_is_recognized_in_every_form() {
    for content in [content(), long_content().into_bytes()] {
        let work = Workplace::new();
        work.import(&content);

        let before = tables(&work);
        work.write("a.pgn.zst", zst(&content));
        work.write("a.tar", tar(&content));

        let run = work
            .stamma("import games.db a.pgn.zst a.tar --problems p.jsonl")
            .success();
        let stderr = stderr_of(&run);
        assert!(
            stderr.contains("a.pgn.zst: already imported, skipped"),
            "{stderr}"
        );
        assert!(
            stderr.contains("a.tar/dir/games.pgn: already imported, skipped"),
            "{stderr}"
        );
        assert_eq!(work.read("p.jsonl"), "");

        run_with_input(&work, "import games.db -", &zst(&content)).success();
        assert_eq!(tables(&work), before);
    }
}

#[test]
fn rejected_sources_leave_no_rows() {
    let long = long_content();
    let new = "[Event \"New\"]\n[White \"Nobody\"]\n\n1. d4 *\n";

    let work = Workplace::new();
    work.write("long.pgn", &long);
    work.write("long.pgn.gz", gz(long.as_bytes()));
    work.write("new.pgn", new);
    work.stamma("import games.db long.pgn").success();
    work.stamma("import games.db long.pgn.gz new.pgn").success();

    assert_eq!(
        work.query("SELECT max(id), count(*) FROM game"),
        "1001|1001"
    );

    let found =
        work.output("search games.db rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR --format count");
    assert_eq!(found.trim(), "1");

    let found =
        work.output("search games.db rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR --format count");
    assert_eq!(found.trim(), "1000");
}

#[test]
fn no_database_is_made_for_a_stream_without_games() {
    let work = Workplace::new();
    let run = run_with_input(&work, "import games.db -", &gz(b"no game at all")).code(2);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("standard input: no game was found"),
        "{stderr}"
    );
    assert!(!work.path("games.db").exists());
}

/// The program reads a file that is truncated meanwhile, and reports it.
#[cfg(unix)]
#[test]
fn a_file_truncated_while_it_is_read() {
    let work = Workplace::new();
    let long = long_content().repeat(8);
    work.write("a.pgn", &long);

    let arguments = ["convert", "a.pgn", "--threads", "1"];
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("stamma"))
        .args(arguments)
        .current_dir(work.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built");

    // It has begun to write, and blocks until its pipe is read.
    let mut first = [0; 1];
    let mut out = program.stdout.take().expect("a pipe");
    std::io::Read::read_exact(&mut out, &mut first).expect("games");

    let file = fs::OpenOptions::new()
        .write(true)
        .open(work.path("a.pgn"))
        .expect("the file");

    // Pages of the mapping are zeros behind the new end, or no memory at all.
    file.set_len(1000).expect("it can be cut");

    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut out, &mut rest).expect("games");

    let ended = program.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("a.pgn: this file became shorter while it was read"),
        "{stderr}"
    );
    assert!(!rest.contains(&0), "zeros are no text");
}

#[cfg(unix)]
#[test]
fn named_pipes_are_read() {
    let work = Workplace::new();
    let comment = "x".repeat(4000);
    let mut games = String::new();
    for number in 1..400 {
        games += &format!("[Event \"E\"]\n[Round \"{number}\"]\n\n1. e4 {{{comment}}} e5 *\n\n");
    }

    work.write("games.pgn", &games);
    work.write("games.pgn.gz", gz(games.as_bytes()));

    let program = Command::cargo_bin("stamma").expect("the program is built");
    let program = program.get_program().to_owned();

    let run = |script: &str| {
        let mut shell = std::process::Command::new("bash");
        shell
            .current_dir(work.path(""))
            .args(["-c", script])
            .arg(&program);

        let output = shell.stdin(Stdio::null()).output().expect("bash");
        assert_eq!(output.status.code(), Some(0), "{script}: {output:?}");

        String::from_utf8(output.stdout).expect("UTF-8")
    };

    let plain = run("\"$0\" convert games.pgn");
    for script in [
        "\"$0\" convert <(cat games.pgn)",
        "\"$0\" convert <(cat games.pgn.gz)",
        "cat games.pgn | \"$0\" convert /dev/stdin",
        "mkfifo pipe; cat games.pgn.gz > pipe & \"$0\" convert pipe; rm pipe",
        "\"$0\" import new.db <(cat games.pgn.gz) -q; \"$0\" export new.db; rm new.db",
        "\"$0\" import new.db <(cat games.pgn) -q; \"$0\" import new.db <(cat games.pgn) -q; \"$0\" export new.db",
    ] {
        assert!(run(script) == plain, "{script}");
    }

    let none = work.stamma("convert /dev/null").code(2);
    assert_eq!(
        stderr_of(&none),
        "stamma: /dev/null: no game was found in this file; is it PGN?\n"
    );

    // Searching a folder or expanding a pattern skips pipes.
    run(
        "mkdir d; cp games.pgn d; mkfifo d/p.pgn; \"$0\" convert d > /dev/null; \"$0\" convert 'd/*.pgn' > /dev/null",
    );
}

#[test]
fn each_named_source_is_in_one_of_the_databases() {
    let work = Workplace::new();
    for (database, file) in [("one.db", "a.pgn"), ("two.db", "b.pgn")] {
        work.write(file, "1. e4 *\n");
        work.stamma(&format!("import {database} {file}")).success();
    }
    let [one, two] = ["one.db", "two.db"].map(|name| {
        let database = Database::open(work.path(name));
        database.expect("a database")
    });

    let paths_of = |names: &[&str]| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let new_games = NewGames::Sources(names);
        let sources = NewGames::in_databases(Some(&new_games), &[&one, &two])?.expect("a choice");

        let mut paths = Vec::new();
        for source in sources.into_iter().flatten() {
            paths.push(source.path);
        }
        Ok::<_, Error>(paths)
    };

    assert_eq!(
        paths_of(&["b.pgn", "a.pgn"]).expect("sources"),
        ["a.pgn", "b.pgn"]
    );
    // Both databases have a source 1, and one of them is named twice.
    assert_eq!(
        paths_of(&["a.pgn", "1"]).expect("sources"),
        ["a.pgn", "b.pgn"]
    );

    let missing = paths_of(&["a.pgn", "c.pgn"]);
    assert!(matches!(missing, Err(Error::NoSuchSource(name)) if name == "c.pgn"));
}
