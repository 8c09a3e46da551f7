//! Several databases that are served as one: every answer beside that of one database with all of the games.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::shape::fault;
use crate::support::program::{Workplace, games};
use crate::support::server::Server;
use crate::workplace;

/// The files of games, in the order in which a folder of them is imported.
const FILES: [&str; 6] = [
    "chess960",
    "classical",
    "early",
    "from-position",
    "modern",
    "today",
];

/// A folder with `games.db`, which has all games, and `parts`, where each file has a database.
struct Parts {
    work: Workplace,
    before: Before,
}

/// The number of games before those of each database.
struct Before(Vec<i64>);

impl Parts {
    fn new() -> Parts {
        let work = workplace();
        fs::create_dir(work.path("parts")).expect("a folder");

        let mut before = Vec::new();
        let mut all = 0;
        for file in FILES {
            let database = format!("parts/{file}.db");
            let pgn = games().join(format!("{file}.pgn"));
            work.run(["import".as_ref(), database.as_ref(), pgn.as_os_str()])
                .success();
            before.push(all);

            let count = work.output(&format!("search {database} --format count"));
            all += count.trim().parse::<i64>().expect("a number");
        }

        assert_eq!(all, 111);

        Parts {
            work,
            before: Before(before),
        }
    }

    /// Compares an answer of the parts with the answer of one database. Returns the answer.
    fn assert_equal(&self, mut expected: Value, mut found: Value, target: &str) -> Value {
        Before::of_one_database().renumber(&mut expected);
        self.before.renumber(&mut found);

        assert_eq!(found, expected, "{target}");
        expected
    }
}

impl Before {
    /// One database with all games, which has no games of another database before its own.
    fn of_one_database() -> Before {
        Before(vec![0])
    }

    /// The number that a game of one of the databases has in the one with all games.
    fn number(&self, database: &str, number: i64) -> i64 {
        let at = FILES
            .iter()
            .position(|file| *file == database)
            .expect("a database");
        self.0[at] + number
    }

    /// The database of a game of the one with all games, with its number there: `modern:17`.
    fn name(&self, number: i64) -> String {
        let database = self.0.iter().rposition(|before| *before < number);
        let at = database.expect("a database");
        let own_number = number - self.0[at];
        format!("{}:{own_number}", FILES[at])
    }

    /// The same for an id of explorers.
    fn of_id(&self, id: &str) -> i64 {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

        let value = |text: &str| {
            let mut value = 0;
            for letter in text.bytes() {
                let digit = DIGITS.iter().position(|digit| *digit == letter);
                value = value * DIGITS.len() + digit.expect("a digit");
            }
            value
        };

        // Three of the eight letters are the database, and the others are the number of the game.
        let database = value(&id[..3]);
        let number = value(&id[3..]);
        self.0[database] + number as i64
    }

    /// Replaces the numbers of games in an answer by their numbers in one database with all games.
    fn renumber(&self, answer: &mut Value) {
        match answer {
            Value::Array(items) => {
                for item in items {
                    self.renumber(item);
                }
            }
            Value::Object(fields) => {
                if let Some(database) = fields.remove("database") {
                    let database = database.as_str().expect("a name").to_owned();
                    for name in ["id", "game"] {
                        if let Some(number) = fields.get(name).and_then(Value::as_i64) {
                            fields.insert(name.to_owned(), self.number(&database, number).into());
                        }
                    }
                }
                if let Some(database) = fields.remove("first_database") {
                    let database = database.as_str().expect("a name").to_owned();
                    let number = fields["first_game"].as_i64().expect("a number");
                    let number = self.number(&database, number);
                    fields.insert("first_game".to_owned(), number.into());
                }
                if let Some(id) = fields.get("id").and_then(Value::as_str) {
                    let number = self.of_id(id);
                    fields.insert("id".to_owned(), number.into());
                }
                for field in fields.values_mut() {
                    self.renumber(field);
                }
            }
            _ => {}
        }
    }
}

const LINES: [&str; 7] = [
    "",
    "play=e2e4",
    "play=e2e4,c7c5,g1f3",
    "play=d2d4,g8f6,c2c4",
    "play=e2e4,e7e5,g1f3,b8c6,f1b5",
    "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
    "play=a2a3,a7a6,a1a2,a8a7",
];

