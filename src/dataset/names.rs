//! The names of the files of a part.

use std::path::Path;

use super::options::{DatasetOptions, Shard};

/// The number of hexadecimal digits in the name of a part. They distinguish parts whose first inputs have equal names.
const NAME_DIGITS: usize = 8;

/// The name of a part: the name of the first input, and [`NAME_DIGITS`] digits of a hash over the heads of the sources
/// and the options that change rows. The name of a shard ends with its number.
pub(super) fn part_name(options: &DatasetOptions, first_input: &str, heads: &[[u8; 32]]) -> String {
    let name = match &options.name {
        Some(name) => cleaned(name),
        None => {
            let mut hasher = blake3::Hasher::new();
            for head in heads {
                hasher.update(head);
            }
            hasher.update(row_options(options).as_bytes());

            let identity = hasher.finalize().to_hex();
            let digits = &identity.as_str()[..NAME_DIGITS];
            format!("{}-{digits}", cleaned(stem(first_input)))
        }
    };
    match options.shard {
        Some(shard) => shard_name(&name, shard.number(), shard.count()),
        None => name,
    }
}

/// The name of a shard.
pub(super) fn shard_name(part: &str, number: u32, shards: u32) -> String {
    format!("{part}-{number}-of-{shards}")
}

/// The name without the number of a shard.
pub(super) fn without_shard(name: &str, shard: Option<Shard>) -> &str {
    let Some(shard) = shard else { return name };
    let end = shard_name("", shard.number(), shard.count());
    name.strip_suffix(&end).unwrap_or(name)
}

/// The options that change rows, one a line, as `docs/datasets.md` describes them. Neither memory nor threads are among
/// them.
pub(super) fn row_options(options: &DatasetOptions) -> String {
    let DatasetOptions {
        layout,
        buckets,
        max_ply,
        fen,
        plies,
        evaluations,
        bloom,
        id_salt,
        ..
    } = options;
    let mut lines = vec![
        format!("schema {}", layout.as_str()),
        format!("buckets {}", buckets.get()),
    ];
    lines.extend(max_ply.map(|max_ply| format!("max-ply {max_ply}")));

    let flags = [
        (fen, "fen"),
        (plies, "with-plies"),
        (evaluations, "evaluations"),
        (bloom, "bloom"),
    ];
    for (is_set, name) in flags {
        if *is_set {
            lines.push(name.to_owned());
        }
    }

    if !id_salt.is_empty() {
        lines.push(format!("id-salt {id_salt}"));
    }

    // The debug form of a query may change with any version, so the spelled options are preferred.
    match &options.spelled {
        Some(spelled) => lines.extend_from_slice(spelled),
        None => lines.push(format!("{:?} {:?}", options.query, options.readings)),
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The name of a file without its folder and its extensions.
fn stem(path: &str) -> &str {
    let name = Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path);
    name.split('.')
        .find(|part| !part.is_empty())
        .unwrap_or_default()
}

/// Converts a text to a part of a file name that engines neither ignore nor expand as a pattern.
fn cleaned(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let plain = text.replace(|letter: char| !is_plain(letter), "_");

    // Engines ignore files whose names begin with `_` or `.`.
    let name = plain.trim_start_matches(['_', '.', '-']);
    if name.is_empty() {
        "games".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_files_without_what_engines_ignore() {
        let names = [
            "/data/lichess_2017-04.pgn.zst",
            "_old games.pgn",
            "*.pgn",
            "",
            "a/.hidden.pgn",
        ];
        let cleaned = names.map(|name| cleaned(stem(name)));
        assert_eq!(
            cleaned,
            ["lichess_2017-04", "old_games", "games", "games", "hidden"]
        );
    }

    #[test]
    fn files_are_named_by_the_options_that_change_rows() {
        let options = DatasetOptions {
            fen: true,
            max_ply: Some(40),
            id_salt: "other".to_owned(),
            spelled: Some(vec!["--elo 2600".to_owned()]),
            ..DatasetOptions::default()
        };

        let text = "schema stamma-1\nbuckets 16\nmax-ply 40\nfen\nid-salt other\n--elo 2600\n";
        assert_eq!(row_options(&options), text);
        assert_eq!(part_name(&options, "a.pgn", &[[7; 32]]), "a-3c12e1f8");
    }

    #[test]
    fn the_number_of_a_shard_comes_off_again() {
        let shard = "3/8".parse().expect("a shard");
        assert_eq!(
            without_shard(&shard_name("games-2-of-3", 3, 8), Some(shard)),
            "games-2-of-3"
        );
    }
}
