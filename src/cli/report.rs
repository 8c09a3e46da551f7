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
    Bar, BarKind, Block, Board, Cell, Chart, Document, Level, Series, Span, Table, html_page,
    markdown, sparkline,
};
use stamma::storage::Database;
use stamma::study::tournament::Letters;

/// The letters of a chart.
const CHART_LETTERS: usize = 60;
/// The letters of a chart in a cell.
const TREND_LETTERS: usize = 20;
/// The width of a bar of results.
const BAR_LETTERS: u64 = 12;
/// The most squares that are listed for a piece.
const MOST_SQUARES: usize = 5;
/// The width of lines of prose, where the terminal is wider.
const PROSE_WIDTH: usize = 100;

/// Writes a document to a file, or to standard output; `json` gives what is written instead as JSON.
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
    let width = if output.is_some() {
        usize::MAX
    } else {
        output_width()
    };
    let written = match format {
        ReportFormat::Text => text(document, width),
        ReportFormat::Md => markdown(document),
        ReportFormat::Html => html_page(document),
        ReportFormat::Json => to_json(json)?,
    };
    write_output(databases, output, written)
}

fn to_json<J: Serialize>(json: &J) -> Result<String> {
    let json = serde_json::to_string(json);
    let json = json.map_err(|error| Error::Output(error.into()))?;
    Ok(printable_json(&json).into_owned() + "\n")
}

/// A document as text within a width.
pub(super) fn text(document: &Document, width: usize) -> String {
    let mut text = String::new();
    push_line(&mut text, &document.title);
    let mut last: Option<&Block> = None;
    for block in &document.blocks {
        if is_apart(last, block) {
            text.push('\n');
        }
        push_block(&mut text, block, width);
        last = Some(block);
    }
    text
}

