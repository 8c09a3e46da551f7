//! Reads FIDE's list of players, as text in columns or as XML, player by player.

use std::collections::VecDeque;
use std::io::{self, BufRead};

/// A player of FIDE's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FidePlayer {
    /// The id.
    pub id: u32,
    /// The name as FIDE writes it.
    pub name: String,
    /// The federation, three letters.
    pub federation: String,
    /// The title, or the women's title; empty for none.
    pub title: String,
    /// The standard rating; 0 for none.
    pub standard: u16,
    /// The rapid rating.
    pub rapid: u16,
    /// The blitz rating.
    pub blitz: u16,
    /// The year of birth; 0 for unknown.
    pub birth_year: u16,
}

/// Reader of FIDE's list in either of its two forms.
#[derive(Debug)]
pub struct FideList<R> {
    input: R,
    line: Vec<u8>,
    /// The fields of the current XML player that have been read.
    player: FidePlayer,
    /// Players of the last line that have not been returned yet.
    ready: VecDeque<FidePlayer>,
    columns: Option<Columns>,
}

/// The bytes of a line at which the fields of the text form begin. The name comes before the federation.
#[derive(Clone, Copy, Debug)]
struct Columns {
    name: usize,
    federation: usize,
    title: usize,
    women_title: usize,
    standard: usize,
    rapid: usize,
    blitz: usize,
    birth: usize,
}

/// The byte of a line at which the name begins, behind the id.
pub(super) const NAME_COLUMN: usize = 15;

/// The widths of fields in bytes.
pub(super) const NAME_BYTES: usize = 61;
const FEDERATION_BYTES: usize = 3;
const TITLE_BYTES: usize = 4;
const NUMBER_BYTES: usize = 4;

/// The columns of `players_list_foa.txt`.
const DEFAULT_COLUMNS: Columns = Columns {
    name: NAME_COLUMN,
    federation: NAME_COLUMN + NAME_BYTES,
    title: 84,
    women_title: 89,
    standard: 113,
    rapid: 126,
    blitz: 139,
    birth: 152,
};

impl<R: BufRead> FideList<R> {
    /// A reader of a list.
    pub fn new(input: R) -> FideList<R> {
        FideList {
            input,
            line: Vec::new(),
            player: FidePlayer::default(),
            ready: VecDeque::new(),
            columns: None,
        }
    }

    /// The next player; `None` at the end of the list.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn next_player(&mut self) -> io::Result<Option<FidePlayer>> {
        loop {
            if let Some(player) = self.ready.pop_front() {
                return Ok(Some(player));
            }

            self.line.clear();
            if self.input.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }

            let line = String::from_utf8_lossy(&self.line).into_owned();
            if line.trim_start().starts_with('<') {
                self.read_elements(&line);
            } else {
                let player = self.read_row(&line);
                self.ready.extend(player);
            }
        }
    }

    /// The player in a line of the text form; `None` for a header or a line without an id.
    fn read_row(&mut self, line: &str) -> Option<FidePlayer> {
        if line.starts_with("ID Number") {
            self.columns = Some(columns(line));
            return None;
        }

        let at = self.columns.unwrap_or(DEFAULT_COLUMNS);
        let number = |from: usize| field(line, from, NUMBER_BYTES).parse().unwrap_or(0);
        let id = field(line, 0, at.name).parse().ok()?;

        let mut title = field(line, at.title, TITLE_BYTES);
        if title.is_empty() {
            title = field(line, at.women_title, TITLE_BYTES);
        }

        // A space separates the name from the federation.
        let name_bytes = at.federation - at.name - 1;

        Some(FidePlayer {
            id,
            name: field(line, at.name, name_bytes),
            federation: field(line, at.federation, FEDERATION_BYTES),
            title,
            standard: number(at.standard),
            rapid: number(at.rapid),
            blitz: number(at.blitz),
            birth_year: number(at.birth),
        })
    }

    /// Reads the elements in a line of the XML form.
    fn read_elements(&mut self, line: &str) {
        let mut rest = line;
        while let Some((_, opened)) = rest.split_once('<') {
            let Some((tag, after)) = opened.split_once('>') else {
                break;
            };

            let (value, _) = after.split_once('<').unwrap_or((after, ""));
            self.set_field(tag, &unescaped(value.trim()));

            if tag == "/player" {
                let player = std::mem::take(&mut self.player);
                if player.id > 0 {
                    self.ready.push_back(player);
                }
            }

            rest = after;
        }
    }

    /// Stores the value of an XML element in the current player. Unknown elements are ignored.
    fn set_field(&mut self, tag: &str, value: &str) {
        let number = || value.parse().unwrap_or(0);

        match tag {
            "fideid" => self.player.id = value.parse().unwrap_or(0),
            "name" => self.player.name = value.to_owned(),
            "country" => self.player.federation = value.to_owned(),
            "title" => self.player.title = value.to_owned(),
            // A title of all players counts more than a title of women.
            "w_title" if self.player.title.is_empty() => self.player.title = value.to_owned(),
            "rating" => self.player.standard = number(),
            "rapid_rating" => self.player.rapid = number(),
            "blitz_rating" => self.player.blitz = number(),
            "birthday" => self.player.birth_year = number(),
            _ => {}
        }
    }
}

