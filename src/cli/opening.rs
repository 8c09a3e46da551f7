//! `stamma opening`: reports on an opening.

use super::suggestions::{say_about_names, say_unknown};
use super::{Failure, Outcome, args, open_all_for_positions, report, say_all_indexed_plies};
use stamma::answer;
use stamma::error::Result;
use stamma::query::{Databases, Filter, Watch};
use stamma::storage::Database;
use stamma::study::opening::opening_document;
use stamma::study::opening::{OpeningReport, OpeningSubject};

pub(super) fn run(arguments: &args::Opening) -> Result<Outcome, Failure> {
    // Databases are opened first, so that an opening's name in their place is reported as such.
    let databases = open_all_for_positions(&arguments.databases()?)?;
    let query = arguments.query()?;
    say_all_indexed_plies(&databases)?;
    say_about_names(&databases, &query.filter)?;
    if let OpeningSubject::Named(name) = &query.subject {
        let of_opening = Filter {
            openings: vec![name.clone()],
            ..Filter::default()
        };
        say_unknown(&databases, &of_opening)?;
    }

    let all: Vec<&Database> = databases.iter().collect();
    let found = OpeningReport::read(&all, &query, &Watch::new())?;
    write(&databases, arguments, &found)?;
    Ok(Outcome::Done)
}

/// Writes the report in the requested format.
fn write(databases: &Databases, arguments: &args::Opening, found: &OpeningReport) -> Result<()> {
    let names = databases.names_of_several();
    let document = opening_document(found, names, &arguments.opening_text());
    let records = answer::OpeningReport::new(found, names);
    report::write(
        databases,
        arguments.output.as_deref(),
        arguments.format,
        &document,
        &records,
    )
}
