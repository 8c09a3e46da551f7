//! Databases of ChessBase as sources: what games keep, every way to name them, damage, deleted games and texts.

use std::path::Path;
use std::{env, fs};

use crate::support::chessbase::{ChessBaseDatabase, ChessBaseGame, text};
use crate::support::invariants::chessbase_archive::{BlockMode, archive};
use crate::support::program::{Workplace, stderr_of};

/// The extensions of the files of a database.
const PARTS: [&str; 9] = [
    "cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj",
];

/// The sizes of the header of an index and of the record of a game.
const HEADER_BYTES: usize = 46;
const RECORD_BYTES: usize = 46;

// The types of annotations.
const TEXT: u8 = 0x02;
const TEXT_BEFORE: u8 = 0x82;
const SYMBOLS: u8 = 0x03;
const SQUARES: u8 = 0x04;
const ARROWS: u8 = 0x05;
const TIME: u8 = 0x07;

/// A game with all that is kept, a text, a deleted game in older encodings, and a short game.
fn database() -> ChessBaseDatabase {
    let full = ChessBaseGame {
        annotator: 1,
        source: 1,
        teams: (0, 1),
        date: (1858, 11, 2),
        result: 2,
        round: (3, 2),
        elo: (2690, 2400),
        eco: 128 * (2 * 100 + 41 + 1),
        moves: "e2e4 e7e5 ( g1f3 ( d7d6 d2d4 ; b8c6 f1b5 ; f1c4 ;",
        annotations: vec![
            (-1, TEXT, text(42, b"In the opera.")),
            (-1, TEXT, text(53, "In der Oper, mit Größe.".as_bytes())),
            (0, SYMBOLS, vec![1, 14, 0]),
            (1, TEXT, text(0, b"Open {lines}.")),
            (2, TEXT_BEFORE, text(0, b"Now")),
            (2, SQUARES, vec![4, 37]),
            (2, ARROWS, vec![2, 13, 29]),
            (2, TIME, vec![0, 1, 30, 0]),
            (3, SYMBOLS, vec![2]),
            (3, TEXT, text(121, b"\xd2\xe0\xeb\xfc")),
        ],
        ..ChessBaseGame::default()
    };

    // A text in Windows-1252, with a byte for the figurine of a piece.
    let deleted = ChessBaseGame {
        is_deleted: true,
        white: 2,
        result: 4,
        moves: "d2d4 d7d5 ;",
        annotations: vec![(0, TEXT, text(0, b"Gr\xf6\xdfer als 1.\xa4f3"))],
        ..ChessBaseGame::default()
    };

    // A text about the database, which is no game.
    let guide = ChessBaseGame {
        is_text: true,
        ..ChessBaseGame::default()
    };

    let short = ChessBaseGame {
        tournament: 1,
        moves: "e2e4 e7e5 g1f3 b8c6 f1b5 ;",
        ..ChessBaseGame::default()
    };

    ChessBaseDatabase {
        players: vec![
            (b"Morphy".to_vec(), b"Paul".to_vec()),
            (b"Duke Karl / Count Isouard".to_vec(), Vec::new()),
            (b"Gr\xfcnfeld".to_vec(), b"Ernst".to_vec()),
        ],
        tournaments: vec![
            (b"Opera".to_vec(), b"Paris".to_vec(), 1858),
            (b"\"Two\"".to_vec(), Vec::new(), 0),
        ],
        annotators: vec![Vec::new(), b"Reti,R".to_vec()],
        sources: vec![Vec::new(), b"Masters".to_vec()],
        teams: vec![b"New Orleans".to_vec(), b"Paris".to_vec()],
        games: vec![full, guide, deleted, short],
    }
}

fn workplace() -> Workplace {
    let work = Workplace::new();
    database().write(&work.path(""), "base");
    work
}

const PGN: &str = r#"[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[Round "3.2"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[WhiteElo "2690"]
[BlackElo "2400"]
[ECO "C41"]
[EventDate "1858.??.??"]
[Annotator "Reti,R"]
[Source "Masters"]
[WhiteTeam "New Orleans"]
[BlackTeam "Paris"]

