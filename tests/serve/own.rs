//! The interface of its own, beside its description and beside the commands of the program.

use std::collections::BTreeSet;
use std::io::Read;

use serde_json::{Value, json};

use crate::shape::fault;
use crate::support::document;
use crate::support::program::{Workplace, games, json_lines, stdout_of};
use crate::support::server::Server;
use crate::{served, workplace};

/// Addresses of all routes, whose answers are held to the description.
const TARGETS: &[&str] = &[
    "/masters",
    "/masters?play=e2e4,c7c5&since=1900&until=2000&topGames=2&moves=3",
    "/master?fen=8/8/8/8/8/8/k1K5/7Q_w_-_-_0_1",
    "/lichess?speeds=classical&ratings=2200,2500&since=1990-01&history=true",
    "/lichess/history?play=d2d4",
    "/player?player=fischer&color=white",
    "/personal?player=Kasparov,+Garry&color=black&recentGames=0",
    "/masters/pgn/00000001",
    "/master/pgn/00000001",
    "/monitor",
    "/api/1/databases",
    "/api/1/engine",
    "/api/1/position",
    "/api/1/position?play=f2f3,e7e5,g2g4,d8h4",
    "/api/1/position?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1&play=e2e4",
    "/api/1/pgn-line?text=1.+e4+e5",
    "/api/1/pgn-line?text=1.+e4+e5+2.+Ke3",
    "/api/1/moves",
    "/api/1/moves?play=e2e4,e7e5&player=morphy",
    "/api/1/moves?play=e2e4,e7e5&notable=true",
    "/api/1/transpositions?play=g1f3,d7d5&date=1900..",
    "/api/1/games",
    "/api/1/games?limit=3&cursor=3&sort=-elo",
    "/api/1/games?play=e2e4&pattern=*/*/*/*/4P3&limit=2",
    "/api/1/count?material=KRPkr&flip=colour",
    "/api/1/command?play=e2e4&sort=-elo",
    "/api/1/games/1",
    "/api/1/games/66",
    "/api/1/games/66/pgn",
    "/api/1/pgn?player=morphy",
    "/api/1/player?name=fischer&against=spassky",
    "/api/1/player?name=nobody",
    "/api/1/head-to-head?name=spassky&against=fischer",
    "/api/1/report/head-to-head?name=spassky&against=fischer",
    "/api/1/tournaments",
    "/api/1/tournaments?year=1972&sort=elo&min-games=2&player=fischer",
    "/api/1/crosstable?game=60",
    "/api/1/crosstable?game=43",
    "/api/1/novelties?date=1972&min-games=0&sort=games",
    "/api/1/opening-report?play=e2e4,c7c5&since=1950",
    "/api/1/preparation?name=fischer&as=black",
    "/api/1/report/opening?play=e2e4,c7c5&since=1950",
    "/api/1/report/opening?name=B90",
    "/api/1/report/prepare?name=fischer&as=black",
    "/api/1/suggest?field=player&text=k",
    "/api/1/openings?text=sicilian+naj",
    "/api/1/statistics",
    "/api/1/problems?kind=illegal-move",
    "/api/1/sql?sql=SELECT+id,+white,+x'00',+1.5,+NULL+FROM+games+LIMIT+2",
    "/api/1/openapi.json",
];

/// Addresses of routes that are about a text, with a text.
const TEXTS: &[(&str, &str)] = &[
    ("/api/1/repertoire", "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"),
    (
        "/api/1/repertoire?color=black&source=last&whole=true&kind=own&limit=2",
        "1. d4 Nf6 2. c4 e6 3. Nc3 x",
    ),
    (
        "/api/1/preparation-repertoire?name=fischer&as=black",
        "1. e4 c5 2. Nf3 d6 *",
    ),
    (
        "/api/1/report/prepare-repertoire?name=fischer&as=black",
        "1. e4 c5 2. Nf3 d6 *",
    ),
    (
        "/api/1/repertoire?player=fischer&color=white",
        "4k3/8/8/8/8/8/4P3/4K3 w - -\n",
    ),
];

