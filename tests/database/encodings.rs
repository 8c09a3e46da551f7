//! Texts are read and written in their detected or given encodings.

use std::fs;

use crate::support::program::{Workplace, stderr_of, stdout_of};
use assert_cmd::Command;
use proptest::prelude::*;
use stamma::input::Encoding;

/// A game with this white player.
fn game(white: &str) -> String {
    format!("[Event \"Open\"]\n[White \"{white}\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n")
}

fn encoded(encoding: &str, text: &str) -> Vec<u8> {
    let encoding = Encoding::from_name(encoding).expect("an encoding");
    let mut bytes = Vec::new();

    // Every character of the text must be in the encoding.
    let missing = encoding.encode(text, &mut bytes);
    assert_eq!(missing.count, 0, "{text}");

    bytes
}

/// A file with one game per name.
fn file(encoding: &str, names: &[&str]) -> Vec<u8> {
    names
        .iter()
        .flat_map(|name| encoded(encoding, &game(name)))
        .collect()
}

fn utf16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Converts standard input.
fn piped(input: &[u8], arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::cargo_bin("stamma").expect("the program is built");
    let run = command
        .arg("convert")
        .args(arguments)
        .write_stdin(input)
        .assert();

    run.get_output().stdout.clone()
}

/// Imports a file, and converts it as a file and from a pipe: all three give these names.
fn has_names(work: &Workplace, bytes: &[u8], names: &[&str], options: &str) {
    work.write("in.pgn", bytes);
    work.stamma(&format!("import games.db in.pgn {options}"));
    assert_eq!(
        work.query("SELECT white FROM games ORDER BY id"),
        names.join("\n")
    );

    let converted = stdout_of(&work.stamma(&format!("convert in.pgn {options}")));
    let found: Vec<&str> = converted
        .lines()
        .filter_map(|line| line.strip_prefix("[White \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(found, names);

    let options: Vec<&str> = options.split_whitespace().collect();
    assert_eq!(piped(bytes, &options), converted.into_bytes());
}

macro_rules! finds {
    ($($name:ident: $encoding:literal, $names:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            has_names(&work, &file($encoding, &$names), &$names, "");
            assert_eq!(work.query("SELECT encoding FROM source"), $encoding);
            assert_eq!(work.query("SELECT DISTINCT encoding FROM games"), $encoding);
            assert_eq!(work.query("SELECT count(*) FROM problem"), "0");
        }
    )*};
}

finds! {
    western: "windows-1252", ["Müller", "Réti", "Ståhlberg", "García"];
    central: "windows-1250", ["Dvořák", "Ftáčnik", "Šimák", "Gligorić"];
    cyrillic: "windows-1251", ["Петросян", "Таль"];
    cyrillic_of_unix: "KOI8-R", ["Петросян", "Таль"];
    cyrillic_of_dos: "IBM866", ["Петросян", "Таль"];
    greek: "windows-1253", ["Παπαδόπουλος"];
    turkish: "windows-1254", ["İstanbul", "Yılmaz", "Şahin", "Doğan"];
    baltic: "windows-1257", ["Šarūnas", "Šiauliai", "Čmilytė", "Panevėžys", "Žukauskas"];
}

#[test]
fn utf8_is_utf8() {
    let work = Workplace::new();
    let names = ["Müller", "Петросян", "Tal"];
    has_names(&work, &file("utf-8", &names), &names, "");

    // UTF-8 is the rule, and needs no value in the row of each game.
    assert_eq!(work.query("SELECT encoding FROM source"), "UTF-8");
    assert_eq!(work.query("SELECT count(encoding) FROM games"), "0");
}

#[test]
fn a_file_may_mix_encodings() {
    let work = Workplace::new();
    let parts = [
        ("utf-8", "Łódź"),
        ("windows-1252", "Müller"),
        ("windows-1251", "Петросян"),
        ("windows-1252", "Hübner"),
        ("koi8-r", "Спасский"),
        ("utf-8", "Tal"),
    ];

    let bytes: Vec<u8> = parts
        .iter()
        .flat_map(|(encoding, name)| encoded(encoding, &game(name)))
        .collect();

    let names = parts.map(|(_, name)| name);
    has_names(&work, &bytes, &names, "");

    // The source has the most frequent encoding, and each game the one that it was read in, if it is not UTF-8.
    assert_eq!(work.query("SELECT encoding FROM source"), "windows-1252");
    let encodings = work.query("SELECT encoding FROM games ORDER BY id");
    assert_eq!(
        encodings,
        "NULL\nwindows-1252\nwindows-1251\nwindows-1252\nKOI8-R\nNULL"
    );

    let info = work.output("info games.db");
    assert!(info.contains("windows-1252"), "{info}");
}

macro_rules! by_hand {
    ($($name:ident: $given:literal, $encoding:literal, $names:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            let bytes = file($given, &$names);
            has_names(&work, &bytes, &$names, concat!("--input-encoding ", $given));
            assert_eq!(work.query("SELECT encoding FROM source"), $encoding);
        }
    )*};
}