{[%lang en] In the opera.} {[%lang de] In der Oper, mit Größe.} 1. e4 $1 $14 e5
{Open (lines).} {Now} 2. Nf3 {[%csl Re5][%cal Gb5d5][%emt 0:01:30]} (2. Bc4)
2... d6 $2 {[%lang ru] Таль} (2... Nc6 3. Bb5) 3. d4 1-0

"#;

#[test]
fn games_keep_what_the_database_has() {
    let work = workplace();
    let games = work.output("convert -q base.cbh");
    let first = games.split_inclusive("\n\n[Event").next().expect("a game");

    // Words alone, as lines break elsewhere.
    let words = |pgn: &str| {
        let game = pgn.trim_end_matches("[Event");
        game.split_whitespace().collect::<Vec<_>>().join(" ")
    };

    assert_eq!(words(first), words(PGN));
    assert!(games.contains("[White \"Grünfeld, Ernst\"]"), "{games}");
    assert!(games.contains("{Größer als 1.Nf3}"), "{games}");
    assert!(games.contains("[Termination \"forfeit\"]\n"), "{games}");
    assert!(games.contains("[Event \"\\\"Two\\\"\"]"), "{games}");
}

#[test]
fn the_database_of_the_documents_is_this_one() {
    let work = workplace();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/chessbase");

    for part in PARTS {
        let made = fs::read(work.path(&format!("base.{part}"))).expect("a file");
        let kept = folder.join(format!("own.{part}"));

        if env::var_os("STAMMA_BLESS").is_some() {
            fs::write(&kept, &made).expect("space");
        }
        assert!(
            fs::read(&kept).is_ok_and(|kept| kept == made),
            "{part}; STAMMA_BLESS=1 writes it"
        );
    }
}

#[test]
fn deleted_games_and_texts_are_counted() {
    let work = workplace();
    let stderr = stderr_of(&work.stamma("import games.db base.cbh").success());
    assert!(stderr.contains("3 games, "), "{stderr}");
    assert!(
        stderr.contains("1 text is no game, and is left out"),
        "{stderr}"
    );
    assert!(stderr.contains("1 game is marked as deleted, and read with this in the tag ScidFlags or ChessBaseFlags; --skip-deleted leaves them out"), "{stderr}");
    let exported = work.output("export games.db");
    assert_eq!(exported.matches("[ChessBaseFlags \"deleted\"]").count(), 1);

    let info = work.output("info games.db");
    assert!(info.contains("base.cbh (ChessBase)"));

    // The same database is known.
    let stderr = stderr_of(&work.stamma("import games.db base.cbh").success());
    assert!(stderr.contains("already imported"), "{stderr}");

    let without_deleted = work.output("convert -q --skip-deleted base.cbh");
    assert_eq!(without_deleted.matches("[Event ").count(), 2);
    work.stamma("check games.db --full").success();
}

#[test]
fn every_file_and_the_common_name_mean_the_database() {
    let work = workplace();
    let games = work.output("convert -q base.cbh");

    for name in [
        "base.cbg",
        "base.cbp",
        "base",
        "base.*",
        "base.cbh base.cba",
    ] {
        assert_eq!(work.output(&format!("convert -q {name}")), games, "{name}");
    }

    fs::create_dir(work.path("folder")).expect("a folder");
    database().write(&work.path("folder"), "in.side");
    assert_eq!(work.output("convert -q folder"), games);

    // Files of different times are not all in capitals.
    for (part, name) in [
        ("cbh", "folder/in.side.CBH"),
        ("cbg", "folder/in.side.Cbg"),
        ("cbe", "folder/in.side.CBE"),
    ] {
        let from = work.path(&format!("folder/in.side.{part}"));
        fs::rename(from, work.path(name)).expect("a file");
    }

    for name in [
        "folder",
        "folder/in.side",
        "folder/in.side.cbj",
        "folder/in.side.CBH",
    ] {
        assert_eq!(work.output(&format!("convert -q {name}")), games, "{name}");
    }
}

