//! Comparison of two spellings of players' names by their form alone.

use std::fmt;

use super::PersonName;

/// The likelihood that two spellings are one player's, by their form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Two players.
    Different,
    /// One player or two: other evidence must decide.
    Possible,
    /// Probably one player: initials, missing words or a slip in a name leave room for another player.
    Likely,
    /// One player's name, as far as names can tell.
    Same,
}

/// A difference between two spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum NameReason {
    /// One spelling has only initials or parts of given names.
    Initials = 1,
    /// One spelling has a second given name that the other lacks.
    SecondName = 1 << 1,
    /// One spelling has no given name.
    NoGivenName = 1 << 2,
    /// The words are in another order.
    Order = 1 << 3,
    /// The names sound alike.
    Transliteration = 1 << 4,
    /// The family names are nearly alike.
    SimilarFamily = 1 << 5,
    /// One spelling has only a part of the other's family name.
    FamilyPart = 1 << 6,
    /// The given names are nearly alike.
    SimilarGiven = 1 << 7,
    /// The family names differ.
    OtherFamily = 1 << 8,
    /// The given names differ.
    OtherGiven = 1 << 9,
    /// The marks of namesakes differ: number, generation, year of birth, letters or country.
    OtherNumber = 1 << 10,
    /// One name is unknown, or not a person's.
    NoPerson = 1 << 11,
}

impl NameReason {
    const ALL: [NameReason; 12] = [
        NameReason::Initials,
        NameReason::SecondName,
        NameReason::NoGivenName,
        NameReason::Order,
        NameReason::Transliteration,
        NameReason::SimilarFamily,
        NameReason::FamilyPart,
        NameReason::SimilarGiven,
        NameReason::OtherFamily,
        NameReason::OtherGiven,
        NameReason::OtherNumber,
        NameReason::NoPerson,
    ];

    /// The name of the reason in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            NameReason::Initials => "initials",
            NameReason::SecondName => "second name",
            NameReason::NoGivenName => "no given name",
            NameReason::Order => "order",
            NameReason::Transliteration => "transliteration",
            NameReason::SimilarFamily => "similar family name",
            NameReason::FamilyPart => "part of the family name",
            NameReason::SimilarGiven => "similar given name",
            NameReason::OtherFamily => "other family name",
            NameReason::OtherGiven => "other given name",
            NameReason::OtherNumber => "other number",
            NameReason::NoPerson => "not a person",
        }
    }
}

/// Reasons as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameReasons(u16);

impl NameReasons {
    /// The set of one reason.
    const fn of(reason: NameReason) -> NameReasons {
        NameReasons(reason as u16)
    }

    fn add(&mut self, reason: NameReason) {
        self.0 |= reason as u16;
    }

    /// `true` if the set has a reason.
    pub const fn has(self, reason: NameReason) -> bool {
        self.0 & reason as u16 != 0
    }

    /// The reasons in the set.
    pub fn iter(self) -> impl Iterator<Item = NameReason> {
        NameReason::ALL
            .into_iter()
            .filter(move |&reason| self.has(reason))
    }
}

impl fmt::Display for NameReasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, reason) in self.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(reason.as_str())?;
        }
        Ok(())
    }
}

/// A verdict with its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The likelihood of one player.
    pub verdict: Verdict,
    /// The differences; empty if only punctuation, titles or countries differ.
    pub reasons: NameReasons,
}

impl Comparison {
    const fn new(verdict: Verdict, reasons: NameReasons) -> Comparison {
        Comparison { verdict, reasons }
    }

    fn different(reason: NameReason) -> Comparison {
        Comparison::new(Verdict::Different, NameReasons::of(reason))
    }
}

