//! `stamma head-to-head`: prints the score of two players against each other.

use super::output::write_output;
use super::records::write_answer;
use super::suggestions::say_unknown;
use super::{Failure, Outcome, args, args::AnswerFormat, open_for_queries, report};
use stamma::answer;
use stamma::error::Result;
use stamma::query::Watch;
use stamma::report::{Document, html_page};
use stamma::storage::Database;
use stamma::study::head_to_head::{HeadToHead, head_to_head_document};

pub(super) fn run(arguments: &args::HeadToHead) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let database = open_for_queries(&arguments.database)?;
    say_unknown([&database], &query.filter_with_names())?;

    let found = HeadToHead::read(&database, &query, &Watch::new())?;
    let mut written = Vec::new();
    match arguments.format.for_answer() {
        None => {
            let page = html_page(&document(&database, &found)?);
            written.extend(page.into_bytes());
        }
        Some(AnswerFormat::Table) => {
            let width = report::text_width(arguments.output.as_deref());
            let text = report::text(&document(&database, &found)?, width);
            written.extend(text.into_bytes());
        }
        Some(format) => {
            let answer = answer::HeadToHead::read(&database, &found)?;
            let rows = &answer.latest_games;
            write_answer(
                &answer,
                rows,
                format,
                arguments.csv_cells,
                String::new,
                &mut written,
            )?;
        }
    }
    write_output([&database], arguments.output.as_deref(), &written)?;
    Ok(Outcome::Done)
}

/// The answer as a document.
fn document(database: &Database, found: &HeadToHead) -> Result<Document> {
    let mut headings = Vec::new();
    for (game, _) in &found.games {
        headings.push(database.heading(*game)?.unwrap_or_default());
    }
    Ok(head_to_head_document(found, &headings))
}
