//! 7z archives: whole ones of every method, damaged, encrypted and hostile ones.

use std::process::Command;

use sevenz_rust2::EncoderMethod;
use sevenz_rust2::encoder_options::{DeltaOptions, EncoderOptions, Lzma2Options, PpmdOptions};

use crate::support::program::{Workplace, stderr_of};
use crate::support::seven_zip::{by_hand, each, method, method_with, number, solid, with_header};

const COPY: (&[u8], &[u8]) = (&[0], &[]);

fn game(event: &str) -> String {
    format!("[Event \"{event}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n")
}

const EVENTS: &str = "SELECT path || ' ' || count(*) FROM game JOIN source ON source.id = source_id
    GROUP BY path ORDER BY source.id";

/// Imports an archive of games in three members, the second of which is not PGN.
fn check(archive: Vec<u8>) {
    let work = Workplace::new();
    work.write("a.7z", archive);
    work.stamma("import games.db a.7z").success();

    assert_eq!(
        work.query(EVENTS),
        "a.7z/first.pgn 500\na.7z/dir/third.pgn 700"
    );
    work.stamma("check games.db --full").success();
}

/// An archive of the three members, made by a function.
fn members(pack: impl Fn(&[(&str, &[u8])]) -> Vec<u8>) -> Vec<u8> {
    let first = game("first").repeat(500);
    let other = b"of no game".repeat(300);
    let third = game("third").repeat(700);

    pack(&[
        ("first.pgn", first.as_bytes()),
        ("read.me", &other),
        ("dir/third.pgn", third.as_bytes()),
    ])
}

macro_rules! methods {
    ($($name:ident: $methods:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn solid() {
                check(members(|members| super::solid(members, $methods.into())));
            }

            #[test]
            fn each() {
                check(members(|members| super::each(members, $methods.into())));
            }
        }
    )*};
}

methods! {
    copy: [method(EncoderMethod::COPY)];
    lzma: [method(EncoderMethod::LZMA)];
    lzma2: [method(EncoderMethod::LZMA2)];
    ppmd: [method_with(EncoderMethod::PPMD, PpmdOptions::from_level(3).into())];
    bzip2: [method(EncoderMethod::BZIP2)];
    bcj: [method(EncoderMethod::BCJ_X86_FILTER), method(EncoderMethod::LZMA2)];
    delta: [
        method_with(EncoderMethod::DELTA_FILTER, EncoderOptions::Delta(DeltaOptions::from_distance(4))),
        method(EncoderMethod::LZMA2),
    ];
}

#[test]
fn a_file_that_7_zip_has_written() {
    let work = Workplace::new();
    work.write("first.pgn", game("first").repeat(500));
    work.write("dir/third.pgn", game("third").repeat(700));

    let packed = Command::new("7zz")
        .args(["a", "a.7z", "first.pgn", "dir"])
        .current_dir(work.path(""))
        .output();

    // The program is not everywhere.
    if packed.is_ok_and(|packed| packed.status.success()) {
        work.stamma("import games.db a.7z").success();
        assert_eq!(work.query("SELECT count(*) FROM game"), "1200");
    }
}

#[test]
fn empty_members_and_archives_without_pgn() {
    let work = Workplace::new();
    let lzma2 = || vec![method(EncoderMethod::LZMA2)];
    work.write(
        "a.7z",
        each(&[("a.pgn", game("a").as_bytes()), ("b.pgn", b"")], lzma2()),
    );

    let stderr = stderr_of(&work.stamma("import games.db a.7z").code(1));
    assert!(
        stderr.contains("a.7z/b.pgn: no game was found in this file"),
        "{stderr}"
    );
    assert_eq!(work.query(EVENTS), "a.7z/a.pgn 1");

    work.write("b.7z", each(&[("a.jpg", b"x")], lzma2()));
    let stderr = stderr_of(&work.stamma("convert b.7z").code(2));
    assert!(
        stderr.contains("b.7z: there is no .pgn file in this archive"),
        "{stderr}"
    );
}

/// Three thousand different games, so that they hardly compress.
fn noisy() -> String {
    let mut state = 1_u64;
    let mut noise = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        format!("{:x}", state >> 16)
    };

    (0..3000).map(|_| game(&noise())).collect()
}