#[test]
fn joined_databases_answer_as_one() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");

    let compare = |target: &str| parts.assert_equal(one.json(target), joined.json(target), target);

    // Positions: the paths of Lichess's explorer, and the API's own.
    let mut counted = 0;
    for line in LINES {
        for rest in [
            "masters?topGames=15",
            "masters?since=1960&until=1975&moves=3",
            "lichess?recentGames=8",
            "lichess?history=true&ratings=2200,2500",
            "lichess?since=1950-01&moves=2&topGames=2&recentGames=3",
            "lichess/history?since=1900",
            "player?player=fischer&color=white",
            "player?player=tal&color=black&history=true",
        ] {
            let answer = compare(&format!("/{rest}&{line}"));
            counted += answer["moves"].as_array().map_or(0, Vec::len);
        }
        for rest in [
            "moves?",
            "moves?player=fischer",
            "moves?elo=2600..&result=1-0",
            "transpositions?",
            "transpositions?date=1900..",
            "count?",
            "count?result=1/2-1/2",
            "count?material=Q",
        ] {
            compare(&format!("/api/1/{rest}&{line}"));
        }
    }

    assert!(counted > 100, "{counted} moves");

    // Lists of games, page by page in every order, then their count and their PGN.
    for query in [
        "",
        "sort=-date",
        "sort=elo&result=1-0",
        "sort=plies",
        "player=tal&sort=-plies",
        "play=e2e4&sort=date",
        "pattern=*/ppp??pbp",
    ] {
        let mut cursor = String::new();
        let mut games = 0;
        loop {
            let target = format!("/api/1/games?{query}&limit=40&cursor={cursor}");
            let mut expected = one.json(&target);
            let mut found = joined.json(&target);
            // A game has another number in its own database than in the one with all games.
            Before::of_one_database().renumber(&mut expected);
            parts.before.renumber(&mut found);

            assert_eq!(found["games"], expected["games"], "{target}");
            assert_eq!(found["next"], expected["next"], "{target}");

            games += found["games"].as_array().map_or(0, Vec::len);
            match found["next"].as_str() {
                Some(next) => next.clone_into(&mut cursor),
                None => break,
            }
        }

        let count = one.json(&format!("/api/1/count?{query}"));
        assert_eq!(count["games"], games, "{query}");

        let target = format!("/api/1/pgn?{query}");
        assert_eq!(
            joined.get(&target).text(),
            one.get(&target).text(),
            "{target}"
        );
    }
}

#[test]
fn statistics_names_and_players_are_those_of_all_games() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let both = |target: &str| (one.json(target), joined.json(target));

    let (expected, found) = both("/api/1/statistics");
    for field in [
        "games",
        "positions",
        "years",
        "results",
        "problems",
        "duplicates",
    ] {
        assert_eq!(found[field], expected[field], "{field}");
    }
    assert_eq!(found["sources"].as_array().map(Vec::len), Some(FILES.len()));
    assert_eq!(found["sources"][2]["database"], "early");

    // Suggestions are compared without their order.
    for text in ["t", "fis", "wor", ""] {
        for field in ["player", "event", "opening"] {
            let target = format!("/api/1/suggest?field={field}&text={text}&limit=100");
            let (expected, found) = both(&target);
            assert_eq!(by_name(&found), by_name(&expected), "{target}");
        }
    }

    for name in [
        "fischer",
        "=Tal,%20Mikhail",
        "carlsen",
        "nobody",
        "kasparov&result=1-0",
    ] {
        let target = format!("/api/1/player?name={name}&limit=1000");
        let (expected, found) = both(&target);

        for field in [
            "name",
            "games",
            "white",
            "black",
            "average_elo",
            "highest_elo",
            "performance",
            "first_date",
            "last_date",
            "years",
        ] {
            assert_eq!(found[field], expected[field], "{target}: {field}");
        }
        // Lists without an order of their own are compared sorted.
        for field in ["openings", "opponents", "spellings"] {
            assert_eq!(
                sorted_texts(&found[field]),
                sorted_texts(&expected[field]),
                "{target}: {field}"
            );
        }
    }

    // Page by page, the problems of all databases, each once.
    let (mut cursor, mut problems) = (String::new(), Vec::new());
    loop {
        let page = joined.json(&format!("/api/1/problems?limit=1&cursor={cursor}"));
        problems.extend(page["problems"].as_array().expect("a list").clone());
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }

    let expected = one.json("/api/1/problems?limit=500")["problems"]
        .as_array()
        .map(Vec::len);
    assert_eq!(Some(problems.len()), expected);
}

