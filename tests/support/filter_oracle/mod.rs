//! An independent oracle for filters: the attributes of games, and whether they meet conditions, as plainly as possible
//! and sharing no code with the filters.

pub(crate) mod ask;
pub(crate) mod draw;
mod evaluated;
mod games;
pub(crate) mod made_up;
mod pgn;
mod rows;
mod spoken;

pub(crate) use games::play_sans;
pub(crate) use pgn::read_pgn;
pub(crate) use rows::read_rows;

use stamma::cleaning::names::PersonQuery;

use spoken::{folded, is_annotated, said, speed_of, time_control};

/// The attributes of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) id: i64,
    /// All tag pairs, in order.
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) event: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) white: Option<String>,
    pub(crate) black: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) eco: Option<String>,
    /// The name of the opening that its moves lead to.
    pub(crate) opening: Option<String>,
    pub(crate) result: String,
    pub(crate) elo: [Option<u32>; 2],
    pub(crate) plies: u32,
    pub(crate) time_control: Option<String>,
    pub(crate) titles: [Option<String>; 2],
    /// `standard`, `chess960`, `king-of-the-hill`, `three-check` or `other`.
    pub(crate) variant: String,
    pub(crate) endings: Vec<&'static str>,
    pub(crate) starts_from_standard: bool,
    pub(crate) fen: Option<String>,
    /// Whether all moves could be played.
    pub(crate) is_complete: bool,
    /// The mainline in SAN without check marks.
    pub(crate) moves: Vec<String>,
    /// The positions of a mainline under the rules of chess, as EPD.
    pub(crate) positions: Vec<String>,
    /// Comments, without the leading brace.
    pub(crate) comments: Vec<String>,
    /// The comments of the mainline, each with the number of half-moves before it.
    pub(crate) mainline_comments: Vec<(u32, String)>,
    pub(crate) has_signs_or_variations: bool,
}

/// A condition of the command line: an option and its value.
pub(crate) type Condition = (&'static str, String);

/// A query: conditions that must all hold, with names whole or by their words.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilterQuery {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) is_exact: bool,
}

/// A FEN of White's first move with men on the outer ranks only, of which the sides have different ones.
fn is_at_odds(fen: &str) -> bool {
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].split('/').collect();
    let count = |letter: char| fields[0].matches(letter).count();
    fields.get(1) == Some(&"w")
        && fields.get(5) == Some(&"1")
        && ranks[2..6] == ["8"; 4]
        && "KQRBNP"
            .chars()
            .any(|piece| count(piece) != count(piece.to_ascii_lowercase()))
}

