//! Evidence that spellings are not one player's: they met each other, a lifetime lies between their games, or their ids
//! differ.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::PersonName;
use super::spelling::{NameSource, Spelling};

/// The least number of years between the games of two spellings that no career bridges.
const LIFETIME: u16 = 60;
/// The least number of years for two spellings that have only initials. Namesakes may share initials, so the number is
/// lower.
const LIFETIME_OF_INITIALS: u16 = 30;

/// Years by which a player's games may begin before the first known game or end after the last one.
const FEW_YEARS: u16 = 3;

/// The most spellings of a rare family name. A family name with more spellings is frequent.
const MAX_RARE: u32 = 24;

/// A pair with the lesser element first, so that both orders of a pair are one.
pub(crate) fn lesser_first<T: Copy + Ord>(a: T, b: T) -> (T, T) {
    (a.min(b), a.max(b))
}

/// The number of spellings by the key of the family name.
fn family_sizes(names: &[PersonName]) -> HashMap<u32, u32, RandomState> {
    let mut sizes: HashMap<u32, u32, RandomState> = HashMap::default();
    for name in names {
        if name.is_person() {
            let size = sizes.entry(name.key()).or_default();
            *size += 1;
        }
    }
    sizes
}

/// The countries that were parts of the Soviet Union, by FIDE's codes.
const SOVIET_REPUBLICS: &[&[u8; 3]] = &[
    b"RUS", b"UKR", b"BLR", b"LAT", b"LTU", b"EST", b"MDA", b"GEO", b"ARM", b"AZE", b"KAZ", b"UZB",
    b"KGZ", b"TKM", b"TJK",
];

/// The countries that were parts of Yugoslavia.
const YUGOSLAV_REPUBLICS: &[&[u8; 3]] = &[b"SRB", b"CRO", b"SLO", b"BIH", b"MKD", b"MNE", b"SCG"];

/// One code for a former state and for the countries that were parts of it: a player of the Soviet Union now has the
/// code of Russia or of Latvia, for example.
fn state(country: [u8; 3]) -> [u8; 3] {
    let has_code = |codes: &[&[u8; 3]]| codes.contains(&&country);

    if has_code(SOVIET_REPUBLICS) {
        *b"URS"
    } else if has_code(YUGOSLAV_REPUBLICS) {
        *b"YUG"
    } else if has_code(&[b"CZE", b"SVK"]) {
        *b"TCH"
    } else if has_code(&[b"GDR", b"FRG"]) {
        *b"GER"
    } else {
        country
    }
}

/// The facts about all spellings of one form.
#[derive(Clone, Copy, Debug, Default)]
struct FormFacts {
    first_year: u16,
    last_year: u16,
    fide_id: u32,
    listed: u32,
    decided: u32,
    is_alone: bool,
    /// `true` if the name has no full given name.
    lacks_full_given: bool,
    country: Option<[u8; 3]>,
    /// The key of the family name.
    family: u32,
}

impl FormFacts {
    fn new(spelling: &Spelling<'_>, name: &PersonName) -> FormFacts {
        let has_initials_only = name.given().all(|word| word.len() == 1);
        let country = name
            .country()
            .and_then(|code| <[u8; 3]>::try_from(code.as_bytes()).ok());

        FormFacts {
            first_year: spelling.first_year,
            last_year: spelling.last_year,
            fide_id: spelling.fide_id,
            listed: spelling.listed,
            decided: spelling.decided,
            is_alone: spelling.is_alone,
            lacks_full_given: has_initials_only,
            country,
            family: name.key(),
        }
    }

    /// Adds the facts about another spelling of the form.
    fn add(&mut self, other: FormFacts) {
        // A year of 0 is unknown.
        let years = [self.first_year, other.first_year];
        let known_years = years.into_iter().filter(|&year| year > 0);
        self.first_year = known_years.min().unwrap_or(0);

        self.last_year = self.last_year.max(other.last_year);
        self.fide_id = self.fide_id.max(other.fide_id);
        self.listed = self.listed.max(other.listed);
        self.decided = self.decided.max(other.decided);
        self.country = self.country.or(other.country);
    }

    /// The years between the games of two forms, 0 if their years overlap; `None` if the years of a form are unknown.
    fn years_apart(self, other: FormFacts) -> Option<u16> {
        if self.first_year == 0 || other.first_year == 0 {
            return None;
        }

        // At most one of the two differences is more than 0.
        let other_to_self = self.first_year.saturating_sub(other.last_year);
        let self_to_other = other.first_year.saturating_sub(self.last_year);
        Some(other_to_self.max(self_to_other))
    }
}

/// Evidence that forms belong to different players. A form is identified by the index of its first spelling.
pub(super) struct Separation {
    /// The form of each spelling, as the index of the form's first spelling.
    form_of: Vec<u32>,
    /// The facts about each form, by its first spelling.
    facts: Vec<FormFacts>,
    /// Pairs that met, the lesser index first. They are spellings while forms grow, and forms after
    /// [`Separation::finish_forms`].
    met: HashSet<(u32, u32), RandomState>,
    /// The spellings that were added to a form, without the form's first spelling.
    members: HashMap<u32, Vec<u32>, RandomState>,
    /// The number of spellings of each family name.
    families: HashMap<u32, u32, RandomState>,
}

