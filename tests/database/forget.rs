//! Removal of sources, with all that came from them.

use std::fs;

use crate::support::index_oracle::{compare, replay_all};
use crate::support::program::{Workplace, stderr_of};
use rusqlite::Connection;

/// Two games of one file, and one of another with a fault, a text and names of its own.
fn two_files() -> Workplace {
    let work = Workplace::new();
    let game = |white: &str| format!("[Event \"E\"]\n[White \"{white}\"]\n\n1. e4 e5 *\n\n");
    work.write("spring.pgn", ["Anna", "Bert"].map(game).concat());
    work.write(
        "autumn.pgn",
        "[Event \"F\"]\n[White \"Bert\"]\n[Black \"Carl\"]\n\n1. e4 Ke7 *\n\nnews\n",
    );
    work.stamma("import games.db spring.pgn autumn.pgn").code(1);

    work
}

const COUNTS: &str = "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM movetext),
    (SELECT count(*) FROM problem), (SELECT count(*) FROM source_text),
    (SELECT count(*) FROM source), (SELECT group_concat(name) FROM player),
    (SELECT group_concat(name) FROM event), (SELECT count(*) FROM tag_order)";

#[test]
fn by_path() {
    let work = two_files();
    let run = work.stamma("forget games.db autumn.pgn").success();
    assert_eq!(
        stderr_of(&run),
        "autumn.pgn: 1 game, 2 problems and 1 text between games removed\n\
         2 names of players, events and sites removed that occur in no game\n\
         `stamma optimize` frees their space\n"
    );
    assert_eq!(work.query(COUNTS), "2|2|0|0|1|Anna,Bert|E|1");
    work.stamma("check games.db --full").success();

    let connection = Connection::open(work.path("games.db")).expect("a database");
    compare(&connection, &replay_all(&connection), 1);
}

#[test]
fn by_number_and_several() {
    let work = two_files();
    work.stamma("forget games.db 2 spring.pgn 1").success();
    assert_eq!(work.query(COUNTS), "0|0|0|0|0|NULL|NULL|0");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_forgotten_file_can_be_imported_again() {
    let work = two_files();
    work.stamma("forget games.db spring.pgn").success();
    work.stamma("import games.db spring.pgn").success();

    // Numbers of games are never given again.
    let numbers = work.query("SELECT group_concat(id) FROM game");
    assert_eq!(numbers, "3,4,5");
    work.stamma("check games.db --full").success();
}

#[test]
fn an_unknown_source_changes_nothing() {
    let work = two_files();
    let run = work
        .stamma("forget games.db spring.pgn old/sprint.pgn")
        .code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: old/sprint.pgn: no source of the database has this path or number; \
         `stamma info` lists them; similar: spring.pgn (1)\n"
    );

    let run = work.stamma("forget games.db 7").code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: 7: no source of the database has this path or number; `stamma info` lists them\n"
    );
    assert_eq!(work.query("SELECT count(*) FROM game"), "3");
}

#[test]
fn an_archive_or_a_folder_means_all_its_sources() {
    let work = Workplace::new();
    let game = |white: &str| format!("[Event \"E\"]\n[White \"{white}\"]\n\n1. e4 e5 *\n\n");
    let mut tar = tar::Builder::new(Vec::new());

    for (name, white) in [("a.pgn", "Anna"), ("b/c.pgn", "Bert")] {
        let game = game(white);
        let mut header = tar::Header::new_gnu();
        header.set_size(game.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, game.as_bytes())
            .expect("memory");
    }

    work.write("club.tar", tar.into_inner().expect("memory"));
    work.write("club.tar.pgn", game("Carl"));
    work.write("old/1.pgn", game("Dora"));
    work.write("old/2.pgn", game("Emil"));
    work.stamma("import games.db club.tar club.tar.pgn old")
        .success();

    let run = work.stamma("forget games.db ./club.tar").success();
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("club.tar/a.pgn: 1 game, "), "{stderr}");
    assert_eq!(
        work.query("SELECT group_concat(name) FROM player"),
        "Carl,Dora,Emil"
    );

    work.stamma("forget games.db old/").success();
    assert_eq!(
        work.query("SELECT group_concat(path) FROM source"),
        "club.tar.pgn"
    );
    work.stamma("check games.db --full").success();

    for name in ["club", ".", "/", "..", ""] {
        work.run(["forget", "games.db", name]).code(2);
    }
    assert_eq!(work.query("SELECT count(*) FROM source"), "1");
}

#[test]
fn an_ambiguous_path_is_refused() {
    let work = two_files();
    work.write("spring.pgn", "[Event \"G\"]\n\n1. d4 *\n");
    work.stamma("import games.db spring.pgn").success();

    let run = work.stamma("forget games.db spring.pgn").code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: spring.pgn: the sources 1, 3 have this path; name one by its number\n"
    );

    work.stamma("forget games.db 3").success();
    assert_eq!(work.query("SELECT group_concat(id) FROM source"), "1,2");
}

#[test]
fn materialized_positions_are_removed() {
    let work = two_files();
    work.stamma("materialize games.db").success();
    work.stamma("forget games.db spring.pgn").success();
    assert_eq!(work.query("SELECT DISTINCT game_id FROM position_fen"), "3");
}

/// Deleting half of the games frees half of the space.
#[test]
fn optimize_reclaims_space() {
    let work = Workplace::new();

    // Comments of 300 digits, so that rows take most of the space.
    let game =
        |number: usize| format!("[Event \"E{number}\"]\n\n1. e4 e5 {{{number:0>300}}} *\n\n");
    work.write("a.pgn", (0..4000).map(game).collect::<String>());
    work.write("b.pgn", (4000..8000).map(game).collect::<String>());
    work.stamma("import games.db a.pgn b.pgn").success();

    let bytes = || {
        let file = fs::metadata(work.path("games.db"));
        file.expect("a database").len()
    };

    // Half of the games is forgotten, then the other half.
    let before = bytes();
    work.stamma("forget games.db a.pgn").success();
    work.stamma("optimize games.db").success();

    let half = bytes();
    assert!(half < before * 6 / 10, "{half} of {before} bytes");

    work.stamma("forget games.db b.pgn").success();
    let run = work.stamma("optimize games.db").success();

    // What is left is empty tables and the names of openings.
    let left = bytes();
    assert!(left < 700_000, "{left} of {before} bytes");

    let stderr = stderr_of(&run);
    assert!(!stderr.contains("nothing to do"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn by_a_path_that_is_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let work = two_files();
    let name = OsStr::from_bytes(b"caf\xe9.pgn");
    fs::write(work.path("").join(name), "[Event \"G\"]\n\n1. d4 *\n").expect("a file");
    work.run(["import".as_ref(), "games.db".as_ref(), name])
        .success();
    work.run(["forget".as_ref(), "games.db".as_ref(), name])
        .success();

    assert_eq!(
        work.query("SELECT group_concat(path) FROM source"),
        "spring.pgn,autumn.pgn"
    );
}
