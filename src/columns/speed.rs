//! The speed of games.

use std::str::FromStr;

use memchr::memchr3;

/// Events whose names imply a speed without naming it: their words in lower case. The first entry that occurs decides.
///
/// Speed chess matches have parts of five, three and one minutes, which TWIC's names often do not tell apart: they are
/// blitz, as FIDE calls all of them. Events on the internet are listed where all their games had one speed.
const KNOWN_EVENTS: [(&[&str], Speed); 37] = [
    (&["superblitz"], Speed::Blitz),
    (&["blitzchess"], Speed::Blitz),
    (&["hyperbullet"], Speed::Bullet),
    (&["rapidplay"], Speed::Rapid),
    (&["superrapid"], Speed::Rapid),
    (&["quickplay"], Speed::Rapid),
    (&["active"], Speed::Rapid),
    (&["titled", "tue"], Speed::Blitz),
    (&["titled", "tuesday"], Speed::Blitz),
    (&["freestyle", "friday"], Speed::Blitz),
    (&["speed", "chess"], Speed::Blitz),
    (&["speedchess"], Speed::Blitz),
    (&["junior", "speed"], Speed::Blitz),
    (&["com", "speed"], Speed::Blitz),
    (&["women", "s", "speed"], Speed::Blitz),
    (&["speed", "super", "swiss"], Speed::Blitz),
    (&["wscc"], Speed::Blitz),
    (&["armageddon"], Speed::Blitz),
    (&["chess24", "banter"], Speed::Blitz),
    (&["pro", "league"], Speed::Rapid),
    (&["champions", "chess", "tour"], Speed::Rapid),
    (&["cct", "final"], Speed::Rapid),
    (&["meltwater"], Speed::Rapid),
    (&["airthings"], Speed::Rapid),
    (&["chessable", "masters"], Speed::Rapid),
    (&["skilling", "open"], Speed::Rapid),
    (&["opera", "euro"], Speed::Rapid),
    (&["crypto", "cup"], Speed::Rapid),
    (&["goldmoney"], Speed::Rapid),
    (&["aimchess"], Speed::Rapid),
    (&["oslo", "esports"], Speed::Rapid),
    (&["charity", "cup"], Speed::Rapid),
    (&["julius", "baer"], Speed::Rapid),
    (&["carlsen", "inv"], Speed::Rapid),
    (&["legends", "of", "chess"], Speed::Rapid),
    (&["clutch", "chess"], Speed::Rapid),
    (&["clutch", "champions"], Speed::Rapid),
];

/// The number of moves for which Lichess estimates the duration of a game.
const MOVES_OF_A_GAME: f64 = 40.0;
/// The least seconds of each class of Lichess, as [`Speed`] describes them in minutes.
const BULLET_SECONDS: f64 = 30.0;
const BLITZ_SECONDS: f64 = 180.0;
const RAPID_SECONDS: f64 = 480.0;
const CLASSICAL_SECONDS: f64 = 1500.0;
/// Two days. Longer games are correspondence games.
const CORRESPONDENCE_SECONDS: f64 = 172_800.0;

/// The limit of numbers in a time control: a billion seconds are 31 years.
const MAX_CLOCK_NUMBER: f64 = 1e9;

