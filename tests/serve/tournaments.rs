//! Tournaments, crosstables and novelties beside the commands that print them.

use serde_json::Value;

use crate::support::program::{Workplace, json_lines, stdout_of};
use crate::support::server::Server;
use crate::{served, workplace};

/// What a command prints as JSON Lines.
fn printed_rows(work: &Workplace, arguments: &[&str]) -> Vec<Value> {
    let arguments = [arguments, &["--format", "jsonl"]].concat();
    let run = work.run(arguments).success();
    json_lines(&stdout_of(&run))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v Vec<Value> {
    value[name]
        .as_array()
        .unwrap_or_else(|| panic!("no list {name}"))
}

#[test]
fn tournaments_are_those_of_the_command() {
    let (work, server) = served("");
    let same = [
        "event",
        "site",
        "first_date",
        "last_date",
        "games",
        "players",
        "average_elo",
        "rounds",
    ];

    for (query, arguments) in [
        ("", vec![]),
        (
            "sort=games&min-games=2",
            vec!["--sort", "games", "--min-games", "2"],
        ),
        (
            "sort=players&min-players=3",
            vec!["--sort", "players", "--min-players", "3"],
        ),
        (
            "sort=elo&player=kasparov",
            vec!["--sort", "elo", "--player", "kasparov"],
        ),
        (
            "sort=name&event=world",
            vec!["--sort", "name", "--event", "world"],
        ),
    ] {
        let mut command = vec!["events", "games.db", "--limit", "0"];
        command.extend(arguments);

        let expected = printed_rows(&work, &command);

        let mut found = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = server.json(&format!(
                "/api/1/tournaments?{query}&limit=4&cursor={cursor}"
            ));
            assert_eq!(page["count"], expected.len() as u64, "{query}");

            found.extend(list(&page, "tournaments").iter().cloned());
            let Some(next) = page["next"].as_str() else {
                break;
            };
            next.clone_into(&mut cursor);
        }

        assert!(expected.len() > 1, "{query}");
        assert_eq!(found.len(), expected.len(), "{query}");

        for (found, expected) in found.iter().zip(&expected) {
            for name in same {
                assert_eq!(found[name], expected[name], "{query} {name}");
            }
        }
    }

    let of_1972 = server.json("/api/1/tournaments?year=1972");
    assert_eq!(list(&of_1972, "tournaments").len(), 1);
    assert_eq!(of_1972["count"], 1);
    assert_eq!(
        of_1972["tournaments"][0]["event"],
        "World Championship 28th"
    );
}

#[test]
fn crosstables_are_those_of_the_command() {
    let (work, server) = served("");
    let all = server.json("/api/1/tournaments?min-games=3&limit=500");
    assert!(list(&all, "tournaments").len() > 3);

    for tournament in list(&all, "tournaments") {
        let event = tournament["event"].as_str().expect("an event");
        let mut command = vec![
            "crosstable".to_owned(),
            "games.db".to_owned(),
            format!("={event}"),
        ];
        // Tournaments of one name are told apart by place and year.
        if let Some(site) = tournament["site"].as_str() {
            command.push(format!("--site=={site}"));
        }
        if let Some(date) = tournament["first_date"].as_str() {
            command.push(format!("--year={}", &date[..4]));
        }

        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let expected = printed_rows(&work, &command);
        let found = server.json(&format!("/api/1/crosstable?game={}", tournament["game"]));

        for part in ["event", "site", "first_date", "games", "players"] {
            assert_eq!(found[part], tournament[part], "{event} {part}");
        }

        let standings = list(&found, "standings");
        assert_eq!(standings.len(), expected.len(), "{event}");

        for (found, expected) in standings.iter().zip(&expected) {
            for name in [
                "rank",
                "name",
                "elo",
                "points",
                "wins",
                "sonneborn_berger",
                "buchholz",
            ] {
                assert_eq!(found[name], expected[name], "{event} {name}");
            }
        }

        // Every game gives a point, to one or to both.
        let points: f64 = standings
            .iter()
            .filter_map(|player| player["points"].as_f64())
            .sum();
        let encounters = list(&found, "encounters");
        let finished = encounters.iter().filter(|game| game["result"] != "*");
        assert_eq!(points, finished.count() as f64, "{event}");
    }
}

