//! The interface of opening explorers: fields as clients know them, and counts beside a plain replay of the games.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use serde_json::Value;
use stamma::board::Position;
use stamma::pgn::{Span, Termination, split};
use stamma::replay::replay;

use crate::served;
use crate::support::program::{Workplace, games, json_lines};
use crate::support::server::Server;

/// Where the closing quote of a JSON string is, behind its opening quote.
fn end_of_string(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while bytes[end] != b'"' {
        // An escape has a second byte, which may be a quote.
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }

    end
}

/// The names of the fields of a JSON text's outermost object, in their order.
fn fields(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let letter = rest.as_bytes()[at];
        let tail = &rest[at + 1..];

        match letter {
            b'{' | b'[' => {
                depth += 1;
                rest = tail;
            }
            b'}' | b']' => {
                depth -= 1;
                rest = tail;
            }
            // A string, which is a name if a colon follows it.
            _ => {
                let end = end_of_string(tail);
                let after = &tail[end + 1..];
                if depth == 1 && after.starts_with(':') {
                    names.push(tail[..end].to_owned());
                }
                rest = after;
            }
        }
    }

    names
}

/// The text of the first object in the list of a field.
fn first_of<'t>(text: &'t str, field: &str) -> &'t str {
    let name = format!("\"{field}\":");
    let (_, value) = text.split_once(&name).expect(field);
    let start = value.find('{').expect("an object");
    let object = &value[start..];

    let mut depth = 0;
    for (at, letter) in object.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &object[..=at];
        }
    }

    panic!("an object without end");
}