/// The letters of words in lower case, from `a` to `z`.
const LETTERS: usize = 26;

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

    /// The name of the speed in lower case.
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

    /// The speed of a game by its tags; `None` if they do not imply one. TimeControl takes precedence over the event.
    pub(crate) fn of_tags(time_control: Option<&str>, event: Option<&str>) -> Option<Speed> {
        let by_clock = time_control.and_then(Speed::from_time_control);
        if by_clock.is_some() {
            return by_clock;
        }
        event.and_then(Speed::from_event)
    }

    /// Parses a time control (PGN §9.6.1), using its first period. `-`, which Lichess writes for games without a clock,
    /// means correspondence.
    fn from_time_control(text: &str) -> Option<Speed> {
        let first = text.split(':').next()?.trim();
        if first == "-" {
            return Some(Speed::Correspondence);
        }

        let (period, increment) = first.split_once('+').unwrap_or((first, "0"));
        let (moves, seconds) = match period.split_once('/') {
            Some((moves, seconds)) => (number(moves)?, number(seconds)?),
            None => (MOVES_OF_A_GAME, number(period)?),
        };

        // Scale the time of a shorter first period to 40 moves. A period of no moves counts as one move.
        let clock = if moves < MOVES_OF_A_GAME {
            seconds * MOVES_OF_A_GAME / moves.max(1.0)
        } else {
            seconds
        };
        let increments = MOVES_OF_A_GAME * number(increment)?;
        Some(Speed::of_seconds(clock + increments))
    }

    /// The speed of a game in which a player has a number of seconds for 40 moves.
    fn of_seconds(seconds: f64) -> Speed {
        match seconds {
            ..BULLET_SECONDS => Speed::Ultrabullet,
            ..BLITZ_SECONDS => Speed::Bullet,
            ..RAPID_SECONDS => Speed::Blitz,
            ..CLASSICAL_SECONDS => Speed::Rapid,
            ..CORRESPONDENCE_SECONDS => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }

    /// The speed that the name of an event implies, by the name of a speed, a time control, or a well-known event.
    fn from_event(event: &str) -> Option<Speed> {
        let named = words(event).find_map(Speed::from_word);
        if named.is_some() {
            return named;
        }

        // Every time control has one of the three signs, and few events do.
        if memchr3(b'+', b'|', b'/', event.as_bytes()).is_some() {
            let mut parts = event.split([' ', ':', ',']);
            let timed = parts.find_map(Speed::from_time_in_event);
            if timed.is_some() {
                return timed;
            }
        }

        speed_of_known_event(event)
    }

    /// Parses the name of a speed, also with the letter of a group: `Blitz`, `BlitzA`.
    fn from_word(word: &str) -> Option<Speed> {
        if !SPEED_SHAPES.include(word) {
            return None;
        }
        if let Ok(speed) = word.parse() {
            return Some(speed);
        }

        // "BlitzA" is Blitz, "BLITZA" is not: the letter of a group differs in its case.
        let name = word.strip_suffix(|letter: char| letter.is_ascii_uppercase())?;
        let has_lower_case = name.ends_with(|last: char| last.is_ascii_lowercase());
        if !has_lower_case {
            return None;
        }
        name.parse().ok()
    }

    /// Parses a time control as event names have it, in minutes and seconds: `3m+1spm`, `(10|3)`, `g/15`, `g/25+10`.
    fn from_time_in_event(word: &str) -> Option<Speed> {
        let (minutes, increment) = split_time_in_event(word)?;
        let minutes: u8 = minutes.parse().ok()?;
        let increment: u8 = increment.parse().ok()?;

        let clock = 60.0 * f64::from(minutes);
        let increments = MOVES_OF_A_GAME * f64::from(increment);
        let seconds = clock + increments;
        Some(Speed::of_seconds(seconds))
    }
}

/// The minutes and the increment in seconds of a word such as `g/25+10`, `(10|3)` and `3m+1spm`.
fn split_time_in_event(word: &str) -> Option<(&str, &str)> {
    if let Some(times) = word.strip_prefix("g/") {
        return Some(times.split_once('+').unwrap_or((times, "0")));
    }

    if let Some(opened) = word.strip_prefix('(') {
        let times = opened.strip_suffix(')')?;
        return times.split_once('|');
    }

    let with_unit = word.strip_suffix("spm")?;
    with_unit.split_once("m+")
}

/// A number of moves or seconds; `None` for NaN and for numbers that no clock has.
fn number(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    (0.0..MAX_CLOCK_NUMBER).contains(&number).then_some(number)
}

/// The runs of letters and digits in the name of an event.
fn words(event: &str) -> impl Iterator<Item = &str> + Clone {
    event
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The speed of the first entry of [`KNOWN_EVENTS`] whose words occur in the name of an event.
fn speed_of_known_event(event: &str) -> Option<Speed> {
    let mut found = KNOWN_EVENTS.len();
    let mut rest = words(event);
    loop {
        let here = rest.clone();
        let Some(word) = rest.next() else { break };
        if !FIRST_WORD_SHAPES.include(word) {
            continue;
        }

        // The first entry of the list decides, so only entries before the best one so far are compared.
        let earlier = &KNOWN_EVENTS[..found];
        found = earlier
            .iter()
            .position(|(known, _)| begins_with(here.clone(), known))
            .unwrap_or(found);
    }

    KNOWN_EVENTS.get(found).map(|&(_, speed)| speed)
}

/// `true` if the first words equal the words of `known`, ignoring case.
fn begins_with<'w>(mut words: impl Iterator<Item = &'w str>, known: &[&str]) -> bool {
    known.iter().all(|known_word| {
        words
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case(known_word))
    })
}

/// The lengths of a set of words by their initials. A look-up excludes most words that are not in the set.
///
/// Comparing each word of an event with all known events took 6 % of the time of an import's workers.
struct WordShapes {
    /// For each letter from `a`, the lengths in bytes as bits. A word of 32 bytes or more has no bit.
    lengths: [u32; LETTERS],
}