/// The files of the database, for an archive.
fn members(work: &Workplace, name: &str) -> Vec<(String, Vec<u8>)> {
    let mut members = Vec::new();
    for part in PARTS {
        let bytes = fs::read(work.path(&format!("base.{part}"))).expect("a file");
        members.push((format!("{name}.{part}"), bytes));
    }

    // Databases may have a folder beside them, named as Windows does.
    members.push((format!("{name}.html\\page.html"), b"<p>A page</p>".to_vec()));
    members
}

#[test]
fn archives_are_unpacked() {
    let work = workplace();
    let games = work.output("convert -q base.cbh");

    for mode in [
        BlockMode::Stored,
        BlockMode::Lz,
        BlockMode::Huffman,
        BlockMode::HuffmanLz,
    ] {
        work.write("all.cbv", archive(&members(&work, "Base"), mode));
        assert_eq!(work.output("convert -q all.cbv"), games, "{mode:?}");
    }

    work.stamma("import games.db all.cbv").success();
    let info = work.output("info games.db");
    assert!(info.contains("all.cbv/Base.cbh (ChessBase)"));

    let stderr = stderr_of(&work.stamma("import games.db all.cbv").success());
    assert!(stderr.contains("already imported"), "{stderr}");

    // Several databases, found in a folder.
    let two = [members(&work, "one"), members(&work, "two")].concat();
    work.write("folder/two.CBV", archive(&two, BlockMode::Lz));
    assert_eq!(work.output("convert -q folder"), games.repeat(2));
}

#[test]
fn odd_files_in_an_archive_do_not_matter() {
    let work = workplace();
    let games = work.output("convert -q base.cbh");
    let mut odd = members(&work, "base");

    odd.insert(0, ("empty.ini".to_owned(), Vec::new()));
    odd.insert(0, ("a:b..\\..\\c".to_owned(), vec![1]));
    odd.push(("base.cbh".to_owned(), vec![1, 2, 3]));

    let mut bytes = archive(&odd, BlockMode::Stored);

    // The archive does not name the encoding of its names.
    bytes[8] = 0xdf;
    work.write("a.cbv", bytes);
    assert_eq!(work.output("convert -q a.cbv"), games);

    let many: Vec<_> = (0..2000).flat_map(|_| members(&work, "base")).collect();
    work.write("many.cbv", archive(&many, BlockMode::Stored));
    assert_eq!(
        work.output("convert -q many.cbv"),
        games,
        "the first file of each name"
    );
}

#[test]
fn damage_in_an_archive_is_reported() {
    let work = workplace();
    let whole = archive(&members(&work, "base"), BlockMode::HuffmanLz);

    let name = whole
        .windows(8)
        .position(|name| name == b"base.cbg")
        .expect("its name");

    // An entry of the list: a name of 128 bytes, then the place of the file.
    let bytes = &whole[name + 128..name + 132];
    let place = u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize;

    // The kind of the block of moves.
    let mut damaged = whole.clone();
    damaged[place + 4] = 9;
    work.write("a.cbv", damaged);

    let stderr = stderr_of(&work.stamma("convert a.cbv").code(1));
    assert!(stderr.contains("a.cbv/base.cbg: "), "{stderr}");
    assert!(stderr.contains("a block cannot be decoded"), "{stderr}");
    assert!(stderr.contains("unreadable-game"), "{stderr}");

    // A block that is longer than its file.
    let mut damaged = whole.clone();
    damaged[place + 1] = 0xff;
    work.write("a.cbv", damaged);

    let stderr = stderr_of(&work.stamma("convert a.cbv").code(1));
    assert!(
        stderr.contains("a block goes beyond the end of its file"),
        "{stderr}"
    );

    // An archive that ends before the moves, and within the list of files.
    work.write("a.cbv", &whole[..place]);
    let stderr = stderr_of(&work.stamma("convert a.cbv").code(2));
    assert!(stderr.contains("a.cbv/base.cbg: "), "{stderr}");
    assert!(
        stderr.contains("it goes beyond the end of the archive"),
        "{stderr}"
    );

    work.write("a.cbv", &whole[..100]);
    let stderr = stderr_of(&work.stamma("convert a.cbv").code(2));
    assert!(
        stderr.contains("the list of its files makes no sense"),
        "{stderr}"
    );
}

