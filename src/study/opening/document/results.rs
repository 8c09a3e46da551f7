//! The popularity and the scores of an opening, by year and rating.

use super::score::{bar, score, score_of, share};
use crate::query::Counts;
use crate::report::{Chart, ChartKind, Column, Document, Table, Unit};
use crate::report::{grouped, per_cent};
use crate::study::opening::{OpeningBand, OpeningReport, OpeningYear};

/// The maximum number of years of a chart.
const MAX_YEARS: u16 = 250;
/// A chart begins with the year up to which one in this many of all games was played. Wrong dates are mostly too early,
/// and a single wrong date would stretch the chart over centuries.
const EARLY_PART: u64 = 200;
/// The maximum number of years that are listed one by one; more years are listed by decades.
const MAX_LISTED: usize = 20;
/// The years of a decade.
const DECADE: u16 = 10;
/// The minimum number of all games of a year whose share is in a chart.
const MIN_SHARED: u64 = 50;
/// The minimum number of games of a score in a chart. The score of fewer games is chance.
const MIN_SCORED: u64 = 5;

pub(super) fn add_popularity(report: &OpeningReport, document: &mut Document) {
    let years = charted(&report.years);
    let Some(first_shown) = years.first().map(|year| year.year) else {
        return;
    };

    document.heading("Popularity");
    let shares = years.iter().map(|year| {
        let share = 100.0 * year.counts.all_games() as f64 / year.all_games as f64;
        let is_many = year.all_games >= MIN_SHARED;
        (year.year.to_string(), is_many.then_some(share))
    });
    let title = format!("Share of all games, in years with {MIN_SHARED} games or more");
    document.chart(Chart::of(title, Unit::PerCent, ChartKind::Bars, shares));

    let games = years.iter().map(|year| {
        // A year without any game leaves a gap, since nothing is known about it.
        let is_known = year.all_games > 0;
        let games = year.counts.all_games() as f64;
        (year.year.to_string(), is_known.then_some(games))
    });
    document.chart(Chart::of(
        "Games by year",
        Unit::Count,
        ChartKind::Bars,
        games,
    ));

    let first = report.years.first().map_or(0, |year| year.year);
    if first_shown > first {
        let last_hidden = first_shown - 1;
        document.note(format!(
            "The years from {first} to {last_hidden} are not shown."
        ));
    }
}

/// The years of a chart without gaps. Years without games have no counts.
fn charted(years: &[OpeningYear]) -> Vec<OpeningYear> {
    let (Some(first), Some(last)) = (years.first(), years.last()) else {
        return Vec::new();
    };

    let all: u64 = years.iter().map(|year| year.counts.all_games()).sum();
    let mut so_far = 0;
    let not_early = years.iter().find(|year| {
        so_far += year.counts.all_games();
        so_far * EARLY_PART >= all
    });

    // A date in the year 1 or 9999 would make a chart of thousands of years.
    let earliest_shown = last.year.saturating_sub(MAX_YEARS - 1);
    let first_shown = not_early.unwrap_or(first).year.max(earliest_shown);

    let mut shown = Vec::new();
    for year in first_shown..=last.year {
        let known = years.iter().find(|known| known.year == year);
        shown.push(known.copied().unwrap_or(OpeningYear {
            year,
            ..OpeningYear::default()
        }));
    }
    shown
}

pub(super) fn add_results(report: &OpeningReport, document: &mut Document) {
    if report.counts.finished() == 0 {
        return;
    }

    document.heading("Results");
    let scores = charted(&report.years).into_iter().map(|year| {
        let is_many = year.counts.finished() >= MIN_SCORED;
        let score = score_of(&year.counts).filter(|_| is_many);
        (year.year.to_string(), score)
    });
    document.chart(Chart::of(
        format!("White's score, in years with {MIN_SCORED} games or more"),
        Unit::PerCent,
        ChartKind::Lines,
        scores,
    ));

    let mut by_rating = table("mean Elo");
    for band in &report.bands {
        if band.counts.all_games() > 0 {
            let name = band_name(band);
            by_rating.rows.push(row(name, &band.counts, band.all_games));
        }
    }
    document.table(by_rating);

    let mut by_year = table("years");
    for period in periods(&report.years) {
        by_year
            .rows
            .push(row(period.name, &period.counts, period.all_games));
    }
    document.table(by_year);

    document.note("The share is of all games of the rating or time.");
}

