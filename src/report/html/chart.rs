//! Charts as SVG in HTML.

use std::fmt::Write;

use crate::report::escape::html as escaped;
use crate::report::{Chart, ChartKind, Series, Unit};

/// The width of the picture, in units of its view box, as are all lengths below.
const WIDTH: f64 = 520.0;
/// The height of the picture.
const HEIGHT: f64 = 190.0;
/// The margin for the numbers at the axis.
const LEFT: f64 = 44.0;
/// The right margin.
const RIGHT: f64 = 8.0;
/// The top margin.
const TOP: f64 = 10.0;
/// The margin for the labels.
const BOTTOM: f64 = 22.0;
/// The maximum number of labels below a chart.
const MAX_LABELS: usize = 8;
/// The numbers whose multiples may be the labelled years of a chart, the smallest first.
const LABELLED_MULTIPLES: [u32; 9] = [2, 5, 10, 20, 25, 50, 100, 200, 500];
/// The maximum width of a bar.
const MAX_BAR_WIDTH: f64 = 48.0;
/// The minimum height of a bar.
const MIN_BAR_HEIGHT: f64 = 0.6;
/// The number of colours of series in the style sheet. Further series reuse the colours.
const COLORS: usize = 4;
/// The maximum number of steps of the axis, for any range.
const MAX_STEPS: usize = 12;
/// The height of a small chart in a cell, in units of its view box.
const TREND_HEIGHT: f64 = 20.0;
/// The width of a value in a small chart, with the gap to the next value.
const TREND_STEP: usize = 10;
/// The maximum number of labels of a chart whose lines have large points.
const MAX_LARGE_POINTS: usize = 60;
/// The radius of a point of a line with few points.
const LARGE_RADIUS: f64 = 2.6;
/// The radius of a point of a line with many points.
const SMALL_RADIUS: f64 = 1.6;
/// The size of the letters of numbers and labels.
const FONT_SIZE: u32 = 11;
/// The gap between a number and the axis, and between the labels and the lower edge.
const TEXT_GAP: f64 = 6.0;
/// The distance of the baseline of a number from its line, so that the line meets the middle of the digits.
const BASELINE: f64 = 4.0;
/// The minimum distance of the middle of a label from the right edge, so that the last label stays within the picture.
const LABEL_RIGHT: f64 = 16.0;
/// The maximum width of columns without gaps between their bars, which would hide such narrow bars.
const MAX_WIDTH_WITHOUT_GAP: f64 = 4.0;
/// The share of a column that is free on each side of its bar.
const BAR_GAP: f64 = 0.15;

/// Writes a chart as a figure; nothing if no value is known.
pub(super) fn write_chart(page: &mut String, chart: &Chart) {
    if chart.values().next().is_none() {
        return;
    }

    let scale = Scale::new(chart);
    let title = escaped(&chart.title);
    let range = escaped(&chart.range());
    let _ = write!(
        page,
        "<figure class=\"chart\">\n<figcaption>{title}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}, {range}\">\n"
    );

    write_axes(page, chart, &scale);
    match chart.kind {
        ChartKind::Bars => write_bars(page, chart, &scale),
        ChartKind::Lines => {
            for (number, series) in chart.series.iter().enumerate() {
                write_line(page, chart, number, series, &scale);
            }
        }
    }

    page.push_str("</svg>\n");
    write_key(page, chart);
    page.push_str("</figure>\n");
}

/// Values as an SVG picture for a cell of a table.
pub(super) fn trend_picture(values: &[Option<f64>]) -> String {
    let max = values.iter().flatten().copied().fold(0.0, f64::max);
    let width = TREND_STEP * values.len().max(1);
    let mut picture = format!(
        "<svg class=\"trend\" viewBox=\"0 0 {width} {TREND_HEIGHT}\" preserveAspectRatio=\"none\" \
         aria-hidden=\"true\">"
    );

    for (at, value) in values.iter().enumerate() {
        let Some(value) = value.filter(|value| value.is_finite() && max > 0.0) else {
            continue;
        };

        // A value of 0 is a thin line, unlike a value that is not known.
        let height = (TREND_HEIGHT * value / max).max(1.0);
        let x = TREND_STEP * at + 1;
        let y = TREND_HEIGHT - height;
        let _ = write!(
            picture,
            "<rect class=\"series-1\" x=\"{x}\" y=\"{y:.1}\" width=\"8\" height=\"{height:.1}\"/>"
        );
    }

    picture + "</svg>"
}

