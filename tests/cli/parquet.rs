//! Parquet files with a game per row as inputs, as engines and libraries write them.

use std::fs;

use parquet::basic::Compression;
use parquet::file::properties::{WriterPropertiesBuilder, WriterVersion};

use crate::support::parquet_games::{self, compressed, file};
use crate::support::program::{Workplace, games, stderr_of, stdout_of};

const GAMES: &str = r#"[Event "The \"Candidates\""]
[Site "C:\\chess"]
[Date "1960.03.15"]
[Round "?"]
[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Result "1-0"]
[BlackElo "2700"]
[WhiteRatingDiff "+6"]
[UTCDate "1960.03.15"]
[UTCTime "12:34:56"]
[ECO "C18"]
[Opening "French Defense"]
[Annotator "A. Müller"]
[SetUp "0"]

1. e4 { [%clk 0:01:00] } 1... e6 2. d4 d5 (2... c5) 3. Nc3 Bb4 $1 1-0

[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]
[WhiteElo "2500"]
[WhiteRatingDiff "+0"]
[BlackRatingDiff "-6"]

1. d4 d5 1/2-1/2

[Event "E"]
[Site "S"]
[Date "2024.02.29"]
[Round "?"]
[White "C"]
[Black "D"]
[Result "0-1"]
[WhiteElo "1"]
[BlackElo "2"]
[UTCDate "2024.02.29"]
[UTCTime "00:00:01"]
[ECO "A00"]
[Opening "Grob"]

1. g4 e5 0-1

"#;

macro_rules! reads {
    ($($name:ident: $bytes:expr => $games:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.write("games.parquet", $bytes);
            assert_eq!(work.output("convert games.parquet"), $games);
        }
    )*};
}

reads! {
    dictionaries: parquet_games::snappy() => GAMES;
    several_row_groups: parquet_games::zstd() => GAMES;
    pages_without_dictionaries: parquet_games::plain_gzip() => GAMES;
    delta_encodings: parquet_games::delta_lz4() => GAMES;
    lz4_of_hadoop: file(compressed(Compression::LZ4), &[3]) => GAMES;
    an_empty_row_group: file(compressed(Compression::UNCOMPRESSED), &[1, 0, 2]) => GAMES;
    a_page_for_each_row: file(row_pages(WriterVersion::PARQUET_1_0), &[3]) => GAMES;
    a_page_of_the_second_version_for_each_row: file(row_pages(WriterVersion::PARQUET_2_0), &[3]) => GAMES;
    more_rows_than_are_read_at_once: file(compressed(Compression::SNAPPY), &[600, 3]) => GAMES.repeat(201);
}

fn row_pages(version: WriterVersion) -> WriterPropertiesBuilder {
    let properties = compressed(Compression::SNAPPY).set_writer_version(version);
    properties
        .set_data_page_row_count_limit(1)
        .set_write_batch_size(1)
}

macro_rules! refuses {
    ($($name:ident: $bytes:expr => $why:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.write("games.parquet", $bytes);
            let run = work.stamma("import games.db games.parquet").code(2);
            let why = concat!("games.parquet: this Parquet file cannot be read: ", $why);
            let stderr = stderr_of(&run);
            assert!(stderr.contains(why), "{stderr}");
        }
    )*};
}

refuses! {
    no_movetext: parquet_games::without_movetext() =>
        "it has no column movetext, so it has no games";
    brotli: parquet_games::brotli() => "its column Event is compressed with BROTLI; write it with ZSTD";
    encrypted: b"PAREsecret\x06\0\0\0PARE" => "it is encrypted";
}

#[test]
fn a_file_that_is_cut_short() {
    let work = Workplace::new();
    let bytes = parquet_games::zstd();
    work.write("games.parquet", &bytes[..bytes.len() / 2]);
    let run = work.stamma("convert games.parquet").code(2).stdout("");
    let why = "stamma: games.parquet: this Parquet file cannot be read: it is damaged or cut short";
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with(why), "{stderr}");
}

#[test]
fn a_damaged_page_ends_the_games() {
    let work = Workplace::new();
    let mut bytes = parquet_games::plain_gzip();
    let movetext = bytes
        .windows(8)
        .rposition(|bytes| bytes.starts_with(b"\x1f\x8b\x08"));
    let at = movetext.expect("compressed pages") + 12;
    bytes[at..at + 20].fill(0);
    work.write("games.parquet", &bytes);

    let run = work.stamma("convert games.parquet").code(2).stdout("");
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("games.parquet: this is damaged"),
        "{stderr}"
    );
}

/// A line of the text that rows become is in no file.
#[test]
fn faults_have_the_number_of_the_game() {
    let work = Workplace::new();
    let movetexts = ["1. e4 e5 *", "1. e4 Kg4 *", "1. e4 e5 *"];
    work.write("games.parquet", parquet_games::of_movetexts(movetexts));

    let import = stderr_of(&work.stamma("import games.db games.parquet").code(1));
    let fault = "games.parquet: game 2: illegal-move: 1... Kg4: ";
    assert!(import.starts_with(fault), "{import}");

    let clean = stderr_of(&work.stamma("clean games.parquet -o clean.pgn").code(1));
    assert!(clean.contains(fault), "{clean}");
    let change = "games.parquet: game 1: ECO is added as";
    assert!(clean.contains(change), "{clean}");

    // An import that continues counts the games of the import before it.
    work.stamma("import parts.db games.parquet --limit 1")
        .success();
    let rest = stderr_of(&work.stamma("import parts.db games.parquet").code(1));
    assert!(rest.contains(fault), "{rest}");
}

