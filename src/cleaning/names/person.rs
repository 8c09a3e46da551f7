//! Parses a player's name into family and given names, title, country, and the marks that tell namesakes apart.

use super::country::is_country_code;
use super::fold::{fold, fold_words, hash};
use super::sound::{skeleton, sound};

/// A parsed name of a player: the words of family and given names, title, country, and marks of namesakes.
///
/// ```
/// use stamma::cleaning::names::PersonName;
/// let name = PersonName::parse("GM Kasparov, G.K. (RUS)");
/// assert_eq!(name.family().collect::<Vec<_>>(), ["kasparov"]);
/// assert_eq!(name.given().collect::<Vec<_>>(), ["g", "k"]);
/// assert_eq!(name.title(), Some("GM"));
/// assert_eq!(name.country(), Some("RUS"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonName {
    /// Folded words with a space between them, the words of the family name first.
    words: Box<str>,
    /// The sound of each word, with a space between them.
    sounds: Box<str>,
    /// The number of words of the family name, which come first.
    family_words: u8,
    order: Order,
    kind: Kind,
    title: Option<&'static str>,
    country: Option<[u8; 3]>,
    /// `true` if the country tells namesakes apart: `Moiseenko,Vl UKR` and `Moiseenko,Vl RUS`.
    is_marked_by_country: bool,
    /// The number that tells namesakes apart: 1 in `Grigoryan,K1`, 1234 in `Guest1234`.
    number: Option<u32>,
    /// 1 for `Sr.`, 2 for `Jr.` and `II`, and so on; 0 for none.
    generation: u8,
    birth_year: u16,
    /// Two capital letters in brackets that tell namesakes apart; 0 for none.
    mark: u16,
}

/// The evidence for the order of family and given names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// A comma or the initials show the family name.
    #[default]
    Written,
    /// Neither a comma nor initials show the family name.
    Unknown,
}

/// The greatest number apart from letters that tells namesakes apart. Greater numbers are years or ratings.
const MAX_NUMBER_APART: u64 = 99;

/// The numbers that count as years of birth; other large numbers count as ratings.
const MIN_BIRTH_YEAR: u64 = 1800;
const MAX_BIRTH_YEAR: u64 = 1999;

/// The kind of thing that a player's name names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Person,
    /// Several players who consult.
    Team,
    /// A chess program. Two versions of it are two players.
    Program,
    /// An account of a server. Another number is another player.
    Account,
}

const TITLES: [&str; 11] = [
    "GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "WNM", "AGM",
];

/// Words before a family name that are no family name by themselves.
const PARTICLES: [&str; 22] = [
    "van", "von", "der", "den", "de", "la", "le", "el", "al", "del", "di", "da", "dos", "du",
    "ter", "ten", "zu", "vom", "van't", "st", "bin", "mc",
];

/// Names of chess programs that carry no version.
const PROGRAMS: [&str; 29] = [
    "stockfish",
    "komodo",
    "lczero",
    "leela",
    "houdini",
    "rybka",
    "fritz",
    "shredder",
    "hiarcs",
    "deep",
    "computer",
    "comp",
    "junior",
    "crafty",
    "chessmaster",
    "mephisto",
    "ethereal",
    "berserk",
    "dragon",
    "fire",
    "critter",
    "rebel",
    "lc",
    "torch",
    "rubichess",
    "leelenstein",
    "allie",
    "koivisto",
    "igel",
];

impl PersonName {
    /// Parses a name. Without a comma or initials, the first word counts as the family name;
    /// [`WordOrder`](super::WordOrder) infers the order from other names.
    pub fn parse(text: &str) -> PersonName {
        Parser::default().parse(text, &|_| true)
    }

    /// Parses a name. Without a comma or initials, `family_first` decides whether the family name is the first word.
    pub(super) fn parse_with(text: &str, family_first: &dyn Fn(&[String]) -> bool) -> PersonName {
        Parser::default().parse(text, family_first)
    }

    /// The folded words of the family name.
    pub fn family(&self) -> impl Iterator<Item = &str> {
        words_of(&self.words).take(usize::from(self.family_words))
    }

