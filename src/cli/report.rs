//! Reports as text for a terminal.

use std::path::Path;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::args::ReportFormat;
use super::output::write_output;
use super::printable::{printable, printable_json};
use super::table::table;
use super::terminal::{has_plain_letters, letters, output_width};
use stamma::error::{Error, Result};
use stamma::notation::{Diagram, Signs};
use stamma::report::{
    Bar, BarKind, Block, Board, Cell, Chart, Document, HeatBoard, Level, Span, Table, html_page,
    markdown, sparkline,
};
use stamma::storage::Database;
use stamma::study::tournament::Letters;

/// The maximum number of letters of a chart.
const CHART_LETTERS: usize = 60;
/// The maximum number of letters of a chart in a cell.
const TREND_LETTERS: usize = 20;
/// The width of a bar of results in letters.
const BAR_LETTERS: u64 = 12;
/// The maximum number of squares that are listed for a piece.
const MAX_SQUARES: usize = 5;
/// The maximum width of lines of prose, on a wide terminal.
const PROSE_WIDTH: usize = 100;
/// The minimum width of lines of prose, on a narrow terminal.
const MIN_PROSE_WIDTH: usize = 20;

/// The maximum width of text in columns: the width of the terminal, or unlimited in a file.
pub(super) fn text_width(output: Option<&Path>) -> usize {
    if output.is_some() {
        usize::MAX
    } else {
        output_width()
    }
}

/// Writes a document to a file, or to standard output. With the format JSON, `json` is written in place of the
/// document.
///
/// # Errors
/// When the file belongs to one of the databases, or the output cannot be written.
pub(super) fn write<'d, J: Serialize>(
    databases: impl IntoIterator<Item = &'d Database>,
    output: Option<&Path>,
    format: ReportFormat,
    document: &Document,
    json: &J,
) -> Result<()> {
    let width = text_width(output);
    let written = match format {
        ReportFormat::Text => text(document, width),
        ReportFormat::Md => markdown(document),
        ReportFormat::Html => html_page(document),
        ReportFormat::Json => json_line(json)?,
    };
    write_output(databases, output, written)
}

/// A value as a line of JSON.
fn json_line<J: Serialize>(json: &J) -> Result<String> {
    let serialized = serde_json::to_string(json);
    let text = serialized.map_err(|error| Error::Output(error.into()))?;
    let line = printable_json(&text);
    Ok(format!("{line}\n"))
}

/// A document as text within a width.
pub(super) fn text(document: &Document, width: usize) -> String {
    let mut text = String::new();
    push_line(&mut text, &document.title);

    let mut last: Option<&Block> = None;
    for block in &document.blocks {
        if needs_blank_line(last, block) {
            text.push('\n');
        }
        push_block(&mut text, block, width);
        last = Some(block);
    }
    text
}

/// `true` if a blank line separates a block from the block before it, `last`.
fn needs_blank_line(last: Option<&Block>, block: &Block) -> bool {
    match (last, block) {
        // Nothing separates a heading from its block,
        (Some(Block::Heading(..)), _) => false,
        (_, Block::Heading(..)) => true,

        // nor the title from a text.
        (None, Block::Paragraph(_) | Block::Note(_)) => false,

        // Consecutive notes, and consecutive lines of moves, form a list.
        (Some(Block::Note(_)), Block::Note(_)) => false,
        (Some(Block::Moves(..)), Block::Moves(..)) => false,

        _ => true,
    }
}

/// Appends a line, sanitized for a terminal.
fn push_line(text: &mut String, line: &str) {
    text.push_str(printable(line).trim_end());
    text.push('\n');
}

/// Appends a block.
fn push_block(text: &mut String, block: &Block, width: usize) {
    match block {
        // Text has no larger letters for the heading of a section.
        Block::Heading(Level::Section, heading) => push_line(text, &heading.to_uppercase()),
        Block::Heading(Level::Part, heading) => push_line(text, heading),

        Block::Paragraph(spans) => push_prose(text, &plain(spans), "", width),
        Block::Note(note) => push_prose(text, note, "", width),
        Block::List(items) => {
            for item in items {
                push_prose(text, &plain(item), "- ", width);
            }
        }

        Block::Moves(label, moves) if label.is_empty() => push_prose(text, moves, "", width),
        Block::Moves(label, moves) => {
            let labelled = format!("{} {moves}", plain(label));
            push_prose(text, &labelled, "", width);
        }

        Block::Table(rows) => push_table(text, rows, width),
        Block::Boards(boards) => push_boards(text, boards, width),
        Block::HeatBoards(boards) => push_heat_boards(text, boards, width),
        Block::Chart(chart) => push_chart(text, chart, width),
    }
}

/// Appends boards one below the other, with blank lines between them.
fn push_boards(text: &mut String, boards: &[Board], width: usize) {
    for (at, board) in boards.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        push_board(text, board, width);
    }
}

/// Appends a table of pieces with their most frequent squares, in place of shaded boards.
fn push_heat_boards(text: &mut String, boards: &[HeatBoard], width: usize) {
    let mut rows = vec![vec!["piece".to_owned(), "squares".to_owned()]];
    for board in boards {
        let piece = plain(&board.caption);
        rows.push(vec![piece, board.squares(MAX_SQUARES)]);
    }
    text.push_str(&table(&rows, &[], width));
}

