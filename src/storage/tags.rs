//! Division of tags between columns and a JSON text, and their reassembly in the original order.
//!
//! A tag is stored in a column if the column reproduces its value exactly: `WhiteElo "2851"` is, `WhiteElo "2851?"` is
//! not. All other tags go into the JSON text: inexact values, tags without a column, and repetitions of a name.
//! `tag_order` has the names of all tags in their order, which many games share. In this list, a name whose value is in
//! the JSON text is wrapped in an array. The JSON text has the values without the names:
//!
//! ```json
//! ["Event","White",["TimeControl"],["Termination"]]
//! ["180+2","Normal"]
//! ```
//!
//! The JSON text may also be an object of names and values: other programs write such objects.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::json::write_string;
use crate::board::Position;
use crate::game::{TagPair, Variant, tag_value};
use crate::pgn::Termination;

/// The tags that the columns of a game hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TagColumns<'t> {
    pub(super) event: Option<&'t str>,
    pub(super) site: Option<&'t str>,
    pub(super) date: Option<&'t str>,
    pub(super) round: Option<&'t str>,
    pub(super) white: Option<&'t str>,
    pub(super) black: Option<&'t str>,
    pub(super) result: Option<&'t str>,
    pub(super) eco: Option<&'t str>,
    pub(super) white_elo: Option<u16>,
    pub(super) black_elo: Option<u16>,
    pub(super) fen: Option<&'t str>,
}

/// A tag with a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnTag {
    Event,
    Site,
    Date,
    Round,
    White,
    Black,
    Result,
    Eco,
    Fen,
    WhiteElo,
    BlackElo,
}

/// The names of the tags with a column.
const COLUMN_TAGS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "FEN", "WhiteElo",
    "BlackElo",
];

impl ColumnTag {
    /// The tag with a name, if it has a column.
    fn from_name(name: &str) -> Option<ColumnTag> {
        Some(match name {
            "Event" => ColumnTag::Event,
            "Site" => ColumnTag::Site,
            "Date" => ColumnTag::Date,
            "Round" => ColumnTag::Round,
            "White" => ColumnTag::White,
            "Black" => ColumnTag::Black,
            "Result" => ColumnTag::Result,
            "ECO" => ColumnTag::Eco,
            "FEN" => ColumnTag::Fen,
            "WhiteElo" => ColumnTag::WhiteElo,
            "BlackElo" => ColumnTag::BlackElo,
            _ => return None,
        })
    }

    /// The bit of the tag in a set of tags.
    fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl<'t> TagColumns<'t> {
    /// Stores a value in the column of its tag; `false` if the column cannot hold it exactly. `fen` is the start
    /// position as its column will hold it.
    fn store(&mut self, tag: ColumnTag, value: &'t str, fen: Option<&str>) -> bool {
        let column = match tag {
            ColumnTag::Event => &mut self.event,
            ColumnTag::Site => &mut self.site,
            ColumnTag::Date => &mut self.date,
            ColumnTag::Round => &mut self.round,
            ColumnTag::White => &mut self.white,
            ColumnTag::Black => &mut self.black,
            ColumnTag::Eco => &mut self.eco,
            ColumnTag::Result if Termination::from_tag(value).is_some() => &mut self.result,
            ColumnTag::Fen if Some(value) == fen => &mut self.fen,
            ColumnTag::Result | ColumnTag::Fen => return false,
            ColumnTag::WhiteElo => return store_elo(&mut self.white_elo, value),
            ColumnTag::BlackElo => return store_elo(&mut self.black_elo, value),
        };

        *column = Some(value);
        true
    }

    /// The value of the column of a tag's name, if the name has a column with a value.
    fn value_of(&self, name: &str) -> Option<String> {
        self.value(ColumnTag::from_name(name)?)
    }

    /// The value that a column has for its tag, if any.
    fn value(&self, tag: ColumnTag) -> Option<String> {
        let text = match tag {
            ColumnTag::Event => self.event,
            ColumnTag::Site => self.site,
            ColumnTag::Date => self.date,
            ColumnTag::Round => self.round,
            ColumnTag::White => self.white,
            ColumnTag::Black => self.black,
            ColumnTag::Eco => self.eco,
            ColumnTag::Result => self.result,
            ColumnTag::Fen => self.fen,
            ColumnTag::WhiteElo => return self.white_elo.map(|elo| elo.to_string()),
            ColumnTag::BlackElo => return self.black_elo.map(|elo| elo.to_string()),
        };
        text.map(str::to_owned)
    }
}

/// Stores a rating; `false` if the column cannot hold the text exactly.
fn store_elo(column: &mut Option<u16>, value: &str) -> bool {
    *column = elo_of_tag(value);
    column.is_some()
}

/// The Elo in a tag's value, if a column reproduces it exactly.
pub(crate) fn elo_of_tag(value: &str) -> Option<u16> {
    match value.as_bytes() {
        // No more than four digits, and no leading zero.
        [b'1'..=b'9', rest @ ..] if rest.len() <= 3 => value.parse().ok(),
        _ => None,
    }
}

/// Divides tags into columns and JSON. Appends the JSON text to `json`, or nothing if no tag remains for it, and the
/// JSON array of all names to `order`.
pub(super) fn split<'t>(
    tags: &'t [TagPair<'_>],
    fen: Option<&str>,
    json: &mut Vec<u8>,
    order: &mut Vec<u8>,
) -> TagColumns<'t> {
    // SQLite escapes control characters in another way, so that the view could not reproduce the text of an array.
    let is_object = tags
        .iter()
        .any(|tag| has_control(&tag.name) || has_control(&tag.value));
    let [open, close] = if is_object {
        [b'{', b'}']
    } else {
        [b'[', b']']
    };

    let mut columns = TagColumns::default();
    let mut seen = 0_u16;
    let json_start = json.len();

    order.push(b'[');
    for (i, TagPair { name, value }) in tags.iter().enumerate() {
        if i > 0 {
            order.push(b',');
        }

        // Only the first tag of a name can be in a column.
        let tag = ColumnTag::from_name(name).filter(|tag| seen & tag.bit() == 0);
        if let Some(tag) = tag {
            seen |= tag.bit();
            if columns.store(tag, value, fen) {
                write_string(order, name);
                continue;
            }
        }

        let separator = if json.len() == json_start { open } else { b',' };
        json.push(separator);
        if is_object {
            write_string(order, name);
            write_string(json, name);
            json.push(b':');
        } else {
            order.push(b'[');
            write_string(order, name);
            order.push(b']');
        }
        write_string(json, value);
    }

    order.push(b']');
    if json.len() > json_start {
        json.push(close);
    }
    columns
}