    /// The folded words of the given names; a word of one letter is an initial.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        words_of(&self.words).skip(usize::from(self.family_words))
    }

    pub(super) fn family_sounds(&self) -> impl Iterator<Item = &str> {
        words_of(&self.sounds).take(usize::from(self.family_words))
    }

    pub(super) fn given_sounds(&self) -> impl Iterator<Item = &str> {
        words_of(&self.sounds).skip(usize::from(self.family_words))
    }

    /// All words, the words of the family name first.
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// The title in the name, such as `WIM`.
    pub fn title(&self) -> Option<&'static str> {
        self.title
    }

    /// The country in the name, as three letters.
    pub fn country(&self) -> Option<&str> {
        self.country
            .as_ref()
            .and_then(|letters| str::from_utf8(letters).ok())
    }

    /// The country, if it tells namesakes apart: a country behind given names without brackets.
    pub fn country_mark(&self) -> Option<&str> {
        if self.is_marked_by_country {
            self.country()
        } else {
            None
        }
    }

    /// The number that tells namesakes apart.
    pub fn number(&self) -> Option<u32> {
        self.number
    }

    /// 1 for `Sr.`, 2 for `Jr.` and `II`, and so on; 0 for none.
    pub fn generation(&self) -> u8 {
        self.generation
    }

    /// Two capital letters in brackets that tell namesakes apart, as a number: `Wang, Zihao (JS)`; 0 for none.
    pub fn mark(&self) -> u16 {
        self.mark
    }

    /// The year of birth in the name; 0 for none.
    pub fn birth_year(&self) -> u16 {
        self.birth_year
    }

    /// `true` for one person's name; `false` for teams, programs and unknown players.
    pub fn is_person(&self) -> bool {
        self.kind == Kind::Person && !self.is_unknown()
    }

    /// `true` for a chess program.
    pub fn is_program(&self) -> bool {
        self.kind == Kind::Program
    }

    /// `true` if the name means nobody: empty, `?` or `N.N.`.
    pub fn is_unknown(&self) -> bool {
        self.words.is_empty() || matches!(&*self.words, "nn" | "n n" | "unknown" | "anonymous")
    }

    /// `true` if a comma or the initials tell the family name from the given names.
    pub fn is_order_known(&self) -> bool {
        self.order == Order::Written
    }

    /// The sound of the first word of the family name that is no particle.
    pub(super) fn main_sound(&self) -> &str {
        for (word, sound) in self.family().zip(self.family_sounds()) {
            if word.len() > 1 && !PARTICLES.contains(&word) {
                return sound;
            }
        }
        self.family_sounds().next().unwrap_or_default()
    }

    /// The key under which spellings of one name are found. Different names may share a key. 0 for unknown players.
    pub fn key(&self) -> u32 {
        if self.is_unknown() {
            0
        } else if self.is_person() {
            hash(&skeleton(self.main_sound()))
        } else {
            hash(&self.words)
        }
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(' ').filter(|word| !word.is_empty())
}

/// The side of a name's comma on which a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Before the comma, or in a name without a comma.
    Before,
    /// Behind the comma, among given names.
    Behind,
}

/// A name while its text is read.
#[derive(Default)]
struct Parser {
    name: PersonName,
}

impl Parser {
    fn parse(mut self, text: &str, family_first: &dyn Fn(&[String]) -> bool) -> PersonName {
        if is_program(text) {
            self.name.kind = Kind::Program;
            return self.finish_as_family(text);
        }
        if is_account(text) {
            self.name.kind = Kind::Account;
            return self.finish_as_family(text);
        }

        let without_brackets = self.take_brackets(text);
        let bare = self.take_slash_country(&without_brackets);
        if bare.contains(['/', '&', '+']) || bare.contains(" and ") || joins_names(bare) {
            self.name.kind = Kind::Team;
            return self.finish_as_family(bare);
        }

        let (family_part, given_part) = match bare.split_once(',') {
            Some((before, behind)) => self.with_comma(before, behind),
            None => self.without_comma(bare, family_first),
        };

        let (family, given) = move_initials(family_part, given_part);
        self.finish(&family, &given)
    }

    /// Family and given names of a name with a comma.
    fn with_comma(&mut self, before: &str, behind: &str) -> (Vec<String>, Vec<String>) {
        let family = self.words_in(before, Side::Before);
        let given = self.words_in(behind, Side::Behind);

        if family.is_empty() {
            (given, Vec::new())
        } else {
            (family, given)
        }
    }

    /// The name, with all words of a text as the family name.
    fn finish_as_family(mut self, text: &str) -> PersonName {
        let folded = fold_words(text);
        let count = words_of(&folded).count();

        self.name.family_words = word_count(count);
        self.name.sounds = folded.as_str().into();
        self.name.words = folded.into();
        self.name
    }

