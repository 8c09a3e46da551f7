//! Changes by SQL of other programs: the view, filters, exports and data sets have them, and `stamma check` finds no
//! fault.

use crate::support::program::{Workplace, stderr_of};
use rusqlite::Connection;

/// A game with tags that no column can hold, and a game without tags for most columns.
const GAMES: &str = "[Event \"Open\"]\n[Site \"Rome\"]\n[Date \"2001.01.01\"]\n[Round \"1\"]\n\
    [White \"Adams\"]\n[Black \"Brown\"]\n[Result \"1-0 ff\"]\n[WhiteElo \"\"]\n[BlackElo \"2400?\"]\n\
    [TimeControl \"60+1\"]\n[Black \"Brown II\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [White \"Clark\"]\n\n1. d4 *\n";

fn changed_by(sql: &str) -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    let connection = Connection::open(work.path("games.db")).expect("a database");
    connection.execute_batch(sql).expect("a change");
    work
}

macro_rules! is_seen_everywhere {
    ($($name:ident: $sql:expr => $view:expr, $search:expr, $pgn:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = changed_by($sql);
            // Before and after the changed games are described and indexed again.
            for _ in 0..2 {
                let id = work.query(&format!("SELECT id FROM games WHERE {}", $view));
                assert!(["1", "2"].contains(&id.as_str()), "in the view: {id:?}");

                let arguments: &[&str] = &$search;
                let search = ["search", "games.db", "--format", "count"].iter().chain(arguments);
                assert_eq!(work.run(search).success().get_output().stdout, b"1\n", "by a filter");

                let exported = work.output(&format!("export games.db --games {id}"));
                assert!(exported.contains($pgn), "exported: {exported}");

                work.stamma("dataset games.db -q -o data --part-name all");
                let converted = work.output("convert data/games/all.parquet");
                assert!(converted.contains($pgn), "in the data set: {converted}");

                std::fs::remove_dir_all(work.path("data")).expect("a data set");

                work.stamma("check games.db --full").success();

                work.stamma("optimize games.db").success();
            }
        }
    )*};
}

