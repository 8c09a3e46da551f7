//! Addresses of games: each game stores its own part, the common part is stored once. Exports have addresses as
//! written, and filters find them.

use rusqlite::Connection;

use crate::support::program::{Workplace, first_fields, stderr_of, stdout_of};

/// The tags of games in all forms of addresses; the number of a game is its place, from 1.
const GAMES: [&[(&str, &str)]; 14] = [
    &[("Site", "https://lichess.org/7fTxzgpb")],
    &[("Site", "https://lichess.org/7fTxzgpB")],
    &[("Site", "https://lichess.org/practice")],
    &[("Site", "https://lichess.org/")],
    &[("Site", "https://lichess.org")],
    &[("Site", "https://lichess.org/7fTxzgpb/black")],
    &[("Site", "https://example.org/tournaments/2024")],
    &[
        ("Site", "Chess.com"),
        ("Link", "https://www.chess.com/game/live/123456789"),
    ],
    &[
        ("Link", "https://www.chess.com/game/daily/987654321"),
        ("Site", "https://lichess.org/"),
    ],
    &[("GameId", "Zz11yy22")],
    &[
        ("Site", "FICS freechess.org"),
        ("FICSGamesDBGameNo", "400123"),
    ],
    &[
        ("Site", "https://lichess.org/AAAA1111"),
        ("Site", "https://lichess.org/BBBB2222"),
    ],
    &[("Site", "London"), ("White", "7fTx, Zgpb")],
    &[],
];

fn pgn() -> String {
    let mut pgn = String::new();
    for tags in GAMES {
        for (name, value) in tags {
            pgn += &format!("[{name} \"{value}\"]\n");
        }
        pgn += "\n1. e4 *\n\n";
    }

    pgn
}

fn imported() -> Workplace {
    let work = Workplace::new();
    work.import(pgn());
    work
}

/// The numbers of the games that a search finds.
fn numbers_found(work: &Workplace, arguments: &[&str]) -> Vec<usize> {
    let search = ["search", "games.db", "--format", "csv"];
    let all_arguments = [&search[..], arguments].concat();
    let run = work.run(all_arguments).success();

    let mut numbers: Vec<usize> = Vec::new();
    for number in first_fields(&stdout_of(&run)) {
        numbers.push(number.parse().expect("a number"));
    }
    numbers
}

#[test]
fn sites_come_back_as_they_were_written() {
    let work = imported();
    let converted = stdout_of(&work.stamma("convert in.pgn").success());
    assert_eq!(work.output("export games.db"), converted);

    // The first of several tags is the game's site.
    let mut written: Vec<&str> = Vec::new();
    for tags in GAMES {
        let site = tags.iter().find(|(name, _)| *name == "Site");
        written.push(site.map_or("", |(_, value)| value));
    }

    let sites = work.query("SELECT coalesce(site, '') FROM games ORDER BY id");
    assert_eq!(sites, written.join("\n"));
    work.stamma("check games.db --full").success();
}

/// SQL functions end a text at a NUL, so that a site with a NUL must not be divided by them.
#[test]
fn a_nul_takes_nothing_from_a_site_and_adds_nothing() {
    let work = Workplace::new();
    for site in [
        "https://lichess\0.org/7fTxzgpb",
        "London/\0 Paris",
        "London\0/",
    ] {
        work.import(format!(
            "[Site \"{site}\"]\n[GameId \"Zz11yy22\"]\n\n1. e4 *\n\n"
        ));
        assert_eq!(
            work.output("export games.db"),
            stdout_of(&work.stamma("convert in.pgn").success())
        );
        work.stamma("check games.db --full").success();

        std::fs::remove_file(work.path("games.db")).expect("the next one");
    }
}

#[test]
fn the_common_part_is_one_row_and_its_words_have_no_ids() {
    let work = imported();
    let with = "SELECT count(*) FROM site WHERE name LIKE '%/'";
    assert_eq!(work.query(with), "1");

    // Ids are found by the column `address`, not by words.
    let by_words = "SELECT count(*) FROM site_text('7ftxzgpb NOT black')";
    assert_eq!(work.query(by_words), "0");

    let ids = work.query("SELECT id || ' ' || address FROM games WHERE address <> '' ORDER BY id");
    let expected =
        "1 7fTxzgpb\n2 7fTxzgpB\n3 practice\n8 123456789\n10 Zz11yy22\n11 400123\n12 AAAA1111";
    assert_eq!(ids, expected);

    let connection = Connection::open(work.path("games.db")).expect("a database");
    let plan = "EXPLAIN QUERY PLAN SELECT id FROM games WHERE address = '7fTxzgpb'";
    let plan: String = connection
        .query_row(plan, [], |row| row.get(3))
        .expect("a plan");

    assert!(plan.contains("game_address"), "{plan}");
}

