//! The counts of `stamma player`, compared with those of SQL over the rows of games.

use std::collections::BTreeMap;

use crate::support::corpus::fewer;
use crate::support::program::{Workplace, stderr_of, stdout_of};
use rusqlite::Connection;
use stamma::board::Color;
use stamma::game::PartialDate;
use stamma::query::player::{PlayerQuery, PlayerRecord, PlayerScore, Ranked};
use stamma::query::{Filter, NameQuery, Watch};
use stamma::storage::Database;

/// Each game twice: from White's side and from Black's. Games that name one player for both sides are left out.
const SIDES: &str = "CREATE TEMP VIEW side AS
    SELECT id, 'White' AS color, white AS player, black AS opponent, white_elo AS elo,
        black_elo AS opponent_elo, date, eco, result = '1-0' AS won, result = '0-1' AS lost,
        result = '1/2-1/2' AS drawn, result = '*' AS unfinished FROM games WHERE white IS NOT black
    UNION ALL SELECT id, 'Black', black, white, black_elo,
        white_elo, date, eco, result = '0-1', result = '1-0',
        result = '1/2-1/2', result = '*' FROM games WHERE white IS NOT black";

/// Won, drawn, lost, unfinished, mean Elo of opponents, highest Elo, first and last date with 0 for what is unknown.
type Facts = (
    i64,
    i64,
    i64,
    i64,
    Option<i64>,
    Option<u16>,
    Option<String>,
    Option<String>,
);

fn facts(score: &PlayerScore) -> Facts {
    (
        score.won.cast_signed(),
        score.drawn.cast_signed(),
        score.lost.cast_signed(),
        score.unfinished.cast_signed(),
        score.opponent_elo.mean().map(|elo| elo.round() as i64),
        score.highest_elo.map(u16::from),
        date(score.first),
        date(score.last),
    )
}

fn date(date: Option<PartialDate>) -> Option<String> {
    date.map(|date| date.to_string().replace('?', "0"))
}

/// The games of a database.
struct Twin(Connection);

impl Twin {
    fn open(work: &Workplace) -> Twin {
        let connection = Connection::open(work.path("games.db")).expect("a database");
        connection.execute_batch(SIDES).expect("a view");
        Twin(connection)
    }

    /// The values of a column, with their counts, over the sides of games that meet a condition.
    fn facts(&self, key: &str, condition: &str) -> BTreeMap<String, Facts> {
        let sql = format!(
            "SELECT {key}, sum(won), sum(drawn), sum(lost), sum(unfinished),
                CAST(round(avg(opponent_elo) FILTER (WHERE NOT unfinished)) AS INTEGER), max(elo),
                min(replace(date, '?', '0')) FILTER (WHERE date GLOB '[0-9]*'),
                max(replace(date, '?', '0')) FILTER (WHERE date GLOB '[0-9]*')
             FROM side WHERE {condition} AND {key} IS NOT NULL GROUP BY 1"
        );
        let mut select = self.0.prepare(&sql).expect("SQL");
        let rows = select.query_map([], |row| {
            let facts = (
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
                row.get(5)?,
                row.get(6)?,
                row.get(7)?,
                row.get(8)?,
            );
            Ok((row.get(0)?, facts))
        });

        rows.expect("rows").map(|row| row.expect("a row")).collect()
    }

    fn names(&self) -> Vec<String> {
        let sql = "SELECT name FROM player ORDER BY id";
        let mut select = self.0.prepare(sql).expect("SQL");

        let mut names = Vec::new();
        let mut rows = select.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            names.push(row.get(0).expect("a name"));
        }
        names
    }
}

fn exact_name(name: &str) -> NameQuery {
    NameQuery {
        text: name.to_owned(),
        is_exact: true,
    }
}

fn record(database: &Database, player: &str, opponent: Option<&str>) -> PlayerRecord {
    let query = PlayerQuery {
        player: exact_name(player),
        opponent: opponent.map(exact_name),
        filter: Filter::default(),
        limit: usize::MAX,
    };
    PlayerRecord::read(database, &query, &Watch::new()).expect("an answer")
}