/// The games of each name that is suggested; an opening may have several codes.
fn by_name(list: &Value) -> BTreeMap<String, u64> {
    let mut games_by_name = BTreeMap::new();
    for suggestion in list.as_array().expect("a list") {
        let name = suggestion["value"].as_str().expect("a name");
        let games = suggestion["games"].as_u64().expect("a number");
        *games_by_name.entry(name.to_owned()).or_default() += games;
    }
    games_by_name
}

/// The texts of the items of a list, in their order.
fn sorted_texts(list: &Value) -> Vec<String> {
    let mut items: Vec<String> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(Value::to_string)
        .collect();
    items.sort_unstable();
    items
}

#[test]
fn ids_say_which_database_has_a_game() {
    let parts = Parts::new();
    let joined = Server::start(&parts.work, "parts");
    let top = joined.json("/masters?play=e2e4&topGames=15")["topGames"].clone();
    let games = top.as_array().expect("a list");

    assert!(!games.is_empty());

    for game in games {
        let id = game["id"].as_str().expect("an id");
        let number = parts.before.of_id(id);
        let export = format!("export games.db --games {number}");
        let expected = parts.work.output(&export);

        let pgn = joined.get(&format!("/masters/pgn/{id}"));
        assert_eq!(pgn.text(), expected, "{id}");

        let by_old_name = joined.get(&format!("/master/pgn/{id}.pgn"));
        assert_eq!(by_old_name.text(), expected, "{id}");
    }

    assert_eq!(
        joined.get("/masters/pgn/00800001").status,
        404,
        "there is no such database"
    );

    let game = joined.json("/api/1/games/early:3");
    assert_eq!(game["database"], "early");
    assert_eq!(game["game"], 3);

    let chosen = joined.json("/api/1/games/3?db=early");
    assert_eq!(chosen["tags"], game["tags"]);
    assert!(chosen["database"].is_null(), "it was chosen");
    assert_eq!(
        joined.get("/api/1/games/early:3/pgn").text(),
        parts.work.output("export parts/early.db --games 3")
    );
    assert_eq!(joined.get("/api/1/games/nothing:3").status, 404);

    let refused = joined.get("/api/1/games/3");
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("db=early"), "{}", refused.text());
}

#[test]
fn answers_of_several_databases_are_as_described() {
    let parts = Parts::new();
    let joined = Server::start(&parts.work, "parts");
    let api = joined.json("/api/1/openapi.json");

    for (path, target) in [
        ("games", "games?sort=-date"),
        ("moves", "moves?play=e2e4,c7c5&notable=true"),
        ("games/{id}", "games/modern:5"),
        ("problems", "problems"),
        ("statistics", "statistics"),
        ("tournaments", "tournaments"),
        ("crosstable", "crosstable?game=classical:1"),
        ("player", "player?name=tal"),
        ("databases", "databases"),
    ] {
        let value = joined.json(&format!("/api/1/{target}"));
        let answers = &api["paths"][format!("/api/1/{path}")]["get"]["responses"];
        let schema = &answers["200"]["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{target}");
        assert_eq!(fault(&api, schema, &value), None, "{target}");
    }
}

#[test]
fn tournaments_are_listed_of_all_databases() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let list = |server: &Server| server.json("/api/1/tournaments?limit=500&sort=name");
    let (expected, found) = (list(&one), list(&joined));

    // A tournament that is divided between databases has all its games.
    let facts = |list: &Value| -> Vec<Value> {
        let tournaments = list["tournaments"].as_array().expect("a list");
        let without_number = |tournament: &Value| {
            let mut facts = tournament.clone();
            let fields = facts.as_object_mut().expect("a tournament");
            fields.remove("database");
            fields.remove("game");
            facts
        };
        tournaments.iter().map(without_number).collect()
    };

    let expected_facts = facts(&expected);
    assert!(expected_facts.len() > 20, "{expected}");
    assert_eq!(facts(&found), expected_facts);
    for count in ["count", "without_event", "duplicates"] {
        assert_eq!(found[count], expected[count], "{count}");
    }

    let tournaments = found["tournaments"].as_array().expect("a list");
    for tournament in tournaments.iter().take(8) {
        let database = tournament["database"].as_str().expect("a name");
        let game = &tournament["game"];
        let crosstable = joined.json(&format!("/api/1/crosstable?game={database}:{game}"));
        assert_eq!(crosstable["event"], tournament["event"]);
        assert_eq!(crosstable["database"], database);
    }
}