/// The digits that a text begins with.
fn begun_number(text: &str) -> Option<f64> {
    text.chars()
        .take_while(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .ok()
}

impl FilterQuery {
    /// Its arguments on the command line.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let given = self
            .conditions
            .iter()
            .flat_map(|(option, value)| match *option {
                "--annotated" | "--complete" => vec![(*option).to_owned()],
                option => vec![format!("{option}={value}")],
            });
        given
            .chain(self.is_exact.then(|| "--exact".to_owned()))
            .collect()
    }

    /// `false` if it ends before it begins, which the command line refuses.
    pub(crate) fn has_days(&self) -> bool {
        let value = |wanted: &str| {
            let found = self.conditions.iter().find(|(option, _)| *option == wanted);
            found.map(|(_, value)| day(value))
        };
        match (value("--since"), value("--until")) {
            (Some(since), Some(until)) => first_day(since) <= last_day(until),
            _ => true,
        }
    }

    /// The numbers of the games that match.
    pub(crate) fn answer(&self, games: &[Known]) -> Vec<i64> {
        games
            .iter()
            .filter(|game| self.holds(game))
            .map(|game| game.id)
            .collect()
    }

    pub(crate) fn holds(&self, game: &Known) -> bool {
        self.conditions
            .iter()
            .all(|(option, value)| self.is_true(option, value, game))
    }

    fn is_true(&self, option: &str, value: &str, game: &Known) -> bool {
        let one_of = |holds: &dyn Fn(&str) -> bool| value.split(',').any(holds);
        match option {
            "--player" => [&game.white, &game.black]
                .iter()
                .any(|name| self.is_player(name, value)),
            "--white" => self.is_player(&game.white, value),
            "--black" => self.is_player(&game.black, value),
            "--event" => self.is_named(&game.event, value),
            "--site" => self.is_named(&game.site, value),
            "--opening" => self.is_named(&game.opening, value),
            "--since" => game
                .dated()
                .is_some_and(|date| first_day(date) >= first_day(day(value))),
            "--until" => game
                .dated()
                .is_some_and(|date| last_day(date) <= last_day(day(value))),
            "--result" => one_of(&|result| result == game.result),
            "--eco" => one_of(&|codes| game.has_eco(codes)),
            "--elo" => game
                .elo
                .iter()
                .all(|elo| elo.is_some_and(|elo| is_in(elo.into(), value))),
            "--white-elo" => game.elo[0].is_some_and(|elo| is_in(elo.into(), value)),
            "--black-elo" => game.elo[1].is_some_and(|elo| is_in(elo.into(), value)),
            "--mean-elo" => match game.elo {
                [Some(white), Some(black)] => is_in(f64::from(white + black) / 2.0, value),
                _ => false,
            },
            "--winner" => match (&*game.result, game.elo) {
                ("1-0", [Some(winner), Some(loser)]) | ("0-1", [Some(loser), Some(winner)]) => {
                    (winner > loser && value == "higher-rated")
                        || (winner < loser && value == "lower-rated")
                }
                _ => false,
            },
            "--plies" => is_in(game.plies.into(), value),
            "--blunder" => match value {
                "white" => game.has_blunder_of(true),
                "black" => game.has_blunder_of(false),
                _ => game.has_blunder_of(true) || game.has_blunder_of(false),
            },
            "--swing" => game.swing().is_some_and(|swing| is_in(swing, value)),
            "--accuracy" => [true, false].iter().all(|&is_white| {
                game.accuracy(is_white)
                    .is_some_and(|accuracy| is_in(accuracy, value))
            }),
            "--white-accuracy" => game.accuracy(true).is_some_and(|found| is_in(found, value)),
            "--black-accuracy" => game
                .accuracy(false)
                .is_some_and(|found| is_in(found, value)),
            "--blunder-time" => {
                let is_in = |is_white: bool| {
                    let is_meant = self.conditions.iter().all(|(option, whose)| {
                        *option != "--blunder" || whose == "any" || (whose == "white") == is_white
                    });
                    is_meant
                        && game
                            .blunder_time(is_white)
                            .is_some_and(|time| is_in(time, value))
                };
                is_in(true) || is_in(false)
            }
            "--time-left" => game.time_left().is_some_and(|time| is_in(time, value)),
            "--start" => match value {
                "standard" => game.fen.is_none(),
                "fen" => game.fen.is_some(),
                _ => game.fen.as_deref().is_some_and(is_at_odds),
            },
            "--complete" => game.is_complete,
            "--ending" => one_of(&|kind| game.endings.contains(&kind)),
            "--title" => {
                let has = |wanted: &str| {
                    game.titles
                        .iter()
                        .flatten()
                        .any(|title| title.eq_ignore_ascii_case(wanted))
                };
                one_of(&|wanted| has(wanted))
            }
            "--variant" => one_of(&|name| game.is_of_variant(name)),
            "--speed" => one_of(&|speed| game.speed() == Some(speed)),
            "--annotated" => game.has_signs_or_variations || is_annotated(&game.comments),
            "--comment" => game.comments.iter().any(|comment| said(comment, value)),
            "--tag" => game.has_tag(value),
            "--line" => game.begins(value),
            "--where" => game.meets(value),
            option => panic!("no such option: {option}"),
        }
    }

    /// Whether a player is named by words of the name, or as people type it. The latter has tables of its own; here each
    /// name is asked alone, which the column store does not do.
    fn is_player(&self, name: &Option<String>, wanted: &str) -> bool {
        let is_typed =
            |name: &String| PersonQuery::parse(wanted).is_some_and(|query| query.matches(name));
        self.is_named(name, wanted) || !self.is_exact && name.as_ref().is_some_and(is_typed)
    }

    fn is_named(&self, name: &Option<String>, wanted: &str) -> bool {
        let Some(name) = name else { return false };
        if self.is_exact {
            return name == wanted;
        }
        let (name, wanted) = (words(name), words(wanted));
        let may_share = wanted.iter().enumerate().any(|(at, one)| {
            wanted[at + 1..]
                .iter()
                .any(|other| may_be_one_word(one, other))
        });
        let has = |wanted: &Vec<String>| name.iter().any(|word| begins(word, wanted));
        if may_share {
            have_words_of_their_own(&wanted, &name)
        } else {
            !wanted.is_empty() && wanted.iter().all(has)
        }
    }
}