is_seen_everywhere! {
    a_rating: "UPDATE game SET black_elo = 2401 WHERE id = 2" =>
        "black_elo = 2401", ["--tag", "BlackElo=2401"], "[BlackElo \"2401\"]";
    a_rating_over_an_empty_tag: "UPDATE game SET white_elo = 2700 WHERE id = 1" =>
        "white_elo = 2700 AND tags ->> 'WhiteElo' IS NULL", ["--tag", "WhiteElo=2700"], "[WhiteElo \"2700\"]";
    both_ratings: "UPDATE game SET white_elo = 2700, black_elo = 2600 WHERE id = 1" =>
        "white_elo = 2700 AND black_elo = 2600", ["--tag", "BlackElo=2600", "--white-elo", "2700"],
        "[WhiteElo \"2700\"]\n[BlackElo \"2600\"]\n";
    a_date: "UPDATE game SET date = '1999.12.31' WHERE id = 2" =>
        "date = '1999.12.31'", ["--date", "1999"], "[Date \"1999.12.31\"]";
    a_round: "UPDATE game SET round = '7' WHERE id = 2" =>
        "round = '7'", ["--tag", "Round=7"], "[Round \"7\"]";
    a_code: "UPDATE game SET eco = 'A40' WHERE id = 2" =>
        "eco = 'A40'", ["--tag", "ECO=A40"], "[ECO \"A40\"]";
    a_result: "UPDATE game SET result = '0-1' WHERE id = 2" =>
        "result = '0-1'", ["--tag", "Result=0-1"], "[Result \"0-1\"]";
    a_result_over_an_odd_tag: "UPDATE game SET result = '0-1' WHERE id = 1" =>
        "result = '0-1'", ["--result", "0-1"], "[Result \"0-1\"]";
    a_player: "INSERT INTO player (name) VALUES ('Davis');
        UPDATE game SET black_id = (SELECT id FROM player WHERE name = 'Davis') WHERE id = 2" =>
        "black = 'Davis'", ["--black", "davis"], "[Black \"Davis\"]";
    a_name: "UPDATE player SET name = 'Evans' WHERE name = 'Clark'" =>
        "white = 'Evans'", ["--white", "evans"], "[White \"Evans\"]";
    an_event: "UPDATE game SET event_id = (SELECT id FROM event WHERE name = 'Open') WHERE id = 2" =>
        "event = 'Open' AND id = 2", ["--event", "open", "--white", "clark"], "[Event \"Open\"]";
    a_site: "UPDATE game SET site_id = (SELECT id FROM site WHERE name = 'Rome') WHERE id = 2" =>
        "site = 'Rome' AND id = 2", ["--site", "rome", "--white", "clark"], "[Site \"Rome\"]";
    an_address: "INSERT INTO site (name) VALUES ('https://lichess.org/');
        UPDATE game SET site_id = (SELECT max(id) FROM site), address = '7fTxzgpb' WHERE id = 2" =>
        "site = 'https://lichess.org/7fTxzgpb'", ["--site", "7fTxzgpb"], "[Site \"https://lichess.org/7fTxzgpb\"]";
    a_start: "UPDATE game SET fen = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' WHERE id = 2;
        UPDATE movetext SET moves = 'e4' WHERE game_id = 2" =>
        "fen LIKE '4k3/%'", ["--tag", "FEN"], "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]";
    a_new_tag: "UPDATE movetext SET tags = (SELECT json_set(tags, '$.Annotator', 'me') FROM games WHERE id = game_id)
        WHERE game_id = 1" =>
        "tags ->> 'Annotator' = 'me'", ["--tag", "Annotator=me"], "[Annotator \"me\"]";
    a_tag_of_a_game_without_any: "UPDATE movetext SET tags = '{\"Annotator\": \"me\"}' WHERE game_id = 2" =>
        "tags ->> 'Annotator' = 'me'", ["--tag", "Annotator"], "[Annotator \"me\"]";
    a_changed_tag: "UPDATE movetext SET tags = (SELECT json_set(tags, '$.TimeControl', '300') FROM games WHERE id = game_id)
        WHERE game_id = 1" =>
        "tags ->> 'TimeControl' = '300'", ["--tag", "TimeControl=300"], "[TimeControl \"300\"]";
    moves: "UPDATE movetext SET moves = 'd4 d5 c4' WHERE game_id = 2" =>
        "moves = 'd4 d5 c4'", ["--line", "d4 d5 c4"], "1. d4 d5 2. c4 *";
    annotations: "UPDATE movetext SET annotations = '{\"1\": [\"{a remark\", \"$1\"]}' WHERE game_id = 2" =>
        "annotations LIKE '%a remark%'", ["--comment", "a remark"], "1. d4 {a remark} $1 *";
}

/// The column has the first value of a repeated tag. A change of the column keeps the other values.
#[test]
fn a_player_whose_tag_is_repeated() {
    let work = changed_by("UPDATE game SET black_id = white_id WHERE id = 1");
    let exported = work.output("export games.db --games 1");
    assert!(exported.contains("[Black \"Adams\"]\n"), "{exported}");
    assert!(exported.contains("[Black \"Brown II\"]\n"), "{exported}");

    let count = work.output("search games.db --black adams --format count");
    assert_eq!(count, "1\n");
    work.stamma("check games.db --full").success();
}

