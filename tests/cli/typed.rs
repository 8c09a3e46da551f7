//! What people type in another order or form than the program's, and what it tells them to type.

use crate::support::program::{Workplace, stderr_of};

const GAMES: &str = "[White \"Fischer, Robert\"]\n[Black \"Spassky, Boris\"]\n\n1. e4 e5 1-0\n";

/// A game of two players, and one at a site named after them; and sites with words that are names of players.
const MATCH: &str = "[White \"Fischer, Robert\"]\n[Black \"Spassky, Boris\"]\n\n1. e4 e5 1-0\n\n\
    [Site \"Fischer vs. Spassky\"]\n[White \"New, Anna\"]\n[Black \"Tal, Mikhail\"]\n\n1. e4 e5 1-0\n\n\
    [Site \"New York\"]\n[White \"York, Bert\"]\n[Black \"Tal, Mikhail\"]\n\n1. d4 d5 1-0\n";

/// A workplace with a database, a file of games, and another database.
fn workplace() -> Workplace {
    let work = Workplace::new();
    work.write("my.pgn", GAMES);
    work.write("a b.pgn", GAMES);
    work.write("games.txt", GAMES);
    work.stamma("import my.db my.pgn").success();
    work.stamma("import other.db my.pgn").success();
    work.write("match.pgn", MATCH);
    work.stamma("import match.db match.pgn").success();
    work
}

macro_rules! tells {
    ($($name:ident: $arguments:expr => $advice:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = workplace();
            let run = work.run($arguments).failure();
            let stderr = stderr_of(&run);
            assert!(stderr.lines().any(|line| line.ends_with($advice)), "{stderr}");
            assert!(!work.path("games.db").exists(), "nothing is created");
        }
    )*};
}

