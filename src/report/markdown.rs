//! Documents as Markdown: CommonMark with the tables of GitHub.

use std::fmt::Write;

use super::escape::{markdown as escaped, markdown_block as escaped_block};
use super::{Block, Cell, Chart, Document, Level, Span, Table, sparkline};
use crate::notation::Diagram;

/// The letters of a small chart.
const SPARK_LETTERS: usize = 60;
/// The most squares that are listed for a piece.
const MOST_SQUARES: usize = 5;

/// A document as Markdown. Boards are text; links lead to the web only.
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
        Block::Heading(Level::Section, heading) => line(text, "## ", &escaped(heading)),
        Block::Heading(Level::Part, heading) => line(text, "### ", &escaped(heading)),
        Block::Paragraph(spans) => line(text, "", &paragraph(spans)),
        Block::Note(note) => line(text, "", &escaped_block(note)),
        Block::List(items) => items
            .iter()
            .for_each(|item| line(text, "- ", &paragraph(item))),
        Block::Table(table) => write_table(text, table),
        Block::Moves(label, moves) if label.is_empty() => line(text, "", &escaped_block(moves)),
        Block::Moves(label, moves) => {
            line(
                text,
                "",
                &format!("{} {}", paragraph(label), escaped(moves)),
            );
        }
        Block::Boards(boards) => {
            for (at, board) in boards.iter().enumerate() {
                let diagram = Diagram {
                    flipped: board.is_flipped,
                    moved: board.moved,
                    ..Diagram::of(&board.setup)
                };
                let gap = if at > 0 { "\n" } else { "" };
                let caption = paragraph(&board.caption);
                let _ = write!(text, "{gap}{caption}\n\n```text\n{diagram}\n```\n");
            }
        }
        Block::HeatBoards(boards) => {
            for board in boards {
                let caption = paragraph(&board.caption);
                line(
                    text,
                    "- ",
                    &format!("{caption}: {}", board.squares(MOST_SQUARES)),
                );
            }
        }
        Block::Chart(chart) => write_chart(text, chart),
    }
}

fn line(text: &mut String, mark: &str, rest: &str) {
    let _ = writeln!(text, "{mark}{rest}");
}

fn write_chart(text: &mut String, chart: &Chart) {
    let _ = writeln!(
        text,
        "{} {}\n",
        escaped_block(&chart.title),
        escaped(&chart.range())
    );
    for series in &chart.series {
        let name = if series.name.is_empty() { "" } else { ": " };
        let chart_of = sparkline(&series.values, SPARK_LETTERS, false);
        let words = chart.in_words(series).unwrap_or_default();
        let _ = writeln!(
            text,
            "- {}{name}`{chart_of}` {}",
            escaped(&series.name),
            escaped(&words)
        );
    }
}

fn write_table(text: &mut String, table: &Table) {
    let row = |text: &mut String, cells: &mut dyn Iterator<Item = String>| {
        text.push('|');
        cells.for_each(|cell| text.push_str(&format!(" {cell} |")));
        text.push('\n');
    };
    row(
        text,
        &mut table.columns.iter().map(|column| escaped(&column.name)),
    );
    let rule = |is_number| if is_number { "---:" } else { "---" }.to_owned();
    row(
        text,
        &mut table.columns.iter().map(|column| rule(column.is_number)),
    );
    for cells in &table.rows {
        let missing = table.columns.len().saturating_sub(cells.len());
        let missing = std::iter::repeat_n(String::new(), missing);
        row(text, &mut cells.iter().map(cell).chain(missing));
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Spans(spans) => inline(spans),
        Cell::Indented(depth, spans) => "\u{2003}".repeat((*depth).into()) + &inline(spans),
        Cell::Bar(bar) => bar.shares().map_or_else(String::new, |shares| {
            shares
                .map(|share| format!("{:.0}", 100.0 * share))
                .join(" / ")
        }),
        Cell::Trend(values) => sparkline(values, SPARK_LETTERS, false),
    }
}

fn paragraph(spans: &[Span]) -> String {
    match spans {
        [Span::Text(first), rest @ ..] => escaped_block(first) + &inline(rest),
        spans => inline(spans),
    }
}

fn inline(spans: &[Span]) -> String {
    spans.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Text(text) => escaped(text),
        Span::Strong(text) => format!("**{}**", escaped(text)),
        Span::Link(text, target) => match target.web() {
            Some(address) => format!("[{}]({})", escaped(text), link_address(address)),
            None => escaped(text),
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
        let web = |address: &str| span(&Span::Link("a]".into(), Target::Web(address.into())));
        assert_eq!(
            web("https://a.b/(c) é"),
            "[a\\]](https://a.b/%28c%29%20%C3%A9)"
        );
        assert_eq!(web("javascript:alert(1)"), "a\\]");
        assert_eq!(span(&Span::game("game 7", GameId::new(7))), "game 7");
    }
}
