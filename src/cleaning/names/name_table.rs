//! How spellings and their canonical names are written as tab-separated lines, which users edit and Stamma reads again.

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A player.
    Player,
    /// An event.
    Event,
    /// A site.
    Site,
    /// A round.
    Round,
}

impl NameKind {
    const ALL: [NameKind; 4] = [
        NameKind::Player,
        NameKind::Event,
        NameKind::Site,
        NameKind::Round,
    ];

    /// Its name in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            NameKind::Player => "player",
            NameKind::Event => "event",
            NameKind::Site => "site",
            NameKind::Round => "round",
        }
    }
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRow {
    /// What the name names.
    pub kind: NameKind,
    /// The canonical name.
    pub canonical: String,
    /// The name as it is written in games.
    pub spelling: String,
    /// `true` for what is joined, `false` for what is proposed.
    pub is_accepted: bool,
    /// Why, for a reader.
    pub why: String,
}

/// A malformed line of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: expected KIND, CANONICAL and SPELLING with tabs between them, found `{found}`"
)]
pub struct NameTableError {
    /// The number of the line, from 1.
    pub line: usize,
    /// Its beginning.
    pub found: String,
}

/// Why a table of names is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameConflict {
    /// A spelling has two canonical names.
    #[error("`{spelling}` has two canonical names, `{one}` and `{other}`")]
    TwoNames {
        /// The spelling.
        spelling: String,
        /// The first of its names.
        one: String,
        /// The second.
        other: String,
    },
    /// A canonical name leads back to itself.
    #[error("the canonical name of `{0}` leads back to it")]
    Circle(String),
}

/// The line of a row. Proposals begin with `?`, so that a user takes that away to accept them.
///
/// ```
/// use stamma::cleaning::names::{NameKind, NameRow, read_name_table, write_name_row};
/// let row = NameRow {
///     kind: NameKind::Player,
///     canonical: "Kasparov, Garry".to_owned(),
///     spelling: "Kasparov,G".to_owned(),
///     is_accepted: false,
///     why: "initials".to_owned(),
/// };
/// assert_eq!(write_name_row(&row), "?player\tKasparov, Garry\tKasparov,G\tinitials\n");
/// assert_eq!(read_name_table(&write_name_row(&row)), Ok(vec![row]));
/// ```
pub fn write_name_row(row: &NameRow) -> String {
    let mark = if row.is_accepted { "" } else { "?" };
    let kind = row.kind.as_str();

    // Tabs and line breaks separate the cells of a table.
    let cell = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    let canonical = cell(&row.canonical);
    let spelling = cell(&row.spelling);
    let why = cell(&row.why);
    format!("{mark}{kind}\t{canonical}\t{spelling}\t{why}\n")
}

/// Reads a table. Empty lines and lines that begin with `#` are ignored. A line of two fields is about a player.
///
/// # Errors
/// The first malformed line.
pub fn read_name_table(text: &str) -> Result<Vec<NameRow>, NameTableError> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }

        match row(line) {
            Some(row) => rows.push(row),
            None => {
                return Err(NameTableError {
                    line: number,
                    found: line.chars().take(60).collect(),
                });
            }
        }
    }
    Ok(rows)
}

fn row(line: &str) -> Option<NameRow> {
    let (is_accepted, bare) = match line.strip_prefix('?') {
        Some(bare) => (false, bare),
        None => (true, line),
    };

    let fields: Vec<&str> = bare.split('\t').map(str::trim).collect();
    let (kind, canonical, spelling, why) = match fields[..] {
        [canonical, spelling] => (NameKind::Player, canonical, spelling, ""),
        [kind, canonical, spelling] => (named(kind)?, canonical, spelling, ""),
        [kind, canonical, spelling, why, ..] => (named(kind)?, canonical, spelling, why),
        _ => return None,
    };
    if canonical.is_empty() || spelling.is_empty() {
        return None;
    }

    Some(NameRow {
        kind,
        canonical: canonical.to_owned(),
        spelling: spelling.to_owned(),
        is_accepted,
        why: why.to_owned(),
    })
}

fn named(kind: &str) -> Option<NameKind> {
    NameKind::ALL
        .into_iter()
        .find(|known| known.as_str().eq_ignore_ascii_case(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let text = "# names\n\nKasparov, Garry\tKasparov,G\r\nsite\tRome ITA\tRome (Italy)\n";
        let rows = read_name_table(text).expect("two rows");
        assert_eq!(
            (rows[0].kind, rows[0].spelling.as_str()),
            (NameKind::Player, "Kasparov,G")
        );
        assert_eq!(
            (rows[1].kind, rows[1].canonical.as_str()),
            (NameKind::Site, "Rome ITA")
        );
    }

    #[test]
    fn wrong_lines() {
        let error = read_name_table("a\tb\nnothing\n").expect_err("a line without tabs");
        assert_eq!(
            error.to_string(),
            "line 2: expected KIND, CANONICAL and SPELLING with tabs between them, found `nothing`"
        );

        let no_kind = read_name_table("club\ta\tb").expect_err("no kind");
        assert_eq!(no_kind.line, 1);

        let no_name = read_name_table("player\t\tb").expect_err("no name");
        assert_eq!(no_name.line, 1);
    }
}