by_hand! {
    dos: "cp437", "IBM437", ["Müller", "Réti"];
    dos_of_western_europe: "CP850", "IBM850", ["Øst", "Müller"];
    dos_of_russia: "cp866", "IBM866", ["Таль"];
    hungarian: "windows-1250", "windows-1250", ["Győr", "Tal"];
    latin1: "latin1", "ISO-8859-1", ["Þór"];
}

#[test]
fn a_given_encoding_applies_to_all_but_marked_files() {
    let work = Workplace::new();

    // Two bytes that are one letter in UTF-8 and two in Windows-1252.
    let bytes = game("MÃ¼ller")
        .chars()
        .map(|letter| letter as u32 as u8)
        .collect::<Vec<u8>>();

    has_names(&work, &bytes, &["MÃ¼ller"], "--input-encoding latin1");

    let work = Workplace::new();
    let marked = format!("\u{feff}{}", game("Müller")).into_bytes();
    has_names(&work, &marked, &["Müller"], "--input-encoding cp437");

    let unknown = work.stamma("convert in.pgn --input-encoding big5").code(2);
    let stderr = stderr_of(&unknown);
    assert!(stderr.contains("this encoding is not known"), "{stderr}");
}

macro_rules! marked {
    ($($name:ident: $bytes:expr, $encoding:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            let text = format!("\u{feff}{}{}", game("Müller"), game("Таль 😀"));
            let bytes: Vec<u8> = $bytes(&text);

            has_names(&work, &bytes, &["Müller", "Таль 😀"], "");
            assert_eq!(work.query("SELECT encoding FROM source"), $encoding);
            assert_eq!(work.query("SELECT sum(byte_length) FROM games"), bytes.len().to_string());
            assert_eq!(work.query("SELECT min(byte_offset) FROM games"), "0");

            let again = work.stamma("import games.db in.pgn").success();
            let stderr = stderr_of(&again);
            assert!(stderr.contains("already imported"), "{stderr}");
        }
    )*};
}

marked! {
    utf8_with_a_mark: |text: &str| text.as_bytes().to_vec(), "UTF-8";
    utf16_low_byte_first: |text| utf16(text, u16::to_le_bytes), "UTF-16LE";
    utf16_high_byte_first: |text| utf16(text, u16::to_be_bytes), "UTF-16BE";
}

#[test]
fn utf16_without_a_mark_must_be_given() {
    let work = Workplace::new();
    let bytes = utf16(&game("Müller"), u16::to_be_bytes);
    has_names(&work, &bytes, &["Müller"], "--input-encoding utf-16be");
}

#[test]
fn places_in_utf16_count_its_bytes() {
    let work = Workplace::new();
    let text = format!(
        "\u{feff}{}[Event \"é\"]\n\n1. e4 {{é😀}} Nh4 *\n",
        game("Müller")
    );

    let bytes = utf16(&text, u16::to_le_bytes);
    work.import(&bytes);

    let found = work.query("SELECT byte_offset, byte_length, line, column FROM problem");
    let before = &text[..text.find("Nh4").expect("a fault")];
    let line = before.lines().last().expect("a line");

    let expected = [
        2 * before.encode_utf16().count(),
        6,
        9,
        2 * line.encode_utf16().count() + 1,
    ];

    assert_eq!(found, expected.map(|number| number.to_string()).join("|"));
}