/// Whether a blank line comes before a block: not between the title or a heading and what it is about, nor between
/// remarks.
fn is_apart(last: Option<&Block>, block: &Block) -> bool {
    match (last, block) {
        (Some(Block::Heading(..)), _) => false,
        (_, Block::Heading(..)) => true,
        (None, Block::Paragraph(_) | Block::Note(_)) => false,
        (Some(Block::Note(_)), Block::Note(_)) => false,
        (Some(Block::Moves(..)), Block::Moves(..)) => false,
        _ => true,
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(printable(line).trim_end());
    text.push('\n');
}

fn push_block(text: &mut String, block: &Block, width: usize) {
    match block {
        Block::Heading(Level::Section, heading) => push_line(text, &heading.to_uppercase()),
        Block::Heading(Level::Part, heading) => push_line(text, heading),
        Block::Paragraph(spans) => push_prose(text, &plain(spans), "", width),
        Block::Note(note) => push_prose(text, note, "", width),
        Block::List(items) => {
            items
                .iter()
                .for_each(|item| push_prose(text, &plain(item), "- ", width));
        }
        Block::Table(rows) => push_table(text, rows, width),
        Block::Boards(boards) => {
            for (at, board) in boards.iter().enumerate() {
                if at > 0 {
                    text.push('\n');
                }
                push_board(text, board, width);
            }
        }
        Block::HeatBoards(boards) => {
            let rows = boards
                .iter()
                .map(|board| vec![plain(&board.caption), board.squares(MOST_SQUARES)]);
            let mut rows: Vec<Vec<String>> = rows.collect();
            rows.insert(0, vec!["piece".to_owned(), "squares".to_owned()]);
            text.push_str(&table(&rows, &[], width));
        }
        Block::Chart(chart) => push_chart(text, chart, width),
        Block::Moves(label, moves) if label.is_empty() => push_prose(text, moves, "", width),
        Block::Moves(label, moves) => {
            push_prose(text, &format!("{} {moves}", plain(label)), "", width);
        }
    }
}

/// Words on lines within a width; those after the first are indented by the width of a mark.
fn push_prose(text: &mut String, prose: &str, mark: &str, width: usize) {
    let width = width.clamp(20, PROSE_WIDTH);
    let indent = " ".repeat(mark.width());
    let mut line = mark.to_owned();
    let mut has_word = false;
    for word in prose.split_whitespace() {
        let is_unit = word.starts_with('%');
        if has_word && !is_unit && line.width() + 1 + word.width() > width {
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

fn push_chart(text: &mut String, chart: &Chart, width: usize) {
    push_line(text, &format!("{}, {}", chart.title, range(chart)));
    let row = |series: &Series| {
        let room = CHART_LETTERS.min(width / 2);
        let line = sparkline(&series.values, room, has_plain_letters());
        let words = chart.in_words(series).unwrap_or_default();
        match series.name.is_empty() {
            true => vec![line, words],
            false => vec![series.name.clone(), line, words],
        }
    };
    let rows: Vec<Vec<String>> = chart.series.iter().map(row).collect();
    text.push_str(&table(&rows, &[], width));
}

fn range(chart: &Chart) -> String {
    let range = chart.range();
    if has_plain_letters() {
        range.replace('–', "-")
    } else {
        range
    }
}

fn push_table(text: &mut String, rows: &Table, width: usize) {
    let all = cells(rows, true);
    let fits = table(&all.0, &all.1, usize::MAX)
        .lines()
        .all(|line| line.width() <= width);
    let (rows, right_aligned) = if fits { all } else { cells(rows, false) };
    text.push_str(&table(&rows, &right_aligned, width));
}

/// The cells of a table, with its header, and the columns that are flush right.
fn cells(table: &Table, with_extra: bool) -> (Vec<Vec<String>>, Vec<usize>) {
    let is_kept = |at: usize| with_extra || table.columns.get(at).is_none_or(|one| !one.is_extra);
    let kept = (0..table.columns.len()).filter(|&at| is_kept(at));
    let right = kept
        .clone()
        .enumerate()
        .filter(|&(_, at)| table.columns[at].is_number);
    let right = right.map(|(shown, _)| shown).collect();
    let header = kept.map(|at| table.columns[at].name.clone()).collect();
    let rows = table.rows.iter().map(|row| {
        let kept = row.iter().enumerate().filter(|(at, _)| is_kept(*at));
        kept.map(|(_, cell)| text_of(cell)).collect()
    });
    (std::iter::once(header).chain(rows).collect(), right)
}

fn text_of(cell: &Cell) -> String {
    match cell {
        Cell::Spans(spans) => plain(spans),
        Cell::Indented(depth, spans) => "  ".repeat((*depth).into()) + &plain(spans),
        Cell::Bar(bar) => bar_of(bar.games, BAR_LETTERS),
        Cell::Trend(values) => sparkline(values, TREND_LETTERS, has_plain_letters()),
    }
}

fn plain(spans: &[Span]) -> String {
    spans.iter().map(Span::as_text).collect()
}

/// The share of the first wins as full blocks, that of draws in grey, and the rest light.
pub(super) fn bar_of(games: [u64; 3], width: u64) -> String {
    let widths = Bar {
        games,
        kind: BarKind::Colors,
    }
    .widths(width);
    let letters = match letters() {
        Letters::Unicode => ["█", "▒", "░"],
        Letters::Ascii => ["#", "=", "."],
    };
    letters
        .into_iter()
        .zip(widths)
        .map(|(letter, width)| letter.repeat(width))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_to_the_width_of_the_terminal() {
        let mut document = Document::new("Title".to_owned());
        document.paragraph([Span::text("word ".repeat(60))]);
        let longest = |width| {
            text(&document, width)
                .lines()
                .map(UnicodeWidthStr::width)
                .max()
                .unwrap_or(0)
        };
        // Words of four letters and a space between two of them.
        assert_eq!([60, 100, 200, usize::MAX].map(longest), [59, 99, 99, 99]);
    }
}