    /// The name, with these folded words and their sounds.
    fn finish(mut self, family: &[String], given: &[String]) -> PersonName {
        let count = family.len() + given.len();
        let mut words: Vec<&str> = Vec::with_capacity(count);
        let mut sounds: Vec<String> = Vec::with_capacity(count);
        for word in family.iter().chain(given) {
            words.push(word);
            sounds.push(sound(word));
        }

        self.name.family_words = word_count(family.len());
        self.name.words = words.join(" ").into();
        self.name.sounds = sounds.join(" ").into();
        self.name
    }

    /// Removes brackets such as `(RUS)`, `(IM)`, `(2500)`, `[wh]`, and notes the titles and countries in them.
    fn take_brackets(&mut self, text: &str) -> String {
        let mut bare = String::with_capacity(text.len());
        let mut inside = String::new();
        let mut depth = 0_usize;

        for letter in text.chars() {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' if depth > 0 => {
                    depth -= 1;
                    self.note_marks(&inside);
                    inside.clear();
                    bare.push(' ');
                }
                letter if depth > 0 => inside.push(letter),
                letter => bare.push(letter),
            }
        }

        self.note_marks(&inside);
        bare
    }

    /// Notes the titles, countries and marks among the words of a bracket, and ignores other words.
    fn note_marks(&mut self, text: &str) {
        for word in text.split([' ', ',', '/', '-']) {
            if let Some(title) = title(word) {
                self.name.title = Some(title);
                continue;
            }
            if !word.bytes().all(|letter| letter.is_ascii_uppercase()) {
                continue;
            }

            // Three capitals are the code of a country, two are a mark that tells namesakes apart.
            match *word.as_bytes() {
                [a, b, c] => self.name.country = Some([a, b, c]),
                [a, b] => self.name.mark = u16::from_be_bytes([a, b]),
                _ => {}
            }
        }
    }

    /// Removes a country behind a slash, and notes it: `Schmaltz R/GER`.
    fn take_slash_country<'t>(&mut self, text: &'t str) -> &'t str {
        let Some((bare, country)) = text.trim_end().rsplit_once('/') else {
            return text;
        };

        let is_code = country.len() == 3 && country.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_code {
            return text;
        }

        self.note_marks(country);
        bare
    }

    /// Family and given names of a name without a comma.
    fn without_comma(
        &mut self,
        text: &str,
        family_first: &dyn Fn(&[String]) -> bool,
    ) -> (Vec<String>, Vec<String>) {
        let mut words = self.words_in(text, Side::Before);
        let is_initial = |word: &String| word.chars().count() == 1;
        let Some(last_full) = words.iter().rposition(|word| !is_initial(word)) else {
            return (words, Vec::new());
        };
        let first_full = words.iter().position(|word| !is_initial(word)).unwrap_or(0);

        // Initials in front, as in `U. Andersson`.
        if first_full > 0 {
            let family = words.split_off(first_full);
            return (family, words);
        }

        // Initials behind a single word, as in `Kasparov G.K.`.
        if last_full == 0 && words.len() > 1 {
            let given = words.split_off(1);
            return (words, given);
        }

        self.name.order = Order::Unknown;
        let first_name = leading_particles(&words);
        let ends_with_full = last_full + 1 == words.len();
        let has_two_names = words.len() > first_name + 1;
        if ends_with_full && has_two_names && !family_first(&words) {
            let family = words.split_off(last_family(&words));
            return (family, words);
        }

        let given = words.split_off((first_name + 1).min(words.len()));
        (words, given)
    }

    /// The folded words of a part of a name, without titles, ratings and numbers.
    fn words_in(&mut self, text: &str, side: Side) -> Vec<String> {
        let separators = [
            ' ', '\t', '.', '_', '-', ',', ';', '"', '?', '\u{a0}', '\u{2013}',
        ];
        let parts: Vec<&str> = text
            .split(separators)
            .filter(|part| !part.is_empty())
            .collect();

        let mut words = Vec::new();
        let mut is_after_label = false;
        for (at, part) in parts.iter().enumerate() {
            // `Leventic Ivan Title: IM`: neither the label nor the word behind it is a name.
            if is_after_label || part.eq_ignore_ascii_case("title:") {
                is_after_label = !is_after_label;
                continue;
            }

            let may_be_title = parts.len() > 1 && (at == 0 || at + 1 == parts.len());
            if may_be_title && let Some(title) = title(part) {
                self.name.title = Some(title);
            } else if let Some(country) = last_country(&parts, at, side) {
                self.name.country = Some(country);
                self.name.is_marked_by_country = side == Side::Behind;
            } else {
                self.add_word(part, side, at, &mut words);
            }
        }
        words
    }

    /// Adds a word of a part of a name to `words`, folded, with each of several initials as a word. A mark of namesakes
    /// is noted instead. `at` is the index of the word in its part.
    fn add_word(&mut self, part: &str, side: Side, at: usize, words: &mut Vec<String>) {
        let letters = self.take_digits(part);
        if letters.is_empty() {
            return;
        }

        // `Cox, JohnJ` is "John J".
        if side == Side::Behind
            && let Some((word, initial)) = split_last_initial(letters)
        {
            words.extend([fold(word), fold(initial)]);
            return;
        }

        let folded = fold(letters);
        if let Some(generation) = generation_at(letters, &folded, side, at) {
            self.name.generation = generation;
            return;
        }

        let is_academic_title = matches!(folded.as_str(), "dr" | "prof");
        if is_academic_title && at == 0 && side == Side::Before {
            return;
        }

        if are_initials(letters, side, at) {
            words.extend(folded.chars().map(String::from));
        } else {
            words.push(folded);
        }
    }

    /// The letters of a word. Digits behind letters tell namesakes apart. Digits alone do so only up to two of them;
    /// else they are a year or a rating.
    fn take_digits<'t>(&mut self, part: &'t str) -> &'t str {
        let letters = part.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = part.get(letters.len()..).unwrap_or_default();

        match digits.parse::<u64>() {
            // A longer number is truncated to its low 32 bits, which tell accounts apart as well.
            Ok(number) if !letters.is_empty() => self.name.number = Some(number as u32),
            Ok(number @ 1..=MAX_NUMBER_APART) => self.name.number = Some(number as u32),
            Ok(year @ MIN_BIRTH_YEAR..=MAX_BIRTH_YEAR) => self.name.birth_year = year as u16,
            _ => {}
        }

        letters
    }
}