fn listed<K: ToString>(list: &Ranked<K>) -> BTreeMap<String, Facts> {
    assert_eq!(list.all, list.rows.len());
    list.rows
        .iter()
        .map(|(key, score)| (key.to_string(), facts(score)))
        .collect()
}

fn is_most_played<K>(list: &Ranked<K>) -> bool {
    list.rows
        .is_sorted_by(|(_, a), (_, b)| a.all_games() >= b.all_games())
}

/// Compares all lists of a player with those of the rows that meet a condition.
fn compare(twin: &Twin, record: &PlayerRecord, condition: &str) {
    let total = twin
        .facts("'all'", condition)
        .remove("all")
        .unwrap_or_default();
    assert_eq!(facts(&record.total), total, "{condition}");

    for (color, score) in &record.colors {
        let with = format!("{condition} AND color = '{}'", color.name());
        let expected = twin.facts("'all'", &with).remove("all").unwrap_or_default();
        assert_eq!(facts(score), expected, "{with}");
    }
    assert_eq!(
        record.openings.each_ref().map(|(color, _)| *color),
        [Color::White, Color::Black]
    );

    for (color, openings) in &record.openings {
        let with = format!("{condition} AND color = '{}'", color.name());
        assert_eq!(
            listed(openings),
            twin.facts("substr(eco, 1, 3)", &with),
            "{with}"
        );
        assert!(is_most_played(openings));
    }
    assert_eq!(
        listed(&record.spellings),
        twin.facts("player", condition),
        "{condition}"
    );
    assert_eq!(
        listed(&record.opponents),
        twin.facts("opponent", condition),
        "{condition}"
    );
    assert!(is_most_played(&record.opponents));

    let dated = format!("{condition} AND date GLOB '[0-9]*'");
    assert_eq!(
        listed(&record.years),
        twin.facts("substr(date, 1, 4)", &dated),
        "{condition}"
    );
    assert!(record.years.rows.is_sorted_by(|(a, _), (b, _)| a > b));
}

fn sql_text(name: &str) -> String {
    format!("'{}'", name.replace('\'', "''"))
}

#[test]
fn all_players() {
    let work = Workplace::with_historical_games();
    let database = Database::open(work.path("games.db")).expect("a database");
    let twin = Twin::open(&work);
    let names = twin.names();

    assert!(names.len() > 60, "{}", names.len());

    for name in names {
        let record = record(&database, &name, None);
        compare(&twin, &record, &format!("player = {}", sql_text(&name)));
        assert!(record.latest.rows.is_empty());
    }
}

#[test]
fn all_pairs() {
    let work = Workplace::with_historical_games();
    let database = Database::open(work.path("games.db")).expect("a database");
    let twin = Twin::open(&work);
    let names = twin.names();
    let pairs = names
        .iter()
        .flat_map(|player| names.iter().map(move |other| (player, other)));

    for (player, opponent) in pairs.step_by(fewer(7)) {
        let condition = format!(
            "player = {} AND opponent = {}",
            sql_text(player),
            sql_text(opponent)
        );
        let games = twin.facts("CAST(id AS TEXT)", &condition);
        let record = record(&database, player, Some(opponent));
        let latest: Vec<String> = record
            .latest
            .rows
            .iter()
            .map(|((game, _), _)| game.to_string())
            .collect();

        assert_eq!(latest.len(), games.len(), "{condition}");
        assert!(
            latest.iter().all(|game| games.contains_key(game)),
            "{condition}"
        );

        if !games.is_empty() {
            compare(&twin, &record, &condition);
        }
    }
}