/// The shapes of the names of speeds, with the letter of a group and without.
static SPEED_SHAPES: WordShapes = {
    let mut shapes = WordShapes {
        lengths: [0; LETTERS],
    };
    let mut at = 0;
    while at < Speed::ALL.len() {
        let name = Speed::ALL[at].as_str().as_bytes();
        shapes.add(name[0], name.len());
        shapes.add(name[0], name.len() + 1);
        at += 1;
    }
    shapes
};

/// The shapes of the first words of the known events.
static FIRST_WORD_SHAPES: WordShapes = {
    let mut shapes = WordShapes {
        lengths: [0; LETTERS],
    };
    let mut at = 0;
    while at < KNOWN_EVENTS.len() {
        let word = KNOWN_EVENTS[at].0[0].as_bytes();
        shapes.add(word[0], word.len());
        at += 1;
    }
    shapes
};

impl WordShapes {
    /// Adds a word with an initial in lower case and a length in bytes. A word that is too long or has another initial
    /// is an error of the compiler, which alone calls this.
    const fn add(&mut self, initial: u8, length: usize) {
        self.lengths[(initial - b'a') as usize] |= 1 << length;
    }

    /// `true` if a word of the set has the initial and the length of `word`, ignoring case.
    fn include(&self, word: &str) -> bool {
        let Some(initial) = word.bytes().next() else {
            return false;
        };
        // For a byte that is not a letter, the difference is or wraps to an index after `z`.
        let letter = initial.to_ascii_lowercase().wrapping_sub(b'a');
        let of_initial = self.lengths.get(usize::from(letter));
        let lengths = of_initial.copied().unwrap_or(0);

        word.len() < u32::BITS as usize && lengths >> word.len() & 1 == 1
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
        speeds
            .find(|speed| speed.as_str().eq_ignore_ascii_case(text))
            .ok_or(ParseSpeedError)
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
        a_group: None, Some("1st FIDE World Uni BlitzA") => Some("blitz");
        two_speeds: None, Some("4th CHN Rapid/Blitz 2025") => Some("rapid");
        rapidplay: None, Some("British Rapidplay 2024") => Some("rapid");
        superblitz: None, Some("Hourly SuperBlitz Arena") => Some("blitz");
        hyperbullet: None, Some("Hourly HyperBullet Arena") => Some("bullet");
        active_chess: None, Some("It (active)") => Some("rapid");
        titled_tuesday: None, Some("Titled Tue 8th Mar Early") => Some("blitz");
        titled_tuesday_in_full: None, Some("titled tuesday 26th May") => Some("blitz");
        titled_players: None, Some("Titled Arena Apr 3rd 2021") => None;
        bullet_brawl: None, Some("Bullet Brawl 2023") => Some("bullet");
        freestyle_friday: None, Some("Freestyle Friday 5 Jan") => Some("blitz");
        speed_chess: None, Some("chess.com SpeedChess 2024") => Some("blitz");
        womens_speed_chess: None, Some("Women's Speed Chess Main") => Some("blitz");
        junior_speed_chess: None, Some("chess.com Junior Speed") => Some("blitz");
        speed_chess_of_a_minute: None, Some("chess.com Speed 1m+1spm 2017") => Some("bullet");
        speed_chess_of_five_minutes: None, Some("chess.com Speed 5m+2spm 2017") => Some("blitz");
        speed_without_chess: None, Some("Full Speed Open") => None;
        armageddon: None, Some("11th Norway Armageddon") => Some("blitz");
        banter_blitz: None, Some("Chess24 Banter Final 2020") => Some("blitz");
        a_tour_of_rapid_chess: None, Some("Meltwater Tour Final 2021") => Some("rapid");
        a_league_of_rapid_chess: None, Some("PRO League Group Stage") => Some("rapid");
        the_first_of_the_list: None, Some("Julius Baer WSCC 2024") => Some("blitz");
        a_part_of_the_words: None, Some("Legends of") => None;
        minutes_and_seconds: None, Some("CCC 12.6: Stoofvlees vs Komodo MC (1|1)") => Some("bullet");
        minutes_of_a_game: None, Some("Chess Cruise g/15") => Some("rapid");
        minutes_and_an_increment: None, Some("FIDE-Wch k.o. g/25+10") => Some("classical");
        a_name_before_a_time: None, Some("RUS-UKR Rapid g/60") => Some("rapid");
        nothing: None, None => None;
        no_number: Some("nan+1"), None => None;
    }
}
