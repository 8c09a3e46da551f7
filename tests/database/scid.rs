//! Databases of Scid as sources: every way to name them, damage, deleted games, and imports that are repeated.

use std::fs;

use crate::support::invariants::scid::scid_database::ScidDatabase;
use crate::support::program::{Workplace, games, stderr_of, stdout_of};

/// A workplace with the same games as a database of each version, and as PGN.
fn workplace() -> Workplace {
    let work = Workplace::new();
    let folder = work.path("");
    ScidDatabase::version_4().write(&folder, "four");
    ScidDatabase::version_5().write(&folder, "five");

    let mut pgn = String::new();
    for name in ["early.pgn", "from-position.pgn"] {
        pgn += &fs::read_to_string(games().join(name)).expect("PGN");
    }
    work.write("own.pgn", pgn);

    work
}

/// Games as `stamma convert` writes them, without the tag of Scid's flags, and the FEN behind the other tags, as in
/// Scid.
fn converted(work: &Workplace, path: &str) -> String {
    in_scid_s_order(&work.output(&format!("convert -q {path}")))
}

fn in_scid_s_order(pgn: &str) -> String {
    let mut out = String::new();
    let mut fen = String::new();

    for line in pgn.lines() {
        if line.starts_with("[FEN ") {
            fen = format!("{line}\n");
            continue;
        }
        if line.starts_with("[ScidFlags ") {
            continue;
        }

        // The first blank line ends the tags; later ones find no FEN.
        if line.is_empty() {
            out.push_str(&std::mem::take(&mut fen));
        }

        out.push_str(line);
        out.push('\n');
    }

    out
}

#[test]
fn both_versions_have_the_games_of_the_pgn() {
    let work = workplace();
    let pgn = converted(&work, "own.pgn");

    // The games must have all that is compared.
    assert_eq!(pgn.matches("[Event ").count(), 19);
    assert!(pgn.contains("[FEN ") && pgn.contains("{"));

    assert_eq!(converted(&work, "four.si4"), pgn);
    assert_eq!(converted(&work, "five.si5"), pgn);
}

#[test]
fn every_file_and_the_common_name_mean_the_database() {
    let work = workplace();
    let pgn = converted(&work, "own.pgn");

    for name in [
        "four.sg4", "four.sn4", "four", "five.sg5", "five.sn5", "five",
    ] {
        assert_eq!(converted(&work, name), pgn, "{name}");
    }

    for names in ["four.*", "four.si4 four.sn4", "four four"] {
        assert_eq!(converted(&work, names), pgn, "{names}");
    }
}

#[test]
fn a_folder_has_three_files_as_one_source() {
    let work = workplace();
    let folder = work.path("base");
    fs::create_dir(&folder).expect("a folder");
    ScidDatabase::version_4().write(&folder, "a.b");

    let stderr = stderr_of(&work.stamma("import games.db base").success());
    assert!(
        stderr.contains("19 games, 792 positions, 0 problems"),
        "{stderr}"
    );
    assert_eq!(work.query("SELECT COUNT(*) FROM source"), "1");

    let info = work.output("info games.db");
    assert!(info.contains("base/a.b.si4 (Scid 4)"), "{info}");
}

#[test]
fn streams_and_threads_make_no_difference() {
    let work = workplace();
    let pgn = converted(&work, "four.si4");

    for options in ["--no-mmap", "--threads 1", "--memory 128M"] {
        let found = converted(&work, &format!("{options} four.si4"));
        assert_eq!(found, pgn, "{options}");
    }
}

#[test]
fn deleted_games_are_read_with_a_tag_or_left_out_and_counted() {
    let work = workplace();
    let run = work.stamma("convert four.si4").success();
    let pgn = stdout_of(&run);
    assert_eq!(pgn.matches("[ScidFlags \"D\"]").count(), 1);
    assert_eq!(pgn.matches("[ScidFlags \"!\"]").count(), 1);
    assert_eq!(pgn.matches("[Event ").count(), 19);

    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("1 game is marked as deleted, and read"),
        "{stderr}"
    );

    let run = work.stamma("convert --skip-deleted four.si4").success();
    let pgn = stdout_of(&run);
    assert_eq!(pgn.matches("[Event ").count(), 18);
    assert!(!pgn.contains("[ScidFlags \"D\"]"));

    let stderr = stderr_of(&run);
    assert!(stderr.contains("1 game is marked as deleted, and left out"));
}

#[test]
fn the_same_games_are_imported_once() {
    let work = workplace();
    work.stamma("import games.db four.si4").success();

    let stderr = stderr_of(&work.stamma("import games.db four.sg4").success());
    assert!(
        stderr.contains("four.si4: already imported, skipped"),
        "{stderr}"
    );

    // The text of the games is the same in both versions.
    let stderr = stderr_of(&work.stamma("import games.db five").success());
    assert!(
        stderr.contains("five.si5: already imported, skipped"),
        "{stderr}"
    );
    assert_eq!(work.query("SELECT COUNT(*) FROM game"), "19");
}

#[test]
fn of_a_database_that_has_grown_the_new_games_are_imported() {
    let work = workplace();
    let mut shorter = ScidDatabase::version_4();
    shorter.truncate(11);
    shorter.write(&work.path(""), "growing");
    work.stamma("import games.db growing").success();

    assert_eq!(work.query("SELECT COUNT(*) FROM game"), "11");

    ScidDatabase::version_4().write(&work.path(""), "growing");
    let stderr = stderr_of(&work.stamma("import games.db growing").success());
    assert!(
        stderr.contains("begins with growing.si4 as imported before"),
        "{stderr}"
    );
    assert_eq!(work.query("SELECT COUNT(*) FROM game"), "19");

    let export = in_scid_s_order(&work.output("export games.db"));
    assert_eq!(export, converted(&work, "four.si4"));
}