#[test]
fn archives_without_a_readable_database_are_refused() {
    let work = workplace();
    let mut without_moves = members(&work, "base");
    without_moves.retain(|(name, _)| name != "base.cbg");

    work.write("a.cbv", archive(&without_moves, BlockMode::Stored));
    let stderr = stderr_of(&work.stamma("convert a.cbv").code(2));
    assert!(stderr.contains("the archive has no base.cbg"), "{stderr}");

    let other = [("a.txt".to_owned(), vec![1])];
    work.write("a.cbv", archive(&other, BlockMode::Stored));
    let stderr = stderr_of(&work.stamma("convert a.cbv").code(2));
    assert!(
        stderr.contains("a.cbv: this archive cannot be read: it has no ChessBase database (.cbh)"),
        "{stderr}"
    );

    let newer = [("a.2cbh".to_owned(), vec![1])];
    work.write("a.cbv", archive(&newer, BlockMode::Stored));
    let stderr = stderr_of(&work.stamma("convert a.cbv").code(2));
    assert!(
        stderr.contains("its database has the new format of ChessBase (.2cbh)"),
        "{stderr}"
    );

    // An encrypted archive.
    work.write("a.cbz", b"\x01\x02\x03");
    let stderr = stderr_of(&work.stamma("convert a.cbz").code(2));
    assert!(
        stderr.contains("unpack it with its password in ChessBase"),
        "{stderr}"
    );

    // A whole archive, above the limit of unpacked bytes.
    let whole = archive(&members(&work, "base"), BlockMode::HuffmanLz);
    work.write("a.cbv", whole);
    let import = "import games.db a.cbv --max-unpacked 500";
    let stderr = stderr_of(&work.stamma(import).code(2));
    assert!(stderr.contains("--max-unpacked"), "{stderr}");
}

#[test]
fn a_missing_file_is_named() {
    let work = workplace();
    fs::remove_file(work.path("base.cbg")).expect("a file");

    let stderr = stderr_of(&work.stamma("convert base.cbh").code(2));
    assert!(stderr.contains("base.cbh: this ChessBase database cannot be read: base.cbg is missing; the database is this file with .cbg, "), "{stderr}");

    // Teams and additions are in newer databases alone.
    let work = workplace();
    fs::remove_file(work.path("base.cbe")).expect("a file");
    fs::remove_file(work.path("base.cbj")).expect("a file");

    let games = work.output("convert -q base.cbh");
    assert_eq!(games.matches("[Event ").count(), 3);
}

#[test]
fn damage_costs_one_game() {
    let work = workplace();
    let moves = work.path("base.cbg");
    let mut bytes = fs::read(&moves).expect("a file");

    // The fourth move of the first game, which begins behind the header.
    bytes[26 + 4 + 3 * 3 + 1 + 2] ^= 0x55;
    fs::write(&moves, bytes).expect("space");

    let run = work.stamma("convert base.cbh").code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("base.cbh: game 1: "), "{stderr}");
    assert!(stderr.contains("unreadable-move"), "{stderr}");
    assert!(!stderr.contains("game 2: "), "{stderr}");
    assert_eq!(
        crate::support::program::stdout_of(&run)
            .matches("[Event ")
            .count(),
        3
    );
}

#[test]
fn records_of_no_kind_are_reported() {
    let work = workplace();
    let index = work.path("base.cbh");
    let mut bytes = fs::read(&index).expect("a file");

    // The first game's kind; and a record at the end without anything.
    bytes[HEADER_BYTES] = 0;
    bytes.extend([0; RECORD_BYTES]);
    fs::write(&index, bytes).expect("space");

    let run = work.stamma("convert base.cbh").code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("unreadable-game"), "{stderr}");
    assert_eq!(
        crate::support::program::stdout_of(&run)
            .matches("[Event ")
            .count(),
        3
    );
}