#[test]
fn a_tournament_of_two_databases_is_listed_once() {
    let parts = Parts::new();
    let modern = parts.work.path("parts/modern.db");
    let copy = parts.work.path("parts/again.db");
    fs::copy(modern, &copy).expect("a copy");

    let joined = Server::start(&parts.work, "parts");
    let list = |server: &Server, query: &str| {
        server.json(&format!("/api/1/tournaments?limit=500&sort=name{query}"))
    };
    let twice = list(&joined, "");
    let of_copy = list(&joined, "&db=again");

    // Another server, without the copy.
    fs::remove_file(&copy).expect("a file");
    let without_copy = Server::start(&parts.work, "parts");
    let once = list(&without_copy, "");

    let events = |list: &Value| -> Vec<String> {
        let tournaments = list["tournaments"].as_array().expect("a list");
        tournaments
            .iter()
            .map(|one| one["event"].to_string())
            .collect()
    };

    assert!(events(&of_copy).len() > 10);
    assert_eq!(events(&twice), events(&once));
}

#[test]
fn tournaments_of_several_databases_change_with_each_of_them() {
    let parts = Parts::new();
    let joined = Server::start(&parts.work, "parts");
    let count = || joined.json("/api/1/tournaments?limit=1")["count"].clone();

    // A list that the server has kept must be made anew after each import.
    let before = count().as_i64().expect("a number");
    assert_eq!(count(), before);

    for (tournaments, database) in (before + 1..).zip(["chess960", "modern"]) {
        let text = format!("[Event \"Added to {database}\"]\n\n1. e4 *\n");
        parts.work.write("added.pgn", text);
        let import = format!("import parts/{database}.db added.pgn --quiet");
        parts.work.stamma(&import).success();
        assert_eq!(count(), tournaments, "{database}");
    }
}

/// A crosstable without the numbers of games in its cells.
fn without_numbers(mut crosstable: Value) -> Value {
    let fields = crosstable.as_object_mut().expect("a crosstable");
    fields.remove("repeated");

    for standing in fields["standings"].as_array_mut().expect("a list") {
        let results = standing["results"].as_str().expect("results");

        // A cell is like `1#17`: the result and the number of the game.
        let mut cells = Vec::new();
        for cell in results.split(' ') {
            cells.extend(cell.split('#').next());
        }
        standing["results"] = cells.join(" ").into();
    }

    crosstable
}

#[test]
fn crosstables_are_those_of_one_database_with_all_games() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let list = one.json("/api/1/tournaments?limit=500");
    let tournaments = list["tournaments"].as_array().expect("a list");

    assert!(tournaments.len() > 20);

    for tournament in tournaments {
        let number = tournament["game"].as_i64().expect("a number");
        let name = parts.before.name(number);
        let mut expected = one.json(&format!("/api/1/crosstable?game={number}"));
        let mut found = joined.json(&format!("/api/1/crosstable?game={name}"));
        Before::of_one_database().renumber(&mut expected);
        parts.before.renumber(&mut found);

        assert_eq!(without_numbers(found), without_numbers(expected), "{name}");
    }

    // A number alone is of one game in each database.
    let (status, sentence) = joined.refusal("/api/1/crosstable?game=7");
    assert_eq!(status, 400);
    assert!(sentence.contains("game=chess960:7"), "{sentence}");
    assert_eq!(joined.get("/api/1/crosstable?game=7&db=modern").status, 200);
    assert_eq!(joined.get("/api/1/crosstable?game=other:7").status, 404);
}

