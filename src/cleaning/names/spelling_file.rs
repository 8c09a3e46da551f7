//! Scid's spelling files: correct names, their aliases, and what is known of players.
//!
//! A section begins with `@PLAYER`, `@SITE`, `@EVENT` or `@ROUND` and the characters that are ignored in comparing. A line
//! that is not indented is a correct name; lines with `=` behind it are its aliases, lines with `%Bio` and `%Elo` say more of a
//! player. `%Prefix`, `%Infix` and `%Suffix` replace parts of names.

use std::collections::BTreeMap;

/// What names a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// `@PLAYER`.
    Player,
    /// `@SITE`.
    Site,
    /// `@EVENT`.
    Event,
    /// `@ROUND`.
    Round,
}

/// A spelling file as it is read.
#[derive(Clone, Debug, Default)]
pub struct SpellingFile {
    sections: BTreeMap<Section, Names>,
}

/// The names of a section.
#[derive(Clone, Debug, Default)]
struct Names {
    ignored: String,
    entries: Vec<Entry>,
    /// Names and aliases without ignored characters, sorted, with their entries.
    keys: Vec<(String, u32)>,
    replacements: Vec<Replacement>,
}

/// A part of names that is replaced.
#[derive(Clone, Debug)]
struct Replacement {
    place: Place,
    wrong: String,
    right: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Prefix,
    Infix,
    Suffix,
}

/// A correct name, and what is known of the player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Titles such as `gm`, as they are written.
    pub titles: Vec<String>,
    /// Countries, the last one first as they are written.
    pub countries: Vec<String>,
    /// The highest rating; 0 for unknown.
    pub peak: u16,
    /// The date of birth as it is written; empty for unknown.
    pub born: String,
    /// The date of death.
    pub died: String,
    /// The FIDE id; 0 for unknown.
    pub fide_id: u32,
    /// Ratings by year, list after list; 0 for none.
    pub ratings: BTreeMap<u16, Vec<u16>>,
}

impl Entry {
    /// The rating of a month, from the last list before it in that year.
    ///
    /// There was a list each year before 1990, two to 2000, four to 2008, five in 2009, six to 2011, nine in 2012, and twelve
    /// since.
    pub fn rating_at(&self, year: u16, month: u8) -> Option<u16> {
        let lists = self.ratings.get(&year)?;
        let months = list_months(year);
        let before = months
            .iter()
            .take_while(|&&first| first <= month.max(1))
            .count();
        let rating = lists.get(before.checked_sub(1)?).copied()?;
        (rating > 0).then_some(rating)
    }
}

/// The months in which lists of a year appeared.
const fn list_months(year: u16) -> &'static [u8] {
    match year {
        0..=1989 => &[1],
        1990..=2000 => &[1, 7],
        2001..=2008 => &[1, 4, 7, 10],
        2009 => &[1, 4, 7, 9, 11],
        2010..=2011 => &[1, 3, 5, 7, 9, 11],
        2012 => &[1, 3, 5, 7, 8, 9, 10, 11, 12],
        _ => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    }
}

/// What a look-up has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'f> {
    /// One entry, with its number in the section.
    Found(u32, &'f Entry),
    /// Several names begin like this.
    Ambiguous,
    /// None does.
    Unknown,
}

impl SpellingFile {
    /// Reads a file; lines that mean nothing are passed over.
    ///
    /// ```
    /// use stamma::cleaning::names::{Lookup, Section, SpellingFile};
    /// let file = SpellingFile::read("@PLAYER \"., -_\"\n\nKorchnoi, Viktor  #gm SUI/URS [2695] 1931.03.23--2016.06.06\n = Kortschnoj, Viktor\n");
    /// let Lookup::Found(_, player) = file.look_up(Section::Player, "Kortschnoj V") else { panic!("an alias") };
    /// assert_eq!((player.name.as_str(), player.peak), ("Korchnoi, Viktor", 2695));
    /// ```
    pub fn read(text: &str) -> SpellingFile {
        let mut file = SpellingFile::default();
        let mut section = Section::Player;
        for line in text.lines() {
            if let Some((begun, ignored)) = section_line(line) {
                section = begun;
                file.sections.entry(section).or_default().ignored = ignored;
            } else {
                file.sections.entry(section).or_default().line(line);
            }
        }
        for names in file.sections.values_mut() {
            names.keys.sort_unstable();
            names.keys.dedup();
        }
        file
    }

    /// Looks a name up: as it is, as the beginning of one name, then the same with its last word put first.
    pub fn look_up(&self, section: Section, text: &str) -> Lookup<'_> {
        let Some(names) = self.sections.get(&section) else {
            return Lookup::Unknown;
        };
        let text = names.replaced(without_country(text));
        match names.look_up(&text) {
            Lookup::Unknown => match text.trim().rsplit_once(' ') {
                Some((rest, last)) => names.look_up(&format!("{last} {rest}")),
                None => Lookup::Unknown,
            },
            found => found,
        }
    }

    /// The entry of a number that [`SpellingFile::look_up`] gave.
    pub fn entry(&self, section: Section, number: u32) -> Option<&Entry> {
        self.sections.get(&section)?.entries.get(number as usize)
    }
}

