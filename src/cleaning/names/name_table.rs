//! The table of spellings and their canonical names: tab-separated lines, which users edit and Stamma reads back.

/// The most characters of a malformed line that its error quotes.
const MAX_QUOTED_CHARS: usize = 60;

/// The kind of thing that a name names.
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

    /// The name of the kind in tables.
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
    /// The kind of thing that the name names.
    pub kind: NameKind,
    /// The canonical name.
    pub canonical: String,
    /// The spelling of the name in games.
    pub spelling: String,
    /// `true` if the spelling is joined to the canonical name, `false` if this is only proposed.
    pub is_accepted: bool,
    /// The reasons, as a text for people.
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
    /// The beginning of the line.
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
        /// The first canonical name.
        one: String,
        /// The second canonical name.
        other: String,
    },
    /// A canonical name leads back to itself.
    #[error("the canonical name of `{0}` leads back to it")]
    Circle(String),
}

/// The line of a row. A proposal begins with `?`, which a user removes to accept the proposal.
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

        match read_row(line) {
            Some(row) => rows.push(row),
            None => {
                return Err(NameTableError {
                    line: number,
                    found: line.chars().take(MAX_QUOTED_CHARS).collect(),
                });
            }
        }
    }
    Ok(rows)
}

/// The row in a line; `None` if the line is malformed.
fn read_row(line: &str) -> Option<NameRow> {
    let (is_accepted, bare) = match line.strip_prefix('?') {
        Some(bare) => (false, bare),
        None => (true, line),
    };

    let fields: Vec<&str> = bare.split('\t').map(str::trim).collect();
    let (kind, canonical, spelling, why) = match fields[..] {
        [canonical, spelling] => (NameKind::Player, canonical, spelling, ""),
        [kind, canonical, spelling] => (kind_named(kind)?, canonical, spelling, ""),
        [kind, canonical, spelling, why, ..] => (kind_named(kind)?, canonical, spelling, why),
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

fn kind_named(name: &str) -> Option<NameKind> {
    NameKind::ALL
        .into_iter()
        .find(|known| known.as_str().eq_ignore_ascii_case(name))
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
