//! The report at the end of a conversion.

use std::time::Duration;

use crate::cli::import::{problems, say_problems};
use crate::cli::progress::games_per_second;
use crate::cli::remarks::{DUPLICATE, Remarks};
use crate::cli::say;
use stamma::convert::Conversion;
use stamma::export::RemarkKind;
use stamma::replay::Effect;
use stamma::report::{counted, grouped};

/// Reports a conversion in one sentence, after its first problems.
pub(super) fn report(done: &Conversion, files: Option<u64>, remarks: &Remarks<'_>, time: Duration) {
    let tally = &done.summary.tally;
    if tally.games == 0 {
        return;
    }

    say_problems(tally, &done.summary.first_problems, "");

    let written = if done.written == tally.games {
        String::new()
    } else {
        format!("{} of ", grouped(done.written))
    };
    // The number of positions is printed even if it is 0, as it is the number of lines of the output.
    let positions = match &done.positions {
        Some(positions) => format!(", {}", counted(positions.lines, "position", "positions")),
        None => String::new(),
    };
    let files = and_counted(files.unwrap_or(0), "file", "files");
    let duplicates = and_counted(done.duplicates, "duplicate left out", "duplicates left out");
    let repairs = and_counted(remarks.repairs(), "repair by --fix", "repairs by --fix");
    let openings = and_counted(remarks.openings(), "tag of openings", "tags of openings");
    let names = and_counted(remarks.names(), "tag of names", "tags of names");

    let seconds = time.as_secs_f64();
    let rate = games_per_second(tally.games, time);
    say!(
        "{written}{}{positions}{files}{duplicates}, {}{repairs}{openings}{names} in {seconds:.2} s ({} games/s)",
        counted(tally.games, "game", "games"),
        problems(tally),
        grouped(rate),
    );
}

/// A comma and a number with its noun; empty for 0.
fn and_counted(count: u64, one: &str, many: &str) -> String {
    if count > 0 {
        format!(", {}", counted(count, one, many))
    } else {
        String::new()
    }
}

/// Reports a conversion by `stamma clean`, a number on each line.
pub(super) fn report_in_numbers(
    done: &Conversion,
    files: Option<u64>,
    remarks: &Remarks<'_>,
    time: Duration,
) {
    let tally = &done.summary.tally;
    if tally.games == 0 {
        return;
    }

    say_problems(tally, &done.summary.first_problems, "");

    say_number(tally.games, "games read");
    say_number(done.duplicates, "duplicates left out");
    remarks.say_examples(DUPLICATE);
    let others = tally.games.saturating_sub(done.written + done.duplicates);
    say_number_if_any(others, "other games left out");
    say_number(done.written, "games written");
    say_number_if_any(files.unwrap_or(0), "files");
    say_number_if_any(tally.problem_count(), "problems in these games");
    let repaired = tally.problems_with(Effect::Repaired);
    say_number_if_any(repaired, "of them repaired in reading");

    remarks.report_as(kind_in_words);
    say!("cleaned in {:.2} s", time.as_secs_f64());
}

/// Prints a number and its noun on a line.
fn say_number(number: u64, what: &str) {
    say!("{:>9}  {what}", grouped(number));
}

/// Like [`say_number`], but prints nothing for 0.
fn say_number_if_any(number: u64, what: &str) {
    if number > 0 {
        say_number(number, what);
    }
}

/// The words for a kind of change; `None` for duplicates, which are reported separately.
fn kind_in_words(code: &'static str) -> Option<String> {
    if code == DUPLICATE {
        return None;
    }

    let named = [
        (RemarkKind::Repaired.code(), "tags repaired"),
        (RemarkKind::AddedTag.code(), "tags added"),
        (RemarkKind::OpeningTag.code(), "tags of openings filled in"),
        (
            RemarkKind::NameTag.code(),
            "tags of names corrected or filled in",
        ),
    ];
    for (kind, words) in named {
        if kind == code {
            return Some(words.to_owned());
        }
    }
    Some(code.to_owned())
}