#[test]
fn broken_utf16_is_reported() {
    let work = Workplace::new();
    let text = format!("\u{feff}{}", game("M#ller").trim_end());
    let mut bytes = utf16(&text, u16::to_le_bytes);

    // Half of a surrogate pair, and half of a unit at the end.
    let at = bytes
        .windows(2)
        .position(|pair| pair == b"#\0")
        .expect("a number sign");
    bytes[at..at + 2].copy_from_slice(b"\x00\xd8");
    bytes.push(b'x');
    has_names(&work, &bytes, &["M\u{fffd}ller"], "");

    assert_eq!(
        work.query("SELECT kind, byte_offset, byte_length, message FROM problem LIMIT 1"),
        format!(
            "undecodable-byte|{at}|2|this is no text in UTF-16LE, and is kept as U+FFFD (and 1 more \
             in this game)"
        )
    );
    assert_eq!(
        work.query("SELECT byte_offset + byte_length FROM games"),
        bytes.len().to_string()
    );
}

#[test]
fn undefined_bytes_are_reported_once_and_exported_unchanged() {
    let work = Workplace::new();
    let first = game("M#ller, Gr#f");
    let second = file("windows-1252", &["Müller"]);
    let mut bytes = [&b"\n"[..], first.as_bytes(), &second].concat();

    // Windows-1252 has no character for this byte.
    for byte in &mut bytes {
        if *byte == b'#' {
            *byte = 0x81;
        }
    }

    let names = ["M\u{81}ller, Gr\u{81}f", "Müller"];
    has_names(&work, &bytes, &names, "--input-encoding windows-1252");
    assert_eq!(
        work.query("SELECT game_id, line, column, byte_length, message FROM problem"),
        "1|3|10|1|this is no text in windows-1252, and is kept as U+0081 (and 1 more in this game)"
    );

    let run = work
        .stamma("export games.db --output-encoding windows-1252")
        .success();
    let out = &run.get_output().stdout;
    let white = b"[White \"M\x81ller, Gr\x81f\"]";
    assert!(out.windows(white.len()).any(|bytes| bytes == white));
}

macro_rules! of_dos {
    ($($name:ident: $given:literal => $encoding:literal, $option:literal, $names:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            has_names(&work, &file($given, &$names), &$names, "");
            assert_eq!(work.query("SELECT encoding FROM source"), $encoding);
            assert_eq!(work.query("SELECT DISTINCT encoding FROM games"), $encoding);

            let expected = format!(
                "doubtful-encoding|{}|read as {}; giving {} or another encoding settles it",
                $names.len(), $encoding, $option,
            );

            let found = "SELECT kind, count(*), message FROM problem GROUP BY kind, message";
            assert_eq!(work.query(found), expected);

            let stderr = stderr_of(&work.stamma("convert in.pgn"));
            let advice = "\n--input-encoding NAME settles a doubtful encoding\n";
            assert!(stderr.contains(advice), "{stderr}");

            // A given encoding is not reported.
            let settled = concat!("convert in.pgn --input-encoding ", $option);
            assert!(!stderr_of(&work.stamma(settled)).contains("doubtful"));
        }
    )*};
}

of_dos! {
    of_dos: "cp437" => "IBM850", "cp850", ["Müller", "Schäfer", "Schottländer", "Quadros,André"];
    of_dos_in_western_europe: "cp850" => "IBM850", "cp850", ["Køge", "Malmö", "MÜLLER", "François"];
    of_dos_in_central_europe: "cp852" => "IBM852", "cp852", ["Jabłoński", "Wałbrzych", "Źdźbło Ćma"];
    of_dos_in_spain: "cp850" => "IBM850", "cp850", ["García", "Núñez", "Gómez", "Rodríguez", "Hernández", "Málaga"];
    of_dos_in_hungary: "cp852" => "IBM850", "cp850", ["Adorján", "István", "Szabó László", "Molnár"];
    of_macintosh: "macintosh" => "macintosh", "macintosh", ["Schäfer", "André", "Fernández"];
}

#[test]
fn a_dos_game_among_others_is_detected() {
    let work = Workplace::new();
    let parts = [
        ("windows-1252", "Müller"),
        ("cp850", "Schottländer"),
        ("windows-1252", "Hübner"),
    ];

    let bytes: Vec<u8> = parts
        .iter()
        .flat_map(|(encoding, name)| encoded(encoding, &game(name)))
        .collect();

    has_names(&work, &bytes, &parts.map(|(_, name)| name), "");
    assert_eq!(
        work.query("SELECT game_id, line, text FROM problem"),
        "2|8|Schottländer"
    );
}