/// Compares two spellings.
///
/// ```
/// use stamma::cleaning::names::{PersonName, Verdict, compare};
/// let of = |a, b| compare(&PersonName::parse(a), &PersonName::parse(b)).verdict;
/// assert_eq!(of("Kortschnoj, Viktor", "Korchnoi,Viktor"), Verdict::Same);
/// assert_eq!(of("Kasparov, Garry", "Kasparov G (RUS)"), Verdict::Likely);
/// assert_eq!(of("Polgar, Judit", "Polgar, Susan"), Verdict::Different);
/// ```
pub fn compare(a: &PersonName, b: &PersonName) -> Comparison {
    if std::ptr::eq(a, b) && !a.is_unknown() {
        return Comparison::new(Verdict::Same, NameReasons::default());
    }
    if !a.is_person() || !b.is_person() {
        return compare_all_words(a, b);
    }
    if have_conflicting_marks(a, b) {
        return Comparison::different(NameReason::OtherNumber);
    }

    let mut comparison = compare_words(a, b);

    // A number is given to one of two namesakes: which of them a spelling without the number means, nobody knows.
    let are_marked_alike = a.number() == b.number()
        && a.generation() == b.generation()
        && a.mark() == b.mark()
        && a.country_mark() == b.country_mark();
    if !are_marked_alike {
        comparison.verdict = comparison.verdict.min(Verdict::Possible);
        comparison.reasons.add(NameReason::OtherNumber);
    }

    comparison
}

/// `true` if both names have a mark of namesakes of the same kind, and these marks differ.
fn have_conflicting_marks(a: &PersonName, b: &PersonName) -> bool {
    // 0 stands for a mark that a name has not got.
    let differ = |a: u16, b: u16| a != 0 && b != 0 && a != b;
    let is_other_generation = differ(a.generation().into(), b.generation().into());
    let is_other_birth_year = differ(a.birth_year(), b.birth_year());
    let is_other_mark = differ(a.mark(), b.mark());
    if is_other_generation || is_other_birth_year || is_other_mark {
        return true;
    }

    let numbers = a.number().zip(b.number());
    let is_other_number = numbers.is_some_and(|(mine, yours)| mine != yours);
    let countries = a.country_mark().zip(b.country_mark());
    let is_other_country = countries.is_some_and(|(mine, yours)| mine != yours);
    is_other_number || is_other_country
}

/// Compares family and given names. A name of unknown order is compared in every order in which its words may stand.
fn compare_words(a: &PersonName, b: &PersonName) -> Comparison {
    let (mine, yours) = (Parts::written(a), Parts::written(b));
    let mut best = compare_parts(&mine, &yours);

    let are_orders_known = a.is_order_known() && b.is_order_known();
    if best.verdict >= Verdict::Likely || are_orders_known {
        return best;
    }

    let with_mine_turned = if a.is_order_known() {
        None
    } else {
        Some(compare_parts(&mine.turned(), &yours))
    };
    let with_yours_turned = if b.is_order_known() {
        None
    } else {
        Some(compare_parts(&mine, &yours.turned()))
    };

    for mut other in with_mine_turned.into_iter().chain(with_yours_turned) {
        if other.verdict > best.verdict {
            other.reasons.add(NameReason::Order);
            best = other;
        }
    }

    if best.verdict < Verdict::Likely && mine.one_contains_other(&yours) {
        best = Comparison::new(Verdict::Likely, NameReasons::of(NameReason::FamilyPart));
    }

    best
}

/// Compares two names, at least one of which is not a person's, by all of their words.
fn compare_all_words(a: &PersonName, b: &PersonName) -> Comparison {
    if a.is_unknown() || b.is_unknown() {
        return Comparison::new(Verdict::Possible, NameReasons::of(NameReason::NoPerson));
    }

    let mine = specific_words(a);
    let yours = specific_words(b);
    if mine == yours {
        return Comparison::new(Verdict::Same, NameReasons::default());
    }

    // Games often omit the version of a program.
    let (fewer, more) = if mine.len() <= yours.len() {
        (&mine, &yours)
    } else {
        (&yours, &mine)
    };
    let are_programs = a.is_program() && b.is_program();
    let is_part = !fewer.is_empty() && fewer.iter().all(|word| more.contains(word));
    if are_programs && is_part {
        let reasons = NameReasons::of(NameReason::SecondName);
        return Comparison::new(Verdict::Possible, reasons);
    }

    Comparison::different(NameReason::NoPerson)
}

/// The words of a name, without generic words such as `computer`.
fn specific_words(name: &PersonName) -> Vec<&str> {
    let is_common = |word: &str| matches!(word, "comp" | "computer" | "program" | "engine");

    let words = name.words().split(' ');
    words.filter(|word| !is_common(word)).collect()
}

/// A word of a name with its sound.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word<'n> {
    text: &'n str,
    sound: &'n str,
}

impl<'n> Word<'n> {
    fn new((text, sound): (&'n str, &'n str)) -> Word<'n> {
        Word { text, sound }
    }
}