/// Addresses, and the commands that print the same JSON.
const COMMANDS: &[(&str, &str)] = &[
    ("/api/1/games?limit=500", "search games.db"),
    (
        "/api/1/games?sort=-date&limit=3&player=fischer",
        "search games.db --sort -date --limit 3 --player fischer",
    ),
    (
        "/api/1/games?play=e2e4&limit=500",
        "search games.db --after e4",
    ),
    ("/api/1/moves?notable=true", "moves games.db"),
    (
        "/api/1/moves?play=e2e4,c7c5&notable=true&elo=2500",
        "moves games.db e4 c5 --elo 2500",
    ),
    (
        "/api/1/player?name=fischer&limit=10",
        "player games.db fischer",
    ),
    (
        "/api/1/player?name=spassky&against=fischer&limit=10",
        "player games.db spassky --against fischer",
    ),
    (
        "/api/1/player?name=nobody&limit=10",
        "player games.db nobody",
    ),
    (
        "/api/1/head-to-head?name=spassky&against=fischer&limit=10",
        "head-to-head games.db spassky fischer",
    ),
    (
        "/api/1/head-to-head?name=tal&against=nobody&limit=10",
        "head-to-head games.db tal nobody",
    ),
    ("/api/1/tournaments?limit=500", "events games.db --limit 0"),
    (
        "/api/1/tournaments?limit=3&sort=elo",
        "events games.db --limit 3 --sort elo",
    ),
    (
        "/api/1/crosstable?game=66",
        "crosstable games.db world championship 28th",
    ),
    (
        "/api/1/novelties?date=1972&min-games=0&limit=4",
        "novelties games.db --date 1972 --min-games 0 --limit 4",
    ),
    ("/api/1/opening-report?name=B90", "opening games.db B90"),
    (
        "/api/1/opening-report?play=e2e4&since=1950",
        "opening games.db --after 1.e4 --since 1950",
    ),
    (
        "/api/1/preparation?name=fischer&as=black",
        "prepare games.db fischer --as black",
    ),
];

#[test]
fn answers_are_those_of_the_command() {
    let (work, server) = served("");
    for (target, command) in COMMANDS {
        let printed = work.output(&format!("{command} --format json"));
        let printed: Value = serde_json::from_str(&printed).expect(command);
        assert_eq!(server.json(target), printed, "{target}");
    }

    // A repertoire is a text that is posted, and a file of the command.
    let lines = "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *\n";
    work.write("lines.pgn", lines);

    for (parameters, options) in [
        ("color=white", "--as white"),
        (
            "color=white&whole=true&kind=own",
            "--as white --whole --by own",
        ),
    ] {
        let printed = work.output(&format!(
            "repertoire games.db lines.pgn {options} --format json --limit 100"
        ));
        let printed: Value = serde_json::from_str(&printed).expect(options);
        let response = server.post(&format!("/api/1/repertoire?{parameters}"), lines);
        let found: Value = serde_json::from_slice(&response.body).expect(parameters);
        assert_eq!(found, printed, "{parameters}");
    }
}

/// `true` if an address is one of a path of the description.
fn is_at(target: &str, path: &str) -> bool {
    let target = target.split('?').next().unwrap_or_default();
    let Some((before, after)) = path.split_once("{id}") else {
        return target == path;
    };

    let rest = target.strip_prefix(before);
    let id = rest.and_then(|rest| rest.strip_suffix(after));
    id.is_some_and(|id| !id.contains('/'))
}

