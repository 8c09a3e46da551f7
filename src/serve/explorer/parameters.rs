//! The parameters of explorers.

use crate::serve::failure::Failure;
use crate::serve::line::{Line, LineError};
use crate::serve::parameters::Parameters;
use stamma::Filter;
use stamma::game::PartialDate;
use stamma::query::{Bounds, Speed};

/// The moves of an answer if a request does not say how many.
pub(super) const DEFAULT_MOVES: usize = 12;
/// The lower ends of groups of ratings; a group reaches up to the next one.
const RATING_GROUPS: [u64; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// What all routes are wanted.
pub(super) struct ExplorerParameters {
    pub(super) line: Line,
    pub(super) moves: usize,
    pub(super) top_games: usize,
    pub(super) recent_games: usize,
    /// Whether the best-rated games of all are among the games that are wanted.
    pub(super) has_top: bool,
    /// The first month.
    pub(super) since: Option<PartialDate>,
}

impl ExplorerParameters {
    /// Reads the parameters; `usual_moves` without another number of moves, and the most games that a route shows.
    pub(super) fn read(
        parameters: &Parameters,
        usual_moves: usize,
        most_top: usize,
        most_recent: usize,
    ) -> Result<ExplorerParameters, Failure> {
        match parameters.get("variant").unwrap_or("standard") {
            "standard" | "chess" | "chess960" | "fromPosition" | "" => {}
            other => {
                return Err(misread(
                    "variant",
                    &format!("{other} is not in this explorer"),
                ));
            }
        }
        Ok(ExplorerParameters {
            line: Line::read(parameters).map_err(failure)?,
            moves: rows(parameters, "moves", usual_moves)?,
            top_games: rows(parameters, "topGames", most_top)?.min(most_top),
            recent_games: rows(parameters, "recentGames", most_recent)?.min(most_recent),
            has_top: has_best_rated(parameters),
            // A route that reads it refuses what is no month.
            since: month(parameters, "since").ok().flatten(),
        })
    }
}

fn rows(parameters: &Parameters, name: &str, usual: usize) -> Result<usize, Failure> {
    parsed(parameters, name).map(|found: Option<usize>| found.unwrap_or(usual))
}

fn parsed<T: std::str::FromStr>(parameters: &Parameters, name: &str) -> Result<Option<T>, Failure> {
    parameters
        .parsed(name)
        .map_err(|failure| misread(name, &failure.sentence))
}

/// The failure for a parameter that cannot be read.
pub(super) fn misread(name: &str, why: &str) -> Failure {
    Failure::bad_request(format!("Failed to deserialize query string: {name}: {why}"))
}

fn failure(error: LineError) -> Failure {
    match error {
        LineError::Fen(why) => misread("fen", &why),
        LineError::Position(faults) => {
            Failure::bad_request(format!("bad request: illegal position: {faults}"))
        }
        LineError::Move { text, .. } if !is_uci(&text) => {
            misread("play", &format!("{text} is no move"))
        }
        LineError::Move { text, place } => Failure::bad_request(format!(
            "bad request: illegal uci: {text}, move {place} of the line"
        )),
        LineError::TooLong => misread("play", "too many moves"),
    }
}

/// `true` for a text in the form of a move.
fn is_uci(text: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let text = text.as_bytes();
    match text.len() {
        4 => is_square(&text[..2]) && is_square(&text[2..]),
        5 => is_square(&text[..2]) && is_square(&text[2..4]) && b"qrbnk".contains(&text[4]),
        _ => false,
    }
}

/// Adds the years of masters to a filter.
pub(super) fn add_years(parameters: &Parameters, filter: &mut Filter) -> Result<(), Failure> {
    let year = |name| -> Result<Option<PartialDate>, Failure> {
        let year: Option<u32> = parsed(parameters, name)?;
        // Dates have years from 1 to 9999.
        let Some(year) = year.map(|year| year.clamp(1, 9999)) else {
            return Ok(None);
        };
        format!("{year:04}")
            .parse()
            .map(Some)
            .map_err(|_| misread(name, "no year"))
    };
    filter.since = year("since")?;
    filter.until = year("until")?;
    Ok(())
}

/// Adds the months, speeds and ratings of players to a filter.
pub(super) fn add_filters(parameters: &Parameters, filter: &mut Filter) -> Result<(), Failure> {
    filter.since = month(parameters, "since")?;
    filter.until = month(parameters, "until")?;
    filter.speeds = list(parameters, "speeds", |text| {
        text.to_lowercase().parse::<Speed>().ok()
    })?;
    if filter.speeds.len() == Speed::ALL.len() {
        filter.speeds.clear();
    }
    let mut groups = list(parameters, "ratings", |text| text.parse().ok().map(group))?;
    groups.sort_unstable();
    groups.dedup();
    if groups.len() < RATING_GROUPS.len() {
        filter.mean_elo_groups = groups.into_iter().map(bounds).collect();
    }
    Ok(())
}

/// `true` if a list of speeds or ratings is given and has none, so that no game matches.
pub(super) fn matches_nothing(parameters: &Parameters) -> bool {
    let is_empty = |text: &str| text.split(',').all(|part| part.trim().is_empty());
    ["speeds", "ratings"]
        .iter()
        .any(|name| parameters.get(name).is_some_and(is_empty))
}

/// `true` if the ratings that are wanted have no upper end, so that the best-rated games of all are among them.
fn has_best_rated(parameters: &Parameters) -> bool {
    let Some(ratings) = parameters.get("ratings") else {
        return true;
    };
    let mut groups = ratings
        .split(',')
        .filter_map(|text| text.trim().parse().ok().map(group));
    groups.any(|group| group == RATING_GROUPS.len() - 1)
}

/// The group of a rating.
fn group(rating: u64) -> usize {
    RATING_GROUPS
        .partition_point(|&least| least <= rating)
        .saturating_sub(1)
}

fn bounds(group: usize) -> Bounds {
    let least = RATING_GROUPS.get(group).copied().unwrap_or(0);
    match RATING_GROUPS.get(group + 1) {
        Some(next) => (least..=next - 1).into(),
        None => (least..).into(),
    }
}

/// A month: `2024-01`, `2024-1`, `2024/01`.
fn month(parameters: &Parameters, name: &str) -> Result<Option<PartialDate>, Failure> {
    let Some(text) = parameters.get(name).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let (year, month) = text.split_once(['-', '/']).unwrap_or((text, ""));
    let number = |text: &str| text.parse::<u16>().ok();
    let date = match (number(year), month) {
        (Some(year @ 0), _) | (Some(year @ 10_000..), _) => return Ok(Some(end_of_time(year))),
        (Some(year), "") => Some(format!("{year:04}")),
        (Some(year), month) => number(month)
            .filter(|month| (1..=12).contains(month))
            .map(|month| format!("{year:04}.{month:02}")),
        (None, _) => None,
    };
    let date = date.and_then(|date| date.parse().ok());
    date.map(Some)
        .ok_or_else(|| misread(name, "give a month like 2024-01"))
}

/// The first or the last date there is.
fn end_of_time(year: u16) -> PartialDate {
    let text = if year == 0 {
        "0001.01.01"
    } else {
        "9999.12.31"
    };
    text.parse()
        .unwrap_or_else(|_| unreachable!("{text} is a date"))
}

/// A list whose parts are separated by commas.
fn list<T>(
    parameters: &Parameters,
    name: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, Failure> {
    let texts = parameters
        .get(name)
        .unwrap_or_default()
        .split(',')
        .map(str::trim);
    let read =
        |text: &str| read(text).ok_or_else(|| misread(name, &format!("{text} is not known")));
    texts.filter(|text| !text.is_empty()).map(read).collect()
}

/// A switch: `true`, `on` or `1`, in any case.
pub(super) fn is_on(parameters: &Parameters, name: &str) -> bool {
    let value = parameters.get(name).unwrap_or_default().to_lowercase();
    ["true", "on", "1"].contains(&value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(query: &str) -> Filter {
        let mut filter = Filter::default();
        add_filters(&Parameters::read(query), &mut filter).expect(query);
        filter
    }

    #[test]
    fn ratings_stand_for_their_groups() {
        let groups = filter("ratings=1600,1650,2500").mean_elo_groups;
        assert_eq!(groups, [Bounds::from(1600..=1799), Bounds::from(2500..)]);
        let all = "ratings=0,1000,1200,1400,1600,1800,2000,2200,2500";
        assert!(filter(all).is_empty() && filter("ratings=").is_empty());
    }

    #[test]
    fn months_have_several_forms() {
        for text in ["2024-01", "2024-1", "2024/01"] {
            assert_eq!(
                filter(&format!("since={text}")).since,
                "2024.01".parse().ok(),
                "{text}"
            );
        }
        for text in ["x", "2024-13", "2024-x", "-1"] {
            let mut filter = Filter::default();
            let parameters = Parameters::read(&format!("until={text}"));
            assert!(add_filters(&parameters, &mut filter).is_err(), "{text}");
        }
    }

    #[test]
    fn speeds_have_names_in_any_case() {
        assert_eq!(
            filter("speeds=ultraBullet,blitz").speeds,
            [Speed::Ultrabullet, Speed::Blitz]
        );
        assert!(
            filter("speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence").is_empty()
        );
    }
}