#[test]
fn fields_are_in_the_order_that_clients_know() {
    let (_work, server) = served("");
    // Clients of Lichess's explorer read these answers, and its server fixes the order.
    let masters = server.get("/masters?play=e2e4,c7c5");
    assert_eq!(masters.header("content-type"), Some("application/json"));

    let text = masters.text();
    assert!(
        !text.contains('\n') && !text.contains("\": "),
        "one line of compact JSON"
    );
    assert_eq!(
        fields(&text),
        ["white", "draws", "black", "moves", "topGames", "opening"]
    );
    assert_eq!(
        fields(first_of(&text, "moves")),
        [
            "uci",
            "san",
            "averageRating",
            "white",
            "draws",
            "black",
            "game",
            "opening"
        ]
    );
    assert_eq!(
        fields(first_of(&text, "topGames")),
        ["uci", "id", "winner", "black", "white", "year", "month"]
    );
    // A move has a game only if it was played once.
    let from_game = text.find("\"game\":{").expect("a game");
    assert_eq!(
        fields(first_of(&text[from_game..], "game")),
        ["id", "winner", "black", "white", "year", "month"]
    );

    // Objects within the lists.
    let top_game = first_of(&text, "topGames");
    assert_eq!(fields(first_of(top_game, "black")), ["name", "rating"]);
    assert_eq!(fields(first_of(&text, "opening")), ["eco", "name"]);

    // The database of players has the latest games, and a history by month.
    let lichess = server.get("/lichess?history=True").text();
    assert_eq!(
        fields(&lichess),
        [
            "white",
            "draws",
            "black",
            "moves",
            "recentGames",
            "topGames",
            "opening",
            "history"
        ]
    );
    assert_eq!(
        fields(first_of(&lichess, "history")),
        ["month", "white", "draws", "black"]
    );

    // A player's answer is a line of a stream, which a proxy in between must not hold back.
    let player = server.get("/player?player=fischer&color=white");
    assert_eq!(player.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(player.header("x-accel-buffering"), Some("no"));

    let text = player.text();
    assert!(
        text.ends_with("}\n") && text.matches('\n').count() == 1,
        "one line"
    );
    assert_eq!(
        fields(&text),
        ["white", "draws", "black", "moves", "recentGames", "opening"]
    );
    assert_eq!(
        fields(first_of(&text, "moves")),
        [
            "uci",
            "san",
            "averageOpponentRating",
            "performance",
            "white",
            "draws",
            "black",
            "game",
            "opening"
        ]
    );
}

/// Every game that an answer shows.
fn shown_games(value: &Value, games: &mut Vec<Value>) {
    match value {
        Value::Array(values) => {
            for value in values {
                shown_games(value, games);
            }
        }
        Value::Object(fields) => {
            if fields.contains_key("id") {
                games.push(value.clone());
            }
            for value in fields.values() {
                shown_games(value, games);
            }
        }
        _ => {}
    }
}

#[test]
fn games_have_ids_of_eight_letters_and_no_nulls_where_clients_have_none() {
    let work = Workplace::new();
    work.import("[Result \"1-0\"]\n\n1. e4 1-0\n\n[White \"A\"]\n[WhiteElo \"2000\"]\n[Date \"1999.??.??\"]\n\n1. d4 0-1\n\n1. c4 *\n");

    let server = Server::start(&work, "games.db");
    for target in ["/masters", "/lichess", "/player?player=A&color=white"] {
        let reply = server.json(target);
        let mut games = Vec::new();
        shown_games(&reply, &mut games);

        assert!(!games.is_empty(), "{target}");

        for game in games {
            let id = game["id"].as_str().expect("an id");
            assert!(
                id.len() == 8 && id.bytes().all(|letter| letter.is_ascii_alphanumeric()),
                "{id}"
            );

            for side in ["white", "black"] {
                let player = &game[side];
                assert!(player["name"].is_string(), "{game}");

                let rating = player["rating"].as_u64().expect("a rating");
                assert!(u16::try_from(rating).is_ok(), "{game}");
            }
            assert!(
                game["year"].is_u64() && game["uci"].as_str() != Some(""),
                "{game}"
            );

            let pgn = server.get(&format!("/masters/pgn/{id}"));
            assert_eq!(pgn.header("content-type"), Some("application/x-chess-pgn"));
            assert_eq!(pgn.body, server.get(&format!("/master/pgn/{id}")).body);
            assert!(pgn.text().contains("1. "), "{}", pgn.text());
        }
    }

    // Clients divide by the games of a move, so a game without a result makes none.
    let moves = server.json("/masters")["moves"].clone();
    assert_eq!(moves.as_array().map(Vec::len), Some(2), "{moves}");
    assert_eq!(server.refusal("/masters/pgn/00000009").0, 404);
    assert_eq!(server.refusal("/masters/pgn/1").0, 404);
}

/// The counts of a move by a plain replay.
#[derive(Debug, Default, PartialEq, Eq)]
struct Plain {
    results: [u64; 3],
    ratings: Vec<u64>,
}

/// A position without its counters.
fn key(position: &Position) -> String {
    let fen = position.fen();
    fen.rsplitn(3, ' ').nth(2).expect("a FEN").to_owned()
}

/// The moves of all positions of the project's games, each counted once a game, at its first visit.
fn replayed_counts() -> HashMap<String, BTreeMap<String, Plain>> {
    let mut counts: HashMap<String, BTreeMap<String, Plain>> = HashMap::new();
    for file in fs::read_dir(games()).expect("a folder") {
        let path = file.expect("a file").path();
        let bytes = fs::read(path).expect("a file");
        for span in split(&bytes) {
            let Span::Game(range) = span else { continue };
            let text = std::str::from_utf8(&bytes[range]).expect("UTF-8");
            let replay = replay(text);
            let game = &replay.game;

            let result = match game.result {
                Termination::WhiteWins => 0,
                Termination::Draw => 1,
                Termination::BlackWins => 2,
                Termination::Unknown => continue,
            };
            let mut position = match &game.start {
                Some(fen) => Position::from_fen(fen).expect("a start"),
                None => Position::start(),
            };

            let mut seen = std::collections::HashSet::new();
            for mv in &replay.played {
                if seen.insert(key(&position)) {
                    let tag = if position.turn().is_white() {
                        "WhiteElo"
                    } else {
                        "BlackElo"
                    };
                    let elo = game.tag(tag).and_then(|elo| elo.parse::<u64>().ok());
                    let moves = counts.entry(key(&position)).or_default();
                    let counted = moves.entry(mv.to_string()).or_default();
                    counted.results[result] += 1;
                    counted.ratings.extend(elo);
                }

                position.play(*mv);
            }
        }
    }

    counts
}

/// The games of Deep Blue.
const PROGRAM_GAMES: u64 = 6;

#[test]
fn counts_are_those_of_a_plain_replay() {
    let (_work, server) = served("");
    let counts = replayed_counts();
    let mut fens: Vec<&String> = counts.keys().collect();
    fens.sort();

    // Every position with a choice of moves, and some of the many with one move.
    let popular = fens.iter().filter(|fen| counts[**fen].len() > 1).copied();
    let rare = fens.iter().step_by(29).copied();

    for fen in popular.chain(rare) {
        let target = format!("/masters?moves=1000&fen={}_0_1", fen.replace(' ', "_"));
        let reply = server.json(&target);

        let total = assert_moves(&reply, &counts[fen], &target);
        assert_eq!(results(&reply), total, "{target}");

        // A shorter list changes no total.
        let cut = server.json(&target.replace("1000", "1"));
        assert_eq!(cut["moves"].as_array().map(Vec::len), Some(1), "{target}");
        assert_eq!(cut["white"], reply["white"], "totals count all moves");

        assert_top_games(&reply, total.iter().sum(), &target);
    }
}

/// Games won by White, drawn and won by Black, of a position or a move.
fn results(value: &Value) -> [u64; 3] {
    ["white", "draws", "black"].map(|name| value[name].as_u64().expect("a number"))
}

/// Compares the moves of an answer with a plain replay. Returns the sum of their results.
fn assert_moves(reply: &Value, expected: &BTreeMap<String, Plain>, target: &str) -> [u64; 3] {
    let moves = reply["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), expected.len(), "{target}");

    let mut total = [0; 3];
    let mut last = u64::MAX;
    for mv in moves {
        let found = results(mv);
        let plain = &expected[mv["uci"].as_str().expect("a move")];
        assert_eq!(found, plain.results, "{target}");

        let mean = rounded_mean(&plain.ratings);
        assert_eq!(mv["averageRating"].as_u64(), mean, "{target}");

        let games: u64 = found.iter().sum();
        assert!(games <= last, "{target}: the most played first");
        assert_eq!(mv["game"].is_null(), games != 1, "{target}");

        last = games;
        for (sum, part) in total.iter_mut().zip(found) {
            *sum += part;
        }
    }

    total
}

fn rounded_mean(ratings: &[u64]) -> Option<u64> {
    if ratings.is_empty() {
        return None;
    }

    let sum: u64 = ratings.iter().sum();
    let mean = sum as f64 / ratings.len() as f64;
    Some(mean.round() as u64)
}

/// The best-rated games of a position come first, and are as many as there are, up to 15.
fn assert_top_games(reply: &Value, games: u64, target: &str) {
    const MAX_TOP_GAMES: u64 = 15;

    let top = reply["topGames"].as_array().expect("games");
    let mut sums = Vec::new();
    for game in top {
        let white = game["white"]["rating"].as_u64().expect("a rating");
        let black = game["black"]["rating"].as_u64().expect("a rating");
        sums.push(white + black);
    }
    assert!(sums.len() as u64 <= MAX_TOP_GAMES, "{target}: {sums:?}");
    assert!(sums.is_sorted_by(|a, b| a >= b), "{target}: {sums:?}");

    // Games of programs, here of Deep Blue, are among the best if there are no others.
    let is_of_program = |game: &&Value| {
        ["white", "black"]
            .iter()
            .any(|side| game[side]["name"] == "Deep Blue")
    };
    let programs = top.iter().filter(is_of_program).count();
    let games = games.min(MAX_TOP_GAMES);
    match programs {
        0 => assert!(sums.len() as u64 + PROGRAM_GAMES >= games, "{target}"),
        _ => assert_eq!(programs as u64, games, "{target}"),
    }
    assert_eq!(sums.is_empty(), games == 0, "{target}");
}

#[test]
fn castling_is_king_takes_rook_and_read_both_ways() {
    let (_work, server) = served("");
    let line = "play=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6";
    let first_uci = |target: &str| server.json(target)["moves"][0]["uci"].clone();

    // Lichess' explorer writes castling as king takes rook, also in standard chess.
    assert_eq!(first_uci(&format!("/masters?{line}")), "e1h1");

    let to_the_square = server.json(&format!("/masters?{line},e1g1"));
    let onto_the_rook = server.json(&format!("/masters?{line},e1h1"));
    assert_eq!(to_the_square, onto_the_rook);

    let own = first_uci(&format!("/api/1/moves?{line}"));
    assert_eq!(own, "e1g1", "as people drag it");
}

#[test]
fn a_repeated_position_counts_once_a_game() {
    let work = Workplace::new();
    work.import(
        "[Result \"1/2-1/2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1/2-1/2\n",
    );

    let server = Server::start(&work, "games.db");
    let reply = server.json("/masters");
    assert_eq!(reply["draws"], 1);
    assert_eq!(reply["moves"][0]["uci"], "g1f3");
    assert_eq!(reply["moves"].as_array().map(Vec::len), Some(1));
}

#[test]
fn fens_are_read_with_tolerance() {
    let (_work, server) = served("");
    let start = server.json("/masters");

    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%207%209",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+e3+0+1",
    ] {
        assert_eq!(server.json(&format!("/masters?fen={fen}")), start, "{fen}");
    }

    let impossible = "4k3/8/8/8/8/8/8/4K3_w_KQkq_e6_0_1";
    assert_eq!(
        server.json(&format!("/masters?fen={impossible}"))["white"],
        0
    );

    for variant in ["standard", "chess", "chess960", "fromPosition"] {
        assert_eq!(
            server.json(&format!("/masters?variant={variant}&nothing=1")),
            start
        );
    }
}

#[test]
fn faults_are_told_in_plain_text() {
    let (_work, server) = served("");
    for (target, status, text) in [
        ("/masters?play=e2e5", 400, "bad request: illegal uci"),
        ("/masters?play=e2e4,e2e4", 400, "bad request: illegal uci"),
        (
            "/masters?fen=8/8/8/8/8/8/8/8_w_-_-_0_1",
            400,
            "bad request: illegal position",
        ),
        (
            "/masters?fen=nonsense",
            400,
            "Failed to deserialize query string",
        ),
        (
            "/masters?play=nonsense",
            400,
            "Failed to deserialize query string",
        ),
        (
            "/masters?moves=many",
            400,
            "Failed to deserialize query string",
        ),
        (
            "/masters?since=then",
            400,
            "Failed to deserialize query string",
        ),
        (
            "/masters?variant=antichess",
            400,
            "Failed to deserialize query string",
        ),
        (
            "/lichess?speeds=slow",
            400,
            "Failed to deserialize query string",
        ),
        (
            "/lichess?ratings=high",
            400,
            "Failed to deserialize query string",
        ),
        ("/player?color=white", 400, "missing field `player`"),
        ("/player?player=x", 400, "missing field `color`"),
        (
            "/player?player=x&color=red",
            400,
            "Failed to deserialize query string",
        ),
        ("/masters/pgn/zzzzzzzz", 404, "there is no game"),
        ("/nothing", 404, "nothing"),
    ] {
        let response = server.get(target);
        assert_eq!(response.status, status, "{target}");
        assert!(
            response.text().contains(text),
            "{target}: {}",
            response.text()
        );
        assert_eq!(
            response.header("content-type"),
            Some("text/plain; charset=utf-8")
        );
    }
}

#[test]
fn filters_leave_out_what_they_say() {
    let (_work, server) = served("");
    let total = |target: &str| -> u64 { results(&server.json(target)).iter().sum() };

    let all = total("/masters");
    let before = total("/masters?until=1971");
    let after = total("/masters?since=1972");
    assert!(before > 0 && after > 0 && before + after <= all);
    assert_eq!(total("/masters?since=0&until=65535"), all);
    assert_eq!(total("/lichess?since=1972-07&until=1972-8"), 7);

    let groups = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
    let rated: u64 = groups
        .iter()
        .map(|group| total(&format!("/lichess?ratings={group}")))
        .sum();
    assert!(rated > 0);

    let high = total("/lichess?ratings=2200,2500");
    let parts = total("/lichess?ratings=2200") + total("/lichess?ratings=2500");
    assert_eq!(high, parts);

    assert_eq!(total("/player?player=fischer&color=white"), 5);
    assert_eq!(total("/player?player=fischer&color=black"), 7);
    let whole_name = total("/player?player=%3DFischer,+Robert+James&color=black");
    assert_eq!(whole_name, 7);
    assert_eq!(total("/player?player=nobody&color=black"), 0);

    let months = server.json("/lichess?history=true")["history"].clone();
    let months = months.as_array().expect("months");
    assert!(
        months
            .iter()
            .map(|month| month["month"].as_str())
            .is_sorted()
    );

    let history = server.json("/lichess/history");
    assert_eq!(history["moves"], serde_json::json!([]));
    assert_eq!(history["history"].as_array(), Some(months));
}

/// An answer as the recorded ones are: without names of openings, which were not there, and without ours alone; the
/// moves and the best-rated games in the order of their names, because equal ones have no order.
fn comparable_answer(mut answer: Value) -> Value {
    fn remove_openings(value: &mut Value) {
        match value {
            Value::Array(values) => {
                for value in values {
                    remove_openings(value);
                }
            }
            Value::Object(fields) => {
                fields.remove("opening");
                for value in fields.values_mut() {
                    remove_openings(value);
                }
            }
            _ => {}
        }
    }

    remove_openings(&mut answer);
    for list in ["moves", "topGames"] {
        if let Some(items) = answer[list].as_array_mut() {
            items.sort_by_key(Value::to_string);
        }
    }

    answer
}

/// `tests/data/explorer/answers.jsonl` has what lila-openingexplorer (commit 38bddd0, November 2026) answered to these
/// queries of `/lichess` after it had imported `games.pgn` beside it, games of our own.
#[test]
fn answers_are_those_of_the_explorer_of_lichess() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/explorer");
    let work = Workplace::new();
    let pgn = folder.join("games.pgn");
    work.run([
        "import".as_ref(),
        "games.db".as_ref(),
        "--quiet".as_ref(),
        pgn.as_os_str(),
    ])
    .success();

    let server = Server::start(&work, "games.db");
    let answers = fs::read_to_string(folder.join("answers.jsonl")).expect("recorded answers");
    let mut games = 0;
    for recorded in json_lines(&answers) {
        games += assert_as_recorded(&server, &recorded);
    }
    assert!(games > 40, "{games}");

    // Games are found by their addresses on Lichess.
    for (id, result) in [
        ("aaaa1111", "1-0"),
        ("HHHH8888", "0-1"),
        ("00000002", "0-1"),
    ] {
        let text = server.get(&format!("/masters/pgn/{id}")).text();
        let tag = format!("[Result \"{result}\"]");
        assert!(text.contains(&tag), "{id}: {text}");
    }

    let (status, _) = server.refusal("/masters/pgn/AAAA1111");
    assert_eq!(status, 404, "letters have a case");
}

/// Compares an answer with a recorded one. Returns the number of recent games in it.
fn assert_as_recorded(server: &Server, recorded: &Value) -> usize {
    let query = recorded["query"].as_str().expect("a query");
    let response = server.get(&format!("/lichess?{query}"));
    assert_eq!(recorded["status"], response.status, "{query}");

    if let Some(refusal) = recorded["answer"].as_str() {
        let (kind, _) = refusal.split_once(": ").expect("a kind");
        let sentence = response.text();
        assert!(sentence.starts_with(kind), "{query}: {sentence}");
        return 0;
    }

    let answer: Value = serde_json::from_slice(&response.body).expect("JSON");
    let mut expected = comparable_answer(recorded["answer"].clone());
    let mut found = comparable_answer(answer);
    if query == "play=g1f3,g8f6" {
        // A game is here twice: there it counts with its last move, here with its first.
        for answer in [&mut expected, &mut found] {
            let fields = answer.as_object_mut().expect("an object");
            fields.remove("moves");
            fields.remove("topGames");
        }
    }
    assert_eq!(found, expected, "{query}");

    found["recentGames"].as_array().map_or(0, Vec::len)
}
