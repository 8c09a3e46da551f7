//! `stamma delete`: deletes games.

use std::io::{self, IsTerminal, Write};

use super::args::GameSelection;
use super::output::buffered_output;
use super::search::write_rows;
use super::selection::{games_among, say_missing};
use super::terminal::ellipsis;
use super::{Failure, Outcome, activity, args, open_for_queries, open_to_change_games, say};
use stamma::answer::{FoundGame, ListedGame};
use stamma::error::{Error, Result};
use stamma::report::{counted, grouped};
use stamma::storage::GameSet;

/// The maximum number of games that `--dry-run` lists.
const MAX_LISTED_GAMES: usize = 20;
/// At most one game in this number is deleted without confirmation: a tenth of all games.
const UNCONFIRMED_PART: u64 = 10;

pub(super) fn run(arguments: &args::Delete) -> Result<Outcome, Failure> {
    let selection = arguments.selection()?;
    let is_missing = if arguments.dry_run {
        show(arguments, &selection)?
    } else {
        delete(arguments, &selection)?
    };

    if is_missing {
        Ok(Outcome::DataProblems)
    } else {
        Ok(Outcome::Done)
    }
}

/// Deletes the games; returns `true` if some given numbers have no game.
fn delete(arguments: &args::Delete, selection: &GameSelection) -> Result<bool, Failure> {
    let database = open_to_change_games(&arguments.database)?;
    // Games are chosen and confirmed within the transaction, so that no other program changes them before they are
    // deleted.
    let mut is_missing = false;
    let deleted = database.delete_games(|| -> Result<GameSet, Failure> {
        let games = games_among(&database, &arguments.numbers, selection)?;
        if !arguments.yes {
            confirm(games.len(), database.count_games()?)?;
        }

        is_missing = say_missing(&database, &arguments.numbers)?;
        Ok(games)
    })?;

    say!("{} deleted", counted(deleted, "game", "games"));
    Ok(is_missing)
}

/// An error if many games would be deleted without `--yes` or a confirmation on the terminal.
pub(super) fn confirm(games: u64, all: u64) -> Result<(), Failure> {
    if games.saturating_mul(UNCONFIRMED_PART) <= all {
        return Ok(());
    }

    // A script cannot answer, and would wait forever.
    let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
    if !can_ask {
        return Err(Failure::NotConfirmed { games, all });
    }

    let question = format!(
        "delete {} of {} games? [y/N] ",
        grouped(games),
        grouped(all)
    );
    if asks_yes(&question) {
        Ok(())
    } else {
        Err(Failure::Declined)
    }
}

/// Asks for confirmation on the terminal. Without an answer, or if the terminal fails, the answer is no.
fn asks_yes(question: &str) -> bool {
    let Ok(line) = ask(question) else {
        return false;
    };

    let answer = line.trim().to_lowercase();
    matches!(answer.as_str(), "y" | "yes")
}

/// Asks a question on the terminal, and reads the line that is typed.
fn ask(question: &str) -> io::Result<String> {
    activity::end();
    let mut terminal = io::stderr();
    write!(terminal, "{question}")?;
    terminal.flush()?;

    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer)
}

/// Lists the games to delete; returns `true` if some given numbers have no game.
fn show(arguments: &args::Delete, selection: &GameSelection) -> Result<bool> {
    let database = open_for_queries(&arguments.database)?;
    let games = games_among(&database, &arguments.numbers, selection)?;
    let is_missing = say_missing(&database, &arguments.numbers)?;

    let mut listed = Vec::new();
    for id in games.iter().take(MAX_LISTED_GAMES) {
        listed.push(FoundGame {
            game: ListedGame::read(&database, id)?,
            ..FoundGame::default()
        });
    }

    let all = database.count_games()?;
    let mut out = buffered_output()?;
    write_games(games.len(), all, &listed, &mut out).map_err(Error::Output)?;
    Ok(is_missing)
}

/// Writes the number of games to delete, and the listed games.
fn write_games(games: u64, all: u64, listed: &[FoundGame], out: &mut impl Write) -> io::Result<()> {
    let all = counted(all, "game", "games");
    writeln!(out, "{} of {all} would be deleted", grouped(games))?;
    write_rows(listed, out)?;

    let more = games - listed.len() as u64;
    if more > 0 {
        writeln!(out, "{} and {} more", ellipsis(), grouped(more))?;
    }
    out.flush()
}
