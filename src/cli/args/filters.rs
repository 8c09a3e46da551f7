//! Filter options, which all commands that select games share.

use std::str::FromStr;

use clap::Args;
use clap::builder::TypedValueParser;

use super::usage::{UsageError, refuse_if};
use super::values::offered;
use crate::cli::say;
use stamma::game::PartialDate;
use stamma::pgn::Termination;
use stamma::query::{
    Bounds, EcoRange, EndingKind, Filter, Fraction, Mover, NameQuery, OpeningLine,
    ParseBoundsError, Period, PlayersAre, QualityFilter, Sample, Speed, StartKind, TagQuery, Title,
    Winner,
};
use stamma::replay::Readings;

/// The error for a text that is not a name.
pub(super) const NO_NAME: &str =
    "a name has a letter or a digit; with = before it, or --exact, it may be ?, too";

/// The filters of games. A game must match all given filters. Values of one option are alternatives, except that a game
/// must match all repeated names, comments and tags.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Filters")]
pub(in crate::cli) struct Filters {
    /// A player, White or Black: words or word prefixes of the name (tal mik), or the exact name behind = ('=Tal,
    /// Mikhail'); twice for two players
    #[arg(long, alias = "name", value_name = "NAME")]
    player: Vec<String>,
    /// White's name
    #[arg(long, value_name = "NAME")]
    white: Vec<String>,
    /// Black's name
    #[arg(long, value_name = "NAME")]
    black: Vec<String>,
    /// The event, by words of its name
    #[arg(long, value_name = "NAME")]
    event: Vec<String>,
    /// The site, by words of its name
    #[arg(long, value_name = "NAME")]
    site: Vec<String>,
    /// Take all names as exact, as if = were in front of each
    #[arg(long)]
    exact: bool,
    /// The date, or a range of dates: 1972, 1972.07, 1972.07.23, 1972..1975, 1972.., ..1975
    #[arg(long, alias = "year", value_name = "DATES", conflicts_with_all = ["since", "until"])]
    date: Option<Period>,
    /// The earliest date: 1972, 1972.07 or 1972.07.23. Games that may be earlier, like 1972.??.?? for 1972.07, do not
    /// match
    #[arg(long, value_name = "DATE")]
    since: Option<PartialDate>,
    /// The latest date, in the same form
    #[arg(long, value_name = "DATE")]
    until: Option<PartialDate>,
    /// The result: 1-0, 0-1, 1/2-1/2 (or draw) or *
    #[arg(long, value_name = "RESULT", value_delimiter = ',', value_parser = result())]
    #[arg(allow_hyphen_values = true, hide_possible_values = true)]
    result: Vec<Termination>,
    /// The opening that the moves lead to, by words or word prefixes of its name: najdorf, 'ruy exchange'
    #[arg(long, value_name = "NAME")]
    opening: Vec<String>,
    /// ECO codes: B90, B20-B99, C
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    eco: Vec<EcoRange>,
    /// The Elo of both players: 2600 (or more), ..2400, 2400..2600, or =2500 for exactly 2500
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    elo: Option<Bounds>,
    /// White's Elo
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    white_elo: Option<Bounds>,
    /// Black's Elo
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    black_elo: Option<Bounds>,
    /// The mean Elo of both players
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    mean_elo: Option<Bounds>,
    /// The winner's rating beside the loser's: higher-rated or lower-rated; draws do not match
    #[arg(long, value_enum, value_name = "WHO", hide_possible_values = true)]
    winner: Option<Winner>,
    /// The number of half-moves: 40 (or more), ..50, 40..50, or =40 for exactly 40
    #[arg(long, value_name = "RANGE", value_parser = lengths)]
    plies: Option<Lengths>,
    /// Only games with a blunder of white, black or any player, by the evaluations in comments
    #[arg(long, value_enum, value_name = "WHOSE", hide_possible_values = true)]
    blunder: Option<Mover>,
    /// The greatest change of the evaluation by a move, in centipawns: 300 (or more), ..50
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    swing: Option<Bounds>,
    /// The accuracy of both players in percent, as on Lichess: 90 (or more), ..70. Only for games with evaluations
    /// behind all moves
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    accuracy: Option<Bounds>,
    /// White's accuracy
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    white_accuracy: Option<Bounds>,
    /// Black's accuracy
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    black_accuracy: Option<Bounds>,
    /// The shortest time left on a clock in seconds, by the clock times in comments: ..10, 60 (or more)
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    time_left: Option<Bounds>,
    /// The shortest time left at a blunder, on the clock of the player who made it: ..10. With --blunder white or
    /// black, at a blunder of this player
    #[arg(long, value_name = "RANGE", value_parser = bounds)]
    blunder_time: Option<Bounds>,
    /// Where the game starts: standard (the usual position), fen (another one), or odds (move 1 of a FEN in which one
    /// side has given pieces or pawns)
    #[arg(long, value_enum, value_name = "WHERE", hide_possible_values = true)]
    start: Option<StartKind>,
    /// Only games whose movetext could be read to its end
    #[arg(long)]
    complete: bool,
    /// Leave out games whose result behind the moves differs from the tag Result
    #[arg(long, alias = "nobadresults")]
    no_bad_results: bool,
    /// The ending on the board: checkmate, stalemate, insufficient-material, threefold, fivefold, fifty-moves,
    /// seventy-five-moves
    #[arg(long, value_name = "ENDING", value_delimiter = ',', value_parser = ending())]
    #[arg(hide_possible_values = true)]
    ending: Vec<EndingKind>,
    /// A title of either player: GM, WIM, BOT
    #[arg(long, value_name = "TITLE", value_delimiter = ',', value_parser = title())]
    #[arg(hide_possible_values = true)]
    title: Vec<Title>,
    /// The variant: standard, chess960, three-check, atomic
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = variant())]
    #[arg(hide_possible_values = true)]
    variant: Vec<String>,
    /// The speed, by the tag TimeControl, else by a word of the event: ultrabullet, bullet, blitz, rapid, classical
    /// or correspondence
    #[arg(long, value_name = "SPEED", value_delimiter = ',', value_parser = speed())]
    #[arg(hide_possible_values = true)]
    speed: Vec<Speed>,
    /// Only games between people: without those in which a chess program plays
    #[arg(long)]
    humans: bool,
    /// Only games in which a chess program plays
    #[arg(long, conflicts_with = "humans")]
    engines: bool,
    /// Only games with comments in words, NAGs or variations
    #[arg(long)]
    annotated: bool,
    /// Consecutive words of a comment; the last may be a prefix with * at its end
    #[arg(long, value_name = "TEXT", value_parser = phrase)]
    comment: Vec<String>,
    /// A tag pair, or a tag with any value: 'TimeControl=300+3', Annotator. Values are compared by <>, <, <=, > and >=,
    /// as numbers where the value given is one, and searched for a text by ~: 'TimeControl>=300', 'Event~Rated'
    #[arg(long, value_name = "TAG[=VALUE]")]
    tag: Vec<TagQuery>,
    /// The moves with which games begin: '1. e4 c5 2. Nf3'
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
    /// A condition in SQL over the columns of the view `games`
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Leave out the games that `stamma dedupe` has marked as duplicates
    #[arg(long)]
    pub(super) unique: bool,
    /// A random part of the games that match otherwise: 0.01 for one in a hundred. The same games in every run, by
    /// their players, event, site, date, round and moves
    #[arg(long, value_name = "FRACTION")]
    sample: Option<Fraction>,
    /// With --sample: the number of another random part (default: 0)
    #[arg(long, value_name = "N", requires = "sample")]
    seed: Option<u64>,
}

