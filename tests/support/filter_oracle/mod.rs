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

use spoken::{folded, has_phrase, is_annotated, speed_of, time_control};

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

/// Whether a FEN gives odds, as `--start odds` defines them: White makes the first move, all men are on the first two
/// ranks of their sides, and one side lacks men of the other side.
fn is_at_odds(fen: &str) -> bool {
    let fields: Vec<&str> = fen.split(' ').collect();
    let is_first_move = fields.get(1) == Some(&"w") && fields.get(5) == Some(&"1");
    if !is_first_move {
        return false;
    }

    // The four ranks in the middle must be empty.
    let placement = fields[0];
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks[2..6] != ["8"; 4] {
        return false;
    }

    for piece in "KQRBNP".chars() {
        let white = placement.matches(piece).count();
        let black = placement.matches(piece.to_ascii_lowercase()).count();
        if white != black {
            return true;
        }
    }
    false
}

/// The number that a text begins with.
fn leading_number(text: &str) -> Option<f64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

impl FilterQuery {
    /// The arguments of the query on the command line.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        for (option, value) in &self.conditions {
            if matches!(*option, "--annotated" | "--complete") {
                arguments.push((*option).to_owned());
            } else {
                arguments.push(format!("{option}={value}"));
            }
        }

        if self.is_exact {
            arguments.push("--exact".to_owned());
        }
        arguments
    }

    /// `false` if the range of dates ends before it begins, which the command line refuses.
    pub(crate) fn has_days(&self) -> bool {
        match (self.day_of("--since"), self.day_of("--until")) {
            (Some(since), Some(until)) => first_day(since) <= last_day(until),
            _ => true,
        }
    }

    fn day_of(&self, option: &str) -> Option<Day> {
        let condition = self.conditions.iter().find(|(other, _)| *other == option);
        condition.map(|(_, value)| day(value))
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
        // Values in a list are alternatives.
        let one_of = |holds: &dyn Fn(&str) -> bool| value.split(',').any(holds);

        match option {
            "--player" => self.is_player(&game.white, value) || self.is_player(&game.black, value),
            "--white" => self.is_player(&game.white, value),
            "--black" => self.is_player(&game.black, value),
            "--event" => self.is_named(&game.event, value),
            "--site" => self.is_named(&game.site, value),
            "--opening" => self.is_named(&game.opening, value),

            "--since" => game.is_since(day(value)),
            "--until" => game.is_until(day(value)),
            "--result" => one_of(&|result| result == game.result),
            "--eco" => one_of(&|codes| game.has_eco(codes)),
            "--elo" => game.elo.iter().all(|elo| is_elo_in(*elo, value)),
            "--white-elo" => is_elo_in(game.elo[0], value),
            "--black-elo" => is_elo_in(game.elo[1], value),
            "--mean-elo" => is_known_in(game.mean_elo(), value),
            "--winner" => game.is_won_by(value),
            "--plies" => is_in(game.plies.into(), value),

            "--blunder" => match value {
                "white" => game.has_blunder_of(true),
                "black" => game.has_blunder_of(false),
                _ => game.has_blunder_of(true) || game.has_blunder_of(false),
            },
            "--swing" => is_known_in(game.swing(), value),
            "--accuracy" => {
                is_known_in(game.accuracy(true), value) && is_known_in(game.accuracy(false), value)
            }
            "--white-accuracy" => is_known_in(game.accuracy(true), value),
            "--black-accuracy" => is_known_in(game.accuracy(false), value),
            "--blunder-time" => {
                self.has_blunder_time(game, true, value)
                    || self.has_blunder_time(game, false, value)
            }
            "--time-left" => is_known_in(game.time_left(), value),

            "--start" => match value {
                "standard" => game.fen.is_none(),
                "fen" => game.fen.is_some(),
                _ => game.fen.as_deref().is_some_and(is_at_odds),
            },
            "--complete" => game.is_complete,
            "--ending" => one_of(&|kind| game.endings.contains(&kind)),
            "--title" => one_of(&|title| game.has_title(title)),
            "--variant" => one_of(&|name| game.is_of_variant(name)),
            "--speed" => one_of(&|speed| game.speed() == Some(speed)),

            "--annotated" => game.has_signs_or_variations || is_annotated(&game.comments),
            "--comment" => game
                .comments
                .iter()
                .any(|comment| has_phrase(comment, value)),
            "--tag" => game.has_tag(value),
            "--line" => game.begins_with(value),
            "--where" => game.meets(value),
            option => panic!("no such option: {option}"),
        }
    }

    /// Whether the shortest time behind a player's blunders is within bounds. With `--blunder white` or `black`, only
    /// the blunders of this player count.
    fn has_blunder_time(&self, game: &Known, is_white: bool, bounds: &str) -> bool {
        for (option, side) in &self.conditions {
            // `any` names no side, so the blunders of both players count.
            let is_other_side = side != "any" && (side == "white") != is_white;
            if *option == "--blunder" && is_other_side {
                return false;
            }
        }
        is_known_in(game.blunder_time(is_white), bounds)
    }

    /// Whether a player is named by words of the name, or as people type it. The latter has tables of its own; here
    /// each name is asked alone, which the column store does not do.
    fn is_player(&self, name: &Option<String>, wanted: &str) -> bool {
        if self.is_named(name, wanted) {
            return true;
        }
        // An exact name is no name of a person as people type it.
        if self.is_exact {
            return false;
        }

        let Some(name) = name else { return false };
        PersonQuery::parse(wanted).is_some_and(|query| query.matches(name))
    }

    fn is_named(&self, name: &Option<String>, wanted: &str) -> bool {
        let Some(name) = name else { return false };
        if self.is_exact {
            return name == wanted;
        }

        let name_words = words(name);
        let wanted_words = words(wanted);
        if wanted_words.is_empty() {
            return false;
        }

        // Two words of a query must match different words of the name: `ivan ivanov` does not find "Ivanov, Sergey".
        if may_share_a_word(&wanted_words) {
            return have_words_of_their_own(&wanted_words, &name_words);
        }
        for wanted_word in &wanted_words {
            if !name_words.iter().any(|word| begins(word, wanted_word)) {
                return false;
            }
        }
        true
    }
}

