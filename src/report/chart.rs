//! Charts in reports: numbers by year, or by another label.

use super::numbers::grouped;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The unit of all values.
    pub unit: Unit,
    /// Bars or lines.
    pub kind: ChartKind,
    /// The labels of the values, such as years.
    pub labels: Vec<String>,
    /// The values.
    pub series: Vec<Series>,
}

/// Values of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name of the series; not shown if there is only one series.
    pub name: String,
    /// The value at each label; `None` if it is unknown.
    pub values: Vec<Option<f64>>,
}

/// The unit of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of things.
    Count,
    /// Per cent.
    PerCent,
    /// Rating points.
    Elo,
}

/// The form of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Bars from 0; several series are stacked.
    Bars,
    /// Lines.
    Lines,
}

impl Chart {
    /// A chart of one series.
    pub fn of(
        title: impl Into<String>,
        unit: Unit,
        kind: ChartKind,
        values: impl IntoIterator<Item = (String, Option<f64>)>,
    ) -> Chart {
        let (labels, values) = values.into_iter().unzip();
        let series = vec![Series {
            name: String::new(),
            values,
        }];

        Chart {
            title: title.into(),
            unit,
            kind,
            labels,
            series,
        }
    }

    /// All known values. A value that is not finite counts as unknown.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        let values = self
            .series
            .iter()
            .flat_map(|series| series.values.iter().flatten());
        values.copied().filter(|value| value.is_finite())
    }

    /// The greatest and the last value of a series with their labels, in words: `most 12 (1999), last 3 (2001)`. `None`
    /// if no value is known.
    pub fn in_words(&self, series: &Series) -> Option<String> {
        let mut known: Vec<(&String, f64)> = Vec::new();
        for (label, value) in self.labels.iter().zip(&series.values) {
            if let Some(value) = value {
                known.push((label, *value));
            }
        }

        let &(last_label, last_value) = known.last()?;
        let &(max_label, max_value) = known
            .iter()
            .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let last_text = self.unit.of(last_value);
        let max_text = self.unit.of(max_value);

        if max_label == last_label {
            return Some(format!("most {max_text} ({max_label})"));
        }
        Some(format!(
            "most {max_text} ({max_label}), last {last_text} ({last_label})"
        ))
    }

    /// The first and the last label: `1972–2024`.
    pub fn range(&self) -> String {
        let (Some(first), Some(last)) = (self.labels.first(), self.labels.last()) else {
            return String::new();
        };

        if first == last {
            first.clone()
        } else {
            format!("{first}–{last}")
        }
    }
}

impl Unit {
    /// The text of a value in this unit: `1,234`, `9.5 %`.
    pub fn of(self, value: f64) -> String {
        match self {
            Unit::Count => grouped(value.max(0.0).round() as u64),
            // From 9.95 on, a value is rounded to 10 and more, which needs no decimal.
            Unit::PerCent if value < 9.95 => format!("{value:.1} %"),
            Unit::PerCent => format!("{value:.0} %"),
            Unit::Elo => format!("{value:.0}"),
        }
    }
}

/// The letters of a sparkline, from the lowest to the highest bar.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The letters of a sparkline in ASCII, from the lowest to the highest bar.
const PLAIN_BLOCKS: [char; 8] = ['.', ':', '-', '=', '+', '*', '%', '#'];

/// A bar chart in one line of text. Each letter is the bar of a value, or of the mean of several values if there are
/// more than `width` values. Unknown values are blank. Bars begin at 0. If `is_plain`, the letters are ASCII.
///
/// ```
/// use stamma::report::sparkline;
/// assert_eq!(sparkline(&[Some(0.0), Some(1.0), None, Some(7.0)], 60, false), "▁▂ █");
/// ```
pub fn sparkline(values: &[Option<f64>], width: usize, is_plain: bool) -> String {
    let letters = if is_plain { PLAIN_BLOCKS } else { BLOCKS };
    let values_per_letter = values.len().div_ceil(width.max(1)).max(1);
    let means: Vec<Option<f64>> = values.chunks(values_per_letter).map(mean).collect();
    let max = means.iter().flatten().copied().fold(0.0, f64::max);

    let mut line = String::new();
    for mean in means {
        let letter = match mean {
            Some(mean) => letters[letter_index(mean, max)],
            None => ' ',
        };
        line.push(letter);
    }
    line
}

/// The index of the letter for a value: 0 for a value of 0, and the last index for the value `max`.
fn letter_index(value: f64, max: f64) -> usize {
    if max <= 0.0 {
        return 0;
    }

    let highest = (BLOCKS.len() - 1) as f64;
    let height = (value / max * highest).round();

    // A negative value is as low as 0.
    height.clamp(0.0, highest) as usize
}

/// The mean of the known values; `None` if no value is known.
fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = values
        .iter()
        .flatten()
        .copied()
        .filter(|value| value.is_finite())
        .collect();
    if known.is_empty() {
        return None;
    }

    let sum: f64 = known.iter().sum();
    Some(sum / known.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[Option<f64>]) -> Chart {
        let years = (1900..).map(|year: u16| year.to_string());
        Chart::of(
            "games",
            Unit::Count,
            ChartKind::Bars,
            years.zip(values.iter().copied()),
        )
    }

    #[test]
    fn sparklines() {
        assert_eq!(sparkline(&[], 60, false), "");
        assert_eq!(sparkline(&[Some(3.0)], 60, false), "█");
        assert_eq!(sparkline(&[Some(0.0), Some(0.0)], 60, false), "▁▁");

        // NaN counts as unknown.
        let with_gaps = [Some(0.0), None, Some(f64::NAN), Some(2.0)];
        assert_eq!(sparkline(&with_gaps, 60, true), ".  #");
    }

    #[test]
    fn a_letter_of_a_sparkline_is_the_mean_of_several_values() {
        let values: Vec<Option<f64>> = (0..200).map(|value| Some(f64::from(value))).collect();

        // Four values a letter are the fewest that fit 200 values into 60 letters.
        let line = sparkline(&values, 60, false);
        assert_eq!(line.chars().count(), 50);
    }

    #[test]
    fn charts_in_words() {
        let words = |values: &[Option<f64>]| {
            let chart = chart(values);
            (chart.in_words(&chart.series[0]), chart.range())
        };

        let (text, range) = words(&[]);
        assert_eq!((text.as_deref(), range.as_str()), (None, ""));

        let (text, range) = words(&[Some(1200.0)]);
        assert_eq!(text.as_deref(), Some("most 1,200 (1900)"));
        assert_eq!(range, "1900");

        let (text, range) = words(&[Some(1.0), Some(3.0), None, Some(2.0)]);
        assert_eq!(text.as_deref(), Some("most 3 (1901), last 2 (1903)"));
        assert_eq!(range, "1900–1903");
    }
}