#[test]
fn a_game_of_two_databases_counts_once_in_its_tournament() {
    let work = Workplace::new();
    fs::create_dir(work.path("parts")).expect("a folder");

    let game = |round: u8, white: &str, black: &str, result: &str| {
        format!(
            "[Event \"Spring\"]\n[Site \"Bergen\"]\n[Date \"1901.04.0{round}\"]\n[Round \"{round}\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
        )
    };

    let first = game(1, "Berg", "Dahl", "1-0") + &game(1, "Lund", "Moe", "1/2-1/2");
    // Of this round, nobody has the moves.
    let second = game(2, "Dahl", "Lund", "1-0") + &game(2, "Moe", "Berg", "0-1");
    let second = second.replace("1. e4 ", "");
    let third = game(3, "Berg", "Lund", "1/2-1/2") + &game(3, "Moe", "Dahl", "0-1");

    for (database, games) in [
        ("all.db", [&first[..], &second, &third].concat()),
        ("parts/one.db", [&first[..], &second].concat()),
        ("parts/two.db", [&second[..], &third].concat()),
    ] {
        work.write("games.pgn", games);
        work.stamma(&format!("import {database} games.pgn"))
            .success();
    }

    let all = Server::start(&work, "all.db").json("/api/1/crosstable?game=1");
    let joined = Server::start(&work, "parts");

    // Any game of the tournament leads to the same crosstable.
    for game in ["one:1", "one:4", "two:1", "two:4"] {
        let found = joined.json(&format!("/api/1/crosstable?game={game}"));
        assert_eq!(found["repeated"], 2, "{game}");
        assert_eq!(found["games"], 6);
        assert_eq!(found["doubled"], all["doubled"]);

        // The games of the second round are in both, and count in the first database.
        let encounters = found["encounters"].as_array().expect("a list");
        let databases: Vec<&str> = encounters
            .iter()
            .filter_map(|game| game["database"].as_str())
            .collect();
        assert_eq!(databases, ["one", "one", "one", "one", "two", "two"]);

        let found = without_numbers(found);
        let expected = without_numbers(all.clone());
        assert_eq!(found["standings"], expected["standings"]);
    }

    // In one database alone, nothing is repeated.
    let of_one = joined.json("/api/1/crosstable?game=1&db=two");
    assert_eq!(of_one["games"], 4);
    assert_eq!(of_one["repeated"], Value::Null);
}

#[test]
fn novelties_are_those_of_one_database_with_all_games() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let mut all = 0;
    for query in [
        "",
        "sort=games",
        "sort=ply&min-games=2",
        "player=fischer",
        "since=1960&until=1990",
        "after-ply=10",
        "source=modern.pgn",
        "player=Nobody",
    ] {
        let target = format!("/api/1/novelties?limit=500&{query}");
        let found = joined.json(&target);
        let expected = if query.starts_with("source") {
            // The one database was imported from a folder.
            one.json(&target.replace("modern.pgn", "5"))
        } else {
            one.json(&target)
        };

        let games = found["novelties"].as_array().expect("a list");
        assert!(
            games.iter().all(|novelty| novelty["database"].is_string()),
            "{target}"
        );

        all += games.len();

        let answer = parts.assert_equal(expected, found, &target);
        let of_one = joined.json(&format!("{target}&db=modern"));
        assert!(
            of_one["games"].as_u64() <= answer["games"].as_u64(),
            "{target}"
        );
    }

    assert!(all > 200, "{all} novelties");
    assert_eq!(
        joined.get("/api/1/novelties?source=nothing.pgn").status,
        400
    );
}

/// The JSON of an answer to a text, which must succeed.
fn post(server: &Server, target: &str, text: &str) -> Value {
    let response = server.post(target, text);
    assert_eq!(response.status, 200, "{target}: {}", response.text());
    serde_json::from_slice(&response.body).expect("JSON")
}

#[test]
fn repertoires_meet_the_games_of_all_databases() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let text = "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) (1... e6 2. d4 d5 3. Nc3) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *";
    let mut games = 0;
    for query in [
        "",
        "color=black&whole=true",
        "player=fischer",
        "kind=opponent&min-games=2",
        "date=1950..&limit=3",
        "color=white&whole=true&result=1-0",
    ] {
        let target = format!("/api/1/repertoire?{query}");
        let expected = post(&one, &target, text);
        let found = post(&joined, &target, text);
        let answer = parts.assert_equal(expected, found, &target);

        games += answer["hits"].as_u64().expect("a number");
    }

    assert!(games > 100, "{games} games");
}

