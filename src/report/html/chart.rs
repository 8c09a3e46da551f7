//! Charts as SVG in HTML.

use std::fmt::Write;

use crate::report::escape::html as escaped;
use crate::report::{Chart, ChartKind, Series, Unit};

/// The picture, in its own units.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 190.0;
/// The room for the numbers at the left, and for the labels below.
const LEFT: f64 = 44.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;
/// The most labels below a chart.
const MAX_LABELS: usize = 8;
/// The greatest width and the least height of a bar.
const MAX_BAR_WIDTH: f64 = 48.0;
const MIN_BAR_HEIGHT: f64 = 0.6;
/// The number of series with a colour of their own.
const COLORS: usize = 4;
/// The number of parts into which the axis is divided at most, whatever the range.
const MAX_STEPS: usize = 12;
/// The height of a small chart in a cell, and the width of a value with its gap, in units of its picture.
const TREND_HEIGHT: f64 = 20.0;
const TREND_STEP: usize = 10;
/// The most labels of a line whose points are large.
const MAX_LARGE_POINTS: usize = 60;

/// Writes a chart as a figure; nothing if no value is known.
pub(super) fn write_chart(page: &mut String, chart: &Chart) {
    if chart.values().next().is_none() {
        return;
    }

    let scale = Scale::of(chart);
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

/// Values as a small chart in a cell.
pub(super) fn trend(values: &[Option<f64>]) -> String {
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

/// The mapping from values and labels to places in the picture.
struct Scale {
    min: f64,
    max: f64,
    /// The distance of two numbers at the axis.
    step: f64,
    labels: usize,
}

impl Scale {
    fn of(chart: &Chart) -> Scale {
        let (min_value, max_value) = match chart.kind {
            ChartKind::Lines => {
                let min = chart.values().fold(f64::MAX, f64::min);
                let max = chart.values().fold(f64::MIN, f64::max);
                (min, max)
            }
            // Bars begin at 0, and the series of a label are stacked.
            ChartKind::Bars => (0.0, highest_column(chart)),
        };

        // The axis begins and ends at numbers that are written at it.
        let step = step(max_value - min_value, chart.unit);
        let min = (min_value / step).floor() * step;
        let max = ((max_value / step).ceil() * step).max(min + step);
        Scale {
            min,
            max,
            step,
            labels: chart.labels.len(),
        }
    }

    fn y(&self, value: f64) -> f64 {
        let room = HEIGHT - TOP - BOTTOM;
        TOP + room * (1.0 - (value - self.min) / (self.max - self.min))
    }

    fn column_width(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.labels.max(1) as f64
    }

    /// The middle of a column.
    fn x(&self, label: usize) -> f64 {
        LEFT + self.column_width() * (label as f64 + 0.5)
    }
}

/// The height of the highest column of stacked bars.
fn highest_column(chart: &Chart) -> f64 {
    let mut highest: f64 = 0.0;
    for label in 0..chart.labels.len() {
        let height: f64 = column(chart, label).map(|(_, value)| value).sum();
        highest = highest.max(height);
    }
    highest
}

/// A round distance of numbers at the axis, so that the axis has two to five numbers.
fn step(range: f64, unit: Unit) -> f64 {
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

/// The known values of all series at a label, each with the number of its series.
fn column(chart: &Chart, label: usize) -> impl Iterator<Item = (usize, f64)> {
    let series = chart.series.iter().enumerate();
    series.filter_map(move |(number, series)| {
        let value = series.values.get(label).copied()??;
        if value.is_finite() {
            Some((number, value))
        } else {
            None
        }
    })
}

/// Writes the lines of the grid with their numbers, and the labels below.
fn write_axes(page: &mut String, chart: &Chart, scale: &Scale) {
    let right = WIDTH - RIGHT;
    let number_x = LEFT - 6.0;
    let steps = ((scale.max - scale.min) / scale.step).round() as usize;
    for number in 0..=steps.min(MAX_STEPS) {
        let value = scale.min + number as f64 * scale.step;
        let text = tick(chart.unit, value, scale.step);

        // The baseline of a number is below its line, so that the line meets the middle of the digits.
        let y = scale.y(value);
        let baseline = y + 4.0;
        let _ = writeln!(
            page,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>\
             <text class=\"tick\" x=\"{number_x:.1}\" y=\"{baseline:.1}\" font-size=\"11\" \
             text-anchor=\"end\">{text}</text>"
        );
    }

    let shown = ShownLabels::of(&chart.labels);
    let baseline = HEIGHT - 6.0;
    for (at, label) in chart.labels.iter().enumerate() {
        if !shown.has(label) {
            continue;
        }

        // The first and the last label stay within the picture.
        let x = scale.x(at).clamp(LEFT + 6.0, WIDTH - 16.0);
        let text = escaped(label);
        let _ = writeln!(
            page,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{baseline:.1}\" font-size=\"11\" \
             text-anchor=\"middle\">{text}</text>"
        );
    }
}

fn tick(unit: Unit, value: f64, step: f64) -> String {
    match unit {
        Unit::PerCent if step < 1.0 => format!("{value:.1} %"),
        Unit::PerCent => format!("{value:.0} %"),
        unit => unit.of(value),
    }
}

/// The labels that are written below a chart.
enum ShownLabels {
    All,
    /// Years that a number divides.
    Multiples(u32),
    None,
}

impl ShownLabels {
    fn of(labels: &[String]) -> ShownLabels {
        if labels.len() <= MAX_LABELS {
            return ShownLabels::All;
        }

        // Only years can stand for the years between them.
        if labels.iter().any(|label| label.parse::<u32>().is_err()) {
            return ShownLabels::None;
        }

        for every in [2, 5, 10, 20, 25, 50, 100, 200, 500] {
            if labels.len() / every as usize <= MAX_LABELS {
                return ShownLabels::Multiples(every);
            }
        }
        ShownLabels::None
    }

    fn has(&self, label: &str) -> bool {
        match self {
            ShownLabels::All => true,
            ShownLabels::Multiples(of) => match label.parse::<u32>() {
                Ok(year) => year.is_multiple_of(*of),
                Err(_) => false,
            },
            ShownLabels::None => false,
        }
    }
}

fn write_bars(page: &mut String, chart: &Chart, scale: &Scale) {
    // Gaps between narrow columns would hide the columns.
    let gap = if scale.column_width() > 4.0 {
        0.15
    } else {
        0.0
    };
    let width = (scale.column_width() * (1.0 - 2.0 * gap)).min(MAX_BAR_WIDTH);

    for (at, label) in chart.labels.iter().enumerate() {
        let x = scale.x(at) - width / 2.0;
        let mut bottom = 0.0;
        for (number, value) in column(chart, at) {
            if value <= 0.0 {
                continue;
            }

            let color = number % COLORS + 1;
            let words = in_words(chart, label, &chart.series[number], value);

            // A small value beside large ones must be seen, too.
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

fn write_line(page: &mut String, chart: &Chart, number: usize, series: &Series, scale: &Scale) {
    let class = format!("series-{}", number % COLORS + 1);
    let known = |at: usize| series.values[at].filter(|value| value.is_finite());
    let labels = chart.labels.len().min(series.values.len());
    let points: Vec<Option<f64>> = (0..labels).map(known).collect();

    // An unknown value interrupts the line.
    let mut path = String::new();
    let mut is_after = false;
    for (at, value) in points.iter().enumerate() {
        if let Some(value) = value {
            let command = if is_after { 'L' } else { 'M' };
            let x = scale.x(at);
            let y = scale.y(*value);
            let _ = write!(path, "{command}{x:.1} {y:.1}");
        }
        is_after = value.is_some();
    }

    let _ = writeln!(
        page,
        "<path class=\"{class}\" d=\"{path}\" fill=\"none\" stroke-width=\"2\"/>"
    );

    // Each point shows its value when it is pointed at.
    let radius = if labels > MAX_LARGE_POINTS {
        "1.6"
    } else {
        "2.6"
    };
    for (at, value) in points.iter().enumerate() {
        let Some(value) = *value else { continue };
        let x = scale.x(at);
        let y = scale.y(value);
        let words = in_words(chart, &chart.labels[at], series, value);
        let _ = writeln!(
            page,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\">\
             <title>{words}</title></circle>"
        );
    }
}

/// A value with its label and its series, as the browser shows it above the picture.
fn in_words(chart: &Chart, label: &str, series: &Series, value: f64) -> String {
    let name = &series.name;
    let gap = if name.is_empty() { "" } else { ", " };
    let number = chart.unit.of(value);

    let words = format!("{label}{gap}{name}: {number}");
    escaped(&words)
}

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
        let steps = [3.0, 4.0, 40.0, 100.0, 1234.0].map(|range| step(range, Unit::Count));
        assert_eq!(steps, [1.0, 1.0, 10.0, 50.0, 500.0]);
        assert_eq!(step(0.9, Unit::PerCent), 0.5);
    }
}