#[test]
fn any_game_of_a_tournament_leads_to_its_crosstable() {
    let (_work, server) = served("");
    let crosstable = |game: &Value| server.json(&format!("/api/1/crosstable?game={game}"));
    let of_1972 = server.json("/api/1/tournaments?year=1972");
    let first = crosstable(&of_1972["tournaments"][0]["game"]);

    assert_eq!(first["system"].as_str(), Some("match"));
    assert_eq!(first["games"], 7);

    for game in list(&first, "encounters") {
        assert_eq!(crosstable(&game["game"]), first);
    }

    let (status, sentence) = server.refusal("/api/1/crosstable");
    assert!(
        status == 400 && sentence.contains("game is missing"),
        "{sentence}"
    );
    assert_eq!(server.refusal("/api/1/crosstable?game=x").0, 400);
    assert_eq!(server.refusal("/api/1/crosstable?game=112").0, 404);
    assert_eq!(server.refusal("/api/1/tournaments?sort=size").0, 400);
    assert_eq!(server.refusal("/api/1/tournaments?nothing=1").0, 400);
}

#[test]
fn games_without_an_event_are_in_no_tournament() {
    let work = Workplace::new();
    work.import(
        "[Event \"?\"]\n\n1. e4 *\n\n[Event \"A\"]\n[White \"x\"]\n[Black \"y\"]\n\n1. d4 1-0\n",
    );

    let server = Server::start(&work, "games.db");
    let all = server.json("/api/1/tournaments");
    assert_eq!(all["count"], 1);
    assert_eq!(all["without_event"], 1);

    let (status, sentence) = server.refusal("/api/1/crosstable?game=1");
    assert!(
        status == 404 && sentence.contains("names no event"),
        "{sentence}"
    );
    let crosstable = server.json("/api/1/crosstable?game=2");
    assert_eq!(crosstable["standings"][0]["name"], "x");

    // The list follows what is imported.
    work.import("[Event \"B\"]\n\n1. c4 *\n");
    assert_eq!(server.json("/api/1/tournaments")["count"], 2);
}

#[test]
fn novelties_are_those_of_the_command() {
    let (work, server) = served("");
    for (query, arguments) in [
        ("limit=500", vec!["--limit", "0"]),
        (
            "sort=games&player=fischer",
            vec!["--sort", "games", "--player", "fischer"],
        ),
        (
            "sort=ply&after-ply=6&min-games=2",
            vec!["--sort", "ply", "--after-ply", "6", "--min-games", "2"],
        ),
        (
            "since=1990&min-games=0&limit=5",
            vec!["--since", "1990", "--min-games", "0", "--limit", "5"],
        ),
    ] {
        let mut command = vec!["novelties", "games.db"];
        command.extend(arguments);

        let expected = printed_rows(&work, &command);
        let found = server.json(&format!("/api/1/novelties?{query}"));
        let novelties = list(&found, "novelties");

        assert!(expected.len() > 2, "{query}");
        assert!(novelties.len() >= expected.len(), "{query}");

        // The same novelties in the same order.
        for (found, expected) in novelties.iter().zip(&expected) {
            assert_eq!(found, expected, "{query}");
        }
    }
}

#[test]
fn novelties_are_those_of_a_source() {
    let work = workplace();
    let server = Server::start(&work, "games.db");
    work.import("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O h6 1-0\n");

    let target = |source: &str| format!("/api/1/novelties?source={source}&min-games=0");

    let last = server.json(&target("last"));
    assert_eq!(last["games"], 1);
    assert_eq!(last["count"], 1);
    assert_eq!(last["novelties"][0]["game"], 112);

    let fourth = server.json(&target("4"));
    assert!(fourth["games"].as_u64() < Some(111));

    let unknown = server.get(&target("nothing.pgn"));
    assert_eq!(unknown.status, 400, "{}", unknown.text());
}

#[test]
fn novelties_of_too_many_games_are_refused() {
    let work = workplace();
    let server = Server::start(&work, "games.db");
    // Novelties of more than 5,000 games are refused.
    let games = "1. e4 *\n\n".repeat(5001);
    work.import(&games);

    let (status, sentence) = server.refusal("/api/1/novelties");
    assert_eq!(status, 400);
    assert!(sentence.contains("5112 games match"), "{sentence}");
    let of_fischer = server.json("/api/1/novelties?player=fischer");
    assert!(of_fischer["games"].as_u64() > Some(3));
    assert_eq!(server.refusal("/api/1/novelties?sort=elo").0, 400);
}
