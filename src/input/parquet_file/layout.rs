//! The columns of a Parquet file of games: the columns of tags, and the column of the movetext.
//!
//! Columns have the names of the Lichess sets and of Stamma's data sets, in any case, because database engines change
//! the case. Only `Opening` must be in this case, since `opening` may be another column.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use super::cell::ValueKind;

/// The tags that come first, in their order (PGN §8.1.1).
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// The other tags that have a column.
const OTHERS: [&str; 14] = [
    "WhiteTitle",
    "BlackTitle",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "UTCDate",
    "UTCTime",
    "ECO",
    "Opening",
    "Termination",
    "TimeControl",
    "FEN",
    "Variant",
];

/// The numbers of units of time in a second.
const MILLIS: i64 = 1_000;
const MICROS: i64 = 1_000_000;
const NANOS: i64 = 1_000_000_000;

/// The columns of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The columns of tags, in the order in which tags are written.
    pub(super) tags: Vec<TagColumn>,
    /// The columns of names and values of further tags.
    pub(super) map: Option<(usize, usize)>,
    pub(super) movetext: usize,
    /// The index of the tag `Result` in `tags`.
    pub(super) result: Option<usize>,
}

/// A column with the values of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagColumn {
    pub(super) name: String,
    pub(super) column: usize,
    pub(super) kind: ValueKind,
}

impl Layout {
    /// Finds the columns of a schema.
    ///
    /// # Errors
    /// A sentence that names a column that is missing, or whose type cannot be the type of a tag.
    pub(super) fn of(schema: &SchemaDescriptor) -> Result<Layout, String> {
        let movetext = top_level(schema, |name| name.eq_ignore_ascii_case("movetext"));
        let Some(movetext) = movetext else {
            return Err("it has no column movetext, so it has no games".to_owned());
        };
        if schema.column(movetext).physical_type() != Type::BYTE_ARRAY {
            return Err("its column movetext is not a text".to_owned());
        }

        let mut tags = Vec::new();
        for name in ROSTER.into_iter().chain(OTHERS) {
            if let Some(column) = column_of_tag(schema, name) {
                tags.push(tag_column(schema, name, column)?);
            }
        }
        let others = further_tags(schema, &tags, movetext);
        tags.extend(others);

        let result = tags.iter().position(|tag| tag.name == "Result");
        Ok(Layout {
            map: map_columns(schema),
            tags,
            movetext,
            result,
        })
    }

    /// Returns `true` if the file can store the tag `SetUp`.
    pub(super) fn can_have_set_up(&self) -> bool {
        // A map can have any tag.
        self.map.is_some() || self.tags.iter().any(|tag| tag.name == "SetUp")
    }

    /// All columns, in the order of the fields.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        let tags = self.tags.iter().map(|tag| tag.column);
        let map = self.map.into_iter().flat_map(|(name, value)| [name, value]);

        tags.chain(map).chain([self.movetext])
    }
}

/// The column with the values of a tag.
fn column_of_tag(schema: &SchemaDescriptor, tag: &str) -> Option<usize> {
    let column = top_level(schema, |column| is_name_of_tag(column, tag));

    // The Lichess sets have one date, which is also the date of the roster.
    if column.is_none() && tag == "Date" {
        return top_level(schema, |column| is_name_of_tag(column, "UTCDate"));
    }
    column
}

/// Returns `true` if a column with this name has the values of a tag.
fn is_name_of_tag(column: &str, tag: &str) -> bool {
    let is_case_free = tag != "Opening";
    column == tag || (is_case_free && column.eq_ignore_ascii_case(tag))
}

/// The first column outside of structures and lists whose name is accepted.
pub(super) fn top_level(
    schema: &SchemaDescriptor,
    is_accepted: impl Fn(&str) -> bool,
) -> Option<usize> {
    schema
        .columns()
        .iter()
        .position(|column| is_top_level(column) && is_accepted(column.name()))
}