#[test]
fn answers_are_as_described() {
    let (_work, server) = served("--sql");
    let api = server.json("/api/1/openapi.json");
    let folder = games().display().to_string();
    let paths = api["paths"].as_object().expect("paths");
    let mut unseen: BTreeSet<&String> = paths.keys().collect();

    for target in TARGETS {
        let described = paths.iter().find(|(path, _)| is_at(target, path));
        let Some((path, description)) = described else {
            panic!("{target} is not described");
        };
        unseen.remove(path);

        let content = &description["get"]["responses"]["200"]["content"];
        let response = server.get(target);
        assert_eq!(response.status, 200, "{target}: {}", response.text());

        // Clients learn no paths of the server's computer.
        assert!(!response.text().contains(&folder), "{target}");

        let schema = &content["application/json"]["schema"];
        if !schema.is_null() {
            let value = serde_json::from_slice(&response.body).expect(target);
            assert_eq!(fault(&api, schema, &value), None, "{target}");
        }
    }

    for (target, text) in TEXTS {
        let path = target.split('?').next().unwrap_or_default().to_owned();
        unseen.remove(&path);

        let description = &paths[&path]["post"];
        assert!(description["requestBody"]["content"]["application/x-chess-pgn"].is_object());

        let content = &description["responses"]["200"]["content"]["application/json"];
        let response = server.post(target, text);
        assert_eq!(response.status, 200, "{target}: {}", response.text());
        assert!(!response.text().contains(&folder), "{target}");

        let value = serde_json::from_slice(&response.body).expect(target);
        assert_eq!(fault(&api, &content["schema"], &value), None, "{target}");
    }

    // Without an engine and `--write`, these have no answer; `analysis.rs` and `change.rs` have one.
    let others = [
        "/api/1/add",
        "/api/1/analysis",
        "/api/1/games/{id}/replace",
        "/api/1/undo",
    ];
    assert_eq!(unseen.into_iter().collect::<Vec<_>>(), others);
}

#[test]
fn reports_without_an_answer_are_refused() {
    let (_work, server) = served("");
    let (status, sentence) = server.refusal("/api/1/report/prepare?name=nobody&as=white");
    assert_eq!(status, 404);
    assert!(
        sentence.contains("no player in the database has a name like"),
        "{sentence}"
    );

    for given in ["play=e2e4", "fen=8/8/8/8/8/8/k1K5/7Q_w_-_-_0_1"] {
        let (status, sentence) = server.refusal(&format!("/api/1/report/opening?name=B90&{given}"));
        assert_eq!(status, 400);
        assert!(sentence.contains("not both"), "{sentence}");
    }

    // What cannot be read is the reason why there is no position.
    let refused = server.post("/api/1/repertoire?color=white", "8/8/8/8/8/8/8/9 w - -\n");
    assert_eq!(refused.status, 400);

    let text = refused.text();
    assert!(
        text.contains("no position was found in the repertoire; line 1: "),
        "{text}"
    );
}

#[test]
fn parameters_are_as_described() {
    let (_work, server) = served("");
    let api = server.json("/api/1/openapi.json");
    let parameters = &api["paths"]["/api/1/games"]["get"]["parameters"];
    let parameters = parameters.as_array().expect("a list");

    let type_of = |name: &str| -> Value {
        let parameter = parameters.iter().find(|one| one["name"] == name);
        parameter.expect("a parameter")["schema"]["type"].clone()
    };

    let described: BTreeSet<&str> = parameters
        .iter()
        .filter_map(|parameter| parameter["name"].as_str())
        .collect();
    for name in [
        "db", "fen", "limit", "cursor", "player", "elo", "pattern", "flip", "unique", "sort",
    ] {
        assert!(described.contains(name), "{name}: {described:?}");
    }
    assert_eq!(type_of("unique"), "boolean");
    assert_eq!(type_of("player"), "array");

    let all = server.json("/api/1/count?unique=true&exact=false&player=");
    assert_eq!(all["games"], 111);
    assert_eq!(server.refusal("/api/1/count?nothing=1").0, 400);
    assert_eq!(server.refusal("/api/1/count?unique=perhaps").0, 400);
    assert_eq!(
        server.refusal("/api/1/count?exact=true").0,
        400,
        "as on the command line"
    );

    assert_both_players_count(&server);
}

/// A repeated parameter `player` asks for games of both players.
fn assert_both_players_count(server: &Server) {
    let one = server.json("/api/1/count?player=fischer");
    let both = server.json("/api/1/count?player=fischer&player=spassky");

    let games_of_one = one["games"].as_u64();
    let games_of_both = both["games"].as_u64();
    assert!(games_of_both > Some(0), "{both}");
    assert!(games_of_both < games_of_one, "{both} of {one}");
}

