//! The record of a player as text.

use std::fmt::Write;

use crate::cli::printable::printable;
use crate::cli::table::table;
use crate::cli::terminal::{terminal_width, text_or_question_mark};
use stamma::board::Color;
use stamma::query::player::{OpeningFamily, PlayerRecord, PlayerScore, Ranked};
use stamma::report::{counted, elo, grouped};
use stamma::storage::{GameId, Heading};

/// The record as text: a summary, and tables of scores and of the latest games. `latest` are the headings of these
/// games.
pub(super) fn page(record: &PlayerRecord, latest: &[Heading]) -> String {
    let mut page = summary(record);
    if record.total.all_games() == 0 {
        return page;
    }

    let scores = table(&score_rows(record), &SCORE_NUMBERS, terminal_width());
    page.push('\n');
    page.push_str(&scores);

    if !latest.is_empty() {
        let games = distinct_games(record, latest);
        let heading = heading_of_latest(record, latest.len(), games.len());
        let list = table(&game_rows(&games), &GAME_NUMBERS, terminal_width());
        let _ = write!(page, "\n{heading}\n{list}");
    }

    page
}

/// The heading of the table of latest games. A game in which both names match counts twice in `found`, and once in
/// `listed`.
fn heading_of_latest(record: &PlayerRecord, found: usize, listed: usize) -> String {
    if found == listed {
        return heading_of("latest games", &record.latest);
    }
    if found == record.latest.all {
        return "latest games".to_owned();
    }
    format!("latest games (the first {listed})")
}

/// The name, the number of games with their dates, the accuracy, and notes on the spellings of the name.
fn summary(record: &PlayerRecord) -> String {
    let mut text = String::new();

    if let Some(player) = first_name(&record.names) {
        text.push_str(&printable(player));

        // Only a record against an opponent has latest games.
        let is_against_one = !record.latest.rows.is_empty();
        if is_against_one && let Some(opponent) = first_name(&record.opponents) {
            let _ = write!(text, " against {}", printable(opponent));
        }
        text.push('\n');
    }

    text.push_str(&games_in_words(&record.total));
    text.push('\n');

    let accuracy = &record.accuracy;
    if let (Some(percent), Some(loss)) = (accuracy.percent(), accuracy.centipawn_loss()) {
        let games = counted(accuracy.games, "game", "games");
        let _ = writeln!(
            text,
            "accuracy {percent:.1} % in {games} with evaluations; average centipawn loss {loss:.0}"
        );
    }

    if !record.by_initials.is_empty() {
        let spelled = listed_names(&record.by_initials);
        let _ = writeln!(
            text,
            "counted though a given name is missing or short: {spelled}"
        );
    }
    if !record.others.is_empty() {
        let _ = writeln!(text, "{}", not_counted(&record.others));
    }

    text
}

/// The number of games, with the first and the last date and the highest rating if they are known.
fn games_in_words(total: &PlayerScore) -> String {
    let mut text = counted(total.all_games(), "game", "games");

    // Writing to memory cannot fail.
    match (total.first, total.last) {
        (Some(first), Some(last)) if first == last => {
            let _ = write!(text, ", {first}");
        }
        (Some(first), Some(last)) => {
            let _ = write!(text, ", {first} to {last}");
        }
        _ => {}
    }
    if let Some(elo) = total.highest_elo {
        let _ = write!(text, "; highest Elo {elo}");
    }
    text
}

/// A sentence about the players who are not counted although their names match, with the numbers of their games.
pub(in crate::cli) fn not_counted(players: &[(String, u64)]) -> String {
    let others = counted(players.len() as u64, "other player", "other players");
    format!("not counted, {others}: {}", listed_names(players))
}

/// The name with the most games.
fn first_name(list: &Ranked<String>) -> Option<&str> {
    list.rows.first().map(|(name, _)| name.as_str())
}

/// The maximum number of names in a sentence.
const MAX_LISTED: usize = 5;

/// The first [`MAX_LISTED`] names with the numbers of their games, and the number of further names.
fn listed_names(names: &[(String, u64)]) -> String {
    let mut listed = Vec::new();
    for (name, games) in names.iter().take(MAX_LISTED) {
        listed.push(format!("{} ({})", printable(name), grouped(*games)));
    }

    let more = names.len() - listed.len();
    if more > 0 {
        listed.push(format!("{} more", grouped(more as u64)));
    }

    listed.join("; ")
}

/// The header of the table of scores. Its first column has names.
const SCORE_HEADER: [&str; 8] = [
    "", "games", "won", "drawn", "lost", "score", "opp. Elo", "perf.",
];
/// The indices of the columns with numbers in [`SCORE_HEADER`].
const SCORE_NUMBERS: [usize; 7] = [1, 2, 3, 4, 5, 6, 7];