/// Whether two of some words can begin one word of a name.
fn may_share_a_word(wanted: &[Vec<String>]) -> bool {
    for (at, one) in wanted.iter().enumerate() {
        let mut others = wanted[at + 1..].iter();
        if others.any(|other| may_be_one_word(one, other)) {
            return true;
        }
    }
    false
}

/// Whether a word of a name can begin with both of two words, in scripts whose words are not divided at marks.
fn may_be_one_word(one: &[String], other: &[String]) -> bool {
    has_whole_prefix(one, other) || has_whole_prefix(other, one)
}

/// Whether a word in an alphabet begins another word, in any of their spellings.
fn has_whole_prefix(prefixes: &[String], words: &[String]) -> bool {
    /// The end of the Cyrillic letters, behind the Latin and the Greek ones.
    const LAST_LETTER: char = '\u{52f}';

    for prefix in prefixes {
        let is_whole = prefix.chars().all(|letter| letter <= LAST_LETTER);
        if is_whole && words.iter().any(|word| word.starts_with(prefix.as_str())) {
            return true;
        }
    }
    false
}

/// Whether each of some words begins another word of a name. All assignments are tried.
fn have_words_of_their_own(wanted: &[Vec<String>], name: &[Vec<String>]) -> bool {
    let Some((first, others)) = wanted.split_first() else {
        return true;
    };

    for (at, word) in name.iter().enumerate() {
        // The words of the name that are left for the others.
        let rest = [&name[..at], &name[at + 1..]].concat();
        if begins(word, first) && have_words_of_their_own(others, &rest) {
            return true;
        }
    }
    false
}

