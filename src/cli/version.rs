//! `stamma --version --verbose`: the versions and features of the program.

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

/// The names of the features with which the program was built.
fn features() -> Vec<&'static str> {
    let mut names = Vec::new();
    for &(name, has_feature) in FEATURES {
        if has_feature {
            names.push(name);
        }
    }
    names
}

/// All features of the package; `true` if the program was built with the feature.
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
        let (_, behind_heading) = manifest.split_once("\n[features]\n").expect("features");
        let section = behind_heading.split("\n[").next().expect("their lines");

        let mut expected = Vec::new();
        for line in section.lines() {
            if let Some((name, _)) = line.split_once(" = [")
                && name != "default"
            {
                expected.push(name);
            }
        }
        expected.sort_unstable();

        let mut known: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).collect();
        known.sort_unstable();
        assert_eq!(known, expected);
    }
}