#[test]
fn a_sign_within_a_word_is_always_reported() {
    let work = Workplace::new();

    // The other words of the game are in a Windows encoding.
    let bytes = encoded("windows-1252", &game("Schottl„nder, Müller, Köln"));
    has_names(&work, &bytes, &["Schottl„nder, Müller, Köln"], "");
    assert_eq!(
        work.query("SELECT kind, line, text, message FROM problem"),
        "doubtful-encoding|2|Schottl„nder, Müller, Köln|„ within a word: this may be another encoding than \
         windows-1252; giving cp850 or another one settles it"
    );
}

#[test]
fn a_space_within_a_word_is_always_reported() {
    let work = Workplace::new();
    let names = ["M\u{a0}laga", "Magnus\u{a0}Carlsen"];
    has_names(&work, &file("windows-1252", &names), &names, "");

    assert_eq!(
        work.query("SELECT game_id, text, message FROM problem"),
        "1|M\u{a0}laga|U+00A0 within a word: this may be another encoding than windows-1252; \
         giving cp850 or another one settles it"
    );
}

#[test]
fn utf16_of_odd_length_is_read_alike_from_files_and_streams() {
    for end in [&b"x"[..], b"\x3d\xd8", b"\x3d\xd8x", b"\n"] {
        let work = Workplace::new();
        let text = format!("\u{feff}{}", game("Müller"));
        let bytes = [&utf16(&text, u16::to_le_bytes), end].concat();

        work.import(&bytes);
        let sizes = work.query("SELECT bytes, hex(content_hash) FROM source");
        assert!(sizes.starts_with(&format!("{}|", bytes.len())), "{sizes}");

        let again = work.stamma("import games.db in.pgn --no-mmap").success();
        let stderr = stderr_of(&again);
        assert!(stderr.contains("already imported"), "{stderr}");

        let stream = Workplace::new();
        stream.write("in.pgn", &bytes);
        stream.stamma("import games.db in.pgn --no-mmap");

        assert_eq!(
            stream.query("SELECT bytes, hex(content_hash) FROM source"),
            sizes
        );

        let ranges = "SELECT byte_offset, byte_length FROM game";
        assert_eq!(stream.query(ranges), work.query(ranges));
    }
}

#[test]
fn output_is_in_the_requested_encoding() {
    let work = Workplace::new();
    let names = ["Dvořák", "Ftáčnik"];
    work.import(file("utf-8", &names));

    let before = fs::read(work.path("in.pgn")).expect("a file");
    for arguments in ["export games.db", "convert in.pgn"] {
        let run = work
            .stamma(&format!("{arguments} --output-encoding cp1250 --crlf"))
            .success();
        let out = &run.get_output().stdout;

        // No line feed stands alone.
        let encoding = Encoding::from_name("cp1250").expect("an encoding");
        let pairs = encoding.decode(out).matches("\r\n").count();
        let line_feeds = out.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(pairs, line_feeds);

        // What is written in an encoding is read as that encoding.
        work.write("out.pgn", out);
        let back = work.output("convert out.pgn");
        assert_eq!(back, work.output("convert in.pgn"));
    }

    assert_eq!(fs::read(work.path("in.pgn")).expect("a file"), before);
}

#[test]
fn missing_characters_are_reported() {
    let work = Workplace::new();
    work.import(file("utf-8", &["Tal", "Dvořák", "Müller"]));

    for arguments in ["export games.db", "convert in.pgn"] {
        let run = work
            .stamma(&format!("{arguments} --output-encoding latin1"))
            .code(1);
        let stderr = stderr_of(&run);
        let expected = "stamma: 1 character is not in ISO-8859-1, and written as ?; the first is ř in \
                        game 2\n";

        assert!(stderr.contains(expected), "{stderr}");

        // Latin-1 has ü and á, but no ř.
        let out = &run.get_output().stdout;
        assert!(out.windows(6).any(|name| name == b"Dvo?\xe1k"));
        assert!(out.windows(6).any(|name| name == b"M\xfcller"));
    }

    let figurines = work
        .stamma("convert in.pgn --pieces figurine --output-encoding cp437")
        .code(1);
    let out = &figurines.get_output().stdout;
    assert!(out.windows(6).any(|moves| moves == b"2. ?f3"));

    let json = work
        .stamma("export games.db --format jsonl --output-encoding latin1")
        .code(2);
    let stderr = stderr_of(&json);
    assert!(stderr.contains("JSON is always UTF-8"), "{stderr}");

    work.stamma("convert in.pgn --output-encoding utf-16le")
        .code(2);
}