#[test]
fn changed_games_count_as_they_are() {
    let work = Workplace::with_historical_games();
    work.query("UPDATE game SET result = '*', white_elo = 2000 WHERE id % 3 = 0 RETURNING id");
    work.query("UPDATE game SET white_id = black_id WHERE id % 11 = 0 RETURNING id");
    work.query("UPDATE game SET date = '????.??.??', eco = 'A00' WHERE id % 5 = 0 RETURNING id");
    work.query("DELETE FROM game WHERE id % 7 = 0 RETURNING id");

    let database = Database::open(work.path("games.db")).expect("a database");
    let twin = Twin::open(&work);

    for name in twin.names() {
        let condition = format!("player = {}", sql_text(&name));
        compare(&twin, &record(&database, &name, None), &condition);
    }
}

const FAMILY: &str = "[White \"Polgar, Zsuzsa\"]\n[Black \"Polgár, Judit\"]\n[Result \"0-1\"]\n
    [Date \"1988.??.??\"]\n\n1. e4 0-1\n\n[White \"Polgar, Sofia\"]\n[Black \"Tal\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";

/// Both sisters of a game, as one exact name.
const SISTERS: &str = "=Polgar, Zsuzsa|=Polgár, Judit";

#[test]
fn a_game_of_two_who_are_meant_counts_for_both() {
    let work = Workplace::new();
    work.import(FAMILY.replace("    ", ""));

    let run = work.run(["player", "games.db", SISTERS, "--format", "csv"]);
    let lines = stdout_of(&run.success());
    let total = lines.lines().nth(1).expect("the first row");
    let cells: Vec<&str> = total.split(',').take(8).collect();
    assert_eq!(cells.join(","), "total,,,,,2,1,0");
    assert!(
        lines.contains("\nspelling,\"Polgár, Judit\",,,,1,1,0,0,100.0,"),
        "{lines}"
    );
    assert!(
        lines.contains("\nopponent,\"Polgar, Zsuzsa\",,,,1,1,0,0,100.0,"),
        "{lines}"
    );
}

#[test]
fn a_game_of_two_who_are_meant_is_listed_once() {
    let work = Workplace::new();
    work.import(FAMILY.replace("    ", "").repeat(2));

    let against = |options: &[&str]| {
        let command = ["player", "games.db", SISTERS, "--against", SISTERS];
        let run = work.run(command.iter().chain(options));
        stdout_of(&run.success())
    };

    let listed = |options: &[&str]| {
        let page = against(options);
        let (_, list) = page.split_once("\nlatest games").expect("a list");
        let first_words = list
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        first_words.collect::<Vec<_>>().join(" ")
    };

    assert_eq!(listed(&[]), "game 3 1");
    assert_eq!(listed(&["--limit", "3"]), "(the game 3 1");

    let rows = against(&["--format", "csv"]);
    assert_eq!(rows.matches("\ngame,").count(), 4, "a row for each of them");
}

#[test]
fn other_players_of_a_name_are_not_counted() {
    let work = Workplace::new();
    work.import(FAMILY.replace("    ", ""));

    let lines = work.output("player games.db POLG --format csv");
    assert!(lines.contains("\ntotal,,,,,1,1,0,0,"), "{lines}");
    assert!(
        lines.contains("\nother-player,\"Polgar, Zsuzsa\",,,,1,0,0,0,"),
        "{lines}"
    );
    assert!(
        lines.contains("\nother-player,\"Polgár, Judit\",,,,1,0,0,0,"),
        "{lines}"
    );

    let lines = work.output("player games.db judit polgar --against polgar --format csv");
    assert!(
        lines.contains("\ntotal,,,,,1,1,0,0,"),
        "the opponent is another Polgar: {lines}"
    );
}

/// Games of each pair, as many times, with a year.
fn games_of(pairs: &[(&str, &str, usize, u16)]) -> String {
    let mut pgn = String::new();
    for (white, black, times, year) in pairs {
        let game = format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.??.??\"]\n\n1. e4 e5 *\n\n"
        );
        pgn += &game.repeat(*times);
    }

    pgn
}