/// The mapping from values and labels to coordinates in the picture.
struct Scale {
    min: f64,
    max: f64,
    /// The difference of two adjacent numbers at the axis.
    step: f64,
    /// The number of labels.
    labels: usize,
}

impl Scale {
    fn new(chart: &Chart) -> Scale {
        let (min_value, max_value) = match chart.kind {
            ChartKind::Lines => {
                let min = chart.values().fold(f64::MAX, f64::min);
                let max = chart.values().fold(f64::MIN, f64::max);
                (min, max)
            }
            // Bars begin at 0, and the series of a label are stacked.
            ChartKind::Bars => (0.0, highest_column(chart)),
        };

        // The axis begins and ends at multiples of the step.
        let step = axis_step(max_value - min_value, chart.unit);
        let min = (min_value / step).floor() * step;
        let max = ((max_value / step).ceil() * step).max(min + step);
        Scale {
            min,
            max,
            step,
            labels: chart.labels.len(),
        }
    }

    /// The vertical coordinate of a value.
    fn y(&self, value: f64) -> f64 {
        let room = HEIGHT - TOP - BOTTOM;
        TOP + room * (1.0 - (value - self.min) / (self.max - self.min))
    }

    /// The width of the column of a label.
    fn column_width(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.labels.max(1) as f64
    }

    /// The horizontal coordinate of the middle of a label's column.
    fn x(&self, label: usize) -> f64 {
        LEFT + self.column_width() * (label as f64 + 0.5)
    }
}

/// The sum of the values of the highest column of stacked bars.
fn highest_column(chart: &Chart) -> f64 {
    let mut highest: f64 = 0.0;
    for label in 0..chart.labels.len() {
        let height: f64 = values_at(chart, label).map(|(.., value)| value).sum();
        highest = highest.max(height);
    }
    highest
}

/// The difference of adjacent numbers at the axis: 1, 2 or 5 times a power of ten, so that the axis has two to five
/// numbers.
fn axis_step(range: f64, unit: Unit) -> f64 {
    let min_step = match unit {
        Unit::Count | Unit::Elo => 1.0,
        Unit::PerCent => 0.1,
    };

    let rough = (range / 4.0).max(min_step);
    let power = 10f64.powf(rough.log10().floor());

    // A thousandth less allows for rounding, so that a rough step of 5 stays 5.
    let least = 0.999 * rough;
    let digit = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|digit| digit * power >= least);
    digit.unwrap_or(10.0) * power
}

/// The known values of all series at a label, each with its series and the number of the series.
fn values_at(chart: &Chart, label: usize) -> impl Iterator<Item = (usize, &Series, f64)> {
    let numbered = chart.series.iter().enumerate();
    numbered.filter_map(move |(number, series)| {
        let value = series.values.get(label).copied()??;
        if value.is_finite() {
            Some((number, series, value))
        } else {
            None
        }
    })
}