/// Whether a word of a name can begin with both of two words, in scripts whose words are not divided at marks.
fn may_be_one_word(one: &[String], other: &[String]) -> bool {
    let is_whole = |word: &&String| word.chars().all(|letter| letter <= '\u{52f}');
    let begins = |a: &[String], b: &[String]| {
        a.iter()
            .filter(is_whole)
            .any(|a| b.iter().any(|b| b.starts_with(a.as_str())))
    };
    begins(one, other) || begins(other, one)
}

/// Whether each of some words begins another word of a name: all ways are tried.
fn have_words_of_their_own(wanted: &[Vec<String>], name: &[Vec<String>]) -> bool {
    let Some((first, others)) = wanted.split_first() else {
        return true;
    };
    (0..name.len()).any(|at| {
        let rest = [&name[..at], &name[at + 1..]].concat();
        begins(&name[at], first) && have_words_of_their_own(others, &rest)
    })
}

/// Whether a word begins with another, in any of their spellings.
fn begins(word: &[String], beginning: &[String]) -> bool {
    beginning
        .iter()
        .any(|beginning| word.iter().any(|word| word.starts_with(beginning)))
}

/// The words of a name, in lower case and without the accents of Latin letters, each in all its spellings.
fn words(name: &str) -> Vec<Vec<String>> {
    let name = name.to_lowercase();
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(spellings)
        .collect()
}

fn spellings(word: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for letter in word.chars() {
        let plain = spoken::without_accent(letter).to_string();
        let others: &[&str] = match letter {
            'ä' | 'æ' => &["ae"],
            'ö' | 'œ' => &["oe"],
            'ø' => &["o", "oe"],
            'ü' => &["ue"],
            'å' => &["aa"],
            'ß' => &["ss"],
            'ł' => &["l"],
            'đ' => &["d", "dj"],
            'ð' => &["d"],
            'þ' => &["th"],
            'ı' => &["i"],
            _ => &[],
        };
        let spelt = |other: &str| {
            all.iter()
                .map(|begun| format!("{begun}{other}"))
                .collect::<Vec<_>>()
        };
        all = others
            .iter()
            .copied()
            .chain([plain.as_str()])
            .flat_map(spelt)
            .collect();
    }
    all
}

/// Year, month and day, 0 if unknown.
type Day = (u32, u32, u32);

/// The day in a text with dots, slashes or dashes; the year is 0 if there is none.
fn day(text: &str) -> Day {
    let number = |part: &str, most: u32| {
        if part.len() <= 2 && is_number(part) {
            part.parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .unwrap_or(0)
        } else {
            0
        }
    };
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let year = if digits == 4 {
        text[..4].parse().expect("a number")
    } else {
        0
    };
    let parts: Vec<&str> = text.split(['.', '-', '/']).collect();
    let month = parts.get(1).map_or(0, |part| number(part, 12));
    let day = parts
        .get(2)
        .filter(|_| month > 0)
        .map_or(0, |part| number(part, 31));
    (year, month, day)
}

fn is_number(text: &str) -> bool {
    text.chars().all(|digit| digit.is_ascii_digit())
}

fn first_day((year, month, day): Day) -> Day {
    (year, month.max(1), day.max(1))
}