/// The columns as a header names them, and [`DEFAULT_COLUMNS`] for columns that the header does not name.
fn columns(header: &str) -> Columns {
    let position = |name: &str, default: usize| header.find(name).unwrap_or(default);
    let default = DEFAULT_COLUMNS;

    // The name ends before the federation, whatever the header says.
    let federation = position("Fed", default.federation);
    let name = position("Name", default.name).min(federation.saturating_sub(1));
    Columns {
        name,
        federation: federation.max(name + 1),
        title: position(" Tit ", default.title - 1) + 1,
        women_title: position("WTit", default.women_title),
        standard: position("SRtng", default.standard),
        rapid: position("RRtng", default.rapid),
        blitz: position("BRtng", default.blitz),
        birth: position("B-day", default.birth),
    }
}

/// The trimmed field of a line that begins at a byte; shorter or empty where the line ends.
fn field(line: &str, from: usize, length: usize) -> String {
    let bytes = line.as_bytes();
    let start = from.min(bytes.len());
    let end = (from + length).min(bytes.len());

    // The columns count bytes, so a field may end within a character.
    let text = String::from_utf8_lossy(&bytes[start..end]);
    text.trim().to_owned()
}

/// A text of XML with its predefined entities resolved.
fn unescaped(text: &str) -> String {
    // The ampersand comes last: `&amp;lt;` is the text `&lt;`.
    text.replace("&apos;", "'")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, name: &str, title: &str, numbers: [&str; 4]) -> String {
        let [standard, rapid, blitz, birth] = numbers;
        format!(
            "{id:<15}{name:<61}{:<4}{:<4}{title:<29}{standard:<13}{rapid:<13}{blitz:<13}{birth:<6}\n",
            "NOR", "M"
        )
    }

    fn read(text: &str) -> Vec<FidePlayer> {
        let mut list = FideList::new(text.as_bytes());
        std::iter::from_fn(|| list.next_player().expect("bytes in memory")).collect()
    }

    #[test]
    fn text_in_columns() {
        let text = row(
            "1503014",
            "Carlsen, Magnus",
            "GM",
            ["2839", "2825", "2886", "1990"],
        );
        let found = read(&text);
        let expected = FidePlayer {
            id: 1_503_014,
            name: "Carlsen, Magnus".to_owned(),
            federation: "NOR".to_owned(),
            title: "GM".to_owned(),
            standard: 2839,
            rapid: 2825,
            blitz: 2886,
            birth_year: 1990,
        };
        assert_eq!(found, [expected]);
        assert_eq!(read(&text.replace("1990", "    "))[0].birth_year, 0);
    }

    #[test]
    fn xml() {
        let text = "<playerslist>\n<player>\n<fideid>1503014</fideid>\n<name>O&apos;Kelly, A</name>\n<country>BEL</country>\n\
            <title></title>\n<w_title>WIM</w_title>\n<rating>2400</rating>\n<birthday>1911</birthday>\n</player>\n\
            <player><fideid>7</fideid><name>B</name></player>\n</playerslist>\n";
        let found = read(text);
        assert_eq!(
            (
                found[0].name.as_str(),
                found[0].title.as_str(),
                found[0].standard
            ),
            ("O'Kelly, A", "WIM", 2400)
        );
        assert_eq!((found[1].id, found[1].standard, found.len()), (7, 0, 2));
    }

    #[test]
    fn damaged_lists() {
        assert_eq!(read("<player><fideid>1\n<name\nabc\n\n\u{fffd}<"), []);
    }
}
