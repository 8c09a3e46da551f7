//! How charts are written as SVG in HTML.

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
/// The number of series with a colour of their own.
const COLORS: usize = 4;

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
    let most = values.iter().flatten().copied().fold(0.0, f64::max);
    let mut picture = format!(
        "<svg class=\"trend\" viewBox=\"0 0 {} 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
        10 * values.len().max(1)
    );

    for (at, value) in values.iter().enumerate() {
        let Some(value) = value.filter(|value| value.is_finite() && most > 0.0) else {
            continue;
        };

        let height = (20.0 * value / most).max(1.0);
        let _ = write!(
            picture,
            "<rect class=\"series-1\" x=\"{}\" y=\"{:.1}\" width=\"8\" height=\"{height:.1}\"/>",
            10 * at + 1,
            20.0 - height,
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
            ChartKind::Bars => {
                let heights = (0..chart.labels.len())
                    .map(|label| column(chart, label).map(|(_, value)| value).sum::<f64>());
                (0.0, heights.fold(0.0, f64::max))
            }
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

/// A round distance of numbers at the axis, so that the axis has two to five numbers.
fn step(range: f64, unit: Unit) -> f64 {
    let min_step = match unit {
        Unit::Count | Unit::Elo => 1.0,
        Unit::PerCent => 0.1,
    };

    let rough = (range / 4.0).max(min_step);
    let power = 10f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|round| round * power >= rough * 0.999);
    round.unwrap_or(10.0) * power
}

/// The known values of all series at a label, each with the number of its series.
fn column(chart: &Chart, label: usize) -> impl Iterator<Item = (usize, f64)> {
    let series = chart.series.iter().enumerate();
    series.filter_map(move |(number, series)| {
        let value = series.values.get(label).copied()??;
        value.is_finite().then_some((number, value))
    })
}

fn write_axes(page: &mut String, chart: &Chart, scale: &Scale) {
    let steps = ((scale.max - scale.min) / scale.step).round() as usize;
    for number in 0..=steps.min(12) {
        let value = scale.min + number as f64 * scale.step;
        let (y, right) = (scale.y(value), WIDTH - RIGHT);
        let _ = writeln!(
            page,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            y + 4.0,
            tick(chart.unit, value, scale.step),
        );
    }

    let shown = ShownLabels::of(&chart.labels);
    for (at, label) in chart.labels.iter().enumerate() {
        if !shown.has(label) {
            continue;
        }
        let _ = writeln!(
            page,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\">{}</text>",
            // The first and the last label stay within the picture.
            scale.x(at).clamp(LEFT + 6.0, WIDTH - 16.0),
            HEIGHT - 6.0,
            escaped(label),
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

/// Which labels are written below a chart.
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
    let gap = if scale.column_width() > 4.0 {
        0.15
    } else {
        0.0
    };
    let width = (scale.column_width() * (1.0 - 2.0 * gap)).min(48.0);

    for (at, label) in chart.labels.iter().enumerate() {
        let mut bottom = 0.0;
        for (number, value) in column(chart, at).filter(|(_, value)| *value > 0.0) {
            let top = scale.y(bottom + value);
            let under = scale.y(bottom);
            let _ = writeln!(
                page,
                "<rect class=\"series-{}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
                 height=\"{:.1}\"><title>{}</title></rect>",
                number % COLORS + 1,
                scale.x(at) - width / 2.0,
                (under - top).max(0.6),
                in_words(chart, label, &chart.series[number], value),
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
            let _ = write!(path, "{command}{:.1} {:.1}", scale.x(at), scale.y(*value));
        }
        is_after = value.is_some();
    }
    let _ = writeln!(
        page,
        "<path class=\"{class}\" d=\"{path}\" fill=\"none\" stroke-width=\"2\"/>"
    );

    for (at, value) in points.iter().enumerate() {
        let Some(value) = *value else { continue };
        let _ = writeln!(
            page,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\"><title>{}</title></circle>",
            scale.x(at),
            scale.y(value),
            if labels > 60 { "1.6" } else { "2.6" },
            in_words(chart, &chart.labels[at], series, value),
        );
    }
}

/// A value with its label and its series, as the browser shows it above the picture.
fn in_words(chart: &Chart, label: &str, series: &Series, value: f64) -> String {
    let name = &series.name;
    let gap = if name.is_empty() { "" } else { ", " };
    let value = chart.unit.of(value);
    escaped(&format!("{label}{gap}{name}: {value}"))
}

fn write_key(page: &mut String, chart: &Chart) {
    if chart.series.len() < 2 {
        return;
    }

    page.push_str("<ul class=\"key\">\n");
    for (number, series) in chart.series.iter().enumerate() {
        let _ = writeln!(
            page,
            "<li><svg viewBox=\"0 0 10 10\" width=\"10\" height=\"10\" aria-hidden=\"true\">\
             <rect class=\"series-{}\" width=\"10\" height=\"10\"/></svg> {}</li>",
            number % COLORS + 1,
            escaped(&series.name),
        );
    }
    page.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(kind: ChartKind, values: &[Option<f64>]) -> String {
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
        for kind in [ChartKind::Bars, ChartKind::Lines] {
            assert_eq!(drawn(kind, &[]), "");
            assert_eq!(drawn(kind, &[None, Some(f64::NAN)]), "");
            let one = drawn(kind, &[Some(3.0)]);
            assert_eq!(one.matches("<title>1990: 3</title>").count(), 1, "{one}");
            let many: Vec<Option<f64>> = (0..150).map(|year| Some(f64::from(year))).collect();
            let many = drawn(kind, &many);
            assert!(
                many.contains(">2000</text>") && !many.contains(">2001</text>"),
                "{many}"
            );
            assert!(!many.contains("NaN") && !many.contains("inf"), "{many}");
            let same = drawn(kind, &[Some(5.0), Some(5.0), None, Some(0.0)]);
            assert!(!same.contains("NaN") && !same.contains("inf"), "{same}");
        }
    }

    #[test]
    fn lines_are_interrupted_where_nothing_is_known() {
        let line = drawn(ChartKind::Lines, &[Some(1.0), Some(2.0), None, Some(3.0)]);
        let path = line.split("d=\"").nth(1).expect("a path");
        let path = path.split('"').next().expect("its end");
        assert_eq!(
            (path.matches('M').count(), path.matches('L').count()),
            (2, 1),
            "{path}"
        );
    }

    #[test]
    fn numbers_at_the_axis_are_round() {
        let steps = [3.0, 4.0, 40.0, 100.0, 1234.0].map(|range| step(range, Unit::Count));
        assert_eq!(steps, [1.0, 1.0, 10.0, 50.0, 500.0]);
        assert_eq!(step(0.9, Unit::PerCent), 0.5);
    }
}
