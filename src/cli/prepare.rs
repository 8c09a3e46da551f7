//! `stamma prepare`: prepares for an opponent.

use std::path::PathBuf;

use super::args::{self, PrepareFormat};
use super::output::{refuse_any_of, write_output};
use super::suggestions::say_unknown;
use super::{
    Failure, Outcome, damaged, open_all_for_positions, repertoire, report, say,
    say_all_indexed_plies,
};
use stamma::answer;
use stamma::error::Result;
use stamma::export::{add_comment, write_pgn};
use stamma::game::Ply;
use stamma::notation::Style;
use stamma::query::{Databases, GameOfDatabase, Watch};
use stamma::report::counted;
use stamma::storage::{Database, GameReader};
use stamma::study::preparation::Preparation;
use stamma::study::preparation::{PreparationReport, other_side_warning};

pub(super) fn run(arguments: &args::Prepare) -> Result<Outcome, Failure> {
    // Databases are opened first, so that a player's name in their place is reported as such.
    let databases = open_all_for_positions(&arguments.databases()?)?;
    let mut query = arguments.query()?;
    say_all_indexed_plies(&databases)?;
    say_unknown(&databases, &query.filter_with_name())?;

    if !arguments.repertoire.is_empty() {
        let color = Some(arguments.color());
        let repertoire = repertoire::read(&arguments.repertoire, color)?;
        query.repertoire = Some(repertoire);
    }
    let has_remarks = match &query.repertoire {
        Some(repertoire) => !repertoire.remarks().is_empty(),
        None => false,
    };
    // The preparation must not overwrite the repertoire that it is made from.
    if let Some(path) = &arguments.output {
        refuse_any_of(path, arguments.repertoire.iter().map(PathBuf::as_path))?;
    }

    let all: Vec<&Database> = databases.iter().collect();
    let names = databases.names_of_several();
    let preparation = Preparation::read(&all, &query, &Watch::new())?;
    let prepared = PreparationReport::read(&all, names, &preparation)?;

    write(&databases, &prepared, arguments)?;

    // In the other formats, these remarks are part of the document.
    let has_no_document = matches!(arguments.format, PrepareFormat::Json | PrepareFormat::Pgn);
    if has_no_document {
        say_names(&preparation);
        say_side(&preparation);
    }
    if has_remarks {
        Ok(Outcome::DataProblems)
    } else {
        Ok(Outcome::Done)
    }
}

/// Writes the preparation in the requested format, to a file or to standard output.
fn write(
    databases: &Databases,
    prepared: &PreparationReport<'_>,
    arguments: &args::Prepare,
) -> Result<()> {
    let output = arguments.output.as_deref();
    match arguments.format.of_report() {
        Some(format) => {
            let answer = answer::Preparation::new(prepared);
            report::write(databases, output, format, &prepared.document(), &answer)
        }
        None => {
            let all: Vec<&Database> = databases.iter().collect();
            let games = pgn(&all, prepared)?;
            write_output(databases, output, games)
        }
    }
}

/// The maximum number of names in a message.
const MAX_NAMES: usize = 5;

/// Prints the spellings that are counted if there are several, and the other players that match.
fn say_names(preparation: &Preparation) {
    let Preparation { names, others, .. } = preparation;
    if names.len() > 1 {
        say!(
            "{} spellings counted as one player: {}",
            names.len(),
            listed_names(names)
        );
    }
    if !others.is_empty() {
        let players = counted(others.len() as u64, "other player", "other players");
        say!("not counted, {players}: {}", listed_names(others));
    }
}

/// The first [`MAX_NAMES`] names with their games.
fn listed_names(names: &[(String, u64)]) -> String {
    let mut listed = Vec::new();
    for (name, games) in names.iter().take(MAX_NAMES) {
        let games = counted(*games, "game", "games");
        listed.push(format!("\"{name}\" ({games})"));
    }
    listed.join(", ")
}

/// Warns if the repertoire seems to be for the other colour.
fn say_side(preparation: &Preparation) {
    if let Some(meeting) = &preparation.meeting
        && meeting.seems_of_other_side
    {
        say!("{}", other_side_warning(preparation.color));
    }
}

/// The tree of lines as a game, then the games to study, each with the reasons as its first comment.
fn pgn(databases: &[&Database], prepared: &PreparationReport<'_>) -> Result<Vec<u8>> {
    let style = Style::pgn();
    let mut pgn = Vec::new();
    // An error of writing the tree names game 0, since the tree is not a game of a database.
    let tree = prepared.tree_as_game();
    write_pgn(&tree, &style, &mut pgn).map_err(damaged(databases[0], 0))?;

    let mut readers = Vec::with_capacity(databases.len());
    for database in databases {
        readers.push(GameReader::new(database)?);
    }

    for study in &prepared.preparation.games {
        let GameOfDatabase { database, game: id } = study.game;
        let Some(mut game) = readers[database].game(id)? else {
            continue;
        };
        add_comment(&mut game, Ply::START, &prepared.comment_on(study));
        write_pgn(&game, &style, &mut pgn).map_err(damaged(databases[database], id.get()))?;
    }
    Ok(pgn)
}