#[test]
fn a_wrong_checksum_in_a_block_does_not_affect_other_members() {
    let [first, second, third] = ["first", "second", "third"].map(game);
    let members: [(&str, &[u8]); 3] = [
        ("a.pgn", first.as_bytes()),
        ("b.pgn", second.as_bytes()),
        ("c.pgn", third.as_bytes()),
    ];

    let mut bytes = solid(&members, vec![method(EncoderMethod::COPY)]);
    let place = bytes
        .windows(6)
        .position(|window| window == b"second")
        .expect("it is not packed");

    bytes[place] = b'S';

    let work = Workplace::new();
    work.write("x.7z", bytes);

    let stderr = stderr_of(&work.stamma("import games.db x.7z").code(1));
    assert!(
        stderr.contains("x.7z/b.pgn: this is damaged after "),
        "{stderr}"
    );
    assert!(stderr.contains("(its checksum is wrong)"), "{stderr}");
    assert_eq!(
        work.query(EVENTS),
        "x.7z/a.pgn 1\nx.7z/b.pgn 1\nx.7z/c.pgn 1"
    );
}

#[test]
fn all_that_cannot_be_read_of_a_damaged_block_is_named() {
    let noisy = noisy();
    let last = game("last");

    let members: [(&str, &[u8]); 4] = [
        ("a.pgn", noisy.as_bytes()),
        ("b.pgn", noisy.as_bytes()),
        ("c.txt", b"x"),
        ("d.pgn", last.as_bytes()),
    ];

    let work = Workplace::new();
    let mut bytes = solid(&members, vec![method(EncoderMethod::LZMA2)]);

    // In the first member, since the second is the same text.
    bytes[10_000..10_100].fill(0xff);
    work.write("x.7z", bytes);

    let stderr = stderr_of(&work.stamma("import games.db x.7z").code(1));
    let is_damaged = stderr.contains("x.7z/a.pgn: this is damaged after ");
    let is_cut = stderr.contains("x.7z/a.pgn: this is cut short");
    assert!(is_damaged || is_cut, "{stderr}");

    for name in ["b.pgn", "d.pgn"] {
        let expected = format!("x.7z/{name}: the archive is damaged or cut short here");
        assert!(stderr.contains(&expected), "{stderr}");
    }

    assert!(!stderr.contains("c.txt"), "{stderr}");

    let games = work.query("SELECT count(*) FROM game");
    let games: u32 = games.parse().expect("a number");
    assert!((1..3000).contains(&games), "{games}");
}

#[test]
fn damage_in_one_block_does_not_affect_other_blocks() {
    let noisy = noisy();
    let other = game("other").repeat(700);
    let members: [(&str, &[u8]); 2] = [("a.pgn", noisy.as_bytes()), ("b.pgn", other.as_bytes())];
    let work = Workplace::new();
    let mut bytes = each(&members, vec![method(EncoderMethod::LZMA2)]);

    // Within the block of the first member, whose noise makes it long.
    bytes[10_000..10_100].fill(0xff);
    work.write("x.7z", bytes);

    let run = work.stamma("import games.db x.7z").code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("x.7z/a.pgn: this is "), "{stderr}");

    let games = work.query("SELECT games FROM source WHERE path = 'x.7z/b.pgn'");
    assert_eq!(games, "700");
}

#[test]
fn an_archive_that_is_cut_short() {
    let work = Workplace::new();
    let whole = members(|members| solid(members, vec![method(EncoderMethod::LZMA2)]));

    // Twice within the head of 32 bytes, within the blocks, and within the list of members.
    for end in [7, 31, whole.len() / 2, whole.len() - 1] {
        work.write("x.7z.001", &whole[..end]);

        let stderr = stderr_of(&work.stamma("convert x.7z.001").code(2));
        let expected = "its end, with the list of its members, is missing; parts of a split archive have to be joined first";
        assert!(stderr.contains(expected), "{end}: {stderr}");
    }
}

#[test]
fn an_encrypted_block_is_reported() {
    let work = Workplace::new();
    let members: [(&str, &[u8]); 2] = [("a.pgn", b"secret"), ("b.txt", b"secret")];
    let aes = EncoderMethod::ID_AES256_SHA256;

    let archive = by_hand((aes, &[0, 0]), &[7; 16], &members);
    work.write("x.7z", archive);

    let run = work.stamma("convert x.7z").code(2);
    let stderr = stderr_of(&run);
    let advice = "x.7z/a.pgn: this is encrypted; extract it first, with its password";
    assert!(stderr.contains(advice), "{stderr}");

    // A member that would not be read is not mentioned.
    assert!(!stderr.contains("b.txt"), "{stderr}");
}