impl Names {
    fn line(&mut self, line: &str) {
        let bare = line.trim();
        let is_indented = line.starts_with([' ', '\t']);
        if bare.is_empty() || (bare.starts_with('#') && !is_indented) {
            return;
        }
        if let Some(alias) = bare.strip_prefix('=') {
            self.alias(alias.split('#').next().unwrap_or_default().trim());
        } else if let Some(directive) = bare.strip_prefix('%') {
            self.directive(directive);
        } else if !is_indented {
            let (name, comment) = bare.split_once('#').unwrap_or((bare, ""));
            let mut entry = Entry {
                name: name.trim().to_owned(),
                ..Entry::default()
            };
            read_comment(comment, &mut entry);
            let key = entry.name.clone();
            self.entries.push(entry);
            self.alias(&key);
        }
    }

    fn alias(&mut self, alias: &str) {
        let key = self.key(alias);
        if let Some(last) = self.entries.len().checked_sub(1)
            && !key.is_empty()
        {
            self.keys.push((key, last as u32));
        }
    }

    fn directive(&mut self, text: &str) {
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let place = match word {
            "Prefix" => Place::Prefix,
            "Infix" => Place::Infix,
            "Suffix" => Place::Suffix,
            "Bio" => return self.biography(rest),
            "Elo" => return self.ratings(rest),
            _ => return,
        };
        let quoted: Vec<&str> = rest.split('"').skip(1).step_by(2).collect();
        if let [wrong, right] = quoted[..]
            && !wrong.is_empty()
        {
            self.replacements.push(Replacement {
                place,
                wrong: wrong.to_owned(),
                right: right.to_owned(),
            });
        }
    }

    fn biography(&mut self, text: &str) {
        let id = text
            .trim()
            .strip_prefix("FIDEID")
            .and_then(|id| id.trim().parse().ok());
        if let (Some(id), Some(entry)) = (id, self.entries.last_mut()) {
            entry.fide_id = id;
        }
    }

    fn ratings(&mut self, text: &str) {
        let Some(entry) = self.entries.last_mut() else {
            return;
        };
        for year in text.split_whitespace() {
            if let Some((year, lists)) = year.split_once(':')
                && let Ok(year) = year.parse()
            {
                entry.ratings.insert(
                    year,
                    lists
                        .split(',')
                        .map(|rating| rating.parse().unwrap_or(0))
                        .collect(),
                );
            }
        }
    }

    fn key(&self, text: &str) -> String {
        text.chars()
            .filter(|letter| !self.ignored.contains(*letter))
            .collect()
    }

    fn replaced(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for Replacement {
            place,
            wrong,
            right,
        } in &self.replacements
        {
            match place {
                Place::Prefix if text.starts_with(wrong.as_str()) => {
                    text.replace_range(..wrong.len(), right)
                }
                Place::Suffix if text.ends_with(wrong.as_str()) => {
                    text.truncate(text.len() - wrong.len());
                    text.push_str(right);
                }
                Place::Infix => text = text.replace(wrong.as_str(), right),
                _ => {}
            }
        }
        text
    }

    fn look_up(&self, text: &str) -> Lookup<'_> {
        let key = self.key(text);
        if key.is_empty() {
            return Lookup::Unknown;
        }
        let from = self.keys.partition_point(|(known, _)| *known < key);
        let behind = self.keys.get(from..).unwrap_or_default();
        let exact = behind.iter().take_while(|(known, _)| *known == key);
        let found = self.only(exact.map(|(_, entry)| *entry));
        if found != Lookup::Unknown {
            return found;
        }
        self.only(
            behind
                .iter()
                .take_while(|(known, _)| known.starts_with(&key))
                .map(|(_, entry)| *entry),
        )
    }

    /// The entry that all of these are.
    fn only(&self, mut found: impl Iterator<Item = u32>) -> Lookup<'_> {
        let Some(first) = found.next() else {
            return Lookup::Unknown;
        };
        if found.any(|other| other != first) {
            return Lookup::Ambiguous;
        }
        self.entries
            .get(first as usize)
            .map_or(Lookup::Unknown, |entry| Lookup::Found(first, entry))
    }
}

/// The section that a line begins, with the characters that it ignores.
pub(super) fn section_line(line: &str) -> Option<(Section, String)> {
    let (word, rest) = line
        .strip_prefix('@')?
        .split_once([' ', '\t'])
        .unwrap_or((line.get(1..)?, ""));
    let section = match word.trim() {
        "PLAYER" => Section::Player,
        "SITE" => Section::Site,
        "EVENT" => Section::Event,
        "ROUND" => Section::Round,
        _ => return None,
    };
    Some((
        section,
        rest.split('"').nth(1).unwrap_or_default().to_owned(),
    ))
}

