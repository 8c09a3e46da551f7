//! Reads spelling files of Scid: correct names, their aliases, and facts about players.
//!
//! A section begins with `@PLAYER`, `@SITE`, `@EVENT` or `@ROUND` and the characters that are ignored in comparing. A
//! line that is not indented is a correct name. Below it, lines with `=` are its aliases, and lines with `%Bio` and
//! `%Elo` are facts about the player. `%Prefix`, `%Infix` and `%Suffix` replace parts of names.

use std::collections::BTreeMap;

/// A section of the file, by the kind of its names.
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

/// The content of a spelling file.
#[derive(Clone, Debug, Default)]
pub struct SpellingFile {
    sections: BTreeMap<Section, SectionNames>,
}

/// The names of a section.
#[derive(Clone, Debug, Default)]
struct SectionNames {
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

/// A correct name, and facts about the player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Titles such as `gm`, as they are written.
    pub titles: Vec<String>,
    /// Countries in the order of the file, which has the last country first.
    pub countries: Vec<String>,
    /// The highest rating; 0 for unknown.
    pub peak: u16,
    /// The date of birth as it is written; empty for unknown.
    pub born: String,
    /// The date of death as it is written; empty for unknown.
    pub died: String,
    /// The FIDE id; 0 for unknown.
    pub fide_id: u32,
    /// Ratings by year, list after list; 0 for none.
    pub ratings: BTreeMap<u16, Vec<u16>>,
}

impl Entry {
    /// The rating in a month, from the latest list of the year up to that month; `None` if this list has no rating.
    ///
    /// There was a list each year before 1990, two to 2000, four to 2008, five in 2009, six to 2011, nine in 2012, and
    /// twelve since.
    pub fn rating_at(&self, year: u16, month: u8) -> Option<u16> {
        let ratings = self.ratings.get(&year)?;
        let published = list_months(year)
            .iter()
            .take_while(|&&first| first <= month.max(1))
            .count();

        let latest = published.checked_sub(1)?;
        match ratings.get(latest) {
            Some(&rating) if rating > 0 => Some(rating),
            _ => None,
        }
    }
}

/// The months in which the rating lists of a year appeared.
const fn list_months(year: u16) -> &'static [u8] {
    match year {
        // Once a year, then twice, each quarter, every second month, and every month.
        0..=1989 => &[1],
        1990..=2000 => &[1, 7],
        2001..=2008 => &[1, 4, 7, 10],
        2009 => &[1, 4, 7, 9, 11],
        2010..=2011 => &[1, 3, 5, 7, 9, 11],
        2012 => &[1, 3, 5, 7, 8, 9, 10, 11, 12],
        _ => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    }
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'f> {
    /// One entry, with its number in the section.
    Found(u32, &'f Entry),
    /// Several names begin like this.
    Ambiguous,
    /// No name begins like this.
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
                file.sections.entry(section).or_default().read_line(line);
            }
        }

        for names in file.sections.values_mut() {
            names.keys.sort_unstable();
            names.keys.dedup();
        }

        file
    }

    /// Looks up a name as it is written, then as the beginning of one name, then with its last word first.
    pub fn look_up(&self, section: Section, text: &str) -> Lookup<'_> {
        let Some(names) = self.sections.get(&section) else {
            return Lookup::Unknown;
        };

        let name = names.replaced(without_country(text));
        let as_written = names.look_up(&name);
        if as_written != Lookup::Unknown {
            return as_written;
        }
        match name.trim().rsplit_once(' ') {
            Some((rest, last)) => names.look_up(&format!("{last} {rest}")),
            None => Lookup::Unknown,
        }
    }

    /// The entry with a number that [`SpellingFile::look_up`] has returned.
    pub fn entry(&self, section: Section, number: u32) -> Option<&Entry> {
        self.sections.get(&section)?.entries.get(number as usize)
    }
}

impl SectionNames {
    /// Adds the name, alias or directive in a line. Other lines are ignored.
    fn read_line(&mut self, line: &str) {
        let bare = line.trim();
        let is_indented = line.starts_with([' ', '\t']);
        if bare.is_empty() || (bare.starts_with('#') && !is_indented) {
            return;
        }

        if let Some(alias) = bare.strip_prefix('=') {
            let (alias, _comment) = alias.split_once('#').unwrap_or((alias, ""));
            self.add_key(alias.trim());
        } else if let Some(directive) = bare.strip_prefix('%') {
            self.read_directive(directive);
        } else if !is_indented {
            self.add_entry(bare);
        }
    }

    /// Adds an entry for a correct name, with the facts in the comment behind it.
    fn add_entry(&mut self, line: &str) {
        let (name, comment) = line.split_once('#').unwrap_or((line, ""));
        let name = name.trim();
        let mut entry = Entry {
            name: name.to_owned(),
            ..Entry::default()
        };

        read_comment(comment, &mut entry);
        self.entries.push(entry);
        self.add_key(name);
    }

    /// Adds a name or an alias as a key of the last entry.
    fn add_key(&mut self, alias: &str) {
        let key = self.key(alias);
        if key.is_empty() {
            return;
        }
        if let Some(last) = self.entries.len().checked_sub(1) {
            self.keys.push((key, last as u32));
        }
    }