/// A number of words as names store it. Words beyond it, which no person's name has, count as given names.
fn word_count(words: usize) -> u8 {
    u8::try_from(words).unwrap_or(u8::MAX)
}

/// `true` if a colon joins two names, as in `Nakamura,Hikaru:Hodgson,Jeremy`; one before a space belongs to a label.
fn joins_names(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(_, rest)| rest.starts_with(char::is_alphabetic))
}

/// A word and the initial written directly behind it, as in `JohnJ`.
pub(super) fn split_last_initial(word: &str) -> Option<(&str, &str)> {
    let (at, last) = word.char_indices().next_back()?;
    if !last.is_uppercase() {
        return None;
    }

    let (before, initial) = word.split_at_checked(at)?;
    let ends_small = before.chars().next_back()?.is_lowercase();
    if ends_small && before.chars().count() > 1 {
        Some((before, initial))
    } else {
        None
    }
}

/// The code of a country that is the last word of given names, as in `Sokolov,Iv NED`, or of a name without a comma.
fn last_country(parts: &[&str], at: usize, side: Side) -> Option<[u8; 3]> {
    // A name has at least a family and a given name before the country.
    let min_words = match side {
        Side::Before => 3,
        Side::Behind => 2,
    };
    let is_last = at + 1 == parts.len();
    if !is_last || parts.len() < min_words {
        return None;
    }

    let word = parts.get(at)?;
    if !is_country_code(word) {
        return None;
    }
    word.as_bytes().try_into().ok()
}

/// Initials at the end of a family name before a comma are given names: `Kolev T.,Atanas`.
fn move_initials(mut family: Vec<String>, mut given: Vec<String>) -> (Vec<String>, Vec<String>) {
    while family.len() > 1 && family.last().is_some_and(|word| word.len() == 1) {
        let initial = family.pop();
        if given.is_empty() {
            given.extend(initial);
        }
    }
    (family, given)
}

/// The number of particles before the first other word. A last word is never counted.
fn leading_particles(words: &[String]) -> usize {
    words
        .iter()
        .take_while(|word| PARTICLES.contains(&word.as_str()))
        .count()
        .min(words.len().saturating_sub(1))
}

