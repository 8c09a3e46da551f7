//! A repertoire that is sent, beside a plain count of the games' moves.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::long_line::long_line;
use crate::support::program::Workplace;
use crate::support::server::Server;
use crate::{served, workplace};

const REPERTOIRE: &str =
    "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) (1... e6 2. d4 d5 3. Nc3) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *";

/// The answer to a repertoire, which must succeed.
fn repertoire(server: &Server, query: &str, text: &str) -> Value {
    let target = format!("/api/1/repertoire?{query}");
    let response = server.post(&target, text);

    assert_eq!(response.status, 200, "{target}: {}", response.text());
    serde_json::from_slice(&response.body).expect("JSON")
}

fn list<'v>(value: &'v Value, name: &str) -> &'v Vec<Value> {
    value[name]
        .as_array()
        .unwrap_or_else(|| panic!("no list {name}"))
}

#[test]
fn lines_have_the_games_of_their_last_positions() {
    let (_work, server) = served("");
    for query in ["", "player=fischer", "since=1950&result=1-0"] {
        let found = repertoire(&server, query, REPERTOIRE);
        assert_eq!(found["color"], "white");
        assert_eq!(found["color_given"], false);
        assert_eq!(list(&found, "lines").len(), 3, "{query}");
        assert_eq!(found["line_count"], 3, "{query}");

        for line in list(&found, "lines") {
            let play = line["play"].as_str().expect("moves");
            let count = server.json(&format!(
                "/api/1/count?play={play}&variant=standard&{query}"
            ));
            assert_eq!(line["games"], count["games"], "{query} {play}");
        }

        let departures = list(&found, "departures");
        let hits: u64 = departures
            .iter()
            .filter_map(|one| one["games"].as_u64())
            .sum();
        assert_eq!(found["hits"], hits, "{query}");
        assert!(hits > 0 || query.contains("1950"), "{query}");
    }
}

/// Every game of the test is in the repertoire as long as its moves are, since none of them transposes.
#[test]
fn games_leave_where_their_moves_do() {
    let work = Workplace::new();
    work.import(
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 1-0\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-1\n\n1. e4 c5 2. Nf3 Nc6 1-0\n\n\
         1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1/2-1/2\n\n1. e4 e6 2. d4 *\n\n1. d4 d5 1-0\n",
    );

    let server = Server::start(&work, "games.db");
    let found = repertoire(&server, "whole=true&color=white", REPERTOIRE);

    let mut departures = BTreeMap::new();
    for one in list(&found, "departures") {
        let text = |name: &str| one[name].as_str().unwrap_or("-");
        let games = one["games"].as_u64().expect("a number");
        departures.insert((text("play"), text("kind"), text("san")), games);
    }

    let expected = [
        ("", "own", "d4", 1),
        ("e2e4,c7c5,g1f3", "opponent", "Nc6", 1),
        ("e2e4,e7e5,g1f3,b8c6", "own", "Bc4", 2),
        ("e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4", "end-of-line", "-", 1),
        ("e2e4,e7e6,d2d4", "end-of-game", "-", 1),
    ];
    let expected = expected.map(|(play, kind, san, games)| ((play, kind, san), games));
    assert_eq!(departures, BTreeMap::from(expected));

    let repeated = "whole=true&color=white&kind=own&min-games=2";
    let own = repertoire(&server, repeated, REPERTOIRE);
    assert_eq!(list(&own, "departures").len(), 1);
    assert_eq!(own["departure_count"], 1);

    let leaving = &own["departures"][0];
    assert_eq!(leaving["uci"], "f1c4");
    assert_eq!(leaving["move_number"], "3.");
    assert_eq!(leaving["wins"], 1);
    assert_eq!(leaving["losses"], 1);
    assert_eq!(leaving["position_games"], 3);
    assert_eq!(list(leaving, "best_games").len(), 2);
}

#[test]
fn games_of_a_source_are_new() {
    let work = workplace();
    let server = Server::start(&work, "games.db");
    work.import("1. e4 e5 2. Nf3 Nc6 3. Bc4 1-0\n");

    let all = repertoire(&server, "", REPERTOIRE);
    let new = repertoire(&server, "source=last", REPERTOIRE);
    assert!(all["hits"].as_u64() > Some(10));
    assert_eq!(new["games"], 1);
    assert_eq!(new["hits"], 1);

    let path = new["sources"][0].as_str().expect("a path");
    let by_path = repertoire(&server, &format!("source={path}"), REPERTOIRE);
    assert_eq!(by_path, new);

    let response = server.post("/api/1/repertoire?source=nothing.pgn", REPERTOIRE);
    let sentence = response.text();
    assert_eq!(response.status, 400, "{sentence}");
    assert!(sentence.contains("nothing.pgn"), "{sentence}");
}

#[test]
fn long_lines_begin_where_they_fit() {
    let (_work, server) = served("");
    let text = long_line(230);
    let found = repertoire(&server, "color=white&whole=true", &format!("{text} *"));
    let line = &found["lines"][0];
    let fen = line["start_fen"].as_str().expect("a FEN");
    let play = line["play"].as_str().expect("moves");

    // The last hundred of 230 half-moves, from the position before them.
    assert_eq!(play.split(',').count(), 100);

    let words = line["line"].as_str().expect("a line");
    assert!(words.starts_with("1. "), "{words}");

    let last = text.rsplit(' ').next().expect("a move");
    assert!(words.ends_with(&format!(" {last}")), "{words}");

    // 230 half-moves are played, so that move 116 is next.
    let fen = fen.replace(' ', "_");
    let there = server.json(&format!("/api/1/position?fen={fen}&play={play}"));
    let last_fen = there["fen"].as_str().expect("a FEN");

    assert!(last_fen.ends_with(" 116"), "{there}");
}

#[test]
fn what_is_no_repertoire_is_told() {
    let (_work, server) = served("");
    for (query, text, told) in [
        ("", "", "no position"),
        ("", "1. e4 e5 *", "whose repertoire"),
        ("color=red", "1. e4 *", "color=red: give white or black"),
        ("kind=new", "1. e4 *", "kind=new: give one of opponent, own"),
        ("limit=0", "1. e4 *", "limit"),
        ("whole=perhaps", "1. e4 *", "whole"),
        ("nothing=1", "1. e4 *", "nothing"),
    ] {
        let response = server.post(&format!("/api/1/repertoire?{query}"), text);
        assert_eq!(response.status, 400, "{query} {text}");
        assert!(response.text().contains(told), "{}", response.text());
    }

    let found = repertoire(&server, "color=white", "1. e4 e5\n2. Ke3 *\n");
    assert_eq!(found["remarks"][0]["line"], 2);

    // Bytes that are no text, and moves that are none, are remarks or nothing, but no failure.
    for text in [
        "\u{0}\u{1}1. e4",
        "((((((((1. e4",
        "{<script>} 1. e4 *",
        "8/8/8/8/8/8/8/8 w - -",
    ] {
        let response = server.post("/api/1/repertoire?color=white", text);
        assert!(
            [200, 400].contains(&response.status),
            "{text}: {}",
            response.text()
        );
    }
}
