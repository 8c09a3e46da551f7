//! `stamma prepare`

use std::io::Write;
use std::path::PathBuf;

use super::args::{self, PrepareFormat};
use super::output::{buffered_output, output_of, refuse_any_of};
use super::printable::printable_json;
use super::suggestions::say_unknown;
use super::terminal::output_width;
use super::{Outcome, damaged, file_error, open_for_positions, report, say};
use stamma::error::{Error, Result};
use stamma::export::{add_comment, write_pgn};
use stamma::game::Game;
use stamma::input::{Encoding, decode};
use stamma::notation::Style;
use stamma::query::{Preparation, PreparationQuery, Repertoire, RepertoireReader, Watch};
use stamma::report::{PreparationReport, html_page, markdown};
use stamma::storage::{Database, GameReader};

pub(super) fn run(arguments: &args::Prepare) -> Result<Outcome> {
    let database = open_for_positions(&arguments.database)?;
    let mut query = arguments.query();
    say_unknown([&database], &query.filter_with_name())?;
    query.repertoire = repertoire(arguments)?;
    let remarks = query.repertoire.as_ref().map(Repertoire::remarks).unwrap_or_default();
    remarks.iter().for_each(|remark| say!("{remark}"));
    match &arguments.output {
        None => {
            let mut out = buffered_output()?;
            write(&database, &query, arguments.format, &mut out)?;
            out.flush().map_err(Error::Output)?;
        }
        Some(path) => {
            refuse_any_of(path, arguments.repertoire.iter().map(PathBuf::as_path))?;
            let mut out = output_of(&database, path)?;
            write(&database, &query, arguments.format, &mut out)?;
            out.finish(Outcome::Done)?;
        }
    }
    Ok(if remarks.is_empty() { Outcome::Done } else { Outcome::DataProblems })
}

/// Reads the files of the repertoire, if any.
fn repertoire(arguments: &args::Prepare) -> Result<Option<Repertoire>> {
    if arguments.repertoire.is_empty() {
        return Ok(None);
    }
    let mut reader = RepertoireReader::new();
    for path in &arguments.repertoire {
        let bytes = std::fs::read(path).map_err(file_error(path))?;
        let decoded = decode(&bytes, Encoding::UTF_8);
        reader.read(&path.display().to_string(), decoded.text());
    }
    let repertoire = reader.finish(Some(arguments.color()));
    repertoire.map(Some).map_err(|error| Error::Repertoire(error.to_string()))
}

fn write(
    database: &Database,
    query: &PreparationQuery,
    format: PrepareFormat,
    out: &mut impl Write,
) -> Result<()> {
    let preparation = Preparation::read(database, query, &Watch::new())?;
    let made = PreparationReport::read(database, &preparation)?;
    let bytes = match format {
        PrepareFormat::Text => report::text(&made.document(), output_width()).into_bytes(),
        PrepareFormat::Md => markdown(&made.document()).into_bytes(),
        PrepareFormat::Html => html_page(&made.document()).into_bytes(),
        PrepareFormat::Json => json(&made)?,
        PrepareFormat::Pgn => pgn(database, &made)?,
    };
    out.write_all(&bytes).map_err(Error::Output)?;
    if matches!(format, PrepareFormat::Json | PrepareFormat::Pgn) && preparation.names.len() > 1 {
        let names = preparation.names.iter().map(|(name, _)| format!("\"{name}\""));
        let names: Vec<String> = names.take(MOST_NAMES).collect();
        say!("{} players match, and count as one: {}", preparation.names.len(), names.join(", "));
    }
    Ok(())
}

/// The most names in a message.
const MOST_NAMES: usize = 5;

fn json(made: &PreparationReport<'_>) -> Result<Vec<u8>> {
    let json =
        serde_json::to_string(&made.record()).map_err(|error| Error::Output(error.into()))?;
    Ok(format!("{}\n", printable_json(&json)).into_bytes())
}

/// The tree as a game, and the games to look at, each with the reasons as its first comment.
fn pgn(database: &Database, made: &PreparationReport<'_>) -> Result<Vec<u8>> {
    let mut pgn = Vec::new();
    let mut write = |number: i64, game: &Game<'_>| {
        write_pgn(game, &Style::pgn(), &mut pgn).map_err(damaged(database, number))
    };
    write(0, &made.tree_as_game())?;
    let mut reader = GameReader::new(database)?;
    for study in &made.preparation.games {
        if let Some(mut game) = reader.game(study.game)? {
            add_comment(&mut game, 0, &made.comment_on(study));
            write(study.game, &game)?;
        }
    }
    Ok(pgn)
}