/// The index at which the last family name of a name begins, particles before it included; the first word, which is a
/// given name, is left.
fn last_family(words: &[String]) -> usize {
    let mut start = words.len().saturating_sub(1);
    while start > 1 && PARTICLES.contains(&words[start - 1].as_str()) {
        start -= 1;
    }
    start
}

pub(super) fn title(word: &str) -> Option<&'static str> {
    // Most words are longer than a title, and need no comparison.
    if !matches!(word.len(), 2..=3) {
        return None;
    }

    TITLES.iter().find(|title| **title == word).copied()
}

/// The generation that a word means at its place; `None` if the word is a name or initials there.
fn generation_at(letters: &str, folded: &str, side: Side, at: usize) -> Option<u8> {
    // A name does not begin with a generation: "Senior" is a family name.
    if at == 0 && side == Side::Before {
        return None;
    }

    // Directly behind the comma, "SR" is two initials.
    if at == 0 && letters == "SR" {
        return None;
    }

    // "Jun" and "Iv" are given names, unless there is another given name.
    let first_extra_word = match side {
        Side::Before => 2,
        Side::Behind => 1,
    };
    let has_given_name = at >= first_extra_word;
    let may_be_given_name = folded == "jun" || letters == "Iv";
    if may_be_given_name && !has_given_name {
        return None;
    }

    generation(folded)
}

/// `true` for two or three capitals behind a comma, and for two capitals behind a first word: `Kasparov, GK`, `Kasparov
/// GK`.
fn are_initials(letters: &str, side: Side, at: usize) -> bool {
    if !letters.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return false;
    }

    match letters.len() {
        2 => side == Side::Behind || at > 0,
        3 => side == Side::Behind,
        _ => false,
    }
}

fn generation(word: &str) -> Option<u8> {
    match word {
        "sr" | "sen" | "senior" => Some(1),
        "jr" | "jun" | "ii" => Some(2),
        "iii" => Some(3),
        "iv" => Some(4),
        _ => None,
    }
}

