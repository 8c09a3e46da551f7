//! Reports as HTML for the page, beside those that the commands write.

use serde_json::Value;

use crate::served;
use crate::support::program::Workplace;
use crate::support::server::Server;

/// The text of HTML without its tags and spaces.
fn words(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for letter in html.chars() {
        match letter {
            '<' => is_tag = true,
            '>' => is_tag = false,
            letter if !is_tag && !letter.is_whitespace() => text.push(letter),
            _ => {}
        }
    }

    text
}

/// The part of a page of HTML from its title on.
fn body(page: &str) -> String {
    let start = page.find("<h1>").expect("a title");
    let Some(contents) = page.find("<nav>") else {
        return words(&page[start..]);
    };

    // The page of the server has no table of contents.
    let end = page.find("</nav>").expect("an end");
    let without_contents = page[..contents].to_owned() + &page[end..];
    words(&without_contents[start..])
}

fn html(answer: &Value) -> &str {
    answer["html"].as_str().expect("HTML")
}

#[test]
fn reports_are_those_of_the_commands() {
    let (work, server) = served("");
    for (target, command) in [
        (
            "opening?play=e2e4",
            "opening games.db --after e4 --format html",
        ),
        (
            "opening?name=B90&since=1950",
            "opening games.db B90 --since 1950 --format html",
        ),
        (
            "opening?name=ruy+lopez",
            "opening games.db ruy lopez --format html",
        ),
        (
            "prepare?name=fischer&as=black",
            "prepare games.db fischer --as black --format html",
        ),
        (
            "prepare?name=kasparov&as=white&since=1990",
            "prepare games.db kasparov --as white --since 1990 --format html",
        ),
    ] {
        let found = server.json(&format!("/api/1/report/{target}"));
        let printed = work.output(command);

        assert_eq!(words(html(&found)), body(&printed), "{target}");
        assert!(html(&found).len() > 500, "{target}");
    }
}

#[test]
fn a_repertoire_cuts_a_preparation() {
    let (work, server) = served("");
    std::fs::write(work.path("mine.pgn"), "1. e4 c5 2. Nf3 d6 *\n").expect("a file");

    let answer = server.post(
        "/api/1/report/prepare-repertoire?name=fischer&as=black",
        "1. e4 c5 2. Nf3 d6 *\n",
    );
    let found: Value = serde_json::from_slice(&answer.body).expect("JSON");
    let command = "prepare games.db fischer --as black --repertoire mine.pgn --format html";

    assert_eq!(words(html(&found)), body(&work.output(command)));

    let whole = server.json("/api/1/report/prepare?name=fischer&as=black");
    assert_ne!(html(&whole), html(&found));
}

/// Links lead to games that are there, and positions that can be shown.
#[test]
fn links_lead_to_views_of_the_page() {
    let (_work, server) = served("");
    let mut games = 0;
    for target in ["opening?play=e2e4", "prepare?name=fischer&as=white"] {
        let found = server.json(&format!("/api/1/report/{target}"));
        for link in html(&found).split("<a href=\"").skip(1) {
            let (address, _) = link.split_once('"').expect("an address");
            let address = address.replace("&amp;", "&");
            let (view, query) = address.split_once('?').expect("parameters");

            match view {
                "#game" => {
                    let parameter = query.split('&').next().expect("a parameter");
                    let id = parameter.trim_start_matches("id=");
                    let game = server.get(&format!("/api/1/games/{id}"));
                    assert_eq!(game.status, 200, "{address}");
                    games += 1;
                }
                "#explorer" => {
                    let position = server.get(&format!("/api/1/position?{query}"));
                    assert_eq!(position.status, 200, "{address}");
                }
                "#player" | "#tournaments" => {}
                other => panic!("{other}"),
            }
        }
    }

    assert!(games > 5, "{games}");
}

#[test]
fn names_in_reports_are_text() {
    let work = Workplace::new();
    work.import(
        "[Event \"<b>E</b>\"]\n[White \"<script>alert(1)</script>\"]\n[Black \"\\\"><img src=x onerror=a()>\"]\n\
         [WhiteElo \"2700\"]\n[BlackElo \"2700\"]\n[Date \"2001.02.03\"]\n\n1. e4 e5 2. Nf3 1-0\n",
    );

    let server = Server::start(&work, "games.db");
    for target in [
        "opening?play=e2e4",
        "prepare?name=script&as=black",
        "prepare?name=img&as=white",
    ] {
        let response = server.get(&format!("/api/1/report/{target}"));
        assert_eq!(
            response.header("content-type"),
            Some("application/json"),
            "{target}"
        );

        let found: Value = serde_json::from_slice(&response.body).expect("JSON");
        let html = html(&found).to_lowercase();
        assert!(
            html.contains("&lt;script&gt;") || html.contains("&lt;img"),
            "{target}: {html}"
        );
        for element in ["<script", "<img", "<b>"] {
            assert!(!html.contains(element), "{html}");
        }
    }
}

#[test]
fn what_has_no_report_is_told() {
    let (_work, server) = served("");
    for (target, told) in [
        ("prepare?as=white", "name is missing"),
        ("prepare?name=fischer", "as is missing"),
        ("prepare?name=fischer&as=red", "as=red: give white or black"),
        ("prepare?name=...&as=white", "letter or a digit"),
        ("opening?name=...", "letter or a digit"),
        ("opening?play=e2e5", "not legal"),
        ("opening?nothing=1", "nothing"),
    ] {
        let (status, sentence) = server.refusal(&format!("/api/1/report/{target}"));
        assert!(
            status == 400 && sentence.contains(told),
            "{target}: {sentence}"
        );
    }
}
