//! Parses perft counts: one position per line, `FEN ;D1 nodes ;D2 nodes`, and `#` before comments.

/// A position and the number of move sequences of some lengths.
pub(crate) struct Row<'t> {
    pub(crate) fen: &'t str,
    pub(crate) nodes: Vec<(u32, u64)>,
}

/// The rows of a file, without comments and empty lines.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let lines = text.lines();
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(row)
}

fn row(line: &str) -> Row<'_> {
    let mut fields = line.split(';');
    let fen = fields.next().unwrap_or(line).trim();
    let nodes = fields.map(|field| count(field).expect(line));
    Row {
        fen,
        nodes: nodes.collect(),
    }
}

fn count(field: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = field.trim().strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, nodes.parse().ok()?))
}