fn tag_column(schema: &SchemaDescriptor, name: &str, column: usize) -> Result<TagColumn, String> {
    let descriptor = schema.column(column);
    let Some(kind) = value_kind(&descriptor, name) else {
        let column_name = descriptor.name();
        let physical_type = descriptor.physical_type();
        return Err(format!(
            "its column {column_name} has the type {physical_type}, which no {name} has"
        ));
    };

    Ok(TagColumn {
        name: name.to_owned(),
        column,
        kind,
    })
}

/// Further text columns whose names are tag names with a capital letter. Other programs may have added them to a data
/// set.
fn further_tags(schema: &SchemaDescriptor, known: &[TagColumn], movetext: usize) -> Vec<TagColumn> {
    let mut further = Vec::new();
    for (column, descriptor) in schema.columns().iter().enumerate() {
        let is_known = column == movetext || known.iter().any(|tag| tag.column == column);
        let is_text = descriptor.physical_type() == Type::BYTE_ARRAY;
        if is_known || !is_text || !is_top_level(descriptor) {
            continue;
        }

        let name = descriptor.name();
        if is_tag_name(name) {
            further.push(TagColumn {
                name: name.to_owned(),
                column,
                kind: ValueKind::Text,
            });
        }
    }
    further
}

/// `true` for a column outside of structures and lists.
fn is_top_level(column: &ColumnDescriptor) -> bool {
    column.path().parts().len() == 1 && column.max_rep_level() == 0
}

/// `true` for a capital letter and further letters, digits and underscores.
fn is_tag_name(name: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.bytes().all(is_of_name)
}

/// The columns of names and of values of the map `tags`. Some engines write the map as a list of pairs.
fn map_columns(schema: &SchemaDescriptor) -> Option<(usize, usize)> {
    let find = |name: &str| {
        let columns = schema.columns();
        columns.iter().position(|column| is_of_map(column, name))
    };

    let keys = find("key")?;
    let values = find("value")?;
    Some((keys, values))
}

/// Returns `true` for the column of a map `tags` that ends with a name.
fn is_of_map(column: &ColumnDescriptor, name: &str) -> bool {
    let [first, .., last] = column.path().parts() else {
        return false;
    };
    let has_names = first.eq_ignore_ascii_case("tags") && last.eq_ignore_ascii_case(name);
    let is_list_of_texts =
        column.max_rep_level() == 1 && column.physical_type() == Type::BYTE_ARRAY;

    has_names && is_list_of_texts
}

/// The kind of the values of a column; `None` if the type cannot be the type of a tag.
fn value_kind(column: &ColumnDescriptor, tag: &str) -> Option<ValueKind> {
    match column.physical_type() {
        Type::BYTE_ARRAY if tag == "Date" => Some(ValueKind::Date),
        Type::BYTE_ARRAY => Some(ValueKind::Text),
        Type::INT32 | Type::INT64 => Some(integer_kind(column, tag)),
        // pandas stores integers with missing values as floating-point numbers.
        Type::DOUBLE | Type::FLOAT => Some(number_kind(tag)),
        _ => None,
    }
}

fn number_kind(tag: &str) -> ValueKind {
    if tag.ends_with("RatingDiff") {
        ValueKind::Signed
    } else {
        ValueKind::Number
    }
}

/// The kind of integers, which may be dates or times. Old writers have a converted type instead of a logical type.
fn integer_kind(column: &ColumnDescriptor, tag: &str) -> ValueKind {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => ValueKind::Days,

        (Some(LogicalType::Time(time)), _) => ValueKind::Time(units_per_second(&time.unit)),
        (None, ConvertedType::TIME_MILLIS) => ValueKind::Time(MILLIS),
        (None, ConvertedType::TIME_MICROS) => ValueKind::Time(MICROS),

        (Some(LogicalType::Timestamp(stamp)), _) => {
            timestamp_kind(tag, units_per_second(&stamp.unit))
        }
        (None, ConvertedType::TIMESTAMP_MILLIS) => timestamp_kind(tag, MILLIS),
        (None, ConvertedType::TIMESTAMP_MICROS) => timestamp_kind(tag, MICROS),

        _ => number_kind(tag),
    }
}