/// The moves that the command prints for a position, without the games beside them.
fn printed_moves(work: &Workplace, arguments: &[&str]) -> Vec<Value> {
    let command = ["moves", "games.db", "--format", "jsonl"];
    let run = work.run(command.iter().chain(arguments));
    json_lines(&stdout_of(&run.success()))
}

#[test]
fn families_of_openings_are_those_of_the_command() {
    let (work, server) = served("");
    let command = [
        "player", "games.db", "fischer", "--limit", "50", "--format", "jsonl",
    ];
    let rows = json_lines(&stdout_of(&work.run(command).success()));
    let is_of_family = |row: &&Value| row["group"] == "family" || row["group"] == "variation";
    let printed: Vec<&Value> = rows.iter().filter(is_of_family).collect();

    let answer = server.json("/api/1/player?name=fischer");
    let mut found = Vec::new();
    for family in answer["families"].as_array().expect("families") {
        found.push(("family", &family["color"], &family["family"], family));
        for opening in family["openings"].as_array().expect("openings") {
            found.push(("variation", &family["color"], &opening["opening"], opening));
        }
    }

    assert!(found.len() > 4, "{answer}");
    assert_eq!(found.len(), printed.len(), "{answer}");

    for ((group, color, name, score), printed) in found.into_iter().zip(printed) {
        assert_eq!(group, printed["group"], "{printed}");
        assert_eq!(*color, printed["color"], "{printed}");
        assert_eq!(*name, printed["name"], "{printed}");

        for same in [
            "games",
            "wins",
            "draws",
            "losses",
            "score",
            "performance",
            "last_date",
        ] {
            assert_eq!(score[same], printed[same], "{printed}");
        }
    }
}

/// Every position of some games of the database, as moves from the start.
fn lines(server: &Server) -> Vec<Vec<String>> {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    let mut lines = vec![Vec::new()];
    for game in (1..=111).step_by(9) {
        let game = server.json(&format!("/api/1/games/{game}"));
        if game["start"] != start {
            continue;
        }

        let moves = game["moves"].as_array().expect("moves");
        let uci: Vec<String> = moves
            .iter()
            .map(|mv| mv["uci"].as_str().expect("a move").to_owned())
            .collect();

        // Some half-moves from the beginning, at which games meet, and a later one.
        for ply in [1, 3, 6, 20] {
            lines.extend(uci.get(..ply).map(<[String]>::to_vec));
        }
    }

    lines
}

/// Every legal move is asked for by itself.
#[test]
fn transpositions_are_counts_of_the_next_positions() {
    let (_work, server) = served("");
    for play in ["g1f3,d7d5", "d2d4,g8f6,c2c4,e7e6", "e2e4"] {
        let position = server.json(&format!("/api/1/position?play={play}"));
        let mut expected = Vec::new();
        for mv in position["moves"].as_array().expect("moves") {
            let uci = mv["uci"].as_str().expect("a move");
            let count = server.json(&format!("/api/1/count?play={play},{uci}&date=1900.."));
            let games = count["games"].as_u64().expect("a number");
            if games > 0 {
                expected.push((uci, games));
            }
        }

        let reached = server.json(&format!("/api/1/transpositions?play={play}&date=1900.."));
        let mut found = Vec::new();
        for mv in reached["moves"].as_array().expect("moves") {
            let uci = mv["uci"].as_str().expect("a move");
            let games = mv["games"].as_u64().expect("a number");
            found.push((uci, games));
        }

        assert!(
            found.is_sorted_by_key(|(_, games)| std::cmp::Reverse(*games)),
            "{play}"
        );

        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{play}");
        assert!(found.len() > 1, "{play}");
    }
}

