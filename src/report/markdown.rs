//! Documents as Markdown: CommonMark with the tables of GitHub.

use std::fmt::{Display, Write};

use super::escape::{block_beginning, markdown as escaped, markdown_block as escaped_block};
use super::{
    Bar, Block, Board, Cell, Chart, Column, Document, HeatBoard, Level, Span, Table, sparkline,
};
use crate::notation::Diagram;

/// The maximum number of letters of a sparkline.
const MAX_SPARK_LETTERS: usize = 60;
/// The maximum number of squares that are listed for a piece.
const MAX_SQUARES: usize = 5;

/// A document as Markdown. Boards are text. Links lead to the web only.
pub fn markdown(document: &Document) -> String {
    let mut text = format!("# {}\n", escaped(&document.title));
    for block in &document.blocks {
        text.push('\n');
        write_block(&mut text, block);
    }
    text
}

fn write_block(text: &mut String, block: &Block) {
    match block {
        Block::Heading(Level::Section, heading) => write_line(text, "## ", &escaped(heading)),
        Block::Heading(Level::Part, heading) => write_line(text, "### ", &escaped(heading)),
        Block::Paragraph(spans) => write_line(text, "", &paragraph(spans)),
        Block::Note(note) => write_line(text, "", &escaped_block(note)),
        Block::List(items) => write_list(text, items),
        Block::Table(table) => write_table(text, table),
        Block::Moves(label, moves) => write_moves(text, label, moves),
        Block::Boards(boards) => write_boards(text, boards),
        Block::HeatBoards(boards) => write_heat_boards(text, boards),
        Block::Chart(chart) => write_chart(text, chart),
    }
}

fn write_list(text: &mut String, items: &[Vec<Span>]) {
    for item in items {
        write_line(text, "- ", &paragraph(item));
    }
}

fn write_moves(text: &mut String, label: &[Span], moves: &str) {
    // Without a label, moves begin the block, and `1. e4` would be a list.
    let labelled = format!("{} {}", inline(label), escaped(moves));
    write_line(text, "", &block_beginning(&labelled));
}

/// Writes heat boards in words, since text has no shades.
fn write_heat_boards(text: &mut String, boards: &[HeatBoard]) {
    for board in boards {
        let caption = paragraph(&board.caption);
        let squares = board.squares(MAX_SQUARES);
        write_line(text, "- ", &format!("{caption}: {squares}"));
    }
}

fn write_boards(text: &mut String, boards: &[Board]) {
    for (at, board) in boards.iter().enumerate() {
        let diagram = Diagram {
            flipped: board.is_flipped,
            moved: board.moved,
            ..Diagram::of(&board.setup)
        };

        // Each board follows a blank line. `markdown` has written the blank line before the first board.
        let gap = if at > 0 { "\n" } else { "" };
        let caption = paragraph(&board.caption);
        let _ = write!(text, "{gap}{caption}\n\n```text\n{diagram}\n```\n");
    }
}

/// Writes a line that begins with a mark of Markdown, such as `## `.
fn write_line(text: &mut String, mark: &str, rest: &str) {
    let _ = writeln!(text, "{mark}{rest}");
}

fn write_chart(text: &mut String, chart: &Chart) {
    let title = escaped_block(&chart.title);
    let range = escaped(&chart.range());
    let _ = writeln!(text, "{title} {range}\n");

    for series in &chart.series {
        let name = escaped(&series.name);
        let colon = if series.name.is_empty() { "" } else { ": " };

        let letters = sparkline(&series.values, MAX_SPARK_LETTERS, false);
        let words = escaped(&chart.in_words(series).unwrap_or_default());
        let _ = writeln!(text, "- {name}{colon}`{letters}` {words}");
    }
}

fn write_table(text: &mut String, table: &Table) {
    let names = table.columns.iter().map(|column| escaped(&column.name));
    write_row(text, names);

    let marks = table.columns.iter().map(alignment_mark);
    write_row(text, marks);

    for row in &table.rows {
        let missing = table.columns.len().saturating_sub(row.len());
        let empty_cells = std::iter::repeat_n(String::new(), missing);
        let cells = row.iter().map(cell_text).chain(empty_cells);
        write_row(text, cells);
    }
}

/// The mark below the heading of a column, which aligns its cells.
fn alignment_mark(column: &Column) -> &'static str {
    if column.is_number { "---:" } else { "---" }
}

/// Writes a row of a table.
fn write_row(text: &mut String, cells: impl Iterator<Item = impl Display>) {
    text.push('|');
    for cell in cells {
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
}

/// A cell as Markdown.
fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Spans(spans) => inline(spans),
        Cell::Indented(depth, spans) => {
            // Markdown trims plain spaces in cells, but no em spaces.
            let indentation = "\u{2003}".repeat((*depth).into());
            indentation + &inline(spans)
        }
        Cell::Bar(bar) => percentages(bar),
        Cell::Trend(values) => sparkline(values, MAX_SPARK_LETTERS, false),
    }
}

/// The parts of a bar in per cent: `50 / 25 / 25`; empty without games.
fn percentages(bar: &Bar) -> String {
    let Some(shares) = bar.shares() else {
        return String::new();
    };

    let parts = shares.map(|share| format!("{:.0}", 100.0 * share));
    parts.join(" / ")
}

/// A paragraph or an item of a list as Markdown.
fn paragraph(spans: &[Span]) -> String {
    block_beginning(&inline(spans))
}

/// Spans within a line as Markdown.
fn inline(spans: &[Span]) -> String {
    spans.iter().map(span_text).collect()
}

/// A span as Markdown: strong text between asterisks, a link to the web with its address.
fn span_text(span: &Span) -> String {
    let text = escaped(span.as_text());

    match span {
        Span::Text(_) => text,
        Span::Strong(_) => format!("**{text}**"),
        Span::Link(_, target) => match target.web() {
            Some(address) => format!("[{text}]({})", link_address(address)),
            None => text,
        },
    }
}

/// An address without characters that would end the link.
fn link_address(address: &str) -> String {
    let is_safe =
        |letter: char| letter.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(letter);
    let mut text = String::with_capacity(address.len());

    for letter in address.chars() {
        if is_safe(letter) {
            text.push(letter);
            continue;
        }

        // Percent-encoding is by the bytes of UTF-8 (RFC 3986, section 2.5).
        for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::span::Target;
    use super::*;
    use crate::storage::GameId;

    #[test]
    fn links_end_where_they_end() {
        let web = |address: &str| span_text(&Span::Link("a]".into(), Target::Web(address.into())));
        let game = Span::game("game 7", GameId::new(7));

        let escaped_link = web("https://a.b/(c) é");
        assert_eq!(escaped_link, "[a\\]](https://a.b/%28c%29%20%C3%A9)");
        assert_eq!(web("javascript:alert(1)"), "a\\]");
        assert_eq!(span_text(&game), "game 7");
    }

    #[test]
    fn paragraphs_begin_no_list_and_no_heading() {
        let moves = Span::position("1. e4", "FEN");
        let web = Span::Link("# x".into(), Target::Web("https://a.b".into()));

        for (spans, expected) in [
            (vec![Span::text("1. e4")], "1\\. e4"),
            (vec![moves, Span::text(" 2 games")], "1\\. e4 2 games"),
            (vec![Span::text("1"), Span::text(". e4")], "1\\. e4"),
            (vec![Span::text(""), Span::text("# x")], "\\# x"),
            (vec![Span::strong("1."), Span::text(" e4")], "**1.** e4"),
            (vec![web], "[# x](https://a.b)"),
        ] {
            assert_eq!(paragraph(&spans), expected);
        }
    }
}
