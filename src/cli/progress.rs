//! Progress on standard error: a bar on a terminal, lines on request.

use std::time::{Duration, Instant};
use std::{fmt, io};

use indicatif::{
    HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

use super::{activity, say};
use stamma::import::Tally;
use stamma::input::Input;
use stamma::report::grouped;

/// The minimum time for a rate: a few games may take less time than the clock measures.
const MIN_SECONDS: f64 = 0.001;

/// The number of games per second, rounded down.
pub(super) fn games_per_second(games: u64, time: Duration) -> u64 {
    let seconds = time.as_secs_f64().max(MIN_SECONDS);
    (games as f64 / seconds) as u64
}

/// The minimum interval between two lines of progress.
const LINE_PAUSE: Duration = Duration::from_secs(3);
/// The time after which the time left is estimated. An earlier estimate would be wrong, since the first steps open
/// files and fill buffers.
const ESTIMATE_AFTER: Duration = Duration::from_secs(3);
/// The width of a spinner with the blank after it.
const SPINNER_COLUMNS: usize = 2;
/// The minimum terminal width for a bar with numbers on one line.
const COUNTS_COLUMNS_FROM: usize = 60;
/// The width of a bar's line where standard error is not a terminal.
const DEFAULT_COLUMNS: usize = 80;
/// The length of a bar, by the width of the terminal: a longer bar leaves no room for the numbers.
const SHORT_BAR_COLUMNS: usize = 10;
const MIDDLE_BAR_COLUMNS: usize = 12;
const LONG_BAR_COLUMNS: usize = 30;
/// The minimum terminal width for a bar of [`MIDDLE_BAR_COLUMNS`].
const MIDDLE_BAR_FROM: usize = 80;
/// The minimum terminal width for a bar of [`LONG_BAR_COLUMNS`].
const LONG_BAR_FROM: usize = 100;
/// The part of reading in the time of an import, beside [`INDEXING_PARTS`]. If a bar counted only the bytes read, it
/// would stand at its end for a third of the time.
const READING_PARTS: u64 = 7;
/// The part of indexing in the time of an import.
const INDEXING_PARTS: u64 = 3;

/// The progress of a command.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The bytes of all inputs, if known.
    bytes: Option<u64>,
    /// `true` if positions are indexed, too.
    has_index: bool,
    /// The time of the last line.
    last_line: Option<Instant>,
    /// `true` if nothing is printed at all.
    is_quiet: bool,
}

impl Progress {
    /// A bar for the bytes of inputs as stored; hidden if standard error is not a terminal.
    pub(super) fn of_inputs(inputs: &[Input]) -> Progress {
        let all_bytes: Option<u64> = inputs.iter().map(Input::bytes).sum();
        let Some(bytes) = all_bytes else {
            return Progress::new(ProgressBar::no_length(), "{spinner} {wide_msg}");
        };

        let bar = ProgressBar::new(READING_PARTS * bytes);
        let template = format!("{} {{wide_msg}}", bar_template(columns()));
        Progress {
            bytes: Some(bytes),
            ..Progress::new(bar, &template)
        }
    }

    /// Progress as lines, every few seconds.
    pub(super) fn in_lines(inputs: &[Input]) -> Progress {
        let progress = Progress::of_inputs(inputs);
        progress.bar.set_draw_target(ProgressDrawTarget::hidden());
        Progress {
            last_line: Some(Instant::now()),
            ..progress
        }
    }

    /// Progress of work that indexes positions after reading.
    pub(super) fn with_index(self) -> Progress {
        if let Some(bytes) = self.bytes {
            self.bar
                .set_length((READING_PARTS + INDEXING_PARTS) * bytes);
        }
        Progress {
            has_index: true,
            ..self
        }
    }

    /// No progress, without any output.
    pub(super) fn none() -> Progress {
        Progress {
            is_quiet: true,
            ..Progress::new(ProgressBar::hidden(), "")
        }
    }

    /// No bar; lines passed to [`Progress::say`] are still printed.
    pub(super) fn hidden() -> Progress {
        Progress::new(ProgressBar::hidden(), "")
    }

    fn new(bar: ProgressBar, template: &str) -> Progress {
        activity::end();
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("left", write_time_left);

        Progress {
            bar: bar.with_style(style),
            bytes: None,
            has_index: false,
            last_line: None,
            is_quiet: false,
        }
    }

    /// Moves the bar.
    pub(super) fn show(&mut self, tally: &Tally) {
        let indexed = if self.has_index {
            INDEXING_PARTS * tally.indexed_bytes
        } else {
            0
        };
        let read = READING_PARTS * tally.input_bytes;
        self.bar.set_position(read + indexed);

        match self.last_line {
            None => {
                // Inputs of unknown size have a spinner in place of the bar.
                let columns = columns();
                let bar_columns = if self.bytes.is_some() {
                    bar_columns(columns)
                } else {
                    SPINNER_COLUMNS
                };
                let room = columns.saturating_sub(bar_columns);
                self.bar.set_message(message(&self.parts(tally), room));
            }
            Some(last) if last.elapsed() >= LINE_PAUSE => self.say_line(tally),
            Some(_) => {}
        }
    }

