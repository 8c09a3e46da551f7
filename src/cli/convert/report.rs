//! The report at the end of a conversion.

use std::time::Duration;

use crate::cli::import::{problems, say_problems};
use crate::cli::remarks::{DUPLICATE, Remarks};
use crate::cli::say;
use stamma::convert::Conversion;
use stamma::export::RemarkKind;
use stamma::replay::Effect;
use stamma::report::{counted, grouped};

/// Reports what was read and written.
pub(super) fn report(done: &Conversion, files: Option<u64>, remarks: &Remarks<'_>, time: Duration) {
    let tally = &done.summary.tally;
    if tally.games == 0 {
        return;
    }
    say_problems(tally, &done.summary.first_problems, "");
    let seconds = time.as_secs_f64();
    let changes = |count: u64, one: &str, many: &str| match count {
        0 => String::new(),
        _ => format!(", {}", counted(count, one, many)),
    };
    let written = match done.written == tally.games {
        true => String::new(),
        false => format!("{} of ", grouped(done.written)),
    };
    let positions = done
        .positions
        .as_ref()
        .map_or_else(String::new, |positions| {
            format!(", {}", counted(positions.lines, "position", "positions"))
        });
    let files = files.map_or_else(String::new, |files| changes(files, "file", "files"));
    let duplicates = changes(done.duplicates, "duplicate left out", "duplicates left out");
    let repairs = changes(remarks.repairs(), "repair by --fix", "repairs by --fix");
    let openings = changes(remarks.openings(), "tag of openings", "tags of openings");
    let names = changes(remarks.names(), "tag of names", "tags of names");
    say!(
        "{written}{}{positions}{files}{duplicates}, {}{repairs}{openings}{names} in {seconds:.2} s ({} games/s)",
        counted(tally.games, "game", "games"),
        problems(tally),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
    );
}

/// Reports a conversion that cleans, a number to a line.
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
    let others = tally.games - done.written - done.duplicates;
    for (number, what) in [
        (tally.games, "games read"),
        (done.duplicates, "duplicates left out"),
        (others, "other games left out"),
        (done.written, "games written"),
        (files.unwrap_or(0), "files"),
        (tally.problem_count(), "problems in these games"),
        (
            tally.problems_with(Effect::Repaired),
            "of them repaired in reading",
        ),
    ] {
        if number > 0 || what.ends_with("written") || what.starts_with("duplicates") {
            say!("{:>9}  {what}", grouped(number));
        }
        if what.starts_with("duplicates") {
            remarks.say_examples(DUPLICATE);
        }
    }
    remarks.report_as(said);
    say!("cleaned in {:.2} s", time.as_secs_f64());
}

/// What a kind of changes counts; `None` for duplicates, which are said elsewhere.
fn said(code: &'static str) -> Option<String> {
    let named = [
        (RemarkKind::Repaired.code(), "tags repaired"),
        (RemarkKind::AddedTag.code(), "tags added"),
        (RemarkKind::OpeningTag.code(), "tags of openings filled in"),
        (
            RemarkKind::NameTag.code(),
            "tags of names corrected or filled in",
        ),
    ];
    let found = named.into_iter().find(|(kind, _)| *kind == code);
    let name = found.map_or(code, |(_, name)| name).to_owned();
    Some(name).filter(|_| code != DUPLICATE)
}
