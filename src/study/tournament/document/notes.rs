//! What is said of a crosstable beside its cells: games missing, doubled, left out or unfinished.

use super::letters::Letters;
use super::report::CrosstableReport;
use crate::report::{counted, grouped};
use crate::study::tournament::{Crosstable, Pairing, System};

/// The most players or games named in a sentence.
const MOST_NAMED: usize = 6;

/// The sentences, without full stops.
pub(super) fn notes(report: CrosstableReport<'_>) -> Vec<String> {
    let CrosstableReport {
        tournament,
        crosstable,
        letters,
        ..
    } = report;
    let pairs = |pairings: &[Pairing], what: (&str, &str)| {
        let games = pairings
            .iter()
            .map(|pairing| u64::from(pairing.games))
            .sum();
        let names = pairings
            .iter()
            .map(|pairing| pair(crosstable, pairing, letters));
        (games > 0).then(|| format!("{}: {}", counted(games, what.0, what.1), named(names)))
    };
    let doubled = (!crosstable.doubled.is_empty()).then(|| {
        let games = crosstable
            .doubled
            .iter()
            .map(|&(kept, left)| format!("{} as {}", report.number(left), report.number(kept)));
        let count = counted(crosstable.doubled.len() as u64, "game is", "games are");
        format!("{count} there twice, and counted once: {}", named(games))
    });
    let marked = tournament.duplicates.len() as u64;
    let marked = (marked > 0).then(|| {
        format!(
            "{} marked as duplicates, and not counted",
            counted(marked, "game is", "games are")
        )
    });
    let repeated = tournament.repeated.len() as u64;
    let repeated = (repeated > 0).then(|| {
        let games = counted(repeated, "game is", "games are");
        format!("{games} in several databases, and counted once")
    });
    let unfinished = crosstable.unfinished() as u64;
    let unfinished = (unfinished > 0).then(|| {
        format!(
            "{} no result",
            counted(unfinished, "game has", "games have")
        )
    });
    [
        pairs(
            &crosstable.missing,
            ("game is missing", "games are missing"),
        ),
        pairs(
            &crosstable.surplus,
            (
                "game more than the others have",
                "games more than the others have",
            ),
        ),
        absences(crosstable),
        doubled,
        marked,
        repeated,
        unfinished,
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn pair(crosstable: &Crosstable, pairing: &Pairing, letters: Letters) -> String {
    let name = |player: usize| crosstable.standings[player].name.as_str();
    let [one, other] = pairing.players.map(name);
    let games = if pairing.games > 1 {
        format!(" ({})", pairing.games)
    } else {
        String::new()
    };
    format!("{one} {} {other}{games}", letters.choose("–", "-"))
}

fn absences(crosstable: &Crosstable) -> Option<String> {
    let absences = crosstable.absences();
    let names = absences.iter().map(|&(player, rounds)| {
        let more = if rounds > 1 {
            format!(" ({rounds})")
        } else {
            String::new()
        };
        format!("{}{more}", crosstable.standings[player].name)
    });
    let count = counted(absences.len() as u64, "player has", "players have");
    (!absences.is_empty()).then(|| {
        format!(
            "{count} fewer games than there are rounds: {}",
            named(names)
        )
    })
}

/// The first of some names, and the number of the others.
fn named(names: impl ExactSizeIterator<Item = String>) -> String {
    let all = names.len();
    let first: Vec<String> = names.take(MOST_NAMED).collect();
    let rest = all - first.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{}{more}", first.join("; "))
}

/// What a reader must know before the places: that results are missing, so that places may be wrong. A sentence without a
/// full stop.
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
    match crosstable.system {
        System::Match => "match".to_owned(),
        System::RoundRobin(1) => "round robin".to_owned(),
        System::RoundRobin(2) => "double round robin".to_owned(),
        System::RoundRobin(times) => format!("round robin of {times} cycles"),
        System::KnockOut => "knock-out".to_owned(),
        System::Swiss => match crosstable.rounds {
            Some(rounds) => format!("Swiss, {}", counted(rounds.into(), "round", "rounds")),
            None => "Swiss".to_owned(),
        },
        System::Teams if crosstable.teams.is_empty() => {
            "team event by its name; its games name no teams".to_owned()
        }
        System::Teams => counted(crosstable.teams.len() as u64, "team", "teams"),
        System::Other => "no known system".to_owned(),
    }
}