/// Whether a word begins with another word, in any of their spellings.
fn begins(word: &[String], beginning: &[String]) -> bool {
    for prefix in beginning {
        if word.iter().any(|spelling| spelling.starts_with(prefix)) {
            return true;
        }
    }
    false
}

/// The words of a name, in lower case and without the accents of Latin letters, each in all its spellings.
fn words(name: &str) -> Vec<Vec<String>> {
    let lower = name.to_lowercase();
    let is_between_words = |letter: char| !letter.is_alphanumeric();
    let parts = lower.split(is_between_words);

    let words = parts.filter(|word| !word.is_empty());
    words.map(spellings).collect()
}

/// All spellings of a word that a query regards as equal, as `docs/queries.md` lists them.
fn spellings(word: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for letter in word.chars() {
        let plain = spoken::without_accent(letter).to_string();
        let equivalents: &[&str] = match letter {
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

        // Each spelling so far continues with each spelling of this letter.
        let mut longer = Vec::new();
        for equivalent in equivalents.iter().copied().chain([plain.as_str()]) {
            for begun in &all {
                longer.push(format!("{begun}{equivalent}"));
            }
        }
        all = longer;
    }
    all
}

/// Year, month and day, 0 if unknown.
type Day = (u32, u32, u32);

/// The day in a text with dots, slashes or dashes; the year is 0 if there is none.
fn day(text: &str) -> Day {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let year = if digits == 4 {
        text[..4].parse().expect("a number")
    } else {
        0
    };

    let parts: Vec<&str> = text.split(['.', '-', '/']).collect();
    let month = parts.get(1).map_or(0, |part| month_or_day(part, 12));
    // A day without a month is unknown.
    let day = if month > 0 {
        parts.get(2).map_or(0, |part| month_or_day(part, 31))
    } else {
        0
    };
    (year, month, day)
}

/// A number of one or two digits up to a maximum, otherwise 0.
fn month_or_day(text: &str, max: u32) -> u32 {
    if text.len() > 2 || !is_number(text) {
        return 0;
    }

    let number = text.parse().unwrap_or(0);
    if number <= max { number } else { 0 }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|digit| digit.is_ascii_digit())
}

fn first_day((year, month, day): Day) -> Day {
    (year, month.max(1), day.max(1))
}

fn last_day((year, month, day): Day) -> Day {
    let last_month = if month == 0 { 12 } else { month };
    let last_day = if day == 0 { 31 } else { day };
    (year, last_month, last_day)
}

/// Whether a number is within bounds such as `2400..2500`, `=2400`, or `2400` for at least this number.
fn is_in(number: f64, bounds: &str) -> bool {
    // The second argument stands for a bound that is left out.
    let bound = |text: &str, open: f64| text.parse().unwrap_or(open);

    if let Some((low, high)) = bounds.split_once("..") {
        let is_high_enough = bound(low, 0.0) <= number;
        let is_low_enough = number <= bound(high, f64::MAX);
        return is_high_enough && is_low_enough;
    }
    if let Some(exact) = bounds.strip_prefix('=') {
        return number == bound(exact, -1.0);
    }

    let minimum = bound(bounds, f64::MAX);
    minimum <= number
}

/// Like [`is_in`]; an unknown number is within no bounds.
fn is_known_in(number: Option<f64>, bounds: &str) -> bool {
    number.is_some_and(|number| is_in(number, bounds))
}

fn is_elo_in(elo: Option<u32>, bounds: &str) -> bool {
    is_known_in(elo.map(f64::from), bounds)
}

impl Known {
    /// The date, if its year is known.
    fn known_day(&self) -> Option<Day> {
        let day = day(self.date.as_deref()?);
        let (year, _, _) = day;
        (year > 0).then_some(day)
    }

    /// A partial date counts as its earliest possible day.
    fn is_since(&self, since: Day) -> bool {
        let known = self.known_day();
        known.is_some_and(|day| first_day(day) >= first_day(since))
    }