#[test]
fn moves_are_those_of_the_command() {
    let (work, server) = served("");
    let same = [
        "white",
        "draws",
        "black",
        "games",
        "average_elo",
        "performance",
        "first_year",
        "last_year",
    ];

    for line in lines(&server) {
        let target = format!("/api/1/moves?play={}", line.join(","));
        let found = server.json(&target);
        let fen = found["fen"].as_str().expect("a FEN");
        let printed = printed_moves(&work, &[fen]);
        let moves = found["moves"].as_array().expect("moves");

        assert_eq!(moves.len(), printed.len(), "{target}");

        for (mv, printed) in moves.iter().zip(&printed) {
            assert_eq!(mv["san"], printed["san"], "{target}");
            assert_eq!(mv["uci"], printed["uci"], "{target}");

            for name in same {
                assert_eq!(mv[name], printed[name], "{target} {name}");
            }
            assert_eq!(mv["eco"], printed["eco"], "{target}");
            assert_eq!(mv["opening"], printed["opening"], "{target}");

            // Without `notable=true`, a game is named only if it is the only one.
            let single = if printed["games"] == 1 {
                &printed["first_game"]
            } else {
                &Value::Null
            };
            assert_eq!(mv["first_game"], *single, "{target}");
        }

        let sum: u64 = moves.iter().filter_map(|mv| mv["games"].as_u64()).sum();
        assert_eq!(found["games"], sum, "{target}");
    }

    let filtered = server.json("/api/1/moves?play=e2e4&elo=2600&since=1990");
    let found = filtered["moves"].as_array().expect("moves");
    let printed = printed_moves(&work, &["1. e4", "--elo", "2600", "--since", "1990"]);

    let games =
        |moves: &[Value]| -> Vec<Value> { moves.iter().map(|mv| mv["games"].clone()).collect() };
    assert_eq!(games(found), games(&printed));
}

/// The numbers of the games on all pages of a list; `None` if the query is refused.
fn games_of_pages(server: &Server, query: &str) -> Option<Vec<Value>> {
    let mut games = Vec::new();
    let mut cursor = String::new();

    loop {
        let response = server.get(&format!("/api/1/games?{query}&limit=7&cursor={cursor}"));
        if response.status == 400 {
            return None;
        }

        let page: Value = serde_json::from_slice(&response.body).expect("JSON");
        for game in page["games"].as_array().expect("games") {
            games.push(game["game"].clone());
        }

        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => return Some(games),
        }
    }
}

#[test]
fn pages_have_every_game_once_and_the_command_lists_the_same() {
    let (work, server) = served("");
    for query in [
        "",
        "sort=-date",
        "sort=elo&since=1950",
        "play=e2e4",
        "fen=8/8/8/8/8/8/8/8",
        "play=d2d4&sort=plies&result=1-0",
        "moves-through=Bxh7%2B",
    ] {
        let Some(games) = games_of_pages(&server, query) else {
            // An empty board is refused.
            assert!(query.contains("8/8/8"), "{query}");
            continue;
        };

        // The page shows the command that lists the same games.
        let answer = server.json(&format!("/api/1/command?{query}"));
        let command = answer["command"].as_str().expect("a command");
        let output = document::run(&work, &format!("{command} --format jsonl"));

        assert!(output.status.success(), "{command}");

        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let rows = json_lines(&printed);
        let listed: Vec<Value> = rows.iter().map(|row| row["game"].clone()).collect();

        assert_eq!(games, listed, "{command}");

        let count = server.json(&format!("/api/1/count?{query}"));
        assert_eq!(count["games"], games.len() as u64, "{query}");
    }
}