#[test]
fn standard_input_and_archives() {
    let file = parquet_games::snappy();
    let mut command = assert_cmd::Command::cargo_bin("stamma").expect("the program is built");
    let run = command
        .args(["convert", "-"])
        .write_stdin(file.clone())
        .assert()
        .success();

    assert_eq!(stdout_of(&run), GAMES);

    let work = Workplace::new();
    let mut tar = tar_of(&[("games.parquet", &file)]);
    tar.extend_from_slice(&[0; 1024]);
    work.write("games.tar", tar);

    assert_eq!(work.output("convert games.tar"), GAMES);
}

/// Members of a tar archive, without its end.
fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = Vec::new();
    for (name, bytes) in members {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');

        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        builder.extend_from_slice(&header);
        builder.extend_from_slice(bytes);
        builder.resize(builder.len().next_multiple_of(512), 0);
    }

    builder
}

#[test]
fn of_a_data_set_the_games_are_read() {
    let work = Workplace::new();
    let games = parquet_games::snappy();
    let other = parquet_games::without_movetext();
    work.write("set/games/a.parquet", &games);

    for table in [
        "positions/bucket=0",
        "plies",
        "problems",
        "games/_temporary",
    ] {
        work.write(&format!("set/{table}/a.parquet"), &other);
    }

    work.write("set/_manifest/a.json", "{}");
    assert_eq!(work.output("convert set"), GAMES);

    work.write("months/year=2017/month=01/a.parquet", &games);
    work.write("months/year=2017/month=02/a.parquet", &games);
    assert_eq!(work.output("convert months"), GAMES.repeat(2));
}

#[test]
fn games_are_known_when_they_are_imported_again() {
    let work = Workplace::new();
    work.write("games.parquet", parquet_games::snappy());
    work.stamma("import games.db games.parquet").success();

    let again = work.stamma("import games.db games.parquet").success();
    let stderr = stderr_of(&again);
    assert!(stderr.contains("games.parquet"), "{stderr}");
    assert_eq!(work.query("SELECT count(*) FROM game"), "3");
    assert_eq!(
        work.query("SELECT count(*) FROM games WHERE opening_eco LIKE 'C1%'"),
        "1"
    );
}

/// The games of files as text that does not depend on the order of tags and the breaks of lines.
fn games_of(work: &Workplace, paths: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let pgn = work.output(&format!("convert {paths}"));
    let mut games = Vec::new();
    let mut sections = pgn
        .split("\n\n")
        .filter(|section| !section.trim().is_empty());
    while let (Some(tags), Some(movetext)) = (sections.next(), sections.next()) {
        let mut tags: Vec<String> = tags.lines().map(str::to_owned).collect();
        tags.sort();
        games.push((
            tags,
            movetext.split_whitespace().map(str::to_owned).collect(),
        ));
    }

    games
}

#[test]
fn a_data_set_has_the_games_that_it_was_made_of() {
    let work = Workplace::new();
    for file in fs::read_dir(games())
        .expect("a folder")
        .map(|file| file.expect("a file"))
    {
        let name = format!("pgn/{}", file.file_name().to_string_lossy());
        work.write(&name, fs::read(file.path()).expect("a file"));
    }

    work.write("pgn/odd.pgn", concat!(
        "[Event \"A \\\"B\\\" \\\\ C\"]\n[Date \"19??.??.??\"]\n[UTCDate \"2017.04.01\"]\n[UTCTime \"21:32:09\"]\n",
        "[White \"?\"]\n[WhiteElo \"?\"]\n[BlackElo \"2700\"]\n[WhiteRatingDiff \"+5\"]\n[BlackRatingDiff \"x\"]\n",
        "[Result \"*\"]\n[Annotator \"Ärger, Ö.\"]\n\n",
        "{ before } 1. e4 {[%clk 0:01:00] good} (1. d4 d5 $1) e5 $6 2. Nf3 *\n\n",
        "[White \"A result with a slip\"]\n[Result \"1/2-1/2`\"]\n\n1. e4 e5 1/2-1/2\n"));
    work.stamma("dataset --quiet pgn -o set");

    let from_pgn = games_of(&work, "pgn");
    assert!(from_pgn.len() > 100);

    for (found, expected) in games_of(&work, "set").iter().zip(&from_pgn) {
        assert_eq!(found, expected);
    }
    assert_eq!(games_of(&work, "set").len(), from_pgn.len());

    work.stamma("import --quiet again.db set");
    let summary = work.output("search again.db --format count --player tal");
    work.stamma("import --quiet first.db pgn");

    assert_eq!(
        summary,
        work.output("search first.db --format count --player tal")
    );
}