const CARLSENS: [(&str, &str, usize, u16); 8] = [
    ("Carlsen,M", "Anand,V", 5, 2013),
    ("Carlsen,Magnus", "Short,N", 2, 2004),
    ("Carlsen, Magnus (NOR)", "Short, Nigel", 1, 2004),
    ("Carlsen,H", "Short,N", 1, 2004),
    ("Carlsen,M", "Carlsen, Ingrid", 1, 2005),
    ("magnus_carlsen48", "Guest12", 1, 2019),
    ("Carlsen", "Tal, M", 1, 1970),
    ("Carlsson, Magnus", "Tal, M", 1, 1990),
];

#[test]
fn full_names_find_initials() {
    let work = Workplace::new();
    work.import(games_of(&CARLSENS));

    let games = |name: &str| {
        let run = work
            .run(["search", "games.db", "--player", name, "--format", "count"])
            .success();
        (
            stdout_of(&run).trim().parse::<u32>().expect("a number"),
            stderr_of(&run),
        )
    };
    for name in [
        "magnus carlsen",
        "Carlsen Magnus",
        "Carlsen, Magnus",
        "CARLSEN, M.",
    ] {
        let typed_games = games(name).0;
        assert_eq!(typed_games, 10, "{name}");
    }

    let remark = "player \"magnus carlsen\" includes \"Carlsen,M\" (6 games)\n";
    assert_eq!(games("magnus carlsen").1, remark);
    assert_eq!(games("henrik carlsen").0, 1);
    assert_eq!(games("=Carlsen,Magnus").0, 2);
    assert_eq!(games("=Carlsen,Magnus|=Carlsen,M").0, 8);

    work.write("games.pgn", games_of(&CARLSENS));
    let run = work
        .run(["convert", "--player", "magnus carlsen", "games.pgn"])
        .success();
    assert_eq!(
        stdout_of(&run).matches("[White ").count(),
        10,
        "without a database, the same games"
    );
}