/// A name as family name and given names. If the order of its words is uncertain, a name can be divided in several
/// ways.
struct Parts<'n> {
    family: Vec<Word<'n>>,
    given: Vec<Word<'n>>,
}

/// The fewest letters of a word in full: two letters may be initials, or the beginning of a longer word.
const MIN_FULL_LETTERS: usize = 3;

/// The fewest words in full that two names must have in common to be one player whatever their order.
const MIN_FULL_WORDS: usize = 2;

impl<'n> Parts<'n> {
    /// The words of a name in the order that it has been parsed in.
    fn written(name: &'n PersonName) -> Parts<'n> {
        Parts {
            family: name
                .family()
                .zip(name.family_sounds())
                .map(Word::new)
                .collect(),
            given: name
                .given()
                .zip(name.given_sounds())
                .map(Word::new)
                .collect(),
        }
    }

    /// `true` if a given name is more than an initial or two letters.
    fn has_full_given_name(&self) -> bool {
        self.given
            .iter()
            .any(|word| word.text.len() >= MIN_FULL_LETTERS)
    }

    /// The name in the other order: the last given name becomes the family name. A name without given names stays as it
    /// is.
    fn turned(&self) -> Parts<'n> {
        let mut given = self.given.clone();
        match given.pop() {
            Some(last) => Parts {
                family: vec![last],
                given: self.family.iter().copied().chain(given).collect(),
            },
            None => Parts {
                family: self.family.clone(),
                given,
            },
        }
    }

    /// `true` if all words of one name are among the words of the other, at least [`MIN_FULL_WORDS`] of them in full.
    /// An initial matches a word that begins with it.
    fn one_contains_other(&self, other: &Parts<'n>) -> bool {
        let (mine, yours) = (self.sounds(), other.sounds());
        let (fewer, mut rest) = if mine.len() <= yours.len() {
            (mine, yours)
        } else {
            (yours, mine)
        };

        let mut full = 0;
        for word in fewer {
            let may_be = |other: &&str| {
                let is_initial = word.len().min(other.len()) == 1;
                let begin_alike = other.starts_with(word) || word.starts_with(other);
                *other == word || (is_initial && begin_alike)
            };

            // Equal words come first, so that an initial does not use up the word of another.
            let exact = rest.iter().position(|other| *other == word);
            let Some(at) = exact.or_else(|| rest.iter().position(may_be)) else {
                return false;
            };

            if exact.is_some() && word.len() >= MIN_FULL_LETTERS {
                full += 1;
            }
            rest.remove(at);
        }

        full >= MIN_FULL_WORDS
    }

    /// The sounds of all words, the family name first.
    fn sounds(&self) -> Vec<&'n str> {
        let words = self.family.iter().chain(&self.given);
        words.map(|word| word.sound).collect()
    }

    /// All words without spaces between them, the family name first.
    fn joined(&self) -> String {
        self.family
            .iter()
            .chain(&self.given)
            .map(|word| word.text)
            .collect()
    }
}

/// The likeness of two family names, or of the given names of two names, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Equal,
    /// Given names: one name has more of them.
    More,
    Sound,
    Initials,
    /// Family names: one has only a part of the other's words.
    Part,
    Missing,
    Similar,
    Other,
}

/// Compares the family names of two names, then their given names.
fn compare_parts(a: &Parts<'_>, b: &Parts<'_>) -> Comparison {
    let family = family_likeness(a, b);
    if family == Likeness::Other {
        // With the family name in another place, all words together may be equal.
        if a.joined() == b.joined() {
            return Comparison::new(Verdict::Same, NameReasons::default());
        }
        return Comparison::different(NameReason::OtherFamily);
    }

    let given = given_likeness(a, b);

    let mut reasons = NameReasons::default();
    match family {
        Likeness::Sound => reasons.add(NameReason::Transliteration),
        Likeness::Part => reasons.add(NameReason::FamilyPart),
        Likeness::Similar => reasons.add(NameReason::SimilarFamily),
        _ => {}
    }
    match given {
        Likeness::Sound => reasons.add(NameReason::Transliteration),
        Likeness::Initials => reasons.add(NameReason::Initials),
        Likeness::More => reasons.add(NameReason::SecondName),
        Likeness::Missing => reasons.add(NameReason::NoGivenName),
        Likeness::Similar => reasons.add(NameReason::SimilarGiven),
        Likeness::Other => reasons.add(NameReason::OtherGiven),
        _ => {}
    }

    let by_likeness = verdict(family, given);

    // Short names sound alike by chance: without a full given name, sounds prove nothing.
    let is_by_sound = matches!(family, Likeness::Sound | Likeness::Similar);
    let have_given = a.has_full_given_name() && b.has_full_given_name();
    let verdict = if is_by_sound && !have_given {
        by_likeness.min(Verdict::Possible)
    } else {
        by_likeness
    };

    Comparison::new(verdict, reasons)
}