/// `true` if a text has a control character of ASCII.
fn has_control(text: &str) -> bool {
    text.bytes().fold(false, |any, byte| any | (byte < 0x20))
}

/// Reassembles the tags of a game in their order; `None` if a text is not as [`split`] writes it.
pub(super) fn join(
    columns: &TagColumns<'_>,
    json: Option<&str>,
    order: &str,
) -> Option<Vec<TagPair<'static>>> {
    let order: Vec<OrderedName> = serde_json::from_str(order).ok()?;

    let mut in_json: HashMap<Cow<'_, str>, VecDeque<Cow<'static, str>>> = HashMap::new();
    for TagPair { name, value } in pairs_of_column(json, &order)? {
        in_json.entry(name).or_default().push_back(value);
    }

    // The number of tags of each name that have not been reassembled.
    let mut left_of_name: HashMap<&str, usize> = HashMap::new();
    for OrderedName { name, .. } in &order {
        *left_of_name.entry(name).or_default() += 1;
    }

    let mut tags = Vec::with_capacity(order.len());
    for OrderedName { name, .. } in &order {
        let left = left_of_name.get_mut(name.as_str())?;
        let values = in_json.get_mut(name.as_str());

        // The JSON has one value less than the order if the first value is in a column.
        let value = match values {
            Some(values) if values.len() >= *left => values.pop_front(),
            _ => columns.value_of(name).map(Cow::Owned),
        };
        *left -= 1;

        // A value that has been removed from a row is a tag that the game no longer has.
        if let Some(value) = value {
            tags.push(TagPair::new(name.clone(), value));
        }
    }
    Some(tags)
}

/// A fault of tags that exports include and answers do not, or vice versa; `None` if there is none.
pub(super) fn contradiction(
    columns: &TagColumns<'_>,
    json: Option<&str>,
    order: &str,
) -> Option<String> {
    let unnamed = unnamed_tag(columns, json, order);
    unnamed.or_else(|| tag_of_column(columns, json, order))
}

/// A fault of a value in the JSON text that its column would have, so that exports and answers differ.
fn tag_of_column(columns: &TagColumns<'_>, json: Option<&str>, order: &str) -> Option<String> {
    let order: Vec<OrderedName> = serde_json::from_str(order).ok()?;
    let in_json = pairs(json?, &order)?;
    let in_order = |name: &str| order.iter().filter(|ordered| ordered.name == name).count();

    for name in COLUMN_TAGS {
        let mut values = in_json.iter().filter(|pair| pair.name == name);
        let count = values.clone().count();
        // The column has the first value of a repeated tag.
        let is_first_in_column = count < in_order(name);
        if is_first_in_column {
            continue;
        }

        let (Some(tag), Some(first)) = (ColumnTag::from_name(name), values.next()) else {
            continue;
        };

        let is_fault = match tag {
            ColumnTag::Fen => is_other_start(&first.value, columns.fen, &in_json),
            ColumnTag::WhiteElo | ColumnTag::BlackElo => {
                columns.value(tag).is_some() || elo_of_tag(&first.value).is_some()
            }
            ColumnTag::Result => Termination::from_tag(&first.value).is_some(),
            _ => true,
        };
        if is_fault {
            return Some(format!(
                "its tags have a value of {name}, which belongs in the column"
            ));
        }
    }
    None
}

