//! Documents as HTML: a whole page that needs no other file, or a fragment for another page.
//!
//! The HTML has no style attributes and no scripts, so that a page with a strict Content-Security-Policy can show a
//! fragment. A whole page has one style sheet.

mod board;
mod chart;

use std::fmt::Write;

use super::escape::{html as escaped, html_text};
use super::{Bar, BarKind, Block, Cell, Column, Document, Level, Span, Table, Target};

/// The rules for `.report`. A page with a fragment must define the variables of their colours: `--text`, `--faint`,
/// `--line`, `--raised` and `--accent`, and for the parts of bars `--white-part`, `--draws-part`, `--black-part`,
/// `--wins` and `--losses`.
pub const STYLE: &str = include_str!("report.css");

/// The colours and the body of a whole page.
const PAGE_STYLE: &str = include_str!("page.css");

/// The minimum number of sections for which a page has a list of sections.
const MIN_LISTED_SECTIONS: usize = 3;
/// The maximum depth of a cell for which the style sheet has an indentation.
const MAX_DEPTH: u8 = 12;

/// A document as a page of HTML that needs no other file. Links to games and positions become text.
pub fn html_page(document: &Document) -> String {
    let title = escaped(&document.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n"
    );
    let mut writer = Writer {
        page: &mut page,
        addresses: &|_| None,
        sections: Some(0),
        boards: 0,
        is_in_section: false,
        is_in_part: false,
    };

    writer.write_document(document);
    page + "</body>\n</html>\n"
}

/// A document as an element `article` for a page that has the rules of [`STYLE`]. `addresses` returns the address of
/// the page's view of a target; `None` if the page has no such view.
pub fn html_fragment(document: &Document, addresses: &dyn Fn(&Target) -> Option<String>) -> String {
    let mut page = String::new();
    let mut writer = Writer {
        page: &mut page,
        addresses,
        sections: None,
        boards: 0,
        is_in_section: false,
        is_in_part: false,
    };

    writer.write_document(document);
    page
}

/// Writes HTML to the end of a page.
struct Writer<'w> {
    page: &'w mut String,
    /// The addresses of targets in the surrounding page.
    addresses: &'w dyn Fn(&Target) -> Option<String>,
    /// The number of sections so far; `None` if the headings of sections have no ids.
    sections: Option<usize>,
    /// The number of boards so far.
    boards: usize,
    is_in_section: bool,
    is_in_part: bool,
}

