//! Lists of correct names that a user has: detects the form of a list, and looks up spellings in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use super::PersonName;
use super::fide::{NAME_BYTES, NAME_COLUMN};
use super::fide_players::FidePlayers;
use super::name_table::{NameKind, NameTableError, read_name_table};
use super::spelling_file::{Entry, Lookup, Section, SpellingFile, section_line};

/// A list of correct names: Scid's spelling file, FIDE's list of players, or a table.
#[derive(Clone, Debug)]
pub enum NameList {
    /// A file like Scid's `spelling.ssp`.
    Spelling(Spellings),
    /// FIDE's list, as text or XML.
    Fide(FidePlayers),
    /// Lines of canonical names and spellings.
    Table(SpellingTable),
}

/// Why a file is not a list of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadNamesError {
    /// The file has none of the known forms.
    #[error(
        "this is no list of names: expected a spelling file of Scid, FIDE's list as text or XML, or a table of \
         canonical names and spellings with tabs between them"
    )]
    Unknown,
    /// FIDE's list as XML does not end.
    #[error("the list is cut off: it does not end with </playerslist>")]
    CutOff,
    /// A line of a table is malformed.
    #[error(transparent)]
    Table(#[from] NameTableError),
}

/// The text of a list or table in UTF-8, in UTF-16 with its mark, or else in Windows-1252.
pub fn decode_names(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0;
    }

    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0,
    }
}

/// A spelling file, and its players by their FIDE ids.
#[derive(Clone, Debug)]
pub struct Spellings {
    file: SpellingFile,
    by_id: HashMap<u32, u32, RandomState>,
}

/// A table of spellings.
#[derive(Clone, Debug, Default)]
pub struct SpellingTable {
    names: Vec<String>,
    /// The index of the canonical name in `names`, by spelling. A canonical name is also listed as a spelling of itself.
    numbers: HashMap<(NameKind, String), u32, RandomState>,
}

/// A spelling to be looked up.
#[derive(Clone, Copy, Debug)]
pub struct NameQuery<'q> {
    /// The kind of thing that the spelling names.
    pub kind: NameKind,
    /// The spelling.
    pub text: &'q str,
    /// A player's name, taken apart.
    pub person: Option<&'q PersonName>,
    /// The FIDE id in the tags of the player; 0 for none.
    pub fide_id: u32,
    /// The years of the first and last game, 0 for unknown: a player has no games before birth or after death.
    pub years: (u16, u16),
}

/// A name of a list, with facts about the player.
#[derive(Clone, Debug)]
pub struct ListedName<'l> {
    /// The number of the name in the list, from 1.
    pub number: u32,
    /// The correct name.
    pub name: &'l str,
    /// The FIDE id of a player; 0 for unknown.
    pub fide_id: u32,
    /// The title of a player, as tags write it.
    pub title: Option<Cow<'l, str>>,
    entry: Option<&'l Entry>,
}

impl ListedName<'_> {
    /// The rating in a month, where the list has ratings by date.
    pub fn rating_at(&self, year: u16, month: u8) -> Option<u16> {
        self.entry?.rating_at(year, month)
    }
}

impl NameList {
    /// Reads a list in UTF-8, UTF-16 or Windows-1252. The content shows which form the list has.
    ///
    /// ```
    /// use stamma::cleaning::names::{NameKind, NameList, NameQuery};
    /// let list = NameList::read(b"player\tKasparov, Garry\tKasparov,G\n")?;
    /// assert_eq!(list.look_up(&NameQuery::of(NameKind::Player, "Kasparov,G")).map(|found| found.name), Some("Kasparov, Garry"));
    /// # Ok::<(), stamma::cleaning::names::ReadNamesError>(())
    /// ```
    ///
    /// # Errors
    /// When the list has none of the forms, or a line of a table is malformed.
    pub fn read(bytes: &[u8]) -> Result<NameList, ReadNamesError> {
        let decoded = decode_names(bytes);
        let text = decoded.trim_start_matches('\u{feff}');

        if is_fide_list(text) {
            let is_xml = text.trim_start().starts_with('<');
            if is_xml && !text.trim_end().ends_with("</playerslist>") {
                return Err(ReadNamesError::CutOff);
            }

            // Bytes in memory can always be read.
            let read: io::Result<FidePlayers> = FidePlayers::read(text.as_bytes());
            return read
                .map(NameList::Fide)
                .map_err(|_| ReadNamesError::Unknown);
        }

        if text.lines().any(|line| section_line(line).is_some()) {
            return Ok(NameList::Spelling(Spellings::new(SpellingFile::read(text))));
        }
        if text.contains('\t') {
            return Ok(NameList::Table(SpellingTable::read(text)?));
        }
        Err(ReadNamesError::Unknown)
    }

    /// `true` if the list has ratings by date.
    pub fn has_ratings(&self) -> bool {
        matches!(self, NameList::Spelling(_))
    }