macro_rules! finds {
    ($($name:ident: $arguments:expr => $games:expr;)*) => {$(
        #[test]
        fn $name() {
            let expected: &[usize] = &$games;
            assert_eq!(numbers_found(&imported(), &$arguments), expected);
        }
    )*};
}

finds! {
    by_the_whole_address: ["--site", "https://lichess.org/7fTxzgpb"] => [1, 2, 6];
    without_the_scheme: ["--site", "lichess.org/7fTxzgpb"] => [1, 2, 6];
    by_the_id: ["--site", "7fTxzgpb"] => [1, 2, 6];
    by_the_beginning_of_the_id: ["--site", "org 7ftx"] => [1, 2, 6];
    all_of_a_server: ["--site", "lichess.org"] => [1, 2, 3, 4, 5, 6, 9, 12];
    by_a_word_of_the_common_part_and_another: ["--site", "example 7fTxzgpb"] => [];
    by_a_year: ["--site", "example.org/tournaments/2024"] => [7];
    by_a_link: ["--site", "https://www.chess.com/game/live/123456789"] => [8];
    by_the_end_of_a_link: ["--site", "chess.com/game/live/123456789"] => [8];
    by_the_number_of_a_link: ["--site", "123456789"] => [8];
    by_another_page_of_the_number: ["--site", "chess.com/game/daily/123456789"] => [];
    by_words_of_a_link_alone: ["--site", "game live"] => [];
    by_a_game_id: ["--site", "zz11yy22"] => [10];
    by_a_number_and_its_site: ["--site", "fics 400123"] => [11];
    as_a_whole: ["--site", "=https://lichess.org/7fTxzgpb"] => [1];
    as_a_whole_in_another_case: ["--site", "=https://lichess.org/7ftxzgpb"] => [];
    as_a_whole_without_an_id: ["--site", "=https://lichess.org/"] => [4, 9];
    by_a_tag: ["--tag", "Site=https://lichess.org/7fTxzgpb"] => [1];
    by_a_repeated_tag: ["--tag", "Site=https://lichess.org/BBBB2222"] => [12];
    by_sql: ["--where", "address = '7fTxzgpb'"] => [1, 2];
    by_sql_and_site: ["--where", "address = '7fTxzgpb' AND site = 'https://lichess.org/7fTxzgpb'"] => [1];
}

#[test]
fn a_conversion_finds_the_same_games() {
    let work = imported();
    for site in [
        "lichess.org/7fTxzgpb",
        "7ftx",
        "lichess.org",
        "chess.com/game/live/123456789",
        "400123",
        "game live",
    ] {
        let converted = stdout_of(&work.run(["convert", "in.pgn", "--site", site]).success());
        let exported = stdout_of(&work.run(["export", "games.db", "--site", site]).success());
        assert_eq!(converted, exported, "{site}");
    }
}

#[test]
fn an_address_that_occurs_is_no_unknown_name() {
    let work = imported();
    assert_eq!(
        stderr_of(&work.stamma("search games.db --site 7fTxzgpb").success()),
        ""
    );

    let unknown = stderr_of(&work.stamma("search games.db --site 7fTxzgpx").success());
    assert!(unknown.contains("7fTxzgpx"), "{unknown}");
}

#[test]
fn addresses_are_merged_deleted_and_forgotten_with_their_games() {
    let work = imported();
    let digest = work.output("check games.db --digest");
    work.stamma("merge copy.db games.db").success();

    assert_eq!(work.output("check copy.db --digest"), digest);
    work.stamma("check copy.db --full").success();

    // An address stays as long as a game has it.
    work.stamma("delete games.db --games 1 --yes").success();
    assert_eq!(numbers_found(&work, &["--site", "7fTxzgpb"]), [2, 6]);

    work.stamma("forget games.db in.pgn").success();
    assert_eq!(work.query("SELECT count(*) FROM site"), "0");
    assert_eq!(numbers_found(&work, &["--site", "7fTxzgpb"]), [0; 0]);
    work.stamma("check games.db --full").success();
}

#[test]
fn the_common_part_is_no_spelling_of_a_site() {
    let work = imported();
    let run = work.stamma("names games.db --apply").success();
    let listed = stderr_of(&run);
    assert!(!listed.contains("lichess.org/ "), "{listed}");
    assert_eq!(work.query("SELECT count(*) FROM site_name"), "0");

    let same = "SELECT count(*) FROM games WHERE site_canonical IS NOT site";
    assert_eq!(work.query(same), "0");
}