#[test]
fn one_player_is_counted_and_the_others_are_named() {
    let work = Workplace::new();
    work.import(games_of(&CARLSENS));

    let heading = |name: &str| {
        let page = stdout_of(&work.run(["player", "games.db", name]).success());
        page.lines()
            .take_while(|line| !line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };

    insta::assert_snapshot!(heading("magnus carlsen"), @r"
    Carlsen,M
    9 games, 2004.??.?? to 2013.??.??
    counted though a given name is missing or short: Carlsen,M (6)
    not counted, 2 other players: Carlsen (1); magnus_carlsen48 (1)
    ");
    insta::assert_snapshot!(heading("carlsen"), @r"
    Carlsen,M
    9 games, 2004.??.?? to 2013.??.??
    counted though a given name is missing or short: Carlsen,M (6)
    not counted, 4 other players: Carlsen (1); Carlsen, Ingrid (1); Carlsen,H (1); magnus_carlsen48 (1)
    ");
}

#[test]
fn somebody_is_asked_for() {
    let work = Workplace::with_historical_games();
    let expected = "a name has a letter or a digit";
    for [player, opponent] in [["", "tal"], ["*", "tal"], ["tal", "!"]] {
        let arguments = ["player", "games.db", player, "--against", opponent];
        let run = work.run(arguments).code(2);

        let stderr = stderr_of(&run);
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn filters_and_names_of_several_words() {
    let work = Workplace::with_historical_games();
    let total = |arguments: &str| {
        let csv = work.output(&format!("player games.db {arguments} --format csv"));
        let first_row = csv.lines().nth(1)?;
        let games = first_row.split(',').nth(5).expect("a number");
        Some(games.to_owned())
    };

    assert_eq!(total("karpov anatoly"), Some("5".to_owned()));
    assert_eq!(
        total("karpov --since 1985 --until 1985"),
        Some("2".to_owned())
    );
    assert_eq!(total("karpov --eco C"), Some("1".to_owned()));
    assert_eq!(total("karpov --exact"), None);
}

#[test]
fn a_page_for_people() {
    let work = Workplace::with_historical_games();
    let page = work.output("player games.db kasparov --against karpov --limit 1");
    insta::assert_snapshot!(page, @r"
    Kasparov, Garry against Karpov, Anatoly
    2 games, 1985.10.15 to 1985.11.09; highest Elo 2700

                                                   games  won  drawn  lost    score  opp. Elo  perf.
    all games                                          2    2      0     0  100.0 %      2720   3520
    with White                                         0    0      0     0        -         -      -
    with Black                                         2    2      0     0  100.0 %      2720   3520

    openings with Black
    Sicilian Defense                                   2    2      0     0  100.0 %      2720   3520
      Taimanov Variation, Gary Gambit                  1    1      0     0  100.0 %      2720   3520
      Scheveningen Variation, Classical Variation      1    1      0     0  100.0 %      2720   3520

    opponents
    Karpov, Anatoly                                    2    2      0     0  100.0 %      2720   3520

    years
    1985                                               2    2      0     0  100.0 %      2720   3520

    latest games (1 of 2)
    game  White            Black            result  date        event                    ECO  plies
      78  Karpov, Anatoly  Kasparov, Garry  0-1     1985.11.09  World Championship 32nd  B85     84
    ");
    assert_eq!(work.output("player games.db nobody"), "0 games\n");

    let run = work
        .stamma("player games.db nobody --format jsonl")
        .success();
    assert_eq!(stdout_of(&run), "");
    assert_eq!(stderr_of(&run), "player \"nobody\" not found\n");
}

/// The lines above the tables of a player, but the years.
fn heading_of(games: &[(&str, &str, usize, u16)], arguments: &[&str]) -> String {
    let work = Workplace::new();
    work.import(games_of(games));

    let run = work.run([&["player", "games.db"], arguments].concat());
    let page = stdout_of(&run.success());

    // The heading ends with a blank line; all games are of 1990.
    let heading = page.lines().take_while(|line| !line.is_empty());
    let without_years = heading.filter_map(|line| line.split(", 1990").next());
    let lines: Vec<&str> = without_years.collect();
    lines.join("\n")
}

macro_rules! headings {
    ($($name:ident: $typed:literal, [$($games:expr),+ $(,)?] => [$($line:literal),+ $(,)?];)*) => {$(
        #[test]
        fn $name() {
            let heading = heading_of(&[$($games),+], &[$typed]);
            assert_eq!(heading, [$($line),+].join("\n"));
        }
    )*};
}

headings! {
    initials_are_those_of_the_namesake_with_most_games: "Tigran L Petrosian", [
        ("Petrosian,TL", "Tal,M", 3, 1990),
        ("Petrosian, Tigran V", "Tal,M", 12, 1990),
        ("Petrosian T", "Tal,M", 5, 1990),
        ("Petrosian Tigran", "Tal,M", 2, 1990),
    ] => ["Petrosian,TL", "3 games", "not counted, 1 other player: Petrosian, Tigran V (19)"];
    a_name_is_not_short_for_a_longer_one: "wang yue", [
        ("Wang Yue", "Tal,M", 9, 1990),
        ("Wang Yu A", "Tal,M", 4, 1990),
        ("Wang,Yu Sen", "Tal,M", 1, 1990),
        ("Wang Yuemin", "Tal,M", 2, 1990),
        ("Wang,Y", "Tal,M", 1, 1990),
    ] => [
        "Wang Yue",
        "10 games",
        "counted though a given name is missing or short: Wang,Y (1)",
        "not counted, 1 other player: Wang Yuemin (2)",
    ];
    a_name_that_was_cut_off: "anatoly karpov", [
        ("Karpov, Anatoly", "Tal,M", 9, 1990),
        ("Karpov An", "Tal,M", 2, 1990),
        ("Karpov,Ana", "Tal,M", 1, 1990),
        ("Karpov Anatoly (RUS)", "Tal,M", 1, 1990),
    ] => ["Karpov, Anatoly", "13 games"];
    a_longer_name: "wang yuemin", [
        ("Wang Yue", "Tal,M", 9, 1990),
        ("Wang Yuemin", "Tal,M", 2, 1990),
    ] => ["Wang Yuemin", "2 games", "not counted, 1 other player: Wang Yue (9)"];
    each_word_has_a_word: "ivan ivanov", [
        ("Ivanov, Alexander", "Tal,M", 9, 1990),
        ("Ivanov,Ivan", "Tal,M", 2, 1990),
    ] => ["Ivanov,Ivan", "2 games"];
    family_names_before_beginnings: "li", [
        ("Ding, Liren", "Tal,M", 9, 1990),
        ("Li, Chao", "Tal,M", 2, 1990),
    ] => ["Li, Chao", "2 games", "not counted, 1 other player: Ding, Liren (9)"];
    given_names_before_authors_of_programs: "magnus", [
        ("Reckless Ragnar (by: Magnus Magnusson)", "Tal,M", 9, 1990),
        ("Carlhammar, Magnus", "Tal,M", 2, 1990),
    ] => [
        "Carlhammar, Magnus",
        "2 games",
        "not counted, 1 other player: Reckless Ragnar (by: Magnus Magnusson) (9)",
    ];
    a_family_name_with_an_apostrophe: "D'Angelo", [
        ("Oliveira,Danyel Angelo", "Tal,M", 2, 1990),
        ("D'Angelo, Angelo", "Tal,M", 1, 1990),
    ] => [
        "D'Angelo, Angelo",
        "1 game",
        "not counted, 1 other player: Oliveira,Danyel Angelo (2)",
    ];
    the_same_words_with_and_without_a_comma: "Le Quang Liem", [
        ("Le Quang Liem", "Tal,M", 9, 1990),
        ("Le,Quang Liem", "Tal,M", 2, 1990),
    ] => ["Le Quang Liem", "11 games"];
    other_spellings_of_the_family_name: "Viktor Kortschnoi", [
        ("Korchnoi Viktor", "Tal,M", 9, 1990),
        ("Korchnoi,V", "Tal,M", 2, 1990),
    ] => ["Korchnoi Viktor", "9 games", "not counted, 1 other player: Korchnoi,V (2)"];
}

/// Games without an evaluation behind each move have no accuracy.
#[test]
fn accuracy_is_the_mean_of_evaluated_games() {
    let work = Workplace::new();
    let game = |white: &str, black: &str, movetext: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n{movetext} *\n\n")
    };
    work.import(
        [
            // Both lose nothing.
            game("Ada", "Bea", "1. e4 {[%eval 0.2]} e5 {[%eval 0.2]}"),
            // White loses 100 and 0 centipawns, Black none; the last position has no evaluation.
            game(
                "Bea",
                "Ada",
                "1. f3 {[%eval -0.85]} e5 {[%eval -0.85]} 2. e4 {[%eval -0.85]} Nc6",
            ),
            // The first position is unknown, or one in the middle.
            game("Ada", "Bea", "1. e4 e5 {[%eval 0.2]}"),
            game("Ada", "Bea", "1. e4 {[%eval 0.2]} e5 2. Nf3 {[%eval 0.2]}"),
        ]
        .concat(),
    );

    let answer = |name: &str| -> serde_json::Value {
        let json = work.output(&format!("player games.db {name} --format json"));
        serde_json::from_str(&json).expect("JSON")
    };

    // Of the four games, only the first two count.
    let ada = answer("ada")["accuracy"].clone();
    assert_eq!(ada["games"], 2);
    assert_eq!(ada["accuracy"], 100.0);
    assert_eq!(ada["centipawn_loss"], 0.0);

    // Nothing in one game, and 50 on average in the other.
    let bea = answer("bea")["accuracy"].clone();
    assert_eq!(bea["games"], 2);
    assert_eq!(bea["centipawn_loss"], 25.0);

    let page = work.output("player games.db ada");
    let line = "accuracy 100.0 % in 2 games with evaluations; average centipawn loss 0\n";
    assert!(page.contains(line), "{page}");

    // Without any evaluation, nothing is said.
    work.import(game("Cleo", "Dora", "1. e4 {[%clk 0:05]}"));
    assert!(!work.output("player games.db cleo").contains("accuracy"));
    assert_eq!(answer("cleo")["accuracy"], serde_json::Value::Null);
}
