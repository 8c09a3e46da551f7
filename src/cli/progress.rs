//! The progress bar of an import, on standard error when that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::grouped;
use crate::import::Tally;
use crate::input::Input;

/// Shows how far an import has come.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar for the bytes of some inputs, as they are stored; it is hidden when standard error is no terminal, and
    /// when nobody knows how many there are.
    pub(super) fn of_inputs(inputs: &[Input]) -> Progress {
        match inputs.iter().map(Input::bytes).sum() {
            Some(bytes) => Progress::new(bytes),
            None => Progress(ProgressBar::hidden()),
        }
    }

    fn new(bytes: u64) -> Progress {
        let template = "{bar:30} {percent:>3} %  {bytes}/{total_bytes}  {msg}  {eta} left";
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress(ProgressBar::new(bytes).with_style(style))
    }

    /// Moves the bar.
    pub(super) fn show(&self, tally: &Tally) {
        let seconds = self.0.elapsed().as_secs_f64().max(0.001);
        let rate = tally.games as f64 / seconds;
        self.0.set_position(tally.consumed);
        self.0.set_message(format!(
            "{} games  {} games/s  {} problems",
            grouped(tally.games),
            grouped(rate as u64),
            grouped(tally.problem_count()),
        ));
    }

    /// A bar for so many games; it is hidden when standard error is no terminal.
    pub(super) fn of_games(games: u64) -> Progress {
        let template = "{bar:30} {percent:>3} %  {human_pos}/{human_len} games  {eta} left";
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress(ProgressBar::new(games).with_style(style))
    }

    /// Moves the bar to so many games.
    pub(super) fn show_games(&self, games: u64) {
        self.0.set_position(games);
    }

    /// Moves the bar to so many games of all, whose number was not known before.
    pub(super) fn show_games_of(&self, games: u64, all: u64) {
        self.0.set_length(all);
        self.show_games(games);
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}