/// A table of results without rows; `first` is the heading of the first column.
fn table(first: &str) -> Table {
    Table::new([
        Column::text(first),
        Column::number("games"),
        Column::number("share"),
        Column::text("results"),
        Column::number("White").extra(),
        Column::number("draws").extra(),
        Column::number("Black").extra(),
        Column::number("White's score"),
    ])
}

/// The row of a rating or a time; `all_games` is the number of all its games.
fn row(name: String, counts: &Counts, all_games: u64) -> Vec<crate::report::Cell> {
    let part = |games| per_cent(games, counts.finished());
    vec![
        name.into(),
        grouped(counts.all_games()).into(),
        share(counts.all_games(), all_games).into(),
        bar(counts),
        part(counts.white).into(),
        part(counts.draws).into(),
        part(counts.black).into(),
        score(counts).into(),
    ]
}

/// The name of a band: `2400–2599`.
fn band_name(band: &OpeningBand) -> String {
    match (band.from, band.below) {
        (None, Some(below)) => format!("below {below}"),
        (Some(from), Some(below)) => {
            let last = below - 1;
            format!("{from}–{last}")
        }
        (Some(from), None) => format!("{from} and more"),
        (None, None) => "all".to_owned(),
    }
}

/// A year or a decade of a table.
struct Period {
    name: String,
    counts: Counts,
    /// The number of all games of the period.
    all_games: u64,
}

/// The years with games, the latest first; decades instead if there are more than [`MAX_LISTED`] years.
fn periods(years: &[OpeningYear]) -> Vec<Period> {
    let is_played = |year: &&OpeningYear| year.counts.all_games() > 0;
    let played = years.iter().filter(is_played).count();
    let length = if played > MAX_LISTED { DECADE } else { 1 };

    let mut periods: Vec<(u16, Counts, u64)> = Vec::new();
    for year in years {
        let first = year.year / length * length;
        match periods.last_mut() {
            Some((known, counts, all_games)) if *known == first => {
                counts.merge(&year.counts);
                *all_games += year.all_games;
            }
            _ => periods.push((first, year.counts, year.all_games)),
        }
    }

    let mut named = Vec::with_capacity(periods.len());
    for (first, counts, all_games) in periods.into_iter().rev() {
        if counts.all_games() == 0 {
            continue;
        }
        let name = match length {
            1 => first.to_string(),
            _ => format!("{first}–{}", first + length - 1),
        };
        named.push(Period {
            name,
            counts,
            all_games,
        });
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn year(year: u16, white: u64, all_games: u64) -> OpeningYear {
        OpeningYear {
            year,
            counts: Counts {
                white,
                ..Counts::default()
            },
            all_games,
        }
    }

    #[test]
    fn years_have_no_gaps_and_an_end() {
        let years = |years: &[OpeningYear]| -> Vec<u16> {
            charted(years).iter().map(|year| year.year).collect()
        };
        assert!(years(&[]).is_empty());

        let with_a_gap = [year(1999, 1, 1), year(2002, 1, 1)];
        assert_eq!(years(&with_a_gap), [1999, 2000, 2001, 2002]);

        let very_long = [year(1, 1, 1), year(9999, 1, 1)];
        assert_eq!(years(&very_long).len(), usize::from(MAX_YEARS));

        let with_a_wrong_date = [year(1812, 1, 1), year(1950, 300, 900)];
        assert_eq!(years(&with_a_wrong_date), [1950]);
    }

    #[test]
    fn many_years_are_decades() {
        let rows = |years: &[OpeningYear]| -> Vec<(String, u64, u64)> {
            let named = periods(years).into_iter();
            named
                .map(|period| (period.name, period.counts.white, period.all_games))
                .collect()
        };

        let few = [year(1999, 2, 4), year(2000, 0, 4), year(2001, 1, 3)];
        assert_eq!(rows(&few), [("2001".into(), 1, 3), ("1999".into(), 2, 4)]);

        let many: Vec<OpeningYear> = (1985..2010).map(|number| year(number, 1, 2)).collect();
        let decades = [
            ("2000–2009", 10, 20),
            ("1990–1999", 10, 20),
            ("1980–1989", 5, 10),
        ];
        let expected = decades.map(|(name, white, of)| (name.to_owned(), white, of));
        assert_eq!(rows(&many), expected);
    }
}