#[test]
fn games_are_whole() {
    let work = Workplace::new();
    work.import(
        "[White \"A\"]\n[WhiteTitle \"GM\"]\n[Result \"1-0\"]\n\n{Paris} 1. e4 {[%clk 0:10:00] [%eval 0.3] fine} \
         e5 $1 (1... c5 {sharp} 2. Nf3 (2. c3)) 2. Nf3 Nc6 1-0\n\n1. e4 e5 2. Ke3 *\n",
    );

    let server = Server::start(&work, "games.db");
    let game = server.json("/api/1/games/1");
    assert_eq!(game["comment"], "Paris");

    let first = &game["moves"][0];
    assert_eq!(first["clock"], Value::from(600.0));
    assert_eq!(first["eval"], 30);
    assert_eq!(first["comment"], "fine");

    let second = &game["moves"][1];
    assert_eq!(second["nags"][0], 1);
    assert_eq!(second["variations"][0][0]["comment"], "sharp");
    assert_eq!(
        second["variations"][0][1]["variations"][0][0]["uci"],
        "c2c3"
    );
    assert_eq!(game["moves"].as_array().expect("moves").len(), 4);

    let broken = server.json("/api/1/games/2");
    assert_eq!(broken["problems"][0]["kind"], "illegal-move");
    assert_eq!(server.json("/api/1/problems")["problems"][0]["game"], 2);

    let counted = &server.json("/api/1/statistics")["problems"][0];
    assert_eq!(counted["count"], 1);
    assert_eq!(counted["kind"], "illegal-move");
    assert_eq!(server.json("/api/1/games")["games"][0]["white_title"], "GM");
    assert_eq!(server.refusal("/api/1/games/3").0, 404);
    assert_eq!(server.refusal("/api/1/games/x").0, 404);
}

#[test]
fn pgn_is_that_of_an_export() {
    let (work, server) = served("");
    let all = server.get("/api/1/pgn");
    assert_eq!(all.header("content-type"), Some("application/x-chess-pgn"));
    assert_eq!(all.text(), work.output("export games.db"));

    let some = server.get("/api/1/pgn?player=fischer&sort=-date");
    assert_eq!(
        some.text(),
        work.output("export games.db --player fischer --sort -date")
    );

    let one = server.get("/api/1/games/66/pgn");
    assert_eq!(one.text(), work.output("export games.db --games 66"));
}

#[test]
fn twins_are_told() {
    let work = workplace();
    let early = games().join("early.pgn");
    work.run([
        "import".as_ref(),
        "games.db".as_ref(),
        early.as_os_str(),
        "--again".as_ref(),
    ])
    .success();
    work.stamma("dedupe games.db").success();

    let server = Server::start(&work, "games.db");
    let statistics = server.json("/api/1/statistics");
    assert!(statistics["duplicates"].as_u64() > Some(0));

    let marked = server.json("/api/1/count")["games"].as_u64();
    let unique = server.json("/api/1/count?unique=true")["games"].as_u64();
    assert!(unique < marked);

    let marked: i64 = work
        .query("SELECT min(game_id) FROM duplicate_of")
        .parse()
        .expect("a marked game");
    let twins = server.json(&format!("/api/1/games/{marked}"))["twins"].clone();
    let kept = twins[0]["game"].as_i64().expect("a twin");
    let back = server.json(&format!("/api/1/games/{kept}"))["twins"].clone();

    assert_eq!(back[0]["game"], marked);
}

#[test]
fn answers_that_are_known_are_not_sent_again() {
    let (work, server) = served("");
    for target in ["/", "/api/1/games", "/masters"] {
        let first = server.get(target);
        let tag = first.header("etag").expect("a tag");

        let known = format!("If-None-Match: {tag}");
        let again = server.request("GET", target, &[&known]);
        assert_eq!(again.status, 304, "{target}");
        assert_eq!(again.body.len(), 0, "{target}");

        let other = server.request("GET", target, &["If-None-Match: \"other\""]);
        assert_eq!(other.status, 200, "{target}");
        assert_eq!(other.body, first.body, "{target}");
    }

    let before = server.get("/masters");
    let tag = before.header("etag").expect("a tag");
    work.import("1. a4 1-0\n");

    let known = format!("If-None-Match: {tag}");
    let changed = server.request("GET", "/masters", &[&known]);
    assert_eq!(changed.status, 200);
}