    /// A partial date counts as its latest possible day.
    fn is_until(&self, until: Day) -> bool {
        let known = self.known_day();
        known.is_some_and(|day| last_day(day) <= last_day(until))
    }

    fn mean_elo(&self) -> Option<f64> {
        let [white, black] = self.elo;
        Some(f64::from(white? + black?) / 2.0)
    }

    /// Whether the `higher-rated` or the `lower-rated` player has won.
    fn is_won_by(&self, rank: &str) -> bool {
        let [Some(white), Some(black)] = self.elo else {
            return false;
        };
        let (winner, loser) = match self.result.as_str() {
            "1-0" => (white, black),
            "0-1" => (black, white),
            _ => return false,
        };

        match rank {
            "higher-rated" => winner > loser,
            "lower-rated" => winner < loser,
            _ => false,
        }
    }

    fn has_title(&self, title: &str) -> bool {
        let mut titles = self.titles.iter().flatten();
        titles.any(|other| other.eq_ignore_ascii_case(title))
    }

    fn has_eco(&self, codes: &str) -> bool {
        // Characters after the digits are ignored.
        let Some(code) = self.eco.as_deref().and_then(|eco| eco.get(..3)) else {
            return false;
        };
        let code = code.to_ascii_uppercase();
        let is_code = matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
        if !is_code {
            return false;
        }

        // `B9` is the range from B90 to B99, and `C-D` the range from C00 to D99.
        let (first, last) = codes.split_once('-').unwrap_or((codes, codes));
        // A code that is cut off is filled up with the lowest digits, or with the highest ones.
        let lowest = first.to_owned() + &"?00"[first.len()..];
        let highest = last.to_owned() + &"?99"[last.len()..];
        (lowest..=highest).contains(&code)
    }

    fn speed(&self) -> Option<&'static str> {
        let clock = self.time_control.as_deref().and_then(time_control);
        if clock.is_some() {
            return clock;
        }
        speed_of(self.event.as_deref()?)
    }

    /// The value of the first tag with this name.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        let pair = self.tags.iter().find(|(other, _)| other == name);
        pair.map(|(_, value)| value.as_str())
    }

    /// The values of all tags with this name.
    fn tag_values(&self, name: &str) -> Vec<&str> {
        let pairs = self.tags.iter().filter(|(other, _)| other == name);
        pairs.map(|(_, value)| value.as_str()).collect()
    }

    fn has_tag(&self, wanted: &str) -> bool {
        // `>=` comes before `=`, which it contains.
        if let Some((name, minimum)) = wanted.split_once(">=") {
            let minimum: f64 = minimum.parse().expect("a number");
            for value in self.tag_values(name) {
                if leading_number(value).is_some_and(|number| number >= minimum) {
                    return true;
                }
            }
            return false;
        }

        if let Some((name, excluded)) = wanted.split_once("<>") {
            let values = self.tag_values(name);
            return values.iter().any(|value| *value != excluded);
        }

        match wanted.split_once('=') {
            Some((name, value)) => self.tag_values(name).contains(&value),
            None => self.tag(wanted).is_some(),
        }
    }

    fn is_of_variant(&self, wanted: &str) -> bool {
        if let Some(known) = known_variant(wanted) {
            return known == self.variant;
        }
        if self.variant != "other" {
            return false;
        }

        let wanted = folded(wanted);
        let is_named = self
            .tag("Variant")
            .is_some_and(|name| folded(name) == wanted);
        wanted == "other" || is_named
    }

    /// Whether the game begins with moves in SAN from the standard start.
    fn begins_with(&self, line: &str) -> bool {
        let is_chess = self.starts_from_standard && self.variant != "other";
        if !is_chess {
            return false;
        }

        // Both have no check marks.
        let sans: Vec<&str> = line.split(' ').collect();
        let beginning = self.moves.get(..sans.len());
        beginning.is_some_and(|beginning| beginning == sans)
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