/// The verdict on two names, by the likeness of their family names and of their given names.
fn verdict(family: Likeness, given: Likeness) -> Verdict {
    use Likeness::{Equal, Initials, Missing, More, Other, Part, Similar, Sound};

    match family {
        Equal | Sound => match given {
            Equal | Sound => Verdict::Same,
            More | Initials => Verdict::Likely,
            Missing | Similar => Verdict::Possible,
            Other | Part => Verdict::Different,
        },
        Part => match given {
            Equal | Sound => Verdict::Likely,
            More | Initials | Missing | Similar => Verdict::Possible,
            Other | Part => Verdict::Different,
        },
        // A slip in the family name means another player, unless the given names are free of slips and confirm the
        // name.
        Similar => match given {
            Equal | Sound => Verdict::Likely,
            More | Initials => Verdict::Possible,
            Missing | Similar | Other | Part => Verdict::Different,
        },
        Initials | More | Missing | Other => Verdict::Different,
    }
}

/// The likeness of two family names.
fn family_likeness(a: &Parts<'_>, b: &Parts<'_>) -> Likeness {
    let (mine, yours) = (&a.family, &b.family);
    if joined(mine, |word| word.text) == joined(yours, |word| word.text) {
        return Likeness::Equal;
    }

    let my_sound = joined(mine, |word| word.sound);
    let your_sound = joined(yours, |word| word.sound);
    if my_sound == your_sound {
        return Likeness::Sound;
    }

    let (fewer, more) = if mine.len() < yours.len() {
        (mine, yours)
    } else {
        (yours, mine)
    };
    let has_more = fewer.len() < more.len();
    let is_long_in_more = |word: &Word<'_>| {
        let is_long = word.sound.len() >= MIN_FULL_LETTERS;
        is_long && more.iter().any(|other| other.sound == word.sound)
    };
    if has_more && !fewer.is_empty() && fewer.iter().all(is_long_in_more) {
        return Likeness::Part;
    }

    // Without a comma, a second word of the family name stands among the given names.
    let first_words = mine.first().zip(yours.first());
    let start_alike = first_words.is_some_and(|(mine, yours)| mine.sound == yours.sound);
    if has_more && start_alike {
        return Likeness::Part;
    }

    // Ivanov and Ivanova differ by one letter, and are two players.
    let are_two = are_man_and_woman(&my_sound, &your_sound);
    if is_similar(&my_sound, &your_sound) && !are_two {
        Likeness::Similar
    } else {
        Likeness::Other
    }
}

/// The texts or the sounds of words, without spaces between them.
fn joined<'n>(words: &[Word<'n>], part: impl Fn(&Word<'n>) -> &'n str) -> String {
    words.iter().map(part).collect()
}

/// The likeness of the given names of two names.
fn given_likeness(a: &Parts<'_>, b: &Parts<'_>) -> Likeness {
    let (mine, yours) = (&a.given, &b.given);
    if mine.is_empty() && yours.is_empty() {
        return Likeness::Equal;
    }
    if mine.is_empty() || yours.is_empty() {
        return Likeness::Missing;
    }
    let are_equal_joined = || joined(mine, |word| word.text) == joined(yours, |word| word.text);
    if mine == yours || are_equal_joined() {
        return Likeness::Equal;
    }

    let skip_mine = family_words_in_given(a, b);
    let skip_yours = family_words_in_given(b, a);
    word_likeness(
        mine.get(skip_mine..).unwrap_or_default(),
        yours.get(skip_yours..).unwrap_or_default(),
    )
}