fn timestamp_kind(tag: &str, ticks: i64) -> ValueKind {
    if tag == "UTCTime" {
        ValueKind::Time(ticks)
    } else {
        ValueKind::Timestamp(ticks)
    }
}

/// The number of units in a second.
fn units_per_second(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => MILLIS,
        TimeUnit::MICROS => MICROS,
        TimeUnit::NANOS => NANOS,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::schema::parser::parse_message_type;

    use super::*;

    fn layout(fields: &str) -> Result<Layout, String> {
        let schema = parse_message_type(&format!("message games {{ {fields} }}")).expect(fields);
        Layout::of(&SchemaDescriptor::new(Arc::new(schema)))
    }

    fn assert_tags(fields: &str, expected: &[(&str, usize, ValueKind)]) {
        let all_fields = format!("{fields} required binary movetext (STRING);");
        let tags = layout(&all_fields).expect(fields).tags;

        let mut found = Vec::new();
        for tag in &tags {
            found.push((tag.name.as_str(), tag.column, tag.kind));
        }
        assert_eq!(found, expected);
    }

    macro_rules! finds {
        ($($name:ident: $fields:expr => $tags:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_tags($fields, &$tags);
            }
        )*};
    }

    finds! {
        the_roster_first: "optional binary ECO (STRING); optional binary white (STRING);" =>
            [("White", 1, ValueKind::Text), ("ECO", 0, ValueKind::Text)];
        a_name_in_other_case: "optional binary whitetitle (STRING);" => [("WhiteTitle", 0, ValueKind::Text)];
        another_opening: "optional binary opening (STRING);" => [];
        the_opening: "optional binary Opening (STRING);" => [("Opening", 0, ValueKind::Text)];
        the_date_of_lichess: "optional int32 UTCDate (DATE);" =>
            [("Date", 0, ValueKind::Days), ("UTCDate", 0, ValueKind::Days)];
        two_dates: "optional binary Date (STRING); optional int32 UTCDate (DATE);" =>
            [("Date", 0, ValueKind::Date), ("UTCDate", 1, ValueKind::Days)];
        a_time: "optional int64 UTCTime (TIME(NANOS,true));" => [("UTCTime", 0, ValueKind::Time(1_000_000_000))];
        ratings: "optional int32 WhiteElo (INTEGER(16,true)); optional double BlackElo; optional int64 WhiteRatingDiff;" =>
            [
                ("WhiteElo", 0, ValueKind::Number),
                ("BlackElo", 1, ValueKind::Number),
                ("WhiteRatingDiff", 2, ValueKind::Signed),
            ];
        a_further_tag: "optional binary Annotator (STRING); optional binary source (STRING); optional int64 Number;" =>
            [("Annotator", 0, ValueKind::Text)];
    }

    #[test]
    fn without_games() {
        let missing = layout("required int64 zobrist;").expect_err("no movetext");
        assert!(missing.contains("no column movetext"), "{missing}");

        let wrong = layout("required int64 movetext;").expect_err("a number");
        assert!(wrong.contains("is not a text"), "{wrong}");

        let flag = layout("required boolean White; required binary movetext;").expect_err("a flag");
        assert_eq!(
            flag,
            "its column White has the type BOOLEAN, which no White has"
        );
    }

    #[test]
    fn maps_and_lists_of_pairs() {
        let movetext = "required binary movetext (STRING);";
        for (tags, columns) in [
            (
                "optional group tags (MAP) { repeated group key_value { required binary key (STRING); optional binary value (STRING); } }",
                Some((0, 1)),
            ),
            (
                "optional group tags (LIST) { repeated group list { optional group element { optional binary key (STRING); optional binary value (STRING); } } }",
                Some((0, 1)),
            ),
            ("optional binary tags (STRING);", None),
        ] {
            let layout = layout(&format!("{tags} {movetext}")).expect(tags);
            assert_eq!(layout.map, columns);
        }
    }
}
