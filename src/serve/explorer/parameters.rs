//! Reads the parameters of an explorer's routes: the line, the numbers of rows, and the filters.

use crate::serve::failure::Failure;
use crate::serve::line::{LineError, PlayedLine};
use crate::serve::parameters::Parameters;
use stamma::Filter;
use stamma::game::PartialDate;
use stamma::query::{Bounds, Speed};

/// The number of moves of an answer without the parameter `moves`.
pub(super) const DEFAULT_MOVES: usize = 12;
/// The lower ends of groups of ratings. A group ends below the next lower end.
const RATING_GROUPS: [u64; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
/// The last year of a date: a year has four digits, and the first year is 1.
const MAX_YEAR: u16 = 9999;

/// The parameters that all routes of the explorer share.
pub(super) struct ExplorerParameters {
    pub(super) line: PlayedLine,
    pub(super) moves: usize,
    pub(super) top_games: usize,
    pub(super) recent_games: usize,
    /// `true` if the ratings of the request have no upper end, so that the best-rated games match.
    pub(super) has_top: bool,
    /// The first month.
    pub(super) since: Option<PartialDate>,
}

impl ExplorerParameters {
    /// Reads the parameters.
    ///
    /// Without the parameter `moves`, `default_moves` moves are listed. `max_top` and `max_recent` are the limits of
    /// the route's lists of games, and their default lengths.
    pub(super) fn read(
        parameters: &Parameters,
        default_moves: usize,
        max_top: usize,
        max_recent: usize,
    ) -> Result<ExplorerParameters, Failure> {
        let variant = parameters.get("variant").unwrap_or("standard");
        if !matches!(
            variant,
            "standard" | "chess" | "chess960" | "fromPosition" | ""
        ) {
            let why = format!("{variant} is not in this explorer");
            return Err(misread("variant", &why));
        }

        Ok(ExplorerParameters {
            line: PlayedLine::read(parameters).map_err(line_failure)?,
            moves: rows(parameters, "moves", default_moves)?,
            top_games: rows(parameters, "topGames", max_top)?.min(max_top),
            recent_games: rows(parameters, "recentGames", max_recent)?.min(max_recent),
            has_top: has_best_rated(parameters),
            // A text that is no month is ignored here: only routes that filter by month reject it.
            since: month_of(parameters, "since").ok().flatten(),
        })
    }
}

/// A number of rows; `default` without the parameter.
fn rows(parameters: &Parameters, name: &str, default: usize) -> Result<usize, Failure> {
    let rows: Option<usize> = parse(parameters, name)?;
    Ok(rows.unwrap_or(default))
}

/// The value of a parameter; `None` if it is missing or empty.
fn parse<T: std::str::FromStr>(parameters: &Parameters, name: &str) -> Result<Option<T>, Failure> {
    match parameters.parse(name) {
        Ok(value) => Ok(value),
        Err(failure) => Err(misread(name, &failure.sentence)),
    }
}

/// The failure for a parameter that cannot be read, in the words of Lichess's explorer.
pub(super) fn misread(name: &str, why: &str) -> Failure {
    Failure::bad_request(format!("Failed to deserialize query string: {name}: {why}"))
}

/// The failure of a line, in the words of Lichess's explorer.
fn line_failure(error: LineError) -> Failure {
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

/// `true` for a text in the form of a move in UCI, such as `e2e4` or `e7e8q`.
fn is_uci(text: &str) -> bool {
    let (squares, promotion) = match text.as_bytes() {
        [squares @ .., promotion] if squares.len() == 4 => (squares, Some(promotion)),
        squares => (squares, None),
    };
    let &[from_file, from_rank, to_file, to_rank] = squares else {
        return false;
    };

    is_square(from_file, from_rank)
        && is_square(to_file, to_rank)
        && promotion.is_none_or(|role| b"qrbnk".contains(role))
}

fn is_square(file: u8, rank: u8) -> bool {
    matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8')
}

/// Adds the years of masters to a filter.
pub(super) fn add_years(parameters: &Parameters, filter: &mut Filter) -> Result<(), Failure> {
    filter.since = year_of(parameters, "since")?;
    filter.until = year_of(parameters, "until")?;
    Ok(())
}

/// A year as a date. Years out of range become the first or the last year of dates.
fn year_of(parameters: &Parameters, name: &str) -> Result<Option<PartialDate>, Failure> {
    let Some(year) = parse::<u32>(parameters, name)? else {
        return Ok(None);
    };

    let year_of_date = year.clamp(1, MAX_YEAR.into());
    match format!("{year_of_date:04}").parse() {
        Ok(date) => Ok(Some(date)),
        Err(_) => Err(misread(name, "no year")),
    }
}

/// Adds the months, speeds and ratings of players to a filter.
pub(super) fn add_filters(parameters: &Parameters, filter: &mut Filter) -> Result<(), Failure> {
    filter.since = month_of(parameters, "since")?;
    filter.until = month_of(parameters, "until")?;

    // A filter with all speeds or all ratings would exclude the games of unknown speed or rating.
    let speeds = read_list(parameters, "speeds", read_speed)?;
    if speeds.len() != Speed::ALL.len() {
        filter.speeds = speeds;
    }

    let mut groups = read_list(parameters, "ratings", read_group)?;
    groups.sort_unstable();
    groups.dedup();
    if groups.len() < RATING_GROUPS.len() {
        filter.mean_elo_groups = groups.into_iter().map(rating_bounds).collect();
    }
    Ok(())
}

/// A speed by its name, in any case: Lichess writes `ultraBullet`.
fn read_speed(text: &str) -> Option<Speed> {
    text.to_lowercase().parse().ok()
}

/// The index of the group of a rating.
fn read_group(text: &str) -> Option<usize> {
    let rating: u64 = text.parse().ok()?;
    Some(rating_group(rating))
}

/// `true` if `speeds` or `ratings` is given as an empty list, which no game matches.
pub(super) fn matches_nothing(parameters: &Parameters) -> bool {
    ["speeds", "ratings"]
        .iter()
        .any(|name| parameters.get(name).is_some_and(is_empty_list))
}

fn is_empty_list(text: &str) -> bool {
    text.split(',').all(|part| part.trim().is_empty())
}

/// `true` if the ratings of the request have no upper end, so that the best-rated games match.
fn has_best_rated(parameters: &Parameters) -> bool {
    let Some(ratings) = parameters.get("ratings") else {
        return true;
    };

    let highest = RATING_GROUPS.len() - 1;
    ratings
        .split(',')
        .any(|text| read_group(text.trim()) == Some(highest))
}

/// The index of the group of a rating.
fn rating_group(rating: u64) -> usize {
    RATING_GROUPS
        .partition_point(|&least| least <= rating)
        .saturating_sub(1)
}

/// The ratings of a group. The last group has no upper end.
fn rating_bounds(group: usize) -> Bounds {
    let min = RATING_GROUPS.get(group).copied().unwrap_or(0);
    match RATING_GROUPS.get(group + 1) {
        Some(next) => {
            let max = next - 1;
            Bounds::from(min..=max)
        }
        None => Bounds::from(min..),
    }
}

/// A month: `2024-01`, `2024-1`, `2024/01`, or a whole year: `2024`.
fn month_of(parameters: &Parameters, name: &str) -> Result<Option<PartialDate>, Failure> {
    let text = parameters.get(name).unwrap_or_default();
    if text.is_empty() {
        return Ok(None);
    }

    match read_month(text) {
        Some(date) => Ok(Some(date)),
        None => Err(misread(name, "give a month like 2024-01")),
    }
}

fn read_month(text: &str) -> Option<PartialDate> {
    let (year_text, month_text) = text.split_once(['-', '/']).unwrap_or((text, ""));

    let year: u16 = year_text.parse().ok()?;
    if !(1..=MAX_YEAR).contains(&year) {
        return Some(nearest_date(year));
    }
    if month_text.is_empty() {
        return format!("{year:04}").parse().ok();
    }

    let month: u16 = month_text.parse().ok()?;
    if !(1..=12).contains(&month) {
        return None;
    }
    format!("{year:04}.{month:02}").parse().ok()
}

/// The first date for the year 0, the last date for a year after 9999.
fn nearest_date(year: u16) -> PartialDate {
    let text = if year == 0 {
        "0001.01.01"
    } else {
        "9999.12.31"
    };
    text.parse()
        .unwrap_or_else(|_| unreachable!("{text} is a date"))
}

/// Reads a list whose parts are separated by commas; empty parts are ignored.
fn read_list<T>(
    parameters: &Parameters,
    name: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, Failure> {
    let mut values = Vec::new();
    for text in parameters.get(name).unwrap_or_default().split(',') {
        let part = text.trim();
        if part.is_empty() {
            continue;
        }
        let Some(value) = read(part) else {
            return Err(misread(name, &format!("{part} is not known")));
        };
        values.push(value);
    }
    Ok(values)
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

        let all_groups = "ratings=0,1000,1200,1400,1600,1800,2000,2200,2500";
        assert!(filter(all_groups).is_empty());
        assert!(filter("ratings=").is_empty());
    }

    #[test]
    fn months_have_several_forms() {
        let january = "2024.01".parse().ok();
        for text in ["2024-01", "2024-1", "2024/01"] {
            let since = filter(&format!("since={text}")).since;
            assert_eq!(since, january, "{text}");
        }

        for text in ["x", "2024-13", "2024-x", "-1"] {
            let mut filter = Filter::default();
            let parameters = Parameters::read(&format!("until={text}"));
            assert!(add_filters(&parameters, &mut filter).is_err(), "{text}");
        }
    }

    #[test]
    fn speeds_have_names_in_any_case() {
        let two = filter("speeds=ultraBullet,blitz");
        assert_eq!(two.speeds, [Speed::Ultrabullet, Speed::Blitz]);

        let all = filter("speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence");
        assert!(all.is_empty());
    }
}
