//! Documents: a title and blocks.

use super::board::{Board, HeatBoard};
use super::chart::Chart;
use super::span::Span;
use super::table::Table;

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The blocks below the title.
    pub blocks: Vec<Block>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// The heading of a section.
    Heading(Level, String),
    /// A paragraph.
    Paragraph(Vec<Span>),
    /// A remark on the adjacent block, for example on the games that were left out.
    Note(String),
    /// A list.
    List(Vec<Vec<Span>>),
    /// A table.
    Table(Table),
    /// Positions, beside each other if there is room.
    Boards(Vec<Board>),
    /// Heat maps of the squares on which pieces stand.
    HeatBoards(Vec<HeatBoard>),
    /// Numbers by year.
    Chart(Chart),
    /// A label, and a line of moves.
    Moves(Vec<Span>, String),
}

/// The level of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A section.
    Section,
    /// A part of a section.
    Part,
}

impl Document {
    /// A document with a title only.
    pub fn new(title: impl Into<String>) -> Document {
        Document {
            title: title.into(),
            blocks: Vec::new(),
        }
    }

    /// Appends the heading of a section.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks
            .push(Block::Heading(Level::Section, text.into()));
    }

    /// Appends the heading of a part of a section.
    pub fn subheading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(Level::Part, text.into()));
    }

    /// Appends a paragraph.
    pub fn paragraph(&mut self, spans: impl IntoIterator<Item = Span>) {
        self.blocks
            .push(Block::Paragraph(spans.into_iter().collect()));
    }

    /// Appends a remark.
    pub fn note(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Note(text.into()));
    }

    /// Appends a list; nothing if it is empty.
    pub fn list(&mut self, items: impl IntoIterator<Item = Vec<Span>>) {
        let items: Vec<Vec<Span>> = items.into_iter().collect();
        if !items.is_empty() {
            self.blocks.push(Block::List(items));
        }
    }

    /// Appends a table; nothing if it has no rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Appends boards; nothing if there are none.
    pub fn boards(&mut self, boards: Vec<Board>) {
        if !boards.is_empty() {
            self.blocks.push(Block::Boards(boards));
        }
    }

    /// Appends heat boards; nothing if there are none.
    pub fn heat_boards(&mut self, boards: Vec<HeatBoard>) {
        if !boards.is_empty() {
            self.blocks.push(Block::HeatBoards(boards));
        }
    }

    /// Appends a chart; nothing if it has no value.
    pub fn chart(&mut self, chart: Chart) {
        if chart.values().next().is_some() {
            self.blocks.push(Block::Chart(chart));
        }
    }

    /// Appends a line of moves, such as `1. e4 e5 2. Nf3`.
    pub fn moves(&mut self, label: impl IntoIterator<Item = Span>, moves: impl Into<String>) {
        self.blocks
            .push(Block::Moves(label.into_iter().collect(), moves.into()));
    }
}