fn last_day((year, month, day): Day) -> Day {
    let or = |part: u32, most: u32| if part == 0 { most } else { part };
    (year, or(month, 12), or(day, 31))
}

/// Whether a number is within bounds such as `2400..2500`.
fn is_in(number: f64, bounds: &str) -> bool {
    let bound = |text: &str, open: f64| text.parse().unwrap_or(open);
    match bounds.split_once("..") {
        Some((least, most)) => bound(least, 0.0) <= number && number <= bound(most, f64::MAX),
        None => match bounds.strip_prefix('=') {
            Some(exactly) => number == bound(exactly, -1.0),
            None => bound(bounds, f64::MAX) <= number,
        },
    }
}

impl Known {
    fn dated(&self) -> Option<Day> {
        self.date
            .as_deref()
            .map(day)
            .filter(|&(year, _, _)| year > 0)
    }

    fn has_eco(&self, codes: &str) -> bool {
        let Some(code) = self.eco.as_deref().and_then(|eco| eco.get(..3)) else {
            return false;
        };
        let code = code.to_ascii_uppercase();
        let is_code = matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
        let (first, last) = codes.split_once('-').unwrap_or((codes, codes));
        let filled = |text: &str, with: &str| text.to_owned() + &with[text.len()..];
        is_code && (filled(first, "?00")..=filled(last, "?99")).contains(&code)
    }

    fn speed(&self) -> Option<&'static str> {
        let clock = self.time_control.as_deref().and_then(time_control);
        clock.or_else(|| speed_of(self.event.as_deref()?))
    }

    /// The value of the first tag with this name.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.as_str())
    }

    fn has_tag(&self, wanted: &str) -> bool {
        if let Some((name, least)) = wanted.split_once(">=") {
            let least: f64 = least.parse().expect("a number");
            let is_enough = |value: &str| begun_number(value).is_some_and(|number| number >= least);
            return self.tags.iter().any(|(n, v)| n == name && is_enough(v));
        }
        if let Some((name, other)) = wanted.split_once("<>") {
            return self.tags.iter().any(|(n, v)| n == name && v != other);
        }
        match wanted.split_once('=') {
            Some((name, value)) => self.tags.iter().any(|(n, v)| n == name && v == value),
            None => self.tag(wanted).is_some(),
        }
    }

    fn is_of_variant(&self, wanted: &str) -> bool {
        match (known_variant(wanted), self.variant.as_str()) {
            (Some(known), variant) => known == variant,
            (None, "other") => {
                let is_named = self
                    .tag("Variant")
                    .is_some_and(|name| folded(name) == folded(wanted));
                folded(wanted) == "other" || is_named
            }
            (None, _) => false,
        }
    }

    /// Whether it begins with moves in SAN from the standard start.
    fn begins(&self, line: &str) -> bool {
        let line: Vec<&str> = line.split(' ').collect();
        let is_chess = self.starts_from_standard && self.variant != "other";
        is_chess
            && self.moves.len() >= line.len()
            && self.moves.iter().zip(line).all(|(a, b)| a == b)
    }

    /// The supported conditions in SQL.
    fn meets(&self, sql: &str) -> bool {
        match sql {
            "white_elo BETWEEN 2000 AND 2600" => matches!(self.elo[0], Some(2000..=2600)),
            "ply_count % 2 = 1" => self.plies % 2 == 1,
            "white = black" => self.white.is_some() && self.white == self.black,
            "result = '1-0' OR result = '0-1'" => ["1-0", "0-1"].contains(&self.result.as_str()),
            "fen IS NOT NULL" => !self.starts_from_standard,
            sql => panic!("no such condition: {sql}"),
        }
    }
}

/// The variants that have a name in the database.
pub(crate) fn known_variant(name: &str) -> Option<&'static str> {
    match folded(name).as_str() {
        "" | "standard" | "fromposition" => Some("standard"),
        "chess960" | "fischerandom" => Some("chess960"),
        "kingofthehill" => Some("king-of-the-hill"),
        "threecheck" => Some("three-check"),
        _ => None,
    }
}