    /// Moves the bar to a number of bytes of the inputs, and shows the number of lines in them.
    pub(super) fn show_lines(&self, bytes: u64, lines: u64) {
        self.bar.set_position(READING_PARTS * bytes);
        self.bar.set_message(format!("{} lines", grouped(lines)));
    }

    /// Shows the number of searched positions, and of all positions requested so far.
    pub(super) fn show_searched(&self, done: u64, all: u64) {
        let (done, all) = (grouped(done), grouped(all));
        self.bar.set_message(format!("{done} of {all} positions"));
    }

    /// Shows the number of indexed games of an interrupted import, before new games are read.
    pub(super) fn show_caught_up(&mut self, games: u64, all: u64) {
        let (games, all) = (grouped(games), grouped(all));
        let text = format!("{games} of {all} games of an interrupted import indexed");
        match self.last_line {
            None => self.bar.set_message(text),
            Some(last) if last.elapsed() >= LINE_PAUSE => {
                self.last_line = Some(Instant::now());
                say!("{text}");
            }
            Some(_) => {}
        }
    }

    /// The parts of the text beside the bar. Each has its rank: if there is not enough room, the highest rank is
    /// dropped first.
    fn parts(&self, tally: &Tally) -> Vec<(u8, String)> {
        let rate = games_per_second(tally.games, self.bar.elapsed());
        let read = HumanBytes(tally.input_bytes);
        let bytes = match self.bytes {
            Some(all) => format!("{read}/{}", HumanBytes(all)),
            None => read.to_string(),
        };

        let mut parts = vec![
            (4, bytes),
            (1, format!("{} games", grouped(tally.games))),
            (3, format!("{} games/s", grouped(rate))),
            (2, format!("{} problems", grouped(tally.problem_count()))),
        ];
        if self.bytes.is_some() && self.bar.elapsed() >= ESTIMATE_AFTER {
            parts.push((0, format!("{:#} left", HumanDuration(self.bar.eta()))));
        }
        parts
    }

    /// Prints the progress as a line.
    fn say_line(&mut self, tally: &Tally) {
        self.last_line = Some(Instant::now());
        let parts = self.parts(tally);
        let texts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
        let line = texts.join("  ");

        if self.bytes.is_some() {
            let length = self.bar.length().unwrap_or(1).max(1);
            let per_cent = 100 * self.bar.position() / length;
            say!("{per_cent} %  {line}");
        } else {
            say!("{line}");
        }
    }

    /// Prints a line above the bar.
    pub(super) fn say(&self, line: &str) {
        // The bar is drawn again below the line.
        if !self.is_quiet {
            self.bar.suspend(|| say!("{line}"));
        }
    }

    /// A bar for a number of games; hidden if standard error is not a terminal.
    pub(super) fn of_games(games: u64) -> Progress {
        Progress::of_number(games, "games")
    }

    /// A bar for a number of positions; hidden if standard error is not a terminal.
    pub(super) fn of_positions(positions: u64) -> Progress {
        Progress::of_number(positions, "positions")
    }

    /// A bar for a number of things; `what` is their name in the plural.
    fn of_number(number: u64, what: &str) -> Progress {
        let columns = columns();
        let counts = if columns < COUNTS_COLUMNS_FROM {
            String::new()
        } else {
            format!("  {{human_pos}}/{{human_len}} {what}")
        };
        let template = format!("{}{counts}  {{left}}", bar_template(columns).trim_end());
        Progress::new(ProgressBar::new(number), &template)
    }

    /// Moves the bar to a number of games.
    pub(super) fn show_games(&self, games: u64) {
        self.bar.set_position(games);
    }

