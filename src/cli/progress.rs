//! How far a command has come, on standard error: a bar on a terminal, lines where they are asked for.

use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressStyle};

use super::say;
use super::terminal::grouped;
use crate::import::Tally;
use crate::input::Input;

/// How often a line is written.
const LINE_PAUSE: Duration = Duration::from_secs(3);

/// Shows how far a command has come.
pub(super) struct Progress {
    bar: ProgressBar,
    /// When the last line was written, where lines are.
    last_line: Option<Instant>,
    is_quiet: bool,
}

impl Progress {
    /// A bar for the bytes of some inputs, as they are stored; it is hidden when standard error is no terminal.
    pub(super) fn of_inputs(inputs: &[Input]) -> Progress {
        match inputs.iter().map(Input::bytes).sum() {
            Some(bytes) => {
                let template = "{bar:30} {percent:>3} %  {bytes}/{total_bytes}  {msg}  {eta} left";
                Progress::new(ProgressBar::new(bytes), template)
            }
            None => Progress::new(ProgressBar::no_length(), "{spinner} {bytes}  {msg}"),
        }
    }

    /// The same as lines, every few seconds.
    pub(super) fn in_lines(inputs: &[Input]) -> Progress {
        let bytes: Option<u64> = inputs.iter().map(Input::bytes).sum();
        let bar = bytes.map_or_else(ProgressBar::no_length, ProgressBar::new);
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        Progress { bar, last_line: Some(Instant::now()), is_quiet: false }
    }

    /// Nothing at all.
    pub(super) fn none() -> Progress {
        Progress { bar: ProgressBar::hidden(), last_line: None, is_quiet: true }
    }

    fn new(bar: ProgressBar, template: &str) -> Progress {
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress { bar: bar.with_style(style), last_line: None, is_quiet: false }
    }

    /// Moves the bar.
    pub(super) fn show(&mut self, tally: &Tally) {
        let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
        let rate = tally.games as f64 / seconds;
        self.bar.set_position(tally.consumed);
        let counts = format!(
            "{} games  {} games/s  {} problems",
            grouped(tally.games),
            grouped(rate as u64),
            grouped(tally.problem_count()),
        );
        match self.last_line {
            None => self.bar.set_message(counts),
            Some(last) if last.elapsed() >= LINE_PAUSE => self.say_line(&counts),
            Some(_) => {}
        }
    }

    fn say_line(&mut self, counts: &str) {
        self.last_line = Some(Instant::now());
        let read = HumanBytes(self.bar.position());
        match self.bar.length() {
            Some(all) => {
                let left = HumanDuration(self.bar.eta());
                say!("{read} of {}  {counts}  {left} left", HumanBytes(all));
            }
            None => say!("{read}  {counts}"),
        }
    }

    /// Says a line above the bar.
    pub(super) fn say(&self, line: &str) {
        if !self.is_quiet {
            self.bar.suspend(|| say!("{line}"));
        }
    }

    /// A bar for so many games; it is hidden when standard error is no terminal.
    pub(super) fn of_games(games: u64) -> Progress {
        let template = "{bar:30} {percent:>3} %  {human_pos}/{human_len} games  {eta} left";
        Progress::new(ProgressBar::new(games), template)
    }

    /// Moves the bar to so many games.
    pub(super) fn show_games(&self, games: u64) {
        self.bar.set_position(games);
    }

    /// Moves the bar to so many games of all, whose number was not known before.
    pub(super) fn show_games_of(&self, games: u64, all: u64) {
        self.bar.set_length(all);
        self.show_games(games);
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