/// Writes the lines of the grid with their numbers, and the labels below.
fn write_axes(page: &mut String, chart: &Chart, scale: &Scale) {
    let right = WIDTH - RIGHT;
    let number_x = LEFT - TEXT_GAP;
    let steps = ((scale.max - scale.min) / scale.step).round() as usize;
    for number in 0..=steps.min(MAX_STEPS) {
        let value = scale.min + number as f64 * scale.step;
        let text = tick_text(chart.unit, value, scale.step);

        let y = scale.y(value);
        let baseline = y + BASELINE;
        let _ = writeln!(
            page,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>\
             <text class=\"tick\" x=\"{number_x:.1}\" y=\"{baseline:.1}\" font-size=\"{FONT_SIZE}\" \
             text-anchor=\"end\">{text}</text>"
        );
    }

    let shown = ShownLabels::new(&chart.labels);
    let baseline = HEIGHT - TEXT_GAP;
    for (at, label) in chart.labels.iter().enumerate() {
        if !shown.contains(label) {
            continue;
        }

        // The first and the last label stay within the picture.
        let x = scale.x(at).clamp(LEFT + TEXT_GAP, WIDTH - LABEL_RIGHT);
        let text = escaped(label);
        let _ = writeln!(
            page,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{baseline:.1}\" font-size=\"{FONT_SIZE}\" \
             text-anchor=\"middle\">{text}</text>"
        );
    }
}

/// The text of a number at the axis. `step` is the difference of adjacent numbers.
fn tick_text(unit: Unit, value: f64, step: f64) -> String {
    match unit {
        Unit::PerCent if step < 1.0 => format!("{value:.1} %"),
        Unit::PerCent => format!("{value:.0} %"),
        unit => unit.of(value),
    }
}

/// The labels that are written below a chart.
enum ShownLabels {
    All,
    /// The labels of years that are multiples of a number.
    Multiples(u32),
    None,
}

impl ShownLabels {
    fn new(labels: &[String]) -> ShownLabels {
        if labels.len() <= MAX_LABELS {
            return ShownLabels::All;
        }

        // A label can be left out only if its neighbours imply it, as years do.
        if labels.iter().any(|label| label.parse::<u32>().is_err()) {
            return ShownLabels::None;
        }

        for multiple in LABELLED_MULTIPLES {
            if labels.len() / multiple as usize <= MAX_LABELS {
                return ShownLabels::Multiples(multiple);
            }
        }
        ShownLabels::None
    }

    fn contains(&self, label: &str) -> bool {
        match self {
            ShownLabels::All => true,
            ShownLabels::Multiples(multiple) => match label.parse::<u32>() {
                Ok(year) => year.is_multiple_of(*multiple),
                Err(_) => false,
            },
            ShownLabels::None => false,
        }
    }
}

/// Writes the bars of all series, stacked at each label.
fn write_bars(page: &mut String, chart: &Chart, scale: &Scale) {
    let gap = if scale.column_width() > MAX_WIDTH_WITHOUT_GAP {
        BAR_GAP
    } else {
        0.0
    };
    let width = (scale.column_width() * (1.0 - 2.0 * gap)).min(MAX_BAR_WIDTH);

    for (at, label) in chart.labels.iter().enumerate() {
        let x = scale.x(at) - width / 2.0;
        let mut bottom = 0.0;
        for (number, series, value) in values_at(chart, at) {
            if value <= 0.0 {
                continue;
            }

            let color = number % COLORS + 1;
            let words = value_title(chart, label, series, value);

            // Even a small value is visible beside large values.
            let y = scale.y(bottom + value);
            let height = (scale.y(bottom) - y).max(MIN_BAR_HEIGHT);
            let _ = writeln!(
                page,
                "<rect class=\"series-{color}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
                 height=\"{height:.1}\"><title>{words}</title></rect>"
            );
            bottom += value;
        }
    }
}

/// Writes the line and the points of a series.
fn write_line(page: &mut String, chart: &Chart, number: usize, series: &Series, scale: &Scale) {
    let class = format!("series-{}", number % COLORS + 1);
    let mut points: Vec<(&String, Option<f64>)> = Vec::with_capacity(chart.labels.len());
    for (label, value) in chart.labels.iter().zip(&series.values) {
        points.push((label, value.filter(|value| value.is_finite())));
    }

    // An unknown value interrupts the line.
    let mut path = String::new();
    let mut continues_line = false;
    for (at, (_, value)) in points.iter().enumerate() {
        if let Some(value) = value {
            let command = if continues_line { 'L' } else { 'M' };
            let x = scale.x(at);
            let y = scale.y(*value);
            let _ = write!(path, "{command}{x:.1} {y:.1}");
        }
        continues_line = value.is_some();
    }

    let _ = writeln!(
        page,
        "<path class=\"{class}\" d=\"{path}\" fill=\"none\" stroke-width=\"2\"/>"
    );

    // The title of a point is its value, which browsers show when the pointer is over the point.
    let radius = if points.len() > MAX_LARGE_POINTS {
        SMALL_RADIUS
    } else {
        LARGE_RADIUS
    };
    for (at, (label, value)) in points.iter().enumerate() {
        let Some(value) = *value else { continue };
        let x = scale.x(at);
        let y = scale.y(value);
        let words = value_title(chart, label, series, value);
        let _ = writeln!(
            page,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\">\
             <title>{words}</title></circle>"
        );
    }
}