    /// Moves the bar to a number of games, and sets the number of all games.
    pub(super) fn show_games_of(&self, games: u64, all: u64) {
        self.bar.set_length(all);
        self.show_games(games);
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes the estimated time to the end, once there can be an estimate.
fn write_time_left(state: &ProgressState, text: &mut dyn fmt::Write) {
    if state.elapsed() >= ESTIMATE_AFTER {
        // Writing to memory cannot fail.
        let _ = write!(text, "{:#} left", HumanDuration(state.eta()));
    }
}

/// The width of the terminal on which bars are drawn.
fn columns() -> usize {
    match terminal_size_of(io::stderr()) {
        Some((Width(width), _)) => width.into(),
        None => DEFAULT_COLUMNS,
    }
}

/// The length of the bar on a terminal with a width.
fn bar_length(columns: usize) -> usize {
    match columns {
        ..MIDDLE_BAR_FROM => SHORT_BAR_COLUMNS,
        MIDDLE_BAR_FROM..LONG_BAR_FROM => MIDDLE_BAR_COLUMNS,
        _ => LONG_BAR_COLUMNS,
    }
}

/// The template of a bar with its percentage.
fn bar_template(columns: usize) -> String {
    format!("{{bar:{}}} {{percent:>3}} % ", bar_length(columns))
}

/// The width of the bar with its percentage.
fn bar_columns(columns: usize) -> usize {
    bar_length(columns) + " 100 %  ".len()
}

/// The parts that fit into `room` columns, in their order. The parts with the highest ranks are dropped first.
fn message(parts: &[(u8, String)], room: usize) -> String {
    let mut kept: Vec<&(u8, String)> = parts.iter().collect();
    loop {
        let texts: Vec<&str> = kept.iter().map(|(_, text)| text.as_str()).collect();
        let message = texts.join("  ");
        if message.width() <= room {
            return message;
        }

        let Some(dropped) = (0..kept.len()).max_by_key(|&index| kept[index].0) else {
            return message;
        };
        kept.remove(dropped);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal with a width that records its text.
    #[derive(Clone, Debug)]
    struct Screen(u16, Arc<Mutex<Vec<String>>>);

    impl Screen {
        fn draw(&self, text: &str) -> io::Result<()> {
            self.1.lock().expect("one thread").push(text.to_owned());
            Ok(())
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            self.0
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.draw(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.draw(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn parts() -> Vec<(u8, String)> {
        let texts = [
            "73.86 MiB/77.45 MiB",
            "1,006,963 games",
            "110,843 games/s",
            "12,345 problems",
            "12s left",
        ];
        [4, 1, 3, 2, 0]
            .into_iter()
            .zip(texts.map(str::to_owned))
            .collect()
    }

    #[test]
    fn parts_give_way_where_there_is_no_room() {
        let all =
            "73.86 MiB/77.45 MiB  1,006,963 games  110,843 games/s  12,345 problems  12s left";
        for (room, expected) in [
            (80, all),
            (
                60,
                "1,006,963 games  110,843 games/s  12,345 problems  12s left",
            ),
            (42, "1,006,963 games  12,345 problems  12s left"),
            (27, "1,006,963 games  12s left"),
            (10, "12s left"),
            (3, ""),
        ] {
            assert_eq!(message(&parts(), room), expected, "{room} columns");
        }
    }

    /// The screen of a terminal of a given width during an import of a thousand bytes.
    fn shown(columns: u16, input_bytes: u64, indexed_bytes: u64) -> String {
        let screen = Screen(columns, Arc::default());
        let template = format!("{} {{wide_msg}}", bar_template(columns.into()));
        let progress = Progress {
            bytes: Some(1000),
            ..Progress::new(ProgressBar::new(READING_PARTS * 1000), &template)
        };
        let mut progress = progress.with_index();
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        progress.bar.set_draw_target(target);

        let tally = Tally {
            input_bytes,
            indexed_bytes,
            games: 1_006_963,
            ..Tally::default()
        };
        progress.show(&tally);

        // The text drawn before may be older than the tally.
        screen.1.lock().expect("one thread").clear();
        progress.bar.force_draw();
        screen.1.lock().expect("one thread").concat()
    }

    #[test]
    fn the_end_is_estimated_after_some_seconds() {
        let mut progress = Progress {
            bytes: Some(1000),
            ..Progress::new(ProgressBar::new(1000), "{msg} {left}")
        };
        let tally = Tally {
            input_bytes: 10,
            ..Tally::default()
        };
        let says_left = |progress: &Progress| {
            let parts = progress.parts(&tally);
            parts.iter().any(|(_, text)| text.ends_with(" left"))
        };

        assert!(!says_left(&progress));
        progress.bar = progress.bar.with_elapsed(ESTIMATE_AFTER);
        assert!(says_left(&progress));
    }

    #[test]
    fn the_bar_stays_on_one_line() {
        for columns in [30, 40, 60, 80, 99, 100, 110, 120, 200] {
            let shown = shown(columns, 500, 0);
            assert!(
                shown.width() <= columns.into(),
                "{columns} columns:\n{shown}"
            );
            assert!(shown.contains(" 35 % "), "{shown}");
        }
    }

    #[test]
    fn indexing_moves_the_bar() {
        let shares = [
            (0, 0, "  0 %"),
            (1000, 0, " 70 %"),
            (1000, 500, " 85 %"),
            (1000, 1000, "100 %"),
        ];
        for (input_bytes, indexed_bytes, share) in shares {
            let shown = shown(80, input_bytes, indexed_bytes);
            assert!(shown.contains(share), "{shown}");
        }
    }
}
