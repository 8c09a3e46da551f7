//! Notes below a crosstable: games that are missing, doubled, left out or unfinished.

use super::letters::Letters;
use super::report::CrosstableReport;
use crate::report::{counted, grouped};
use crate::study::tournament::{Crosstable, Pairing, System, Tournament};

/// The maximum number of players or games named in a sentence.
const MAX_NAMED: usize = 6;

/// The sentences, without full stops.
pub(super) fn notes(report: CrosstableReport<'_>) -> Vec<String> {
    let crosstable = report.crosstable;
    let missing = ("game is missing", "games are missing");
    let surplus = (
        "game more than the others have",
        "games more than the others have",
    );

    let notes = [
        pairs_note(report, &crosstable.missing, missing),
        pairs_note(report, &crosstable.surplus, surplus),
        absences_note(crosstable),
        doubled_note(report),
        marked_note(report.tournament),
        repeated_note(report.tournament),
        unfinished_note(crosstable),
    ];
    notes.into_iter().flatten().collect()
}

/// The number of games of pairs, and the pairs; `one` and `several` are the words for one game and for several games.
fn pairs_note(
    report: CrosstableReport<'_>,
    pairings: &[Pairing],
    (one, several): (&str, &str),
) -> Option<String> {
    let games: u64 = pairings
        .iter()
        .map(|pairing| u64::from(pairing.games))
        .sum();
    if games == 0 {
        return None;
    }

    let count = counted(games, one, several);
    let names = pairings
        .iter()
        .map(|pairing| pair_names(report.crosstable, pairing, report.letters));
    Some(format!("{count}: {}", list_names(names)))
}

/// The note on games that are in a database twice; `None` without such games.
fn doubled_note(report: CrosstableReport<'_>) -> Option<String> {
    let doubled = &report.crosstable.doubled;
    if doubled.is_empty() {
        return None;
    }

    let count = counted(doubled.len() as u64, "game is", "games are");
    let games = doubled
        .iter()
        .map(|&(kept, left)| format!("{} as {}", report.number(left), report.number(kept)));
    Some(format!(
        "{count} there twice, and counted once: {}",
        list_names(games)
    ))
}

/// The note on games that are marked as duplicates; `None` without such games.
fn marked_note(tournament: &Tournament) -> Option<String> {
    let marked = tournament.duplicates.len() as u64;
    if marked == 0 {
        return None;
    }
    let count = counted(marked, "game is", "games are");
    Some(format!("{count} marked as duplicates, and not counted"))
}

/// The note on games that several databases have; `None` without such games.
fn repeated_note(tournament: &Tournament) -> Option<String> {
    let repeated = tournament.repeated.len() as u64;
    if repeated == 0 {
        return None;
    }
    let count = counted(repeated, "game is", "games are");
    Some(format!("{count} in several databases, and counted once"))
}

/// The note on games without a result; `None` without such games.
fn unfinished_note(crosstable: &Crosstable) -> Option<String> {
    let unfinished = crosstable.unfinished() as u64;
    if unfinished == 0 {
        return None;
    }
    let count = counted(unfinished, "game has", "games have");
    Some(format!("{count} no result"))
}

/// The names of a pair, with its number of games if it is above one: `Euwe – Smyslov (2)`.
fn pair_names(crosstable: &Crosstable, pairing: &Pairing, letters: Letters) -> String {
    let [one, other] = pairing
        .players
        .map(|player| crosstable.standings[player].name.as_str());
    let dash = letters.choose("–", "-");
    let games = if pairing.games > 1 {
        format!(" ({})", pairing.games)
    } else {
        String::new()
    };
    format!("{one} {dash} {other}{games}")
}

/// The note on players of a Swiss who missed rounds; `None` without such players.
fn absences_note(crosstable: &Crosstable) -> Option<String> {
    let absences = crosstable.absences();
    if absences.is_empty() {
        return None;
    }

    let count = counted(absences.len() as u64, "player has", "players have");
    let names = absences.iter().map(|&(player, rounds)| {
        let name = &crosstable.standings[player].name;
        if rounds > 1 {
            format!("{name} ({rounds})")
        } else {
            name.clone()
        }
    });
    Some(format!(
        "{count} fewer games than there are rounds: {}",
        list_names(names)
    ))
}

/// The first of some names, and the number of the others.
fn list_names(names: impl ExactSizeIterator<Item = String>) -> String {
    let all = names.len();
    let first: Vec<String> = names.take(MAX_NAMED).collect();
    let rest = all - first.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{}{more}", first.join("; "))
}

/// The warning that results are missing, so that places may be wrong. It stands before the places, and is a sentence
/// without a full stop.
pub(super) fn warning(crosstable: &Crosstable) -> Option<String> {
    let (found, all) = crosstable.missing_results()?;
    Some(format!(
        "incomplete: {} of {} results of players are here, and places count these only",
        grouped(found),
        grouped(all)
    ))
}

/// The system of a tournament in words.
pub(super) fn system(crosstable: &Crosstable) -> String {
    let name = match crosstable.system {
        System::Match => "match",
        System::RoundRobin(1) => "round robin",
        System::RoundRobin(2) => "double round robin",
        System::RoundRobin(times) => return format!("round robin of {times} cycles"),
        System::KnockOut => "knock-out",
        System::Swiss => return swiss_with_rounds(crosstable.rounds),
        System::Teams => return team_event_with_teams(crosstable.teams.len()),
        System::Other => "no known system",
    };
    name.to_owned()
}

fn swiss_with_rounds(rounds: Option<u16>) -> String {
    let Some(rounds) = rounds else {
        return "Swiss".to_owned();
    };
    let rounds = counted(rounds.into(), "round", "rounds");
    format!("Swiss, {rounds}")
}

fn team_event_with_teams(teams: usize) -> String {
    if teams == 0 {
        return "team event by its name; its games name no teams".to_owned();
    }
    counted(teams as u64, "team", "teams")
}