#[test]
fn preparations_are_those_of_one_database_with_all_games() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let mut games = 0;
    for query in [
        "name=fischer&as=white",
        "name=fischer&as=black",
        "name=%3DTal,%20Mikhail&as=black",
        "name=kasparov&as=white",
        "name=botvinnik&as=white&date=1960..",
        "name=carlsen&as=black&elo=2700",
    ] {
        let target = format!("/api/1/preparation?{query}");
        let found = joined.json(&target);
        let studied = found["games_to_study"].as_array().expect("a list");
        assert!(
            studied.iter().all(|game| game["database"].is_string()),
            "{target}"
        );

        let answer = parts.assert_equal(one.json(&target), found, &target);
        games += answer["games"].as_u64().expect("a number");
    }

    assert!(games > 20, "{games} games");

    // A single database is chosen by its name.
    let target = "/api/1/preparation?name=fischer&as=white&db=modern";
    let of_one = joined.json(target);
    assert!(of_one["games_to_study"][0]["database"].is_null());
    assert_eq!(
        joined.get("/api/1/preparation?name=nobody&as=white").status,
        404
    );

    let target = "/api/1/preparation-repertoire?name=fischer&as=white";
    let text = "1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5) 2. Nf3 d6 3. d4 *";
    let expected = post(&one, target, text);
    let found = post(&joined, target, text);
    let answer = parts.assert_equal(expected, found, target);
    assert!(answer["repertoire"]["games"].as_u64() > Some(0));
}

#[test]
fn games_of_a_preparation_are_links_with_the_names_of_their_databases() {
    let parts = Parts::new();
    let joined = Server::start(&parts.work, "parts");
    let target = "/api/1/preparation?name=fischer&as=white";
    let first = joined.json(target)["games_to_study"][0].clone();
    let database = first["database"].as_str().expect("a name");

    // A colon in a query is percent-encoded.
    let link = format!("#game?id={database}%3A{}", first["game"]);

    let report = joined.json("/api/1/report/prepare?name=fischer&as=white");
    let html = report["html"].as_str().expect("HTML");
    assert!(html.contains(&link), "{link}: {html}");
    assert!(html.contains("all databases"), "{html}");
}

#[test]
fn opening_reports_are_those_of_one_database_with_all_games() {
    let parts = Parts::new();
    let one = Server::start(&parts.work, "games.db");
    let joined = Server::start(&parts.work, "parts");
    let mut games = 0;
    for query in [
        "play=e2e4",
        "play=e2e4,c7c5&since=1950",
        "play=d2d4,g8f6,c2c4",
        "name=sicilian",
        "name=B00-C99",
        "name=queen%27s+gambit&result=1-0",
        "name=B96",
    ] {
        let target = format!("/api/1/opening-report?{query}");
        let found = joined.json(&target);
        let key_games = found["key_games"].as_array().expect("a list");
        assert!(
            key_games.iter().all(|game| game["database"].is_string()),
            "{target}"
        );

        let answer = parts.assert_equal(one.json(&target), found, &target);
        games += answer["games"].as_u64().expect("a number");
    }

    assert!(games > 100, "{games} games");

    let target = "/api/1/opening-report?play=e2e4";
    let first = joined.json(target)["key_games"][0].clone();
    let database = first["database"].as_str().expect("a name");
    let link = format!("#game?id={database}%3A{}", first["game"]);
    let report = joined.json("/api/1/report/opening?play=e2e4");
    let html = report["html"].as_str().expect("HTML");

    assert!(html.contains(&link), "{link}: {html}");

    let of_one = joined.json(&format!("{target}&db=modern"));
    assert!(of_one["key_games"][0]["database"].is_null());
}