/// `true` if a value of the tag FEN is a position other than the start of the game.
fn is_other_start(value: &str, fen: Option<&str>, tags: &[TagPair<'_>]) -> bool {
    let variant = tag_value(tags, "Variant")
        .map(Variant::from_tag)
        .unwrap_or_default();
    // An unknown variant has no start, and neither has a FEN that cannot be read.
    if variant == Variant::Other {
        return false;
    }
    let Ok(position) = Position::from_fen(value) else {
        return false;
    };

    let standard_start = Position::start().fen();
    position.fen() != fen.unwrap_or(&standard_start)
}

/// A fault of tags that no export has, since the order of tags does not name them; `None` if there are none.
fn unnamed_tag(columns: &TagColumns<'_>, json: Option<&str>, order: &str) -> Option<String> {
    let order: Vec<OrderedName> = serde_json::from_str(order).ok()?;
    let count = |name: &str| order.iter().filter(|ordered| ordered.name == name).count();

    let in_json = pairs_of_column(json, &order)?;
    for TagPair { name, .. } in &in_json {
        let values = in_json.iter().filter(|pair| pair.name == *name).count();
        if values > count(name) {
            return Some(format!(
                "its tags have a value of {name}, and tag_order does not name the tag so often"
            ));
        }
    }

    // The column of the result always has a value, and the column of the FEN has one also without a tag.
    let in_columns = COLUMN_TAGS
        .into_iter()
        .filter(|name| !matches!(*name, "Result" | "FEN"));

    for name in in_columns {
        let has_value = columns.value_of(name).is_some();
        if has_value && count(name) == 0 {
            return Some(format!(
                "its column for the tag {name} has a value, and tag_order does not name the tag"
            ));
        }
    }
    None
}

/// The tags of a game without a column, in their order, from `movetext.tags` and `tag_order.names`; none where a text
/// cannot be read.
pub(crate) fn other_tags(json: Option<&str>, order: Option<&str>) -> Vec<TagPair<'static>> {
    let Some(json) = json else { return Vec::new() };

    // The JSON text may be an object, which has the names itself.
    let mut names: Vec<OrderedName> = Vec::new();
    if let Some(order) = order
        && json.starts_with('[')
    {
        names = serde_json::from_str(order).unwrap_or_default();
    }

    pairs(json, &names).unwrap_or_default()
}

/// The pairs of the column `tags`, which may be NULL.
fn pairs_of_column(json: Option<&str>, order: &[OrderedName]) -> Option<Vec<TagPair<'static>>> {
    match json {
        Some(json) => pairs(json, order),
        None => Some(Vec::new()),
    }
}

/// The pairs of a JSON text in their order, repeated names included.
fn pairs(json: &str, order: &[OrderedName]) -> Option<Vec<TagPair<'static>>> {
    if !json.starts_with('[') {
        let Pairs(pairs) = serde_json::from_str(json).ok()?;
        return Some(pairs);
    }

    let values: Vec<String> = serde_json::from_str(json).ok()?;
    let names: Vec<&OrderedName> = order.iter().filter(|name| name.is_in_json).collect();
    if names.len() != values.len() {
        return None;
    }

    let mut pairs = Vec::with_capacity(values.len());
    for (ordered, value) in names.into_iter().zip(values) {
        pairs.push(TagPair::new(ordered.name.clone(), value));
    }
    Some(pairs)
}

/// A name in the order of tags.
struct OrderedName {
    name: String,
    /// `true` if its value is in the JSON array of values.
    is_in_json: bool,
}

impl<'de> Deserialize<'de> for OrderedName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OrderedName, D::Error> {
        deserializer.deserialize_any(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = OrderedName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name, or an array of one")
    }

    fn visit_str<E>(self, name: &str) -> Result<OrderedName, E> {
        Ok(OrderedName {
            name: name.to_owned(),
            is_in_json: false,
        })
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut names: S) -> Result<OrderedName, S::Error> {
        let name = names
            .next_element()?
            .ok_or_else(|| serde::de::Error::invalid_length(0, &self))?;
        Ok(OrderedName {
            name,
            is_in_json: true,
        })
    }
}