/// Appends prose in lines within a width. The first line begins with `mark`. Further lines are indented by the width of
/// `mark`.
fn push_prose(text: &mut String, prose: &str, mark: &str, width: usize) {
    let prose_width = width.clamp(MIN_PROSE_WIDTH, PROSE_WIDTH);
    let indent = " ".repeat(mark.width());
    let mut line = mark.to_owned();
    let mut has_word = false;
    for word in prose.split_whitespace() {
        // A number and its unit stay on one line.
        let is_unit = word.starts_with('%');
        let is_too_long = line.width() + 1 + word.width() > prose_width;
        if has_word && !is_unit && is_too_long {
            push_line(text, &line);
            line.clone_from(&indent);
            has_word = false;
        }

        if has_word {
            line.push(' ');
        }
        line.push_str(word);
        has_word = true;
    }
    push_line(text, &line);
}

/// Appends a board below its caption.
fn push_board(text: &mut String, board: &Board, width: usize) {
    if !board.caption.is_empty() {
        push_prose(text, &plain(&board.caption), "", width);
    }

    let signs = if has_plain_letters() {
        Signs::Letters
    } else {
        Signs::Figurines
    };
    let diagram = Diagram {
        signs,
        flipped: board.is_flipped,
        moved: board.moved,
        ..Diagram::of(&board.setup)
    };
    text.push_str(&diagram.to_string());
    text.push('\n');
}

/// Appends the title of a chart, and a line for each series.
fn push_chart(text: &mut String, chart: &Chart, width: usize) {
    let heading = format!("{}, {}", chart.title, range(chart));
    push_line(text, &heading);

    // Half of a narrow line is left for the name and the words of a series.
    let room = CHART_LETTERS.min(width / 2);
    let mut rows = Vec::with_capacity(chart.series.len());
    for series in &chart.series {
        let mut row = Vec::new();
        if !series.name.is_empty() {
            row.push(series.name.clone());
        }
        row.push(sparkline(&series.values, room, has_plain_letters()));
        row.push(chart.in_words(series).unwrap_or_default());
        rows.push(row);
    }
    text.push_str(&table(&rows, &[], width));
}

/// The range of a chart's labels, in the letters of the terminal.
fn range(chart: &Chart) -> String {
    let range = chart.range();
    if has_plain_letters() {
        range.replace('–', "-")
    } else {
        range
    }
}

/// Appends a table within a width.
fn push_table(text: &mut String, rows: &Table, width: usize) {
    let (all_cells, right_aligned) = table_cells(rows, ExtraColumns::Included);
    let uncut = table(&all_cells, &right_aligned, usize::MAX);
    let fits = uncut.lines().all(|line| line.width() <= width);
    if fits {
        text.push_str(&table(&all_cells, &right_aligned, width));
        return;
    }

    // Extra columns are left out before cells are cut.
    let (cells, right_aligned) = table_cells(rows, ExtraColumns::LeftOut);
    text.push_str(&table(&cells, &right_aligned, width));
}

/// The treatment of the extra columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExtraColumns {
    Included,
    LeftOut,
}

/// The rows of a table, the header first, and the indices of right-aligned columns.
fn table_cells(table: &Table, extra_columns: ExtraColumns) -> (Vec<Vec<String>>, Vec<usize>) {
    let with_extra = extra_columns == ExtraColumns::Included;
    let mut header = Vec::new();
    let mut right_aligned = Vec::new();
    for column in &table.columns {
        if column.is_extra && !with_extra {
            continue;
        }
        if column.is_number {
            right_aligned.push(header.len());
        }
        header.push(column.name.clone());
    }

    let mut lines = vec![header];
    for row in &table.rows {
        let mut line = Vec::new();
        for (at, cell) in row.iter().enumerate() {
            let is_extra = table.columns.get(at).is_some_and(|column| column.is_extra);
            if !is_extra || with_extra {
                line.push(cell_text(cell));
            }
        }
        lines.push(line);
    }
    (lines, right_aligned)
}

/// The text of a cell.
fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Spans(spans) => plain(spans),
        Cell::Indented(depth, spans) => {
            let indent = "  ".repeat((*depth).into());
            indent + &plain(spans)
        }
        Cell::Bar(bar) => bar_of(bar.games, BAR_LETTERS),
        Cell::Trend(values) => sparkline(values, TREND_LETTERS, has_plain_letters()),
    }
}

/// The text of spans, without emphasis and links.
fn plain(spans: &[Span]) -> String {
    spans.iter().map(Span::as_text).collect()
}

/// A bar of `width` letters with three parts: wins of the first side as full blocks, draws in grey, losses light.
pub(super) fn bar_of(games: [u64; 3], width: u64) -> String {
    let bar = Bar {
        games,
        kind: BarKind::Colors,
    };
    let shades = match letters() {
        Letters::Unicode => ["█", "▒", "░"],
        Letters::Ascii => ["#", "=", "."],
    };

    let mut text = String::new();
    for (shade, share) in shades.into_iter().zip(bar.widths(width)) {
        text += &shade.repeat(share);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_to_the_width_of_the_terminal() {
        let mut document = Document::new("Title".to_owned());
        document.paragraph([Span::text("word ".repeat(60))]);

        // Words of four letters and a space between two of them.
        for (width, longest) in [(60, 59), (100, 99), (200, 99), (usize::MAX, 99)] {
            let text = text(&document, width);
            let widths = text.lines().map(UnicodeWidthStr::width);
            assert_eq!(widths.max(), Some(longest), "{width} columns");
        }
    }
}