#[test]
fn a_game_that_was_changed_is_another_source() {
    let work = workplace();
    work.stamma("import games.db four").success();

    let mut changed = ScidDatabase::version_4();

    // The result of the last game.
    changed.record(18)[21] ^= 0x30;
    changed.write(&work.path(""), "four");
    work.run(["import", "games.db", "four"]);

    let sources = work.query("SELECT COUNT(*) FROM source");
    assert_eq!(
        sources, "2",
        "the hash of the source covers what the games are made of"
    );
}

#[test]
fn damaged_games_are_kept_as_far_as_they_can_be_read() {
    let work = workplace();
    let mut damaged = ScidDatabase::version_4();

    // Game 2 is behind the end of the file, game 4 has a player without a name, and game 6 has damaged moves.
    damaged.record(1)[0] = 0xff;
    damaged.record(3)[10] = 0xff;

    // The third and fourth byte of a record are the low bytes of the place of its moves.
    let record = damaged.record(5);
    let offset = usize::from(record[2]) << 8 | usize::from(record[3]);
    damaged.files[1][offset + 20] = 0xff;
    damaged.write(&work.path(""), "damaged");

    let run = work.stamma("import games.db damaged").code(1);
    let stderr = stderr_of(&run);

    for problem in [
        "damaged.si4: game 2: unknown-token: 1. unreadable-game",
        "damaged.si4: game 4: invalid-tag: ",
        "damaged.si4: game 6: unknown-token: 9... unreadable-move",
    ] {
        assert!(stderr.contains(problem), "{problem}: {stderr}");
    }

    assert_eq!(work.query("SELECT COUNT(*) FROM game"), "19");
}

macro_rules! refused {
    ($($name:ident: $change:expr => $code:literal, $says:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            let mut database = ScidDatabase::version_4();
            let change: fn(&mut ScidDatabase) = $change;

            change(&mut database);
            database.write(&work.path(""), "base");

            let stderr = stderr_of(&work.stamma("import games.db base.si4").code($code));
            assert!(stderr.contains($says), "{stderr}");
        }
    )*};
}

refused! {
    an_older_version: |base| base.files[0][8..10].copy_from_slice(&[1, 44])
        => 2, "base.si4: this Scid database cannot be read: it has version 300 instead of 400; open it in Scid";
    another_index: |base| base.files[0][7] = 1
        => 2, "its index does not begin like an index of Scid 4";
    a_short_index: |base| base.files[0].truncate(100)
        => 2, "its index is cut short";
    other_names: |base| base.files[2][0] = b'x'
        => 2, "base.sn4 does not begin as the names of Scid 4 do";
    fewer_records_than_promised: |base| base.files[0].truncate(182 + 5 * 47)
        => 1, "its index has 5 games instead of 19";
    part_of_a_record: |base| base.files[0].truncate(182 + 5 * 47 + 7)
        => 1, "its index ends within a game";
    names_cut_short: |base| base.files[2].truncate(500)
        => 1, "the names in base.sn4 end too early";
}

#[test]
fn missing_files_are_named() {
    let work = workplace();
    for (missing, others) in [
        ("sg4", "four.si4 and four.sn4"),
        ("sn4", "four.si4 and four.sg4"),
    ] {
        let path = work.path(&format!("four.{missing}"));
        let kept = work.path("kept");
        fs::rename(&path, &kept).expect("a file");

        let run = work.stamma("convert four.si4").code(2);
        let stderr = stderr_of(&run);
        let unreadable = "four.si4: this Scid database cannot be read: ";
        assert!(stderr.contains(unreadable), "{stderr}");

        let says = format!("four.{missing} is missing; the database is this file with {others}");
        assert!(stderr.contains(&says), "{stderr}");

        fs::rename(&kept, &path).expect("a file");
    }

    // Without the index, another of the files may be given.
    fs::remove_file(work.path("four.si4")).expect("a file");
    let run = work.stamma("convert four.sg4").code(2);
    let stderr = stderr_of(&run);
    let says = "four.si4 is missing; the database is this file with";
    assert!(stderr.contains(says), "{stderr}");
}

#[test]
fn a_member_of_an_archive_is_refused_with_advice() {
    let work = workplace();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_path_with_name(work.path("four.si4"), "four.si4")
        .expect("memory");
    work.write("base.tar", tar.into_inner().expect("memory"));

    let stderr = stderr_of(&work.stamma("convert base.tar").code(2));
    assert!(
        stderr.contains("base.tar/four.si4: this is part of a Scid database, not PGN; its three")
    );
}

#[test]
fn no_file_of_a_database_is_overwritten() {
    let work = workplace();
    work.stamma("import games.db four").success();

    for command in ["convert four -o", "export games.db -o"] {
        for file in ["four.si4", "four.sg4", "four.sn4"] {
            let path = work.path(file);
            let before = fs::read(&path).expect("a file");
            work.stamma(&format!("{command} {file}")).failure();

            let after = fs::read(&path).expect("a file");
            assert_eq!(after, before, "{command} {file}");
        }
    }
}

#[test]
fn pgn_with_such_a_name_is_pgn() {
    let work = Workplace::new();
    work.write("a.si4", "[Event \"A\"]\n\n1. e4 *\n");
    assert!(work.output("convert -q a.si4").contains("1. e4 *"));
}