/// The state that a killed first import leaves: without indexes, and with names whose words are not indexed.
fn left_by_a_killed_import() -> Workplace {
    let work = imported();
    Connection::open(work.path("games.db"))
        .expect("a database")
        .execute_batch(
            "DROP INDEX player_unique; DROP INDEX game_white; DROP INDEX game_address;
            INSERT INTO counter VALUES ('player_text', 0), ('site_text', 1);
            INSERT INTO player_text (player_text) VALUES ('delete-all');
            INSERT INTO site_text (site_text) VALUES ('delete-all');
            INSERT INTO site_text (rowid, name) SELECT id, name FROM site WHERE id = 1",
        )
        .expect("SQL");

    work
}

/// The number of players that `stamma info` prints.
fn players(work: &Workplace) -> String {
    let info = work.output("info games.db --json");
    let (_, players) = info
        .split_once("\"players\":")
        .expect("a number of players");
    players.chars().take_while(char::is_ascii_digit).collect()
}

#[test]
fn a_killed_import_leaves_names_that_are_found_and_unique() {
    let work = left_by_a_killed_import();
    assert_eq!(numbers_found(&work, &["--player", "zgpb"]), [13]);
    assert_eq!(numbers_found(&work, &["--site", "london"]), [13]);
    assert_eq!(
        numbers_found(&work, &["--site", "lichess"]),
        [1, 2, 3, 4, 5, 6, 9, 12]
    );
    assert_eq!(players(&work), players(&imported()));

    // A large import builds these indexes at its end.
    let faults = stderr_of(&work.stamma("check games.db --full").code(1));
    for index in ["player_unique", "game_white", "game_address"] {
        let fault = format!("the index {index}: it is missing; `stamma optimize` builds it");
        assert!(faults.contains(&fault), "{faults}");
    }

    assert_eq!(faults.matches("missing").count(), 3, "{faults}");

    let connection = Connection::open(work.path("games.db")).expect("a database");
    let add = |sql: &str| connection.execute_batch(sql);

    // Triggers keep names unique while the index is missing.
    let again = "INSERT INTO player (name) VALUES ('7fTx, Zgpb')";
    let error = add(again).expect_err("a duplicate").to_string();
    let expected = "UNIQUE constraint failed: player.name";
    assert!(error.contains(expected), "{error}");

    add("INSERT INTO player (name) VALUES ('Tal')").expect("a new name");
    add("UPDATE player SET name = '7fTx, Zgpb' WHERE name = 'Tal'").expect_err("a duplicate");
    add("INSERT OR IGNORE INTO player (name) VALUES ('Keres')").expect("a new name");
}

#[test]
fn users_change_names_that_a_killed_import_has_left() {
    let work = left_by_a_killed_import();
    let rename = "UPDATE player SET name = 'Keres, Paul' WHERE name = '7fTx, Zgpb'";
    work.run(["sql", "games.db", "--write", rename]).success();

    // The name is found as it is now, and the database has no fault.
    assert_eq!(numbers_found(&work, &["--player", "keres"]), [13]);
    work.stamma("check games.db --full").success();

    // A changed name is no further player.
    assert_eq!(players(&work), players(&imported()));
}

#[test]
fn the_next_change_completes_what_a_killed_import_has_left() {
    let next = "[White \"7fTx, Zgpb\"]\n[Black \"New\"]\n\n1. d4 *\n";
    for change in [
        "optimize games.db",
        "import games.db next.pgn",
        "merge games.db other.db",
        "delete games.db --games 1 --yes",
    ] {
        let (whole, work) = (imported(), left_by_a_killed_import());
        for work in [&whole, &work] {
            work.write("next.pgn", next);
            work.stamma("import other.db next.pgn").success();
            work.stamma(change).success();
        }

        work.stamma("check games.db --full").success();

        let state = [
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' ORDER BY 1",
            "SELECT name FROM counter ORDER BY 1",
            "SELECT rowid || name FROM player_text('zgpb OR new') ORDER BY 1",
            "SELECT rowid || name FROM site_text('lichess OR london') ORDER BY 1",
        ];

        for sql in state {
            assert_eq!(work.query(sql), whole.query(sql), "{change}: {sql}");
        }

        let digests = [&work, &whole].map(|work| work.output("check games.db --digest"));
        assert_eq!(digests[0], digests[1], "{change}");
    }
}