#[test]
fn answers_are_compressed_for_those_who_take_it() {
    let (_work, server) = served("");
    for target in ["/api/1/games", "/masters", "/api/1/pgn"] {
        let plain = server.get(target);
        assert_eq!(plain.header("content-encoding"), None, "{target}");

        let packed = server.request("GET", target, &["Accept-Encoding: br, gzip;q=0.8"]);
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{target}");

        let mut body = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&packed.body[..]);
        decoder.read_to_end(&mut body).expect("gzip");

        assert_eq!(body, plain.body, "{target}");
        assert!(packed.body.len() < plain.body.len(), "{target}");

        // RFC 9110, §12.4.2: a quality of zero refuses.
        let refused = server.request("GET", target, &["Accept-Encoding: gzip;q=0"]);
        assert_eq!(refused.header("content-encoding"), None, "{target}");
    }
}

#[test]
fn head_has_the_headers_alone() {
    let (_work, server) = served("");
    for target in ["/", "/api/1/games", "/masters", "/api/1/pgn"] {
        let head = server.request("HEAD", target, &[]);
        assert_eq!(head.status, 200, "{target}");
        assert_eq!(head.body.len(), 0, "{target}");

        let get = server.get(target);
        assert_eq!(
            head.header("content-type"),
            get.header("content-type"),
            "{target}"
        );
        assert_eq!(head.header("etag"), get.header("etag"), "{target}");
    }
}

#[test]
fn parameters_are_given_once() {
    let (_work, server) = served("--sql");
    for (target, name) in [
        ("/api/1/games?limit=1&limit=2", "limit"),
        ("/api/1/moves?play=e2e4&fen=&play=d2d4", "play"),
        ("/api/1/position?fen=&fen=", "fen"),
        ("/api/1/games?elo=2000&elo=2600", "elo"),
        ("/api/1/count?db=games&db=games", "db"),
        ("/api/1/player?name=tal&name=tal", "name"),
        ("/masters?play=e2e4&play=d2d4", "play"),
        ("/lichess?speeds=blitz&speeds=rapid", "speeds"),
        ("/api/1/sql?sql=SELECT+1&sql=SELECT+2", "sql"),
    ] {
        let (status, sentence) = server.refusal(target);
        assert_eq!(status, 400, "{target}");
        assert!(
            sentence.contains(&format!("{name} is given twice")),
            "{target}: {sentence}"
        );
    }

    assert_both_players_count(&server);
}

#[test]
fn a_page_has_a_row_and_a_statement_has_words() {
    let (_work, server) = served("--sql");
    for target in [
        "/api/1/games?limit=0",
        "/api/1/suggest?field=player&limit=0",
    ] {
        let (status, sentence) = server.refusal(target);
        assert!(
            status == 400 && sentence.contains("limit: give a number from 1 on"),
            "{sentence}"
        );
    }

    for target in ["/api/1/sql", "/api/1/sql?sql=", "/api/1/sql?sql=+%0A"] {
        let (status, sentence) = server.refusal(target);
        assert!(
            status == 400 && sentence.contains("the parameter sql is missing"),
            "{sentence}"
        );
    }
}

#[test]
fn a_game_has_its_evaluations_and_what_they_say_of_its_moves() {
    let work = Workplace::new();
    work.import(
        "[Event \"E\"]\n[Result \"0-1\"]\n\n1. e4 {[%eval 0.30]} e5 {[%eval 0.25]} 2. Nf3 {[%eval 0.20]} \
         f6 {[%eval 1.90]} 0-1\n\n[Event \"Without\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 0-1\n",
    );

    let server = Server::start(&work, "games.db");
    let judged = server.json("/api/1/games/1");
    let moves = judged["moves"].as_array().expect("moves");
    let judgements: Vec<Value> = moves.iter().map(|node| node["judgement"].clone()).collect();

    assert_eq!(
        Value::from(judgements),
        json!([null, null, null, "mistake"])
    );
    assert_eq!(judged["white_accuracy"]["centipawn_loss"], 2.5);
    assert_eq!(judged["black_accuracy"]["centipawn_loss"], 85.0);

    // The evaluations of positions are those of the other game; the last position is another one.
    let known = server.json("/api/1/games/2");
    let moves = known["moves"].as_array().expect("moves");
    let evaluations: Vec<Value> = moves.iter().map(|node| node["eval"].clone()).collect();

    assert_eq!(Value::from(evaluations), json!([30, 25, 20, null]));
}