impl Filters {
    /// A name, interpreted according to these options.
    pub(in crate::cli) fn name(&self, text: &str) -> NameQuery {
        let name = NameQuery::from(text);
        NameQuery {
            is_exact: name.is_exact || self.exact,
            ..name
        }
    }

    /// `true` if a text can be a name.
    pub(super) fn is_name(&self, text: &str) -> bool {
        let NameQuery { text, is_exact } = self.name(text);
        is_exact || text.contains(char::is_alphanumeric)
    }

    /// `true` if moves are given.
    pub(super) fn has_moves(&self) -> bool {
        self.line.is_some()
    }

    /// The filter of all options. Prints a remark on an ambiguous option.
    ///
    /// # Errors
    /// When options contradict each other, or moves cannot be followed.
    pub(in crate::cli) fn resolve(&self) -> Result<Filter, UsageError> {
        self.resolve_read_as(None)
    }

    /// Like [`Filters::resolve`], with moves read in given piece letters.
    ///
    /// # Errors
    /// As for [`Filters::resolve`].
    pub(super) fn resolve_read_as(
        &self,
        readings: Option<&Readings>,
    ) -> Result<Filter, UsageError> {
        let filter = self.read(readings)?;
        self.say_remark();
        Ok(filter)
    }

    /// Like [`Filters::resolve`], for a command with other arguments that are names, to which `--exact` applies as
    /// well.
    ///
    /// # Errors
    /// As for [`Filters::resolve`], and when one of `names` has neither a letter nor a digit.
    pub(super) fn resolve_beside_names(&self, names: &[&str]) -> Result<Filter, UsageError> {
        refuse_if(names.iter().any(|name| !self.is_name(name)), NO_NAME)?;
        let filter = self.read_beside_names(None)?;
        self.say_remark();
        Ok(filter)
    }