#[test]
fn texts_between_games_are_read_and_written_as_games_are() {
    let work = Workplace::new();
    let games = file("utf-8", &["Tal"]);
    let behind = encoded("windows-1252", "Straße\n");
    work.import(["Köln ř\n\n".as_bytes(), &games, &behind].concat());

    assert_eq!(work.query("SELECT text FROM source_text"), "Köln ř\nStraße");

    for arguments in ["export games.db", "convert in.pgn"] {
        let run = work
            .stamma(&format!("{arguments} --output-encoding latin1 --crlf"))
            .code(1);
        let out = &run.get_output().stdout;
        assert!(out.starts_with(b"%K\xf6ln ?\r\n\r\n[Event"));
        assert!(out.ends_with(b"\r\n\r\n%Stra\xdfe\r\n\r\n"));
        let stderr = stderr_of(&run);
        assert!(stderr.contains("the first is ř in game 1\n"), "{stderr}");
    }
}

/// The result is the same in pieces, in one piece, and on any number of threads.
#[test]
fn a_long_file_is_detected_alike_from_a_pipe() {
    let work = Workplace::new();
    let names = ["Müller", "Петросян", "Dvořák", "Tal", "Hübner", "Łódź"];

    let mut bytes = Vec::new();
    for number in 0..40_000 {
        let game = game(names[number % 6]);

        // The mixture changes late, so that games depend on all batches before them.
        bytes.extend(match number % 6 {
            1 => encoded("windows-1251", &game),
            2 | 5 if number > 30_000 => encoded("windows-1250", &game),
            0 | 4 => encoded("windows-1252", &game),
            _ => game.into_bytes(),
        });
    }

    work.write("in.pgn", &bytes);
    work.stamma("convert in.pgn -o one.pgn --threads 1")
        .success();
    work.stamma("convert in.pgn -o four.pgn --threads 4")
        .success();

    let one = work.read("one.pgn");
    let four = work.read("four.pgn");
    assert!(one == four, "four threads write another text");

    let from_pipe = piped(&bytes, &["--threads", "3"]);
    assert!(one.into_bytes() == from_pipe, "a pipe gives another text");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// For any bytes, an import and a conversion succeed, and give the same names.
    #[test]
    fn any_bytes_are_accepted(
        mark in prop::sample::select(vec![&b""[..], b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"]),
        noise in prop::collection::vec(any::<u8>(), 0..400),
        is_utf16 in any::<bool>(),
        given in prop::option::of(prop::sample::select(vec!["cp437", "utf-16be", "koi8-u"])),
    ) {
        let work = Workplace::new();
        let tags = "[Event \"A\"]\n\n1. e4 {";

        let tags = match (mark, is_utf16) {
            (b"\xff\xfe", true) => utf16(tags, u16::to_le_bytes),
            (b"\xfe\xff", true) => utf16(tags, u16::to_be_bytes),
            _ => tags.as_bytes().to_vec(),
        };

        let bytes = [mark, &tags, &noise, b"} *\n\n[Event \"B\"]\n\n*\n"].concat();
        work.write("in.pgn", &bytes);

        let mut options: Vec<&str> = Vec::new();
        if let Some(name) = given {
            options.extend(["--input-encoding", name]);
        }

        let import = work.run([&["import", "games.db", "in.pgn"][..], &options].concat());
        let code = import.get_output().status.code();
        prop_assert!(matches!(code, Some(0..=2)), "{}", stderr_of(&import));

        let convert = work.run([&["convert", "in.pgn"][..], &options].concat());
        let converted = convert.get_output();
        prop_assert_eq!(code, converted.status.code());
        prop_assert_eq!(piped(&bytes, &options), converted.stdout.clone());

        // Every byte is of a game or of a text between games.
        if code != Some(2) {
            let length = work.query(
                "SELECT coalesce((SELECT sum(byte_length) FROM game), 0) + coalesce((SELECT
                sum(byte_length) FROM problem WHERE kind = 'text-between-games'), 0)",
            );
            prop_assert_eq!(length, bytes.len().to_string());
        }
    }
}