/// The number of first given names that belong to the family name, as a name with a longer family name shows. In a name
/// without a comma, words of the family name may stand among the given names. The last given name is never counted.
fn family_words_in_given(name: &Parts<'_>, longer: &Parts<'_>) -> usize {
    let Some(extra) = longer.family.get(name.family.len()..) else {
        return 0;
    };

    let mut pairs = extra.iter().zip(&name.given);
    let are_given = pairs.all(|(family, given)| family.sound == given.sound);
    if are_given {
        extra.len().min(name.given.len().saturating_sub(1))
    } else {
        0
    }
}

/// Compares given names word by word, and returns the likeness of the worst pair of words.
fn word_likeness(mine: &[Word<'_>], yours: &[Word<'_>]) -> Likeness {
    let mut worst = if mine.len() == yours.len() {
        Likeness::Equal
    } else {
        Likeness::More
    };

    for (at, (mine, yours)) in mine.iter().zip(yours).enumerate() {
        let likeness = compare_given_words(*mine, *yours);
        // Patronymics are left out and exchanged for other second names more often than first names.
        if likeness == Likeness::Other && at > 0 {
            return Likeness::Similar;
        }
        worst = worst.max(likeness);
    }
    worst
}

/// The likeness of two given names of one word each.
fn compare_given_words(mine: Word<'_>, yours: Word<'_>) -> Likeness {
    if mine.text == yours.text {
        return Likeness::Equal;
    }
    if mine.sound == yours.sound {
        return Likeness::Sound;
    }

    let (short, long) = if mine.text.len() < yours.text.len() {
        (mine, yours)
    } else {
        (yours, mine)
    };
    let is_initial = short.text.len() == 1;
    if long.text.starts_with(short.text) || (is_initial && starts_alike(short.text, long.text)) {
        return Likeness::Initials;
    }

    if is_similar(mine.sound, yours.sound) {
        Likeness::Similar
    } else {
        Likeness::Other
    }
}

/// `true` if an initial and the beginning of a word may be transliterations of one letter: `J` and `Y`, `E` and `Ye`.
fn starts_alike(initial: &str, word: &str) -> bool {
    match initial {
        // `Юрий` is Yury, Jurij or Iurii, and `Яков` Yakov, Jakov or Iakov.
        "y" | "j" => {
            let beginnings = ["y", "j", "ia", "io", "iu"];
            beginnings.iter().any(|begin| word.starts_with(begin))
        }
        "i" => word.starts_with("yu") || word.starts_with("ya"),
        "e" => word.starts_with("ye"),
        "k" | "h" => word.starts_with(['k', 'h']),
        "v" | "w" => word.starts_with(['v', 'w']),
        "c" => word.starts_with('k') || word.starts_with("ts"),
        _ => false,
    }
}

/// `true` if one family name is the feminine form of the other: `Ivanov` and `Ivanova`.
fn are_man_and_woman(a: &str, b: &str) -> bool {
    a.strip_suffix('a') == Some(b) || b.strip_suffix('a') == Some(a)
}

/// `true` if two words differ by slips alone: one slip in words of four sounds and more, two slips from nine sounds on.
pub(super) fn is_similar(a: &str, b: &str) -> bool {
    let shorter = a.len().min(b.len());
    let allowed = match shorter {
        0..4 => return false,
        4..9 => 1,
        _ => 2,
    };

    // Each surplus letter is an edit, so most pairs need no matrix.
    let surplus = a.len().abs_diff(b.len());
    surplus <= allowed && edits(a.as_bytes(), b.as_bytes()) <= allowed
}