#[test]
fn what_is_removed_is_gone_everywhere() {
    let work = changed_by(
        "UPDATE game SET white_elo = 2700 WHERE id = 1;
         UPDATE game SET white_elo = NULL, black_elo = NULL, date = NULL WHERE id = 1;
         UPDATE movetext SET tags = (SELECT json_remove(tags, '$.TimeControl') FROM games WHERE id = game_id)",
    );
    for _ in 0..2 {
        let exported = work.output("export games.db --games 1");
        for text in ["WhiteElo", "2001", "TimeControl"] {
            assert!(!exported.contains(text), "{exported}");
        }
        assert_eq!(
            work.output("search games.db --tag TimeControl --format count"),
            "0\n"
        );
        work.stamma("check games.db --full").success();

        work.stamma("optimize games.db").success();
    }
}

#[test]
fn values_that_are_counted_wrongly_are_refused() {
    let work = changed_by("");
    let connection = Connection::open(work.path("games.db")).expect("a database");

    for (sql, constraint) in [
        ("white_elo = 10000", "white_elo_is_from_1_to_9999"),
        ("black_elo = 0", "black_elo_is_from_1_to_9999"),
        ("white_elo = 'strong'", "white_elo_is_from_1_to_9999"),
        ("white_elo = 2500.5", "white_elo_is_from_1_to_9999"),
        ("result = 'won'", "result_is_one_of_four"),
    ] {
        // A constraint has a name that explains it.
        let update = format!("UPDATE game SET {sql}");
        let error = connection.execute(&update, []).expect_err(sql);
        let expected = format!("CHECK constraint failed: {constraint}");
        assert_eq!(error.to_string(), expected);
    }
}

/// A tag that has a column is changed in the column only, so that exports and answers agree.
#[test]
fn tags_with_a_column_are_refused_in_the_json_text() {
    let work = changed_by("");
    let connection = Connection::open(work.path("games.db")).expect("a database");
    let refused = "a tag with a column is changed in the table game, not in movetext.tags";

    for (tag, value, game) in [
        ("White", "'Other'", 1),
        ("Event", "'Open'", 2),
        ("Result", "'0-1'", 1),
        ("Result", "'0-1'", 2),
        ("WhiteElo", "'2222'", 1),
        ("WhiteElo", "2222", 2),
        ("FEN", "'4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'", 2),
    ] {
        let set = format!(
            "(SELECT json_set(coalesce(tags, '{{}}'), '$.{tag}', {value}) FROM games WHERE id = {game})"
        );
        let update = format!("UPDATE movetext SET tags = {set} WHERE game_id = {game}");
        let replace = format!(
            "REPLACE INTO movetext (game_id, moves, tags) VALUES ({game}, 'd4', '{{\"{tag}\": ' || json_quote({value}) || '}}')"
        );

        for sql in [update, replace] {
            let error = connection.execute(&sql, []).expect_err(&sql);
            assert_eq!(error.to_string(), refused, "{sql}");
        }
    }

    // A rating that no column can hold is not beside one that a column holds.
    let over = "UPDATE game SET black_elo = 2500 WHERE id = 2;
        UPDATE movetext SET tags = '{\"BlackElo\": \"12345\"}' WHERE game_id = 2";
    let error = connection.execute_batch(over).expect_err(over);
    assert_eq!(error.to_string(), refused);

    connection
        .execute_batch("UPDATE movetext SET tags = '{\"WhiteElo\": \"12345\"}' WHERE game_id = 2")
        .expect("a rating that no column can hold");
    work.stamma("check games.db --full").success();
}

/// Triggers that move tags into columns must not fail on damaged tags.
#[test]
fn tags_that_are_no_json_do_not_hinder_changes() {
    let changes = "UPDATE movetext SET tags = x'ff00' WHERE game_id = 1;
        UPDATE game SET date = '1950.??.??', eco = 'A40' WHERE id = 1";
    let work = changed_by(changes);
    assert_eq!(
        work.query("SELECT date || eco FROM game WHERE id = 1"),
        "1950.??.??A40"
    );
}