    /// The filter, without a remark.
    ///
    /// # Errors
    /// As for [`Filters::resolve`].
    pub(super) fn read(&self, readings: Option<&Readings>) -> Result<Filter, UsageError> {
        refuse_if(
            self.exact && self.names().next().is_none(),
            "--exact needs a name: --player, --white, --black, --event, --site or --opening",
        )?;
        self.read_beside_names(readings)
    }

    /// Like [`Filters::read`], but allows `--exact` without a name among the filters.
    fn read_beside_names(&self, readings: Option<&Readings>) -> Result<Filter, UsageError> {
        refuse_if(self.names().any(|name| !self.is_name(name)), NO_NAME)?;

        if let (Some(since), Some(until)) = (self.since, self.until) {
            // A partial date is a range. 1972 overlaps 1972.07, so neither is later than the other.
            let is_empty = !until.is_since(since) && !since.is_until(until);
            refuse_if(is_empty, "--since is behind --until")?;
        }

        Ok(Filter {
            line: self.opening_line(readings)?,
            ..self.filter_without_line()
        })
    }

    /// The moves of `--line`.
    fn opening_line(&self, readings: Option<&Readings>) -> Result<Option<OpeningLine>, UsageError> {
        let Some(text) = &self.line else {
            return Ok(None);
        };
        let line = match readings {
            Some(readings) => OpeningLine::read(text, readings)?,
            None => text.parse::<OpeningLine>()?,
        };
        Ok(Some(line))
    }

    /// Prints a remark on an ambiguous option.
    fn say_remark(&self) {
        let Some(plies) = &self.plies else {
            return;
        };
        // A number alone could also mean an exact length.
        if let Some(min) = &plies.bare {
            say!("stamma: --plies {min}: {min} or more; exactly: ={min}, at most: ..{min}");
        }
    }

    /// The random part of the games, if `--sample` is given.
    fn sample(&self) -> Option<Sample> {
        let fraction = self.sample?;
        Some(Sample {
            fraction,
            seed: self.seed.unwrap_or(0),
        })
    }

    /// The filters by evaluations and clock times.
    fn quality(&self) -> QualityFilter {
        QualityFilter {
            blunder: self.blunder,
            swing: self.swing,
            accuracy: self.accuracy,
            white_accuracy: self.white_accuracy,
            black_accuracy: self.black_accuracy,
            time_left: self.time_left,
            blunder_time: self.blunder_time,
        }
    }

    /// The filter by people and chess programs.
    fn players_are(&self) -> Option<PlayersAre> {
        if self.humans {
            return Some(PlayersAre::Humans);
        }
        self.engines.then_some(PlayersAre::Engines)
    }

    /// All typed names.
    fn names(&self) -> impl Iterator<Item = &String> {
        let Filters {
            player,
            white,
            black,
            event,
            site,
            opening,
            ..
        } = self;
        [player, white, black, event, site, opening]
            .into_iter()
            .flatten()
    }

    /// The queries for some typed names.
    fn name_queries(&self, names: &[String]) -> Vec<NameQuery> {
        names.iter().map(|text| self.name(text)).collect()
    }

    /// The filter of all options except `--line`.
    fn filter_without_line(&self) -> Filter {
        // clap refuses --date beside --since or --until.
        let (since, until) = match self.date {
            Some(period) => (period.since, period.until),
            None => (self.since, self.until),
        };

        Filter {
            players: self.name_queries(&self.player),
            white: self.name_queries(&self.white),
            black: self.name_queries(&self.black),
            event: self.name_queries(&self.event),
            site: self.name_queries(&self.site),
            openings: self.name_queries(&self.opening),
            since,
            until,
            results: self.result.clone(),
            eco: self.eco.clone(),
            elo: self.elo,
            white_elo: self.white_elo,
            black_elo: self.black_elo,
            mean_elo: self.mean_elo,
            mean_elo_groups: Vec::new(),
            winner: self.winner,
            plies: self.plies.as_ref().map(|plies| plies.bounds),
            quality: self.quality(),
            endings: self.ending.clone(),
            titles: self.title.clone(),
            variants: self.variant.clone(),
            speeds: self.speed.clone(),
            players_are: self.players_are(),
            annotated: self.annotated,
            comments: self.comment.clone(),
            tags: self.tag.clone(),
            line: None,
            condition: self.condition.clone(),
            unique: self.unique,
            start: self.start,
            complete: self.complete,
            no_bad_results: self.no_bad_results,
            sample: self.sample(),
        }
    }
}

