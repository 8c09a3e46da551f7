//! The order in which games are listed or written.

use clap::Args;
use clap::builder::TypedValueParser;

use super::values::offered;
use stamma::query::SortOrder;

#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct Order {
    /// The order of games: id, date, elo (the mean of both), plies or result (1-0, draws, 0-1), ascending; descending
    /// with - in front: -date for the latest first, -elo for the best-rated (default: id)
    #[arg(long, value_name = "KEY", value_parser = sort_key(), allow_hyphen_values = true)]
    #[arg(hide_possible_values = true)]
    sort: Option<SortOrder>,
}

impl Order {
    /// The order.
    pub(in crate::cli) fn order(self) -> SortOrder {
        self.sort.unwrap_or_default()
    }
}

/// The sort keys that shells suggest.
const SORT_KEYS: [&str; 10] = [
    "id", "date", "elo", "plies", "result", "-id", "-date", "-elo", "-plies", "-result",
];

/// The parser of orders, which suggests the sort keys.
fn sort_key() -> impl TypedValueParser<Value = SortOrder> {
    offered(SORT_KEYS, str::parse::<SortOrder>)
}
