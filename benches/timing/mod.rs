//! Quantiles of times, and their unit in print.

use std::time::Duration;

/// The quantile of sorted times, of which there is at least one: the shortest time that a part of them (0.0 to 1.0)
/// does not exceed.
pub(crate) fn quantile(sorted: &[Duration], part: f64) -> Duration {
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted[rank.saturating_sub(1)]
}

/// A time in milliseconds.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
