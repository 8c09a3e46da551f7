//! Parses perft counts: one position per line, `FEN ;D1 nodes ;D2 nodes`, and `#` before comments.

/// A position and the number of move sequences of some lengths.
pub(crate) struct Row<'t> {
    pub(crate) fen: &'t str,
    pub(crate) nodes: Vec<(u32, u64)>,
}

/// The FENs of the positions whose move sequences are counted, of standard chess and of Chess960.
pub(crate) fn perft_fens() -> impl Iterator<Item = &'static str> {
    let texts = [
        include_str!("../data/perft/standard.epd"),
        include_str!("../data/perft/chess960.epd"),
    ];
    texts.into_iter().flat_map(rows).map(|row| row.fen)
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