    /// `true` if the list has titles and FIDE ids.
    pub fn has_players(&self) -> bool {
        !matches!(self, NameList::Table(_))
    }

    /// The name of the list that a spelling means, found by the FIDE id if the list has it, and by the text otherwise.
    /// `None` if the list has no such name, or several that the spelling may mean.
    pub fn look_up(&self, query: &NameQuery<'_>) -> Option<ListedName<'_>> {
        match self {
            NameList::Spelling(spellings) => spellings.look_up(query),
            NameList::Fide(players) => players.look_up(query),
            NameList::Table(table) => table.look_up(query),
        }
    }
}

impl<'q> NameQuery<'q> {
    /// A query for a spelling without facts about the player.
    pub fn of(kind: NameKind, text: &'q str) -> NameQuery<'q> {
        NameQuery {
            kind,
            text,
            person: None,
            fide_id: 0,
            years: (0, 0),
        }
    }

    /// `true` if a player with these years of birth and death, 0 for unknown, can have played in the years of the
    /// games.
    fn fits_lifetime(&self, born: u16, died: u16) -> bool {
        let (first, last) = self.years;
        let is_too_early = born > 0 && first > 0 && first < born.saturating_add(MIN_AGE);
        let is_too_late = died > 0 && last > died.saturating_add(1);

        !is_too_early && !is_too_late
    }
}

/// The least age of a player in years. Games at a younger age count as another person's.
const MIN_AGE: u16 = 4;

/// `true` if a text is FIDE's list: XML, or text with a header or a row in columns as its first line.
fn is_fide_list(text: &str) -> bool {
    if text.trim_start().starts_with('<') || text.starts_with("ID Number") {
        return true;
    }

    let first_line = text.lines().next().unwrap_or_default();
    let (id, rest) = first_line.split_at_checked(NAME_COLUMN).unwrap_or_default();
    let has_id = id.trim_end().parse::<u32>().is_ok();

    // Columns follow the name. A table of the user's has tabs.
    has_id && rest.len() > NAME_BYTES && !first_line.contains('\t')
}

impl Spellings {
    fn new(file: SpellingFile) -> Spellings {
        let mut by_id = HashMap::default();
        let mut number = 0;
        while let Some(entry) = file.entry(Section::Player, number) {
            if entry.fide_id > 0 {
                by_id.insert(entry.fide_id, number);
            }
            number += 1;
        }

        Spellings { file, by_id }
    }

    fn look_up(&self, query: &NameQuery<'_>) -> Option<ListedName<'_>> {
        let section = match query.kind {
            NameKind::Player => Section::Player,
            NameKind::Event => Section::Event,
            NameKind::Site => Section::Site,
            NameKind::Round => Section::Round,
        };

        let (number, entry) = match self.by_fide_id(query) {
            Some(player) => player,
            None => match self.file.look_up(section, query.text) {
                Lookup::Found(number, entry) => (number, entry),
                Lookup::Ambiguous | Lookup::Unknown => return None,
            },
        };
        if !query.fits_lifetime(year(&entry.born), year(&entry.died)) {
            return None;
        }

        Some(ListedName {
            number: number + 1,
            name: &entry.name,
            fide_id: entry.fide_id,
            title: title(&entry.titles).map(Cow::Owned),
            entry: Some(entry),
        })
    }

    /// The player with the FIDE id of a query.
    fn by_fide_id(&self, query: &NameQuery<'_>) -> Option<(u32, &Entry)> {
        if query.kind != NameKind::Player {
            return None;
        }
        let number = *self.by_id.get(&query.fide_id)?;
        let entry = self.file.entry(Section::Player, number)?;
        Some((number, entry))
    }
}

/// The year of a date such as `1963.04.13`; 0 for unknown.
fn year(date: &str) -> u16 {
    let digits = date.get(..4).unwrap_or_default();
    digits.parse().unwrap_or(0)
}

/// The first of a player's titles that PGN's title tags can have.
fn title(titles: &[String]) -> Option<String> {
    const TITLES: [&str; 8] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];

    for title in titles {
        let capitals = title.to_ascii_uppercase();
        if TITLES.contains(&capitals.as_str()) {
            return Some(capitals);
        }
    }
    None
}

impl FidePlayers {
    fn look_up(&self, query: &NameQuery<'_>) -> Option<ListedName<'_>> {
        if query.kind != NameKind::Player {
            return None;
        }

        let person = match query.person {
            Some(person) => Cow::Borrowed(person),
            None => Cow::Owned(PersonName::parse(query.text)),
        };
        let (number, player) = self.find(query.fide_id, &person)?;
        // FIDE's list has no dates of death.
        if !query.fits_lifetime(player.birth_year, 0) {
            return None;
        }

        Some(ListedName {
            number: number + 1,
            name: &player.name,
            fide_id: player.id,
            title: player.title.map(Cow::Borrowed),
            entry: None,
        })
    }
}

impl SpellingTable {
    fn read(text: &str) -> Result<SpellingTable, NameTableError> {
        let mut table = SpellingTable::default();
        let mut numbers: HashMap<(NameKind, String), u32, RandomState> = HashMap::default();

        for row in read_name_table(text)?
            .into_iter()
            .filter(|row| row.is_accepted)
        {
            let next = table.names.len() as u32;
            let canonical_key = (row.kind, row.canonical.clone());
            let number = *numbers.entry(canonical_key.clone()).or_insert(next);
            if number == next {
                table.names.push(row.canonical);
            }

            // A row for a spelling overrides the meaning of the spelling as a canonical name.
            table.numbers.entry(canonical_key).or_insert(number);
            table.numbers.insert((row.kind, row.spelling), number);
        }

        Ok(table)
    }