/// A program that disables triggers leaves such tags.
#[test]
fn tags_that_are_not_exported_are_faults() {
    for (sql, fault) in [
        (
            "DROP TRIGGER tag_columns_are_changed; UPDATE game SET eco = 'A40' WHERE id = 2",
            "game 2: its column for the tag ECO has a value, and tag_order does not name the tag\n",
        ),
        (
            "DROP TRIGGER tags_are_changed; UPDATE movetext SET tags = '{\"X\": \"y\"}' WHERE game_id = 2",
            "game 2: its tags have a value of X, and tag_order does not name the tag so often\n",
        ),
        (
            "DROP TRIGGER tags_are_not_columns; UPDATE movetext SET tags = '{\"White\": \"y\"}' WHERE game_id = 2",
            "game 2: its tags have a value of White, which belongs in the column\n",
        ),
        (
            "DROP TRIGGER tags_are_not_columns; UPDATE movetext SET tags = '{\"Result\": \"0-1\"}' WHERE game_id = 2",
            "game 2: its tags have a value of Result, which belongs in the column\n",
        ),
        (
            "DROP TRIGGER tags_are_not_columns; UPDATE game SET white_elo = 2700 WHERE id = 2;
             UPDATE movetext SET tags = '{\"WhiteElo\": \"12345\"}' WHERE game_id = 2",
            "game 2: its tags have a value of WhiteElo, which belongs in the column\n",
        ),
        (
            "DROP TRIGGER tags_are_not_columns;
             UPDATE movetext SET tags = '{\"FEN\": \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"}' WHERE game_id = 2",
            "game 2: its tags have a value of FEN, which belongs in the column\n",
        ),
    ] {
        let work = changed_by(sql);
        let found = stderr_of(&work.stamma("check games.db --full").code(1));
        assert!(found.contains(fault), "{found}");
    }
}

/// Whoever makes a file can give it a trigger that runs with each change, without end.
#[test]
fn foreign_triggers_are_not_run() {
    let endless = "BEGIN SELECT count(*) FROM (WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT * FROM n); END";
    for (trigger, table) in [
        ("CREATE TRIGGER t AFTER DELETE ON game", "game"),
        ("CREATE TRIGGER t BEFORE INSERT ON stale_game", "stale_game"),
        (
            "CREATE TRIGGER t INSTEAD OF INSERT ON tag_in_column",
            "tag_in_column",
        ),
    ] {
        let work = changed_by(&format!("{trigger} {endless}"));
        work.write("a.pgn", "1. e4 *\n");

        for command in [
            "delete games.db --games 1 --yes",
            "optimize games.db",
            "import games.db a.pgn",
        ] {
            let stderr = stderr_of(&work.stamma(command).code(2));
            let expected = format!(
                "stamma: games.db: nothing is changed while the table {table} has the trigger t, which is not Stamma's; \
                 drop it by SQL\n"
            );
            assert_eq!(stderr, expected, "{command}");
        }

        let stderr = stderr_of(&work.stamma("check games.db").code(1));
        assert!(
            stderr.starts_with("the trigger t: it is on the table "),
            "{stderr}"
        );

        work.run(["sql", "games.db", "--write", "DROP TRIGGER t"])
            .success();
        work.stamma("delete games.db --games 1 --yes").success();
        work.stamma("check games.db --full").success();
    }
}