/// The rows of the table of scores: all games, then a section for each list of the record.
fn score_rows(record: &PlayerRecord) -> Vec<Vec<String>> {
    let mut rows = vec![SCORE_HEADER.map(str::to_owned).to_vec()];

    rows.push(score_row("all games", &record.total));
    for (color, score) in &record.colors {
        rows.push(score_row(with_color(*color), score));
    }

    if record.spellings.all > 1 {
        push_section(&mut rows, "spellings", &record.spellings);
    }
    for (color, families, all) in &record.families {
        // A family has several rows, but the heading counts families.
        let title = format!("openings {}", with_color(*color));
        let heading = shown_of_all(&title, families.len(), *all);
        let listed = Ranked {
            rows: by_family(families),
            all: *all,
        };
        push_section_below(&mut rows, heading, &listed);
    }
    push_section(&mut rows, "opponents", &record.opponents);
    push_section(&mut rows, "years", &record.years);
    rows
}

/// `with White` or `with Black`.
fn with_color(color: Color) -> &'static str {
    if color.is_white() {
        "with White"
    } else {
        "with Black"
    }
}

/// A row for each family of openings, followed by indented rows of the most played openings of the family, without the
/// name of the family.
fn by_family(families: &[OpeningFamily]) -> Vec<(String, PlayerScore)> {
    let mut rows = Vec::new();
    for family in families {
        rows.push((family.name.clone(), family.score));
        for (name, score) in &family.openings.rows {
            let behind_family = name.strip_prefix(&family.name).unwrap_or(name);
            let variation = behind_family.trim_start_matches([':', ' ']);
            if !variation.is_empty() {
                rows.push((format!("  {variation}"), *score));
            }
        }
    }
    rows
}

/// Appends a list after an empty line and a heading; nothing if the list is empty.
fn push_section<K: ToString>(rows: &mut Vec<Vec<String>>, title: &str, list: &Ranked<K>) {
    push_section_below(rows, heading_of(title, list), list);
}

/// Like [`push_section`], with a given heading.
fn push_section_below<K: ToString>(rows: &mut Vec<Vec<String>>, heading: String, list: &Ranked<K>) {
    if list.rows.is_empty() {
        return;
    }

    rows.push(Vec::new());
    rows.push(vec![heading]);
    for (key, score) in &list.rows {
        rows.push(score_row(&key.to_string(), score));
    }
}

/// The heading of a list, with the numbers of listed and of all rows if some are omitted.
fn heading_of<K>(title: &str, list: &Ranked<K>) -> String {
    shown_of_all(title, list.rows.len(), list.all)
}

/// A heading: the title, with the numbers of shown and of all rows if some are omitted.
fn shown_of_all(title: &str, shown: usize, all: usize) -> String {
    if shown >= all {
        title.to_owned()
    } else {
        format!("{title} ({shown} of {})", grouped(all as u64))
    }
}

/// The cells of a score.
fn score_row(name: &str, score: &PlayerScore) -> Vec<String> {
    let per_cent = match score.per_cent() {
        Some(per_cent) => format!("{per_cent:.1} %"),
        None => "-".to_owned(),
    };

    vec![
        name.to_owned(),
        grouped(score.all_games()),
        grouped(score.won),
        grouped(score.drawn),
        grouped(score.lost),
        per_cent,
        elo(score.opponent_elo.mean()),
        elo(score.performance()),
    ]
}

/// The latest games without repetition: the record has a game twice if both names match.
fn distinct_games<'h>(record: &PlayerRecord, latest: &'h [Heading]) -> Vec<(GameId, &'h Heading)> {
    let rows = &record.latest.rows;
    let mut games = Vec::with_capacity(latest.len());
    for (((game, _), _), heading) in rows.iter().zip(latest) {
        games.push((*game, heading));
    }

    // The two rows of a game are adjacent, since the latest games are sorted by date and number.
    games.dedup_by_key(|(game, _)| *game);
    games
}

/// The header of the table of latest games.
const GAME_HEADER: [&str; 8] = [
    "game", "White", "Black", "result", "date", "event", "ECO", "plies",
];
/// The indices of the columns with numbers in [`GAME_HEADER`].
const GAME_NUMBERS: [usize; 2] = [0, 7];

/// The rows of the table of latest games.
fn game_rows(games: &[(GameId, &Heading)]) -> Vec<Vec<String>> {
    let mut rows = vec![GAME_HEADER.map(str::to_owned).to_vec()];

    for (game, heading) in games {
        rows.push(vec![
            game.to_string(),
            text_or_question_mark(heading.white.as_deref()),
            text_or_question_mark(heading.black.as_deref()),
            heading.result.clone(),
            text_or_question_mark(heading.date.as_deref()),
            text_or_question_mark(heading.event.as_deref()),
            heading.eco.clone().unwrap_or_default(),
            heading.plies.to_string(),
        ]);
    }
    rows
}