impl Separation {
    pub(super) fn new(
        spellings: &[Spelling<'_>],
        names: &[PersonName],
        met: impl Iterator<Item = (u32, u32)>,
    ) -> Separation {
        let count = spellings.len().min(u32::MAX as usize) as u32;
        let facts = spellings
            .iter()
            .zip(names)
            .map(|(spelling, name)| FormFacts::new(spelling, name))
            .collect();

        Separation {
            form_of: (0..count).collect(),
            facts,
            met: met.map(|(a, b)| lesser_first(a, b)).collect(),
            members: HashMap::default(),
            families: family_sizes(names),
        }
    }

    /// `true` if two forms of a frequent family name are of different countries, so that they may be two namesakes. Two
    /// forms of a rare family name count as one player who has moved.
    pub(super) fn are_namesakes_by_country(&self, a: u32, b: u32) -> bool {
        let my_country = self.facts_of(a).country;
        let your_country = self.facts_of(b).country;

        let (Some(mine), Some(yours)) = (my_country, your_country) else {
            return false;
        };
        state(mine) != state(yours) && self.is_frequent(a)
    }

    /// `true` if the family name of a spelling has more than [`MAX_RARE`] spellings: initials with such a name identify
    /// nobody.
    pub(super) fn is_frequent(&self, spelling: u32) -> bool {
        let family = self.facts_of(spelling).family;
        self.families
            .get(&family)
            .is_some_and(|&spellings| spellings > MAX_RARE)
    }

    /// `true` if a form has no given name but initials.
    pub(super) fn lacks_full_given(&self, form: u32) -> bool {
        self.facts_of(form).lacks_full_given
    }

    /// Adds a spelling to the form of another spelling, unless evidence keeps them apart. Returns `true` if it was
    /// added.
    pub(super) fn add_to_form(&mut self, form: u32, spelling: u32) -> bool {
        let has_met = |&member: &u32| self.met.contains(&lesser_first(member, spelling));
        let members = self.members.get(&form);
        let have_met = members.is_some_and(|members| members.iter().any(has_met));

        let are_apart = self.are_apart(form, spelling, NameSource::Form);
        if have_met || are_apart || self.are_namesakes_by_country(form, spelling) {
            return false;
        }

        self.members.entry(form).or_default().push(spelling);
        let added = self.facts(spelling);
        self.facts[form as usize].add(added);
        self.form_of[spelling as usize] = form;
        true
    }

    /// Ends the growth of forms. From then on two forms have met each other if two of their spellings have.
    pub(super) fn finish_forms(&mut self) {
        self.members = HashMap::default();

        let mut met: HashSet<(u32, u32), RandomState> = HashSet::default();
        for &(a, b) in &self.met {
            met.insert(lesser_first(self.form_of(a), self.form_of(b)));
        }
        self.met = met;
    }

    /// `true` if two forms, or spellings, cannot be one player, although `source` joins them. A decision of the user
    /// overrides all other evidence, and a list overrides FIDE ids.
    pub(super) fn are_apart(&self, a: u32, b: u32, source: NameSource) -> bool {
        let (a, b) = (self.form_of(a), self.form_of(b));
        let (mine, yours) = (self.facts(a), self.facts(b));
        // 0 stands for an unknown number.
        let differ = |a: u32, b: u32| a != 0 && b != 0 && a != b;

        if mine.is_alone || yours.is_alone {
            return true;
        }
        if source == NameSource::File {
            return differ(mine.decided, yours.decided);
        }

        if differ(mine.decided, yours.decided) || differ(mine.listed, yours.listed) {
            return true;
        }
        if source != NameSource::List && differ(mine.fide_id, yours.fide_id) {
            return true;
        }
        if self.met.contains(&lesser_first(a, b)) {
            return true;
        }

        let lifetime = if mine.lacks_full_given && yours.lacks_full_given && !source.is_given() {
            LIFETIME_OF_INITIALS
        } else {
            LIFETIME
        };
        let years = mine.years_apart(yours);
        years.is_some_and(|years| years >= lifetime)
    }

    /// The years between the games of two forms.
    pub(super) fn years_apart(&self, a: u32, b: u32) -> Option<u16> {
        self.facts_of(a).years_apart(self.facts_of(b))
    }

    /// `true` if all games of a form lie within the years of another form, up to [`FEW_YEARS`] earlier or later, or if
    /// the years of a form are unknown.
    pub(super) fn is_within(&self, form: u32, other: u32) -> bool {
        let mine = self.facts_of(form);
        let yours = self.facts_of(other);
        if mine.first_year == 0 || yours.first_year == 0 {
            return true;
        }

        let begins_earlier = mine.first_year.saturating_add(FEW_YEARS) < yours.first_year;
        let ends_later = mine.last_year > yours.last_year.saturating_add(FEW_YEARS);
        !begins_earlier && !ends_later
    }

    /// The first spelling of a form.
    pub(super) fn form_of(&self, spelling: u32) -> u32 {
        self.form_of[spelling as usize]
    }

    /// The facts about the form of a spelling, which are stored at the first spelling of the form.
    fn facts_of(&self, spelling: u32) -> FormFacts {
        self.facts(self.form_of(spelling))
    }

    fn facts(&self, form: u32) -> FormFacts {
        self.facts[form as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_parts_of_their_earlier_states() {
        assert_eq!(state(*b"LAT"), *b"URS");
        assert_eq!(state(*b"CRO"), *b"YUG");
        assert_eq!(state(*b"SVK"), *b"TCH");
        assert_eq!(state(*b"GDR"), *b"GER");

        assert_eq!(state(*b"NOR"), *b"NOR");
    }
}