struct Pairs(Vec<TagPair<'static>>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Pairs, M::Error> {
        let mut pairs = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            let value = match value {
                Value::String(text) => text,
                // In SQL, the view shows no tag for it either.
                Value::Null => continue,
                other => other.to_string(),
            };
            pairs.push(TagPair::new(name, value));
        }
        Ok(Pairs(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(tags: &[(&str, &str)], fen: Option<&str>) -> (String, Vec<TagPair<'static>>) {
        let tags: Vec<TagPair<'_>> = tags
            .iter()
            .map(|&(name, value)| TagPair::new(name, value))
            .collect();

        let mut json = Vec::new();
        let mut order = Vec::new();
        let columns = split(&tags, fen, &mut json, &mut order);
        let json = String::from_utf8(json).expect("JSON is UTF-8");
        let order = String::from_utf8(order).expect("JSON is UTF-8");

        let some_json = Some(json.as_str()).filter(|json| !json.is_empty());
        let joined = join(&columns, some_json, &order).expect("what was split joins");
        (json, joined)
    }

    macro_rules! comes_back {
        ($($name:ident: $tags:expr, $fen:expr => $json:expr;)*) => {$(
            #[test]
            fn $name() {
                let tags: &[(&str, &str)] = $tags;
                let (json, joined) = round_trip(tags, $fen);
                assert_eq!(json, $json);
                let joined: Vec<(&str, &str)> =
                    joined.iter().map(|tag| (&*tag.name, &*tag.value)).collect();
                assert_eq!(joined, tags);
            }
        )*};
    }

    comes_back! {
        nothing: &[], None => "";
        roster: &[("Event", "A"), ("White", "B"), ("Result", "1-0")], None => "";
        own_order: &[("ECO", "B20"), ("Round", "1"), ("Event", "")], None => "";
        other_tags: &[("Opening", "King's \"Gambit\""), ("White", "B"), ("Clock", "x\\y")], None =>
            r#"["King's \"Gambit\"","x\\y"]"#;
        odd_elo: &[("WhiteElo", "2500?"), ("BlackElo", "2400")], None => r#"["2500?"]"#;
        elo_with_zero: &[("WhiteElo", "0"), ("BlackElo", "02400")], None => r#"["0","02400"]"#;
        odd_result: &[("Result", "1-0 ff")], None => r#"["1-0 ff"]"#;
        repeated: &[("White", "A"), ("White", "B"), ("X", "1"), ("X", "2"), ("White", "C")], None =>
            r#"["B","1","2","C"]"#;
        repeated_and_odd: &[("WhiteElo", "?"), ("WhiteElo", "2500")], None => r#"["?","2500"]"#;
        same_fen: &[("FEN", "f")], Some("f") => "";
        other_fen: &[("FEN", "g")], Some("f") => r#"["g"]"#;
        empty_name: &[("", "v")], None => r#"["v"]"#;
        control_in_a_value: &[("White", "A"), ("X", "1\u{8}"), ("X", "2")], None =>
            r#"{"X":"1\u0008","X":"2"}"#;
        control_in_a_name: &[("\u{c}", "1"), ("X", "2")], None => r#"{"\u000c":"1","X":"2"}"#;
        control_in_a_column: &[("White", "A\t"), ("X", "2")], None => r#"{"X":"2"}"#;
    }

    macro_rules! reads {
        ($($name:ident: $json:expr, $order:expr => $tags:expr;)*) => {$(
            #[test]
            fn $name() {
                let columns = TagColumns { white: Some("A"), ..TagColumns::default() };
                let tags = join(&columns, $json, $order);
                let tags = tags.map(|tags| {
                    let tag = |tag: &TagPair<'_>| format!("{}={}", tag.name, tag.value);
                    tags.iter().map(tag).collect::<Vec<_>>().join(" ")
                });
                assert_eq!(tags.as_deref(), $tags);
            }
        )*};
    }

    reads! {
        an_object: Some(r#"{"X":"1"}"#), r#"["White","X"]"# => Some("White=A X=1");
        an_object_in_place_of_values: Some(r#"{"X":"2","White":"B"}"#), r#"["White",["X"]]"# =>
            Some("White=B X=2");
        values: Some(r#"["1"]"#), r#"["White",["X"]]"# => Some("White=A X=1");
        too_few_values: Some(r#"["1"]"#), r#"[["X"],["Y"],"White"]"# => None;
        no_values: None, r#"[["X"],"White"]"# => Some("White=A");
        a_number: Some("[1]"), r#"[["X"]]"# => None;
        a_number_in_an_object: Some(r#"{"X":1}"#), r#"["X"]"# => Some("X=1");
        no_json: Some("[1"), r#"[["X"]]"# => None;
        no_order: Some("[1]"), "[[]]" => None;
    }
}