tells! {
    an_import_without_a_database: ["import", "my.pgn"]
        => "the database comes first: stamma import my.db my.pgn";
    an_import_of_a_name_with_a_space: ["import", "a b.pgn"]
        => "the database comes first: stamma import 'a b.db' 'a b.pgn'";
    an_import_in_the_wrong_order: ["import", "my.pgn", "games.db"]
        => "the database comes first: stamma import games.db my.pgn";
    an_import_without_files: ["import", "other.db"]
        => "name the files to import: stamma import other.db games.pgn";
    an_import_of_a_database: ["import", "my.db", "other.db"]
        => "other.db is a database, whose games are appended by: stamma merge my.db other.db";
    a_search_in_a_file_of_games: ["search", "my.pgn", "fischer"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    a_search_in_a_second_file_of_games: ["search", "other.db", "my.pgn", "--player", "fischer"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    moves_in_a_second_file_of_games: ["moves", "other.db", "my.pgn", "e4"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    an_opening_in_a_second_file_of_games: ["opening", "other.db", "my.pgn", "e4"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    an_event_in_a_second_file_of_games: ["crosstable", "other.db", "my.pgn", "linares"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    an_opponent_in_a_second_file_of_games: ["prepare", "other.db", "my.pgn", "spassky", "--as", "white"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    sql_in_a_second_file_of_games: ["sql", "other.db", "my.pgn", "select 1"]
        => "my.pgn has games, but is no database; make one: stamma import my.db my.pgn";
    a_search_for_a_file_of_another_name: ["search", "other.db", "games.txt"]
        => "its games are imported first: stamma import other.db games.txt";
    a_search_for_two_players: ["search", "my.db", "fischer spassky"]
        => "games of these players: stamma search my.db --player fischer --player spassky";
    a_search_for_two_players_without_quotes: ["search", "my.db", "fischer", "spassky"]
        => "games of these players: stamma search my.db --player fischer --player spassky";
    a_search_for_two_players_with_a_site_of_their_names: ["search", "match.db", "fischer spassky"]
        => "games of these players: stamma search match.db --player fischer --player spassky";
    a_search_for_a_site_of_two_words: ["search", "match.db", "new york"]
        => "games at this site: stamma search match.db --site 'new york'";
    a_search_for_a_person: ["search", "my.db", "bobby fischer"]
        => "games of this player: stamma search my.db --player 'bobby fischer'";
    a_search_for_a_person_without_quotes: ["search", "my.db", "boris", "spassky"]
        => "games of this player: stamma search my.db --player 'boris spassky'";
    moves_of_a_person: ["moves", "my.db", "spassky, boris"]
        => "games of this player: stamma moves my.db --player 'spassky, boris'";
    a_search_for_a_game_of_two_players: ["moves", "my.db", "Fischer-Spassky"]
        => "games of these players: stamma moves my.db --player Fischer --player Spassky";
    a_player_in_front_of_the_database: ["player", "spassky", "my.db"]
        => "the database comes first: stamma player my.db spassky";
    an_opening_in_front_of_the_database: ["opening", "King's Pawn", "my.db", "--white", "tal"]
        => "the database comes first: stamma opening my.db 'King'\\''s Pawn' --white tal";
    an_event_in_front_of_the_database: ["crosstable", "--format", "csv", "Linares", "my.db"]
        => "the database comes first: stamma crosstable --format csv my.db Linares";
    an_opponent_in_front_of_the_database: ["prepare", "spassky", "my.db", "--as", "white"]
        => "the database comes first: stamma prepare my.db spassky --as white";
    sql_in_front_of_the_database: ["sql", "select 1", "my.db"]
        => "the database comes first: stamma sql my.db 'select 1'";
    sql_with_a_star_in_front_of_the_database: ["sql", "select * from games", "my.db"]
        => "the database comes first: stamma sql my.db 'select * from games'";
    a_missing_database: ["info", "spassky"]
        => "spassky: no such database; `stamma import` creates one";
    an_export_to_a_file: ["export", "my.db", "out.pgn"] => "-o out.pgn writes to a file";
    a_server_at_a_port: ["serve", "my.db", "--port", "8080"]
        => "--bind takes a port, too: --bind 8080";
    an_import_in_an_encoding: ["import", "games.db", "my.pgn", "--encoding", "latin1"]
        => "--input-encoding latin1 is how files are read (default: detected), --output-encoding how PGN is written";
    a_description_with_a_limit: ["info", "my.db", "--limit", "3"]
        => "--sources lists all sources; the rest is whole";
    a_file_that_is_missing: ["gamse.pgn"] => "gamse.pgn: No such file or directory (os error 2)";
    a_database_beside_files: ["open", "my.db", "my.pgn"] => "my.db: this is a database, which is read alone; give each database a run of its own";
}

#[test]
fn a_record_of_two_players() {
    let work = workplace();
    let run = work.stamma("player my.db fischer spassky").success();
    let advice = "no player is called \"fischer spassky\"; for the games of two: \
        stamma player my.db fischer --against spassky\n";

    assert_eq!(stderr_of(&run), advice);
    assert_eq!(
        stderr_of(&work.stamma("player my.db boris spassky").success()),
        ""
    );
}

#[test]
#[cfg(unix)]
fn names_of_files_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let work = workplace();
    let name = OsStr::from_bytes(b"caf\xe9.pgn");
    std::fs::write(work.path("").join(name), GAMES).expect("a file");

    let run = work.run([OsStr::new("import"), name]).code(2);
    assert!(
        stderr_of(&run).contains("the database comes first: stamma import"),
        "{run}"
    );

    let run = work.run([OsStr::from_bytes(b"missing\xe9.pgn")]).code(2);
    assert!(
        stderr_of(&run).contains("No such file or directory"),
        "{run}"
    );
}

#[test]
#[cfg(unix)]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_folder_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;

    let work = workplace();
    let folder = work.path("closed");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o0)).expect("its mode");

    // The superuser may read it.
    if std::fs::read_dir(&folder).is_ok() {
        eprintln!("skipped: this user may read every folder");
        return;
    }

    let run = work.stamma("import my.db closed").failure();
    assert_eq!(
        stderr_of(&run),
        "stamma: closed: Permission denied (os error 13)\n"
    );

    // The rest of a folder is imported.
    let run = work.stamma("import --quiet all.db .").code(1);
    assert_eq!(
        stderr_of(&run),
        "stamma: ./closed: Permission denied (os error 13)\n"
    );

    let games = work.output("search all.db --player fischer --format count");
    assert_eq!(games, "2\n");
}
