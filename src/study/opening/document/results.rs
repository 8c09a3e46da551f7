//! How often an opening is played, and how it scores, by year and rating.

use super::score::{bar, score, score_of, share};
use crate::query::Counts;
use crate::report::{Chart, ChartKind, Column, Document, Table, Unit};
use crate::report::{grouped, per_cent};
use crate::study::opening::{OpeningBand, OpeningReport, OpeningYear};

/// The most years of a chart.
const MOST_YEARS: u16 = 250;
/// A chart begins when more games have been played than one in this many of all: wrong dates are early ones.
const EARLY_SHARE: u64 = 200;
/// The most years that are listed one by one; of more, decades are.
const MOST_LISTED: usize = 20;
/// The least number of all games of a year whose share is in a chart.
const LEAST_SHARED: u64 = 50;
/// The least number of games of a score in a chart: that of few is chance.
const LEAST_SCORED: u64 = 5;

pub(super) fn popularity(report: &OpeningReport, document: &mut Document) {
    let years = charted(&report.years);
    if years.is_empty() {
        return;
    }
    document.heading("Popularity");
    let shares = years.iter().map(|year| {
        let share = 100.0 * year.counts.all_games() as f64 / year.of as f64;
        (
            year.year.to_string(),
            (year.of >= LEAST_SHARED).then_some(share),
        )
    });
    let title = format!("Share of all games, in years with {LEAST_SHARED} games or more");
    document.chart(Chart::of(title, Unit::PerCent, ChartKind::Bars, shares));
    let games = years.iter().map(|year| {
        let games = (year.of > 0).then_some(year.counts.all_games() as f64);
        (year.year.to_string(), games)
    });
    document.chart(Chart::of(
        "Games by year",
        Unit::Count,
        ChartKind::Bars,
        games,
    ));
    let first = report.years.first().map_or(0, |year| year.year);
    if years[0].year > first {
        document.note(format!(
            "The years from {first} to {} are not shown.",
            years[0].year - 1
        ));
    }
}

/// The years without gaps; those without games are empty.
fn charted(years: &[OpeningYear]) -> Vec<OpeningYear> {
    let (Some(first), Some(last)) = (years.first(), years.last()) else {
        return Vec::new();
    };
    let all: u64 = years.iter().map(|year| year.counts.all_games()).sum();
    let mut so_far = 0;
    let begins = years.iter().find(|year| {
        so_far += year.counts.all_games();
        so_far * EARLY_SHARE >= all
    });
    let first = begins
        .unwrap_or(first)
        .year
        .max(last.year.saturating_sub(MOST_YEARS - 1));
    let year = |year: u16| {
        let known = years.iter().find(|known| known.year == year);
        known.copied().unwrap_or(OpeningYear {
            year,
            ..OpeningYear::default()
        })
    };
    (first..=last.year).map(year).collect()
}

pub(super) fn results(report: &OpeningReport, document: &mut Document) {
    if report.counts.finished() == 0 {
        return;
    }
    document.heading("Results");
    let scores = charted(&report.years).into_iter().map(|year| {
        let is_many = year.counts.finished() >= LEAST_SCORED;
        (
            year.year.to_string(),
            score_of(&year.counts).filter(|_| is_many),
        )
    });
    document.chart(Chart::of(
        format!("White's score, in years with {LEAST_SCORED} games or more"),
        Unit::PerCent,
        ChartKind::Lines,
        scores,
    ));
    let bands = report
        .bands
        .iter()
        .filter(|band| band.counts.all_games() > 0);
    let mut table = table("mean Elo");
    table
        .rows
        .extend(bands.map(|band| row(band_name(band), &band.counts, band.of)));
    document.table(table);
    let mut table = self::table("years");
    table.rows.extend(
        periods(&report.years)
            .into_iter()
            .map(|(name, counts, of)| row(name, &counts, of)),
    );
    document.table(table);
    document.note("The share is of all games of the rating or time.");
}

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

fn row(name: String, counts: &Counts, of: u64) -> Vec<crate::report::Cell> {
    let part = |games| per_cent(games, counts.finished());
    vec![
        name.into(),
        grouped(counts.all_games()).into(),
        share(counts.all_games(), of).into(),
        bar(counts),
        part(counts.white).into(),
        part(counts.draws).into(),
        part(counts.black).into(),
        score(counts).into(),
    ]
}

fn band_name(band: &OpeningBand) -> String {
    match (band.from, band.below) {
        (None, Some(below)) => format!("below {below}"),
        (Some(from), Some(below)) => format!("{from}–{}", below - 1),
        (Some(from), None) => format!("{from} and more"),
        (None, None) => "all".to_owned(),
    }
}

/// Years with games one by one, the latest first; decades if there are many.
fn periods(years: &[OpeningYear]) -> Vec<(String, Counts, u64)> {
    let played = years
        .iter()
        .filter(|year| year.counts.all_games() > 0)
        .count();
    let length = if played > MOST_LISTED { 10 } else { 1 };
    let mut periods: Vec<(u16, Counts, u64)> = Vec::new();
    for year in years {
        let first = year.year / length * length;
        match periods.last_mut() {
            Some((known, counts, of)) if *known == first => {
                counts.merge(&year.counts);
                *of += year.of;
            }
            _ => periods.push((first, year.counts, year.of)),
        }
    }
    let named = periods
        .into_iter()
        .rev()
        .filter(|(_, counts, _)| counts.all_games() > 0);
    let name = |first: u16| match length {
        1 => first.to_string(),
        _ => format!("{first}–{}", first + length - 1),
    };
    named
        .map(|(first, counts, of)| (name(first), counts, of))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn year(year: u16, white: u64, of: u64) -> OpeningYear {
        OpeningYear {
            year,
            counts: Counts {
                white,
                ..Counts::default()
            },
            of,
        }
    }

    #[test]
    fn years_have_no_gaps_and_an_end() {
        let years = |years: &[OpeningYear]| -> Vec<u16> {
            charted(years).iter().map(|year| year.year).collect()
        };
        assert!(years(&[]).is_empty());
        assert_eq!(
            years(&[year(1999, 1, 1), year(2002, 1, 1)]),
            [1999, 2000, 2001, 2002]
        );
        assert_eq!(years(&[year(1, 1, 1), year(9999, 1, 1)]).len(), 250);
        assert_eq!(years(&[year(1812, 1, 1), year(1950, 300, 900)]), [1950]);
    }

    #[test]
    fn many_years_are_decades() {
        let few = [year(1999, 2, 4), year(2000, 0, 4), year(2001, 1, 3)];
        let names = |years: &[OpeningYear]| -> Vec<(String, u64, u64)> {
            let named = periods(years).into_iter();
            named
                .map(|(name, counts, of)| (name, counts.white, of))
                .collect()
        };
        assert_eq!(names(&few), [("2001".into(), 1, 3), ("1999".into(), 2, 4)]);
        let many: Vec<OpeningYear> = (1985..2010).map(|number| year(number, 1, 2)).collect();
        let decades = [
            ("2000–2009", 10, 20),
            ("1990–1999", 10, 20),
            ("1980–1989", 5, 10),
        ];
        assert_eq!(
            names(&many),
            decades.map(|(name, white, of)| (name.to_owned(), white, of))
        );
    }
}