/// The parser of results.
fn result() -> impl TypedValueParser<Value = Termination> {
    // `*` is not suggested, since a shell would replace it by the names of files.
    offered(["1-0", "0-1", "1/2-1/2", "draw"], read_result)
}

/// A result, in any form that PGN or `draw` gives it.
fn read_result(text: &str) -> Result<Termination, &'static str> {
    match Termination::from_text(text) {
        Some(termination) => Ok(termination),
        None => Err("give 1-0, 0-1, 1/2-1/2 or *"),
    }
}

/// The parser of endings.
fn ending() -> impl TypedValueParser<Value = EndingKind> {
    offered(EndingKind::ALL.map(EndingKind::as_str), value_of_list)
}

/// The parser of titles.
fn title() -> impl TypedValueParser<Value = Title> {
    offered(Title::ALL.iter().map(|title| title.as_str()), value_of_list)
}

/// The parser of speeds.
fn speed() -> impl TypedValueParser<Value = Speed> {
    offered(Speed::ALL.map(Speed::as_str), value_of_list)
}

/// The parser of variants, which suggests the variants that are played.
fn variant() -> impl TypedValueParser<Value = String> {
    const PLAYED: [&str; 4] = ["standard", "chess960", "king-of-the-hill", "three-check"];
    offered(PLAYED, read_variant)
}

/// The name of any variant. Games of variants that Stamma does not play are stored as text, and can be filtered by
/// variant.
fn read_variant(text: &str) -> Result<String, &'static str> {
    if text.contains(char::is_alphanumeric) {
        Ok(text.trim().to_owned())
    } else {
        Err("give a variant, like standard or atomic")
    }
}

/// A range of numbers; the error for a reversed range suggests the right order.
pub(super) fn bounds(text: &str) -> Result<Bounds, String> {
    let error: ParseBoundsError = match text.parse() {
        Ok(bounds) => return Ok(bounds),
        Err(error) => error,
    };

    match swapped(text) {
        Some(swapped) => Err(format!("the ends are reversed; give {swapped}")),
        None => Err(error.to_string()),
    }
}

/// Lengths of games in half-moves.
#[derive(Clone, Debug)]
struct Lengths {
    bounds: Bounds,
    /// A number without `..` or `=`, as typed. It means this number or more.
    bare: Option<String>,
}

/// A range of lengths in half-moves.
fn lengths(text: &str) -> Result<Lengths, String> {
    let bounds = bounds(text)?;
    let trimmed = text.trim();
    let is_bare = trimmed.bytes().all(|letter| letter.is_ascii_digit());
    Ok(Lengths {
        bounds,
        bare: is_bare.then(|| trimmed.to_owned()),
    })
}

/// A range with its ends swapped, if that makes it valid.
fn swapped(text: &str) -> Option<String> {
    let trimmed = text.trim();
    let (first, last) = trimmed
        .split_once("..")
        .or_else(|| trimmed.split_once('-'))?;
    if first.is_empty() || last.is_empty() {
        return None;
    }

    let swapped = format!("{}..{}", last.trim(), first.trim());
    let is_valid = swapped.parse::<Bounds>().is_ok();
    is_valid.then_some(swapped)
}

/// A value of a comma-separated list, in which spaces may follow commas.
fn value_of_list<T: FromStr>(text: &str) -> Result<T, T::Err> {
    text.trim().parse()
}

/// A phrase in comments: at least one word, with `*` at the end only.
fn phrase(text: &str) -> Result<String, &'static str> {
    let words = text.trim_end().strip_suffix('*').unwrap_or(text);
    if !words.contains(char::is_alphanumeric) {
        return Err("give words, like 'a draw was agreed' or novelt*");
    }
    if words.contains('*') {
        return Err("* stands behind the last word, for what may follow it");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_ranges_are_swapped() {
        for (typed, suggested) in [
            ("2600..2400", Some("2400..2600")),
            ("50-40", Some("40..50")),
            (" 50 .. 40 ", Some("40..50")),
            ("..40", None),
            ("40..", None),
            ("many..10", None),
        ] {
            assert_eq!(swapped(typed).as_deref(), suggested, "{typed}");
        }
    }

    #[test]
    fn a_star_ends_a_phrase() {
        for (text, is_valid) in [
            ("a draw was agreed", true),
            ("novelt*", true),
            ("nov*lty", false),
            ("*", false),
            ("!?", false),
        ] {
            assert_eq!(phrase(text).is_ok(), is_valid, "{text}");
        }
    }
}
