//! `stamma opening`

use super::suggestions::{say_about_names, say_unknown};
use super::{Failure, Outcome, args, open_for_positions, report, say_indexed_plies};
use stamma::answer;
use stamma::error::Result;
use stamma::query::{Filter, Watch};
use stamma::storage::Database;
use stamma::study::opening::opening_document;
use stamma::study::opening::{OpeningReport, OpeningSubject};

pub(super) fn run(arguments: &args::Opening) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let database = open_for_positions(&arguments.database)?;
    say_indexed_plies(&database)?;
    say_about_names([&database], &query.filter)?;
    if let OpeningSubject::Named(name) = &query.subject {
        say_unknown(
            [&database],
            &Filter {
                openings: vec![name.clone()],
                ..Filter::default()
            },
        )?;
    }
    let found = OpeningReport::read(&database, &query, &Watch::new())?;
    write(&database, arguments, &found)?;
    Ok(Outcome::Done)
}

fn write(database: &Database, arguments: &args::Opening, found: &OpeningReport) -> Result<()> {
    let document = opening_document(found, &arguments.asked());
    let records = answer::OpeningReport::new(found);
    report::write(
        [database],
        arguments.output.as_deref(),
        arguments.format,
        &document,
        &records,
    )
}