/// A value with its label and the name of its series, escaped, as the title of a bar or point: `1999, wins: 12`.
fn value_title(chart: &Chart, label: &str, series: &Series, value: f64) -> String {
    let name = &series.name;
    let gap = if name.is_empty() { "" } else { ", " };
    let number = chart.unit.of(value);

    let words = format!("{label}{gap}{name}: {number}");
    escaped(&words)
}

/// Writes the legend of a chart with several series.
fn write_key(page: &mut String, chart: &Chart) {
    if chart.series.len() < 2 {
        return;
    }

    page.push_str("<ul class=\"key\">\n");
    for (number, series) in chart.series.iter().enumerate() {
        let color = number % COLORS + 1;
        let name = escaped(&series.name);
        let _ = writeln!(
            page,
            "<li><svg viewBox=\"0 0 10 10\" width=\"10\" height=\"10\" aria-hidden=\"true\">\
             <rect class=\"series-{color}\" width=\"10\" height=\"10\"/></svg> {name}</li>"
        );
    }
    page.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html_of(kind: ChartKind, values: &[Option<f64>]) -> String {
        let years = (1990..).map(|year: u16| year.to_string());
        let chart = Chart::of(
            "games",
            Unit::Count,
            kind,
            years.zip(values.iter().copied()),
        );
        let mut page = String::new();
        write_chart(&mut page, &chart);
        page
    }

    #[test]
    fn charts_of_no_one_and_many_years() {
        let many_values: Vec<Option<f64>> = (0..150).map(|year| Some(f64::from(year))).collect();

        for kind in [ChartKind::Bars, ChartKind::Lines] {
            assert_eq!(html_of(kind, &[]), "");
            assert_eq!(html_of(kind, &[None, Some(f64::NAN)]), "");

            let one = html_of(kind, &[Some(3.0)]);
            assert_eq!(one.matches("<title>1990: 3</title>").count(), 1, "{one}");

            // Of 150 years, only multiples of 20 have a label.
            let many = html_of(kind, &many_values);
            assert!(many.contains(">2000</text>"), "{many}");
            assert!(!many.contains(">2001</text>"), "{many}");
            assert!(!many.contains("NaN") && !many.contains("inf"), "{many}");

            let same = html_of(kind, &[Some(5.0), Some(5.0), None, Some(0.0)]);
            assert!(!same.contains("NaN") && !same.contains("inf"), "{same}");
        }
    }

    #[test]
    fn lines_are_interrupted_where_nothing_is_known() {
        let line = html_of(ChartKind::Lines, &[Some(1.0), Some(2.0), None, Some(3.0)]);

        let (_, from_path) = line.split_once("d=\"").expect("a path");
        let (path, _) = from_path.split_once('"').expect("its end");
        assert_eq!(path.matches('M').count(), 2, "{path}");
        assert_eq!(path.matches('L').count(), 1, "{path}");
    }

    #[test]
    fn numbers_at_the_axis_are_round() {
        let steps = [3.0, 4.0, 40.0, 100.0, 1234.0].map(|range| axis_step(range, Unit::Count));
        assert_eq!(steps, [1.0, 1.0, 10.0, 50.0, 500.0]);
        assert_eq!(axis_step(0.9, Unit::PerCent), 0.5);
    }
}