#[test]
fn an_unknown_method_is_reported() {
    let work = Workplace::new();
    let deflate64 = EncoderMethod::ID_DEFLATE64;
    work.write(
        "x.7z",
        by_hand((deflate64, &[]), &[7; 16], &[("a.pgn", b"text")]),
    );

    let stderr = stderr_of(&work.stamma("convert x.7z").code(2));
    assert!(
        stderr.contains(
            "x.7z/a.pgn: this is packed with DEFLATE64, which is not read; extract it first"
        ),
        "{stderr}"
    );
}

#[test]
fn a_dictionary_above_the_limit_is_refused() {
    let work = Workplace::new();
    let mut options = Lzma2Options::from_level(1);
    options.set_dictionary_size(1 << 29);

    let options = EncoderOptions::Lzma2(options);
    let large_dictionary = vec![method_with(EncoderMethod::LZMA2, options)];

    // A dictionary counts as the bytes that are decoded with it.
    let small = game("a");
    let members: [(&str, &[u8]); 1] = [("a.pgn", small.as_bytes())];
    work.write("small.7z", solid(&members, large_dictionary));
    work.stamma("import games.db small.7z").success();

    // A whole chunk of LZMA2, stored as it is, of an archive that says it would hold a gigabyte.
    let text = game("b");
    let mut packed = vec![1, 0, text.len() as u8 - 1];
    packed.extend(text.as_bytes());
    packed.push(0);

    let members: [(&str, &[u8]); 1] = [("a.pgn", text.as_bytes())];
    let whole = by_hand((EncoderMethod::ID_LZMA2, &[34]), &packed, &members);
    work.write("whole.7z", &whole);
    work.stamma("import games.db whole.7z").success();

    // The header is behind 32 bytes of the head and the packed bytes.
    let mut header = whole[32 + packed.len()..].to_vec();
    let size = number(text.len() as u64);
    let at = header
        .windows(size.len())
        .position(|window| window == size)
        .expect("its size");

    header[at..at + size.len()].copy_from_slice(&number(1 << 30));
    work.write("large.7z", with_header(&packed, &header));

    let stderr = stderr_of(&work.stamma("convert large.7z").code(2));
    assert!(
        stderr
            .contains("large.7z/a.pgn: decompressing this takes more than a quarter of the memory"),
        "{stderr}"
    );
    assert!(stderr.contains("(--memory)"), "{stderr}");
}

#[test]
fn headers_that_promise_too_much_are_refused() {
    let work = Workplace::new();
    let text = game("a");

    // A list of members that says how many there are, and ends.
    let promises = |count: u64| {
        let mut header = vec![0x01, 0x05];
        header.extend(number(count));
        header.extend([0, 0]);
        with_header(b"", &header)
    };

    // An archive made by hand is read, so that the others are refused for their lists.
    let whole = by_hand(COPY, text.as_bytes(), &[("a.pgn", text.as_bytes())]);
    work.write("whole.7z", &whole);
    work.stamma("import games.db whole.7z").success();

    for (name, archive) in [("members", promises(1 << 60)), ("all", promises(u64::MAX))] {
        work.write("x.7z", archive);
        let run = work.stamma("convert x.7z").code(2);
        let stderr = stderr_of(&run);
        let senseless = "x.7z: this archive cannot be read: the list of its members makes no sense";
        assert!(stderr.contains(senseless), "{name}: {stderr}");
    }

    // Fillings of two mebibytes, between which the number of members may be.
    let mut header = vec![0x01, 0x05];
    header.extend(number(2 << 20));
    header.push(0x19);
    header.extend(number(4 << 20));
    header.extend(vec![0; 4 << 20]);
    header.extend([0, 0]);
    work.write("x.7z", with_header(b"", &header));

    let stderr = stderr_of(&work.stamma("convert x.7z").code(2));
    assert!(
        stderr.contains("x.7z: the list of its members takes more memory than allowed"),
        "{stderr}"
    );
    assert!(stderr.contains("(--memory)"), "{stderr}");
}