/// `true` for an account such as `Ahmed_2011`: a number of three digits and more behind a hyphen or an underscore.
fn is_account(text: &str) -> bool {
    let digits = text.rsplit(['_', '-']).next().unwrap_or_default();
    let is_joined = digits.len() < text.len() && !text.contains([' ', ',', '.']);
    is_joined && digits.len() > 2 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `true` for a name that has a version or the number of a build, or begins with the name of a program.
fn is_program(text: &str) -> bool {
    let has_comma = text.contains(',');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();

    let has_version = digits >= 2 && text.as_bytes().windows(3).any(is_version);
    let has_build = !has_comma && text.split(' ').skip(1).any(is_build);
    if has_version || has_build || text.contains("(by:") {
        return true;
    }

    let lower = text.to_ascii_lowercase();
    let mut words = lower
        .split(|letter: char| !letter.is_ascii_alphabetic())
        .filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if has_comma || !PROGRAMS.contains(&first) {
        return false;
    }

    // Names of people may begin with some of these words, too. A number in the name, or no second word, means a
    // program.
    let is_single = words.next().is_none();
    digits > 0 || is_single || matches!(first, "computer" | "comp")
}

/// The version of a program as a date, the number of a commit, or digits before letters: `20250505`, `d54e8fa4`,
/// `5WN03`.
fn is_build(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    if digits + letters != word.len() || digits == 0 {
        return false;
    }

    // Four digits may be a year or a rating.
    if letters == 0 {
        return word.len() > 4;
    }

    // Git shortens the number of a commit to seven hexadecimal digits, or more.
    let is_hexadecimal = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_commit = is_hexadecimal && word.len() >= 7;

    // The number of an event is no version: `10th`.
    let endings = ["st", "nd", "rd", "th"];
    let is_ordinal = endings.iter().any(|ending| word.ends_with(ending));
    let begins_with_digit = word.starts_with(|letter: char| letter.is_ascii_digit());
    let is_digits_first = begins_with_digit && digits >= 2 && !is_ordinal;

    is_commit || is_digits_first
}

fn is_version(bytes: &[u8]) -> bool {
    matches!(bytes, [a, b'.', b] if a.is_ascii_digit() && b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the family name and of the given names.
    fn words(name: &PersonName) -> (String, String) {
        let family: Vec<&str> = name.family().collect();
        let given: Vec<&str> = name.given().collect();
        (family.join(" "), given.join(" "))
    }

    macro_rules! divides {
        ($($test:ident: $text:literal => $family:literal, $given:literal;)*) => {
            $(#[test] fn $test() {
                let (family, given) = words(&PersonName::parse($text));
                assert_eq!((family.as_str(), given.as_str()), ($family, $given));
            })*
        };
    }

    divides! {
        comma: "Kasparov, Garry" => "kasparov", "garry";
        initial_in_front: "U. Andersson" => "andersson", "u";
        initials_behind: "Kasparov G.K." => "kasparov", "g k";
        initials_without_points: "Kasparov GK" => "kasparov", "g k";
        initial_glued_to_a_name: "Cox,JohnJ" => "cox", "john j";
        initial_before_the_comma: "Kolev T.,Atanas" => "kolev", "atanas";
        initial_before_the_comma_alone: "Kolev T.," => "kolev", "t";
        nothing_before_the_comma: ", Garry" => "garry", "";
        particles: "van den Brink,Nienke" => "van den brink", "nienke";
        particle_in_front: "Van Wely Loek" => "van wely", "loek";
        unknown_order: "Xie Jun" => "xie", "jun";
        generation: "Stevik,Patrik Jun." => "stevik", "patrik";
        label: "Leventic Ivan Title: IM" => "leventic", "ivan";
        academic_title: "Dr. Tarrasch, Siegbert" => "tarrasch", "siegbert";
        rating_in_brackets: "Carlsen,M (2850)" => "carlsen", "m";
        slash_country: "Schmaltz R/GER" => "schmaltz", "r";
        one_word: "Lutz" => "lutz", "";
    }

    #[test]
    fn family_name_behind_given_names() {
        let name = PersonName::parse_with("Loek van Wely", &|_| false);
        assert_eq!(words(&name), ("van wely".to_owned(), "loek".to_owned()));
        assert!(!name.is_order_known());
    }

    // For each name: its number, generation, year of birth and country, as far as they tell namesakes apart.
    macro_rules! marks {
        ($($test:ident: $text:literal => $number:expr, $generation:literal, $birth_year:literal, $country:expr;)*) => {
            $(#[test] fn $test() {
                let name = PersonName::parse($text);
                let marks = (name.number(), name.generation(), name.birth_year(), name.country_mark());
                assert_eq!(marks, ($number, $generation, $birth_year, $country));
            })*
        };
    }

    marks! {
        number_of_a_namesake: "Grigoryan,K1" => Some(1), 0, 0, None;
        number_apart: "Ivanov, Igor 2" => Some(2), 0, 0, None;
        number_of_an_account: "Guest1234" => Some(1234), 0, 0, None;
        rating: "Kasparov Garry 2800" => None, 0, 0, None;
        birth_year: "Ivanov, Alexander 1956" => None, 0, 1956, None;
        junior: "Smith, John Jr." => None, 2, 0, None;
        the_third: "Smith, John III" => None, 3, 0, None;
        senior_as_a_family_name: "Senior, Nick" => None, 0, 0, None;
        country_behind_given_names: "Sokolov,Iv NED" => None, 0, 0, Some("NED");
        country_in_brackets: "Kasparov, Garry (RUS)" => None, 0, 0, None;
    }

    // For each name: whether it is a person's, and whether it is a program's.
    macro_rules! kinds {
        ($($test:ident: $text:literal => $is_person:literal, $is_program:literal;)*) => {
            $(#[test] fn $test() {
                let name = PersonName::parse($text);
                assert_eq!((name.is_person(), name.is_program()), ($is_person, $is_program));
            })*
        };
    }

    kinds! {
        person: "Kasparov, Garry" => true, false;
        person_with_the_name_of_a_program: "Deep, Roger" => true, false;
        two_players: "Stoltz/Monosson" => false, false;
        two_players_with_commas: "Nakamura,Hikaru:Hodgson,Jeremy" => false, false;
        account: "Ahmed_2011" => false, false;
        program: "Stockfish" => false, true;
        program_with_a_version: "Fritz 5.32" => false, true;
        program_with_a_commit: "Seer d54e8fa4" => false, true;
        unlisted_program_with_a_build: "Wasp 20240215" => false, true;
        ordinal_is_no_version: "Winner of the 10th Open" => true, false;
        nobody: "?" => false, false;
        no_name: "N.N." => false, false;
    }
}