    /// Reads a line that begins with `%`: facts about the last player, or a replacement.
    fn read_directive(&mut self, text: &str) {
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let place = match word {
            "Prefix" => Place::Prefix,
            "Infix" => Place::Infix,
            "Suffix" => Place::Suffix,
            "Bio" => return self.read_biography(rest),
            "Elo" => return self.read_ratings(rest),
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

    /// Reads the FIDE id of the last player; other facts are ignored.
    fn read_biography(&mut self, text: &str) {
        let id = text
            .trim()
            .strip_prefix("FIDEID")
            .and_then(|id| id.trim().parse().ok());

        if let (Some(id), Some(entry)) = (id, self.entries.last_mut()) {
            entry.fide_id = id;
        }
    }

    /// Reads ratings of the last player: `1990:2800,2800 2009:2812,?`. A rating that is no number is 0.
    fn read_ratings(&mut self, text: &str) {
        let Some(entry) = self.entries.last_mut() else {
            return;
        };

        for word in text.split_whitespace() {
            let Some((year, lists)) = word.split_once(':') else {
                continue;
            };
            let Ok(year) = year.parse() else {
                continue;
            };

            let ratings = lists
                .split(',')
                .map(|rating| rating.parse().unwrap_or(0))
                .collect();
            entry.ratings.insert(year, ratings);
        }
    }

    /// A text without the characters that this section ignores.
    fn key(&self, text: &str) -> String {
        text.chars()
            .filter(|letter| !self.ignored.contains(*letter))
            .collect()
    }

    /// A text with the replacements of this section applied.
    fn replaced(&self, text: &str) -> String {
        let mut name = text.to_owned();
        for replacement in &self.replacements {
            let wrong = replacement.wrong.as_str();
            let right = &replacement.right;
            match replacement.place {
                Place::Prefix if name.starts_with(wrong) => {
                    name.replace_range(..wrong.len(), right);
                }
                Place::Suffix if name.ends_with(wrong) => {
                    name.truncate(name.len() - wrong.len());
                    name.push_str(right);
                }
                Place::Prefix | Place::Suffix => {}
                Place::Infix => name = name.replace(wrong, right),
            }
        }

        name
    }

    fn look_up(&self, text: &str) -> Lookup<'_> {
        let key = self.key(text);
        if key.is_empty() {
            return Lookup::Unknown;
        }

        // The keys are sorted: equal keys come first, then the keys that begin with the text's key.
        let start = self.keys.partition_point(|(known, _)| *known < key);
        let candidates = self.keys.get(start..).unwrap_or_default();

        let equal = candidates.iter().take_while(|(known, _)| *known == key);
        let exact = self.single_entry(equal.map(|&(_, entry)| entry));
        if exact != Lookup::Unknown {
            return exact;
        }

        let longer = candidates
            .iter()
            .take_while(|(known, _)| known.starts_with(&key));
        self.single_entry(longer.map(|&(_, entry)| entry))
    }

    /// The entry of some numbers if they are equal; unknown without numbers, ambiguous if they differ.
    fn single_entry(&self, mut numbers: impl Iterator<Item = u32>) -> Lookup<'_> {
        let Some(first) = numbers.next() else {
            return Lookup::Unknown;
        };
        if numbers.any(|other| other != first) {
            return Lookup::Ambiguous;
        }

        match self.entries.get(first as usize) {
            Some(entry) => Lookup::Found(first, entry),
            None => Lookup::Unknown,
        }
    }
}

/// The section that a line begins, and the characters that the section ignores; `None` for other lines.
pub(super) fn section_line(line: &str) -> Option<(Section, String)> {
    let directive = line.strip_prefix('@')?;
    let (word, rest) = directive.split_once([' ', '\t']).unwrap_or((directive, ""));
    let section = match word.trim() {
        "PLAYER" => Section::Player,
        "SITE" => Section::Site,
        "EVENT" => Section::Event,
        "ROUND" => Section::Round,
        _ => return None,
    };

    let ignored = rest.split('"').nth(1).unwrap_or_default();
    Some((section, ignored.to_owned()))
}

/// A name without ` (USA)` behind it.
fn without_country(text: &str) -> &str {
    let text = text.trim();
    let Some(open) = text.strip_suffix(')') else {
        return text;
    };

    match open.rsplit_once(" (") {
        Some((name, country)) if is_country(country) => name,
        _ => text,
    }
}

/// `true` if a text may be the code of a country: three capital letters.
fn is_country(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Reads the facts about a player in a comment: `gm+im RUS/USA [2851] 1963.04.13--`.
fn read_comment(comment: &str, entry: &mut Entry) {
    for word in comment.split_whitespace() {
        let behind_bracket = word.strip_prefix('[');
        let rating = behind_bracket.and_then(|word| word.strip_suffix(']'));

        if let Some(peak) = rating {
            entry.peak = peak.parse().unwrap_or(0);
        } else if let Some((born, died)) = word.split_once("--") {
            entry.born = born.to_owned();
            entry.died = died.to_owned();
        } else if begins_with_title(word) {
            entry.titles = word.split('+').map(str::to_owned).collect();
        } else if word.split('/').all(is_country) {
            entry.countries = word.split('/').map(str::to_owned).collect();
        }
    }
}

/// `true` if a word of a comment is a title, or begins with one: `gm+hgm`.
fn begins_with_title(word: &str) -> bool {
    let first = word.split('+').next().unwrap_or_default();

    let lower = first.to_ascii_lowercase();
    let title = lower.as_str();

    let is_of_all = matches!(title, "gm" | "im" | "fm" | "cm");
    let is_of_women = matches!(title, "wgm" | "wim" | "wfm" | "wcm" | "w");
    // In correspondence chess, and honorary.
    let is_other = matches!(title, "cgm" | "cim" | "hgm");
    let is_program = title == "comp";
    is_of_all || is_of_women || is_other || is_program
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
