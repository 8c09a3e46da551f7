//! Lists of names that a user has, in whichever form they are.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use super::PersonName;
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

/// Why a file is no list of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadNamesError {
    /// It is none of the known forms.
    #[error(
        "this is no list of names: expected a spelling file of Scid, FIDE's list as text or XML, or a table of \
         canonical names and spellings with tabs between them"
    )]
    Unknown,
    /// FIDE's list as XML does not end.
    #[error("the list is cut off: it does not end with </playerslist>")]
    CutOff,
    /// A line of a table is none.
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
    /// By spelling, canonical ones included.
    numbers: HashMap<(NameKind, String), u32, RandomState>,
}

/// A spelling to be looked up.
#[derive(Clone, Copy, Debug)]
pub struct NameQuestion<'q> {
    /// What it names.
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

/// What a list says of a name.
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
    /// Reads a list in UTF-8 or Windows-1252; its form is told by its content.
    ///
    /// ```
    /// use stamma::cleaning::names::{NameKind, NameList, NameQuestion};
    /// let list = NameList::read(b"player\tKasparov, Garry\tKasparov,G\n")?;
    /// assert_eq!(list.look_up(&NameQuestion::of(NameKind::Player, "Kasparov,G")).map(|found| found.name), Some("Kasparov, Garry"));
    /// # Ok::<(), stamma::cleaning::names::ReadNamesError>(())
    /// ```
    ///
    /// # Errors
    /// When it has none of the forms, or a line of a table is none.
    pub fn read(bytes: &[u8]) -> Result<NameList, ReadNamesError> {
        let text = decode_names(bytes);
        let text = text.trim_start_matches('\u{feff}');
        if is_fide(text) {
            if text.trim_start().starts_with('<') && !text.trim_end().ends_with("</playerslist>") {
                return Err(ReadNamesError::CutOff);
            }
            // Bytes in memory are always read.
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

    /// What the list says of a spelling: by the FIDE id if it knows that, else by the text. A spelling that may be several
    /// names of the list is none of them.
    pub fn look_up(&self, question: &NameQuestion<'_>) -> Option<ListedName<'_>> {
        match self {
            NameList::Spelling(spellings) => spellings.look_up(question),
            NameList::Fide(players) => players.look_up(question),
            NameList::Table(table) => table.look_up(question),
        }
    }
}

impl<'q> NameQuestion<'q> {
    /// A spelling of which nothing more is known.
    pub fn of(kind: NameKind, text: &'q str) -> NameQuestion<'q> {
        NameQuestion {
            kind,
            text,
            person: None,
            fide_id: 0,
            years: (0, 0),
        }
    }

    /// Whether a player with these years of birth and death, 0 for unknown, can have played in the years of the games.
    fn fits(&self, born: u16, died: u16) -> bool {
        let (first, last) = self.years;
        let is_too_early = born > 0 && first > 0 && first < born.saturating_add(YOUNGEST);
        let is_too_late = died > 0 && last > died.saturating_add(1);
        !is_too_early && !is_too_late
    }
}

/// Games of younger players are taken for those of another person.
const YOUNGEST: u16 = 4;

/// Whether a text is FIDE's list: XML, or lines of which a number and a name in columns begin one.
fn is_fide(text: &str) -> bool {
    let is_row = |line: &str| {
        let (id, rest) = line.split_at_checked(15).unwrap_or_default();
        id.trim_end().parse::<u32>().is_ok() && rest.len() > 61 && !line.contains('\t')
    };
    text.trim_start().starts_with('<')
        || text.starts_with("ID Number")
        || text.lines().next().is_some_and(is_row)
}

impl Spellings {
    fn new(file: SpellingFile) -> Spellings {
        let entries =
            (0..).map_while(|number| Some((number, file.entry(Section::Player, number)?)));
        let by_id = entries.filter(|(_, entry)| entry.fide_id > 0);
        let by_id = by_id
            .map(|(number, entry)| (entry.fide_id, number))
            .collect();
        Spellings { file, by_id }
    }

    fn look_up(&self, question: &NameQuestion<'_>) -> Option<ListedName<'_>> {
        let section = match question.kind {
            NameKind::Player => Section::Player,
            NameKind::Event => Section::Event,
            NameKind::Site => Section::Site,
            NameKind::Round => Section::Round,
        };
        let by_id = self
            .by_id
            .get(&question.fide_id)
            .filter(|_| section == Section::Player);
        let by_id = by_id.and_then(|&number| Some((number, self.file.entry(section, number)?)));
        let (number, entry) =
            by_id.or_else(|| match self.file.look_up(section, question.text) {
                Lookup::Found(number, entry) => Some((number, entry)),
                Lookup::Ambiguous | Lookup::Unknown => None,
            })?;
        let year = |date: &str| {
            date.get(..4)
                .and_then(|year| year.parse().ok())
                .unwrap_or(0)
        };
        question
            .fits(year(&entry.born), year(&entry.died))
            .then(|| ListedName {
                number: number + 1,
                name: &entry.name,
                fide_id: entry.fide_id,
                title: title(&entry.titles).map(Cow::Owned),
                entry: Some(entry),
            })
    }
}

/// The first title that tags have.
fn title(titles: &[String]) -> Option<String> {
    const TITLES: [&str; 8] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];
    titles
        .iter()
        .map(|title| title.to_ascii_uppercase())
        .find(|title| TITLES.contains(&&**title))
}

impl FidePlayers {
    fn look_up(&self, question: &NameQuestion<'_>) -> Option<ListedName<'_>> {
        if question.kind != NameKind::Player {
            return None;
        }
        let parsed = || Cow::Owned(PersonName::parse(question.text));
        let person = question.person.map_or_else(parsed, Cow::Borrowed);
        let (number, player) = self.find(question.fide_id, &person)?;
        question.fits(player.birth_year, 0).then(|| ListedName {
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
        for row in read_name_table(text)?.into_iter().filter(|row| row.is_sure) {
            let next = table.names.len() as u32;
            let number = *numbers
                .entry((row.kind, row.canonical.clone()))
                .or_insert(next);
            if number == next {
                table.names.push(row.canonical.clone());
            }
            table
                .numbers
                .entry((row.kind, row.canonical))
                .or_insert(number);
            table.numbers.insert((row.kind, row.spelling), number);
        }
        Ok(table)
    }

    fn look_up(&self, question: &NameQuestion<'_>) -> Option<ListedName<'_>> {
        let number = *self
            .numbers
            .get(&(question.kind, question.text.trim().to_owned()))?;
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

    fn found(list: &NameList, question: NameQuestion<'_>) -> Option<(u32, String)> {
        list.look_up(&question)
            .map(|found| (found.number, found.name.to_owned()))
    }

    #[test]
    fn spelling_files() {
        let list = NameList::read(SPELLINGS).expect("a list");
        let player = |text, years| NameQuestion {
            years,
            ..NameQuestion::of(NameKind::Player, text)
        };
        let korchnoi = Some((1, "Korchnoi, Viktor".to_owned()));
        assert_eq!(found(&list, player("Kortschnoj V", (1960, 1990))), korchnoi);
        assert_eq!(found(&list, player("Kortschnoj V", (1920, 1990))), None);
        assert_eq!(found(&list, player("Kortschnoj V", (1990, 2020))), None);
        assert_eq!(
            found(
                &list,
                NameQuestion {
                    fide_id: 4,
                    ..player("Nobody", (0, 0))
                }
            ),
            korchnoi
        );
        assert_eq!(
            found(&list, player("M\u{fc}ller, K", (0, 0))).map(|(number, _)| number),
            Some(2)
        );
        let rome = found(&list, NameQuestion::of(NameKind::Site, "Rome (Italy)"));
        assert_eq!(rome, Some((1, "Rome ITA".to_owned())));
        let listed = list
            .look_up(&player("Korchnoi, Viktor", (0, 0)))
            .expect("a player");
        assert_eq!(
            (listed.title.as_deref(), listed.rating_at(1990, 8)),
            (Some("GM"), Some(2610))
        );
    }

    #[test]
    fn lists_of_fide() {
        let xml = b"<playerslist><player><fideid>1503014</fideid><name>Carlsen, Magnus</name><country>NOR</country>\
            <title>GM</title><birthday>1990</birthday></player>\n<player><fideid>7</fideid><name>Li, Chao</name></player>\
            <player><fideid>8</fideid><name>Li Chao</name></player></playerslist>";
        let list = NameList::read(xml).expect("a list");
        let player = |text| NameQuestion::of(NameKind::Player, text);
        let listed = list.look_up(&player("Carlsen,Magnus")).expect("a player");
        assert_eq!(
            (listed.name, listed.fide_id, listed.title.as_deref()),
            ("Carlsen, Magnus", 1_503_014, Some("GM"))
        );
        assert!(
            list.look_up(&NameQuestion {
                years: (1980, 1985),
                ..player("Carlsen,Magnus")
            })
            .is_none()
        );
        assert!(list.look_up(&player("Li,Chao")).is_none());
        assert_eq!(
            found(
                &list,
                NameQuestion {
                    fide_id: 8,
                    ..player("Li,Chao")
                }
            ),
            Some((3, "Li Chao".to_owned()))
        );
    }

    #[test]
    fn other_files() {
        assert_eq!(
            NameList::read(b"1. e4 e5").map(drop),
            Err(ReadNamesError::Unknown)
        );
        assert!(matches!(
            NameList::read(b"a\tb\nc"),
            Err(ReadNamesError::Table(_))
        ));
        let table = NameList::read(b"?player\tA\tB\nC\tD\n").expect("a table");
        let player = |text| found(&table, NameQuestion::of(NameKind::Player, text));
        assert_eq!([player("B"), player("A")], [None, None]);
        assert_eq!(
            [player("C"), player(" D")],
            [Some((1, "C".to_owned())), Some((1, "C".to_owned()))]
        );
    }
}
