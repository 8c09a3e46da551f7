//! `stamma --version --verbose`

use std::env::consts::{ARCH, OS};

use stamma::storage::Database;

/// The versions and features of the program, one per line.
pub(super) fn description() -> String {
    format!(
        "{} {}\ndatabase version: {}\nSQLite: {}\nfeatures: {}\nsystem: {ARCH} {OS}\n",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        Database::VERSION,
        rusqlite::version(),
        features().join(", "),
    )
}

/// The features of the package that it was built with.
fn features() -> Vec<&'static str> {
    let features = [
        ("program", cfg!(feature = "program")),
        ("compressed", cfg!(feature = "compressed")),
        ("serve", cfg!(feature = "serve")),
    ];
    features.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect()
}