    fn look_up(&self, query: &NameQuery<'_>) -> Option<ListedName<'_>> {
        let key = (query.kind, query.text.trim().to_owned());
        let number = *self.numbers.get(&key)?;
        let name = self.names.get(number as usize)?;

        Some(ListedName {
            number: number + 1,
            name,
            fide_id: 0,
            title: None,
            entry: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPELLINGS: &[u8] =
        b"@PLAYER \"., -_\"\nKorchnoi, Viktor #gm SUI/URS [2695] 1931.03.23--2016.06.06\n\
        = Kortschnoj, Viktor\n%Bio FIDEID 4\n%Elo 1990:2630,2610\nM\xfcller, Karsten #gm+hgm GER\n\
        @SITE \"., -_()\"\nRome ITA\n= Rome (Italy)\n";

    fn found(list: &NameList, query: NameQuery<'_>) -> Option<(u32, String)> {
        list.look_up(&query)
            .map(|found| (found.number, found.name.to_owned()))
    }

    #[test]
    fn spelling_files() {
        let list = NameList::read(SPELLINGS).expect("a list");
        let player = |text, years| NameQuery {
            years,
            ..NameQuery::of(NameKind::Player, text)
        };
        let korchnoi = Some((1, "Korchnoi, Viktor".to_owned()));
        assert_eq!(found(&list, player("Kortschnoj V", (1960, 1990))), korchnoi);
        assert_eq!(found(&list, player("Kortschnoj V", (1920, 1990))), None);
        assert_eq!(found(&list, player("Kortschnoj V", (1990, 2020))), None);

        let by_id = NameQuery {
            fide_id: 4,
            ..player("Nobody", (0, 0))
        };
        assert_eq!(found(&list, by_id), korchnoi);

        let by_initial = found(&list, player("M\u{fc}ller, K", (0, 0)));
        assert_eq!(by_initial.map(|(number, _)| number), Some(2));

        let rome = found(&list, NameQuery::of(NameKind::Site, "Rome (Italy)"));
        assert_eq!(rome, Some((1, "Rome ITA".to_owned())));

        let listed = list
            .look_up(&player("Korchnoi, Viktor", (0, 0)))
            .expect("a player");
        assert_eq!(listed.title.as_deref(), Some("GM"));
        assert_eq!(listed.rating_at(1990, 8), Some(2610));
    }

    #[test]
    fn lists_of_fide() {
        let xml = b"<playerslist><player><fideid>1503014</fideid><name>Carlsen, Magnus</name><country>NOR</country>\
            <title>GM</title><birthday>1990</birthday></player>\n<player><fideid>7</fideid><name>Li, Chao</name></player>\
            <player><fideid>8</fideid><name>Li Chao</name></player></playerslist>";
        let list = NameList::read(xml).expect("a list");
        let player = |text| NameQuery::of(NameKind::Player, text);
        let listed = list.look_up(&player("Carlsen,Magnus")).expect("a player");
        assert_eq!(
            (listed.name, listed.fide_id, listed.title.as_deref()),
            ("Carlsen, Magnus", 1_503_014, Some("GM"))
        );
        assert!(
            list.look_up(&NameQuery {
                years: (1980, 1985),
                ..player("Carlsen,Magnus")
            })
            .is_none()
        );
        assert!(list.look_up(&player("Li,Chao")).is_none());
        assert_eq!(
            found(
                &list,
                NameQuery {
                    fide_id: 8,
                    ..player("Li,Chao")
                }
            ),
            Some((3, "Li Chao".to_owned()))
        );
    }

    #[test]
    fn other_files() {
        let movetext = NameList::read(b"1. e4 e5").map(drop);
        assert_eq!(movetext, Err(ReadNamesError::Unknown));

        let short_line = NameList::read(b"a\tb\nc");
        assert!(matches!(short_line, Err(ReadNamesError::Table(_))));

        // A line that begins with a question mark is a proposal, which does not count.
        let table = NameList::read(b"?player\tA\tB\nC\tD\n").expect("a table");
        let player = |text| found(&table, NameQuery::of(NameKind::Player, text));
        assert_eq!(player("B"), None);
        assert_eq!(player("A"), None);

        let listed = Some((1, "C".to_owned()));
        assert_eq!(player("C"), listed);
        assert_eq!(player(" D"), listed);
    }
}