/// Asks until the number of games is what it should be.
fn wait_for_games(server: &Server, count: u64) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let response = server.get("/api/1/count");
        if response.status == 200 && server.json("/api/1/count")["games"] == count {
            return;
        }
        assert!(Instant::now() < end, "{count} games: {}", response.text());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_comes_into_a_folder_is_served() {
    let work = Workplace::new();
    fs::create_dir(work.path("months")).expect("a folder");

    for (month, moves) in [
        ("2024-01", "1. e4 1-0"),
        ("2024-02", "1. d4 1-0\n\n1. e4 0-1"),
    ] {
        work.write("month.pgn", format!("{moves}\n"));
        work.stamma(&format!("import {month}.db month.pgn"))
            .success();
    }

    let january = work.path("months/2024-01.db");
    let february = work.path("months/2024-02.db");
    // Databases are moved into the folder whole, as a script would do.
    fs::rename(work.path("2024-01.db"), &january).expect("a month");

    let server = Server::start(&work, "months");
    assert_eq!(server.json("/api/1/count")["games"], 1);

    fs::rename(work.path("2024-02.db"), &february).expect("another month");
    work.write("months/notes.db", "no database\n");
    wait_for_games(&server, 3);

    assert_eq!(server.json("/masters")["moves"][0]["uci"], "e2e4");
    assert_eq!(server.json("/api/1/count?db=2024-02")["games"], 2);

    let id = server.json("/masters?play=d2d4")["topGames"][0]["id"].clone();
    assert!(id.is_null(), "the game has ended");

    // A month that is removed is asked no more, and another one of its name is served in its place.
    fs::remove_file(&january).expect("a removal");
    wait_for_games(&server, 2);

    work.write("month.pgn", "1. c4 *\n\n1. c4 1-0\n\n1. Nf3 *\n");
    work.stamma("import months/2024-01.db month.pgn").success();
    wait_for_games(&server, 5);

    work.stamma("import new.db month.pgn").success();
    fs::rename(work.path("new.db"), &february).expect("a replacement");
    wait_for_games(&server, 6);
    assert_eq!(server.json("/api/1/count?db=2024-01")["games"], 3);

    for month in [january, february] {
        fs::remove_file(month).expect("a removal");
    }

    // Without a database, the server goes on and says so.
    let end = Instant::now() + Duration::from_secs(60);
    while server.get("/api/1/count").status != 503 {
        assert!(Instant::now() < end);
    }
}

#[test]
fn a_database_that_was_given_and_is_gone_is_told() {
    let parts = Parts::new();
    let server = Server::start(&parts.work, "parts/early.db parts/modern.db");
    let count = |query: &str| {
        let answer = server.json(&format!("/api/1/count{query}"));
        answer["games"].as_u64().expect("a number")
    };
    let modern = parts.work.path("parts/modern.db");

    // All databases that were given belong to the answer, so there is none without one of them.
    let all = count("");
    fs::remove_file(&modern).expect("a removal");

    let (status, sentence) = server.refusal("/api/1/count");
    let expected = "modern.db: no such database";
    assert_eq!(status, 503);
    assert!(sentence.contains(expected), "{sentence}");

    // Each of the others still answers alone.
    let early = count("?db=early");
    assert!(early < all, "{early} of {all}");

    // Another file in its place is served.
    fs::copy(parts.work.path("parts/early.db"), modern).expect("a copy");
    assert_eq!(count(""), 2 * early);
}

#[test]
fn answers_say_which_positions_are_not_indexed() {
    let work = Workplace::new();
    fs::create_dir(work.path("parts")).expect("a folder");
    work.write("games.pgn", "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n");
    work.stamma("import parts/five.db games.pgn --index-plies 5")
        .success();
    work.stamma("import parts/three.db games.pgn --index-plies 3")
        .success();

    // After two half-moves both databases have an answer, after four only one; the remark has the smaller number.
    let server = Server::start(&work, "parts");
    let lines = [("e2e4,e7e5", 2), ("e2e4,e7e5,g1f3,b8c6", 1)];
    for (play, games) in lines {
        let moves = server.json(&format!("/api/1/moves?play={play}"));
        assert_eq!(moves["games"], games, "{play}");
        assert_eq!(moves["index_plies"], 3, "{play}");

        let lichess = server.json(&format!("/lichess?play={play}"));
        assert_eq!(lichess["white"], games);
        assert_eq!(lichess["indexPlies"], 3);

        let count = server.json(&format!("/api/1/count?play={play}&db=five"));
        assert_eq!(count["games"], 1, "{play}");
        assert_eq!(count["index_plies"], 5, "{play}");
    }

    // A count of all games asks for no position.
    let all = server.json("/api/1/count");
    assert_eq!(all["games"], 2, "{all}");
    assert_eq!(all["index_plies"], Value::Null, "{all}");

    // A database without an index of positions.
    work.stamma("import none.db games.pgn --index-plies 0")
        .success();
    let server = Server::start(&work, "none.db");
    assert_eq!(server.json("/api/1/count")["games"], 1);

    for target in ["/api/1/moves", "/lichess", "/api/1/count?play=e2e4"] {
        let (status, sentence) = server.refusal(target);
        let expected = "its positions are not indexed";
        assert_eq!(status, 400, "{target}");
        assert!(sentence.contains(expected), "{target}: {sentence}");
    }
}
