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
    FEATURES
        .iter()
        .filter(|(_, has)| *has)
        .map(|(name, _)| *name)
        .collect()
}

/// All features, and whether this program has them.
const FEATURES: &[(&str, bool)] = &[
    ("program", cfg!(feature = "program")),
    ("compressed", cfg!(feature = "compressed")),
    ("serve", cfg!(feature = "serve")),
    ("dataset", cfg!(feature = "dataset")),
    ("chessbase", cfg!(feature = "chessbase")),
    ("bundled", cfg!(feature = "bundled")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_of_the_package_is_told() {
        let manifest = include_str!("../../Cargo.toml");
        let (_, features) = manifest.split_once("\n[features]\n").expect("features");
        let features = features.split("\n[").next().expect("their lines");
        let names = features
            .lines()
            .filter_map(|line| line.split_once(" = ["))
            .map(|(name, _)| name);
        let mut named: Vec<&str> = names.filter(|name| *name != "default").collect();
        let mut told: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).collect();
        named.sort_unstable();
        told.sort_unstable();
        assert_eq!(told, named);
    }
}
