//! Functions for keys and positions in the SQL of DuckDB and ClickHouse, which are written beside the tables.

use super::options::BucketCount;
use crate::board::published_numbers;

const DUCKDB: &str = include_str!("duckdb.sql");
const CLICKHOUSE: &str = include_str!("clickhouse.sql");

/// The names and texts of the files, for a data set with this number of buckets.
pub(super) fn macros(buckets: BucketCount) -> [(&'static str, String); 2] {
    let numbers: String = published_numbers()
        .map(|number| format!("{number:016x}"))
        .collect();
    let bucket_count = buckets.get().to_string();
    let fill = |text: &str| {
        text.replace("@RANDOM@", &numbers)
            .replace("@BUCKETS@", &bucket_count)
    };
    [
        ("duckdb.sql", fill(DUCKDB)),
        ("clickhouse.sql", fill(CLICKHOUSE)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_fill_in() {
        for (name, text) in macros(BucketCount::default()) {
            assert!(!text.contains('@'), "{name}");
            assert!(
                text.contains("9d39247e33776d41") && text.contains("f8d626aaaf278509"),
                "{name}"
            );
        }
    }
}