/// A name without ` (USA)` behind it.
fn without_country(text: &str) -> &str {
    let text = text.trim();
    match text
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
    {
        Some((name, country))
            if country.len() == 3 && country.bytes().all(|byte| byte.is_ascii_uppercase()) =>
        {
            name
        }
        _ => text,
    }
}

/// `gm+im RUS/USA [2851] 1963.04.13--`.
fn read_comment(comment: &str, entry: &mut Entry) {
    let is_title = |word: &str| {
        let word = word.split('+').next().unwrap_or_default();
        matches!(
            word.to_ascii_lowercase().as_str(),
            "gm" | "im"
                | "fm"
                | "cm"
                | "wgm"
                | "wim"
                | "wfm"
                | "wcm"
                | "w"
                | "cgm"
                | "cim"
                | "hgm"
                | "comp"
        )
    };
    let is_country = |word: &str| {
        word.split('/')
            .all(|part| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    for word in comment.split_whitespace() {
        if let Some(peak) = word
            .strip_prefix('[')
            .and_then(|word| word.strip_suffix(']'))
        {
            entry.peak = peak.parse().unwrap_or(0);
        } else if let Some((born, died)) = word.split_once("--") {
            (entry.born, entry.died) = (born.to_owned(), died.to_owned());
        } else if is_title(word) {
            entry.titles = word.split('+').map(str::to_owned).collect();
        } else if is_country(word) {
            entry.countries = word.split('/').map(str::to_owned).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# a comment\n\
        @PLAYER \"., -_*\"\n\
        Kasparov, Garry  #gm RUS/AZE [2851] 1963.04.13--\n\
        \t= Kasparov, Gari\n\
        \t%Bio FIDEID 4100018\n\
        \t%Elo 1989:2775 1990:2800,2800 2009:2812,?,2812,2812,2812\n\
        Kasparov, Sergey #gm BLR\n\
        Short, Nigel D #gm+hgm ENG\n\
        %Prefix \"Von \" \"von \"\n\
        von Bargen, Lukas\n\
        @SITE \"., -_()\"\n\
        %Suffix \"(Italy)\" \"ITA\"\n\
        Rome ITA\n\
        @EVENT \",. -_\"\n\
        %Infix \"Champ.\" \"Championship\"\n\
        World Championship\n\
        = WCh\n\
        @ROUND \"\"\n\
        %Prefix \"0\" \"\"\n\
        1\n\
        = (1)\n";

    macro_rules! looked_up {
        ($($name:ident: $section:ident $text:literal => $found:expr;)*) => {
            $(#[test] fn $name() {
                let file = SpellingFile::read(FILE);
                let found = match file.look_up(Section::$section, $text) {
                    Lookup::Found(_, entry) => entry.name.clone(),
                    other => format!("{other:?}"),
                };
                assert_eq!(found, $found);
            })*
        };
    }

    looked_up! {
        as_it_is: Player "Kasparov, Garry" => "Kasparov, Garry";
        punctuation: Player "Kasparov,Garry." => "Kasparov, Garry";
        alias: Player "Kasparov Gari" => "Kasparov, Garry";
        beginning: Player "Short N" => "Short, Nigel D";
        beginning_of_two: Player "Kasparov" => "Ambiguous";
        order: Player "Garry Kasparov" => "Kasparov, Garry";
        country: Player "Kasparov Garry (RUS)" => "Kasparov, Garry";
        case_matters: Player "kasparov, garry" => "Unknown";
        prefix: Player "Von Bargen, Lukas" => "von Bargen, Lukas";
        suffix: Site "Rome (Italy)" => "Rome ITA";
        infix: Event "World Champ." => "World Championship";
        short_alias: Event "WCh" => "World Championship";
        round: Round "01" => "1";
        round_in_brackets: Round "(1)" => "1";
        unknown: Player "Nobody" => "Unknown";
        empty: Player "" => "Unknown";
    }

    #[test]
    fn players() {
        let file = SpellingFile::read(FILE);
        let player = file.entry(Section::Player, 0).expect("Kasparov");
        assert_eq!(
            (player.peak, player.fide_id, player.born.as_str()),
            (2851, 4_100_018, "1963.04.13")
        );
        assert_eq!(player.countries, ["RUS", "AZE"]);
        let ratings = [
            (1989, 5),
            (1990, 3),
            (1990, 8),
            (2009, 2),
            (2009, 5),
            (2009, 7),
            (1991, 1),
        ];
        let found = ratings.map(|(year, month)| player.rating_at(year, month));
        assert_eq!(
            found,
            [
                Some(2775),
                Some(2800),
                Some(2800),
                Some(2812),
                None,
                Some(2812),
                None
            ]
        );
        assert_eq!(
            file.entry(Section::Player, 2).expect("Short").titles,
            ["gm", "hgm"]
        );
    }
}