impl Writer<'_> {
    /// Appends HTML to the page.
    fn push_html(&mut self, html: &str) {
        self.page.push_str(html);
    }

    fn write_document(&mut self, document: &Document) {
        let title = html_text(&document.title);
        self.push_html(&format!("<article class=\"report\">\n<h1>{title}</h1>\n"));

        if self.sections.is_some() {
            self.write_contents(document);
        }
        for block in &document.blocks {
            self.write_block(block);
        }

        self.end_section();
        self.push_html("</article>\n");
    }

    /// Writes the list of sections, unless the document has few.
    fn write_contents(&mut self, document: &Document) {
        let mut sections = Vec::new();
        for block in &document.blocks {
            if let Block::Heading(Level::Section, heading) = block {
                sections.push(heading);
            }
        }
        if sections.len() < MIN_LISTED_SECTIONS {
            return;
        }

        // `begin_section` gives each heading the id `s` and the number of its section.
        self.push_html("<nav><ul>\n");
        for (number, heading) in (1..).zip(sections) {
            let heading = html_text(heading);
            self.push_html(&format!("<li><a href=\"#s{number}\">{heading}</a></li>\n"));
        }
        self.push_html("</ul></nav>\n");
    }

    fn write_block(&mut self, block: &Block) {
        match block {
            Block::Heading(Level::Section, heading) => self.begin_section(heading),
            Block::Heading(Level::Part, heading) => self.begin_part(heading),
            Block::Paragraph(spans) => {
                let text = self.spans_html(spans);
                self.write_element("p", &text);
            }
            Block::Note(note) => self.write_note(note),
            Block::List(items) => self.write_list(items),
            Block::Table(table) => self.write_table(table),
            Block::Boards(boards) => self.write_boards(boards),
            Block::HeatBoards(boards) => self.write_heat_boards(boards),
            Block::Chart(chart) => chart::write_chart(self.page, chart),
            Block::Moves(label, moves) => self.write_moves(label, moves),
        }
    }

    fn write_note(&mut self, note: &str) {
        let text = html_text(note);
        self.push_html(&format!("<p class=\"note\">{text}</p>\n"));
    }

    fn write_list(&mut self, items: &[Vec<Span>]) {
        self.push_html("<ul>\n");
        for item in items {
            let text = self.spans_html(item);
            self.write_element("li", &text);
        }
        self.push_html("</ul>\n");
    }

    fn write_moves(&mut self, label: &[Span], moves: &str) {
        let label_text = self.spans_html(label);
        let gap = if label_text.is_empty() { "" } else { " " };
        let moves_text = html_text(moves);
        self.push_html(&format!(
            "<p class=\"moves\">{label_text}{gap}<span>{moves_text}</span></p>\n"
        ));
    }

    /// Writes an element without attributes. `inner` is HTML.
    fn write_element(&mut self, name: &str, inner: &str) {
        self.push_html(&format!("<{name}>{inner}</{name}>\n"));
    }

    /// Begins a part of a section, which may stand beside the next part.
    fn begin_part(&mut self, heading: &str) {
        self.end_part();
        self.is_in_part = true;
        self.push_html("<div class=\"part\">\n");
        self.write_element("h3", &html_text(heading));
    }

    fn end_part(&mut self) {
        if std::mem::take(&mut self.is_in_part) {
            self.push_html("</div>\n");
        }
    }

    fn end_section(&mut self) {
        self.end_part();
        if std::mem::take(&mut self.is_in_section) {
            self.push_html("</section>\n");
        }
    }

    fn begin_section(&mut self, heading: &str) {
        self.end_section();
        self.is_in_section = true;
        self.push_html("<section>\n");

        let heading = html_text(heading);
        match &mut self.sections {
            Some(number) => {
                *number += 1;
                let number = *number;
                self.push_html(&format!("<h2 id=\"s{number}\">{heading}</h2>\n"));
            }
            None => self.write_element("h2", &heading),
        }
    }

    fn spans_html(&self, spans: &[Span]) -> String {
        spans.iter().map(|span| self.span_html(span)).collect()
    }

    fn span_html(&self, span: &Span) -> String {
        let text = html_text(span.as_text());
        match span {
            Span::Text(_) => text,
            Span::Strong(_) => format!("<strong>{text}</strong>"),
            Span::Link(_, target) => match self.address(target) {
                Some(address) => format!("<a href=\"{}\">{text}</a>", escaped(&address)),
                None => text,
            },
        }
    }

    /// The address of a target: a view of the surrounding page, or an address in the web; `None` if the target has
    /// neither.
    fn address(&self, target: &Target) -> Option<String> {
        if let Some(address) = (self.addresses)(target) {
            return Some(address);
        }
        target.web().map(str::to_owned)
    }

    fn write_table(&mut self, table: &Table) {
        self.push_html("<div class=\"wide\"><table>\n<thead><tr>");
        for column in &table.columns {
            let class = class_attribute(column, None);
            let name = html_text(&column.name);
            self.push_html(&format!("<th scope=\"col\"{class}>{name}</th>"));
        }
        self.push_html("</tr></thead>\n<tbody>\n");

        for row in &table.rows {
            self.push_html("<tr>");
            for (column, cell) in table.columns.iter().zip(row) {
                let class = class_attribute(column, Some(cell));
                let inner = self.cell_html(cell);
                self.push_html(&format!("<td{class}>{inner}</td>"));
            }

            // A row may have fewer cells than there are columns.
            let missing = table.columns.len().saturating_sub(row.len());
            if missing > 0 {
                self.push_html(&format!("<td colspan=\"{missing}\"></td>"));
            }
            self.push_html("</tr>\n");
        }

        self.push_html("</tbody>\n</table></div>\n");
    }

    fn cell_html(&self, cell: &Cell) -> String {
        match cell {
            Cell::Spans(spans) | Cell::Indented(_, spans) => self.spans_html(spans),
            Cell::Bar(bar) => bar_picture(bar),
            Cell::Trend(values) => chart::trend_picture(values),
        }
    }
}

/// The attribute `class` of a cell, or of the heading of a column if `cell` is `None`; empty without classes.
fn class_attribute(column: &Column, cell: Option<&Cell>) -> String {
    let mut classes = Vec::new();
    if column.is_number {
        classes.push("number".to_owned());
    }
    if column.is_extra {
        classes.push("extra".to_owned());
    }
    if let Some(Cell::Indented(depth, _)) = cell {
        classes.push(format!("depth-{}", depth.min(&MAX_DEPTH)));
    }

    if classes.is_empty() {
        String::new()
    } else {
        format!(" class=\"{}\"", classes.join(" "))
    }
}

/// Results as an SVG picture of three rectangles; empty without games.
fn bar_picture(bar: &Bar) -> String {
    let Some(shares) = bar.shares() else {
        return String::new();
    };

    let words = bar.in_words();
    let mut picture = format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"{words}\"><title>{words}</title>"
    );
    let kinds = match bar.kind {
        BarKind::Colors => ["white", "draws", "black"],
        BarKind::Score => ["wins", "draws", "losses"],
    };

    let mut x = 0.0;
    for (share, kind) in shares.iter().zip(kinds) {
        let width = 100.0 * share;
        if width > 0.0 {
            let _ = write!(
                picture,
                "<rect class=\"{kind}-part\" x=\"{x:.2}\" y=\"0\" width=\"{width:.2}\" height=\"10\"/>"
            );
        }
        x += width;
    }

    picture + "</svg>"
}