/// The distance of two words by Damerau and Levenshtein, without edits inside an exchange: insertions, deletions,
/// substitutions and exchanges of neighbours that make one word of the other.
fn edits(a: &[u8], b: &[u8]) -> usize {
    // Rows of the matrix of distances between the beginnings of both words: the row being filled and the two before it.
    let mut second_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();

    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];

        for (j, &y) in b.iter().enumerate() {
            let substituted = last[j] + usize::from(x != y);
            let deleted = last[j + 1] + 1;
            let inserted = row[j] + 1;
            let mut distance = substituted.min(deleted).min(inserted);

            let is_exchange = i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y;
            if is_exchange {
                distance = distance.min(second_last[j - 1] + 1);
            }
            row.push(distance);
        }

        second_last = std::mem::replace(&mut last, row);
    }

    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! names {
        ($($name:ident: $a:literal, $b:literal => $verdict:ident;)*) => {
            $(#[test] fn $name() {
                let (a, b) = (PersonName::parse($a), PersonName::parse($b));
                assert_eq!(compare(&a, &b).verdict, Verdict::$verdict, "{a:?} {b:?}");
                assert_eq!(compare(&b, &a).verdict, Verdict::$verdict, "the other way round");
            })*
        };
    }

    names! {
        spaces: "Kasparov, Garry", "Kasparov,Garry" => Same;
        title_and_country: "GM Kasparov G (RUS)", "Kasparov, G." => Same;
        initial: "Kasparov, Garry", "Kasparov,G" => Likely;
        second_initial: "Kasparov Garry K.", "Kasparov, Garry" => Likely;
        order_without_comma: "Jonathan Berry", "Berry, Jonathan" => Same;
        initial_first: "U. Andersson", "Andersson, Ulf" => Likely;
        umlaut: "Müller, Karsten", "Mueller, Karsten" => Same;
        bare_umlaut: "Hübner, Robert", "Hubner, Robert" => Same;
        korchnoi: "Kortschnoj, Viktor", "Korchnoi, Viktor" => Same;
        cyrillic: "Карпов, Анатолий", "Karpov, Anatoly" => Same;
        given_transliterated: "Alekhine, Alexander", "Alekhine, Aleksandr" => Possible;
        abbreviation: "Karpov,Ana", "Karpov, Anatoly" => Likely;
        cluster: "Green, SL.", "Green, Simon L" => Likely;
        no_given: "Lutz", "Lutz, Christopher" => Possible;
        part: "Dominguez,L", "Dominguez Perez,L" => Likely;
        without_comma: "Dominguez Perez Leinier (CUB)", "Dominguez Perez,Leinier" => Likely;
        misspelt: "Alatsortev Vladimir", "Alatortsev, Vladimir" => Likely;
        misspelt_initial: "Alatsortev V", "Alatortsev, Vladimir" => Possible;
        sisters: "Polgar, Judit", "Polgar, Susan" => Different;
        other_initials: "Ivanov, A", "Ivanov, S" => Different;
        numbers: "Grigoryan,K1", "Grigoryan,K2" => Different;
        guests: "Guest1234", "Guest5678" => Different;
        guests_with_a_zero: "Guest0", "Guest1" => Different;
        guests_with_many_digits: "anna19850101", "anna19850102" => Different;
        guest_again: "Guest1234", "guest1234" => Same;
        one_number: "Grigoryan,K1", "Grigoryan,K" => Possible;
        generations: "Smith, John Jr.", "Smith, John Sr" => Different;
        first_names_that_begin_alike: "Krapivin, Vladislav", "Krapivin, Vladimir" => Different;
        sound_of_short_names: "Moeller, A", "Mohler, A" => Possible;
        initial_behind_two_names: "Granda Zuniga J", "Granda Zuniga, Julio E" => Likely;
        initials_of_other_alphabets: "Yusupov, J", "Yusupov, Yuri" => Likely;
        j_and_edgar: "Blokhuis, J", "Blokhuis, Edgar" => Different;
        li_and_liu: "Li, Chao", "Liu, Chao" => Different;
        wives: "Ivanov, A", "Ivanova, A" => Different;
        teams: "Stoltz/Monosson", "Stoltz" => Different;
        versions: "Stockfish 14", "Stockfish 15" => Different;
        a_version_left_out: "Comp Crafty", "Computer 'Crafty P6'" => Possible;
        program_in_other_words: "Comp Fritz", "Fritz" => Same;
        parts_in_another_place: "Torre, Carlos", "Torre Repetto Carlos (MEX)" => Likely;
        countries_as_marks: "Moiseenko,Vl UKR", "Moiseenko,Vl RUS" => Different;
        a_country_as_a_mark: "Moiseenko,Vl UKR", "Moiseenko,Vl" => Possible;
        dates_of_builds: "RubiChess 20230419", "RubiChess 20240215" => Different;
        numbers_of_builds: "Hannibal 071015", "Hannibal 220416" => Different;
        commits: "Seer cc6f5c83", "Seer d54e8fa4" => Different;
        accounts: "Ahmed-2011", "Ahmed-1977" => Different;
        unknown: "?", "Kasparov, Garry" => Possible;
        slash_country: "Schmaltz R/GER", "Schmaltz, Roland" => Likely;
        label: "Leventic Ivan Title: IM", "Leventic, Ivan" => Same;
    }
}
