//! Reports: HTML for the page, made by the room `report`, where all text is escaped.
//!
//! The HTML is sent in JSON, so that no browser shows the answer itself as a page.

use schemars::JsonSchema;
use serde::Serialize;
use stamma::report::{Document, Target, html_fragment};

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;

#[derive(Serialize, JsonSchema)]
pub(super) struct Report<'d> {
    title: &'d str,
    html: String,
}

/// A document as an answer; its links lead to views of the page.
pub(super) fn report(document: &Document) -> Result<Answer, Failure> {
    let html = html_fragment(document, &|target| address(target));
    Answer::json(&Report {
        title: &document.title,
        html,
    })
}

/// The address of a link's target on the page; `None` if the page has no view of it.
fn address(target: &Target) -> Option<String> {
    let (view, parameters) = match target {
        Target::Game {
            database,
            game,
            ply,
        } => {
            let id = match database {
                Some(name) => format!("{name}:{game}"),
                None => game.to_string(),
            };
            let mut parameters = vec![("id", id)];

            // The view begins at the start of the game by itself.
            if let Some(ply) = ply
                && *ply > 0
            {
                parameters.push(("ply", ply.to_string()));
            }
            ("game", parameters)
        }
        Target::Position(fen) => ("explorer", vec![("fen", fen.clone())]),
        // The sign `=` asks for exactly this name.
        Target::Player(name) => ("player", vec![("name", format!("={name}"))]),
        Target::Event(name) => ("tournaments", vec![("event", format!("={name}"))]),
        Target::Web(_) => return None,
    };

    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    Some(format!("#{view}?{}", query.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stamma::storage::GameId;

    #[test]
    fn links_lead_to_views() {
        let named = |target| address(&target).unwrap_or_default();
        let game = |database: Option<&str>, ply| {
            named(Target::Game {
                database: database.map(str::to_owned),
                game: GameId::new(7),
                ply: Some(ply),
            })
        };
        let player = named(Target::Player("<b> & \"x\"".to_owned()));
        let web = Target::Web("https://example.org".to_owned());

        assert_eq!(game(None, 12), "#game?id=7&ply=12");
        assert_eq!(game(None, 0), "#game?id=7");
        assert_eq!(game(Some("2024 & on"), 0), "#game?id=2024+%26+on%3A7");
        assert_eq!(player, "#player?name=%3D%3Cb%3E+%26+%22x%22");
        assert_eq!(address(&web), None);
    }
}
