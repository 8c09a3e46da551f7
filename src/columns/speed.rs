//! The speed of games.

use std::str::FromStr;

/// The classes of Lichess, by the time of the clock plus 40 increments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Speed {
    /// Less than half a minute.
    Ultrabullet = 1,
    /// Less than 3 minutes.
    Bullet,
    /// Less than 8 minutes.
    Blitz,
    /// Less than 25 minutes.
    Rapid,
    /// 25 minutes or more.
    Classical,
    /// Days per move.
    Correspondence,
}

impl Speed {
    /// All speeds.
    pub const ALL: [Speed; 6] = [
        Speed::Ultrabullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// Its name in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Speed::Ultrabullet => "ultrabullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    /// The speed of a game by its tags, if they tell: TimeControl takes precedence over a word in Event.
    pub(crate) fn of_tags(time_control: Option<&str>, event: Option<&str>) -> Option<Speed> {
        time_control
            .and_then(Speed::from_time_control)
            .or_else(|| event.and_then(Speed::from_event))
    }

    /// Parses a time control (PGN §9.6.1), using its first period. `-`, which Lichess writes for games without a clock,
    /// means correspondence.
    fn from_time_control(text: &str) -> Option<Speed> {
        let first = text.split(':').next()?.trim();
        if first == "-" {
            return Some(Speed::Correspondence);
        }
        let (seconds, increment) = first.split_once('+').unwrap_or((first, "0"));
        let number = |text: &str| text.parse::<f64>().ok().filter(|n| (0.0..1e9).contains(n));
        let (moves, seconds) = match seconds.split_once('/') {
            Some((moves, seconds)) => (number(moves)?.max(1.0), number(seconds)?),
            None => (40.0, number(seconds)?),
        };
        // Scale the time of a shorter first period to 40 moves.
        let seconds = if moves < 40.0 { seconds * 40.0 / moves } else { seconds };
        Some(Speed::of_seconds(seconds + 40.0 * number(increment)?))
    }

    fn of_seconds(seconds: f64) -> Speed {
        match seconds {
            ..30.0 => Speed::Ultrabullet,
            ..180.0 => Speed::Bullet,
            ..480.0 => Speed::Blitz,
            ..1500.0 => Speed::Rapid,
            ..172_800.0 => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }

    fn from_event(event: &str) -> Option<Speed> {
        let names =
            |word: &&str| Speed::ALL.iter().any(|speed| word.eq_ignore_ascii_case(speed.as_str()));
        event.split(|letter: char| !letter.is_alphanumeric()).find(names)?.parse().ok()
    }
}

/// The error for a text that is not a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a speed: ultrabullet, bullet, blitz, rapid, classical or correspondence")]
pub struct ParseSpeedError;

impl FromStr for Speed {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<Speed, ParseSpeedError> {
        let mut speeds = Speed::ALL.into_iter();
        speeds.find(|speed| speed.as_str().eq_ignore_ascii_case(text)).ok_or(ParseSpeedError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! speeds {
        ($($name:ident: $time_control:expr, $event:expr => $speed:expr;)*) => {$(
            #[test]
            fn $name() {
                let speed = Speed::of_tags($time_control, $event).map(Speed::as_str);
                assert_eq!(speed, $speed);
            }
        )*};
    }

    speeds! {
        of_lichess: Some("300+3"), None => Some("blitz");
        bullet: Some("60+0"), None => Some("bullet");
        a_quarter_of_a_minute: Some("15"), None => Some("ultrabullet");
        rapid: Some("600"), None => Some("rapid");
        classical: Some("40/7200:3600"), None => Some("classical");
        each_move: Some("1/30"), None => Some("rapid");
        a_day_a_move: Some("1/86400"), None => Some("correspondence");
        no_clock: Some("-"), Some("Rated Blitz game") => Some("correspondence");
        unknown: Some("?"), Some("World Blitz 2016") => Some("blitz");
        of_the_event: None, Some("FIDE World Rapid Championship") => Some("rapid");
        within_a_word: None, Some("Blitzkrieg") => None;
        nothing: None, None => None;
        no_number: Some("nan+1"), None => None;
    }
}