/// An index of an expression is evaluated by SQLite's own check and by each change.
#[test]
fn foreign_expressions_are_not_evaluated() {
    let endless = "length(printf('%.*c', 900000000, 'x')) + ";
    for (index, table) in [
        (format!("CREATE INDEX i ON game({endless} id)"), "game"),
        (format!("CREATE INDEX i ON player({endless} id)"), "player"),
        (
            format!("CREATE INDEX i ON movetext(game_id) WHERE {endless} game_id > 0"),
            "movetext",
        ),
        (
            format!("CREATE INDEX i ON player_text_data({endless} id)"),
            "player_text_data",
        ),
    ] {
        let work = changed_by("");

        // As by a program with another `printf`, so that to make the index takes no time here.
        let connection = Connection::open(work.path("games.db")).expect("a database");
        let column = if table == "movetext" { "game_id" } else { "id" };
        let quoted = index.replace('\'', "''");
        let foreign = format!(
            "PRAGMA writable_schema = 1; CREATE INDEX i ON {table}({column});
             UPDATE sqlite_schema SET sql = '{quoted}' WHERE name = 'i'",
        );
        connection.execute_batch(&foreign).expect("an index");
        drop(connection);

        let stderr = stderr_of(&work.stamma("check games.db").code(1));
        let expected = format!(
            "the index i: it is on the table {table}, and not Stamma's, which changes nothing while it is there\n"
        );
        assert_eq!(stderr, expected);

        work.write("a.pgn", "1. e4 *\n");
        for command in ["delete games.db --games 1 --yes", "import games.db a.pgn"] {
            let stderr = stderr_of(&work.stamma(command).code(2));
            let expected = format!(
                "stamma: games.db: nothing is changed while the table {table} has the index i, which is not Stamma's; \
                 drop it by SQL\n"
            );
            assert_eq!(stderr, expected, "{command}");
        }
    }
}

#[test]
fn foreign_constraints_are_not_evaluated() {
    let endless = "length(printf(''%.*c'', 900000000, ''x'')) > 0";
    let constraint = format!(
        "PRAGMA writable_schema = 1;
         UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT NOT NULL)', 'name TEXT NOT NULL CHECK ({endless}))')
         WHERE name = 'player'"
    );

    let work = changed_by(&constraint);
    let stderr = stderr_of(&work.stamma("check games.db").code(1));
    assert!(
        stderr.starts_with(
            "the table player: its definition is not the definition of this version\nthe rest: "
        ),
        "{stderr}"
    );

    // A table of the user's own is neither a fault nor read.
    let condition = endless.replace("''", "'");
    let work = changed_by(&format!(
        "CREATE TABLE mine (id INTEGER CHECK ({condition}))"
    ));
    let connection = Connection::open(work.path("games.db")).expect("a database");

    let insert = "PRAGMA ignore_check_constraints = 1; INSERT INTO mine VALUES (1), (2), (3)";
    connection.execute_batch(insert).expect("rows");
    work.stamma("check games.db --full").success();

    work.stamma("delete games.db --games 1 --yes").success();
}

#[test]
fn indexes_of_columns_are_left_alone() {
    let work = changed_by(
        "CREATE INDEX i ON game(date, result); CREATE TABLE mine (id INTEGER);
         CREATE INDEX mine_id ON mine(abs(id)) WHERE id > 3",
    );
    work.stamma("check games.db --full").success();

    work.stamma("delete games.db --games 1 --yes").success();
    work.stamma("check games.db --full").success();
}

#[test]
fn triggers_on_other_tables_are_left_alone() {
    let work = changed_by(
        "CREATE TABLE mine (id INTEGER); CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM mine; END",
    );
    work.stamma("materialize games.db").success();
    work.stamma("delete games.db --games 1 --yes").success();
    work.stamma("check games.db --full").success();
}

/// Whoever makes a file can give it a view without end: the library reads the tables by its own text of the view.
#[test]
fn a_foreign_view_is_not_read() {
    let endless = "DROP VIEW games; CREATE VIEW games AS
        WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id FROM n)
        SELECT id, NULL AS final_fen, NULL AS tags FROM n";
    let work = changed_by(&format!("UPDATE game SET eco = 'A40'; {endless}"));
    assert_eq!(
        work.output("search games.db --eco A40 --format count"),
        "2\n"
    );

    let stderr = stderr_of(&work.stamma("check games.db --full").code(1));
    assert_eq!(
        stderr,
        "the view games: its definition is not the definition of this version\n"
    );
    assert_eq!(work.output("check games.db --digest").len(), 65);
}
