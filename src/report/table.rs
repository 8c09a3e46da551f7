//! Tables in reports.

use super::span::Span;

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells of each row. A row may have fewer cells than there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// `true` if the cells are flush right.
    pub is_number: bool,
    /// `true` if the column may be left out of a narrow table.
    pub is_extra: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text.
    Spans(Vec<Span>),
    /// Text in a tree, at a depth from 0.
    Indented(u8, Vec<Span>),
    /// Results as a bar.
    Bar(Bar),
    /// Values over time, as a small chart.
    Trend(Vec<Option<f64>>),
}

/// The results of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// White's wins, draws and Black's wins; or wins, draws and losses of a player.
    pub games: [u64; 3],
    /// The meaning of the three numbers.
    pub kind: BarKind,
}

/// The meaning of the three numbers of a bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BarKind {
    /// White's wins, draws, and Black's wins.
    #[default]
    Colors,
    /// Wins, draws and losses of a player.
    Score,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }
}

impl Column {
    /// A column of text.
    pub fn text(name: impl Into<String>) -> Column {
        Column {
            name: name.into(),
            ..Column::default()
        }
    }

    /// A column of numbers, which are flush right.
    pub fn number(name: impl Into<String>) -> Column {
        Column {
            is_number: true,
            ..Column::text(name)
        }
    }

    /// Allows the column to be left out of a narrow table.
    pub fn extra(self) -> Column {
        Column {
            is_extra: true,
            ..self
        }
    }
}

impl Cell {
    /// Text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Spans(vec![Span::text(text)])
    }

    /// A cell without text.
    pub fn empty() -> Cell {
        Cell::Spans(Vec::new())
    }

    /// White's wins, draws and Black's wins.
    pub fn results(games: [u64; 3]) -> Cell {
        Cell::Bar(Bar {
            games,
            kind: BarKind::Colors,
        })
    }

    /// Wins, draws and losses of a player.
    pub fn score(games: [u64; 3]) -> Cell {
        Cell::Bar(Bar {
            games,
            kind: BarKind::Score,
        })
    }
}

impl From<Span> for Cell {
    fn from(span: Span) -> Cell {
        Cell::Spans(vec![span])
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::text(text)
    }
}

impl Bar {
    /// The number of games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The shares of the three numbers in all games, which add up to 1; `None` without games.
    pub fn shares(&self) -> Option<[f64; 3]> {
        let total = self.total();
        if total == 0 {
            return None;
        }
        Some(self.games.map(|games| games as f64 / total as f64))
    }

    /// The widths of the three parts in letters, which add up to `width`; all 0 without games.
    pub fn widths(&self, width: u64) -> [usize; 3] {
        let total = self.total();
        if total == 0 {
            return [0; 3];
        }

        // The ends of the parts are rounded, not the parts, so that the parts add up.
        let columns = |games: u64| {
            let rounded = (2 * games * width + total) / (2 * total);
            rounded as usize
        };

        let [wins, draws, _] = self.games;
        let wins_end = columns(wins);
        let draws_end = columns(wins + draws);
        [wins_end, draws_end - wins_end, width as usize - draws_end]
    }

    /// The three parts in words: `45 % White, 30 % draws, 25 % Black`.
    pub fn in_words(&self) -> String {
        let Some(shares) = self.shares() else {
            return "no results".to_owned();
        };
        let names = match self.kind {
            BarKind::Colors => ["White", "draws", "Black"],
            BarKind::Score => ["won", "drawn", "lost"],
        };

        let mut parts = Vec::new();
        for (share, name) in shares.iter().zip(names) {
            let per_cent = 100.0 * share;
            parts.push(format!("{per_cent:.0} % {name}"));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_full() {
        let bar = |games| Bar {
            games,
            kind: BarKind::Colors,
        };

        assert_eq!(bar([2, 1, 1]).widths(20), [10, 5, 5]);
        assert_eq!(bar([0, 0, 3]).widths(20), [0, 0, 20]);
        assert_eq!(bar([0, 0, 0]).widths(20), [0, 0, 0]);

        // A width of 20 cannot be divided into three equal parts.
        let thirds = bar([1, 1, 1]).widths(20);
        assert_eq!(thirds.iter().sum::<usize>(), 20);
    }

    #[test]
    fn bars_are_described_in_words() {
        let bar = |games| Bar {
            games,
            kind: BarKind::Colors,
        };

        let words = bar([2, 1, 1]).in_words();
        assert_eq!(words, "50 % White, 25 % draws, 25 % Black");
        assert_eq!(bar([0, 0, 0]).in_words(), "no results");
    }
}