#[test]
fn an_index_without_end_is_refused() {
    let work = workplace();
    let index = fs::OpenOptions::new()
        .write(true)
        .open(work.path("base.cbh"))
        .expect("a file");

    // A billion records, which take no space on the disk.
    let index_bytes = (RECORD_BYTES as u64) << 30;
    index.set_len(index_bytes).expect("a sparse file");

    let run = work.stamma("convert base.cbh").code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("but its .cbg only "), "{stderr}");
}

#[test]
fn missing_parts_are_reported() {
    for (part, bytes_left, word) in [
        ("base.cbg", 30, "unreadable-game"),
        ("base.cba", 30, "unreadable-comments"),
        ("base.cbp", 28, "invalid-tag"),
    ] {
        let work = workplace();
        let file = fs::OpenOptions::new()
            .write(true)
            .open(work.path(part))
            .expect("a file");

        file.set_len(bytes_left).expect("a file");
        let stderr = stderr_of(&work.stamma("convert base.cbh").code(1));
        assert!(stderr.contains(word), "{part}: {stderr}");
    }

    let work = workplace();
    let index = fs::read(work.path("base.cbh")).expect("a file");
    let within_second = HEADER_BYTES + RECORD_BYTES + 10;
    fs::write(work.path("base.cbh"), &index[..within_second]).expect("space");

    let stderr = stderr_of(&work.stamma("convert base.cbh").code(1));
    assert!(stderr.contains("its index ends within a game"), "{stderr}");
}

/// Random numbers below a bound, the same in each run (xorshift).
fn random_numbers() -> impl FnMut(usize) -> usize {
    let mut state = 88_172_645_463_325_252_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}

fn assert_that_it_ends_with_a_sentence(work: &Workplace, command: &str) {
    let run = work.stamma(command);
    let code = run.get_output().status.code();
    let stderr = stderr_of(&run);

    assert!(
        code.is_some_and(|code| code <= 2) && !stderr.contains(".rs:"),
        "{stderr}"
    );
}

/// The head of an archive, and ten entries of its list of files.
const LIST_BYTES: usize = 8 + 173 * 10;

#[test]
fn no_bytes_of_an_archive_make_it_panic() {
    let mut random = random_numbers();
    let work = workplace();

    for mode in [
        BlockMode::Stored,
        BlockMode::Lz,
        BlockMode::Huffman,
        BlockMode::HuffmanLz,
    ] {
        let whole = archive(&members(&work, "base"), mode);
        // `tests/fuzzed.rs` tries many more, without a process for each.
        for round in 0..8 {
            let mut bytes = whole.clone();
            for _ in 0..1 + random(6) {
                // The list of files, or any place.
                let places = if round % 2 == 0 {
                    LIST_BYTES
                } else {
                    bytes.len()
                };

                let place = random(places);
                bytes[place] = random(256) as u8;
            }

            work.write("a.cbv", bytes);
            assert_that_it_ends_with_a_sentence(&work, "convert a.cbv");
        }
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let mut random = random_numbers();
    let work = workplace();
    let whole = PARTS.map(|part| fs::read(work.path(&format!("base.{part}"))).expect("a file"));

    for _ in 0..30 {
        // One file at a time, so that the others lead the reader into it.
        let damaged = random(PARTS.len());
        for (number, part) in PARTS.iter().enumerate() {
            let mut bytes = whole[number].clone();
            if number == damaged {
                for _ in 0..1 + random(6) {
                    let place = random(bytes.len());
                    bytes[place] = random(256) as u8;
                }
            }

            work.write(&format!("base.{part}"), bytes);
        }

        assert_that_it_ends_with_a_sentence(&work, "convert base.cbh");
    }
}
